//! A solver that has seen a problem of some size solves the next without asking for memory.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod contact_scenes;
mod counting_allocator;

use contact_scenes::{random_problem, stack, wall};
use counting_allocator::allocations;
use msd::math::Vec3;
use msd::physics::constraints::contact::{
    ContactMethod, ContactProblem, ContactSolver, ExactSolverSettings, Impulses,
};

fn scenes() -> Vec<ContactProblem> {
    vec![
        wall(5, 5, 0.5, Vec3::ZERO),
        wall(5, 5, 0.3, Vec3::new(0.4, 0.1, 0.0)),
        stack(&[1.0, 1e3, 1.0], 0.4, Vec3::X),
        stack(&[1.0, 1.0], 0.0, Vec3::X),
        random_problem(5, 6, 14, 0.6, 2.0),
    ]
}

#[test]
fn solves_ask_for_no_memory_once_warm() {
    for method in [ContactMethod::Exact, ContactMethod::GaussSeidel, ContactMethod::ProximalNewton] {
        let settings = ExactSolverSettings { method, ..ExactSolverSettings::default() };
        let (mut solver, mut impulses) = (ContactSolver::default(), Impulses::default());
        let problems = scenes();
        let mut pass = || {
            for problem in &problems {
                impulses.clear();
                solver.solve(problem, &mut impulses, &settings);
                solver.solve(problem, &mut impulses, &settings);
            }
        };
        pass();
        pass();
        assert_eq!(allocations(pass), 0, "{method:?}");
    }
}

#[test]
fn a_problem_is_refilled_in_place() {
    let scenes = scenes();
    let mut problem = ContactProblem::default();
    let mut refill = || {
        for scene in &scenes {
            problem.clear();
            for &body in scene.bodies() {
                problem.push_body(body).unwrap();
            }
            for &contact in scene.contacts() {
                problem.push_contact(contact).unwrap();
            }
        }
    };
    refill();
    assert_eq!(allocations(refill), 0);
}
