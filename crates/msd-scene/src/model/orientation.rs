//! Orientations as people write them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Triple;

/// An orientation, body to world: an axis and an angle, a unit quaternion, or yaw, pitch and roll. A bare
/// list of four numbers is not accepted, since its order would be ambiguous.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Orientation {
    /// Axis and angle.
    AxisAngle(AxisAngle),
    /// Unit quaternion, Hamilton convention.
    Quaternion(Quaternion),
    /// Intrinsic ZYX angles.
    Angles(YawPitchRoll),
}

impl Default for Orientation {
    fn default() -> Self {
        Self::Quaternion(Quaternion { w: 1.0, x: 0.0, y: 0.0, z: 0.0 })
    }
}

/// A turn about an axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AxisAngle {
    /// World axis, of any length but zero.
    pub axis: Triple,
    /// Right-handed turn about it, degrees.
    pub angle_deg: f64,
}

/// A quaternion, unit to 1e-6.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Quaternion {
    /// Real part.
    pub w: f64,
    /// First imaginary part.
    pub x: f64,
    /// Second imaginary part.
    pub y: f64,
    /// Third imaginary part.
    pub z: f64,
}

/// Turns about z, then the new y, then the new x.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct YawPitchRoll {
    /// About z, degrees.
    #[serde(default)]
    pub yaw_deg: f64,
    /// About the new y, degrees.
    #[serde(default)]
    pub pitch_deg: f64,
    /// About the new x, degrees.
    #[serde(default)]
    pub roll_deg: f64,
}
