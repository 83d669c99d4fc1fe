//! Jacobians and biases of every joint against finite differences, at random states that do not obey the joint.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use msd::math::{Vec3, orientation};
use msd::physics::constraints::{
    BallJoint, Constraint, DistanceJoint, FixedJoint, HingeJoint, JacobianRow, JointEnd, Limits, MAX_ROWS,
    Motor, Pair, SliderJoint, SpringJoint, UniversalJoint,
};
use msd::physics::rigid_body::{BodyHandle, InertialState};
use proptest::prelude::*;

fn vector(limit: f64) -> impl Strategy<Value = Vec3> {
    (-limit..limit, -limit..limit, -limit..limit).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn state() -> impl Strategy<Value = InertialState> {
    (vector(2.0), vector(1.7), vector(3.0), vector(4.0)).prop_map(|(x, phi, v, omega)| InertialState {
        center_of_mass: x,
        orientation: orientation::from_rotation_vector(phi),
        velocity: v,
        angular_velocity: omega,
    })
}

/// Every joint, made with the bodies in these states.
fn joints(a: &InertialState, b: &InertialState) -> Vec<Arc<dyn Constraint>> {
    let ends = (JointEnd::body(BodyHandle::new(0, 0, 0), a), JointEnd::body(BodyHandle::new(0, 1, 0), b));
    let (p, q) = (Vec3::new(0.3, -0.2, 0.5), Vec3::new(4.0, 1.0, -3.0));
    let (axis, across) = (Vec3::new(1.0, 2.0, 2.0), Vec3::new(2.0, 1.0, -2.0));
    let limits = Limits { min: -1.0, max: 2.0 };
    let motor = Motor { velocity: 1.0, max_force: 5.0 };
    vec![
        Arc::new(BallJoint::new(ends.0, ends.1, p).unwrap()),
        Arc::new(DistanceJoint::new(ends.0, ends.1, p, q).unwrap()),
        Arc::new(DistanceJoint::new(ends.0, ends.1, p, q).unwrap().as_rope()),
        Arc::new(SpringJoint::new(ends.0, ends.1, p, q, 10.0, 1.0).unwrap()),
        Arc::new(FixedJoint::new(ends.0, ends.1, p).unwrap()),
        Arc::new(UniversalJoint::new(ends.0, ends.1, p, axis, across).unwrap()),
        Arc::new(
            HingeJoint::new(ends.0, ends.1, p, axis)
                .unwrap()
                .with_limits(limits)
                .unwrap()
                .with_motor(motor)
                .unwrap(),
        ),
        Arc::new(
            SliderJoint::new(ends.0, ends.1, p, axis)
                .unwrap()
                .with_limits(limits)
                .unwrap()
                .with_motor(motor)
                .unwrap(),
        ),
    ]
}

fn moved(state: &InertialState, s: f64) -> InertialState {
    InertialState {
        center_of_mass: state.center_of_mass + state.velocity * s,
        orientation: orientation::advanced(state.orientation, state.angular_velocity, s),
        ..*state
    }
}

fn value(joint: &dyn Constraint, a: &InertialState, b: &InertialState) -> [f64; MAX_ROWS] {
    let mut out = [0.0; MAX_ROWS];
    joint.value(&Pair { a, b }, 0.0, &mut out[..joint.dimension()]);
    out
}

fn rate(joint: &dyn Constraint, a: &InertialState, b: &InertialState) -> [f64; MAX_ROWS] {
    let mut rows = [JacobianRow::ZERO; MAX_ROWS];
    joint.jacobian(&Pair { a, b }, 0.0, &mut rows[..joint.dimension()]);
    rows.map(|row| row.velocity(a, b))
}

/// Derivatives at zero by the central difference of fourth order.
fn derivative(f: impl Fn(f64) -> [f64; MAX_ROWS]) -> [f64; MAX_ROWS] {
    let h = 2e-5;
    let (near, far) = ((f(h), f(-h)), (f(2.0 * h), f(-2.0 * h)));
    std::array::from_fn(|row| (8.0 * (near.0[row] - near.1[row]) - (far.0[row] - far.1[row])) / (12.0 * h))
}

/// Delegates everything but the bias, so that the default of the trait is tested.
#[derive(Debug)]
struct WithoutBias(Arc<dyn Constraint>);

impl Constraint for WithoutBias {
    fn type_name(&self) -> &'static str {
        "without-bias"
    }
    fn bodies(&self) -> [Option<BodyHandle>; 2] {
        self.0.bodies()
    }
    fn dimension(&self) -> usize {
        self.0.dimension()
    }
    fn value(&self, pair: &Pair<'_>, time: f64, out: &mut [f64]) {
        self.0.value(pair, time, out);
    }
    fn jacobian(&self, pair: &Pair<'_>, time: f64, out: &mut [JacobianRow]) {
        self.0.jacobian(pair, time, out);
    }
}

/// Rows whose value is meant: all but motors.
fn valued_rows(joint: &dyn Constraint) -> usize {
    if matches!(joint.type_name(), "hinge" | "slider") { 7 } else { joint.dimension() }
}

/// True where the values are smooth over 1 ms: away from the angle where a hinge without memory jumps by a turn, from
/// its axis turned across, and from the distance zero. A Jacobian wrong by more than 5 % would reject every case and
/// so fail the test too.
fn is_regular(joint: &dyn Constraint, a: &InertialState, b: &InertialState) -> bool {
    let h = 1e-3;
    let ahead = value(joint, &moved(a, h), &moved(b, h));
    let behind = value(joint, &moved(a, -h), &moved(b, -h));
    let rates = rate(joint, a, b);
    (0..valued_rows(joint)).all(|row| {
        let difference = (ahead[row] - behind[row]) / (2.0 * h);
        (difference - rates[row]).abs() < 0.05 * (1.0 + rates[row].abs()) && rates[row].abs() < 30.0
    })
}

proptest! {
    #[test]
    fn jacobians_are_the_derivatives_of_the_values(made in (state(), state()), now in (state(), state())) {
        for joint in joints(&made.0, &made.1) {
            prop_assume!(is_regular(joint.as_ref(), &now.0, &now.1));
            let slopes = derivative(|s| value(joint.as_ref(), &moved(&now.0, s), &moved(&now.1, s)));
            let rates = rate(joint.as_ref(), &now.0, &now.1);
            for row in 0..valued_rows(joint.as_ref()) {
                let difference = slopes[row];
                prop_assert!(
                    (difference - rates[row]).abs() < 1e-6 * (1.0 + rates[row].abs()),
                    "{} row {row}: {difference} against {}", joint.type_name(), rates[row]
                );
            }
        }
    }

    #[test]
    fn biases_are_the_derivatives_of_the_rates_at_constant_velocity(
        made in (state(), state()), now in (state(), state())
    ) {
        for joint in joints(&made.0, &made.1) {
            prop_assume!(is_regular(joint.as_ref(), &now.0, &now.1));
            let slopes = derivative(|s| rate(joint.as_ref(), &moved(&now.0, s), &moved(&now.1, s)));
            let (mut bias, mut default) = ([0.0; MAX_ROWS], [0.0; MAX_ROWS]);
            let pair = Pair { a: &now.0, b: &now.1 };
            let rows = joint.dimension();
            joint.bias_acceleration(&pair, 0.0, &mut bias[..rows]);
            WithoutBias(joint.clone()).bias_acceleration(&pair, 0.0, &mut default[..rows]);
            for row in 0..rows {
                let difference = slopes[row];
                let size = 1.0 + bias[row].abs();
                prop_assert!((difference - bias[row]).abs() < 1e-6 * size,
                    "{} row {row}: {difference} against {}", joint.type_name(), bias[row]);
                prop_assert!((default[row] - bias[row]).abs() < 1e-6 * size,
                    "default, {} row {row}: {} against {}", joint.type_name(), default[row], bias[row]);
            }
        }
    }
}

#[test]
fn joints_are_closed_where_they_are_made() {
    let a = InertialState { center_of_mass: Vec3::new(1.0, 2.0, 3.0), ..InertialState::AT_REST };
    let b = InertialState {
        orientation: orientation::from_rotation_vector(Vec3::new(0.4, -1.0, 0.3)),
        ..InertialState::AT_REST
    };
    for joint in joints(&a, &b) {
        let rigid = if matches!(joint.type_name(), "hinge" | "slider") { 5 } else { joint.dimension() };
        for (row, value) in value(joint.as_ref(), &a, &b)[..rigid].iter().enumerate() {
            assert!(value.abs() < 1e-14, "{} row {row}: {value}", joint.type_name());
        }
    }
}
