//! `Contacts`: detection, solution and records of all contacts of a world.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::body_order::BodyOrder;
use super::contact_constraint::ContactConstraint;
use super::contact_hook::Responses;
use super::displacement::Displacement;
use super::fast::{FastStep, FastTier};
use super::free_flight::FreeFlight;
use super::impact_record::ImpactRecord;
use super::impacts::ContactWork;
use super::impulse_cache::{self, CachedPair};
use super::island::Islands;
use super::island_executor::{IslandInputs, IslandWork};
use super::island_problem::StepBodies;
use super::island_step;
use super::joint_claims::{JointClaims, Rule};
use super::joint_row::JointRows;
use super::midpoint_span::SpanIsland;
use super::position_correction::{self, Bound};
use super::prepare_contacts::ContactPreparation;
use super::push_out::Bounds;
use super::report::ContactReport;
use super::settings::{ContactScheme, ContactSettings, ContactTier};
use super::solver_cost::SolverCosts;
use crate::environment::sleep_state::Sleep;
use crate::math::{Vec3, scalar};
use crate::physics::collision::broad_phase::{Filter, PairFilter};
use crate::physics::collision::{CollisionDetector, PairCache};
use crate::physics::constraints::contact::ContactProblemError;
use crate::physics::constraints::{Constraint, ConstraintRow, ConstraintSet, MAX_ROWS};
use crate::physics::integration::rotate_all_torque_free;
use crate::physics::rigid_body::{
    Acceleration, Bodies, BodyKind, BodyView, Inertia, InertialState, RigidBody,
};
use crate::threads::{BODIES_A_TASK, Threads};
use crate::tolerance;

/// Speed at which overlap from the start of a step is pushed out, in smallest extents of the body a second.
/// tuned: a sixth of an extent in a step of 1/60 s.
const PUSH_OUT_SPEED: f64 = 10.0;

/// Contact state and workspace of a world.
#[derive(Clone, Debug, Default)]
pub(in crate::environment) struct Contacts {
    pub(in crate::environment) settings: ContactSettings,
    pub(in crate::environment) detector: CollisionDetector,
    /// Pairs of slots whose collisions the user has excluded.
    pub(in crate::environment) ignored: BTreeSet<(u32, u32)>,
    /// Of pairs with belts, one-way bodies or a hook, in this step; and whether some body may have a belt or be one-way.
    pub(super) responses: Responses,
    moving_surfaces: bool,
    /// Contact points of the last step, by island.
    pub(in crate::environment) candidates: Vec<ContactConstraint>,
    /// Pairs of touching slots, sorted, and those of the step before.
    pub(in crate::environment) touching: Vec<(u32, u32)>,
    pub(in crate::environment) touched: Vec<(u32, u32)>,
    /// Slots of bodies removed since the last step, whose contact points are dropped.
    pub(in crate::environment) removed: BTreeSet<usize>,
    pub(in crate::environment) report: ContactReport,
    /// Contacts of the last step with restitution, by island and time.
    pub(in crate::environment) impact_records: Vec<ImpactRecord>,
    /// Points and report of the previous step, kept during a step.
    before: (Vec<ContactConstraint>, ContactReport),
    /// Length of the step of the cached impulses, s.
    pub(in crate::environment) last_dt: f64,
    pub(in crate::environment) fast: FastTier,
    /// Bodies in the canonical order.
    order: BodyOrder,
    islands: Islands,
    /// Contact constraints of CCD pairs, made before the islands are known.
    made: Vec<ContactConstraint>,
    work: IslandWork,
    /// Results for each pair of the detector.
    notes: Vec<CachedPair>,
    /// Rows of all joints, and their impulses by contact in the step, N·s or N·m·s.
    pub(super) rows: JointRows,
    row_impulses: Vec<f64>,
    /// Magnitudes of those that acted at times of their own within the step.
    pub(super) timed_impulses: Vec<f64>,
    /// Forces of rows of joints in the last substep of the fast tier, N or N·m, by key.
    row_forces: Vec<f64>,
    free_acceleration: Vec<Acceleration>,
    /// Bodies at the end of the step after torque-free rotation alone.
    turned: Vec<InertialState>,
    efforts: SolverCosts,
    /// Bodies whose joints free flight leaves to contact.
    claims: JointClaims,
    /// Displacement of bodies by impulses of contacts and joints in the exact tier, by slot; zero for the others.
    pub(in crate::environment) explained: Vec<Displacement>,
    /// Displacement by position correction, by slot.
    pub(in crate::environment) pushed: Vec<Displacement>,
    /// The deepest overlap of each body at the start of the step, m, by slot.
    pub(in crate::environment) overlaps_before: Vec<f64>,
    /// Bound of the displacement of each body in position correction, its sums, and the distance to its farthest
    /// point, m, by slot.
    bounds: Vec<Bound>,
    most: Vec<f64>,
    reach: Vec<f64>,
}

/// Contact state that the next step depends on, besides the states of the bodies.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::environment) struct ContactMemory {
    pairs: Vec<PairCache>,
    touching: Vec<(u32, u32)>,
    last_dt: f64,
    row_forces: Vec<f64>,
    efforts: Vec<u32>,
    /// Figures of the last step that a step in which nothing moves repeats.
    contacts: usize,
    max_penetration: f64,
}

impl Contacts {
    /// Excludes collisions of pairs, by the user or by a joint.
    pub(in crate::environment) fn exclude(&mut self, joints: &ConstraintSet) {
        *self.detector.filter_mut() = PairFilter::default();
        let mut vacant = vec![true; joints.slots()];
        joints.iter().for_each(|(handle, ..)| vacant[handle.slot()] = false);
        for (slot, forces) in self.row_forces.chunks_mut(MAX_ROWS).enumerate() {
            if vacant.get(slot) != Some(&false) {
                forces.fill(0.0);
            }
        }
        for &(a, b) in &self.ignored {
            self.detector.filter_mut().exclude(a, b);
        }
        joints.enabled().for_each(|(_, _, joint)| self.exclude_ends(joint.as_ref()));
    }

    /// Lets a pair collide again, unless the user or a joint keeps it from it.
    pub(in crate::environment) fn include(&mut self, (a, b): (u32, u32), joints: &ConstraintSet) {
        let of_pair = |joint: &dyn Constraint| {
            let [Some(one), Some(other)] = joint.bodies() else { return false };
            let (one, other) = (one.slot() as u32, other.slot() as u32);
            (one.min(other), one.max(other)) == (a, b) && !joint.collide()
        };
        if !self.ignored.contains(&(a, b)) && !joints.enabled().any(|(_, _, joint)| of_pair(joint.as_ref())) {
            self.detector.filter_mut().include(a, b);
        }
    }

    /// Excludes collisions between the bodies of a joint, unless it allows them.
    pub(in crate::environment) fn exclude_ends(&mut self, joint: &dyn Constraint) {
        if let ([Some(a), Some(b)], false) = (joint.bodies(), joint.collide()) {
            self.detector.filter_mut().exclude(a.slot() as u32, b.slot() as u32);
        }
    }

    /// Detects pairs that may touch within a step of `dt` seconds from now.
    pub(in crate::environment) fn detect(
        &mut self,
        bodies: &Bodies<'_>,
        gravity: Vec3,
        dt: f64,
        threads: &Threads,
        sleep: &mut Sleep,
    ) {
        if self.settings.tier != ContactTier::Exact {
            self.order.update(bodies.bodies);
        }
        self.detector.defer_recycled(self.settings.tier == ContactTier::Fast);
        self.detector.set_expected_gravity(gravity);
        self.find(bodies, dt, threads, sleep);
        std::mem::swap(&mut self.candidates, &mut self.before.0);
        self.fast.swap_buffers();
        self.before.1 = self.report;
    }

    /// Detects contacts, and wakes sleeping bodies that are touched.
    fn find(&mut self, bodies: &Bodies<'_>, dt: f64, threads: &Threads, sleep: &mut Sleep) {
        let role = |view: &BodyView<'_>, sleep: &Sleep| Filter {
            groups: view.body.contact_groups().groups,
            mask: view.body.contact_groups().mask,
            moves: !sleep.is_on() || !(sleep.is_asleep(view.slot) || stands(view)),
        };
        self.detector.update_on(threads, bodies, dt, |view| role(view, sleep));
        self.responses.find(&mut self.detector, &self.settings, bodies, self.moving_surfaces, dt);
        while sleep.is_on() && sleep.wake_touched(self.detector.contacts()) {
            self.detector.update_woken(threads, bodies, dt, |view| role(view, sleep));
            self.responses.find(&mut self.detector, &self.settings, bodies, self.moving_surfaces, dt);
        }
    }

    /// Repeats detection if free flight has moved a body farther than gravity alone explains.
    pub(in crate::environment) fn detect_accelerated(
        &mut self,
        bodies: &Bodies<'_>,
        after: &[InertialState],
        dt: f64,
        threads: &Threads,
        sleep: &mut Sleep,
    ) {
        let states = bodies.states;
        let outran = bodies.iter().any(|view| {
            let way = after[view.slot].center_of_mass - view.state.center_of_mass;
            view.body.shape.is_some() && !self.detector.moved_as_expected(&view, way, dt)
        });
        if outran {
            self.detector.rollback();
            let accelerations = states.iter().zip(after).map(|(start, end)| {
                // The mean velocity of its free flight.
                ((end.center_of_mass - start.center_of_mass) / dt - start.velocity) * (2.0 / dt)
            });
            self.detector.set_expected_accelerations(accelerations);
            self.find(bodies, dt, threads, sleep);
        }
    }

    /// Leaves the joints of bodies in contact to contact.
    pub(in crate::environment) fn claim_joints(&mut self, joints: &mut ConstraintSet, inertias: &[Inertia]) {
        let ContactSettings { tier, scheme, auto, .. } = self.settings;
        let rule = match (tier, scheme) {
            (ContactTier::Fast, _) => Rule::Soft,
            (_, ContactScheme::MoreauJean) => Rule::None,
            (ContactTier::Exact, ContactScheme::Midpoint) => Rule::Exact,
            (ContactTier::Auto, ContactScheme::Midpoint) => {
                Rule::Affordable { costs: &self.efforts.by_slot, limits: auto }
            }
        };
        self.claims.claim(rule, &self.detector, joints, inertias);
        joints.assign_to_contact(&self.claims.bodies, tier != ContactTier::Fast);
    }

    /// Factor from cached impulses to those of a step of `dt` seconds; `None` in a first step.
    fn scale(&self, dt: f64) -> Option<f64> {
        (self.last_dt > 0.0).then(|| dt / self.last_dt)
    }

    /// Solves every island with the soft solver.
    fn resolve_fast(&mut self, flight: &mut FreeFlight<'_>) -> Result<ContactWork, ContactProblemError> {
        self.candidates.clear();
        self.rows.clear();
        self.free_acceleration.clear();
        if self.claims.any() {
            self.predict_gaps(flight);
            self.take_joints(flight, false);
        }
        self.fast.divide(&self.detector, &self.rows, &self.claims.bodies, self.order.ranks(), flight);
        self.solve_fast(flight)
    }

    /// Solves the batches of the fast tier.
    fn solve_fast(&mut self, flight: &mut FreeFlight<'_>) -> Result<ContactWork, ContactProblemError> {
        let scale = self.scale(flight.dt);
        self.fast.run(&FastStep {
            detector: &self.detector,
            responses: &self.responses,
            candidates: &self.candidates,
            settings: &self.settings,
            flight,
            joints: &self.rows,
            row_forces: &self.row_forces,
            free_acceleration: &self.free_acceleration,
            scale,
        });
        self.fast.apply(flight, &self.rows, &mut self.row_impulses, &mut self.report)
    }

    /// Applies contact to the states after free flight.
    pub(in crate::environment) fn resolve(
        &mut self,
        flight: &mut FreeFlight<'_>,
    ) -> Result<ContactWork, ContactProblemError> {
        self.report = ContactReport::default();
        self.impact_records.clear();
        self.islands.clear();
        self.timed_impulses.clear();
        self.clear_displacements(flight.before.len());
        self.check_materials(flight.bodies)?;
        if self.settings.tier == ContactTier::Fast {
            if flight.joints.has_coupled_rows() {
                return Err(ContactProblemError::CoupledRows);
            }
            return self.resolve_fast(flight);
        }
        self.fast.begin(flight.before.len());
        let scale = self.scale(flight.dt).unwrap_or(1.0);
        let (detector, responses, settings) = (&self.detector, &self.responses, &self.settings);
        let gathering = ContactPreparation::new(detector, responses, settings, flight, scale);
        gathering.list(&mut self.islands.pairs, &mut self.made);
        let joined = self.claims.any();
        if self.islands.pairs.is_empty() && !joined {
            self.candidates.clear();
            return Ok(ContactWork::default());
        }
        self.predict_gaps(flight);
        self.take_joints(flight, true);
        let (inertias, slots) = (flight.inertias, flight.before.len());
        let joined = self.rows.end.iter().map(|row| row.slots);
        let claims = &self.claims;
        let coupled = flight.joints.coupled_bodies();
        self.islands.group(
            |slot| inertias[slot].is_movable(),
            slots,
            joined,
            coupled,
            |slot| claims.has(slot),
        );
        if self.settings.tier == ContactTier::Auto {
            self.efforts.choose(&mut self.islands, flight.joints, &self.settings.auto);
        }
        let mut work = self.resolve_exact(flight)?;
        self.store_overlaps();
        self.efforts.note(self.work.iterations());
        self.impact_records.extend(self.work.records());
        self.work.write_states(&self.islands, flight.after);
        self.work.add_displacements(&self.islands, &mut self.explained);
        self.timed_impulses.clear();
        self.timed_impulses.resize(self.rows.end.len(), 0.0);
        let Self { row_impulses, timed_impulses, .. } = self;
        self.work.write_rows(&self.islands, &mut self.rows.end, row_impulses, timed_impulses);
        self.give_to_fast(flight);
        if !self.fast.is_idle() {
            work += self.solve_fast(flight)?;
            self.fast.write_impulses(&mut self.candidates, self.settings.fast.count());
        }
        Ok(work)
    }

    /// Refuses values out of range of a user's rule for pairs.
    fn check_materials(&self, bodies: &[RigidBody]) -> Result<(), ContactProblemError> {
        self.responses.check()?;
        let materials = &self.settings.materials;
        if materials.stays_in_range() {
            return Ok(());
        }
        self.detector.contacts().try_for_each(|pair| {
            let (a, b) = (pair.a, pair.b);
            let material = materials.combine(&bodies[a], &bodies[b]);
            material.validate().map_err(|source| ContactProblemError::Material { a, b, source })
        })
    }

    /// Builds the contact constraints of all islands, and steps the islands of the exact tier.
    fn resolve_exact(&mut self, flight: &FreeFlight<'_>) -> Result<ContactWork, ContactProblemError> {
        // Those of the step before the last are overwritten.
        self.candidates.resize(self.islands.candidates(), ContactConstraint::default());
        let scale = self.scale(flight.dt).unwrap_or(1.0);
        let (detector, responses, settings) = (&self.detector, &self.responses, &self.settings);
        let gathering = ContactPreparation::new(detector, responses, settings, flight, scale);
        let around = surroundings(&self.settings, &self.islands, &self.rows, &self.free_acceleration, flight);
        let (pairs, made) = (self.islands.pairs.as_slice(), self.made.as_slice());
        let (threads, before) = (flight.threads, flight.before);
        let scheme = self.settings.scheme;
        self.work.run(
            threads,
            around,
            &mut self.candidates,
            &mut self.report,
            |island, candidates| {
                gathering.fill(threads, &pairs[island.pairs.clone()], made, candidates);
                !island.soft
            },
            |bench| {
                let joined = bench.joined;
                let (bodies, members) = (&mut bench.bodies, &bench.members);
                let candidates = &mut *bench.candidates;
                let (problem, geometry) = (&mut *bench.problem, &mut *bench.geometry);
                let work = if scheme == ContactScheme::Midpoint && (members.joined.is_empty() || joined) {
                    let island =
                        SpanIsland { problem, geometry, candidates, members, bodies, before, changed: false };
                    island_step::resolve_by_midpoint(island, bench.spans, &mut *bench.report)?
                } else {
                    let weights = &mut *bench.weights;
                    island_step::resolve(
                        problem,
                        weights,
                        geometry,
                        candidates,
                        members,
                        bodies,
                        &mut *bench.report,
                    )?
                };
                *bench.overlaps = position_correction::measure(candidates, before, bodies.after);
                Ok(work)
            },
        )
    }

    /// Clears displacements and overlaps of the bodies.
    fn clear_displacements(&mut self, slots: usize) {
        for displaced in [&mut self.explained, &mut self.pushed] {
            displaced.clear();
            displaced.resize(slots, Displacement::default());
        }
        self.overlaps_before.clear();
        self.overlaps_before.resize(slots, 0.0);
    }

    /// Stores the deepest overlap of each body at the start of the step.
    fn store_overlaps(&mut self) {
        for candidate in &self.candidates {
            let overlap = -candidate.start_gap();
            if overlap > 0.0 {
                for slot in [candidate.a, candidate.b] {
                    self.overlaps_before[slot] = scalar::max(self.overlaps_before[slot], overlap);
                }
                if overlap > position_correction::slop(candidate) {
                    self.report.initial_overlap = scalar::max(self.report.initial_overlap, overlap);
                }
            }
        }
    }

    /// In the automatic tier, gives expensive islands to the fast tier.
    fn give_to_fast(&mut self, flight: &FreeFlight<'_>) {
        for island in &self.islands.list {
            if island.soft {
                let range = island.candidates.clone();
                let rows = &self.islands.rows[island.rows.clone()];
                let candidates = &self.candidates[range.clone()];
                let ranks = self.order.ranks();
                self.fast.push_island(candidates, range.start, rows, &self.rows, ranks, flight);
            } else {
                self.report.islands += 1;
            }
        }
    }

    /// True if there is more overlap than the slop, or there are joints that contact may have opened.
    pub(in crate::environment) fn overlaps(&self) -> bool {
        let mut islands = self.islands.list.iter().zip(self.work.overlaps());
        islands
            .any(|(island, overlaps)| overlaps || !(island.soft || island.joined || island.rows.is_empty()))
    }

    /// Removes the overlap that [`Contacts::overlaps`] found, and closes joints that contact has opened.
    pub(in crate::environment) fn correct_positions(
        &mut self,
        flight: &mut FreeFlight<'_>,
    ) -> Result<(), ContactProblemError> {
        self.bound_displacements(flight);
        let before = flight.before;
        let around = surroundings(&self.settings, &self.islands, &self.rows, &self.free_acceleration, flight);
        let bounds = Bounds { most: &self.most, reach: &self.reach };
        // The gaps show the remaining overlap, not the residual of a displacement.
        let mut verdict = ContactReport::default();
        let candidates = &mut self.candidates;
        self.work.run(
            flight.threads,
            around,
            candidates,
            &mut verdict,
            |island, candidates| !island.soft && position_correction::is_wanted(candidates, island),
            |bench| {
                let (candidates, members) = (&mut *bench.candidates, &bench.members);
                let bodies = &mut bench.bodies;
                let (problem, push_out) = (&mut *bench.problem, &mut *bench.push_out);
                position_correction::resolve(
                    problem, push_out, candidates, members, bodies, before, &bounds,
                )?;
                Ok(ContactWork::default())
            },
        )?;
        self.work.write_states(&self.islands, flight.after);
        self.work.add_displacements(&self.islands, &mut self.pushed);
        for &slot in &self.islands.slots {
            let explained = self.bounds[slot].explained(&self.pushed[slot], self.reach[slot]);
            self.explained[slot] += explained;
            self.pushed[slot].linear -= explained.linear;
            self.pushed[slot].angular -= explained.angular;
        }
        Ok(())
    }

    /// Bounds of the displacement of each body in position correction.
    fn bound_displacements(&mut self, flight: &FreeFlight<'_>) {
        self.bounds.clear();
        self.bounds.resize(flight.before.len(), Bound::default());
        for candidate in &self.candidates {
            let made = scalar::min(candidate.start_gap(), 0.0) - candidate.end_gap;
            // At its start an impulse would have displaced twice as far as in the middle of the step.
            // Of a point that replaced another, along its own normal, it may be negative.
            let impulse = 0.5 * flight.dt * scalar::max(candidate.persistent.x + candidate.impact.x, 0.0);
            for slot in [candidate.a, candidate.b] {
                let bound = &mut self.bounds[slot];
                bound.prevented = scalar::max(bound.prevented, made);
                bound.pushed += impulse * flight.inertias[slot].inverse_mass();
            }
        }
        self.most.clear();
        self.reach.clear();
        for (slot, bound) in self.bounds.iter_mut().enumerate() {
            let size = self.detector.thickness(slot);
            bound.prevented = scalar::min(bound.prevented, bound.pushed);
            let at_once = PUSH_OUT_SPEED * size * flight.dt;
            let noise = tolerance::PUSH_ROUND_OFF * size;
            bound.pushed = scalar::min(self.overlaps_before[slot], at_once);
            bound.pushed += if size.is_finite() { noise } else { 0.0 };
            self.most.push(bound.sum());
            self.reach.push(self.detector.reach(slot));
        }
    }

    /// Adds the impulses of contact to the reports of joints, and the joint errors that soft contact leaves at the
    /// end of the step.
    pub(in crate::environment) fn load_joints(
        &self,
        joints: &mut ConstraintSet,
        states: &[InertialState],
        dt: f64,
        end: f64,
    ) {
        if self.fast.has_rows() {
            joints.store_errors_after_contact(states, end);
        }
        if !self.islands.rows.is_empty() || self.fast.has_rows() {
            joints.add_impulses(&self.rows.end, &self.row_impulses, states, dt);
        }
    }

    /// The joints with their rows at the start of the step and at its end; with those of ball joints if wanted.
    fn take_joints(&mut self, flight: &mut FreeFlight<'_>, with_points: bool) {
        let bodies = StepBodies {
            after: flight.after,
            displaced: &mut [],
            free_acceleration: &self.free_acceleration,
            bodies: flight.bodies,
            inertias: flight.inertias,
            joints: flight.joints,
            dt: flight.dt,
            end: flight.end,
        };
        self.rows.take(&bodies, flight.before, with_points);
        self.row_impulses.clear();
        self.row_impulses.resize(self.rows.count(), 0.0);
        let force = |row: &ConstraintRow| self.row_forces.get(row.key as usize).copied().unwrap_or(0.0);
        self.rows.forces.clear();
        self.rows.forces.extend(self.rows.end.iter().map(force));
    }

    /// Restores the state before [`Contacts::detect`] and [`Contacts::resolve`] of a step that has failed.
    pub(in crate::environment) fn rollback(&mut self) {
        self.detector.rollback();
        std::mem::swap(&mut self.candidates, &mut self.before.0);
        self.fast.swap_buffers();
        self.report = self.before.1;
        self.impact_records.clear();
    }

    /// Stores impulses for the next step, and lists touching pairs.
    pub(in crate::environment) fn remember(
        &mut self,
        dt: f64,
        slots: usize,
        sleep: &Sleep,
        threads: &Threads,
    ) {
        let begun = self.last_dt > 0.0;
        self.last_dt = dt;
        self.removed.clear();
        std::mem::swap(&mut self.touching, &mut self.touched);
        self.touching.clear();
        if !self.candidates.is_empty() {
            self.store_contacts(begun, threads);
        }
        self.fast.store_impulses(&mut self.detector, &mut self.touching, &mut self.report);
        if self.fast.has_rows() {
            let substeps = self.settings.fast.count();
            self.fast.store_row_forces(&self.rows, &mut self.row_forces, dt / substeps as f64);
        } else if self.islands.list.iter().any(|island| island.joined) {
            self.store_row_forces();
        } else if !sleep.is_on() {
            self.row_forces.clear();
        }
        if self.settings.tier == ContactTier::Auto {
            self.efforts.remember(&self.islands, slots);
        }
        if sleep.is_on() {
            // Keep touching pairs of sleeping bodies.
            let rest = |slot: u32| sleep.is_asleep(slot as usize);
            self.touching.extend(self.touched.iter().filter(|(a, b)| rest(*a) || rest(*b)));
        }
        self.touching.sort_unstable();
        self.touching.dedup();
    }

    /// Stores the forces that the rows of joints start from in the next step.
    fn store_row_forces(&mut self) {
        let most = self.rows.end.iter().map(|row| row.key as usize + 1).max().unwrap_or(0);
        self.row_forces.resize(self.row_forces.len().max(most), 0.0);
        for row in &self.rows.end {
            self.row_forces[row.key as usize] = row.multiplier;
        }
    }

    /// Stores the impulses of contact constraints in their pairs, and lists touching pairs.
    fn store_contacts(&mut self, begun: bool, threads: &Threads) {
        let (pairs, candidates) = (&self.islands.pairs, &self.candidates);
        impulse_cache::note(&mut self.notes, &mut self.detector, pairs, candidates, begun, threads);
        for pair in self.detector.contacts() {
            let note = &self.notes[pair.index];
            if note.contacts > 0 {
                self.touching.push(pair.slots());
            }
            self.report.contacts += note.contacts;
            self.report.max_penetration = scalar::max(self.report.max_penetration, note.overlap);
        }
    }

    /// A step at rest: touching pairs persist, points and forces are those of the step before.
    pub(in crate::environment) fn rest(&mut self) {
        self.touched.clone_from(&self.touching);
        let (contacts, max_penetration) = (self.report.contacts, self.report.max_penetration);
        self.report = ContactReport { contacts, max_penetration, ..ContactReport::default() };
        self.impact_records.clear();
    }

    /// Contact state that the next step depends on.
    pub(in crate::environment) fn memory(&self) -> ContactMemory {
        ContactMemory {
            pairs: self.detector.cached_pairs(),
            touching: self.touching.clone(),
            last_dt: self.last_dt,
            row_forces: self.row_forces.clone(),
            efforts: self.efforts.by_slot.clone(),
            contacts: self.report.contacts,
            max_penetration: self.report.max_penetration,
        }
    }

    /// Restores the result of [`Contacts::memory`]; false if it does not fit a world of `slots` bodies.
    pub(in crate::environment) fn restore(&mut self, memory: ContactMemory, slots: usize) -> bool {
        let known = |(a, b): (u32, u32)| a < b && (b as usize) < slots;
        let sound = memory.pairs.iter().all(|pair| known(pair.slots()))
            && memory.touching.iter().all(|pair| known(*pair))
            && memory.last_dt.is_finite()
            && memory.row_forces.iter().all(|force| force.is_finite())
            && memory.max_penetration.is_finite();
        self.forget();
        self.restore_report(&memory);
        self.touching = memory.touching;
        self.last_dt = memory.last_dt;
        self.row_forces = memory.row_forces;
        self.efforts.by_slot = memory.efforts;
        sound && self.detector.restore(memory.pairs)
    }

    /// Restores the figures that a step in which nothing moves repeats.
    fn restore_report(&mut self, memory: &ContactMemory) {
        let ContactMemory { contacts, max_penetration, .. } = *memory;
        self.report = ContactReport { contacts, max_penetration, ..ContactReport::default() };
    }

    /// Restores the result of [`Contacts::memory`] of a world with the same bodies.
    pub(in crate::environment) fn set_memory(&mut self, memory: &ContactMemory) {
        self.forget();
        self.restore_report(memory);
        self.touching.clone_from(&memory.touching);
        self.last_dt = memory.last_dt;
        self.row_forces.clone_from(&memory.row_forces);
        self.efforts.by_slot.clone_from(&memory.efforts);
        let sorted = self.detector.restore(memory.pairs.clone());
        debug_assert!(sorted, "a detector gives its pairs sorted");
    }

    /// Registers a body in a slot.
    pub(in crate::environment) fn add_body(&mut self, body: &RigidBody) {
        self.moving_surfaces |= !body.surface_motion.is_none();
        self.order.forget();
    }

    /// The surface of a body may move, or be solid from one side only.
    pub(in crate::environment) fn change_surface(&mut self, body: &RigidBody) {
        self.moving_surfaces |= !body.surface_motion.is_none();
    }

    /// A body has another shape, kind or filter: pairs are detected again, and start without impulses.
    pub(in crate::environment) fn change_body(&mut self, slot: usize) {
        self.order.forget();
        self.detector.remove(slot);
    }

    /// Removes a body before another uses its slot.
    pub(in crate::environment) fn remove_body(&mut self, slot: usize) {
        let id = slot as u32;
        self.detector.remove(slot);
        self.removed.insert(slot);
        if let Some(effort) = self.efforts.by_slot.get_mut(slot) {
            *effort = 0;
        }
        self.ignored.retain(|(a, b)| *a != id && *b != id);
        for pairs in [&mut self.touching, &mut self.touched] {
            pairs.retain(|(a, b)| *a != id && *b != id);
        }
    }

    /// Clears all contacts, as at the start of the world.
    pub(in crate::environment) fn forget(&mut self) {
        let (settings, ignored) = (self.settings.clone(), std::mem::take(&mut self.ignored));
        let filter = std::mem::take(self.detector.filter_mut());
        let moving_surfaces = self.moving_surfaces;
        *self = Self { settings, ignored, moving_surfaces, ..Self::default() };
        *self.detector.filter_mut() = filter;
    }

    /// Acceleration of every body in free flight.
    fn predict_gaps(&mut self, flight: &FreeFlight<'_>) {
        let FreeFlight { before, after, inertias, dt, threads, .. } = flight;
        // Torque-free rotation is no acceleration: it is undone and redone exactly.
        self.turned.resize(before.len(), InertialState::default());
        threads.for_each_chunk(&mut self.turned, BODIES_A_TASK, |first, turned| {
            turned.copy_from_slice(&before[first..][..turned.len()]);
            rotate_all_torque_free(&inertias[first..][..turned.len()], turned, *dt);
        });
        let (per_second, turned) = (1.0 / dt, &self.turned);
        self.free_acceleration.resize(before.len(), Acceleration::ZERO);
        threads.for_each_chunk(&mut self.free_acceleration, BODIES_A_TASK, |first, accelerations| {
            for (slot, free_acceleration) in (first..).zip(accelerations) {
                let turned = if inertias[slot].is_spherical() { &before[slot] } else { &turned[slot] };
                free_acceleration.linear = (after[slot].velocity - before[slot].velocity) * per_second;
                free_acceleration.angular =
                    (after[slot].angular_velocity - turned.angular_velocity) * per_second;
            }
        });
    }
}

/// True for a kinematic body at rest.
fn stands(view: &BodyView<'_>) -> bool {
    let still = view.state.velocity == Vec3::ZERO && view.state.angular_velocity == Vec3::ZERO;
    view.body.kind != BodyKind::Dynamic && still
}

fn surroundings<'a>(
    settings: &ContactSettings,
    islands: &'a Islands,
    rows: &'a JointRows,
    free_acceleration: &'a [Acceleration],
    flight: &'a FreeFlight<'_>,
) -> IslandInputs<'a> {
    IslandInputs {
        settings: settings.solver,
        islands,
        rows,
        after: flight.after,
        free_acceleration,
        bodies: flight.bodies,
        inertias: flight.inertias,
        joints: flight.joints,
        dt: flight.dt,
        end: flight.end,
    }
}
