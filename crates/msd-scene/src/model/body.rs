//! `[[body]]`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Orientation, Shape, Triple, Visual, defaults};

/// A rigid body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Unique among bodies, and not `world`.
    pub name: String,
    /// Its kind.
    #[serde(default, skip_serializing_if = "defaults::is_default")]
    pub kind: BodyKind,
    /// In the body frame; without one nothing can touch the body, and `mass` and `inertia` must be given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<Shape>,
    /// kg; a dynamic body has either a mass or a density.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub mass: Option<f64>,
    /// kg/m³; a dynamic body has either a mass or a density.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub density: Option<f64>,
    /// Inertia tensor by rows, kg·m², about the centre of mass, body frame; from shape and mass unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inertia: Option<[Triple; 3]>,
    /// m, body frame; the shape's centroid unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub center_of_mass: Option<Triple>,
    /// Position of the body frame, m.
    #[serde(default)]
    pub position: Triple,
    /// Orientation of the body frame, body to world.
    #[serde(default, skip_serializing_if = "defaults::is_default")]
    pub orientation: Orientation,
    /// Velocity of the centre of mass, world frame, m/s.
    #[serde(default, skip_serializing_if = "defaults::is_origin")]
    pub velocity: Triple,
    /// World frame, rad/s.
    #[serde(default, skip_serializing_if = "defaults::is_origin")]
    pub angular_velocity: Triple,
    /// Name of a material.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<String>,
    /// Coulomb coefficient; instead of the material's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub friction: Option<f64>,
    /// Coefficient of restitution; instead of the material's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub restitution: Option<f64>,
    /// Velocity of its surface relative to the body, body frame, m/s: a conveyor belt. The part along a contact normal has no effect.
    #[serde(default, skip_serializing_if = "defaults::is_origin")]
    pub surface_velocity: Triple,
    /// The only side from which it can be touched: a direction out of the body, body frame. All sides unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_way: Option<Triple>,
    /// Whether it is a trigger volume: it touches nothing, and which bodies are in its shape is reported.
    #[serde(default, skip_serializing_if = "defaults::is_no")]
    pub trigger: bool,
    /// Whether it touches other bodies.
    #[serde(default = "defaults::yes", skip_serializing_if = "defaults::is_yes")]
    pub collides: bool,
    /// Names of the collision groups it belongs to; `default` unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<String>>,
    /// Names of the collision groups it can touch; all unless given. Two bodies touch only if each can touch the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mask: Option<Vec<String>>,
    /// Names of bodies it passes through.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignores: Vec<String>,
    /// Rate at which its velocity decays, 1/s.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    #[schemars(range(min = 0.0))]
    pub linear_damping: f64,
    /// Rate at which its angular velocity decays, 1/s.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    #[schemars(range(min = 0.0))]
    pub angular_damping: f64,
    /// Colour in the viewer, `#rrggbb` or `#rrggbbaa`; chosen by the viewer unless given. No result depends on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Drawn instead of `shape`. No result depends on it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub visual: Vec<Visual>,
    /// Values for fields, such as `drag-area` (m²) or `magnetic-dipole` (A·m², body frame).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: BTreeMap<String, PropertyValue>,
}

impl Body {
    /// A dynamic body at the origin and at rest, of which nothing else is said.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            kind: BodyKind::Dynamic,
            shape: None,
            mass: None,
            density: None,
            inertia: None,
            center_of_mass: None,
            position: [0.0; 3],
            orientation: Orientation::default(),
            velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
            material: None,
            friction: None,
            restitution: None,
            surface_velocity: [0.0; 3],
            one_way: None,
            trigger: false,
            collides: true,
            groups: None,
            mask: None,
            ignores: Vec::new(),
            linear_damping: 0.0,
            angular_damping: 0.0,
            color: None,
            visual: Vec::new(),
            properties: BTreeMap::new(),
        }
    }
}

/// Kind of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BodyKind {
    /// Forces; the default.
    #[default]
    Dynamic,
    /// Nothing.
    Static,
    /// Its own velocity, whatever it meets.
    Kinematic,
    /// Not simulated; display only.
    Graphical,
}

/// A number or a vector.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum PropertyValue {
    /// A number.
    Scalar(f64),
    /// A vector in the body frame.
    Vector(Triple),
}
