//! The shapes a body can have, each exact: a sphere is a sphere, not a polyhedron.
//!
//! Every shape is given in its own local frame with full lengths in metres. [`Geometry`] is their common
//! interface; [`Convex`] adds the support function of bounded convex shapes, which GJK and EPA use. [`Shape`]
//! is any of them.

mod aabb;
mod capsule;
mod chord;
mod compound;
mod cone;
pub mod convex_hull;
mod cuboid;
mod cylinder;
mod ellipsoid;
mod geometry;
mod half_space;
mod parallel_body;
mod ray;
mod revolution;
mod rounded;
#[expect(clippy::module_inception, reason = "the enum of all shapes is named like the chapter it belongs to")]
mod shape;
mod sphere;
mod tapered_capsule;
mod triangle_mesh;

pub use aabb::Aabb;
pub use capsule::Capsule;
pub use compound::{Compound, CompoundPart};
pub use cone::Cone;
pub use convex_hull::{ConvexHull, HullTriangle};
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use ellipsoid::Ellipsoid;
pub use geometry::{Convex, Geometry, GeometryError};
pub use half_space::HalfSpace;
pub(crate) use parallel_body::SolidMoments;
pub use ray::{Ray, RayHit};
pub use rounded::{Rounded, RoundedCore};
pub use shape::{ConvexShape, Shape};
pub use sphere::Sphere;
pub use tapered_capsule::TaperedCapsule;
pub(crate) use tapered_capsule::{nearest_on_two_balls, slant_normal};
pub use triangle_mesh::{Feature, NearestOnMesh, TriangleMesh};
