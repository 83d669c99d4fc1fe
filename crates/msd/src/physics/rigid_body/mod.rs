//! Rigid bodies: shape, mass, material and state.

mod appearance;
mod bodies;
mod body;
mod euler_equation;
mod handle;
mod inertia;
mod inertial_state;
mod mass_properties;
mod material;
mod pair_material;
pub mod shape;
mod surface_motion;
mod surface_rules;
mod wrench;

pub use appearance::{Appearance, AppearanceError, Color, Visual, VisualGeometry, VisualMesh};
pub use bodies::{Bodies, BodyView};
pub use body::{BodyKind, CollisionGroups, Properties, PropertyValue, RigidBody};
pub use euler_equation::angular_acceleration;
pub use handle::BodyHandle;
pub(crate) use handle::{Identity, as_of_world};
pub use inertia::{Inertia, InertiaError};
pub use inertial_state::{InertialState, RestThresholds};
pub use mass_properties::{MassProperties, UniformSolid};
pub use material::{Material, MaterialError};
pub use surface_motion::SurfaceMotion;
pub use surface_rules::{CombineRule, SurfaceRules};
pub use wrench::{Acceleration, Wrench};
