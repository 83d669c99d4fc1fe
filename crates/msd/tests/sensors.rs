//! Sensors against closed forms.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::sync::Arc;

use msd::environment::{Sensor, Site};
use msd::math::orientation;
use msd::physics::constraints::{Actuator, HingeJoint, JointEnd};
use msd::prelude::*;

const G: f64 = 9.81;

fn close(found: &[f64], expected: &[f64], bound: f64) {
    let off = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(found.len() == expected.len() && off < bound, "{found:?} for {expected:?}");
}

fn turned() -> Quat {
    orientation::from_rotation_vector(Vec3::new(0.4, -0.9, 0.3))
}

#[test]
fn a_body_on_the_ground_feels_its_weight_and_reads_its_height() {
    let mut world = World::new();
    world
        .add_body(BodyDescription::fixed("ground", Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap())))
        .unwrap();
    let cube = Shape::Box(Cuboid::new(Vec3::splat(0.4)).unwrap());
    let body =
        world.add_body(BodyDescription::dynamic("cube", cube).mass(3.0).position(Vec3::Z * 0.2)).unwrap();
    world.run(0.5).unwrap();
    let site = Site { body, frame: ReferenceFrame::new(Vec3::new(0.1, 0.0, 0.1), turned()) };
    let up = turned().conjugate() * Vec3::Z * G;
    close(&world.sense(&Sensor::Accelerometer(site)).unwrap(), &up.to_array(), 1e-6);
    close(&world.sense(&Sensor::Touch(body)).unwrap(), &[3.0 * G], 1e-6);
    close(&world.sense(&Sensor::FramePosition(site)).unwrap(), &[0.1, 0.0, 0.3], 1e-8);
    let down = orientation::from_rotation_vector(Vec3::X * std::f64::consts::PI);
    let eye = Site { body, frame: ReferenceFrame::new(Vec3::Z * 0.5, down) };
    close(&world.sense(&Sensor::Rangefinder(eye, 10.0)).unwrap(), &[0.7], 1e-8);
    let away = Site { body, frame: ReferenceFrame::from_position(Vec3::Z) };
    assert_eq!(world.sense(&Sensor::Rangefinder(away, 10.0)).unwrap(), [-1.0]);
}

#[test]
fn falling_freely_nothing_is_felt_but_turning() {
    let mut world = World::new();
    let ball = BodyDescription::dynamic("ball", Shape::Sphere(Sphere::new(0.2).unwrap()))
        .mass(1.0)
        .position(Vec3::Z * 100.0)
        .angular_velocity(Vec3::Z * 2.0);
    let body = world.add_body(ball).unwrap();
    world.run(0.3).unwrap();
    let center = Site { body, frame: ReferenceFrame::from_orientation(turned()) };
    close(&world.sense(&Sensor::Accelerometer(center)).unwrap(), &[0.0; 3], 1e-10);
    // 0.5 m out: ω² r inwards.
    let rim = Site { body, frame: ReferenceFrame::from_position(Vec3::X * 0.5) };
    close(&world.sense(&Sensor::Accelerometer(rim)).unwrap(), &[-2.0, 0.0, 0.0], 1e-9);
    let spin = turned().conjugate() * Vec3::Z * 2.0;
    close(&world.sense(&Sensor::Gyro(center)).unwrap(), &spin.to_array(), 1e-12);
    close(&world.sense(&Sensor::FrameAngularVelocity(rim)).unwrap(), &[0.0, 0.0, 2.0], 1e-12);
    let velocity = world.sense(&Sensor::FrameVelocity(rim)).unwrap();
    let side = Vec3::new(-(0.6_f64.sin()), 0.6_f64.cos(), 0.0);
    close(&velocity, &(side + Vec3::Z * (-0.3 * G)).to_array(), 1e-9);
    let quaternion = world.sense(&Sensor::FrameQuaternion(rim)).unwrap();
    close(&quaternion, &[0.3_f64.cos(), 0.0, 0.0, 0.3_f64.sin()], 1e-10);
}

#[test]
fn a_joint_that_holds_an_arm_level_carries_weight_and_moment() {
    // 2 kg at 0.7 m along x from a hinge about y, held by a servo.
    let mut world = World::new();
    let bob = BodyDescription::dynamic("bob", Shape::Sphere(Sphere::new(0.1).unwrap()))
        .mass(2.0)
        .position(Vec3::X * 0.7);
    let bob = world.add_body(bob).unwrap();
    let hinge = HingeJoint::new(JointEnd::WORLD, world.joint_end(bob).unwrap(), Vec3::ZERO, Vec3::Y).unwrap();
    let hinge = world.add_joint("hinge", Arc::new(hinge)).unwrap();
    let servo = world.add_actuator("servo", hinge, Actuator::position(1e7, 1e3).unwrap()).unwrap();
    world.run(5.0).unwrap();
    let (weight, moment) = (2.0 * G, 2.0 * G * 0.7);
    // At the hinge, in the axes of the bob.
    let site = Site { body: bob, frame: ReferenceFrame::from_position(Vec3::X * -0.7) };
    close(&world.sense(&Sensor::Force(hinge, site)).unwrap(), &[0.0, 0.0, weight], 1e-4);
    close(&world.sense(&Sensor::Torque(hinge, site)).unwrap(), &[0.0, -moment, 0.0], 1e-4);
    // At the bob itself the force has no arm.
    let at_bob = Site { body: bob, frame: ReferenceFrame::IDENTITY };
    close(&world.sense(&Sensor::Torque(hinge, at_bob)).unwrap(), &[0.0; 3], 1e-4);
    close(&world.sense(&Sensor::ActuatorForce(servo)).unwrap(), &[-moment], 1e-5);
    close(&world.sense(&Sensor::JointForce(hinge)).unwrap(), &[-moment], 1e-5);
    close(&world.sense(&Sensor::JointPosition(hinge)).unwrap(), &[moment / 1e7], 1e-9);
    close(&world.sense(&Sensor::JointVelocity(hinge)).unwrap(), &[0.0], 1e-9);
}
