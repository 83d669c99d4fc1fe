//! `[material.NAME]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::defaults;

/// How a surface rubs and bounces; a pair of bodies meets with the geometric means of their values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// Coulomb coefficient.
    #[serde(default = "defaults::friction")]
    #[schemars(range(min = 0.0))]
    pub friction: f64,
    /// Coefficient of restitution.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub restitution: f64,
    /// Resistance to rolling: lever arm of the normal force, m.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    #[schemars(range(min = 0.0))]
    pub rolling_friction: f64,
    /// Resistance to spinning about the normal: lever arm of the normal force, m.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    #[schemars(range(min = 0.0))]
    pub torsional_friction: f64,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            friction: defaults::friction(),
            restitution: 0.0,
            rolling_friction: 0.0,
            torsional_friction: 0.0,
        }
    }
}
