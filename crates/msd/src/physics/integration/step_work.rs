//! Work and power that cross the boundary of the system in a step.

use std::ops::AddAssign;

/// Rates at which energy crosses the boundary of the system, W; integrated over a step they are the step's work.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepPower {
    /// Work of loads, external fields and changing potentials.
    pub work_in: f64,
    /// Dissipation.
    pub dissipated: f64,
}

/// Energy that crossed the boundary of the system during a step, J, to the integrator's own accuracy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepWork {
    /// Work done by loads, external fields and changing potentials (negative if they remove energy).
    pub work_in: f64,
    /// Energy removed by dissipative fields, dampers, limit impacts and the damping of a drift that the step
    /// does not resolve; negative only for a field of the wrong class.
    pub dissipated: f64,
    /// Added by projecting bodies onto their joints.
    pub correction: f64,
}

impl StepWork {
    /// Adds `power` that lasts for `dt` seconds.
    pub fn add_power(&mut self, power: StepPower, dt: f64) {
        self.work_in += power.work_in * dt;
        self.dissipated += power.dissipated * dt;
    }
}

impl AddAssign for StepWork {
    fn add_assign(&mut self, other: Self) {
        self.work_in += other.work_in;
        self.dissipated += other.dissipated;
        self.correction += other.correction;
    }
}
