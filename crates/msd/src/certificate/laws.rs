//! The laws of contact and impact, evaluated with the resulting velocities.
//!
//! ```text
//! contact   u_n ≥ 0 where the gap is closed
//! impact    u_n⁺ = -e u_n⁻ where an impulse was transmitted, u_n⁺ ≥ -e u_n⁻ where not
//! ```

use super::evidence::{DeclaredImpact, Evidence};
use super::step_certificate::StepCertificate;
use crate::math::scalar;
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
    found.inelastic_impacts = step.inelastic_impacts;
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
