//! Fields far from where they are usually asked: finite everywhere but exactly at their singularity.
#![expect(clippy::unwrap_used, reason = "the functions that make fields belong to the tests")]

use crate::common;

use common::diagonal;
use msd::math::{Vec3, orientation};
use msd::physics::forces::{
    Atmosphere, Attachment, Drag, Field, Geopotential, HarmonicCoefficients, MagneticDipole, MagneticSource,
    Plate, PointGravity, PrescribedMotion, RotatingFrame, Shadow, SolarPressure, Spring, ThirdBody,
    UniformGravity,
};
use msd::physics::rigid_body::{Bodies, BodyHandle, InertialState, RigidBody, Wrench};

/// Wrench, energy and power of a field on one body at a place.
fn asked(field: &dyn Field, place: Vec3, speed: f64) -> (Wrench, f64, f64) {
    let inertia = diagonal(2.0, [0.5, 0.8, 1.1]);
    let body = [RigidBody::new("probe", inertia)];
    let state = [InertialState {
        center_of_mass: place,
        orientation: orientation::from_rotation_vector(Vec3::new(0.4, -0.3, 0.7)),
        velocity: Vec3::new(0.6, 0.0, 0.8) * speed,
        angular_velocity: Vec3::ONE,
    }];
    let bodies = Bodies { bodies: &body, inertias: &[inertia], states: &state };
    let view = bodies.view(0);
    let energy = field.energy(&view, &bodies, 1.0).unwrap_or(0.0);
    (field.wrench(&view, &bodies, 1.0), energy, field.power(&view, &bodies, 1.0))
}

fn fields() -> Vec<Box<dyn Field>> {
    let attract = || PointGravity::new(4e14, Vec3::ZERO).unwrap();
    let lumpy =
        HarmonicCoefficients::new().with(2, 0, -1e-3, 0.0).and_then(|c| c.with(8, 7, 1e-9, 1e-9)).unwrap();
    let moon = PrescribedMotion::Linear { position: Vec3::new(3.8e8, 1e3, 0.0), velocity: Vec3::Y * 1e3 };
    let air = Atmosphere::Spherical { density: 1.2, scale_height: 7e3, center: Vec3::ZERO, radius: 6.4e6 };
    let sun = PrescribedMotion::Fixed(Vec3::new(1.5e11, 0.1, 0.0));
    let plate = Plate {
        center: Vec3::ZERO,
        normal: Vec3::Z,
        area: 3.0,
        specular: 0.4,
        diffuse: 0.2,
        is_two_sided: true,
    };
    let shadow = Shadow { center: Vec3::ZERO, radius: 6.4e6, sun_radius: Some(7e8) };
    let ends = (Attachment::World(Vec3::ZERO), Attachment::Body(BodyHandle::new(0, 0, 0), Vec3::ZERO));
    let dipole = MagneticSource::Dipole { center: Vec3::ZERO, moment: Vec3::Z * 8e22 };
    vec![
        Box::new(UniformGravity::default()),
        Box::new(attract().with_oblateness(6.4e6, 1e-3).unwrap().with_gravity_gradient()),
        Box::new(Geopotential::new(4e14, 6.4e6, Vec3::ZERO, lumpy).unwrap().rotating(0.1, 7e-5).unwrap()),
        Box::new(ThirdBody::new(5e12, Vec3::ZERO, moon.clone()).unwrap()),
        Box::new(ThirdBody::tidal(5e12, Vec3::ZERO, moon).unwrap()),
        Box::new(MagneticDipole::new(dipole).unwrap().with_moment(Vec3::X).unwrap()),
        Box::new(Drag::new(air).unwrap().with_drag_area(1.0).unwrap().corotating_with_planet(7e-5).unwrap()),
        Box::new(Spring::new(ends.0, ends.1, 10.0, 1.0).unwrap()),
        Box::new(SolarPressure::on_plate(sun, plate).unwrap().with_shadow(shadow).unwrap()),
    ]
}

#[test]
fn every_field_is_finite_from_a_micrometre_to_a_light_year() {
    let mut all = fields();
    all.push(Box::new(PointGravity::new(4e14, Vec3::ZERO).unwrap()));
    for field in all {
        for exponent in -6..=16 {
            let distance = 1e-6 * (-6..exponent).fold(1.0, |d: f64, _| d * 10.0);
            for direction in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z, Vec3::new(0.48, -0.6, 0.64)] {
                for speed in [0.0, 1e-9, 3e8] {
                    let (wrench, energy, power) = asked(field.as_ref(), direction * distance, speed);
                    let is_finite = wrench.is_finite() && energy.is_finite() && power.is_finite();
                    assert!(is_finite, "{} at {distance:e} m: {wrench:?}", field.type_name());
                }
            }
        }
    }
}

#[test]
fn at_the_singularity_of_an_attraction_the_force_is_not_finite() {
    for name in ["point-gravity", "geopotential", "magnetic-dipole"] {
        let field = fields().into_iter().find(|field| field.type_name() == name).unwrap();
        assert!(!asked(field.as_ref(), Vec3::ZERO, 1.0).0.is_finite(), "{name} hides its singularity");
    }
}

#[test]
fn where_nothing_is_singular_the_centre_is_a_place_like_any_other() {
    for name in ["uniform-gravity", "third-body", "tidal", "drag", "spring", "solar-pressure"] {
        let field = fields().into_iter().find(|field| field.type_name() == name).unwrap();
        assert!(asked(field.as_ref(), Vec3::ZERO, 0.0).0.is_finite(), "{name} fails at the origin");
    }
    for field in RotatingFrame::new(Vec3::ZERO, Vec3::Z).unwrap().fields() {
        assert!(asked(field.as_ref(), Vec3::ZERO, 0.0).0.is_finite());
    }
}

#[test]
fn every_parameter_is_in_the_description_a_model_hash_is_taken_from() {
    for field in fields() {
        let description = format!("{field:?}");
        assert!(description.len() > field.type_name().len() + 10, "{description}");
    }
    let [near, far] = [1.0, 1.0 + 1e-15].map(|rest| {
        let ends = (Attachment::World(Vec3::ZERO), Attachment::Body(BodyHandle::new(0, 0, 0), Vec3::ZERO));
        format!("{:?}", Spring::new(ends.0, ends.1, 10.0, rest).unwrap())
    });
    assert_ne!(near, far, "the last bit of a parameter shows");
}
