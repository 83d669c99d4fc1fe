//! The laws of contact and impact, evaluated with the resulting velocities.
//!
//! ```text
//! contact   u_n ≥ 0 where the gap is closed
//! impact    u_n⁺ = -e u_n⁻ where an impulse was transmitted, u_n⁺ ≥ -e u_n⁻ where not
//! ```
//! A pair with restitution that approached by its own velocity and was stopped without a declared impact counts as an
//! inelastic one.

use super::evidence::{DeclaredImpact, DeclaredPoint, Evidence, Motion};
use super::step_certificate::StepCertificate;
use crate::math::{Vec3, scalar};
use crate::physics::rigid_body::InertialState;
use crate::physics::rigid_body::shape::Shape;
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
        strikes && meet_nothing_else(step, (points[0].a, points[0].b))
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

/// True if a point with restitution transmitted an impulse although its bodies approached or separated, with the
/// velocities that the last impacts with others left them, by more than three times what forces change in the step.
fn is_stopped(step: &Evidence<'_>, point: &DeclaredPoint) -> bool {
    if !(point.restitution > 0.0 && point.impulse > 0.0) {
        return false;
    }
    let [arm_a, arm_b] = point.arms;
    let approach = |[a, b]: [Motion; 2]| -(b.at(arm_b) - a.at(arm_a)).dot(point.normal);
    let of = |states: &[InertialState], slot: usize| Motion {
        linear: states[slot].velocity,
        angular: states[slot].angular_velocity,
    };
    let thrown = |slot: usize| {
        let sides = |impact: &DeclaredImpact| {
            let side = [impact.a, impact.b].into_iter().position(|struck| struck == slot)?;
            Some((impact.time, impact.after[side]))
        };
        let last = step.impacts.iter().filter_map(sides).max_by(|(s, _), (t, _)| s.total_cmp(t));
        last.map_or_else(|| of(step.start, slot), |(_, after)| after)
    };
    let now = [thrown(point.a), thrown(point.b)];
    // The lever arms are those of the end: over the step the motion of the point turns by ωt.
    // A ball about its centre of mass has the same arm however it turns.
    let turning = |slot: usize, motion: &Motion, arm: Vec3| {
        let centered = step.bodies[slot].center_of_mass_local == Vec3::ZERO;
        let round = centered && matches!(step.bodies[slot].shape, Some(Shape::Sphere(_)));
        if round { 0.0 } else { motion.angular.length_squared() * step.dt * arm.length() }
    };
    let turning = turning(point.a, &now[0], arm_a) + turning(point.b, &now[1], arm_b);
    let [before, after] =
        [step.start, step.flown].map(|states| approach([of(states, point.a), of(states, point.b)]));
    // Bodies that graze each other separate along the normal of the end already.
    approach(now).abs() > 3.0 * ((after - before).abs() + turning) + tolerance::IMPACT_SPEED
}

/// True if the bodies of a pair had no other lasting contact in the step, and no impact with each other.
fn meet_nothing_else(step: &Evidence<'_>, (a, b): (usize, usize)) -> bool {
    let concerns = |slot: usize| step.inertias[slot].is_movable() && (slot == a || slot == b);
    let pair = |one: usize, other: usize| (one.min(other), one.max(other)) == (a, b);
    step.impacts.iter().all(|impact| !pair(impact.a, impact.b))
        && step.points.iter().all(|other| {
            (other.a, other.b) == (a, b)
                || other.impulse <= other.impact
                || (!concerns(other.a) && !concerns(other.b))
        })
}
