//! `adaptive`: DOP853, order eight, with error control inside the step.
//!
//! The step is covered by as many substeps as the tolerance needs. A substep has twelve stages
//! ([`super::dop853`]) in the coordinates of [`super::lie_chart`]: attitude on the Lie group rather than as
//! four quaternion components, because there the quaternion needs no normalisation that would spoil the error
//! estimate, and a steady turn costs nothing. Its error is estimated by combining embedded methods of order
//! five and three, `e = h e₅²/√(e₅² + e₃²/100)`, and compared with the tolerance component by component,
//! relative to the size of the vector the component belongs to: position (or the path of the step, if that is
//! longer), velocity, angular momentum; for rotation, 1 rad; for the work, the kinetic energy before and
//! after. A body that joints hold at rest has no velocity as a scale: its scales are the changes that the
//! joint forces would cause in the step, because only the rounding of those forces moves it. The next substep
//! is `0.9 h (tolerance/e)^⅛`.
//!
//! Joint forces act at every stage; the remaining constraint drift is projected away at the end of the step.
//!
//! No memory: every step begins by trying its whole length, so it depends on states, time and dt alone. The
//! error after a step is near the tolerance; long arcs add up the errors of their substeps. Nothing is kept
//! but the angular momentum of free bodies.
//!
//! Hairer, Nørsett & Wanner, *Solving Ordinary Differential Equations I*, 2nd ed., §II.4-II.6.

use super::dop853::{ERROR_3, ERROR_5, EXTENDED_STAGES, NODES, ROWS, STAGES};
use super::lie_chart::{LieChart, PER_BODY};
use super::{DenseOutput, IntegrationError, Integrator, StepWork, System};
use crate::math::{Vec3, scalar};
use crate::physics::rigid_body::InertialState;
use crate::tolerance;

/// Limit of substeps in one step. tuned: at twelve evaluations each this is seconds of computing;
/// discontinuous forces need ever more substeps.
const ADAPTIVE_SUBSTEPS: usize = 20_000;

/// Eighth-order Runge-Kutta method with error control; see the top of this file.
#[derive(Clone, Debug)]
pub struct Adaptive {
    tolerance: f64,
    chart: LieChart,
    slopes: Vec<f64>,
    stage: Vec<f64>,
    result: Vec<f64>,
    scales: Vec<f64>,
    /// Force and torque that joints hold each body with, N and N·m.
    holding: Vec<(f64, f64)>,
}

impl Default for Adaptive {
    fn default() -> Self {
        Self::new(tolerance::ADAPTIVE_DEFAULT)
    }
}

/// An error estimate, relative to the tolerance, and where it is largest.
#[derive(Clone, Copy)]
struct Estimate {
    error: f64,
    slot: usize,
}

impl Adaptive {
    /// With that relative tolerance, moved into the range f64 can serve
    /// ([`tolerance::ADAPTIVE_TIGHTEST`] to [`tolerance::ADAPTIVE_LOOSEST`]).
    #[must_use]
    pub fn new(tolerance: f64) -> Self {
        Self {
            tolerance: scalar::clamp(tolerance, tolerance::ADAPTIVE_TIGHTEST, tolerance::ADAPTIVE_LOOSEST),
            chart: LieChart::default(),
            slopes: Vec::new(),
            stage: Vec::new(),
            result: Vec::new(),
            scales: Vec::new(),
            holding: Vec::new(),
        }
    }

    /// The relative tolerance.
    #[must_use]
    pub fn tolerance(&self) -> f64 {
        self.tolerance
    }

    /// As [`Integrator::step`], and fills `dense` with the motion in between.
    ///
    /// # Errors
    /// As [`Integrator::step`].
    pub fn step_dense(
        &mut self,
        system: &mut System<'_>,
        states: &mut [InertialState],
        time: f64,
        dt: f64,
        dense: &mut DenseOutput,
    ) -> Result<StepWork, IntegrationError> {
        dense.clear(states.len(), LieChart::dimension(states.len()));
        self.advance(system, states, time, dt, Some(dense))
    }

    fn advance(
        &mut self,
        system: &mut System<'_>,
        states: &mut [InertialState],
        time: f64,
        dt: f64,
        mut dense: Option<&mut DenseOutput>,
    ) -> Result<StepWork, IntegrationError> {
        self.resize(states.len());
        let mut work = StepWork::default();
        let (mut done, mut trial, mut has_failed) = (0.0, dt, false);
        for _substep in 0..ADAPTIVE_SUBSTEPS {
            let start = time + done;
            if !has_failed {
                self.chart.begin(system, start, states);
                self.first_slope(system);
            }
            let estimate = self.try_substep(system, trial, states, dt);
            if estimate.error <= 1.0 {
                if let Some(dense) = dense.as_deref_mut() {
                    self.interpolate(system, start, trial, dense);
                }
                self.chart.write_states(trial, &self.result, states);
                work += LieChart::work(&self.result);
                if done + trial == dt {
                    work += system.project(states, time + dt)?;
                    system.set_time(time + dt);
                    system.check_finite(states, dt)?;
                    return Ok(work);
                }
                done += trial;
            }
            let next = next_step(trial, estimate.error, has_failed);
            has_failed = estimate.error.is_nan() || estimate.error > 1.0;
            let left = dt - done;
            // The last two substeps share what is left, so that none is a sliver.
            trial = if next.abs() >= left.abs() {
                left
            } else if 2.0 * next.abs() > left.abs() {
                0.5 * left
            } else {
                next
            };
            if has_failed && trial.abs() <= 16.0 * f64::EPSILON * scalar::max(time.abs(), dt.abs()) {
                return Err(self.too_small(system, start, trial, estimate.slot));
            }
        }
        Err(self.too_small(system, time + done, trial, 0))
    }

    fn too_small(&self, system: &System<'_>, time: f64, step: f64, slot: usize) -> IntegrationError {
        let body = system.bodies().get(slot).map_or_else(String::new, |body| body.name.clone());
        IntegrationError::StepTooSmall { integrator: "adaptive", tolerance: self.tolerance, step, time, body }
    }

    fn resize(&mut self, bodies: usize) {
        let n = LieChart::dimension(bodies);
        self.slopes.clear();
        self.slopes.resize(EXTENDED_STAGES * n, 0.0);
        for buffer in [&mut self.stage, &mut self.result, &mut self.scales] {
            buffer.clear();
            buffer.resize(n, 0.0);
        }
    }

    fn first_slope(&mut self, system: &mut System<'_>) {
        let n = self.stage.len();
        self.stage.fill(0.0);
        self.chart.derivative(system, 0.0, &self.stage, &mut self.slopes[..n]);
    }

    /// Writes the coordinates at the end to `self.result`.
    fn try_substep(
        &mut self,
        system: &mut System<'_>,
        h: f64,
        states: &[InertialState],
        dt: f64,
    ) -> Estimate {
        let n = self.stage.len();
        for stage in 1..STAGES {
            self.evaluate(system, h, stage);
        }
        combine(ROWS[STAGES], &self.slopes, h, &mut self.result);
        self.choose_scales(system, states, dt);
        let mut worst = Estimate { error: 0.0, slot: 0 };
        for i in 0..n {
            let sum = |weights: &[(usize, f64)]| -> f64 {
                weights.iter().map(|&(stage, e)| e * self.slopes[stage * n + i]).sum()
            };
            let (fifth, third) = (sum(&ERROR_5).abs(), sum(&ERROR_3).abs());
            if fifth == 0.0 {
                continue;
            }
            let error =
                h.abs() * fifth * fifth / (fifth * fifth + 0.01 * third * third).sqrt() / self.scales[i];
            if error > worst.error || error.is_nan() {
                // The work entries follow those of the bodies and belong to no body.
                let slot = if i / PER_BODY < states.len() { i / PER_BODY } else { worst.slot };
                worst = Estimate { error, slot };
                if error.is_nan() {
                    break;
                }
            }
        }
        worst
    }

    /// The slope of a stage from those before it.
    fn evaluate(&mut self, system: &mut System<'_>, h: f64, stage: usize) {
        let n = self.stage.len();
        combine(ROWS[stage], &self.slopes, h, &mut self.stage);
        let slope = &mut self.slopes[stage * n..(stage + 1) * n];
        self.chart.derivative(system, NODES[stage] * h, &self.stage, slope);
    }

    /// The four additional stages of the interpolant.
    fn interpolate(&mut self, system: &mut System<'_>, start: f64, h: f64, dense: &mut DenseOutput) {
        for stage in STAGES..EXTENDED_STAGES {
            self.evaluate(system, h, stage);
        }
        dense.push(start, h, self.chart.origins(), &self.result, &self.slopes);
    }

    /// Scales of the components for the error norm.
    fn choose_scales(&mut self, system: &System<'_>, states: &[InertialState], dt: f64) {
        let mut energy = 0.0;
        self.holding.clear();
        self.holding.resize(states.len(), (0.0, 0.0));
        if let Some(constraints) = system.constraints() {
            constraints.for_each_holding_load(|slot, force, torque| {
                self.holding[slot].0 += force;
                self.holding[slot].1 += torque;
            });
        }
        let bodies = self.scales.chunks_exact_mut(PER_BODY).zip(self.result.chunks_exact(PER_BODY));
        for (slot, (scales, y)) in bodies.enumerate() {
            let (state, origin) = (&states[slot], &self.chart.origins()[slot]);
            let change = |at: usize| Vec3::new(y[at], y[at + 1], y[at + 2]);
            let (force, torque) = self.holding[slot];
            let held = force * system.inertias()[slot].inverse_mass() * dt.abs();
            let path = (state.velocity.length() + change(6).length() + held) * dt.abs();
            let position = scalar::max(larger(state.center_of_mass, change(0)), path);
            let velocity = scalar::max(larger(state.velocity, change(6)), held);
            let momentum = scalar::max(larger(origin.momentum(), change(9)), torque * dt.abs());
            for (at, size) in [(0, position), (3, 1.0), (6, velocity), (9, momentum)] {
                scales[at..at + 3].fill(self.tolerance * size);
            }
            // A body that starts from rest is scaled by what it gains; one held by joints, by what its joint
            // forces would cause.
            let inertia = &system.inertias()[slot];
            if inertia.is_movable() {
                let moment = inertia.principal_moments().max_element();
                energy += state.kinetic_energy(inertia)
                    + 0.5 * (inertia.mass() * velocity * velocity + momentum * momentum / moment);
            }
        }
        let at = states.len() * PER_BODY;
        for i in at..at + 2 {
            self.scales[i] = self.tolerance * scalar::max(energy, self.result[i].abs());
        }
    }
}

impl Integrator for Adaptive {
    fn name(&self) -> &'static str {
        "adaptive"
    }

    fn describe(&self) -> String {
        format!("adaptive, tolerance {:e}", self.tolerance)
    }

    fn order(&self) -> Option<u32> {
        None
    }

    fn step(
        &mut self,
        system: &mut System<'_>,
        states: &mut [InertialState],
        time: f64,
        dt: f64,
    ) -> Result<StepWork, IntegrationError> {
        self.advance(system, states, time, dt, None)
    }

    fn clone_box(&self) -> Box<dyn Integrator> {
        Box::new(self.clone())
    }
}

/// `out = h Σ a_j k_j`.
fn combine(row: &[(usize, f64)], slopes: &[f64], h: f64, out: &mut [f64]) {
    let n = out.len();
    out.fill(0.0);
    for &(stage, coefficient) in row {
        for (out, slope) in out.iter_mut().zip(&slopes[stage * n..(stage + 1) * n]) {
            *out += coefficient * h * slope;
        }
    }
}

/// The larger of the lengths of a vector before and after a change.
fn larger(before: Vec3, change: Vec3) -> f64 {
    scalar::max(before.length(), (before + change).length())
}

/// Length of the next substep from the error of the last one, relative to the tolerance.
fn next_step(h: f64, error: f64, has_failed: bool) -> f64 {
    let wanted = if error.is_finite() { 0.9 * scalar::pow(scalar::max(error, 1e-12), -0.125) } else { 0.1 };
    h * scalar::clamp(wanted, 0.1, if has_failed { 1.0 } else { 6.0 })
}
