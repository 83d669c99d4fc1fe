//! Contact over a span of a step: positions first, then velocities, both with the geometry of where the bodies end.
//!
//! **Positions.** Every body moves by the implicit midpoint rule (`midpoint_motion`) under smooth forces and contact impulses λ that are
//! constant over the span h. Of a contact with the true gap g₁ at the end, the mean normal n and the mean lever arms, and the mean relative
//! velocity ū there:
//! ```text
//! 0 ≤ λ_n ⊥ g₁ - min(g₀, 0) ≥ 0,      ‖λ_t‖ ≤ μ λ_n,   ū_t ≠ 0 ⇒ λ_t = -μ λ_n ū_t/‖ū_t‖
//! ```
//! A body ends where its contacts let it: overlap is prevented, not corrected. The gap is linearised about the present end poses,
//! `g₁ + h n·(ū' - ū)`, which makes one ordinary contact problem with half the inverse masses; contact points are detected again where it
//! leads, and so on until true gaps are those the problem promised. What rests is accepted as it is.
//!
//! **Velocities.** At the end poses, from `v⁻ = 2v̄ - v₀`: contacts that are closed must not approach. A contact that sticks may revise its
//! whole impulse of the span, one that slides adds an impulse that obeys the law alone, so that sliding keeps its second order and what comes
//! to a stop does not reverse.
//!
//! **Energy.** The span changes the kinetic energy by `λ·ū` and the end by `½ Λ·(u⁻ + u⁺)` for each contact: booked as dissipated, and
//! never a gain where both problems are solved (a normal impulse acts only where the gap has closed, friction against its velocity).
//! Literature: Brüls, Acary and Cardona 2014 for the two levels; Gonzalez 2000 and Simo and Gonzalez for mean gradients.

use std::ops::Range;

use super::contact_constraint::{ContactConstraint, PointMotion};
use super::displacement::Displacement;
use super::gap_prediction;
use super::impact_geometry::ImpactGeometry;
use super::impacts::{self, ContactWork};
use super::island_problem::{IslandProblem, Members, StepBodies};
use super::midpoint_motion::{Impulse, MidpointMotion};
use super::moreau_jean::START_GROWTH;
use super::report::ContactReport;
use crate::math::{Mat3, Quat, Vec3, frame_of_normal, orientation, scalar};
use crate::physics::collision::CONTACT_MARGIN;
use crate::physics::collision::local_bounds;
use crate::physics::constraints::contact::{BodyVelocity, Contact, ContactBody, ContactProblemError};
use crate::physics::integration::rotate_torque_free;
use crate::physics::rigid_body::shape::Shape;
use crate::physics::rigid_body::{InertialState, RigidBody};

/// Limit of position problems of a span. tuned: two or three suffice, fast spins need more.
const MOST_ITERATIONS: usize = 8;

/// How far a gap may be from the one that the position problem promised, relative to the distance of the point from the centre of mass.
const GAP_RESOLVED: f64 = 1e-9;

/// Motion of a pair that leaves its contact points what they are, relative to the distance of a point from the centre of mass.
const UNMOVED: f64 = 1e-11;

/// Normal velocity with which a contact leaves that has arrived within the span, in parts of what its impulse makes of its velocity: one half
/// without others, none if it was closed all the time.
const ARRIVED: f64 = 0.05;

/// Energy that the velocities of the end may gain, relative to that of the bodies: round-off, and the residual of the solution.
const GAIN: f64 = 1e-12;

/// Residual of the position problem, relative to velocities above 1 m/s, beyond which it counts as one without a solution: a body between
/// others that nothing stops.
const SOLVABLE: f64 = 1e-3;

/// Share of the limit of friction up to which a contact sticks.
const STICKS: f64 = 1.0 - 1e-9;

/// A contact of the position problem.
#[derive(Clone, Copy, Debug, Default)]
struct Solved {
    /// On B over the span, world frame, N·s.
    impulse: Vec3,
    /// Couple on B, world frame, N·m·s.
    couple: Vec3,
}

/// A contact of the velocity problem.
#[derive(Clone, Copy, Debug, Default)]
struct End {
    takes_part: bool,
    /// It keeps the friction of the span.
    slides: bool,
    /// Impulse of the span that it starts without and may revise, in its frame, N·s.
    revised: Vec3,
}

/// Memory of the method; nothing in it lasts longer than a span.
#[derive(Clone, Debug, Default)]
pub(super) struct MidpointSpan {
    /// By slot; only those of the island count.
    start: Vec<InertialState>,
    smooth: Vec<Impulse>,
    impulse: Vec<Impulse>,
    motion: Vec<MidpointMotion>,
    /// The candidates as they were.
    kept: Vec<ContactConstraint>,
    /// By candidate.
    solved: Vec<Solved>,
    /// True if its points are those of the end poses.
    detected: Vec<bool>,
    /// True if its bodies meet at the end of the span, as an impact.
    meets: Vec<bool>,
    ends: Vec<End>,
    /// True if its bodies were apart at the start of the span.
    opens: Vec<bool>,
    /// Relative velocity of the fastest contact that is closed at the start, m/s.
    fastest: f64,
    /// Kinetic energy of the bodies at the start, J.
    scale: f64,
}

/// What a span needs to know of its island.
pub(super) struct SpanIsland<'a, 'b> {
    pub(super) problem: &'a mut IslandProblem,
    pub(super) geometry: &'a mut ImpactGeometry,
    pub(super) candidates: &'a mut [ContactConstraint],
    pub(super) members: &'a Members<'a>,
    pub(super) bodies: &'a mut StepBodies<'b>,
    /// All bodies at the start of the step.
    pub(super) before: &'a [InertialState],
    /// True if contact has changed their motion since.
    pub(super) changed: bool,
}

impl MidpointSpan {
    /// Takes an island without joints through a span of the step; `None`, and nothing has changed, if its positions have no solution.
    pub(super) fn resolve(
        &mut self,
        island: &mut SpanIsland<'_, '_>,
        span: Range<f64>,
        report: &mut ContactReport,
    ) -> Result<Option<ContactWork>, ContactProblemError> {
        let h = span.end - span.start;
        self.begin(island, &span);
        let mut verdict = ContactReport::default();
        for iteration in 0..MOST_ITERATIONS {
            verdict = ContactReport::default();
            self.pose_positions(island, &span, iteration == 0)?;
            island.problem.solve_from(self.accepted(island.problem), &mut verdict);
            if iteration == 0 && self.is_free(island, &span) {
                return Ok(Some(ContactWork::default()));
            }
            self.take_impulses(island);
            self.move_bodies(island, h);
            if self.detect(island, &span) {
                break;
            }
        }
        if verdict.rigid_residual > SOLVABLE || verdict.rigid_residual.is_nan() {
            island.candidates.copy_from_slice(&self.kept);
            return Ok(None);
        }
        report.take_in(&verdict);
        let mut work = self.work_of_positions(island);
        work += self.resolve_velocities(island, &span, report)?;
        self.leave(island, &span);
        Ok(Some(work))
    }

    /// Start states, smooth impulses and a first motion of every body.
    fn begin(&mut self, island: &SpanIsland<'_, '_>, span: &Range<f64>) {
        let SpanIsland { candidates, members, bodies, before, .. } = island;
        let slots = before.len();
        self.start.resize(slots, InertialState::AT_REST);
        self.smooth.resize(slots, Impulse::default());
        self.impulse.resize(slots, Impulse::default());
        self.motion.resize(slots, MidpointMotion::default());
        self.kept.clear();
        self.kept.extend_from_slice(candidates);
        self.solved.clear();
        self.solved.resize(candidates.len(), Solved::default());
        self.detected.clear();
        self.detected.resize(candidates.len(), false);
        self.meets.clear();
        self.opens.clear();
        for points in candidates.chunk_by(|p, q| (p.a, p.b) == (q.a, q.b)) {
            let meets = points.iter().any(|point| meets_at_the_end(point, span, bodies));
            self.meets.extend(points.iter().map(|_| meets));
            let opens = points.iter().all(|point| point.gap_at(span.start) > point.closed());
            self.opens.extend(points.iter().map(|_| opens));
        }
        self.ends.clear();
        self.ends.resize(candidates.len(), End::default());
        let closed = candidates.iter().filter(|point| point.gap_at(span.start) <= point.closed());
        let speeds = closed.map(|point| point.velocity_at(span.start).length_squared());
        self.fastest = speeds.fold(0.0, scalar::max).sqrt();
        let h = span.end - span.start;
        let at_start =
            |slot: usize| if island.changed { bodies.path(slot).at(span.start) } else { before[slot] };
        self.scale = 0.0;
        for &slot in members.slots {
            let (start, inertia) = (at_start(slot), &bodies.inertias[slot]);
            self.start[slot] = start;
            self.scale += start.kinetic_energy(inertia);
            let middle = orientation::advanced(start.orientation, start.angular_velocity, 0.5 * h);
            let course = bodies.course[slot];
            self.smooth[slot] = Impulse {
                linear: course.linear * (inertia.mass() * h),
                angular: inertia.tensor_world(&Mat3::from_quat(middle)) * course.angular * h,
            };
            self.motion[slot] = MidpointMotion::new(&start, inertia, &self.smooth[slot], h);
            self.impulse[slot] = Impulse::default();
        }
        for slot in candidates.iter().flat_map(|point| [point.a, point.b]) {
            if !bodies.inertias[slot].is_movable() {
                self.start[slot] = at_start(slot);
                let end =
                    if span.end < bodies.dt { bodies.path(slot).at(span.end) } else { bodies.after[slot] };
                self.motion[slot] = MidpointMotion::given(&self.start[slot], &end, h);
                self.impulse[slot] = Impulse::default();
            }
        }
    }

    /// Poses the contact problem on mean velocities, linearised about the present end poses; the `first` one about the start.
    fn pose_positions(
        &mut self,
        island: &mut SpanIsland<'_, '_>,
        span: &Range<f64>,
        first: bool,
    ) -> Result<(), ContactProblemError> {
        let SpanIsland { problem, candidates, bodies, .. } = island;
        let h = span.end - span.start;
        problem.clear();
        for (index, candidate) in candidates.iter().enumerate() {
            if candidate.is_vacant() || self.meets[index] {
                continue;
            }
            let at_end = self.detected[index];
            let contact = if at_end {
                self.mean_contact(candidate, bodies, h)
            } else {
                let gap = candidate.gap_at(span.start);
                let speculative_bias = (gap - kept_overlap(gap)) / h;
                Contact { speculative_bias, ..candidate.contact(span.start) }
            };
            let warm_start = if first {
                contact.frame.transpose() * (candidate.frame * candidate.warm_start) * (h / bodies.dt)
            } else {
                contact.frame.transpose() * self.solved[index].impulse
            };
            problem.choose(index, candidate, contact, warm_start, |slot| self.mean_body(bodies, slot))?;
        }
        Ok(())
    }

    /// True if contact acts nowhere and nothing is about to overlap: bodies fly on as they do.
    fn is_free(&self, island: &SpanIsland<'_, '_>, span: &Range<f64>) -> bool {
        let unloaded = island.problem.impulses().all(|(_, impulse)| impulse == Vec3::ZERO);
        unloaded
            && island.candidates.iter().zip(&self.meets).all(|(candidate, meets)| {
                *meets
                    || candidate.is_vacant()
                    || candidate.gap_at(span.end) >= scalar::min(candidate.gap_at(span.start), 0.0)
            })
    }

    /// A body as the position problem sees it: what mean velocities are without contact, and what impulses make of them.
    fn mean_body(&self, bodies: &StepBodies<'_>, slot: usize) -> ContactBody {
        let mean = self.motion[slot].mean;
        let inertia = &bodies.inertias[slot];
        if !inertia.is_movable() {
            return ContactBody::immovable(mean);
        }
        let middle = between(self.start[slot].orientation, self.motion[slot].end.orientation);
        let inverse_mass = 0.5 * inertia.inverse_mass();
        let inverse_inertia = inertia.inverse_tensor_world(&Mat3::from_quat(middle)) * 0.5;
        let given = &self.impulse[slot];
        let free = BodyVelocity {
            linear: mean.linear - given.linear * inverse_mass,
            angular: mean.angular - inverse_inertia * given.angular,
        };
        ContactBody { inverse_mass, inverse_inertia, free }
    }

    /// The contact of a point that was detected at the end poses: normal and arms of mid-span, the gap of the end.
    fn mean_contact(&self, candidate: &ContactConstraint, bodies: &StepBodies<'_>, h: f64) -> Contact {
        let (a, b) = (candidate.a, candidate.b);
        let sides = [a, b].map(|slot| Side {
            body: &bodies.bodies[slot],
            start: &self.start[slot],
            end: &self.motion[slot].end,
        });
        let (normal, arms) = mean_geometry(candidate, &sides);
        let [mean_a, mean_b] = [self.motion[a].mean, self.motion[b].mean];
        let rate = normal.dot(relative(mean_a, mean_b, arms));
        let allowed = kept_overlap(candidate.start_gap());
        let contact = candidate.contact_with(arms);
        Contact {
            frame: frame_of_normal(normal),
            speculative_bias: (candidate.gap - allowed) / h - rate,
            ..contact
        }
    }

    /// Impulses of the solution, by candidate and by body.
    fn take_impulses(&mut self, island: &SpanIsland<'_, '_>) {
        for slot in island.members.slots {
            self.impulse[*slot] = Impulse::default();
        }
        self.solved.iter_mut().for_each(|solved| *solved = Solved::default());
        let problem = &island.problem;
        for (nth, (index, impulse)) in problem.impulses().enumerate() {
            let contact = &problem.contacts()[nth];
            let candidate = &island.candidates[index];
            let (impulse, couple) = (contact.frame * impulse, problem.moment(nth));
            self.solved[index] = Solved { impulse, couple };
            self.impulse[candidate.a].add(contact.arm_a, -impulse, -couple);
            self.impulse[candidate.b].add(contact.arm_b, impulse, couple);
        }
    }

    /// Moves the bodies as their impulses say.
    fn move_bodies(&mut self, island: &SpanIsland<'_, '_>, h: f64) {
        for &slot in island.members.slots {
            let (smooth, given) = (&self.smooth[slot], &self.impulse[slot]);
            let sum =
                Impulse { linear: smooth.linear + given.linear, angular: smooth.angular + given.angular };
            let inertia = &island.bodies.inertias[slot];
            self.motion[slot] = MidpointMotion::new(&self.start[slot], inertia, &sum, h);
        }
    }

    /// Detects the contact points of every pair that has moved at its end poses; true if no gap calls for another round.
    fn detect(&mut self, island: &mut SpanIsland<'_, '_>, span: &Range<f64>) -> bool {
        let mut settled = true;
        let mut first = 0;
        while first < island.candidates.len() {
            let pair = (island.candidates[first].a, island.candidates[first].b);
            let count = island.candidates[first..].iter().take_while(|p| (p.a, p.b) == pair).count();
            let range = first..first + count;
            first += count;
            if self.is_to_be_detected(island, &range, span) {
                settled &= self.detect_pair(island, range, span);
            }
        }
        settled
    }

    /// True if the bodies of a pair are elsewhere than where its points were detected.
    fn is_to_be_detected(
        &self,
        island: &SpanIsland<'_, '_>,
        range: &Range<usize>,
        span: &Range<f64>,
    ) -> bool {
        let points = &island.candidates[range.clone()];
        let (a, b) = (points[0].a, points[0].b);
        let loaded = [a, b].into_iter().any(|slot| self.impulse[slot] != Impulse::default());
        if self.meets[range.start] && !loaded {
            // They fly to where they meet; their points are those of that instant.
            return false;
        }
        let at_end = self.detected[range.start];
        if span.end < island.bodies.dt && !at_end {
            return true;
        }
        let (orientations, apart) = if at_end {
            (points[0].detected.orientations, points[0].detected.apart)
        } else {
            let [a, b] = [&self.start[a], &self.start[b]];
            ([a.orientation, b.orientation], b.center_of_mass - a.center_of_mass)
        };
        let [end_a, end_b] = [&self.motion[a].end, &self.motion[b].end];
        let turned = orientation::angle_between(orientations[0], end_a.orientation)
            + orientation::angle_between(orientations[1], end_b.orientation);
        let size = least_size(points);
        let moved = (end_b.center_of_mass - end_a.center_of_mass - apart).length() + turned * size;
        moved > UNMOVED * size
    }

    /// Detects the contact points of one pair at its end poses; true if their gaps call for no other round.
    fn detect_pair(
        &mut self,
        island: &mut SpanIsland<'_, '_>,
        range: Range<usize>,
        span: &Range<f64>,
    ) -> bool {
        let SpanIsland { geometry, candidates, bodies, .. } = island;
        let h = span.end - span.start;
        let points = &mut candidates[range.clone()];
        let (a, b) = (points[0].a, points[0].b);
        let size = least_size(points);
        // Impulses go with the points they act at.
        for (point, solved) in points.iter_mut().zip(&self.solved[range.clone()]) {
            point.warm_start = point.frame.transpose() * solved.impulse;
        }
        let couple = self.solved[range.clone()].iter().map(|solved| solved.couple).sum::<Vec3>();
        let speed = relative_speed(&self.start, &self.motion, (a, b), bodies);
        let margin = if size.is_finite() { CONTACT_MARGIN * size } else { 0.0 } + speed * h;
        geometry.redetect(points, bodies, [&self.motion[a].end, &self.motion[b].end], span.end, margin);
        let meets = self.meets[range.start];
        let mut settled = true;
        for (index, point) in range.clone().zip(points.iter_mut()) {
            self.detected[index] = true;
            let impulse = if point.is_vacant() { Vec3::ZERO } else { point.frame * point.warm_start };
            point.warm_start *= bodies.dt / h;
            self.solved[index] = Solved { impulse, couple: Vec3::ZERO };
            if !point.is_vacant() {
                let beyond = kept_overlap(point.start_gap()) - point.gap;
                let off = if impulse == Vec3::ZERO { beyond } else { beyond.abs() };
                settled &= meets || off <= GAP_RESOLVED * point.size;
            }
        }
        self.solved[range.start].couple = couple;
        settled
    }

    /// What contacts have done to the energy over the span.
    fn work_of_positions(&self, island: &SpanIsland<'_, '_>) -> ContactWork {
        let mut work = ContactWork::default();
        let problem = &island.problem;
        for (nth, (index, impulse)) in problem.impulses().enumerate() {
            if impulse == Vec3::ZERO {
                continue;
            }
            let contact = &problem.contacts()[nth];
            let candidate = &island.candidates[index];
            let [mean_a, mean_b] = [self.motion[candidate.a].mean, self.motion[candidate.b].mean];
            let velocity = relative(mean_a, mean_b, [contact.arm_a, contact.arm_b]);
            let couple = problem.moment(nth);
            work.dissipated -=
                (contact.frame * impulse).dot(velocity) + couple.dot(mean_b.angular - mean_a.angular);
            work.work_in += problem.driven_work(contact, impulse);
        }
        work
    }

    /// Velocities at the end poses.
    fn resolve_velocities(
        &mut self,
        island: &mut SpanIsland<'_, '_>,
        span: &Range<f64>,
        report: &mut ContactReport,
    ) -> Result<ContactWork, ContactProblemError> {
        self.choose_ends(island, span);
        let mut verdict = ContactReport::default();
        let mut work = self.solve_velocities(island, &mut verdict)?;
        if work.dissipated < -GAIN * self.scale {
            // Impulses that are only added never gain energy.
            self.ends.iter_mut().for_each(|end| (end.slides, end.revised) = (false, Vec3::ZERO));
            verdict = ContactReport::default();
            work = self.solve_velocities(island, &mut verdict)?;
        }
        report.take_in(&verdict);
        let SpanIsland { problem, candidates, .. } = island;
        for (index, impulse) in problem.impulses() {
            // It acts at the end of the span, as an impact does.
            candidates[index].impact += impulse - self.ends[index].revised;
        }
        for (slot, _, velocity) in problem.bodies().filter(|(_, body, _)| body.is_movable()) {
            let end = &mut self.motion[slot].end;
            (end.velocity, end.angular_velocity) = (velocity.linear, velocity.angular);
        }
        Ok(work)
    }

    /// Which contacts take part at the end, and what each may revise. Their impulses over the span are left with them.
    fn choose_ends(&mut self, island: &mut SpanIsland<'_, '_>, span: &Range<f64>) {
        let SpanIsland { candidates, bodies, .. } = island;
        let mut first = 0;
        while first < candidates.len() {
            let pair = (candidates[first].a, candidates[first].b);
            let count = candidates[first..].iter().take_while(|p| (p.a, p.b) == pair).count();
            let range = first..first + count;
            first += count;
            // A pair that touches and is not loaded has just arrived, or leaves.
            let loaded = self.solved[range.clone()].iter().any(|solved| solved.impulse != Vec3::ZERO);
            for index in range {
                self.ends[index] = End::default();
                let candidate = &mut candidates[index];
                if !loaded || candidate.is_vacant() || self.meets[index] {
                    continue;
                }
                let own = candidate.frame.transpose() * self.solved[index].impulse;
                candidate.persistent += own;
                if span.start > 0.0 || span.end < bodies.dt {
                    candidate.timed += own.length();
                }
                let candidate = &candidates[index];
                let closed = self.end_gap(candidate, index, span) <= candidate.closed();
                if self.opens[index]
                    && candidate.material.restitution > 0.0
                    && self.end_velocity(candidate).x < 0.0
                {
                    // It meets at the very end, as an impact of the next step.
                    continue;
                }
                let slides = self.slides_on(candidate, own, bodies);
                let revised = if slides { Vec3::new(own.x, 0.0, 0.0) } else { own };
                self.ends[index] = End { takes_part: closed || own != Vec3::ZERO, slides, revised };
            }
        }
    }

    /// Solves for the velocities at the end poses; returns what that does to the energy.
    fn solve_velocities(
        &mut self,
        island: &mut SpanIsland<'_, '_>,
        report: &mut ContactReport,
    ) -> Result<ContactWork, ContactProblemError> {
        let SpanIsland { problem, candidates, members, bodies, .. } = island;
        for slot in members.slots {
            self.impulse[*slot] = Impulse::default();
        }
        // Contacts start without the impulses that they may revise.
        for ((candidate, end), solved) in candidates.iter().zip(&self.ends).zip(&self.solved) {
            if end.revised != Vec3::ZERO {
                let [arm_a, arm_b] = end_arms(candidate);
                let (impulse, couple) =
                    (candidate.frame * end.revised, if end.slides { Vec3::ZERO } else { solved.couple });
                self.impulse[candidate.a].add(arm_a, -impulse, -couple);
                self.impulse[candidate.b].add(arm_b, impulse, couple);
            }
        }
        problem.clear();
        for (index, candidate) in
            candidates.iter().enumerate().filter(|(index, _)| self.ends[*index].takes_part)
        {
            let End { slides, revised, .. } = self.ends[index];
            let mut contact = candidate.contact_with(end_arms(candidate));
            if slides {
                (contact.friction, contact.rolling_friction, contact.torsional_friction) = (0.0, 0.0, 0.0);
            }
            problem.choose(index, candidate, contact, revised, |slot| {
                let (end, inertia) = (&self.motion[slot].end, &bodies.inertias[slot]);
                if !inertia.is_movable() {
                    return ContactBody::immovable((*end).into());
                }
                let mut body = bodies.contact_body(slot, end.orientation, (*end).into());
                let given = &self.impulse[slot];
                body.free.linear -= given.linear * body.inverse_mass;
                body.free.angular -= body.inverse_inertia * given.angular;
                body
            })?;
        }
        if problem.contacts().is_empty() {
            return Ok(ContactWork::default());
        }
        problem.solve_from(self.accepted(problem), report);
        let mut work = ContactWork::default();
        for (nth, (index, impulse)) in problem.impulses().enumerate() {
            let contact = &problem.contacts()[nth];
            let candidate = &candidates[index];
            let added = impulse - self.ends[index].revised;
            let ends = [candidate.a, candidate.b].map(|slot| self.motion[slot].end.into());
            let before = relative(ends[0], ends[1], [contact.arm_a, contact.arm_b]);
            let (_, after) = problem.velocities(nth);
            let mean = 0.5 * (contact.frame.transpose() * before + after);
            work.dissipated -= added.dot(mean);
            work.work_in += problem.driven_work(contact, added);
        }
        Ok(work)
    }

    /// True if a contact was closed all the time, slid, and slides on: friction has done its part over the span. `own` is its impulse over
    /// the span in its frame, N·s.
    fn slides_on(&self, candidate: &ContactConstraint, own: Vec3, bodies: &StepBodies<'_>) -> bool {
        let most = candidate.material.friction * own.x;
        let across = own.y * own.y + own.z * own.z;
        if own.x <= 0.0 || across <= STICKS * most * most {
            return false;
        }
        let [arm_a, arm_b] = end_arms(candidate);
        let velocity = self.end_velocity(candidate);
        let normal = candidate.frame.x_axis;
        let response = |slot: usize, arm: Vec3| {
            let inertia = &bodies.inertias[slot];
            if !inertia.is_movable() {
                return 0.0;
            }
            let turned = arm.cross(normal);
            let tensor = inertia.inverse_tensor_world(&Mat3::from_quat(self.motion[slot].end.orientation));
            inertia.inverse_mass() + turned.dot(tensor * turned)
        };
        let weight = response(candidate.a, arm_a) + response(candidate.b, arm_b);
        // One that has arrived in the span leaves by about half of what its impulse makes of its velocity.
        let lasted = velocity.x.abs() <= ARRIVED * weight * own.x;
        lasted && own.y * velocity.y + own.z * velocity.z < 0.0
    }

    /// Relative velocity of a contact at the end, before impulses that act there; in its frame, m/s.
    fn end_velocity(&self, candidate: &ContactConstraint) -> Vec3 {
        let ends = [candidate.a, candidate.b].map(|slot| self.motion[slot].end.into());
        candidate.frame.transpose() * relative(ends[0], ends[1], end_arms(candidate))
    }

    /// Residual at which impulses are taken as they are, m/s: what rests is not to be set in motion by what they miss.
    fn accepted(&self, problem: &IslandProblem) -> f64 {
        0.2 * scalar::min(problem.settings.accepted, START_GROWTH * self.fastest)
    }

    /// Gap of a point at the end of the span, m.
    fn end_gap(&self, candidate: &ContactConstraint, index: usize, span: &Range<f64>) -> f64 {
        if self.detected[index] { candidate.gap } else { candidate.gap_at(span.start) }
    }

    /// Leaves the bodies where the span ends, and lets them fly on from there if that is inside the step.
    fn leave(&mut self, island: &mut SpanIsland<'_, '_>, span: &Range<f64>) {
        let SpanIsland { candidates, members, bodies, .. } = island;
        let rest = bodies.dt - span.end;
        for &slot in members.slots {
            let flown = bodies.after[slot];
            let mut state = self.motion[slot].end;
            if rest > 0.0 {
                let (course, inertia) = (bodies.course[slot], bodies.inertias[slot]);
                state.center_of_mass += (state.velocity + course.linear * (0.5 * rest)) * rest;
                state.velocity += course.linear * rest;
                state.angular_velocity += course.angular * (0.5 * rest);
                rotate_torque_free(&inertia, &mut state, rest);
                state.angular_velocity += course.angular * (0.5 * rest);
            }
            bodies.after[slot] = state;
            bodies.displaced[slot] += Displacement {
                linear: state.center_of_mass - flown.center_of_mass,
                angular: orientation::rotation_vector(state.orientation * flown.orientation.conjugate()),
            };
        }
        if rest > 0.0 {
            for points in gap_prediction::patches_mut(candidates) {
                if points[0].is_vacant() {
                    continue;
                }
                let ends = [points[0].a, points[0].b];
                let now = ends.map(|slot| self.motion[slot].end.into());
                let then = ends.map(|slot| bodies.after[slot].into());
                gap_prediction::chart(points, (span.end, bodies.dt), &now, &then);
            }
        }
    }
}

/// Overlap that a contact may keep, as a gap: what was there before. Zero or negative, m.
fn kept_overlap(gap: f64) -> f64 {
    scalar::min(gap, 0.0)
}

/// True for a contact that is open and meets at the end of the span, as an impact.
fn meets_at_the_end(candidate: &ContactConstraint, span: &Range<f64>, bodies: &StepBodies<'_>) -> bool {
    span.end < bodies.dt
        && candidate.gap_at(span.start) > candidate.closed()
        && impacts::arrives(candidate, span.start, bodies)
}

/// Distance of the nearest point of a pair from a centre of mass, m.
fn least_size(points: &[ContactConstraint]) -> f64 {
    let there = points.iter().filter(|point| !point.is_vacant());
    there.fold(f64::INFINITY, |least, point| scalar::min(least, point.size))
}

/// Velocity of B's point seen from A's, world frame, m/s.
fn relative(a: BodyVelocity, b: BodyVelocity, [arm_a, arm_b]: [Vec3; 2]) -> Vec3 {
    (b.linear - a.linear) + b.angular.cross(arm_b) - a.angular.cross(arm_a)
}

/// Lever arms of a point where it was detected, m.
fn end_arms(candidate: &ContactConstraint) -> [Vec3; 2] {
    candidate.arms
}

/// How fast points of two bodies may approach each other, m/s.
fn relative_speed(
    start: &[InertialState],
    motion: &[MidpointMotion],
    (a, b): (usize, usize),
    bodies: &StepBodies<'_>,
) -> f64 {
    let turning = |slot: usize| {
        let reach = bodies.bodies[slot]
            .shape
            .as_ref()
            .filter(|shape| shape.is_bounded())
            .map_or(0.0, |shape| local_bounds(shape).size().length());
        reach * scalar::max(start[slot].angular_velocity.length(), motion[slot].mean.angular.length())
    };
    let (was, is) = (start[b].velocity - start[a].velocity, motion[b].mean.linear - motion[a].mean.linear);
    scalar::max(was.length(), is.length()) + turning(a) + turning(b)
}

/// The orientation halfway between two.
fn between(from: Quat, to: Quat) -> Quat {
    let to = if from.dot(to) < 0.0 { -to } else { to };
    orientation::normalized(from + to)
}

/// A body from one end of the span to the other.
struct Side<'a> {
    body: &'a RigidBody,
    start: &'a InertialState,
    end: &'a InertialState,
}

impl Side<'_> {
    /// What turns directions of the end to where they were at the start.
    fn back(&self) -> Quat {
        self.start.orientation * self.end.orientation.conjugate()
    }

    /// Where a witness point with the lever arm `arm` at the end was at the start: the outward normal is `then` there and `now` at the end.
    fn carried(&self, arm: Vec3, now: Vec3, then: Vec3) -> Vec3 {
        let back = self.back();
        match &self.body.shape {
            Some(Shape::Sphere(ball)) => back * (arm - now * ball.radius()) + then * ball.radius(),
            Some(Shape::Capsule(capsule)) => back * (arm - now * capsule.radius()) + then * capsule.radius(),
            Some(Shape::Cylinder(_) | Shape::Cone(_)) => {
                let origin = self.end.orientation * -self.body.center_of_mass_local;
                let axis = self.end.orientation * Vec3::Z;
                back * origin + orientation::between_directions(axis, back * axis) * (arm - origin)
            }
            _ => back * arm,
        }
    }
}

/// Normal and lever arms of mid-span, of a point that was detected at the end.
fn mean_geometry(candidate: &ContactConstraint, [a, b]: &[Side<'_>; 2]) -> (Vec3, [Vec3; 2]) {
    let now = candidate.frame.x_axis;
    let [with_a, with_b] = [a.back() * now, b.back() * now];
    let then = match candidate.grip {
        // The normal goes with the face.
        PointMotion::A | PointMotion::RollingA => with_b,
        PointMotion::B | PointMotion::RollingB => with_a,
        PointMotion::Both | PointMotion::RollingBoth => (with_a + with_b).normalize(),
    };
    let on_a = a.carried(candidate.surface_a, now, then);
    let on_b = b.carried(candidate.surface_b, -now, -then);
    let between = b.start.center_of_mass - a.start.center_of_mass;
    let arm_a = match candidate.grip {
        PointMotion::A | PointMotion::RollingA => on_a,
        PointMotion::B | PointMotion::RollingB => on_b + between,
        PointMotion::Both | PointMotion::RollingBoth => 0.5 * (on_a + between + on_b),
    };
    let arm_b = arm_a - between;
    let mean = now + then;
    let normal = if mean.length_squared() > 0.25 { mean.normalize() } else { now };
    (normal, [0.5 * (arm_a + candidate.arms[0]), 0.5 * (arm_b + candidate.arms[1])])
}
