//! Joints in a world: held, reported, entered in the ledger, commanded and restored.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::sync::Arc;

use msd::agent::{Command, Scripted};
use msd::engine::Engine;
use msd::environment::{BodyDescription, World, WorldError};
use msd::math::Vec3;
use msd::physics::constraints::{BallJoint, FixedJoint, HingeJoint, JointEnd, Motor};
use msd::physics::integration::by_name;
use msd::physics::rigid_body::BodyHandle;
use msd::physics::rigid_body::shape::{Shape, Sphere};

fn ball(name: &str) -> BodyDescription {
    BodyDescription::dynamic(name, Shape::Sphere(Sphere::new(0.1).unwrap())).mass(1.0)
}

/// A ball 1 m from a pivot at the origin, held out sideways.
fn pendulum() -> (World, BodyHandle) {
    let mut world = World::new();
    let bob = world.add_body(ball("bob").position(Vec3::X)).unwrap();
    let joint = BallJoint::new(JointEnd::WORLD, world.joint_end(bob).unwrap(), Vec3::ZERO).unwrap();
    world.add_joint("pivot", Arc::new(joint)).unwrap();
    (world, bob)
}

#[test]
fn a_pendulum_keeps_its_length_and_its_energy_with_every_integrator() {
    // Largest |E - E₀| of 9.81 J over 2 s at 1 ms. Second-order methods err by O(dt²), first-order ones by O(dt).
    let cases = [("velocity-verlet", 1e-4), ("rk4", 1e-9), ("semi-implicit-euler", 0.1)];
    for (name, energy) in cases {
        let (mut world, bob) = pendulum();
        world.set_integrator(by_name(name, None).unwrap());
        let report = world.run(2.0).unwrap();
        let length = world.body(bob).unwrap().state.center_of_mass.length();
        assert!((length - 1.0).abs() < 1e-12, "{name}: length {length}");
        assert!(report.joints.position < 1e-12, "{name}: {:e}", report.joints.position);
        assert!(report.energy.max_error < energy, "{name}: energy error {:e}", report.energy.max_error);
    }
}

#[test]
fn a_hanging_ball_pulls_on_its_pivot_with_its_weight() {
    let mut world = World::new();
    let bob = world.add_body(ball("bob").position(-Vec3::Z)).unwrap();
    let joint = BallJoint::new(JointEnd::WORLD, world.joint_end(bob).unwrap(), Vec3::ZERO).unwrap();
    let pivot = world.add_joint("pivot", Arc::new(joint)).unwrap();
    world.run(0.1).unwrap();
    let reaction = world.reaction(pivot).unwrap();
    assert!((reaction.force - Vec3::Z * 9.81).length() < 1e-9, "on B, world frame: {}", reaction.force);
    assert!(world.body(bob).unwrap().state.velocity.length() < 1e-12);
}

#[test]
fn contradictory_joints_are_an_error_that_names_them_and_changes_nothing() {
    let mut world = World::new();
    let a = world.add_body(ball("a")).unwrap();
    let b = world.add_body(ball("b").position(Vec3::X)).unwrap();
    let fixed =
        |world: &World, body| FixedJoint::new(JointEnd::WORLD, world.joint_end(body).unwrap(), Vec3::ZERO);
    world.add_joint("left", Arc::new(fixed(&world, a).unwrap())).unwrap();
    world.add_joint("right", Arc::new(fixed(&world, b).unwrap())).unwrap();
    let (ends, length) = ((world.joint_end(a).unwrap(), world.joint_end(b).unwrap()), 2.0);
    let rod = msd::physics::constraints::DistanceJoint::new(ends.0, ends.1, Vec3::ZERO, Vec3::X).unwrap();
    world.add_joint("rod", Arc::new(rod.with_length(length).unwrap())).unwrap();
    let before = world.state_hash();
    let error = world.step(0.001).unwrap_err().to_string();
    assert!(error.contains("`rod`"), "{error}");
    assert_eq!(world.state_hash(), before);
}

#[test]
fn bodies_with_joints_are_not_removed_and_foreign_ones_not_joined() {
    let (mut world, bob) = pendulum();
    let refused = world.remove_body(bob).unwrap_err().to_string();
    assert_eq!(refused, "body `bob` is used by the joint `pivot`; remove that first");
    let (other, stranger) = pendulum();
    let joint = BallJoint::new(JointEnd::WORLD, other.joint_end(stranger).unwrap(), Vec3::ZERO).unwrap();
    assert_eq!(world.add_joint("x", Arc::new(joint)).unwrap_err(), WorldError::ForeignHandle);
    let pivot = world.find_joint("pivot").unwrap();
    world.remove_joint(pivot).unwrap();
    world.remove_body(bob).unwrap();
    assert!(world.remove_joint(pivot).is_err());
}

/// A wheel (I = 2/5 m r² = 0.4 kg·m²) on a motorised hinge in free space.
fn wheel() -> (Engine, BodyHandle) {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    let shape = Shape::Sphere(Sphere::new(1.0).unwrap());
    let wheel = world.add_body(BodyDescription::dynamic("wheel", shape).mass(1.0)).unwrap();
    let motor = Motor { velocity: 2.0, max_force: 0.4 };
    let hinge = HingeJoint::new(JointEnd::WORLD, world.joint_end(wheel).unwrap(), Vec3::ZERO, Vec3::Z)
        .unwrap()
        .with_motor(motor)
        .unwrap();
    world.add_joint("axle", Arc::new(hinge)).unwrap();
    (Engine::new(world), wheel)
}

#[test]
fn a_motor_ramps_up_with_its_torque_and_its_work_is_booked() {
    let (mut engine, wheel) = wheel();
    engine.run(1.0, |_, _| true).unwrap();
    let speed = |engine: &Engine| engine.world().body(wheel).unwrap().state.angular_velocity.z;
    assert!((speed(&engine) - 1.0).abs() < 1e-9, "τ t / I = 1 rad/s");
    engine.run(2.0, |_, _| true).unwrap();
    assert!((speed(&engine) - 2.0).abs() < 1e-9, "holds its speed");
    let energy = engine.world().energy();
    assert!((energy.work_in - 0.5 * 0.4 * 4.0).abs() < 1e-9, "work = kinetic energy: {}", energy.work_in);
    assert!(energy.max_error < 1e-9);
}

#[test]
fn an_agent_commands_a_motor_and_the_command_is_part_of_the_snapshot() {
    let (mut engine, wheel) = wheel();
    let axle = engine.world().find_joint("axle").unwrap();
    let reverse = vec![Command::MotorVelocity { joint: axle, velocity: -2.0 }];
    engine.add_agent(Scripted::new(vec![(1.0, reverse)]).unwrap());
    engine.run(1.5, |_, _| true).unwrap();
    let snapshot = engine.world().snapshot();
    let mut restored = self::wheel().0.world().clone();
    restored.restore(&snapshot).unwrap();
    engine.run(2.0, |_, _| true).unwrap();
    restored.run(2.0).unwrap();
    let speed = engine.world().body(wheel).unwrap().state.angular_velocity.z;
    assert!((speed + 1.5).abs() < 1e-9, "1 - 1 · 2.5 rad/s: {speed}");
    assert_eq!(restored.state_hash(), engine.world().state_hash());
    assert!(engine.world_mut().set_motor_velocity(axle, f64::NAN).is_err());
}

#[test]
fn a_load_on_a_body_that_a_joint_holds_does_no_work() {
    for name in ["velocity-verlet", "semi-implicit-euler", "rk4"] {
        let mut world = World::new();
        world.set_integrator(by_name(name, None).unwrap());
        let bob = world.add_body(ball("bob").position(-Vec3::Z)).unwrap();
        let joint = BallJoint::new(JointEnd::WORLD, world.joint_end(bob).unwrap(), Vec3::ZERO).unwrap();
        world.add_joint("pivot", Arc::new(joint)).unwrap();
        for _ in 0..1000 {
            world.apply_force(bob, -Vec3::Z).unwrap();
            world.step(1e-3).unwrap();
        }
        assert!(world.energy().work_in.abs() < 1e-14, "{name}: {:e} J", world.energy().work_in);
    }
}

#[test]
fn a_pair_that_collides_again_is_still_kept_apart_by_its_joint_or_by_the_user() {
    let mut world = World::new();
    let ball = |world: &mut World, name: &str, x: f64| {
        let ball = Sphere::new(0.5).unwrap();
        world.add_body(BodyDescription::dynamic(name, ball).mass(1.0).position(Vec3::X * x)).unwrap()
    };
    let (a, b) = (ball(&mut world, "a", 0.0), ball(&mut world, "b", 0.8));
    world.set_gravity(Vec3::ZERO).unwrap();
    let touches = |world: &mut World| {
        let mut copy = world.clone();
        copy.step(1e-3).unwrap();
        copy.contacts().count() > 0 || copy.frame(a).unwrap().position.x != 0.0
    };
    assert!(touches(&mut world));
    world.set_collision(b, a, false).unwrap();
    let rope = world.add_rope_joint("rope", a, b, [Vec3::ZERO, Vec3::X * 0.8]).unwrap();
    assert!(!touches(&mut world));
    world.set_collision(a, b, true).unwrap();
    assert!(!touches(&mut world), "the joint keeps them from it");
    world.set_collision(a, b, false).unwrap();
    world.remove_joint(rope).unwrap();
    assert!(!touches(&mut world), "the user keeps them from it");
    world.set_collision(a, b, true).unwrap();
    assert!(touches(&mut world));
}
