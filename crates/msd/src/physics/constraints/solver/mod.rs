//! Solving for multipliers: `A λ = b` with `A = J M⁻¹ Jᵀ`, sparse over the graph of constraints.
//!
//! [`ordering`] chooses the order once per topology, [`block_cholesky`] factorises in it, [`assembly`] fills in the
//! numbers, and [`box_lcp`] wraps the factorisation in a pivoting loop for limits and motors. Nothing here knows what a
//! joint is.

mod assembly;
mod block_cholesky;
mod box_lcp;
mod loops;
mod min_norm;
mod ordering;

pub(super) use assembly::{Assembly, Block, Twist, pair_of};
pub(super) use box_lcp::{Bounds, LcpSolution};
