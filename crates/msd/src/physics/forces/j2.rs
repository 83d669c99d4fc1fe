//! Oblateness: the J2 term of a planet's gravity, axis along world Z.
//!
//! With `r` from the centre, `z` its component along the axis and R the reference radius of the coefficient, per
//! kilogram:
//!
//! `Φ = mu J2 R² / (2 r³) · (3 z²/r² - 1)`,
//! `a = -∇Φ = -(3/2) mu J2 R² / r⁵ · [(1 - 5 z²/r²) r + 2 z ẑ]`.
//!
//! J2 > 0 is a flattened planet: above the equator the pull is stronger, above the poles weaker.
//! Source: Vallado, *Fundamentals of Astrodynamics and Applications*, section 8.7.

use serde::{Deserialize, Serialize};

use crate::digest::{Fingerprint, parameters};
use crate::math::Vec3;

/// Reference radius and coefficient of the J2 term.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Oblateness {
    /// Radius the coefficient refers to, m.
    pub radius: f64,
    /// Unnormalised coefficient, 1.082 626 68e-3 for Earth; dimensionless.
    pub j2: f64,
}

impl Fingerprint for Oblateness {
    parameters!("oblateness": radius, j2);
}

impl Oblateness {
    /// Potential per kilogram, J/kg, at `r` (m) from the centre of a planet with parameter `mu` (m³/s²).
    #[must_use]
    pub fn potential(&self, mu: f64, r: Vec3) -> f64 {
        let inverse = 1.0 / r.length();
        let sine = r.z * inverse;
        let ratio = self.radius * inverse;
        0.5 * mu * inverse * self.j2 * ratio * ratio * (3.0 * sine * sine - 1.0)
    }

    /// Acceleration, m/s², at `r` (m) from the centre.
    #[must_use]
    pub fn acceleration(&self, mu: f64, r: Vec3) -> Vec3 {
        let inverse = 1.0 / r.length();
        let up = r * inverse;
        let ratio = self.radius * inverse;
        let strength = 1.5 * mu * inverse * inverse * self.j2 * ratio * ratio;
        (up * (1.0 - 5.0 * up.z * up.z) + Vec3::Z * (2.0 * up.z)) * -strength
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flattened_planet_pulls_harder_at_the_equator_and_less_at_the_poles() {
        let earth = Oblateness { radius: 1.0, j2: 0.1 };
        assert!((earth.acceleration(1.0, Vec3::X * 2.0).x + 0.15 / 16.0).abs() < 1e-17);
        assert!((earth.acceleration(1.0, Vec3::Z * 2.0).z - 0.3 / 16.0).abs() < 1e-17);
    }
}
