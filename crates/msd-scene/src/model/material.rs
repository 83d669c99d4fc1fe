//! `[material.NAME]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::defaults;

/// How a surface rubs and bounces. Where both bodies of a pair state a value, the pair has their geometric mean, unless one of them names
/// another rule; where one states it, the pair has that value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// Coulomb coefficient; that of the other body of a pair unless given, and 0.5 where neither has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub friction: Option<f64>,
    /// Coefficient of restitution; that of the other body of a pair unless given, and 0 where neither has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub restitution: Option<f64>,
    /// Resistance to rolling: lever arm of the normal force, m.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    #[schemars(range(min = 0.0))]
    pub rolling_friction: f64,
    /// Resistance to spinning about the normal: lever arm of the normal force, m.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    #[schemars(range(min = 0.0))]
    pub torsional_friction: f64,
    /// How its friction combines with that of a body that states one too.
    #[serde(default, skip_serializing_if = "defaults::is_default")]
    pub friction_rule: Combine,
    /// How its restitution combines with that of a body that states one too.
    #[serde(default, skip_serializing_if = "defaults::is_default")]
    pub restitution_rule: Combine,
}

/// How two values make one. Where the bodies of a pair name different rules, the later of this list holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Combine {
    /// The square root of their product.
    #[default]
    GeometricMean,
    /// Half their sum.
    Mean,
    /// The smaller.
    Min,
    /// Their product.
    Product,
    /// The larger.
    Max,
    /// That of the body which names this rule; the larger where both do.
    Own,
}
