//! What a step and a run say of themselves.

use super::energy_ledger::{EnergyLedger, StepEnergy};
use crate::math::real;
use crate::physics::constraints::ConstraintReport;

/// The phases of one step, in order. `ARCHITECTURE.md` walks the same list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Kinematic targets, damping, loads: everything that is known before bodies move.
    Forces,
    /// The equations of motion over dt, joints included.
    Integrate,
    /// Energy of the new state against the books.
    Account,
    /// The swap that makes the new state the state.
    Commit,
}

impl Phase {
    /// All phases in order.
    pub const ALL: [Phase; 4] = [Phase::Forces, Phase::Integrate, Phase::Account, Phase::Commit];

    /// The name used in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Phase::Forces => "forces",
            Phase::Integrate => "integrate",
            Phase::Account => "account",
            Phase::Commit => "commit",
        }
    }
}

/// Seconds spent in each phase; zeros unless the world was given a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PhaseTimes([f64; Phase::ALL.len()]);

impl PhaseTimes {
    /// Seconds spent in one phase.
    #[must_use]
    pub fn seconds(&self, phase: Phase) -> f64 {
        self.0[phase as usize]
    }

    /// Seconds spent in all.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.0.iter().sum()
    }

    pub(super) fn add(&mut self, phase: Phase, seconds: f64) {
        self.0[phase as usize] += seconds;
    }

    pub(super) fn accumulate(&mut self, other: &PhaseTimes) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, seconds)| *sum += seconds);
    }
}

/// What one step did.
#[derive(Clone, Debug, PartialEq)]
pub struct StepReport {
    /// Number of the step, from 1.
    pub step: u64,
    /// Time at its end, s.
    pub time: f64,
    /// Its length, s.
    pub dt: f64,
    /// What it did to the energy.
    pub energy: StepEnergy,
    /// How well the joints were held.
    pub joints: ConstraintReport,
    /// How long each phase took.
    pub phases: PhaseTimes,
}

/// The worst joint errors of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointErrors {
    /// m.
    pub position: f64,
    /// rad.
    pub angle: f64,
}

impl JointErrors {
    fn worse(a: f64, b: f64) -> f64 {
        if b.is_nan() { b } else { real::max(a, b) }
    }

    pub(super) fn accumulate(&mut self, step: &ConstraintReport) {
        self.position = Self::worse(self.position, step.position_error);
        self.angle = Self::worse(self.angle, step.angle_error);
    }
}

/// What a run of many steps did.
#[derive(Clone, Debug, PartialEq)]
pub struct RunReport {
    /// Steps taken, a shortened last one included.
    pub steps: u64,
    /// Time at the end, s.
    pub time: f64,
    /// The books at the end.
    pub energy: EnergyLedger,
    /// Worst joint errors of all steps.
    pub joints: JointErrors,
    /// How long each phase took, over all steps.
    pub phases: PhaseTimes,
}
