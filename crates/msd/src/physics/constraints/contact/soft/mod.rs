//! The fast tier: soft contact in substeps, for piles so large that exactness costs too much.
//!
//! A step of dt is cut into n substeps of h. Geometry is prepared once a step; gaps follow the bodies,
//! `gap = gap₀ + J q` with q the displacement so far. Each substep, over all contacts at once:
//! ```text
//! v ← v + h a + c            a: mean acceleration of free flight, c: what contact changed in the substep before (warm start)
//! push:   normals only, one sweep; where gap < 0 a spring with a damper drives the points apart
//! q ← q + h v
//! relax:  normals and friction, one sweep, no spring: what pushing gave the velocities is taken back
//! c ← v - v_before - h a
//! ```
//! Since J is that of the start of the step, `M⁻¹ Jᵀ λ` of the last substep is c: warm starting costs a loop over bodies, and
//! only the first substep of a step sweeps the contacts for it. Last, contacts that were met fast enough bounce.
//!
//! The law of each point is that of [`ContactProblem`](super::ContactProblem), friction in the true disc `‖λ_t‖ ≤ μ λ_n` with the normal impulse of the
//! moment (not associated: sliding does not lift). A substep sweeps once, so the law holds as far as the substeps of this
//! and the last steps have brought it; `residual` tells how far that is, as the certificate does for exact solutions.
//!
//! Order: contacts get colours, greedily in the order given, such that no two of a colour share a movable body; contacts with
//! immovable bodies come last. Within a colour the order changes nothing, not one bit, and eight contacts are solved at once.

mod bodies;
mod chunk;
mod colouring;
mod joints;
mod manifold;
mod moments;
mod point_block;
mod prepare;
mod region;
mod residual;
mod restitution;
mod row_block;
mod rows;
mod settings;
mod solver;
mod sweep;

pub use bodies::{Motion, SoftBody};
pub use manifold::{SoftManifold, SoftPoint, Source};
pub use point_block::{BallJointOutcome, SoftBallJoint};
pub use region::SoftRegion;
pub use residual::ManifoldResidual;
pub use rows::SoftRow;
pub use settings::SoftSettings;
pub use solver::SoftSolver;
