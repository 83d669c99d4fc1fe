//! Sums of many terms without the drift of plain addition.
//!
//! Adding n nearly equal terms one by one rounds the same way again and again; the error grows with n. Here the part
//! that each addition rounds away is computed exactly and kept (O. Møller, "Quasi double-precision in floating point
//! addition", BIT 5, 1965; D. E. Knuth, TAOCP vol. 2, §4.2.2, theorem B), so that the total is as good as if it had
//! been summed in twice the precision and rounded once.

use std::ops::{Add, Sub};

/// A running sum of numbers or vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CompensatedSum<T> {
    sum: T,
    lost: T,
}

impl<T: Copy + Add<Output = T> + Sub<Output = T>> CompensatedSum<T> {
    /// Adds a term.
    pub fn add(&mut self, term: T) {
        let sum = self.sum + term;
        let kept = sum - self.sum;
        self.lost = self.lost + ((self.sum - (sum - kept)) + (term - kept));
        self.sum = sum;
    }

    /// The sum of all terms so far.
    pub fn total(&self) -> T {
        self.sum + self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;

    #[test]
    fn a_million_tenths_are_a_hundred_thousand() {
        let mut sum = CompensatedSum::default();
        (0..1_000_000).for_each(|_| sum.add(0.1));
        assert_eq!(sum.total(), 100_000.0);
        let plain: f64 = std::iter::repeat_n(0.1, 1_000_000).sum();
        assert!((plain - 100_000.0).abs() > 1e-6);
    }

    #[test]
    fn small_terms_survive_large_ones_that_cancel() {
        let mut sum = CompensatedSum::default();
        [1.0, 1e16, 1.0, -1e16].iter().for_each(|x| sum.add(Vec3::splat(*x)));
        assert_eq!(sum.total(), Vec3::splat(2.0));
    }
}
