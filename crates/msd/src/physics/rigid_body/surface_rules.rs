//! Which values of a material a surface states, and its rules for those that two surfaces state.

use serde::{Deserialize, Serialize};

use crate::digest::{Fingerprint, Hasher, parameters};
use crate::math::scalar;

/// How the two values of a pair make one. Where the surfaces name different rules, the later of this list holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum CombineRule {
    /// `√(a b)`.
    #[default]
    GeometricMean,
    /// `(a + b) / 2`.
    Mean,
    /// The smaller.
    Min,
    /// `a b`.
    Product,
    /// The larger.
    Max,
    /// The value of the surface that names this rule; the larger where both do.
    Own,
}

impl CombineRule {
    /// The value of a pair.
    #[must_use]
    pub fn combine(self, a: f64, b: f64) -> f64 {
        match self {
            Self::GeometricMean => (a * b).sqrt(),
            Self::Mean => 0.5 * (a + b),
            Self::Min => scalar::min(a, b),
            Self::Product => a * b,
            Self::Max | Self::Own => scalar::max(a, b),
        }
    }
}

impl Fingerprint for CombineRule {
    fn fingerprint(&self, hasher: &mut Hasher) {
        hasher.text(match self {
            Self::GeometricMean => "geometric mean",
            Self::Mean => "mean",
            Self::Min => "min",
            Self::Product => "product",
            Self::Max => "max",
            Self::Own => "own",
        });
    }
}

/// Material values that a surface states, and its rules for pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SurfaceRules {
    /// True if it states a coefficient of friction.
    pub states_friction: bool,
    /// True if it states a coefficient of restitution.
    pub states_restitution: bool,
    /// True if it states rolling and torsional friction.
    pub states_rolling: bool,
    /// For friction, rolling and torsional friction.
    pub friction_rule: CombineRule,
    /// For restitution.
    pub restitution_rule: CombineRule,
}

impl SurfaceRules {
    /// All values stated, geometric means.
    pub const STATED: Self = Self {
        states_friction: true,
        states_restitution: true,
        states_rolling: true,
        friction_rule: CombineRule::GeometricMean,
        restitution_rule: CombineRule::GeometricMean,
    };
}

impl Fingerprint for SurfaceRules {
    parameters!("surface": states_friction, states_restitution, states_rolling, friction_rule, restitution_rule);
}
