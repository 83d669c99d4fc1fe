//! `[[import]]`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Orientation, Triple, defaults};

/// A robot (URDF or MJCF) that becomes bodies and joints of the scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Import {
    /// Relative to the folder of the scene file; URDF or MJCF.
    pub file: String,
    /// Position of the robot's base, or of the origin of the model, m.
    #[serde(default, skip_serializing_if = "defaults::is_origin")]
    pub position: Triple,
    /// Orientation of the robot's base, or of the axes of the model.
    #[serde(default, skip_serializing_if = "defaults::is_default")]
    pub orientation: Orientation,
    /// Whether the base of a URDF is held to the world; MJCF says itself what is free.
    #[serde(default = "defaults::yes", skip_serializing_if = "defaults::is_yes")]
    pub fixed_base: bool,
    /// Put before every name, so that a robot can be there twice.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prefix: String,
    /// Where joints start, rad or m, by their names in the file.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub pose: BTreeMap<String, f64>,
}

impl Import {
    /// A file as it stands: at the origin, its base held, names as they are.
    #[must_use]
    pub fn of_file(file: &str) -> Self {
        Self {
            file: file.to_owned(),
            position: [0.0; 3],
            orientation: Orientation::default(),
            fixed_base: true,
            prefix: String::new(),
            pose: BTreeMap::new(),
        }
    }
}
