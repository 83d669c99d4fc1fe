//! Limits, motors and springs: their forces, and a closed energy ledger.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use crate::common::{Lab, diagonal};
use msd::math::Vec3;
use msd::physics::constraints::{
    BallJoint, Constraint, HingeJoint, JacobianRow, JointEnd, Limits, Motor, Pair, SliderJoint, SpringJoint,
};
use msd::physics::forces::UniformGravity;
use msd::physics::rigid_body::{BodyHandle, InertialState};

const G: f64 = 9.81;
const INTEGRATORS: [&str; 3] = ["rk4", "velocity-verlet", "semi-implicit-euler"];

fn handle(slot: usize) -> BodyHandle {
    BodyHandle::new(0, slot as u32, 0)
}

fn at(x: f64, y: f64, z: f64) -> InertialState {
    InertialState { center_of_mass: Vec3::new(x, y, z), ..InertialState::AT_REST }
}

fn heavy(lab: Lab) -> Lab {
    lab.field(UniformGravity::new(Vec3::new(0.0, 0.0, -G)).unwrap())
}

fn add(lab: &mut Lab, name: &str, joint: impl Constraint + 'static) {
    lab.constraints.add(name, Arc::new(joint)).unwrap();
}

fn motor(velocity: f64, max_force: f64) -> Motor {
    Motor { velocity, max_force }
}

/// A rotor of 0.5 kg·m² about z on a hinge to the world.
fn rotor(integrator: &str, motor: Motor) -> Lab {
    let state = InertialState::AT_REST;
    let mut lab = Lab::new(integrator).body(diagonal(1.0, [0.4, 0.4, 0.5]), state);
    let axle =
        HingeJoint::new(JointEnd::WORLD, JointEnd::body(handle(0), &state), Vec3::ZERO, Vec3::Z).unwrap();
    add(&mut lab, "axle", axle.with_motor(motor).unwrap());
    lab
}

#[test]
fn a_motor_of_limited_torque_ramps_up_and_then_holds_its_speed() {
    for integrator in INTEGRATORS {
        // 2 N·m on 0.5 kg·m²: 4 rad/s², so 10 rad/s after 2.5 s.
        let mut lab = rotor(integrator, motor(10.0, 2.0));
        lab.run(1.0, 100);
        let speed = lab.states[0].angular_velocity.z;
        assert!((speed - 4.0).abs() < 1e-12, "{integrator}: {speed}");
        let torque = lab.constraints.reaction(lab.constraints.find("axle").unwrap()).unwrap().torque;
        assert!((torque - Vec3::Z * 2.0).length() < 1e-10, "{integrator}: {torque}");
        lab.run(2.0, 201);
        let speed = lab.states[0].angular_velocity.z;
        assert!((speed - 10.0).abs() < 1e-12, "{integrator}: {speed}");
        let energy = lab.energy();
        assert!((energy - 25.0).abs() < 1e-10, "{integrator}: {energy}");
        assert!((lab.work.work_in - energy).abs() < 1e-9, "{integrator}: work {}", lab.work.work_in);
        assert!(lab.work.dissipated.abs() < 1e-12, "{integrator}");
    }
}

#[test]
fn a_motor_with_target_zero_brakes_and_never_reverses() {
    for integrator in INTEGRATORS {
        let mut lab = rotor(integrator, motor(0.0, 1.0));
        lab.states[0].angular_velocity = Vec3::Z * 3.0;
        lab.run(1.0, 100);
        assert!((lab.states[0].angular_velocity.z - 1.0).abs() < 1e-12, "{integrator}");
        lab.run(1.0, 100);
        assert!(lab.states[0].angular_velocity.z.abs() < 1e-14, "{integrator}");
        // The brake takes ½ I ω² = ½ · 0.5 · 9 J, as heat: nobody put work in.
        assert!((lab.work.dissipated - 2.25).abs() < 1e-9, "{integrator}: {}", lab.work.dissipated);
        assert!(lab.work.work_in.abs() < 1e-12, "{integrator}: {}", lab.work.work_in);
    }
}

#[test]
fn what_a_spring_too_stiff_for_the_step_loses_is_booked() {
    // 1 kg on 1e6 N/m, stretched by 10 mm: 50 J at 1 000 rad/s, of which steps of 10 ms see nothing. Backward Euler brings it
    // to rest and loses ½ k (C₁ - C₀)² in each step; work of a constant force on a straight line is exact.
    for integrator in ["rk4", "velocity-verlet"] {
        let state = at(1.01, 0.0, 0.0);
        let mut lab = Lab::new(integrator).body(diagonal(1.0, [0.1; 3]), state);
        let ends = (JointEnd::WORLD, JointEnd::body(handle(0), &state));
        let spring = SpringJoint::new(ends.0, ends.1, Vec3::ZERO, Vec3::X * 1.01, 1e6, 0.0).unwrap();
        add(&mut lab, "spring", spring.with_length(1.0).unwrap());
        let before = lab.energy();
        assert!((before - 50.0).abs() < 1e-10, "{before}");
        lab.run(0.5, 50);
        let after = lab.energy();
        assert!(after < 1e-6, "{integrator}: {after} J left");
        let books = before - lab.work.dissipated + lab.work.work_in;
        assert!((after - books).abs() < 1e-9, "{integrator}: {after} J, by the books {books} J");
    }
}

#[test]
fn closing_a_joint_that_was_opened_by_hand_is_a_correction() {
    // 2 kg that hang 1 m below a ball joint are lowered by 10 mm: bringing them back lifts them by that, m g h = 0.1962 J.
    for integrator in ["rk4", "velocity-verlet"] {
        let state = at(0.0, 0.0, -1.0);
        let mut lab = heavy(Lab::new(integrator)).body(diagonal(2.0, [0.1; 3]), state);
        let ends = (JointEnd::WORLD, JointEnd::body(handle(0), &state));
        add(&mut lab, "hook", BallJoint::new(ends.0, ends.1, Vec3::ZERO).unwrap());
        lab.states[0].center_of_mass.z -= 0.01;
        let before = lab.energy();
        lab.run(0.01, 1);
        let added = 2.0 * G * 0.01;
        assert!((lab.energy() - before - added).abs() < 1e-10, "{integrator}: {}", lab.energy() - before);
        assert!((lab.work.correction - added).abs() < 1e-10, "{integrator}: {}", lab.work.correction);
    }
}

#[test]
fn a_lift_motor_carries_its_load_at_constant_speed() {
    for integrator in INTEGRATORS {
        let state = at(0.0, 0.0, 0.0);
        let mut lab = heavy(Lab::new(integrator)).body(diagonal(10.0, [1.0; 3]), state);
        let rail = SliderJoint::new(JointEnd::WORLD, JointEnd::body(handle(0), &state), Vec3::ZERO, Vec3::Z)
            .unwrap();
        add(&mut lab, "rail", rail.with_motor(motor(0.5, 200.0)).unwrap());
        lab.run(4.0, 400);
        assert!((lab.states[0].velocity.z - 0.5).abs() < 1e-12, "{integrator}");
        let force = lab.constraints.reaction(lab.constraints.find("rail").unwrap()).unwrap().force;
        assert!((force - Vec3::Z * (10.0 * G)).length() < 1e-8, "{integrator}: {force}");
        let gained = lab.energy();
        // In the step of the start a first-order method lifts at the speed of its end: m g v dt/2 too much.
        let tolerance = if integrator == "semi-implicit-euler" { 0.25 } else { 1e-9 };
        assert!((lab.work.work_in - gained).abs() < tolerance, "{integrator}: {} {gained}", lab.work.work_in);
    }
}

/// A rod of 1 kg, centre 1 m from a hinge about y at the origin, horizontal, with limits.
fn arm(integrator: &str, limits: Limits) -> (Lab, HingeJoint) {
    let state = at(1.0, 0.0, 0.0);
    let mut lab = heavy(Lab::new(integrator)).body(diagonal(1.0, [0.01, 0.3, 0.3]), state);
    let hinge = HingeJoint::new(JointEnd::WORLD, JointEnd::body(handle(0), &state), Vec3::ZERO, Vec3::Y)
        .unwrap()
        .with_limits(limits)
        .unwrap();
    add(&mut lab, "shoulder", hinge.clone());
    (lab, hinge)
}

#[test]
fn a_limit_stops_a_swinging_arm_and_holds_it() {
    for integrator in INTEGRATORS {
        let (mut lab, hinge) = arm(integrator, Limits { min: -0.5, max: 0.7 });
        let before = lab.energy();
        lab.run(2.0, 2_000);
        let angle = hinge.angle(&Pair { a: &InertialState::AT_REST, b: &lab.states[0] });
        assert!((angle - 0.7).abs() < 1e-9, "{integrator}: {angle}");
        assert!(lab.states[0].angular_velocity.length() < 1e-10, "{integrator}: bounced");
        let torque = lab.constraints.reaction(lab.constraints.find("shoulder").unwrap()).unwrap().torque;
        // The stop carries the moment of the weight at the angle 0.7 below the horizontal.
        let expected = -G * lab.states[0].center_of_mass.x;
        assert!((torque.y - expected).abs() < 1e-6, "{integrator}: {torque} against {expected}");
        let lost = before - lab.energy();
        assert!(lost > 6.0, "{integrator}");
        assert!(
            (lab.work.dissipated - lost).abs() < 0.02 * lost,
            "{integrator}: {} of {lost}",
            lab.work.dissipated
        );
        assert_eq!(lab.constraints.report().active_limits, 1);
    }
}

#[test]
fn an_arm_leaves_its_limit_when_it_is_lifted() {
    for integrator in INTEGRATORS {
        let (mut lab, _) = arm(integrator, Limits { min: -0.5, max: 1e-12 });
        lab.run(0.5, 50);
        assert!(lab.states[0].angular_velocity.length() < 1e-10, "{integrator}");
        lab.states[0].angular_velocity = Vec3::Y * -1.0;
        lab.states[0].velocity = Vec3::Z;
        lab.run(0.05, 50);
        assert!(lab.states[0].center_of_mass.z > 0.03, "{integrator}: stuck");
    }
}

#[test]
fn a_slider_stops_at_its_end_and_keeps_momentum_along_other_axes() {
    for integrator in INTEGRATORS {
        let state = InertialState { velocity: Vec3::X * 2.0, ..InertialState::AT_REST };
        let mut lab = Lab::new(integrator).body(diagonal(2.0, [1.0; 3]), state);
        let rail = SliderJoint::new(JointEnd::WORLD, JointEnd::body(handle(0), &state), Vec3::ZERO, Vec3::X)
            .unwrap()
            .with_limits(Limits { min: -1.0, max: 0.995 })
            .unwrap();
        add(&mut lab, "rail", rail);
        lab.run(1.0, 100);
        assert!((lab.states[0].center_of_mass.x - 0.995).abs() < 1e-12, "{integrator}");
        assert!(lab.states[0].velocity.length() < 1e-14, "{integrator}");
        assert!((lab.work.dissipated - 4.0).abs() < 1e-12, "{integrator}: {}", lab.work.dissipated);
    }
}

#[test]
fn limits_less_than_a_turn_apart_are_never_in_doubt() {
    let limits = Limits { min: -3.0, max: 3.2 };
    let (_, hinge) = arm("rk4", limits);
    for angle in [-2.9, -1.0, 0.0, 1.6, 3.1, 3.19] {
        let state = InertialState {
            orientation: msd::math::orientation::from_rotation_vector(Vec3::Y * angle),
            ..InertialState::AT_REST
        };
        let pair = Pair { a: &InertialState::AT_REST, b: &state };
        assert!((hinge.angle(&pair) - angle).abs() < 1e-12, "{angle}");
        let turns = angle + 6.0 * std::f64::consts::PI;
        assert!((hinge.angle_near(&pair, turns + 0.5) - turns).abs() < 1e-12, "{angle}");
    }
    let refused = hinge.with_limits(Limits { min: 4.0, max: -4.0 });
    assert!(refused.is_err());
}

#[test]
fn a_spring_swings_at_its_frequency_while_the_step_resolves_it() {
    // k = 100 N/m, m = 1 kg: ω = 10 rad/s.
    for (integrator, tolerance) in [("rk4", 1e-6), ("velocity-verlet", 1e-3)] {
        let state = at(1.1, 0.0, 0.0);
        let mut lab = Lab::new(integrator).body(diagonal(1.0, [1.0; 3]), state);
        let end = JointEnd::body(handle(0), &state);
        let spring =
            SpringJoint::new(JointEnd::WORLD, end, Vec3::ZERO, state.center_of_mass, 100.0, 0.0).unwrap();
        add(&mut lab, "spring", spring.with_length(1.0).unwrap());
        let before = lab.energy();
        lab.run(std::f64::consts::PI / 5.0, 1_000);
        assert!((lab.states[0].center_of_mass.x - 1.1).abs() < tolerance * 1e-1, "{integrator}");
        assert!((lab.energy() - before).abs() < tolerance * before, "{integrator}");
    }
}

#[test]
fn springs_of_any_stiffness_and_damping_are_stable_at_any_step() {
    for integrator in INTEGRATORS {
        for stiffness in [1e2, 1e4, 1e6, 1e9, 1e12] {
            for damping in [0.0, 1.0, 1e3, 1e6] {
                let state = at(0.0, 0.0, -1.01);
                let mut lab = heavy(Lab::new(integrator)).body(diagonal(1.0, [1.0; 3]), state);
                let end = JointEnd::body(handle(0), &state);
                let spring = SpringJoint::new(
                    JointEnd::WORLD,
                    end,
                    Vec3::ZERO,
                    state.center_of_mass,
                    stiffness,
                    damping,
                );
                add(&mut lab, "spring", spring.unwrap().with_length(1.0).unwrap());
                lab.run(10.0, 600);
                let stretch = lab.states[0].center_of_mass.length() - 1.0;
                let most = 2.0 * (0.01 + G / stiffness) + 1e-3;
                assert!(stretch.abs() < most, "{integrator}, k {stiffness}, c {damping}: stretch {stretch}");
            }
        }
    }
}

#[test]
fn the_energy_a_damper_takes_is_booked() {
    for integrator in ["rk4", "velocity-verlet"] {
        let state = at(1.2, 0.0, 0.0);
        let mut lab = Lab::new(integrator).body(diagonal(1.0, [1.0; 3]), state);
        let end = JointEnd::body(handle(0), &state);
        let spring =
            SpringJoint::new(JointEnd::WORLD, end, Vec3::ZERO, state.center_of_mass, 100.0, 2.0).unwrap();
        add(&mut lab, "spring", spring.with_length(1.0).unwrap());
        let before = lab.energy();
        lab.run(1.0, 1_000);
        let lost = before - lab.energy();
        assert!(lost > 1.0, "{lost}");
        assert!(
            (lab.work.dissipated - lost).abs() < 1e-4 * lost,
            "{integrator}: {} of {lost}",
            lab.work.dissipated
        );
    }
}

#[test]
fn a_body_moved_from_outside_does_work_through_its_joint() {
    for (integrator, tolerance) in [("rk4", 1e-8), ("velocity-verlet", 1e-3)] {
        // A crank pin on a circle, moved at constant speed by a kinematic arm, pulls a mass along on a ball joint.
        let arm = InertialState { angular_velocity: Vec3::Z * 2.0, ..InertialState::AT_REST };
        let mass = InertialState {
            center_of_mass: Vec3::new(1.5, 0.0, 0.0),
            velocity: Vec3::Y * 2.0,
            ..InertialState::AT_REST
        };
        let mut lab = heavy(Lab::new(integrator))
            .body(diagonal(1.0, [1.0; 3]), arm)
            .body(diagonal(1.0, [0.1; 3]), mass);
        lab.inertias[0] = msd::physics::rigid_body::Inertia::IMMOVABLE;
        lab.bodies[0].kind = msd::physics::rigid_body::BodyKind::Kinematic;
        lab.bodies[0].inertia = lab.inertias[0];
        let joint =
            BallJoint::new(JointEnd::body(handle(0), &arm), JointEnd::body(handle(1), &mass), Vec3::X)
                .unwrap();
        add(&mut lab, "pin", joint);
        let before = lab.energy();
        lab.run(1.0, 1_000);
        let gained = lab.energy() - before;
        assert!(gained.abs() > 0.1, "{integrator}: {gained}");
        assert!(
            (lab.work.work_in - gained).abs() < tolerance,
            "{integrator}: {} of {gained}",
            lab.work.work_in
        );
    }
}

/// A massless rod from the origin whose length is wound in: `|x| = 2 - ½ t`.
#[derive(Debug)]
struct Winch(BodyHandle);

impl Constraint for Winch {
    fn type_name(&self) -> &'static str {
        "winch"
    }
    fn bodies(&self) -> [Option<BodyHandle>; 2] {
        [None, Some(self.0)]
    }
    fn dimension(&self) -> usize {
        1
    }
    fn value(&self, pair: &Pair<'_>, time: f64, out: &mut [f64]) {
        out[0] = pair.b.center_of_mass.length() - (2.0 - 0.5 * time);
    }
    fn jacobian(&self, pair: &Pair<'_>, _time: f64, out: &mut [JacobianRow]) {
        out[0] = JacobianRow { linear_b: pair.b.center_of_mass.normalize(), ..JacobianRow::ZERO };
    }
    fn time_derivative(&self, _pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        out[0] = 0.5;
    }
}

#[test]
fn a_skater_wound_in_by_a_winch_spins_faster_and_the_winch_does_the_work() {
    for (integrator, tolerance) in [("rk4", 1e-8), ("velocity-verlet", 1e-3), ("semi-implicit-euler", 1e-1)] {
        let start = InertialState { velocity: Vec3::new(-0.5, 1.0, 0.0), ..at(2.0, 0.0, 0.0) };
        let mut lab = Lab::new(integrator).body(diagonal(3.0, [1.0; 3]), start);
        add(&mut lab, "winch", Winch(handle(0)));
        let before = lab.energy();
        lab.run(2.0, 2_000);
        let state = lab.states[0];
        assert!((state.center_of_mass.length() - 1.0).abs() < 1e-13, "{integrator}");
        // Angular momentum 2 m²/s per kg is kept: 2 m/s across at 1 m, and 0.5 m/s inwards.
        let across = state.center_of_mass.cross(state.velocity).z;
        assert!((across - 2.0).abs() < 1e-10, "{integrator}: {across}");
        let gained = lab.energy() - before;
        assert!((gained - 4.5).abs() < 1e-9, "{integrator}: {gained}");
        assert!(
            (lab.work.work_in - gained).abs() < tolerance,
            "{integrator}: {} of {gained}",
            lab.work.work_in
        );
    }
}

#[test]
fn shaking_a_spring_puts_work_in() {
    for (integrator, tolerance) in [("rk4", 1e-8), ("velocity-verlet", 1e-3)] {
        let hand = InertialState { velocity: Vec3::X * 0.3, ..at(0.0, 0.0, 0.0) };
        let mass = at(1.0, 0.0, 0.0);
        let mut lab =
            Lab::new(integrator).body(diagonal(1.0, [1.0; 3]), hand).body(diagonal(2.0, [1.0; 3]), mass);
        lab.inertias[0] = msd::physics::rigid_body::Inertia::IMMOVABLE;
        lab.bodies[0].kind = msd::physics::rigid_body::BodyKind::Kinematic;
        let ends = (JointEnd::body(handle(0), &hand), JointEnd::body(handle(1), &mass));
        let spring = SpringJoint::new(ends.0, ends.1, Vec3::ZERO, Vec3::X, 50.0, 0.0).unwrap();
        add(&mut lab, "spring", spring);
        let before = lab.energy();
        lab.run(0.4, 400);
        let gained = lab.energy() - before;
        assert!(gained > 0.05, "{integrator}: {gained}");
        assert!(
            (lab.work.work_in - gained).abs() < tolerance,
            "{integrator}: {} of {gained}",
            lab.work.work_in
        );
    }
}
