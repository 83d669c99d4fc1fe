//! Comparison of floating-point values with an explicit reference scale.

use super::{Mat3, Quat, Vec3, scalar};
use crate::tolerance;

/// `|a - b| ≤ tolerance · max(1, |a|, |b|)`: absolute below one, relative above. False if either is not finite,
/// unless they are the same infinity.
#[must_use]
pub fn almost_equal_within(a: f64, b: f64, tolerance: f64) -> bool {
    let difference = (a - b).abs();
    a == b
        || (difference.is_finite()
            && difference <= tolerance * scalar::max(1.0, scalar::max(a.abs(), b.abs())))
}

/// [`almost_equal_within`] the default tolerance [`tolerance::ALMOST_EQUAL`].
#[must_use]
pub fn almost_equal(a: f64, b: f64) -> bool {
    almost_equal_within(a, b, tolerance::ALMOST_EQUAL)
}

/// Difference of two vectors no longer than `tolerance` × max(1, the longer of them).
#[must_use]
pub fn vectors_almost_equal(a: Vec3, b: Vec3, tolerance: f64) -> bool {
    (a - b).length() <= tolerance * scalar::max(1.0, scalar::max(a.length(), b.length()))
}

/// Largest entry of the difference at most `tolerance` × max(1, the largest entry of either).
#[must_use]
pub fn matrices_almost_equal(a: &Mat3, b: &Mat3, tolerance: f64) -> bool {
    let largest = |m: &Mat3| m.to_cols_array().iter().fold(0.0, |big, x| scalar::max(big, x.abs()));
    largest(&(*a - *b)) <= tolerance * scalar::max(1.0, scalar::max(largest(a), largest(b)))
}

/// True if two unit quaternions are the same orientation (`q` and `-q` are) to within `tolerance` radians.
#[must_use]
pub fn orientations_almost_equal(a: Quat, b: Quat, tolerance: f64) -> bool {
    super::orientation::angle_between(a, b) <= tolerance
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tolerance_is_absolute_below_one_and_relative_above() {
        assert!(almost_equal_within(1e-11, 0.0, 1e-10));
        assert!(!almost_equal_within(1e-9, 0.0, 1e-10));
        assert!(almost_equal_within(1e12, 1e12 + 10.0, 1e-10));
        assert!(!almost_equal_within(1e12, 1e12 + 1000.0, 1e-10));
    }

    #[test]
    fn non_finite_values_are_never_almost_equal_to_finite_ones() {
        assert!(!almost_equal(f64::NAN, f64::NAN));
        assert!(!almost_equal(f64::INFINITY, 1.0));
        assert!(almost_equal(f64::INFINITY, f64::INFINITY));
    }

    #[test]
    fn a_quaternion_and_its_negative_are_one_orientation() {
        let q = Quat::from_xyzw(0.5, 0.5, 0.5, 0.5);
        assert!(orientations_almost_equal(q, -q, 1e-15));
    }
}
