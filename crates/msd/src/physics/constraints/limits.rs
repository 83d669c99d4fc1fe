//! `Limits`: the range of travel of a joint axis.

use serde::{Deserialize, Serialize};

use super::ConstraintError;
use crate::digest::{Fingerprint, parameters};

/// Range of travel: rad for a hinge, m for a slider, zero where the joint was made.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Least travel.
    pub min: f64,
    /// Most travel.
    pub max: f64,
}

impl Fingerprint for Limits {
    parameters!("limits": min, max);
}

/// Refuses a range that is empty or not finite.
pub(crate) fn check_limits(joint: &'static str, limits: Limits) -> Result<(), ConstraintError> {
    let width = limits.max - limits.min;
    if limits.min.is_finite() && limits.max.is_finite() && width > 0.0 {
        return Ok(());
    }
    let wanted = "finite with min below max (use a fixed joint to stop all travel)";
    Err(ConstraintError::Parameter { joint, what: "range of the limits", wanted, got: width })
}
