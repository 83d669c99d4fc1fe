//! Scalar functions whose bits do not depend on the target.
//!
//! `+ - × ÷ sqrt` are exact by IEEE 754. Everything else (`sin`, `exp`, `pow`, …) is left open by the standard
//! library, so the engine takes it from the `libm` crate, which computes it with those five alone. `min`, `max`
//! and `clamp` are written out because std leaves open which zero they return; here a tie returns the first
//! argument, and a NaN in the first argument is returned.

pub use libm::{
    acos, asin, asinh, atan, atan2, cbrt, cos, cosh, exp, hypot, log as ln, pow, sin, sinh, tan, tanh,
};

/// Sine and cosine of an angle in radians.
#[must_use]
pub fn sin_cos(angle: f64) -> (f64, f64) {
    libm::sincos(angle)
}

/// The smaller of two numbers; `a` on a tie or if it is NaN.
#[must_use]
pub fn min(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// The larger of two numbers; `a` on a tie or if it is NaN.
#[must_use]
pub fn max(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// `x` moved into `[low, high]`; NaN stays NaN.
#[must_use]
pub fn clamp(x: f64, low: f64, high: f64) -> f64 {
    if x < low {
        low
    } else if x > high {
        high
    } else {
        x
    }
}

/// The square, for readability where the operand is an expression.
#[must_use]
pub fn square(x: f64) -> f64 {
    x * x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_and_nan_return_the_first_argument() {
        assert!(min(-0.0, 0.0).is_sign_negative() && min(0.0, -0.0).is_sign_positive());
        assert!(max(-0.0, 0.0).is_sign_negative() && max(0.0, -0.0).is_sign_positive());
        assert!(min(f64::NAN, 1.0).is_nan() && max(f64::NAN, 1.0).is_nan());
        assert!(clamp(f64::NAN, 0.0, 1.0).is_nan());
    }
}
