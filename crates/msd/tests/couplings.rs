//! Couplings of joint positions: gears, mimic joints and fixed tendons, against closed forms, reduced equations of motion and MuJoCo.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::sync::Arc;

use msd::certificate::{Failure, Fault};
use msd::environment::{ContactSettings, ContactTier};
use msd::physics::constraints::{
    Actuator, ConstraintHandle, HingeJoint, JointEnd, JointTerm, RowLaw, SliderJoint,
};
use msd::physics::integration;
use msd::prelude::*;

const METHODS: [&str; 4] = ["velocity-verlet", "semi-implicit-euler", "rk4", "implicit-midpoint"];
const G: f64 = 9.81;

/// Runs, and asks that every step is certified.
fn run(world: &mut World, time: f64) {
    let report = world.run(time).unwrap();
    let found = report.certificate;
    assert!(
        found.is_certified(),
        "{} of {} steps: {:?}",
        found.failed_steps,
        found.steps,
        found.first_failure
    );
}

fn world(integrator: &str, dt: f64, gravity: f64) -> World {
    let mut world = World::new();
    world.set_gravity(Vec3::Z * -gravity).unwrap();
    world.set_dt(dt).unwrap();
    world.set_integrator(integration::by_name(integrator, None).unwrap());
    world
}

/// A ball of moment of inertia `inertia` and mass `mass` that turns about y at the origin of its own, `along` x from its centre.
fn wheel(world: &mut World, name: &str, [inertia, mass]: [f64; 2], at: Vec3, along: f64) -> ConstraintHandle {
    let ball = Shape::Sphere(Sphere::new((2.5 * inertia / mass).sqrt()).unwrap());
    let body = BodyDescription::dynamic(name, ball).mass(mass).position(at + Vec3::X * along);
    let body = world.add_body(body).unwrap();
    let hinge = HingeJoint::new(JointEnd::WORLD, world.joint_end(body).unwrap(), at, Vec3::Y).unwrap();
    world.add_joint(&format!("{name} hinge"), Arc::new(hinge)).unwrap()
}

/// Position and rate of one degree of freedom after `time`, by small Runge-Kutta steps.
fn reduced(mut q: f64, mut v: f64, time: f64, acceleration: impl Fn(f64, f64) -> f64) -> (f64, f64) {
    let steps = 20_000;
    let h = time / f64::from(steps);
    for _ in 0..steps {
        let (k1, l1) = (v, acceleration(q, v));
        let (k2, l2) = (v + 0.5 * h * l1, acceleration(q + 0.5 * h * k1, v + 0.5 * h * l1));
        let (k3, l3) = (v + 0.5 * h * l2, acceleration(q + 0.5 * h * k2, v + 0.5 * h * l2));
        let (k4, l4) = (v + h * l3, acceleration(q + h * k3, v + h * l3));
        q += h * (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0;
        v += h * (l1 + 2.0 * l2 + 2.0 * l3 + l4) / 6.0;
    }
    (q, v)
}

#[test]
fn a_gear_pair_speeds_up_as_one_wheel_of_the_inertia_of_both() {
    let (first, second, ratio, torque) = (0.5, 0.08, -2.5, 1.2);
    for method in METHODS {
        let mut world = world(method, 1e-3, 0.0);
        let q1 = wheel(&mut world, "first", [first, 3.0], Vec3::ZERO, 0.0);
        let q2 = wheel(&mut world, "second", [second, 1.0], Vec3::X * 3.0, 0.0);
        let terms = [JointTerm::linear(q1, ratio), JointTerm::linear(q2, -1.0)];
        let gear = world.add_coupling("gear", &terms, RowLaw::Rigid).unwrap();
        let motor = world.add_actuator("motor", q1, Actuator::motor()).unwrap();
        world.set_control(motor, torque).unwrap();
        let time = 3.0;
        run(&mut world, time);
        let rate = torque / (first + ratio * ratio * second) * time;
        let found = [world.joint_velocity(q1).unwrap(), world.joint_velocity(q2).unwrap()];
        assert!((found[0] - rate).abs() < 1e-10 && (found[1] - ratio * rate).abs() < 1e-10, "{method}");
        // Wheels have turned more than once, and are still in mesh.
        assert!(world.joint_position(q2).unwrap().abs() > 7.0);
        assert!(world.coupling_position(gear).unwrap().abs() < 1e-10, "{method}");
        assert!(world.coupling_velocity(gear).unwrap().abs() < 1e-10, "{method}");
        // The tooth force is what turns the second wheel.
        let tooth = world.coupling_force(gear).unwrap();
        assert!((tooth + ratio * rate / time * second).abs() < 1e-9, "{method}: {tooth}");
        let ledger = world.energy();
        assert!((ledger.work_in - 0.5 * torque * rate * time).abs() < 2e-3 * ledger.work_in);
        assert!(ledger.max_error < 1e-9 * ledger.work_in, "{method}: {ledger:?}");
    }
}

/// Two pendulums along x with their weights, coupled by `second = f(first)`.
fn pendulums(world: &mut World, f: [f64; 5]) -> [ConstraintHandle; 2] {
    let q1 = wheel(world, "first", [0.02, 2.0], Vec3::ZERO, 0.5);
    let q2 = wheel(world, "second", [0.01, 1.0], Vec3::Y * 3.0, 0.4);
    let terms = [JointTerm { joint: q1, coefficients: f }, JointTerm::linear(q2, -1.0)];
    world.add_coupling("coupled", &terms, RowLaw::Rigid).unwrap();
    [q1, q2]
}

#[test]
fn coupled_pendulums_obey_the_equation_of_their_one_degree_of_freedom() {
    // q2 = f(q1), and both hang: I_1 = 0.02 + 2·0.25, I_2 = 0.01 + 0.16; q counts from x towards -z.
    let polynomials = [[0.0, 0.7, 0.0, 0.0, 0.0], [0.0, 0.5, 0.4, -0.1, 0.05]];
    for f in polynomials {
        let [i1, i2] = [0.02 + 2.0 * 0.25, 0.01 + 0.16];
        let slopes = |q: f64| {
            let [a0, a1, a2, a3, a4] = f;
            [
                a0 + q * (a1 + q * (a2 + q * (a3 + q * a4))),
                a1 + q * (2.0 * a2 + q * (3.0 * a3 + q * 4.0 * a4)),
                2.0 * a2 + q * (6.0 * a3 + q * 12.0 * a4),
            ]
        };
        let acceleration = |q: f64, v: f64| {
            let [second, slope, curvature] = slopes(q);
            let torque = 2.0 * G * 0.5 * q.cos() + slope * (G * 0.4 * second.cos());
            (torque - i2 * slope * curvature * v * v) / (i1 + slope * slope * i2)
        };
        let (wanted, rate) = reduced(0.0, 0.0, 0.6, acceleration);
        for (method, bound) in [("rk4", 2e-9), ("velocity-verlet", 2e-4), ("implicit-midpoint", 2e-4)] {
            let mut world = world(method, 1e-3, G);
            let [q1, q2] = pendulums(&mut world, f);
            run(&mut world, 0.6);
            let found = world.joint_position(q1).unwrap();
            assert!((found - wanted).abs() < bound, "{method}: {:e}", found - wanted);
            assert!((world.joint_velocity(q1).unwrap() - rate).abs() < 10.0 * bound, "{method}");
            let second = slopes(found)[0];
            assert!((world.joint_position(q2).unwrap() - second).abs() < 1e-11, "{method}");
        }
    }
}

#[test]
fn energy_is_conserved_by_coupled_pendulums() {
    for (method, bound) in [("rk4", 1e-8), ("velocity-verlet", 1e-3)] {
        let mut world = world(method, 1e-3, G);
        let f = [0.0, 0.5, 0.4, -0.1, 0.05];
        pendulums(&mut world, f);
        let tree = world.articulation();
        let start = 0.6_f64;
        let second = f.iter().rev().fold(0.0, |sum, a| sum * start + a);
        world.set_q(&tree, &[start, second]).unwrap();
        run(&mut world, 4.0);
        let energy = world.energy();
        assert!(energy.max_error < bound, "{method}: {energy:?}");
        assert!(energy.correction.abs() < bound, "{method}: {energy:?}");
    }
}

#[test]
fn the_order_of_coupled_pendulums_is_that_of_the_method() {
    for (method, order) in [("velocity-verlet", 2.0), ("rk4", 4.0)] {
        let f = [0.0, 0.5, 0.4, -0.1, 0.05];
        let at = |dt: f64| {
            let mut world = world(method, dt, G);
            let [q1, _] = pendulums(&mut world, f);
            run(&mut world, 0.64);
            world.joint_position(q1).unwrap()
        };
        let (coarse, middle, fine) = (at(0.016), at(0.008), at(0.004));
        let found = ((coarse - middle) / (middle - fine)).abs().log2();
        assert!(found > order - 0.4, "{method} is of order {found}");
    }
}

#[test]
fn a_spring_tendon_of_two_wheels_swings_at_the_frequency_of_its_sum() {
    // L = q1 + q2 with equal wheels: I L̈ = -2 k L, and the difference turns freely.
    let (inertia, stiffness) = (0.2, 3.0);
    for (method, bound) in [("rk4", 1e-9), ("velocity-verlet", 1e-5), ("implicit-midpoint", 2e-5)] {
        let mut world = world(method, 1e-3, 0.0);
        let q1 = wheel(&mut world, "first", [inertia, 1.0], Vec3::ZERO, 0.0);
        let q2 = wheel(&mut world, "second", [inertia, 1.0], Vec3::X * 3.0, 0.0);
        let terms = [JointTerm::affine(q1, -0.3, 1.0), JointTerm::linear(q2, 1.0)];
        world.add_coupling("tendon", &terms, RowLaw::Soft { stiffness, damping: 0.0 }).unwrap();
        let time = 3.0;
        run(&mut world, time);
        let omega = (2.0 * stiffness / inertia).sqrt();
        let sum = 0.3 - 0.3 * (omega * time).cos();
        for joint in [q1, q2] {
            let off = world.joint_position(joint).unwrap() - 0.5 * sum;
            assert!(off.abs() < bound, "{method}: {off:e}");
        }
        let energy = world.energy();
        assert!(energy.max_error < 1e-5 * stiffness, "{method}: {energy:?}");
    }
}

#[test]
fn a_stiff_damped_tendon_is_stable_and_loses_what_the_ledger_says() {
    for method in METHODS {
        let mut world = world(method, 5e-3, 0.0);
        let q1 = wheel(&mut world, "first", [0.01, 1.0], Vec3::ZERO, 0.0);
        let q2 = wheel(&mut world, "second", [0.02, 1.0], Vec3::X * 3.0, 0.0);
        let terms = [JointTerm::affine(q1, -0.3, 1.0), JointTerm::linear(q2, 2.0)];
        let law = RowLaw::Soft { stiffness: 1e5, damping: 10.0 };
        let tendon = world.add_coupling("tendon", &terms, law).unwrap();
        world.run(1.0).unwrap();
        assert!(world.coupling_position(tendon).unwrap().abs() < 1e-6, "{method}");
        let energy = world.energy();
        assert!(energy.max_error < 1e-6 * 4500.0, "{method}: {energy:?}");
        assert!(energy.kinetic < 1e-6, "{method}: {energy:?}");
    }
}

#[test]
fn a_limit_of_a_tendon_stops_the_sum_and_leaves_the_difference() {
    for method in METHODS {
        let mut world = world(method, 1e-3, 0.0);
        let q1 = wheel(&mut world, "first", [0.2, 1.0], Vec3::ZERO, 0.0);
        let q2 = wheel(&mut world, "second", [0.2, 1.0], Vec3::X * 3.0, 0.0);
        // 0.5 - q1 - q2 ≥ 0.
        let terms = [JointTerm::affine(q1, 0.5, -1.0), JointTerm::linear(q2, -1.0)];
        let limit = world.add_coupling("limit", &terms, RowLaw::Unilateral).unwrap();
        let tree = world.articulation();
        world.set_qv(&tree, &[0.0, 0.0], &[3.0, 1.0]).unwrap();
        run(&mut world, 1.0);
        // The impact takes the sum of the rates: both lose half of it.
        let rates = [world.joint_velocity(q1).unwrap(), world.joint_velocity(q2).unwrap()];
        assert!((rates[0] - 1.0).abs() < 1e-9 && (rates[1] + 1.0).abs() < 1e-9, "{method}: {rates:?}");
        let left = world.coupling_position(limit).unwrap();
        assert!(left.abs() < 5e-3 && left > -1e-9, "{method}: {left:e}");
        let lost = world.energy().dissipated;
        assert!((lost - 0.5 * 0.2 * (9.0 + 1.0 - 2.0)).abs() < 1e-9, "{method}: {lost}");
    }
}

#[test]
fn dry_friction_of_a_tendon_brakes_its_sum() {
    for method in METHODS {
        let mut world = world(method, 1e-3, 0.0);
        let q1 = wheel(&mut world, "first", [0.2, 1.0], Vec3::ZERO, 0.0);
        let q2 = wheel(&mut world, "second", [0.2, 1.0], Vec3::X * 3.0, 0.0);
        let terms = [JointTerm::linear(q1, 1.0), JointTerm::linear(q2, 1.0)];
        world.add_coupling("friction", &terms, RowLaw::Motor { velocity: 0.0, max_force: 0.1 }).unwrap();
        let tree = world.articulation();
        world.set_qv(&tree, &[0.0, 0.0], &[3.0, 1.0]).unwrap();
        run(&mut world, 1.0);
        // Each wheel loses 0.1/0.2 rad/s a second.
        let rates = [world.joint_velocity(q1).unwrap(), world.joint_velocity(q2).unwrap()];
        assert!((rates[0] - 2.5).abs() < 1e-9 && (rates[1] - 0.5).abs() < 1e-9, "{method}: {rates:?}");
        run(&mut world, 4.0);
        let rates = [world.joint_velocity(q1).unwrap(), world.joint_velocity(q2).unwrap()];
        assert!((rates[0] - 1.0).abs() < 1e-9 && (rates[1] + 1.0).abs() < 1e-9, "{method}: {rates:?}");
    }
}

#[test]
fn a_joint_may_be_held_at_a_constant() {
    for method in METHODS {
        let mut world = world(method, 1e-3, G);
        let q = wheel(&mut world, "first", [0.02, 2.0], Vec3::ZERO, 0.5);
        world.add_coupling("held", &[JointTerm::affine(q, 0.0, 1.0)], RowLaw::Rigid).unwrap();
        run(&mut world, 0.5);
        assert!(world.joint_position(q).unwrap().abs() < 1e-12, "{method}");
        // The coupling carries the torque of the weight.
        assert!((world.joint_force(q).unwrap() + 2.0 * G * 0.5).abs() < 1e-9, "{method}");
    }
}

/// The model of `fixed_tendon_of_mujoco` below, made of bodies.
fn chain(world: &mut World) -> [ConstraintHandle; 3] {
    let body = |name: &str, mass: f64, inertia: Vec3, at: Vec3| {
        let ball = Shape::Sphere(Sphere::new(0.1).unwrap());
        let tensor = msd::math::Mat3::from_diagonal(inertia);
        BodyDescription::dynamic(name, ball).mass(mass).inertia(tensor).position(at)
    };
    let a = world.add_body(body("a", 2.0, Vec3::new(0.01, 0.05, 0.06), Vec3::X * 0.25)).unwrap();
    let b = world.add_body(body("b", 1.5, Vec3::new(0.008, 0.03, 0.035), Vec3::X * 0.7)).unwrap();
    let c = world.add_body(body("c", 0.7, Vec3::new(0.004, 0.005, 0.006), Vec3::X * 0.9)).unwrap();
    let [ea, eb, ec] = [a, b, c].map(|body| world.joint_end(body).unwrap());
    let j1 = HingeJoint::new(JointEnd::WORLD, ea, Vec3::ZERO, Vec3::Y).unwrap();
    let j2 = HingeJoint::new(ea, eb, Vec3::X * 0.5, Vec3::Y).unwrap();
    let j3 = SliderJoint::new(eb, ec, Vec3::X * 0.9, Vec3::Z).unwrap();
    [
        world.add_joint("j1", Arc::new(j1)).unwrap(),
        world.add_joint("j2", Arc::new(j2)).unwrap(),
        world.add_joint("j3", Arc::new(j3)).unwrap(),
    ]
}

/// MuJoCo 4.0.0, RK4 at 1e-5 s, after 0.5 s: hinge, hinge and slide in a chain; a fixed tendon `q1 - 0.5 q2 + 2 q3` with stiffness 120,
/// damping 1.5, springlength 0.2; on it a position actuator (kp 30, kv 0.8, gear 1.5, control 0.6) and a motor (gear 0.5, control 4).
const MUJOCO: [f64; 6] = [
    1.999293646166595,
    -1.6677825219804618,
    -1.296758144198108,
    6.418520791167832,
    -6.46116691178372,
    -4.9511040597842255,
];

#[test]
fn a_tendon_with_spring_damper_and_actuators_moves_as_in_mujoco() {
    for (method, dt, bound) in [("rk4", 5e-4, 1e-8), ("velocity-verlet", 1e-4, 1e-3)] {
        let mut world = world(method, dt, G);
        let [j1, j2, j3] = chain(&mut world);
        let tendon = [JointTerm::linear(j1, 1.0), JointTerm::linear(j2, -0.5), JointTerm::linear(j3, 2.0)];
        let mut spring = tendon;
        spring[0].coefficients[0] = -0.2;
        let law = RowLaw::Soft { stiffness: 120.0, damping: 1.5 };
        world.add_coupling("tendon", &spring, law).unwrap();
        let servo = Actuator::position(30.0, 0.8).unwrap().with_gear(1.5).unwrap();
        let servo = world.add_tendon_actuator("servo", &tendon, servo).unwrap();
        let motor = Actuator::motor().with_gear(0.5).unwrap();
        let motor = world.add_tendon_actuator("motor", &tendon, motor).unwrap();
        world.set_control(servo, 0.6).unwrap();
        world.set_control(motor, 4.0).unwrap();
        let tree = world.articulation();
        world.set_qv(&tree, &[0.3, -0.4, 0.1], &[0.5, 1.0, -0.2]).unwrap();
        world.run(0.5).unwrap();
        let mut found: Vec<f64> = [j1, j2, j3].map(|joint| world.joint_position(joint).unwrap()).to_vec();
        found.extend([j1, j2, j3].map(|joint| world.joint_velocity(joint).unwrap()));
        for (nth, (found, wanted)) in found.iter().zip(MUJOCO).enumerate() {
            let off = (found - wanted).abs();
            assert!(off < bound * if nth < 3 { 1.0 } else { 10.0 }, "{method}, {nth}: off by {off:e}");
        }
    }
}

/// A gripper: a palm that stands in the air, two fingers that slide along x and mimic each other, a box between them.
fn gripper(world: &mut World, force: f64) -> ([ConstraintHandle; 2], BodyHandle) {
    let cuboid = |x: f64, y: f64, z: f64| Shape::Box(Cuboid::new(Vec3::new(x, y, z)).unwrap());
    let friction = Material { friction: 0.8, ..Material::default() };
    let mut finger = |name: &str, x: f64, axis: Vec3| {
        let body = BodyDescription::dynamic(name, cuboid(0.02, 0.04, 0.1)).mass(0.1).material(friction);
        let body = world.add_body(body.position(Vec3::X * x)).unwrap();
        let end = world.joint_end(body).unwrap();
        let slider = SliderJoint::new(JointEnd::WORLD, end, Vec3::X * x, axis).unwrap();
        world.add_joint(&format!("{name} slide"), Arc::new(slider)).unwrap()
    };
    let left = finger("left", -0.062, Vec3::X);
    let right = finger("right", 0.064, -Vec3::X);
    let shape = cuboid(0.1, 0.04, 0.04);
    let held = BodyDescription::dynamic("held", shape).mass(0.3).material(friction);
    let held = world.add_body(held).unwrap();
    let terms = [JointTerm::linear(left, 1.0), JointTerm::linear(right, -1.0)];
    world.add_coupling("mimic", &terms, RowLaw::Rigid).unwrap();
    let motor = world.add_actuator("squeeze", left, Actuator::motor()).unwrap();
    world.set_control(motor, force).unwrap();
    ([left, right], held)
}

#[test]
fn a_mimic_gripper_holds_a_box_by_friction_with_half_its_force_on_each_finger() {
    for method in ["velocity-verlet", "rk4"] {
        let mut world = world(method, 1e-3, G);
        world
            .set_contact_settings(ContactSettings { tier: ContactTier::Exact, ..ContactSettings::default() })
            .unwrap();
        let ([left, right], held) = gripper(&mut world, 20.0);
        for _ in 0..1000 {
            let found = world.step(1e-3).unwrap().certificate;
            // Joints are closed to 1e-13 m in a step, and the coupling carries 10 N.
            let resolved =
                |failure: &Failure| failure.fault == Fault::NegativeDissipation && found.dissipated > -2e-12;
            let failure = found.failure().filter(|failure| !resolved(failure));
            assert!(failure.is_none(), "{method}: {failure:?}");
        }
        let [l, r] = [left, right].map(|joint| world.joint_position(joint).unwrap());
        assert!((l - r).abs() < 1e-9, "{method}: {:e}", l - r);
        let state = world.body(held).unwrap().state;
        assert!(state.velocity.length() < 1e-6, "{method}: {state:?}");
        assert!(state.center_of_mass.z > -1e-3, "{method}: {state:?}");
        // The box is in the middle of the fingers, and each presses with half the force.
        let presses: Vec<f64> = {
            let contacts = world.contacts().filter(|c| c.body_a == held || c.body_b == held);
            let mut sums = std::collections::BTreeMap::new();
            contacts.for_each(|c| {
                let other = if c.body_a == held { c.body_b } else { c.body_a };
                *sums.entry(world.body(other).unwrap().body.name.clone()).or_insert(0.0) += c.normal_force;
            });
            sums.into_values().collect()
        };
        assert_eq!(presses.len(), 2, "{method}: {presses:?}");
        assert!(presses.iter().all(|press| (press - 10.0).abs() < 1e-6), "{method}: {presses:?}");
        assert!(world.energy().max_error < 1e-8, "{method}: {:?}", world.energy());
    }
}

#[test]
fn the_fast_tier_refuses_couplings_by_name_of_the_remedy() {
    let mut world = world("velocity-verlet", 1e-3, 0.0);
    world
        .set_contact_settings(ContactSettings { tier: ContactTier::Fast, ..ContactSettings::default() })
        .unwrap();
    gripper(&mut world, 20.0);
    let problem = world.run(0.1).unwrap_err().to_string();
    assert!(problem.contains("exact"), "{problem}");
}

#[test]
fn a_coupling_is_written_read_removed_and_refused() {
    let mut world = world("velocity-verlet", 1e-3, G);
    let [q1, q2] = pendulums(&mut world, [0.0, 0.5, 0.4, -0.1, 0.05]);
    world.run(0.2).unwrap();
    let mut read = World::from_bytes(&world.to_bytes().unwrap()).unwrap();
    let snapshot = world.snapshot();
    world.run(0.2).unwrap();
    read.run(0.2).unwrap();
    assert_eq!(world.state_hash(), read.state_hash());
    let hash = world.state_hash();
    world.restore(&snapshot).unwrap();
    world.run(0.2).unwrap();
    assert_eq!(world.state_hash(), hash);
    // Each joint once, and one that has an axis.
    let twice = [JointTerm::linear(q1, 1.0), JointTerm::linear(q1, 1.0)];
    let problem = world.add_coupling("twice", &twice, RowLaw::Rigid).unwrap_err().to_string();
    assert!(problem.contains("each once"), "{problem}");
    assert!(world.add_coupling("none", &[], RowLaw::Rigid).is_err());
    // Without one of its joints there is no coupling.
    assert_eq!(world.joints().count(), 4);
    world.remove_joint(q2).unwrap();
    assert_eq!(world.joints().count(), 1);
    world.run(0.1).unwrap();
}
