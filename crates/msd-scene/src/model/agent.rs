//! `[[agent]]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Orientation, Triple, defaults};

/// A controller.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Agent {
    /// A constant force and torque during a span of time.
    ConstantWrench(ConstantWrench),
    /// Turns a body to a target orientation with a spring and a damper.
    PdAttitude(PdAttitude),
    /// Drives a body towards a velocity.
    VelocityCommand(VelocityCommand),
    /// Brings a body to the docking port of another.
    Docking(Docking),
    /// Gives an actuator controls over time.
    ControlSchedule(ControlSchedule),
}

/// Axes in which a wrench or velocity is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum WrenchFrame {
    /// World axes; the default.
    #[default]
    World,
    /// Axes of the body; turns with it inside the step.
    Body,
}

/// Acts at the centre of mass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConstantWrench {
    /// Name of a dynamic body.
    pub body: String,
    /// N.
    #[serde(default, skip_serializing_if = "defaults::is_origin")]
    pub force: Triple,
    /// N·m.
    #[serde(default, skip_serializing_if = "defaults::is_origin")]
    pub torque: Triple,
    /// Axes of force and torque.
    #[serde(default, skip_serializing_if = "defaults::is_default")]
    pub frame: WrenchFrame,
    /// s.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    pub from: f64,
    /// s; for ever unless given.
    #[serde(default = "defaults::forever", skip_serializing_if = "defaults::is_infinite")]
    #[schemars(extend("x-infinite" = true))]
    pub until: f64,
}

/// `τ = -stiffness·φ - damping·ω`, φ from the target to the body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PdAttitude {
    /// Name of a dynamic body.
    pub body: String,
    /// Where it is to point.
    #[serde(default)]
    pub target: Orientation,
    /// N·m/rad.
    #[schemars(range(min = 0.0))]
    pub stiffness: f64,
    /// N·m·s/rad.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    #[schemars(range(min = 0.0))]
    pub damping: f64,
    /// Largest torque, N·m; no limit unless given.
    #[serde(default = "defaults::forever", skip_serializing_if = "defaults::is_infinite")]
    #[schemars(range(min = 0.0), extend("x-infinite" = true))]
    pub max_torque: f64,
    /// Seconds between two evaluations; every step unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub period: Option<f64>,
}

/// `F = gain·m·(v - v_body)` and the same for turning, both limited.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VelocityCommand {
    /// Name of a dynamic body.
    pub body: String,
    /// Target velocity, m/s.
    #[serde(default)]
    pub velocity: Triple,
    /// Target angular velocity, rad/s.
    #[serde(default)]
    pub angular_velocity: Triple,
    /// Axes of both.
    #[serde(default, skip_serializing_if = "defaults::is_default")]
    pub frame: WrenchFrame,
    /// 1/s.
    #[schemars(range(min = 0.0))]
    pub gain: f64,
    /// N.
    #[schemars(range(min = 0.0))]
    pub max_force: f64,
    /// N·m.
    #[schemars(range(min = 0.0))]
    pub max_torque: f64,
}

/// A glideslope along the axis of the target's port: the distance falls at `rate` to `contact_speed`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Docking {
    /// Name of the dynamic body that is steered.
    pub body: String,
    /// Name of the body with the port.
    pub target: String,
    /// Port of the steered body, in its frame, m.
    pub port: Triple,
    /// Port of the target, in its frame, m.
    pub target_port: Triple,
    /// Out of the port of the target, in its frame; any length but zero.
    pub axis: Triple,
    /// Orientation of the steered body in axes of the target when docked.
    #[serde(default)]
    pub orientation: Orientation,
    /// m/s.
    #[schemars(range(min = 0.0))]
    pub max_speed: f64,
    /// m/s.
    #[schemars(range(min = 0.0))]
    pub contact_speed: f64,
    /// At which distances fall, 1/s.
    #[schemars(range(min = 0.0))]
    pub rate: f64,
    /// Lateral offset allowed for each metre of distance.
    #[serde(default = "defaults::corridor")]
    #[schemars(range(min = 0.0))]
    pub corridor: f64,
    /// Distance in front of the port to which the body goes if it is outside of the corridor, m.
    #[schemars(range(min = 0.0))]
    pub standoff: f64,
    /// At which the thrusters are off, m.
    #[serde(default = "defaults::capture_distance")]
    #[schemars(range(min = 0.0))]
    pub capture_distance: f64,
    /// Of the velocity, 1/s.
    #[schemars(range(min = 0.0))]
    pub gain: f64,
    /// N.
    #[schemars(range(min = 0.0))]
    pub max_force: f64,
    /// N·m/rad.
    #[schemars(range(min = 0.0))]
    pub stiffness: f64,
    /// N·m·s/rad.
    #[schemars(range(min = 0.0))]
    pub damping: f64,
    /// N·m.
    #[schemars(range(min = 0.0))]
    pub max_torque: f64,
    /// Seconds between two evaluations; every step unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub period: Option<f64>,
}

/// Controls at times, joined by straight lines; before the first and after the last the control stays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ControlSchedule {
    /// Name of an actuator.
    pub actuator: String,
    /// Rising, s.
    pub times: Vec<f64>,
    /// One for each time, in the unit of the actuator.
    pub controls: Vec<f64>,
    /// Whether it begins again at its first time when its last has passed.
    #[serde(default, skip_serializing_if = "defaults::is_no")]
    pub repeat: bool,
}

impl Agent {
    /// Its type as scenes say it.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Agent::ConstantWrench(_) => "constant-wrench",
            Agent::PdAttitude(_) => "pd-attitude",
            Agent::VelocityCommand(_) => "velocity-command",
            Agent::Docking(_) => "docking",
            Agent::ControlSchedule(_) => "control-schedule",
        }
    }
}
