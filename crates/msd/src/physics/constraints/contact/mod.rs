//! Contact of rigid bodies: the problem of one island at the velocity level, its residual, and its solvers.
//!
//! [`ContactProblem`] states it: contacts with friction, rolling and torsional friction, and rows of joints.
//! [`judge`] evaluates the residual of the law. [`ContactSolver`] solves it, by default with the cheapest solver that
//! converges ([`ContactMethod`]).

mod active_set;
mod anderson;
mod body;
mod constraint_rows;
mod contact_point;
mod error;
mod exact_solver;
mod friction_cone;
mod from_manifold;
mod gauss_seidel;
mod impulses;
mod interior_point;
mod linear_complementarity;
mod newton_matrix;
mod one_contact_solver;
mod operators;
mod ordering;
mod problem;
mod projected_gauss_seidel;
mod proximal_newton;
mod proximal_step;
mod residual;
mod settings;
pub mod soft;
mod solver;
mod staggered;

pub use active_set::{ActiveSetSettings, active_set, active_set_with};
pub use body::{BodyVelocity, ContactBody};
pub use contact_point::{Contact, FurtherEnd, Row, contact_frame, newton_rebound};
pub use error::ContactProblemError;
pub use friction_cone::{ConeProjection, ConeRegion, project, project_with_derivative};
pub use from_manifold::ContactSide;
pub use impulses::Impulses;
pub use linear_complementarity::{ComplementaritySolution, LinearComplementarity};
pub use one_contact_solver::solve_contact;
pub use problem::ContactProblem;
pub use projected_gauss_seidel::projected_gauss_seidel;
pub use residual::{
    Certificate, ContactLaw, certify, contact_residual, convex_residual, judge, moment_residual, row_residual,
};
pub use settings::{ContactMethod, ExactSolverSettings, Iterations, SolveReport};
pub use solver::{ContactSolution, ContactSolver, solve_island};
