//! Multipliers with bounds: `w = A λ + γ λ - b`, and for each row
//! `λ` inside its bounds and `w = 0`, or `λ` at the lower bound and `w ≥ 0`, or `λ` at the upper bound and `w ≤ 0`.
//!
//! Block principal pivoting (Júdice and Pires 1994): solve for the free rows, move every row that breaks its condition
//! to the other side, repeat. Where the number of broken conditions has not fallen for a while, only the one with the
//! lowest index moves (Murty's rule), which cannot cycle for a positive definite matrix. At the end the conditions hold
//! to round-off: this is an exact method, not an iteration towards a limit.
//!
//! Every linear solve is followed by iterative refinement with the residual taken from J and M⁻¹ themselves, so that a
//! chain with a mass ratio of 1e6 loses no digits to the condition of A.

use super::assembly::Assembly;
use crate::math::scalar;
use crate::tolerance;

/// Pivoting steps allowed beyond four times the number of rows. tuned.
const PIVOTING_STEPS: usize = 20;

/// Block pivoting steps without progress before pivoting goes on one row at a time. tuned.
const PIVOTING_PATIENCE: usize = 6;

/// Limit of steps of iterative refinement; each gains about ten digits. tuned.
const REFINEMENT_STEPS: usize = 4;

/// Bounds and softness of every row.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Bounds {
    pub(in super::super) lower: Vec<f64>,
    pub(in super::super) upper: Vec<f64>,
    /// γ, added to the diagonal.
    pub(in super::super) regularisation: Vec<f64>,
    /// Active rows.
    pub(in super::super) used: Vec<bool>,
}

impl Bounds {
    /// `rows` inactive rows.
    pub(in super::super) fn reset(&mut self, rows: usize) {
        for (values, fill) in [(&mut self.lower, f64::NEG_INFINITY), (&mut self.upper, f64::INFINITY)] {
            values.clear();
            values.resize(rows, fill);
        }
        self.regularisation.clear();
        self.regularisation.resize(rows, 0.0);
        self.used.clear();
        self.used.resize(rows, false);
    }

    /// Activates a row.
    pub(in super::super) fn set(&mut self, row: usize, lower: f64, upper: f64) {
        (self.used[row], self.lower[row], self.upper[row]) = (true, lower, upper);
    }

    fn is_bilateral(&self, row: usize) -> bool {
        self.lower[row] == f64::NEG_INFINITY && self.upper[row] == f64::INFINITY
    }
}

/// Where a multiplier is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PivotState {
    Free,
    AtLower,
    AtUpper,
}

/// The result of a solve, and its workspace.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct LcpSolution {
    /// Multipliers; zero for inactive rows.
    pub(in super::super) lambda: Vec<f64>,
    /// `b - A λ - γ λ` of every row.
    pub(in super::super) residual: Vec<f64>,
    /// Rows that were left out because they depend on others.
    pub(in super::super) dependent: Vec<bool>,
    /// Factorisations done.
    pub(in super::super) pivoting_steps: usize,
    /// Smallest relative pivot of the last factorisation.
    pub(in super::super) smallest_pivot: f64,
    /// Largest residual of the free rows, each divided by the root of its diagonal entry, relative to that of b.
    pub(in super::super) relative_residual: f64,
    /// The row that was still undecided when the pivoting was stopped.
    pub(in super::super) undecided: Option<usize>,
    /// Whether solutions are refined.
    refined: bool,
    state: Vec<PivotState>,
    free: Vec<bool>,
    fixed: Vec<f64>,
    target: Vec<f64>,
    step: Vec<f64>,
}

impl LcpSolution {
    /// Solves for the multipliers to round-off.
    pub(in super::super) fn solve(
        &mut self,
        assembly: &mut Assembly,
        bounds: &Bounds,
        rhs: &[f64],
        rank: f64,
    ) {
        self.refined = true;
        self.pivot_to_solution(assembly, bounds, rhs, rank);
    }

    /// Solves for the multipliers as well as the factor does: within an iteration that corrects itself.
    pub(in super::super) fn solve_once(
        &mut self,
        assembly: &mut Assembly,
        bounds: &Bounds,
        rhs: &[f64],
        rank: f64,
    ) {
        self.refined = false;
        self.pivot_to_solution(assembly, bounds, rhs, rank);
    }

    fn pivot_to_solution(&mut self, assembly: &mut Assembly, bounds: &Bounds, rhs: &[f64], rank: f64) {
        self.start(bounds);
        let rows = rhs.len();
        let most = PIVOTING_STEPS + 4 * rows;
        let (mut fewest, mut patience) = (usize::MAX, PIVOTING_PATIENCE);
        for step in 1..=most {
            self.pivoting_steps = step;
            self.solve_free(assembly, bounds, rhs, rank);
            let slack = self.slack(assembly, bounds);
            let (broken, first) = self.count_broken(assembly, bounds, slack);
            let Some(first) = first else {
                self.undecided = None;
                return;
            };
            self.undecided = Some(first);
            if broken < fewest {
                (fewest, patience) = (broken, PIVOTING_PATIENCE);
            } else {
                patience = patience.saturating_sub(1);
            }
            if patience > 0 {
                (0..rows).for_each(|row| self.pivot(assembly, bounds, row, slack));
            } else {
                self.pivot(assembly, bounds, first, slack);
            }
        }
    }

    /// Solves with the factor the assembly holds, in place.
    pub(in super::super) fn back_substitute(assembly: &Assembly, x: &mut [f64]) {
        assembly.cholesky.solve(x);
    }

    fn start(&mut self, bounds: &Bounds) {
        let rows = bounds.used.len();
        self.state.clear();
        self.state.extend((0..rows).map(|row| {
            if bounds.lower[row] < 0.0 || bounds.upper[row].is_finite() {
                PivotState::Free
            } else {
                PivotState::AtLower
            }
        }));
        for values in
            [&mut self.lambda, &mut self.residual, &mut self.fixed, &mut self.target, &mut self.step]
        {
            values.clear();
            values.resize(rows, 0.0);
        }
        for flags in [&mut self.free, &mut self.dependent] {
            flags.clear();
            flags.resize(rows, false);
        }
    }

    /// Free rows solved for, the others at their bounds.
    fn solve_free(&mut self, assembly: &mut Assembly, bounds: &Bounds, rhs: &[f64], rank: f64) {
        let rows = rhs.len();
        let mut any_fixed = false;
        for row in 0..rows {
            let free = bounds.used[row] && self.state[row] == PivotState::Free;
            self.free[row] = free;
            self.dependent[row] = free;
            self.lambda[row] = match self.state[row] {
                PivotState::AtLower if bounds.used[row] => bounds.lower[row],
                PivotState::AtUpper if bounds.used[row] => bounds.upper[row],
                _ => 0.0,
            };
            any_fixed |= self.lambda[row] != 0.0;
        }
        self.target.copy_from_slice(rhs);
        if any_fixed {
            assembly.apply(&self.lambda, &mut self.fixed);
            for row in 0..rows {
                self.target[row] -= self.fixed[row];
            }
        }
        let pivoting = assembly.factorise(&mut self.free, &bounds.regularisation, rank);
        self.smallest_pivot = pivoting.smallest;
        for row in 0..rows {
            self.dependent[row] &= !self.free[row];
            self.step[row] = if self.free[row] { self.target[row] } else { 0.0 };
        }
        assembly.cholesky.solve(&mut self.step);
        for row in 0..rows {
            self.lambda[row] += self.step[row];
        }
        if self.refined {
            self.refine(assembly, bounds, rhs);
        } else {
            self.update_residual(assembly, bounds, rhs);
        }
    }

    /// Iterative refinement: stops when the residual no longer halves.
    fn refine(&mut self, assembly: &mut Assembly, bounds: &Bounds, rhs: &[f64]) {
        let scale = self.scaled_largest(assembly, bounds, rhs);
        let mut last = f64::INFINITY;
        for _ in 0..REFINEMENT_STEPS {
            self.update_residual(assembly, bounds, rhs);
            let worst = self.scaled_largest(assembly, bounds, &self.residual);
            if worst > 0.5 * last {
                // The correction reduced no error: undo it.
                for row in 0..rhs.len() {
                    self.lambda[row] -= self.step[row];
                }
                self.update_residual(assembly, bounds, rhs);
                break;
            }
            last = worst;
            if worst <= f64::EPSILON * scale {
                break;
            }
            for row in 0..rhs.len() {
                self.step[row] = if self.free[row] { self.residual[row] } else { 0.0 };
            }
            assembly.cholesky.solve(&mut self.step);
            for row in 0..rhs.len() {
                self.lambda[row] += self.step[row];
            }
        }
        self.update_residual(assembly, bounds, rhs);
        let worst = self.scaled_largest(assembly, bounds, &self.residual);
        self.relative_residual = if worst == 0.0 { 0.0 } else { worst / scale };
    }

    fn update_residual(&mut self, assembly: &mut Assembly, bounds: &Bounds, rhs: &[f64]) {
        assembly.apply(&self.lambda, &mut self.residual);
        for row in 0..rhs.len() {
            self.residual[row] =
                rhs[row] - self.residual[row] - bounds.regularisation[row] * self.lambda[row];
        }
    }

    fn scaled_largest(&self, assembly: &Assembly, bounds: &Bounds, values: &[f64]) -> f64 {
        let mut largest: f64 = 0.0;
        for row in (0..values.len()).filter(|&row| self.free[row]) {
            let size = values[row].abs() / (assembly.diagonal[row] + bounds.regularisation[row]).sqrt();
            largest = if size.is_nan() { f64::INFINITY } else { scalar::max(largest, size) };
        }
        largest
    }

    /// How far a row is on the wrong side, in units of the root of kinetic energy; not positive if it is right.
    fn broken_by(&self, assembly: &Assembly, bounds: &Bounds, row: usize) -> f64 {
        if !bounds.used[row] || bounds.is_bilateral(row) {
            return 0.0;
        }
        let root = (assembly.diagonal[row] + bounds.regularisation[row]).sqrt();
        match self.state[row] {
            PivotState::Free => {
                root * scalar::max(bounds.lower[row] - self.lambda[row], self.lambda[row] - bounds.upper[row])
            }
            PivotState::AtLower => self.residual[row] / root,
            PivotState::AtUpper => -self.residual[row] / root,
        }
    }

    /// Breach of a bound or of a complementary velocity that is round-off, same unit as [`Outcome::broken_by`].
    fn slack(&self, assembly: &Assembly, bounds: &Bounds) -> f64 {
        let mut largest: f64 = 0.0;
        for row in (0..self.lambda.len()).filter(|&row| bounds.used[row]) {
            let root = (assembly.diagonal[row] + bounds.regularisation[row]).sqrt();
            largest = scalar::max(largest, root * self.lambda[row].abs());
            largest = scalar::max(largest, self.residual[row].abs() / root);
        }
        largest * tolerance::COMPLEMENTARITY
    }

    fn count_broken(&self, assembly: &Assembly, bounds: &Bounds, slack: f64) -> (usize, Option<usize>) {
        let mut broken = (0..self.lambda.len()).filter(|&row| self.broken_by(assembly, bounds, row) > slack);
        let first = broken.next();
        (first.iter().count() + broken.count(), first)
    }

    fn pivot(&mut self, assembly: &Assembly, bounds: &Bounds, row: usize, slack: f64) {
        if self.broken_by(assembly, bounds, row) <= slack {
            return;
        }
        self.state[row] = match self.state[row] {
            PivotState::Free if self.lambda[row] < bounds.lower[row] => PivotState::AtLower,
            PivotState::Free => PivotState::AtUpper,
            PivotState::AtLower | PivotState::AtUpper => PivotState::Free,
        };
    }
}
