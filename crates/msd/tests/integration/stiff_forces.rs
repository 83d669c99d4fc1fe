//! Forces too fast for the step: implicit methods solve them, explicit ones say so.
#![allow(clippy::unwrap_used)]

use crate::common;

use common::{Lab, diagonal};
use msd::math::{Vec3, scalar};
use msd::physics::forces::{
    ActsOn, Atmosphere, Attachment, Damper, Drag, Field, FieldClass, Spring, UniformGravity,
};
use msd::physics::integration::IntegrationError;
use msd::physics::rigid_body::{Bodies, BodyHandle, BodyView, InertialState, Wrench};

const BODY: BodyHandle = BodyHandle::new(0, 0, 0);

fn moving(velocity: Vec3) -> InertialState {
    InertialState { center_of_mass: Vec3::X, velocity, ..InertialState::AT_REST }
}

/// One kilogram on a damper of strength `c` to the origin.
fn damped(name: &str, c: f64) -> Lab {
    let damper = Damper::new(Attachment::World(Vec3::ZERO), Attachment::Body(BODY, Vec3::ZERO), c).unwrap();
    Lab::new(name).body(diagonal(1.0, [1.0; 3]), moving(Vec3::X)).field(damper)
}

#[test]
fn a_damper_ten_thousand_times_too_stiff_stops_the_body_at_once() {
    let (c, dt) = (1e6, 0.01);
    for name in ["implicit-euler", "semi-implicit-euler"] {
        let mut lab = damped(name, c);
        lab.run(dt, 1);
        let expected = 1.0 / (1.0 + c * dt);
        assert!((lab.states[0].velocity.x / expected - 1.0).abs() < 1e-9, "{name}");
        let lost = 0.5 * (1.0 - expected * expected);
        assert!((lab.work.dissipated - lost).abs() < 1e-8, "{name}: {} J of {lost} J", lab.work.dissipated);
        lab.run(dt, 1);
        assert!((lab.states[0].velocity.x / (expected * expected) - 1.0).abs() < 1e-9, "{name}");
    }
}

#[test]
fn symmetric_methods_stay_stable_on_a_stiff_damper_and_close_the_ledger() {
    let (c, dt) = (1e6, 0.01);
    for name in ["velocity-verlet", "implicit-midpoint"] {
        let mut lab = damped(name, c);
        let mut speed = 1.0;
        for _ in 0..100 {
            lab.run(dt, 1);
            let now = lab.states[0].velocity.length();
            assert!(now < speed, "{name}: {now} after {speed}");
            speed = now;
        }
        let lost = 0.5 * (1.0 - speed * speed);
        assert!((lab.work.dissipated - lost).abs() < 1e-6, "{name}: {} of {lost}", lab.work.dissipated);
    }
}

#[test]
fn a_stiff_spring_settles_in_implicit_euler() {
    let spring =
        Spring::new(Attachment::World(Vec3::ZERO), Attachment::Body(BODY, Vec3::ZERO), 1e9, 0.5).unwrap();
    let mut lab = Lab::new("implicit-euler").body(diagonal(1.0, [1.0; 3]), moving(Vec3::ZERO)).field(spring);
    lab.run(0.1, 10);
    assert!(
        (lab.states[0].center_of_mass - Vec3::X * 0.5).length() < 1e-6,
        "{}",
        lab.states[0].center_of_mass
    );
    assert!(lab.states[0].speed() < 1e-6);
}

/// A chain along x of `count` bodies, spring and damper between neighbours, the first held to the origin.
fn chain(name: &str, count: u32, stiffness: f64, damping: f64) -> Lab {
    let mut lab = Lab::new(name);
    for i in 0..count {
        let position = Vec3::X * f64::from(i + 1);
        let state = InertialState { center_of_mass: position, ..InertialState::AT_REST };
        lab = lab.body(diagonal(1.0, [0.1; 3]), state);
        let end = Attachment::Body(BodyHandle::new(0, i, 0), Vec3::ZERO);
        let before = match i {
            0 => Attachment::World(Vec3::ZERO),
            _ => Attachment::Body(BodyHandle::new(0, i - 1, 0), Vec3::ZERO),
        };
        lab = lab.field(Spring::new(before, end, stiffness, 1.0).unwrap());
        lab = lab.field(Damper::new(before, end, damping).unwrap());
    }
    lab.field(UniformGravity::new(Vec3::X * 9.81).unwrap())
}

#[test]
fn a_stiff_chain_hangs_as_statics_says() {
    // Few bodies: the Jacobian is factorised. Extension of link i: weight of all below it over k.
    let (count, stiffness) = (8, 1e6);
    let mut lab = chain("implicit-euler", count, stiffness, 1e5);
    lab.run(2.0, 20);
    let mut expected = 0.0;
    for i in 0..count {
        expected += 1.0 + f64::from(count - i) * 9.81 / stiffness;
        let x = lab.states[i as usize].center_of_mass.x;
        assert!((x - expected).abs() < 1e-9, "body {i} at {x}, expected {expected}");
    }
}

#[test]
fn a_long_stiff_chain_is_solved_by_krylov_iteration() {
    let (count, stiffness) = (60, 1e4);
    let mut lab = chain("implicit-euler", count, stiffness, 1e3);
    lab.run(0.1, 10);
    // Momentum: gravity less the force on the first link; all bodies move the same way at about the same speed.
    let speeds: Vec<f64> = lab.states.iter().map(|state| state.velocity.x).collect();
    assert!(speeds.windows(2).all(|pair| pair[1] >= pair[0]), "{speeds:?}");
    assert!(speeds[59] <= 9.81 * 0.1 + 1e-9 && speeds[59] > 0.9 * 9.81 * 0.1, "{speeds:?}");
}

#[test]
fn quadratic_drag_on_a_feather_converges() {
    // 1 g, 100 m²: terminal velocity 1.3 cm/s, reached a thousand times faster than the step.
    let drag = Drag::new(Atmosphere::Uniform { density: 1.2 }).unwrap().with_drag_area(100.0).unwrap();
    for name in ["implicit-euler", "implicit-midpoint", "velocity-verlet", "semi-implicit-euler"] {
        let mut lab = Lab::new(name)
            .body(diagonal(1e-3, [1e-3; 3]), moving(Vec3::Z * -0.1))
            .field(UniformGravity::new(Vec3::Z * -9.81).unwrap())
            .field(drag.clone());
        lab.run(1.0, 100);
        let terminal = (2.0 * 1e-3 * 9.81 / (1.2 * 100.0_f64)).sqrt();
        let speed = lab.states[0].speed();
        assert!((speed / terminal - 1.0).abs() < 0.5, "{name}: {speed} m/s, terminal {terminal} m/s");
    }
}

/// A force that jumps between two values and so has no solution of the implicit equations near zero velocity.
#[derive(Debug)]
struct Jump;

impl Field for Jump {
    fn type_name(&self) -> &'static str {
        "jump"
    }
    fn class(&self) -> FieldClass {
        FieldClass::Dissipative
    }
    fn acts_on(&self) -> ActsOn<'_> {
        ActsOn::Everything
    }
    fn wrench(&self, body: &BodyView<'_>, _: &Bodies<'_>, _: f64) -> Wrench {
        Wrench::from_force(Vec3::X * if body.state.velocity.x > 0.0 { -1e3 } else { 1e3 })
    }
    fn energy(&self, _: &BodyView<'_>, _: &Bodies<'_>, _: f64) -> Option<f64> {
        None
    }
}

#[test]
fn equations_without_a_solution_are_reported_not_passed_over() {
    for name in ["implicit-euler", "implicit-midpoint", "velocity-verlet", "semi-implicit-euler"] {
        let mut lab = Lab::new(name).body(diagonal(1.0, [1.0; 3]), moving(Vec3::X)).field(Jump);
        match lab.try_step(0.0, 0.1) {
            Err(IntegrationError::NotConverged { integrator, residual, .. }) => {
                assert_eq!(integrator, name);
                assert!(residual > 1e-3);
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

/// Attraction with a wall: infinitely strong at a plane that is reached in finite time.
#[derive(Debug)]
struct Singular;

impl Field for Singular {
    fn type_name(&self) -> &'static str {
        "singular"
    }
    fn class(&self) -> FieldClass {
        FieldClass::External
    }
    fn wrench(&self, body: &BodyView<'_>, _: &Bodies<'_>, _: f64) -> Wrench {
        let x = body.state.center_of_mass.x;
        Wrench::from_force(Vec3::X * (-1.0 / (x * x * x)))
    }
    fn energy(&self, _: &BodyView<'_>, _: &Bodies<'_>, _: f64) -> Option<f64> {
        None
    }
}

#[test]
fn a_singularity_ends_an_adaptive_step_with_the_name_of_the_body() {
    // x = √(1 - t²) from rest: the wall is hit at t = 1 exactly.
    let mut lab = Lab::new("adaptive").body(diagonal(1.0, [1.0; 3]), moving(Vec3::ZERO)).field(Singular);
    lab.run(0.9, 1);
    assert!((lab.states[0].center_of_mass.x - (1.0_f64 - 0.81).sqrt()).abs() < 1e-8);
    match lab.try_step(0.9, 0.2) {
        Err(IntegrationError::StepTooSmall { body, time, .. }) => {
            assert_eq!(body, "body-0");
            assert!((time - 1.0).abs() < 1e-6, "{time}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn infinite_forces_are_reported_with_the_name_of_the_body() {
    for name in ["semi-implicit-euler", "velocity-verlet", "rk4"] {
        let state = InertialState::AT_REST;
        let mut lab = Lab::new(name).body(diagonal(1.0, [1.0; 3]), state).field(Singular);
        match lab.try_step(0.0, 0.1) {
            Err(IntegrationError::NotFinite { body, .. }) => assert_eq!(body, "body-0"),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn dissipation_is_booked_to_the_order_of_the_method() {
    for (name, limit) in [
        ("velocity-verlet", 1e-5),
        ("implicit-midpoint", 1e-5),
        ("rk4", 1e-9),
        ("adaptive", 1e-9),
        ("exact-free", 1e-11),
    ] {
        let anchor = Attachment::World(Vec3::ZERO);
        let end = Attachment::Body(BODY, Vec3::ZERO);
        let mut lab = Lab::new(name)
            .body(diagonal(1.0, [1.0; 3]), moving(Vec3::X))
            .field(Spring::new(anchor, end, 25.0, 0.8).unwrap())
            .field(Damper::new(anchor, end, 0.3).unwrap());
        let before = lab.energy();
        lab.run(3.0, 3000);
        let unexplained = lab.energy() - before + lab.work.dissipated;
        assert!(unexplained.abs() < limit && lab.work.dissipated > 0.1, "{name}: {unexplained:e} J");
        assert!(lab.work.work_in == 0.0 && scalar::max(lab.work.dissipated, 0.0) < before, "{name}");
    }
}
