//! The certificate of a run: the worst of its steps, and the first failure by name.

use super::step_certificate::{Check, Failure, StepCertificate};
use crate::math::scalar;

/// The first limit that a run broke.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstFailure {
    /// Number of the step, from 1.
    pub step: u64,
    /// Time at the end of the step, s.
    pub time: f64,
    /// The broken limit.
    pub failure: Failure,
    /// Names of the bodies concerned.
    pub bodies: Vec<String>,
}

impl std::fmt::Display for FirstFailure {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Failure { fault, figure, limit, .. } = self.failure;
        write!(out, "{} at t = {:.6} s (step {})", fault.check().name(), self.time, self.step)?;
        match self.bodies.as_slice() {
            [] => {}
            [one] => write!(out, ", `{one}`")?,
            [one, other, ..] => write!(out, ", `{one}` and `{other}`")?,
        }
        write!(out, ": {} {figure:.3e}, certified up to {limit:.0e}", fault.describe())
    }
}

/// The worst figures of all steps of a run, and how many steps broke each row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunCertificate {
    /// Worst figure of each kind over all steps; `dissipated` is the smallest of a step, counts are sums.
    pub worst: StepCertificate,
    /// Steps judged.
    pub steps: u64,
    /// Steps with a geometry check.
    pub geometry_steps: u64,
    /// Steps that broke at least one limit.
    pub failed_steps: u64,
    /// Steps that broke a limit of each row, in the order of [`Check::ALL`].
    pub failed_by_row: [u64; Check::ALL.len()],
    /// The first limit broken.
    pub first_failure: Option<FirstFailure>,
}

impl RunCertificate {
    /// True if every step was certified.
    #[must_use]
    pub fn is_certified(&self) -> bool {
        self.failed_steps == 0
    }

    /// Adds step number `step` that ended at `time`; `name` gives the names of bodies by slot.
    pub fn accumulate(
        &mut self,
        step: u64,
        time: f64,
        found: &StepCertificate,
        name: impl Fn(usize) -> String,
    ) {
        let first = self.steps == 0;
        self.steps += 1;
        self.geometry_steps += u64::from(found.geometry_checked);
        let mut rows = [false; Check::ALL.len()];
        for failure in found.failures() {
            rows[failure.fault.check() as usize] = true;
            if self.first_failure.is_none() {
                let bodies = failure.slots.into_iter().flatten().map(&name).collect();
                self.first_failure = Some(FirstFailure { step, time, failure, bodies });
            }
        }
        self.failed_steps += u64::from(rows.contains(&true));
        for (count, failed) in self.failed_by_row.iter_mut().zip(rows) {
            *count += u64::from(failed);
        }
        let worst = &mut self.worst;
        worst.worsen_by(found);
        worst.dissipated =
            if first { found.dissipated } else { scalar::min(worst.dissipated, found.dissipated) };
        worst.geometry_checked = self.geometry_steps == self.steps;
    }
}
