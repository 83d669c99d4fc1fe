//! Density and motion of the air.
//!
//! Isothermal air in hydrostatic balance thins out as `ρ = ρ₀ exp(-h/H)`; h is the height above a plane (z = 0) or
//! above a sphere. Below the reference the law goes on, down to ten scale heights, where the density (22 000 ρ₀) is
//! held, so that no depth overflows.

use serde::{Deserialize, Serialize};

use super::FieldError;
use super::field_error::Check;
use crate::digest::{Fingerprint, Hasher};
use crate::math::{Coordinate, scalar};

/// Depth, in scale heights, below which the density is held.
const DEEPEST: f64 = 10.0;

/// Density of the air as a function of place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Atmosphere {
    /// The same everywhere.
    Uniform {
        /// kg/m³.
        density: f64,
    },
    /// Thinning upwards along world Z.
    Flat {
        /// At z = 0, kg/m³.
        density: f64,
        /// Height over which it falls to 1/e, m.
        scale_height: f64,
    },
    /// Thinning outwards from a sphere.
    Spherical {
        /// At the radius, kg/m³.
        density: f64,
        /// Height over which it falls to 1/e, m.
        scale_height: f64,
        /// Centre of the planet, m.
        center: Coordinate,
        /// Distance from the centre at which height is zero, m.
        radius: f64,
    },
}

impl Fingerprint for Atmosphere {
    fn fingerprint(&self, hasher: &mut Hasher) {
        match self {
            Self::Uniform { density } => {
                hasher.text("uniform");
                density.fingerprint(hasher);
            }
            Self::Flat { density, scale_height } => {
                hasher.text("flat");
                density.fingerprint(hasher);
                scale_height.fingerprint(hasher);
            }
            Self::Spherical { density, scale_height, center, radius } => {
                hasher.text("spherical");
                density.fingerprint(hasher);
                scale_height.fingerprint(hasher);
                center.fingerprint(hasher);
                radius.fingerprint(hasher);
            }
        }
    }
}

impl Atmosphere {
    /// kg/m³ at a point of the world.
    #[must_use]
    pub fn density(&self, point: Coordinate) -> f64 {
        match *self {
            Self::Uniform { density } => density,
            Self::Flat { density, scale_height } => thinned(density, point.z / scale_height),
            Self::Spherical { density, scale_height, center, radius } => {
                thinned(density, ((point - center).length() - radius) / scale_height)
            }
        }
    }

    /// A point of the axis the air turns about when it turns with the planet.
    pub(super) fn center(&self) -> Coordinate {
        match *self {
            Self::Spherical { center, .. } => center,
            Self::Uniform { .. } | Self::Flat { .. } => Coordinate::ZERO,
        }
    }

    pub(super) fn checked(self, check: Check) -> Result<Self, FieldError> {
        match self {
            Self::Uniform { density } => {
                check.not_negative("density", density)?;
            }
            Self::Flat { density, scale_height } => {
                check.not_negative("density", density)?;
                check.positive("scale height", scale_height)?;
            }
            Self::Spherical { density, scale_height, center, radius } => {
                check.not_negative("density", density)?;
                check.positive("scale height", scale_height)?;
                check.finite_vector("center", center)?;
                check.positive("radius", radius)?;
            }
        }
        Ok(self)
    }
}

fn thinned(density: f64, heights: f64) -> f64 {
    density * scalar::exp(-scalar::max(heights, -DEEPEST))
}
