//! Joints by their axis and the actuators on them, against closed forms.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use msd::agent::Command;
use msd::environment::WorldError;
use msd::math::orientation;
use msd::physics::constraints::{
    Actuator, BallJoint, ConstraintHandle, HingeJoint, JointEnd, Limits, Motor, SliderJoint,
};
use msd::physics::integration;
use msd::prelude::*;

const METHODS: [&str; 4] = ["velocity-verlet", "semi-implicit-euler", "rk4", "implicit-midpoint"];

/// A direction and two numbers that follow from a seed.
fn random(seed: u64) -> (Vec3, f64, f64) {
    let mut x = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 11) as f64 / (1_u64 << 53) as f64
    };
    let _ = (next(), next());
    let axis = Vec3::new(next() - 0.5, next() - 0.5, next() - 0.5).normalize();
    (axis, next(), next())
}

/// A rotor of 0.5 kg·m² about an axis through its centre, without gravity.
fn rotor(method: &str, axis: Vec3, limits: Option<Limits>) -> (World, BodyHandle, ConstraintHandle) {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    world.set_integrator(integration::by_name(method, None).unwrap());
    let ball = Shape::Sphere(Sphere::new((0.5_f64 / 0.8).sqrt()).unwrap());
    let rotor = world.add_body(BodyDescription::dynamic("rotor", ball).mass(2.0)).unwrap();
    let hinge = HingeJoint::new(JointEnd::WORLD, world.joint_end(rotor).unwrap(), Vec3::ZERO, axis).unwrap();
    let hinge = limits.map_or(Ok(hinge.clone()), |limits| hinge.with_limits(limits)).unwrap();
    let joint = world.add_joint("hinge", Arc::new(hinge)).unwrap();
    (world, rotor, joint)
}

#[test]
fn a_motor_turns_its_rotor_as_its_torque_says_and_turns_are_counted() {
    for (seed, method) in METHODS.iter().enumerate() {
        let (axis, a, _) = random(seed as u64 + 1);
        let (mut world, _, joint) = rotor(method, axis, None);
        let gear = 1.0 + a;
        let motor = world.add_actuator("motor", joint, Actuator::motor().with_gear(gear).unwrap()).unwrap();
        assert_eq!(world.control(motor).unwrap(), 0.0);
        world.set_control(motor, 3.0).unwrap();
        world.set_dt(2e-3).unwrap();
        world.run(2.0).unwrap();
        // α = g u/I.
        let (rate, turned) = (2.0 * gear * 3.0 / 0.5, 2.0 * gear * 3.0 / 0.5);
        assert!(turned > 2.0 * TAU, "several turns");
        let late = if *method == "semi-implicit-euler" { 0.5 * rate * 2e-3 } else { 0.0 };
        // The midpoint rule turns by 2 atan(ω dt/2) a step.
        let bound = if *method == "implicit-midpoint" { 1e-3 } else { 1e-9 };
        assert!((world.joint_velocity(joint).unwrap() - rate).abs() < 1e-10, "{method}");
        let found = world.joint_position(joint).unwrap();
        assert!((found - turned - late).abs() < bound, "{method}: {found} for {turned}");
        assert!((world.actuator_force(motor).unwrap() - 3.0).abs() < 1e-12, "{method}");
        assert!((world.joint_force(joint).unwrap() - 3.0 * gear).abs() < 1e-11, "{method}");
        let ledger = world.energy();
        assert!((ledger.work_in - 0.25 * rate * rate).abs() < 1e-9 * ledger.work_in, "{method}");
        assert!(ledger.max_error < 1e-9, "{method}: {:e}", ledger.max_error);
        assert_eq!(ledger.dissipated, 0.0);
    }
}

/// q after t of `I q̈ = kp (w - q) - kv q̇` from rest at zero, below critical damping.
fn servo(kp: f64, kv: f64, wanted: f64, t: f64) -> f64 {
    let (inertia, decay) = (0.5, kv);
    let omega = (kp / inertia - decay * decay).sqrt();
    let (s, c) = (omega * t).sin_cos();
    wanted * (1.0 - (-decay * t).exp() * (c + decay / omega * s))
}

#[test]
fn a_position_servo_settles_like_the_oscillator_it_is() {
    for (method, bound) in [("velocity-verlet", 3e-6), ("rk4", 1e-9), ("implicit-midpoint", 5e-6)] {
        let (axis, a, b) = random(17);
        let (kp, kv, wanted) = (20.0 + 10.0 * a, 1.0 + b, 2.5);
        let (mut world, _, joint) = rotor(method, axis, None);
        let actuator = world.add_actuator("servo", joint, Actuator::position(kp, kv).unwrap()).unwrap();
        world.set_control(actuator, wanted).unwrap();
        world.run(1.0).unwrap();
        let found = world.joint_position(joint).unwrap();
        assert!((found - servo(kp, kv, wanted, 1.0)).abs() < bound, "{method}: {found}");
        let force = kp * (wanted - found) - kv * world.joint_velocity(joint).unwrap();
        assert!((world.actuator_force(actuator).unwrap() - force).abs() < 1e-9 * kp, "{method}");
        let ledger = world.energy();
        assert!(ledger.max_error < 1e-5 * (0.5 * kp * wanted * wanted), "{method}: {:e}", ledger.max_error);
    }
}

#[test]
fn a_servo_much_stiffer_than_the_step_holds_and_gains_no_energy() {
    for method in METHODS {
        for kp in [1e4, 1e7, 1e12] {
            let (axis, a, _) = random(kp as u64);
            let (mut world, rotor, joint) = rotor(method, axis, None);
            let actuator = world.add_actuator("servo", joint, Actuator::position(kp, 0.0).unwrap()).unwrap();
            let wanted = 0.01 * (1.0 + a);
            world.set_control(actuator, wanted).unwrap();
            world.set_dt(0.02).unwrap();
            world.run(4.0).unwrap();
            let found = world.joint_position(joint).unwrap();
            assert!((found - wanted).abs() < 1e-6, "{method}, kp {kp:e}: {found}");
            let ledger = world.energy();
            // The midpoint rule turns by less than its mean rate: 1e-6 of the ½ I (w/dt)² it starts with.
            let bound = if method == "implicit-midpoint" { 1e-5 } else { 1e-9 };
            assert!(ledger.max_error < bound, "{method}: {:e}", ledger.max_error);
            // A load turns it by torque/kp.
            for _ in 0..400 {
                world.apply_wrench(rotor, Vec3::ZERO, axis * 5.0, integration::LoadFrame::World).unwrap();
                world.step(0.02).unwrap();
            }
            let sag = world.joint_position(joint).unwrap() - wanted;
            assert!((sag - 5.0 / kp).abs() < 1e-3 * 5.0 / kp + 1e-12, "{method}, kp {kp:e}: {sag:e}");
        }
    }
}

#[test]
fn a_force_range_saturates_a_stiff_servo_and_a_gentle_one() {
    for kp in [50.0, 1e9] {
        let (axis, ..) = random(5);
        let (mut world, _, joint) = rotor("velocity-verlet", axis, None);
        let servo = Actuator::position(kp, 0.0).unwrap().with_force_range([-2.0, 1.5]).unwrap();
        let servo = world.add_actuator("servo", joint, servo).unwrap();
        world.set_control(servo, 100.0).unwrap();
        world.run(1.0).unwrap();
        // 1.5 N·m on 0.5 kg·m², far from the target.
        assert!((world.joint_position(joint).unwrap() - 1.5).abs() < 1e-9);
        assert!((world.actuator_force(servo).unwrap() - 1.5).abs() < 1e-12);
        assert!((world.energy().work_in - 2.25).abs() < 1e-9);
    }
}

#[test]
fn a_velocity_servo_reaches_its_speed_exponentially_and_a_gear_divides_it() {
    let (axis, ..) = random(9);
    let (mut world, _, joint) = rotor("rk4", axis, None);
    let (kv, gear) = (0.4, 3.0);
    let servo = Actuator::velocity(kv).unwrap().with_gear(gear).unwrap();
    let servo = world.add_actuator("servo", joint, servo).unwrap();
    world.set_control(servo, 6.0).unwrap();
    world.run(0.3).unwrap();
    // I ω̇ = g kv (u - g ω).
    let rate = gear * gear * kv / 0.5;
    let expected = 2.0 * (1.0 - (-rate * 0.3_f64).exp());
    let found = world.joint_velocity(joint).unwrap();
    assert!((found - expected).abs() < 1e-10, "{found} for {expected}");
}

#[test]
fn a_general_actuator_has_gain_and_bias() {
    let (axis, ..) = random(10);
    let (mut world, _, joint) = rotor("rk4", axis, None);
    let general =
        Actuator::general(2.0, [0.5, -30.0, -1.0]).unwrap().with_control_range([-1.0, 1.0]).unwrap();
    let general = world.add_actuator("general", joint, general).unwrap();
    world.set_control(general, 7.0).unwrap();
    world.run(1.0).unwrap();
    // The same as a servo for (2·1 + 0.5)/30.
    let expected = servo(30.0, 1.0, 2.5 / 30.0, 1.0);
    let found = world.joint_position(joint).unwrap();
    assert!((found - expected).abs() < 1e-10, "{found} for {expected}");
    assert_eq!(world.activation(general).unwrap(), 1.0);
}

#[test]
fn a_filter_lets_the_control_through_exponentially() {
    let (axis, ..) = random(11);
    let (mut world, _, joint) = rotor("velocity-verlet", axis, None);
    let motor = Actuator::motor().with_filter(0.1).unwrap();
    let motor = world.add_actuator("motor", joint, motor).unwrap();
    world.set_control(motor, 2.0).unwrap();
    world.run(0.25).unwrap();
    let passed = 1.0 - (-2.5_f64).exp();
    assert!((world.activation(motor).unwrap() - 2.0 * passed).abs() < 1e-12);
    // ω = ∫a dt/I, exact because the force of a step is the mean.
    let expected = 2.0 * (0.25 - 0.1 * passed) / 0.5;
    assert!((world.joint_velocity(joint).unwrap() - expected).abs() < 1e-11);
    // A snapshot carries controls, activations and turns.
    let (snapshot, hash) = (world.snapshot(), world.state_hash());
    world.run(0.5).unwrap();
    let (later, later_hash) = (world.joint_position(joint).unwrap(), world.state_hash());
    world.restore(&snapshot).unwrap();
    assert_eq!(world.state_hash(), hash);
    world.run(0.5).unwrap();
    assert_eq!((world.joint_position(joint).unwrap(), world.state_hash()), (later, later_hash));
    world.reset();
    assert_eq!((world.control(motor).unwrap(), world.activation(motor).unwrap()), (0.0, 0.0));
}

#[test]
fn limits_are_held_beyond_a_full_turn() {
    for method in ["velocity-verlet", "rk4"] {
        let (axis, a, _) = random(23);
        let most = 2.5 * TAU + a;
        let (mut world, rotor, joint) = rotor(method, axis, Some(Limits { min: -1.0, max: most }));
        world.set_angular_velocity(rotor, axis * 9.0).unwrap();
        world.run(1.0).unwrap();
        assert!((world.joint_position(joint).unwrap() - 9.0).abs() < 1e-9, "{method}: free until there");
        world.run(2.0).unwrap();
        assert!((world.joint_position(joint).unwrap() - most).abs() < 1e-9, "{method}: stopped");
        assert!(world.joint_velocity(joint).unwrap().abs() < 1e-12);
        // And back the other way.
        world.set_angular_velocity(rotor, axis * -9.0).unwrap();
        world.run(3.0).unwrap();
        assert!((world.joint_position(joint).unwrap() + 1.0).abs() < 1e-9, "{method}: stopped below");
        assert!(world.step(1e-3).unwrap().certificate.is_certified());
    }
}

#[test]
fn limits_change_while_it_turns() {
    let (axis, ..) = random(29);
    let (mut world, rotor, joint) = rotor("velocity-verlet", axis, Some(Limits { min: -3.0, max: 3.0 }));
    assert_eq!(world.joint_limits(joint).unwrap(), Some(Limits { min: -3.0, max: 3.0 }));
    world.set_angular_velocity(rotor, axis).unwrap();
    world.run(0.25).unwrap();
    let (model, snapshot) = (world.model_hash(), world.snapshot());
    world.set_joint_limits(joint, Limits { min: -0.5, max: 0.5 }).unwrap();
    assert_eq!(world.joint_limits(joint).unwrap(), Some(Limits { min: -0.5, max: 0.5 }));
    assert_eq!(world.model_hash(), model, "limits that are set are state, not model");
    world.run(1.0).unwrap();
    assert!((world.joint_position(joint).unwrap() - 0.5).abs() < 1e-12);
    world.restore(&snapshot).unwrap();
    world.run(1.0).unwrap();
    assert!((world.joint_position(joint).unwrap() - 1.25).abs() < 1e-12, "as made");
    Command::JointLimits { joint, limits: Limits { min: 0.0, max: 1.5 } }.apply(&mut world).unwrap();
    world.run(1.0).unwrap();
    assert!((world.joint_position(joint).unwrap() - 1.5).abs() < 1e-12);
}

#[test]
fn a_servo_goes_round_several_times() {
    let (axis, ..) = random(31);
    let (mut world, _, joint) = rotor("velocity-verlet", axis, None);
    let servo = world.add_actuator("servo", joint, Actuator::position(40.0, 4.0).unwrap()).unwrap();
    for wanted in [5.0 * PI, -7.0 * PI, 0.3] {
        Command::Control { actuator: servo, control: wanted }.apply(&mut world).unwrap();
        world.run(12.0).unwrap();
        assert!((world.joint_position(joint).unwrap() - wanted).abs() < 1e-9);
    }
}

#[test]
fn a_slider_is_driven_and_read_on_a_moving_base() {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    let cube = || Shape::Box(Cuboid::new(Vec3::splat(0.2)).unwrap());
    let a = world.add_body(BodyDescription::dynamic("a", cube()).mass(3.0)).unwrap();
    let b = world.add_body(BodyDescription::dynamic("b", cube()).mass(1.0).position(Vec3::Y)).unwrap();
    let (axis, ..) = random(37);
    let ends = (world.joint_end(a).unwrap(), world.joint_end(b).unwrap());
    let rail = SliderJoint::new(ends.0, ends.1, Vec3::Y, axis).unwrap().placed_at(0.4).unwrap();
    let rail = world.add_joint("rail", Arc::new(rail)).unwrap();
    assert_eq!(world.joint_position(rail).unwrap(), 0.4);
    let motor = world.add_actuator("motor", rail, Actuator::motor()).unwrap();
    world.set_control(motor, 0.3).unwrap();
    let (p, l) = (world.linear_momentum(), world.angular_momentum_about(Vec3::ZERO));
    world.run(1.0).unwrap();
    assert!(world.joint_position(rail).unwrap() > 0.5);
    assert!((world.linear_momentum() - p).length() < 1e-12, "an inner force");
    assert!((world.angular_momentum_about(Vec3::ZERO) - l).length() < 1e-12);
    let ledger = world.energy();
    assert!((ledger.kinetic - ledger.work_in).abs() < 1e-7 * ledger.kinetic, "{:e}", ledger.error());
}

#[test]
fn a_pendulum_is_held_level_by_the_torque_that_statics_ask_for() {
    for kp in [80.0, 1e6] {
        let mut world = World::new();
        let (axis, a, b) = random(41);
        // Level: the arm is across gravity and the axis.
        let axis = Vec3::new(axis.x, axis.y, 0.0).normalize();
        let arm = axis.cross(Vec3::Z) * (0.3 + a);
        let mass = 1.0 + b;
        let bob = Shape::Sphere(Sphere::new(0.1).unwrap());
        let bob = world.add_body(BodyDescription::dynamic("bob", bob).mass(mass).position(arm)).unwrap();
        let hinge =
            HingeJoint::new(JointEnd::WORLD, world.joint_end(bob).unwrap(), Vec3::ZERO, axis).unwrap();
        let joint = world.add_joint("hinge", Arc::new(hinge)).unwrap();
        let servo = world.add_actuator("servo", joint, Actuator::position(kp, 8.0).unwrap()).unwrap();
        world.run(20.0).unwrap();
        let q = world.joint_position(joint).unwrap();
        let now = orientation::from_rotation_vector(axis * q) * arm;
        let gravity = now.cross(Vec3::Z * -9.81 * mass).dot(axis);
        assert!((world.joint_force(joint).unwrap() + gravity).abs() < 1e-9 * gravity.abs());
        assert!((kp * q - gravity).abs() < 1e-6 * gravity.abs());
        assert_eq!(world.actuator_force(servo).unwrap(), world.joint_force(joint).unwrap());
    }
}

#[test]
fn an_actuator_beside_dry_friction_and_limits_adds_up_in_the_force_of_the_joint() {
    let (axis, ..) = random(43);
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    let ball = Shape::Sphere(Sphere::new(0.5).unwrap());
    let rotor = world.add_body(BodyDescription::dynamic("rotor", ball).mass(2.0)).unwrap();
    let hinge = HingeJoint::new(JointEnd::WORLD, world.joint_end(rotor).unwrap(), Vec3::ZERO, axis)
        .unwrap()
        .with_limits(Limits { min: -1.0, max: 0.25 })
        .unwrap()
        .with_motor(Motor { velocity: 0.0, max_force: 0.5 })
        .unwrap();
    let joint = world.add_joint("hinge", Arc::new(hinge)).unwrap();
    let motor = world.add_actuator("motor", joint, Actuator::motor()).unwrap();
    world.set_control(motor, 0.4).unwrap();
    world.run(0.1).unwrap();
    assert!(world.joint_velocity(joint).unwrap().abs() < 1e-14, "less than friction holds");
    assert!(world.joint_force(joint).unwrap().abs() < 1e-12);
    world.set_control(motor, 2.5).unwrap();
    world.run(0.1).unwrap();
    // 2 N·m left for 0.2 kg·m².
    assert!((world.joint_velocity(joint).unwrap() - 1.0).abs() < 1e-9);
    assert!((world.joint_force(joint).unwrap() - 2.0).abs() < 1e-12);
    world.run(1.0).unwrap();
    assert!((world.joint_position(joint).unwrap() - 0.25).abs() < 1e-12, "at the stop");
    assert!(world.joint_force(joint).unwrap().abs() < 1e-9, "the stop takes what is left");
}

#[test]
fn what_makes_no_sense_is_refused_by_name() {
    let (mut world, rotor, joint) = rotor("velocity-verlet", Vec3::Z, None);
    let text = |error: WorldError| error.to_string();
    let refused = text(world.set_joint_limits(joint, Limits { min: -1.0, max: 1.0 }).unwrap_err());
    assert!(refused.contains("`hinge`") && refused.contains("made with limits"), "{refused}");
    let refused = text(world.set_control(joint, 1.0).unwrap_err());
    assert!(refused.contains("`hinge`") && refused.contains("actuator"), "{refused}");
    let motor = world.add_actuator("motor", joint, Actuator::motor()).unwrap();
    let refused = text(world.set_control(motor, f64::NAN).unwrap_err());
    assert!(refused.contains("actuator `motor`") && refused.contains("control"), "{refused}");
    let other = world
        .add_body(BodyDescription::dynamic("other", Shape::Sphere(Sphere::new(0.1).unwrap())).mass(1.0))
        .unwrap();
    let ends = (world.joint_end(rotor).unwrap(), world.joint_end(other).unwrap());
    let ball = world.add_joint("ball", Arc::new(BallJoint::new(ends.0, ends.1, Vec3::X).unwrap())).unwrap();
    assert!(text(world.joint_position(ball).unwrap_err()).contains("hinge or a slider"));
    assert!(world.add_actuator("second", ball, Actuator::motor()).is_err());
    assert!(world.add_actuator("third", motor, Actuator::motor()).is_err(), "an actuator has no axis");
    assert!(Actuator::position(-1.0, 0.0).is_err() && Actuator::motor().with_gear(f64::NAN).is_err());
    assert!(Actuator::motor().with_force_range([1.0, -1.0]).is_err());
    // An actuator goes with its joint.
    assert!(world.find_actuator("motor").is_some() && world.find_actuator("hinge").is_none());
    world.remove_joint(joint).unwrap();
    assert!(world.find_joint("actuator motor").is_none() && world.set_control(motor, 1.0).is_err());
    assert_eq!(world.actuators().count(), 0);
}

#[test]
fn springs_along_joints_and_actuators_follow_a_joint_that_is_replaced() {
    let (mut world, rotor, joint) = rotor("rk4", Vec3::Z, None);
    world.add_joint_spring("spring", joint, [2.0, 0.0, 4.0]).unwrap();
    let motor = world.add_actuator("motor", joint, Actuator::motor()).unwrap();
    // Unstressed at 4 rad, beyond half a turn: I q̈ = k (4 - q).
    world.run(1.0).unwrap();
    let expected = 4.0 - 4.0 * 2.0_f64.cos();
    assert!((world.joint_position(joint).unwrap() - expected).abs() < 1e-10);
    let turned = HingeJoint::new(JointEnd::WORLD, world.joint_end(rotor).unwrap(), Vec3::ZERO, Vec3::X)
        .unwrap()
        .placed_at(4.0)
        .unwrap();
    world.replace_joint(joint, Arc::new(turned)).unwrap();
    world.set_angular_velocity(rotor, Vec3::ZERO).unwrap();
    world.set_control(motor, 1.0).unwrap();
    world.step(1e-3).unwrap();
    assert!(world.body(rotor).unwrap().state.angular_velocity.cross(Vec3::X).length() < 1e-15);
    let found = world.joint_velocity(joint).unwrap();
    assert!((found - 2e-3).abs() < 1e-8, "{found}");
}

#[test]
fn a_leg_on_the_ground_carries_its_load_and_sags_by_weight_over_stiffness() {
    // 8 kg on a slider over a light foot that stands on the ground, with servos from soft to far stiffer than the step.
    for (kp, kv) in [(500.0, 20.0), (2e4, 0.0), (2e4, 200.0), (1e6, 0.0), (1e8, 1e3)] {
        let mut world = World::new();
        let ground = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap());
        world.add_body(BodyDescription::fixed("ground", ground)).unwrap();
        let cube = |size: f64| Shape::Box(Cuboid::new(Vec3::splat(size)).unwrap());
        let foot = BodyDescription::dynamic("foot", cube(0.1)).mass(0.05).position(Vec3::Z * 0.05);
        let foot = world.add_body(foot).unwrap();
        let trunk = BodyDescription::dynamic("trunk", cube(0.2)).mass(8.0).position(Vec3::Z * 0.6);
        let trunk = world.add_body(trunk).unwrap();
        let ends = (world.joint_end(foot).unwrap(), world.joint_end(trunk).unwrap());
        let leg = SliderJoint::new(ends.0, ends.1, Vec3::Z * 0.3, Vec3::Z).unwrap();
        let leg = world.add_joint("leg", Arc::new(leg)).unwrap();
        world.add_joint_spring("damper", leg, [0.0, 50.0, 0.0]).unwrap();
        let servo = world.add_actuator("servo", leg, Actuator::position(kp, kv).unwrap()).unwrap();
        world.set_dt(2e-3).unwrap();
        world.run(6.0).unwrap();
        let (sag, weight) = (world.joint_position(leg).unwrap(), 8.0 * 9.81);
        assert!(
            (sag + weight / kp).abs() < 1e-6 * weight / kp + 1e-9,
            "kp {kp:e}: {sag:e} for {:e}",
            -weight / kp
        );
        assert!((world.actuator_force(servo).unwrap() - weight).abs() < 1e-5 * weight, "kp {kp:e}");
        let ledger = world.energy();
        println!(
            "kp {kp:e} kv {kv}: kinetic {:e}, error {:e} of {}, gain {:e}, {:?}",
            ledger.kinetic,
            ledger.max_error,
            ledger.initial,
            ledger.max_gain,
            world.step(2e-3).unwrap().certificate.is_certified()
        );
        assert!(ledger.kinetic < 1e-12, "kp {kp:e}: {:e} J left", ledger.kinetic);
        assert!(ledger.max_error < 1e-10, "kp {kp:e}: {:e}", ledger.max_error);
        assert!(world.step(2e-3).unwrap().certificate.is_certified(), "kp {kp:e}");
    }
}
