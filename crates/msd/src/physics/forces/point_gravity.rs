//! Gravity of a planet seen as a point, optionally flattened, optionally felt along the whole body.
//!
//! With `r` from the attracting centre to the centre of mass:
//!
//! `V = -mu m / r`, `F = -mu m r / r³`;
//!
//! with oblateness, the J2 term of [`super::Oblateness`] (axis along world Z) times the mass; with the gravity
//! gradient, the second-order term of [`super::gravity_gradient`], force and torque together, so that energy closes.
//!
//! The field is singular at the centre: a body exactly there feels no finite force, and the step fails, naming it.

use serde::{Deserialize, Serialize};

use super::field_error::Check;
use super::{ActsOn, ClosedForm, Field, FieldClass, FieldError, Oblateness, Targets, gravity_gradient};
use crate::digest::parameters;
use crate::math::{Coordinate, Vec3};
use crate::physics::rigid_body::{Bodies, BodyHandle, BodyView, Wrench};

const NAME: &str = "point-gravity";

/// Attraction to a fixed centre. Scene type `point-gravity`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointGravity {
    mu: f64,
    center: Coordinate,
    oblateness: Option<Oblateness>,
    gravity_gradient: bool,
    targets: Targets,
}

impl PointGravity {
    /// A point mass with gravitational parameter `mu` (m³/s²; 3.986 004 418e14 for Earth) at `center` (world, m).
    ///
    /// # Errors
    /// If `mu` is not positive or anything is not finite.
    pub fn new(mu: f64, center: Coordinate) -> Result<Self, FieldError> {
        let check = Check(NAME);
        Ok(Self {
            mu: check.positive("mu", mu)?,
            center: check.finite_vector("center", center)?,
            oblateness: None,
            gravity_gradient: false,
            targets: Targets::Everything,
        })
    }

    /// Adds the J2 term of a planet turning about world Z. A prolate one has a negative `j2`.
    ///
    /// # Errors
    /// If the reference radius (m) is not positive or anything is not finite.
    pub fn with_oblateness(mut self, radius: f64, j2: f64) -> Result<Self, FieldError> {
        let check = Check(NAME);
        self.oblateness =
            Some(Oblateness { radius: check.positive("radius", radius)?, j2: check.finite("j2", j2)? });
        Ok(self)
    }

    /// Adds the gravity-gradient torque and the force that belongs to it.
    #[must_use]
    pub fn with_gravity_gradient(mut self) -> Self {
        self.gravity_gradient = true;
        self
    }

    /// Acts on these bodies only.
    #[must_use]
    pub fn acting_on(mut self, bodies: &[BodyHandle]) -> Self {
        self.targets = Targets::bodies(bodies);
        self
    }

    /// Gravitational parameter, m³/s².
    #[must_use]
    pub fn mu(&self) -> f64 {
        self.mu
    }

    /// Attracting centre, world frame, m.
    #[must_use]
    pub fn center(&self) -> Coordinate {
        self.center
    }

    /// Acceleration of a point at `r` from the centre, m/s².
    fn acceleration(&self, r: Vec3) -> Vec3 {
        let inverse = 1.0 / r.length();
        let central = r * inverse * (-self.mu * inverse * inverse);
        self.oblateness.map_or(central, |oblateness| central + oblateness.acceleration(self.mu, r))
    }

    /// Potential of a point at `r` from the centre, J/kg.
    fn potential(&self, r: Vec3) -> f64 {
        let central = -self.mu / r.length();
        self.oblateness.map_or(central, |oblateness| central + oblateness.potential(self.mu, r))
    }
}

impl Field for PointGravity {
    fn type_name(&self) -> &'static str {
        NAME
    }

    parameters!("point gravity": mu, center, oblateness, gravity_gradient, targets);

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
        let r = body.state.center_of_mass - self.center;
        let central = Wrench::from_force(self.acceleration(r) * body.mass());
        if !self.gravity_gradient {
            return central;
        }
        central + gravity_gradient::wrench(self.mu, r, &body.inertia.tensor_world(&body.rotation()))
    }

    fn energy(&self, body: &BodyView<'_>, _bodies: &Bodies<'_>, _time: f64) -> Option<f64> {
        let r = body.state.center_of_mass - self.center;
        let central = self.potential(r) * body.mass();
        if !self.gravity_gradient {
            return Some(central);
        }
        let inertia = body.inertia.tensor_world(&body.rotation());
        Some(central + gravity_gradient::potential(self.mu, r, &inertia))
    }

    fn is_proportional_to_mass(&self) -> bool {
        true
    }

    fn closed_form(&self) -> ClosedForm {
        if self.oblateness.is_some() || self.gravity_gradient {
            ClosedForm::Unknown
        } else {
            ClosedForm::PointMass { mu: self.mu, center: self.center }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::gradient_check::{Sample, assert_wrench_is_minus_gradient, sample, vector};
    use super::*;
    use crate::math::scalar;
    use proptest::prelude::*;

    fn nearest(sample: &Sample, center: Vec3) -> f64 {
        sample.states.iter().map(|s| (s.center_of_mass - center).length()).fold(f64::INFINITY, scalar::min)
    }

    #[test]
    fn only_a_pure_point_mass_flies_a_kepler_arc() {
        let point = PointGravity::new(2.0, Vec3::X).unwrap();
        assert_eq!(point.closed_form(), ClosedForm::PointMass { mu: 2.0, center: Vec3::X });
        let flattened = point.clone().with_oblateness(1.0, 1e-3).unwrap();
        assert_eq!(flattened.closed_form(), ClosedForm::Unknown);
        assert_eq!(point.with_gravity_gradient().closed_form(), ClosedForm::Unknown);
    }

    #[test]
    fn a_repelling_centre_or_an_empty_planet_is_refused() {
        assert!(PointGravity::new(-1.0, Vec3::ZERO).is_err());
        assert!(PointGravity::new(1.0, Vec3::NAN).is_err());
        let refusal = PointGravity::new(1.0, Vec3::ZERO).unwrap().with_oblateness(0.0, 1e-3).unwrap_err();
        assert_eq!(refusal.to_string(), "field `point-gravity`: radius must be positive and finite, got 0");
    }

    proptest! {
        #[test]
        fn the_wrench_is_minus_the_gradient_of_the_energy(
            sample in sample(2, 10.0), center in vector(1.0), gradient in any::<bool>(), j2 in -0.1..0.1_f64
        ) {
            let nearest = nearest(&sample, center);
            prop_assume!(nearest > 2.0);
            let mut field = PointGravity::new(50.0, center).unwrap().with_oblateness(1.5, j2).unwrap();
            if gradient {
                field = field.with_gravity_gradient();
            }
            assert_wrench_is_minus_gradient(&field, &sample, 0.0, nearest)?;
        }

        #[test]
        fn gravity_of_earth_is_minus_the_gradient_of_the_energy(sample in sample(1, 2e7)) {
            let nearest = nearest(&sample, Vec3::ZERO);
            prop_assume!(nearest > 6.4e6);
            let field = PointGravity::new(3.986e14, Vec3::ZERO).unwrap().with_oblateness(6378137.0, 1.08e-3).unwrap();
            assert_wrench_is_minus_gradient(&field, &sample, 0.0, nearest)?;
        }
    }
}
