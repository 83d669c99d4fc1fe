//! The soft solver: TGS with soft constraints in substeps, for large piles and real-time use.
//!
//! A step of dt is divided into n substeps of h. Geometry is prepared once a step; gaps follow the bodies,
//! `gap = gap₀ + J q` with q the displacement so far. Each substep, over all contacts at once:
//! ```text
//! v ← v + h a + c     a: mean acceleration of free flight, c: change by contact in the last substep (warm start)
//! push:   one sweep over the normals; where gap < 0 a spring with a damper drives the points apart
//! q ← q + h v
//! relax:  one sweep over normals and friction without springs; it removes the velocity added by the push
//! c ← v - v_before - h a
//! ```
//! J is that of the start of the step, so `M⁻¹ Jᵀ λ` of the last substep is c: warm starting costs a loop over bodies,
//! and only the first substep sweeps the contacts for it. Restitution is applied last.
//!
//! The law of each point is that of [`ContactProblem`](super::ContactProblem), with friction in the true disc
//! `‖λ_t‖ ≤ μ λ_n` of the current normal impulse (not associated: sliding does not lift). A substep sweeps once, so the
//! law holds as far as the substeps of this step and the steps before have converged; `residual` measures it, as it
//! does for exact solutions.
//!
//! Contacts are coloured greedily in the given order, so that no two of a colour share a movable body; contacts with
//! static bodies come last. Within a colour the order changes no bit, and eight contacts are solved at once.

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
mod restitution_phase;
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
pub use rows::{SoftRotor, SoftRow};
pub use settings::SoftSettings;
pub use solver::SoftSolver;
