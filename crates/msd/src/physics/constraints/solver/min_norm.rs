//! How redundant constraints share a load.
//!
//! Where rows depend on each other (a door on three hinges) motion determines `Jᵀλ` but not λ: the solver gives the load
//! to the rows it eliminated first. For reporting it is spread out again: of all λ with the same `A λ`, the one with the
//! least `Σ A_kk λ_k²`, which shares alike between rows that act alike. Found by the proximal iteration
//! `λ ← λ + (A + ε diag A)⁻¹ (c - A λ)` from zero, which stays in the range of A and converges at the rate `ε/σ` for
//! each relative eigenvalue σ.

use super::assembly::Assembly;
use crate::math::scalar;
use crate::tolerance;

/// Limit of proximal steps in the minimum-norm solution. tuned.
const SHARING_STEPS: usize = 20;

impl Assembly {
    /// Replaces the multipliers of the rows in `rows` by those that act the same with the least weighted square.
    pub(in super::super) fn share_evenly(&mut self, rows: &[bool], lambda: &mut [f64]) {
        let n = lambda.len();
        let mut wanted = vec![0.0; n];
        let kept: Vec<f64> = (0..n).map(|row| if rows[row] { lambda[row] } else { 0.0 }).collect();
        self.apply(&kept, &mut wanted);
        let regularisation: Vec<f64> = self.diagonal.iter().map(|d| d * tolerance::SHARING).collect();
        self.factorise(&mut rows.to_vec(), &regularisation, 0.0);
        let mut shared = vec![0.0; n];
        let mut step = vec![0.0; n];
        let mut last = f64::INFINITY;
        for _ in 0..SHARING_STEPS {
            self.apply(&shared, &mut step);
            let mut worst: f64 = 0.0;
            for row in 0..n {
                step[row] = if rows[row] { wanted[row] - step[row] } else { 0.0 };
                worst = scalar::max(worst, step[row].abs() / self.diagonal[row].sqrt());
            }
            if worst > 0.5 * last || worst == 0.0 {
                break;
            }
            last = worst;
            self.cholesky.solve(&mut step);
            for row in 0..n {
                shared[row] += step[row];
            }
        }
        for row in (0..n).filter(|&row| rows[row]) {
            lambda[row] = shared[row];
        }
    }
}
