//! The reference cases of `data/reference-cases.json`: closed forms and 45-digit solutions.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Lab, diagonal, slope, turning};
use msd::math::{Quat, Vec3, orientation};
use serde_json::Value;

fn case(id: &str) -> Value {
    let file: Value = serde_json::from_str(include_str!("data/reference-cases.json")).unwrap();
    file["cases"].as_array().unwrap().iter().find(|case| case["id"] == id).unwrap().clone()
}

fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    std::array::from_fn(|i| value[i].as_f64().unwrap())
}

fn vector(value: &Value) -> Vec3 {
    Vec3::from_array(numbers(value))
}

fn quaternion(value: &Value) -> Quat {
    orientation::from_wxyz(numbers(value))
}

/// Attitude error of a torque-free case at its expected instant `index`.
fn free_rotation_error(id: &str, index: usize, name: &str, dt: f64) -> f64 {
    let case = case(id);
    let mass = case["params"]["mass"].as_f64().unwrap();
    let inertia = diagonal(mass, numbers(&case["params"]["inertia_body_diag"]));
    let start = turning(numbers(&case["initial"]["q"]), vector(&case["initial"]["omega_body"]));
    let expected = &case["expected"][index];
    let duration = expected["t"].as_f64().unwrap();
    let mut lab = Lab::new(name).body(inertia, start);
    lab.run(duration, (duration / dt).round() as usize);
    orientation::angle_between(lab.states[0].orientation, quaternion(&expected["q"]))
}

#[test]
fn the_free_triaxial_body_is_followed_at_the_order_of_each_method() {
    let id = "torque_free_triaxial";
    for (name, order, limit) in [("velocity-verlet", 2.0, 3e-3), ("rk4", 4.0, 2e-6)] {
        let after_100_s = free_rotation_error(id, 1, name, 0.1);
        assert!(after_100_s < limit, "{name}: {after_100_s:e} rad");
        let [coarse, fine] = [0.1, 0.05].map(|dt| (dt, free_rotation_error(id, 0, name, dt)));
        assert!((slope(coarse, fine) - order).abs() < 0.1, "{name}: {coarse:?} {fine:?}");
    }
}
