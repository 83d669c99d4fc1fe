//! Surface materials.

use crate::digest::{Fingerprint, parameters};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::tolerance;

/// Friction and restitution of a surface. A pair of bodies has the geometric means of their values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Material {
    /// Coulomb coefficient μ, from 0 to [`tolerance::FRICTION`]; default 0.5.
    pub friction: f64,
    /// Coefficient of restitution in [0, 1]; default 0.
    pub restitution: f64,
    /// Resistance to rolling: lever arm of the normal force, m, from 0 to [`tolerance::FRICTION_ARM`]; default 0.
    pub rolling_friction: f64,
    /// Resistance to spinning about the normal: lever arm of the normal force, m, in the same range; default 0.
    pub torsional_friction: f64,
}

impl Fingerprint for Material {
    parameters!("material": friction, restitution, rolling_friction, torsional_friction);
}

impl Default for Material {
    fn default() -> Self {
        Self { friction: 0.5, restitution: 0.0, rolling_friction: 0.0, torsional_friction: 0.0 }
    }
}

/// A material value out of its range.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("{field} must be {expected}, got {value}")]
pub struct MaterialError {
    /// Which value.
    pub field: &'static str,
    /// Its range.
    pub expected: &'static str,
    /// The value given.
    pub value: f64,
}

impl Material {
    /// Checks every value against its range.
    ///
    /// # Errors
    /// Names the first value that is not finite or out of range.
    pub fn validate(&self) -> Result<(), MaterialError> {
        let arm = (tolerance::FRICTION_ARM, "from 0 to 1e4 m");
        let bounded = [
            ("friction", self.friction, (tolerance::FRICTION, "from 0 to 1e4")),
            ("rolling_friction", self.rolling_friction, arm),
            ("torsional_friction", self.torsional_friction, arm),
        ];
        for (field, value, (most, expected)) in bounded {
            if !(0.0..=most).contains(&value) {
                return Err(MaterialError { field, expected, value });
            }
        }
        if !(0.0..=1.0).contains(&self.restitution) {
            return Err(MaterialError {
                field: "restitution",
                expected: "in [0, 1]",
                value: self.restitution,
            });
        }
        Ok(())
    }

    /// Combined material of two surfaces: the geometric mean of each value.
    #[must_use]
    pub fn combine(a: &Material, b: &Material) -> Material {
        Material {
            friction: (a.friction * b.friction).sqrt(),
            restitution: (a.restitution * b.restitution).sqrt(),
            rolling_friction: (a.rolling_friction * b.rolling_friction).sqrt(),
            torsional_friction: (a.torsional_friction * b.torsional_friction).sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_meet_with_geometric_means() {
        let a = Material { friction: 0.4, restitution: 0.9, ..Material::default() };
        let b = Material { friction: 0.9, restitution: 0.4, ..Material::default() };
        let pair = Material::combine(&a, &b);
        assert!((pair.friction - 0.6).abs() < 1e-12 && (pair.restitution - 0.6).abs() < 1e-12);
    }

    #[test]
    fn values_out_of_range_are_named() {
        let bad = Material { restitution: 1.5, ..Material::default() };
        assert_eq!(bad.validate().unwrap_err().to_string(), "restitution must be in [0, 1], got 1.5");
        let bad = Material { friction: f64::NAN, ..Material::default() };
        assert_eq!(bad.validate().unwrap_err().field, "friction");
    }
}
