//! The energy ledger closes for every field: the gain of total energy equals the work that the field reports.

use crate::common;

use std::sync::Arc;

use common::{Lab, diagonal};
use msd::math::{Vec3, orientation};
use msd::physics::forces::{
    Atmosphere, Attachment, Drag, Field, FieldClass, Geopotential, GravityGradient, HarmonicCoefficients,
    MagneticDipole, MagneticSource, PointGravity, PrescribedMotion, RotatingFrame, SolarPressure, Spring,
    ThirdBody, Thruster, UniformGravity,
};
use msd::physics::rigid_body::{BodyHandle, InertialState};

/// A triaxial body three metres from the origin, turned, moving and spinning.
fn laboratory(fields: Vec<Arc<dyn Field>>) -> Lab {
    let state = InertialState {
        center_of_mass: Vec3::new(2.0, -1.0, 2.0),
        orientation: orientation::from_rotation_vector(Vec3::new(0.4, -0.3, 0.7)),
        velocity: Vec3::new(1.0, 2.0, 0.5),
        angular_velocity: Vec3::new(0.8, -1.1, 0.6),
    };
    let mut lab = Lab::new("rk4").body(diagonal(2.0, [0.5, 0.8, 1.1]), state);
    lab.fields = fields;
    lab
}

/// Energy gained in two seconds less the ledger entries, J; also work in and dissipation.
fn unexplained(fields: Vec<Arc<dyn Field>>, steps: usize) -> (f64, f64, f64) {
    let mut lab = laboratory(fields);
    let before = lab.energy();
    lab.run(2.0, steps);
    let gained = lab.energy() - before;
    (gained - lab.work.work_in + lab.work.dissipated, lab.work.work_in, lab.work.dissipated)
}

/// RK4 at 1 ms: its own error is below 1e-10 J for the energies here (some tens of joules), and falls by 16 and more
/// when the step is halved, down to rounding.
fn assert_closes(name: &str, fields: Vec<Arc<dyn Field>>) -> (f64, f64) {
    let (error, work_in, dissipated) = unexplained(fields, 2000);
    assert!(error.abs() < 1e-10, "{name}: {error:e} J are not explained");
    (work_in, dissipated)
}

fn body() -> BodyHandle {
    BodyHandle::new(0, 0, 0)
}

fn one(field: impl Field + 'static) -> Vec<Arc<dyn Field>> {
    vec![Arc::new(field)]
}

#[test]
fn energy_is_kept_by_every_conservative_field() {
    let dipole = MagneticSource::Dipole { center: Vec3::ZERO, moment: Vec3::Z * 3e7 };
    let ends = (Attachment::World(Vec3::Y), Attachment::Body(body(), Vec3::new(0.3, 0.1, -0.2)));
    let fixed = PrescribedMotion::Fixed(Vec3::X * 30.0);
    let cases: Vec<(&str, Vec<Arc<dyn Field>>)> = vec![
        ("uniform gravity", one(UniformGravity::default())),
        ("point gravity", one(PointGravity::new(20.0, Vec3::ZERO).unwrap().with_gravity_gradient())),
        ("oblateness", one(PointGravity::new(20.0, Vec3::ZERO).unwrap().with_oblateness(1.0, 0.05).unwrap())),
        ("gravity gradient", one(GravityGradient::new(20.0, Vec3::ZERO).unwrap())),
        ("magnetic dipole", one(MagneticDipole::new(dipole).unwrap().with_moment(Vec3::X * 2.0).unwrap())),
        ("spring", one(Spring::new(ends.0, ends.1, 10.0, 1.0).unwrap())),
        ("third body", one(ThirdBody::new(5e3, Vec3::ZERO, fixed).unwrap())),
        ("rotating frame", RotatingFrame::new(Vec3::X, Vec3::new(0.2, 0.3, 0.5)).unwrap().fields()),
    ];
    for (name, fields) in cases {
        assert_eq!(assert_closes(name, fields), (0.0, 0.0), "{name} books no work");
    }
}

#[test]
fn moving_potentials_put_in_what_they_book() {
    let lumpy =
        HarmonicCoefficients::new().with(2, 2, 0.05, 0.03).and_then(|c| c.with(3, 1, 0.02, -0.04)).unwrap();
    let planet = Geopotential::new(20.0, 1.0, Vec3::ZERO, lumpy).unwrap().rotating(0.3, 0.9).unwrap();
    let orbit = PrescribedMotion::Circular {
        center: Vec3::ZERO,
        arm: Vec3::X * 30.0,
        angular_velocity: Vec3::new(0.0, 0.1, 0.8),
    };
    let frame = RotatingFrame::new(Vec3::X, Vec3::new(0.2, 0.3, 0.5)).unwrap();
    let frame = frame.with_angular_acceleration(Vec3::new(0.1, -0.2, 0.3)).unwrap();
    let cases: Vec<(&str, Vec<Arc<dyn Field>>)> = vec![
        ("rotating planet", one(planet)),
        ("moving third body", one(ThirdBody::new(5e3, Vec3::ZERO, orbit.clone()).unwrap())),
        ("moving tide", one(ThirdBody::tidal(5e3, Vec3::ZERO, orbit).unwrap())),
        ("frame rotating faster", frame.fields()),
    ];
    for (name, fields) in cases {
        assert_eq!(fields[0].class(), FieldClass::TimeDependent);
        let (work_in, dissipated) = assert_closes(name, fields);
        assert!(work_in.abs() > 1e-3 && dissipated == 0.0, "{name} put in {work_in} J");
    }
}

#[test]
fn forces_without_a_potential_book_their_work() {
    let air = Atmosphere::Flat { density: 1.2, scale_height: 5.0 };
    let drag = Drag::new(air).unwrap().with_drag_area(0.4).unwrap();
    let windy = drag.clone().with_wind(Vec3::new(4.0, 0.0, 1.0)).unwrap();
    let thruster = Thruster::new(body(), Vec3::new(0.2, 0.0, 0.1), Vec3::Y, 3.0).unwrap();
    // Close enough to the Sun that light is felt within two seconds: a tenth of a newton.
    let sun = PrescribedMotion::Fixed(Vec3::new(2e9, 1e9, 0.0));
    let light = SolarPressure::on_cannonball(sun, 10.0, 1.3).unwrap();
    let cases: Vec<(&str, Vec<Arc<dyn Field>>)> =
        vec![("wind", one(windy)), ("thruster", one(thruster)), ("sunlight", one(light))];
    for (name, fields) in cases {
        let (work_in, dissipated) = assert_closes(name, fields);
        assert!(work_in.abs() > 1e-3 && dissipated == 0.0, "{name} put in {work_in} J");
    }
    let (work_in, dissipated) = assert_closes("drag", one(drag));
    assert!(work_in == 0.0 && dissipated > 1e-1);
    let ends = (Attachment::World(Vec3::Y), Attachment::Body(body(), Vec3::new(0.3, 0.1, -0.2)));
    let (spring, damper) = Spring::with_damper(ends.0, ends.1, 10.0, 0.8, 1.0).unwrap();
    let (work_in, dissipated) = assert_closes("damper", vec![Arc::new(spring), Arc::new(damper)]);
    assert!(work_in == 0.0 && dissipated > 1e-1);
}

#[test]
fn a_rocket_in_a_gravity_field_explains_its_energy_to_the_last_of_its_propellant() {
    let rocket = Thruster::rocket(body(), Vec3::new(0.0, 0.1, 0.0), Vec3::Z, 0.5, 20.0).unwrap();
    let fields: Vec<Arc<dyn Field>> =
        vec![Arc::new(rocket), Arc::new(PointGravity::new(20.0, Vec3::ZERO).unwrap())];
    let (work_in, _) = assert_closes("rocket", fields);
    assert!(work_in.abs() > 1e-1);
}
