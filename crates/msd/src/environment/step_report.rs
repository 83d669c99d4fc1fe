//! Reports of a step and of a run.

use super::contact::ContactReport;
use super::energy_ledger::{EnergyLedger, StepEnergy};
use super::fault_policy::Quarantine;
use crate::certificate::{RunCertificate, StepCertificate};
use crate::math::scalar;
use crate::physics::constraints::ConstraintReport;

/// The phases of one step, in order. `ARCHITECTURE.md` walks the same list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Kinematic targets, damping, loads.
    Forces,
    /// Collision detection.
    Detect,
    /// The equations of motion over dt, joints included, without contact.
    Integrate,
    /// Impacts and persistent contact.
    Contact,
    /// Position correction.
    Position,
    /// Energy balance.
    Account,
    /// Certificate of the step.
    Certify,
    /// Commit of the new state.
    Commit,
}

impl Phase {
    /// All phases in order.
    pub const ALL: [Phase; 8] = [
        Phase::Forces,
        Phase::Detect,
        Phase::Integrate,
        Phase::Contact,
        Phase::Position,
        Phase::Account,
        Phase::Certify,
        Phase::Commit,
    ];

    /// The name used in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Phase::Forces => "forces",
            Phase::Detect => "detect",
            Phase::Integrate => "integrate",
            Phase::Contact => "contact",
            Phase::Position => "position",
            Phase::Account => "account",
            Phase::Certify => "certify",
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

/// Report of one step.
#[derive(Clone, Debug, PartialEq)]
pub struct StepReport {
    /// Number of the step, from 1.
    pub step: u64,
    /// Time at its end, s.
    pub time: f64,
    /// Its length, s.
    pub dt: f64,
    /// Number of parts of the step: more than one if bodies would, or might, have passed through each other.
    pub parts: u32,
    /// Its energy balance.
    pub energy: StepEnergy,
    /// Joint errors and solver figures.
    pub joints: ConstraintReport,
    /// Contacts and their solver figures.
    pub contacts: ContactReport,
    /// Its certificate.
    pub certificate: StepCertificate,
    /// Bodies that were quarantined so that the step could continue: see [`FaultPolicy`](super::FaultPolicy).
    pub quarantined: Vec<Quarantine>,
    /// Time spent in each phase.
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
        if b.is_nan() { b } else { scalar::max(a, b) }
    }

    pub(super) fn accumulate(&mut self, step: &ConstraintReport) {
        self.position = Self::worse(self.position, step.position_error);
        self.angle = Self::worse(self.angle, step.angle_error);
    }
}

/// Contact over a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactSummary {
    /// Contact points in the last step.
    pub last: usize,
    /// Most contact points in a step.
    pub most: usize,
    /// Deepest overlap after a step, m.
    pub max_penetration: f64,
    /// Deepest overlap that a step began with, m, see [`ContactReport::initial_overlap`].
    pub initial_overlap: f64,
    /// Worst residual of a step, see [`ContactReport::residual`].
    pub max_residual: f64,
    /// Worst residual of the rigid law, see [`ContactReport::rigid_residual`].
    pub max_rigid_residual: f64,
    /// Steps with a problem that was solved by the law of compliant contact, see [`ContactReport::compliant`].
    pub compliant_steps: u64,
    /// Most sweeps and factorisations an island needed in a step.
    pub max_iterations: usize,
    /// Steps with a problem that is not certified.
    pub unconverged_steps: u64,
    /// Contacts with less restitution than their material demands, see [`ContactReport::inelastic_impacts`].
    pub inelastic_impacts: u64,
}

impl ContactSummary {
    /// True if every step was certified.
    #[must_use]
    pub fn is_certified(&self) -> bool {
        self.unconverged_steps == 0
    }

    /// Adds a step.
    pub fn accumulate(&mut self, step: &ContactReport) {
        self.last = step.contacts;
        self.most = self.most.max(step.contacts);
        self.max_penetration = JointErrors::worse(self.max_penetration, step.max_penetration);
        self.initial_overlap = JointErrors::worse(self.initial_overlap, step.initial_overlap);
        self.max_residual = JointErrors::worse(self.max_residual, step.residual);
        self.max_rigid_residual = JointErrors::worse(self.max_rigid_residual, step.rigid_residual);
        self.compliant_steps += u64::from(step.compliant > 0);
        self.max_iterations = self.max_iterations.max(step.iterations);
        self.unconverged_steps += u64::from(!step.is_certified());
        self.inelastic_impacts += step.inelastic_impacts as u64;
    }
}

/// Report of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunReport {
    /// Number of steps, a shortened last one included.
    pub steps: u64,
    /// Time at the end, s.
    pub time: f64,
    /// The energy ledger at the end.
    pub energy: EnergyLedger,
    /// Worst joint errors of all steps.
    pub joints: JointErrors,
    /// The worst of contact in all steps.
    pub contacts: ContactSummary,
    /// The worst of the certificates of all steps, and the first failure.
    pub certificate: RunCertificate,
    /// Bodies that were quarantined, in order.
    pub quarantined: Vec<Quarantine>,
    /// Time spent in each phase, over all steps.
    pub phases: PhaseTimes,
}
