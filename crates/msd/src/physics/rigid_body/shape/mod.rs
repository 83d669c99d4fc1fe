//! The shapes a body can have, each exact: a sphere is a sphere, not a polyhedron.
//!
//! Every shape is given in its own local frame with full lengths in metres. [`Geometry`] is what all of them answer;
//! [`Convex`] adds what bounded convex ones answer and what GJK and EPA live on.

mod aabb;
mod geometry;
mod ray;

pub use aabb::Aabb;
pub use geometry::{Convex, Geometry, GeometryError};
pub use ray::{Ray, RayHit};
