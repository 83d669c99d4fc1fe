//! Joints that are switched, break and latch; trigger volumes.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use msd::environment::{
    BodyDescription, BreakLoad, Ground, JointEventKind, TriggerEventKind, World, WorldError,
};
use msd::math::Vec3;
use msd::physics::constraints::ConstraintHandle;
use msd::physics::rigid_body::BodyHandle;
use msd::physics::rigid_body::shape::{Cuboid, Sphere};

fn ball(world: &mut World, name: &str, mass: f64, at: Vec3, velocity: Vec3) -> BodyHandle {
    let ball = BodyDescription::dynamic(name, Sphere::new(0.5).unwrap()).mass(mass);
    world.add_body(ball.position(at).velocity(velocity)).unwrap()
}

fn hanging() -> (World, BodyHandle, ConstraintHandle) {
    let mut world = World::new();
    let bob = ball(&mut world, "bob", 1.0, Vec3::ZERO, Vec3::ZERO);
    let hook = world.add_fixed_joint("hook", Ground, bob, Vec3::ZERO).unwrap();
    (world, bob, hook)
}

#[test]
fn a_joint_breaks_at_its_load_and_not_below() {
    let (mut world, bob, hook) = hanging();
    world.set_joint_break(hook, Some(BreakLoad::force(15.0))).unwrap();
    world.run(0.1).unwrap();
    assert!(world.is_joint_enabled(hook).unwrap());
    // 9.81 N of weight and 5.1 N of thrust hold, 5.3 N break it.
    for (thrust, breaks) in [(5.1, false), (5.3, true)] {
        world.apply_force(bob, Vec3::new(0.0, 0.0, -thrust)).unwrap();
        world.step(1e-3).unwrap();
        assert_eq!(world.is_joint_enabled(hook).unwrap(), !breaks, "{thrust} N");
        assert_eq!(world.joint_events().len(), usize::from(breaks));
    }
    let event = world.joint_events()[0];
    assert_eq!((event.joint, event.kind), (hook, JointEventKind::Broken));
    world.run(1.0).unwrap();
    assert!(world.joint_events().is_empty());
    assert!((world.body(bob).unwrap().state.center_of_mass.z + 0.5 * 9.81).abs() < 0.02);
    assert!(world.energy().error().abs() < 1e-9);
    assert!(matches!(
        world.set_joint_break(hook, Some(BreakLoad { force: 0.0, torque: 1.0 })),
        Err(WorldError::Invalid { .. })
    ));
}

#[test]
fn what_is_broken_is_state() {
    let (mut world, bob, hook) = hanging();
    world.set_joint_break(hook, Some(BreakLoad::force(5.0))).unwrap();
    let (start, snapshot) = (world.state(), world.snapshot());
    world.run(0.01).unwrap();
    assert!(!world.is_joint_enabled(hook).unwrap());
    let broken = world.snapshot();
    world.run(0.1).unwrap();
    let hash = world.state_hash();
    world.restore(&broken).unwrap();
    assert!(!world.is_joint_enabled(hook).unwrap());
    world.run(0.1).unwrap();
    assert_eq!(world.state_hash(), hash);
    world.set_state(&start).unwrap();
    assert!(world.is_joint_enabled(hook).unwrap());
    world.restore(&snapshot).unwrap();
    world.reset();
    assert!(world.is_joint_enabled(hook).unwrap());
    assert_eq!(world.body(bob).unwrap().state.center_of_mass, Vec3::ZERO);
}

#[test]
fn bodies_of_a_joint_that_is_off_collide() {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    let a = ball(&mut world, "a", 1.0, Vec3::ZERO, Vec3::ZERO);
    let b = ball(&mut world, "b", 1.0, Vec3::X * 2.0, -Vec3::X);
    let rope = world.add_rope_joint("rope", a, b, [Vec3::ZERO, Vec3::X * 2.0]).unwrap();
    world.run(1.5).unwrap();
    assert!(world.body(b).unwrap().state.center_of_mass.x < 0.6, "passes through");
    world.reset();
    world.set_joint_enabled(rope, false).unwrap();
    world.run(1.5).unwrap();
    let gap = world.body(b).unwrap().state.center_of_mass.x - world.body(a).unwrap().state.center_of_mass.x;
    assert!((gap - 1.0).abs() < 1e-6, "{gap}");
}

#[test]
fn a_latch_closes_on_contact_and_keeps_momentum() {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    let target = ball(&mut world, "target", 3.0, Vec3::X * 2.0, Vec3::ZERO);
    let chaser = ball(&mut world, "chaser", 1.0, Vec3::new(0.0, 0.3, 0.0), Vec3::X * 0.4);
    let latch = world.add_latch("latch", target, chaser).unwrap();
    assert!(!world.is_joint_enabled(latch).unwrap());
    let (momentum, spin) = (world.linear_momentum(), world.angular_momentum_about(Vec3::ZERO));
    let mut closed = None;
    for _ in 0..500 {
        world.step(0.01).unwrap();
        if let Some(event) = world.joint_events().first() {
            assert_eq!((event.joint, event.kind), (latch, JointEventKind::Latched));
            closed = Some((world.time(), world.snapshot(), world.frame(chaser).unwrap().position));
        }
    }
    let (time, snapshot, _) = closed.expect("the balls meet after about 2.6 s");
    assert!((2.0..3.5).contains(&time), "{time}");
    assert!((world.linear_momentum() - momentum).length() < 1e-12);
    assert!((world.angular_momentum_about(Vec3::ZERO) - spin).length() < 1e-9);
    // Held as they stood: the same relative pose for the rest of the run.
    let relative = |world: &World| {
        let (a, b) = (world.frame(target).unwrap(), world.frame(chaser).unwrap());
        a.point_to_local(b.position)
    };
    let held = relative(&world);
    let hash = world.state_hash();
    assert!(
        (world.body(target).unwrap().state.angular_velocity
            - world.body(chaser).unwrap().state.angular_velocity)
            .length()
            < 1e-9
    );
    world.restore(&snapshot).unwrap();
    assert!((relative(&world) - held).length() < 1e-9);
    while world.steps() < 500 {
        world.step(0.01).unwrap();
    }
    assert_eq!(world.state_hash(), hash);
    // What contact and latch took of 0.08 J is booked, to the energy error of the method for a pair that turns.
    let energy = world.energy();
    assert!(energy.dissipated > 0.01, "{energy:?}");
    assert!((0.08 - energy.total() - energy.dissipated).abs() < 1e-6 * 0.08, "{energy:?}");
    world.open_latch(latch).unwrap();
    assert!(!world.is_joint_enabled(latch).unwrap());
    world.reset();
    world.run(5.0).unwrap();
    assert!(world.is_joint_enabled(latch).unwrap());
}

#[test]
fn triggers_report_what_enters_and_leaves_and_touch_nothing() {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    let gate = Cuboid::new(Vec3::new(1.0, 4.0, 4.0)).unwrap();
    let gate = world.add_body(BodyDescription::fixed("gate", gate).trigger()).unwrap();
    let a = ball(&mut world, "a", 1.0, Vec3::X * -2.0, Vec3::X);
    let b = ball(&mut world, "b", 1.0, Vec3::new(3.0, 1.5, 0.0), -Vec3::X);
    let mut seen = Vec::new();
    for _ in 0..410 {
        world.step(0.01).unwrap();
        seen.extend(world.trigger_events().iter().map(|event| (event.body, event.kind, world.time())));
        assert_eq!(world.contacts().count(), 0);
    }
    let kinds: Vec<_> = seen.iter().map(|(body, kind, _)| (*body, *kind)).collect();
    use TriggerEventKind::{Enter, Leave};
    assert_eq!(kinds, [(a, Enter), (b, Enter), (a, Leave), (b, Leave)]);
    // Surfaces meet after 1 m, 2 m, 3 m and 4 m at 1 m/s.
    for ((_, _, time), expected) in seen.iter().zip([1.0, 2.0, 3.0, 4.0]) {
        assert!((time - expected).abs() < 0.011, "{time} {expected}");
    }
    assert_eq!(world.inside(gate).unwrap().count(), 0);
    world.set_frame(a, msd::math::ReferenceFrame::IDENTITY).unwrap();
    world.step(0.01).unwrap();
    assert_eq!(world.inside(gate).unwrap().collect::<Vec<_>>(), [a]);
    world.remove_body(a).unwrap();
    assert_eq!(world.inside(gate).unwrap().count(), 0);
}
