//! Collision detection: broad phase, narrow phase and contact cache.
//!
//! Single queries: [`distance`], [`intersects`], [`penetration`] and [`manifold`]. A simulation keeps a
//! [`ManifoldCache`] for each pair.
//!
//! From the bottom up: [`SupportFunction`] and the Minkowski difference of a pair; [`Gjk`] (distance) and
//! [`Epa`] (penetration) on it; SAT for polytopes and closed forms for round shapes; `signed_distance`
//! chooses among them; `features`, `clipping` and `manifold_builder` turn a normal into contact points;
//! `convex_parts` splits compounds and meshes into convex parts and `part_pair` tests two of them;
//! `contact_matching` transfers impulses for warm starting; [`ManifoldCache`] keeps contacts from step to
//! step.
//!
//! Conventions: normals are unit vectors in the world frame from A to B; a positive distance is a gap, a
//! negative one an overlap; every contact has a point on A and a point on B.

pub mod broad_phase;

mod adjacent_faces;
mod box_box;
mod box_faces;
mod clipping;
mod closed_form;
mod collision_handler;
mod collision_result;
mod compound_pair;
mod contact_impulse;
mod contact_matching;
mod convex_pair;
mod convex_parts;
mod curved_pair;
mod detector;
mod epa;
mod features;
mod gjk;
mod half_space_pair;
mod hull_projection;
mod manifold;
mod manifold_builder;
mod manifold_cache;
mod mesh_pair;
mod pair_list;
mod pair_order;
mod part_pair;
mod persistent_manifold;
mod point_projection;
mod polytope;
mod posed_manifold;
mod query;
mod recycling;
mod sat;
mod sat_axis;
mod signed_distance;
mod simplex;
mod solid;
mod solid_pair;
mod support_function;
mod time_of_impact;
mod tube_ends;
mod witness;

pub use collision_handler::{CollisionError, CollisionHandler};
pub use collision_result::CollisionResult;
pub use contact_impulse::{ContactImpulse, tangents};
pub(crate) use detector::CONTACT_MARGIN;
pub use detector::{CollisionDetector, ContactPair};
pub use epa::{Epa, EpaResult, EpaStatus};
pub use gjk::{Gjk, GjkResult, GjkStart, GjkStatus};
pub use manifold::{ContactManifold, ContactPoint, FeatureId, MAX_POINTS};
pub use manifold_cache::ManifoldCache;
pub use pair_list::PairCache;
pub use persistent_manifold::PersistentManifold;
pub use point_projection::{Projection, project_point};
pub(crate) use posed_manifold::PosedManifold;
pub use query::{Distance, distance, intersects, manifold, penetration};
pub use recycling::Recycling;
pub(crate) use recycling::local_bounds;
pub use simplex::Simplex;
pub use support_function::{MinkowskiDifference, MinkowskiVertex, NO_VERTEX, RelativePose, SupportFunction};
pub(crate) use time_of_impact::IMPACT_ITERATIONS;
pub use time_of_impact::{Impact, Motion, time_of_impact};

/// The user's guide, whose code is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../../../docs/collision.md")]
struct Guide;
