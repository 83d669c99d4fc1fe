//! Contact over a span of a step: positions first, then velocities, both with the geometry of where the bodies end.
//!
//! **Positions.** Every body moves by the implicit midpoint rule (`midpoint_motion`) under smooth forces and contact impulses λ that are
//! constant over the span h. Of a contact with the true gap g₁ at the end, the mean normal n and the mean lever arms, and the mean relative
//! velocity ū there:
//! ```text
//! 0 ≤ λ_n ⊥ g₁ - g ≥ 0,      ‖λ_t‖ ≤ μ λ_n,   ū_t ≠ 0 ⇒ λ_t = -μ λ_n ū_t/‖ū_t‖
//! ```
//! with g the gap of the start g₀ where the contact was closed (to 1e-9 of its size) or overlapped, and none elsewhere. A body ends where its contacts let it: overlap is prevented, not corrected. The gap is linearised about the present end poses,
//! `g₁ + h n·(ū' - ū)`, which makes one ordinary contact problem with half the inverse masses; contact points are detected again where it
//! leads, and so on until true gaps are those the problem promised. What rests is accepted as it is.
//!
//! **Velocities.** At the end poses, from `v⁻ = 2v̄ - v₀`: contacts that are closed must not approach. A contact that sticks may revise its
//! whole impulse of the span, one that slides adds an impulse that obeys the law alone, so that sliding keeps its second order and what comes
//! to a stop does not reverse.
//!
//! **Energy.** The span changes the kinetic energy by `λ·ū` and the end by `½ Λ·(u⁻ + u⁺)` for each contact: booked as dissipated, and
//! never a gain where both problems are solved (a normal impulse acts only where the gap has closed, friction against its velocity). A span
//! whose positions are not found is halved; the last half takes rows that gain no energy, and reports the overlap they leave.
//! Literature: Brüls, Acary and Cardona 2014 for the two levels; Gonzalez 2000 and Simo and Gonzalez for mean gradients.

use super::contact_constraint::ContactConstraint;
use super::displacement::Displacement;
use super::gap_prediction;
use super::impact_geometry::ImpactGeometry;
use super::impacts::{self, ContactWork};
use super::island_problem::{IslandProblem, Members, StepBodies};
use super::midpoint_geometry::MeanGeometry;
use super::midpoint_joints::{JOINTS_AT_REST, JOINTS_SOLVED, NEARLY_CLOSED, SpanRow};
use super::midpoint_motion::{Impulse, MidpointMotion};
use super::moreau_jean::START_GROWTH;
use super::report::ContactReport;
use crate::math::{Mat3, Vec3, orientation, scalar};
use crate::physics::constraints::contact::{ContactProblemError, ExactSolverSettings};
use crate::physics::integration::rotate_torque_free;
use crate::physics::rigid_body::InertialState;
use crate::tolerance;

/// Overlap that a span may make, relative to the distance of the point from the centre of mass, if its position problems do not settle; a
/// span that makes more is divided.
const OVERLAP: f64 = 1e-6;

/// Energy that a solution may gain, relative to that of the bodies: round-off.
const GAIN: f64 = 1e-12;

/// Residual of the position problem, relative to velocities above 1 m/s, beyond which it counts as one without a solution: a body between
/// others that nothing stops.
const SOLVABLE: f64 = 1e-3;

/// Residual that a problem is solved to, in parts of what the solver aims at.
const SOLVED: f64 = 0.1;

/// The same, relative to the fastest contact: round-off of gaps over a span.
const ROUND_OFF: f64 = 1e-12;

/// Turn of a body in a span with contact, rad, above which the span is divided. The midpoint rule turns bodies by `2 atan(ωh/2)`, which is 7 %
/// less than ωh here.
pub(super) const MOST_TURN: f64 = 1.0;

/// Length of a span, relative to the step, up to which contact acts at its end alone: round-off of gaps over such a span is a velocity.
const SHORT: f64 = 1e-6;

/// How often a span is shortened at whose end bodies meet that met before.
const MOST_SHORTENED: usize = 8;

/// A contact of the position problem.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Solved {
    /// On B over the span, world frame, N·s: that of the points where they are now.
    pub(super) impulse: Vec3,
    /// The same as it moved the bodies: points that were detected again since may be others, with other normals.
    pub(super) acted: Vec3,
    /// Couple on B, world frame, N·m·s.
    pub(super) couple: Vec3,
    /// Normal that the impulse was found with, world frame.
    pub(super) normal: Vec3,
}

/// A contact of the velocity problem.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct End {
    pub(super) takes_part: bool,
    /// It keeps the friction of the span.
    pub(super) slides: bool,
    /// Impulse of the span that it starts without and may revise, in its frame, N·s.
    pub(super) revised: Vec3,
}

/// How the search for the end positions of a span ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Positions {
    /// Contact acts nowhere: bodies fly on as they do.
    Flown,
    /// The points of contact are those that the last problem was posed with.
    Found,
    /// They are not.
    Approximate,
    /// Bodies turn by more than [`MOST_TURN`].
    TooLong,
}

/// Memory of the method; nothing in it lasts longer than a span.
#[derive(Clone, Debug, Default)]
pub(super) struct MidpointSpan {
    /// By slot; only those of the island count.
    pub(super) start: Vec<InertialState>,
    pub(super) smooth: Vec<Impulse>,
    pub(super) impulse: Vec<Impulse>,
    pub(super) motion: Vec<MidpointMotion>,
    /// The candidates as they were, from the first detection on.
    kept: Vec<ContactConstraint>,
    /// By candidate.
    pub(super) solved: Vec<Solved>,
    /// True if its points are those of the end poses.
    pub(super) detected: Vec<bool>,
    /// Mean geometry of those whose points are detected.
    pub(super) mean: Vec<MeanGeometry>,
    /// True if some point of its bodies meets at the end of the span, as an impact.
    pub(super) arrives: Vec<bool>,
    /// True if it is one that meets there.
    pub(super) meets: Vec<bool>,
    /// True if it is of a pair that meets within the span as an impact that gaps had not predicted.
    pub(super) unpredicted: Vec<bool>,
    pub(super) ends: Vec<End>,
    /// True if it was open at the start of the span.
    pub(super) opens: Vec<bool>,
    /// Relative velocity of the fastest contact that is closed at the start, m/s.
    pub(super) fastest: f64,
    /// Largest turn of a body over the span at the spin that it starts with, rad.
    pub(super) turn: f64,
    /// True if contact acts at the end of the span alone.
    pub(super) short: bool,
    /// Kinetic energy of the bodies at the start, and that which smooth forces give them from rest, J.
    pub(super) scale: f64,
    /// True if the impulses of the positions are those of the last span.
    pub(super) stands: bool,
    /// Impacts that the span has taken without the restitution they have.
    pub(super) inelastic: usize,
    /// Time at which the span begins, from the start of the step, s.
    pub(super) begins: f64,
    /// True if more than one body moves.
    pub(super) several: bool,
    /// Position problems of the step so far, times their contacts.
    pub(super) effort: usize,
    /// Rows of joints, and those of them in the present problem.
    pub(super) rows: Vec<SpanRow>,
    pub(super) posed: Vec<usize>,
    /// Rows over several joints with their parts, as indices of `rows`, sorted.
    pub(super) parts: Vec<(usize, usize)>,
    /// Bodies of joints at the end of the present motion, by slot.
    pub(super) end_states: Vec<InertialState>,
}

/// A part of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// From the start of the step, s.
    pub(super) start: f64,
    pub(super) end: f64,
    /// True if bodies meet at its end, as an impact.
    pub(super) meets: bool,
    /// True if it may end earlier, where bodies meet as an impact that was not predicted.
    pub(super) may_end: bool,
}

impl Span {
    /// Seconds.
    pub(super) fn length(&self) -> f64 {
        self.end - self.start
    }

    /// Its two halves.
    pub(super) fn halves(&self) -> [Self; 2] {
        let middle = 0.5 * (self.start + self.end);
        [Self { end: middle, meets: false, ..*self }, Self { start: middle, ..*self }]
    }
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
    /// Takes an island through a span of the step; `None`, and nothing has changed, if its positions are not found to what
    /// is asked of them and the span `may_divide`: it is to be taken in two parts.
    pub(super) fn resolve(
        &mut self,
        island: &mut SpanIsland<'_, '_>,
        span: &mut Span,
        may_divide: bool,
        report: &mut ContactReport,
    ) -> Result<Option<ContactWork>, ContactProblemError> {
        let mut verdict = ContactReport::default();
        let mut settled = false;
        self.unpredicted.clear();
        self.unpredicted.resize(island.candidates.len(), false);
        self.short = span.length() <= SHORT * island.bodies.dt;
        if self.short {
            let mut work = self.fly(island, span, report)?;
            work += self.resolve_velocities(island, span, report)?;
            self.leave(island, span);
            return Ok(Some(work));
        }
        for left in (0..=MOST_SHORTENED).rev() {
            self.begin(island, span);
            match self.find_positions(island, span, may_divide, &mut verdict)? {
                Positions::Flown => return Ok(Some(ContactWork::default())),
                Positions::TooLong => {
                    report.count(&verdict);
                    self.restore(island.candidates);
                    return Ok(None);
                }
                Positions::Found => settled = true,
                Positions::Approximate => settled = false,
            }
            if left > 0 && span.may_end && self.note_unpredicted(island, span) {
                self.restore(island.candidates);
                continue;
            }
            match self.met_early(island, span) {
                Some(time) if left > 0 => {
                    self.restore(island.candidates);
                    span.end = time;
                }
                _ => break,
            }
        }
        let mut work = self.work_of_positions(island);
        let sound = verdict.residual <= SOLVABLE && work.dissipated >= -self.round_off(island, &verdict);
        let nearly = || self.overlap(island) <= OVERLAP && self.joint_error() <= NEARLY_CLOSED;
        if may_divide && !(sound && (settled || nearly())) {
            report.count(&verdict);
            self.restore(island.candidates);
            return Ok(None);
        }
        if !sound {
            work = self.hold(island, span, &mut verdict)?;
            self.stands &= verdict.iterations == 0;
        }
        report.take_in(&verdict);
        work += self.resolve_velocities(island, span, report)?;
        self.store_joint_impulses(island, span);
        self.leave(island, span);
        Ok(Some(work))
    }

    /// True if bodies meet at the end of the last span that were not predicted to.
    pub(super) fn has_met(&self) -> bool {
        self.unpredicted.contains(&true)
    }

    /// Lets the bodies fly over a span too short for gaps to tell a velocity, with springs and motors.
    fn fly(
        &mut self,
        island: &mut SpanIsland<'_, '_>,
        span: &Span,
        report: &mut ContactReport,
    ) -> Result<ContactWork, ContactProblemError> {
        self.begin(island, span);
        island.problem.clear();
        self.pose_joint_positions(island, span)?;
        if !island.problem.is_empty() {
            self.solve(island.problem, 0.5, 0.0, report);
        }
        self.take_impulses(island);
        self.move_bodies(island, span.length());
        self.update_joints(island, span);
        self.detect(island, span);
        self.stands = false;
        Ok(self.work_of_positions(island))
    }

    /// Energy that a solution may gain, J: round-off, and its residual times its impulses.
    pub(super) fn round_off(&self, island: &SpanIsland<'_, '_>, verdict: &ContactReport) -> f64 {
        let pressed: f64 = island.problem.impulses().map(|(_, impulse)| impulse.length()).sum();
        GAIN * self.scale + pressed * scalar::min(verdict.residual, island.problem.settings.accepted)
    }

    /// Start states, smooth impulses and a first motion of every body.
    pub(super) fn begin(&mut self, island: &mut SpanIsland<'_, '_>, span: &Span) {
        let SpanIsland { candidates, members, bodies, before, .. } = &*island;
        let slots = before.len();
        self.start.resize(slots, InertialState::AT_REST);
        self.smooth.resize(slots, Impulse::default());
        self.impulse.resize(slots, Impulse::default());
        self.motion.resize(slots, MidpointMotion::default());
        self.kept.clear();
        self.solved.resize(candidates.len(), Solved::default());
        self.detected.clear();
        self.detected.resize(candidates.len(), false);
        self.mean.resize(candidates.len(), MeanGeometry::default());
        self.arrives.clear();
        self.meets.clear();
        let meeting = candidates.iter().zip(&self.unpredicted);
        self.meets.extend(meeting.map(|(point, unpredicted)| {
            (span.meets && meets_at_the_end(point, span, bodies))
                || (*unpredicted && point.gap_at(span.start) > point.closed())
        }));
        self.opens.clear();
        self.opens.extend(candidates.iter().map(|point| point.gap_at(span.start) > point.closed()));
        let mut first = 0;
        for points in candidates.chunk_by(|p, q| (p.a, p.b) == (q.a, q.b)) {
            let arrives = self.meets[first..][..points.len()].contains(&true);
            self.arrives.extend(points.iter().map(|_| arrives));
            first += points.len();
        }
        self.ends.resize(candidates.len(), End::default());
        self.several = members.slots.len() > 1;
        let closed = candidates.iter().filter(|point| point.gap_at(span.start) <= point.closed());
        let speeds = closed.map(|point| point.velocity_at(span.start).length_squared());
        self.fastest = speeds.fold(0.0, scalar::max).sqrt();
        let h = span.length();
        let at_start =
            |slot: usize| if island.changed { bodies.path(slot).at(span.start) } else { before[slot] };
        (self.turn, self.scale, self.begins) = (0.0, 0.0, span.start);
        for &slot in members.slots {
            let (start, inertia) = (at_start(slot), &bodies.inertias[slot]);
            self.start[slot] = start;
            self.turn = scalar::max(self.turn, start.angular_velocity.length() * h);
            self.scale += start.kinetic_energy(inertia);
            let free_acceleration = bodies.free_acceleration[slot];
            self.smooth[slot] =
                Impulse { linear: free_acceleration.linear * (inertia.mass() * h), angular: Vec3::ZERO };
            if free_acceleration.angular != Vec3::ZERO {
                let middle = orientation::advanced(start.orientation, start.angular_velocity, 0.5 * h);
                self.smooth[slot].angular =
                    inertia.tensor_world(&Mat3::from_quat(middle)) * free_acceleration.angular * h;
            }
            self.motion[slot] = MidpointMotion::new(&start, inertia, &self.smooth[slot], h);
            self.impulse[slot] = Impulse::default();
            self.scale += 0.5 * self.smooth[slot].linear.length_squared() * inertia.inverse_mass();
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
        if !members.joined.is_empty() {
            let speeds = members.slots.iter().map(|slot| self.start[*slot].velocity.length());
            self.fastest = speeds.fold(self.fastest, scalar::max);
        }
        self.begin_joints(island, span);
    }

    /// Keeps the candidates before the first detection replaces them.
    pub(super) fn keep(&mut self, candidates: &[ContactConstraint]) {
        if self.kept.is_empty() {
            self.kept.extend_from_slice(candidates);
        }
    }

    /// Puts back what detections have replaced.
    pub(super) fn restore(&self, candidates: &mut [ContactConstraint]) {
        if !self.kept.is_empty() {
            candidates.copy_from_slice(&self.kept);
        }
    }

    /// The candidates as they were where the span begins.
    pub(super) fn at_start<'c>(&'c self, candidates: &'c [ContactConstraint]) -> &'c [ContactConstraint] {
        if self.kept.is_empty() { candidates } else { &self.kept }
    }

    /// Solves the problem. A start is taken as it is if it lets bodies at rest move a little more, by `share` of what is accepted. Where
    /// bodies move, what it misses would add up from step to step.
    /// Residuals up to `within` m/s are accepted in any case.
    pub(super) fn solve(
        &self,
        problem: &mut IslandProblem,
        share: f64,
        within: f64,
        report: &mut ContactReport,
    ) {
        let settings = problem.settings;
        let joined = !self.rows.is_empty();
        let accepted = if joined { JOINTS_AT_REST } else { settings.accepted };
        let at_rest = scalar::min(share * accepted, START_GROWTH * self.fastest);
        let target = scalar::max(SOLVED * settings.target, ROUND_OFF * self.fastest);
        let accepted = if self.fastest > tolerance::IMPACT_SPEED { target } else { at_rest };
        let target = scalar::max(target, within);
        let enough = if joined { scalar::min(settings.accepted, JOINTS_SOLVED) } else { settings.accepted };
        let settings = ExactSolverSettings { target, accepted: scalar::max(enough, within), ..settings };
        problem.solve_by(settings, scalar::max(accepted, within), report);
    }

    /// Leaves the bodies where the span ends, and lets them fly on from there if that is inside the step.
    pub(super) fn leave(&mut self, island: &mut SpanIsland<'_, '_>, span: &Span) {
        let SpanIsland { candidates, members, bodies, .. } = island;
        let rest = bodies.dt - span.end;
        for &slot in members.slots {
            let flown = bodies.after[slot];
            let mut state = self.motion[slot].end;
            if rest > 0.0 {
                let (free_acceleration, inertia) = (bodies.free_acceleration[slot], bodies.inertias[slot]);
                state.center_of_mass += (state.velocity + free_acceleration.linear * (0.5 * rest)) * rest;
                state.velocity += free_acceleration.linear * rest;
                state.angular_velocity += free_acceleration.angular * (0.5 * rest);
                rotate_torque_free(&inertia, &mut state, rest);
                state.angular_velocity += free_acceleration.angular * (0.5 * rest);
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

/// True for a contact that is open and meets at the end of the span, as an impact.
fn meets_at_the_end(candidate: &ContactConstraint, span: &Span, bodies: &StepBodies<'_>) -> bool {
    candidate.gap_at(span.start) > candidate.closed() && impacts::arrives(candidate, span.start, bodies)
}
