//! The reference cases of `data/reference-cases.json`: closed forms and 45-digit solutions, followed by the integrators.
//!
//! Cases with joints (`heavy_top_steady_precession`, `pendulum_90deg_distance`, the rigid `tethered_pair`, `reaction_wheel`)
//! are in `constraints/reference_cases.rs`; `bouncing_ball` needs contact; `field_values` are in `field_values.rs`.
#![allow(clippy::unwrap_used)]

use crate::common;

use common::{Lab, diagonal, rotating, slope};
use msd::math::{Mat3, Quat, Vec3, orientation, scalar};
use msd::physics::forces::{
    Atmosphere, Attachment, Damper, Drag, GravityGradient, MagneticDipole, MagneticSource, PointGravity,
    Spring, Thruster, UniformGravity,
};
use msd::physics::integration::{Adaptive, DenseOutput, System};
use msd::physics::rigid_body::{BodyHandle, Inertia, InertialState};
use serde_json::Value;

const FIRST: BodyHandle = BodyHandle::new(0, 0, 0);
const SECOND: BodyHandle = BodyHandle::new(0, 1, 0);
const SECOND_ORDER: [&str; 2] = ["velocity-verlet", "implicit-midpoint"];

fn case(id: &str) -> Value {
    let file: Value = serde_json::from_str(include_str!("../data/reference-cases.json")).unwrap();
    file["cases"].as_array().unwrap().iter().find(|case| case["id"] == id).unwrap().clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    std::array::from_fn(|i| number(&value[i]))
}

fn vector(value: &Value) -> Vec3 {
    Vec3::from_array(numbers(value))
}

fn quaternion(value: &Value) -> Quat {
    orientation::from_wxyz(numbers(value))
}

/// A laboratory with the point mass of that position and velocity.
fn particle(name: &str, mass: f64, position: Vec3, velocity: Vec3) -> Lab {
    let state = InertialState { center_of_mass: position, velocity, ..InertialState::AT_REST };
    Lab::new(name).body(diagonal(mass, [mass; 3]), state)
}

/// Asserts that halving dt divides the error by `2^order`, within 0.1 of the order.
fn assert_order(name: &str, order: f64, dt: f64, error: impl Fn(f64) -> f64) {
    let [coarse, fine] = [dt, 0.5 * dt].map(|dt| (dt, error(dt)));
    let measured = slope(coarse, fine);
    assert!((measured - order).abs() < 0.1, "{name}: order {measured} from errors {coarse:?} and {fine:?}");
}

fn free_rotation_inertia(case: &Value) -> Inertia {
    let mass = number(&case["params"]["mass"]);
    let full = &case["params"]["inertia_body"];
    if full.is_null() {
        return diagonal(mass, numbers(&case["params"]["inertia_body_diag"]));
    }
    Inertia::new(mass, Mat3::from_cols(vector(&full[0]), vector(&full[1]), vector(&full[2]))).unwrap()
}

/// Errors of attitude and angular velocity (relative) of a torque-free case at its expected instant `index`.
fn free_rotation_errors(id: &str, index: usize, lab: Lab, steps: impl Fn(f64) -> usize) -> (f64, f64) {
    let case = case(id);
    let start = rotating(numbers(&case["initial"]["q"]), vector(&case["initial"]["omega_body"]));
    let expected = &case["expected"][index];
    let duration = number(&expected["t"]);
    let mut lab = lab.body(free_rotation_inertia(&case), start);
    lab.run(duration, steps(duration));
    let omega = vector(&expected["omega_body"]);
    (
        orientation::angle_between(lab.states[0].orientation, quaternion(&expected["q"])),
        (lab.states[0].angular_velocity_body() - omega).length() / omega.length(),
    )
}

fn free_rotation_error(id: &str, index: usize, name: &str, dt: f64) -> f64 {
    free_rotation_errors(id, index, Lab::new(name), |duration| (duration / dt).round() as usize).0
}

#[test]
fn the_free_triaxial_body_is_followed_at_the_order_of_each_method() {
    let id = "torque_free_triaxial";
    for (name, order, limit) in
        [("velocity-verlet", 2.0, 3e-3), ("implicit-midpoint", 2.0, 9.5e-2), ("rk4", 4.0, 2e-6)]
    {
        let after_100_s = free_rotation_error(id, 1, name, 0.1);
        assert!(after_100_s < limit, "{name}: {after_100_s:e} rad");
        assert_order(name, order, 0.05, |dt| free_rotation_error(id, 0, name, dt));
    }
    assert_order("implicit-euler", 1.0, 5e-4, |dt| free_rotation_error(id, 0, "implicit-euler", dt));
}

#[test]
fn the_free_triaxial_body_is_followed_to_the_tolerance_asked_for() {
    for (tolerance, limit) in [(1e-8, 1e-6), (1e-10, 1e-8), (1e-12, 1e-10), (1e-14, 2e-12)] {
        let lab = Lab::with_tolerance("adaptive", tolerance);
        let (attitude, rate) = free_rotation_errors("torque_free_triaxial", 1, lab, |_| 1);
        assert!(attitude < limit && rate < limit, "tolerance {tolerance:e}: {attitude:e} rad, {rate:e}");
    }
    let (attitude, rate) = free_rotation_errors("torque_free_triaxial", 1, Lab::new("exact-free"), |_| 1);
    assert!(attitude < 1e-13 && rate < 1e-13, "closed form: {attitude:e} rad, {rate:e}");
}

#[test]
fn the_racket_flips_when_it_should() {
    let id = "intermediate_axis_flip";
    for (name, order, dt) in
        [("velocity-verlet", 2.0, 0.02), ("implicit-midpoint", 2.0, 0.005), ("rk4", 4.0, 0.05)]
    {
        assert_order(name, order, dt, |dt| free_rotation_error(id, 0, name, dt));
    }
    let adaptive = free_rotation_errors(id, 1, Lab::with_tolerance("adaptive", 1e-14), |_| 1);
    let exact = free_rotation_errors(id, 1, Lab::new("exact-free"), |_| 1);
    // Nine flips: an error of 1e-16 in the initial state is 1e-12 here.
    assert!(adaptive.0 < 1e-10 && exact.0 < 2e-12, "{adaptive:?} {exact:?}");
}

#[test]
fn the_space_station_turns_freely_with_its_products_of_inertia() {
    let id = "nesc_orbit08b_iss_free_rotation";
    for index in 0..2 {
        let exact = free_rotation_errors(id, index, Lab::new("exact-free"), |_| 1);
        assert!(exact.0 < 1e-12 && exact.1 < 1e-12, "{exact:?}");
        let adaptive = free_rotation_errors(id, index, Lab::with_tolerance("adaptive", 1e-13), |_| 10);
        assert!(adaptive.0 < 1e-11, "{adaptive:?}");
    }
    for (name, order) in [("velocity-verlet", 2.0), ("rk4", 4.0)] {
        assert_order(name, order, 60.0, |dt| free_rotation_error(id, 0, name, dt));
    }
}

#[test]
fn the_symmetric_top_precesses_regularly() {
    let id = "torque_free_symmetric_top";
    for index in 0..2 {
        for name in ["velocity-verlet", "exact-free"] {
            let error = free_rotation_error(id, index, name, 0.1);
            // Round-off of 100 and of 1 000 steps, of which that in the rates adds up twice.
            let limit = [2e-13, 2e-11][index];
            assert!(error < limit, "{name} is exact for symmetric bodies: {error:e}");
        }
    }
    for (name, order) in [("rk4", 4.0), ("implicit-midpoint", 2.0)] {
        assert_order(name, order, 0.0125, |dt| free_rotation_error(id, 0, name, dt));
    }
}

/// Pitch against the local vertical, on a circular orbit about +y from +z towards +x.
fn pitch_error(name: &str, expectation: &Value, at: &Value, steps: usize) -> f64 {
    let case = case("gravity_gradient_pitch");
    let (mu, radius) = (number(&case["params"]["mu"]), number(&case["params"]["radius"]));
    let rate = (mu / (radius * radius * radius)).sqrt();
    let amplitude = number(&expectation["amplitude_deg"]) * std::f64::consts::PI / 180.0;
    // Heavy enough that the force of the gravity gradient, which the reference leaves out, moves nothing.
    let inertia = diagonal(1e7, numbers(&case["params"]["inertia_body_diag_xyz"]));
    let state = InertialState {
        center_of_mass: Vec3::Z * radius,
        orientation: orientation::from_rotation_vector(Vec3::Y * amplitude),
        velocity: Vec3::X * (rate * radius),
        angular_velocity: Vec3::Y * rate,
    };
    let mut lab = Lab::new(name)
        .body(inertia, state)
        .field(PointGravity::new(mu, Vec3::ZERO).unwrap())
        .field(GravityGradient::new(mu, Vec3::ZERO).unwrap());
    let time = number(&at["t"]);
    lab.run(time, steps);
    let long_axis = lab.states[0].orientation * Vec3::Z;
    let vertical = orientation::from_rotation_vector(Vec3::Y * (rate * time)) * Vec3::Z;
    let pitch = scalar::atan2(vertical.cross(long_axis).y, vertical.dot(long_axis));
    (pitch - number(&at["theta"])).abs()
}

#[test]
fn a_long_body_librates_in_the_gravity_gradient() {
    for amplitude in 0..2 {
        let expectation = &case("gravity_gradient_pitch")["expected"][amplitude];
        let [early, late] = [0, 1].map(|index| &expectation["pitch_at"][index]);
        let error = pitch_error("adaptive", expectation, late, 100);
        assert!(error < 1e-9, "adaptive: {error:e} rad");
        for (name, order, dt) in [("velocity-verlet", 2.0, 5.0), ("rk4", 4.0, 20.0)] {
            assert_order(name, order, dt, |dt| {
                pitch_error(name, expectation, early, (1000.0 / dt).round() as usize)
            });
        }
    }
}

fn kepler_errors(id: &str, index: usize, lab: Lab, steps: usize) -> (f64, f64) {
    let case = case(id);
    let expected = &case["expected"][index];
    let state = InertialState {
        center_of_mass: vector(&case["initial"]["r"]),
        velocity: vector(&case["initial"]["v"]),
        ..InertialState::AT_REST
    };
    let mut lab = lab
        .body(diagonal(1000.0, [1000.0; 3]), state)
        .field(PointGravity::new(number(&case["params"]["mu"]), Vec3::ZERO).unwrap());
    lab.run(number(&expected["t"]), steps);
    let (r, v) = (vector(&expected["r"]), vector(&expected["v"]));
    ((lab.states[0].center_of_mass - r).length(), (lab.states[0].velocity - v).length())
}

#[test]
fn kepler_orbits_are_met_to_round_off_in_closed_form() {
    for (id, limit) in [("kepler_e05", 3e-6), ("nesc_orbit02_iss_kepler", 1e-6)] {
        for index in 0..2 {
            let (position, velocity) = kepler_errors(id, index, Lab::new("exact-free"), 1);
            assert!(position < limit && velocity < 1e-3 * limit, "{id}: {position:e} m, {velocity:e} m/s");
        }
    }
}

#[test]
fn dense_output_is_of_seventh_order_between_the_ends_of_a_step() {
    // A circle of radius 1 at 1 rad/s. A polynomial of degree seven leaves an error of the eighth power of the step within it:
    // half the step leaves 1/256.
    let error = |h: f64| {
        let state = InertialState { center_of_mass: Vec3::X, velocity: Vec3::Y, ..InertialState::AT_REST };
        let mut lab = Lab::new("adaptive")
            .body(diagonal(1.0, [1.0; 3]), state)
            .field(PointGravity::new(1.0, Vec3::ZERO).unwrap());
        let start = lab.states.clone();
        let mut system =
            System::new(&lab.bodies, &mut lab.inertias, &start, &lab.fields, &lab.applied, 0.0, h).unwrap();
        let mut dense = DenseOutput::new();
        Adaptive::new(1e-2).step_dense(&mut system, &mut lab.states, 0.0, h, &mut dense).unwrap();
        assert_eq!((dense.substeps(), dense.range()), (1, Some((0.0, h))));
        let off = |time: f64| {
            let exact = Vec3::new(scalar::cos(time), scalar::sin(time), 0.0);
            (dense.state(0, time).unwrap().center_of_mass - exact).length()
        };
        (1..20).map(|k| off(h * f64::from(k) / 20.0)).fold(0.0, scalar::max)
    };
    for h in [0.8, 0.4] {
        let slope = slope((h, error(h)), (0.5 * h, error(0.5 * h)));
        assert!((slope - 8.0).abs() < 0.4, "{h} s: {slope}, {:e}", error(h));
    }
}

#[test]
fn kepler_orbits_are_followed_at_the_order_of_each_method() {
    for id in ["kepler_e05", "nesc_orbit02_iss_kepler"] {
        let (position, _) = kepler_errors(id, 1, Lab::with_tolerance("adaptive", 1e-13), 1);
        assert!(position < 1e-2, "{id}: {position:e} m");
    }
    // One arc of 2 880 s, half an orbit.
    for (name, order, steps) in [
        ("semi-implicit-euler", 1.0, 16_000),
        ("implicit-euler", 1.0, 16_000),
        ("velocity-verlet", 2.0, 400),
        ("implicit-midpoint", 2.0, 400),
        ("rk4", 4.0, 200),
    ] {
        assert_order(name, order, 2880.0 / f64::from(steps), |dt| {
            kepler_errors("nesc_orbit02_iss_kepler", 0, Lab::new(name), (2880.0 / dt).round() as usize).0
        });
    }
}

#[test]
fn the_equatorial_orbit_of_an_oblate_planet_stays_a_circle() {
    let case = case("j2_equatorial_circular");
    let params = &case["params"];
    let gravity = PointGravity::new(number(&params["mu"]), Vec3::ZERO)
        .unwrap()
        .with_oblateness(number(&params["Re"]), number(&params["J2"]))
        .unwrap();
    let expected = &case["expected"][0];
    let error = |name: &str, steps: usize| {
        let mut lab = particle(name, 10.0, vector(&case["initial"]["r"]), vector(&case["initial"]["v"]))
            .field(gravity.clone());
        lab.run(number(&expected["t"]), steps);
        (lab.states[0].center_of_mass - vector(&expected["r"])).length()
    };
    let adaptive = error("adaptive", 100);
    assert!(adaptive < 0.1, "{adaptive:e} m after 15 orbits");
    let fallback = error("exact-free", 100);
    assert!(fallback < 1e-3, "no closed form, so integrated tightly: {fallback:e} m");
    assert_order("velocity-verlet", 2.0, 20.0, |dt| {
        error("velocity-verlet", (86_400.0 / dt).round() as usize)
    });
}

#[test]
fn a_needle_swings_in_a_magnetic_field() {
    let case = case("magnetic_dipole");
    let params = &case["params"];
    let field = MagneticDipole::new(MagneticSource::Uniform(Vec3::X * number(&params["B"])))
        .unwrap()
        .with_moment(Vec3::X * number(&params["dipole"]))
        .unwrap();
    for amplitude in 0..2 {
        let expected = &case["expected"][amplitude];
        let start = number(&expected["amplitude_deg"]) * std::f64::consts::PI / 180.0;
        let error = |name: &str, index: usize, dt: f64| {
            let at = &expected["theta_at"][index];
            let turned = orientation::from_rotation_vector(Vec3::Z * start);
            let state = InertialState { orientation: turned, ..InertialState::AT_REST };
            let mut lab = Lab::new(name)
                .body(diagonal(1.0, [5.0, 5.0, number(&params["inertia_about_axis"])]), state)
                .field(field.clone());
            let time = number(&at["t"]);
            lab.run(time, (time / dt).round() as usize);
            (orientation::rotation_vector(lab.states[0].orientation).z - number(&at["theta"])).abs()
        };
        assert!(error("adaptive", 1, 100.0) < 1e-8, "{:e}", error("adaptive", 1, 100.0));
        for (name, order, dt) in
            [("velocity-verlet", 2.0, 5.0), ("implicit-midpoint", 2.0, 5.0), ("rk4", 4.0, 10.0)]
        {
            assert_order(name, order, dt, |dt| error(name, 0, dt));
        }
    }
}

fn spring_error(name: &str, damped: bool, steps: usize) -> f64 {
    let case = case("spring_mass");
    let (params, initial) = (&case["params"], &case["initial"]);
    // Attached one metre away along x, so that the spring never turns over.
    let (anchor, end) = (Attachment::World(Vec3::X * -1.0), Attachment::Body(FIRST, Vec3::ZERO));
    let mut lab = particle(
        name,
        number(&params["mass"]),
        Vec3::X * number(&initial["x"]),
        Vec3::X * number(&initial["v"]),
    )
    .field(Spring::new(anchor, end, number(&params["k"]), 1.0).unwrap());
    if damped {
        lab = lab.field(Damper::new(anchor, end, number(&params["c"])).unwrap());
    }
    let expected = &case["expected"][0];
    lab.run(number(&expected["t"]), steps);
    let [x, v]: [f64; 2] = numbers(&expected[if damped { "damped" } else { "undamped" }]);
    scalar::hypot(lab.states[0].center_of_mass.x - x, (lab.states[0].velocity.x - v) / 5.0)
}

#[test]
fn a_mass_on_a_spring_is_followed_at_the_order_of_each_method_with_and_without_damper() {
    for damped in [false, true] {
        for (name, order, steps) in [
            ("semi-implicit-euler", 1.0, 20_000),
            ("implicit-euler", 1.0, 100_000),
            ("velocity-verlet", 2.0, 2_000),
            ("implicit-midpoint", 2.0, 2_000),
            ("rk4", 4.0, 1_000),
        ] {
            assert_order(name, order, 10.0 / f64::from(steps), |dt| {
                spring_error(name, damped, (10.0 / dt).round() as usize)
            });
        }
        assert!(spring_error("adaptive", damped, 10) < 1e-9);
        assert!(spring_error("exact-free", damped, 10) < 1e-11);
    }
}

#[test]
fn an_elastic_tether_stays_at_its_steady_length() {
    let case = case("tethered_pair");
    let (params, expected) = (&case["params"], &case["expected"][1]);
    let length = number(&expected["elastic_steady_length"]);
    let (m1, m2, omega) = (number(&params["m1"]), number(&params["m2"]), number(&params["omega"]));
    let (arm1, arm2) = (length * m2 / (m1 + m2), length * m1 / (m1 + m2));
    let at = |x: f64| InertialState {
        center_of_mass: Vec3::X * x,
        velocity: Vec3::Y * (omega * x),
        ..InertialState::AT_REST
    };
    // The midpoint rule takes forces on the chord, (ω dt)²/8 inside the circle of 10 m: 1.25e-6 m, and as much ringing.
    for (name, limit) in
        [("velocity-verlet", 2e-7), ("implicit-midpoint", 3e-6), ("rk4", 2e-8), ("adaptive", 2e-8)]
    {
        let mut lab = Lab::new(name)
            .body(diagonal(m1, [m1; 3]), at(-arm1))
            .body(diagonal(m2, [m2; 3]), at(arm2))
            .field(
                Spring::new(
                    Attachment::Body(FIRST, Vec3::ZERO),
                    Attachment::Body(SECOND, Vec3::ZERO),
                    number(&params["k_elastic"]),
                    number(&params["length"]),
                )
                .unwrap(),
            );
        for _ in 0..10 {
            lab.run(10.0, 1000);
            let now = (lab.states[1].center_of_mass - lab.states[0].center_of_mass).length();
            assert!((now - length).abs() < limit, "{name}: {:e} m", now - length);
        }
        let momentum = lab.states[0].velocity * m1 + lab.states[1].velocity * m2;
        assert!(momentum.length() < 1e-12, "{name}");
    }
}

fn fall_error(name: &str, steps: usize) -> f64 {
    let case = case("drag");
    let params = &case["params"];
    let drag = Drag::new(Atmosphere::Uniform { density: 2.0 * number(&params["k_half_rho_Cd_A"]) })
        .unwrap()
        .with_drag_area(1.0)
        .unwrap();
    let gravity = UniformGravity::new(Vec3::Z * -number(&params["g"])).unwrap();
    let mut lab = particle(name, number(&params["mass"]), Vec3::ZERO, Vec3::ZERO).field(gravity).field(drag);
    let expected = &case["expected"][1];
    lab.run(number(&expected["t"]), steps);
    let state = &lab.states[0];
    scalar::hypot(
        state.center_of_mass.z + number(&expected["fall"]),
        state.velocity.z + number(&expected["v_down"]),
    )
}

#[test]
fn a_falling_body_reaches_terminal_velocity() {
    for (name, order, steps) in [
        ("semi-implicit-euler", 1.0, 2_000),
        ("implicit-euler", 1.0, 2_000),
        ("velocity-verlet", 2.0, 500),
        ("implicit-midpoint", 2.0, 500),
        ("rk4", 4.0, 100),
    ] {
        assert_order(name, order, 5.0 / f64::from(steps), |dt| fall_error(name, (5.0 / dt).round() as usize));
    }
    assert!(fall_error("adaptive", 10) < 1e-8 && fall_error("exact-free", 10) < 1e-10);
}

#[test]
fn a_capsule_is_braked_as_allen_and_eggers_computed() {
    let case = case("drag");
    let params = &case["params"]["allen_eggers"];
    let (speed, beta) = (number(&params["entry_speed"]), number(&params["ballistic_coefficient"]));
    let atmosphere =
        Atmosphere::Flat { density: number(&params["rho0"]), scale_height: number(&params["H"]) };
    let mass = 1000.0;
    let path = number(&params["flight_path_deg"]) * std::f64::consts::PI / 180.0;
    let direction = Vec3::new(scalar::cos(path), 0.0, -scalar::sin(path));
    // Enters at 200 km, where the air has slowed it by no more than 1e-8 of its speed.
    let mut lab = particle("adaptive", mass, Vec3::Z * 200_000.0, direction * speed)
        .field(Drag::new(atmosphere).unwrap().with_drag_area(mass / beta).unwrap());
    let mut expected = case["expected"][3]["allen_eggers"].as_array().unwrap().iter().peekable();
    let dt = 0.01;
    for step in 0..20_000 {
        let Some(next) = expected.peek() else { return };
        let before = lab.states[0];
        lab.try_step(f64::from(step) * dt, dt).unwrap();
        let after = &lab.states[0];
        let height = number(&next["h"]);
        if after.center_of_mass.z < height {
            let part =
                (before.center_of_mass.z - height) / (before.center_of_mass.z - after.center_of_mass.z);
            let at_height = before.speed() + part * (after.speed() - before.speed());
            assert!((at_height / number(&next["v"]) - 1.0).abs() < 1e-5, "{at_height} m/s at {height} m");
            expected.next();
        }
    }
    panic!("never came down to {:?}", expected.peek());
}

#[test]
fn a_rocket_gains_what_tsiolkovsky_says() {
    let case = case("rocket");
    let (params, expected) = (&case["params"], &case["expected"][0]);
    let engine = Thruster::rocket(
        FIRST,
        Vec3::ZERO,
        Vec3::X,
        number(&params["mdot"]),
        number(&params["exhaust_velocity"]),
    )
    .unwrap();
    let run = |name: &str, steps: usize| {
        let mut lab = particle(name, number(&params["m0"]), Vec3::ZERO, Vec3::ZERO).field(engine.clone());
        lab.run(number(&expected["t"]), steps);
        assert!((lab.inertias[0].mass() - number(&expected["mass"])).abs() < 1e-9);
        let state = &lab.states[0];
        scalar::hypot(
            (state.velocity.x - number(&expected["dv"])) / number(&expected["dv"]),
            (state.center_of_mass.x - number(&expected["x"])) / number(&expected["x"]),
        )
    };
    for (name, order, dt) in [
        ("semi-implicit-euler", 1.0, 0.1),
        ("implicit-euler", 1.0, 0.1),
        ("velocity-verlet", 2.0, 1.0),
        ("implicit-midpoint", 2.0, 1.0),
        ("rk4", 4.0, 10.0),
    ] {
        assert_order(name, order, dt, |dt| run(name, (100.0 / dt).round() as usize));
    }
    for name in ["adaptive", "exact-free"] {
        assert!(run(name, 10) < 1e-11, "{name}: {:e}", run(name, 10));
    }
}

#[test]
fn symmetric_methods_keep_the_energy_of_an_orbit_bounded() {
    let case = case("kepler_e05");
    for name in SECOND_ORDER {
        let mut lab = particle(name, 1.0, vector(&case["initial"]["r"]), vector(&case["initial"]["v"]))
            .field(PointGravity::new(number(&case["params"]["mu"]), Vec3::ZERO).unwrap());
        let period = number(&case["invariants"]["period"]);
        let before = lab.energy();
        let worst_of_an_orbit = |lab: &mut Lab| {
            let mut worst = 0.0;
            for _ in 0..100 {
                lab.run(period / 100.0, 10);
                worst = scalar::max(worst, (lab.energy() / before - 1.0).abs());
            }
            worst
        };
        let first = worst_of_an_orbit(&mut lab);
        lab.run(98.0 * period, 98_000);
        let last = worst_of_an_orbit(&mut lab);
        assert!(first < 1e-3 && last < 1.1 * first, "{name}: {first:e} then {last:e}");
    }
}
