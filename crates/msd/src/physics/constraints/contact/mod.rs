//! Contact of rigid bodies: the problem of one island at the velocity level, its judge, and its solvers.
//!
//! [`ContactProblem`] states it, [`certify`] judges impulses by the law alone. Solvers are many and interchangeable:
//! [`active_set()`] and [`projected_gauss_seidel()`] for the dense frictionless problem, [`gauss_seidel()`] and
//! [`proximal_newton()`] with friction, and [`solve_island`] from the cheapest to the strongest.

mod active_set;
mod anderson;
mod certificate;
mod friction_cone;
mod gauss_seidel;
mod ladder;
mod linear_complementarity;
mod local_solve;
mod mass_weighted;
mod problem;
mod projected_gauss_seidel;
mod proximal_newton;
mod proximal_step;

pub use active_set::active_set;
pub use certificate::{Certificate, ContactLaw, certify, contact_residual, convex_residual};
pub use friction_cone::{ConeProjection, ConeRegion, project, project_with_derivative};
pub use gauss_seidel::{SweepResult, gauss_seidel};
pub use ladder::{ContactSolution, Iterations, LadderSettings, solve_island};
pub use linear_complementarity::{ComplementaritySolution, LinearComplementarity};
pub use local_solve::solve_contact;
pub use problem::{
    BodyVelocity, Contact, ContactBody, ContactProblem, ContactProblemError, contact_frame, newton_rebound,
};
pub use projected_gauss_seidel::projected_gauss_seidel;
pub use proximal_newton::{NewtonResult, proximal_newton};
