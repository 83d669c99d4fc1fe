//! Bodies of a contact problem: inverse mass, inverse inertia, and velocity without contact.

use crate::math::lanes::{Frames, Lanes, Vectors};
use crate::math::{Mat3, Vec3};
use crate::physics::rigid_body::InertialState;

/// Linear velocity of the centre of mass (m/s) and angular velocity (rad/s), world frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyVelocity {
    /// Of the centre of mass, m/s.
    pub linear: Vec3,
    /// World frame, rad/s.
    pub angular: Vec3,
}

impl From<InertialState> for BodyVelocity {
    fn from(state: InertialState) -> Self {
        Self { linear: state.velocity, angular: state.angular_velocity }
    }
}

/// A body as contacts see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactBody {
    /// 1/kg; zero for a body whose centre of mass no impulse moves.
    pub inverse_mass: f64,
    /// World frame, about the centre of mass, 1/(kg m²); symmetric, positive semidefinite.
    pub inverse_inertia: Mat3,
    /// v*: the velocity at the end of the step without contact impulses.
    pub free: BodyVelocity,
}

impl ContactBody {
    /// A body that contact does not move.
    #[must_use]
    pub fn immovable(free: BodyVelocity) -> Self {
        Self { inverse_mass: 0.0, inverse_inertia: Mat3::ZERO, free }
    }

    /// False if no impulse changes its velocity.
    #[must_use]
    pub fn is_movable(&self) -> bool {
        self.inverse_mass > 0.0 || self.inverse_inertia != Mat3::ZERO
    }

    pub(super) fn is_sensible(&self) -> bool {
        self.inverse_mass.is_finite()
            && self.inverse_mass >= 0.0
            && self.inverse_inertia.is_finite()
            && self.free.linear.is_finite()
            && self.free.angular.is_finite()
    }

    /// `tr([r]× I⁻¹ [r]×ᵀ) = ‖r‖² tr I⁻¹ - r·I⁻¹r`, and three times the inverse mass: the trace of what impulses at `arm`
    /// do to the velocity there, 1/kg.
    #[inline(always)]
    pub(super) fn trace_at<L: Lanes>(&self, arm: Vectors<L>) -> L {
        let i = &self.inverse_inertia;
        let trace = L::splat(i.x_axis.x + i.y_axis.y + i.z_axis.z);
        L::splat(3.0 * self.inverse_mass) + arm.dot(arm) * trace - arm.dot(Frames::all(i).world(arm))
    }

    /// `tr I⁻¹ / 3`, 1/(kg m²).
    pub(super) fn mean_inverse_inertia(&self) -> f64 {
        let i = &self.inverse_inertia;
        (i.x_axis.x + i.y_axis.y + i.z_axis.z) / 3.0
    }
}
