//! Stumpff functions, which join the circular, parabolic and hyperbolic cases of Kepler motion.
//!
//! `c_k(x) = Σ (-x)ⁿ/(2n+k)!`: `c₀ = cos √x`, `c₁ = sin √x/√x`, `c₂ = (1 - cos √x)/x`, `c₃ = (√x - sin √x)/x^{3/2}` for x > 0,
//! with cosh and sinh of √-x for x < 0, and `c_k(0) = 1/k!`. (Stumpff, *Himmelsmechanik* I, 1959; Danby, *Fundamentals of
//! Celestial Mechanics*, 2nd ed., §6.9.)

use super::scalar;

/// `[c₀, c₁, c₂, c₃]` at x.
#[must_use]
pub fn stumpff(x: f64) -> [f64; 4] {
    if x.abs() < SERIES_LIMIT {
        let (c2, c3) = series(x);
        return [1.0 - x * c2, 1.0 - x * c3, c2, c3];
    }
    let root = x.abs().sqrt();
    let (c0, sine, half) = if x > 0.0 {
        let (sine, cosine) = scalar::sin_cos(root);
        (cosine, sine, scalar::sin(0.5 * root))
    } else {
        (scalar::cosh(root), scalar::sinh(root), scalar::sinh(0.5 * root))
    };
    let c1 = sine / root;
    // 1 - cos = 2 sin² of the half: no cancellation.
    [c0, c1, 2.0 * half * half / x.abs(), (1.0 - c1) / x]
}

/// |x| below which the series are summed; above it `1 - c₁` cancels less than one digit.
const SERIES_LIMIT: f64 = 1.5;

/// c₂ and c₃ by their series; the first dropped terms, `x¹¹/24!` and `x¹¹/25!`, are below 1e-21.
fn series(x: f64) -> (f64, f64) {
    let (mut c2, mut c3) = (1.0, 1.0);
    for n in (1..11).rev() {
        let k = 2.0 * f64::from(n);
        c2 = 1.0 - c2 * x / ((k + 1.0) * (k + 2.0));
        c3 = 1.0 - c3 * x / ((k + 2.0) * (k + 3.0));
    }
    (0.5 * c2, c3 / 6.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_and_closed_forms_meet_on_both_sides() {
        for sign in [1.0, -1.0] {
            let (below, above) =
                (stumpff(sign * 1.499_999_999_999_999), stumpff(sign * 1.500_000_000_000_001));
            for k in 0..4 {
                assert!((below[k] - above[k]).abs() < 3e-15 * above[k].abs(), "c{k}, {sign}");
            }
        }
    }

    #[test]
    fn they_obey_their_recurrence_and_the_circle() {
        for x in [-90.0, -3.0, -0.7, 0.0, 0.2, 2.5, 38.0] {
            let [c0, c1, c2, c3] = stumpff(x);
            let scale = scalar::max(c0.abs(), 1.0);
            assert!((c0 + x * c2 - 1.0).abs() < 1e-14 * scale && (c1 + x * c3 - 1.0).abs() < 1e-14 * scale);
            assert!((c0 * c0 + x * c1 * c1 - 1.0).abs() < 1e-14 * scale * scale);
        }
    }
}
