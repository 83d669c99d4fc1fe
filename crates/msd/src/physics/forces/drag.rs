//! Quadratic drag in an atmosphere.
//!
//! `F = -½ ρ C_d A |v_r| v_r`, through the centre of mass, with `v_r` the velocity relative to the air. Still
//! air only dissipates: `F·v = -½ ρ C_d A |v|³`. Moving air (wind, or rotation with the planet about world Z)
//! can also push, so the field then counts as external work.
//!
//! `C_d A` (m²) is the property `drag-area` of the body, otherwise the drag area of the field; a body with
//! neither feels no drag. The property is the product of drag coefficient and reference area.

use serde::{Deserialize, Serialize};

use super::field_error::Check;
use super::{ActsOn, Atmosphere, Field, FieldClass, FieldError, Targets};
use crate::digest::parameters;
use crate::math::Vec3;
use crate::physics::rigid_body::{Bodies, BodyHandle, BodyView, RigidBody, Wrench};

const NAME: &str = "drag";

/// The property that gives a body its drag coefficient times area, m².
const PROPERTY: &str = "drag-area";

/// Quadratic drag. Scene type `drag`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drag {
    atmosphere: Atmosphere,
    drag_area: Option<f64>,
    wind: Vec3,
    turn_rate: f64,
    targets: Targets,
}

impl Drag {
    /// In still air, for bodies that have the property `drag-area`.
    ///
    /// # Errors
    /// If a density is negative, a scale height or radius is not positive, or anything is not finite.
    pub fn new(atmosphere: Atmosphere) -> Result<Self, FieldError> {
        Ok(Self {
            atmosphere: atmosphere.checked(Check(NAME))?,
            drag_area: None,
            wind: Vec3::ZERO,
            turn_rate: 0.0,
            targets: Targets::Everything,
        })
    }

    /// Drag coefficient times area (m²) of bodies that do not have the property.
    ///
    /// # Errors
    /// If it is negative or not finite.
    pub fn with_drag_area(mut self, drag_area: f64) -> Result<Self, FieldError> {
        self.drag_area = Some(Check(NAME).not_negative("drag area", drag_area)?);
        Ok(self)
    }

    /// Air that moves at this velocity everywhere, m/s, world frame.
    ///
    /// # Errors
    /// If it is not finite.
    pub fn with_wind(mut self, wind: Vec3) -> Result<Self, FieldError> {
        self.wind = Check(NAME).finite_vector("wind", wind)?;
        Ok(self)
    }

    /// Air that rotates about world Z (through the centre of a spherical atmosphere, else through the origin)
    /// at this rate, rad/s, wind on top of it.
    ///
    /// # Errors
    /// If it is not finite.
    pub fn corotating_with_planet(mut self, rate: f64) -> Result<Self, FieldError> {
        self.turn_rate = Check(NAME).finite("turn rate", rate)?;
        Ok(self)
    }

    /// Acts on these bodies only.
    #[must_use]
    pub fn acting_on(mut self, bodies: &[BodyHandle]) -> Self {
        self.targets = Targets::bodies(bodies);
        self
    }

    fn air_is_still(&self) -> bool {
        self.wind == Vec3::ZERO && self.turn_rate == 0.0
    }

    /// `C_d A` of a body, m².
    fn drag_area_of(&self, body: &BodyView<'_>) -> f64 {
        body.body.properties.scalar(PROPERTY).or(self.drag_area).unwrap_or(0.0)
    }
}

impl Field for Drag {
    fn type_name(&self) -> &'static str {
        NAME
    }

    parameters!("drag": atmosphere, drag_area, wind, turn_rate, targets);

    fn class(&self) -> FieldClass {
        if self.air_is_still() { FieldClass::Dissipative } else { FieldClass::External }
    }

    fn acts_on(&self) -> ActsOn<'_> {
        self.targets.acts_on()
    }

    fn couples_bodies(&self) -> bool {
        false
    }

    fn wrench(&self, body: &BodyView<'_>, _bodies: &Bodies<'_>, _time: f64) -> Wrench {
        let position = body.state.center_of_mass;
        let rotating = (Vec3::Z * self.turn_rate).cross(position - self.atmosphere.center());
        let relative = body.state.velocity - self.wind - rotating;
        let half_density = 0.5 * self.atmosphere.density(position);
        Wrench::from_force(relative * (-half_density * self.drag_area_of(body) * relative.length()))
    }

    fn energy(&self, _body: &BodyView<'_>, _bodies: &Bodies<'_>, _time: f64) -> Option<f64> {
        None
    }

    fn depends_on_velocity(&self) -> bool {
        true
    }

    fn check_body(&self, body: &RigidBody) -> Result<(), FieldError> {
        let is_usable = match body.properties.get(PROPERTY) {
            None => true,
            Some(_) => body.properties.scalar(PROPERTY).is_some_and(|area| area >= 0.0 && area.is_finite()),
        };
        if is_usable {
            return Ok(());
        }
        let limit = "a number, zero or positive: drag coefficient times area (m²)";
        Err(FieldError::Property { field: NAME, body: body.name.clone(), property: PROPERTY, limit })
    }
}

#[cfg(test)]
mod tests {
    use super::super::gradient_check::{Sample, sample, vector};
    use super::*;
    use crate::physics::rigid_body::PropertyValue;
    use proptest::prelude::*;

    const PLANET: Atmosphere = Atmosphere::Spherical {
        density: 1.225,
        scale_height: 7200.0,
        center: Vec3::ZERO,
        radius: 6_378_000.0,
    };

    #[test]
    fn a_body_carried_by_the_turning_air_feels_no_drag() {
        let rate = 7.292e-5;
        let field =
            Drag::new(PLANET).unwrap().with_drag_area(2.0).unwrap().corotating_with_planet(rate).unwrap();
        assert_eq!((field.class(), field.depends_on_velocity()), (FieldClass::External, true));
        let mut sample = Sample::of_mass(1.0);
        sample.states[0].center_of_mass = Vec3::new(6_378_000.0, 0.0, 0.0);
        sample.states[0].velocity = Vec3::new(0.0, rate * 6_378_000.0, 0.0);
        assert_eq!(sample.wrench(&field, 0, 0.0).force, Vec3::ZERO);
        // At rest it is blown along with ½ ρ C_d A v².
        let speed = sample.states[0].velocity.y;
        sample.states[0].velocity = Vec3::ZERO;
        let force = sample.wrench(&field, 0, 0.0).force;
        assert!((force.y / (1.225 * speed * speed) - 1.0).abs() < 1e-14 && sample.power(&field, 0.0) == 0.0);
    }

    #[test]
    fn no_depth_makes_the_density_overflow() {
        let flat = Atmosphere::Flat { density: 1.225, scale_height: 7200.0 };
        let deep = flat.density(Vec3::new(0.0, 0.0, -1e300));
        assert!(deep.is_finite() && flat.density(Vec3::new(0.0, 0.0, 1e300)) == 0.0);
        assert!(PLANET.density(Vec3::ZERO).is_finite());
    }

    #[test]
    fn a_negative_drag_area_is_refused_wherever_it_comes_from() {
        let field = Drag::new(PLANET).unwrap();
        assert!(field.clone().with_drag_area(-1.0).is_err());
        let mut sample = Sample::of_mass(1.0);
        assert!(field.check_body(&sample.rigid[0]).is_ok());
        sample.rigid[0].properties.set(PROPERTY, PropertyValue::Scalar(-1.0));
        assert!(field.check_body(&sample.rigid[0]).is_err());
        assert!(Drag::new(Atmosphere::Flat { density: 1.0, scale_height: 0.0 }).is_err());
    }

    proptest! {
        #[test]
        fn still_air_only_takes_energy_out(sample in sample(2, 1e4), area in 0.0..5.0_f64) {
            let flat = Atmosphere::Flat { density: 1.225, scale_height: 7200.0 };
            let field = Drag::new(flat).unwrap().with_drag_area(area).unwrap();
            prop_assert_eq!(field.class(), FieldClass::Dissipative);
            let expected = |slot: usize| {
                let state = sample.states[slot];
                -0.5 * flat.density(state.center_of_mass) * area * state.speed() * state.velocity.length_squared()
            };
            let power = sample.power(&field, 0.0);
            prop_assert!(power <= 0.0 && (power - expected(0) - expected(1)).abs() <= 1e-14 * power.abs());
        }

        #[test]
        fn drag_depends_on_the_velocity_relative_to_the_air_alone(sample in sample(1, 100.0), wind in vector(10.0)) {
            let air = Atmosphere::Uniform { density: 1.0 };
            let windy = Drag::new(air).unwrap().with_drag_area(1.0).unwrap().with_wind(wind).unwrap();
            let still = Drag::new(air).unwrap().with_drag_area(1.0).unwrap();
            let mut carried = sample.clone();
            carried.states[0].velocity -= wind;
            prop_assert_eq!(sample.wrench(&windy, 0, 0.0), carried.wrench(&still, 0, 0.0));
        }
    }
}
