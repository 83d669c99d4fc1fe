//! Impacts: fast contacts are resolved at their own times within the step.
//!
//! At the time τ of an impact positions do not change and velocities jump. Free flight goes on from there: a body is
//! flown back freely from the end of the step to τ, gets its jump, and is flown forward again, so that
//! `x += (dt - τ) Δv`, `v += Δv`, and its rotation is exact wherever nothing but its own inertia turns it.
//!
//! Restitution is Newton's, at every contact point (`island_problem/restitution`): it leaves with `-e u⁻`, with
//! friction and eccentric lever arms too, unless that would gain energy.
//!
//! Several impacts at one instant are resolved in sequence, as in Newton's cradle: an elastic contact becomes active
//! once it is approached. Contacts at rest without restitution are active at once.
//!
//! A contact that only forces would close within the step is no impact ([`arrives`]), and restitution is ignored
//! below the speed that forces produce ([`bounces`]).

use std::ops::Range;

use super::contact_constraint::ContactConstraint;
use super::displacement::Displacement;
use super::gap_prediction;
use super::impact_record::ImpactRecord;
use super::island_problem::{IslandProblem, Members, StepBodies};
use super::joint_row::RowTime;
use super::report::ContactReport;
use crate::math::{Vec3, scalar};
use crate::physics::constraints::contact::{
    BodyVelocity, Contact, ContactBody, ContactProblemError, ExactSolverSettings,
};
use crate::physics::integration::rotate_torque_free;
use crate::physics::rigid_body::InertialState;
use crate::tolerance;

/// Energy transferred by contact, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::environment) struct ContactWork {
    /// Lost in contacts.
    pub(in crate::environment) dissipated: f64,
    /// Work of kinematic bodies.
    pub(in crate::environment) work_in: f64,
    /// Added by pushing overlap apart within the step, as the fast tier does.
    pub(in crate::environment) correction: f64,
}

impl std::ops::Add for ContactWork {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl std::ops::AddAssign for ContactWork {
    fn add_assign(&mut self, other: Self) {
        self.dissipated += other.dissipated;
        self.work_in += other.work_in;
        self.correction += other.correction;
    }
}

/// True if a contact closes by its own velocity and not only by forces: the velocity that it has at `from` would have
/// closed its gap before the end of the step, or closes it together with the forces and exceeds the speed that they
/// produce. A contact that an impact could not stop does not arrive again.
pub(super) fn arrives(candidate: &ContactConstraint, from: f64, bodies: &StepBodies<'_>) -> bool {
    let (velocity, end) = (candidate.velocity_at(from).x, bodies.dt);
    if candidate.infeasible || velocity >= -tolerance::IMPACT_SPEED {
        return false;
    }
    let alone = -velocity * (end - from) > candidate.gap_at(from);
    alone || (is_fast(candidate, velocity, bodies) && candidate.gap_at(end) < 0.0)
}

/// True if `velocity` (negative, m/s) is more than the forces of two steps make a contact approach with. In free space that
/// is always.
fn is_fast(candidate: &ContactConstraint, velocity: f64, bodies: &StepBodies<'_>) -> bool {
    let [arm_a, arm_b] = candidate.arms;
    let turned = precession(bodies, candidate.b, candidate.since).cross(arm_b)
        - precession(bodies, candidate.a, candidate.since).cross(arm_a);
    let free_acceleration = candidate.free_acceleration.x - candidate.frame.x_axis.dot(turned);
    velocity < -(2.0 * free_acceleration.abs() * bodies.dt + tolerance::IMPACT_SPEED)
}

/// Rate of change of the angular velocity of a body from a time of the step on by its gyroscopic term, rad/s²: no
/// force.
fn precession(bodies: &StepBodies<'_>, slot: usize, since: f64) -> Vec3 {
    let (inertia, rest) = (&bodies.inertias[slot], bodies.dt - since);
    if !inertia.is_movable() || inertia.is_spherical() || rest <= 0.0 {
        return Vec3::ZERO;
    }
    let path = bodies.path(slot);
    (path.end.angular_velocity - path.at(since).angular_velocity) / rest - path.free_acceleration.angular
}

/// True if an impact with `velocity` (negative, m/s) bounces.
pub(super) fn bounces(candidate: &ContactConstraint, velocity: f64, bodies: &StepBodies<'_>) -> bool {
    candidate.material.restitution > 0.0 && is_fast(candidate, velocity, bodies)
}

/// The next impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NextImpact {
    /// From the start of the step, s.
    pub(super) time: f64,
    /// Index of the contact constraint.
    pub(super) candidate: usize,
}

/// The earliest impact from `now` to the end of the step among the points of the candidates.
pub(super) fn next_impact(
    candidates: &[ContactConstraint],
    now: f64,
    bodies: &StepBodies<'_>,
) -> Option<NextImpact> {
    let mut first: Option<NextImpact> = None;
    for (candidate, point) in candidates.iter().enumerate().filter(|(_, point)| arrives(point, now, bodies)) {
        let Some(time) = meeting_time(point, now, bodies.dt) else { continue };
        if first.is_none_or(|first| time < first.time) {
            first = Some(NextImpact { time, candidate });
        }
    }
    first
}

/// True if some pair has restitution.
pub(super) fn is_bouncing(candidates: &[ContactConstraint]) -> bool {
    candidates.iter().any(|candidate| candidate.material.restitution > 0.0)
}

/// True if two bodies approach each other at a contact that is closed at `time`.
pub(super) fn is_any_struck(candidates: &[ContactConstraint], time: f64) -> bool {
    candidates.iter().any(|candidate| {
        candidate.gap_at(time) <= candidate.closed()
            && candidate.velocity_at(time).x < -tolerance::IMPACT_SPEED
    })
}

/// Number of pairs of bodies that would collide before the end of the step.
pub(super) fn pairs_arriving(candidates: &[ContactConstraint], now: f64, bodies: &StepBodies<'_>) -> usize {
    let (mut count, mut last) = (0, None);
    for candidate in candidates.iter().filter(|candidate| arrives(candidate, now, bodies)) {
        let pair = Some((candidate.a, candidate.b));
        if pair != last && meeting_time(candidate, now, bodies.dt).is_some() {
            (count, last) = (count + 1, pair);
        }
    }
    count
}

/// Time at which the gap closes, from `now` to `dt`.
fn meeting_time(candidate: &ContactConstraint, now: f64, dt: f64) -> Option<f64> {
    let (gap, rate) = (candidate.gap_at(now), candidate.velocity_at(now).x);
    if gap <= candidate.closed() {
        return (rate < 0.0).then_some(now);
    }
    // gap + rate s + ½ a s² = 0 with gap > 0: the smaller positive root, written without cancellation.
    let a = candidate.closing_acceleration();
    let discriminant = rate * rate - 2.0 * a * gap;
    if discriminant < 0.0 {
        return None;
    }
    let denominator = -rate + discriminant.sqrt();
    let wait = 2.0 * gap / denominator;
    (denominator > 0.0 && now + wait <= dt).then_some(now + wait)
}

/// Resolves one impact at `time`: selects the active contacts, solves, and applies the velocity jump. With `together`
/// every closed contact is active, elastic or not.
pub(super) fn collide(
    problem: &mut IslandProblem,
    candidates: &mut [ContactConstraint],
    members: &Members<'_>,
    bodies: &mut StepBodies<'_>,
    time: f64,
    together: bool,
    report: &mut ContactReport,
) -> Result<ContactWork, ContactProblemError> {
    problem.clear();
    for (index, candidate) in candidates.iter().enumerate() {
        if candidate.gap_at(time) > candidate.closed() {
            continue;
        }
        let approached = candidate.velocity_at(time).x < -tolerance::IMPACT_SPEED;
        if approached || together || candidate.material.restitution == 0.0 {
            let contact = candidate.contact(time);
            problem.choose(index, candidate, contact, Vec3::ZERO, |slot| body_at(bodies, slot, time))?;
        }
    }
    problem.join(members, bodies.joints, RowTime::Instant(time), bodies.dt, |slot| {
        body_at(bodies, slot, time)
    })?;
    let restitution = |index: usize| {
        let candidate = &candidates[index];
        if bounces(candidate, candidate.velocity_at(time).x, bodies) {
            candidate.material.restitution
        } else {
            0.0
        }
    };
    report.inelastic_impacts += problem.solve_impact(restitution, report)?;
    record(problem, bodies, time, |index| {
        let candidate = &candidates[index];
        let struck = is_fast(candidate, candidate.velocity_at(time).x, bodies);
        struck.then_some(candidate.material.restitution)
    });
    let work = problem.instant_work();
    problem.store_rows(true);
    apply_impulses_at(problem, candidates, members, bodies, time..time);
    problem.follow_joints(members, bodies, time);
    for (index, impulse) in problem.impulses() {
        let candidate = &mut candidates[index];
        candidate.impact += impulse;
        // Another attempt at the same instant would not stop it either.
        candidate.infeasible = candidate.velocity_at(time).x < -tolerance::IMPACT_SPEED;
    }
    report.impacts += 1;
    Ok(work)
}

/// Records required restitution and result of every struck contact.
fn record(
    problem: &mut IslandProblem,
    bodies: &StepBodies<'_>,
    time: f64,
    restitution: impl Fn(usize) -> Option<f64>,
) {
    for nth in 0..problem.contacts().len() {
        let (index, impulse) = problem.impulse(nth);
        if let Some(restitution) = restitution(index) {
            let contact = &problem.contacts()[nth];
            let [before, after] = problem.body_velocities(nth);
            let slots = [contact.body_a, contact.body_b].map(|body| problem.slot(body).unwrap_or(usize::MAX));
            let orientation = |slot: usize| bodies.path(slot).at(time).orientation;
            let record = ImpactRecord {
                a: slots[0],
                b: slots[1],
                time,
                orientations: slots.map(orientation),
                normal: contact.frame.x_axis,
                arm_a: contact.arm_a,
                arm_b: contact.arm_b,
                restitution,
                impulse: impulse.x,
                before,
                after,
                bounced: restitution == 0.0 || problem.bounced(nth),
            };
            problem.records.push(record);
        }
    }
}

/// Slows down all bodies that would collide before the end of the step so that they just touch, without waiting for
/// the impacts: the fallback for too many impacts. It dissipates early and adds no energy.
pub(super) fn inelastic_fallback(
    problem: &mut IslandProblem,
    candidates: &mut [ContactConstraint],
    members: &Members<'_>,
    bodies: &mut StepBodies<'_>,
    time: f64,
    report: &mut ContactReport,
) -> Result<ContactWork, ContactProblemError> {
    let rest = bodies.dt - time;
    problem.clear();
    for (index, candidate) in candidates.iter().enumerate().filter(|(_, candidate)| !candidate.is_vacant()) {
        let speculative_bias = scalar::max(candidate.gap_at(time), 0.0) / rest;
        let contact = Contact { speculative_bias, ..candidate.contact(time) };
        problem.choose(index, candidate, contact, Vec3::ZERO, |slot| body_at(bodies, slot, time))?;
    }
    problem.join(members, bodies.joints, RowTime::Instant(time), bodies.dt, |slot| {
        body_at(bodies, slot, time)
    })?;
    // Without a warm start most of these impulses are zero: sweeps find the others.
    let settings = ExactSolverSettings { first_factorisations: 0, ..problem.settings };
    problem.solve_by(settings, settings.accepted, report);
    record_held_back(problem, candidates, time, bodies, report);
    let work = problem.instant_work();
    problem.store_rows(true);
    apply_impulses_at(problem, candidates, members, bodies, time..time);
    problem.follow_joints(members, bodies, time);
    for (index, impulse) in problem.impulses() {
        candidates[index].impact += impulse;
    }
    Ok(work)
}

/// Counts and records the contacts stopped without their restitution.
fn record_held_back(
    problem: &mut IslandProblem,
    candidates: &[ContactConstraint],
    time: f64,
    bodies: &StepBodies<'_>,
    report: &mut ContactReport,
) {
    let asked = |index: usize| {
        let candidate: &ContactConstraint = &candidates[index];
        let bounces = bounces(candidate, candidate.velocity_at(time).x, bodies);
        if bounces { candidate.material.restitution } else { 0.0 }
    };
    let pressed = |(index, impulse): &(usize, Vec3)| impulse.x > 0.0 && asked(*index) > 0.0;
    report.inelastic_impacts += problem.impulses().filter(pressed).count();
    problem.forget_rebounds();
    record(problem, bodies, time, |index| Some(asked(index)).filter(|restitution| *restitution > 0.0));
}

/// Applies the solution as a velocity jump in the middle of `span` and predicts all gaps from its end.
pub(super) fn apply_impulses_at(
    problem: &IslandProblem,
    candidates: &mut [ContactConstraint],
    members: &Members<'_>,
    bodies: &mut StepBodies<'_>,
    span: Range<f64>,
) {
    let (middle, dt) = (0.5 * (span.start + span.end), bodies.dt);
    for slot in members.slots {
        apply_impulse_at(bodies, *slot, dt - middle, problem.change_of(*slot));
    }
    for points in gap_prediction::patches_mut(candidates) {
        let ends = [points[0].a, points[0].b];
        let change = ends.map(|slot| problem.change_of(slot));
        for candidate in points.iter_mut() {
            candidate.jump(middle, candidate.relative_velocity(middle, change));
        }
        if span.end < dt {
            let now = ends.map(|slot| velocity_at(bodies, slot, span.end));
            let then = ends.map(|slot| bodies.after[slot].into());
            gap_prediction::chart(points, (span.end, dt), &now, &then);
        }
    }
}

/// Velocities of a body at `time` within the step.
pub(super) fn velocity_at(bodies: &StepBodies<'_>, slot: usize, time: f64) -> BodyVelocity {
    let rest = bodies.dt - time;
    velocity_of(&flight_reversed(bodies, slot, rest), bodies, slot, rest)
}

/// A body rotated back by `rest` seconds from the end of the step by torque-free rotation.
fn flight_reversed(bodies: &StepBodies<'_>, slot: usize, rest: f64) -> InertialState {
    let mut state = bodies.after[slot];
    if rest > 0.0 {
        rotate_torque_free(&bodies.inertias[slot], &mut state, -rest);
    }
    state
}

/// Velocities of a body that was flown back by `rest` seconds.
fn velocity_of(state: &InertialState, bodies: &StepBodies<'_>, slot: usize, rest: f64) -> BodyVelocity {
    let free_acceleration = bodies.free_acceleration[slot];
    BodyVelocity {
        linear: state.velocity - free_acceleration.linear * rest,
        angular: state.angular_velocity - free_acceleration.angular * rest,
    }
}

/// A body at `time` within the step, as input of the contact problem.
pub(super) fn body_at(bodies: &StepBodies<'_>, slot: usize, time: f64) -> ContactBody {
    let rest = bodies.dt - time;
    let state = flight_reversed(bodies, slot, rest);
    let free = velocity_of(&state, bodies, slot, rest);
    if bodies.inertias[slot].is_movable() {
        bodies.contact_body(slot, state.orientation, free)
    } else {
        ContactBody::immovable(free)
    }
}

/// Flies a body back by `rest` seconds, changes its velocities, and flies it on.
fn apply_impulse_at(bodies: &mut StepBodies<'_>, slot: usize, rest: f64, change: BodyVelocity) {
    let inertia = bodies.inertias[slot];
    let state = &mut bodies.after[slot];
    bodies.displaced[slot] += Displacement { linear: change.linear * rest, angular: change.angular * rest };
    state.center_of_mass += change.linear * rest;
    state.velocity += change.linear;
    if change.angular != Vec3::ZERO {
        rotate_torque_free(&inertia, state, -rest);
        state.angular_velocity += change.angular;
        rotate_torque_free(&inertia, state, rest);
    }
}
