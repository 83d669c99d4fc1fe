//! The dense active set with friction and rows beside it ([`ContactMethod::ActiveSet`](super::ContactMethod::ActiveSet)).
//!
//! Without friction and rows the normal impulses are one linear complementarity problem, and the active set solves it. With
//! them, two problems in turn (Haslinger's fixed point): normals with everything else as it is, then everything else, friction
//! bounded by those normals, by sweeps. It stops when the law holds, when a round no longer helps, or after
//! [`STAGGERED_ROUNDS`].

use super::active_set::active_set;
use super::gauss_seidel::SweepKind;
use super::linear_complementarity::LinearComplementarity;
use super::problem::ContactProblem;
use super::settings::{ExactSolverSettings, Iterations};
use super::solver::ContactSolver;

/// Limit of rounds of normal and friction solves. tuned.
const STAGGERED_ROUNDS: usize = 200;

pub(super) fn solve(
    solver: &mut ContactSolver,
    problem: &ContactProblem,
    settings: &ExactSolverSettings,
    iterations: &mut Iterations,
) {
    let contacts = problem.contacts().len();
    let target = settings.target * problem.velocity_scale();
    let mut best = (f64::INFINITY, solver.flat.clone());
    for _ in 0..STAGGERED_ROUNDS {
        let mut rest = solver.flat.clone();
        for element in &solver.elements.list[..contacts] {
            rest[element.first] = 0.0;
        }
        let normals = active_set(&LinearComplementarity::of_elements(&solver.elements, contacts, &rest));
        iterations.factorisations += normals.iterations;
        for (element, &normal) in solver.elements.list.iter().zip(&normals.lambda) {
            solver.flat[element.first] = normal;
        }
        if !(problem.is_frictionless() && problem.rows().is_empty()) {
            let most = settings.sweeps;
            let swept =
                solver.sweeps.run(&solver.elements, &mut solver.flat, target, most, SweepKind::GivenNormals);
            iterations.sweeps += swept.sweeps;
        }
        let residual = solver.residual();
        let stalled = residual >= best.0;
        if !stalled {
            best.0 = residual;
            best.1.clone_from(&solver.flat);
        }
        if best.0 <= target
            || (stalled && residual > 2.0 * best.0)
            || problem.is_frictionless() && problem.rows().is_empty()
        {
            break;
        }
    }
    solver.flat.clone_from(&best.1);
}
