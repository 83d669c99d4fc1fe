//! One island solved, by the method asked for.
//!
//! The certificate of the start (the impulses of the last step) comes first. If it is good, nothing else is done. The end is
//! judged by the certificate alone, and what is not certified says so.
//!
//! **Passive when not converged.** With `λ₀` the impulses nearest to none that rows allow and `u₀` the velocities they give,
//! a solution has `(λ - λ₀)·u ≤ 0` and therefore `E = (λ - λ₀)·u₀ + ½ ‖Bᵀ(λ - λ₀)‖² ≤ 0`: relative to what belts, motors and
//! rebounds ask for, contact takes energy. Impulses that miss the law by much could have `E > 0`. They are scaled back to
//! the least E on the way from `λ₀` (cones and intervals are convex, so the law's bounds still hold), or, if that is none of
//! the way, replaced by sweeps without friction from `λ₀`, each step of which lowers E.

use super::body::BodyVelocity;
use super::constraint_rows::ConstraintRows;
use super::gauss_seidel::{SweepKind, Sweeps};
use super::impulses::Impulses;
use super::interior_point::InteriorPoint;
use super::newton_matrix::VelocityMatrix;
use super::problem::ContactProblem;
use super::proximal_newton::{Goal, ProximalNewton};
use super::residual::{ContactLaw, judge};
use super::settings::{ContactMethod, ExactSolverSettings, Iterations, SolveReport};
use super::staggered;
use crate::math::{Vec3, scalar};
use crate::tolerance;

/// Frictionless sweeps that replace impulses which would have added energy. tuned: their work is never
/// positive, however few they are.
const PASSIVE_SWEEPS: usize = 50;

/// Solves islands, one after another. It owns all memory: a problem no larger than those before costs no allocation.
#[derive(Clone, Debug, Default)]
pub struct ContactSolver {
    pub(super) elements: ConstraintRows,
    pub(super) sweeps: Sweeps,
    pub(super) newton: ProximalNewton,
    pub(super) interior: InteriorPoint,
    pub(super) matrix: VelocityMatrix,
    pub(super) matrix_is_ready: bool,
    pub(super) flat: Vec<f64>,
    pub(super) trial: Vec<f64>,
    /// What a method started from that may have to be undone.
    pub(super) start: Vec<f64>,
    pub(super) current: Vec<f64>,
    y: Vec<f64>,
    pub(super) u: Vec<f64>,
    velocities: Vec<BodyVelocity>,
    given: Impulses,
}

impl ContactSolver {
    /// Solves from the impulses given and leaves those found; missing ones count as zero.
    pub fn solve(
        &mut self,
        problem: &ContactProblem,
        impulses: &mut Impulses,
        settings: &ExactSolverSettings,
    ) -> SolveReport {
        self.solve_from(problem, impulses, settings, settings.accepted)
    }

    /// The same, but the start is taken as it is only at a residual of `accepted` m/s, not at that of the settings.
    pub fn solve_from(
        &mut self,
        problem: &ContactProblem,
        impulses: &mut Impulses,
        settings: &ExactSolverSettings,
        accepted: f64,
    ) -> SolveReport {
        impulses.fit(problem);
        let mut iterations = Iterations::default();
        let start = judge(problem, impulses, &mut self.velocities);
        let good = scalar::max(accepted / start.scale, settings.target);
        let rounded = tolerance::ROUND_OFF_ACCEPTED * problem.round_off(impulses);
        if start.relative() <= scalar::max(good, rounded) {
            return report(impulses, start, iterations, false);
        }
        self.given.copy_from(impulses);
        self.elements.prepare(problem);
        self.elements.load(impulses, &mut self.flat);
        self.sweeps.prepare(&self.elements);
        self.matrix_is_ready = false;
        match settings.method {
            ContactMethod::Exact => self.solve_exact(problem, settings, &mut iterations),
            ContactMethod::ActiveSet => staggered::solve(self, problem, settings, &mut iterations),
            ContactMethod::ProjectedGaussSeidel | ContactMethod::GaussSeidel => {
                let kind = match settings.method {
                    ContactMethod::GaussSeidel => SweepKind::Exact,
                    _ => SweepKind::Projected,
                };
                let target = settings.target * problem.velocity_scale();
                let most = settings.sweeps * settings.rounds;
                iterations.sweeps +=
                    self.sweeps.run(&self.elements, &mut self.flat, target, most, kind).sweeps;
            }
            ContactMethod::ProximalNewton => {
                let scale = problem.velocity_scale();
                let target = settings.target * scale;
                let goal = Goal { target, content: target, scale };
                self.refine(goal, settings.factorisations * settings.rounds, &mut iterations);
            }
        }
        self.elements.store(&self.flat, impulses);
        let mut end = judge(problem, impulses, &mut self.velocities);
        if end.relative() > start.relative() && start.is_certified() {
            // Where masses differ by millions rounding may leave more than what was to be improved.
            impulses.copy_from(&self.given);
            end = judge(problem, impulses, &mut self.velocities);
        }
        let passive = end.is_certified() || self.is_passive();
        if !passive {
            self.make_passive();
            self.elements.store(&self.flat, impulses);
            end = judge(problem, impulses, &mut self.velocities);
        }
        report(impulses, end, iterations, !passive)
    }

    /// Makes room for the velocities of so many bodies.
    pub(crate) fn reserve(&mut self, bodies: usize) {
        self.velocities.reserve(bodies.saturating_sub(self.velocities.len()));
    }

    /// `v* + M⁻¹ Jᵀ λ` of the last solve, one for every body of the problem.
    #[must_use]
    pub fn velocities(&self) -> &[BodyVelocity] {
        &self.velocities
    }

    pub(super) fn residual(&mut self) -> f64 {
        self.elements.respond(&self.flat, &mut self.y);
        self.elements.velocities(&self.y, &mut self.u);
        self.elements.residual(&self.flat, &self.u)
    }

    /// The residual that rounding these impulses leaves, m/s.
    pub(super) fn round_off(&self) -> f64 {
        tolerance::CONTACT_ROUND_OFF * self.elements.largest(&self.flat)
    }

    /// `(λ - λ₀)·u₀` and `½ ‖Bᵀ(λ - λ₀)‖²`; leaves `λ₀` in `trial`.
    fn energies(&mut self) -> (f64, f64) {
        self.elements.idle(&mut self.trial);
        self.elements.respond(&self.trial, &mut self.y);
        self.elements.velocities(&self.y, &mut self.u);
        let work = self.flat.iter().zip(&self.trial).zip(&self.u).map(|((l, idle), u)| (l - idle) * u).sum();
        for (trial, flat) in self.trial.iter_mut().zip(&self.flat) {
            *trial = flat - *trial;
        }
        self.elements.respond(&self.trial, &mut self.y);
        self.elements.idle(&mut self.trial);
        (work, 0.5 * self.y.iter().map(|y| y * y).sum::<f64>())
    }

    fn is_passive(&mut self) -> bool {
        let (work, response) = self.energies();
        work + response <= tolerance::CONTACT_ROUND_OFF * (work.abs() + response)
    }

    fn make_passive(&mut self) {
        let (work, response) = self.energies();
        let share = -0.5 * work / response;
        if share > 0.0 && share.is_finite() {
            for (flat, idle) in self.flat.iter_mut().zip(&self.trial) {
                *flat = idle + scalar::min(share, 1.0) * (*flat - idle);
            }
            return;
        }
        std::mem::swap(&mut self.flat, &mut self.trial);
        let most = PASSIVE_SWEEPS;
        self.sweeps.run(&self.elements, &mut self.flat, 0.0, most, SweepKind::Frictionless);
    }
}

fn report(
    impulses: &Impulses,
    certificate: super::residual::Certificate,
    iterations: Iterations,
    made_passive: bool,
) -> SolveReport {
    SolveReport {
        law: certificate.law,
        residual: certificate.residual,
        velocity_scale: certificate.scale,
        converged: certificate.is_certified(),
        made_passive,
        iterations,
        active_set_size: impulses.contacts.iter().filter(|impulse| impulse.x > 0.0).count(),
    }
}

/// Impulses at contacts, the velocities they give, and how good they are.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactSolution {
    /// N·s, in the contact frames.
    pub impulses: Vec<Vec3>,
    /// Of moments and rows too.
    pub all: Impulses,
    /// `v* + M⁻¹ Jᵀ λ`.
    pub velocities: Vec<BodyVelocity>,
    /// The law the residual is of.
    pub problem: ContactLaw,
    /// Largest residual of a contact or row, m/s.
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

/// Solves one island from the impulses `start`, with a solver of its own. Worlds keep a [`ContactSolver`].
#[must_use]
pub fn solve_island(
    problem: &ContactProblem,
    start: &[Vec3],
    settings: &ExactSolverSettings,
) -> ContactSolution {
    let mut solver = ContactSolver::default();
    let mut all = Impulses { contacts: start.to_vec(), ..Impulses::default() };
    let report = solver.solve(problem, &mut all, settings);
    ContactSolution {
        impulses: all.contacts.clone(),
        all,
        velocities: solver.velocities,
        problem: report.law,
        residual: report.residual,
        velocity_scale: report.velocity_scale,
        converged: report.converged,
        iterations: report.iterations,
        active_set_size: report.active_set_size,
    }
}
