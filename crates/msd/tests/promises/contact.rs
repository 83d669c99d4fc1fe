//! Contact mathematics: the worked examples and tests of its last sections, the active set, reference solvers in worlds.

use msd::environment::{BodyDescription, ContactSettings, World};
use msd::math::{Mat3, Vec3};
use msd::physics::constraints::contact::{
    ActiveSetSettings, BodyVelocity, Contact, ContactBody, ContactMethod, ContactProblem, ContactSolution,
    ExactSolverSettings, LinearComplementarity, active_set, active_set_with, newton_rebound,
    projected_gauss_seidel, solve_island,
};
use msd::physics::rigid_body::Material;
use msd::physics::rigid_body::shape::{Cuboid, HalfSpace, Sphere};

use super::Random;
use crate::contact_scenes::{GRAVITY, ground, solid_box, stack};

fn solve(problem: &ContactProblem) -> ContactSolution {
    let solution = solve_island(problem, &[], &ExactSolverSettings::default());
    assert!(solution.converged);
    solution
}

fn body(mass: f64, moment: f64, velocity: f64) -> ContactBody {
    ContactBody {
        inverse_mass: 1.0 / mass,
        inverse_inertia: Mat3::IDENTITY / moment,
        free: BodyVelocity { linear: Vec3::X * velocity, angular: Vec3::ZERO },
    }
}

fn impact(a: ContactBody, b: ContactBody, arms: [Vec3; 2], restitution: f64) -> ContactProblem {
    let mut contact = Contact::touching(0, 1, arms[0], arms[1], Vec3::X);
    let problem = ContactProblem::new(vec![a, b], vec![contact]).unwrap();
    contact.rebound = newton_rebound(restitution, problem.contact_velocity(0, &[a.free, b.free]).x);
    ContactProblem::new(vec![a, b], vec![contact]).unwrap()
}

/// 11.1, 12.1: λ = 3 N·s, velocities -1 and 2 m/s, energy kept; promised 1e-10.
#[test]
fn section_12_1_head_on() {
    let problem = impact(body(1.0, 0.4, 2.0), body(1.0, 0.4, -1.0), [Vec3::X, -Vec3::X], 1.0);
    let solution = solve(&problem);
    assert!((solution.impulses[0].x - 3.0).abs() < 1e-12);
    assert!((solution.velocities[0].linear + Vec3::X).length() < 1e-12);
    assert!((solution.velocities[1].linear - 2.0 * Vec3::X).length() < 1e-12);
    assert!((problem.kinetic_energy(&solution.velocities) - 2.5).abs() < 1e-12);
}

/// 11.2, 12.2: A = 3.75, λ = 0.4, velocities 0.8 and 0.4 m/s, spins 0.6 and -1.2 rad/s; promised 1e-10.
#[test]
fn section_12_2_glancing() {
    let arms = [Vec3::new(0.5, 0.5, 0.0), Vec3::new(-0.5, 0.5, 0.0)];
    let problem = impact(body(2.0, 1.0 / 3.0, 1.0), body(1.0, 1.0 / 6.0, 0.0), arms, 0.5);
    assert!((problem.block(0).x_axis.x - 3.75).abs() < 1e-12);
    let solution = solve(&problem);
    let [a, b] = [solution.velocities[0], solution.velocities[1]];
    assert!((solution.impulses[0].x - 0.4).abs() < 1e-12);
    assert!((a.linear.x - 0.8).abs() < 1e-12 && (b.linear.x - 0.4).abs() < 1e-12);
    assert!((a.angular.z - 0.6).abs() < 1e-12 && (b.angular.z + 1.2).abs() < 1e-12);
}

/// 11.3, 12.3: 5 kg at rest, steps of 16 ms: force to 1e-6 N, |v| below 1e-10 m/s.
#[test]
fn section_12_3_resting() {
    let dt = 0.016;
    let cube = solid_box(5.0, Vec3::ONE, -Vec3::Z * (GRAVITY * dt));
    let contact = Contact::touching(0, 1, Vec3::ZERO, Vec3::Z * -0.5, Vec3::Z);
    let solution = solve(&ContactProblem::new(vec![ground(), cube], vec![contact]).unwrap());
    assert!((solution.impulses[0].x / dt - 49.05).abs() < 1e-10);
    assert!(solution.velocities[1].linear.length() < 1e-10);
}

/// 12.4: two coupled rows by projected Gauss-Seidel; promised 1e-6.
#[test]
fn section_12_4_projected_gauss_seidel() {
    let problem = LinearComplementarity::new(&[vec![2.0, 0.5], vec![0.5, 3.0]], &[1.0, 1.5]).unwrap();
    let swept = projected_gauss_seidel(&problem, &[], 50, 1e-12);
    for (found, exact) in swept.lambda.iter().zip([2.25 / 5.75, 2.5 / 5.75]) {
        assert!((found - exact).abs() < 1e-10);
    }
}

/// 12.5: a separating pair feels nothing. 12.6: two supports carry half each; promised 1 %, without regularisation held to 1e-9.
#[test]
fn section_12_5_separating_and_12_6_redundant() {
    let problem = impact(body(1.0, 0.4, -1.0), body(1.0, 0.4, 1.0), [Vec3::X, -Vec3::X], 1.0);
    assert_eq!(solve(&problem).impulses[0], Vec3::ZERO);
    let cube = solid_box(10.0, Vec3::ONE, -Vec3::Z * (GRAVITY * 0.016));
    let support = |x: f64| Contact::touching(0, 1, Vec3::X * x, Vec3::new(x, 0.0, -0.5), Vec3::Z);
    let problem = ContactProblem::new(vec![ground(), cube], vec![support(-0.5), support(0.5)]).unwrap();
    let half = 10.0 * GRAVITY * 0.016 / 2.0;
    assert!(solve(&problem).impulses.iter().all(|impulse| (impulse.x - half).abs() < 1e-9));
}

/// A random positive semidefinite problem with `n` rows of rank at most `rank`, whose right-hand side lies in the range.
fn random_problem(random: &mut Random, n: usize, rank: usize) -> LinearComplementarity {
    let factor: Vec<Vec<f64>> = (0..n).map(|_| (0..rank).map(|_| random.next()).collect()).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let rows: Vec<Vec<f64>> = factor.iter().map(|a| factor.iter().map(|b| dot(a, b)).collect()).collect();
    let velocity: Vec<f64> = (0..rank).map(|_| random.next()).collect();
    let rhs: Vec<f64> = factor.iter().map(|row| dot(row, &velocity)).collect();
    LinearComplementarity::new(&rows, &rhs).unwrap()
}

/// Promised: the exact solution of the complementarity problem in typically C changes of the active set, never more than 2 C.
#[test]
fn the_active_set_is_exact_within_two_changes_a_contact() {
    let mut random = Random(3);
    let mut above = 0;
    for case in 0..400 {
        let n = 1 + case % 50;
        let problem = random_problem(&mut random, n, 1 + case % 12);
        let solution = active_set(&problem);
        assert!(solution.converged && solution.iterations <= 2 * n, "case {case}: {}", solution.iterations);
        assert!(problem.violation(&solution.lambda) < 1e-12, "case {case}");
        above += usize::from(solution.iterations > n);
    }
    assert!(above <= 4, "{above} of 400 needed more than C changes");
}

/// Promised: mass ratios up to 1e6 : 1 without failure to converge. Up to 100 contacts, heavy on top.
#[test]
fn the_active_set_converges_at_a_mass_ratio_of_a_million() {
    for cubes in [2, 5, 10, 25] {
        let mut masses = vec![1.0; cubes];
        masses[cubes - 1] = 1e6;
        let problem = LinearComplementarity::of_normals(&stack(&masses, 0.0, Vec3::ZERO));
        let solution = active_set(&problem);
        assert!(solution.converged, "{cubes} cubes");
        assert!(solution.iterations <= 2 * problem.size(), "{cubes} cubes: {} changes", solution.iterations);
        // The ground carries all: g dt times the mass, shared by four corners.
        let ground: f64 = solution.lambda[..4].iter().sum();
        let weight = masses.iter().sum::<f64>() * GRAVITY * crate::contact_scenes::DT;
        assert!((ground - weight).abs() < 1e-9 * weight, "{cubes} cubes: {ground} {weight}");
    }
}

/// Promised: a cap on the changes and a tolerance, with `converged = false` when the cap is reached.
#[test]
fn the_active_set_says_when_its_cap_is_reached() {
    let problem = LinearComplementarity::of_normals(&stack(&[1.0; 5], 0.0, Vec3::ZERO));
    let capped = ActiveSetSettings { changes_a_contact: 0, ..ActiveSetSettings::default() };
    assert!(!active_set_with(&problem, &capped).converged);
    let loose = ActiveSetSettings { tolerance: 1e-6, ..ActiveSetSettings::default() };
    let solution = active_set_with(&problem, &loose);
    assert!(solution.converged && problem.violation(&solution.lambda) <= 1e-6);
}

/// A ball and a box of three times its mass fall on the ground and slide to rest; heights and travel by each solver.
fn settled(method: ContactMethod) -> (Vec3, Vec3) {
    let mut world = World::new();
    let mut settings = ContactSettings::default();
    settings.solver.method = method;
    world.set_contact_settings(settings).unwrap();
    let material = Material { friction: 0.4, restitution: 0.0, ..Material::default() };
    let floor = HalfSpace::new(Vec3::Z, 0.0).unwrap();
    world.add_body(BodyDescription::fixed("floor", floor).material(material)).unwrap();
    let cube = BodyDescription::dynamic("box", Cuboid::new(Vec3::ONE).unwrap()).mass(3.0);
    let cube = cube.material(material).position(Vec3::Z * 0.5).velocity(Vec3::X);
    let cube = world.add_body(cube).unwrap();
    let ball = BodyDescription::dynamic("ball", Sphere::new(0.5).unwrap()).mass(1.0);
    let ball = world.add_body(ball.material(material).position(Vec3::new(0.0, 0.0, 1.5))).unwrap();
    for _ in 0..60 {
        world.step(0.01).unwrap();
    }
    let at = |handle| world.body(handle).unwrap().state.center_of_mass;
    (at(cube), at(ball))
}

/// The reference solvers (active set, projected Gauss-Seidel) move a world like the exact one.
#[test]
fn reference_solvers_move_a_world_alike() {
    let (cube, ball) = settled(ContactMethod::Exact);
    assert!((cube.z - 0.5).abs() < 1e-9);
    let difference = |method| {
        let (other, rider) = settled(method);
        (other - cube).length().max((rider - ball).length())
    };
    assert!(difference(ContactMethod::ActiveSet) < 1e-8, "{}", difference(ContactMethod::ActiveSet));
    let swept = difference(ContactMethod::ProjectedGaussSeidel);
    assert!(swept < 1e-4, "{swept}");
}
