//! Lasting contact by Moreau-Jean time stepping: resting, sliding and rolling, over a step or the part of it between
//! two impacts.
//!
//! One problem an island, on velocities at the end of the span h (Moreau's time stepping with Jean's θ = ½): from v*
//! of free flight, `v⁺ = v* + M⁻¹ Jᵀ λ` with Signorini's and Coulomb's laws on `u⁺ = J v⁺`. A contact whose gap the
//! forces could close in the span must not approach, except that its gap may shrink by a third, `u⁺ ≥ -gap/(3h)` (the
//! fastest rate without overshoot), with the gap of a closed contact set to zero; any other may approach as far as
//! its gap allows, `gap* + ½ h (u⁺ - u*) ≥ 0`.
//!
//! Positions: a force that is constant over the span moves a body by `½ h Δv`, so positions follow the mean of old
//! and new velocity: an impulse at mid-span. Contact that would gain energy this way (friction that ends a motion
//! within the span, a separating point) acted for a part of the span only, and its share of ½ is reduced until it
//! gains none.
//!
//! Energy: with the forces of free flight constant over the span, contact changes the energy by `Σ λ·[½ (u* + u⁺) - κ
//! (u* - u⁻)]`, which is `½ λ·(u⁻ + u⁺)` where κ = ½: zero at rest, `-μ λₙ |u|` in sliding. This is entered in the
//! ledger; the difference from the state is an error of the step.

use std::ops::Range;

use super::contact_constraint::{ContactConstraint, PairVelocities};
use super::displacement::Displacement;
use super::gap_prediction;
use super::impacts::{self, ContactWork};
use super::island_problem::{IslandProblem, Members, StepBodies};
use super::joint_row::RowTime;
use super::report::ContactReport;
use crate::math::{Mat3, Vec3, orientation, scalar};
use crate::physics::collision::MAX_POINTS;
use crate::physics::constraints::RowLaw;
use crate::physics::constraints::contact::{BodyVelocity, Contact, ContactBody, ContactProblemError};
use crate::physics::integration::rotate_torque_free;
use crate::physics::rigid_body::{Acceleration, Inertia, InertialState};
use crate::tolerance;

/// Growth of the contact speed over a step up to which the cached impulses are accepted unchanged. tuned: in
/// a standing pile the missing part grows by less than a factor of two from step to step; without this limit
/// one test of the cost of rest fails.
pub(super) const START_GROWTH: f64 = 4.0;

/// Velocity that forces give a contact, relative to the largest in its island, below which they do not load
/// it. tuned: without the shares one pile test fails.
const SHARE_PRESSED: f64 = 1e-3;

/// Part of their share of the step that supporting contacts may give up so that contact gains no energy.
/// tuned: tumbling cubes; three energy tests fail without it. A larger gain is reported, not hidden.
const SHARE_GIVEN_UP: f64 = 0.25;

/// Solves the contacts of an island over a span of the step and moves its bodies accordingly.
pub(super) fn resolve(
    problem: &mut IslandProblem,
    weights: &mut Weights,
    candidates: &mut [ContactConstraint],
    members: &Members<'_>,
    bodies: &mut StepBodies<'_>,
    span: Range<f64>,
    report: &mut ContactReport,
) -> Result<ContactWork, ContactProblemError> {
    let free_acceleration = largest_pressing(candidates);
    let chosen = choose(problem, candidates, bodies, &span, free_acceleration)?;
    if !chosen.pressed {
        return Ok(ContactWork::default());
    }
    let h = span.end - span.start;
    problem.join(members, bodies.joints, RowTime::Lasting(span.start, span.end), bodies.dt, |slot| {
        impacts::body_at(bodies, slot, span.end)
    })?;
    problem.solve_from(accepted_start(problem, chosen.fastest), report);
    problem.store_rows(false);
    let inside = span.end < bodies.dt;
    // An impulse that acts in the middle of a span inside the step displaces by half of it.
    let given = if inside { 0.5 } else { 0.0 };
    let mut work = position_weights(problem, weights, candidates, (h, free_acceleration), given)
        + row_position_weights(problem, &mut weights.shifts, bodies, h, given);
    work.dissipated += balance(problem, &mut weights.shifts, bodies, h, given);
    let shifts = &weights.shifts;
    if inside {
        let end = span.end;
        impacts::apply_impulses_at(problem, candidates, members, bodies, span);
        displace_inside(problem, shifts, candidates, bodies, end, h);
        problem.follow_joints(members, bodies, end);
        return Ok(work);
    }
    for ((slot, body, velocity), shift) in problem.bodies().zip(shifts.iter()) {
        if body.is_movable() {
            displace(&mut bodies.after[slot], &bodies.inertias[slot], body, velocity, shift, h);
            bodies.displaced[slot] += shift.displacement(body, h);
        }
    }
    Ok(work)
}

/// Properties of all active contacts of an island.
#[derive(Clone, Copy, Debug, Default)]
struct ContactSpeeds {
    /// Some contact is loaded in the span.
    pressed: bool,
    /// Relative velocity of the fastest contact closed at its start, m/s.
    fastest: f64,
}

/// Builds the problem.
fn choose(
    problem: &mut IslandProblem,
    candidates: &[ContactConstraint],
    bodies: &StepBodies<'_>,
    span: &Range<f64>,
    free_acceleration: f64,
) -> Result<ContactSpeeds, ContactProblemError> {
    let (h, middle) = (span.end - span.start, 0.5 * (span.start + span.end));
    let mut pressed = false;
    let mut fastest_squared = 0.0;
    let near = free_acceleration * h * h;
    let mut ends = PairVelocities::default();
    let mut first = 0;
    problem.clear();
    for points in gap_prediction::patches(candidates) {
        // Impulses act where the point is in the middle of the span, the law is that of its end.
        let velocities = ends.of(&points[0], |slot| impacts::velocity_at(bodies, slot, span.end));
        let drifts = gap_prediction::drifts(points, (middle, span.end), velocities);
        for (index, (candidate, (arms, mut drift))) in (first..).zip(points.iter().zip(drifts)) {
            let (start, end) = (candidate.gap_at(span.start), candidate.gap_at(span.end));
            if start <= candidate.closed() {
                let speed_squared = candidate.velocity_at(span.start).length_squared();
                fastest_squared = scalar::max(fastest_squared, speed_squared);
            }
            if candidate.is_vacant() || meets_at_the_end(candidate, start, span, bodies) {
                continue;
            }
            let velocity = candidate.velocity_at(span.end).x;
            let speculative_bias = if start <= scalar::max(near, candidate.closed()) {
                tolerance::GAP_SHRINKS * scalar::max(start - candidate.closed(), 0.0) / h
            } else {
                2.0 * end / h - velocity
            };
            pressed |= speculative_bias + velocity < 0.0;
            let moves = scalar::max(drift.y.abs(), drift.z.abs()) > tolerance::DRIFT_NOTICED;
            if moves && lies_flat(candidates, index, span.start, near) {
                (drift.y, drift.z) = (0.0, 0.0);
            }
            drift += candidate.surface_drift(&candidate.frame);
            let contact = Contact { speculative_bias, drift, ..candidate.contact_with(arms) };
            let start = candidate.warm_start * (h / bodies.dt);
            problem
                .stage(index, candidate, contact, start, |slot| impacts::body_at(bodies, slot, span.end))?;
        }
        problem.take_in_staged()?;
        first += points.len();
    }
    Ok(ContactSpeeds { pressed, fastest: fastest_squared.sqrt() })
}

/// True for a contact that is open and closes at the end of the span, as an impact.
fn meets_at_the_end(
    candidate: &ContactConstraint,
    gap: f64,
    span: &Range<f64>,
    bodies: &StepBodies<'_>,
) -> bool {
    span.end < bodies.dt && gap > candidate.closed() && impacts::arrives(candidate, span.start, bodies)
}

/// True for one of three closed points of a face or more: the bodies cannot rotate about one of them, since points
/// that all stick would not stick in the rotated positions.
fn lies_flat(candidates: &[ContactConstraint], index: usize, start: f64, near: f64) -> bool {
    let own = &candidates[index];
    let closed = |other: &&ContactConstraint| {
        (other.a, other.b) == (own.a, own.b)
            && (other.origin.pair, other.origin.manifold) == (own.origin.pair, own.origin.manifold)
            && other.gap_at(start) <= scalar::max(near, other.closed())
    };
    let beside = MAX_POINTS - 1;
    let (first, last) = (index.saturating_sub(beside), (index + beside).min(candidates.len() - 1));
    candidates[first..=last].iter().filter(closed).count() > 2
}

/// Residual at which the warm start is accepted, m/s. It may let slow motion grow a little, but must not start motion
/// from rest: impulses that stopped a motion in the last step would start it again in this one.
fn accepted_start(problem: &IslandProblem, fastest: f64) -> f64 {
    scalar::min(problem.settings.accepted, START_GROWTH * fastest)
}

/// The largest acceleration that forces give a contact of the island, m/s².
fn largest_pressing(candidates: &[ContactConstraint]) -> f64 {
    let squares = candidates.iter().map(|candidate| candidate.free_acceleration.length_squared());
    squares.fold(0.0, scalar::max).sqrt()
}

/// Displacement of the bodies of a problem by impulses.
#[derive(Clone, Debug, Default)]
pub(super) struct Weights {
    /// Of every body.
    shifts: Vec<ImpulseDisplacement>,
    /// Shares of the span for which the impulse of every contact acts ([`shares`]).
    shares: Vec<Vec3>,
}

impl Weights {
    /// Reserves memory for bodies and contacts.
    pub(super) fn reserve(&mut self, bodies: usize, contacts: usize) {
        self.shifts.reserve(bodies.saturating_sub(self.shifts.len()));
        self.shares.reserve(contacts.saturating_sub(self.shares.len()));
    }
}

/// Work of the impulses in a span of h seconds, where forces press by at most `free_acceleration`, and the excess of
/// the displacement of each body over the share `given` of the span.
fn position_weights(
    problem: &IslandProblem,
    Weights { shifts, shares: all }: &mut Weights,
    candidates: &mut [ContactConstraint],
    (h, free_acceleration): (f64, f64),
    given: f64,
) -> ContactWork {
    let weight = free_acceleration * h;
    let mut work = ContactWork::default();
    let mut support = 0.0;
    all.clear();
    for (patch, speeds) in problem.patches() {
        for (nth, sum) in patch.zip(speeds) {
            let (index, impulse) = problem.impulse(nth);
            if impulse == Vec3::ZERO {
                all.push(Vec3::ZERO);
                continue;
            }
            let candidate = &mut candidates[index];
            candidate.persistent += impulse;
            let gained = candidate.free_acceleration * h;
            let share = shares(impulse, gained, sum, weight);
            let belt = -impulse.dot(candidate.surface_drift(&candidate.frame));
            work.dissipated += belt - (impulse.dot(0.5 * sum - share * gained) + problem.moment_work(nth));
            work.work_in += belt + problem.driven_work(&problem.contacts()[nth], impulse);
            support -= impulse.x * gained.x;
            all.push(share);
        }
    }
    // Where the sum still gains energy (third order in the step), the share of support is reduced for all contacts
    // alike, so that a light body between heavy ones is pushed from both sides for the same time.
    let less = if work.dissipated < 0.0 && support > 0.0 { -work.dissipated / support } else { 0.0 };
    let given_up = tolerance::GAIN_ROUND_OFF..SHARE_GIVEN_UP;
    let less = if given_up.contains(&less) { less } else { 0.0 };
    work.dissipated += less * support;

    shifts.clear();
    shifts.resize(problem.bodies().count(), ImpulseDisplacement::default());
    for (nth, ((_, impulse), share)) in problem.impulses().zip(all).enumerate() {
        if impulse == Vec3::ZERO {
            continue;
        }
        let contact = &problem.contacts()[nth];
        share.x -= less;
        let moved = contact.frame * ((*share - given) * impulse);
        let moment = (0.5 - given) * problem.moment(nth);
        shifts[contact.body_a].add(contact.arm_a, -moved, -moment);
        shifts[contact.body_b].add(contact.arm_b, moved, moment);
    }
    work
}

/// The same for joint rows. Rigid rows do no work, limits and brakes only remove energy, motors work from outside.
/// These are the impulses of contact alone: the work of those of free flight is known once all bodies are at their
/// final positions.
fn row_position_weights(
    problem: &IslandProblem,
    shifts: &mut [ImpulseDisplacement],
    bodies: &StepBodies<'_>,
    h: f64,
    given: f64,
) -> ContactWork {
    let mut work = ContactWork::default();
    for (number, row, impulse) in problem.row_impulses() {
        let (free, end) = problem.row_rates(&row);
        let free_acceleration = |index: usize| {
            problem.slot(index).map_or(Acceleration::ZERO, |slot| bodies.free_acceleration[slot])
        };
        let gained = h * row.ends().fold(0.0, |sum, (index, wrench)| {
            let a = free_acceleration(index);
            sum + wrench.power(a.linear, a.angular)
        });
        let done = 0.5 * impulse * (free + end - gained);
        match problem.joints.end[number].law {
            RowLaw::Motor { velocity, .. } if velocity != 0.0 => work.work_in += done,
            RowLaw::Drive { .. } => work.work_in += done,
            RowLaw::Motor { .. } | RowLaw::Unilateral | RowLaw::Soft { .. } => work.dissipated -= done,
            RowLaw::Rigid | RowLaw::Rotor { .. } | RowLaw::Part => {}
        }
        for (index, wrench) in row.ends() {
            shifts[index].linear += wrench.force * ((0.5 - given) * impulse);
            shifts[index].angular += wrench.torque * ((0.5 - given) * impulse);
        }
    }
    work
}

/// Limits the displacements of bodies to those that their velocities explain. A body that gets Δv from all contacts
/// and joints together, each for a share of the span between zero and one, moves from `h ½ Δv` by no more than that
/// either way. Shares that differ between contacts would displace a light body between heavy ones by the difference
/// of large balanced impulses. Returns by how much less the contacts add to the energy, J, for the work of forces
/// along the difference.
fn balance(
    problem: &IslandProblem,
    shifts: &mut [ImpulseDisplacement],
    bodies: &StepBodies<'_>,
    h: f64,
    given: f64,
) -> f64 {
    let mut dissipated = 0.0;
    for ((slot, body, velocity), shift) in problem.bodies().zip(shifts) {
        if !body.is_movable() || shift.is_none() {
            continue;
        }
        let moved = shift.displacement(body, 1.0);
        let (linear, angular) = (velocity.linear - body.free.linear, velocity.angular - body.free.angular);
        let mean = 0.5 - given;
        let excess = |moved: Vec3, change: Vec3| {
            let (off, most) = ((moved - mean * change).length(), 0.5 * change.length());
            let beyond = off > most + tolerance::SHARE_ROUND_OFF * moved.length();
            if beyond { (moved - mean * change) * (1.0 - most / off) } else { Vec3::ZERO }
        };
        let inertia = &bodies.inertias[slot];
        let too_far = excess(moved.linear, linear);
        if too_far != Vec3::ZERO {
            shift.linear -= too_far * inertia.mass();
            dissipated -= h * inertia.mass() * bodies.free_acceleration[slot].linear.dot(too_far);
        }
        let too_much = excess(moved.angular, angular);
        if too_much != Vec3::ZERO {
            shift.angular -= body.inverse_inertia.inverse() * too_much;
        }
    }
    dissipated
}

/// Sum of the impulses on a body, weighted with their shares of the span.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ImpulseDisplacement {
    linear: Vec3,
    angular: Vec3,
}

impl ImpulseDisplacement {
    fn add(&mut self, arm: Vec3, impulse: Vec3, moment: Vec3) {
        self.linear += impulse;
        self.angular += arm.cross(impulse) + moment;
    }

    fn is_none(&self) -> bool {
        self.linear == Vec3::ZERO && self.angular == Vec3::ZERO
    }

    /// Displacement (m) and rotation (rad) of a body in a span of h seconds.
    fn displacement(&self, body: &ContactBody, h: f64) -> Displacement {
        Displacement {
            linear: self.linear * (body.inverse_mass * h),
            angular: body.inverse_inertia * self.angular * h,
        }
    }
}

/// The shares of the span for which normal and tangential impulse displace the bodies: ½, or less if that would gain
/// energy, `λ·½(u* + u⁺) - κ λ·(u* - u⁻) > 0`. Where forces do not load the contact the share is zero.
fn shares(impulse: Vec3, gained: Vec3, sum: Vec3, weight: f64) -> Vec3 {
    let share = |work: f64, force: f64, size: f64| {
        let pressed = force < -SHARE_PRESSED * weight * size;
        let least = if pressed { scalar::clamp(0.5 * work / force, 0.0, 0.5) } else { 0.5 };
        if least < 0.5 - tolerance::SHARE_ROUND_OFF { least } else { 0.5 }
    };
    let normal = share(impulse.x * sum.x, impulse.x * gained.x, impulse.x);
    let across = |v: Vec3| impulse.y * v.y + impulse.z * v.z;
    let tangential = share(across(sum), across(gained), across(impulse).sqrt());
    Vec3::new(normal, tangential, tangential)
}

/// Displaces bodies at `end`, inside the step, after a span of h seconds, and updates the gaps of their contacts.
fn displace_inside(
    problem: &IslandProblem,
    shifts: &[ImpulseDisplacement],
    candidates: &mut [ContactConstraint],
    bodies: &mut StepBodies<'_>,
    end: f64,
    h: f64,
) {
    if shifts.iter().all(ImpulseDisplacement::is_none) {
        return;
    }
    let rest = bodies.dt - end;
    for ((slot, body, _), shift) in problem.bodies().zip(shifts) {
        if body.is_movable() && !shift.is_none() {
            let (state, inertia) = (&mut bodies.after[slot], &bodies.inertias[slot]);
            rotate_torque_free(inertia, state, -rest);
            move_by(state, inertia, shift.displacement(body, h));
            rotate_torque_free(inertia, state, rest);
            bodies.displaced[slot] += shift.displacement(body, h);
        }
    }
    for candidate in candidates {
        let moved = [candidate.a, candidate.b].map(|slot| match problem.member(slot) {
            Some((index, body)) => shifts[index].displacement(body, h).per_second(),
            None => BodyVelocity::default(),
        });
        candidate.widen(candidate.relative_velocity(end, moved).x);
    }
}

/// Sets the new velocities of a body and its displacement by the impulses.
fn displace(
    state: &mut InertialState,
    inertia: &Inertia,
    body: &ContactBody,
    velocity: BodyVelocity,
    shift: &ImpulseDisplacement,
    h: f64,
) {
    state.velocity = velocity.linear;
    state.angular_velocity = velocity.angular;
    move_by(state, inertia, shift.displacement(body, h));
}

/// Displaces and rotates a body. A rotated body with different moments of inertia keeps its angular momentum, not its
/// angular velocity.
fn move_by(state: &mut InertialState, inertia: &Inertia, by: Displacement) {
    state.center_of_mass += by.linear;
    let turn = by.angular;
    if turn == Vec3::ZERO {
        return;
    }
    let momentum = state.spin_angular_momentum(inertia);
    state.orientation = orientation::advanced(state.orientation, turn, 1.0);
    if !inertia.is_spherical() {
        let inverse = inertia.inverse_tensor_world(&Mat3::from_quat(state.orientation));
        state.angular_velocity = inverse * momentum;
    }
}
