//! Sleep: bodies at rest cost almost no time, keep their place to the bit, and wake before a disturbance matters.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::sync::Arc;
use std::time::Instant;

use msd::environment::{
    BodyDescription, ContactEventKind, ContactSettings, ContactTier, SleepSettings, World, WorldError,
};
use msd::math::{ReferenceFrame, Vec3};
use msd::physics::constraints::{BallJoint, HingeJoint, JointEnd, Motor};
use msd::physics::forces::{Field, FieldClass, UniformGravity};
use msd::physics::rigid_body::shape::{Cuboid, HalfSpace, Shape, Sphere};
use msd::physics::rigid_body::{Bodies, BodyHandle, BodyView, Wrench};
use msd::threads::Threads;

const DT: f64 = 1.0 / 60.0;

fn cube(edge: f64) -> Shape {
    Cuboid::new(Vec3::splat(edge)).unwrap().into()
}

fn floor(world: &mut World) -> BodyHandle {
    let plane = HalfSpace::new(Vec3::Z, 0.0).unwrap();
    world.add_body(BodyDescription::fixed("floor", plane)).unwrap()
}

fn sleepy() -> World {
    let mut world = World::new();
    world.set_sleeping(Some(SleepSettings::default())).unwrap();
    world
}

/// Boxes on each other, the lowest named `0`.
fn stack(world: &mut World, foot: Vec3, count: usize, prefix: &str) {
    for k in 0..count {
        let body = BodyDescription::dynamic(&format!("{prefix}{k}"), cube(0.5)).mass(2.0);
        world.add_body(body.position(foot + Vec3::Z * (0.25 + 0.5 * k as f64))).unwrap();
    }
}

fn pyramid(world: &mut World, rows: usize) {
    for row in 0..rows {
        for k in 0..rows - row {
            let x = 1.1 * (k as f64 - 0.5 * (rows - row) as f64);
            let body = BodyDescription::dynamic(&format!("{row} {k}"), cube(1.0)).mass(10.0);
            world.add_body(body.position(Vec3::new(x, 0.0, 0.5 + row as f64))).unwrap();
        }
    }
}

fn steps(world: &mut World, count: usize) {
    for _ in 0..count {
        world.step(DT).unwrap();
    }
}

fn asleep(world: &World, name: &str) -> bool {
    world.is_asleep(world.find(name).unwrap()).unwrap()
}

fn place(world: &World, name: &str) -> Vec3 {
    world.frame(world.find(name).unwrap()).unwrap().position
}

/// A stack of three that has fallen asleep on a floor.
fn sleeping_stack() -> World {
    let mut world = sleepy();
    floor(&mut world);
    stack(&mut world, Vec3::ZERO, 3, "");
    steps(&mut world, 40);
    assert!(asleep(&world, "0") && asleep(&world, "2"));
    world
}

#[test]
fn a_pile_falls_asleep_keeps_its_bits_and_the_books_close() {
    let mut world = sleepy();
    floor(&mut world);
    pyramid(&mut world, 4);
    // Dropped from a little above: it arrives, and comes to rest.
    let ball = BodyDescription::dynamic("ball", cube(0.4)).mass(1.0).position(Vec3::new(5.0, 0.0, 0.3));
    world.add_body(ball).unwrap();
    steps(&mut world, 90);
    assert!(
        world
            .handles()
            .all(|body| world.body(body).unwrap().body.name == "floor" || world.is_asleep(body).unwrap())
    );
    let poses: Vec<ReferenceFrame> = world.handles().map(|body| world.frame(body).unwrap()).collect();
    let before = world.energy();
    steps(&mut world, 300);
    let after: Vec<ReferenceFrame> = world.handles().map(|body| world.frame(body).unwrap()).collect();
    assert_eq!(poses, after);
    assert_eq!(world.steps(), 390);
    assert!((world.time() - 6.5).abs() < 1e-12);
    assert_eq!(world.energy().dissipated, before.dissipated);
    assert_eq!(world.energy().kinetic, 0.0);
    assert!(world.energy().error().abs() < 1e-9, "{:e} J of {:e}", world.energy().error(), before.potential);
    // Contact goes on: those who sleep have not ceased to touch.
    assert!(world.contact_events().count() > 10);
    assert!(world.contact_events().all(|event| event.kind == ContactEventKind::Persist));
}

#[test]
fn a_pile_of_the_fast_tier_falls_asleep_and_wakes() {
    let mut world = sleepy();
    world.set_contact_settings(ContactSettings::with_tier(ContactTier::Fast)).unwrap();
    floor(&mut world);
    stack(&mut world, Vec3::ZERO, 3, "");
    steps(&mut world, 120);
    assert!(asleep(&world, "0") && asleep(&world, "2"));
    world.set_velocity(world.find("2").unwrap(), Vec3::X).unwrap();
    world.step(DT).unwrap();
    assert!(!asleep(&world, "0") && place(&world, "2").x > 0.5 * DT);
}

#[test]
fn kinetic_energy_that_sleep_takes_is_booked_as_dissipated() {
    let mut world = World::new();
    world.set_sleeping(Some(SleepSettings { speed: 0.06, time: 0.1 })).unwrap();
    floor(&mut world);
    // Rolls for ever, at less than the tolerance it was given.
    let ball = BodyDescription::dynamic("ball", Sphere::new(0.5).unwrap()).mass(3.0);
    let rolling = ball.position(Vec3::Z * 0.5).velocity(Vec3::X * 0.02).angular_velocity(Vec3::Y * 0.04);
    world.add_body(rolling).unwrap();
    steps(&mut world, 20);
    assert!(asleep(&world, "ball"));
    // ½ m v² + ½ (2/5) m r² ω² with v = ω r.
    let expected = 0.7 * 3.0 * 0.02 * 0.02;
    let books = world.energy();
    assert!((books.dissipated - expected).abs() < 1e-12, "{:e} of {expected:e}", books.dissipated);
    assert!(books.max_error < 1e-12);
}

#[test]
fn what_drifts_in_free_space_never_sleeps() {
    let mut world = sleepy();
    world.set_gravity(Vec3::ZERO).unwrap();
    // Two craft that have docked, and one alone, slower than the tolerance.
    let drift = Vec3::X * 2e-5;
    for (name, x) in [("a", 0.0), ("b", 1.0), ("alone", 5.0)] {
        let body = BodyDescription::dynamic(name, cube(1.0)).mass(100.0).position(Vec3::X * x);
        world.add_body(body.velocity(drift)).unwrap();
    }
    steps(&mut world, 300);
    for (name, x) in [("a", 0.0), ("b", 1.0), ("alone", 5.0)] {
        assert!(!asleep(&world, name));
        assert!((place(&world, name).x - (x + 2e-5 * 5.0)).abs() < 1e-12);
    }
}

/// A ball falls on a sleeping stack, next to one that does not sleep.
#[test]
fn an_impact_wakes_the_stack_and_gives_what_it_gives_without_sleep() {
    let ends = [true, false].map(|sleeps| {
        let mut world = if sleeps { sleepy() } else { World::new() };
        floor(&mut world);
        stack(&mut world, Vec3::ZERO, 3, "");
        let ball = BodyDescription::dynamic("ball", Sphere::new(0.2).unwrap()).mass(1.0);
        world.add_body(ball.position(Vec3::new(0.05, 0.02, 6.0))).unwrap();
        let mut slept = 0;
        for _ in 0..110 {
            world.step(DT).unwrap();
            slept += usize::from(asleep(&world, "0"));
        }
        assert_eq!(slept > 20, sleeps, "{slept}");
        ["0", "1", "2", "ball"].map(|name| world.frame(world.find(name).unwrap()).unwrap())
    });
    for (one, other) in ends[0].iter().zip(&ends[1]) {
        assert!(one.position.distance(other.position) < 1e-9, "{one:?} {other:?}");
        assert!(one.orientation.angle_between(other.orientation) < 1e-7);
    }
}

#[test]
fn sleeping_does_not_change_where_things_rest() {
    let ends = [true, false].map(|sleeps| {
        let mut world = if sleeps { sleepy() } else { World::new() };
        floor(&mut world);
        for k in 0..6 {
            let body = BodyDescription::dynamic(&format!("{k}"), cube(0.5)).mass(2.0);
            let at = Vec3::new(0.15 * f64::from(k % 2), 0.1 * f64::from(k % 3), 0.3 + 0.6 * f64::from(k));
            world.add_body(body.position(at)).unwrap();
        }
        steps(&mut world, 360);
        (0..6).map(|k| place(&world, &k.to_string())).collect::<Vec<_>>()
    });
    let tolerance = SleepSettings::default();
    for (one, other) in ends[0].iter().zip(&ends[1]) {
        assert!(one.distance(*other) <= tolerance.speed * tolerance.time, "{one} {other}");
    }
}

#[test]
fn everything_that_can_move_a_sleeper_wakes_it_in_that_step() {
    type Push = fn(&mut World);
    let pushes: [(&str, Push); 8] = [
        ("a force", |world| {
            world.apply_force(world.find("2").unwrap(), Vec3::X * 30.0).unwrap();
        }),
        ("an impulse", |world| {
            world.apply_impulse(world.find("2").unwrap(), Vec3::X * 0.5).unwrap();
        }),
        ("a velocity", |world| {
            world.set_velocity(world.find("0").unwrap(), Vec3::Z).unwrap();
        }),
        ("a place", |world| {
            let at = ReferenceFrame::from_position(Vec3::Z * 5.0);
            world.set_frame(world.find("2").unwrap(), at).unwrap();
        }),
        ("gravity", |world| {
            world.set_gravity(Vec3::new(8.0, 0.0, -3.0)).unwrap();
        }),
        ("a field", |world| {
            let wind = UniformGravity::new(Vec3::X * 20.0).unwrap();
            world.add_field(Arc::new(wind)).unwrap();
        }),
        ("its floor gone", |world| {
            world.remove_body(world.find("floor").unwrap()).unwrap();
        }),
        ("its neighbour gone", |world| {
            world.remove_body(world.find("1").unwrap()).unwrap();
        }),
    ];
    for (name, push) in pushes {
        let mut world = sleeping_stack();
        let mut awake = sleeping_stack();
        awake.set_sleeping(None).unwrap();
        steps(&mut world, 30);
        push(&mut world);
        push(&mut awake);
        world.step(DT).unwrap();
        awake.step(DT).unwrap();
        for body in ["0", "2"] {
            assert!(!asleep(&world, body), "{name}");
            let apart = place(&world, body).distance(place(&awake, body));
            assert!(apart < 1e-12, "{name}: {apart:e}");
        }
        assert!(place(&world, "2").distance(Vec3::Z * 1.25) > 1e-4, "{name} should move it");
    }
}

#[test]
fn a_body_that_is_driven_wakes_whom_it_carries_and_whom_it_meets() {
    let mut world = sleepy();
    floor(&mut world);
    stack(&mut world, Vec3::ZERO, 2, "");
    let lift = BodyDescription::kinematic("lift", cube(1.0)).position(Vec3::new(3.0, 0.0, 0.5));
    let lift = world.add_body(lift).unwrap();
    stack(&mut world, Vec3::new(3.0, 0.0, 1.0), 2, "lifted ");
    steps(&mut world, 60);
    assert!(asleep(&world, "0") && asleep(&world, "lifted 0"));
    // Up: only those on it wake.
    world.set_velocity(lift, Vec3::Z * 0.3).unwrap();
    steps(&mut world, 30);
    assert!(asleep(&world, "0") && !asleep(&world, "lifted 0"));
    assert!((place(&world, "lifted 0").z - (1.25 + 0.15)).abs() < 1e-6);
    // Aside, into the other stack.
    world.set_velocity(lift, Vec3::new(-3.0, 0.0, 0.0)).unwrap();
    steps(&mut world, 60);
    assert!(place(&world, "1").x < -0.05);
}

/// Pushes along x from a time on.
#[derive(Debug)]
struct Gust {
    from: f64,
    force: f64,
}

impl Field for Gust {
    fn type_name(&self) -> &'static str {
        "gust"
    }

    fn class(&self) -> FieldClass {
        FieldClass::External
    }

    fn wrench(&self, _: &BodyView<'_>, _: &Bodies<'_>, time: f64) -> Wrench {
        let force = if time >= self.from { Vec3::X * self.force } else { Vec3::ZERO };
        Wrench { force, torque: Vec3::ZERO }
    }

    fn energy(&self, _: &BodyView<'_>, _: &Bodies<'_>, _: f64) -> Option<f64> {
        None
    }
}

#[test]
fn a_field_that_changes_with_time_wakes_in_the_step_in_which_it_does() {
    let from = 120.0 * DT;
    let ends = [true, false].map(|sleeps| {
        let mut world = if sleeps { sleepy() } else { World::new() };
        floor(&mut world);
        stack(&mut world, Vec3::ZERO, 1, "");
        world.add_field(Arc::new(Gust { from, force: 40.0 })).unwrap();
        steps(&mut world, 119);
        assert_eq!(asleep(&world, "0"), sleeps);
        steps(&mut world, 61);
        assert!(!asleep(&world, "0"));
        place(&world, "0").x
    });
    assert!(ends[0] > 1.0 && (ends[0] - ends[1]).abs() < 1e-9, "{ends:?}");
}

#[test]
fn jointed_bodies_sleep_together_and_what_the_joint_carries_is_still_told() {
    let mut world = sleepy();
    let mut above = None;
    for k in 0..3 {
        let at = Vec3::Z * (-0.5 - f64::from(k));
        let link = BodyDescription::dynamic(&format!("{k}"), cube(0.3)).mass(2.0).position(at);
        let link = world.add_body(link.damping(5.0, 5.0).velocity(Vec3::X * 0.01)).unwrap();
        let end = above.map_or(JointEnd::WORLD, |above| world.joint_end(above).unwrap());
        let joint = BallJoint::new(end, world.joint_end(link).unwrap(), Vec3::Z * -f64::from(k)).unwrap();
        world.add_joint(&format!("{k}"), Arc::new(joint)).unwrap();
        above = Some(link);
    }
    let top = world.find_joint("0").unwrap();
    steps(&mut world, 1200);
    assert!((0..3).all(|k| asleep(&world, &k.to_string())));
    let weight = world.reaction(top).unwrap().force;
    assert!((weight - Vec3::Z * (6.0 * 9.81)).length() < 1e-3, "{weight}");
    // Something else is awake: the joints of the sleepers take no part, and still tell.
    let stone = BodyDescription::dynamic("stone", cube(0.1)).mass(1.0).position(Vec3::X * 9.0);
    world.add_body(stone).unwrap();
    steps(&mut world, 10);
    assert!(asleep(&world, "0"));
    assert_eq!(world.reaction(top).unwrap().force, weight);
    world.apply_impulse(world.find("2").unwrap(), Vec3::X * 2.0).unwrap();
    steps(&mut world, 10);
    assert!(!asleep(&world, "0") && place(&world, "2").x > 0.05);
}

#[test]
fn a_motor_wakes_what_it_turns() {
    let mut world = sleepy();
    let arm = Cuboid::new(Vec3::new(1.0, 0.1, 0.1)).unwrap();
    let arm = world.add_body(BodyDescription::dynamic("arm", arm).mass(1.0)).unwrap();
    let hinge = HingeJoint::new(JointEnd::WORLD, world.joint_end(arm).unwrap(), Vec3::ZERO, Vec3::Z);
    let hinge = hinge.unwrap().with_motor(Motor { velocity: 0.0, max_force: 50.0 }).unwrap();
    let joint = world.add_joint("hinge", Arc::new(hinge)).unwrap();
    steps(&mut world, 60);
    assert!(asleep(&world, "arm"));
    world.set_motor_velocity(joint, 1.0).unwrap();
    steps(&mut world, 30);
    let turned = world.frame(arm).unwrap().orientation;
    assert!((turned.to_scaled_axis().z - 0.5).abs() < 0.02, "{turned}");
}

/// Two stacks asleep, and a ball on its way.
fn ball_on_its_way() -> World {
    let mut world = sleepy();
    floor(&mut world);
    stack(&mut world, Vec3::ZERO, 3, "");
    stack(&mut world, Vec3::X * 3.0, 3, "far ");
    let ball = BodyDescription::dynamic("ball", Sphere::new(0.2).unwrap()).mass(3.0);
    world.add_body(ball.position(Vec3::new(-4.0, 0.0, 4.9)).velocity(Vec3::X * 4.0)).unwrap();
    world
}

#[test]
fn a_world_restored_while_some_sleep_goes_on_with_the_same_bits() {
    let mut world = ball_on_its_way();
    steps(&mut world, 45);
    assert!(asleep(&world, "0") && !asleep(&world, "ball"));
    let snapshot = world.snapshot();
    let mut other = ball_on_its_way();
    other.restore(&snapshot).unwrap();
    assert!(asleep(&other, "0"));
    for step in 0..120 {
        world.step(DT).unwrap();
        other.step(DT).unwrap();
        assert_eq!(world.state_hash(), other.state_hash(), "step {step}");
    }
    assert!(place(&world, "2").x > 0.1 && asleep(&world, "far 0"));
    let mut restless = ball_on_its_way();
    restless.set_sleeping(None).unwrap();
    assert!(matches!(restless.restore(&snapshot), Err(WorldError::Snapshot(_))));
}

#[test]
fn sleep_has_the_same_bits_on_any_number_of_threads() {
    let hashes = [1, 2, 4].map(|count| {
        let mut world = ball_on_its_way();
        for k in 0..30 {
            stack(
                &mut world,
                Vec3::new(3.0 * f64::from(k % 6), 6.0 + 2.0 * f64::from(k / 6), 0.0),
                2,
                &format!("{k}/"),
            );
        }
        world.set_threads(Threads::new(count).unwrap());
        steps(&mut world, 150);
        assert!(asleep(&world, "7/0"));
        world.state_hash()
    });
    assert!(hashes[0] == hashes[1] && hashes[1] == hashes[2]);
}

#[test]
fn a_step_that_fails_wakes_nobody() {
    let mut world = ball_on_its_way();
    steps(&mut world, 45);
    let (stack, ball) = (world.find("0").unwrap(), world.find("ball").unwrap());
    let before = world.snapshot();
    world.apply_force(stack, Vec3::X).unwrap();
    world.apply_force(ball, Vec3::X * 1e200).unwrap();
    assert!(world.step(DT).is_err());
    assert!(world.is_asleep(stack).unwrap() && !world.is_asleep(ball).unwrap());
    let mut other = ball_on_its_way();
    other.restore(&before).unwrap();
    other.apply_force(stack_of(&other), Vec3::X).unwrap();
    // The loads still stand; with the ball's taken off again the step is the one it would have been.
    world.apply_force(ball, Vec3::X * -1e200).unwrap();
    for _ in 0..60 {
        world.step(DT).unwrap();
        other.step(DT).unwrap();
        assert_eq!(world.state_hash(), other.state_hash());
    }
}

fn stack_of(world: &World) -> BodyHandle {
    world.find("0").unwrap()
}

/// Of clocks, so not part of every run: `cargo test --release --test environment sleep -- --ignored --nocapture`.
#[test]
#[ignore = "measures time"]
fn a_sleeping_pyramid_costs_less_than_a_hundredth_of_one_awake() {
    let time = |world: &mut World, count: usize| {
        let clock = Instant::now();
        steps(world, count);
        clock.elapsed().as_secs_f64() / count as f64
    };
    let mut world = World::new();
    floor(&mut world);
    pyramid(&mut world, 20);
    steps(&mut world, 60);
    let awake = (0..5).map(|_| time(&mut world, 20)).fold(f64::INFINITY, f64::min);
    world.set_sleeping(Some(SleepSettings::default())).unwrap();
    steps(&mut world, 60);
    assert!(asleep(&world, "0 0"));
    let all = (0..5).map(|_| time(&mut world, 200)).fold(f64::INFINITY, f64::min);
    let stone = BodyDescription::dynamic("stone", cube(0.5)).mass(1.0).position(Vec3::new(0.0, 30.0, 0.25));
    world.add_body(stone.velocity(Vec3::Y * 1000.0)).unwrap();
    let but_one = (0..5).map(|_| time(&mut world, 20)).fold(f64::INFINITY, f64::min);
    println!("awake {awake:.2e} s a step, asleep {all:.2e} s, all but one {but_one:.2e} s");
    assert!(all < 0.01 * awake);
}
