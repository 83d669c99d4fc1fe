//! Joints, belts, rolling and spinning friction in the contact problem, each with the number it must give.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use crate::contact_scenes::{DT, GRAVITY, Random, face, ground, random_problem, solid_box};
use msd::math::{Mat3, Vec3};
use msd::physics::constraints::JacobianRow;
use msd::physics::constraints::contact::{
    BodyVelocity, Contact, ContactBody, ContactMethod, ContactProblem, ContactSolver, ExactSolverSettings,
    Impulses, Row, SolveReport, judge,
};

fn solve(problem: &ContactProblem) -> (ContactSolver, Impulses, SolveReport) {
    solve_by(ContactMethod::Exact, problem)
}

fn solve_by(method: ContactMethod, problem: &ContactProblem) -> (ContactSolver, Impulses, SolveReport) {
    let (mut solver, mut impulses) = (ContactSolver::default(), Impulses::default());
    let settings = ExactSolverSettings { method, ..ExactSolverSettings::default() };
    let report = solver.solve(problem, &mut impulses, &settings);
    (solver, impulses, report)
}

/// Six rows that weld B to A; `offset` leads from the centre of mass of A to that of B.
fn weld(body_a: usize, body_b: usize, offset: Vec3) -> Vec<Row> {
    let linear = |d: Vec3| JacobianRow {
        linear_a: -d,
        angular_a: -offset.cross(d),
        linear_b: d,
        angular_b: Vec3::ZERO,
    };
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let turns = axes.map(|axis| Row::rigid(body_a, body_b, JacobianRow::relative_rotation(axis), 0.0));
    axes.map(|axis| Row::rigid(body_a, body_b, linear(axis), 0.0)).into_iter().chain(turns).collect()
}

fn falling(mass: f64) -> ContactBody {
    solid_box(mass, Vec3::ONE, Vec3::Z * (-GRAVITY * DT))
}

#[test]
fn a_welded_arm_rests_on_the_block_that_carries_it() {
    for mass in [1e-3, 1.0, 1e3] {
        // The arm hangs over by 1 m; the block is heavy enough not to tip: 40 m · 0.5 > m · 1 only for the lighter arms.
        let bodies = vec![ground(), falling(4e3), falling(mass)];
        let contacts = face(0, 1, Vec3::ONE, 0.0, 0.5);
        for copies in [1, 3] {
            let rows = (0..copies).flat_map(|_| weld(1, 2, Vec3::X)).collect();
            let problem = ContactProblem::with_rows(bodies.clone(), contacts.clone(), rows).unwrap();
            let (solver, impulses, report) = solve(&problem);
            assert!(report.converged, "{mass}, {copies}: {report:?}");
            assert!(solver.velocities().iter().all(|v| v.linear.length() < 1e-9));
            let held: f64 = (0..copies).map(|k| impulses.rows[6 * k + 2]).sum();
            assert!((held - mass * GRAVITY * DT).abs() < 1e-8 * mass, "{held}");
            let carried: f64 = impulses.contacts.iter().map(|impulse| impulse.x).sum();
            assert!((carried - (4e3 + mass) * GRAVITY * DT).abs() < 1e-6);
        }
    }
}

#[test]
fn a_limit_pulls_only_where_it_is_reached() {
    let pull = |target: f64| {
        let up = JacobianRow { linear_b: Vec3::Z, ..JacobianRow::ZERO };
        let row = Row { lower: 0.0, ..Row::rigid(0, 1, up, target) };
        let problem = ContactProblem::with_rows(vec![ground(), falling(2.0)], vec![], vec![row]).unwrap();
        let (solver, impulses, report) = solve(&problem);
        assert!(report.converged);
        (solver.velocities()[1].linear.z, impulses.rows[0])
    };
    let (v, p) = pull(-0.05);
    assert!((v + 0.05).abs() < 1e-11 && (p - 2.0 * (GRAVITY * DT - 0.05)).abs() < 1e-10);
    let (v, p) = pull(-1.0);
    assert!(v == -GRAVITY * DT && p == 0.0);
}

#[test]
fn a_motor_gives_what_it_has_and_no_more() {
    for (strength, expected) in [(10.0, 0.3), (0.1, 0.05)] {
        let along = JacobianRow { linear_b: Vec3::X, ..JacobianRow::ZERO };
        let row = Row { lower: -strength, upper: strength, ..Row::rigid(0, 1, along, 0.3) };
        let mut cart = falling(2.0);
        cart.inverse_inertia = Mat3::ZERO;
        let contacts = face(0, 1, Vec3::ONE, 0.0, 0.0);
        let problem = ContactProblem::with_rows(vec![ground(), cart], contacts, vec![row]).unwrap();
        let (solver, _, report) = solve(&problem);
        assert!(report.converged && (solver.velocities()[1].linear.x - expected).abs() < 1e-10);
    }
}

#[test]
fn a_row_that_must_push_pushes() {
    let along = JacobianRow { linear_b: Vec3::X, ..JacobianRow::ZERO };
    let row = Row { lower: 0.5, upper: 2.0, ..Row::rigid(0, 1, along, -10.0) };
    let problem = ContactProblem::with_rows(vec![ground(), falling(2.0)], vec![], vec![row]).unwrap();
    let (solver, impulses, report) = solve(&problem);
    assert!(report.converged && impulses.rows[0] == 0.5);
    assert!((solver.velocities()[1].linear.x - 0.25).abs() < 1e-12);
}

#[test]
fn a_belt_carries_a_box_as_a_moving_floor_would() {
    for speed in [0.02, 3.0] {
        let drift = Vec3::new(0.0, 0.6, -0.8) * speed;
        let mut contacts = face(0, 1, Vec3::ONE, 0.0, 0.4);
        contacts.iter_mut().for_each(|contact| contact.drift = -drift);
        let belt = ContactProblem::new(vec![ground(), falling(3.0)], contacts.clone()).unwrap();
        contacts.iter_mut().for_each(|contact| contact.drift = Vec3::ZERO);
        let linear = contacts[0].frame * drift;
        let floor = ContactBody::immovable(BodyVelocity { linear, angular: Vec3::ZERO });
        let floor = ContactProblem::new(vec![floor, falling(3.0)], contacts).unwrap();
        let (on_belt, _, report) = solve(&belt);
        let (on_floor, ..) = solve(&floor);
        assert!(report.converged);
        let (a, b) = (on_belt.velocities()[1], on_floor.velocities()[1]);
        assert!((a.linear - b.linear).length() < 1e-10 && (a.angular - b.angular).length() < 1e-9);
        let gained = if speed < 0.4 * GRAVITY * DT { speed } else { 0.4 * GRAVITY * DT };
        assert!((a.linear - linear.normalize() * gained).length() < 1e-9, "{speed}: {}", a.linear);
    }
}

fn ball_on_ground(velocity: BodyVelocity, friction: [f64; 3]) -> ContactProblem {
    let (mass, radius) = (2.0, 0.5);
    let inertia = 0.4 * mass * radius * radius;
    let free = BodyVelocity { linear: velocity.linear - Vec3::Z * (GRAVITY * DT), ..velocity };
    let ball = ContactBody { inverse_mass: 1.0 / mass, inverse_inertia: Mat3::IDENTITY / inertia, free };
    let mut contact = Contact::touching(0, 1, Vec3::ZERO, Vec3::Z * -radius, Vec3::Z);
    [contact.friction, contact.rolling_friction, contact.torsional_friction] = friction;
    ContactProblem::new(vec![ground(), ball], vec![contact]).unwrap()
}

#[test]
fn rolling_friction_slows_a_ball_by_five_sevenths_of_its_arm_over_the_radius() {
    for azimuth in [0.0, 0.7, 2.5] {
        let along = Vec3::new(f64::cos(azimuth), f64::sin(azimuth), 0.0);
        let rolling = BodyVelocity { linear: along * 2.0, angular: Vec3::Z.cross(along) * 4.0 };
        let problem = ball_on_ground(rolling, [0.5, 0.01, 0.0]);
        let (solver, impulses, report) = solve(&problem);
        assert!(report.converged, "{report:?}");
        let v = solver.velocities()[1];
        let expected = along * (2.0 - 5.0 / 7.0 * 0.01 * GRAVITY / 0.5 * DT);
        assert!((v.linear - expected).length() < 1e-10, "{} {expected}", v.linear);
        assert!((v.linear + v.angular.cross(Vec3::Z * -0.5)).length() < 1e-10, "still rolls");
        assert!((impulses.moments[0].length() - 0.01 * 2.0 * GRAVITY * DT).abs() < 1e-11);
    }
}

#[test]
fn a_slow_ball_is_stopped_and_not_reversed_by_rolling_friction() {
    let rolling = BodyVelocity { linear: Vec3::X * 1e-4, angular: Vec3::Y * 2e-4 };
    let (solver, _, report) = solve(&ball_on_ground(rolling, [0.5, 0.01, 0.0]));
    assert!(report.converged && solver.velocities()[1].linear.length() < 1e-11);
}

#[test]
fn torsional_friction_slows_a_spinning_ball_about_the_normal_alone() {
    let spinning = BodyVelocity { linear: Vec3::ZERO, angular: Vec3::Z * -6.0 };
    let (solver, impulses, report) = solve(&ball_on_ground(spinning, [0.5, 0.01, 0.02]));
    assert!(report.converged);
    let inertia = 0.4 * 2.0 * 0.25;
    let expected = -6.0 + 0.02 * 2.0 * GRAVITY * DT / inertia;
    assert!((solver.velocities()[1].angular - Vec3::Z * expected).length() < 1e-10);
    assert!((impulses.moments[0].x - 0.02 * 2.0 * GRAVITY * DT).abs() < 1e-11);
}

/// A problem of contacts, moments and rows of every kind.
fn mixed_problem(seed: u64, friction: f64) -> ContactProblem {
    let base = random_problem(seed, 4, 7, friction, 1.0);
    let mut random = Random(seed + 77);
    let contacts = base.contacts().iter().enumerate().map(|(k, contact)| Contact {
        rolling_friction: if k % 2 == 0 { 0.05 * friction } else { 0.0 },
        torsional_friction: if k % 3 == 0 { 0.1 * friction } else { 0.0 },
        drift: 0.3 * random.vector(),
        ..*contact
    });
    let contacts: Vec<Contact> = contacts.collect();
    let mut rows = Vec::new();
    for k in 0..3 {
        let jacobian = JacobianRow {
            linear_a: random.vector(),
            angular_a: random.vector(),
            linear_b: random.vector(),
            angular_b: random.vector(),
        };
        let row = Row::rigid(k, k + 1, jacobian, random.number());
        rows.push(match k {
            0 => row,
            1 => Row { lower: 0.0, ..row },
            _ => Row { lower: -0.2, upper: 0.3, ..row },
        });
    }
    // The first row twice: redundant.
    rows.push(rows[0]);
    ContactProblem::with_rows(base.bodies().to_vec(), contacts, rows).unwrap()
}

#[test]
fn random_problems_of_every_kind_reach_the_target() {
    for seed in 0..60 {
        for friction in [0.0, 0.4] {
            let problem = mixed_problem(seed, friction);
            let (_, impulses, report) = solve(&problem);
            let relative = report.residual / report.velocity_scale;
            assert!(relative < 1e-9, "seed {seed}, μ {friction}: {report:?}");
            assert_eq!(judge(&problem, &impulses, &mut Vec::new()).residual, report.residual);
        }
    }
}

#[test]
fn every_method_finds_the_same_velocities() {
    let methods = [ContactMethod::ActiveSet, ContactMethod::GaussSeidel, ContactMethod::ProximalNewton];
    for seed in 0..10 {
        for friction in [0.0, 0.2] {
            let problem = mixed_problem(seed, friction);
            let (reference, ..) = solve(&problem);
            for method in methods {
                let (mut solver, mut impulses) = (ContactSolver::default(), Impulses::default());
                let settings = ExactSolverSettings {
                    method,
                    sweeps: 2000,
                    rounds: 10,
                    ..ExactSolverSettings::default()
                };
                let report = solver.solve(&problem, &mut impulses, &settings);
                assert!(report.converged, "seed {seed}, μ {friction}, {method:?}: {report:?}");
                for (a, b) in solver.velocities().iter().zip(reference.velocities()) {
                    let off = (a.linear - b.linear).length() + (a.angular - b.angular).length();
                    assert!(off < 1e-7, "seed {seed}, μ {friction}, {method:?}: {off}");
                }
            }
        }
    }
}

#[test]
fn a_changed_problem_is_solved_from_the_last_impulses() {
    for seed in 0..30 {
        let problem = mixed_problem(seed, 0.4);
        let (mut solver, mut impulses, _) = solve(&problem);
        let mut random = Random(seed + 5);
        let mut bodies = problem.bodies().to_vec();
        bodies[1..].iter_mut().for_each(|body| body.free.linear += 1e-2 * random.vector());
        let changed =
            ContactProblem::with_rows(bodies, problem.contacts().to_vec(), problem.rows().to_vec()).unwrap();
        let report = solver.solve(&changed, &mut impulses, &ExactSolverSettings::default());
        assert!(report.converged, "seed {seed}: {report:?}");
    }
}

#[test]
fn a_chain_holds_a_weight_a_thousand_times_as_heavy_as_its_links() {
    let links = 50;
    let mut bodies = vec![ground()];
    bodies.extend((0..links).map(|k| falling(if k + 1 == links { 1e3 } else { 1.0 })));
    let mut rows = Vec::new();
    for k in 0..links {
        for d in [Vec3::X, Vec3::Y, Vec3::Z] {
            // The joint is half a metre below the upper link and half a metre above the lower one.
            let angular_a = if k == 0 { Vec3::ZERO } else { -(Vec3::Z * -0.5).cross(d) };
            let angular_b = (Vec3::Z * 0.5).cross(d);
            rows.push(Row::rigid(
                k,
                k + 1,
                JacobianRow { linear_a: -d, angular_a, linear_b: d, angular_b },
                0.0,
            ));
        }
    }
    let problem = ContactProblem::with_rows(bodies, vec![], rows).unwrap();
    let (solver, impulses, report) = solve(&problem);
    assert!(report.residual < 1e-9, "{report:?}");
    assert!(solver.velocities().iter().all(|v| v.linear.length() < 1e-8));
    let weight = (1e3 + 49.0) * GRAVITY * DT;
    assert!((impulses.rows[2] - weight).abs() < 1e-7 * weight, "{} {weight}", impulses.rows[2]);
}
