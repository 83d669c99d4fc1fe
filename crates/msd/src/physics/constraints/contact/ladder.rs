//! From the cheapest method to the strongest, for one island.
//!
//! 0. The certificate of the start (the impulses of the last step). If it is good, nothing else is done.
//! 1. Proximal Newton: a few factorisations, for any mass ratio, symmetric where the scene is.
//! 2. Gauss-Seidel with Anderson mixing from the best impulses so far, for what slips.
//! 3. Both in turn while the residual falls.
//!
//! Each starts from the best found before. Budgets are counts, so results do not depend on the machine. The end is judged by
//! the certificate alone, and what is not certified says so.

use super::certificate::{Certificate, ContactLaw, certify};
use super::gauss_seidel::gauss_seidel;
use super::problem::{BodyVelocity, ContactProblem};
use super::proximal_newton::proximal_newton;
use crate::math::Vec3;
use crate::tolerance;

/// How much work an island may cost, in counts, and what is aimed at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LadderSettings {
    /// Relative residual to reach.
    pub target: f64,
    /// Factorisations each time Newton is tried.
    pub factorisations: usize,
    /// Sweeps each time Gauss-Seidel is tried.
    pub sweeps: usize,
    /// How often the two alternate.
    pub rounds: usize,
}

impl Default for LadderSettings {
    fn default() -> Self {
        Self { target: tolerance::CONTACT_TARGET, factorisations: 60, sweeps: 200, rounds: 4 }
    }
}

/// Impulses, the velocities they give, and how good they are.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactSolution {
    /// N·s, in the contact frames.
    pub impulses: Vec<Vec3>,
    /// `v* + M⁻¹ Jᵀ λ`.
    pub velocities: Vec<BodyVelocity>,
    /// The law the residual is of.
    pub problem: ContactLaw,
    /// Largest residual of a contact, m/s.
    pub residual: f64,
    /// What it is relative to, m/s.
    pub velocity_scale: f64,
    /// True if the law holds to [`tolerance::CONTACT_CERTIFIED`].
    pub converged: bool,
    /// Factorisations and sweeps done.
    pub iterations: Iterations,
    /// Contacts with an impulse.
    pub active_set_size: usize,
}

/// Work done for an island.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Iterations {
    /// Factorisations by Newton's method.
    pub factorisations: usize,
    /// Sweeps of Gauss-Seidel.
    pub sweeps: usize,
}

/// Solves an island from the impulses `start`; contacts it does not name start at zero.
#[must_use]
pub fn solve_island(problem: &ContactProblem, start: &[Vec3], settings: &LadderSettings) -> ContactSolution {
    let mut iterations = Iterations::default();
    let mut impulses = vec![Vec3::ZERO; problem.contacts().len()];
    for (impulse, start) in impulses.iter_mut().zip(start) {
        *impulse = *start;
    }
    let mut residual = certify(problem, &impulses).relative();
    if !residual.is_finite() {
        impulses.fill(Vec3::ZERO);
        residual = certify(problem, &impulses).relative();
    }
    for _ in 0..settings.rounds {
        if residual <= settings.target {
            break;
        }
        let before = residual;
        let newton = proximal_newton(problem, &impulses, settings.target, settings.factorisations);
        iterations.factorisations += newton.factorisations;
        if newton.relative_residual < residual {
            (residual, impulses) = (newton.relative_residual, newton.impulses);
        }
        if residual <= settings.target
            || problem.is_frictionless() && residual <= tolerance::CONTACT_CERTIFIED
        {
            break;
        }
        let swept = gauss_seidel(problem, &impulses, settings.target, settings.sweeps);
        iterations.sweeps += swept.sweeps;
        if swept.relative_residual < residual {
            (residual, impulses) = (swept.relative_residual, swept.impulses);
        }
        if residual > 0.5 * before {
            break;
        }
    }
    finish(problem, impulses, iterations)
}

fn finish(problem: &ContactProblem, impulses: Vec<Vec3>, iterations: Iterations) -> ContactSolution {
    let certificate = certify(problem, &impulses);
    let converged = certificate.is_certified();
    let Certificate { law, residual, scale, .. } = certificate;
    ContactSolution {
        velocities: problem.velocities(&impulses),
        active_set_size: impulses.iter().filter(|impulse| impulse.x > 0.0).count(),
        impulses,
        problem: law,
        residual,
        velocity_scale: scale,
        converged,
        iterations,
    }
}
