//! Contact of rigid bodies: the problem of one island at the velocity level, its judge, and its solvers.
//!
//! [`ContactProblem`] states it: contacts with friction, rolling and torsional friction, and rows of joints. [`judge`] judges
//! impulses by the law alone. [`ContactSolver`] solves it by the method asked for ([`ContactMethod`]), from the cheapest to
//! the strongest unless told otherwise.

mod active_set;
mod anderson;
mod body;
mod certificate;
mod elements;
mod elimination_order;
mod error;
mod friction_cone;
mod gauss_seidel;
mod impulses;
mod interior_point;
mod ladder;
mod linear_complementarity;
mod local_solve;
mod point;
mod problem;
mod projected_gauss_seidel;
mod proximal_newton;
mod proximal_step;
mod response;
mod settings;
pub mod soft;
mod solver;
mod staggered;
mod velocity_matrix;

pub use active_set::active_set;
pub use body::{BodyVelocity, ContactBody};
pub use certificate::{
    Certificate, ContactLaw, certify, contact_residual, convex_residual, judge, moment_residual, row_residual,
};
pub use error::ContactProblemError;
pub use friction_cone::{ConeProjection, ConeRegion, project, project_with_derivative};
pub use impulses::Impulses;
pub use linear_complementarity::{ComplementaritySolution, LinearComplementarity};
pub use local_solve::solve_contact;
pub use point::{Contact, Row, contact_frame, newton_rebound};
pub use problem::ContactProblem;
pub use projected_gauss_seidel::projected_gauss_seidel;
pub use settings::{ContactMethod, Iterations, LadderSettings, SolveReport};
pub use solver::{ContactSolution, ContactSolver, solve_island};
