//! The linear complementarity problem of frictionless contact, dense:
//! ```text
//! w = A λ - b,   λ ≥ 0,   w ≥ 0,   λ·w = 0
//! ```
//! with `A = J_n M⁻¹ J_nᵀ` (symmetric, positive semidefinite, singular for a face on a face) and `b = -(J_n v* + bias)`,
//! so that `w = u_n + bias` after the impulses. It is the optimality condition of `min ½ λᵀAλ - bᵀλ, λ ≥ 0`.

use super::constraint_rows::ConstraintRows;
use super::problem::ContactProblem;
use crate::math::scalar;

/// A and b.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearComplementarity {
    matrix: Vec<f64>,
    rhs: Vec<f64>,
}

impl LinearComplementarity {
    /// From the rows of A and from b. `None` if A is not square of the size of b.
    #[must_use]
    pub fn new(rows: &[Vec<f64>], rhs: &[f64]) -> Option<Self> {
        let square = rows.len() == rhs.len() && rows.iter().all(|row| row.len() == rhs.len());
        square.then(|| Self { matrix: rows.concat(), rhs: rhs.to_vec() })
    }

    /// The normal rows of a contact problem.
    #[must_use]
    pub fn of_normals(problem: &ContactProblem) -> Self {
        let mut elements = ConstraintRows::default();
        elements.prepare(problem);
        let rest = vec![0.0; elements.rows.len()];
        Self::of_elements(&elements, problem.contacts().len(), &rest)
    }

    /// The normal rows of the first `contacts` elements, with the impulses `rest` acting beside them.
    pub(super) fn of_elements(elements: &ConstraintRows, contacts: usize, rest: &[f64]) -> Self {
        let mut y = Vec::new();
        elements.respond(rest, &mut y);
        let normal =
            |i: usize, y: &[f64]| elements.velocity(elements.list[i].first, elements.list[i].ends, y);
        let rhs = (0..contacts).map(|i| -(elements.free[elements.list[i].first] + normal(i, &y))).collect();
        let mut matrix = vec![0.0; contacts * contacts];
        for j in 0..contacts {
            y.fill(0.0);
            elements.add_impulse(elements.list[j].first, elements.list[j].ends, 1.0, &mut y);
            for i in 0..contacts {
                matrix[i * contacts + j] = normal(i, &y);
            }
        }
        Self { matrix, rhs }
    }

    /// Number of unknowns.
    #[must_use]
    pub fn size(&self) -> usize {
        self.rhs.len()
    }

    /// An entry of A.
    #[must_use]
    pub fn entry(&self, i: usize, j: usize) -> f64 {
        self.matrix[i * self.size() + j]
    }

    /// b.
    #[must_use]
    pub fn rhs(&self) -> &[f64] {
        &self.rhs
    }

    /// `w_i = (A λ - b)_i`.
    #[must_use]
    pub fn slack(&self, i: usize, lambda: &[f64]) -> f64 {
        let n = self.size();
        let row = &self.matrix[i * n..(i + 1) * n];
        row.iter().zip(lambda).map(|(a, l)| a * l).sum::<f64>() - self.rhs[i]
    }

    /// Bound on the round-off of [`LinearComplementarity::slack`]: each of the `n + 1` terms of the sum may be off by its own size
    /// times the machine epsilon.
    #[must_use]
    pub fn round_off(&self, i: usize, lambda: &[f64]) -> f64 {
        let n = self.size();
        let row = &self.matrix[i * n..(i + 1) * n];
        let terms: f64 = row.iter().zip(lambda).map(|(a, l)| (a * l).abs()).sum();
        (terms + self.rhs[i].abs()) * (n + 1) as f64 * f64::EPSILON
    }

    /// How far λ is from a solution: the largest of `-λ_i A_ii`, `-w_i` and `min(λ_i A_ii, w_i)`, in units of b; infinite
    /// if a number is not finite.
    #[must_use]
    pub fn violation(&self, lambda: &[f64]) -> f64 {
        let mut worst = 0.0;
        for i in 0..self.size() {
            let (scaled, slack) = (lambda[i] * self.entry(i, i), self.slack(i, lambda));
            if !(scaled.is_finite() && slack.is_finite()) {
                return f64::INFINITY;
            }
            worst = scalar::max(worst, scalar::min(scaled, slack).abs());
        }
        worst
    }
}

/// Solution of the problem.
#[derive(Clone, Debug, PartialEq)]
pub struct ComplementaritySolution {
    /// The multipliers.
    pub lambda: Vec<f64>,
    /// False if the iteration was stopped or the problem has no solution.
    pub converged: bool,
    /// Changes of the active set, or sweeps.
    pub iterations: usize,
    /// Multipliers above zero.
    pub active_set_size: usize,
}

impl ComplementaritySolution {
    pub(super) fn new(lambda: Vec<f64>, converged: bool, iterations: usize) -> Self {
        let active_set_size = lambda.iter().filter(|&&l| l > 0.0).count();
        Self { lambda, converged, iterations, active_set_size }
    }
}
