//! Uniform gravity: the same acceleration everywhere.
//!
//! `V = -m g·x`, so `F = m g` through the centre of mass and no torque. With Z up and `g = (0, 0, -9.81)` m/s² a body
//! of 10 kg at z = 100 m has +9810 J.

use serde::{Deserialize, Serialize};

use super::field_error::Check;
use super::{ActsOn, ClosedForm, Field, FieldClass, FieldError, Targets};
use crate::digest::parameters;
use crate::math::Vec3;
use crate::physics::rigid_body::{Bodies, BodyHandle, BodyView, Wrench};

const NAME: &str = "uniform-gravity";

/// The same acceleration for every body. Scene type `uniform-gravity`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UniformGravity {
    acceleration: Vec3,
    targets: Targets,
}

impl Default for UniformGravity {
    /// 9.81 m/s² along -Z.
    fn default() -> Self {
        Self { acceleration: Vec3::new(0.0, 0.0, -9.81), targets: Targets::Everything }
    }
}

impl UniformGravity {
    /// From the acceleration, m/s², world frame.
    ///
    /// # Errors
    /// If it is not finite.
    pub fn new(acceleration: Vec3) -> Result<Self, FieldError> {
        let acceleration = Check(NAME).finite_vector("acceleration", acceleration)?;
        Ok(Self { acceleration, targets: Targets::Everything })
    }

    /// Acts on these bodies only.
    #[must_use]
    pub fn acting_on(mut self, bodies: &[BodyHandle]) -> Self {
        self.targets = Targets::bodies(bodies);
        self
    }

    /// m/s², world frame.
    #[must_use]
    pub fn acceleration(&self) -> Vec3 {
        self.acceleration
    }
}

impl Field for UniformGravity {
    fn type_name(&self) -> &'static str {
        NAME
    }

    parameters!("uniform gravity": acceleration, targets);

    fn class(&self) -> FieldClass {
        FieldClass::Conservative
    }

    fn acts_on(&self) -> ActsOn<'_> {
        self.targets.acts_on()
    }

    fn couples_bodies(&self) -> bool {
        false
    }

    fn wrench(&self, body: &BodyView<'_>, _bodies: &Bodies<'_>, _time: f64) -> Wrench {
        Wrench::from_force(self.acceleration * body.mass())
    }

    fn energy(&self, body: &BodyView<'_>, _bodies: &Bodies<'_>, _time: f64) -> Option<f64> {
        Some(-body.mass() * self.acceleration.dot(body.state.center_of_mass))
    }

    fn is_proportional_to_mass(&self) -> bool {
        true
    }

    fn closed_form(&self) -> ClosedForm {
        ClosedForm::Uniform(self.acceleration)
    }
}

#[cfg(test)]
mod tests {
    use super::super::gradient_check::{Sample, assert_wrench_is_minus_gradient, sample, vector};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ten_kilograms_at_a_hundred_metres_hold_9810_joules() {
        let mut sample = Sample::of_mass(10.0);
        sample.states[0].center_of_mass = Vec3::new(3.0, -2.0, 100.0);
        let gravity = UniformGravity::default();
        let (body, bodies) = (sample.bodies().view(0), sample.bodies());
        assert_eq!(gravity.energy(&body, &bodies, 0.0), Some(9810.0));
        assert_eq!(
            gravity.wrench(&body, &bodies, 0.0),
            Wrench::from_force(Vec3::new(0.0, 0.0, -98.100_000_000_000_01))
        );
    }

    #[test]
    fn infinite_acceleration_is_refused() {
        let refusal = UniformGravity::new(Vec3::new(0.0, f64::INFINITY, 0.0)).unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "field `uniform-gravity`: acceleration must be finite, got [0, inf, 0]"
        );
    }

    proptest! {
        #[test]
        fn the_wrench_is_minus_the_gradient_of_the_energy(sample in sample(2, 10.0), g in vector(20.0)) {
            assert_wrench_is_minus_gradient(&UniformGravity::new(g).unwrap(), &sample, 0.0, 1.0)?;
        }
    }
}
