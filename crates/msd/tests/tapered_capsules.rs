//! Tapered capsules in motion: resting on a plane on both ends, rolling in a circle about the apex of their cone, swinging like
//! the pendulum that they are, and poured.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test that cannot build its scene has failed"
)]

use msd::math::{Quat, Vec3, orientation, scalar};
use msd::prelude::*;

const G: f64 = 9.81;

fn ground() -> World {
    let mut world = World::new();
    let material = Material { friction: 0.8, restitution: 0.0, ..Material::default() };
    let floor = BodyDescription::fixed("floor", HalfSpace::new(Vec3::Z, 0.0).unwrap()).material(material);
    world.add_body(floor).unwrap();
    world
}

fn rough() -> Material {
    Material { friction: 0.8, restitution: 0.0, ..Material::default() }
}

/// Axis in the plane of x and z, lying on its straight side: the pose whose lowest points of both balls are at z = 0, with the
/// bottom ball towards -x.
fn lying(bottom: f64, top: f64, length: f64) -> (Vec3, Quat) {
    let sink = scalar::asin((top - bottom) / length);
    // z of the shape to (cos, 0, sin): a turn about y.
    let turn = Quat::from_rotation_y(std::f64::consts::FRAC_PI_2 - sink);
    (Vec3::Z * (0.5 * (bottom + top)), turn)
}

/// The weight is carried by both ends as statics has it: moments about the line of contact across.
#[test]
fn at_rest_its_ends_share_the_weight_by_the_lever() {
    let (bottom, top, length) = (0.3, 0.15, 0.6);
    let shape = TaperedCapsule::new(bottom, top, length).unwrap();
    let (place, turn) = lying(bottom, top, length);
    let mut world = ground();
    let pear =
        BodyDescription::dynamic("pear", shape).mass(2.0).position(place).orientation(turn).material(rough());
    let pear = world.add_body(pear).unwrap();
    for _ in 0..200 {
        assert!(world.step(2e-3).unwrap().certificate.is_certified());
    }
    let state = world.body(pear).unwrap().state;
    assert!(state.velocity.length() < 1e-9 && state.angular_velocity.length() < 1e-9);
    let mut contacts: Vec<_> = world.contacts().map(|c| (c.position.x, c.force().z.abs())).collect();
    contacts.sort_by(|p, q| p.0.total_cmp(&q.0));
    let [(x0, f0), (x1, f1)] = contacts[..] else { panic!("{contacts:?}") };
    // The touching points are as far apart as the straight side is long.
    let side = (length * length - (bottom - top) * (bottom - top)).sqrt();
    assert!((x1 - x0 - side).abs() < 1e-9, "{} {side}", x1 - x0);
    let share = (state.center_of_mass.x - x0) / (x1 - x0);
    assert!((f0 - 2.0 * G * (1.0 - share)).abs() < 1e-7, "{f0}");
    assert!((f1 - 2.0 * G * share).abs() < 1e-7, "{f1}");
}

/// Pushed, it rolls without slipping in a circle about the point where its side and the floor meet its axis: at a speed v of a
/// point of the axis at the distance d (along the floor) from there it comes round in 2πd/v, and its energy stays.
#[test]
fn it_rolls_in_a_circle_about_the_apex_of_its_cone() {
    let (bottom, top, length) = (0.3, 0.15, 0.6);
    let shape = TaperedCapsule::new(bottom, top, length).unwrap();
    let (place, turn) = lying(bottom, top, length);
    let sine = (bottom - top) / length;
    let cosine = (1.0 - sine * sine).sqrt();
    // The apex is on the axis, at z = 0: from the middle along the axis by its height over the sine.
    let axis = turn * Vec3::Z;
    let apex = place + axis * (place.z / sine);
    assert!(apex.z.abs() < 1e-15);
    // Turning about the vertical through the apex at the rate p, and rolling: ω is along the line of contact (towards +x).
    let precession = 0.8;
    let spin = Vec3::X * (-precession * cosine / sine);
    let velocity_of = |point: Vec3| spin.cross(point - apex);
    let mut world = ground();
    let pear = BodyDescription::dynamic("pear", shape)
        .mass(2.0)
        .position(place)
        .orientation(turn)
        .velocity(velocity_of(place + turn * shape.centroid().unwrap()))
        .angular_velocity(spin)
        .material(rough());
    let pear = world.add_body(pear).unwrap();
    let start = world.energy().total();
    let speed = velocity_of(place).length();
    let distance = (apex - place).with_z(0.0).length();
    let rate = speed / distance;
    let steps = 500;
    let dt = 0.25 * 2.0 * std::f64::consts::PI / rate / f64::from(steps);
    for _ in 0..steps {
        let report = world.step(dt).unwrap();
        assert!(report.certificate.is_certified(), "{:?}", report.certificate.failure());
    }
    // A quarter of the circle.
    let seen = world.frame(pear).unwrap().position - apex;
    let quarter = orientation::from_rotation_vector(Vec3::Z * (std::f64::consts::FRAC_PI_2));
    let from = place - apex;
    let miss = (seen - quarter * from).length().min((seen - quarter.conjugate() * from).length());
    assert!(miss < 2e-4, "{miss} m off the circle, {seen} {from}");
    assert!((world.energy().total() / start - 1.0).abs() < 1e-6, "{} {start}", world.energy().total());
}

/// Poured on a slab and on each other.
#[test]
fn poured_they_gain_no_energy_and_do_not_overlap() {
    let mut world = World::new();
    let slab = Cuboid::new(Vec3::new(4.0, 4.0, 0.2)).unwrap();
    let material = Material { friction: 0.4, restitution: 0.0, ..Material::default() };
    world.add_body(BodyDescription::fixed("slab", slab).position(Vec3::Z * -0.1).material(material)).unwrap();
    let mut bodies: Vec<BodyHandle> = Vec::new();
    for k in 0..12 {
        let t = f64::from(k);
        let (bottom, top) = (0.05 + 0.01 * (t % 4.0), 0.03 + 0.015 * (t % 5.0));
        let shape = TaperedCapsule::new(bottom, top, 0.1 + 0.01 * (t % 3.0)).unwrap();
        let place = Vec3::new(0.05 * scalar::sin(2.4 * t), 0.05 * scalar::cos(2.4 * t), 0.2 + 0.25 * t);
        let turn = orientation::from_rotation_vector(Vec3::new(0.3 * t, -0.2 * t, 0.5));
        let body = BodyDescription::dynamic(&format!("pear {k}"), shape).density(2500.0);
        let body = body.position(place).orientation(turn).material(material);
        bodies.push(world.add_body(body).unwrap());
    }
    let size = world.energy().total().abs();
    let (mut uncertified, mut worst) = (0, 0.0);
    for _ in 0..480 {
        let report = world.step(1.0 / 240.0).unwrap();
        uncertified += usize::from(!report.certificate.is_certified());
        worst = scalar::max(worst, report.certificate.overlap.value);
    }
    assert!(uncertified <= 2, "{uncertified} steps");
    assert!(worst < 1e-6, "overlap of {worst} m");
    assert!(world.energy().max_gain <= 1e-9 * size, "{} of {size}", world.energy().max_gain);
    assert!(bodies.iter().all(|body| world.frame(*body).unwrap().position.z > 0.0));
}
