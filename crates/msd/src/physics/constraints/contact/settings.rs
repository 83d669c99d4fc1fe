//! What a solve may cost, which method it takes, and what it reports.

use serde::{Deserialize, Serialize};

use super::residual::ContactLaw;
use crate::digest::{Fingerprint, Hasher, parameters};
use crate::tolerance;

/// How an island is solved. All give impulses of the same kind, judged by the same certificate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContactMethod {
    /// From the cheapest method to the strongest: certificate, sweeps, proximal Newton, interior point, and in turn.
    #[default]
    Exact,
    /// Dense active set over the normals: the reference for small islands, exact without friction and without rows.
    ///
    /// With friction or rows, in turn: normals by the active set with friction and rows as they are, then friction, moments and
    /// rows by sweeps with the normals as they are. The fixed point satisfies Coulomb's law; the iteration contracts for
    /// moderate friction, and says so where it does not. Memory grows with the square of the contacts.
    ActiveSet,
    /// Projected Gauss-Seidel, plain, for comparison: `λ_n ← max(0, λ_n - u_n/W_nn)`, friction clipped to its disc after a
    /// step of its own, no acceleration.
    ProjectedGaussSeidel,
    /// Exact local solves with Anderson acceleration alone.
    GaussSeidel,
    /// Proximal Newton alone.
    ProximalNewton,
}

impl Fingerprint for ContactMethod {
    fn fingerprint(&self, hasher: &mut Hasher) {
        match self {
            Self::Exact => hasher.text("exact"),
            Self::ActiveSet => hasher.text("active set"),
            Self::ProjectedGaussSeidel => hasher.text("projected gauss seidel"),
            Self::GaussSeidel => hasher.text("gauss seidel"),
            Self::ProximalNewton => hasher.text("proximal newton"),
        }
    }
}

/// How much work an island may cost, in counts, and what is aimed at.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExactSolverSettings {
    /// Which method.
    pub method: ContactMethod,
    /// Residual at which the start is taken as it is, m/s.
    pub accepted: f64,
    /// Relative residual to reach otherwise.
    pub target: f64,
    /// Sweeps before anything else, where they are tried at all.
    pub opening_sweeps: usize,
    /// Factorisations the first time Newton's method is tried: enough for what rests.
    pub first_factorisations: usize,
    /// Sweeps where a Newton step with friction led nowhere.
    pub first_sweeps: usize,
    /// Steps of the interior-point method, one factorisation each.
    pub interior_steps: usize,
    /// How often Newton steps with friction and sweeps alternate at most.
    pub alternations: usize,
    /// Factorisations in each later round.
    pub factorisations: usize,
    /// Sweeps in each later round.
    pub sweeps: usize,
    /// How often proximal Newton and sweeps alternate at most, last of all.
    pub rounds: usize,
}

impl Fingerprint for ExactSolverSettings {
    parameters!("solver": method, accepted, target, opening_sweeps, first_factorisations, first_sweeps, interior_steps, alternations, factorisations, sweeps, rounds);
}

impl ExactSolverSettings {
    /// A few sweeps and no more: for piles so large that exactness costs too much. Every step still says what residual it left.
    #[must_use]
    pub fn sweeps_only() -> Self {
        Self {
            method: ContactMethod::GaussSeidel,
            accepted: 1e-6,
            target: 1e-6,
            sweeps: 30,
            rounds: 1,
            ..Self::default()
        }
    }
}

impl Default for ExactSolverSettings {
    fn default() -> Self {
        Self {
            method: ContactMethod::Exact,
            accepted: tolerance::CONTACT_ACCEPTED,
            target: tolerance::CONTACT_TARGET,
            opening_sweeps: 20,
            first_factorisations: 15,
            first_sweeps: 30,
            interior_steps: 40,
            alternations: 20,
            factorisations: 60,
            sweeps: 100,
            rounds: 3,
        }
    }
}

/// Work done for an island.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Iterations {
    /// Factorisations by Newton's method, or changes of the active set.
    pub factorisations: usize,
    /// Sweeps of Gauss-Seidel.
    pub sweeps: usize,
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolveReport {
    /// The law the residual is of.
    pub law: ContactLaw,
    /// Largest residual of a contact or row, m/s, by the certificate.
    pub residual: f64,
    /// What it is relative to, m/s.
    pub velocity_scale: f64,
    /// True if the law holds to [`tolerance::CONTACT_CERTIFIED`].
    pub converged: bool,
    /// True if the impulses found would have added energy and were replaced by ones that cannot.
    pub made_passive: bool,
    /// Factorisations and sweeps done.
    pub iterations: Iterations,
    /// Contacts with an impulse.
    pub active_set_size: usize,
}
