//! Laws of free motion that every integrator must obey, and the ways simulations are known to break them.
#![allow(clippy::unwrap_used)]

use crate::common;

use common::{Lab, diagonal};
use msd::math::{Mat3, Vec3, orientation};
use msd::physics::forces::UniformGravity;
use msd::physics::integration::{AppliedLoad, INTEGRATOR_NAMES, LoadFrame};
use msd::physics::rigid_body::{BodyKind, Inertia, InertialState};

const GRAVITY: f64 = 9.81;

/// Principal moments of a homogeneous box of these full lengths.
fn cuboid(mass: f64, [a, b, c]: [f64; 3]) -> Inertia {
    diagonal(mass, [b * b + c * c, a * a + c * c, a * a + b * b].map(|sum| mass / 12.0 * sum))
}

fn spinning(omega: Vec3) -> InertialState {
    InertialState { angular_velocity: omega, ..InertialState::AT_REST }
}

#[test]
fn free_fall_is_a_parabola_of_constant_energy() {
    for name in INTEGRATOR_NAMES.into_iter().filter(|name| !name.ends_with("euler")) {
        let start = InertialState { center_of_mass: Vec3::Z * 1000.0, ..InertialState::AT_REST };
        let mut lab = Lab::new(name)
            .body(cuboid(10.0, [1.0, 2.0, 3.0]), start)
            .field(UniformGravity::new(Vec3::Z * -GRAVITY).unwrap());
        let before = lab.energy();
        lab.run(10.0, 1000);
        let expected = 1000.0 - 0.5 * GRAVITY * 100.0;
        let height = lab.states[0].center_of_mass.z;
        assert!((height / expected - 1.0).abs() < 1e-12, "{name}: {height} m");
        assert!((lab.energy() / before - 1.0).abs() < 1e-12, "{name}");
        assert_eq!(lab.work.work_in, 0.0, "{name}: gravity has a potential, nothing is booked");
    }
}

#[test]
fn first_order_methods_fall_with_first_order_error() {
    for (name, sign) in [("semi-implicit-euler", -1.0), ("implicit-euler", -1.0)] {
        let mut lab = Lab::new(name)
            .body(cuboid(1.0, [1.0; 3]), InertialState::AT_REST)
            .field(UniformGravity::new(Vec3::Z * -GRAVITY).unwrap());
        lab.run(1.0, 100);
        // Both add g dt before moving: g t dt/2 too far.
        let error = lab.states[0].center_of_mass.z + 0.5 * GRAVITY;
        assert!((error - sign * 0.5 * GRAVITY * 0.01).abs() < 1e-12, "{name}: {error}");
    }
}

#[test]
fn a_yawed_body_turns_about_the_commanded_world_axis() {
    for name in INTEGRATOR_NAMES {
        let yawed = orientation::from_rotation_vector(Vec3::Z * std::f64::consts::FRAC_PI_2);
        let state = InertialState { orientation: yawed, angular_velocity: Vec3::X, ..InertialState::AT_REST };
        let mut lab = Lab::new(name).body(diagonal(1.0, [2.0, 1.0, 2.5]), state);
        lab.run(1.0, 100);
        let on_axis = lab.states[0].orientation * (yawed.conjugate() * Vec3::X);
        assert!((on_axis - Vec3::X).length() < 1e-12, "{name}: a point on world x moved to {on_axis}");
        let turned = orientation::rotation_vector(lab.states[0].orientation * yawed.conjugate());
        // The Cayley turn of the midpoint rule is (ω dt)²/12 short.
        let limit = if name == "implicit-midpoint" { 1e-5 } else { 1e-12 };
        assert!((turned - Vec3::X).length() < limit, "{name}: {turned}");
    }
}

#[test]
fn a_spinning_cube_keeps_its_speed() {
    for name in INTEGRATOR_NAMES {
        for speed in [1.0, 5.0, 10.0, 20.0] {
            let axis = Vec3::new(1.0, -2.0, 0.5).normalize();
            let mut lab = Lab::new(name).body(cuboid(1.0, [1.0; 3]), spinning(axis * speed));
            lab.run(10.0, 625);
            let now = lab.states[0].angular_velocity.length();
            assert!((now / speed - 1.0).abs() < 1e-9, "{name}: {speed} rad/s became {now}");
        }
    }
}

#[test]
fn the_flipping_box_keeps_its_angular_momentum_and_energy() {
    for (name, energy_limit) in [
        ("semi-implicit-euler", 3e-6),
        ("velocity-verlet", 3e-6),
        ("implicit-midpoint", 3e-6),
        ("rk4", 1e-9),
        ("adaptive", 1e-9),
        ("exact-free", 1e-9),
    ] {
        let mut lab = Lab::new(name).body(cuboid(6.0, [1.0, 2.0, 3.0]), spinning(Vec3::new(0.01, 5.0, 0.01)));
        let (momentum, energy) = (lab.spin(), lab.energy());
        let mut has_flipped = false;
        for _ in 0..100 {
            lab.run(0.1, 100);
            has_flipped |= lab.states[0].angular_velocity_body().y < 0.0;
            let drift = (lab.spin() - momentum).length() / momentum.length();
            let gain = (lab.energy() / energy - 1.0).abs();
            assert!(drift < 1e-10 && gain < energy_limit, "{name}: momentum {drift:e}, energy {gain:e}");
        }
        assert!(has_flipped, "{name}: spin about the intermediate axis is unstable");
    }
}

#[test]
fn quaternions_stay_of_unit_length_under_torque() {
    for name in INTEGRATOR_NAMES {
        let mut lab =
            Lab::new(name).body(diagonal(1.0, [1.0, 2.0, 2.5]), spinning(Vec3::new(0.1, 0.2, -0.3)));
        lab.applied.push(AppliedLoad {
            slot: 0,
            force: Vec3::ZERO,
            torque: Vec3::new(0.2, -0.1, 0.3),
            frame: LoadFrame::Body,
            point_body: Vec3::ZERO,
        });
        for _ in 0..10 {
            lab.run(1.0, 1000);
            let excess = lab.states[0].orientation.length_squared() - 1.0;
            assert!(excess.abs() < 1e-12, "{name}: {excess:e}");
        }
    }
}

#[test]
fn applied_torque_is_booked_as_work_and_changes_momentum_as_it_should() {
    for (name, limit) in [
        ("semi-implicit-euler", 1e-2),
        ("implicit-euler", 1e-2),
        ("velocity-verlet", 1e-5),
        ("implicit-midpoint", 1e-5),
        ("rk4", 1e-10),
        ("adaptive", 1e-9),
        ("exact-free", 1e-11),
    ] {
        let mut lab =
            Lab::new(name).body(diagonal(3.0, [1.0, 2.0, 2.5]), spinning(Vec3::new(1.0, 0.5, -0.3)));
        let torque = Vec3::new(0.2, -0.1, 0.3);
        let load =
            AppliedLoad { slot: 0, force: Vec3::Y, torque, frame: LoadFrame::World, point_body: Vec3::ZERO };
        lab.applied.push(load);
        let (momentum, energy) = (lab.spin(), lab.energy());
        lab.run(2.0, 400);
        let change = lab.spin() - momentum - torque * 2.0;
        assert!(change.length() < 1e-12, "{name}: L̇ = τ in the world frame, off by {change}");
        let unexplained = lab.energy() - energy - lab.work.work_in;
        assert!(unexplained.abs() < limit, "{name}: {unexplained:e} J");
    }
}

#[test]
fn what_no_force_moves_is_carried_along() {
    for name in INTEGRATOR_NAMES {
        let moving = InertialState {
            velocity: Vec3::new(1.0, 2.0, 0.0),
            angular_velocity: Vec3::Z,
            ..InertialState::AT_REST
        };
        let turned = orientation::from_rotation_vector(Vec3::new(0.3, 0.1, 0.7));
        let resting = InertialState {
            center_of_mass: Vec3::new(0.1, 0.2, 0.3),
            orientation: turned,
            ..InertialState::AT_REST
        };
        let mut lab = Lab::new(name)
            .body(Inertia::IMMOVABLE, moving)
            .body(Inertia::IMMOVABLE, resting)
            .field(UniformGravity::new(Vec3::Z * -GRAVITY).unwrap());
        lab.bodies[0].kind = BodyKind::Kinematic;
        lab.bodies[1].kind = BodyKind::Static;
        lab.run(1.0, 100);
        let [kinematic, fixed] = [lab.states[0], lab.states[1]];
        assert_eq!(fixed, resting, "{name}: a static body keeps its bits");
        assert_eq!(kinematic.velocity, moving.velocity);
        assert!((kinematic.center_of_mass - moving.velocity).length() < 1e-13, "{name}");
        let angle = orientation::rotation_vector(kinematic.orientation).z;
        let limit = if name == "implicit-midpoint" { 1e-5 } else { 1e-13 };
        assert!((angle - 1.0).abs() < limit, "{name}: {angle} rad");
    }
}

#[test]
fn a_step_depends_on_states_time_and_dt_alone() {
    for name in INTEGRATOR_NAMES {
        let fresh = || {
            Lab::new(name)
                .body(cuboid(6.0, [1.0, 2.0, 3.0]), spinning(Vec3::new(0.3, 5.0, 0.01)))
                .field(UniformGravity::new(Vec3::Z * -GRAVITY).unwrap())
        };
        let mut long = fresh();
        long.run(0.5, 50);
        let mut restored = fresh();
        restored.states = long.states.clone();
        restored.start = long.start;
        long.run(0.5, 50);
        restored.run(0.5, 50);
        assert_eq!(long.states, restored.states, "{name}");
    }
}

#[test]
fn bodies_do_not_disturb_each_other() {
    for name in ["semi-implicit-euler", "velocity-verlet", "rk4", "exact-free"] {
        let a = spinning(Vec3::new(0.3, 5.0, 0.01));
        let b = InertialState { velocity: Vec3::X * 1e3, ..spinning(Vec3::new(-40.0, 1.0, 2.0)) };
        let mut alone = Lab::new(name).body(cuboid(6.0, [1.0, 2.0, 3.0]), a);
        let mut together =
            Lab::new(name).body(cuboid(6.0, [1.0, 2.0, 3.0]), a).body(diagonal(2.0, [1.0, 1.5, 2.0]), b);
        alone.run(1.0, 100);
        together.run(1.0, 100);
        assert_eq!(alone.states[0], together.states[0], "{name}");
    }
}

#[test]
fn a_sub_millisecond_step_is_a_step() {
    let mut lab = Lab::new("velocity-verlet").body(cuboid(1.0, [1.0; 3]), spinning(Vec3::Z * 1000.0));
    lab.run(1e-3, 100);
    let angle = orientation::rotation_vector(lab.states[0].orientation).z;
    assert!((angle - 1.0).abs() < 1e-13, "{angle}");
}

#[test]
fn inertia_in_rotated_axes_moves_like_the_body_it_belongs_to() {
    // The same body described in two frames: the tensor must be taken along, and no method may care.
    let tilt = orientation::from_rotation_vector(Vec3::new(0.7, -0.4, 1.1));
    let r = Mat3::from_quat(tilt);
    let aligned = diagonal(1.0, [1.0, 2.0, 2.5]);
    let tilted = Inertia::new(1.0, r * aligned.tensor_body() * r.transpose()).unwrap();
    let omega = Vec3::new(0.4, 2.0, -0.3);
    for name in INTEGRATOR_NAMES {
        let mut plain = Lab::new(name).body(aligned, spinning(omega));
        let mut turned =
            Lab::new(name).body(tilted, InertialState { orientation: tilt.conjugate(), ..spinning(omega) });
        plain.run(5.0, 500);
        turned.run(5.0, 500);
        let angle = orientation::angle_between(
            turned.states[0].orientation,
            plain.states[0].orientation * tilt.conjugate(),
        );
        assert!(angle < 1e-11, "{name}: {angle:e} rad apart");
    }
}
