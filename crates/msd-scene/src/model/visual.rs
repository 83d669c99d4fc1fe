//! Geometry that is drawn instead of the shape of a body.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Orientation, Shape, Triple, defaults};

/// One geometry of how a body looks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Visual {
    /// The geometry; of a mesh its triangles whatever `convex` is, of an asset its visual mesh.
    pub shape: Shape,
    /// Position of its frame in the body frame, m.
    #[serde(default, skip_serializing_if = "defaults::is_origin")]
    pub position: Triple,
    /// Orientation of its frame in the body frame.
    #[serde(default, skip_serializing_if = "defaults::is_default")]
    pub orientation: Orientation,
    /// `#rrggbb` or `#rrggbbaa`; that of the file, or of the body, unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
}
