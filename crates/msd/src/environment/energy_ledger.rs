//! The energy ledger: all work and dissipation of a world.
//!
//! At any time the energy of the state, `E = T + V`, should equal the ledger's expected energy:
//!
//! ```text
//! E = E(0) + work in + position corrections - dissipated
//! ```
//!
//! Work in is the work of loads, external fields, motors, changing potentials and of changes by the user (a
//! velocity set, a body added); dissipated is the loss to drag, dampers and damping. The entries are computed
//! from the forces, the energy from the state, so their difference is the error of the simulation. A rise of
//! `E` in one step without an entry is the gain: for contacts and joints it must stay at round-off.

use serde::{Deserialize, Serialize};

use crate::math::scalar;

/// The energy ledger of a world since its start, J.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EnergyLedger {
    /// Energy at the start, J.
    pub initial: f64,
    /// Kinetic energy now, J.
    pub kinetic: f64,
    /// Potential energy now, J.
    pub potential: f64,
    /// Work done since the start (negative if the user or an external field removed energy), J.
    pub work_in: f64,
    /// Dissipated since the start, J.
    pub dissipated: f64,
    /// Added by position correction since the start, J.
    pub correction: f64,
    /// Largest |energy of the state - expected energy| so far, J.
    pub max_error: f64,
    /// Largest rise of energy in one step without a ledger entry, J.
    pub max_gain: f64,
    opened: bool,
    /// Compensation of the three sums above (Neumaier), so that a million small entries add up.
    compensation: [f64; 3],
}

/// Energy of a state, J.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EnergySum {
    pub(super) kinetic: f64,
    pub(super) potential: f64,
}

impl EnergySum {
    pub(super) fn total(self) -> f64 {
        self.kinetic + self.potential
    }
}

/// Energy balance of one step, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepEnergy {
    /// Kinetic energy after the step.
    pub kinetic: f64,
    /// Potential energy after the step.
    pub potential: f64,
    /// Work done during the step.
    pub work_in: f64,
    /// Dissipated during the step.
    pub dissipated: f64,
    /// Added by position correction during the step.
    pub correction: f64,
    /// Rise of the total without an entry above; negative for a loss.
    pub unexplained: f64,
}

impl EnergyLedger {
    /// Kinetic plus potential energy now, J.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }

    /// Expected total energy from the entries, J.
    #[must_use]
    pub fn expected(&self) -> f64 {
        let compensation = self.compensation[0] - self.compensation[1] + self.compensation[2];
        self.initial + self.work_in - self.dissipated + self.correction + compensation
    }

    /// Energy of the state minus expected energy, J.
    #[must_use]
    pub fn error(&self) -> f64 {
        self.total() - self.expected()
    }

    /// Records the energy of a state that the user set up or changed: the first time it is the initial
    /// energy, later the difference is work done.
    pub(super) fn rebase(&mut self, measured: EnergySum) {
        let EnergySum { kinetic, potential } = measured;
        if self.opened {
            let change = kinetic + potential - self.total();
            add_compensated(&mut self.work_in, &mut self.compensation[0], change);
        } else {
            self.initial = kinetic + potential;
            self.opened = true;
        }
        self.kinetic = kinetic;
        self.potential = potential;
    }

    /// The ledger after a step that ended with these energies.
    #[must_use]
    pub(super) fn after_step(&self, step: &StepEnergy) -> Self {
        let mut next = *self;
        next.kinetic = step.kinetic;
        next.potential = step.potential;
        add_compensated(&mut next.work_in, &mut next.compensation[0], step.work_in);
        add_compensated(&mut next.dissipated, &mut next.compensation[1], step.dissipated);
        add_compensated(&mut next.correction, &mut next.compensation[2], step.correction);
        next.max_error = scalar::max(next.max_error, next.error().abs());
        next.max_gain = scalar::max(next.max_gain, step.unexplained);
        next
    }

    /// Computes the unexplained energy of the step.
    pub(super) fn with_unexplained(&self, mut step: StepEnergy) -> StepEnergy {
        let rise = step.kinetic + step.potential - self.total();
        step.unexplained = rise - step.work_in - step.correction + step.dissipated;
        step
    }
}

/// Adds `amount` to `sum`, and the rounding error of the addition to `compensation`.
fn add_compensated(sum: &mut f64, compensation: &mut f64, amount: f64) {
    let total = *sum + amount;
    *compensation +=
        if sum.abs() >= amount.abs() { (*sum - total) + amount } else { (amount - total) + *sum };
    *sum = total;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_books_explain_work_and_dissipation_and_show_the_rest() {
        let mut ledger = EnergyLedger::default();
        ledger.rebase(EnergySum { kinetic: 10.0, potential: 5.0 });
        assert_eq!((ledger.initial, ledger.error()), (15.0, 0.0));
        // +4 J of work, -1 J of drag, and 0.5 J without an entry.
        let step = ledger.with_unexplained(StepEnergy {
            kinetic: 13.5,
            potential: 5.0,
            work_in: 4.0,
            dissipated: 1.0,
            ..StepEnergy::default()
        });
        assert_eq!(step.unexplained, 0.5);
        ledger = ledger.after_step(&step);
        assert_eq!((ledger.error(), ledger.max_gain), (0.5, 0.5));
        // A change by the user is work, not an error.
        ledger.rebase(EnergySum { kinetic: 20.0, potential: 5.0 });
        assert_eq!((ledger.error(), ledger.work_in), (0.5, 10.5));
    }

    #[test]
    fn a_million_small_bookings_add_up() {
        let mut ledger = EnergyLedger::default();
        ledger.rebase(EnergySum { kinetic: 1e6, potential: 0.0 });
        for i in 1..=1_000_000 {
            let step =
                StepEnergy { kinetic: 1e6 + 0.1 * f64::from(i), work_in: 0.1, ..StepEnergy::default() };
            ledger = ledger.after_step(&step);
        }
        assert!(ledger.error().abs() < 1e-9, "{:e}: one ulp of 1e6 J is 1.2e-10", ledger.error());
    }
}
