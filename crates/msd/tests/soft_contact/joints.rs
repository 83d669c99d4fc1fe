//! Joints, limits, motors and torsional friction in the fast tier, each against its law.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::sync::Arc;

use msd::environment::{BodyDescription, ContactSettings, ContactTier, World};
use msd::math::{Vec3, orientation};
use msd::physics::constraints::{BallJoint, HingeJoint, JointEnd, Limits, Motor};
use msd::physics::rigid_body::shape::{Cuboid, HalfSpace, Shape, Sphere};
use msd::physics::rigid_body::{BodyHandle, Material};

const G: f64 = 9.81;

fn world_with_floor(material: Material) -> World {
    let mut world = World::new();
    world.set_contact_settings(ContactSettings::with_tier(ContactTier::Fast)).unwrap();
    let floor: Shape = HalfSpace::new(Vec3::Z, 0.0).unwrap().into();
    world.add_body(BodyDescription::fixed("floor", floor).material(material)).unwrap();
    world
}

fn spin(world: &World, body: BodyHandle) -> Vec3 {
    world.body(body).unwrap().state.angular_velocity
}

#[test]
fn torsional_friction_stops_a_spinning_ball_in_its_time() {
    // σ m g = (2/5) m r² α about the normal: α = (5/2) σ g/r², and no force along the floor.
    let (sigma, radius, start): (f64, f64, f64) = (1e-4, 0.1, 1.0);
    let material = Material { friction: 0.5, torsional_friction: sigma, ..Material::default() };
    let mut world = world_with_floor(material);
    let ball: Shape = Sphere::new(radius).unwrap().into();
    let body = BodyDescription::dynamic("ball", ball).mass(3.0).position(Vec3::Z * radius).material(material);
    let ball = world.add_body(body.angular_velocity(Vec3::Z * start)).unwrap();
    world.set_dt(0.01).unwrap();
    let braking = 2.5 * sigma * G / (radius * radius);
    let time = start / braking;
    world.run(0.5 * time).unwrap();
    assert!((spin(&world, ball).z - 0.5 * start).abs() < 1e-2 * start, "{}", spin(&world, ball));
    world.run(0.6 * time).unwrap();
    assert!(spin(&world, ball).length() < 1e-9, "it stands and does not turn back: {}", spin(&world, ball));
    let place = world.body(ball).unwrap().state.center_of_mass;
    assert!(Vec3::new(place.x, place.y, 0.0).length() < 1e-12, "{place}");
    // Friction dissipates the energy of the spin, ½ (2/5) m r² ω².
    let energy = world.energy();
    let expected = 0.5 * 0.4 * 3.0 * radius * radius * start * start;
    assert!((energy.dissipated - expected).abs() < 1e-2 * expected, "{energy:?}");
}

#[test]
fn a_limit_holds_a_shelf_and_what_falls_on_it() {
    // A shelf of 2 kg, hinged at the origin about y, its centre at 0.5 m; a box of 1 kg falls on it at 0.7 m. The limit carries
    // the moments of both weights; the sign is that of a moment on the shelf, which turns down with positive angles.
    let rough = Material { friction: 0.6, ..Material::default() };
    let mut world = world_with_floor(rough);
    let height = Vec3::Z * 2.0;
    let shelf: Shape = Cuboid::new(Vec3::new(1.0, 0.5, 0.1)).unwrap().into();
    let shelf = BodyDescription::dynamic("shelf", shelf).mass(2.0).position(height + Vec3::X * 0.5);
    let shelf = world.add_body(shelf.material(rough)).unwrap();
    let hinge = HingeJoint::new(JointEnd::WORLD, world.joint_end(shelf).unwrap(), height, Vec3::Y).unwrap();
    let hinge = hinge.with_limits(Limits { min: -0.5, max: 0.0 }).unwrap();
    let hinge = world.add_joint("hinge", Arc::new(hinge)).unwrap();
    let cube: Shape = Cuboid::new(Vec3::splat(0.2)).unwrap().into();
    let cube = BodyDescription::dynamic("cube", cube).mass(1.0).position(height + Vec3::new(0.7, 0.0, 0.3));
    let cube = world.add_body(cube.material(rough)).unwrap();
    world.set_dt(1.0 / 120.0).unwrap();
    let mut deepest = 0.0_f64;
    let angle = |world: &World| orientation::rotation_vector(world.body(shelf).unwrap().state.orientation).y;
    world
        .run_with(4.0, |world, _| {
            deepest = deepest.max(angle(world));
            true
        })
        .unwrap();
    // Met with v = √(2 g 0.15 m) the limit gives as a spring does, and closes again.
    assert!(deepest < 0.02, "{deepest}");
    let along = world.body(cube).unwrap().state.center_of_mass.x;
    assert!((along - 0.7).abs() < 0.02, "it stays where it fell: {along}");
    // At rest the same force in every step.
    let expected = -G * (2.0 * 0.5 + along);
    for _ in 0..10 {
        world.step(1.0 / 120.0).unwrap();
        assert!(angle(&world).abs() < 1e-3, "{}", angle(&world));
        let pressing = world.contacts().map(|contact| contact.normal_force).sum::<f64>();
        let torque = world.reaction(hinge).unwrap().torque.y;
        assert!((pressing / G - 1.0).abs() < 1e-3, "{pressing}");
        assert!((torque / expected - 1.0).abs() < 1e-3, "{torque} instead of {expected}");
    }
    // The books close: nothing of the fall of 1.5 J is missing.
    assert!(world.energy().max_error < 1e-3 * G * 0.15, "{:?}", world.energy());
}

#[test]
fn a_motor_presses_an_arm_on_the_floor_with_its_whole_torque() {
    // About the hinge, with the tip at the distance L = 1 m: N L = T + m g L.
    let smooth = Material { friction: 0.0, ..Material::default() };
    let mut world = world_with_floor(smooth);
    let tip: Shape = Sphere::new(0.1).unwrap().into();
    let tip = BodyDescription::dynamic("tip", tip).mass(2.0).position(Vec3::new(1.0, 0.0, 0.1));
    let tip = world.add_body(tip.material(smooth)).unwrap();
    let hinge =
        HingeJoint::new(JointEnd::WORLD, world.joint_end(tip).unwrap(), Vec3::Z * 0.1, Vec3::Y).unwrap();
    let hinge = hinge.with_motor(Motor { velocity: 1.0, max_force: 7.0 }).unwrap();
    world.add_joint("hinge", Arc::new(hinge)).unwrap();
    world.set_dt(0.005).unwrap();
    world.run(2.0).unwrap();
    let pressing: f64 = world.contacts().map(|contact| contact.normal_force).sum();
    assert!((pressing / (7.0 + 2.0 * G) - 1.0).abs() < 1e-2, "{pressing}");
    assert!(world.body(tip).unwrap().state.velocity.length() < 1e-6);
    let turned = orientation::rotation_vector(world.body(tip).unwrap().state.orientation).y;
    assert!((0.0..1e-3).contains(&turned), "sunk by {turned:e}");
    assert!(world.energy().max_error < 1e-9, "the books close: {:?}", world.energy());
}

/// Links of 1 kg with ball joints, thrown at the floor: a heap of chains.
fn chains(count: u32, links: u32) -> World {
    let rough = Material { friction: 0.5, ..Material::default() };
    let mut world = world_with_floor(rough);
    for c in 0..count {
        let mut last: Option<BodyHandle> = None;
        for k in 0..links {
            let at = Vec3::new(
                0.5 * f64::from(k),
                0.3 * f64::from(c),
                0.6 + 0.2 * f64::from(c) + 0.1 * f64::from(k),
            );
            let link: Shape = Cuboid::new(Vec3::new(0.4, 0.2, 0.1)).unwrap().into();
            let link = BodyDescription::dynamic(&format!("{c} {k}"), link).mass(1.0).position(at);
            let link = world.add_body(link.velocity(Vec3::Z * -3.0).material(rough)).unwrap();
            if let Some(last) = last {
                let ends = [world.joint_end(last).unwrap(), world.joint_end(link).unwrap()];
                let joint = BallJoint::new(ends[0], ends[1], at - Vec3::X * 0.25).unwrap();
                world.add_joint(&format!("{c} {k}"), Arc::new(joint)).unwrap();
            }
            last = Some(link);
        }
    }
    world.set_dt(1.0 / 60.0).unwrap();
    world
}

#[test]
fn chains_that_fall_hold_and_gain_no_energy() {
    let mut world = chains(6, 8);
    let begun = world.energy().total();
    let (mut open, mut last) = (0.0_f64, begun);
    for _ in 0..240 {
        let report = world.step(1.0 / 60.0).unwrap();
        open = open.max(report.joints.position_error);
        let energy = world.energy();
        assert!(energy.total() - last <= report.energy.correction + 1e-4 * begun, "{energy:?}");
        last = energy.total();
    }
    // Struck at 5 m/s, 0.08 m a step.
    assert!(open < 0.03, "{open}");
    let energy = world.energy();
    assert!(energy.max_gain < 1e-4 * begun && energy.max_error < 1e-4 * begun, "{energy:?}");
    assert!(world.step(1.0 / 60.0).unwrap().joints.position_error < 1e-3, "at rest they are closed");
}

#[test]
fn a_snapshot_of_joints_in_contact_goes_on_in_the_same_bits() {
    let mut world = chains(3, 5);
    for _ in 0..60 {
        world.step(1.0 / 60.0).unwrap();
    }
    let snapshot = world.snapshot();
    let mut again = chains(3, 5);
    again.restore(&snapshot).unwrap();
    for _ in 0..60 {
        world.step(1.0 / 60.0).unwrap();
        again.step(1.0 / 60.0).unwrap();
        assert_eq!(world.state_hash(), again.state_hash());
    }
}
