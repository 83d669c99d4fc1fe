//! `[[actuator]]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::defaults;

/// A force about or along the axis of a joint, or along a coupling, that follows a control.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Actuator {
    /// Unique among actuators.
    pub name: String,
    /// Name of a hinge or slider; or give `coupling`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub joint: String,
    /// Name of a coupling: the actuator pulls along its sum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coupling: Option<String>,
    /// Quantity that the control sets; a force unless given.
    #[serde(default, rename = "type", skip_serializing_if = "defaults::is_default")]
    pub kind: ActuatorKind,
    /// Stiffness of a position servo, N·m/rad or N/m; 1 unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub kp: Option<f64>,
    /// Damping of a position servo (0 unless given) or gain of a velocity servo (1 unless given), N·m·s/rad or N·s/m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub kv: Option<f64>,
    /// Of a general actuator: force over control; 1 unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gain: Option<f64>,
    /// Of a general actuator: force at no control, and its factors of length and speed of the transmission; 0 unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bias: Option<[f64; 3]>,
    /// Length of the transmission over position of the joint; force on the joint over that of the actuator.
    #[serde(default = "defaults::one", skip_serializing_if = "defaults::is_one")]
    pub gear: f64,
    /// Controls are held between these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control_range: Option<[f64; 2]>,
    /// Forces, before the gear, are held between these, N·m or N.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force_range: Option<[f64; 2]>,
    /// Of a filter of first order before the force, s; none unless given.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    #[schemars(range(min = 0.0))]
    pub time_constant: f64,
    /// Control at the start.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    pub control: f64,
}

/// Quantity that the control of an actuator sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ActuatorKind {
    /// The force, N·m or N.
    #[default]
    Motor,
    /// The position wanted, rad or m.
    Position,
    /// The velocity wanted, rad/s or m/s.
    Velocity,
    /// `gain` and `bias` say.
    General,
}

impl Actuator {
    /// A motor of gear 1 without bounds.
    #[must_use]
    pub fn new(name: &str, joint: &str) -> Self {
        Self {
            name: name.to_owned(),
            joint: joint.to_owned(),
            coupling: None,
            kind: ActuatorKind::Motor,
            kp: None,
            kv: None,
            gain: None,
            bias: None,
            gear: 1.0,
            control_range: None,
            force_range: None,
            time_constant: 0.0,
            control: 0.0,
        }
    }

    /// The parameters that only some kinds have: key, whether it is given, and the kinds.
    pub(crate) fn of_kinds(&self) -> [(&'static str, bool, &'static [ActuatorKind]); 4] {
        use ActuatorKind::{General, Position, Velocity};
        [
            ("kp", self.kp.is_some(), &[Position]),
            ("kv", self.kv.is_some(), &[Position, Velocity]),
            ("gain", self.gain.is_some(), &[General]),
            ("bias", self.bias.is_some(), &[General]),
        ]
    }
}

impl ActuatorKind {
    /// As scenes say it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Motor => "motor",
            Self::Position => "position",
            Self::Velocity => "velocity",
            Self::General => "general",
        }
    }
}
