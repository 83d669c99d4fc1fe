//! A state set again continues with the same bits, whatever the world is made of.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use msd::agent::PdAttitude;
use msd::engine::Engine;
use msd::environment::{
    BodyDescription, ContactSettings, ContactTier, SleepSettings, StepReport, World, WorldError,
};
use msd::math::{Quat, Vec3};
use msd::physics::constraints::{HingeJoint, JointEnd, Motor};
use msd::physics::rigid_body::shape::{Cuboid, HalfSpace, Shape, Sphere};

const DT: f64 = 1.0 / 120.0;

/// Boxes and balls that fall onto the ground and each other, next to a driven pendulum that reaches into the heap.
fn heap(tier: ContactTier, sleep: bool) -> World {
    let mut world = World::new();
    world.set_contact_settings(ContactSettings::with_tier(tier)).unwrap();
    world.set_sleeping(sleep.then_some(SleepSettings { speed: 0.05, time: 0.1 })).unwrap();
    world.add_body(BodyDescription::fixed("ground", HalfSpace::new(Vec3::Z, 0.0).unwrap())).unwrap();
    for k in 0..10 {
        let shape = match k % 2 {
            0 => Shape::Box(Cuboid::new(Vec3::new(0.4, 0.3, 0.2)).unwrap()),
            _ => Shape::from(Sphere::new(0.15).unwrap()),
        };
        let place = Vec3::new(0.05 * f64::from(k % 3), 0.04 * f64::from(k % 4), 0.3 + 0.35 * f64::from(k));
        let body = BodyDescription::dynamic(&format!("body {k}"), shape).density(700.0).position(place);
        world.add_body(body.angular_velocity(Vec3::new(0.3, 0.1 * f64::from(k), 0.2))).unwrap();
    }
    let bob = BodyDescription::dynamic("bob", Shape::Box(Cuboid::new(Vec3::splat(0.2)).unwrap()));
    let bob = world.add_body(bob.mass(2.0).position(Vec3::new(-1.0, 0.0, 1.0))).unwrap();
    let hinge =
        HingeJoint::new(JointEnd::WORLD, world.joint_end(bob).unwrap(), Vec3::new(-1.0, 0.0, 1.6), Vec3::Y);
    let hinge = hinge.unwrap().with_motor(Motor { velocity: 1.0, max_force: 20.0 }).unwrap();
    world.add_joint("hinge", Arc::new(hinge)).unwrap();
    world
}

#[test]
fn steps_after_a_state_was_set_have_the_bits_of_those_after_it_was_taken() {
    let cases = [(ContactTier::Exact, false), (ContactTier::Exact, true), (ContactTier::Fast, false)];
    for (tier, sleep) in cases.into_iter().chain([(ContactTier::Fast, true), (ContactTier::Auto, false)]) {
        let mut world = heap(tier, sleep);
        let mut twin = world.clone();
        let (mut asleep, mut most) = (0, 0);
        for step in 0..240 {
            if step % 16 == 0 {
                twin.set_state(&world.state()).unwrap();
                assert_eq!(twin.state_hash(), world.state_hash());
                assert_eq!(twin.energy(), world.energy());
            }
            let (expected, found) = (world.step(DT).unwrap(), twin.step(DT).unwrap());
            assert_eq!(world.state_hash(), twin.state_hash(), "{tier:?}, step {step}");
            let figures = |report: &StepReport| (report.energy, report.joints, report.contacts);
            assert_eq!(figures(&expected), figures(&found), "{tier:?}, step {step}");
            assert!(world.contacts().eq(twin.contacts()), "{tier:?}, step {step}");
            most = most.max(world.contacts().count());
            asleep = asleep.max(world.handles().filter(|body| world.is_asleep(*body).unwrap()).count());
        }
        assert!(most >= 6, "{tier:?}: {most} contacts at most");
        assert_eq!(asleep > 0, sleep, "{tier:?}: bodies sleep exactly where they may");
    }
}

#[test]
fn a_state_holds_pending_loads_and_motor_velocities() {
    let mut world = heap(ContactTier::Exact, false);
    let bob = world.find("bob").unwrap();
    world.run(0.2).unwrap();
    world.apply_force(bob, Vec3::new(30.0, 0.0, 0.0)).unwrap();
    world.set_motor_velocity(world.find_joint("hinge").unwrap(), -2.0).unwrap();
    let state = world.state();
    assert_eq!((state.time(), state.steps()), (world.time(), world.steps()));
    world.run(0.2).unwrap();
    let first = world.state_hash();
    world.set_motor_velocity(world.find_joint("hinge").unwrap(), 5.0).unwrap();
    world.run(0.3).unwrap();
    world.set_state(&state).unwrap();
    world.run(0.2).unwrap();
    assert_eq!(world.state_hash(), first);
}

#[test]
fn a_state_is_refused_by_a_world_with_other_bodies() {
    let mut world = heap(ContactTier::Exact, false);
    let state = world.state();
    let before = world.state_hash();
    let mut other = heap(ContactTier::Exact, false);
    assert!(matches!(other.set_state(&state), Err(WorldError::StateOfOtherModel { .. })));
    world.add_body(BodyDescription::fixed("post", Shape::from(Sphere::new(0.1).unwrap()))).unwrap();
    let refused = world.set_state(&state).unwrap_err();
    assert!(refused.to_string().contains("other bodies or joints"), "{refused}");
    assert_eq!(other.state_hash(), before);
}

#[test]
fn a_state_of_an_engine_holds_its_agents() {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    let shape = Shape::Box(Cuboid::new(Vec3::new(1.0, 2.0, 3.0)).unwrap());
    let body = BodyDescription::dynamic("satellite", shape).mass(50.0);
    let body = world.add_body(body.angular_velocity(Vec3::new(0.1, 0.2, 0.3))).unwrap();
    let mut engine = Engine::new(world);
    let agent = PdAttitude::new(body, Quat::IDENTITY, 5.0, 20.0).unwrap();
    engine.add_agent(agent.with_period(0.0105).unwrap());
    engine.run(0.0995, |_, _| true).unwrap();
    let state = engine.state();
    engine.run(1.0, |_, _| true).unwrap();
    let first = engine.world().state_hash();
    engine.set_state(&state).unwrap();
    engine.run(1.0, |_, _| true).unwrap();
    assert_eq!(engine.world().state_hash(), first);
    assert_eq!(state.world().steps(), 100);
}

#[test]
fn engines_and_states_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Engine>();
    shared::<msd::environment::State>();
    shared::<msd::engine::EngineState>();
}
