//! `[keyframe.NAME]`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Orientation, Quaternion, Triple, defaults};

/// A state to start from: where joints and free bodies are, how they move, and what actuators are told. What it does not name is as
/// placed, at rest.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Keyframe {
    /// Positions of hinges (rad) and sliders (m), by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub joint: BTreeMap<String, f64>,
    /// Velocities of hinges (rad/s) and sliders (m/s), by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub joint_velocity: BTreeMap<String, f64>,
    /// Bodies that hang on no joint, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub body: BTreeMap<String, BodyPose>,
    /// Exact states of any bodies, by name; set after joints and free bodies.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub state: BTreeMap<String, BodyState>,
    /// Controls of actuators, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub control: BTreeMap<String, f64>,
}

/// The state of a body, as it is computed with.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodyState {
    /// m, world.
    pub center_of_mass: Triple,
    /// Body to world, unit.
    pub orientation: Quaternion,
    /// Of the centre of mass, m/s, world axes.
    #[serde(default, skip_serializing_if = "defaults::is_origin")]
    pub velocity: Triple,
    /// rad/s, world axes.
    #[serde(default, skip_serializing_if = "defaults::is_origin")]
    pub angular_velocity: Triple,
}

/// Where a free body is and how it moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodyPose {
    /// Of its frame, m.
    pub position: Triple,
    /// Of its frame.
    #[serde(default)]
    pub orientation: Orientation,
    /// Of the origin of its frame, m/s, world axes.
    #[serde(default, skip_serializing_if = "defaults::is_origin")]
    pub velocity: Triple,
    /// rad/s, world axes.
    #[serde(default, skip_serializing_if = "defaults::is_origin")]
    pub angular_velocity: Triple,
}
