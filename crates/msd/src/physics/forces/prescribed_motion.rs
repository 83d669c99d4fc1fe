//! Prescribed motion: the position of a perturbing body or of the Sun over time.

use std::fmt::Debug;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::FieldError;
use super::field_error::Check;
use crate::digest::{Fingerprint, Hasher};
use crate::math::{Coordinate, Vec3, orientation};

/// A motion in the world given by the user.
pub trait Trajectory: Debug + Send + Sync {
    /// Position at `time` (s), world frame, m.
    fn position(&self, time: f64) -> Coordinate;

    /// Its time derivative, m/s. The energy ledger closes only as well as the two agree.
    fn velocity(&self, time: f64) -> Vec3;

    /// Appends every parameter of the motion; its `Debug` text unless overridden, which must then show them all and nothing that
    /// changes while the motion is in use.
    fn fingerprint(&self, hasher: &mut Hasher) {
        hasher.text(&format!("{self:?}"));
    }
}

impl Fingerprint for dyn Trajectory {
    fn fingerprint(&self, hasher: &mut Hasher) {
        Trajectory::fingerprint(self, hasher);
    }
}

/// Prescribed position over time.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum PrescribedMotion {
    /// Always at this point, m.
    Fixed(Coordinate),
    /// Along a line.
    Linear {
        /// At time zero, m.
        position: Coordinate,
        /// m/s.
        velocity: Vec3,
    },
    /// Around a circle at constant rate: `center + R(ω t) arm`.
    Circular {
        /// Any point of the axis, m; the centre of the circle if the arm is perpendicular to the axis.
        center: Coordinate,
        /// From there to the position at time zero, m.
        arm: Vec3,
        /// Axis times rate, rad/s.
        angular_velocity: Vec3,
    },
    /// Any other; not part of a saved world.
    #[serde(skip)]
    Given(Arc<dyn Trajectory>),
}

impl Fingerprint for PrescribedMotion {
    fn fingerprint(&self, hasher: &mut Hasher) {
        match self {
            Self::Fixed(position) => {
                hasher.text("fixed");
                position.fingerprint(hasher);
            }
            Self::Linear { position, velocity } => {
                hasher.text("linear");
                position.fingerprint(hasher);
                velocity.fingerprint(hasher);
            }
            Self::Circular { center, arm, angular_velocity } => {
                hasher.text("circular");
                center.fingerprint(hasher);
                arm.fingerprint(hasher);
                angular_velocity.fingerprint(hasher);
            }
            Self::Given(trajectory) => {
                hasher.text("given");
                trajectory.fingerprint(hasher);
            }
        }
    }
}

impl PrescribedMotion {
    /// Position at `time` (s), world frame, m.
    #[must_use]
    pub fn position(&self, time: f64) -> Coordinate {
        match self {
            Self::Fixed(position) => *position,
            Self::Linear { position, velocity } => *position + *velocity * time,
            Self::Circular { center, arm, angular_velocity } => {
                *center + orientation::from_rotation_vector(*angular_velocity * time) * *arm
            }
            Self::Given(trajectory) => trajectory.position(time),
        }
    }

    /// Velocity at `time` (s), m/s.
    #[must_use]
    pub fn velocity(&self, time: f64) -> Vec3 {
        match self {
            Self::Fixed(_) => Vec3::ZERO,
            Self::Linear { velocity, .. } => *velocity,
            Self::Circular { center, angular_velocity, .. } => {
                angular_velocity.cross(self.position(time) - *center)
            }
            Self::Given(trajectory) => trajectory.velocity(time),
        }
    }

    /// True if it never moves.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        matches!(self, Self::Fixed(_))
    }

    /// The same, if its parameters are finite.
    pub(super) fn checked(self, check: Check) -> Result<Self, FieldError> {
        match &self {
            Self::Fixed(position) => {
                check.finite_vector("position", *position)?;
            }
            Self::Linear { position, velocity } => {
                check.finite_vector("position", *position)?;
                check.finite_vector("velocity", *velocity)?;
            }
            Self::Circular { center, arm, angular_velocity } => {
                check.finite_vector("centre of the circle", *center)?;
                check.finite_vector("arm", *arm)?;
                check.finite_vector("angular velocity", *angular_velocity)?;
            }
            Self::Given(_) => {}
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::super::gradient_check::{derivative, vector};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn velocity_is_the_derivative_of_position(
            center in vector(10.0), arm in vector(10.0), angular_velocity in vector(2.0), time in -10.0..10.0_f64
        ) {
            let circular = PrescribedMotion::Circular { center, arm, angular_velocity };
            let linear = PrescribedMotion::Linear { position: center, velocity: arm };
            for motion in [circular, linear, PrescribedMotion::Fixed(center)] {
                for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                    let rate = derivative(0.02, |h| motion.position(time + h).dot(axis));
                    prop_assert!((rate - motion.velocity(time).dot(axis)).abs() < 1e-9);
                }
            }
        }
    }
}
