//! A magnetic dipole carried by a body, in a uniform magnetic field or in that of a planet.
//!
//! `V = -m·B(x)`, with the moment `m` (A·m²) fixed to the body: rotating the body by δφ changes m by
//! `δφ × m`, so `τ = m × B`, and `F = ∇(m·B)`. The field of a dipole M at distance `r` from it, and the force
//! of it on m (Jackson, *Classical Electrodynamics*, sections 5.6 and 5.7):
//!
//! `B = k/r³ (3 (M·r̂) r̂ - M)`, `k = mu0/4π`,
//! `F = 3k/r⁴ [(M·r̂) m + (m·r̂) M + (m·M) r̂ - 5 (M·r̂)(m·r̂) r̂]`.
//!
//! A compass needle at rest points along B. Earth's M points south: 7.79e22 A·m² along -Z.
//!
//! A body's moment is its property `magnetic-dipole` (a vector in the body frame), else the moment the field
//! was given; a body with neither is not magnetic, and feels nothing. The field of a dipole is singular at
//! its centre.

use serde::{Deserialize, Serialize};

use super::field_error::Check;
use super::{ActsOn, Field, FieldClass, FieldError, Targets};
use crate::digest::{Fingerprint, Hasher, parameters};
use crate::math::{Coordinate, Vec3};
use crate::physics::rigid_body::{Bodies, BodyHandle, BodyView, RigidBody, Wrench};

const NAME: &str = "magnetic-dipole";

/// The property that gives a body its moment, A·m², body frame.
const PROPERTY: &str = "magnetic-dipole";

/// `mu0/4π`, T·m/A. Exact before 2019; the measured value differs by 1.3e-10 of it.
const PERMEABILITY_OVER_4_PI: f64 = 1e-7;

/// Where the magnetic field comes from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum MagneticSource {
    /// The same flux density everywhere, T, world frame.
    Uniform(Vec3),
    /// A dipole fixed in the world.
    Dipole {
        /// Where it is, m.
        center: Coordinate,
        /// A·m², world frame.
        moment: Vec3,
    },
}

impl Fingerprint for MagneticSource {
    fn fingerprint(&self, hasher: &mut Hasher) {
        match self {
            Self::Uniform(field) => {
                hasher.text("uniform");
                field.fingerprint(hasher);
            }
            Self::Dipole { center, moment } => {
                hasher.text("dipole");
                center.fingerprint(hasher);
                moment.fingerprint(hasher);
            }
        }
    }
}

impl MagneticSource {
    /// Flux density at a point of the world, T.
    #[must_use]
    pub fn flux_density(&self, point: Coordinate) -> Vec3 {
        match *self {
            Self::Uniform(flux_density) => flux_density,
            Self::Dipole { center, moment } => {
                let r = point - center;
                let inverse = 1.0 / r.length();
                let up = r * inverse;
                (up * (3.0 * moment.dot(up)) - moment)
                    * (PERMEABILITY_OVER_4_PI * inverse * inverse * inverse)
            }
        }
    }

    /// `∇(m·B)`, N, on a moment `m` (A·m², world frame) at a point.
    fn force_on(&self, m: Vec3, point: Coordinate) -> Vec3 {
        match *self {
            Self::Uniform(_) => Vec3::ZERO,
            Self::Dipole { center, moment } => {
                let r = point - center;
                let inverse = 1.0 / r.length();
                let up = r * inverse;
                let (source, own) = (moment.dot(up), m.dot(up));
                let bracket = m * source + moment * own + up * (m.dot(moment) - 5.0 * source * own);
                bracket * (3.0 * PERMEABILITY_OVER_4_PI * inverse * inverse * inverse * inverse)
            }
        }
    }
}

/// Torque and force on magnetic bodies. Scene type `magnetic-dipole`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MagneticDipole {
    source: MagneticSource,
    moment: Option<Vec3>,
    targets: Targets,
}

impl MagneticDipole {
    /// In the field of `source`, for bodies that have the property `magnetic-dipole`.
    ///
    /// # Errors
    /// If anything is not finite.
    pub fn new(source: MagneticSource) -> Result<Self, FieldError> {
        let check = Check(NAME);
        match source {
            MagneticSource::Uniform(flux_density) => {
                check.finite_vector("flux density", flux_density)?;
            }
            MagneticSource::Dipole { center, moment } => {
                check.finite_vector("center", center)?;
                check.finite_vector("moment of the source", moment)?;
            }
        }
        Ok(Self { source, moment: None, targets: Targets::Everything })
    }

    /// The moment (A·m², body frame) of bodies that do not have the property.
    ///
    /// # Errors
    /// If it is not finite.
    pub fn with_moment(mut self, moment_body: Vec3) -> Result<Self, FieldError> {
        self.moment = Some(Check(NAME).finite_vector("moment", moment_body)?);
        Ok(self)
    }

    /// Acts on these bodies only.
    #[must_use]
    pub fn acting_on(mut self, bodies: &[BodyHandle]) -> Self {
        self.targets = Targets::bodies(bodies);
        self
    }

    /// The body's moment in the world frame, A·m²; zero if it is not magnetic.
    fn moment_of(&self, body: &BodyView<'_>) -> Vec3 {
        let moment_body = body.body.properties.vector(PROPERTY).or(self.moment).unwrap_or(Vec3::ZERO);
        body.direction_to_world(moment_body)
    }
}

impl Field for MagneticDipole {
    fn type_name(&self) -> &'static str {
        NAME
    }

    parameters!("magnetic dipole": source, moment, targets);

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
        let moment = self.moment_of(body);
        if moment == Vec3::ZERO {
            return Wrench::ZERO;
        }
        let point = body.state.center_of_mass;
        Wrench::new(self.source.force_on(moment, point), moment.cross(self.source.flux_density(point)))
    }

    fn energy(&self, body: &BodyView<'_>, _bodies: &Bodies<'_>, _time: f64) -> Option<f64> {
        let moment = self.moment_of(body);
        if moment == Vec3::ZERO {
            return Some(0.0);
        }
        Some(-moment.dot(self.source.flux_density(body.state.center_of_mass)))
    }

    fn check_body(&self, body: &RigidBody) -> Result<(), FieldError> {
        let is_usable = match body.properties.get(PROPERTY) {
            None => true,
            Some(_) => body.properties.vector(PROPERTY).is_some_and(Vec3::is_finite),
        };
        if is_usable {
            return Ok(());
        }
        let limit = "a finite vector in the body frame (A·m²)";
        Err(FieldError::Property { field: NAME, body: body.name.clone(), property: PROPERTY, limit })
    }
}

#[cfg(test)]
mod tests {
    use super::super::gradient_check::{Sample, assert_wrench_is_minus_gradient, sample, vector};
    use super::*;
    use crate::math::scalar;
    use crate::physics::rigid_body::PropertyValue;
    use proptest::prelude::*;

    #[test]
    fn a_body_without_a_moment_feels_nothing_even_at_the_centre() {
        let field =
            MagneticDipole::new(MagneticSource::Dipole { center: Vec3::ZERO, moment: Vec3::Z }).unwrap();
        let sample = Sample::of_mass(1.0);
        assert_eq!(sample.wrench(&field, 0, 0.0), Wrench::ZERO);
        assert_eq!(sample.energy(&field, 0.0), 0.0);
    }

    #[test]
    fn the_property_of_a_body_comes_before_the_moment_of_the_field_and_must_be_a_vector() {
        let field =
            MagneticDipole::new(MagneticSource::Uniform(Vec3::Z)).unwrap().with_moment(Vec3::X).unwrap();
        let mut sample = Sample::of_mass(1.0);
        assert_eq!(sample.wrench(&field, 0, 0.0).torque, -Vec3::Y);
        sample.rigid[0].properties.set(PROPERTY, PropertyValue::Vector(Vec3::Y * 2.0));
        assert_eq!(sample.wrench(&field, 0, 0.0).torque, Vec3::X * 2.0);
        assert!(field.check_body(&sample.rigid[0]).is_ok());
        sample.rigid[0].properties.set(PROPERTY, PropertyValue::Scalar(2.0));
        assert_eq!(
            field.check_body(&sample.rigid[0]).unwrap_err().to_string(),
            "field `magnetic-dipole` on body `body`: property `magnetic-dipole` must be a finite vector in the body \
             frame (A·m²)"
        );
    }

    proptest! {
        #[test]
        fn the_wrench_is_minus_the_gradient_of_the_energy(
            sample in sample(2, 10.0), source in vector(5.0), own in vector(5.0)
        ) {
            let distance = |slot: usize| sample.states[slot].center_of_mass.length();
            let nearest = scalar::min(distance(0), distance(1));
            prop_assume!(nearest > 1.0);
            let dipole = MagneticSource::Dipole { center: Vec3::ZERO, moment: source * 1e7 };
            for source in [MagneticSource::Uniform(source), dipole] {
                let field = MagneticDipole::new(source).unwrap().with_moment(own).unwrap();
                assert_wrench_is_minus_gradient(&field, &sample, 0.0, nearest)?;
            }
        }

        #[test]
        fn the_source_feels_the_opposite_wrench(sample in sample(1, 10.0), source in vector(5.0), own in vector(5.0)) {
            // Seen from the other side: the body's moment as source, the planet's as the body at the origin.
            let r = sample.states[0].center_of_mass;
            prop_assume!(r.length() > 1.0);
            let planet = MagneticSource::Dipole { center: Vec3::ZERO, moment: source };
            let body = MagneticSource::Dipole { center: r, moment: own };
            let (on_body, on_planet) = (planet.force_on(own, r), body.force_on(source, Vec3::ZERO));
            prop_assert!((on_body + on_planet).length() < 1e-14 * (on_body.length() + 1e-9));
            let torques = own.cross(planet.flux_density(r)) + source.cross(body.flux_density(Vec3::ZERO));
            prop_assert!((torques + r.cross(on_body)).length() < 1e-14 * own.length() * source.length() * 1e-6);
        }
    }
}
