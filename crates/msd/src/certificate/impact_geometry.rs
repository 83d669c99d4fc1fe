//! Geometry of impacts: whether normal and points are those of the instant.
//!
//! The lever arms that the engine declares place the centres of mass relative to each other, `x_B - x_A = r_A - r_B`.
//! There the bodies must touch along the declared normal, `s(n) = 0`, the declared point must be one of both, with that
//! normal where a surface is curved (if no joints have turned its body within the step), and free flight must have brought them there by
//! the time of the impact: positions between the start of the step and the end of free flight follow the cubic
//! through both states. The latter is required of pairs without other contacts and joints in the step, whose motion
//! before the impact is free flight alone.

use super::evidence::{DeclaredImpact, Evidence};
use super::overlap::{Placed, contact_missed, gap_of_convex};
use super::step_certificate::StepCertificate;
use crate::math::{Vec3, orientation, scalar};
use crate::physics::rigid_body::InertialState;
use crate::physics::rigid_body::shape::{Geometry, Shape};

/// Checks all impacts of a step.
pub(super) fn judge(step: &Evidence<'_>, found: &mut StepCertificate) {
    for impact in step.impacts {
        let slots = [Some(impact.a), Some(impact.b)];
        let Some(size) = smaller_size(step, impact) else { continue };
        let [(a, slack_a), (b, slack_b)] = [0, 1].map(|side| at_the_instant(step, impact, side));
        let placed_a = Placed { body: &step.bodies[impact.a], state: &a };
        let placed_b = Placed { body: &step.bodies[impact.b], state: &b };
        let slack = slack_a + slack_b;
        if let Some(gap) = gap_of_convex(placed_a, placed_b, impact.normal) {
            found.impact_geometry.worsen((gap.abs() - slack) / size, slots);
        }
        // Positions are relative to the centre of mass of A.
        let point = impact.arms[0];
        for (slot, placed, outward, slack) in
            [(impact.a, placed_a, impact.normal, slack_a), (impact.b, placed_b, -impact.normal, slack_b)]
        {
            // How far joints have turned a body within the step does not follow from its velocities.
            if joints_acted(step, slot) {
                continue;
            }
            let off = contact_missed(placed, Vec3::ZERO, point, outward, size);
            found.impact_geometry.worsen((off - slack) / size, slots);
        }
        if touches_nothing_else(step, impact) {
            let expected = flown_to(step, impact.b, impact.time) - flown_to(step, impact.a, impact.time);
            let declared = impact.arms[0] - impact.arms[1];
            // The tangential velocity may differ by friction in an earlier part of the step.
            let off = (declared - expected).length();
            found.impact_geometry.worsen((off - slack) / size, slots);
        }
    }
}

fn smaller_size(step: &Evidence<'_>, impact: &DeclaredImpact) -> Option<f64> {
    let size = |slot: usize| -> Option<f64> {
        let shape: &Shape = step.bodies[slot].shape.as_ref()?;
        if !shape.is_bounded() {
            return Some(f64::INFINITY);
        }
        Some(shape.bounding_box(&Default::default()).size().max_element())
    };
    Some(scalar::min(size(impact.a)?, size(impact.b)?))
}

/// The pose of a body at the instant, with the origin at the centre of mass of A, and the error of that pose, m: zero for a
/// body that does not rotate, or is round.
///
/// From one declared impact of the body to the next it rotates by the mean of the angular velocities after the one and
/// before the other. A rotation by ωt is off by its change times t, and by (ωt)³ where the axis is not fixed.
fn at_the_instant(step: &Evidence<'_>, impact: &DeclaredImpact, side: usize) -> (InertialState, f64) {
    let slot = [impact.a, impact.b][side];
    let start = &step.start[slot];
    let (mut time, mut spin, mut orientation, mut error) =
        (0.0, start.angular_velocity, start.orientation, 0.0);
    let mut rotate_until = |until: f64, before: Vec3, after: Vec3| {
        let span = until - time;
        orientation = orientation::advanced(orientation, 0.5 * (spin + before), span);
        let turned = spin.length() * span;
        error += (before - spin).length() * span + turned * turned * turned;
        (time, spin) = (until, after);
    };
    for earlier in step.impacts.iter().filter(|other| other.time < impact.time) {
        if let Some(side) = [earlier.a, earlier.b].into_iter().position(|other| other == slot) {
            rotate_until(earlier.time, earlier.before[side].angular, earlier.after[side].angular);
        }
    }
    let before = impact.before[side].angular;
    rotate_until(impact.time, before, before);
    let center_of_mass = if side == 0 { Vec3::ZERO } else { impact.arms[0] - impact.arms[1] };
    let is_round = matches!(step.bodies[slot].shape, Some(Shape::Sphere(_)));
    let slack = if is_round { 0.0 } else { impact.arms[side].length() * error };
    (InertialState { center_of_mass, orientation, ..*start }, slack)
}

/// Centre of mass on free flight at a time of the step: the cubic through the states at its ends.
fn flown_to(step: &Evidence<'_>, slot: usize, time: f64) -> Vec3 {
    let (start, end) = (&step.start[slot], &step.flown[slot]);
    let (h, s) = (step.dt, time / step.dt);
    let way = end.center_of_mass - start.center_of_mass;
    let bend = 3.0 * way - h * (2.0 * start.velocity + end.velocity);
    let twist = h * (start.velocity + end.velocity) - 2.0 * way;
    start.center_of_mass + start.velocity * (h * s) + bend * (s * s) + twist * (s * s * s)
}

/// True if joints acted on a body in parts of the step.
fn joints_acted(step: &Evidence<'_>, slot: usize) -> bool {
    step.timed_joints.get(slot).is_some_and(|timed| *timed != [0.0; 2])
}

/// True if this was the only impact of both bodies, without other contacts, and without joints that act in parts of the step.
fn touches_nothing_else(step: &Evidence<'_>, impact: &DeclaredImpact) -> bool {
    let pair = (impact.a.min(impact.b), impact.a.max(impact.b));
    let meets = |a: usize, b: usize| {
        let movable = |slot: usize| step.inertias[slot].is_movable();
        [impact.a, impact.b].into_iter().any(|slot| movable(slot) && (slot == a || slot == b))
    };
    let first = step.impacts.iter().all(|other| !meets(other.a, other.b) || other.time >= impact.time);
    first
        && !joints_acted(step, impact.a)
        && !joints_acted(step, impact.b)
        && step.points.iter().all(|point| {
            let lasting = point.impulse > point.impact;
            !meets(point.a, point.b) || ((point.a, point.b) == pair && !lasting)
        })
}
