//! Common imports: `use msd::prelude::*;`.

pub use crate::engine::Engine;
pub use crate::environment::{BodyDescription, RunReport, StepReport, World, WorldError};
pub use crate::math::{Angle, AngularCoordinate, Coordinate, Mat3, Quat, ReferenceFrame, Vec3};
pub use crate::physics::rigid_body::shape::{
    Capsule, Compound, Cone, ConvexHull, Cuboid, Cylinder, Geometry, HalfSpace, Shape, Sphere, TriangleMesh,
};
pub use crate::physics::rigid_body::{BodyHandle, BodyKind, Material};
