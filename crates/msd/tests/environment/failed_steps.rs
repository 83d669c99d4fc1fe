//! A step that fails changes nothing: the state, what is told of the last step, and all that follows are as if it had not been
//! tried.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::sync::Arc;

use msd::certificate::CertificateSettings;
use msd::environment::{BodyDescription, ContactSettings, ContactTier, World, WorldError};
use msd::math::{Quat, Vec3};
use msd::physics::constraints::contact::ExactSolverSettings;
use msd::physics::constraints::{BallJoint, JointEnd};
use msd::physics::rigid_body::shape::{Cuboid, HalfSpace, Shape, Sphere};

const DT: f64 = 1.0 / 120.0;

/// A heap that is still falling, and a pendulum that swings into it.
fn heap() -> World {
    let mut world = World::new();
    world.add_body(BodyDescription::fixed("floor", HalfSpace::new(Vec3::Z, 0.0).unwrap())).unwrap();
    for k in 0..8 {
        let shape: Shape = match k % 2 {
            0 => Cuboid::new(Vec3::new(0.5, 0.4, 0.3)).unwrap().into(),
            _ => Sphere::new(0.2).unwrap().into(),
        };
        let place = Vec3::new(0.13 * f64::from(k % 3), 0.11 * f64::from(k % 2), 0.3 + 0.35 * f64::from(k));
        let body = BodyDescription::dynamic(&format!("{k}"), shape).mass(1.0 + f64::from(k)).position(place);
        let turn = Quat::from_scaled_axis(Vec3::new(0.3, 0.1 * f64::from(k), 0.2));
        world.add_body(body.orientation(turn).velocity(Vec3::X * 0.2)).unwrap();
    }
    let bob = BodyDescription::dynamic("bob", Sphere::new(0.3).unwrap()).mass(4.0);
    let bob = world.add_body(bob.position(Vec3::new(-1.5, 0.0, 0.5))).unwrap();
    let pivot = Vec3::new(-0.2, 0.0, 2.0);
    let joint = BallJoint::new(JointEnd::WORLD, world.joint_end(bob).unwrap(), pivot).unwrap();
    world.add_joint("string", Arc::new(joint)).unwrap();
    world
}

/// Settings no step with friction can meet.
fn impossible() -> ContactSettings {
    let solver =
        ExactSolverSettings { sweeps: 1, rounds: 1, factorisations: 0, ..ExactSolverSettings::sweeps_only() };
    ContactSettings { solver, ..ContactSettings::default() }
}

/// Tries steps with settings that refuse them among steps with those that do not.
fn refused_steps_leave_no_trace(settings: &ContactSettings, refusing: &ContactSettings) {
    let (mut tried, mut steady) = (heap(), heap());
    tried.set_contact_settings(settings.clone()).unwrap();
    steady.set_contact_settings(settings.clone()).unwrap();
    let mut failures = 0;
    for step in 0..240 {
        if step > 40 && step % 7 == 3 {
            let told: Vec<_> = tried.contacts().collect();
            let string = tried.find_joint("string").unwrap();
            let pull = tried.reaction(string).unwrap();
            let bob = tried.find("bob").unwrap();
            let (hash, acceleration) = (tried.state_hash(), tried.acceleration(bob).unwrap());
            tried.set_contact_settings(refusing.clone()).unwrap();
            tried.set_certificate_settings(CertificateSettings {
                require: true,
                ..CertificateSettings::default()
            });
            // Loads that friction has to answer: impulses of the last step are no solution.
            for k in 0..8 {
                let body = tried.find(&format!("{k}")).unwrap();
                let side = if k % 2 == 0 { 1.0 } else { -1.0 };
                tried.apply_force(body, Vec3::new(40.0 * side, 25.0, -30.0)).unwrap();
            }
            // A longer step looks farther ahead, and finds other pairs.
            match tried.step(4.0 * DT) {
                Err(WorldError::NotCertified(_)) => failures += 1,
                Ok(_) => panic!("step {step} should have been refused"),
                Err(other) => panic!("{other}"),
            }
            tried.clear_loads();
            tried.set_contact_settings(settings.clone()).unwrap();
            tried.set_certificate_settings(CertificateSettings::default());
            assert_eq!(tried.state_hash(), hash);
            assert_eq!(tried.acceleration(bob).unwrap(), acceleration);
            assert_eq!(tried.reaction(string).unwrap(), pull);
            assert!(!told.is_empty() && tried.contacts().eq(told));
        }
        let (one, other) = (tried.step(DT).unwrap(), steady.step(DT).unwrap());
        assert_eq!(one, other, "step {step}");
        assert_eq!(tried.state_hash(), steady.state_hash(), "step {step}");
    }
    assert!(failures > 20, "{failures}");
    assert_eq!(tried.energy(), steady.energy());
}

#[test]
fn steps_after_one_that_contact_refused_have_the_bits_they_would_have_had() {
    refused_steps_leave_no_trace(&ContactSettings::default(), &impossible());
}

#[test]
fn steps_of_the_fast_tier_after_one_that_was_refused_have_the_bits_they_would_have_had() {
    let settings = ContactSettings::with_tier(ContactTier::Fast);
    refused_steps_leave_no_trace(&settings, &settings);
}

#[test]
fn steps_after_one_that_flight_refused_have_the_bits_they_would_have_had() {
    let (mut tried, mut steady) = (heap(), heap());
    for step in 0..120 {
        if step % 10 == 5 {
            let body = tried.find("3").unwrap();
            tried.apply_force(body, Vec3::X * 1e200).unwrap();
            assert!(tried.step(DT).is_err());
            // The load is still there, as it was; the user removes it.
            tried.apply_force(body, Vec3::X * -1e200).unwrap();
            steady.apply_force(body_of(&steady), Vec3::ZERO).unwrap();
        }
        tried.step(DT).unwrap();
        steady.step(DT).unwrap();
        assert_eq!(tried.state_hash(), steady.state_hash(), "step {step}");
    }
}

fn body_of(world: &World) -> msd::physics::rigid_body::BodyHandle {
    world.find("3").unwrap()
}
