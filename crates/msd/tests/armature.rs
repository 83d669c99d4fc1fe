//! Armature: a rotor on the axis of a joint adds its inertia to the mass matrix, in flight, at limits and in contact.

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use msd::environment::{ContactSettings, ContactTier};
use msd::physics::constraints::{Actuator, ConstraintHandle, HingeJoint, JointEnd, Limits};
use msd::physics::integration;
use msd::prelude::*;

const MASS: f64 = 2.0;
const LENGTH: f64 = 0.6;
const G: f64 = 9.81;

fn world(integrator: &str, dt: f64) -> World {
    let mut world = World::new();
    world.set_gravity(Vec3::Z * -G).unwrap();
    world.set_dt(dt).unwrap();
    world.set_integrator(
        integration::by_name(integrator, (integrator == "adaptive").then_some(1e-10)).unwrap(),
    );
    world
}

fn rod(name: &str, center: Vec3) -> BodyDescription {
    let shape = Shape::Box(Cuboid::new(Vec3::new(LENGTH, 0.05, 0.05)).unwrap());
    BodyDescription::dynamic(name, shape).mass(MASS).position(center)
}

/// A rod along x that turns about y at its end, with a rotor.
fn pendulum(world: &mut World, armature: f64) -> (BodyHandle, ConstraintHandle) {
    let body = world.add_body(rod("rod", Vec3::X * 0.5 * LENGTH)).unwrap();
    let hinge =
        HingeJoint::new(JointEnd::WORLD, world.joint_end(body).unwrap(), Vec3::ZERO, Vec3::Y).unwrap();
    let joint = world.add_joint("hinge", Arc::new(hinge)).unwrap();
    if armature > 0.0 {
        world.add_joint_armature("rotor", joint, armature).unwrap();
    }
    (body, joint)
}

/// Moment of inertia of the rod about its end.
fn about_end() -> f64 {
    MASS * (LENGTH * LENGTH + 0.05 * 0.05) / 12.0 + MASS * 0.25 * LENGTH * LENGTH
}

/// `I q̈ = m g ½L cos q` from rest at q = 0, by small Runge-Kutta steps of its own.
fn exact(inertia: f64, time: f64) -> (f64, f64) {
    let steps = 20_000;
    let h = time / f64::from(steps);
    let f = |q: f64| MASS * G * 0.5 * LENGTH * q.cos() / inertia;
    let (mut q, mut v) = (0.0, 0.0);
    for _ in 0..steps {
        let (k1, l1) = (v, f(q));
        let (k2, l2) = (v + 0.5 * h * l1, f(q + 0.5 * h * k1));
        let (k3, l3) = (v + 0.5 * h * l2, f(q + 0.5 * h * k2));
        let (k4, l4) = (v + h * l3, f(q + h * k3));
        q += h * (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0;
        v += h * (l1 + 2.0 * l2 + 2.0 * l3 + l4) / 6.0;
    }
    (q, v)
}

#[test]
fn a_pendulum_with_a_rotor_swings_as_one_of_more_inertia() {
    for armature in [1e-4, 0.05, 3.0] {
        let wanted = exact(about_end() + armature, 0.7);
        for (integrator, bound) in [("rk4", 2e-9), ("velocity-verlet", 1e-4), ("adaptive", 1e-8)] {
            let mut world = world(integrator, 1e-3);
            let (_, joint) = pendulum(&mut world, armature);
            world.run(0.7).unwrap();
            let q = world.joint_position(joint).unwrap();
            let v = world.joint_velocity(joint).unwrap();
            let off = (q - wanted.0).abs().max((v - wanted.1).abs());
            assert!(off < bound, "{integrator}, {armature} kg·m²: off by {off:e}");
            assert!(world.energy().max_error < 1e-3 * MASS * G, "{:?}", world.energy());
        }
    }
}

#[test]
fn rattle_with_rotors_is_of_second_order_and_keeps_energy() {
    let wanted = exact(about_end() + 0.2, 1.0);
    let errors = [4e-3, 2e-3, 1e-3].map(|dt| {
        let mut world = world("velocity-verlet", dt);
        let (_, joint) = pendulum(&mut world, 0.2);
        world.run(1.0).unwrap();
        (world.joint_position(joint).unwrap() - wanted.0).abs()
    });
    for pair in errors.windows(2) {
        assert!((pair[0] / pair[1] - 4.0).abs() < 0.2, "{errors:?}");
    }
    let mut world = world("velocity-verlet", 2e-3);
    pendulum(&mut world, 0.2);
    let mut extremes = (f64::INFINITY, f64::NEG_INFINITY);
    for _ in 0..20 {
        world.run(1.0).unwrap();
        let energy = world.energy();
        let total = energy.kinetic + energy.potential;
        extremes = (extremes.0.min(total), extremes.1.max(total));
    }
    assert!(extremes.1 - extremes.0 < 2e-3, "{extremes:?}");
}

/// Two rods joined in free space, one of them spinning.
fn two_rods(world: &mut World, armature: f64) -> [BodyHandle; 2] {
    let first = world.add_body(rod("first", Vec3::ZERO).velocity(Vec3::new(0.1, -0.2, 0.3))).unwrap();
    let second = rod("second", Vec3::X * LENGTH).velocity(Vec3::new(0.1, -0.2, 0.3));
    let second = world.add_body(second).unwrap();
    let (a, b) = (world.joint_end(first).unwrap(), world.joint_end(second).unwrap());
    let axis = Vec3::new(0.1, 1.0, 0.2);
    let hinge = HingeJoint::new(a, b, Vec3::X * 0.5 * LENGTH, axis).unwrap();
    let joint = world.add_joint("elbow", Arc::new(hinge)).unwrap();
    world.add_joint_armature("rotor", joint, armature).unwrap();
    let motor = world.add_actuator("motor", joint, Actuator::motor()).unwrap();
    world.set_control(motor, 0.8).unwrap();
    [first, second]
}

#[test]
fn rotors_take_no_momentum_from_bodies_and_work_is_energy() {
    let mut world = world("velocity-verlet", 1e-3);
    world.set_gravity(Vec3::ZERO).unwrap();
    let bodies = two_rods(&mut world, 0.3);
    let momentum = |world: &World| {
        bodies.iter().fold((Vec3::ZERO, Vec3::ZERO), |(p, l), &body| {
            let view = world.body(body).unwrap();
            let state = view.state;
            let linear = state.velocity * view.inertia.mass();
            let spin = state.spin_angular_momentum(view.inertia);
            (p + linear, l + spin + state.center_of_mass.cross(linear))
        })
    };
    let before = momentum(&world);
    world.run(1.0).unwrap();
    let after = momentum(&world);
    assert!((after.0 - before.0).length() < 1e-12 && (after.1 - before.1).length() < 1e-12);
    let ledger = world.energy();
    assert!(ledger.work_in > 0.1 && ledger.max_error < 1e-4 * ledger.work_in, "{ledger:?}");
}

#[test]
fn the_mass_matrix_of_the_tree_has_the_rotor() {
    let mut world = world("rk4", 1e-5);
    two_rods(&mut world, 0.3);
    let tree = world.articulation();
    let (v, m) = (world.v(&tree), world.mass_matrix(&tree));
    let bias = world.bias_forces(&tree);
    world.run(1e-5).unwrap();
    let gained: Vec<f64> = world.v(&tree).iter().zip(&v).map(|(b, a)| (b - a) / 1e-5).collect();
    let n = v.len();
    for i in 0..n {
        let force: f64 = (0..n).map(|j| m[i * n + j] * gained[j]).sum::<f64>() + bias[i];
        let wanted = if i == n - 1 { 0.8 } else { 0.0 };
        assert!((force - wanted).abs() < 1e-3, "row {i}: {force} instead of {wanted}");
    }
}

/// A rod that falls about its hinge onto a block; returns the world.
fn onto_a_block(armature: f64, tier: ContactTier) -> (World, ConstraintHandle) {
    let mut world = world("velocity-verlet", 1e-3);
    world.set_contact_settings(ContactSettings::with_tier(tier)).unwrap();
    let (_, joint) = pendulum(&mut world, armature);
    let block = Shape::Box(Cuboid::new(Vec3::new(0.1, 0.4, 0.1)).unwrap());
    world.add_body(BodyDescription::fixed("block", block).position(Vec3::new(0.45, 0.0, -0.3))).unwrap();
    (world, joint)
}

#[test]
fn a_rotor_is_part_of_what_contact_stops() {
    let (mut world, joint) = onto_a_block(0.1, ContactTier::Exact);
    world.run(1.0).unwrap();
    assert!(world.joint_velocity(joint).unwrap().abs() < 1e-9);
    let ledger = world.energy();
    let started = MASS * G * 0.5 * LENGTH;
    assert!(ledger.max_error < 1e-3 * started, "{ledger:?}");
    // What held the rod up is lost: all of the kinetic energy it had, the rotor's too.
    let fallen = ledger.dissipated;
    let dropped = MASS * G * 0.5 * LENGTH * world.joint_position(joint).unwrap().sin();
    assert!((fallen - dropped).abs() < 2e-3 * dropped, "{fallen} of {dropped} J");
}

#[test]
fn a_rotor_at_rest_feels_nothing_of_the_load() {
    for tier in [ContactTier::Exact, ContactTier::Fast] {
        let (mut world, joint) = onto_a_block(0.1, tier);
        world.run(3.0).unwrap();
        let force: f64 = world.contacts().map(|contact| contact.force().length()).sum();
        assert!(world.joint_velocity(joint).unwrap().abs() < 1e-5, "{tier:?}");
        assert!(force > 5.0, "{tier:?}: {force} N");
    }
}

#[test]
fn a_limit_stops_the_rotor_with_the_rod() {
    let mut world = world("velocity-verlet", 1e-3);
    let body = world.add_body(rod("rod", Vec3::X * 0.5 * LENGTH)).unwrap();
    let hinge = HingeJoint::new(JointEnd::WORLD, world.joint_end(body).unwrap(), Vec3::ZERO, Vec3::Y)
        .unwrap()
        .with_limits(Limits { min: -0.5, max: 0.5 })
        .unwrap();
    let joint = world.add_joint("hinge", Arc::new(hinge)).unwrap();
    world.add_joint_armature("rotor", joint, 0.5).unwrap();
    world.run(2.0).unwrap();
    assert!((world.joint_position(joint).unwrap() - 0.5).abs() < 1e-9);
    assert!(world.joint_velocity(joint).unwrap().abs() < 1e-9);
    let ledger = world.energy();
    let dropped = MASS * G * 0.5 * LENGTH * 0.5_f64.sin();
    assert!((ledger.dissipated - dropped).abs() < 1e-3 * dropped, "{ledger:?} of {dropped}");
    // The energy of a splitting swings by the square of the step.
    assert!(ledger.max_error < 2e-6 * dropped, "{ledger:?}");
    let force = world.joint_force(joint).unwrap();
    assert!((force + MASS * G * 0.5 * LENGTH * 0.5_f64.cos()).abs() < 1e-6, "{force}");
}

#[test]
fn a_servo_on_a_light_link_with_a_heavy_rotor_is_resolved() {
    // 1e-3 kg·m² of link behind 1 kg·m² of rotor: ω² = k/(I + Iₐ).
    let mut world = world("rk4", 2e-3);
    world.set_gravity(Vec3::ZERO).unwrap();
    let shape = Shape::Box(Cuboid::new(Vec3::splat(0.1)).unwrap());
    let body = world.add_body(BodyDescription::dynamic("link", shape).mass(0.6)).unwrap();
    let hinge =
        HingeJoint::new(JointEnd::WORLD, world.joint_end(body).unwrap(), Vec3::ZERO, Vec3::Z).unwrap();
    let joint = world.add_joint("hinge", Arc::new(hinge)).unwrap();
    world.add_joint_armature("rotor", joint, 1.0).unwrap();
    let (k, inertia) = (400.0_f64, 1.0 + 0.6 * 0.01 / 6.0);
    let servo = world.add_actuator("servo", joint, Actuator::position(k, 0.0).unwrap()).unwrap();
    world.set_control(servo, FRAC_PI_2).unwrap();
    world.run(0.5).unwrap();
    let wanted = FRAC_PI_2 * (1.0 - ((k / inertia).sqrt() * 0.5).cos());
    assert!((world.joint_position(joint).unwrap() - wanted).abs() < 1e-5);
}

#[test]
fn an_armature_that_makes_no_sense_is_refused() {
    let mut world = world("velocity-verlet", 1e-3);
    let (_, joint) = pendulum(&mut world, 0.0);
    for inertia in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-320] {
        let refused = world.add_joint_armature("rotor", joint, inertia).unwrap_err().to_string();
        assert!(refused.contains("inertia"), "{refused}");
    }
}
