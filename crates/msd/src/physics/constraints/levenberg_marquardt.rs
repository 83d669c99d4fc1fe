//! Closing redundant joints whose redundancy ends: a net that leaves the plane, a linkage that leaves a dead centre.
//!
//! Rows that depend on others where a step starts need not do so where it ends. In a level net first-order motion out of the
//! plane opens no joint, and to second order it opens many at once: the rows that were left out are now open, and others
//! must move for them. All rows are then closed together by the method of Levenberg and Marquardt,
//!
//! `(A + ε D) λ = -C`,  `δq = M⁻¹ Jᵀ λ`,  `A = J M⁻¹ Jᵀ`,  `D = diag A`,
//!
//! which is the step that minimises `½ (C + J δq)ᵀ D⁻¹ (C + J δq) + ½ ε δqᵀ M δq`, whatever the rank of J. With ε as large as
//! the error it converges quadratically to a place where all joints are closed even where J has no full rank there
//! (Yamashita and Fukushima 2001). Where a step does not lessen `Cᵀ D⁻¹ C`, ε grows. Joints that cannot all be closed leave
//! an error that no step lessens, and are named.
//!
//! Near a dead centre how joints turn matters as much as how far: the Hessian of the error has `Σ C_k/(ε D_k) ∇²C_k` besides
//! `Jᵀ D⁻¹ J/ε`. It is what keeps a taut line straight. Its part on the turning of each body, as far as it is positive, is
//! added to the inertia tensors.

use super::projection::displace;
use super::projection::{JOINT_CLOSING, JOINT_DEAD_CENTRE, JOINT_DEAD_CENTRE_STEPS, JOINT_NEWTON};
use super::rattle::DriftBodies;
use super::solver::pair_of;
use super::{ConstraintError, ConstraintSet, JacobianRow, MAX_ROWS, Pair, RowLaw};
use crate::math::{Mat3, Vec3, orientation, scalar, symmetric_eigen};
use crate::physics::rigid_body::{Bodies, InertialState};
use crate::tolerance;

/// Iterations that leave more than 0.9 of the squared error after which redundant joints count as
/// contradictory. tuned: linkages whose redundancy ends within a step.
const JOINT_STUCK: usize = 6;

/// Least and most damping, relative to the diagonal; in between it equals the error. tuned: linkages whose
/// redundancy ends within a step.
const JOINT_LEAST_DAMPING: f64 = 1e-13;

/// See [`JOINT_LEAST_DAMPING`].
const JOINT_MOST_DAMPING: f64 = 1e6;

/// How far joints are open.
#[derive(Clone, Copy, Debug)]
struct Opening {
    /// `Cᵀ D⁻¹ C` of the open rows.
    merit: f64,
    /// Largest error in units of round-off, its row and its size.
    excess: f64,
    row: usize,
    widest: f64,
    /// True if no row is open by more than is accepted where round-off stops the iteration.
    accepted: bool,
}

impl ConstraintSet {
    /// Moves bodies to where all rigid rows and limits hold.
    pub(super) fn close_redundant(
        &mut self,
        fixed: DriftBodies<'_>,
        states: &mut [InertialState],
        time: f64,
    ) -> Result<(), ConstraintError> {
        let mut from = self.spare.states(states);
        let open = self.close_from(fixed, states, &mut from, time);
        self.spare.store_states(from);
        self.assembly.stiffened.clear();
        match open? {
            open if open.accepted || open.widest <= JOINT_DEAD_CENTRE => Ok(()),
            open => Err(self.contradiction(open.row, "position", open.widest, time)),
        }
    }

    /// The iteration; returns the remaining error.
    fn close_from(
        &mut self,
        fixed: DriftBodies<'_>,
        states: &mut [InertialState],
        from: &mut [InertialState],
        time: f64,
    ) -> Result<Opening, ConstraintError> {
        let (mut stuck, mut growth) = (0, 1.0);
        self.step.at_start = false;
        let mut tensors = std::mem::take(&mut self.spare.tensors);
        self.assembly.stiffened.clear();
        self.fill(&Bodies { bodies: fixed.bodies, inertias: fixed.inertias, states }, time)?;
        let mut open = self.opening(states, time)?;
        for iteration in 1..=JOINT_NEWTON {
            self.report.newton_iterations = self.report.newton_iterations.max(iteration);
            from.copy_from_slice(states);
            let damping = scalar::clamp(growth * open.widest, JOINT_LEAST_DAMPING, JOINT_MOST_DAMPING);
            self.stiffen(fixed, states, time, damping, &mut tensors);
            std::mem::swap(&mut self.assembly.stiffened, &mut tensors);
            let filled = self.fill(&Bodies { bodies: fixed.bodies, inertias: fixed.inertias, states }, time);
            open = self.opening(states, time)?;
            self.solve_damped(damping);
            let next = self.step_along(states, from, time)?;
            std::mem::swap(&mut self.assembly.stiffened, &mut tensors);
            filled?;
            if next.excess > 1.0 && next.merit >= open.merit {
                states.copy_from_slice(from);
                (stuck, growth) = (stuck + 1, 100.0 * growth);
                open = self.opening(states, time)?;
            } else {
                self.store_pushes(1.0);
                let next = self.opening(states, time)?;
                if next.excess <= 1.0 {
                    open = next;
                    break;
                }
                // Where joints close at a dead centre only, the error falls by a constant factor.
                let slow = next.merit > JOINT_CLOSING * open.merit;
                stuck = if next.merit > 0.9 * open.merit { stuck + 1 } else { 0 };
                growth = scalar::max(0.1 * growth, 1.0);
                open = next;
                if slow && open.accepted {
                    break;
                }
            }
            let enough = iteration >= JOINT_DEAD_CENTRE_STEPS && open.widest <= JOINT_DEAD_CENTRE;
            if stuck > JOINT_STUCK || enough {
                break;
            }
        }
        self.spare.tensors = tensors;
        Ok(open)
    }

    /// The inverse inertia tensors with the curvature of the error added, by slot; `values` and matrix are those of `states`.
    fn stiffen(
        &mut self,
        fixed: DriftBodies<'_>,
        states: &[InertialState],
        time: f64,
        damping: f64,
        tensors: &mut Vec<Mat3>,
    ) {
        tensors.clear();
        tensors.resize(states.len(), Mat3::ZERO);
        let mut rows = [JacobianRow::ZERO; MAX_ROWS];
        for block in &self.assembly.blocks {
            let constraint = self.constraint(block.constraint);
            let pair = pair_of(block, states);
            let force = |row: usize| match self.assembly.laws[self.assembly.leader[row]] {
                RowLaw::Rigid => {
                    let row = self.assembly.leader[row];
                    self.values[row] / (damping * self.assembly.diagonal[row])
                }
                _ => 0.0,
            };
            for end in 0..2 {
                let (Some(slot), true) = (block.bodies[end], block.movable[end]) else { continue };
                let mut torque = |by: Vec3| {
                    let turned = InertialState {
                        orientation: orientation::advanced(states[slot].orientation, by, 1.0),
                        ..states[slot]
                    };
                    let pair = if end == 0 {
                        Pair { a: &turned, b: pair.b }
                    } else {
                        Pair { a: pair.a, b: &turned }
                    };
                    constraint.jacobian(&pair, time, &mut rows[..block.rows]);
                    let mut sum = Vec3::ZERO;
                    for (k, row) in block.range().enumerate() {
                        let unit = if end == 0 { rows[k].angular_a } else { rows[k].angular_b };
                        sum += unit * force(row);
                    }
                    sum
                };
                let h = tolerance::BIAS_DIFFERENCE;
                let slope = [Vec3::X, Vec3::Y, Vec3::Z]
                    .map(|axis| (torque(axis * h) - torque(axis * -h)) / (2.0 * h));
                let slope = Mat3::from_cols(slope[0], slope[1], slope[2]);
                tensors[slot] += (slope + slope.transpose()) * 0.5;
            }
        }
        for &slot in &self.assembly.touched {
            let curved = symmetric_eigen(&tensors[slot]);
            let positive = Vec3::from_array(curved.values.to_array().map(|value| scalar::max(value, 0.0)));
            let stiffness = curved.vectors * Mat3::from_diagonal(positive) * curved.vectors.transpose();
            let rotation = orientation::rotation_matrix(states[slot].orientation);
            tensors[slot] = (fixed.inertias[slot].tensor_world(&rotation) + stiffness).inverse();
        }
    }

    /// Displaces the bodies along the solution, once or, where the error falls more that way, twice: at a dead centre the
    /// solution is half of the closing displacement.
    fn step_along(
        &mut self,
        states: &mut [InertialState],
        from: &[InertialState],
        time: f64,
    ) -> Result<Opening, ConstraintError> {
        self.assembly.scatter(&self.solution.lambda, |slot, twist| displace(&mut states[slot], twist));
        let once = self.opening(states, time)?;
        if once.accepted {
            return Ok(once);
        }
        self.assembly.scatter(&self.solution.lambda, |slot, twist| displace(&mut states[slot], twist));
        let twice = self.opening(states, time)?;
        if twice.merit < once.merit {
            self.solution.lambda.iter_mut().for_each(|lambda| *lambda *= 2.0);
            return Ok(twice);
        }
        states.copy_from_slice(from);
        self.assembly.scatter(&self.solution.lambda, |slot, twist| displace(&mut states[slot], twist));
        self.opening(states, time)
    }

    /// Solves for one step with the damping ε, Jacobians and matrix as they are.
    fn solve_damped(&mut self, damping: f64) {
        let rows = self.assembly.rows();
        self.bounds.reset(rows);
        for row in 0..rows {
            self.rhs[row] = -self.values[row];
            match self.assembly.laws[row] {
                RowLaw::Rigid => self.bounds.used[row] = true,
                RowLaw::Unilateral if self.is_met(row, self.values[row]) => {
                    self.bounds.set(row, -self.step.pushed[row], f64::INFINITY);
                }
                _ => continue,
            }
            self.bounds.regularisation[row] = damping * self.assembly.diagonal[row];
        }
        self.solution.solve_once(&mut self.assembly, &self.bounds, &self.rhs, 0.0);
    }

    /// True if a row open by `off` counts as closed where round-off, or a dead centre, stops the iteration.
    pub(super) fn is_nearly_closed(&self, row: usize, off: f64, states: &[InertialState]) -> bool {
        off <= scalar::max(tolerance::JOINT_POSITION, tolerance::JOINT_ROUND_OFF * self.tight(row, states))
    }

    /// Evaluates `C` of all rows into `values`, and how far they are open; weights are those of the last matrix.
    fn opening(&mut self, states: &[InertialState], time: f64) -> Result<Opening, ConstraintError> {
        self.evaluate_positions(states, time);
        let mut open = Opening { merit: 0.0, excess: 0.0, row: 0, widest: 0.0, accepted: true };
        for row in 0..self.assembly.rows() {
            let off = match self.assembly.laws[row] {
                RowLaw::Rigid => self.values[row].abs(),
                RowLaw::Unilateral => self.passed_by(row, self.values[row]),
                _ => continue,
            };
            if !self.values[row].is_finite() {
                return Err(self.not_finite(row, time));
            }
            open.merit += off * off / self.assembly.diagonal[row];
            open.widest = scalar::max(open.widest, off);
            open.accepted &= self.is_nearly_closed(row, off, states);
            let excess = off / self.tight(row, states);
            if excess > open.excess {
                (open.excess, open.row) = (excess, row);
            }
        }
        Ok(open)
    }
}
