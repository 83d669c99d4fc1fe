//! `[[joint]]`. Anchors and axes are in world coordinates at t = 0.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Triple, defaults};

/// A joint between two bodies, or a body and the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Joint {
    /// Holds two bodies as they are placed.
    Fixed(PointJoint),
    /// Holds a point of one to a point of the other.
    Ball(PointJoint),
    /// Turns about an axis.
    Hinge(AxisJoint),
    /// Slides along an axis.
    Slider(AxisJoint),
    /// Turns about two crossed axes.
    Universal(UniversalJoint),
    /// Keeps two points at a distance.
    Distance(DistanceJoint),
    /// Keeps two points at a distance or nearer.
    Rope(DistanceJoint),
    /// Pulls and pushes two points towards a distance.
    Spring(SpringJoint),
    /// Holds two bodies as they stand from the end of the step in which they first touch.
    Latch(LatchJoint),
}

/// A joint that closes on contact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LatchJoint {
    /// Unique among joints.
    pub name: String,
    /// A body's name.
    pub a: String,
    /// A body's name.
    pub b: String,
    /// Force beyond which it breaks, N; none unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub break_force: Option<f64>,
    /// Torque about the anchor beyond which it breaks, N·m; none unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub break_torque: Option<f64>,
}

/// A joint at a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PointJoint {
    /// Unique among joints.
    pub name: String,
    /// A body's name, or `world`.
    pub a: String,
    /// A body's name, or `world`.
    pub b: String,
    /// m.
    #[serde(default)]
    pub anchor: Triple,
    /// Whether the two bodies may touch each other.
    #[serde(default, skip_serializing_if = "defaults::is_no")]
    pub collide: bool,
    /// Force beyond which it breaks, N; none unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub break_force: Option<f64>,
    /// Torque about the anchor beyond which it breaks, N·m; none unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub break_torque: Option<f64>,
}

/// A joint with an axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AxisJoint {
    /// Unique among joints.
    pub name: String,
    /// A body's name, or `world`.
    pub a: String,
    /// A body's name, or `world`.
    pub b: String,
    /// m.
    #[serde(default)]
    pub anchor: Triple,
    /// Axis of any length but zero; b turns or moves positively about or along it, seen from a.
    pub axis: Triple,
    /// Angle (rad) or travel (m) as placed, which `limits`, `rest` and controls count from.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    pub position: f64,
    /// Lowest and highest angle (rad; may be turns apart) or travel (m).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<[f64; 2]>,
    /// Drives the joint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motor: Option<Motor>,
    /// Stiffness of a spring about or along the axis, N·m/rad or N/m.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    #[schemars(range(min = 0.0))]
    pub stiffness: f64,
    /// Damping coefficient about or along the axis, N·m·s/rad or N·s/m.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    #[schemars(range(min = 0.0))]
    pub damping: f64,
    /// Angle (rad) or travel (m) at which the spring is unstressed.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    pub rest: f64,
    /// Inertia of a rotor geared to the axis, kg·m² or kg.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    #[schemars(range(min = 0.0))]
    pub armature: f64,
    /// The hinge or slider between the same two bodies that carries this one: together they are a sequence, without bodies between.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Whether the two bodies may touch each other.
    #[serde(default, skip_serializing_if = "defaults::is_no")]
    pub collide: bool,
    /// Force beyond which it breaks, N; none unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub break_force: Option<f64>,
    /// Torque about the anchor beyond which it breaks, N·m; none unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub break_torque: Option<f64>,
}

/// Drives a joint towards a velocity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Motor {
    /// rad/s or m/s.
    pub velocity: f64,
    /// N·m or N.
    #[schemars(range(min = 0.0))]
    pub max_force: f64,
}

/// A joint with two axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UniversalJoint {
    /// Unique among joints.
    pub name: String,
    /// A body's name, or `world`.
    pub a: String,
    /// A body's name, or `world`.
    pub b: String,
    /// m.
    #[serde(default)]
    pub anchor: Triple,
    /// Axis fixed to a, of any length but zero.
    pub axis: Triple,
    /// Axis fixed to b, perpendicular to the first; chosen unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis_b: Option<Triple>,
    /// Whether the two bodies may touch each other.
    #[serde(default, skip_serializing_if = "defaults::is_no")]
    pub collide: bool,
    /// Force beyond which it breaks, N; none unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub break_force: Option<f64>,
    /// Torque about the anchor beyond which it breaks, N·m; none unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub break_torque: Option<f64>,
}

/// A massless rod or rope.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DistanceJoint {
    /// Unique among joints.
    pub name: String,
    /// A body's name, or `world`.
    pub a: String,
    /// A body's name, or `world`.
    pub b: String,
    /// End on a, m.
    pub anchor_a: Triple,
    /// End on b, m.
    pub anchor_b: Triple,
    /// m; as placed unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub length: Option<f64>,
    /// Whether the two bodies may touch each other.
    #[serde(default, skip_serializing_if = "defaults::is_no")]
    pub collide: bool,
    /// Force beyond which it breaks, N; none unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub break_force: Option<f64>,
    /// Torque about the anchor beyond which it breaks, N·m; none unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub break_torque: Option<f64>,
}

/// A spring with a parallel damper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpringJoint {
    /// Unique among joints.
    pub name: String,
    /// A body's name, or `world`.
    pub a: String,
    /// A body's name, or `world`.
    pub b: String,
    /// Both ends, m; or give `anchor_a` and `anchor_b`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<Triple>,
    /// End on a, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor_a: Option<Triple>,
    /// End on b, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor_b: Option<Triple>,
    /// N/m.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub stiffness: f64,
    /// N·s/m.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    #[schemars(range(min = 0.0))]
    pub damping: f64,
    /// Rest length, m; as placed unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub length: Option<f64>,
    /// Whether the two bodies may touch each other.
    #[serde(default, skip_serializing_if = "defaults::is_no")]
    pub collide: bool,
    /// Force beyond which it breaks, N; none unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub break_force: Option<f64>,
    /// Torque about the anchor beyond which it breaks, N·m; none unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub break_torque: Option<f64>,
}

impl Joint {
    /// True if it leaves one axis free.
    #[must_use]
    pub fn has_axis(&self) -> bool {
        matches!(self, Joint::Hinge(_) | Joint::Slider(_))
    }

    /// The hinge or slider it is, and whether it slides.
    #[must_use]
    pub fn as_axis(&self) -> Option<(&AxisJoint, bool)> {
        match self {
            Joint::Hinge(joint) => Some((joint, false)),
            Joint::Slider(joint) => Some((joint, true)),
            _ => None,
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Joint::Fixed(joint) | Joint::Ball(joint) => &joint.name,
            Joint::Hinge(joint) | Joint::Slider(joint) => &joint.name,
            Joint::Universal(joint) => &joint.name,
            Joint::Distance(joint) | Joint::Rope(joint) => &joint.name,
            Joint::Spring(joint) => &joint.name,
            Joint::Latch(joint) => &joint.name,
        }
    }

    /// Its two ends: names of bodies, or `world`.
    #[must_use]
    pub fn ends(&self) -> [&str; 2] {
        match self {
            Joint::Fixed(joint) | Joint::Ball(joint) => [&joint.a, &joint.b],
            Joint::Hinge(joint) | Joint::Slider(joint) => [&joint.a, &joint.b],
            Joint::Universal(joint) => [&joint.a, &joint.b],
            Joint::Distance(joint) | Joint::Rope(joint) => [&joint.a, &joint.b],
            Joint::Spring(joint) => [&joint.a, &joint.b],
            Joint::Latch(joint) => [&joint.a, &joint.b],
        }
    }

    /// Whether the two bodies may touch each other.
    #[must_use]
    pub fn collide(&self) -> bool {
        match self {
            Joint::Fixed(joint) | Joint::Ball(joint) => joint.collide,
            Joint::Hinge(joint) | Joint::Slider(joint) => joint.collide,
            Joint::Universal(joint) => joint.collide,
            Joint::Distance(joint) | Joint::Rope(joint) => joint.collide,
            Joint::Spring(joint) => joint.collide,
            Joint::Latch(_) => false,
        }
    }

    /// Force (N) and torque (N·m) beyond which it breaks.
    #[must_use]
    pub fn break_load(&self) -> [Option<f64>; 2] {
        match self {
            Joint::Fixed(joint) | Joint::Ball(joint) => [joint.break_force, joint.break_torque],
            Joint::Hinge(joint) | Joint::Slider(joint) => [joint.break_force, joint.break_torque],
            Joint::Universal(joint) => [joint.break_force, joint.break_torque],
            Joint::Distance(joint) | Joint::Rope(joint) => [joint.break_force, joint.break_torque],
            Joint::Spring(joint) => [joint.break_force, joint.break_torque],
            Joint::Latch(joint) => [joint.break_force, joint.break_torque],
        }
    }
}
