//! From the cheapest method to the strongest, for one island.
//!
//! 0. The certificate of the start (the impulses of the last step). If it is good, nothing else is done.
//! 1. Some sweeps of Gauss-Seidel, if masses are not too different and if there is a start or every pair of bodies has one
//!    contact only: from nothing, sweeps would load redundant contacts in the order they are visited.
//! 2. Proximal Newton: a few factorisations, for any mass ratio, symmetric where the scene is.
//! 3. Gauss-Seidel with Anderson mixing from the best impulses so far, for what slips.
//! 4. Both in turn while the residual falls.
//!
//! Each starts from the best found before. Budgets are counts, so results do not depend on the machine. The end is judged by
//! the certificate alone, and what is not certified says so.

use super::certificate::{Certificate, ContactLaw, certify};
use super::gauss_seidel::gauss_seidel;
use super::problem::{BodyVelocity, ContactProblem};
use super::proximal_newton::proximal_newton;
use crate::math::{Vec3, real};
use crate::tolerance;

/// How much work an island may cost, in counts, and what is aimed at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LadderSettings {
    /// Relative residual to reach.
    pub target: f64,
    /// Sweeps before anything else, where they are tried at all.
    pub opening_sweeps: usize,
    /// Factorisations the first time Newton's method is tried: enough for what rests.
    pub first_factorisations: usize,
    /// Sweeps the first time Gauss-Seidel is tried: enough for a few bodies that slip.
    pub first_sweeps: usize,
    /// Factorisations in each later round.
    pub factorisations: usize,
    /// Sweeps in each later round.
    pub sweeps: usize,
    /// How often the two alternate at most.
    pub rounds: usize,
}

impl Default for LadderSettings {
    fn default() -> Self {
        Self {
            target: tolerance::CONTACT_TARGET,
            opening_sweeps: 20,
            first_factorisations: 30,
            first_sweeps: 50,
            factorisations: 120,
            sweeps: 200,
            rounds: 6,
        }
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
    let good = |residual: f64, impulses: &[Vec3]| {
        residual <= real::max(settings.target, problem.round_off(impulses))
    };
    let begun = impulses.iter().any(|impulse| *impulse != Vec3::ZERO);
    if !good(residual, &impulses) && (begun || has_single_contacts(problem)) && has_similar_masses(problem) {
        let swept = gauss_seidel(problem, &impulses, settings.target, settings.opening_sweeps);
        iterations.sweeps += swept.sweeps;
        if swept.relative_residual < residual {
            (residual, impulses) = (swept.relative_residual, swept.impulses);
        }
    }
    let mut stalled = 0;
    for round in 0..settings.rounds {
        if good(residual, &impulses) || stalled == 3 {
            break;
        }
        let before = residual;
        let (factorisations, sweeps) = match round {
            0 => (settings.first_factorisations, settings.first_sweeps),
            _ => (settings.factorisations, settings.sweeps),
        };
        let newton = proximal_newton(problem, &impulses, settings.target, factorisations);
        iterations.factorisations += newton.factorisations;
        if newton.relative_residual < residual {
            (residual, impulses) = (newton.relative_residual, newton.impulses);
        }
        if !good(residual, &impulses) {
            let swept = gauss_seidel(problem, &impulses, settings.target, sweeps);
            iterations.sweeps += swept.sweeps;
            if swept.relative_residual < residual {
                (residual, impulses) = (swept.relative_residual, swept.impulses);
            }
        }
        stalled = if residual > 0.5 * before { stalled + 1 } else { 0 };
    }
    finish(problem, impulses, iterations)
}

/// True if no two contacts are between the same bodies.
fn has_single_contacts(problem: &ContactProblem) -> bool {
    let mut pairs: Vec<(usize, usize)> =
        problem.contacts().iter().map(|c| (c.body_a.min(c.body_b), c.body_a.max(c.body_b))).collect();
    pairs.sort_unstable();
    pairs.windows(2).all(|pair| pair[0] != pair[1])
}

fn has_similar_masses(problem: &ContactProblem) -> bool {
    let (mut least, mut most) = (f64::INFINITY, 0.0);
    for body in problem.bodies().iter().filter(|body| body.is_movable()) {
        least = real::min(least, body.inverse_mass);
        most = real::max(most, body.inverse_mass);
    }
    most <= tolerance::SWEEP_MASS_RATIO * least
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
