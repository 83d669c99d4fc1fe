//! The end of a step: positions and velocities that obey the constraints.
//!
//! Positions: Newton's method on `C(q) = 0` along `M⁻¹ Jᵀ`, orientations by the exponential map, limits as `C + J δ ≥
//! 0`. It is the smallest displacement in the mass metric, and keeps the bits of velocities. Joints closed to
//! round-off stay unchanged. A limit that has pushed is then held at `C = 0` from both sides as long as its pushes
//! sum to a positive one: an overshoot would otherwise leave it untouched, with its velocity, to be reached again in
//! the next step.
//!
//! Velocities: the impulses p that make `J v + ∂C/∂t = 0` on rigid rows and `≥ 0` on touched limits (their impacts
//! are inelastic), and correct motors within the rest of `|p| ≤ F dt`. No stabilisation term enters velocities.
//!
//! Ledger: the kinetic energy an impulse adds is `½ p (u⁻ + u⁺)` with the row's rates before and after. On limits it
//! is dissipated; on motors work in; on rigid rows u is zero except for driving velocities. A limit held during the
//! whole step counts as rigid: its u is the last kick of a splitting, `½ dt F/m`, and was never motion.

use super::constrained_acceleration::drive_force;
use super::rattle::DriftBodies;
use super::solver::{Block, LcpSolution, Twist, pair_of};
use super::step_record::RowMode;
use super::{ConstraintError, ConstraintSet, ConstraintWork, Reaction, RowLaw, RowUnit};
use crate::math::{orientation, scalar};
use crate::physics::rigid_body::{Bodies, InertialState};
use crate::tolerance;

/// Limit of Newton iterations of position projection. tuned.
pub(super) const JOINT_NEWTON: usize = 50;

/// Share of the error (squared, of redundant joints) above which a Newton step does not converge
/// quadratically. tuned: linkages whose redundancy ends within a step.
pub(super) const JOINT_CLOSING: f64 = 0.02;

/// Share of the error up to which the next Newton step reuses the matrix. tuned.
const JOINT_CONTRACTS: f64 = 1e-3;

/// Joint error, m or rad, at which closing redundant joints may stop without further progress, and the
/// iterations after which it does: at a dead centre the error is the square of the distance from it. tuned:
/// linkages whose redundancy ends within a step.
pub(super) const JOINT_DEAD_CENTRE: f64 = 1e-6;

/// See [`JOINT_DEAD_CENTRE`].
pub(super) const JOINT_DEAD_CENTRE_STEPS: usize = 8;

/// Limit of halvings of a Newton step that does not reduce the joint error. tuned.
const JOINT_HALVINGS: usize = 10;

impl ConstraintSet {
    /// Ends a step: projects positions, then velocities, at `time`, and makes the report.
    ///
    /// # Errors
    /// If joints contradict each other, or positions cannot be brought back to where they hold.
    pub fn end_step(
        &mut self,
        fixed: DriftBodies<'_>,
        states: &mut [InertialState],
        time: f64,
    ) -> Result<ConstraintWork, ConstraintError> {
        self.step.unmet.fill(false);
        if self.end_along_trees(fixed, states, time)? {
            return Ok(ConstraintWork::default());
        }
        self.project_positions(fixed, states, time)?;
        let work = self.project_velocities(fixed, states, time)?;
        self.report_reactions(states, time);
        Ok(work)
    }

    /// Brings bodies to where the joints hold. Velocities keep their bits.
    ///
    /// # Errors
    /// If that is not possible.
    pub fn project_positions(
        &mut self,
        fixed: DriftBodies<'_>,
        states: &mut [InertialState],
        time: f64,
    ) -> Result<(), ConstraintError> {
        self.step.pushed.fill(0.0);
        let mut last = f64::INFINITY;
        let (mut excess, mut row) = self.position_excess(states, time)?;
        for iteration in 0..=JOINT_NEWTON {
            let stalled = excess > 0.5 * last || iteration == JOINT_NEWTON;
            let accepted = self.values[row].abs() <= tolerance::JOINT_POSITION * self.reach(row, states);
            // Near a dead centre the error falls by a constant factor only.
            let slow = iteration > 1
                && excess > JOINT_CLOSING * last
                && self.is_nearly_closed(row, self.values[row].abs(), states);
            if excess <= 1.0 || (stalled && accepted) || slow {
                return if self.dependent_rows_hold(states) {
                    Ok(())
                } else {
                    self.close_redundant(fixed, states, time)
                };
            }
            if iteration >= JOINT_DEAD_CENTRE_STEPS && self.assembly.has_loops() {
                return self.close_redundant(fixed, states, time);
            }
            if iteration == JOINT_NEWTON {
                return Err(self.open_joint(row, iteration, time));
            }
            let again = iteration > 0 && excess <= JOINT_CONTRACTS * last;
            last = excess;
            self.report.newton_iterations = iteration + 1;
            if !(again && self.repeat_step()) {
                self.newton_step(fixed, states, time)?;
            }
            (excess, row) = self.search_along(states, time, excess)?;
        }
        Ok(())
    }

    /// Largest violation in units of round-off, and its row. Leaves `C` in `values`.
    fn position_excess(
        &mut self,
        states: &[InertialState],
        time: f64,
    ) -> Result<(f64, usize), ConstraintError> {
        self.evaluate_positions(states, time);
        let (mut worst, mut worst_row) = (0.0, 0);
        for block in self.assembly.acting() {
            let mut out = None;
            for row in block.range() {
                let value = self.values[row];
                let off = match self.assembly.laws[row] {
                    RowLaw::Rigid if !self.step.dependent[row] => value.abs(),
                    RowLaw::Unilateral => self.passed_by(row, value),
                    _ => continue,
                };
                if !value.is_finite() {
                    return Err(self.not_finite(row, time));
                }
                let reach = match self.assembly.units[row] {
                    RowUnit::Angle => 0.0,
                    RowUnit::Length => *out.get_or_insert_with(|| self.distance_out(block, row, states)),
                };
                let excess = off / (tolerance::JOINT_TIGHT * (1.0 + reach));
                if excess > worst {
                    (worst, worst_row) = (excess, row);
                }
            }
        }
        Ok((worst, worst_row))
    }

    /// Solves for a Newton step from `states`, whose errors are in `values`.
    fn newton_step(
        &mut self,
        fixed: DriftBodies<'_>,
        states: &[InertialState],
        time: f64,
    ) -> Result<(), ConstraintError> {
        self.fill(&Bodies { bodies: fixed.bodies, inertias: fixed.inertias, states }, time)?;
        self.step.at_start = false;
        self.bounds.reset(self.assembly.rows());
        for row in 0..self.assembly.rows() {
            self.rhs[row] = -self.values[row];
            match self.assembly.laws[row] {
                RowLaw::Rigid if !self.step.dependent[row] => self.bounds.used[row] = true,
                RowLaw::Unilateral if self.is_met(row, self.values[row]) => {
                    self.bounds.set(row, -self.step.pushed[row], f64::INFINITY)
                }
                _ => {}
            }
        }
        self.solution.solve_once(&mut self.assembly, &self.bounds, &self.rhs, tolerance::CONSTRAINT_RANK);
        self.settle(time)
    }

    /// Solves for a step of the simplified Newton iteration, with Jacobians and factor of the step before; returns
    /// false, without a solution, if limits are present.
    fn repeat_step(&mut self) -> bool {
        if self.assembly.laws.contains(&RowLaw::Unilateral) {
            return false;
        }
        for row in 0..self.assembly.rows() {
            self.solution.lambda[row] = if self.bounds.used[row] { -self.values[row] } else { 0.0 };
        }
        LcpSolution::back_substitute(&self.assembly, &mut self.solution.lambda);
        true
    }

    /// Displaces the bodies along the Newton step, halved until the largest error falls below `before`; returns the
    /// new error.
    fn search_along(
        &mut self,
        states: &mut [InertialState],
        time: f64,
        before: f64,
    ) -> Result<(f64, usize), ConstraintError> {
        let start = self.spare.states(states);
        let mut step = self.spare.numbers(&self.solution.lambda);
        let pushed = self.spare.numbers(&self.step.pushed);
        let (mut after, mut share) = ((before, 0), 1.0);
        for _ in 0..=JOINT_HALVINGS {
            states.copy_from_slice(&start);
            self.assembly.scatter(&step, |slot, twist| displace(&mut states[slot], twist));
            self.step.pushed.copy_from_slice(&pushed);
            self.store_pushes(share);
            after = self.position_excess(states, time)?;
            if after.0 < before || after.0 <= 1.0 {
                break;
            }
            step.iter_mut().for_each(|impulse| *impulse *= 0.5);
            share *= 0.5;
        }
        self.spare.store_states(start);
        self.spare.store_numbers(step);
        self.spare.store_numbers(pushed);
        Ok(after)
    }

    pub(super) fn reach(&self, row: usize, states: &[InertialState]) -> f64 {
        self.tight(row, states) / tolerance::JOINT_TIGHT
    }

    /// True if rows that depend on others hold, now that the others do.
    fn dependent_rows_hold(&self, states: &[InertialState]) -> bool {
        (0..self.assembly.rows()).all(|row| {
            !self.step.dependent[row]
                || self.assembly.laws[row] != RowLaw::Rigid
                || self.is_nearly_closed(row, self.values[row].abs(), states)
        })
    }

    fn open_joint(&mut self, row: usize, iterations: usize, time: f64) -> ConstraintError {
        self.report.converged = false;
        if self.report.dependent_rows > 0 || self.solution.dependent.contains(&true) {
            return self.contradiction(row, "position", self.values[row].abs(), time);
        }
        ConstraintError::PositionsNotConverged {
            name: self.name_of_row(row),
            error: self.values[row].abs(),
            iterations,
            time,
        }
    }

    /// Names the constraint of `row` and those that share a movable body with it.
    pub(super) fn contradiction(
        &mut self,
        row: usize,
        level: &'static str,
        violation: f64,
        time: f64,
    ) -> ConstraintError {
        self.report.converged = false;
        let culprit = self.assembly.blocks[self.assembly.block_of[row]];
        let mut names = vec![self.name_of_row(row)];
        for block in &self.assembly.blocks {
            let shares = (0..2).any(|end| block.movable[end] && culprit.bodies.contains(&block.bodies[end]));
            if shares && block.first != culprit.first {
                names.push(self.name_of_row(block.first));
            }
        }
        ConstraintError::Contradictory { names, level, violation, time }
    }

    /// Gives the impulses that make velocities obey the constraints.
    ///
    /// # Errors
    /// If joints contradict each other at velocity level.
    pub fn project_velocities(
        &mut self,
        fixed: DriftBodies<'_>,
        states: &mut [InertialState],
        time: f64,
    ) -> Result<ConstraintWork, ConstraintError> {
        self.fill(&Bodies { bodies: fixed.bodies, inertias: fixed.inertias, states }, time)?;
        self.step.at_start = false;
        let rows = self.assembly.rows();
        self.evaluate_positions(states, time);
        let positions = self.spare.numbers(&self.values);
        self.evaluate_drives(states, time);
        self.reset_bounds();
        let mut before = self.spare.numbers(&self.values);
        for (row, rate) in before.iter_mut().enumerate() {
            *rate = self.assembly.row_velocity(row, states);
        }
        for row in 0..rows {
            self.rhs[row] = self.velocity_row(row, before[row], positions[row]);
        }
        self.solution.solve(&mut self.assembly, &self.bounds, &self.rhs, tolerance::CONSTRAINT_RANK);
        self.settle(time)?;
        self.assembly.scatter(&self.solution.lambda, |slot, twist| {
            states[slot].velocity += twist.linear;
            states[slot].angular_velocity += twist.angular;
        });
        self.check_velocities(states, time)?;
        self.store_rotor_rates(states);
        self.store_errors(&positions);
        let work = self.impulse_work(states, &before);
        self.spare.store_numbers(positions);
        self.spare.store_numbers(before);
        Ok(work)
    }

    /// Right-hand side and bounds of a row; rates in `values` are `∂C/∂t`.
    fn velocity_row(&mut self, row: usize, rate: f64, position: f64) -> f64 {
        let drive = self.values[row];
        match self.assembly.laws[row] {
            RowLaw::Rigid => {
                self.bounds.used[row] = true;
                if let Some((lower, upper)) = self.force_left(row) {
                    self.bounds.set(row, lower, upper);
                }
                -(rate + drive)
            }
            RowLaw::Rotor { .. } => {
                self.bounds.used[row] = true;
                self.rotor_lead(row, rate)
            }
            RowLaw::Unilateral if self.is_met(row, position) => {
                // Impulses from earlier in the step may be undone, but not exceeded.
                let given = self.step.impulse[row] + self.step.dt * self.step.stage[row];
                self.bounds.set(row, -scalar::max(given, 0.0), f64::INFINITY);
                -(rate + drive)
            }
            RowLaw::Motor { velocity, max_force } => {
                let (most, given) = (max_force * self.step.dt, self.step.impulse[row]);
                self.bounds.set(row, scalar::min(-most - given, 0.0), scalar::max(most - given, 0.0));
                velocity - rate
            }
            RowLaw::Unilateral | RowLaw::Soft { .. } | RowLaw::Drive { .. } | RowLaw::Part => 0.0,
        }
    }

    fn check_velocities(&mut self, states: &[InertialState], time: f64) -> Result<(), ConstraintError> {
        let mut worst: f64 = 0.0;
        for row in 0..self.assembly.rows() {
            // A motor may run out of force.
            if self.assembly.laws[row] != RowLaw::Rigid || self.is_locked(row) {
                continue;
            }
            let off = self.solution.residual[row].abs();
            let speed = self.speeds(row, states);
            // A pivot over its diagonal is the squared sine of the angle between the row and those before it: a row left out as
            // dependent may be off by that sine of the speeds involved, though the joints do not contradict each other.
            let most = if self.solution.dependent[row] {
                tolerance::CONSTRAINT_RANK.sqrt()
            } else {
                tolerance::JOINT_VELOCITY
            };
            // A light link between heavy ones gets large impulses from both, and moves by their rounding error.
            let rounding = tolerance::IMPULSE_ROUND_OFF
                * (self.assembly.diagonal[row] * self.solution.lambda[row]).abs();
            if off > most * (1.0 + speed) + rounding {
                return Err(self.contradiction(row, "velocity", off, time));
            }
            worst = scalar::max(worst, off);
        }
        self.report.velocity_error = worst;
        Ok(())
    }

    fn store_errors(&mut self, positions: &[f64]) {
        let (mut length, mut angle): (f64, f64) = (0.0, 0.0);
        self.report.active_limits = 0;
        for (row, position) in positions.iter().enumerate() {
            let off = match self.assembly.laws[row] {
                RowLaw::Rigid => position.abs(),
                RowLaw::Unilateral => {
                    self.report.active_limits += usize::from(*position <= tolerance::LIMIT_TOUCH);
                    scalar::max(-position, 0.0)
                }
                _ => continue,
            };
            match self.assembly.units[row] {
                RowUnit::Length => length = scalar::max(length, off),
                RowUnit::Angle => angle = scalar::max(angle, off),
            }
        }
        (self.report.position_error, self.report.angle_error) = (length, angle);
    }

    fn impulse_work(&self, states: &[InertialState], before: &[f64]) -> ConstraintWork {
        let mut work = ConstraintWork::default();
        for (row, rate_before) in before.iter().enumerate() {
            let impulse = self.solution.lambda[row];
            if impulse == 0.0 {
                continue;
            }
            let mean = 0.5 * (rate_before + self.assembly.row_velocity(row, states));
            let driving = self.assembly.driving_velocity(row, states);
            match self.assembly.laws[row] {
                RowLaw::Rigid => work.work_in -= impulse * (self.values[row] + driving),
                RowLaw::Motor { velocity: 0.0, .. } => {
                    work.dissipated -= impulse * mean;
                    work.work_in -= impulse * driving;
                }
                RowLaw::Motor { .. } => work.work_in += impulse * (mean - driving),
                RowLaw::Unilateral => {
                    work.work_in -= impulse * (self.values[row] + driving);
                    if self.step.mode[row] != RowMode::Enforced {
                        work.dissipated -= impulse * (mean + self.values[row]);
                    }
                }
                RowLaw::Rotor { .. } => work.work_in -= impulse * driving,
                RowLaw::Soft { .. } | RowLaw::Drive { .. } | RowLaw::Part => {}
            }
        }
        work
    }

    /// Reports that no constraint has done anything.
    pub(super) fn forget_reactions(&mut self) {
        let slots = self.assembly.blocks.iter().map(|block| block.constraint + 1).max().unwrap_or(0);
        self.step.reactions.resize(slots.max(self.step.reactions.len()), Reaction::default());
        for block in &self.assembly.blocks {
            self.step.reactions[block.constraint] = Reaction::default();
        }
        self.step.multipliers.clear();
        self.step.multipliers.resize(self.assembly.rows(), 0.0);
        self.step.flight.clear();
        self.step.flight.resize(self.assembly.rows(), 0.0);
    }

    /// Sums the impulses of every row in the step, shares them evenly between redundant rows, and converts them into
    /// reactions.
    fn report_reactions(&mut self, states: &[InertialState], time: f64) {
        let (rows, dt) = (self.assembly.rows(), self.step.dt);
        self.forget_reactions();
        let mut multipliers = std::mem::take(&mut self.step.multipliers);
        for row in 0..rows {
            let held_or_kicked = self.step.impulse[row] + self.solution.lambda[row];
            multipliers[row] = self.step.stage[row] + if dt > 0.0 { held_or_kicked / dt } else { 0.0 };
        }
        if self.step.dependent.contains(&true) {
            let rigid: Vec<bool> = (0..rows)
                .map(|row| self.is_positional(row) && (self.step.mode[row] == RowMode::Enforced))
                .collect();
            self.assembly.share_evenly(&rigid, &mut multipliers);
        }
        for nth in 0..self.assembly.blocks.len() {
            let is_part = self.assembly.node(nth) != nth;
            if self.assembly.acts[nth] && !is_part {
                let block = self.assembly.blocks[nth];
                self.step.reactions[block.constraint] =
                    self.reaction_of(&block, states, time, &mut multipliers);
            }
        }
        self.copy_to_parts(&mut multipliers);
        for index in 0..self.assembly.parts.len() {
            let nth = self.assembly.block_of[self.assembly.parts[index].1];
            if self.assembly.acts[nth] {
                let block = self.assembly.blocks[nth];
                self.step.reactions[block.constraint] =
                    self.reaction_of(&block, states, time, &mut multipliers);
            }
        }
        self.step.flight.clone_from(&multipliers);
        self.step.multipliers = multipliers;
    }

    /// Reaction of a block with the multipliers of its rows, those of forces as they are now.
    pub(super) fn reaction_of(
        &self,
        block: &Block,
        states: &[InertialState],
        time: f64,
        multipliers: &mut [f64],
    ) -> Reaction {
        let pair = pair_of(block, states);
        let constraint = self.constraint(block.constraint);
        let mut values = [0.0; super::MAX_ROWS];
        let mut reaction = Reaction::default();
        for (k, row) in block.range().enumerate() {
            if self.step.mode[row] == RowMode::Force {
                self.values_in(block.constraint, states, time, &mut values[..block.rows]);
                let rate = self.assembly.row_velocity(row, states);
                multipliers[row] = match self.assembly.laws[row] {
                    RowLaw::Soft { stiffness, damping } => -stiffness * values[k] - damping * rate,
                    law => drive_force(law, values[k], rate),
                };
            }
            reaction.force += self.assembly.jacobian[row].linear_b * multipliers[row];
            reaction.torque += self.assembly.jacobian[row].angular_b * multipliers[row];
        }
        let arm = constraint.anchor(&pair) - pair.b.center_of_mass;
        reaction.torque -= arm.cross(reaction.force);
        reaction
    }
}

/// Moves a body by a small displacement and rotation; velocities keep their bits.
pub(super) fn displace(state: &mut InertialState, by: Twist) {
    state.center_of_mass += by.linear;
    state.orientation =
        orientation::normalized(orientation::from_rotation_vector(by.angular) * state.orientation);
}
