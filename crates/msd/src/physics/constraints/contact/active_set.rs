//! Dense active-set solver of [`LinearComplementarity`]: the reference for small islands.
//!
//! The dual method of Goldfarb and Idnani (1983). The active set P always holds independent rows with `w_P = 0`, `λ_P ≥ 0`
//! and all other λ zero. Take the most violated row i (`w_i < 0`). Raising `λ_i` by t while keeping `w_P = 0` changes
//! ```text
//! λ_P by -t r,   r = A_PP⁻¹ A_Pi        w_i by t z,   z = A_ii - A_iP r ≥ 0
//! ```
//! Go until `w_i = 0` (i joins P), or until some `λ_p` reaches zero (p leaves, and the same i goes on). If `z = 0`, row i
//! depends on those of P: then only the second can happen, and if no `r_p > 0` the rows contradict each other and no
//! velocity satisfies them all. Rank deficiency therefore needs no regularisation, and since the dual objective rises with
//! each row that joins, no set comes back: there is nothing to cycle. Ties go to the lowest index (Bland).
//!
//! Starting from all rows, as is often done, fails where rows depend on each other and gaps differ: no λ makes all
//! their w zero.
//!
//! A vertex loads at most as many contacts as the rank. At the end the load is shared: among rows with `w = 0`, the λ
//! with the same `A λ` and the least `Σ A_ii λ_i²`, which is as symmetric as the scene. Found by the proximal iteration
//! `λ ← λ + (A + ε diag A)⁻¹ A (λ_vertex - λ)` from zero; rows that would pull are left out and the rest shared again.

use super::linear_complementarity::{ComplementaritySolution, LinearComplementarity};
use crate::math::scalar;
use crate::tolerance;

/// Changes of the active set allowed per contact; it needs one or two. tuned.
const ACTIVE_SET_STEPS: usize = 10;

/// Multiple of the complementarity slack by which a row may miss zero and still share the load. tuned.
const SHARED_SLACK: f64 = 10.0;

/// ε of the steps that share a load, relative to the diagonal.
const SHARING_SOFTNESS: [f64; 6] =
    [1e-3, 1e-5, 1e-7, tolerance::SHARING, tolerance::SHARING, tolerance::SHARING];

/// When the active set is accepted, and how long it is searched for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActiveSetSettings {
    /// Accepted violation of a row, relative to the largest |b|; round-off of the row ([`LinearComplementarity::round_off`]) is
    /// accepted on top of it.
    pub tolerance: f64,
    /// Most changes of the active set for each contact. A problem without degenerate rows takes at most two.
    pub changes_a_contact: usize,
}

impl Default for ActiveSetSettings {
    fn default() -> Self {
        Self { tolerance: tolerance::COMPLEMENTARITY, changes_a_contact: ACTIVE_SET_STEPS }
    }
}

/// Solves exactly, up to round-off. Not converged if rows contradict each other.
#[must_use]
pub fn active_set(problem: &LinearComplementarity) -> ComplementaritySolution {
    active_set_with(problem, &ActiveSetSettings::default())
}

/// As [`active_set`], with settings. Not converged if rows contradict each other or the changes are used up.
#[must_use]
pub fn active_set_with(
    problem: &LinearComplementarity,
    settings: &ActiveSetSettings,
) -> ComplementaritySolution {
    let n = problem.size();
    let size = problem.rhs().iter().fold(0.0, |size, b| scalar::max(size, b.abs()));
    let slack = settings.tolerance * size;
    let mut state = State { lambda: vec![0.0; n], active: Vec::new(), iterations: 0 };
    let most = settings.changes_a_contact * (n + 1);
    while let Some(row) = state.most_violated(problem, slack) {
        if !state.satisfy(problem, row, most) {
            return ComplementaritySolution::new(state.lambda, false, state.iterations);
        }
    }
    let shared = share(problem, &state.lambda, slack);
    ComplementaritySolution::new(shared.unwrap_or(state.lambda), true, state.iterations)
}

struct State {
    lambda: Vec<f64>,
    active: Vec<usize>,
    iterations: usize,
}

impl State {
    fn most_violated(&self, problem: &LinearComplementarity, slack: f64) -> Option<usize> {
        let mut worst = (0.0, None);
        for i in (0..problem.size()).filter(|i| !self.active.contains(i)) {
            let w = problem.slack(i, &self.lambda);
            let accepted = slack + problem.round_off(i, &self.lambda);
            if w < -accepted && w < worst.0 && problem.entry(i, i) > 0.0 {
                worst = (w, Some(i));
            }
        }
        worst.1
    }

    /// Raises one multiplier until its row holds. False if it cannot hold, or the steps are used up.
    fn satisfy(&mut self, problem: &LinearComplementarity, row: usize, most: usize) -> bool {
        while self.iterations < most {
            self.iterations += 1;
            let mut direction: Vec<f64> = self.active.iter().map(|&p| problem.entry(p, row)).collect();
            let factor = Cholesky::new(problem, &self.active, 0.0);
            factor.solve(&mut direction);
            let coupled: f64 =
                self.active.iter().zip(&direction).map(|(&p, r)| problem.entry(row, p) * r).sum();
            let curvature = problem.entry(row, row) - coupled;
            let dependent = curvature <= tolerance::CONSTRAINT_RANK * problem.entry(row, row);
            let full = if dependent { f64::INFINITY } else { -problem.slack(row, &self.lambda) / curvature };
            let (mut length, mut leaving) = (full, None);
            for (k, &r) in direction.iter().enumerate().filter(|&(_, &r)| r > 0.0) {
                let ratio = self.lambda[self.active[k]] / r;
                if ratio < length {
                    (length, leaving) = (ratio, Some(k));
                }
            }
            if !length.is_finite() {
                return false;
            }
            self.lambda[row] += length;
            for (k, r) in direction.iter().enumerate() {
                self.lambda[self.active[k]] -= length * r;
            }
            let Some(k) = leaving else {
                self.active.push(row);
                self.active.sort_unstable();
                self.refine(problem);
                return true;
            };
            self.lambda[self.active[k]] = 0.0;
            self.active.remove(k);
        }
        false
    }

    /// Newton's step for `w_P = 0` with the residual from A itself, so that errors of many updates do not add up.
    fn refine(&mut self, problem: &LinearComplementarity) {
        let factor = Cholesky::new(problem, &self.active, 0.0);
        let mut step: Vec<f64> = self.active.iter().map(|&p| -problem.slack(p, &self.lambda)).collect();
        factor.solve(&mut step);
        for (&p, step) in self.active.iter().zip(&step) {
            self.lambda[p] = scalar::max(0.0, self.lambda[p] + step);
        }
    }
}

/// The evenly shared multipliers with the same effect as `vertex`, or `None` if there is nothing to share.
fn share(problem: &LinearComplementarity, vertex: &[f64], slack: f64) -> Option<Vec<f64>> {
    let carries = |i: &usize| {
        problem.entry(*i, *i) > 0.0
            && problem.slack(*i, vertex).abs() <= SHARED_SLACK * slack + problem.round_off(*i, vertex)
    };
    let mut rows: Vec<usize> = (0..problem.size()).filter(carries).collect();
    let used = vertex.iter().filter(|&&l| l > 0.0).count();
    while rows.len() > used {
        let lambda = share_among(problem, &rows, vertex);
        let mut pulling = (-slack, None);
        for (k, &i) in rows.iter().enumerate() {
            let scaled = lambda[i] * problem.entry(i, i);
            if scaled < pulling.0 {
                pulling = (scaled, Some(k));
            }
        }
        if let Some(k) = pulling.1 {
            rows.remove(k);
            continue;
        }
        let lambda: Vec<f64> = lambda.iter().map(|&l| scalar::max(0.0, l)).collect();
        let good = scalar::max(4.0 * problem.violation(vertex), 4.0 * slack);
        return (problem.violation(&lambda) <= good).then_some(lambda);
    }
    None
}

/// The softness ε falls from step to step: each leaves round-off of what was still missing over ε in the load.
fn share_among(problem: &LinearComplementarity, rows: &[usize], vertex: &[f64]) -> Vec<f64> {
    let mut lambda = vec![0.0; problem.size()];
    for step in 0..SHARING_SOFTNESS.len() {
        let left: Vec<f64> = vertex.iter().zip(&lambda).map(|(v, l)| v - l).collect();
        let mut change: Vec<f64> = rows.iter().map(|&i| problem.slack(i, &left) + problem.rhs()[i]).collect();
        Cholesky::new(problem, rows, SHARING_SOFTNESS[step]).solve(&mut change);
        for (&i, change) in rows.iter().zip(&change) {
            lambda[i] += change;
        }
    }
    lambda
}

/// Dense `L Lᵀ` of the chosen rows and columns of A, with a share of the diagonal added.
struct Cholesky {
    size: usize,
    lower: Vec<f64>,
}

impl Cholesky {
    fn new(problem: &LinearComplementarity, rows: &[usize], regularisation: f64) -> Self {
        let n = rows.len();
        let mut lower = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let mut entry = problem.entry(rows[i], rows[j]);
                if i == j {
                    entry *= 1.0 + regularisation;
                }
                for k in 0..j {
                    entry -= lower[i * n + k] * lower[j * n + k];
                }
                lower[i * n + j] = if i == j {
                    scalar::max(entry, f64::EPSILON * problem.entry(rows[i], rows[i])).sqrt()
                } else {
                    entry / lower[j * n + j]
                };
            }
        }
        Self { size: n, lower }
    }

    fn solve(&self, x: &mut [f64]) {
        let n = self.size;
        for i in 0..n {
            for k in 0..i {
                x[i] -= self.lower[i * n + k] * x[k];
            }
            x[i] /= self.lower[i * n + i];
        }
        for i in (0..n).rev() {
            for k in i + 1..n {
                x[i] -= self.lower[k * n + i] * x[k];
            }
            x[i] /= self.lower[i * n + i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lcp(rows: &[&[f64]], rhs: &[f64]) -> LinearComplementarity {
        let rows: Vec<Vec<f64>> = rows.iter().map(|row| row.to_vec()).collect();
        LinearComplementarity::new(&rows, rhs).unwrap()
    }

    #[test]
    fn both_rows_active_is_the_linear_system() {
        let problem = lcp(&[&[2.0, 0.5], &[0.5, 3.0]], &[1.0, 1.5]);
        let solution = active_set(&problem);
        let determinant = 5.75;
        assert!((solution.lambda[0] - 2.25 / determinant).abs() < 1e-15);
        assert!((solution.lambda[1] - 2.5 / determinant).abs() < 1e-15);
        assert!(solution.converged && solution.active_set_size == 2);
    }

    #[test]
    fn equal_rows_share_the_load() {
        let problem = lcp(&[&[0.1, 0.1], &[0.1, 0.1]], &[0.157, 0.157]);
        let solution = active_set(&problem);
        assert!(solution.converged);
        assert!((solution.lambda[0] - 0.785).abs() < 1e-12 && (solution.lambda[1] - 0.785).abs() < 1e-12);
    }

    #[test]
    fn of_equal_rows_with_unequal_demands_the_larger_one_rules() {
        let problem = lcp(&[&[1.0, 1.0], &[1.0, 1.0]], &[1.0, 2.0]);
        let solution = active_set(&problem);
        assert!(solution.converged);
        assert_eq!(solution.lambda, [0.0, 2.0]);
    }

    #[test]
    fn rows_that_contradict_each_other_are_reported() {
        let problem = lcp(&[&[1.0, -1.0], &[-1.0, 1.0]], &[1.0, 0.0]);
        assert!(!active_set(&problem).converged);
    }

    #[test]
    fn nothing_demanded_gives_exactly_nothing() {
        let problem = lcp(&[&[2.0, 0.5], &[0.5, 3.0]], &[-1.0, -0.5]);
        let solution = active_set(&problem);
        assert_eq!(solution.lambda, [0.0, 0.0]);
        assert_eq!(solution.iterations, 0);
    }
}
