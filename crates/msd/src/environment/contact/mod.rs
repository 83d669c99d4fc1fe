//! Contact in a world: detection, impulses, and positions of the bodies after them.
//!
//! The integrator moves all bodies over dt as if nothing touched, with joints held but those of bodies in contact
//! (`joint_claims`); then every island is solved. In order:
//!
//! 1. `prepare_contacts`: pairs of bodies that may touch; `island`: bodies connected by contacts and joints. Static
//!    bodies do not connect.
//! 2. `contact_constraint`: every point of every manifold at the start of the step, with its gap and its relative
//!    velocity as a function of time in free flight; `gap_prediction`: four points at a time. They are built island by
//!    island, by the task that solves the island.
//! 3. `island_executor`: islands on all threads; `island_step`: alternates in each island
//!    - `impacts`: impacts at their own times within the step, with the contact points of that instant
//!      (`impact_geometry`, along each body's `path`; `ccd` for pairs too fast for the points of the start),
//!    - resting, sliding and rolling in between: `midpoint_span`: `midpoint_positions` by the implicit midpoint rule
//!      (`midpoint_motion`) with rows of `midpoint_geometry` that gain no energy and joints by `midpoint_joints`, then
//!      `midpoint_velocities`; or, if set, `moreau_jean`: one velocity problem a span (Moreau-Jean with θ = ½),
//!    - or, in the fast tier, `fast`: soft contact in substeps, for all its islands together.
//! 4. `position_correction`: removes overlap without changing a velocity; `push_out` within the bounds of the bodies.
//! 5. `impulse_cache`: stores impulses with their pairs for the next warm start.
//!
//! Impulses are on B, in N·s; relative velocities `u = J v` are those of B's point seen from A's, in the frame
//! `n, t₁, t₂` of the contact, n from A to B.

mod body_order;
mod ccd;
mod contact_constraint;
mod contact_hook;
mod contact_info;
mod contacts;
mod declaration;
mod displacement;
mod edge_impact;
mod end_points;
mod fast;
mod free_flight;
mod gap_prediction;
mod impact_geometry;
mod impact_record;
mod impacts;
mod impulse_cache;
mod island;
mod island_executor;
mod island_problem;
mod island_step;
mod joint_claims;
mod joint_row;
mod midpoint_geometry;
mod midpoint_joints;
mod midpoint_motion;
mod midpoint_positions;
mod midpoint_span;
mod midpoint_velocities;
mod moreau_jean;
mod path;
mod position_correction;
mod prepare_contacts;
mod push_out;
mod report;
mod settings;
mod solver_cost;

pub use contact_hook::{ContactHook, HookedPair, PairResponse};
pub use contact_info::{ContactEvent, ContactEventKind, ContactForceEvent, ContactView};
pub(super) use contacts::{ContactMemory, Contacts};
pub(super) use end_points::{CarriedBody, EndPoint};
pub(super) use free_flight::FreeFlight;
pub use impact_record::ImpactRecord;
pub(super) use impacts::ContactWork;
pub use report::ContactReport;
pub use settings::{AutoLimits, ContactScheme, ContactSettings, ContactTier, GeometricMean, PairMaterials};
