//! Joints that are switched, break and latch; trigger volumes.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use msd::environment::{
    BodyDescription, BreakLoad, Ground, JointEventKind, StepReport, TriggerEventKind, World, WorldError,
};
use msd::math::Vec3;
use msd::physics::constraints::ConstraintHandle;
use msd::physics::rigid_body::shape::{Cuboid, Sphere};
use msd::physics::rigid_body::{BodyHandle, Material};

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

fn smooth() -> Material {
    Material { friction: 0.0, ..Material::default() }
}

/// Steps until something latches; the report of that step and of the one after it.
fn step_past_latch(world: &mut World) -> [StepReport; 2] {
    for _ in 0..2000 {
        let report = world.step(0.005).unwrap();
        if !world.joint_events().is_empty() {
            return [report, world.step(0.005).unwrap()];
        }
    }
    panic!("nothing has latched");
}

#[test]
fn a_latch_dissipates_in_the_step_in_which_it_closes() {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    let target = ball(&mut world, "target", 3.0, Vec3::X * 2.0, Vec3::ZERO);
    let chaser = ball(&mut world, "chaser", 1.0, Vec3::new(0.0, 0.6, 0.0), Vec3::X * 0.4);
    let material = Material { restitution: 0.8, ..smooth() };
    for body in [target, chaser] {
        world.set_material(body, material).unwrap();
    }
    world.add_latch("latch", target, chaser).unwrap();
    let [closed, next] = step_past_latch(&mut world);
    let now = world.energy();
    // Before: ½ 1 kg (0.4 m/s)². Impact and latch are in one step; the pair turns freely after it.
    let lost = 0.08 - closed.energy.kinetic;
    assert!(lost > 0.02, "{lost}");
    assert!((closed.energy.dissipated - lost).abs() < 1e-12, "{:?} {lost}", closed.energy);
    assert_eq!((closed.energy.work_in, next.energy.work_in), (0.0, 0.0));
    assert!((next.energy.kinetic - closed.energy.kinetic).abs() < 1e-9, "{:?}", next.energy);
    assert!(next.energy.dissipated.abs() < 1e-12 && now.work_in == 0.0, "{:?} {now:?}", next.energy);
}

#[test]
fn a_latch_on_a_pendulum_loses_what_the_whole_mechanism_loses() {
    // A bob on a rod of 1 m meets a ball at rest; angular momentum about the hinge is kept: ω⁺ = ω⁻ I₁/(I₁ + I₂).
    for contact in [0.0, 0.7] {
        let mut world = World::new();
        world.set_gravity(Vec3::ZERO).unwrap();
        let bob = ball(&mut world, "bob", 2.0, Vec3::X, Vec3::Y);
        world.set_angular_velocity(bob, Vec3::Z).unwrap();
        world.add_hinge_joint("hinge", Ground, bob, Vec3::ZERO, Vec3::Z).unwrap();
        let target = ball(&mut world, "target", 3.0, Vec3::Y, Vec3::ZERO);
        let material = Material { restitution: contact, ..smooth() };
        for body in [bob, target] {
            world.set_material(body, material).unwrap();
        }
        world.add_latch("latch", target, bob).unwrap();
        let own = |mass: f64| 0.4 * mass * 0.25 + mass;
        let [closed, next] = step_past_latch(&mut world);
        let start = 0.5 * own(2.0);
        // The impact of a jointed body is booked to the third order of dt.
        assert!((closed.energy.dissipated - (start - closed.energy.kinetic)).abs() < 1e-5, "{closed:?}");
        assert!((next.energy.kinetic - closed.energy.kinetic).abs() < 1e-9, "{:?}", next.energy);
        assert!(
            next.energy.dissipated.abs() < 1e-9 && next.energy.unexplained.abs() < 1e-9,
            "{:?}",
            next.energy
        );
        let expected = own(2.0) / (own(2.0) + own(3.0));
        let omega = world.body(bob).unwrap().state.angular_velocity.z;
        assert!((omega - expected).abs() < 0.01 * expected, "{omega} {expected}");
        assert_eq!(world.energy().work_in, 0.0);
    }
}

#[test]
fn a_latch_on_a_moving_platform_is_worked_on_by_it() {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    let platform = Cuboid::new(Vec3::new(1.0, 4.0, 4.0)).unwrap();
    let platform = world.add_body(BodyDescription::kinematic("platform", platform)).unwrap();
    let rider = ball(&mut world, "rider", 2.0, Vec3::X * 2.0031, Vec3::Y * 0.1);
    for body in [platform, rider] {
        world.set_material(body, smooth()).unwrap();
    }
    world.set_velocity(platform, Vec3::X).unwrap();
    world.add_latch("latch", platform, rider).unwrap();
    let [closed, _] = step_past_latch(&mut world);
    // From rest to 1 m/s by a body of constant speed: p u = 2 J of work, half of it lost, and the 0.01 J across it.
    assert!((closed.energy.kinetic - 1.0).abs() < 1e-9, "{:?}", closed.energy);
    let energy = world.energy();
    assert!((energy.work_in - 2.0).abs() < 1e-9 && (energy.dissipated - 1.01).abs() < 1e-9, "{energy:?}");
}

#[test]
fn the_energy_of_a_spring_that_breaks_is_dissipated_in_that_step() {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    let bob = ball(&mut world, "bob", 1.0, Vec3::X, Vec3::X * 3.0);
    let spring = world.add_spring_joint("spring", Ground, bob, [Vec3::ZERO, Vec3::X], 100.0, 0.0).unwrap();
    world.set_joint_break(spring, Some(BreakLoad::force(20.0))).unwrap();
    let mut dissipated = 0.0;
    for _ in 0..200 {
        let report = world.step(1e-3).unwrap();
        dissipated += report.energy.dissipated;
        assert!(report.energy.work_in.abs() < 1e-12, "{:?}", report.energy);
        if !world.joint_events().is_empty() {
            let elastic = 50.0 * (world.body(bob).unwrap().state.center_of_mass.x - 1.0).powi(2);
            assert!((report.energy.dissipated - elastic).abs() < 1e-12, "{:?}", report.energy);
            assert_eq!(report.energy.potential, 0.0);
        }
    }
    assert!(dissipated > 1.9);
    assert!((dissipated - world.energy().dissipated).abs() < 1e-12);
    assert_eq!(world.energy().work_in, 0.0);
}

#[test]
fn the_rotor_of_a_joint_that_breaks_takes_its_energy_with_it() {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    let wheel = ball(&mut world, "wheel", 1.0, Vec3::ZERO, Vec3::ZERO);
    world.set_angular_velocity(wheel, Vec3::Z * 2.0).unwrap();
    let hinge = world.add_hinge_joint("hinge", Ground, wheel, Vec3::ZERO, Vec3::Z).unwrap();
    world.add_joint_armature("rotor", hinge, 0.3).unwrap();
    world.set_joint_break(hinge, Some(BreakLoad::force(1.0))).unwrap();
    world.step(1e-3).unwrap();
    world.apply_force(wheel, Vec3::X * 2.0).unwrap();
    let broken = world.step(1e-3).unwrap();
    assert_eq!(world.joint_events().len(), 1);
    // ½ I ω² of the rotor.
    assert!((broken.energy.dissipated - 0.6).abs() < 1e-9, "{:?}", broken.energy);
    world.apply_torque(wheel, Vec3::Z * 5.0).unwrap();
    world.step(1e-3).unwrap();
    assert!(world.energy().error().abs() < 1e-9, "{:?}", world.energy());
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
