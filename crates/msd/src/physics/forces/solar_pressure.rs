//! Pressure of sunlight on a sphere or a flat plate.
//!
//! At distance `d` from the Sun the momentum flux of light is `P = P₀ (au/d)²`, with `P₀ = 1361 W/m² / c`.
//! With `ŝ` towards the Sun:
//!
//! - cannonball: `F = -P C_r A ŝ` through the centre of mass; `C_r` is 1 for a body that absorbs, 2 for a
//!   mirror.
//! - plate with unit normal `n` on the lit side and `cos θ = n·ŝ > 0`, of whose light the part `ρ_s` is
//!   mirrored, `ρ_d` scattered evenly (Lambert) and the rest absorbed (Wertz, *Spacecraft Attitude
//!   Determination and Control*, 17.2): `F = -P A cos θ [(1 - ρ_s) ŝ + 2 (ρ_s cos θ + ρ_d/3) n]`, at the
//!   centre of the plate.
//!
//! Light carries energy in and out, so the field counts as external work even where it could have a
//! potential. A shadowing sphere scales everything by the part of the Sun that is visible. Singular at the
//! Sun.

use serde::{Deserialize, Serialize};

use super::field_error::Check;
use super::{ActsOn, Field, FieldClass, FieldError, PrescribedMotion, Shadow, Targets};
use crate::digest::{Fingerprint, Hasher, parameters};
use crate::math::{Coordinate, Vec3};
use crate::physics::rigid_body::{Bodies, BodyHandle, BodyView, Wrench};

const NAME: &str = "solar-pressure";

/// 1361 W/m² divided by the speed of light, N/m².
const PRESSURE_AT_1_AU: f64 = 1361.0 / 299_792_458.0;

/// Astronomical unit, m (IAU 2012).
const ASTRONOMICAL_UNIT: f64 = 149_597_870_700.0;

/// A flat surface fixed to a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plate {
    /// Its centre in the frame of the body, m.
    pub center: Coordinate,
    /// Unit normal in the frame of the body.
    pub normal: Vec3,
    /// m².
    pub area: f64,
    /// Part of the light that is mirrored, 0 to 1.
    pub specular: f64,
    /// Part that is scattered evenly, 0 to 1 - `specular`. The rest is absorbed.
    pub diffuse: f64,
    /// True for a sail or panel that light meets on either side; false for a face of a closed body, lit only from the
    /// side of its normal.
    pub is_two_sided: bool,
}

impl Fingerprint for Plate {
    parameters!("plate": center, normal, area, specular, diffuse, is_two_sided);
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Surface {
    Cannonball { area: f64, coefficient: f64 },
    Plate(Plate),
}

impl Fingerprint for Surface {
    fn fingerprint(&self, hasher: &mut Hasher) {
        match self {
            Self::Cannonball { area, coefficient } => {
                hasher.text("cannonball");
                area.fingerprint(hasher);
                coefficient.fingerprint(hasher);
            }
            Self::Plate(plate) => {
                hasher.text("plate");
                plate.fingerprint(hasher);
            }
        }
    }
}

/// Pressure of sunlight. Type name `solar-pressure`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SolarPressure {
    sun: PrescribedMotion,
    surface: Surface,
    shadow: Option<Shadow>,
    targets: Targets,
}

impl SolarPressure {
    /// On a sphere of cross-section `area` (m²) and pressure coefficient C_r (1 absorbs, 2 mirrors), Sun as given.
    ///
    /// # Errors
    /// If the area or the coefficient is negative, or anything is not finite.
    pub fn on_cannonball(sun: PrescribedMotion, area: f64, coefficient: f64) -> Result<Self, FieldError> {
        let check = Check(NAME);
        let area = check.not_negative("area", area)?;
        let coefficient = check.not_negative("pressure coefficient", coefficient)?;
        Self::on(sun, Surface::Cannonball { area, coefficient })
    }

    /// On a flat plate fixed to the body; several plates are several fields.
    ///
    /// # Errors
    /// If the normal is not a unit vector, the area is negative, the mirrored and scattered parts are not between 0
    /// and 1 together, or anything is not finite.
    pub fn on_plate(sun: PrescribedMotion, plate: Plate) -> Result<Self, FieldError> {
        let check = Check(NAME);
        check.finite_vector("centre of the plate", plate.center)?;
        check.not_negative("area", plate.area)?;
        check.fraction("specular part", plate.specular)?;
        check.fraction("diffuse part", plate.diffuse)?;
        check.fraction("sum of specular and diffuse part", plate.specular + plate.diffuse)?;
        let normal = check.direction("normal", plate.normal)?;
        Self::on(sun, Surface::Plate(Plate { normal, ..plate }))
    }

    fn on(sun: PrescribedMotion, surface: Surface) -> Result<Self, FieldError> {
        let sun = sun.checked(Check(NAME))?;
        Ok(Self { sun, surface, shadow: None, targets: Targets::Everything })
    }

    /// Adds a sphere that hides the Sun.
    ///
    /// # Errors
    /// If a radius is not positive or anything is not finite.
    pub fn with_shadow(mut self, shadow: Shadow) -> Result<Self, FieldError> {
        self.shadow = Some(shadow.checked(Check(NAME))?);
        Ok(self)
    }

    /// Acts on these bodies only.
    #[must_use]
    pub fn acting_on(mut self, bodies: &[BodyHandle]) -> Self {
        self.targets = Targets::bodies(bodies);
        self
    }

    /// Force on a plate per unit of pressure, m².
    fn plate_force(plate: &Plate, normal: Vec3, to_sun: Vec3) -> Vec3 {
        let mut cosine = normal.dot(to_sun);
        let mut outward = normal;
        if cosine < 0.0 {
            if !plate.is_two_sided {
                return Vec3::ZERO;
            }
            (cosine, outward) = (-cosine, -normal);
        }
        let along_normal = 2.0 * (plate.specular * cosine + plate.diffuse / 3.0);
        (to_sun * (1.0 - plate.specular) + outward * along_normal) * (-plate.area * cosine)
    }
}

impl Field for SolarPressure {
    fn type_name(&self) -> &'static str {
        NAME
    }

    parameters!("solar pressure": sun, surface, shadow, targets);

    fn class(&self) -> FieldClass {
        FieldClass::External
    }

    fn acts_on(&self) -> ActsOn<'_> {
        self.targets.acts_on()
    }

    fn couples_bodies(&self) -> bool {
        false
    }

    fn wrench(&self, body: &BodyView<'_>, _bodies: &Bodies<'_>, time: f64) -> Wrench {
        let position = body.state.center_of_mass;
        let sun = self.sun.position(time);
        let lit = self.shadow.map_or(1.0, |shadow| shadow.lit_fraction(position, sun));
        if lit == 0.0 {
            return Wrench::ZERO;
        }
        let distance = (sun - position).length();
        let to_sun = (sun - position) / distance;
        let dilution = ASTRONOMICAL_UNIT / distance;
        let pressure = lit * PRESSURE_AT_1_AU * dilution * dilution;
        match &self.surface {
            Surface::Cannonball { area, coefficient } => {
                Wrench::from_force(to_sun * (-pressure * area * coefficient))
            }
            Surface::Plate(plate) => {
                let force =
                    Self::plate_force(plate, body.direction_to_world(plate.normal), to_sun) * pressure;
                let arm = body.direction_to_world(plate.center - body.body.center_of_mass_local);
                Wrench::new(force, arm.cross(force))
            }
        }
    }

    fn energy(&self, _body: &BodyView<'_>, _bodies: &Bodies<'_>, _time: f64) -> Option<f64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::gradient_check::{Sample, direction, sample};
    use super::*;
    use proptest::prelude::*;

    const MIRROR: Plate = Plate {
        center: Vec3::ZERO,
        normal: Vec3::X,
        area: 2.0,
        specular: 1.0,
        diffuse: 0.0,
        is_two_sided: false,
    };

    fn sun() -> PrescribedMotion {
        PrescribedMotion::Fixed(Vec3::X * ASTRONOMICAL_UNIT)
    }

    #[test]
    fn a_mirror_takes_twice_the_push_of_a_black_plate_and_a_white_one_five_thirds() {
        let push = |specular, diffuse| {
            let plate = Plate { specular, diffuse, ..MIRROR };
            let force =
                Sample::of_mass(1.0).wrench(&SolarPressure::on_plate(sun(), plate).unwrap(), 0, 0.0).force;
            -force.x / (2.0 * PRESSURE_AT_1_AU)
        };
        assert!((push(0.0, 0.0) - 1.0).abs() < 1e-15);
        assert!((push(1.0, 0.0) - 2.0).abs() < 1e-15);
        assert!((push(0.0, 1.0) - 5.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn a_face_lit_from_behind_is_dark_and_a_sail_is_not() {
        let from_behind = Plate { normal: -Vec3::X, ..MIRROR };
        let sample = Sample::of_mass(1.0);
        let face = SolarPressure::on_plate(sun(), from_behind).unwrap();
        assert_eq!(sample.wrench(&face, 0, 0.0), Wrench::ZERO);
        let sail = SolarPressure::on_plate(sun(), Plate { is_two_sided: true, ..from_behind }).unwrap();
        let before = SolarPressure::on_plate(sun(), MIRROR).unwrap();
        assert_eq!(sample.wrench(&sail, 0, 0.0), sample.wrench(&before, 0, 0.0));
    }

    #[test]
    fn in_shadow_there_is_no_pressure_and_twice_as_far_a_quarter() {
        let shadow = Shadow { center: Vec3::ZERO, radius: 6.4e6, sun_radius: None };
        let ball = SolarPressure::on_cannonball(sun(), 3.0, 1.5).unwrap();
        let mut sample = Sample::of_mass(1.0);
        let near = sample.wrench(&ball, 0, 0.0).force;
        sample.states[0].center_of_mass.x = -ASTRONOMICAL_UNIT;
        let far = sample.wrench(&ball, 0, 0.0).force;
        assert_eq!(near.x, -4.5 * PRESSURE_AT_1_AU);
        assert_eq!(far * 4.0, near);
        sample.states[0].center_of_mass.x = -7e6;
        assert_eq!(sample.wrench(&ball.with_shadow(shadow).unwrap(), 0, 0.0), Wrench::ZERO);
    }

    #[test]
    fn a_plate_that_reflects_more_than_it_gets_is_refused() {
        let refusal =
            SolarPressure::on_plate(sun(), Plate { specular: 0.7, diffuse: 0.4, ..MIRROR }).unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "field `solar-pressure`: sum of specular and diffuse part must be between 0 and 1, got 1.1"
        );
    }

    proptest! {
        #[test]
        fn light_never_pulls_towards_the_sun_and_a_mirror_is_pushed_along_its_normal(
            sample in sample(1, 10.0), normal in direction(), specular in 0.0..1.0_f64
        ) {
            let plate = Plate { normal, specular, diffuse: 1.0 - specular, is_two_sided: true, ..MIRROR };
            let force = sample.wrench(&SolarPressure::on_plate(sun(), plate).unwrap(), 0, 0.0).force;
            prop_assert!(force.x <= 0.0);
            let mirror = Plate { specular: 1.0, diffuse: 0.0, ..plate };
            let force = sample.wrench(&SolarPressure::on_plate(sun(), mirror).unwrap(), 0, 0.0).force;
            let normal = sample.bodies().view(0).direction_to_world(normal);
            prop_assert!(force.cross(normal).length() < 1e-14 * force.length());
        }
    }
}
