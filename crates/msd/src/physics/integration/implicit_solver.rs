//! Solves `u = g(u)` for the velocities of all bodies: the equations of every implicit method here.
//!
//! Fixed-point iteration first, which suffices for mild forces and costs one evaluation an iteration. Where
//! it does not contract (a damper with `c dt/m` above one), Newton's method on `g(u) - u = 0` with the
//! Jacobian of `g` from differences, and the linear system solved directly for few bodies and by GMRES for
//! many (Saad & Schultz, SIAM J. Sci. Stat. Comput. 7, 1986; Knoll & Keyes, J. Comput. Phys. 193, 2004).
//! Newton is damped: a step is halved while the residual would grow.
//!
//! Unknowns come in groups of six, the linear and angular velocity of one body, and are measured in the norm
//! of kinetic energy, `√(m v² + I ω²)`, so that metres and radians can be compared; errors are relative to
//! the norm of the same body, plus a floor below which a velocity means nothing because it moves no digit of
//! the position.

use super::krylov::{LinearSolver, Linearization, Unsolvable};
use crate::math::scalar;
use crate::tolerance;

/// Iteration limit of the fixed-point iteration, and of Newton's method after it. tuned: at half the residual
/// a pass, fifty reach round-off from anywhere.
const IMPLICIT_ITERATIONS: usize = 50;

/// Unknowns of one body.
pub(super) const GROUP: usize = 6;

/// How far a solve got before it gave up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NotSolved {
    pub(super) iterations: usize,
    pub(super) residual: f64,
}

/// How unknowns are measured.
#[derive(Clone, Debug, Default)]
pub(super) struct Scales {
    /// Square root of mass or moment of inertia for each unknown; zero for bodies that forces do not move.
    pub(super) weights: Vec<f64>,
    /// For each body the norm of velocities below the round-off of its pose.
    pub(super) floors: Vec<f64>,
}

impl Scales {
    fn weights_of(&self, group: usize) -> &[f64] {
        &self.weights[group * GROUP..(group + 1) * GROUP]
    }

    /// Largest `‖a - b‖/max(‖a‖, ‖b‖)` of any body.
    fn relative_difference(&self, a: &[f64], b: &[f64]) -> f64 {
        self.largest(a.chunks_exact(GROUP).zip(b.chunks_exact(GROUP)).enumerate().map(|(group, (a, b))| {
            let weights = self.weights_of(group);
            (difference_norm(a, b, weights), scalar::max(norm(a, weights), norm(b, weights)))
        }))
    }

    /// Largest `‖step‖/‖u‖` of any body.
    fn relative_size(&self, step: &[f64], unknowns: &[f64]) -> f64 {
        let groups = step.chunks_exact(GROUP).zip(unknowns.chunks_exact(GROUP)).enumerate();
        self.largest(groups.map(|(group, (step, unknowns))| {
            let size = norm(step, self.weights_of(group));
            (size, scalar::max(norm(unknowns, self.weights_of(group)), size))
        }))
    }

    /// Largest quotient of error and size; NaN if any is, zero where the error is.
    fn largest(&self, pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
        let mut worst = 0.0;
        for ((error, size), floor) in pairs.zip(&self.floors) {
            let quotient =
                if error == 0.0 { 0.0 } else { error / (size + floor / tolerance::IMPLICIT_SOLVE) };
            if quotient > worst || quotient.is_nan() {
                worst = quotient;
            }
        }
        worst
    }
}

/// Workspace of a solve; keeps its allocations.
#[derive(Clone, Debug, Default)]
pub(super) struct ImplicitSolver {
    guess: Vec<f64>,
    image: Vec<f64>,
    step: Vec<f64>,
    trial: Vec<f64>,
    trial_image: Vec<f64>,
    increments: Vec<f64>,
    linear: LinearSolver,
}

impl ImplicitSolver {
    /// Replaces the guess in `unknowns` by the solution of `u = map(u)`. If the fixed-point iteration fails,
    /// Newton's method restarts at the guess.
    pub(super) fn solve(
        &mut self,
        unknowns: &mut [f64],
        scales: &Scales,
        map: &mut dyn FnMut(&[f64], &mut [f64]),
    ) -> Result<(), NotSolved> {
        for buffer in [&mut self.image, &mut self.step, &mut self.trial, &mut self.trial_image] {
            buffer.clear();
            buffer.resize(unknowns.len(), 0.0);
        }
        self.guess.clear();
        self.guess.extend_from_slice(unknowns);
        let spent = match self.iterate(unknowns, scales, map) {
            IterationOutcome::Converged => return Ok(()),
            IterationOutcome::NotContracting { iterations } => iterations,
        };
        unknowns.copy_from_slice(&self.guess);
        self.newton(unknowns, scales, map, spent)
    }

    /// Fixed-point iteration while every pass at least halves the residual.
    fn iterate(
        &mut self,
        unknowns: &mut [f64],
        scales: &Scales,
        map: &mut dyn FnMut(&[f64], &mut [f64]),
    ) -> IterationOutcome {
        let mut previous = f64::INFINITY;
        for iterations in 1..=IMPLICIT_ITERATIONS {
            map(unknowns, &mut self.image);
            let residual = scales.relative_difference(&self.image, unknowns);
            let contracts = residual <= 0.5 * previous;
            let is_good_enough = residual <= tolerance::IMPLICIT_SOLVE;
            if !contracts && !is_good_enough {
                return IterationOutcome::NotContracting { iterations };
            }
            unknowns.copy_from_slice(&self.image);
            if !contracts || residual <= tolerance::IMPLICIT_ROUND_OFF {
                return IterationOutcome::Converged;
            }
            previous = residual;
        }
        IterationOutcome::NotContracting { iterations: IMPLICIT_ITERATIONS }
    }

    fn newton(
        &mut self,
        unknowns: &mut [f64],
        scales: &Scales,
        map: &mut dyn FnMut(&[f64], &mut [f64]),
        spent: usize,
    ) -> Result<(), NotSolved> {
        map(unknowns, &mut self.image);
        let mut residual = scales.relative_difference(&self.image, unknowns);
        let mut previous_step = f64::INFINITY;
        for iteration in 1..=IMPLICIT_ITERATIONS {
            let failed = NotSolved { iterations: spent + iteration, residual };
            self.choose_increments(unknowns, scales);
            for (step, (image, unknown)) in self.step.iter_mut().zip(self.image.iter().zip(unknowns.iter())) {
                *step = image - unknown;
            }
            let problem = Linearization {
                at: unknowns,
                image: &self.image,
                increments: &self.increments,
                weights: &scales.weights,
            };
            self.linear.solve(&mut self.step, &problem, map).map_err(|Unsolvable| failed)?;
            residual = self.damped_step(unknowns, scales, map).ok_or(failed)?;
            let step = scales.relative_size(&self.step, unknowns);
            let contracts = step <= 0.5 * previous_step;
            let is_good_enough = step <= tolerance::IMPLICIT_SOLVE;
            if step <= tolerance::IMPLICIT_ROUND_OFF || (is_good_enough && !contracts) {
                return Ok(());
            }
            previous_step = step;
        }
        Err(NotSolved { iterations: spent + IMPLICIT_ITERATIONS, residual })
    }

    /// Line search: adds as much of `self.step` as reduces the residual; `None` if no part of it does. Near
    /// the solution, where the residual is round-off, the whole step is used.
    fn damped_step(
        &mut self,
        unknowns: &mut [f64],
        scales: &Scales,
        map: &mut dyn FnMut(&[f64], &mut [f64]),
    ) -> Option<f64> {
        let before = difference_norm(&self.image, unknowns, &scales.weights);
        let is_final = scales.relative_size(&self.step, unknowns) <= tolerance::IMPLICIT_SOLVE;
        for _halving in 0..12 {
            for (trial, (unknown, step)) in self.trial.iter_mut().zip(unknowns.iter().zip(&self.step)) {
                *trial = unknown + step;
            }
            map(&self.trial, &mut self.trial_image);
            let after = difference_norm(&self.trial_image, &self.trial, &scales.weights);
            if after < before || (is_final && after.is_finite()) {
                unknowns.copy_from_slice(&self.trial);
                self.image.copy_from_slice(&self.trial_image);
                return Some(scales.relative_difference(&self.image, unknowns));
            }
            for step in &mut self.step {
                *step *= 0.5;
            }
        }
        None
    }

    /// Increments of the difference quotients: half the digits of each unknown, or of its body's speed if that is larger, and
    /// enough to be seen in the position.
    fn choose_increments(&mut self, unknowns: &[f64], scales: &Scales) {
        self.increments.clear();
        for (group, floor) in scales.floors.iter().enumerate() {
            let range = group * GROUP..(group + 1) * GROUP;
            let weights = scales.weights_of(group);
            let speed = scalar::max(
                norm(&unknowns[range.clone()], weights),
                norm(&self.image[range.clone()], weights),
            );
            let visible = 1e-3 * floor / f64::EPSILON;
            self.increments.extend(range.zip(weights).map(|(i, weight)| {
                let scale = if *weight > 0.0 { scalar::max(speed, visible) / weight } else { 0.0 };
                let scale = scalar::max(unknowns[i].abs(), scale);
                f64::EPSILON.sqrt() * if scale > 0.0 { scale } else { 1.0 }
            }));
        }
    }
}

enum IterationOutcome {
    Converged,
    NotContracting { iterations: usize },
}

/// `‖x‖` in the norm of the weights.
fn norm(x: &[f64], weights: &[f64]) -> f64 {
    x.iter().zip(weights).map(|(x, w)| scalar::square(x * w)).sum::<f64>().sqrt()
}

fn difference_norm(a: &[f64], b: &[f64], weights: &[f64]) -> f64 {
    a.iter().zip(b).zip(weights).map(|((a, b), w)| scalar::square((a - b) * w)).sum::<f64>().sqrt()
}
