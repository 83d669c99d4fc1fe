//! Displacements of bodies within a step, apart from free flight: input of the certificate.
//!
//! An impulse P that acts at the centre of mass for the rest s of the step displaces a body by `s P / m` and, with
//! the angular impulse T about it, rotates it by `s I⁻¹ T`. The sums over all impulses of contacts and joints explain
//! the displacement of bodies by contact; that of position correction is recorded separately.

use crate::math::Vec3;
use crate::physics::constraints::contact::BodyVelocity;

/// How far a body was displaced.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::environment) struct Displacement {
    /// Of the centre of mass, world frame, m.
    pub(in crate::environment) linear: Vec3,
    /// Rotation vector, world frame, rad; sums of rotations are those of small ones.
    pub(in crate::environment) angular: Vec3,
}

impl Displacement {
    /// The velocities that make it in a second: contact problems know displacements as these.
    pub(super) fn per_second(self) -> BodyVelocity {
        BodyVelocity { linear: self.linear, angular: self.angular }
    }
}

impl std::ops::AddAssign for Displacement {
    fn add_assign(&mut self, other: Self) {
        self.linear += other.linear;
        self.angular += other.angular;
    }
}
