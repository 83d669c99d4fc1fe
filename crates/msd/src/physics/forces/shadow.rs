//! The shadow of a sphere: how much of the Sun a point sees.
//!
//! Cylindrical: the Sun is infinitely far, the shadow a cylinder behind the sphere with a sharp edge.
//!
//! Conical: the Sun is a disc of apparent radius `a = asin(R_sun/d_sun)`, the sphere one of `b = asin(R/d)`,
//! their centres `c` apart. The part of the Sun that is covered is the overlap of two circles (Montenbruck &
//! Gill, *Satellite Orbits*, section 3.4.2), which is continuous from full sun through penumbra to umbra; the
//! discs are treated as flat.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::FieldError;
use super::field_error::Check;
use crate::digest::{Fingerprint, parameters};
use crate::math::{Coordinate, scalar};

/// A sphere that hides the Sun.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shadow {
    /// Centre of the sphere, world frame, m.
    pub center: Coordinate,
    /// Radius of the sphere, m.
    pub radius: f64,
    /// Radius of the Sun for a shadow with penumbra, m (6.957e8); `None` for a cylinder with a sharp edge.
    pub sun_radius: Option<f64>,
}

impl Fingerprint for Shadow {
    parameters!("shadow": center, radius, sun_radius);
}

impl Shadow {
    /// The part of the Sun's disc that is visible from `point` with the Sun at `sun`, 0 to 1. Inside the sphere it is
    /// dark.
    #[must_use]
    pub fn lit_fraction(&self, point: Coordinate, sun: Coordinate) -> f64 {
        let to_center = self.center - point;
        let to_sun = sun - point;
        let distance = to_center.length();
        if distance <= self.radius {
            return 0.0;
        }
        match self.sun_radius {
            None => {
                let towards_sun = (sun - self.center).normalize();
                let is_behind = to_center.dot(towards_sun) > 0.0;
                let off_axis = to_center.cross(towards_sun).length();
                if is_behind && off_axis < self.radius { 0.0 } else { 1.0 }
            }
            Some(sun_radius) => {
                let sun_disc = scalar::asin(scalar::min(1.0, sun_radius / to_sun.length()));
                let sphere_disc = scalar::asin(self.radius / distance);
                let apart = scalar::atan2(to_sun.cross(to_center).length(), to_sun.dot(to_center));
                1.0 - covered_fraction(sun_disc, sphere_disc, apart)
            }
        }
    }

    pub(super) fn checked(self, check: Check) -> Result<Self, FieldError> {
        check.finite_vector("centre of the shadowing sphere", self.center)?;
        check.positive("radius of the shadowing sphere", self.radius)?;
        if let Some(sun_radius) = self.sun_radius {
            check.positive("radius of the Sun", sun_radius)?;
        }
        Ok(self)
    }
}

/// The part of a disc of radius `a` that one of radius `b` covers, their centres `c` apart; any common unit.
fn covered_fraction(a: f64, b: f64, c: f64) -> f64 {
    if c >= a + b {
        return 0.0;
    }
    if c <= b - a {
        return 1.0;
    }
    if c <= a - b {
        return (b / a) * (b / a);
    }
    // Two circular segments meet at the chord, `x` from the centre of the first disc.
    let x = (c * c + a * a - b * b) / (2.0 * c);
    let half_chord = scalar::max(0.0, a * a - x * x).sqrt();
    let angle = |cosine: f64| scalar::acos(scalar::clamp(cosine, -1.0, 1.0));
    let overlap = a * a * angle(x / a) + b * b * angle((c - x) / b) - c * half_chord;
    scalar::clamp(overlap / (PI * a * a), 0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;

    const AU: f64 = 149_597_870_700.0;
    const EARTH: f64 = 6_378_137.0;

    fn conical() -> Shadow {
        Shadow { center: Vec3::ZERO, radius: EARTH, sun_radius: Some(6.957e8) }
    }

    #[test]
    fn discs_overlap_as_circles_do() {
        // Equal circles one radius apart share (2π/3 - √3/2) a².
        let expected = (2.0 * PI / 3.0 - 3.0_f64.sqrt() / 2.0) / PI;
        assert!((covered_fraction(2.0, 2.0, 2.0) - expected).abs() < 1e-15);
        assert_eq!(covered_fraction(1.0, 0.5, 0.2), 0.25, "annular");
        assert_eq!(covered_fraction(1.0, 2.0, 0.9), 1.0);
        assert_eq!(covered_fraction(1.0, 2.0, 3.0), 0.0);
    }

    #[test]
    fn both_shadows_are_dark_behind_the_planet_and_light_before_it() {
        let sun = Vec3::X * AU;
        for shadow in [conical(), Shadow { sun_radius: None, ..conical() }] {
            assert_eq!(shadow.lit_fraction(Vec3::X * -7e6, sun), 0.0);
            assert_eq!(shadow.lit_fraction(Vec3::X * 7e6, sun), 1.0);
            assert_eq!(shadow.lit_fraction(Vec3::new(-7e6, 7e6, 0.0), sun), 1.0);
            assert_eq!(shadow.lit_fraction(Vec3::X * 6e6, sun), 0.0, "inside the planet");
        }
    }

    #[test]
    fn the_penumbra_is_continuous_and_half_lit_near_the_cylinder() {
        let sun = Vec3::X * AU;
        let lit = |y: f64| conical().lit_fraction(Vec3::new(-2e7, y, 0.0), sun);
        // At 20 000 km the Sun's disc spans 2 · 4.65e-3 rad · 2e7 m = 186 km across the edge.
        assert!((lit(EARTH) - 0.5).abs() < 0.01);
        assert_eq!((lit(EARTH - 1.0e5), lit(EARTH + 1.0e5)), (0.0, 1.0));
        let mut last = 0.0;
        for step in 0..=400 {
            let now = lit(EARTH - 1e5 + 500.0 * f64::from(step));
            assert!(now >= last && now - last < 4e-3, "a jump from {last} to {now}");
            last = now;
        }
    }

    #[test]
    fn beyond_the_umbra_the_eclipse_is_annular() {
        let lit = conical().lit_fraction(Vec3::X * -2.5e9, Vec3::X * AU);
        let ratio = (EARTH / 2.5e9) / (6.957e8 / (AU + 2.5e9));
        assert!((lit - (1.0 - ratio * ratio)).abs() < 1e-4);
    }
}
