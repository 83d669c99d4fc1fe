//! `Contact`, one contact point, and `Row`, one row of a joint, limit or motor.

use super::error::ContactProblemError;
use crate::math::{Mat3, Vec3, scalar};
use crate::physics::constraints::JacobianRow;
use crate::physics::rigid_body::Wrench;
use crate::tolerance;

/// A point at which two bodies may push each other apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Index of body A.
    pub body_a: usize,
    /// Index of body B.
    pub body_b: usize,
    /// From the centre of mass of A to the point, m.
    pub arm_a: Vec3,
    /// From the centre of mass of B to the point, m.
    pub arm_b: Vec3,
    /// Columns n, t₁, t₂: unit, right-handed, n from A towards B.
    pub frame: Mat3,
    /// Coulomb's μ of the pair.
    pub friction: f64,
    /// ρ, m: the moment across the normal is at most ρ times the normal impulse. Zero: the pair rolls freely.
    pub rolling_friction: f64,
    /// σ, m: the moment about the normal is at most σ times the normal impulse. Zero: the pair spins freely.
    pub torsional_friction: f64,
    /// Speed at which the gap may close, m/s: `max(gap, 0)/dt`. Negative where the law requires separation; position
    /// problems use it.
    pub speculative_bias: f64,
    /// Least normal velocity after the impact, m/s; zero without restitution.
    pub rebound: f64,
    /// Bias velocity: velocity of the surface of B along the body, less that of A, in the contact frame, m/s (belts,
    /// curvature). Added to u before the law is applied.
    pub drift: Vec3,
}

impl Contact {
    /// A touching contact without friction or restitution, with tangents chosen from the normal alone.
    #[must_use]
    pub fn touching(body_a: usize, body_b: usize, arm_a: Vec3, arm_b: Vec3, normal: Vec3) -> Self {
        Self {
            body_a,
            body_b,
            arm_a,
            arm_b,
            frame: contact_frame(normal),
            friction: 0.0,
            rolling_friction: 0.0,
            torsional_friction: 0.0,
            speculative_bias: 0.0,
            rebound: 0.0,
            drift: Vec3::ZERO,
        }
    }

    /// The same contact with friction.
    #[must_use]
    pub fn with_friction(self, friction: f64) -> Self {
        Self { friction, ..self }
    }

    /// The velocity added to `u_n` in the complementarity condition, m/s.
    #[must_use]
    pub fn bias(&self) -> f64 {
        self.speculative_bias - self.rebound + self.drift.x
    }

    /// Velocity added to u before the law is applied, in the contact frame, m/s.
    #[must_use]
    pub fn offset(&self) -> Vec3 {
        Vec3::new(self.bias(), self.drift.y, self.drift.z)
    }

    /// True if the contact resists rolling or spinning.
    #[must_use]
    pub fn has_moment(&self) -> bool {
        self.rolling_friction > 0.0 || self.torsional_friction > 0.0
    }

    /// True if another is between the same bodies and has the same frame.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        (self.body_a, self.body_b) == (other.body_a, other.body_b) && self.frame == other.frame
    }

    /// Refuses invalid bodies.
    pub(super) fn check_pair(&self, index: usize, bodies: usize) -> Result<(), ContactProblemError> {
        let Self { body_a: a, body_b: b, .. } = *self;
        if a >= bodies || b >= bodies || a == b {
            return Err(ContactProblemError::Pair { contact: index, a, b, bodies });
        }
        Ok(())
    }

    /// Refuses lever arms and velocities that are not finite.
    pub(super) fn check_numbers(&self, index: usize) -> Result<(), ContactProblemError> {
        let finite = self.arm_a.is_finite() && self.arm_b.is_finite() && self.offset().is_finite();
        if !(finite && self.rebound.is_finite()) {
            return Err(ContactProblemError::Contact { contact: index, friction: self.friction });
        }
        Ok(())
    }

    /// Refuses invalid coefficients of friction.
    #[inline]
    pub(super) fn check_friction(&self, index: usize) -> Result<(), ContactProblemError> {
        let coefficients = [self.friction, self.rolling_friction, self.torsional_friction];
        if !coefficients.iter().all(|c| (0.0..f64::INFINITY).contains(c)) {
            return Err(ContactProblemError::Contact { contact: index, friction: self.friction });
        }
        Ok(())
    }

    /// Refuses an invalid frame.
    pub(super) fn check_frame(&self, index: usize) -> Result<(), ContactProblemError> {
        let frame = &self.frame;
        let [n, t, s] = [frame.x_axis, frame.y_axis, frame.z_axis];
        let lengths =
            scalar::max((n.dot(n) - 1.0).abs(), scalar::max((t.dot(t) - 1.0).abs(), (s.dot(s) - 1.0).abs()));
        let angles = scalar::max(n.dot(t).abs(), scalar::max(t.dot(s).abs(), s.dot(n).abs()));
        let error = scalar::max(lengths, angles);
        if !(error <= tolerance::UNIT_VECTOR && frame.is_finite()) {
            return Err(ContactProblemError::Frame { contact: index, error });
        }
        Ok(())
    }
}

/// One row of a joint, limit or motor in the same problem. Its impulse p (N·s, or N·m·s if the row is a rotation) acts as
/// `Jᵀ p` and obeys
/// ```text
/// lower < p < upper ⇒ J v⁺ = target,    p = lower ⇒ J v⁺ ≥ target,    p = upper ⇒ J v⁺ ≤ target
/// ```
/// Rigid rows are free (±∞), limits pull or push only (`[0, ∞)`), motors have the strength `[-F dt, F dt]`. A soft row, such as a stiff
/// servo, has `J v⁺ + softness p` in the place of `J v⁺`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Index of body A.
    pub body_a: usize,
    /// Index of body B.
    pub body_b: usize,
    /// Over `[v_A, ω_A, v_B, ω_B]`, world frame.
    pub jacobian: JacobianRow,
    /// `J v⁺` where the row holds.
    pub target: f64,
    /// Least impulse; may be -∞.
    pub lower: f64,
    /// Greatest impulse; may be ∞.
    pub upper: f64,
    /// Compliance of the row: velocity for a unit impulse, 1/kg or 1/(kg·m²); zero for rigid rows.
    pub regularisation: f64,
}

/// A body of a row that has more than two, with the force and torque that a unit impulse of the row exerts on it, world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FurtherEnd {
    /// Index of the row.
    pub row: usize,
    /// Index of the body.
    pub body: usize,
    /// Part of J for the body: factors of v and ω.
    pub wrench: Wrench,
}

impl Row {
    /// A rigid row without bounds.
    #[must_use]
    pub fn rigid(body_a: usize, body_b: usize, jacobian: JacobianRow, target: f64) -> Self {
        Self {
            body_a,
            body_b,
            jacobian,
            target,
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            regularisation: 0.0,
        }
    }

    /// The impulse nearest to none that the bounds allow.
    #[must_use]
    pub fn idle(&self) -> f64 {
        scalar::clamp(0.0, self.lower, self.upper)
    }

    pub(super) fn check(&self, index: usize, bodies: usize) -> Result<(), ContactProblemError> {
        let Self { body_a: a, body_b: b, lower, upper, regularisation, .. } = *self;
        if a >= bodies || b >= bodies || a == b {
            return Err(ContactProblemError::RowPair { row: index, a, b, bodies });
        }
        let soft = regularisation >= 0.0 && regularisation.is_finite();
        if !(self.jacobian.is_finite() && self.target.is_finite() && soft) {
            return Err(ContactProblemError::Row { row: index });
        }
        if !(lower <= upper && lower < f64::INFINITY && upper > f64::NEG_INFINITY) {
            return Err(ContactProblemError::Bounds { row: index, lower, upper });
        }
        Ok(())
    }
}

/// Normal velocity that an impact leaves with, by Newton's law: `-e u_n⁻` if approaching (`u_n⁻ < 0`), else zero.
#[must_use]
pub fn newton_rebound(restitution: f64, approach: f64) -> f64 {
    if approach < 0.0 { -restitution * approach } else { 0.0 }
}

/// The frame of a contact, `n, t₁, t₂` as columns.
pub use crate::math::frame_of_normal as contact_frame;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_right_handed_for_every_normal() {
        for normal in [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::Z, Vec3::new(0.6, 0.0, -0.8)] {
            let frame = contact_frame(normal);
            assert!((frame.determinant() - 1.0).abs() < 1e-15);
            assert!(
                ((frame.transpose() * frame - Mat3::IDENTITY).to_cols_array().iter())
                    .all(|e| e.abs() < 1e-15)
            );
        }
    }

    #[test]
    fn bounds_that_contradict_each_other_are_refused() {
        let row = Row::rigid(0, 1, JacobianRow::ZERO, 0.0);
        assert!(row.check(0, 2).is_ok());
        assert!(Row { lower: 1.0, upper: 0.0, ..row }.check(0, 2).is_err());
        assert!(Row { lower: f64::NAN, ..row }.check(0, 2).is_err());
        assert!(Row { target: f64::INFINITY, ..row }.check(0, 2).is_err());
        assert_eq!(Row { lower: 2.0, ..row }.idle(), 2.0);
    }
}
