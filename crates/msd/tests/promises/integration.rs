//! Integration: energy, unit quaternions, integrators swapped and fields changed in mid-run.

use std::sync::Arc;

use msd::environment::{BodyDescription, World};
use msd::math::{Mat3, Vec3};
use msd::physics::forces::{Attachment, Spring};
use msd::physics::integration::{INTEGRATOR_NAMES, by_name};

/// The time step of the documents, 60 steps a second.
const DT: f64 = 0.016_67;

fn tumbling(integrator: &str) -> (World, msd::physics::rigid_body::BodyHandle) {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    world.set_integrator(by_name(integrator, None).unwrap());
    let tensor = Mat3::from_diagonal(Vec3::new(1.0, 2.0, 3.0));
    let body = BodyDescription::without_shape("body", 2.0, tensor).angular_velocity(Vec3::new(0.1, 2.0, 0.1));
    let body = world.add_body(body).unwrap();
    (world, body)
}

/// Promised of semi-implicit Euler: energy within 1 % over 10 000 unconstrained steps. Held to 1e-5 for free tumbling about the
/// unstable axis, at the documents' own step.
#[test]
fn ten_thousand_free_steps_keep_energy() {
    let (mut world, _) = tumbling("semi-implicit-euler");
    let before = world.energy().total();
    for _ in 0..10_000 {
        world.step(DT).unwrap();
    }
    let drift = (world.energy().total() / before - 1.0).abs();
    assert!(drift < 1e-5, "{drift}");
}

/// The same for a mass on a spring (period 2.8 s): held to 0.5 %.
#[test]
fn ten_thousand_steps_on_a_spring_keep_energy() {
    let (mut world, body) = tumbling("semi-implicit-euler");
    world.set_velocity(body, Vec3::X).unwrap();
    let ends = [Attachment::World(Vec3::ZERO), Attachment::Body(body, Vec3::ZERO)];
    world.add_field(Arc::new(Spring::new(ends[0], ends[1], 10.0, 0.0).unwrap())).unwrap();
    let before = world.energy().total();
    let mut worst: f64 = 0.0;
    for _ in 0..10_000 {
        world.step(DT).unwrap();
        worst = worst.max((world.energy().total() / before - 1.0).abs());
    }
    assert!(worst < 0.025, "worst in between {worst}");
    let swings = world.energy().total() / before - 1.0;
    assert!(swings.abs() < 0.025);
}

/// Promised: |Q²-1| < 1e-10 over 10 000 steps. Held to 1e-14 by every integrator (fewer steps for those with inner iterations).
#[test]
fn quaternions_stay_of_unit_length() {
    for name in INTEGRATOR_NAMES {
        let (mut world, body) = tumbling(name);
        let steps = if name.starts_with("implicit") || name == "adaptive" { 1000 } else { 10_000 };
        for _ in 0..steps {
            world.step(DT).unwrap();
            let q = world.body(body).unwrap().state.orientation;
            assert!((q.length_squared() - 1.0).abs() < 1e-14, "{name}");
        }
    }
}

/// Promised: the integrator can be set at run time. Through all of them in one run the ledger closes and the motion is that of one
/// accurate method.
#[test]
fn integrators_are_swapped_in_mid_run() {
    let (mut world, body) = tumbling("rk4");
    let (mut reference, same) = tumbling("exact-free");
    for name in INTEGRATOR_NAMES {
        world.set_integrator(by_name(name, None).unwrap());
        assert_eq!(world.integrator().name(), name);
        for _ in 0..200 {
            world.step(1e-3).unwrap();
            reference.step(1e-3).unwrap();
        }
    }
    assert_eq!(world.steps(), 200 * INTEGRATOR_NAMES.len() as u64);
    let (a, b) = (world.body(body).unwrap().state, reference.body(same).unwrap().state);
    assert!(
        a.orientation.angle_between(b.orientation) < 2e-3,
        "{}",
        a.orientation.angle_between(b.orientation)
    );
    assert!(world.energy().error().abs() < 1e-3 * world.energy().total());
    assert!(world.energy().work_in == 0.0 && world.energy().dissipated.abs() < 1e-12);
}

/// Fields come and go in mid-run; the ledger books the change of potential energy as work.
#[test]
fn fields_change_in_mid_run() {
    let (mut world, body) = tumbling("velocity-verlet");
    world.set_velocity(body, Vec3::X).unwrap();
    world.run(0.5).unwrap();
    let ends = [Attachment::World(Vec3::ZERO), Attachment::Body(body, Vec3::ZERO)];
    let spring = world.add_field(Arc::new(Spring::new(ends[0], ends[1], 8.0, 0.0).unwrap())).unwrap();
    assert!((world.energy().potential - 0.5 * 8.0 * 0.25).abs() < 1e-12);
    world.run(0.5).unwrap();
    world.remove_field(spring).unwrap();
    let velocity = world.body(body).unwrap().state.velocity;
    world.run(0.5).unwrap();
    assert_eq!(world.body(body).unwrap().state.velocity, velocity, "nothing acts");
    assert!(world.energy().error().abs() < 1e-6);
}
