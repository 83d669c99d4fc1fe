//! Projected Gauss-Seidel for [`LinearComplementarity`]: plain, for comparison.
//!
//! `λ_i ← max(0, λ_i - w_i/A_ii)`, row after row. Each update minimises `½ λᵀAλ - bᵀλ` in one variable, so the sweeps
//! converge for every positive semidefinite A with a solution; how fast depends on its condition, and for a mass ratio
//! of 1e6 that is not at all in practice. It stops when a whole sweep changes `A_ii λ_i` by less than the tolerance times the
//! largest b.

use super::linear_complementarity::{ComplementaritySolution, LinearComplementarity};
use crate::math::scalar;

/// Sweeps from `start` until nothing changes.
#[must_use]
pub fn projected_gauss_seidel(
    problem: &LinearComplementarity,
    start: &[f64],
    most_sweeps: usize,
    tolerance: f64,
) -> ComplementaritySolution {
    let n = problem.size();
    let mut lambda: Vec<f64> = (0..n).map(|i| start.get(i).copied().unwrap_or(0.0)).collect();
    let size = problem.rhs().iter().fold(0.0, |size, b| scalar::max(size, b.abs()));
    for sweep in 1..=most_sweeps {
        let mut change: f64 = 0.0;
        for i in 0..n {
            let diagonal = problem.entry(i, i);
            if diagonal > 0.0 {
                let old = lambda[i];
                lambda[i] = scalar::max(0.0, old - problem.slack(i, &lambda) / diagonal);
                change = scalar::max(change, (lambda[i] - old).abs() * diagonal);
            }
        }
        if change <= tolerance * size {
            return ComplementaritySolution::new(lambda, true, sweep);
        }
    }
    ComplementaritySolution::new(lambda, false, most_sweeps)
}
