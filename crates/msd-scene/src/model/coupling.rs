//! `[[coupling]]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::defaults;

/// A sum over the positions of hinges (rad) and sliders (m), held, limited, sprung or braked: gears, mimic joints, fixed tendons.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Coupling {
    /// Unique among couplings and joints.
    pub name: String,
    /// Names of hinges and sliders, each once.
    pub joints: Vec<String>,
    /// What the position of each joint is multiplied by; or give `polynomials`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub factors: Vec<f64>,
    /// For each joint the coefficients of the powers 0 to 4 of its position.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub polynomials: Vec<Vec<f64>>,
    /// What the sum is held at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Lowest and highest sum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<[f64; 2]>,
    /// Stiffness of a spring along the sum.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    #[schemars(range(min = 0.0))]
    pub stiffness: f64,
    /// Damping coefficient along the sum.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    #[schemars(range(min = 0.0))]
    pub damping: f64,
    /// Sum at which the spring is unstressed.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    pub rest: f64,
    /// Dry friction along the sum.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    #[schemars(range(min = 0.0))]
    pub friction: f64,
}

impl Coupling {
    /// For each joint the coefficients of the powers 0 to 4 of its position.
    #[must_use]
    pub fn coefficients(&self) -> Vec<[f64; 5]> {
        let of = |given: &[f64]| {
            let mut all = [0.0; 5];
            all.iter_mut().zip(given).for_each(|(to, from)| *to = *from);
            all
        };
        if self.polynomials.is_empty() {
            self.factors.iter().map(|factor| of(&[0.0, *factor])).collect()
        } else {
            self.polynomials.iter().map(|given| of(given)).collect()
        }
    }
}
