//! Several hinges and sliders between two bodies without bodies between them: against differences, and against the equations of motion
//! in joint coordinates.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::needless_range_loop)]

use std::sync::Arc;

use msd::math::orientation;
use msd::physics::articulation::Articulation;
use msd::physics::constraints::{
    Actuator, Constraint, ConstraintHandle, JacobianRow, JointEnd, Limits, MAX_ROWS, Motor, Pair,
    SequenceJoint, SequenceStep,
};
use msd::physics::integration;
use msd::physics::rigid_body::InertialState;
use msd::prelude::*;

fn step(slides: bool, anchor: Vec3, axis: Vec3, placed_at: f64) -> SequenceStep {
    SequenceStep { slides, anchor, axis, placed_at, center: placed_at }
}

/// The joints of the three bodies of [`mechanism`].
fn sequences() -> [Vec<SequenceStep>; 3] {
    let (x, y, z) = (Vec3::X, Vec3::Y, Vec3::Z);
    [
        vec![step(true, Vec3::ZERO, x, 0.1), step(true, Vec3::ZERO, z, 0.0), step(false, x * 0.1, y, -0.4)],
        vec![
            step(false, x * 0.5, z, 0.2),
            step(false, Vec3::new(0.55, 0.02, 0.0), Vec3::new(1.0, 0.1, 0.0), 0.0),
            step(false, x * 0.6, Vec3::new(0.0, 1.0, -0.3), 0.0),
        ],
        vec![
            step(false, Vec3::new(1.1, 0.0, 0.1), Vec3::new(0.2, 1.0, 0.4), 0.5),
            step(true, x, Vec3::new(1.0, 0.2, 0.0), 0.0),
            step(false, Vec3::new(1.1, 0.1, 0.0), x, 0.0),
        ],
    ]
}

/// Three bodies in a chain, each on a sequence of three joints.
fn mechanism(integrator: &str, dt: f64) -> (World, Vec<ConstraintHandle>) {
    let mut world = World::new();
    world.set_gravity(Vec3::new(1.0, 0.5, -9.0)).unwrap();
    world.set_dt(dt).unwrap();
    world.set_integrator(integration::by_name(integrator, None).unwrap());
    let mut before: Option<BodyHandle> = None;
    let mut axes = Vec::new();
    for (i, steps) in sequences().into_iter().enumerate() {
        let shape = Shape::Box(Cuboid::new(Vec3::new(0.4, 0.2, 0.1)).unwrap());
        let body = BodyDescription::dynamic(&format!("b{i}"), shape)
            .mass(1.0 + i as f64 * 0.5)
            .position(Vec3::new(0.3 + 0.5 * i as f64, 0.05, -0.02))
            .orientation(orientation::from_rotation_vector(Vec3::new(0.1, -0.2, 0.3) * i as f64));
        let body = world.add_body(body).unwrap();
        let a = before.map_or(JointEnd::WORLD, |before| world.joint_end(before).unwrap());
        let joint = SequenceJoint::new(a, world.joint_end(body).unwrap(), &steps).unwrap();
        let parts: Vec<_> = (0..steps.len()).map(|k| joint.axis(k).unwrap()).collect();
        world.add_joint(&format!("s{i}"), Arc::new(joint)).unwrap();
        for (k, part) in parts.into_iter().enumerate() {
            axes.push(world.add_joint(&format!("j{i}{k}"), Arc::new(part)).unwrap());
        }
        before = Some(body);
    }
    let handles: Vec<_> = (0..3).map(|i| world.find(&format!("b{i}")).unwrap()).collect();
    for i in 0..3 {
        for j in 0..i {
            world.set_collision(handles[i], handles[j], false).unwrap();
        }
    }
    (world, axes)
}

/// `x` with `A x = b`, by elimination with pivots.
fn solved(mut a: Vec<f64>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for i in 0..n {
        let p = (i..n).max_by(|&r, &s| a[r * n + i].abs().total_cmp(&a[s * n + i].abs())).unwrap();
        (0..n).for_each(|k| a.swap(i * n + k, p * n + k));
        b.swap(i, p);
        for r in i + 1..n {
            let f = a[r * n + i] / a[i * n + i];
            for k in i..n {
                a[r * n + k] -= f * a[i * n + k];
            }
            b[r] -= f * b[i];
        }
    }
    for i in (0..n).rev() {
        b[i] = (b[i] - (i + 1..n).map(|k| a[i * n + k] * b[k]).sum::<f64>()) / a[i * n + i];
    }
    b
}

const SPRINGS: [(usize, f64, f64, f64); 3] = [(1, 40.0, 2.0, 0.1), (4, 3.0, 0.2, 0.3), (8, 1.0, 0.05, 0.0)];
const ROTORS: [(usize, f64); 3] = [(2, 0.3), (5, 0.05), (6, 1.5)];

/// `M q̈ = τ - h` of the tree, integrated in joint coordinates by small Runge-Kutta steps.
fn in_joint_coordinates(
    world: &World,
    tree: &Articulation,
    damped: f64,
    time: f64,
    steps: usize,
) -> Vec<f64> {
    let n = tree.velocities();
    let states: Vec<InertialState> = world.all_bodies().states.to_vec();
    let accelerations = |q: &[f64], v: &[f64]| {
        let h = tree.inverse_dynamics(q, v, &vec![0.0; n], Vec3::new(1.0, 0.5, -9.0), &states);
        let mut force: Vec<f64> = h.iter().map(|h| -h).collect();
        for (k, stiffness, damping, rest) in SPRINGS {
            force[k] -= stiffness * (q[k] - rest) + damped * damping * v[k];
        }
        solved(tree.mass_matrix(q, &states), force)
    };
    let (mut q, mut v) = (world.q(tree), world.v(tree));
    let h = time / steps as f64;
    let add = |a: &[f64], b: &[f64], s: f64| a.iter().zip(b).map(|(a, b)| a + s * b).collect::<Vec<_>>();
    for _ in 0..steps {
        let (k1, l1) = (v.clone(), accelerations(&q, &v));
        let (k2, l2) = (add(&v, &l1, 0.5 * h), accelerations(&add(&q, &k1, 0.5 * h), &add(&v, &l1, 0.5 * h)));
        let (k3, l3) = (add(&v, &l2, 0.5 * h), accelerations(&add(&q, &k2, 0.5 * h), &add(&v, &l2, 0.5 * h)));
        let (k4, l4) = (add(&v, &l3, h), accelerations(&add(&q, &k3, h), &add(&v, &l3, h)));
        for i in 0..n {
            q[i] += h * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]) / 6.0;
            v[i] += h * (l1[i] + 2.0 * l2[i] + 2.0 * l3[i] + l4[i]) / 6.0;
        }
    }
    q
}

/// Largest difference of a joint position from the solution in joint coordinates after 0.4 s.
fn error_of(integrator: &str, dt: f64, damped: f64) -> f64 {
    let (mut world, axes) = mechanism(integrator, dt);
    for (k, stiffness, damping, rest) in SPRINGS {
        world.add_joint_spring(&format!("spring {k}"), axes[k], [stiffness, damped * damping, rest]).unwrap();
    }
    for (k, inertia) in ROTORS {
        world.add_joint_armature(&format!("rotor {k}"), axes[k], inertia).unwrap();
    }
    let tree = world.articulation();
    assert_eq!((tree.positions(), tree.velocities()), (9, 9));
    assert_eq!(tree.position_names(), ["j00", "j01", "j02", "j10", "j11", "j12", "j20", "j21", "j22"]);
    let v0 = [0.3, -0.2, 1.0, 0.5, -0.7, 0.2, 0.1, 0.3, -0.4];
    world.set_v(&tree, &v0).unwrap();
    let wanted = in_joint_coordinates(&world, &tree, damped, 0.4, 800);
    world.run(0.4).unwrap();
    let report = world.joint_report();
    assert!(report.position_error < 1e-12 && report.angle_error < 1e-12, "{report:?}");
    world.q(&tree).iter().zip(&wanted).fold(0.0_f64, |worst, (a, b)| worst.max((a - b).abs()))
}

#[test]
fn bodies_on_sequences_move_as_the_equations_in_joint_coordinates_say() {
    let off = error_of("rk4", 5e-4, 1.0);
    assert!(off < 1e-9, "rk4: off by {off:e}");
    let errors = [1e-3, 5e-4, 2.5e-4].map(|dt| error_of("velocity-verlet", dt, 0.0));
    for pair in errors.windows(2) {
        assert!((pair[0] / pair[1] - 4.0).abs() < 0.4, "velocity-verlet: {errors:?}");
    }
}

#[test]
fn coordinates_that_are_set_are_read_back() {
    let (mut world, axes) = mechanism("rk4", 1e-3);
    let tree = world.articulation();
    let q = [0.4, -0.3, 2.5, -1.2, 0.9, 2.0, -2.6, 0.2, 1.1];
    let v = [0.1, 0.2, -0.3, 0.4, -0.5, 0.6, -0.7, 0.8, -0.9];
    world.set_qv(&tree, &q, &v).unwrap();
    for (k, &axis) in axes.iter().enumerate() {
        assert!((world.joint_position(axis).unwrap() - q[k]).abs() < 1e-13, "{k}");
        assert!((world.joint_velocity(axis).unwrap() - v[k]).abs() < 1e-13, "{k}");
    }
    let (now, rates) = (world.q(&tree), world.v(&tree));
    assert!((0..9).all(|k| (now[k] - q[k]).abs() < 1e-13 && (rates[k] - v[k]).abs() < 1e-13));
    let (length, angle) = {
        world.run(1e-3).unwrap();
        (world.joint_report().position_error, world.joint_report().angle_error)
    };
    assert!(length < 1e-12 && angle < 1e-12);
}

/// A state after `s` seconds at constant velocities.
fn coasted(state: &InertialState, s: f64) -> InertialState {
    InertialState {
        center_of_mass: state.center_of_mass + state.velocity * s,
        orientation: orientation::advanced(state.orientation, state.angular_velocity, s),
        ..*state
    }
}

#[test]
fn rows_and_biases_are_derivatives_where_the_joint_holds() {
    let (mut world, _) = mechanism("rk4", 1e-3);
    let tree = world.articulation();
    let q = [0.4, -0.3, 2.5, -1.2, 0.9, 2.0, -2.6, 0.2, 1.1];
    let v = [0.1, 0.2, -0.3, 0.4, -0.5, 0.6, -0.7, 0.8, -0.9];
    world.set_qv(&tree, &q, &v).unwrap();
    let states: Vec<InertialState> = world.all_bodies().states.to_vec();
    let ends = |joint: &dyn Constraint| {
        joint.bodies().map(|body| body.map_or(InertialState::AT_REST, |body| states[body.slot()]))
    };
    let rates = |joint: &dyn Constraint, s: f64| {
        let [a, b] = ends(joint).map(|state| coasted(&state, s));
        let pair = Pair { a: &a, b: &b };
        let mut rows = [JacobianRow::ZERO; MAX_ROWS];
        joint.jacobian(&pair, 0.0, &mut rows[..joint.dimension()]);
        let axis = joint.axis().map_or(JacobianRow::ZERO, |_| joint.axis_row(&pair).0);
        let mut out: Vec<f64> = rows.iter().map(|row| row.velocity(&a, &b)).collect();
        out.push(axis.velocity(&a, &b));
        out
    };
    let h = 1e-4;
    for (_, name, joint) in world.joints() {
        let joint = joint.as_ref();
        let [a, b] = ends(joint);
        let pair = Pair { a: &a, b: &b };
        let mut bias = [0.0; MAX_ROWS];
        joint.bias_acceleration(&pair, 0.0, &mut bias[..joint.dimension()]);
        let mut wanted = bias.to_vec();
        wanted.push(joint.axis().map_or(0.0, |_| joint.axis_row(&pair).1));
        let (near, far) =
            ((rates(joint, h), rates(joint, -h)), (rates(joint, 2.0 * h), rates(joint, -2.0 * h)));
        for row in 0..=MAX_ROWS {
            let slope = (8.0 * (near.0[row] - near.1[row]) - (far.0[row] - far.1[row])) / (12.0 * h);
            assert!((slope - wanted[row]).abs() < 1e-8, "{name}, row {row}: {slope} against {}", wanted[row]);
        }
    }
}

#[test]
fn limits_friction_and_servos_act_on_joints_of_a_sequence() {
    let mut world = World::new();
    world.set_dt(1e-3).unwrap();
    world.set_gravity(Vec3::Z * -9.81).unwrap();
    let shape = Shape::Box(Cuboid::new(Vec3::new(0.4, 0.1, 0.1)).unwrap());
    let body = BodyDescription::dynamic("leg", shape).mass(2.0).position(Vec3::X * 0.2);
    let body = world.add_body(body).unwrap();
    let steps = [
        step(false, Vec3::ZERO, Vec3::Z, 0.0),
        step(false, Vec3::ZERO, Vec3::Y, 0.0),
        step(false, Vec3::ZERO, Vec3::X, 0.0),
    ];
    let joint = SequenceJoint::new(JointEnd::WORLD, world.joint_end(body).unwrap(), &steps).unwrap();
    let yaw = Arc::new(joint.axis(0).unwrap());
    let pitch = joint.axis(1).unwrap().with_limits(Limits { min: -1.0, max: 0.6 }).unwrap();
    let roll = joint.axis(2).unwrap().with_motor(Motor { velocity: 0.0, max_force: 0.5 }).unwrap();
    world.add_joint("hip", Arc::new(joint)).unwrap();
    let yaw = world.add_joint("yaw", yaw).unwrap();
    let pitch = world.add_joint("pitch", Arc::new(pitch)).unwrap();
    let roll = world.add_joint("roll", Arc::new(roll)).unwrap();
    let servo = world.add_actuator("servo", yaw, Actuator::position(300.0, 40.0).unwrap()).unwrap();
    world.set_control(servo, 0.4).unwrap();
    world.run(4.0).unwrap();
    // The servo has turned the leg, gravity holds it at its limit, and dry friction its roll.
    assert!((world.joint_position(yaw).unwrap() - 0.4).abs() < 1e-4);
    assert!((world.joint_position(pitch).unwrap() - 0.6).abs() < 1e-6);
    assert!(world.joint_velocity(roll).unwrap().abs() < 1e-9);
    let weight = 2.0 * 9.81 * 0.2 * 0.6_f64.cos();
    let force = world.joint_force(pitch).unwrap();
    assert!((force + weight).abs() < 1e-4 * weight, "{force} against {weight}");
    let ledger = world.energy();
    assert!(ledger.max_error < 1e-3, "{ledger:?}");
}

#[test]
fn sequences_that_make_no_sense_are_refused() {
    let x = |slides| step(slides, Vec3::ZERO, Vec3::X, 0.0);
    let y = |slides| step(slides, Vec3::ZERO, Vec3::Y, 0.0);
    let z = |slides| step(slides, Vec3::ZERO, Vec3::Z, 0.0);
    let cases = [
        vec![],
        vec![x(false)],
        vec![x(false), x(false)],
        vec![x(true), y(true), x(true)],
        vec![x(false), y(false), x(false), y(false)],
        vec![x(false), y(false), z(false), x(true), y(true), z(true)],
        vec![x(false), step(false, Vec3::ZERO, Vec3::ZERO, 0.0)],
        vec![x(false), step(false, Vec3::NAN, Vec3::Y, 0.0)],
    ];
    for steps in cases {
        assert!(SequenceJoint::new(JointEnd::WORLD, JointEnd::WORLD, &steps).is_err(), "{steps:?}");
    }
}
