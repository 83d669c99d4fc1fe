//! `UniformSolid`: mass distribution of a shape of uniform density, per unit of mass.

use super::{MassProperties, point_mass_tensor, rotated_tensor};
use crate::math::{Coordinate, Mat3, ReferenceFrame};
use crate::physics::rigid_body::InertiaError;

/// Volume, centroid and inertia per unit of mass of a solid of even density, in its local frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UniformSolid {
    /// m³.
    pub volume: f64,
    /// m, local frame.
    pub centroid: Coordinate,
    /// About the centroid, local axes, m² (kg·m² a kilogram): `∫ (r² 1 - r rᵀ) dV / V`.
    pub inertia_per_mass: Mat3,
}

impl UniformSolid {
    /// Seen from the frame this solid is placed in.
    pub(super) fn placed(&self, frame: &ReferenceFrame) -> Self {
        Self {
            volume: self.volume,
            centroid: frame.point_to_parent(self.centroid),
            inertia_per_mass: rotated_tensor(&self.inertia_per_mass, frame.orientation),
        }
    }

    /// Two solids of the same density as one.
    pub(super) fn combined(&self, other: &Self) -> Self {
        let volume = self.volume + other.volume;
        let (own, share) = (self.volume / volume, other.volume / volume);
        let apart = other.centroid - self.centroid;
        Self {
            volume,
            centroid: self.centroid + apart * share,
            inertia_per_mass: self.inertia_per_mass * own
                + other.inertia_per_mass * share
                + point_mass_tensor(apart) * (own * share),
        }
    }

    /// With this total mass, kg.
    ///
    /// # Errors
    /// If the mass is not positive and finite, or the tensor leaves the range of f64.
    pub fn with_mass(&self, mass: f64) -> Result<MassProperties, InertiaError> {
        if mass > 0.0 && mass.is_finite() {
            self.with_checked_mass(mass)
        } else {
            Err(InertiaError::Mass(mass))
        }
    }

    /// With this density, kg/m³.
    ///
    /// # Errors
    /// If the density is not positive and finite, or mass or tensor leave the range of f64.
    pub fn with_density(&self, density: f64) -> Result<MassProperties, InertiaError> {
        if density > 0.0 && density.is_finite() {
            self.with_checked_mass(density * self.volume)
        } else {
            Err(InertiaError::Density(density))
        }
    }

    fn with_checked_mass(&self, mass: f64) -> Result<MassProperties, InertiaError> {
        MassProperties { mass, center_of_mass: self.centroid, inertia: self.inertia_per_mass * mass }
            .in_range()
    }
}
