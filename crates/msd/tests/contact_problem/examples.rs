//! Worked examples of contact: one impact, resting, sliding, each with the number it must give.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use crate::contact_scenes::{DT, GRAVITY, face, ground, solid_box};
use msd::math::{Mat3, Vec3};
use msd::physics::constraints::contact::{
    BodyVelocity, Contact, ContactBody, ContactLaw, ContactProblem, ContactSolution, ExactSolverSettings,
    LinearComplementarity, active_set, certify, newton_rebound, projected_gauss_seidel, solve_contact,
    solve_island,
};

fn solve(problem: &ContactProblem) -> ContactSolution {
    let solution = solve_island(problem, &[], &ExactSolverSettings::default());
    assert!(solution.converged, "residual {} after {:?}", solution.residual, solution.iterations);
    solution
}

fn ball(mass: f64, inertia: f64, velocity: f64) -> ContactBody {
    ContactBody {
        inverse_mass: 1.0 / mass,
        inverse_inertia: Mat3::IDENTITY / inertia,
        free: BodyVelocity { linear: Vec3::X * velocity, angular: Vec3::ZERO },
    }
}

fn impact(a: ContactBody, b: ContactBody, arms: [Vec3; 2], restitution: f64) -> ContactProblem {
    let mut contact = Contact::touching(0, 1, arms[0], arms[1], Vec3::X);
    let at_rest = ContactProblem::new(vec![a, b], vec![contact]).unwrap();
    let approach = at_rest.contact_velocity(0, &[a.free, b.free]).x;
    contact.rebound = newton_rebound(restitution, approach);
    ContactProblem::new(vec![a, b], vec![contact]).unwrap()
}

#[test]
fn head_on_elastic_spheres_swap_velocities() {
    let arms = [Vec3::X * 1.5, Vec3::X * -1.5];
    let problem = impact(ball(1.0, 0.4, 2.0), ball(1.0, 0.4, -1.0), arms, 1.0);
    let solution = solve(&problem);
    assert!((solution.impulses[0].x - 3.0).abs() < 1e-10);
    assert!((solution.velocities[0].linear + Vec3::X).length() < 1e-10);
    assert!((solution.velocities[1].linear - 2.0 * Vec3::X).length() < 1e-10);
    assert!((problem.kinetic_energy(&solution.velocities) - 2.5).abs() < 1e-10);
    assert_eq!(solution.problem, ContactLaw::Frictionless);
}

#[test]
fn a_glancing_impact_turns_both_bodies() {
    let arms = [Vec3::new(0.5, 0.5, 0.0), Vec3::new(-0.5, 0.5, 0.0)];
    let problem = impact(ball(2.0, 1.0 / 3.0, 1.0), ball(1.0, 1.0 / 6.0, 0.0), arms, 0.5);
    assert!((problem.block(0).x_axis.x - 3.75).abs() < 1e-12);
    let solution = solve(&problem);
    let [a, b] = [solution.velocities[0], solution.velocities[1]];
    assert!((solution.impulses[0].x - 0.4).abs() < 1e-10);
    assert!((a.linear.x - 0.8).abs() < 1e-10 && (b.linear.x - 0.4).abs() < 1e-10);
    assert!((a.angular.z - 0.6).abs() < 1e-10 && (b.angular.z + 1.2).abs() < 1e-10);
    let free = problem.velocities(&[Vec3::ZERO]);
    let lost = problem.kinetic_energy(&solution.velocities) - problem.kinetic_energy(&free);
    assert!((lost + 0.1).abs() < 1e-10, "ΔKE = -½ (1-e)/(1+e) A λ² = -0.1 J, got {lost}");
}

#[test]
fn unequal_masses_leave_with_the_elastic_speeds() {
    let problem = impact(ball(10.0, 4.0, 1.0), ball(1.0, 0.4, 0.0), [Vec3::ZERO; 2], 1.0);
    let solution = solve(&problem);
    assert!((solution.velocities[0].linear.x - 9.0 / 11.0).abs() < 1e-9);
    assert!((solution.velocities[1].linear.x - 20.0 / 11.0).abs() < 1e-9);
}

#[test]
fn resting_contact_balances_gravity() {
    let dt = 0.016;
    let cube = solid_box(5.0, Vec3::ONE, -Vec3::Z * (GRAVITY * dt));
    let contact = Contact::touching(0, 1, Vec3::ZERO, Vec3::Z * -0.5, Vec3::Z);
    let solution = solve(&ContactProblem::new(vec![ground(), cube], vec![contact]).unwrap());
    assert!((solution.impulses[0].x - 0.7848).abs() < 1e-9);
    assert!((solution.impulses[0].x / dt - 49.05).abs() < 1e-9);
    assert!(solution.velocities[1].linear.length() < 1e-9);
}

#[test]
fn four_coplanar_contacts_share_the_weight_equally() {
    for friction in [0.0, 0.5] {
        let cube = solid_box(5.0, Vec3::ONE, -Vec3::Z * (GRAVITY * 0.016));
        let contacts = face(0, 1, Vec3::ONE, 0.0, friction);
        let solution = solve(&ContactProblem::new(vec![ground(), cube], contacts).unwrap());
        for impulse in &solution.impulses {
            assert!((impulse.x - 0.7848 / 4.0).abs() < 1e-9, "{impulse}");
        }
        assert!(solution.velocities[1].linear.length() < 1e-9);
        assert!(solution.velocities[1].angular.length() < 1e-9);
        assert_eq!(solution.active_set_size, 4);
    }
}

#[test]
fn projected_gauss_seidel_and_the_active_set_solve_two_coupled_rows() {
    let problem = LinearComplementarity::new(&[vec![2.0, 0.5], vec![0.5, 3.0]], &[1.0, 1.5]).unwrap();
    let exact = [2.25 / 5.75, 2.5 / 5.75];
    let direct = active_set(&problem);
    let swept = projected_gauss_seidel(&problem, &[], 100, 1e-14);
    assert!(direct.converged && swept.converged);
    for k in 0..2 {
        assert!((direct.lambda[k] - exact[k]).abs() < 1e-12);
        assert!((swept.lambda[k] - exact[k]).abs() < 1e-12);
    }
    assert!(problem.violation(&direct.lambda) < 1e-12);
}

#[test]
fn a_separating_pair_feels_exactly_nothing() {
    let problem = impact(ball(1.0, 0.4, -1.0), ball(1.0, 0.4, 1.0), [Vec3::X, -Vec3::X], 1.0);
    let solution = solve(&problem);
    assert_eq!(solution.impulses[0], Vec3::ZERO);
    assert_eq!(solution.velocities[0], problem.bodies()[0].free);
    assert_eq!(solution.iterations.factorisations, 0);
}

#[test]
fn two_supports_carry_half_each_without_regularisation() {
    let body = solid_box(10.0, Vec3::ONE, -Vec3::Z * (GRAVITY * 0.016));
    let support = |x: f64| Contact::touching(0, 1, Vec3::X * x, Vec3::new(x, 0.0, -0.5), Vec3::Z);
    let problem = ContactProblem::new(vec![ground(), body], vec![support(-0.5), support(0.5)]).unwrap();
    let half = 10.0 * GRAVITY * 0.016 / 2.0;
    let solution = solve(&problem);
    let dense = active_set(&LinearComplementarity::of_normals(&problem));
    for k in 0..2 {
        assert!((solution.impulses[k].x - half).abs() < 1e-9);
        assert!((dense.lambda[k] - half).abs() < 1e-9);
    }
    let rows = [vec![0.1, 0.1], vec![0.1, 0.1]];
    let singular = active_set(&LinearComplementarity::new(&rows, &[GRAVITY * 0.016; 2]).unwrap());
    assert!(singular.lambda.iter().all(|l| (l - half).abs() < 1e-9), "{:?}", singular.lambda);
}

#[test]
fn a_scalar_block_slides_on_its_cone() {
    let impulse = solve_contact(&(Mat3::IDENTITY * 2.0), Vec3::new(-30.0, -20.0, 0.0), 0.3);
    assert!((impulse.x - 15.0).abs() < 1e-9);
    assert!((impulse.y.hypot(impulse.z) - 4.5).abs() < 1e-9);
    // The same as a problem: A = 2 along every axis, free velocity (-30, -20, 0) in the contact frame.
    let mut contact = Contact::touching(0, 1, Vec3::ZERO, Vec3::ZERO, Vec3::X).with_friction(0.3);
    contact.frame = Mat3::IDENTITY;
    let free = BodyVelocity { linear: Vec3::new(-30.0, -20.0, 0.0), angular: Vec3::ZERO };
    let body = ContactBody { inverse_mass: 2.0, inverse_inertia: Mat3::ZERO, free };
    let solution = solve(&ContactProblem::new(vec![ground(), body], vec![contact]).unwrap());
    assert!((solution.impulses[0] - Vec3::new(15.0, 4.5, 0.0)).length() < 1e-9);
}

fn sliding_box(speed: f64, azimuth: f64, friction: f64) -> ContactProblem {
    let along = Vec3::new(azimuth.cos(), azimuth.sin(), 0.0) * speed;
    let cube = solid_box(3.0, Vec3::new(1.0, 1.0, 0.2), along - Vec3::Z * (GRAVITY * DT));
    let contacts = face(0, 1, Vec3::new(1.0, 1.0, 0.2), 0.0, friction);
    ContactProblem::new(vec![ground(), cube], contacts).unwrap()
}

#[test]
fn a_sliding_box_loses_friction_times_gravity_at_every_azimuth() {
    for k in 0..24 {
        for speed in [0.1, 1.0, 10.0] {
            let (azimuth, friction) = (0.1 + k as f64 * 0.2618, 0.5);
            let problem = sliding_box(speed, azimuth, friction);
            let solution = solve(&problem);
            let v = solution.velocities[1].linear;
            let direction = Vec3::new(azimuth.cos(), azimuth.sin(), 0.0);
            let expected = direction * (speed - friction * GRAVITY * DT);
            assert!((v - expected).length() < 1e-9 * speed.max(1.0), "azimuth {azimuth}: {v} {expected}");
            assert!(v.z.abs() < 1e-9, "lifts: {}", v.z);
            assert!(
                solution.velocities[1].angular.length() < 1e-7,
                "turns: {}",
                solution.velocities[1].angular
            );
        }
    }
}

#[test]
fn friction_stops_a_slow_box_and_never_reverses_it() {
    for speed in [1e-9, 1e-4, 0.02, 0.5 * GRAVITY * DT * 0.999] {
        let solution = solve(&sliding_box(speed, 0.7, 0.5));
        assert!(solution.velocities[1].linear.length() < 1e-10, "{speed}");
    }
}

#[test]
fn no_normal_impulse_means_no_friction() {
    let mut problem = sliding_box(2.0, 0.3, 0.9);
    let mut bodies = problem.bodies().to_vec();
    bodies[1].free.linear.z = 0.0;
    problem = ContactProblem::new(bodies.clone(), problem.contacts().to_vec()).unwrap();
    let solution = solve(&problem);
    assert!(solution.impulses.iter().all(|impulse| *impulse == Vec3::ZERO));
    assert_eq!(solution.velocities[1], bodies[1].free);
}

#[test]
fn without_friction_tangential_momentum_is_kept() {
    let problem = sliding_box(2.0, 0.3, 0.0);
    let solution = solve(&problem);
    let (v, free) = (solution.velocities[1].linear, problem.bodies()[1].free.linear);
    assert!((v.x - free.x).abs() < 1e-12 && (v.y - free.y).abs() < 1e-12);
}

#[test]
fn a_gap_closes_within_the_step_and_no_further() {
    let body = solid_box(1.0, Vec3::ONE, Vec3::Z * -2.0);
    let mut contact = Contact::touching(0, 1, Vec3::ZERO, Vec3::Z * -0.5, Vec3::Z);
    contact.speculative_bias = 0.005 / DT;
    let solution = solve(&ContactProblem::new(vec![ground(), body], vec![contact]).unwrap());
    assert!((solution.velocities[1].linear.z + 0.5).abs() < 1e-10);
}

#[test]
fn immovable_bodies_keep_their_state_to_the_bit_and_drive_others() {
    let belt = BodyVelocity { linear: Vec3::X * 0.03, angular: Vec3::ZERO };
    let cube = solid_box(2.0, Vec3::ONE, -Vec3::Z * (GRAVITY * DT));
    let contacts = face(0, 1, Vec3::ONE, 0.0, 0.6);
    let problem = ContactProblem::new(vec![ContactBody::immovable(belt), cube], contacts).unwrap();
    let solution = solve(&problem);
    assert_eq!(solution.velocities[0], belt);
    assert!((solution.velocities[1].linear - belt.linear).length() < 1e-9, "carried by the belt");
}

#[test]
fn a_mass_ratio_of_a_million_is_solved_exactly() {
    for friction in [0.0, 0.5] {
        for masses in [[1.0, 1e6], [1e6, 1.0]] {
            let problem = crate::contact_scenes::stack(&masses, friction, Vec3::ZERO);
            let solution = solve(&problem);
            let lower: f64 = solution.impulses[..4].iter().map(|impulse| impulse.x).sum();
            let weight = (masses[0] + masses[1]) * GRAVITY * DT;
            assert!((lower - weight).abs() < 1e-8 * weight);
            assert!(certify(&problem, &solution.impulses).relative() < 1e-9);
        }
    }
}

#[test]
fn a_start_that_is_already_right_costs_nothing() {
    let problem = sliding_box(2.0, 0.3, 0.4);
    let first = solve(&problem);
    let again = solve_island(&problem, &first.impulses, &ExactSolverSettings::default());
    assert_eq!(again.impulses, first.impulses);
    assert_eq!(again.iterations, Default::default());
}
