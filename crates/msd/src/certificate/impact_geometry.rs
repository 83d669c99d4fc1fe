//! Geometry of impacts: whether normal and points are those of the instant.
//!
//! The lever arms that the engine declares place the centres of mass relative to each other, `x_B - x_A = r_A - r_B`,
//! and it declares the orientations of both bodies. There the bodies must touch along the declared normal, `s(n) = 0`,
//! and the declared point must be one of both, with that normal where a surface is curved.
//!
//! Motion must have brought them there. Positions between the start of the step and the end of free flight follow the
//! cubic through both states; this is required of pairs without other contacts and joints in the step, whose motion
//! before the impact is free flight alone, but for contact that shows in the velocities before the impact. Orientations follow from the angular velocities, to the order of a mean
//! angular velocity and to the rotation that other contacts of the body may have made; this is required of bodies
//! that no joint has turned.

use super::evidence::{DeclaredImpact, Evidence};
use super::overlap::{Placed, contact_missed, gap_of_convex};
use super::step_certificate::StepCertificate;
use crate::math::{Mat3, Vec3, orientation, scalar};
use crate::physics::rigid_body::InertialState;
use crate::physics::rigid_body::shape::{Geometry, Shape};

/// Checks all impacts of a step.
pub(super) fn judge(step: &Evidence<'_>, found: &mut StepCertificate) {
    for impact in step.impacts {
        let slots = [Some(impact.a), Some(impact.b)];
        let Some(size) = smaller_size(step, impact) else { continue };
        // Positions are relative to the centre of mass of A.
        let declared = |side: usize, center_of_mass: Vec3| InertialState {
            center_of_mass,
            orientation: impact.orientations[side],
            ..step.start[[impact.a, impact.b][side]]
        };
        let [a, b] = [declared(0, Vec3::ZERO), declared(1, impact.arms[0] - impact.arms[1])];
        let placed_a = Placed { body: &step.bodies[impact.a], state: &a };
        let placed_b = Placed { body: &step.bodies[impact.b], state: &b };
        if let Some(gap) = gap_of_convex(placed_a, placed_b, impact.normal) {
            found.impact_geometry.worsen(gap.abs() / size, slots);
        }
        for (side, placed, outward) in [(0, placed_a, impact.normal), (1, placed_b, -impact.normal)] {
            let off = contact_missed(placed, Vec3::ZERO, impact.arms[0], outward, size);
            found.impact_geometry.worsen(off / size, slots);
            let off = rotation_missed(step, impact, side) * impact.arms[side].length();
            found.impact_geometry.worsen(off / size, slots);
        }
        if touches_nothing_else(step, impact) {
            let expected = flown_to(step, impact.b, impact.time) - flown_to(step, impact.a, impact.time);
            let declared = impact.arms[0] - impact.arms[1];
            // The tangential velocity may differ by friction in an earlier part of the step.
            let off = (declared - expected).length() - displaced_before(step, impact);
            found.impact_geometry.worsen(off / size, slots);
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

/// How far the declared orientation of a body is from that to which its angular velocities have turned it, beyond the
/// error of that, rad: zero for a round body, and for one that joints have turned.
///
/// From one declared impact of the body to the next it rotates by the mean of the angular velocities after the one and
/// before the other. A rotation by ωt is off by its change times t, and by (ωt)³ where the axis is not fixed. Contacts
/// that last may have changed the angular velocity in between by their impulses.
fn rotation_missed(step: &Evidence<'_>, impact: &DeclaredImpact, side: usize) -> f64 {
    let slot = [impact.a, impact.b][side];
    let is_round = matches!(step.bodies[slot].shape, Some(Shape::Sphere(_)));
    if is_round || joints_acted(step, slot) {
        return 0.0;
    }
    let start = &step.start[slot];
    let (mut time, mut spin, mut turned, mut error) = (0.0, start.angular_velocity, start.orientation, 0.0);
    let mut rotate_until = |until: f64, before: Vec3, after: Vec3| {
        let span = until - time;
        turned = orientation::advanced(turned, 0.5 * (spin + before), span);
        let angle = spin.length() * span;
        error += (before - spin).length() * span + angle * angle * angle;
        (time, spin) = (until, after);
    };
    for earlier in step.impacts.iter().filter(|other| other.time < impact.time) {
        if let Some(side) = [earlier.a, earlier.b].into_iter().position(|other| other == slot) {
            rotate_until(earlier.time, earlier.before[side].angular, earlier.after[side].angular);
        }
    }
    let before = impact.before[side].angular;
    rotate_until(impact.time, before, before);
    error += turned_by_contact(step, slot) * impact.time;
    scalar::max(0.0, orientation::angle_between(turned, impact.orientations[side]) - error)
}

/// Bound of the angular velocity that contacts give to a body within the step and take again, rad/s: of one with lasting
/// contact, all its impulses times their lever arms, through its smallest moment of inertia.
fn turned_by_contact(step: &Evidence<'_>, slot: usize) -> f64 {
    let points = || step.points.iter().filter(|point| point.a == slot || point.b == slot);
    if !points().any(|point| point.impulse > point.impact) {
        return 0.0;
    }
    let moment: f64 = points()
        .map(|point| {
            let arm = if point.a == slot { point.arms[0] } else { point.arms[1] };
            (scalar::max(point.impulse, 0.0) + point.impact) * arm.length()
        })
        .sum();
    let softest = step.inertias[slot].inverse_tensor_world(&Mat3::from_quat(step.start[slot].orientation));
    moment
        * [softest.x_axis, softest.y_axis, softest.z_axis]
            .map(Vec3::length)
            .into_iter()
            .fold(0.0, scalar::max)
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

/// Bound of the displacement by contact that acted before an impact without being one, m: a body that approaches by Δv
/// faster or slower than in free flight is at most Δv t elsewhere.
fn displaced_before(step: &Evidence<'_>, impact: &DeclaredImpact) -> f64 {
    let changed = |side: usize| {
        let slot = [impact.a, impact.b][side];
        let (start, flown) = (step.start[slot].velocity, step.flown[slot].velocity);
        let part = impact.time / step.dt;
        let free = start + (flown - start) * part;
        // Forces that are not constant: what is not on the straight line between both ends.
        let round_off = 4.0 * f64::EPSILON * (start.length() + flown.length());
        scalar::max(0.0, (impact.before[side].linear - free).length() - round_off)
    };
    (changed(0) + changed(1)) * impact.time
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
