//! Spherical harmonics of a planet's gravity to degree and order 8, by a recursion with no singularity at the poles.
//!
//! Per kilogram, in axes fixed to the planet, with reference radius R:
//!
//! `Φ = -(mu/R) Σ_n Σ_m (C_nm V_nm + S_nm W_nm)`, `V_nm = (R/r)ⁿ⁺¹ P_nm(sin φ) cos mλ`, `W_nm` the same with `sin mλ`.
//!
//! V and W follow in Cartesian coordinates alone (Cunningham 1970; Montenbruck & Gill, *Satellite Orbits*, section
//! 3.2.4), from `V_00 = R/r`, `W_00 = 0`:
//!
//! `V_mm = (2m-1) (xR/r² V_m-1,m-1 - yR/r² W_m-1,m-1)`, `W_mm = (2m-1) (xR/r² W_m-1,m-1 + yR/r² V_m-1,m-1)`,
//! `V_nm = [(2n-1) zR/r² V_n-1,m - (n+m-1) R²/r² V_n-2,m] / (n-m)`, the same for W.
//!
//! The derivatives of degree n are harmonics of degree n+1 (section 3.2.5 there).
//!
//! Coefficients are unnormalised inside: `C_n0 = -J_n`. Normalised ones are `C̄ = C / N` with
//! `N² = (2 - δ_0m) (2n+1) (n-m)!/(n+m)!`.

use serde::{Deserialize, Serialize};

use super::FieldError;
use crate::digest::{Fingerprint, parameters};
use crate::math::Vec3;

const NAME: &str = "geopotential";

/// Highest degree and order.
pub const MAX_DEGREE: usize = 8;

const SIZE: usize = MAX_DEGREE + 2;

/// Coefficients of a planet's gravity; `C_00 = 1` always, all others zero until set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HarmonicCoefficients {
    c: [[f64; MAX_DEGREE + 1]; MAX_DEGREE + 1],
    s: [[f64; MAX_DEGREE + 1]; MAX_DEGREE + 1],
    degree: usize,
}

impl Fingerprint for HarmonicCoefficients {
    parameters!("harmonic coefficients": c, s, degree);
}

impl Default for HarmonicCoefficients {
    fn default() -> Self {
        Self::new()
    }
}

impl HarmonicCoefficients {
    /// Their degree.
    pub(super) fn degree(&self) -> usize {
        self.degree
    }

    /// A point mass.
    #[must_use]
    pub fn new() -> Self {
        let zero = [[0.0; MAX_DEGREE + 1]; MAX_DEGREE + 1];
        let mut coefficients = Self { c: zero, s: zero, degree: 0 };
        coefficients.c[0][0] = 1.0;
        coefficients
    }

    /// Sets the unnormalised pair `C_nm`, `S_nm`.
    ///
    /// # Errors
    /// If the degree is not 1 to 8, the order exceeds the degree, `S_n0` is not zero, or anything is not finite.
    pub fn with(mut self, degree: usize, order: usize, c: f64, s: f64) -> Result<Self, FieldError> {
        if degree == 0 || degree > MAX_DEGREE {
            return Err(FieldError::Index {
                field: NAME,
                parameter: "degree",
                value: degree,
                limit: "1 to 8",
            });
        }
        if order > degree {
            return Err(FieldError::Index {
                field: NAME,
                parameter: "order",
                value: order,
                limit: "at most the degree",
            });
        }
        let refuse = |parameter, value, limit| FieldError::Number { field: NAME, parameter, value, limit };
        if !c.is_finite() {
            return Err(refuse("C", c, "finite"));
        }
        if !s.is_finite() || (order == 0 && s != 0.0) {
            return Err(refuse("S", s, "finite, and zero for order 0"));
        }
        self.c[degree][order] = c;
        self.s[degree][order] = s;
        self.degree = self.degree.max(degree);
        Ok(self)
    }

    /// Sets the fully normalised pair, as published models list them.
    ///
    /// # Errors
    /// As [`HarmonicCoefficients::with`].
    pub fn with_normalized(self, degree: usize, order: usize, c: f64, s: f64) -> Result<Self, FieldError> {
        let factor = normalization(degree, order);
        self.with(degree, order, c * factor, s * factor)
    }

    /// Sets the zonal coefficient `J_n = -C_n0`.
    ///
    /// # Errors
    /// As [`HarmonicCoefficients::with`].
    pub fn with_zonal(self, degree: usize, j: f64) -> Result<Self, FieldError> {
        self.with(degree, 0, -j, 0.0)
    }

    /// True if the planet is not symmetric about its axis: some coefficient of order 1 or more is not zero.
    #[must_use]
    pub fn has_tesserals(&self) -> bool {
        let orders =
            |table: &[[f64; MAX_DEGREE + 1]]| table.iter().any(|row| row[1..].iter().any(|x| *x != 0.0));
        orders(&self.c) || orders(&self.s)
    }

    /// The same with only the coefficients of order 1 or more.
    pub(super) fn tesserals(&self) -> Self {
        let mut tesserals = self.clone();
        for row in &mut tesserals.c {
            row[0] = 0.0;
        }
        tesserals
    }

    /// `Φ R/mu` at `r`, in units of the reference radius, planet-fixed axes.
    pub(super) fn potential(&self, r: Vec3) -> f64 {
        let solid = SolidHarmonics::new(r, self.degree);
        let mut sum = 0.0;
        for n in (0..=self.degree).rev() {
            for m in 0..=n {
                sum += self.c[n][m] * solid.v[n][m] + self.s[n][m] * solid.w[n][m];
            }
        }
        -sum
    }

    /// `a R²/mu` at `r`, in units of the reference radius, planet-fixed axes.
    pub(super) fn acceleration(&self, r: Vec3) -> Vec3 {
        let solid = SolidHarmonics::new(r, self.degree + 1);
        let mut sum = Vec3::ZERO;
        // Small terms first.
        for n in (0..=self.degree).rev() {
            for m in 0..=n {
                sum += solid.gradient(n, m, self.c[n][m], self.s[n][m]);
            }
        }
        sum
    }
}

/// `V_nm` and `W_nm` at one point.
struct SolidHarmonics {
    v: [[f64; SIZE]; SIZE],
    w: [[f64; SIZE]; SIZE],
}

impl SolidHarmonics {
    /// At `r` in units of the reference radius, up to `degree`.
    fn new(r: Vec3, degree: usize) -> Self {
        let inverse_squared = 1.0 / r.length_squared();
        let scaled = r * inverse_squared;
        let mut harmonics = Self { v: [[0.0; SIZE]; SIZE], w: [[0.0; SIZE]; SIZE] };
        let (v, w) = (&mut harmonics.v, &mut harmonics.w);
        v[0][0] = 1.0 / r.length();
        for m in 0..=degree {
            if m > 0 {
                let factor = (2 * m - 1) as f64;
                let (v_before, w_before) = (v[m - 1][m - 1], w[m - 1][m - 1]);
                v[m][m] = factor * (scaled.x * v_before - scaled.y * w_before);
                w[m][m] = factor * (scaled.x * w_before + scaled.y * v_before);
            }
            for n in m + 1..=degree {
                let a = (2 * n - 1) as f64 / (n - m) as f64 * scaled.z;
                let b = if n > m + 1 { (n + m - 1) as f64 / (n - m) as f64 * inverse_squared } else { 0.0 };
                // At n = m + 1 the term of degree n - 2 < m does not exist.
                let below = if n > m + 1 { (v[n - 2][m], w[n - 2][m]) } else { (0.0, 0.0) };
                v[n][m] = a * v[n - 1][m] - b * below.0;
                w[n][m] = a * w[n - 1][m] - b * below.1;
            }
        }
        harmonics
    }

    /// Acceleration of the term `C V_nm + S W_nm`.
    fn gradient(&self, n: usize, m: usize, c: f64, s: f64) -> Vec3 {
        let (v, w) = (&self.v[n + 1], &self.w[n + 1]);
        let along_axis = -((n - m + 1) as f64) * (c * v[m] + s * w[m]);
        if m == 0 {
            return Vec3::new(-c * v[1], -c * w[1], along_axis);
        }
        let factor = ((n - m + 2) * (n - m + 1)) as f64;
        Vec3::new(
            0.5 * (factor * (c * v[m - 1] + s * w[m - 1]) - c * v[m + 1] - s * w[m + 1]),
            0.5 * (factor * (s * v[m - 1] - c * w[m - 1]) + s * v[m + 1] - c * w[m + 1]),
            along_axis,
        )
    }
}

/// N of the normalisation: unnormalised coefficient = N × normalised one.
fn normalization(degree: usize, order: usize) -> f64 {
    if order > degree {
        return 1.0;
    }
    let ratio: f64 = (degree - order + 1..=degree + order).map(|k| k as f64).product();
    let both = if order == 0 { 1.0 } else { 2.0 };
    (both * (2 * degree + 1) as f64 / ratio).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalisation_is_that_of_published_models() {
        // J2 of Earth: 1.0826e-3 = √5 · 4.8417e-4 (EGM2008); C̄_22 to C_22 by √(5/12).
        assert!((normalization(2, 0) - 5.0_f64.sqrt()).abs() < 1e-15);
        assert!((normalization(2, 2) - (5.0_f64 / 12.0).sqrt()).abs() < 1e-15);
        assert!((normalization(8, 8) - (2.0 * 17.0 / 20_922_789_888_000.0_f64).sqrt()).abs() < 1e-21);
    }

    #[test]
    fn solid_harmonics_follow_their_definition() {
        // P_21 = 3 s c, P_33 = 15 c³ with s = sin φ, c = cos φ.
        let (phi, lambda, r) = (0.4_f64, 1.1_f64, 1.7_f64);
        let (s, c) = crate::math::scalar::sin_cos(phi);
        let (sl, cl) = crate::math::scalar::sin_cos(lambda);
        let solid = SolidHarmonics::new(Vec3::new(r * c * cl, r * c * sl, r * s), 3);
        assert!((solid.v[2][1] - 3.0 * s * c * cl / (r * r * r)).abs() < 1e-15);
        assert!((solid.w[2][1] - 3.0 * s * c * sl / (r * r * r)).abs() < 1e-15);
        let cos_three = crate::math::scalar::cos(3.0 * lambda);
        assert!((solid.v[3][3] - 15.0 * c * c * c * cos_three / (r * r * r * r)).abs() < 1e-15);
        let p30 = 0.5 * s * (5.0 * s * s - 3.0);
        assert!((solid.v[3][0] - p30 / (r * r * r * r)).abs() < 1e-15);
    }

    #[test]
    fn degrees_and_orders_that_do_not_exist_are_refused() {
        let coefficients = HarmonicCoefficients::new;
        assert_eq!(
            coefficients().with(9, 0, 1e-6, 0.0).unwrap_err().to_string(),
            "field `geopotential`: degree must be 1 to 8, got 9"
        );
        assert!(coefficients().with(0, 0, 1.0, 0.0).is_err());
        assert!(coefficients().with_normalized(2, 3, 1e-6, 0.0).is_err());
        assert!(coefficients().with(2, 0, 1e-6, 1e-6).is_err());
        assert!(coefficients().with(2, 1, f64::NAN, 0.0).is_err());
    }
}
