//! Fields against values computed elsewhere with 45 digits (`data/reference-cases.json`).
#![expect(clippy::unwrap_used, reason = "the functions that read the file belong to the tests")]

use std::sync::Arc;

use msd::math::{Angle, Mat3, Vec3, orientation, scalar};
use msd::physics::forces::{
    Atmosphere, Attachment, Drag, Field, Geopotential, GravityGradient, HarmonicCoefficients, MagneticDipole,
    MagneticSource, Plate, PointGravity, PrescribedMotion, SolarPressure, Spring, ThirdBody, Thruster,
    UniformGravity,
};
use msd::physics::rigid_body::{Bodies, BodyHandle, Inertia, InertialState, RigidBody, Wrench};
use serde_json::Value;

/// Relative agreement asked of a point value: a few hundred roundings of f64.
const TO_ROUNDING: f64 = 1e-13;

fn case(id: &str) -> Value {
    let all: Value = serde_json::from_str(include_str!("../data/reference-cases.json")).unwrap();
    let cases = all["cases"].as_array().unwrap();
    cases.iter().find(|case| case["id"] == id).unwrap_or_else(|| panic!("no case `{id}`")).clone()
}

/// The first of the expected values that has this key.
fn expected(case: &Value, key: &str) -> Value {
    let all = case["expected"].as_array().unwrap();
    all.iter().find(|entry| entry.get(key).is_some()).unwrap_or_else(|| panic!("no value `{key}`"))[key]
        .clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn vector(value: &Value) -> Vec3 {
    Vec3::new(number(&value[0]), number(&value[1]), number(&value[2]))
}

fn assert_vector(actual: Vec3, expected: Vec3, tolerance: f64) {
    let error = (actual - expected).length() / expected.length();
    assert!(error <= tolerance, "{actual} differs from {expected} by {error:e}");
}

fn assert_number(actual: f64, expected: f64, tolerance: f64) {
    let error = ((actual - expected) / expected).abs();
    assert!(error <= tolerance, "{actual} differs from {expected} by {error:e}");
}

/// One body, no world.
struct Single {
    body: [RigidBody; 1],
    inertia: [Inertia; 1],
    state: [InertialState; 1],
}

impl Single {
    fn new(mass: f64, moments: Vec3) -> Self {
        let inertia = Inertia::new(mass, Mat3::from_diagonal(moments)).unwrap();
        Self { body: [RigidBody::new("probe", inertia)], inertia: [inertia], state: [InertialState::AT_REST] }
    }

    fn of_mass(mass: f64) -> Self {
        Self::new(mass, Vec3::ONE)
    }

    fn at(mut self, position: Vec3) -> Self {
        self.state[0].center_of_mass = position;
        self
    }

    fn bodies(&self) -> Bodies<'_> {
        Bodies { bodies: &self.body, inertias: &self.inertia, states: &self.state }
    }

    fn wrench(&self, field: &dyn Field, time: f64) -> Wrench {
        field.wrench(&self.bodies().view(0), &self.bodies(), time)
    }

    fn energy(&self, field: &dyn Field) -> f64 {
        field.energy(&self.bodies().view(0), &self.bodies(), 0.0).unwrap()
    }

    /// Acceleration of the centre of mass under all fields.
    fn acceleration(&self, fields: &[Arc<dyn Field>]) -> Vec3 {
        fields.iter().map(|field| self.wrench(field.as_ref(), 0.0).force).sum::<Vec3>()
            / self.inertia[0].mass()
    }

    /// One classical Runge-Kutta step of position and velocity.
    fn step(&mut self, fields: &[Arc<dyn Field>], h: f64) {
        let start = self.state[0];
        let (mut velocities, mut accelerations) = ([Vec3::ZERO; 4], [Vec3::ZERO; 4]);
        for (stage, part) in [0.0, 0.5, 0.5, 1.0].into_iter().enumerate() {
            let before = stage.saturating_sub(1);
            self.state[0].center_of_mass = start.center_of_mass + velocities[before] * (part * h);
            self.state[0].velocity = start.velocity + accelerations[before] * (part * h);
            velocities[stage] = self.state[0].velocity;
            accelerations[stage] = self.acceleration(fields);
        }
        let mean = |k: [Vec3; 4]| (k[0] + k[1] * 2.0 + k[2] * 2.0 + k[3]) / 6.0;
        self.state[0].center_of_mass = start.center_of_mass + mean(velocities) * h;
        self.state[0].velocity = start.velocity + mean(accelerations) * h;
    }
}

fn planet() -> (Value, f64, f64, f64, Vec3) {
    let case = case("field_values");
    let params = &case["params"];
    let (mu, j2, radius) = (number(&params["mu"]), number(&params["J2"]), number(&params["Re"]));
    let r = vector(&case["initial"]["r"]);
    (case, mu, j2, radius, r)
}

#[test]
fn point_mass_and_oblateness_pull_as_computed() {
    let (case, mu, j2, radius, r) = planet();
    let body = Single::of_mass(2.0).at(r);
    let point = PointGravity::new(mu, Vec3::ZERO).unwrap();
    let force = body.wrench(&point, 0.0).force;
    assert_vector(force / 2.0, vector(&expected(&case, "point_mass")), TO_ROUNDING);
    let flattened = point.with_oblateness(radius, j2).unwrap();
    let force = body.wrench(&flattened, 0.0).force;
    assert_vector(force / 2.0, vector(&expected(&case, "point_mass_plus_J2")), TO_ROUNDING);
}

#[test]
fn the_geopotential_pulls_as_computed_at_mid_latitude_and_at_the_pole() {
    let (case, mu, j2, radius, r) = planet();
    let expected = expected(&case, "geopotential");
    let of = |key: &str| number(&expected[key]);
    let coefficients = HarmonicCoefficients::new()
        .with_zonal(2, j2)
        .and_then(|c| c.with_zonal(3, of("J3")))
        .and_then(|c| c.with_zonal(4, of("J4")))
        .and_then(|c| c.with(2, 2, of("C22_unnormalised"), of("S22_unnormalised")))
        .unwrap();
    let field = Geopotential::new(mu, radius, Vec3::ZERO, coefficients).unwrap();
    let body = Single::of_mass(1.0).at(r);
    assert_vector(body.wrench(&field, 0.0).force, vector(&expected["acc"]), TO_ROUNDING);
    assert_number(body.energy(&field), of("V_per_kg"), TO_ROUNDING);
    let pole = Single::of_mass(1.0).at(vector(&expected["pole_r"]));
    assert_vector(pole.wrench(&field, 0.0).force, vector(&expected["pole_acc"]), TO_ROUNDING);
}

#[test]
fn moon_and_sun_perturb_as_computed_to_the_last_digits() {
    let (case, .., r) = planet();
    let body = Single::of_mass(1.0).at(r);
    for (perturber, mu) in [("moon_position", "mu_moon"), ("sun_position", "mu_sun")] {
        let entries = case["expected"].as_array().unwrap();
        let entry = entries.iter().find(|entry| entry.get(perturber).is_some()).unwrap();
        let at = PrescribedMotion::Fixed(vector(&entry[perturber]));
        let mu = number(&case["params"][mu]);
        let exact = ThirdBody::new(mu, Vec3::ZERO, at.clone()).unwrap();
        assert_vector(body.wrench(&exact, 0.0).force, vector(&entry["third_body_exact"]), TO_ROUNDING);
        if let Some(first_order) = entry.get("tidal_first_order") {
            let tidal = ThirdBody::tidal(mu, Vec3::ZERO, at).unwrap();
            assert_vector(body.wrench(&tidal, 0.0).force, vector(first_order), TO_ROUNDING);
        }
    }
}

#[test]
fn the_gravity_gradient_turns_as_computed() {
    let (case, mu, ..) = planet();
    let value = expected(&case, "gravity_gradient");
    let body = Single::new(1.0, vector(&value["inertia_diag"])).at(vector(&value["r_body"]));
    let alone = GravityGradient::new(mu, Vec3::ZERO).unwrap();
    let with_point = PointGravity::new(mu, Vec3::ZERO).unwrap().with_gravity_gradient();
    for field in [&alone as &dyn Field, &with_point] {
        assert_vector(body.wrench(field, 0.0).torque, vector(&value["torque_body"]), TO_ROUNDING);
    }
}

#[test]
fn the_gravity_gradient_is_as_stiff_as_the_libration_frequency_says() {
    let case = case("gravity_gradient_pitch");
    let (mu, radius) = (number(&case["params"]["mu"]), number(&case["params"]["radius"]));
    let moments = vector(&case["params"]["inertia_body_diag_xyz"]);
    let field = GravityGradient::new(mu, Vec3::ZERO).unwrap();
    let pitch = 1e-3;
    let mut body = Single::new(1.0, moments).at(Vec3::Z * radius);
    body.state[0].orientation = orientation::from_rotation_vector(Vec3::Y * pitch);
    // I θ'' = -I ω² ½ sin 2θ, with ω the linear frequency.
    let frequency = number(&case["invariants"]["linear_frequency"]);
    let restoring = -moments.y * frequency * frequency * 0.5 * scalar::sin(2.0 * pitch);
    assert_number(body.wrench(&field, 0.0).torque.y, restoring, 1e-12);
}

#[test]
fn oblateness_holds_the_equatorial_orbit_at_its_exact_rate() {
    let case = case("j2_equatorial_circular");
    let of = |key: &str| number(&case["params"][key]);
    let field = PointGravity::new(of("mu"), Vec3::ZERO).unwrap().with_oblateness(of("Re"), of("J2")).unwrap();
    let radius = of("radius");
    let pull = -Single::of_mass(1.0).at(Vec3::X * radius).wrench(&field, 0.0).force.x;
    let rate = number(&case["invariants"]["angular_rate"]);
    assert_number(pull, rate * rate * radius, TO_ROUNDING);
}

#[test]
fn sunlight_presses_as_computed() {
    let (case, ..) = planet();
    let value = expected(&case, "srp");
    let sun = PrescribedMotion::Fixed(Vec3::X * 149_597_870_700.0);
    let mut body = Single::of_mass(1.0);
    let ball = SolarPressure::on_cannonball(sun.clone(), 1.0, 1.0).unwrap();
    assert_number(-body.wrench(&ball, 0.0).force.x, number(&value["pressure_1au"]), TO_ROUNDING);
    let plate = |specular| {
        let (center, normal) = (Vec3::ZERO, Vec3::X);
        let plate = Plate { center, normal, area: 1.0, specular, diffuse: 0.0, is_two_sided: false };
        SolarPressure::on_plate(sun.clone(), plate).unwrap()
    };
    let push = body.wrench(&plate(0.0), 0.0).force.length();
    assert_number(push, number(&value["flat_plate_absorbing_1m2_normal_N"]), TO_ROUNDING);
    body.state[0].orientation =
        orientation::from_rotation_vector(Vec3::Z * Angle::from_degrees(30.0).radians());
    let push = body.wrench(&plate(1.0), 0.0).force.length();
    assert_number(push, number(&value["flat_plate_specular_1m2_30deg_N"]), TO_ROUNDING);
}

#[test]
fn the_atmosphere_thins_as_computed() {
    let (case, ..) = planet();
    let value = expected(&case, "exponential_atmosphere");
    let (density, scale_height) = (number(&value["rho0"]), number(&value["H"]));
    let aloft = number(&value["rho_at_100km"]);
    let flat = Atmosphere::Flat { density, scale_height };
    assert_number(flat.density(Vec3::new(0.0, 0.0, 1e5)), aloft, TO_ROUNDING);
    let radius = 6_378_137.0;
    let round = Atmosphere::Spherical { density, scale_height, center: Vec3::ZERO, radius };
    assert_number(round.density(Vec3::Y * (radius + 1e5)), aloft, TO_ROUNDING);
}

#[test]
fn uniform_gravity_has_the_energy_and_force_of_a_lifted_mass() {
    let (case, ..) = planet();
    let value = expected(&case, "uniform_gravity");
    let field = UniformGravity::new(vector(&value["g"])).unwrap();
    let body = Single::of_mass(number(&value["mass"])).at(Vec3::new(0.0, 0.0, number(&value["z"])));
    assert_number(body.energy(&field), number(&value["V"]), TO_ROUNDING);
    assert_vector(body.wrench(&field, 0.0).force, vector(&value["F"]), TO_ROUNDING);
}

#[test]
fn the_field_of_a_planets_dipole_and_its_hold_on_a_needle_are_as_computed() {
    let case = case("magnetic_dipole");
    let of = |key: &str| number(&case["params"][key]);
    let moment = Vec3::new(0.0, 0.0, -of("field_dipole_moment_A_m2"));
    let source = MagneticSource::Dipole { center: Vec3::ZERO, moment };
    let point = vector(&expected(&case, "field_point"));
    let flux_density = vector(&expected(&case, "B_tesla"));
    assert_vector(source.flux_density(point), flux_density, TO_ROUNDING);
    let needle = Vec3::new(1.0, -2.0, 3.0);
    let field = MagneticDipole::new(source).unwrap().with_moment(needle).unwrap();
    let wrench = Single::of_mass(1.0).at(point).wrench(&field, 0.0);
    assert_vector(wrench.torque, needle.cross(flux_density), TO_ROUNDING);
    // In a uniform field: I θ'' = -m B sin θ, so ω² = m B / I.
    let uniform = MagneticDipole::new(MagneticSource::Uniform(Vec3::X * of("B"))).unwrap();
    let uniform = uniform.with_moment(Vec3::X * of("dipole")).unwrap();
    let mut body = Single::of_mass(1.0);
    body.state[0].orientation = orientation::from_rotation_vector(Vec3::Z * std::f64::consts::FRAC_PI_2);
    let frequency = number(&case["invariants"]["linear_frequency"]);
    let torque = body.wrench(&uniform, 0.0).torque.z;
    assert_number(torque, -of("inertia_about_axis") * frequency * frequency, TO_ROUNDING);
}

#[test]
fn a_fall_through_air_reaches_terminal_velocity_as_computed() {
    let case = case("drag");
    let of = |key: &str| number(&case["params"][key]);
    // k = ½ ρ C_d A with ρ = 1.
    let drag = Drag::new(Atmosphere::Uniform { density: 1.0 }).unwrap();
    let drag = drag.with_drag_area(2.0 * of("k_half_rho_Cd_A")).unwrap();
    let gravity = UniformGravity::new(Vec3::new(0.0, 0.0, -of("g"))).unwrap();
    let fields: [Arc<dyn Field>; 2] = [Arc::new(drag), Arc::new(gravity)];
    let mut body = Single::of_mass(of("mass"));
    let mut steps = 0;
    for entry in case["expected"].as_array().unwrap().iter().filter(|entry| entry.get("t").is_some()) {
        while f64::from(steps) * 1e-3 < number(&entry["t"]) - 1e-6 {
            body.step(&fields, 1e-3);
            steps += 1;
        }
        assert_number(-body.state[0].velocity.z, number(&entry["v_down"]), 1e-12);
        assert_number(-body.state[0].center_of_mass.z, number(&entry["fall"]), 1e-12);
    }
    body.state[0].velocity = Vec3::new(0.0, 0.0, -number(&expected(&case, "terminal_velocity")));
    assert!(body.acceleration(&fields).length() < 1e-13);
}

#[test]
fn a_capsule_slows_down_in_the_atmosphere_as_allen_and_eggers_computed() {
    let case = case("drag");
    let params = &case["params"]["allen_eggers"];
    let of = |key: &str| number(&params[key]);
    let air = Atmosphere::Flat { density: of("rho0"), scale_height: of("H") };
    // Ballistic coefficient m/(C_d A).
    let drag = Drag::new(air).unwrap().with_drag_area(1.0 / of("ballistic_coefficient")).unwrap();
    let fields: [Arc<dyn Field>; 1] = [Arc::new(drag)];
    let (sine, cosine) = Angle::from_degrees(of("flight_path_deg")).sin_cos();
    // The closed form starts infinitely high; at 300 km the air (1e-18 kg/m³) has taken less than 1e-15 of the speed.
    let mut body = Single::of_mass(1.0).at(Vec3::Z * 3e5);
    body.state[0].velocity = Vec3::new(cosine, 0.0, -sine) * of("entry_speed");
    let mut hardest = 0.0;
    for entry in expected(&case, "allen_eggers").as_array().unwrap() {
        let goal = number(&entry["h"]);
        while body.state[0].center_of_mass.z > goal {
            // Never past the goal: the last step of each leg is shortened until it ends within a micrometre.
            let to_goal = (body.state[0].center_of_mass.z - goal) / -body.state[0].velocity.z;
            if to_goal < 1e-10 {
                break;
            }
            body.step(&fields, scalar::min(0.01, to_goal));
            hardest = scalar::max(hardest, body.acceleration(&fields).length());
        }
        assert_number(body.state[0].velocity.length(), number(&entry["v"]), 1e-9);
    }
    // The peak is flat, and a step of 10 ms passes it within 23 m of height.
    assert_number(hardest, number(&expected(&case, "max_decel")), 1e-5);
    let at_peak = number(&expected(&case, "h_at_max"));
    let mut peak = Single::of_mass(1.0).at(Vec3::Z * at_peak);
    peak.state[0].velocity = Vec3::X * number(&expected(&case, "v_at_max"));
    assert_number(peak.acceleration(&fields).length(), number(&expected(&case, "max_decel")), 1e-12);
}

#[test]
fn a_mass_on_a_spring_swings_and_settles_as_computed() {
    let case = case("spring_mass");
    let of = |key: &str| number(&case["params"][key]);
    let ends = (Attachment::World(Vec3::ZERO), Attachment::Body(BodyHandle::new(0, 0, 0), Vec3::ZERO));
    let (spring, damper) = Spring::with_damper(ends.0, ends.1, of("k"), of("c"), 0.0).unwrap();
    let mut start = Single::of_mass(of("mass")).at(Vec3::X * number(&case["initial"]["x"]));
    start.state[0].velocity = Vec3::X * number(&case["initial"]["v"]);
    let stored = start.energy(&spring) + start.state[0].kinetic_energy(&start.inertia[0]);
    assert_number(stored, number(&case["invariants"]["energy"]), TO_ROUNDING);
    let (spring, damper): (Arc<dyn Field>, Arc<dyn Field>) = (Arc::new(spring), Arc::new(damper));
    for (key, fields) in [("undamped", vec![spring.clone()]), ("damped", vec![spring, damper])] {
        let mut body = Single { body: start.body.clone(), ..start };
        for _ in 0..10_000 {
            body.step(&fields, 1e-3);
        }
        let entry = &case["expected"][0][key];
        assert!((body.state[0].center_of_mass.x - number(&entry[0])).abs() < 1e-9);
        assert!((body.state[0].velocity.x - number(&entry[1])).abs() < 1e-9);
    }
}

#[test]
fn an_elastic_tether_carries_its_tension_at_its_steady_length() {
    let case = case("tethered_pair");
    let length = number(&expected(&case, "elastic_steady_length"));
    let tension = number(&expected(&case, "elastic_tension"));
    let of = |key: &str| number(&case["params"][key]);
    let ends = (Attachment::World(Vec3::ZERO), Attachment::Body(BodyHandle::new(0, 0, 0), Vec3::ZERO));
    let tether = Spring::new(ends.0, ends.1, of("k_elastic"), of("length")).unwrap();
    let pull = -Single::of_mass(1.0).at(Vec3::X * length).wrench(&tether, 0.0).force.x;
    // The extension is a 600th of the length, which costs three digits.
    assert_number(pull, tension, 1e-12);
}

#[test]
fn a_rocket_burns_and_pushes_as_its_engine_says() {
    let case = case("rocket");
    let of = |key: &str| number(&case["params"][key]);
    let handle = BodyHandle::new(0, 0, 0);
    let engine = Thruster::rocket(handle, Vec3::ZERO, Vec3::X, of("mdot"), of("exhaust_velocity")).unwrap();
    let body = Single::of_mass(of("m0"));
    assert_eq!(body.wrench(&engine, 0.0), Wrench::from_force(Vec3::X * 6000.0));
    let burnt = -engine.mass_flow(&body.bodies().view(0), 0.0) * 100.0;
    assert_number(of("m0") - burnt, number(&expected(&case, "mass")), TO_ROUNDING);
}
