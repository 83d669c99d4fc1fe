//! Impacts on joint limits within a step.
//!
//! A limit that is open at the start of a step is inactive in it. Bodies that reach it a time τ before the end, with
//! the velocity v⁻, continue past it to `q + τ v⁻`. The step then ends in two parts:
//! 1. without that limit: joints closed, velocities tangent to them;
//! 2. with it: positions by the least displacement in the metric of the masses, `q + τ v⁻ + M⁻¹ Jᵀ μ` at the limit, which to
//!    first order is `q + τ v⁺`, where an impact at its own time would have taken them; and velocities by an inelastic impact.
//!
//! The first part is free flight, with the error of the method. The energy lost in the second is that of the impact.
//! Falling past a limit by δ gains `m g δ` of kinetic energy, and moving the body back gains as much potential
//! energy: with kinetic energy K at the end of flight the impact dissipates `K - m g δ`, the kinetic energy at its
//! own time.

use super::constraint::MAX_ROWS;
use super::rattle::DriftBodies;
use super::step_record::RowMode;
use super::{ConstraintError, ConstraintSet, ConstraintWork, RowLaw};
use crate::math::scalar;
use crate::physics::rigid_body::{Bodies, InertialState};
use crate::tolerance;

impl ConstraintSet {
    /// Lets bodies pass idle limits until the end of the step.
    pub(super) fn pass_over_limits(&mut self) {
        for row in 0..self.assembly.rows() {
            self.step.unmet[row] =
                self.assembly.laws[row] == RowLaw::Unilateral && self.step.mode[row] == RowMode::Inactive;
        }
    }

    /// True if bodies arrive at a touched limit, as they do where velocities were set by hand: it is struck, not held.
    pub(super) fn is_approached(&self, row: usize, bodies: &Bodies<'_>) -> bool {
        self.assembly.row_velocity(row, bodies.states) * self.step.dt < -tolerance::LIMIT_TOUCH
    }

    /// True if bodies in `states` have passed limits that were open at the start of the step.
    pub(crate) fn has_passed_limits(&mut self, states: &[InertialState], time: f64) -> bool {
        if !self.step.unmet.contains(&true) {
            return false;
        }
        let mut values = [0.0; MAX_ROWS];
        for nth in 0..self.assembly.blocks.len() {
            let block = self.assembly.blocks[nth];
            if !self.step.unmet[block.range()].contains(&true) {
                continue;
            }
            self.values_in(block.constraint, states, time, &mut values[..block.rows]);
            for (row, value) in block.range().zip(&values) {
                self.step.unmet[row] &= *value < -tolerance::LIMIT_TOUCH;
            }
        }
        self.step.unmet.contains(&true)
    }

    /// True if the limit of a row is touched or has pushed back, and is not passed in flight.
    pub(super) fn is_met(&self, row: usize, position: f64) -> bool {
        !self.step.unmet[row] && (position <= tolerance::LIMIT_TOUCH || self.step.pushed[row] > 0.0)
    }

    /// Distance of positions from their limit, m or rad; zero for a limit passed in flight.
    pub(super) fn passed_by(&self, row: usize, position: f64) -> f64 {
        match (self.step.unmet[row], self.step.pushed[row] > 0.0) {
            (true, _) => 0.0,
            (false, true) => position.abs(),
            (false, false) => scalar::max(-position, 0.0),
        }
    }

    /// Adds the pushes of limits in a displacement by that share of the last solution.
    pub(super) fn store_pushes(&mut self, share: f64) {
        for row in 0..self.assembly.rows() {
            if self.assembly.laws[row] == RowLaw::Unilateral {
                let push = share * self.solution.lambda[row];
                self.step.pushed[row] = scalar::max(self.step.pushed[row] + push, 0.0);
            }
        }
    }

    /// Ends the flight past limits, as if they were not there. [`ConstraintSet::end_step`] is to follow.
    ///
    /// # Errors
    /// As [`ConstraintSet::end_step`].
    pub(crate) fn end_flight(
        &mut self,
        fixed: DriftBodies<'_>,
        states: &mut [InertialState],
        time: f64,
    ) -> Result<ConstraintWork, ConstraintError> {
        self.leave_trees();
        self.project_positions(fixed, states, time)?;
        let work = self.project_velocities(fixed, states, time)?;
        for (given, impulse) in self.step.impulse.iter_mut().zip(&self.solution.lambda) {
            *given += impulse;
        }
        self.release_motors();
        Ok(work)
    }

    /// A copy of `states`; to be given back.
    pub(crate) fn copy_states(&mut self, states: &[InertialState]) -> Vec<InertialState> {
        self.spare.states(states)
    }

    /// Returns the copy.
    pub(crate) fn store_states(&mut self, buffer: Vec<InertialState>) {
        self.spare.store_states(buffer);
    }
}
