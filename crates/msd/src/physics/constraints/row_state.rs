//! Mode of each row during one step, decided at its start.
//!
//! Within a step the mode of a row is fixed, so that integrators see smooth equations:
//! - *enforced*: rigid rows, rotors, and limits that are touched and loaded. Their multipliers keep `C̈ = 0` at every stage.
//! - *constant*: motors that have not reached their velocity, and springs too stiff for the step. Their multiplier is
//!   constant over the step. Motors at their velocity are enforced ([`super::locked_motors`]).
//! - *force*: springs and actuators that the step resolves; an ordinary force of position and velocity.
//! - *inactive*: limits that are not touched. Limits reached within the step have an impact at its end
//!   ([`super::limit_impact`]).
//!
//! The modes of limits, motors and stiff springs follow from one velocity-level problem at the start of the step, with
//! p the impulses over dt and `u = J v₀ + dt (J a + c)` the rates without them at the end:
//! rigid rows `u + A p = J v₀`, limits `0 ≤ p ⟂ u + A p ≥ 0`, motors `u + A p = target` with `|p| ≤ F dt`, and stiff springs
//! `p = -dt (k (C + dt u⁺) + d u⁺)` (backward Euler, stable for any dt), that is
//! `u + A p + p/(dt d + dt² k) = -k C/(d + dt k)`. Stiff actuators add their force f to `-k C` there, and bound p by their range.
//!
//! Redundant rows are detected here too, where the joints are closed and the dependence is exact, and are left out for
//! the rest of the step: at intermediate stages joints are slightly open, and redundant rows would contradict each
//! other.

use super::constraint_set::NO_LAW;
use super::solver::pair_of;
use super::step_record::RowMode;
use super::{ConstraintError, ConstraintReport, ConstraintSet, RowLaw};
use crate::physics::rigid_body::{Acceleration, Bodies, Wrench, angular_acceleration};
use crate::tolerance;

impl ConstraintSet {
    /// Notes multipliers and reactions of the last step, for [`ConstraintSet::restore_reactions`].
    pub(crate) fn store_reactions(&mut self) {
        self.step.before.0.clone_from(&self.step.multipliers);
        self.step.before.1.clone_from(&self.step.reactions);
    }

    /// After a step that has failed: multipliers and reactions are again those of the step before it.
    pub(crate) fn restore_reactions(&mut self) {
        self.step.multipliers.clone_from(&self.step.before.0);
        self.step.reactions.clone_from(&self.step.before.1);
    }

    /// Starts a step of `dt` seconds. Returns true if [`ConstraintSet::predict`] must follow, because there are limits,
    /// motors or stiff springs whose mode depends on the forces.
    ///
    /// # Errors
    /// If a constraint is not finite.
    pub fn begin_step(&mut self, bodies: &Bodies<'_>, time: f64, dt: f64) -> Result<bool, ConstraintError> {
        self.free_forces();
        self.unlock_motors();
        self.lay_out(bodies);
        self.report = ConstraintReport { rows: self.assembly.rows(), ..Default::default() };
        self.step.reset(self.assembly.rows(), dt);
        if !self.has_acting() {
            self.forget_reactions();
            return Ok(false);
        }
        if self.begin_along_trees(bodies, time) {
            return Ok(false);
        }
        self.begin_with_rows(bodies, time)
    }

    /// Fills the rows of all constraints and decides on their modes; see [`ConstraintSet::begin_step`].
    pub(super) fn begin_with_rows(
        &mut self,
        bodies: &Bodies<'_>,
        time: f64,
    ) -> Result<bool, ConstraintError> {
        self.fill(bodies, time)?;
        (self.step.at_start, self.step.factorised) = (true, false);
        let open = self.assign_parts(bodies, time);
        if !open {
            self.find_dependent_rows();
            self.pass_over_limits();
        }
        Ok(open)
    }

    /// False if the contact solver enforces all constraints, so that integrators have none.
    #[must_use]
    pub fn has_acting(&self) -> bool {
        self.assembly.acts.contains(&true)
    }

    fn assign_parts(&mut self, bodies: &Bodies<'_>, time: f64) -> bool {
        self.evaluate_positions(bodies.states, time);
        self.step.initial.clone_from(&self.values);
        self.store_initial_rates(bodies);
        self.step.rotor_rate.clone_from(&self.step.initial_rate);
        let mut open = false;
        for row in 0..self.assembly.rows() {
            self.step.open |= self.assembly.laws[row] == RowLaw::Rigid
                && self.values[row].abs() > tolerance::JOINT_POSITION * self.reach(row, bodies.states);
            self.step.mode[row] = match self.assembly.laws[row] {
                RowLaw::Rigid | RowLaw::Rotor { .. } => RowMode::Enforced,
                law if law == NO_LAW => RowMode::Inactive,
                RowLaw::Part => RowMode::Inactive,
                RowLaw::Soft { .. } | RowLaw::Drive { .. } if self.is_resolved(row) => RowMode::Force,
                RowLaw::Soft { .. } | RowLaw::Drive { .. } => RowMode::Constant,
                RowLaw::Unilateral
                    if self.values[row] <= tolerance::LIMIT_TOUCH && !self.is_approached(row, bodies) =>
                {
                    RowMode::Enforced
                }
                RowLaw::Unilateral => RowMode::Inactive,
                RowLaw::Motor { .. } => RowMode::Constant,
            };
            let law = self.assembly.laws[row];
            open |= match self.step.mode[row] {
                RowMode::Constant => true,
                RowMode::Enforced => law == RowLaw::Unilateral,
                RowMode::Inactive | RowMode::Force => false,
            };
        }
        open
    }

    /// True unless the row is a spring, damper or actuator too stiff for the step.
    pub(super) fn is_resolved(&self, row: usize) -> bool {
        let law = self.assembly.laws[row];
        let (RowLaw::Soft { stiffness, damping } | RowLaw::Drive { stiffness, damping, .. }) = law else {
            return true;
        };
        let (dt, limit) = (self.step.dt, tolerance::SPRING_RESOLVED);
        let rate = self.inverse_inertia_with_rotors(row);
        stiffness * rate * dt * dt <= limit * limit && damping * rate * dt <= limit
    }

    fn store_initial_rates(&mut self, bodies: &Bodies<'_>) {
        let rows = self.assembly.rows();
        for values in [&mut self.step.initial_rate, &mut self.step.initial_drive] {
            values.clear();
            values.resize(rows, 0.0);
        }
        self.step.initial_travel.clear();
        self.step.initial_travel.resize(rows, None);
        for row in 0..rows {
            self.step.initial_rate[row] = self.assembly.row_velocity(row, bodies.states);
            self.step.initial_drive[row] = self.assembly.driving_velocity(row, bodies.states);
            if matches!(self.assembly.laws[row], RowLaw::Motor { .. }) {
                let block = &self.assembly.blocks[self.assembly.block_of[row]];
                let pair = pair_of(block, bodies.states);
                let constraint = self.constraint(block.constraint);
                self.step.initial_travel[row] = constraint.motor_travel(row - block.first, &pair);
            }
        }
    }

    fn find_dependent_rows(&mut self) {
        self.reset_bounds();
        for row in 0..self.assembly.rows() {
            self.bounds.used[row] = self.step.mode[row] == RowMode::Enforced;
        }
        let mut kept = std::mem::take(&mut self.spare.flags);
        kept.clone_from(&self.bounds.used);
        let found =
            self.assembly.factorise(&mut kept, &self.bounds.regularisation, tolerance::CONSTRAINT_RANK);
        for row in 0..kept.len() {
            self.step.dependent[row] = self.bounds.used[row] && !kept[row];
        }
        self.spare.flags = kept;
        self.step.factorised = true;
        self.report.dependent_rows = found.dependent;
        self.report.condition = 1.0 / found.smallest;
    }

    /// Determines the modes of limits, motors and stiff springs, from the wrenches on the bodies without constraint
    /// forces. Jacobians are those of [`ConstraintSet::begin_step`].
    ///
    /// # Errors
    /// If the choice of active limits and motors does not settle.
    pub fn predict(
        &mut self,
        bodies: &Bodies<'_>,
        time: f64,
        wrenches: &[Wrench],
    ) -> Result<(), ConstraintError> {
        let (rows, dt) = (self.assembly.rows(), self.step.dt);
        let free = self.free_accelerations(bodies, wrenches);
        let positions = self.spare.numbers(&self.values);
        self.evaluate(bodies.states, |constraint, pair, out| constraint.bias_acceleration(pair, time, out));
        self.reset_bounds();
        for row in 0..rows {
            let change = dt * (self.row_acceleration(row, &free) + self.values[row]);
            let rate = self.assembly.row_velocity(row, bodies.states);
            self.rhs[row] = match (self.assembly.laws[row], self.step.mode[row]) {
                (RowLaw::Rigid | RowLaw::Rotor { .. }, _) => {
                    self.bounds.set(row, f64::NEG_INFINITY, f64::INFINITY);
                    -change
                }
                (RowLaw::Unilateral, RowMode::Enforced) => {
                    self.bounds.set(row, 0.0, f64::INFINITY);
                    -change - rate
                }
                (RowLaw::Motor { velocity, max_force }, _) => {
                    self.bounds.set(row, -max_force * dt, max_force * dt);
                    velocity - change - rate
                }
                (RowLaw::Soft { stiffness, damping }, RowMode::Constant) => {
                    self.bounds.set(row, f64::NEG_INFINITY, f64::INFINITY);
                    self.bounds.regularisation[row] = 1.0 / (dt * damping + dt * dt * stiffness);
                    -change - rate - stiffness * positions[row] / (damping + dt * stiffness)
                }
                (RowLaw::Drive { force, stiffness, damping, lower, upper }, RowMode::Constant) => {
                    self.bounds.set(row, lower * dt, upper * dt);
                    self.bounds.regularisation[row] = 1.0 / (dt * damping + dt * dt * stiffness);
                    -change - rate + (force - stiffness * positions[row]) / (damping + dt * stiffness)
                }
                _ => 0.0,
            };
        }
        self.solution.solve(&mut self.assembly, &self.bounds, &self.rhs, tolerance::CONSTRAINT_RANK);
        self.settle(time)?;
        self.classify_rows(&positions);
        self.lock_motors(bodies, time);
        self.spare.store_numbers(positions);
        self.spare.accelerations = free;
        Ok(())
    }

    fn classify_rows(&mut self, positions: &[f64]) {
        let dt = self.step.dt;
        for row in 0..self.assembly.rows() {
            let impulse = self.solution.lambda[row];
            let law = self.assembly.laws[row];
            self.step.dependent[row] =
                self.solution.dependent[row] && matches!(law, RowLaw::Rigid | RowLaw::Unilateral);
            match (law, self.step.mode[row]) {
                (RowLaw::Unilateral, RowMode::Enforced) if impulse <= 0.0 => {
                    self.step.mode[row] = RowMode::Inactive
                }
                (RowLaw::Soft { stiffness, damping }, RowMode::Constant) => {
                    let held = impulse / dt;
                    // λ = -k (C + dt u) - d u for the rate u at the end of the step.
                    let rate = -(held + stiffness * positions[row]) / (damping + dt * stiffness);
                    (self.step.held[row], self.step.held_damping[row]) = (held, -damping * rate);
                }
                (RowLaw::Motor { .. }, _) | (RowLaw::Drive { .. }, RowMode::Constant) => {
                    self.step.held[row] = impulse / dt;
                }
                _ => {}
            }
            if self.step.mode[row] == RowMode::Constant {
                self.step.impulse[row] = dt * self.step.held[row];
            }
        }
        self.report.dependent_rows = self.step.dependent.iter().filter(|dependent| **dependent).count();
        self.pass_over_limits();
    }

    /// Accelerations under these wrenches alone, in a spare buffer.
    pub(super) fn free_accelerations(
        &mut self,
        bodies: &Bodies<'_>,
        wrenches: &[Wrench],
    ) -> Vec<Acceleration> {
        let mut free = std::mem::take(&mut self.spare.accelerations);
        free.clear();
        free.extend(wrenches.iter().zip(bodies.states).zip(bodies.inertias).map(
            |((wrench, state), inertia)| Acceleration {
                linear: wrench.force * inertia.inverse_mass(),
                angular: angular_acceleration(inertia, state, wrench.torque),
            },
        ));
        free
    }

    /// `J a` of a row.
    pub(super) fn row_acceleration(&self, row: usize, accelerations: &[Acceleration]) -> f64 {
        self.assembly.with_parts(row).map(|row| self.own_acceleration(row, accelerations)).sum()
    }

    fn own_acceleration(&self, row: usize, accelerations: &[Acceleration]) -> f64 {
        let block = &self.assembly.blocks[self.assembly.block_of[row]];
        let j = &self.assembly.jacobian[row];
        let part = |end: usize, row: Wrench| {
            block.bodies[end]
                .map_or(0.0, |slot| row.power(accelerations[slot].linear, accelerations[slot].angular))
        };
        part(0, j.on_a()) + part(1, j.on_b())
    }

    /// Writes the last solve to the report, or fails if its active set did not converge.
    pub(super) fn settle(&mut self, time: f64) -> Result<(), ConstraintError> {
        let solution = &self.solution;
        let report = &mut self.report;
        report.pivoting_steps = report.pivoting_steps.max(solution.pivoting_steps);
        report.residual = crate::math::scalar::max(report.residual, solution.relative_residual);
        report.condition = crate::math::scalar::max(report.condition, 1.0 / solution.smallest_pivot);
        match solution.undecided {
            None => Ok(()),
            Some(row) => {
                let (name, iterations) = (self.name_of_row(row), self.solution.pivoting_steps);
                self.report.converged = false;
                Err(ConstraintError::ActiveSetNotConverged { name, iterations, time })
            }
        }
    }
}
