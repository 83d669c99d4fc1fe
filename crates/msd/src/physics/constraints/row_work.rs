//! Work of rows with a constant multiplier over a step, from the actual motion.
//!
//! A constant multiplier λ along a row does the work `λ ΔC` on its two bodies, exactly, for every path and method. Of
//! it `λ ∫d dt` is done against kinematic bodies, whose part of `Ċ` is d.
//! - A motor puts `λ (ΔC - ∫d dt)` in, and so does an actuator.
//! - A brake (a motor with target zero) turns `-λ ΔC` into heat, a damper too; `-λ ∫d dt` is put in.
//! - A spring that pushes with λ while its energy changes by `½ k (C₁² - C₀²)` loses `-λ ΔC - ½ k (C₁² - C₀²)`: by backward
//!   Euler, `λ = -k C₁`, that is `½ k ΔC²`.
//!
//! Methods of first order move bodies with the velocity of the end of the step, and change their kinetic energy by `λ
//! dt` times the mean of the rates before and after: there `λ ΔC` is replaced by that ([`WorkAlong`]), so that the
//! ledger of motion along a straight line closes to round-off as for the others.
//!
//! Contact displaces bodies after the free flight of λ. The work then follows from the same formulas with the states
//! after contact: none where contact stops the motion.

use super::constrained_acceleration::drive_force;
use super::coupled_rows::RowNow;
use super::solver::Block;
use super::step_record::RowMode;
use super::{ConstraintSet, ConstraintWork, RowLaw};
use crate::physics::rigid_body::InertialState;

/// Displacement along which a constant multiplier does its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WorkAlong {
    /// The change of C: methods that move bodies with the mean velocity of the step.
    Path,
    /// `dt` times the mean of the rates at both ends: methods that move them with the velocity of its end.
    MeanRates,
}

/// A row between the start of the step and some states at its end.
#[derive(Clone, Copy, Debug, Default)]
struct RowMotion {
    /// `ΔC`, or its replacement, m or rad.
    moved: f64,
    /// `∫d dt`, m or rad.
    driven: f64,
    /// `C` at the end, m or rad.
    value: f64,
    /// `Ċ` at the end, m/s or rad/s.
    rate: f64,
}

impl ConstraintSet {
    /// Work of held motors, brakes, springs and dampers while the bodies moved from the start of the step to `states`
    /// at `time`.
    #[must_use]
    pub(crate) fn work_of_held_rows(
        &self,
        states: &[InertialState],
        time: f64,
        along: WorkAlong,
    ) -> ConstraintWork {
        let mut work = ConstraintWork::default();
        for row in (0..self.assembly.rows()).filter(|&row| self.step.mode[row] == RowMode::Constant) {
            self.add_held_work(row, self.row_motion(row, states, time, along), &mut work);
        }
        work
    }

    /// Additional work of the multipliers of free flight, because contact has moved bodies to `states` instead of
    /// `flown`.
    #[must_use]
    pub(crate) fn work_of_displacement(
        &self,
        flown: &[InertialState],
        states: &[InertialState],
        time: f64,
    ) -> ConstraintWork {
        let mut work = self.work_of_held_rows(states, time, WorkAlong::Path);
        let before = self.work_of_held_rows(flown, time, WorkAlong::Path);
        work.work_in -= before.work_in;
        work.dissipated -= before.dissipated;
        let drives = |row: usize| {
            self.step.mode[row] == RowMode::Force && matches!(self.assembly.laws[row], RowLaw::Drive { .. })
        };
        let acts = |row: usize| self.is_locked(row) || self.has_resolved_damper(row) || drives(row);
        for row in (0..self.assembly.rows()).filter(|&row| acts(row)) {
            let flight = self.row_motion(row, flown, time, WorkAlong::Path);
            let displaced = self.row_motion(row, states, time, WorkAlong::Path).moved - flight.moved;
            match self.assembly.laws[row] {
                RowLaw::Soft { damping, .. } => {
                    let rate = 0.5 * (self.step.initial_rate[row] + flight.rate);
                    work.dissipated += damping * rate * displaced;
                }
                law @ RowLaw::Drive { .. } => {
                    let start = drive_force(law, self.step.initial[row], self.step.initial_rate[row]);
                    work.work_in += 0.5 * (start + self.step.flight[row]) * displaced;
                }
                _ => work.work_in += self.step.flight[row] * displaced,
            }
        }
        work
    }

    fn has_resolved_damper(&self, row: usize) -> bool {
        self.step.mode[row] == RowMode::Force
            && matches!(self.assembly.laws[row], RowLaw::Soft { damping, .. } if damping != 0.0)
    }

    fn add_held_work(&self, row: usize, motion: RowMotion, work: &mut ConstraintWork) {
        let held = self.step.held[row];
        match self.assembly.laws[row] {
            RowLaw::Motor { velocity: 0.0, .. } => {
                work.dissipated -= held * motion.moved;
                work.work_in -= held * motion.driven;
            }
            RowLaw::Motor { .. } => work.work_in += held * (motion.moved - motion.driven),
            RowLaw::Soft { stiffness, .. } => {
                let from = self.step.initial[row];
                let stored = 0.5 * stiffness * (motion.value - from) * (motion.value + from);
                work.dissipated -= held * motion.moved + stored;
                work.work_in -= self.step.held_damping[row] * motion.driven;
            }
            RowLaw::Drive { .. } => work.work_in += held * (motion.moved - motion.driven),
            RowLaw::Rigid | RowLaw::Unilateral | RowLaw::Rotor { .. } | RowLaw::Part => {}
        }
    }

    fn row_motion(&self, row: usize, states: &[InertialState], time: f64, along: WorkAlong) -> RowMotion {
        let block = &self.assembly.blocks[self.assembly.block_of[row]];
        let RowNow { value, rate, drift, driven } = self.row_now(row, states, time);
        let mean = |from: f64, to: f64| 0.5 * self.step.dt * (from + to);
        let by_rates = mean(self.step.initial_rate[row], rate);
        RowMotion {
            moved: match along {
                WorkAlong::Path => self.moved(block, row, by_rates, value, states),
                WorkAlong::MeanRates => by_rates,
            },
            driven: mean(self.step.initial_drive[row], driven),
            value,
            rate: rate + drift,
        }
    }

    /// `ΔC` of a row with mean rates that give `by_rates`, to second order: the exact value instead.
    fn moved(&self, block: &Block, row: usize, by_rates: f64, value: f64, states: &[InertialState]) -> f64 {
        match (self.assembly.laws[row], self.step.initial_travel[row]) {
            (RowLaw::Soft { .. } | RowLaw::Drive { .. }, _) => value - self.step.initial[row],
            (_, Some(from)) => self.travel_from(block, row, from, by_rates, states).unwrap_or(by_rates),
            (_, None) => by_rates,
        }
    }
}
