//! `rk4`: the classical Runge-Kutta method of order four, on the Lie group.
//!
//! ```text
//! k₁ = f(t, y)   k₂ = f(t+½dt, y+½dt k₁)   k₃ = f(t+½dt, y+½dt k₂)   k₄ = f(t+dt, y+dt k₃)
//! y += dt (k₁ + 2k₂ + 2k₃ + k₄)/6
//! ```
//!
//! y are the coordinates of [`super::lie_chart`], so orientation has order four as well and its quaternion length one
//! (Munthe-Kaas' method RKMK4; averaging angular velocities of the stages into one exponential would be second order
//! only). A free body keeps its angular momentum to round-off, energy to fourth order with a slow drift. Explicit: a
//! damper with `c dt/m` above 2.7, or a spring with `dt √(k/m)` above 2.8, makes it unstable.

use super::lie_chart::LieChart;
use super::{IntegrationError, Integrator, StepWork, System};
use crate::physics::rigid_body::InertialState;

/// Fourth-order Runge-Kutta-Munthe-Kaas method; see the top of this file.
#[derive(Clone, Debug, Default)]
pub struct Rk4 {
    chart: LieChart,
    stage: Vec<f64>,
    slope: Vec<f64>,
    sum: Vec<f64>,
}

impl Rk4 {
    /// A new one; it needs no setting.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// For each stage its node, which is also the step along the previous slope, and its weight.
const STAGES: [(f64, f64); 4] = [(0.0, 1.0 / 6.0), (0.5, 1.0 / 3.0), (0.5, 1.0 / 3.0), (1.0, 1.0 / 6.0)];

impl Integrator for Rk4 {
    fn name(&self) -> &'static str {
        "rk4"
    }

    fn order(&self) -> Option<u32> {
        Some(4)
    }

    fn step(
        &mut self,
        system: &mut System<'_>,
        states: &mut [InertialState],
        time: f64,
        dt: f64,
    ) -> Result<StepWork, IntegrationError> {
        for buffer in [&mut self.stage, &mut self.slope, &mut self.sum] {
            buffer.clear();
            buffer.resize(LieChart::dimension(states.len()), 0.0);
        }
        self.chart.begin(system, time, states);
        for (node, weight) in STAGES {
            for (stage, slope) in self.stage.iter_mut().zip(&self.slope) {
                *stage = node * dt * slope;
            }
            self.chart.derivative(system, node * dt, &self.stage, &mut self.slope);
            for (sum, slope) in self.sum.iter_mut().zip(&self.slope) {
                *sum += weight * dt * slope;
            }
        }
        self.chart.write_states(dt, &self.sum, states);
        let mut work = LieChart::work(&self.sum);
        work += system.project(states, time + dt)?;
        system.check_finite(states, dt)?;
        Ok(work)
    }

    fn clone_box(&self) -> Box<dyn Integrator> {
        Box::new(self.clone())
    }
}
