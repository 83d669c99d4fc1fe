//! `Angle`: an angle with a defined unit, normalised only on request.
//!
//! Arithmetic keeps turns (`350° + 20° = 370°`), so that a wheel's count of revolutions is not lost. The two
//! usual ranges are views: [`Angle::normalized`] gives (-π, π], [`Angle::normalized_positive`] gives [0, 2π).

use std::f64::consts::{PI, TAU};
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use serde::{Deserialize, Serialize};

use super::scalar;

/// An angle in radians, not normalised.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
pub struct Angle(f64);

impl Angle {
    /// No rotation.
    pub const ZERO: Angle = Angle(0.0);

    /// From radians, as given.
    #[must_use]
    pub const fn from_radians(radians: f64) -> Self {
        Angle(radians)
    }

    /// From degrees, as given.
    #[must_use]
    pub const fn from_degrees(degrees: f64) -> Self {
        Angle(degrees * (PI / 180.0))
    }

    /// The stored value in radians, turns included.
    #[must_use]
    pub const fn radians(self) -> f64 {
        self.0
    }

    /// The stored value in degrees, turns included.
    #[must_use]
    pub const fn degrees(self) -> f64 {
        self.0 * (180.0 / PI)
    }

    /// The same direction in (-π, π].
    #[must_use]
    pub fn normalized(self) -> Self {
        // `%` is exact; what remains is one correction by a whole turn.
        let remainder = self.0 % TAU;
        Angle(if remainder > PI {
            remainder - TAU
        } else if remainder <= -PI {
            remainder + TAU
        } else {
            remainder
        })
    }

    /// The same direction in [0, 2π).
    #[must_use]
    pub fn normalized_positive(self) -> Self {
        let remainder = self.0 % TAU;
        let shifted = if remainder < 0.0 { remainder + TAU } else { remainder };
        // A tiny negative angle plus 2π rounds to 2π itself, which the half-open range excludes.
        Angle(if shifted >= TAU { 0.0 } else { shifted })
    }

    /// Sine and cosine.
    #[must_use]
    pub fn sin_cos(self) -> (f64, f64) {
        scalar::sin_cos(self.0)
    }

    /// True unless NaN or infinite.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.0.is_finite()
    }
}

impl Add for Angle {
    type Output = Angle;
    fn add(self, other: Angle) -> Angle {
        Angle(self.0 + other.0)
    }
}

impl Sub for Angle {
    type Output = Angle;
    fn sub(self, other: Angle) -> Angle {
        Angle(self.0 - other.0)
    }
}

impl AddAssign for Angle {
    fn add_assign(&mut self, other: Angle) {
        self.0 += other.0;
    }
}

impl SubAssign for Angle {
    fn sub_assign(&mut self, other: Angle) {
        self.0 -= other.0;
    }
}

impl Neg for Angle {
    type Output = Angle;
    fn neg(self) -> Angle {
        Angle(-self.0)
    }
}

impl Mul<f64> for Angle {
    type Output = Angle;
    fn mul(self, factor: f64) -> Angle {
        Angle(self.0 * factor)
    }
}

impl Div<f64> for Angle {
    type Output = Angle;
    fn div(self, divisor: f64) -> Angle {
        Angle(self.0 / divisor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn turns_are_kept_until_normalised() {
        let angle = Angle::from_degrees(350.0) + Angle::from_degrees(20.0);
        assert!((angle.degrees() - 370.0).abs() < 1e-12);
        assert!((angle.normalized().degrees() - 10.0).abs() < 1e-12);
    }

    #[test]
    fn the_ends_of_both_ranges_are_closed_where_stated() {
        assert_eq!(Angle::from_radians(PI).normalized().radians(), PI);
        assert_eq!(Angle::from_radians(-PI).normalized().radians(), PI);
        assert_eq!(Angle::from_radians(TAU).normalized_positive().radians(), 0.0);
        assert_eq!(Angle::from_radians(-1e-20).normalized_positive().radians(), 0.0);
    }

    proptest! {
        #[test]
        fn normalisation_stays_in_range_and_keeps_the_direction(radians in -1e6..1e6_f64) {
            let angle = Angle::from_radians(radians);
            let centred = angle.normalized().radians();
            let positive = angle.normalized_positive().radians();
            prop_assert!(centred > -PI && centred <= PI);
            prop_assert!((0.0..TAU).contains(&positive));
            let (sine, cosine) = angle.sin_cos();
            let (s, c) = scalar::sin_cos(centred);
            // The exact remainder of a float that is not an exact multiple of the float 2π: one ulp of the input.
            prop_assert!((sine - s).abs() < 1e-9 && (cosine - c).abs() < 1e-9);
            prop_assert!((centred - positive).abs() < 1e-15 || (centred + TAU - positive).abs() < 1e-15);
        }
    }
}
