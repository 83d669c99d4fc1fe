//! The constrained drift of RATTLE (Andersen 1983): impulses at the start of the drift that close the joints at its end.
//!
//! Splitting methods kick velocities, then let bodies drift. With `v = v½ + M⁻¹ Jᵀ(q₀) p` the drift must end where
//! `C(q₁, t₁) = 0`. Solved for p by the simplified Newton iteration `p ← p - A₀⁻¹ C(q₁)/dt`, which reduces the error
//! by a factor of order `dt` times the rate of rotation. With a velocity projection at the end of the step the method
//! stays symplectic, time-reversible and of second order.
//!
//! Where the step does not resolve the motion (links that rotate by about a radian in it, or oscillate faster than it
//! under their load) the iteration does not contract. The integrator then either divides the step into parts, with a
//! kick and a velocity projection between them ([`ConstraintSet::between_substeps`]), which keeps order and
//! symplecticity (there the iteration is accelerated: it contracts, and one component of the error falls more slowly
//! than all others); or does the drift in damped pieces ([`super::rattle_fallback`]).

use super::solver::{Block, LcpSolution};
use super::step_record::RowMode;
use super::tree::TreeDrift;
use super::{ConstraintError, ConstraintSet, ConstraintWork, RowLaw};
use crate::physics::rigid_body::{Bodies, Inertia, InertialState, RigidBody};
use crate::tolerance;

/// Limit of iterations for the impulse that keeps joints closed over a step. tuned: an iteration leaves about
/// a tenth of the error where the step resolves the motion; where it needs more, shorter steps cost less.
pub(super) const JOINT_DRIFT: usize = 20;

/// Share of the error up to which the next iteration is accelerated, in a step that is divided into parts.
/// tuned: a chain of 50 links takes 0.87 ms a step instead of 1.06.
pub(super) const JOINT_DRIFT_CONTRACTS: f64 = 0.1;

/// Constants of the bodies during a drift.
#[derive(Clone, Copy, Debug)]
pub struct DriftBodies<'a> {
    /// Constants.
    pub bodies: &'a [RigidBody],
    /// Mass and inertia.
    pub inertias: &'a [Inertia],
}

impl ConstraintSet {
    /// Lets `drift` move the bodies for `dt` seconds from `time`, with impulses before it that close the joints after
    /// it. The states must be at the positions of the start of the drift. `None`, with the states as they were, if no
    /// impulses are found and the drift must not be `damped`.
    ///
    /// # Errors
    /// If a constraint is not finite, or joints cannot be closed.
    pub fn constrained_drift(
        &mut self,
        fixed: DriftBodies<'_>,
        states: &mut [InertialState],
        time: f64,
        dt: f64,
        damped: bool,
        mut drift: impl FnMut(&mut [InertialState], f64),
    ) -> Result<Option<ConstraintWork>, ConstraintError> {
        if !self.step.mode.contains(&RowMode::Enforced) {
            drift(states, dt);
            return Ok(Some(ConstraintWork::default()));
        }
        let start = self.spare.states(states);
        match self.drift_along_trees(fixed, &start, states, (time, dt), damped, &mut drift)? {
            TreeDrift::ByRows => {}
            ended => {
                self.spare.store_states(start);
                self.step.open &= ended != TreeDrift::Closed;
                return Ok((ended == TreeDrift::Closed).then(ConstraintWork::default));
            }
        }
        self.prepare_drift(fixed, &start, time)?;
        self.store_rotor_positions(&start, time);
        let closed = self.closing_impulse(&start, states, time, dt, &mut drift)?;
        let work = match closed {
            Some(impulse) => Some(self.give_impulse(impulse, &start, time)),
            None if damped => Some(self.damped_drift(fixed, &start, states, time, dt, &mut drift)?),
            None => {
                states.copy_from_slice(&start);
                None
            }
        };
        self.spare.store_states(start);
        self.step.open &= work.is_none();
        Ok(work)
    }

    /// Records the impulses of the drift and their work.
    fn give_impulse(&mut self, impulse: Vec<f64>, start: &[InertialState], time: f64) -> ConstraintWork {
        self.evaluate_drives(start, time);
        let mut work = ConstraintWork::default();
        for row in 0..impulse.len() {
            self.step.impulse[row] += impulse[row];
            let drive = self.values[row] + self.assembly.driving_velocity(row, start);
            work.work_in -= impulse[row] * drive;
        }
        self.advance_rotors(&impulse);
        self.spare.store_numbers(impulse);
        work
    }

    /// The impulses after which the drift ends with the joints closed; `None` if the iteration does not contract.
    fn closing_impulse(
        &mut self,
        start: &[InertialState],
        states: &mut [InertialState],
        time: f64,
        dt: f64,
        drift: &mut impl FnMut(&mut [InertialState], f64),
    ) -> Result<Option<Vec<f64>>, ConstraintError> {
        let rows = self.assembly.rows();
        self.values.fill(0.0);
        let mut impulse = self.spare.numbers(&self.values);
        let (mut best, mut least) = (self.spare.numbers(&self.values), f64::INFINITY);
        let mut last = self.spare.numbers(&self.values);
        for iteration in 1..=JOINT_DRIFT {
            self.report.drift_iterations = iteration;
            self.drift_with(&impulse, start, states, dt, drift);
            let error = self.drift_error(states, &impulse, time + dt, dt)?;
            if error == 0.0 {
                self.spare.store_numbers(best);
                self.spare.store_numbers(last);
                return Ok(Some(impulse));
            }
            if error >= least {
                break;
            }
            // Not where contraction is to tell whether the step resolves the motion.
            let accelerated = self.report.parts > 0 && error <= JOINT_DRIFT_CONTRACTS * least;
            least = error;
            for row in 0..rows {
                self.rhs[row] = if self.bounds.used[row] { -self.values[row] / dt } else { 0.0 };
            }
            LcpSolution::back_substitute(&self.assembly, &mut self.rhs);
            let beyond = if accelerated && iteration > 1 { self.slowest_part(&last) } else { 0.0 };
            for (row, p) in impulse.iter_mut().enumerate() {
                // The change of p and of its correction since the iteration before, both along the slowest part.
                let back = (*p - best[row]) + (self.rhs[row] - last[row]);
                best[row] = *p;
                *p += self.rhs[row] - beyond * back;
            }
            last.copy_from_slice(&self.rhs);
        }
        self.spare.store_numbers(impulse);
        self.spare.store_numbers(last);
        if least > tolerance::JOINT_DRIFT_CLOSED {
            self.spare.store_numbers(best);
            return Ok(None);
        }
        self.drift_with(&best, start, states, dt, drift);
        Ok(Some(best))
    }

    /// Fraction of the last correction to undo so that the remaining error, in `rhs`, is least in the mass metric.
    fn slowest_part(&self, last: &[f64]) -> f64 {
        let (mut along, mut square) = (0.0, 0.0);
        for ((now, last), weight) in self.rhs.iter().zip(last).zip(&self.assembly.diagonal) {
            let change = now - last;
            along += weight * now * change;
            square += weight * change * change;
        }
        if square > 0.0 { along / square } else { 0.0 }
    }

    /// Between two parts of a step: closes joints and projects velocities. Returns the work of drives.
    ///
    /// # Errors
    /// If joints cannot be closed.
    pub fn between_substeps(
        &mut self,
        fixed: DriftBodies<'_>,
        states: &mut [InertialState],
        time: f64,
    ) -> Result<ConstraintWork, ConstraintError> {
        if self.between_along_trees(fixed, states, time)? {
            return Ok(ConstraintWork::default());
        }
        self.project_positions(fixed, states, time)?;
        let work_in = self.make_tangent(fixed, states, time)?;
        // Jacobians, matrix and factor are those of where the next part starts.
        (self.step.at_start, self.step.factorised) = (true, true);
        Ok(ConstraintWork { work_in, dissipated: 0.0 })
    }

    /// Projects velocities on the enforced rows. Returns the work of drives.
    pub(super) fn make_tangent(
        &mut self,
        fixed: DriftBodies<'_>,
        states: &mut [InertialState],
        time: f64,
    ) -> Result<f64, ConstraintError> {
        self.fill(&Bodies { bodies: fixed.bodies, inertias: fixed.inertias, states }, time)?;
        self.evaluate_drives(states, time);
        let rows = self.assembly.rows();
        self.reset_bounds();
        for row in 0..rows {
            let rate = self.assembly.row_velocity(row, states);
            self.bounds.used[row] = self.step.mode[row] == RowMode::Enforced;
            self.rhs[row] = match self.assembly.laws[row] {
                _ if !self.bounds.used[row] => 0.0,
                RowLaw::Rotor { .. } => self.rotor_lead(row, rate),
                _ => -(rate + self.values[row]),
            };
        }
        self.solution.solve_once(&mut self.assembly, &self.bounds, &self.rhs, tolerance::CONSTRAINT_RANK);
        let mut work_in = 0.0;
        for row in 0..rows {
            let impulse = self.solution.lambda[row];
            self.step.impulse[row] += impulse;
            work_in -= impulse * (self.values[row] + self.assembly.driving_velocity(row, states));
        }
        self.assembly.scatter(&self.solution.lambda, |slot, twist| {
            states[slot].velocity += twist.linear;
            states[slot].angular_velocity += twist.angular;
        });
        self.store_rotor_rates(states);
        Ok(work_in)
    }

    /// Gives the impulses that make the velocities of all bodies obey the joints at once, outside of a step; limits, springs and motors
    /// give none. Returns the work of drives and of bodies that forces do not move, J.
    ///
    /// # Errors
    /// If a constraint is not finite.
    pub(crate) fn inelastic_impact(
        &mut self,
        bodies: &Bodies<'_>,
        states: &mut [InertialState],
        time: f64,
    ) -> Result<f64, ConstraintError> {
        self.assign_to_contact(&[], false);
        self.begin_step(bodies, time, 0.0)?;
        for row in 0..self.assembly.rows() {
            if !matches!(self.assembly.laws[row], RowLaw::Rigid | RowLaw::Rotor { .. }) {
                self.step.mode[row] = RowMode::Inactive;
            }
        }
        let fixed = DriftBodies { bodies: bodies.bodies, inertias: bodies.inertias };
        self.make_tangent(fixed, states, time)
    }

    /// Records the number of parts of the step.
    pub(crate) fn store_substep_count(&mut self, parts: usize) {
        self.report.parts = parts;
    }

    fn prepare_drift(
        &mut self,
        fixed: DriftBodies<'_>,
        start: &[InertialState],
        time: f64,
    ) -> Result<(), ConstraintError> {
        if !self.step.at_start {
            let bodies = Bodies { bodies: fixed.bodies, inertias: fixed.inertias, states: start };
            self.fill(&bodies, time)?;
        }
        self.reset_bounds();
        for row in 0..self.assembly.rows() {
            self.bounds.used[row] = self.step.mode[row] == RowMode::Enforced && !self.step.dependent[row];
        }
        if self.step.at_start && self.step.factorised {
            return Ok(());
        }
        let mut used = std::mem::take(&mut self.spare.flags);
        used.clone_from(&self.bounds.used);
        self.assembly.factorise(&mut used, &self.bounds.regularisation, tolerance::STAGE_RANK);
        self.spare.flags = used;
        Ok(())
    }

    fn drift_with(
        &mut self,
        impulse: &[f64],
        start: &[InertialState],
        states: &mut [InertialState],
        dt: f64,
        drift: &mut impl FnMut(&mut [InertialState], f64),
    ) {
        states.copy_from_slice(start);
        self.assembly.scatter(impulse, |slot, twist| {
            states[slot].velocity += twist.linear;
            states[slot].angular_velocity += twist.angular;
        });
        drift(states, dt);
    }

    /// Evaluates `C` at the end of the drift; the largest of the rows enforced, zero once all are closed to round-off.
    fn drift_error(
        &mut self,
        states: &[InertialState],
        impulse: &[f64],
        end: f64,
        dt: f64,
    ) -> Result<f64, ConstraintError> {
        self.evaluate_positions(states, end);
        self.evaluate_rotors(impulse, dt);
        let mut worst: f64 = 0.0;
        for row in (0..self.assembly.rows()).filter(|&row| self.bounds.used[row]) {
            let value = self.values[row].abs();
            if !value.is_finite() {
                return Err(self.not_finite(row, end));
            }
            // A smaller error is round-off everywhere.
            let clear = value > worst && value > 0.25 * tolerance::JOINT_TIGHT;
            if clear && value > 0.25 * self.tight(row, states) {
                worst = value;
            }
        }
        Ok(worst)
    }

    /// Error of a row that is round-off of the coordinates it is computed from.
    pub(super) fn tight(&self, row: usize, states: &[InertialState]) -> f64 {
        let block = &self.assembly.blocks[self.assembly.block_of[row]];
        tolerance::JOINT_TIGHT * (1.0 + self.distance_out(block, row, states))
    }

    /// Distances of the bodies of a row from the origin, m, if it measures a length.
    pub(super) fn distance_out(&self, block: &Block, row: usize, states: &[InertialState]) -> f64 {
        match self.assembly.units[row] {
            super::RowUnit::Angle => 0.0,
            super::RowUnit::Length => {
                block.bodies.iter().flatten().map(|&slot| states[slot].center_of_mass.length()).sum()
            }
        }
    }

    /// True for a row whose position is part of the constraint: rigid, or a limit.
    pub(super) fn is_positional(&self, row: usize) -> bool {
        matches!(self.assembly.laws[row], RowLaw::Rigid | RowLaw::Unilateral)
    }
}
