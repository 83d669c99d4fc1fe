//! Contact solves from step to step: bodies that rest, slide, tip, roll and pile up, with the cost of every step.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use crate::contact_motion::{GRAVITY, Motion, balls, cards, pile, pyramid, stack};
use msd::math::{Quat, Vec3};
use msd::physics::constraints::contact::SolveReport;

const DT: f64 = 0.01;

/// Cost of a sequence of steps.
#[derive(Debug, Default)]
struct Cost {
    steps: usize,
    /// Steps that cost a certificate and no more.
    free: usize,
    factorisations: usize,
    sweeps: usize,
    not_certified: usize,
    worst: f64,
}

impl Cost {
    fn count(&mut self, report: &SolveReport) {
        self.steps += 1;
        self.free += usize::from(report.iterations == Default::default());
        self.factorisations += report.iterations.factorisations;
        self.sweeps += report.iterations.sweeps;
        self.not_certified += usize::from(!report.converged);
        self.worst = self.worst.max(report.residual / report.velocity_scale);
    }
}

fn run(motion: &mut Motion, steps: usize) -> Cost {
    let mut cost = Cost::default();
    for _ in 0..steps {
        cost.count(&motion.step());
    }
    cost
}

#[test]
fn what_rests_costs_a_certificate() {
    let mut cube = stack(&[1.0], 0.5, DT);
    let cost = run(&mut cube, 1000);
    assert!(cost.free >= 995 && cost.worst < 1e-9, "{cost:?}");
    assert!((cube.states[1].center_of_mass - Vec3::Z * 0.5).length() < 1e-9);
    let mut tower = stack(&[1.0; 10], 0.5, DT);
    let cost = run(&mut tower, 300);
    assert!(cost.not_certified == 0 && cost.free >= 250 && cost.factorisations < 100, "{cost:?}");
    assert!((tower.states[10].center_of_mass - Vec3::Z * 9.5).length() < 1e-7);
}

#[test]
fn a_stack_of_alternating_masses_rests() {
    let masses = [1.0, 1e3, 1.0, 1e3, 1.0, 1e3, 1.0, 1e3, 1.0, 1e3];
    let mut tower = stack(&masses, 0.5, DT);
    let cost = run(&mut tower, 300);
    assert!(cost.not_certified == 0 && cost.factorisations < 600, "{cost:?}");
    assert!((tower.states[10].center_of_mass - Vec3::Z * 9.5).length() < 1e-6);
}

#[test]
fn a_sliding_box_brakes_with_friction_times_gravity_and_stops() {
    for azimuth in [0.0, 0.4, 1.9] {
        let mut motion = stack(&[5.0], 0.5, DT);
        let along = Vec3::new(f64::cos(azimuth), f64::sin(azimuth), 0.0);
        motion.states[1].velocity = along * 2.0;
        let cost = run(&mut motion, 30);
        assert!((motion.states[1].velocity - along * (2.0 - 0.5 * GRAVITY * 30.0 * DT)).length() < 1e-8);
        let rest = run(&mut motion, 30);
        assert!(motion.states[1].velocity.length() < 1e-9, "stopped");
        assert!(cost.not_certified + rest.not_certified == 0 && cost.factorisations < 60, "{cost:?}");
    }
}

#[test]
fn a_tipping_stack_costs_a_few_factorisations_a_step() {
    let mut motion = stack(&[1.0; 5], 0.6, DT);
    motion.states[5].velocity = Vec3::new(3.0, 0.7, 0.0);
    let cost = run(&mut motion, 150);
    assert!(cost.not_certified == 0 && cost.factorisations < 10 * cost.steps, "{cost:?}");
}

#[test]
fn a_tilted_cube_lands_without_gaining_energy() {
    let mut motion = Motion::new(DT, 0.5);
    motion.cuboid(2.0, Vec3::ONE, Vec3::Z * 1.2);
    motion.turn(1, Quat::from_rotation_x(0.5) * Quat::from_rotation_y(0.3));
    let mut energy = motion.energy();
    let mut cost = Cost::default();
    for _ in 0..300 {
        cost.count(&motion.step());
        // Semi-implicit steps of free fall are below the parabola by ½ m g² dt².
        assert!(motion.energy() <= energy + 2.0 * GRAVITY * GRAVITY * DT * DT, "gains energy");
        energy = motion.energy();
    }
    assert!(cost.not_certified == 0, "{cost:?}");
    assert!(motion.states[1].velocity.length() < 1e-8 && motion.states[1].angular_velocity.length() < 1e-8);
}

#[test]
fn a_ball_slides_until_it_rolls() {
    let mut motion = Motion::new(DT, 0.3);
    motion.ball(1.0, 0.5, Vec3::Z * 0.5);
    motion.states[1].velocity = Vec3::X * 3.0;
    let cost = run(&mut motion, 60);
    let state = &motion.states[1];
    assert!((state.velocity.x - 5.0 / 7.0 * 3.0).abs() < 1e-9, "{}", state.velocity);
    assert!((state.angular_velocity.y - state.velocity.x / 0.5).abs() < 1e-9);
    assert_eq!((cost.not_certified, cost.factorisations), (0, 0), "one contact needs no matrix");
}

#[test]
fn cards_lean_on_each_other() {
    let mut motion = cards(0.6, DT);
    let before = motion.states.clone();
    let cost = run(&mut motion, 200);
    assert!(cost.not_certified == 0, "{cost:?}");
    for (now, before) in motion.states.iter().zip(&before) {
        assert!((now.center_of_mass - before.center_of_mass).length() < 0.02, "{}", now.center_of_mass);
        assert!(now.velocity.length() < 1e-6, "{}", now.velocity);
    }
}

#[test]
fn a_pyramid_rests_from_nothing_and_then_for_free() {
    let mut motion = pyramid(8, 0.5, DT);
    let first = motion.step();
    assert!(first.converged && first.iterations.factorisations < 80, "{first:?}");
    let cost = run(&mut motion, 60);
    assert!(cost.not_certified == 0 && cost.factorisations < 120, "{cost:?}");
    assert!(motion.states.iter().all(|state| state.velocity.length() < 1e-8));
}

#[test]
fn piles_are_solved_or_say_so_and_never_blow_up() {
    for mut motion in [pile(8, 0.5, DT), balls(12, 0.3, DT)] {
        let mut cost = Cost::default();
        let top = motion.energy();
        for _ in 0..250 {
            cost.count(&motion.step());
            assert!(motion.energy() < top + 1.0, "blows up");
        }
        assert!(20 * cost.not_certified <= cost.steps && cost.factorisations < 40 * cost.steps, "{cost:?}");
    }
}
