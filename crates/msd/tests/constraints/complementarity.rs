//! Limits and motors in any number and direction, redundant ones too: the conditions hold, whatever the solver did.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use msd::math::{Mat3, Vec3};
use msd::physics::constraints::{Constraint, ConstraintSet, DriftBodies, JacobianRow, Pair, RowLaw, RowUnit};
use msd::physics::rigid_body::{Bodies, BodyHandle, Inertia, InertialState, RigidBody};
use proptest::prelude::*;

/// One row with a constant Jacobian, touched.
#[derive(Clone, Debug)]
struct Row {
    bodies: [Option<BodyHandle>; 2],
    jacobian: JacobianRow,
    law: RowLaw,
}

impl Constraint for Row {
    fn type_name(&self) -> &'static str {
        "row"
    }
    fn bodies(&self) -> [Option<BodyHandle>; 2] {
        self.bodies
    }
    fn dimension(&self) -> usize {
        1
    }
    fn law(&self, _row: usize) -> RowLaw {
        self.law
    }
    fn unit(&self, _row: usize) -> RowUnit {
        RowUnit::Length
    }
    fn value(&self, _pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        out[0] = 0.0;
    }
    fn jacobian(&self, _pair: &Pair<'_>, _time: f64, out: &mut [JacobianRow]) {
        out[0] = self.jacobian;
    }
}

fn vector(limit: f64) -> impl Strategy<Value = Vec3> {
    (-limit..limit, -limit..limit, -limit..limit).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn law() -> impl Strategy<Value = RowLaw> {
    prop_oneof![
        4 => Just(RowLaw::Unilateral),
        1 => Just(RowLaw::Rigid),
        2 => (-2.0..2.0, 0.0..50.0).prop_map(|(velocity, max_force)| RowLaw::Motor { velocity, max_force }),
    ]
}

fn row() -> impl Strategy<Value = Row> {
    let ends = prop_oneof![Just([None, Some(0)]), Just([Some(1), Some(0)]), Just([None, Some(1)])];
    (ends, vector(1.0), vector(1.0), vector(1.0), law()).prop_map(|(ends, n, torque_a, torque_b, law)| Row {
        bodies: ends.map(|end| end.map(|slot| BodyHandle::new(0, slot, 0))),
        jacobian: JacobianRow { linear_a: -n, angular_a: torque_a, linear_b: n, angular_b: torque_b },
        law,
    })
}

const DT: f64 = 0.01;

fn check(rows: &[Row], velocities: [(Vec3, Vec3); 2], masses: (f64, f64)) -> Result<(), TestCaseError> {
    let inertia =
        |mass: f64| Inertia::new(mass, Mat3::from_diagonal(Vec3::new(0.3, 0.4, 0.5) * mass)).unwrap();
    let inertias = [inertia(masses.0), inertia(masses.1)];
    let bodies = [RigidBody::new("a", inertias[0]), RigidBody::new("b", inertias[1])];
    let mut states = velocities.map(|(velocity, angular_velocity)| InertialState {
        velocity,
        angular_velocity,
        ..InertialState::AT_REST
    });
    let mut set = ConstraintSet::new();
    let handles: Vec<_> = rows
        .iter()
        .enumerate()
        .map(|(i, row)| set.add(&i.to_string(), Arc::new(row.clone())).unwrap())
        .collect();
    set.begin_step(&Bodies { bodies: &bodies, inertias: &inertias, states: &states }, 0.0, DT).unwrap();
    let fixed = DriftBodies { bodies: &bodies, inertias: &inertias };
    set.end_step(fixed, &mut states, 0.0).unwrap();
    let rates: Vec<f64> = rows
        .iter()
        .map(|row| {
            let state =
                |body: Option<BodyHandle>| body.map_or(InertialState::AT_REST, |body| states[body.slot()]);
            row.jacobian.velocity(&state(row.bodies[0]), &state(row.bodies[1]))
        })
        .collect();
    for ((row, rate), handle) in rows.iter().zip(&rates).zip(handles) {
        let impulse = set.multipliers(handle).unwrap()[0] * DT;
        let (speed, kick) = (1e-8, 1e-8 * (masses.0 + masses.1));
        match row.law {
            RowLaw::Unilateral => {
                prop_assert!(*rate >= -speed && impulse >= -kick, "rate {rate}, impulse {impulse}");
                prop_assert!((rate * impulse).abs() < 1e-7 * (masses.0 + masses.1), "{rate} × {impulse}");
            }
            RowLaw::Rigid => prop_assert!(rate.abs() < speed, "{rate}"),
            RowLaw::Motor { velocity, max_force } => {
                let most = max_force * DT;
                prop_assert!(impulse.abs() <= most + kick, "{impulse} of {most}");
                let short = velocity - rate;
                let saturated = (impulse - most * short.signum()).abs() < kick;
                prop_assert!(short.abs() < speed || saturated, "short by {short} with {impulse} of {most}");
            }
            RowLaw::Soft { .. } | RowLaw::Drive { .. } | RowLaw::Rotor { .. } | RowLaw::Part => {}
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn limits_and_motors_obey_their_conditions(
        rows in prop::collection::vec(row(), 1..8),
        v in [(vector(3.0), vector(3.0)), (vector(3.0), vector(3.0))],
        masses in (0.1..10.0, 0.1..10.0),
    ) {
        check(&rows, v, masses)?;
    }

    #[test]
    fn repeated_limits_do_no_harm(
        rows in prop::collection::vec(row(), 1..4),
        v in [(vector(3.0), vector(3.0)), (vector(3.0), vector(3.0))],
    ) {
        let limit = |row: &Row| Row { law: RowLaw::Unilateral, ..row.clone() };
        let limits: Vec<Row> = rows.iter().chain(&rows).chain(&rows).map(limit).collect();
        check(&limits, v, (1.0, 2.0))?;
    }
}
