//! Gravity of a planet of any shape: spherical harmonics, fixed in space or rotating with the planet.
//!
//! `V = m Φ(R_z(-θ) (x - center))` and `F = m R_z(θ) a(…)`, with Φ and a those of
//! [`super::HarmonicCoefficients`] (the central term included) and `θ = θ₀ + Ω t` the angle of the planet
//! about world Z.
//!
//! A rotating planet that is not symmetric about its axis pumps energy: rotating the planet forward equals
//! rotating the body back, so `∂V/∂t = Ω ẑ·(r × F)`. Only orders of 1 and more contribute, and only they are
//! summed for it: the pull of the centre would leave its rounding error in a quantity a million times
//! smaller.
//!
//! The force acts through the centre of mass; add a [`super::GravityGradient`] for its torque. Singular at
//! the centre, and meant for outside the reference radius, where the series converges.

use serde::{Deserialize, Serialize};

use super::field_error::Check;
use super::{ActsOn, ClosedForm, Field, FieldClass, FieldError, HarmonicCoefficients, Targets};
use crate::digest::parameters;
use crate::math::{Coordinate, Vec3, scalar};
use crate::physics::rigid_body::{Bodies, BodyHandle, BodyView, Wrench};

const NAME: &str = "geopotential";

/// Gravity by spherical harmonics, axis along world Z. Type name `geopotential`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Geopotential {
    mu: f64,
    radius: f64,
    coefficients: HarmonicCoefficients,
    center: Coordinate,
    angle: f64,
    rate: f64,
    targets: Targets,
}

impl Geopotential {
    /// Degree of its coefficients.
    pub(super) fn degree(&self) -> usize {
        self.coefficients.degree()
    }

    /// A planet with gravitational parameter `mu` (m³/s²) whose coefficients refer to `radius` (m), at
    /// `center` (m), not rotating.
    ///
    /// # Errors
    /// If `mu` or the radius is not positive, or anything is not finite.
    pub fn new(
        mu: f64,
        radius: f64,
        center: Coordinate,
        coefficients: HarmonicCoefficients,
    ) -> Result<Self, FieldError> {
        let check = Check(NAME);
        Ok(Self {
            mu: check.positive("mu", mu)?,
            radius: check.positive("radius", radius)?,
            coefficients,
            center: check.finite_vector("center", center)?,
            angle: 0.0,
            rate: 0.0,
            targets: Targets::Everything,
        })
    }

    /// Rotating about world Z: its prime meridian at `angle` (rad) from world X at time zero, at `rate`
    /// (rad/s; 7.292 115e-5 for Earth).
    ///
    /// # Errors
    /// If either is not finite.
    pub fn rotating(mut self, angle: f64, rate: f64) -> Result<Self, FieldError> {
        self.angle = Check(NAME).finite("angle", angle)?;
        self.rate = Check(NAME).finite("rate", rate)?;
        Ok(self)
    }

    /// Acts on these bodies only.
    #[must_use]
    pub fn acting_on(mut self, bodies: &[BodyHandle]) -> Self {
        self.targets = Targets::bodies(bodies);
        self
    }

    /// Position in planet-fixed axes in units of the reference radius, with sine and cosine of the planet's angle.
    fn planet_fixed(&self, position: Coordinate, time: f64) -> (Vec3, f64, f64) {
        let (sine, cosine) = scalar::sin_cos(self.angle + self.rate * time);
        let r = (position - self.center) / self.radius;
        (Vec3::new(cosine * r.x + sine * r.y, cosine * r.y - sine * r.x, r.z), sine, cosine)
    }

    /// m/s², world frame.
    fn acceleration(&self, position: Coordinate, time: f64) -> Vec3 {
        let (r, sine, cosine) = self.planet_fixed(position, time);
        let a = self.coefficients.acceleration(r) * (self.mu / (self.radius * self.radius));
        Vec3::new(cosine * a.x - sine * a.y, cosine * a.y + sine * a.x, a.z)
    }
}

impl Field for Geopotential {
    fn type_name(&self) -> &'static str {
        NAME
    }

    parameters!("geopotential": mu, radius, coefficients, center, angle, rate, targets);

    fn class(&self) -> FieldClass {
        if self.rate != 0.0 && self.coefficients.has_tesserals() {
            FieldClass::TimeDependent
        } else {
            FieldClass::Conservative
        }
    }

    fn acts_on(&self) -> ActsOn<'_> {
        self.targets.acts_on()
    }

    fn couples_bodies(&self) -> bool {
        false
    }

    fn wrench(&self, body: &BodyView<'_>, _bodies: &Bodies<'_>, time: f64) -> Wrench {
        Wrench::from_force(self.acceleration(body.state.center_of_mass, time) * body.mass())
    }

    fn energy(&self, body: &BodyView<'_>, _bodies: &Bodies<'_>, time: f64) -> Option<f64> {
        let (r, ..) = self.planet_fixed(body.state.center_of_mass, time);
        Some(self.coefficients.potential(r) * (self.mu / self.radius) * body.mass())
    }

    fn power(&self, body: &BodyView<'_>, _bodies: &Bodies<'_>, time: f64) -> f64 {
        if self.class() == FieldClass::Conservative {
            return 0.0;
        }
        // ẑ·(r × a) is the same in planet-fixed axes.
        let (r, ..) = self.planet_fixed(body.state.center_of_mass, time);
        let a = self.coefficients.tesserals().acceleration(r);
        (r.x * a.y - r.y * a.x) * self.rate * (self.mu / self.radius) * body.mass()
    }

    fn is_proportional_to_mass(&self) -> bool {
        true
    }

    fn closed_form(&self) -> ClosedForm {
        if self.coefficients == HarmonicCoefficients::new() {
            ClosedForm::PointMass { mu: self.mu, center: self.center }
        } else {
            ClosedForm::Unknown
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::PointGravity;
    use super::super::gradient_check::{
        Sample, assert_wrench_is_minus_gradient, derivative, direction, sample, vector,
    };
    use super::*;
    use proptest::prelude::*;

    const MU: f64 = 3.986_004_418e14;
    const RADIUS: f64 = 6_378_137.0;

    /// Every coefficient to degree and order 8, from a sequence of arbitrary small numbers.
    fn lumpy() -> HarmonicCoefficients {
        let mut coefficients = HarmonicCoefficients::new();
        let mut seed = 0.3;
        let mut next = || {
            seed = 3.9 * seed * (1.0 - seed);
            (seed - 0.5) * 1e-2
        };
        for n in 1..=8 {
            for m in 0..=n {
                let s = if m == 0 { 0.0 } else { next() };
                coefficients = coefficients.with_normalized(n, m, next(), s).unwrap();
            }
        }
        coefficients
    }

    fn at(position: Vec3) -> Sample {
        let mut sample = Sample::of_mass(1.0);
        sample.states[0].center_of_mass = position;
        sample
    }

    #[test]
    fn a_planet_that_is_round_about_its_axis_turns_without_pumping_energy() {
        let zonal = HarmonicCoefficients::new().with_zonal(2, 1e-3).unwrap();
        let earth = Geopotential::new(MU, RADIUS, Vec3::ZERO, zonal).unwrap().rotating(0.0, 7.29e-5).unwrap();
        assert_eq!(earth.class(), FieldClass::Conservative);
        let point = Geopotential::new(MU, RADIUS, Vec3::X, HarmonicCoefficients::new()).unwrap();
        assert_eq!(point.closed_form(), ClosedForm::PointMass { mu: MU, center: Vec3::X });
    }

    #[test]
    fn the_poles_are_points_like_any_other() {
        let planet = Geopotential::new(MU, RADIUS, Vec3::ZERO, lumpy()).unwrap();
        for z in [7e6, -7e6] {
            let pole = at(Vec3::new(0.0, 0.0, z)).wrench(&planet, 0, 0.0).force;
            assert!(pole.is_finite());
            // One millimetre from the pole, on every side, the force is the same to the gradient of gravity.
            for side in [Vec3::X, Vec3::Y, -Vec3::X, -Vec3::Y] {
                let beside = at(Vec3::new(0.0, 0.0, z) + side * 1e-3).wrench(&planet, 0, 0.0).force;
                assert!((beside - pole).length() < 1e-8);
            }
        }
    }

    proptest! {
        #[test]
        fn degree_two_order_zero_is_the_j2_term(towards in direction(), distance in 6.5e6..5e7_f64) {
            let zonal = HarmonicCoefficients::new().with_zonal(2, 1.082_626_68e-3).unwrap();
            let harmonic = Geopotential::new(MU, RADIUS, Vec3::Y, zonal).unwrap();
            let closed = PointGravity::new(MU, Vec3::Y).unwrap().with_oblateness(RADIUS, 1.082_626_68e-3).unwrap();
            let sample = at(towards * distance);
            let (a, b) = (sample.wrench(&harmonic, 0, 0.0).force, sample.wrench(&closed, 0, 0.0).force);
            prop_assert!((a - b).length() < 1e-14 * b.length());
            let (a, b) = (sample.energy(&harmonic, 0.0), sample.energy(&closed, 0.0));
            prop_assert!((a - b).abs() < 1e-14 * b.abs());
        }

        #[test]
        fn the_wrench_is_minus_the_gradient_of_the_energy(
            sample in sample(2, 6.0), center in vector(1.0), angle in -3.0..3.0_f64, time in -10.0..10.0_f64
        ) {
            let distance = |slot: usize| (sample.states[slot].center_of_mass - center).length();
            let nearest = scalar::min(distance(0), distance(1));
            prop_assume!(nearest > 2.0);
            let planet = Geopotential::new(50.0, 1.5, center, lumpy()).unwrap().rotating(angle, 0.3).unwrap();
            // Degree 8 falls as r⁻⁹: differences over a third of the usual step.
            assert_wrench_is_minus_gradient(&planet, &sample, time, nearest / 3.0)?;
        }

        #[test]
        fn the_power_is_the_partial_derivative_of_the_energy_in_time(
            sample in sample(2, 6.0), angle in -3.0..3.0_f64, time in -10.0..10.0_f64
        ) {
            let distance = |slot: usize| sample.states[slot].center_of_mass.length();
            prop_assume!(scalar::min(distance(0), distance(1)) > 2.0);
            let planet = Geopotential::new(50.0, 1.5, Vec3::ZERO, lumpy()).unwrap().rotating(angle, 0.3).unwrap();
            prop_assert_eq!(planet.class(), FieldClass::TimeDependent);
            let rate = derivative(0.05, |h| sample.energy(&planet, time + h));
            let energy = sample.energy(&planet, time).abs();
            prop_assert!((sample.power(&planet, time) - rate).abs() < 1e-8 * rate.abs() + 1e-11 * energy);
        }
    }
}
