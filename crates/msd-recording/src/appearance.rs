//! How the bodies of a recording look. Kept as the JSON property `appearance`, one entry for each body with a colour or
//! visuals; recordings without it are shown by their collision shapes.

use std::path::Path;

use msd::math::{ReferenceFrame, orientation};
use msd::physics::rigid_body::Color;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::RecordingError;
use crate::model::Model;

/// Name of the property.
pub(crate) const PROPERTY: &str = "appearance";

/// Geometry that is drawn instead of the collision shape of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedVisual {
    /// Its frame in the frame of the body.
    pub frame: ReferenceFrame,
    /// Number of the geometry.
    pub geometry: usize,
    /// That of the body unless given.
    pub color: Option<Color>,
}

/// How a recorded body looks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedAppearance {
    /// Chosen by the viewer unless given.
    pub color: Option<Color>,
    /// Empty if its collision shape is drawn.
    pub visuals: Vec<RecordedVisual>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    body: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<Color>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    visuals: Vec<VisualEntry>,
}

#[derive(Serialize, Deserialize)]
struct VisualEntry {
    geometry: usize,
    position: [f64; 3],
    /// w, x, y, z.
    orientation: [f64; 4],
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<Color>,
}

/// The property of a model; `None` if no body has an appearance.
pub(crate) fn to_json(model: &Model) -> Option<Value> {
    let visual = |visual: &RecordedVisual| VisualEntry {
        geometry: visual.geometry,
        position: visual.frame.position.to_array(),
        orientation: orientation::to_wxyz(visual.frame.orientation),
        color: visual.color,
    };
    let entry = |(number, body): (usize, &crate::RecordedBody)| {
        let RecordedAppearance { color, visuals } = &body.appearance;
        let given = color.is_some() || !visuals.is_empty();
        given.then(|| Entry { body: number, color: *color, visuals: visuals.iter().map(visual).collect() })
    };
    let entries: Vec<Entry> = model.bodies.iter().enumerate().filter_map(entry).collect();
    if entries.is_empty() { None } else { serde_json::to_value(entries).ok() }
}

/// Gives the bodies of a model their appearance.
pub(crate) fn read(value: Value, model: &mut Model, path: &Path) -> Result<(), RecordingError> {
    let damaged = |detail: String| RecordingError::damaged(path, format!("property {PROPERTY:?}: {detail}"));
    let entries: Vec<Entry> = serde_json::from_value(value).map_err(|error| damaged(error.to_string()))?;
    let geometries = model.geometry.len();
    for entry in entries {
        if let Some(visual) = entry.visuals.iter().find(|visual| visual.geometry >= geometries) {
            return Err(damaged(format!("there is no geometry {}", visual.geometry)));
        }
        let body = model.bodies.get_mut(entry.body);
        let body = body.ok_or_else(|| damaged(format!("there is no body {}", entry.body)))?;
        let visual = |visual: &VisualEntry| RecordedVisual {
            frame: ReferenceFrame {
                position: visual.position.into(),
                orientation: orientation::from_wxyz(visual.orientation),
            },
            geometry: visual.geometry,
            color: visual.color,
        };
        body.appearance =
            RecordedAppearance { color: entry.color, visuals: entry.visuals.iter().map(visual).collect() };
    }
    Ok(())
}
