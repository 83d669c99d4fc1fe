//! `Inertia`: mass and inertia tensor of a body, validated once and stored with the quantities derived from
//! them.
//!
//! The tensor is about the centre of mass, in the body frame, kg·m², in the tensor (not the
//! product-of-inertia) sign convention: `I = ∫ (r² 1 - r rᵀ) dm`, so the off-diagonal entries are `-∫ xy dm`.
//!
//! Rigid matter obeys the triangle inequality of the principal moments, `I₁ ≤ I₂ + I₃`: a tensor that breaks
//! it belongs to no body.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::digest::{Fingerprint, parameters};
use crate::math::{Mat3, Quat, Vec3, scalar, symmetric_eigen};
use crate::tolerance;

/// Why a mass or an inertia tensor was refused.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum InertiaError {
    /// A dynamic body was given neither mass nor density.
    #[error("a dynamic body needs a mass or a density, and neither was given")]
    Unsaid,
    /// A body without a shape was given no inertia tensor.
    #[error("a dynamic body without a shape needs its mass and its inertia tensor stated")]
    NoShape,
    /// Mass is zero, negative, NaN or infinite.
    #[error("mass must be positive and finite, got {0} kg")]
    Mass(f64),
    /// Density is zero, negative, NaN or infinite.
    #[error("density must be positive and finite, got {0} kg/m³")]
    Density(f64),
    /// An entry of the tensor is NaN or infinite.
    #[error("inertia tensor has an entry that is not finite: {0:?} (kg·m²)")]
    NotFinite([f64; 9]),
    /// The tensor differs from its transpose.
    #[error(
        "inertia tensor must be symmetric: entries ({row}, {column}) and ({column}, {row}) are {a} and {b} kg·m²"
    )]
    NotSymmetric {
        /// Row of the first entry.
        row: usize,
        /// Column of the first entry.
        column: usize,
        /// The entry above the diagonal.
        a: f64,
        /// The entry below it.
        b: f64,
    },
    /// A principal moment is zero or negative.
    #[error("inertia tensor must be positive definite, its smallest principal moment is {0} kg·m²")]
    NotPositive(f64),
    /// The largest principal moment exceeds the sum of the others.
    #[error(
        "inertia tensor breaks the triangle inequality: principal moments {0}, {1}, {2} kg·m², and no rigid body has \
         one that exceeds the sum of the others"
    )]
    TriangleInequality(f64, f64, f64),
    /// A shape without a volume that mass could fill evenly.
    #[error(
        "a {0} encloses no finite volume, so mass and inertia do not follow from it: state both, or make the body static"
    )]
    NoVolume(&'static str),
    /// Mass or tensor leave the range of f64, above or below.
    #[error(
        "mass {mass} kg with a largest moment of inertia of {moment} kg·m² is outside the range of double precision"
    )]
    Overflow {
        /// The mass, kg.
        mass: f64,
        /// The largest moment, kg·m².
        moment: f64,
    },
    /// A centre of mass with a coordinate that is NaN or infinite.
    #[error("centre of mass must be finite, got {0:?} m")]
    CenterOfMass(Vec3),
}

/// Mass and inertia of a body, with inverses and principal axes.
///
/// A body that does not respond to forces (static, kinematic) has [`Inertia::IMMOVABLE`]: inverses zero, so that it
/// goes through the same equations as any other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inertia {
    mass: f64,
    inverse_mass: f64,
    tensor_body: Mat3,
    inverse_tensor_body: Mat3,
    principal_moments: Vec3,
    body_from_principal: Quat,
}

impl Fingerprint for Inertia {
    parameters!("inertia": mass, tensor_body, principal_moments, body_from_principal; inverse_mass, inverse_tensor_body);
}

impl Inertia {
    /// Infinite mass and inertia: their inverses are zero.
    pub const IMMOVABLE: Self = Self {
        mass: f64::INFINITY,
        inverse_mass: 0.0,
        tensor_body: Mat3::ZERO,
        inverse_tensor_body: Mat3::ZERO,
        principal_moments: Vec3::ZERO,
        body_from_principal: Quat::IDENTITY,
    };

    /// From mass (kg) and the tensor about the centre of mass in the body frame (kg·m²).
    ///
    /// # Errors
    /// If the mass is not positive and finite, or the tensor is not that of any rigid body
    /// (within [`tolerance::INERTIA`]).
    pub fn new(mass: f64, tensor_body: Mat3) -> Result<Self, InertiaError> {
        if !(mass > 0.0 && mass.is_finite() && (1.0 / mass).is_finite()) {
            return Err(InertiaError::Mass(mass));
        }
        check_symmetric(&tensor_body)?;
        // Halved before the sum, which might overflow.
        let symmetric = tensor_body * 0.5 + tensor_body.transpose() * 0.5;
        // A diagonal tensor keeps the body's own axes, in the body's order: no rotation, no round-off.
        let off_diagonal = Vec3::new(symmetric.y_axis.x, symmetric.z_axis.x, symmetric.z_axis.y);
        let (moments, axes) = if off_diagonal == Vec3::ZERO {
            (Vec3::new(symmetric.x_axis.x, symmetric.y_axis.y, symmetric.z_axis.z), Mat3::IDENTITY)
        } else {
            let eigen = symmetric_eigen(&symmetric);
            (eigen.values, eigen.vectors)
        };
        check_moments(moments)?;
        let inverse_moments = Vec3::new(1.0 / moments.x, 1.0 / moments.y, 1.0 / moments.z);
        if !inverse_moments.is_finite() {
            return Err(InertiaError::NotPositive(moments.min_element()));
        }
        Ok(Self {
            mass,
            inverse_mass: 1.0 / mass,
            tensor_body: symmetric,
            inverse_tensor_body: axes * Mat3::from_diagonal(inverse_moments) * axes.transpose(),
            principal_moments: moments,
            body_from_principal: Quat::from_mat3(&axes).normalize(),
        })
    }

    /// The same body with another mass in the same distribution: the tensor scales with it.
    ///
    /// # Errors
    /// If `mass` is not positive and finite.
    pub fn with_mass(&self, mass: f64) -> Result<Self, InertiaError> {
        if !(mass > 0.0 && mass.is_finite() && (1.0 / mass).is_finite()) {
            return Err(InertiaError::Mass(mass));
        }
        let ratio = mass * self.inverse_mass;
        Ok(Self {
            mass,
            inverse_mass: 1.0 / mass,
            tensor_body: self.tensor_body * ratio,
            inverse_tensor_body: self.inverse_tensor_body * (1.0 / ratio),
            principal_moments: self.principal_moments * ratio,
            body_from_principal: self.body_from_principal,
        })
    }

    /// True unless this is [`Inertia::IMMOVABLE`].
    #[must_use]
    pub fn is_movable(&self) -> bool {
        self.inverse_mass > 0.0
    }

    /// kg; infinite if immovable.
    #[must_use]
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// 1/kg; zero if immovable.
    #[must_use]
    pub fn inverse_mass(&self) -> f64 {
        self.inverse_mass
    }

    /// About the centre of mass, body frame, kg·m²; zero if immovable (the gyroscopic term then vanishes).
    #[must_use]
    pub fn tensor_body(&self) -> Mat3 {
        self.tensor_body
    }

    /// Inverse of the tensor, body frame; zero if immovable.
    #[must_use]
    pub fn inverse_tensor_body(&self) -> Mat3 {
        self.inverse_tensor_body
    }

    /// `R I Rᵀ` for the rotation matrix `R` of the body.
    #[must_use]
    pub fn tensor_world(&self, rotation: &Mat3) -> Mat3 {
        *rotation * self.tensor_body * rotation.transpose()
    }

    /// `R I⁻¹ Rᵀ` for the rotation matrix `R` of the body.
    #[must_use]
    pub fn inverse_tensor_world(&self, rotation: &Mat3) -> Mat3 {
        *rotation * self.inverse_tensor_body * rotation.transpose()
    }

    /// Principal moments, kg·m²: in the body's axis order if the tensor is diagonal there, else ascending.
    #[must_use]
    pub fn principal_moments(&self) -> Vec3 {
        self.principal_moments
    }

    /// True if all moments are equal.
    #[must_use]
    pub fn is_spherical(&self) -> bool {
        let Vec3 { x, y, z } = self.principal_moments;
        x == y && y == z
    }

    /// Rotation that takes principal-axis components to body-frame components.
    #[must_use]
    pub fn body_from_principal(&self) -> Quat {
        self.body_from_principal
    }
}

fn check_symmetric(tensor: &Mat3) -> Result<(), InertiaError> {
    let entries = tensor.to_cols_array();
    if !entries.iter().all(|entry| entry.is_finite()) {
        return Err(InertiaError::NotFinite(entries));
    }
    let largest = entries.iter().fold(0.0, |big, entry| scalar::max(big, entry.abs()));
    for (row, column) in [(0, 1), (0, 2), (1, 2)] {
        let (a, b) = (tensor.col(column)[row], tensor.col(row)[column]);
        if (a - b).abs() > tolerance::INERTIA * largest {
            return Err(InertiaError::NotSymmetric { row, column, a, b });
        }
    }
    Ok(())
}

fn check_moments(moments: Vec3) -> Result<(), InertiaError> {
    if moments.min_element() <= 0.0 {
        return Err(InertiaError::NotPositive(moments.min_element()));
    }
    let largest = moments.max_element();
    let others = moments.x + moments.y + moments.z - largest;
    if largest > others + tolerance::INERTIA * largest {
        return Err(InertiaError::TriangleInequality(moments.x, moments.y, moments.z));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::orientation::from_rotation_vector;
    use proptest::prelude::*;

    #[test]
    fn impossible_tensors_are_refused_with_the_reason() {
        let diagonal = |x, y, z| Mat3::from_diagonal(Vec3::new(x, y, z));
        assert!(matches!(Inertia::new(0.0, Mat3::IDENTITY), Err(InertiaError::Mass(_))));
        assert!(matches!(Inertia::new(f64::NAN, Mat3::IDENTITY), Err(InertiaError::Mass(_))));
        assert!(matches!(Inertia::new(1e-320, Mat3::IDENTITY), Err(InertiaError::Mass(_))));
        assert!(matches!(Inertia::new(1.0, diagonal(1.0, 1.0, 0.0)), Err(InertiaError::NotPositive(_))));
        assert!(matches!(
            Inertia::new(1.0, diagonal(1.0, 1.0, 2.1)),
            Err(InertiaError::TriangleInequality(..))
        ));
        assert!(Inertia::new(1.0, diagonal(1.0, 1.0, 2.0)).is_ok(), "a flat body is legal");
        let mut skew = Mat3::IDENTITY;
        skew.y_axis.x = 1e-3;
        assert!(matches!(Inertia::new(1.0, skew), Err(InertiaError::NotSymmetric { row: 0, column: 1, .. })));
        skew.y_axis.x = f64::INFINITY;
        assert!(matches!(Inertia::new(1.0, skew), Err(InertiaError::NotFinite(_))));
    }

    proptest! {
        #[test]
        fn principal_axes_diagonalise_and_the_inverse_inverts(
            x in -3.0..3.0_f64, y in -3.0..3.0_f64, z in -3.0..3.0_f64, a in 1.0..2.0_f64, b in 1.0..2.0_f64
        ) {
            let r = Mat3::from_quat(from_rotation_vector(Vec3::new(x, y, z)));
            let tensor = r * Mat3::from_diagonal(Vec3::new(a, b, 1.5)) * r.transpose();
            let inertia = Inertia::new(3.0, tensor).unwrap();
            let p = Mat3::from_quat(inertia.body_from_principal());
            let rebuilt = p * Mat3::from_diagonal(inertia.principal_moments()) * p.transpose();
            prop_assert!((rebuilt - tensor).to_cols_array().iter().all(|d| d.abs() < 1e-14));
            let identity = inertia.inverse_tensor_body() * tensor - Mat3::IDENTITY;
            prop_assert!(identity.to_cols_array().iter().all(|d| d.abs() < 1e-14));
        }
    }
}
