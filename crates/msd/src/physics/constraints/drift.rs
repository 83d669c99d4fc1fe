//! The constrained drift of RATTLE (Andersen 1983): impulses at the start of the drift that close the joints at its end.
//!
//! Splitting methods kick velocities, then let bodies drift. With `v = v½ + M⁻¹ Jᵀ(q₀) p` the drift must end where
//! `C(q₁, t₁) = 0`. Solved for p by the simplified Newton iteration `p ← p - A₀⁻¹ C(q₁)/dt`, whose error falls by a factor
//! of order `dt` times the rate of turning each time. Together with a velocity projection at the end of the step
//! the method stays symplectic, time-reversible and of second order.

use super::solver::Outcome;
use super::step::Part;
use super::{ConstraintError, ConstraintSet, ConstraintWork, RowLaw};
use crate::math::real;
use crate::physics::rigid_body::{Bodies, Inertia, InertialState, RigidBody};
use crate::tolerance;

/// What a drift works on besides the states: the bodies' constants and their inertias.
#[derive(Clone, Copy, Debug)]
pub struct DriftBodies<'a> {
    /// What does not change.
    pub bodies: &'a [RigidBody],
    /// Mass and inertia.
    pub inertias: &'a [Inertia],
}

impl ConstraintSet {
    /// Lets `drift` move the bodies for `dt` seconds from `time`, with impulses before it that close the joints after
    /// it. The states must be at the positions of the start of the step.
    ///
    /// # Errors
    /// If a constraint is not finite.
    pub fn constrained_drift(
        &mut self,
        fixed: DriftBodies<'_>,
        states: &mut [InertialState],
        time: f64,
        dt: f64,
        mut drift: impl FnMut(&mut [InertialState]),
    ) -> Result<ConstraintWork, ConstraintError> {
        if !self.step.part.contains(&Part::Enforced) {
            drift(states);
            return Ok(ConstraintWork::default());
        }
        let start = states.to_vec();
        self.prepare_drift(fixed, &start, time)?;
        let mut impulse = vec![0.0; self.assembly.rows()];
        let (mut best, mut last) = (impulse.clone(), f64::INFINITY);
        for iteration in 1..=tolerance::JOINT_DRIFT {
            self.report.drift_iterations = iteration;
            self.drift_with(&impulse, &start, states, &mut drift);
            let error = self.drift_error(states, time + dt)?;
            if error >= last {
                break;
            }
            (best, last) = (impulse.clone(), error);
            if error == 0.0 {
                break;
            }
            for row in 0..impulse.len() {
                self.rhs[row] = if self.bounds.used[row] { -self.values[row] / dt } else { 0.0 };
            }
            Outcome::back_substitute(&self.assembly, &mut self.rhs);
            for row in 0..impulse.len() {
                impulse[row] += self.rhs[row];
            }
        }
        self.drift_with(&best, &start, states, &mut drift);
        self.evaluate(&start, |constraint, pair, out| constraint.time_derivative(pair, time, out));
        let mut work = ConstraintWork::default();
        for row in 0..best.len() {
            self.step.impulse[row] += best[row];
            let drive = self.values[row] + self.assembly.driving_velocity(row, &start);
            work.work_in -= best[row] * drive;
        }
        Ok(work)
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
        self.bounds.reset(self.assembly.rows());
        for row in 0..self.assembly.rows() {
            self.bounds.used[row] = self.step.part[row] == Part::Enforced && !self.step.dependent[row];
        }
        let mut used = self.bounds.used.clone();
        self.assembly.factorise(&mut used, &self.bounds.softness, tolerance::STAGE_RANK);
        Ok(())
    }

    fn drift_with(
        &mut self,
        impulse: &[f64],
        start: &[InertialState],
        states: &mut [InertialState],
        drift: &mut impl FnMut(&mut [InertialState]),
    ) {
        states.copy_from_slice(start);
        self.assembly.scatter(impulse, |slot, twist| {
            states[slot].velocity += twist.linear;
            states[slot].angular_velocity += twist.angular;
        });
        drift(states);
    }

    /// Evaluates `C` at the end of the drift; the largest of the rows enforced, zero once all are closed to round-off.
    fn drift_error(&mut self, states: &[InertialState], end: f64) -> Result<f64, ConstraintError> {
        self.evaluate(states, |constraint, pair, out| constraint.value(pair, end, out));
        let mut worst: f64 = 0.0;
        for row in (0..self.assembly.rows()).filter(|&row| self.bounds.used[row]) {
            let value = self.values[row].abs();
            if !value.is_finite() {
                return Err(self.not_finite(row, end));
            }
            if value > 0.25 * self.tight(row, states) {
                worst = real::max(worst, value);
            }
        }
        Ok(worst)
    }

    /// Error of a row that is round-off of the coordinates it is computed from.
    pub(super) fn tight(&self, row: usize, states: &[InertialState]) -> f64 {
        let block = &self.assembly.blocks[self.assembly.block_of[row]];
        let reach = match self.assembly.units[row] {
            super::RowUnit::Angle => 0.0,
            super::RowUnit::Length => {
                block.bodies.iter().flatten().map(|&slot| states[slot].center_of_mass.length()).sum()
            }
        };
        tolerance::JOINT_TIGHT * (1.0 + reach)
    }

    /// True for a row whose position is part of the constraint: rigid, or a limit.
    pub(super) fn is_positional(&self, row: usize) -> bool {
        matches!(self.assembly.laws[row], RowLaw::Rigid | RowLaw::Unilateral)
    }
}
