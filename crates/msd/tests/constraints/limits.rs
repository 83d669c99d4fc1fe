//! Limits reached within a step: the impact is in the ledger, to round-off. Links of almost no mass.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use msd::environment::{BodyDescription, World};
use msd::math::{Vec3, scalar};
use msd::physics::constraints::{HingeJoint, JointEnd, Limits, Pair, SliderJoint};
use msd::physics::integration::by_name;
use msd::physics::rigid_body::shape::{Shape, Sphere};
use msd::physics::rigid_body::{BodyHandle, InertialState};

const G: f64 = 9.81;

fn ball(name: &str) -> BodyDescription {
    BodyDescription::dynamic(name, Shape::Sphere(Sphere::new(0.1).unwrap())).mass(2.0)
}

/// A ball of 2 kg on a vertical slider from its middle, with a stop 0.3 m below.
fn falling(integrator: &str) -> (World, BodyHandle) {
    let mut world = World::new();
    let body = world.add_body(ball("slide")).unwrap();
    let slider = SliderJoint::new(JointEnd::WORLD, world.joint_end(body).unwrap(), Vec3::ZERO, Vec3::Z)
        .unwrap()
        .with_limits(Limits { min: -0.3, max: 1.0 })
        .unwrap();
    world.add_joint("rail", Arc::new(slider)).unwrap();
    world.set_integrator(by_name(integrator, None).unwrap());
    (world, body)
}

#[test]
fn a_slider_that_falls_on_its_stop_loses_what_it_had_there() {
    // The impact takes m g h = 2 · 9.81 · 0.3 J: what the fall to the stop gave, whatever the step, and not the m g v dt
    // (up to 0.48 J at 10 ms) that flight past the stop adds.
    for integrator in ["velocity-verlet", "rk4", "semi-implicit-euler"] {
        for dt in [0.01, 0.003, 0.001] {
            let (mut world, body) = falling(integrator);
            for _ in 0..(0.5 / dt) as usize {
                world.step(dt).unwrap();
            }
            let (height, energy) = (world.body(body).unwrap().state.center_of_mass.z, world.energy());
            assert!((height + 0.3).abs() < 1e-14, "{integrator}, {dt} s: {height}");
            // Semi-implicit Euler falls by ½ g dt v too much on its own account, which is its error, not the impact's.
            let own = if integrator == "semi-implicit-euler" { 0.5 * 2.0 * G * dt * 2.43 } else { 1e-13 };
            assert!((energy.dissipated - 2.0 * G * 0.3).abs() < 1.1 * own, "{integrator}: {energy:?}");
            assert!(energy.max_error < 1.1 * own, "{integrator}, {dt} s: {:e}", energy.max_error);
        }
    }
}

#[test]
fn a_push_against_a_stop_works_as_far_as_the_stop() {
    // 7 N over 0.3 m; the body comes to rest there, so that the impact takes the same 2.1 J.
    let (mut world, body) = falling("velocity-verlet");
    world.set_gravity(Vec3::ZERO).unwrap();
    for _ in 0..100 {
        world.apply_force(body, Vec3::Z * -7.0).unwrap();
        world.step(0.01).unwrap();
    }
    let energy = world.energy();
    assert!((energy.work_in - 2.1).abs() < 1e-13 && (energy.dissipated - 2.1).abs() < 1e-13, "{energy:?}");
    assert!(energy.max_error < 1e-13 && energy.kinetic == 0.0, "{energy:?}");
}

#[test]
fn an_arm_that_falls_into_its_limit_loses_what_it_had_there() {
    // 2 kg at 1 m, level, with a limit 1 rad lower: m g l sin 1 = 16.5 J. Runge-Kutta flies there without an error that shows,
    // and at 1 ms m g v dt is 0.08 J.
    let mut world = World::new();
    let body = world.add_body(ball("bob").position(Vec3::X)).unwrap();
    let hinge = HingeJoint::new(JointEnd::WORLD, world.joint_end(body).unwrap(), Vec3::ZERO, Vec3::Y)
        .unwrap()
        .with_limits(Limits { min: -1.0, max: 1.0 })
        .unwrap();
    world.add_joint("shoulder", Arc::new(hinge)).unwrap();
    world.set_integrator(by_name("rk4", None).unwrap());
    let mut taken = 0.0;
    for _ in 0..700 {
        let step = world.step(0.001).unwrap();
        if step.energy.dissipated > 1.0 {
            assert!(step.energy.unexplained.abs() < 1e-12, "{:e}", step.energy.unexplained);
            taken = step.energy.dissipated;
        }
    }
    let energy = world.energy();
    assert!((taken - 2.0 * G * scalar::sin(1.0)).abs() < 1e-10, "the impact took {taken} J");
    assert!(energy.kinetic < 1e-25, "{energy:?}");
    assert!(energy.max_error < 1e-10, "{:e}", energy.max_error);
}

#[test]
fn a_limit_that_is_struck_by_a_chain_of_links_stops_it() {
    // An upper arm of 0.1 kg that carries 2 kg at a skew elbow; the shoulder has a stop 1 rad below level. Bringing both back
    // to the stop takes several Newton steps, and here the first carries the shoulder past the stop to the inside, by 1e-6
    // rad: the square of how far it flew past. A stop that then no longer counts as touched lets the shoulder keep its 4
    // rad/s, and gravity puts m g v dt, about 0.08 J, into it in every step without any way down.
    let mut world = World::new();
    let upper = world.add_body(ball("upper").mass(0.1).position(Vec3::X * 0.25)).unwrap();
    let lower = Vec3::new(0.5 + 0.5 * scalar::cos(1.0), 0.1, 0.5 * scalar::sin(1.0));
    let lower = world.add_body(ball("lower").position(lower)).unwrap();
    let ends = [JointEnd::WORLD, world.joint_end(upper).unwrap(), world.joint_end(lower).unwrap()];
    let shoulder = HingeJoint::new(ends[0], ends[1], Vec3::ZERO, Vec3::Y).unwrap();
    let shoulder = shoulder.with_limits(Limits { min: -1.0, max: 1.0 }).unwrap();
    let elbow = HingeJoint::new(ends[1], ends[2], Vec3::X * 0.5, Vec3::ONE).unwrap();
    world.add_joint("shoulder", Arc::new(shoulder.clone())).unwrap();
    world.add_joint("elbow", Arc::new(elbow)).unwrap();
    world.set_integrator(by_name("rk4", None).unwrap());
    let mut struck = false;
    while !struck {
        let report = world.step(0.001).unwrap();
        assert!(report.step < 1000, "the arm falls for half a second");
        let state = *world.body(upper).unwrap().state;
        let left = 1.0 - shoulder.angle(&Pair { a: &InertialState::AT_REST, b: &state });
        struck = left < 1e-5;
        if struck {
            assert!(left.abs() < 1e-14, "{left:e} rad left");
            assert!(state.angular_velocity.length() < 1e-9, "{}", state.angular_velocity);
        }
    }
    for _ in 0..40 {
        let step = world.step(0.001).unwrap().energy;
        // Runge-Kutta's own error: (dt ω)⁵ of 10 J with the lower arm at up to 22 rad/s.
        assert!(step.unexplained.abs() < 5e-8, "{:e}", step.unexplained);
    }
}

#[test]
fn a_body_thrown_at_the_stop_it_rests_on_loses_what_it_was_given() {
    // 2 kg at 3 m/s: 9 J, with the body at the stop already when the step begins.
    for integrator in ["velocity-verlet", "rk4", "semi-implicit-euler"] {
        let (mut world, body) = falling(integrator);
        for _ in 0..50 {
            world.step(0.01).unwrap();
        }
        let before = world.energy();
        world.set_velocity(body, Vec3::Z * -3.0).unwrap();
        let step = world.step(0.01).unwrap();
        let after = world.energy();
        // Semi-implicit Euler again falls by ½ g dt v too much on its own account.
        let own = if integrator == "semi-implicit-euler" { 0.5 * 2.0 * G * 0.01 * 3.2 } else { 1e-12 };
        assert!((after.dissipated - before.dissipated - 9.0).abs() < own, "{integrator}: {after:?}");
        assert!(step.energy.unexplained.abs() < own, "{integrator}: {:e}", step.energy.unexplained);
        let state = world.body(body).unwrap().state;
        assert!((state.center_of_mass.z + 0.3).abs() < 1e-14 && state.velocity.length() < 1e-14, "{state:?}");
    }
}

#[test]
fn links_a_million_millionth_as_heavy_as_what_they_carry_are_no_redundant_joints() {
    // A pendulum of 2 kg and 1 m on a gimbal of two rings of 1e-12 kg. Rows of the rings leave pivots of 1e-12, which between
    // joints without loops are light links, not redundancy. From level it falls to v² = 2 g h.
    let mut world = World::new();
    let ring =
        |name: &str| BodyDescription::dynamic(name, Shape::Sphere(Sphere::new(0.1).unwrap())).mass(1e-12);
    let outer = world.add_body(ring("outer")).unwrap();
    let inner = world.add_body(ring("inner")).unwrap();
    let bob = world.add_body(ball("bob").position(Vec3::X)).unwrap();
    for (name, a, b, axis) in [
        ("yaw", None, outer, Vec3::Z),
        ("pitch", Some(outer), inner, Vec3::Y),
        ("roll", Some(inner), bob, Vec3::X),
    ] {
        let a = a.map_or(JointEnd::WORLD, |body| world.joint_end(body).unwrap());
        let hinge = HingeJoint::new(a, world.joint_end(b).unwrap(), Vec3::ZERO, axis).unwrap();
        world.add_joint(name, Arc::new(hinge)).unwrap();
    }
    for _ in 0..300 {
        let report = world.step(0.001).unwrap();
        assert_eq!(report.joints.dependent_rows, 0);
    }
    let state = world.body(bob).unwrap().state;
    assert!((state.center_of_mass.length() - 1.0).abs() < 1e-12);
    let fallen = -2.0 * G * state.center_of_mass.z;
    // The ball turns with its arm: v² (1 + 2/5 · 0.1²) = 2 g h, to the (dt ω)² of Verlet.
    let gained = state.velocity.length_squared() * 1.004;
    assert!((gained - fallen).abs() < 1e-5 * fallen, "{gained} {fallen}");
}
