//! Contact in a world: what touches, what it transmits, and where bodies are after it.
//!
//! A step with contact is free flight and what contact changes of it. The integrator moves all bodies over dt as if
//! nothing touched (joints held); contact then acts on the result. In order:
//!
//! 1. `prepare_contacts`: the pairs of bodies that may touch; `island`: bodies that contacts and joints connect. Immovable bodies connect nothing.
//! 2. `contact_constraint`: every point of every manifold found at the start of the step, with its gap and its relative velocity
//!    as a function of time in free flight; `gap_prediction`: those of a manifold side by side. They are made island by island, where they are solved.
//! 3. `island_executor`: islands on all threads; `island_step`: each island through the step, by turns
//!    - `impacts`: what arrives is stopped or thrown back at its own time inside the step, with the contact points of that
//!      instant (`impact_geometry`, along each body's `path`; `ccd` for pairs that are too fast for points of the start),
//!    - what rests, slides or rolls in between: `moreau_jean`, one velocity problem a span (Moreau-Jean with θ = ½); or, if set and
//!      without joints, `midpoint_span`: `midpoint_positions` by the implicit midpoint rule (`midpoint_motion`) with rows of
//!      `midpoint_geometry` that gain no energy, then `midpoint_velocities`,
//!    - or, where asked for, `fast`: soft contact in substeps, for all its islands together.
//! 4. `position_correction`: overlap is removed without touching a velocity, by `push_out` where bounds keep bodies from
//!    being moved as far as that takes.
//! 5. `impulse_cache`: impulses are left with their pairs, where the next step starts from.
//!
//! Impulses are on B, in N·s; relative velocities `u = J v` are those of B's point seen from A's, in the frame
//! `n, t₁, t₂` of the contact, n from A to B.

mod body_order;
mod ccd;
mod contact_constraint;
mod contact_info;
mod contacts;
mod declaration;
mod displacement;
mod end_points;
mod fast;
mod gap_prediction;
mod impact_geometry;
mod impact_record;
mod impacts;
mod impulse_cache;
mod island;
mod island_executor;
mod island_problem;
mod island_step;
mod joint_row;
mod midpoint_geometry;
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

pub use contact_info::{ContactEvent, ContactEventKind, ContactView};
pub(super) use contacts::{ContactMemory, Contacts, FreeFlight};
pub(super) use end_points::{EndPoint, Moved};
pub use impact_record::ImpactRecord;
pub(super) use impacts::ContactWork;
pub use report::ContactReport;
pub use settings::{AutoLimits, ContactScheme, ContactSettings, ContactTier, GeometricMean, PairMaterials};
