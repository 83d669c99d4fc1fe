//! The scene as data: what a scene file says, one Rust type per table.
//!
//! These types are the whole grammar: serde reads and writes them, and the JSON Schema derived from them is what the
//! reader checks a file against, so that `msd schema` prints exactly what is accepted. Doc comments are the
//! descriptions a user sees. SI units, full lengths.

mod actuator;
mod agent;
mod body;
mod coupling;
mod defaults;
mod field;
mod import;
mod joint;
mod keyframe;
mod material;
mod orientation;
mod shape;
mod visual;
mod world;

use std::collections::BTreeMap;

use crate::files::FileAccess;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use actuator::{Actuator, ActuatorKind};
pub use agent::{Agent, ConstantWrench, ControlSchedule, Docking, PdAttitude, VelocityCommand, WrenchFrame};
pub use body::{Body, BodyKind, PropertyValue};
pub use coupling::Coupling;
pub use field::{
    Damper, Drag, Field, Geopotential, GravityGradient, Harmonic, MagneticDipole, PointGravity,
    RotatingFrame, Shadow, SolarPressure, Spring, ThirdBody, Thruster, UniformGravity,
};
pub use import::Import;
pub use joint::{
    AxisJoint, DistanceJoint, Joint, LatchJoint, Motor, PointJoint, SpringJoint, UniversalJoint,
};
pub use keyframe::{BodyPose, BodyState, Keyframe};
pub use material::{Combine, Material};
pub use orientation::{AxisAngle, Orientation, Quaternion, YawPitchRoll};
pub use shape::{
    AssetShape, BoxShape, CompoundPart, CompoundShape, EllipsoidShape, HeightFieldShape, HullShape,
    MeshShape, PartsOfMesh, PlaneShape, RoundShape, RoundedShape, Shape, SphereShape, TaperedCapsuleShape,
};
pub use visual::Visual;
pub use world::{IntegratorName, Record, SolverName, WorldSettings};

/// Three numbers `[x, y, z]`.
pub type Triple = [f64; 3];

/// A scene: a world, the bodies in it and everything that acts on them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Version of the scene format; always 1.
    #[schemars(range(min = 1, max = 1))]
    pub format: u32,
    /// Gravity, step, duration and methods.
    #[serde(default)]
    pub world: WorldSettings,
    /// Surface materials by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub material: BTreeMap<String, Material>,
    /// Robots from other files; once a scene is read, their bodies and joints are among its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub import: Vec<Import>,
    /// Bodies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub body: Vec<Body>,
    /// Joints between bodies, or between a body and the world.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joint: Vec<Joint>,
    /// Gears, mimic joints and fixed tendons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coupling: Vec<Coupling>,
    /// Actuators on joints and couplings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actuator: Vec<Actuator>,
    /// States to start from or to go back to, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub keyframe: BTreeMap<String, Keyframe>,
    /// Fields besides the world's gravity.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub field: Vec<Field>,
    /// Controllers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agent: Vec<Agent>,
    /// Contents of a recording.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<Record>,
    /// Name of the scene in reports; the file's name unless a program says otherwise.
    #[serde(skip)]
    pub name: String,
    /// Where the files that the scene names are looked for.
    #[serde(skip)]
    pub files: FileAccess,
}

impl Default for Scene {
    /// An empty world under standard gravity.
    fn default() -> Self {
        Self {
            format: 1,
            world: WorldSettings::default(),
            material: BTreeMap::new(),
            import: Vec::new(),
            body: Vec::new(),
            joint: Vec::new(),
            coupling: Vec::new(),
            actuator: Vec::new(),
            keyframe: BTreeMap::new(),
            field: Vec::new(),
            agent: Vec::new(),
            record: None,
            name: "scene".to_owned(),
            files: FileAccess::default(),
        }
    }
}
