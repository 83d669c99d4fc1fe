//! Perturbation by a third body, seen from a central body that itself falls towards it.
//!
//! The world frame moves with the central body (no rotation), so what a body feels is the perturber's pull on it less
//! its pull on the centre: with `r` from the centre to the body, `s` from the centre to the perturber and `d = r - s`,
//!
//! `a = -mu (d/d³ + s/s³)`, `V = -mu m (1/d - 1/s - r·s/s³)`.
//!
//! Both are small differences of large numbers. With `q = r·(r - 2s)/s²`, so that `d² = s² (1 + q)`, and `g = √(1+q)`,
//! Battin's form has none (*An Introduction to the Mathematics and Methods of Astrodynamics*, section 8.6):
//!
//! `a = -mu/d³ (r + f s)`, `f = g³ - 1 = q (3 + 3q + q²) / (1 + g³)`,
//!
//! and in the same way, with `c = r·s/s²` and `ρ² = r²/s²`,
//!
//! `1/d - 1/s - r·s/s³ = -[ρ² + c q (2 + g)/(1 + g)] / (s g (1 + g))`.
//!
//! To first order in r/s this is the tidal field: `V = -mu m/(2 s³) (3 (r·ŝ)² - r²)`, `a = mu/s³ (3 (r·ŝ) ŝ - r)`.
//!
//! If the perturber moves, V depends on time: `∂V/∂t = ∂V/∂s · ṡ`. For the exact form
//!
//! `∂V/∂s = -mu m/d³ [s (f + 3c + 3cf) - f r]`, `f + 3c = (3/2) ρ² + q (3q + q² - (3/2) f)/(1 + g³)`.
//!
//! The force acts through the centre of mass. Both forms are singular where perturber and centre coincide, the exact
//! one also at the perturber.

use serde::{Deserialize, Serialize};

use super::field_error::Check;
use super::{ActsOn, Field, FieldClass, FieldError, PrescribedMotion, Targets};
use crate::digest::{Fingerprint, Hasher, parameters};
use crate::math::{Coordinate, Vec3};
use crate::physics::rigid_body::{Bodies, BodyHandle, BodyView, Wrench};

const EXACT: &str = "third-body";
const TIDAL: &str = "tidal";

/// How far the perturbation is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Expansion {
    Exact,
    FirstOrder,
}

impl Fingerprint for Expansion {
    fn fingerprint(&self, hasher: &mut Hasher) {
        match self {
            Self::Exact => hasher.text("exact"),
            Self::FirstOrder => hasher.text("first order"),
        }
    }
}

/// Pull of a third body relative to its pull on the centre. Type name `third-body`, or `tidal` for the first order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ThirdBody {
    mu: f64,
    center: Coordinate,
    perturber: PrescribedMotion,
    expansion: Expansion,
    targets: Targets,
}

impl ThirdBody {
    /// The exact perturbation by a body with parameter `mu` (m³/s²) that moves as `perturber` (world frame), relative
    /// to the central body at `center` (m).
    ///
    /// # Errors
    /// If `mu` is not positive, the perturber is fixed at the centre, or anything is not finite.
    pub fn new(mu: f64, center: Coordinate, perturber: PrescribedMotion) -> Result<Self, FieldError> {
        Self::with_expansion(mu, center, perturber, Expansion::Exact)
    }

    /// The first order only: the tidal field, linear in the distance from the centre.
    ///
    /// # Errors
    /// As [`ThirdBody::new`].
    pub fn tidal(mu: f64, center: Coordinate, perturber: PrescribedMotion) -> Result<Self, FieldError> {
        Self::with_expansion(mu, center, perturber, Expansion::FirstOrder)
    }

    fn with_expansion(
        mu: f64,
        center: Coordinate,
        perturber: PrescribedMotion,
        expansion: Expansion,
    ) -> Result<Self, FieldError> {
        let field = name(expansion);
        let check = Check(field);
        let perturber = perturber.checked(check)?;
        if perturber.is_fixed() && perturber.position(0.0) == center {
            let problem = "the perturber is at the centre it is relative to; move it away";
            return Err(FieldError::Conflict { field, problem });
        }
        Ok(Self {
            mu: check.positive("mu", mu)?,
            center: check.finite_vector("center", center)?,
            perturber,
            expansion,
            targets: Targets::Everything,
        })
    }

    /// Acts on these bodies only.
    #[must_use]
    pub fn acting_on(mut self, bodies: &[BodyHandle]) -> Self {
        self.targets = Targets::bodies(bodies);
        self
    }

    fn geometry(&self, position: Coordinate, time: f64) -> Geometry {
        Geometry::new(position - self.center, self.perturber.position(time) - self.center)
    }
}

fn name(expansion: Expansion) -> &'static str {
    match expansion {
        Expansion::Exact => EXACT,
        Expansion::FirstOrder => TIDAL,
    }
}

/// The ratios of the derivation at the top of the file.
struct Geometry {
    r: Vec3,
    s: Vec3,
    inverse_s: f64,
    c: f64,
    rho_squared: f64,
    q: f64,
    g: f64,
    f: f64,
}

impl Geometry {
    fn new(r: Vec3, s: Vec3) -> Self {
        let inverse_s = 1.0 / s.length();
        // Scaled by s before squaring: no overflow, and q keeps every digit of r.
        let (r_scaled, s_unit) = (r * inverse_s, s * inverse_s);
        let c = r_scaled.dot(s_unit);
        let rho_squared = r_scaled.length_squared();
        let q = r_scaled.dot(r_scaled - s_unit * 2.0);
        let g = (r_scaled - s_unit).length();
        let f = q * (3.0 + q * (3.0 + q)) / (1.0 + g * g * g);
        Self { r, s, inverse_s, c, rho_squared, q, g, f }
    }

    /// 1/d³.
    fn inverse_distance_cubed(&self) -> f64 {
        let inverse = self.inverse_s / self.g;
        inverse * inverse * inverse
    }

    /// `a/mu`.
    fn exact_acceleration(&self) -> Vec3 {
        (self.r + self.s * self.f) * -self.inverse_distance_cubed()
    }

    /// `V/(mu m)`.
    fn exact_potential(&self) -> f64 {
        let one_g = 1.0 + self.g;
        let bracket = self.rho_squared + self.c * self.q * (2.0 + self.g) / one_g;
        bracket * self.inverse_s / (self.g * one_g)
    }

    /// `∂V/∂s / (mu m)`.
    fn exact_gradient_in_s(&self) -> Vec3 {
        let (q, f, c) = (self.q, self.f, self.c);
        let f_plus_3c =
            1.5 * self.rho_squared + q * (q * (3.0 + q) - 1.5 * f) / (1.0 + self.g * self.g * self.g);
        (self.r * f - self.s * (f_plus_3c + 3.0 * c * f)) * self.inverse_distance_cubed()
    }

    fn inverse_s_cubed(&self) -> f64 {
        self.inverse_s * self.inverse_s * self.inverse_s
    }

    fn tidal_acceleration(&self) -> Vec3 {
        (self.s * (3.0 * self.c) - self.r) * self.inverse_s_cubed()
    }

    fn tidal_potential(&self) -> f64 {
        -0.5 * self.inverse_s * (3.0 * self.c * self.c - self.rho_squared)
    }

    fn tidal_gradient_in_s(&self) -> Vec3 {
        let along = self.s * (7.5 * self.c * self.c - 1.5 * self.rho_squared);
        (along - self.r * (3.0 * self.c)) * self.inverse_s_cubed()
    }
}

impl Field for ThirdBody {
    fn type_name(&self) -> &'static str {
        name(self.expansion)
    }

    parameters!("third body": mu, center, perturber, expansion, targets);

    fn class(&self) -> FieldClass {
        if self.perturber.is_fixed() { FieldClass::Conservative } else { FieldClass::TimeDependent }
    }

    fn acts_on(&self) -> ActsOn<'_> {
        self.targets.acts_on()
    }

    fn couples_bodies(&self) -> bool {
        false
    }

    fn wrench(&self, body: &BodyView<'_>, _bodies: &Bodies<'_>, time: f64) -> Wrench {
        let geometry = self.geometry(body.state.center_of_mass, time);
        let acceleration = match self.expansion {
            Expansion::Exact => geometry.exact_acceleration(),
            Expansion::FirstOrder => geometry.tidal_acceleration(),
        };
        Wrench::from_force(acceleration * (self.mu * body.mass()))
    }

    fn energy(&self, body: &BodyView<'_>, _bodies: &Bodies<'_>, time: f64) -> Option<f64> {
        let geometry = self.geometry(body.state.center_of_mass, time);
        let potential = match self.expansion {
            Expansion::Exact => geometry.exact_potential(),
            Expansion::FirstOrder => geometry.tidal_potential(),
        };
        Some(potential * self.mu * body.mass())
    }

    fn power(&self, body: &BodyView<'_>, _bodies: &Bodies<'_>, time: f64) -> f64 {
        let geometry = self.geometry(body.state.center_of_mass, time);
        let gradient = match self.expansion {
            Expansion::Exact => geometry.exact_gradient_in_s(),
            Expansion::FirstOrder => geometry.tidal_gradient_in_s(),
        };
        gradient.dot(self.perturber.velocity(time)) * self.mu * body.mass()
    }

    fn is_proportional_to_mass(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::gradient_check::{
        assert_wrench_is_minus_gradient, derivative, direction, sample, vector,
    };
    use super::*;
    use proptest::prelude::*;

    type Make = fn(f64, Coordinate, PrescribedMotion) -> Result<ThirdBody, FieldError>;
    const BOTH: [Make; 2] = [ThirdBody::new, ThirdBody::tidal];

    #[test]
    fn no_digits_are_lost_close_to_the_centre() {
        // 1 m from the centre of Earth, a perturber at 1 au: r/s = 7e-12, where the textbook difference of two pulls
        // keeps four digits. The exact field is the tidal one times (1 + O(r/s)).
        let sun = PrescribedMotion::Fixed(Vec3::new(1.0, 2.0, -2.0) * 5e10);
        let sample = super::super::gradient_check::Sample::of_mass(1.0);
        let mut sample = sample;
        sample.states[0].center_of_mass = Vec3::new(0.3, -0.4, 0.5);
        let [exact, tidal] = BOTH.map(|make| make(1.327e20, Vec3::ZERO, sun.clone()).unwrap());
        let (a, b) = (sample.wrench(&exact, 0, 0.0).force, sample.wrench(&tidal, 0, 0.0).force);
        assert!((a - b).length() < 1e-10 * b.length());
        let (a, b) = (sample.energy(&exact, 0.0), sample.energy(&tidal, 0.0));
        assert!((a - b).abs() < 1e-10 * b.abs());
    }

    #[test]
    fn a_perturber_at_the_centre_is_refused() {
        let refusal = ThirdBody::new(1.0, Vec3::X, PrescribedMotion::Fixed(Vec3::X));
        assert!(matches!(refusal, Err(FieldError::Conflict { .. })));
        assert!(ThirdBody::tidal(-1.0, Vec3::X, PrescribedMotion::Fixed(Vec3::Y)).is_err());
        assert!(ThirdBody::tidal(1.0, Vec3::X, PrescribedMotion::Fixed(Vec3::NAN)).is_err());
    }

    proptest! {
        #[test]
        fn the_wrench_is_minus_the_gradient_of_the_energy(sample in sample(2, 3.0), towards in direction()) {
            for make in BOTH {
                let field = make(50.0, Vec3::X, PrescribedMotion::Fixed(towards * 12.0)).unwrap();
                assert_wrench_is_minus_gradient(&field, &sample, 0.0, 4.0)?;
            }
        }

        #[test]
        fn the_power_is_the_partial_derivative_of_the_energy_in_time(
            sample in sample(2, 3.0), arm in direction(), angular_velocity in vector(1.0), time in -5.0..5.0_f64
        ) {
            let circular = PrescribedMotion::Circular { center: Vec3::Y, arm: arm * 12.0, angular_velocity };
            let linear = PrescribedMotion::Linear { position: arm * 20.0, velocity: angular_velocity };
            for make in BOTH {
                for motion in [circular.clone(), linear.clone()] {
                    let field = make(50.0, Vec3::X, motion).unwrap();
                    prop_assert_eq!(field.class(), FieldClass::TimeDependent);
                    let rate = derivative(0.01, |h| sample.energy(&field, time + h));
                    // Rounding of the differences is relative to mu m r²/s³, about the mass in these units.
                    let mass = sample.inertias[0].mass() + sample.inertias[1].mass();
                    prop_assert!((sample.power(&field, time) - rate).abs() < 1e-8 * rate.abs() + 1e-11 * mass);
                }
            }
        }
    }
}
