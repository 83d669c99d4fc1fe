//! Joints, limits and motors in one problem with contacts.

use std::sync::Arc;

use msd::environment::{BodyDescription, World};
use msd::math::Vec3;
use msd::physics::constraints::{BallJoint, HingeJoint, JointEnd, Motor};
use msd::physics::rigid_body::shape::{Cuboid, HalfSpace, Shape, Sphere};
use msd::physics::rigid_body::{BodyHandle, Material};

const G: f64 = 9.81;

fn world_with_floor() -> World {
    let mut world = World::new();
    let floor: Shape = HalfSpace::new(Vec3::Z, 0.0).unwrap().into();
    world.add_body(BodyDescription::fixed("floor", floor)).unwrap();
    world
}

fn cube(side: f64) -> Shape {
    Cuboid::new(Vec3::splat(side)).unwrap().into()
}

fn join(world: &mut World, name: &str, a: BodyHandle, b: BodyHandle, at: Vec3) {
    let joint = BallJoint::new(world.joint_end(a).unwrap(), world.joint_end(b).unwrap(), at).unwrap();
    world.add_joint(name, Arc::new(joint)).unwrap();
}

#[test]
fn two_cubes_joined_at_a_corner_rest_side_by_side_on_the_floor() {
    let mut world = world_with_floor();
    let at = |x: f64| {
        BodyDescription::dynamic(&format!("at {x}"), cube(1.0)).mass(2.0).position(Vec3::new(x, 0.0, 0.5))
    };
    let (a, b) = (world.add_body(at(-0.5)).unwrap(), world.add_body(at(0.5)).unwrap());
    join(&mut world, "corner", a, b, Vec3::new(0.0, 0.0, 1.0));
    for _ in 0..500 {
        let report = world.step(0.01).unwrap();
        assert!(report.contacts.is_certified(), "{:?}", report.contacts);
        assert!(report.joints.position_error < 1e-9, "{:?}", report.joints);
        assert!(report.energy.unexplained < 1e-9, "{:?}", report.energy);
    }
    for body in [a, b] {
        let state = world.body(body).unwrap().state;
        assert!(state.velocity.length() < 1e-9 && (state.center_of_mass.z - 0.5).abs() < 1e-8, "{state:?}");
    }
    let weight: f64 = world.contacts().map(|contact| contact.normal_force).sum();
    assert!((weight - 4.0 * G).abs() < 1e-6, "{weight}");
}

#[test]
fn a_chain_falls_on_the_floor_with_its_joints_closed_and_gains_nothing() {
    let mut world = world_with_floor();
    let mut last: Option<BodyHandle> = None;
    for i in 0..6 {
        let link: Shape = Cuboid::new(Vec3::new(0.4, 0.1, 0.1)).unwrap().into();
        let at = Vec3::new(0.5 * f64::from(i), 0.0, 1.0 + 0.1 * f64::from(i));
        let body = world
            .add_body(BodyDescription::dynamic(&format!("link {i}"), link).mass(0.5).position(at))
            .unwrap();
        if let Some(last) = last {
            join(&mut world, &format!("joint {i}"), last, body, at - Vec3::new(0.25, 0.0, 0.05));
        }
        last = Some(body);
    }
    let mut worst: f64 = 0.0;
    for step in 0..2000 {
        let report = world.step(0.002).unwrap();
        assert!(report.contacts.is_certified(), "step {step}: {:?}", report.contacts);
        assert!(world.joint_report().position_error < 1e-9);
        worst = worst.max(report.energy.unexplained);
    }
    // In the step of an impact joints turn while they are flown straight: of 5 J lost in one, the third order of the step.
    assert!(worst < 1e-2, "unexplained gain {worst:e} J of 30 J");
    let speed = world.all_bodies().iter().map(|view| view.state.velocity.length()).fold(0.0, f64::max);
    assert!(speed < 1e-3, "the chain lies still: {speed}");
}

#[test]
fn a_motor_presses_an_arm_on_the_floor_with_its_whole_torque() {
    // About the hinge, with the tip at the distance L = 1 m: N L = T + m g L.
    let mut world = world_with_floor();
    let tip: Shape = Sphere::new(0.1).unwrap().into();
    // Friction at the floor would have a lever arm about the hinge too.
    let smooth = Material { friction: 0.0, ..Material::default() };
    let tip = BodyDescription::dynamic("tip", tip).mass(2.0).position(Vec3::new(1.0, 0.0, 0.1));
    let tip = world.add_body(tip.material(smooth)).unwrap();
    let hinge =
        HingeJoint::new(JointEnd::WORLD, world.joint_end(tip).unwrap(), Vec3::Z * 0.1, Vec3::Y).unwrap();
    let hinge = hinge.with_motor(Motor { velocity: 1.0, max_force: 7.0 }).unwrap();
    let hinge = world.add_joint("hinge", Arc::new(hinge)).unwrap();
    for _ in 0..200 {
        let report = world.step(0.005).unwrap();
        assert!(report.contacts.is_certified(), "{:?}", report.contacts);
    }
    let pressing: f64 = world.contacts().map(|contact| contact.normal_force).sum();
    assert!((pressing - (7.0 + 2.0 * G)).abs() < 1e-6, "{pressing}");
    assert!(world.body(tip).unwrap().state.velocity.length() < 1e-9);
    // The hinge itself is unloaded: the weight and the motor's couple are balanced by the floor alone.
    assert!((world.reaction(hinge).unwrap().force.z + 7.0).abs() < 1e-6, "{:?}", world.reaction(hinge));
    // A motor works by its torque times its rotation: none but the sinking of the tip within the slop.
    let state = world.body(tip).unwrap().state;
    let turned = msd::math::orientation::rotation_vector(state.orientation).y;
    let work = world.energy().work_in;
    assert!(work.abs() < 1e-8 && turned.abs() < 1e-9, "{work:e} for {turned:e} rad");
}

#[test]
fn a_ball_on_a_string_hits_another_and_passes_its_momentum_on() {
    // Newton's cradle of two pendulums: after the blow at the lowest point the first hangs still.
    let mut world = World::new();
    let steel = Material { friction: 0.0, restitution: 1.0, ..Material::default() };
    let ball: Shape = Sphere::new(0.1).unwrap().into();
    let angle: f64 = 0.5;
    let low = |x: f64| Vec3::new(x, 0.0, 0.0);
    let top = |x: f64| Vec3::new(x, 0.0, 1.0);
    let raised = top(0.0) + Vec3::new(-angle.sin(), 0.0, -angle.cos());
    let first = world
        .add_body(BodyDescription::dynamic("first", ball.clone()).mass(1.0).position(raised).material(steel))
        .unwrap();
    let second = world
        .add_body(BodyDescription::dynamic("second", ball).mass(1.0).position(low(0.2)).material(steel))
        .unwrap();
    for (name, body, at) in [("a", first, top(0.0)), ("b", second, top(0.2))] {
        let joint = HingeJoint::new(JointEnd::WORLD, world.joint_end(body).unwrap(), at, Vec3::Y).unwrap();
        world.add_joint(name, Arc::new(joint)).unwrap();
    }
    world.set_dt(0.001).unwrap();
    let start = world.energy().total();
    while world.body(second).unwrap().state.velocity.length() < 1e-3 {
        world.step(0.001).unwrap();
        assert!(world.time() < 2.0);
    }
    let speed = (2.0 * G * (1.0 - angle.cos()) / 1.004).sqrt();
    assert!(world.body(first).unwrap().state.velocity.length() < 0.01 * speed);
    assert!((world.body(second).unwrap().state.velocity.length() / speed - 1.0).abs() < 0.01);
    assert!((world.energy().total() - start).abs() < 1e-4, "{:e}", world.energy().total() - start);
}
