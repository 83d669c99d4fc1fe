//! Proximal semismooth Newton in velocity space: exact for every mass ratio and for any number of redundant contacts.
//!
//! Repeats [`ProximalStep`] with a softness `ε_i = ε w_i` that falls from step to step. Without friction, a step from a
//! solution stays there, and a step from anywhere reduces what is missing along an eigenvector of the scaled
//! `J M⁻¹ Jᵀ` with eigenvalue σ by `ε/(ε + σ)`: a few steps suffice for every σ that round-off can tell from zero. What
//! lies in the null space never moves. From zero impulses the result is therefore the one that shares a load with the
//! least `Σ w_i ‖λ_i‖²`, as symmetric as the scene.
//!
//! ε falls no faster than the residual: a step leaves round-off of `1e-16/ε` of what was missing in the null space, and
//! what is missing falls with ε.
//!
//! With friction, the De Saxcé shift `μ ‖u_t‖` is frozen at first, which is a convex problem for each step. Contacts that
//! stick are given none: what is left of their velocity is softness, and divided by the smaller softness of the next step
//! it would tear resting contacts open. Once slipping contacts are known, their shift moves with the velocity inside the
//! step. Such a step converges quadratically if its softness is not too small for how far the solution is; where it fails
//! it is not taken, a step with frozen shifts follows, and the next with moving ones is softer.

use super::certificate::certify;
use super::friction_cone::{ConeRegion, project};
use super::mass_weighted::{EnergyMatrix, MassWeighted, biased_velocities};
use super::problem::ContactProblem;
use super::proximal_step::{ProximalStep, Stepped};
use crate::math::{Vec3, real};
use crate::tolerance;

/// What the method gave.
#[derive(Clone, Debug, PartialEq)]
pub struct NewtonResult {
    /// Best impulses found, N·s, in the contact frames.
    pub impulses: Vec<Vec3>,
    /// Their residual relative to the velocity scale.
    pub relative_residual: f64,
    /// Proximal steps.
    pub steps: usize,
    /// Factorisations of the 6×6-block matrix.
    pub factorisations: usize,
}

/// Solves from `start` until the relative residual is at most `target`, the factorisations are used up, or steps no
/// longer help.
#[must_use]
pub fn proximal_newton(
    problem: &ContactProblem,
    start: &[Vec3],
    target: f64,
    most_factorisations: usize,
) -> NewtonResult {
    let mut iteration = Iteration::new(problem, start);
    let mut best = NewtonResult {
        impulses: iteration.impulses.clone(),
        relative_residual: certify(problem, &iteration.impulses).relative(),
        steps: 0,
        factorisations: 0,
    };
    let mut stalled = 0;
    while best.relative_residual > real::max(target, problem.round_off(&best.impulses))
        && best.factorisations < most_factorisations
        && stalled < tolerance::NEWTON_PATIENCE
    {
        best.factorisations += iteration.step(problem, most_factorisations - best.factorisations);
        best.steps += 1;
        let residual = certify(problem, &iteration.impulses).relative();
        stalled = if residual < 0.5 * best.relative_residual { 0 } else { stalled + 1 };
        if residual < best.relative_residual {
            best.relative_residual = residual;
            best.impulses.copy_from_slice(&iteration.impulses);
        }
    }
    best
}

struct Iteration {
    space: MassWeighted,
    matrix: EnergyMatrix,
    friction: Vec<f64>,
    impulses: Vec<Vec3>,
    /// Contacts whose shift may move, from the last step.
    slipping: Vec<bool>,
    /// Contacts that stick since the last step. What is left of their velocity is softness, and shifts nothing.
    sticking: Vec<bool>,
    /// ε of the next step with frozen shifts, and with moving ones.
    frozen_softness: f64,
    moving_softness: f64,
    /// True if the next step keeps its shifts.
    freeze: bool,
}

impl Iteration {
    fn new(problem: &ContactProblem, start: &[Vec3]) -> Self {
        let space = MassWeighted::new(problem);
        let matrix = EnergyMatrix::new(&space);
        let friction: Vec<f64> = problem.contacts().iter().map(|contact| contact.friction).collect();
        let impulse = |i: usize| {
            let given = start.get(i).copied().unwrap_or(Vec3::ZERO);
            if problem.weight(i) > 0.0 && given.is_finite() {
                project(given, friction[i])
            } else {
                Vec3::ZERO
            }
        };
        let impulses: Vec<Vec3> = (0..friction.len()).map(impulse).collect();
        let slips = |(l, &mu): (&Vec3, &f64)| {
            mu > 0.0 && *l != Vec3::ZERO && real::hypot(l.y, l.z) >= tolerance::ON_CONE * mu * l.x
        };
        let slipping: Vec<bool> = impulses.iter().zip(&friction).map(slips).collect();
        let freeze = !slipping.contains(&true);
        let (frozen_softness, moving_softness) = (tolerance::SOFTNESS_FIRST, tolerance::MOVING_FIRST);
        let sticking = vec![false; friction.len()];
        Self {
            space,
            matrix,
            friction,
            impulses,
            slipping,
            sticking,
            frozen_softness,
            moving_softness,
            freeze,
        }
    }

    /// One proximal step; returns the factorisations it took.
    fn step(&mut self, problem: &ContactProblem, most: usize) -> usize {
        let velocities = biased_velocities(problem, &problem.velocities(&self.impulses));
        let shift = |i: usize| {
            let u: Vec3 = velocities[i];
            if self.sticking[i] { 0.0 } else { self.friction[i] * real::hypot(u.y, u.z) }
        };
        let shifts: Vec<f64> = (0..velocities.len()).map(shift).collect();
        let moving: Vec<bool> = self.slipping.iter().map(|slipping| *slipping && !self.freeze).collect();
        let any_moves = moving.contains(&true);
        let epsilon = if any_moves { self.moving_softness } else { self.frozen_softness };
        let soften = |i: usize| match problem.weight(i) {
            w if w > 0.0 => epsilon * w,
            _ => f64::INFINITY,
        };
        let softness: Vec<f64> = (0..velocities.len()).map(soften).collect();
        let step = ProximalStep {
            space: &self.space,
            friction: &self.friction,
            impulses: &self.impulses,
            velocities: &velocities,
            shifts: &shifts,
            moving: &moving,
            softness: &softness,
        };
        let limit = if any_moves { tolerance::MOVING_STEPS } else { tolerance::NEWTON_STEPS };
        let Stepped { at, factorisations, solved } = step.solve(&mut self.matrix, most.clamp(1, limit));
        let softness = if any_moves { &mut self.moving_softness } else { &mut self.frozen_softness };
        self.freeze = any_moves && !solved;
        if !solved {
            *softness = real::min(*softness * tolerance::SOFTNESS_RISE, tolerance::SOFTNESS_MOST);
            return factorisations;
        }
        let fall = if any_moves { tolerance::MOVING_FALL } else { tolerance::SOFTNESS_FALL };
        *softness = real::max(*softness * fall, tolerance::SOFTNESS_LEAST);
        let noticeable = epsilon * problem.velocity_scale();
        let slips = |i: usize| {
            let u = velocities[i] + self.space.velocity(i, &at.z);
            self.friction[i] > 0.0 && at.regions[i] != ConeRegion::Stick && real::hypot(u.y, u.z) > noticeable
        };
        let slipping = (0..velocities.len()).map(slips).collect();
        self.slipping = slipping;
        self.sticking = at.regions.iter().map(|&region| region == ConeRegion::Stick).collect();
        self.impulses = at.impulses;
        factorisations
    }
}
