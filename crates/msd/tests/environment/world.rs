//! The world: doors, handles, time, loads, the ledger, snapshots.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::sync::Arc;

use msd::environment::{BodyDescription, Snapshot, SnapshotError, World, WorldError};
use msd::math::{Mat3, Quat, ReferenceFrame, Vec3, orientation};
use msd::physics::forces::{ActsOn, Field, FieldClass, Thruster};
use msd::physics::integration::{IntegrationError, LoadFrame};
use msd::physics::rigid_body::shape::{Cuboid, HalfSpace, Shape, Sphere};
use msd::physics::rigid_body::{Bodies, BodyHandle, BodyView, Wrench};

fn ball() -> Shape {
    Shape::Sphere(Sphere::new(0.1).unwrap())
}

fn brick() -> Shape {
    Shape::Box(Cuboid::new(Vec3::new(1.0, 2.0, 3.0)).unwrap())
}

fn free_space() -> World {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    world
}

// ── Doors ───────────────────────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn bad_values_are_refused_with_body_field_value_and_limit() {
    let mut world = World::new();
    let good = || BodyDescription::dynamic("lander", ball()).mass(1.0);
    let cases = [
        (good().mass(-2.0), "body `lander`: mass must be positive and finite, got -2 kg"),
        (good().density(0.0), "body `lander`: density must be positive and finite, got 0 kg/m³"),
        (
            good().position(Vec3::new(f64::NAN, 0.0, 0.0)),
            "body `lander`: position must be finite, got [NaN, 0.0, 0.0]",
        ),
        (
            good().velocity(Vec3::new(0.0, f64::INFINITY, 0.0)),
            "body `lander`: velocity must be finite, got [0.0, inf, 0.0]",
        ),
        (
            good().orientation(Quat::from_xyzw(0.0, 0.0, 0.0, 1.1)),
            "body `lander`: orientation must be a unit quaternion (w, x, y, z) to within 1e-6, got [1.1, 0.0, 0.0, 0.0]",
        ),
        (good().damping(-1.0, 0.0), "body `lander`: linear_damping must be finite and at least 0, got -1.0"),
        (
            good().inertia(Mat3::from_diagonal(Vec3::new(1.0, 1.0, 3.0))),
            "body `lander`: inertia tensor breaks the triangle inequality: principal moments 1, 1, 3 kg·m², and no rigid \
             body has one that exceeds the sum of the others",
        ),
        (
            BodyDescription::dynamic("lander", ball()),
            "body `lander`: a dynamic body needs a mass or a density, and neither was given",
        ),
        (
            BodyDescription::fixed("lander", ball()).velocity(Vec3::X),
            "body `lander` is static: it cannot have a velocity",
        ),
        (
            BodyDescription::dynamic("lander", Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap()))
                .mass(1.0),
            "body `lander` is dynamic: a half-space can only be static",
        ),
        (
            BodyDescription::dynamic("", ball()).mass(1.0),
            "body: name must be not empty and printable, got \"\"",
        ),
    ];
    for (description, message) in cases {
        assert_eq!(world.add_body(description).unwrap_err().to_string(), message);
    }
    world.add_body(good()).unwrap();
    assert_eq!(world.add_body(good()).unwrap_err(), WorldError::DuplicateName("lander".into()));
    assert!(world.set_dt(0.0).is_err() && world.step(f64::NAN).is_err() && world.step(-1.0).is_err());
    assert_eq!(
        world.run(0.0).unwrap_err().to_string(),
        "world: duration must be positive and finite, got 0.0"
    );
}

#[test]
fn a_quaternion_within_a_millionth_of_unit_is_accepted_and_normalised() {
    let mut world = World::new();
    let q = Quat::from_xyzw(0.0, 0.0, 0.0, 1.0 + 5e-7);
    let body = world.add_body(BodyDescription::dynamic("b", ball()).mass(1.0).orientation(q)).unwrap();
    assert_eq!(world.body(body).unwrap().state.orientation, Quat::IDENTITY);
}

#[test]
fn positions_that_f64_cannot_resolve_are_refused_at_the_door_and_after_a_step() {
    let mut world = free_space();
    let far = BodyDescription::dynamic("far", ball()).mass(1.0).position(Vec3::X * 1e10);
    assert!(matches!(world.add_body(far), Err(WorldError::OutOfResolution { .. })));
    let near =
        BodyDescription::dynamic("near", ball()).mass(1.0).position(Vec3::X * 4e9).velocity(Vec3::X * 1e9);
    let body = world.add_body(near).unwrap();
    let before = world.state_hash();
    let refused = world.step(1.0).unwrap_err();
    assert!(matches!(refused, WorldError::StepOutOfResolution { step: 1, time: 0.0, .. }), "{refused}");
    assert!(
        refused.to_string().starts_with("step 1 from t = 0 s failed: body `near`: at 5e9 m"),
        "{refused}"
    );
    assert_eq!(world.state_hash(), before, "a refused step changes nothing");
    assert_eq!(world.body(body).unwrap().state.center_of_mass.x, 4e9);
}

#[test]
fn orbital_speed_and_a_hundred_thousand_radians_a_second_are_simulated_not_capped() {
    let mut world = free_space();
    let fast = BodyDescription::dynamic("fast", ball())
        .mass(1.0)
        .position(Vec3::X * 7e6)
        .velocity(Vec3::Y * 7800.0)
        .angular_velocity(Vec3::Z * 1e5);
    let body = world.add_body(fast).unwrap();
    world.run(1.0).unwrap();
    let state = world.body(body).unwrap().state;
    assert_eq!(state.velocity, Vec3::Y * 7800.0);
    assert!((state.angular_velocity - Vec3::Z * 1e5).length() < 1e-9 * 1e5);
    assert!((state.center_of_mass - Vec3::new(7e6, 7800.0, 0.0)).length() < 1e-6);
}

// ── Handles ─────────────────────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn stale_and_foreign_handles_are_errors() {
    let mut world = World::new();
    let first = world.add_body(BodyDescription::dynamic("first", ball()).mass(1.0)).unwrap();
    world.remove_body(first).unwrap();
    let second = world.add_body(BodyDescription::dynamic("second", ball()).mass(1.0)).unwrap();
    assert_eq!(first.slot(), second.slot(), "the slot is used again");
    assert_eq!(world.body(first).unwrap_err(), WorldError::StaleHandle("body"));
    assert_eq!(World::new().body(second).unwrap_err(), WorldError::ForeignHandle);
    assert_eq!(world.find("first"), None);
    assert_eq!(world.find("second"), Some(second));
    let copy = world.clone();
    assert!(copy.body(second).is_ok(), "a copy accepts the handles of the original");
}

#[test]
#[ignore = "measures time"]
#[allow(clippy::disallowed_methods, reason = "it measures time")]
fn adding_a_body_or_joint_costs_the_same_however_many_there_are() {
    let seconds = |count: usize| {
        let began = std::time::Instant::now();
        let mut world = World::new();
        for k in 0..count {
            world.add_body(BodyDescription::dynamic(&k.to_string(), ball()).mass(1.0)).unwrap();
        }
        // Slots that stand empty are found as fast.
        for handle in world.handles().step_by(2).collect::<Vec<_>>() {
            world.remove_body(handle).unwrap();
        }
        for k in 0..count / 2 {
            world.add_body(BodyDescription::dynamic(&format!("again {k}"), ball()).mass(1.0)).unwrap();
        }
        began.elapsed().as_secs_f64()
    };
    let (few, many) = (seconds(100_000), seconds(1_000_000));
    println!("1e5 bodies {few} s, 1e6 bodies {many} s");
    // Ten times as many; names are kept in a tree, and caches are left behind.
    assert!(many < 25.0 * few, "1e5 bodies took {few} s, 1e6 {many} s");
}

// ── Time ────────────────────────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn a_run_meets_its_end_time_exactly_with_a_shortened_last_step() {
    let mut world = World::new();
    let body = world.add_body(BodyDescription::dynamic("b", ball()).mass(1.0)).unwrap();
    world.set_dt(0.3).unwrap();
    let report = world.run(1.0).unwrap();
    assert_eq!((report.steps, report.time, world.time()), (4, 1.0, 1.0));
    let fallen = -world.body(body).unwrap().state.center_of_mass.z;
    assert!((fallen - 4.905).abs() < 1e-14, "½ g t² whatever the steps: {fallen}");
    world.set_dt(0.001).unwrap();
    assert_eq!(world.run(9.0).unwrap().steps, 9000);
    assert_eq!(world.time(), 10.0);
}

#[test]
fn the_clock_times_phases_and_changes_no_bit() {
    use std::sync::atomic::{AtomicU64, Ordering};
    static TICKS: AtomicU64 = AtomicU64::new(0);
    let mut timed = World::new();
    timed.add_body(BodyDescription::dynamic("b", brick()).mass(1.0).angular_velocity(Vec3::ONE)).unwrap();
    let mut untimed = timed.clone();
    timed.set_clock(Some(|| TICKS.fetch_add(1, Ordering::Relaxed) as f64));
    let report = timed.run(0.1).unwrap();
    assert_eq!(report.phases.total(), 8.0 * 100.0, "eight laps of one tick a step");
    assert_eq!(untimed.run(0.1).unwrap().phases.total(), 0.0);
    assert_eq!(timed.state_hash(), untimed.state_hash());
}

// ── Loads ───────────────────────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn a_force_acts_for_one_step_and_is_booked_as_work() {
    let mut world = free_space();
    let body = world.add_body(BodyDescription::dynamic("b", ball()).mass(2.0)).unwrap();
    world.apply_force(body, Vec3::X * 10.0).unwrap();
    let report = world.step(0.1).unwrap();
    let speed = world.body(body).unwrap().state.velocity.x;
    assert!((speed - 0.5).abs() < 1e-15, "F dt / m");
    assert!((report.energy.work_in - 0.25).abs() < 1e-15, "½ m v² = 0.25 J");
    assert!((world.acceleration(body).unwrap().linear.x - 5.0).abs() < 1e-14);
    world.step(0.1).unwrap();
    assert_eq!(world.body(body).unwrap().state.velocity.x, speed, "cleared after the step");
    assert!(world.energy().error().abs() < 1e-15);
}

#[test]
fn a_force_at_a_point_turns_the_body_and_one_on_a_static_body_is_refused() {
    let mut world = free_space();
    let body = world.add_body(BodyDescription::dynamic("b", brick()).mass(12.0).position(Vec3::X)).unwrap();
    // 1 m off the centre along y: torque about -z. I_zz = (1 + 4) m/12 = 5.
    world.apply_force_at(body, Vec3::X * 5.0, Vec3::new(1.0, 1.0, 0.0)).unwrap();
    world.step(1e-3).unwrap();
    assert!((world.body(body).unwrap().state.angular_velocity.z + 1e-3).abs() < 1e-12);
    let wall = world.add_body(BodyDescription::fixed("wall", brick())).unwrap();
    let refused = world.apply_force(wall, Vec3::X).unwrap_err();
    assert_eq!(refused.to_string(), "body `wall` is static: forces and impulses act on dynamic bodies only");
}

#[test]
fn a_body_frame_thrust_turns_with_the_body_inside_the_step() {
    // Spinning at 1 rad/s about z with 1 m/s² along body x: v = (sin t, 1 - cos t), also with one step of 1 s, to the
    // order of the method. A thrust held in the world would give (1, 0).
    let mut world = free_space();
    world.set_integrator(msd::physics::integration::by_name("rk4", None).unwrap());
    let spinning = BodyDescription::dynamic("b", ball()).mass(1.0).angular_velocity(Vec3::Z);
    let body = world.add_body(spinning).unwrap();
    for _ in 0..10 {
        world.apply_wrench(body, Vec3::X, Vec3::ZERO, LoadFrame::Body).unwrap();
        world.step(0.1).unwrap();
    }
    let expected = Vec3::new(1.0_f64.sin(), 1.0 - 1.0_f64.cos(), 0.0);
    assert!((world.body(body).unwrap().state.velocity - expected).length() < 1e-7);
}

#[test]
fn impulses_change_velocities_at_once_and_are_booked_as_work() {
    let mut world = free_space();
    let body = world.add_body(BodyDescription::dynamic("b", brick()).mass(12.0)).unwrap();
    world.step(0.1).unwrap();
    world.apply_impulse_at(body, Vec3::X * 12.0, Vec3::Y).unwrap();
    let state = *world.body(body).unwrap().state;
    assert!((state.velocity - Vec3::X).length() < 1e-15);
    assert!((state.angular_velocity - Vec3::Z * (-12.0 / 5.0)).length() < 1e-14);
    let energy = 0.5 * 12.0 + 0.5 * 5.0 * (12.0_f64 / 5.0).powi(2);
    assert!((world.energy().work_in - energy).abs() < 1e-13);
    assert!(world.energy().error().abs() < 1e-13);
}

#[test]
fn damping_is_an_exact_exponential_and_its_loss_is_booked() {
    let mut world = free_space();
    let described = BodyDescription::dynamic("b", ball()).mass(2.0).velocity(Vec3::X * 3.0).damping(0.7, 0.2);
    let body = world.add_body(described.angular_velocity(Vec3::Z * 4.0)).unwrap();
    world.set_dt(0.25).unwrap();
    world.run(2.0).unwrap();
    let state = world.body(body).unwrap().state;
    assert!(
        (state.velocity.x - 3.0 * (-1.4_f64).exp()).abs() < 1e-14,
        "{} {}",
        state.velocity.x,
        3.0 * (-1.4_f64).exp()
    );
    assert!((state.angular_velocity.z - 4.0 * (-0.4_f64).exp()).abs() < 1e-14);
    assert!(world.energy().error().abs() < 1e-13 && world.energy().dissipated > 8.0);
}

#[test]
fn a_kinematic_body_reaches_its_target_in_one_step_and_stops() {
    let mut world = World::new();
    let described = BodyDescription::kinematic("k", brick()).center_of_mass(Vec3::new(0.1, 0.2, 0.3));
    let body = world.add_body(described).unwrap();
    let target = ReferenceFrame::new(Vec3::new(1.0, 2.0, 3.0), orientation::from_rotation_vector(Vec3::ONE));
    world.move_kinematic_to(body, target).unwrap();
    world.step(0.01).unwrap();
    let reached = world.frame(body).unwrap();
    assert!((reached.position - target.position).length() < 1e-14);
    assert!(orientation::angle_between(reached.orientation, target.orientation) < 1e-14);
    world.step(0.01).unwrap();
    assert_eq!(world.frame(body).unwrap(), reached, "no gravity, no drift");
}

#[test]
fn the_body_frame_and_the_centre_of_mass_are_different_points() {
    // An off-centre mass spinning about z: the centre of mass stays, the frame circles it.
    let mut world = free_space();
    let described =
        BodyDescription::dynamic("b", ball()).mass(1.0).center_of_mass(Vec3::X).angular_velocity(Vec3::Z);
    let body = world.add_body(described).unwrap();
    world.run(std::f64::consts::PI).unwrap();
    assert!((world.body(body).unwrap().state.center_of_mass - Vec3::X).length() < 1e-12);
    assert!((world.frame(body).unwrap().position - Vec3::X * 2.0).length() < 1e-12);
}

#[test]
fn a_burn_that_ends_at_the_end_of_a_step_gives_its_whole_impulse() {
    for name in ["velocity-verlet", "semi-implicit-euler", "rk4", "implicit-midpoint", "adaptive"] {
        let mut world = free_space();
        world.set_integrator(msd::physics::integration::by_name(name, None).unwrap());
        world.set_dt(0.1).unwrap();
        let body = world.add_body(BodyDescription::dynamic("craft", ball()).mass(2.0)).unwrap();
        let thruster = Thruster::new(body, Vec3::ZERO, Vec3::X, 3.0).unwrap().firing(0.3, 0.7).unwrap();
        world.add_field(Arc::new(thruster)).unwrap();
        world.run(1.0).unwrap();
        let speed = world.body(body).unwrap().state.velocity.x;
        assert!((speed - 3.0 * 0.4 / 2.0).abs() < 1e-13, "{name}: F t / m = 0.6 m/s, got {speed}");
        assert!(world.energy().max_error < 1e-12, "{name}: {:e} J", world.energy().max_error);
    }
}

// ── Steps that fail ─────────────────────────────────────────────────────────────────────────────────────────────────

/// A field that explodes once the time has come.
#[derive(Debug)]
struct Explodes;

impl Field for Explodes {
    fn type_name(&self) -> &'static str {
        "explodes"
    }
    fn class(&self) -> FieldClass {
        FieldClass::External
    }
    fn wrench(&self, _: &BodyView<'_>, _: &Bodies<'_>, time: f64) -> Wrench {
        Wrench::from_force(Vec3::X * if time > 0.5 { f64::INFINITY } else { 1.0 })
    }
    fn energy(&self, _: &BodyView<'_>, _: &Bodies<'_>, _: f64) -> Option<f64> {
        None
    }
}

#[test]
fn a_step_that_fails_changes_nothing_and_names_step_time_and_body() {
    let mut world = World::new();
    world.add_body(BodyDescription::dynamic("victim", ball()).mass(1.0)).unwrap();
    world.add_field(Arc::new(Explodes)).unwrap();
    world.set_dt(0.1).unwrap();
    let error = world.run(1.0).unwrap_err();
    assert!(
        matches!(
            &error,
            WorldError::Step { step: 6, source: IntegrationError::Field { body, .. }, .. } if body == "victim"
        ),
        "{error}"
    );
    assert_eq!(world.steps(), 5);
    assert_eq!(world.time(), 0.5);
    let (hash, energy) = (world.state_hash(), world.energy());
    assert!(world.step(0.1).is_err());
    assert_eq!((world.state_hash(), world.energy()), (hash, energy));
}

/// A field on listed bodies, for removal.
#[derive(Debug)]
struct Pulls(Vec<BodyHandle>);

impl Field for Pulls {
    fn type_name(&self) -> &'static str {
        "pulls"
    }
    fn class(&self) -> FieldClass {
        FieldClass::External
    }
    fn acts_on(&self) -> ActsOn<'_> {
        ActsOn::Bodies(&self.0)
    }
    fn wrench(&self, _: &BodyView<'_>, _: &Bodies<'_>, _: f64) -> Wrench {
        Wrench::from_force(Vec3::X)
    }
    fn energy(&self, _: &BodyView<'_>, _: &Bodies<'_>, _: f64) -> Option<f64> {
        None
    }
}

#[test]
fn a_body_that_a_field_refers_to_is_not_removed() {
    let mut world = World::new();
    let body = world.add_body(BodyDescription::dynamic("b", ball()).mass(1.0)).unwrap();
    let field = world.add_field(Arc::new(Pulls(vec![body]))).unwrap();
    let refused = world.remove_body(body).unwrap_err().to_string();
    assert_eq!(refused, "body `b` is used by the field `pulls`; remove that first");
    world.remove_field(field).unwrap();
    world.remove_body(body).unwrap();
    assert_eq!(world.remove_field(field).unwrap_err(), WorldError::StaleHandle("field"));
    assert_eq!(world.add_field(Arc::new(Pulls(vec![body]))).unwrap_err(), WorldError::StaleHandle("body"));
}

// ── Snapshots ───────────────────────────────────────────────────────────────────────────────────────────────────────

fn tumbling_world() -> World {
    let mut world = World::new();
    for i in 0..5 {
        let described = BodyDescription::dynamic(&format!("brick-{i}"), brick())
            .mass(1.0 + f64::from(i))
            .position(Vec3::X * (5.0 * f64::from(i)))
            .angular_velocity(Vec3::new(0.1, 2.0, 0.3 * f64::from(i)))
            .damping(0.01, 0.02);
        world.add_body(described).unwrap();
    }
    world
}

#[test]
fn a_restored_world_continues_with_the_same_bits() {
    let mut world = tumbling_world();
    world.run(0.1).unwrap();
    let pushed = world.find("brick-2").unwrap();
    world.apply_torque(pushed, Vec3::ONE).unwrap();
    let snapshot = Snapshot::from_bytes(world.snapshot().as_bytes().to_vec()).unwrap();
    world.run(0.5).unwrap();
    let mut fresh = tumbling_world();
    fresh.restore(&snapshot).unwrap();
    assert_ne!(fresh.state_hash(), world.state_hash());
    fresh.run(0.5).unwrap();
    assert_eq!(fresh.state_hash(), world.state_hash());
    assert_eq!(fresh.energy(), world.energy());
    assert_eq!(fresh.time(), world.time());
}

#[test]
fn a_snapshot_with_any_bit_flipped_is_refused() {
    let bytes = tumbling_world().snapshot().as_bytes().to_vec();
    for at in (0..bytes.len()).step_by(7) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(Snapshot::from_bytes(damaged).is_err(), "byte {at}");
    }
    assert!(matches!(
        Snapshot::from_bytes(bytes[..bytes.len() - 1].to_vec()),
        Err(SnapshotError::Length { .. })
    ));
    assert_eq!(Snapshot::from_bytes(b"not a snapshot at all".to_vec()), Err(SnapshotError::NotASnapshot));
}

#[test]
fn a_forged_snapshot_is_refused_or_restored_but_never_breaks_the_world() {
    const HEADER: usize = 20;
    const DIGEST: usize = 32;
    let world = tumbling_world();
    let bytes = world.snapshot().as_bytes().to_vec();
    let mut refused = 0;
    for at in HEADER..bytes.len() - DIGEST {
        for value in [0, 1, 0x7f, 0xff] {
            let mut forged = bytes[..bytes.len() - DIGEST].to_vec();
            forged[at] = value;
            forged.extend(msd::digest::Hasher::digest(&forged).0);
            let mut copy = world.clone();
            match copy.restore(&Snapshot::from_bytes(forged).unwrap()) {
                Ok(()) => drop(copy.step(0.01)),
                Err(_) => {
                    refused += 1;
                    assert_eq!(copy.state_hash(), world.state_hash(), "byte {at}");
                }
            }
        }
    }
    assert!(refused > 1000, "{refused} refused");
}

#[test]
fn a_snapshot_of_another_model_is_refused_with_the_first_difference() {
    let snapshot = tumbling_world().snapshot();
    let mut heavier = World::new();
    for i in 0..5 {
        let described =
            BodyDescription::dynamic(&format!("brick-{i}"), brick()).mass(if i == 3 { 99.0 } else { 1.0 });
        heavier.add_body(described.damping(0.01, 0.02)).unwrap();
    }
    let message = |world: &mut World| world.restore(&snapshot).unwrap_err().to_string();
    assert_eq!(
        message(&mut heavier),
        "this snapshot is of another model: body `brick-1` has other parameters"
    );
    let mut other = tumbling_world();
    other.add_body(BodyDescription::dynamic("extra", ball()).mass(1.0)).unwrap();
    assert_eq!(
        message(&mut other),
        "this snapshot is of another model: it has field 0 (`uniform-gravity`) where this world has body `extra`"
    );
    let mut integrator = tumbling_world();
    integrator.set_integrator(msd::physics::integration::by_name("rk4", None).unwrap());
    assert_eq!(
        message(&mut integrator),
        "this snapshot is of another model: integrator has other parameters"
    );
}

#[test]
fn reset_and_copy_start_over_with_the_same_bits() {
    let mut world = tumbling_world();
    let start = world.state_hash();
    let mut copy = world.clone();
    world.run(0.3).unwrap();
    let end = world.state_hash();
    copy.run(0.3).unwrap();
    assert_eq!(copy.state_hash(), end);
    world.reset();
    assert_eq!(world.state_hash(), start);
    world.run(0.3).unwrap();
    assert_eq!(world.state_hash(), end);
}

#[test]
fn a_thrown_ball_keeps_its_energy_and_follows_the_parabola() {
    let mut world = World::new();
    let v = Vec3::new(3.0, -2.0, 10.0);
    let body = world.add_body(BodyDescription::dynamic("ball", ball()).mass(0.5).velocity(v)).unwrap();
    world.run(2.0).unwrap();
    let expected = v * 2.0 + World::DEFAULT_GRAVITY * 2.0;
    assert!((world.body(body).unwrap().state.center_of_mass - expected).length() < 1e-12);
    assert!(world.energy().max_error < 1e-12 * world.energy().initial);
}
