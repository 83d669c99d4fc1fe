//! Elliptic integrals in Carlson's symmetric form, and Jacobi's functions by the arithmetic-geometric mean.
//!
//! ```text
//! R_F(x,y,z)   = ½ ∫₀^∞ dt / √((t+x)(t+y)(t+z))
//! R_J(x,y,z,p) = 3/2 ∫₀^∞ dt / ((t+p) √((t+x)(t+y)(t+z)))
//! F(φ,k) = s R_F(c², 1-k²s², 1),   Π(n;φ,k) = F + (n/3) s³ R_J(c², 1-k²s², 1, 1-n s²),   s = sin φ, c = cos φ
//! ```
//!
//! The modulus is given by the complement `kc² = 1 - k²`, which keeps its digits near the separatrix k → 1; then
//! `1 - k²s² = c² + kc² s²` without cancellation. Carlson, Numer. Algorithms 10 (1995) 13; Abramowitz & Stegun §16.4, §17.6.

use super::scalar;
use crate::tolerance;

/// Carlson's R_F; arguments not negative, at most one of them zero.
#[must_use]
pub fn carlson_rf(x: f64, y: f64, z: f64) -> f64 {
    let start = (x + y + z) / 3.0;
    let spread = largest_deviation(start, &[x, y, z]);
    let (mut a, mut x, mut y, mut scale, z0) = (start, x, y, 1.0, z);
    let mut z = z0;
    let (x0, y0) = (x, y);
    while spread * SERIES_REACH > scale * a.abs() {
        let (rx, ry, rz) = (x.sqrt(), y.sqrt(), z.sqrt());
        let lambda = rx * ry + ry * rz + rz * rx;
        (x, y, z, a) = (0.25 * (x + lambda), 0.25 * (y + lambda), 0.25 * (z + lambda), 0.25 * (a + lambda));
        scale *= 4.0;
    }
    let (dx, dy) = ((start - x0) / (scale * a), (start - y0) / (scale * a));
    let dz = -dx - dy;
    let (e2, e3) = (dx * dy - dz * dz, dx * dy * dz);
    (1.0 - e2 / 10.0 + e3 / 14.0 + e2 * e2 / 24.0 - 3.0 * e2 * e3 / 44.0) / a.sqrt()
}

/// Carlson's R_J; x, y, z not negative and at most one of them zero, p positive.
#[must_use]
pub fn carlson_rj(x: f64, y: f64, z: f64, p: f64) -> f64 {
    let start = (x + y + z + 2.0 * p) / 5.0;
    let delta = (p - x) * (p - y) * (p - z);
    let spread = largest_deviation(start, &[x, y, z, p]);
    let (x0, y0, z0) = (x, y, z);
    let (mut x, mut y, mut z, mut p, mut a) = (x, y, z, p, start);
    let (mut scale, mut sum) = (1.0, 0.0);
    while spread * SERIES_REACH > scale * a.abs() {
        let (rx, ry, rz, rp) = (x.sqrt(), y.sqrt(), z.sqrt(), p.sqrt());
        let lambda = rx * ry + ry * rz + rz * rx;
        let d = (rp + rx) * (rp + ry) * (rp + rz);
        let e = delta / (scale * scale * scale * d * d);
        sum += arc_mean(e) / (scale * d);
        (x, y, z) = (0.25 * (x + lambda), 0.25 * (y + lambda), 0.25 * (z + lambda));
        (p, a) = (0.25 * (p + lambda), 0.25 * (a + lambda));
        scale *= 4.0;
    }
    let divisor = scale * a;
    let (dx, dy, dz) = ((start - x0) / divisor, (start - y0) / divisor, (start - z0) / divisor);
    let dp = -0.5 * (dx + dy + dz);
    let e2 = dx * dy + dx * dz + dy * dz - 3.0 * dp * dp;
    let xyz = dx * dy * dz;
    let e3 = xyz + 2.0 * e2 * dp + 4.0 * dp * dp * dp;
    let e4 = (2.0 * xyz + e2 * dp + 3.0 * dp * dp * dp) * dp;
    let e5 = xyz * dp * dp;
    let series =
        1.0 - 3.0 * e2 / 14.0 + e3 / 6.0 + 9.0 * e2 * e2 / 88.0 - 3.0 * e4 / 22.0 - 9.0 * e2 * e3 / 52.0
            + 3.0 * e5 / 26.0;
    series / (scale * a * a.sqrt()) + 6.0 * sum
}

/// Ratio of mean to deviation at which the series of degree five are exact to round-off: `(1/500)⁶ ≈ 6e-17`.
const SERIES_REACH: f64 = 500.0;

fn largest_deviation(mean: f64, values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest, value| scalar::max(largest, (mean - value).abs()))
}

/// `R_C(1, 1+e) = atan(√e)/√e`, continued to -1 < e < 0.
fn arc_mean(e: f64) -> f64 {
    if e.abs() < tolerance::ELLIPTIC_SERIES {
        return 1.0 - e * (1.0 / 3.0 - e * (0.2 - e * (1.0 / 7.0 - e * (1.0 / 9.0 - e / 11.0))));
    }
    let root = e.abs().sqrt();
    if e > 0.0 { scalar::atan(root) / root } else { libm::atanh(root) / root }
}

/// The modulus of Jacobi's functions with its quarter period and the scale of the arithmetic-geometric mean.
#[derive(Clone, Copy, Debug)]
pub struct Modulus {
    kc2: f64,
    quarter: f64,
    /// Ratios of each Landen step, `r = (a - b)/(a + b)` and `1 - r²`, which r alone would lose near one.
    ratios: [(f64, f64); 12],
    count: usize,
    mean: f64,
}

/// sn, cn, dn and the amplitude at one argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jacobi {
    /// Sine of the amplitude.
    pub sn: f64,
    /// Cosine of the amplitude.
    pub cn: f64,
    /// `√(1 - k² sn²)`.
    pub dn: f64,
    /// The amplitude φ, rad.
    pub am: f64,
}

impl Modulus {
    /// From the complement `kc² = 1 - k²`, between 0 (the separatrix) and 1 (circular functions).
    #[must_use]
    pub fn from_complement(kc2: f64) -> Self {
        let mut modulus = Self { kc2, quarter: f64::INFINITY, ratios: [(0.0, 1.0); 12], count: 0, mean: 0.0 };
        if kc2 <= 0.0 {
            modulus.kc2 = 0.0;
            return modulus;
        }
        let (mut a, mut b) = (1.0, kc2.sqrt());
        // Quadratic convergence: twelve halvings of the exponent take even kc = 1e-300 to one.
        while modulus.count < modulus.ratios.len() && a - b > 4.0 * f64::EPSILON * a {
            let (next_a, next_b) = (0.5 * (a + b), (a * b).sqrt());
            modulus.ratios[modulus.count] = (0.5 * (a - b) / next_a, scalar::square(next_b / next_a));
            modulus.count += 1;
            (a, b) = (next_a, next_b);
        }
        modulus.mean = a;
        modulus.quarter = 0.5 * std::f64::consts::PI / modulus.mean;
        modulus
    }

    /// `1 - k²`.
    #[must_use]
    pub fn complement(&self) -> f64 {
        self.kc2
    }

    /// The quarter period K; infinite on the separatrix.
    #[must_use]
    pub fn quarter_period(&self) -> f64 {
        self.quarter
    }

    /// Jacobi's functions at `u`, which should be within two quarter periods for full accuracy.
    #[must_use]
    pub fn jacobi(&self, u: f64) -> Jacobi {
        if self.kc2 == 0.0 {
            let (sn, dn) = (scalar::tanh(u), 1.0 / scalar::cosh(u));
            return Jacobi { sn, cn: dn, dn, am: scalar::atan(scalar::sinh(u)) };
        }
        let mut am = self.mean * u * (1_u32 << self.count) as f64;
        for (ratio, complement) in self.ratios[..self.count].iter().rev() {
            let (sine, cosine) = scalar::sin_cos(am);
            let adjacent = (cosine * cosine + complement * sine * sine).sqrt();
            am = 0.5 * (am + scalar::atan2(ratio * sine, adjacent));
        }
        let (sn, cn) = scalar::sin_cos(am);
        Jacobi { sn, cn, dn: (cn * cn + self.kc2 * sn * sn).sqrt(), am }
    }

    /// Legendre's `F(φ, k)` for φ in [-π/2, π/2].
    #[must_use]
    pub fn first_kind(&self, sine: f64, cosine: f64) -> f64 {
        sine * carlson_rf(cosine * cosine, cosine * cosine + self.kc2 * sine * sine, 1.0)
    }

    /// `Π - F = -(n/3) s³ R_J(c², 1-k²s², 1, 1+n s²)` of the characteristic `-n`, n ≥ 0, for φ in [-π/2, π/2]:
    /// `∫₀^u du/(1 + n sn²) - u`.
    #[must_use]
    pub fn third_kind_excess(&self, n: f64, sine: f64, cosine: f64) -> f64 {
        if n == 0.0 || sine == 0.0 {
            return 0.0;
        }
        let (s2, c2) = (sine * sine, cosine * cosine);
        -n / 3.0 * sine * s2 * carlson_rj(c2, c2 + self.kc2 * s2, 1.0, 1.0 + n * s2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetric_integrals_match_carlsons_table() {
        // Carlson 1995, section 3.
        for (x, y, z, value) in [
            (1.0, 2.0, 0.0, 1.311_028_777_146_059_9),
            (0.5, 1.0, 0.0, 1.854_074_677_301_371_9),
            (2.0, 3.0, 4.0, 0.584_082_841_677_151_7),
        ] {
            assert!((carlson_rf(x, y, z) / value - 1.0).abs() < 4e-16, "R_F({x}, {y}, {z})");
        }
        for (x, y, z, p, value) in
            [(0.0, 1.0, 2.0, 3.0, 0.776_886_237_785_823_3), (2.0, 3.0, 4.0, 5.0, 0.142_975_796_671_567_54)]
        {
            let error = carlson_rj(x, y, z, p) / value - 1.0;
            assert!(error.abs() < 6e-16, "R_J({x}, {y}, {z}, {p}): {error:e}");
        }
    }

    #[test]
    fn the_quarter_period_is_the_complete_integral_for_every_modulus() {
        for exponent in [0, 1, 2, 5, 10, 20, 50, 150] {
            let kc2 = scalar::pow(10.0, -f64::from(exponent));
            let modulus = Modulus::from_complement(kc2);
            let complete = carlson_rf(0.0, kc2, 1.0);
            assert!((modulus.quarter_period() / complete - 1.0).abs() < 1e-15, "kc² = {kc2:e}");
        }
    }

    #[test]
    fn jacobi_functions_invert_the_first_integral() {
        for exponent in 0..16 {
            let modulus = Modulus::from_complement(scalar::pow(10.0, -f64::from(exponent)));
            for fraction in [-0.95, -0.3, 0.01, 0.5, 0.999] {
                let u = fraction * modulus.quarter_period();
                let j = modulus.jacobi(u);
                assert!((modulus.first_kind(j.sn, j.cn) - u).abs() < 2e-15 * (1.0 + u.abs()) / j.dn, "{u}");
                assert!((j.sn * j.sn + j.cn * j.cn - 1.0).abs() < 4e-16);
            }
        }
    }

    #[test]
    fn the_third_kind_is_the_integral_of_its_integrand() {
        // Gauss-Legendre with five points on 200 pieces.
        let (modulus, n, u) = (Modulus::from_complement(0.3), 1.7, 1.2);
        let nodes = [
            (0.0, 0.568_888_888_888_888_9),
            (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
            (0.906_179_845_938_664, 0.236_926_885_056_189_08),
        ];
        let mut sum = 0.0;
        for piece in 0..200 {
            for (node, weight) in nodes {
                for sign in if node == 0.0 { &[1.0][..] } else { &[1.0, -1.0] } {
                    let at = u * (f64::from(piece) + 0.5 + 0.5 * sign * node) / 200.0;
                    let sn = modulus.jacobi(at).sn;
                    sum += 0.5 * weight * u / 200.0 / (1.0 + n * sn * sn);
                }
            }
        }
        let j = modulus.jacobi(u);
        let error = modulus.third_kind_excess(n, j.sn, j.cn) + u - sum;
        assert!(error.abs() < 1e-14, "{error:e}");
    }
}
