//! Solving for multipliers: `A λ = b` with `A = J M⁻¹ Jᵀ`, sparse over the graph of constraints.
//!
//! [`elimination`] chooses the order once per topology, [`block_cholesky`] factorises in it, [`assembly`] fills in the
//! numbers, and [`bounded`] wraps the factorisation in a pivoting loop for limits and motors. Nothing here knows what a
//! joint is.

mod assembly;
mod block_cholesky;
mod bounded;
mod elimination;
mod loops;
mod shared_load;

pub(super) use assembly::{Assembly, Block, Twist, pair_of};
pub(super) use bounded::{Bounds, Outcome};
