//! The cases of `data/reference-cases.json` that have joints, with every integrator that claims an order.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use crate::common::{Lab, diagonal, slope};
use msd::math::{Vec3, orientation};
use msd::physics::constraints::{BallJoint, DistanceJoint, HingeJoint, JointEnd, Motor, SpringJoint};
use msd::physics::forces::UniformGravity;
use msd::physics::rigid_body::{BodyHandle, InertialState};
use serde_json::Value;

fn case(id: &str) -> Value {
    let text = include_str!("../data/reference-cases.json");
    let all: Value = serde_json::from_str(text).unwrap();
    all["cases"].as_array().unwrap().iter().find(|case| case["id"] == id).unwrap().clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn vector(value: &Value) -> Vec3 {
    Vec3::new(number(&value[0]), number(&value[1]), number(&value[2]))
}

fn handle(slot: u32) -> BodyHandle {
    BodyHandle::new(0, slot, 0)
}

fn gravity(g: f64) -> UniformGravity {
    UniformGravity::new(Vec3::new(0.0, 0.0, -g)).unwrap()
}

/// A point mass (the inertia is arbitrary, the rod pulls through the centre) on a rigid rod to the origin.
fn pendulum(integrator: &str) -> Lab {
    let case = case("pendulum_90deg_distance");
    let state =
        InertialState { center_of_mass: vector(&case["initial"]["position"]), ..InertialState::AT_REST };
    let mut lab = Lab::new(integrator)
        .body(diagonal(number(&case["params"]["mass"]), [0.1; 3]), state)
        .field(gravity(number(&case["params"]["g"])));
    let rod = DistanceJoint::new(
        JointEnd::WORLD,
        JointEnd::body(handle(0), &state),
        vector(&case["params"]["pivot"]),
        state.center_of_mass,
    );
    lab.constraints.add("rod", Arc::new(rod.unwrap())).unwrap();
    lab
}

fn pendulum_error(integrator: &str, steps: usize) -> f64 {
    let case = case("pendulum_90deg_distance");
    let mut lab = pendulum(integrator);
    lab.run(10.0, steps);
    let length = lab.states[0].center_of_mass.length();
    assert!((length - 1.0).abs() < 1e-12, "{integrator}: length off by {:e}", length - 1.0);
    (lab.states[0].center_of_mass - vector(&case["expected"][1]["position"])).length()
}

#[test]
fn a_pendulum_is_where_jacobi_says_to_second_order_with_velocity_verlet() {
    let error = pendulum_error("velocity-verlet", 10_000);
    assert!(error < 1e-4, "position error {error:e} m");
    let order = slope(
        (1.0, pendulum_error("velocity-verlet", 1_000)),
        (0.5, pendulum_error("velocity-verlet", 2_000)),
    );
    assert!((order - 2.0).abs() < 0.1, "order {order}");
}

#[test]
fn a_pendulum_is_where_jacobi_says_to_fourth_order_with_rk4() {
    let error = pendulum_error("rk4", 10_000);
    assert!(error < 1e-9, "position error {error:e} m");
    let order = slope((1.0, pendulum_error("rk4", 4_000)), (0.5, pendulum_error("rk4", 8_000)));
    assert!((order - 4.0).abs() < 0.2, "order {order}");
}

#[test]
fn a_pendulum_is_where_jacobi_says_with_every_other_method() {
    for integrator in ["adaptive", "exact-free"] {
        let error = pendulum_error(integrator, 1_000);
        assert!(error < 1e-10, "{integrator}: position error {error:e} m");
    }
    for (integrator, order, steps) in [("implicit-midpoint", 2.0, 1_000), ("implicit-euler", 1.0, 20_000)] {
        let errors = (pendulum_error(integrator, steps), pendulum_error(integrator, 2 * steps));
        let measured = slope((1.0, errors.0), (0.5, errors.1));
        assert!((measured - order).abs() < 0.15, "{integrator}: order {measured}");
    }
}

#[test]
fn a_pendulum_converges_to_first_order_with_semi_implicit_euler() {
    let order = slope(
        (1.0, pendulum_error("semi-implicit-euler", 20_000)),
        (0.5, pendulum_error("semi-implicit-euler", 40_000)),
    );
    assert!((order - 1.0).abs() < 0.1, "order {order}");
}

#[test]
fn the_multiplier_of_a_pendulum_is_the_tension_of_its_rod() {
    let case = case("pendulum_90deg_distance");
    let mut lab = pendulum("rk4");
    lab.run(10.0, 10_000);
    let rod = lab.constraints.find("rod").unwrap();
    let tension = lab.constraints.reaction(rod).unwrap().force.length();
    let expected = number(&case["expected"][1]["tension_over_m"]);
    assert!((tension - expected).abs() < 1e-6 * expected, "{tension} against {expected}");
}

#[test]
fn a_heavy_top_precesses_steadily() {
    let case = case("heavy_top_steady_precession");
    let initial = &case["initial"];
    let q: Vec<f64> = initial["q"].as_array().unwrap().iter().map(number).collect();
    let q = orientation::from_wxyz([q[0], q[1], q[2], q[3]]);
    let omega = q * vector(&initial["omega_body"]);
    let center_of_mass = vector(&initial["com"]);
    let state = InertialState {
        center_of_mass,
        orientation: q,
        velocity: omega.cross(center_of_mass),
        angular_velocity: omega,
    };
    let moments = vector(&case["params"]["inertia_com_body_diag"]);
    let expected = &case["expected"][0];
    // The spin of 100 rad/s turns by 0.05 rad in a step of 0.5 ms, and what is left is truncation: halving the step must
    // take rk4's error down by about 16 and more than 10.
    let runs = [("rk4", 20_000, 2e-7), ("rk4", 40_000, 2e-8), ("velocity-verlet", 20_000, 1e-3)];
    for (integrator, steps, tolerance) in runs {
        let mut lab = Lab::new(integrator)
            .body(diagonal(number(&case["params"]["mass"]), moments.to_array()), state)
            .field(gravity(number(&case["params"]["g"])));
        let joint = BallJoint::new(JointEnd::WORLD, JointEnd::body(handle(0), &state), Vec3::ZERO).unwrap();
        lab.constraints.add("pivot", Arc::new(joint)).unwrap();
        lab.run(number(&expected["t"]), steps);
        let error = (lab.states[0].center_of_mass - vector(&expected["com"])).length();
        assert!(error < tolerance, "{integrator}: centre of mass off by {error:e} m");
        let tilt = (lab.states[0].orientation * Vec3::Z).z;
        assert!((tilt - orientation_cosine()).abs() < tolerance, "{integrator}: cos θ = {tilt}");
        let (length, _) = lab.constraints.errors(&lab.states, 10.0);
        assert!(length < 1e-14, "{integrator}: joint open by {length:e} m");
    }
}

fn orientation_cosine() -> f64 {
    0.75_f64.sqrt()
}

/// The two masses with their states.
fn tethered(integrator: &str) -> Lab {
    let case = case("tethered_pair");
    let mut lab = Lab::new(integrator);
    for (mass, p, v) in [("m1", "p1", "v1"), ("m2", "p2", "v2")] {
        let state = InertialState {
            center_of_mass: vector(&case["initial"][p]),
            velocity: vector(&case["initial"][v]),
            ..InertialState::AT_REST
        };
        lab = lab.body(diagonal(number(&case["params"][mass]), [1.0; 3]), state);
    }
    lab
}

#[test]
fn a_tethered_pair_turns_about_its_centre_of_mass() {
    let case = case("tethered_pair");
    let expected = &case["expected"][0];
    for (integrator, tolerance) in [("rk4", 1e-9), ("velocity-verlet", 1e-4)] {
        for rope in [false, true] {
            let mut lab = tethered(integrator);
            let [a, b] = [lab.states[0], lab.states[1]];
            let (end_a, end_b) = (JointEnd::body(handle(0), &a), JointEnd::body(handle(1), &b));
            let rod = DistanceJoint::new(end_a, end_b, a.center_of_mass, b.center_of_mass).unwrap();
            let rod = if rope { rod.as_rope() } else { rod };
            let tether = lab.constraints.add("tether", Arc::new(rod)).unwrap();
            lab.run(100.0, 10_000);
            for (slot, p) in ["p1", "p2"].into_iter().enumerate() {
                let error = (lab.states[slot].center_of_mass - vector(&expected[p])).length();
                assert!(error < tolerance, "{integrator} (rope: {rope}): {p} off by {error:e} m");
            }
            let tension = lab.constraints.reaction(tether).unwrap().force.length();
            assert!((tension - number(&expected["tension"])).abs() < 1e-5, "{integrator}: tension {tension}");
            let momentum: Vec3 = (0..2).map(|i| lab.states[i].linear_momentum(&lab.inertias[i])).sum();
            assert!(momentum.length() < 1e-11, "{integrator}: momentum {momentum}");
            let spin: f64 =
                (0..2).map(|i| lab.states[i].angular_momentum_about(Vec3::ZERO, &lab.inertias[i]).z).sum();
            assert!((spin - number(&case["invariants"]["L_z"])).abs() < 1e-9, "{integrator}: L {spin}");
            let kinetic: f64 = lab.energy();
            assert!(
                (kinetic - number(&case["invariants"]["kinetic_energy"])).abs() < 1e-11,
                "{integrator}: {kinetic}"
            );
        }
    }
}

#[test]
fn an_elastic_tether_keeps_its_steady_length() {
    let case = case("tethered_pair");
    let steady = number(&case["expected"][1]["elastic_steady_length"]);
    let omega = number(&case["params"]["omega"]);
    for (integrator, tolerance) in [("rk4", 1e-9), ("velocity-verlet", 1e-5)] {
        let mut lab = tethered(integrator);
        for state in &mut lab.states {
            state.center_of_mass *= steady / number(&case["params"]["length"]);
            state.velocity = Vec3::Z.cross(state.center_of_mass) * omega;
        }
        let [a, b] = [lab.states[0], lab.states[1]];
        let (end_a, end_b) = (JointEnd::body(handle(0), &a), JointEnd::body(handle(1), &b));
        let stiffness = number(&case["params"]["k_elastic"]);
        let spring = SpringJoint::new(end_a, end_b, a.center_of_mass, b.center_of_mass, stiffness, 0.0)
            .unwrap()
            .with_length(number(&case["params"]["length"]))
            .unwrap();
        let tether = lab.constraints.add("tether", Arc::new(spring)).unwrap();
        lab.run(100.0, 10_000);
        let length = (lab.states[1].center_of_mass - lab.states[0].center_of_mass).length();
        assert!((length - steady).abs() < tolerance, "{integrator}: length {length}");
        let tension = lab.constraints.reaction(tether).unwrap().force.length();
        assert!((tension - number(&case["expected"][1]["elastic_tension"])).abs() < 200.0 * tolerance + 1e-9);
    }
}

#[test]
fn a_reaction_wheel_turns_its_platform_the_other_way() {
    let case = case("reaction_wheel");
    let (params, expected) = (&case["params"], &case["expected"][0]);
    for integrator in ["rk4", "velocity-verlet", "semi-implicit-euler"] {
        let (platform, wheel) = (number(&params["I_platform_without_wheel"]), number(&params["J_wheel"]));
        let mut lab = Lab::new(integrator)
            .body(diagonal(100.0, [platform; 3]), InertialState::AT_REST)
            .body(diagonal(1.0, [0.06, 0.06, wheel]), InertialState::AT_REST);
        let [a, b] = [lab.states[0], lab.states[1]];
        let motor = Motor { velocity: 1e3, max_force: number(&params["motor_torque"]) };
        let axle = HingeJoint::new(
            JointEnd::body(handle(0), &a),
            JointEnd::body(handle(1), &b),
            Vec3::ZERO,
            Vec3::Z,
        )
        .unwrap()
        .with_motor(motor)
        .unwrap();
        lab.constraints.add("axle", Arc::new(axle)).unwrap();
        lab.run(number(&params["duration"]), 2_000);
        let omega = lab.states[0].angular_velocity.z;
        assert!((omega - number(&expected["omega_platform"])).abs() < 1e-12, "{integrator}: {omega}");
        let relative = lab.states[1].angular_velocity.z - omega;
        assert!(
            (relative - number(&expected["wheel_rate_relative"])).abs() < 1e-10,
            "{integrator}: {relative}"
        );
        let angle = orientation::rotation_vector(lab.states[0].orientation).z;
        let order_one = if integrator == "semi-implicit-euler" { 1e-3 } else { 1e-10 };
        assert!(
            (angle - number(&expected["platform_angle"])).abs() < order_one,
            "{integrator}: angle {angle}"
        );
        let work = lab.work.work_in;
        assert!((work - number(&expected["motor_work"])).abs() < 1e-10, "{integrator}: work {work}");
        assert!((lab.energy() - work).abs() < 1e-10, "{integrator}: the ledger does not close");
        let total: f64 = (0..2).map(|i| lab.states[i].spin_angular_momentum(&lab.inertias[i]).z).sum();
        assert!(total.abs() < 1e-12, "{integrator}: total L {total}");
    }
}
