//! Handles: accepted by the world they were added to and by the copies made of it since, refused by every other.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use msd::environment::{BodyDescription, FieldHandle, World, WorldError};
use msd::math::Vec3;
use msd::physics::constraints::{BallJoint, ConstraintError, ConstraintHandle, HingeJoint, JointEnd, Motor};
use msd::physics::forces::{Atmosphere, Drag};
use msd::physics::rigid_body::BodyHandle;
use msd::physics::rigid_body::shape::{Shape, Sphere};

fn ball(name: &str) -> BodyDescription {
    let shape: Shape = Sphere::new(0.1).unwrap().into();
    BodyDescription::dynamic(name, shape).mass(1.0)
}

fn joint(world: &World, body: BodyHandle) -> Arc<HingeJoint> {
    let end = world.joint_end(body).unwrap();
    let hinge = HingeJoint::new(JointEnd::WORLD, end, Vec3::X, Vec3::Y).unwrap();
    Arc::new(hinge.with_motor(Motor { velocity: 0.0, max_force: 1.0 }).unwrap())
}

fn drag() -> Arc<Drag> {
    Arc::new(Drag::new(Atmosphere::Uniform { density: 1.0 }).unwrap().with_drag_area(0.1).unwrap())
}

/// A world with one of each.
fn world() -> (World, BodyHandle, ConstraintHandle, FieldHandle) {
    let mut world = World::new();
    let body = world.add_body(ball("ball")).unwrap();
    let hinge = world.add_joint("hinge", joint(&world, body)).unwrap();
    let field = world.add_field(drag()).unwrap();
    (world, body, hinge, field)
}

fn is_refused_by(world: &mut World, body: BodyHandle, hinge: ConstraintHandle, field: FieldHandle) {
    let (before, model) = (world.state_hash(), world.model_hash());
    assert!(world.body(body).is_err() && world.set_velocity(body, Vec3::X).is_err());
    assert!(world.apply_force(body, Vec3::X).is_err() && world.remove_body(body).is_err());
    assert!(world.reaction(hinge).is_err() && world.set_motor_velocity(hinge, 1.0).is_err());
    let replacement = world.find("ball").map(|own| joint(world, own));
    if let Some(replacement) = replacement {
        assert!(world.replace_joint(hinge, replacement).is_err());
    }
    assert!(world.remove_joint(hinge).is_err() && world.remove_field(field).is_err());
    assert_eq!((world.state_hash(), world.model_hash()), (before, model));
}

#[test]
fn another_world_refuses_handles_even_if_it_was_built_alike() {
    let (_, body, hinge, field) = world();
    let (mut other, ..) = world();
    is_refused_by(&mut other, body, hinge, field);
    assert_eq!(other.body(body).unwrap_err(), WorldError::ForeignHandle);
    assert_eq!(other.remove_field(field).unwrap_err(), WorldError::ForeignHandle);
    assert_eq!(other.remove_joint(hinge).unwrap_err(), WorldError::Joint(ConstraintError::UnknownHandle));
    is_refused_by(&mut World::new(), body, hinge, field);
}

#[test]
fn a_snapshot_brings_state_and_no_handles() {
    let (mut original, body, hinge, field) = world();
    original.step(0.01).unwrap();
    let (mut other, ..) = world();
    other.restore(&original.snapshot()).unwrap();
    is_refused_by(&mut other, body, hinge, field);
    assert!(other.body(other.find("ball").unwrap()).is_ok());
}

#[test]
fn a_copy_accepts_what_it_was_copied_with() {
    let (mut original, body, hinge, field) = world();
    let mut copy = original.clone();
    copy.set_velocity(body, Vec3::X).unwrap();
    copy.set_motor_velocity(hinge, 1.0).unwrap();
    assert_eq!(original.body(body).unwrap().state.velocity, Vec3::ZERO);
    copy.remove_joint(hinge).unwrap();
    copy.remove_field(field).unwrap();
    copy.remove_body(body).unwrap();
    assert!(copy.body(body).is_err());
    // The original still has them, and they are still its own.
    assert!(original.body(body).is_ok() && original.reaction(hinge).is_ok());
    original.remove_field(field).unwrap();
}

#[test]
fn what_is_added_after_copying_belongs_to_one_of_the_two() {
    let (mut original, body, hinge, field) = world();
    let mut copy = original.clone();
    for world in [&mut original, &mut copy] {
        world.remove_joint(hinge).unwrap();
        world.remove_field(field).unwrap();
        world.remove_body(body).unwrap();
    }
    // The same slots in both.
    let add = |world: &mut World| {
        let body = world.add_body(ball("ball")).unwrap();
        let end = world.joint_end(body).unwrap();
        let pivot = Arc::new(BallJoint::new(JointEnd::WORLD, end, Vec3::X).unwrap());
        let pivot = world.add_joint("pivot", pivot).unwrap();
        (body, pivot, world.add_field(drag()).unwrap())
    };
    let of_original = add(&mut original);
    let of_copy = add(&mut copy);
    assert_eq!(of_original.0.slot(), of_copy.0.slot());
    is_refused_by(&mut original, of_copy.0, of_copy.1, of_copy.2);
    is_refused_by(&mut copy, of_original.0, of_original.1, of_original.2);
    // Copies of copies keep the bodies of each.
    let second = copy.clone();
    assert!(second.body(of_copy.0).is_ok() && second.body(of_original.0).is_err());
}
