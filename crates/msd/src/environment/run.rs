//! Runs: the steps that cover a duration exactly.

use super::simulation_time::{SimulationTime, steps_to_cover};
use super::step_report::{ContactSummary, JointErrors, PhaseTimes, RunReport, StepReport};
use super::validate;
use super::{World, WorldError};
use crate::certificate::RunCertificate;

impl World {
    /// Advances the world by exactly `seconds`: by steps of [`World::dt`] and, where it does not divide them,
    /// one shortened last step.
    ///
    /// # Errors
    /// As [`World::step`]; the steps before the failed one stand.
    pub fn run(&mut self, seconds: f64) -> Result<RunReport, WorldError> {
        self.run_with(seconds, |_, _| true)
    }

    /// As [`World::run`], calling `observe` after every step; `observe` returns false to stop early.
    ///
    /// # Errors
    /// As [`World::run`].
    pub fn run_with(
        &mut self,
        seconds: f64,
        observe: impl FnMut(&World, &StepReport) -> bool,
    ) -> Result<RunReport, WorldError> {
        self.drive(seconds, World::step, observe)
    }

    /// The loop of every run: computes the steps that cover `seconds` and performs each with `step`.
    pub(crate) fn drive<E: From<WorldError>>(
        &mut self,
        seconds: f64,
        mut step: impl FnMut(&mut World, f64) -> Result<StepReport, E>,
        mut observe: impl FnMut(&World, &StepReport) -> bool,
    ) -> Result<RunReport, E> {
        let end = self.time() + validate::Validator::world().advances("duration", seconds, self.time())?;
        let (whole, rest) = steps_to_cover(seconds, self.dt);
        let total = whole + u64::from(rest > 0.0);
        let mut phases = PhaseTimes::default();
        let mut joints = JointErrors::default();
        let mut contacts = ContactSummary::default();
        let mut certificate = RunCertificate::default();
        let mut quarantined = Vec::new();
        let mut steps = 0;
        while steps < total {
            steps += 1;
            let mut report = step(self, if steps <= whole { self.dt } else { rest })?;
            if steps == total {
                self.state.time = SimulationTime::at(end);
                report.time = end;
            }
            phases.accumulate(&report.phases);
            joints.accumulate(&report.joints);
            contacts.accumulate(&report.contacts);
            certificate.accumulate(report.step, report.time, &report.certificate, |slot| self.name_of(slot));
            quarantined.extend(report.quarantined.iter().cloned());
            if !observe(self, &report) {
                break;
            }
        }
        Ok(RunReport {
            steps,
            time: self.time(),
            energy: self.state.ledger,
            joints,
            contacts,
            certificate,
            quarantined,
            phases,
        })
    }
}
