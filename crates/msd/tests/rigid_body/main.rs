//! Tests of `physics::rigid_body`.

mod convex_hull;
mod convex_hull_queries;
mod mass_properties;
mod shape;
