//! The convex cases against an interior-point solver of general cone programs (`clarabel`), which has no notion of
//! contact.
//!
//! In the coordinates `v = v* + S x` with `M⁻¹ = S Sᵀ`, contact without friction is the projection
//! ```text
//! min ½‖x‖²   subject to   u_n(x) + b ≥ 0
//! ```
//! and Coulomb's law with the shifts `s = μ ‖u_t‖` of its solution is the same with `u_n + b + s ≥ μ ‖u_t‖` (De Saxcé): the cone
//! program must find the velocities again. Both are strongly convex, so velocities are unique whatever the masses and however
//! many contacts are redundant: a point whose objective is off by δ is off by at most `√(2δ)` in x, and the velocity of a
//! contact by `√(2δ tr W)`. `clarabel` is asked for 1e-11. Where contacts are redundant it stops earlier; δ is what it says it
//! has reached, its gap and what its infeasibility could be worth: up to 5e-8 here.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use crate::contact_scenes::{random_problem, stack, wall};
use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT, SecondOrderConeT, SupportedConeT,
};
use msd::math::{Mat3, Vec3};
use msd::physics::constraints::contact::{
    BodyVelocity, ContactBody, ContactProblem, ExactSolverSettings, solve_island,
};

/// `√(1/m)` and the lower Cholesky factor of the inverse inertia.
fn root(body: &ContactBody) -> (f64, Mat3) {
    let a = body.inverse_inertia.to_cols_array_2d();
    let mut l = [[0.0; 3]; 3];
    for j in 0..3 {
        for i in j..3 {
            let sum: f64 = (0..j).map(|k| l[i][k] * l[j][k]).sum();
            l[i][j] = if i == j { (a[j][j] - sum).sqrt() } else { (a[j][i] - sum) / l[j][j] };
        }
    }
    (body.inverse_mass.sqrt(), Mat3::from_cols_array_2d(&l).transpose())
}

/// `u = u* + B x` of one contact: bias included, one row of B a direction.
fn rows(problem: &ContactProblem, contact: usize) -> (Vec3, [Vec<f64>; 3]) {
    let c = &problem.contacts()[contact];
    let bodies = problem.bodies();
    let free: Vec<BodyVelocity> = bodies.iter().map(|body| body.free).collect();
    let u = problem.contact_velocity(contact, &free) + c.offset();
    let row = |k: usize| {
        let d = c.frame.col(k);
        let mut row = vec![0.0; 6 * bodies.len()];
        for (body, arm, sign) in [(c.body_a, c.arm_a, -1.0), (c.body_b, c.arm_b, 1.0)] {
            if bodies[body].is_movable() {
                let (linear, angular) = root(&bodies[body]);
                let along = d * (sign * linear);
                let about = angular.transpose() * arm.cross(d) * sign;
                row[6 * body..6 * body + 3].copy_from_slice(&along.to_array());
                row[6 * body + 3..6 * body + 6].copy_from_slice(&about.to_array());
            }
        }
        row
    };
    (u, [row(0), row(1), row(2)])
}

/// Velocities of the cone program with these shifts, m/s, and δ for impulses that add up to `load`.
fn by_clarabel(problem: &ContactProblem, shifts: &[f64], load: f64) -> (Vec<BodyVelocity>, f64) {
    let columns = 6 * problem.bodies().len();
    let (mut i, mut j, mut entries) = (Vec::new(), Vec::new(), Vec::new());
    let (mut right, mut cones): (Vec<f64>, Vec<SupportedConeT<f64>>) = (Vec::new(), Vec::new());
    // The slack `right - A x` is in the cone: `u` itself, so that A is -B.
    let mut push = |row: &[f64], constant: f64, scale: f64| {
        for (column, entry) in row.iter().enumerate().filter(|(_, entry)| **entry != 0.0) {
            i.push(right.len());
            j.push(column);
            entries.push(-entry * scale);
        }
        right.push(constant * scale);
    };
    for (contact, shift) in shifts.iter().enumerate() {
        let (u, [normal, first, second]) = rows(problem, contact);
        let friction = problem.contacts()[contact].friction;
        if friction > 0.0 {
            push(&normal, u.x + shift, 1.0 / friction);
            push(&first, u.y, 1.0);
            push(&second, u.z, 1.0);
            cones.push(SecondOrderConeT(3));
        } else {
            push(&normal, u.x, 1.0);
            cones.push(NonnegativeConeT(1));
        }
    }
    let a = CscMatrix::new_from_triplets(right.len(), columns, i, j, entries);
    let settings = DefaultSettingsBuilder::default()
        .verbose(false)
        .tol_gap_abs(1e-11)
        .tol_gap_rel(1e-11)
        .tol_feas(1e-11)
        .build()
        .unwrap();
    let (p, q) = (CscMatrix::identity(columns), vec![0.0; columns]);
    let mut solver = DefaultSolver::new(&p, &q, &a, &right, &cones, settings).unwrap();
    solver.solve();
    let solution = &solver.solution;
    let delta = (solution.obj_val - solution.obj_val_dual).abs() + load * solution.r_prim;
    let x = &solution.x;
    let at = |k: usize| Vec3::new(x[k], x[k + 1], x[k + 2]);
    let moved = |(k, body): (usize, &ContactBody)| {
        let mut velocity = body.free;
        if body.is_movable() {
            let (linear, angular) = root(body);
            velocity.linear += at(6 * k) * linear;
            velocity.angular += angular * at(6 * k + 3);
        }
        velocity
    };
    (problem.bodies().iter().enumerate().map(moved).collect(), delta)
}

/// The largest difference of contact velocities between our solution and the cone program's, m/s; checked to be within what
/// strong convexity allows.
fn difference(problem: &ContactProblem) -> f64 {
    let own = solve_island(problem, &[], &ExactSolverSettings::default());
    assert!(own.converged, "residual {:e}", own.residual);
    let velocity = |contact: usize, all: &[BodyVelocity]| {
        problem.contact_velocity(contact, all) + problem.contacts()[contact].offset()
    };
    let count = problem.contacts().len();
    let shift = |contact: usize| {
        let u = velocity(contact, &own.velocities);
        problem.contacts()[contact].friction * u.y.hypot(u.z)
    };
    let load: f64 = own.impulses.iter().map(|impulse| impulse.length()).sum();
    let (other, delta) = by_clarabel(problem, &(0..count).map(shift).collect::<Vec<_>>(), load);
    assert!(delta < 1e-7, "clarabel has not come near: {delta:e}");
    let mut worst: f64 = 0.0;
    for contact in 0..count {
        let off = (velocity(contact, &own.velocities) - velocity(contact, &other)).length();
        let allowed = (6.0 * problem.weight(contact) * (delta + 1e-15)).sqrt();
        assert!(off <= allowed, "{off:e} m/s at contact {contact}, allowed {allowed:e}");
        worst = worst.max(off);
    }
    worst
}

#[test]
fn contact_without_friction_is_the_quadratic_program_over_four_decades_of_mass() {
    let mut worst: f64 = 0.0;
    for seed in 0..40 {
        for (bodies, contacts, decades) in [(2, 4, 0.0), (4, 10, 2.0), (8, 30, 4.0)] {
            worst = worst.max(difference(&random_problem(seed, bodies, contacts, 0.0, decades)));
        }
    }
    println!("without friction: {worst:e} m/s");
    assert!(worst < 1e-5, "{worst:e} m/s");
}

#[test]
fn coulombs_law_with_the_shifts_of_its_solution_is_the_cone_program() {
    let mut worst: f64 = 0.0;
    for seed in 0..40 {
        for (bodies, contacts, friction) in [(2, 3, 0.3), (4, 8, 0.5), (6, 14, 0.8)] {
            worst = worst.max(difference(&random_problem(seed, bodies, contacts, friction, 1.0)));
        }
    }
    println!("with friction: {worst:e} m/s");
    assert!(worst < 1e-5, "{worst:e} m/s");
}

#[test]
fn stacks_and_walls_with_redundant_contacts_agree() {
    let mut worst: f64 = 0.0;
    for friction in [0.0, 0.3] {
        worst = worst.max(difference(&stack(&[1.0, 10.0, 0.5, 100.0], friction, Vec3::X * 0.5)));
        worst = worst.max(difference(&wall(5, 4, friction, Vec3::new(0.2, 0.1, 0.0))));
    }
    println!("stacks and walls: {worst:e} m/s");
    assert!(worst < 1e-5, "{worst:e} m/s");
}
