//! The laws of contact and impact, evaluated with the resulting velocities.
//!
//! ```text
//! contact   u_n ≥ 0 where the gap is closed
//! impact    u_n⁺ = -e u_n⁻ where an impulse was transmitted, u_n⁺ ≥ -e u_n⁻ where not
//! ```
//! A pair with restitution that was apart, approached by its own velocity and was stopped without a declared impact
//! counts as an inelastic one.

use super::evidence::{DeclaredImpact, DeclaredPoint, Evidence};
use super::overlap::{Placed, Query, signed_distance};
use super::step_certificate::StepCertificate;
use crate::math::{Vec3, scalar};
use crate::physics::rigid_body::InertialState;
use crate::tolerance;

/// Signorini's law of velocities.
pub(super) fn contact(step: &Evidence<'_>, found: &mut StepCertificate) {
    found.residual = step.residual;
    for point in step.points {
        let size = scalar::min(point.arms[0].length(), point.arms[1].length());
        let closed = point.gap <= tolerance::CONTACT_CLOSED * size;
        if !closed {
            continue;
        }
        let speed = scalar::max(step.start[point.a].speed(), step.start[point.b].speed());
        let approach = -step.relative_velocity(point).dot(point.normal);
        found.approach.worsen(approach / scalar::max(1.0, speed), [Some(point.a), Some(point.b)]);
    }
}

/// Newton's law of restitution.
pub(super) fn impact(step: &Evidence<'_>, found: &mut StepCertificate) {
    let undeclared = step.points.chunk_by(|p, q| (p.a, p.b) == (q.a, q.b)).filter(|points| {
        let strikes = points.iter().any(|point| is_stopped(step, point));
        strikes && meet_nothing_else(step, (points[0].a, points[0].b)) && were_apart(step, &points[0])
    });
    found.inelastic_impacts = step.inelastic_impacts.max(undeclared.count());
    // An inelastic impact has no rebound: that it stops is the contact law.
    for impact in step.impacts.iter().filter(|impact| impact.restitution > 0.0) {
        found.restitution.worsen(error(impact), [Some(impact.a), Some(impact.b)]);
    }
}

/// Difference between required and actual restitution, relative to the impact velocity.
fn error(impact: &DeclaredImpact) -> f64 {
    let (before, after) = (impact.normal_velocity(&impact.before), impact.normal_velocity(&impact.after));
    let wanted = -impact.restitution * scalar::min(before, 0.0);
    let missing = wanted - after;
    let scale = scalar::max(before.abs(), f64::MIN_POSITIVE);
    if impact.transmitted { missing.abs() / scale } else { scalar::max(0.0, missing) / scale }
}

/// True if a point with restitution transmitted an impulse although its bodies approached faster than forces make
/// them: from the start to the end of free flight, by more than three times the change of the approach in between.
fn is_stopped(step: &Evidence<'_>, point: &DeclaredPoint) -> bool {
    if !(point.restitution > 0.0 && point.impulse > point.impact) {
        return false;
    }
    let approach = |states: &[InertialState]| {
        let [a, b] = [&states[point.a], &states[point.b]];
        let [arm_a, arm_b] = point.arms;
        let [at_a, at_b] = [a.angular_velocity.cross(arm_a), b.angular_velocity.cross(arm_b)];
        -(b.velocity - a.velocity + at_b - at_a).dot(point.normal)
    };
    // The lever arms are those of the end: over the step the motion of the point turns by ωt.
    let turning = |slot: usize, arm: Vec3| {
        let state = &step.start[slot];
        state.angular_velocity.length() * step.dt * (state.angular_velocity.length() * arm.length())
    };
    let turning = turning(point.a, point.arms[0]) + turning(point.b, point.arms[1]);
    let (before, after) = (approach(step.start), approach(step.flown));
    scalar::min(before, after) > 3.0 * ((after - before).abs() + turning) + tolerance::IMPACT_SPEED
}

/// True if the bodies of a pair had no other contact and no impact in the step.
fn meet_nothing_else(step: &Evidence<'_>, (a, b): (usize, usize)) -> bool {
    let concerns = |slot: usize| step.inertias[slot].is_movable() && (slot == a || slot == b);
    step.impacts.iter().all(|impact| !concerns(impact.a) && !concerns(impact.b))
        && step.points.iter().all(|other| {
            (other.a, other.b) == (a, b) || other.impulse <= 0.0 || (!concerns(other.a) && !concerns(other.b))
        })
}

/// True if there was a gap between two bodies at the start of the step.
fn were_apart(step: &Evidence<'_>, point: &DeclaredPoint) -> bool {
    let place = |slot: usize| Placed { body: &step.bodies[slot], state: &step.start[slot] };
    let size = scalar::min(point.arms[0].length(), point.arms[1].length());
    let enough = 2.0 * tolerance::CONTACT_CLOSED * size;
    signed_distance(place(point.a), place(point.b), Query { hint: point.normal, enough, size }).gap >= enough
}
