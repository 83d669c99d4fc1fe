//! A contact step cannot gain energy: scenes with rolling, rims, tips, edges, wedges and grazing impacts at three step lengths.
//!
//! Nothing puts energy into these scenes but gravity, whose potential is counted: kinetic and potential energy together must not rise
//! in any step, corrections of positions included.
#![allow(clippy::unwrap_used)]

use msd::environment::{BodyDescription, ContactScheme, ContactSettings, World};
use msd::math::{Quat, ReferenceFrame, Vec3, orientation};
use msd::physics::rigid_body::shape::{
    Capsule, Compound, CompoundPart, Cuboid, Cylinder, HalfSpace, Shape, Sphere,
};
use msd::physics::rigid_body::{BodyHandle, Material};

const G: f64 = 9.81;
const DEGREE: f64 = std::f64::consts::PI / 180.0;

fn settings(scheme: ContactScheme) -> ContactSettings {
    ContactSettings { scheme, ..ContactSettings::default() }
}

fn surface(friction: f64) -> Material {
    Material { friction, ..Material::default() }
}

/// A plane through the origin with this normal.
fn on_plane(scheme: ContactScheme, friction: f64, normal: Vec3) -> World {
    let mut world = World::new();
    world.set_contact_settings(settings(scheme)).unwrap();
    world.set_gravity(Vec3::Z * -G).unwrap();
    let plane = HalfSpace::new(normal, 0.0).unwrap();
    world.add_body(BodyDescription::fixed("floor", plane.into()).material(surface(friction))).unwrap();
    world
}

fn add(world: &mut World, body: BodyDescription, friction: f64) -> BodyHandle {
    world.add_body(body.material(surface(friction))).unwrap()
}

fn top(scheme: ContactScheme) -> World {
    let mut world = on_plane(scheme, 0.3, Vec3::Z);
    let part = |shape: Shape, z: f64| CompoundPart {
        frame: ReferenceFrame { position: Vec3::Z * z, orientation: Quat::IDENTITY },
        shape,
    };
    let disk: Shape = Cylinder::new(0.04, 0.01).unwrap().into();
    let tip: Shape = Sphere::new(0.003).unwrap().into();
    let shape = Compound::new(vec![part(disk, 0.03), part(tip, 0.0)]).unwrap();
    let axis = orientation::from_rotation_vector(Vec3::Y * (5.0 * DEGREE));
    let body = BodyDescription::dynamic("top", shape.into())
        .mass(0.1)
        .inertia(msd::math::Mat3::from_diagonal(Vec3::new(4.5e-5, 4.5e-5, 8e-5)))
        .center_of_mass(Vec3::Z * 0.03)
        .position(Vec3::Z * 0.003)
        .orientation(axis)
        .angular_velocity(axis * Vec3::Z * 200.0);
    add(&mut world, body, 0.3);
    world
}

fn ball(scheme: ContactScheme, tilt: f64, friction: f64, velocity: Vec3, spin: Vec3) -> World {
    let turn = orientation::from_rotation_vector(Vec3::Y * tilt);
    let mut world = on_plane(scheme, friction, turn * Vec3::Z);
    let body = BodyDescription::dynamic("ball", Sphere::new(0.1).unwrap().into()).mass(1.0);
    let body = body.position(turn * Vec3::Z * 0.1).velocity(velocity).angular_velocity(spin);
    add(&mut world, body, friction);
    world
}

fn bump(scheme: ContactScheme) -> World {
    let mut world = World::new();
    world.set_contact_settings(settings(scheme)).unwrap();
    world.set_gravity(Vec3::Z * -G).unwrap();
    let hill = BodyDescription::fixed("hill", Sphere::new(0.5).unwrap().into());
    add(&mut world, hill, 0.5);
    let start = Vec3::new(0.05, 0.0, (0.6f64 * 0.6 - 0.05 * 0.05).sqrt());
    let normal = start / 0.6;
    let along = Vec3::new(normal.z, 0.0, -normal.x);
    let body = BodyDescription::dynamic("ball", Sphere::new(0.1).unwrap().into()).mass(1.0);
    let body = body.position(start).velocity(along * 0.8).angular_velocity(normal.cross(along) * 8.0);
    add(&mut world, body, 0.5);
    world
}

fn disk(scheme: ContactScheme) -> World {
    let mut world = on_plane(scheme, 0.5, Vec3::Z);
    let (radius, length, lean) = (0.1, 0.02, 20.0 * DEGREE);
    // Its axis leans from the horizontal: the rim below touches.
    let turn = orientation::from_rotation_vector(Vec3::Y * (90.0 * DEGREE - lean));
    let body = BodyDescription::dynamic("disk", Cylinder::new(radius, length).unwrap().into()).mass(1.0);
    // Rolls along y, and turns about the vertical.
    let spin = turn * Vec3::Z * -8.0 + Vec3::Z * 2.5;
    let corners = [0.5, -0.5].map(|side| turn * Vec3::new(radius, 0.0, side * length));
    let low = if corners[0].z < corners[1].z { corners[0] } else { corners[1] };
    let body =
        body.position(Vec3::Z * -low.z).orientation(turn).angular_velocity(spin).velocity(-spin.cross(low));
    add(&mut world, body, 0.5);
    world
}

fn rocking(scheme: ContactScheme) -> World {
    let mut world = on_plane(scheme, 0.8, Vec3::Z);
    let (radius, length, lean) = (0.2, 0.6, 12.0 * DEGREE);
    let turn = orientation::from_rotation_vector(Vec3::Y * lean);
    let low = turn * Vec3::new(radius, 0.0, -0.5 * length);
    let body = BodyDescription::dynamic("can", Cylinder::new(radius, length).unwrap().into()).mass(4.0);
    let spin = Vec3::Z * 1.5;
    let body =
        body.position(Vec3::Z * -low.z).orientation(turn).angular_velocity(spin).velocity(-spin.cross(low));
    add(&mut world, body, 0.8);
    world
}

fn tumbling(scheme: ContactScheme) -> World {
    let mut world = on_plane(scheme, 0.5, Vec3::Z);
    let body = BodyDescription::dynamic("box", Cuboid::new(Vec3::new(0.3, 0.2, 0.1)).unwrap().into()).mass(2.0);
    let turn = orientation::from_rotation_vector(Vec3::new(0.4, 0.5, 0.3));
    let body = body.position(Vec3::Z * 0.4).orientation(turn).velocity(Vec3::new(1.0, 0.3, 0.0));
    add(&mut world, body.angular_velocity(Vec3::new(3.0, -4.0, 5.0)), 0.5);
    world
}

fn slot(scheme: ContactScheme) -> World {
    let mut world = on_plane(scheme, 0.4, Vec3::Z);
    for (name, x) in [("left", -0.4), ("right", 0.4)] {
        let wall = BodyDescription::fixed(name, Cuboid::new(Vec3::new(0.2, 4.0, 2.0)).unwrap().into());
        add(&mut world, wall.position(Vec3::new(x, 0.0, 1.0)), 0.4);
    }
    for k in 0..3 {
        let lying = orientation::from_rotation_vector(Vec3::X * (90.0 * DEGREE - 0.02 * k as f64))
            * orientation::from_rotation_vector(Vec3::Y * 0.03 * (k as f64 - 1.0));
        let body = BodyDescription::dynamic(&format!("{k}"), Capsule::new(0.1, 0.5).unwrap().into());
        let place = Vec3::new(0.05 * (k as f64 - 1.0), 0.04 * k as f64, 0.3 + 0.35 * k as f64);
        add(&mut world, body.mass(2.0).position(place).orientation(lying), 0.4);
    }
    world
}

fn wedge(scheme: ContactScheme, ratio: f64, friction: f64) -> World {
    let turn = orientation::from_rotation_vector(Vec3::Y * (30.0 * DEGREE));
    let mut world = on_plane(scheme, friction, Vec3::Z);
    let body = BodyDescription::dynamic("ball", Sphere::new(0.1).unwrap().into()).mass(1.0);
    add(&mut world, body.position(Vec3::Z * 0.1), friction);
    let slab = BodyDescription::dynamic("slab", Cuboid::new(Vec3::new(1.0, 1.0, 0.2)).unwrap().into());
    let above = Vec3::new(0.03, 0.0, 0.1 + 0.1 + 0.1 / (30.0 * DEGREE).cos() + 0.05);
    add(&mut world, slab.mass(ratio).position(above).orientation(turn), friction);
    world
}

fn spinning_block(scheme: ContactScheme) -> World {
    let mut world = on_plane(scheme, 0.3, Vec3::Z);
    let body = BodyDescription::dynamic("block", Cuboid::new(Vec3::new(0.4, 0.3, 0.2)).unwrap().into()).mass(2.0);
    let body = body.position(Vec3::Z * 0.1).velocity(Vec3::X * 3.0).angular_velocity(Vec3::Z * 4.0);
    add(&mut world, body, 0.3);
    world
}

type Scene = (&'static str, fn(ContactScheme) -> World, f64);

fn scenes() -> Vec<Scene> {
    vec![
        ("top on a rounded tip", top as fn(ContactScheme) -> World, 5.0),
        ("ball over a ball", bump, 0.8),
        ("disk on its rim", disk, 2.0),
        ("can rocking on its edge", rocking, 1.5),
        ("box that tumbles", tumbling, 2.0),
        ("three capsules in a slot", slot, 1.2),
        ("wedge, 1:10", |s| wedge(s, 10.0, 0.5), 0.6),
        ("wedge, 1:1e3", |s| wedge(s, 1e3, 0.5), 0.6),
        ("wedge, 1:1e5", |s| wedge(s, 1e5, 0.5), 0.6),
        ("wedge, 1:1e5, no friction", |s| wedge(s, 1e5, 0.0), 0.6),
        ("block slides with spin", spinning_block, 1.0),
        ("ball rolls down 20°", |s| ball(s, 20.0 * DEGREE, 0.5, Vec3::ZERO, Vec3::ZERO), 1.0),
        ("ball slides, then rolls", |s| ball(s, 0.0, 0.2, Vec3::X * 2.0, Vec3::ZERO), 1.0),
        ("ball slides with spin", |s| ball(s, 0.0, 0.2, Vec3::X * 2.0, Vec3::new(-8.0, -9.0, 6.0)), 1.0),
    ]
}

#[derive(Debug, Default)]
struct Figures {
    change: f64,
    rise: f64,
    overlap: f64,
    correction: f64,
    unexplained: f64,
    uncertified: usize,
    worst: f64,
    reason: String,
}

fn run(mut world: World, dt: f64, duration: f64) -> Figures {
    let mut figures = Figures::default();
    let mut last: Option<f64> = None;
    let mut first = 0.0;
    for _ in 0..(duration / dt).round() as usize {
        let report = world.step(dt).unwrap();
        let energy = report.energy.kinetic + report.energy.potential;
        match last {
            Some(last) => figures.rise = figures.rise.max(energy - last),
            None => first = energy,
        }
        last = Some(energy);
        figures.change = energy - first;
        figures.overlap = figures.overlap.max(report.contacts.max_penetration);
        figures.correction += report.energy.correction.abs();
        figures.unexplained = figures.unexplained.max(report.energy.unexplained.abs());
        figures.uncertified += usize::from(!report.certificate.is_certified());
        if let (Some(failure), true) = (report.certificate.failure(), figures.reason.is_empty()) {
            figures.reason = format!("{:?} {:.1e} > {:.1e} at {:.4}", failure.fault, failure.figure, failure.limit, report.time);
        }
        figures.worst = figures.worst.max(report.contacts.residual);
    }
    figures
}

#[test]
fn print_all() {
    let only = std::env::var("SCENE").unwrap_or_default();
    for (name, make, duration) in scenes() {
        if !name.contains(&only) {
            continue;
        }
        for scheme in [ContactScheme::MoreauJean, ContactScheme::Midpoint] {
            for dt in [1.0 / 60.0, 1.0 / 240.0, 1e-3] {
                let began = std::time::Instant::now();
                let f = run(make(scheme), dt, duration);
                println!(
                    "{name:28} {scheme:?} {dt:.5}: dE {:+.2e} rise {:.1e} pen {:.1e} corr {:.1e} unexpl {:.1e} uncert {} res {:.1e} {:.2}s {}",
                    f.change, f.rise, f.overlap, f.correction, f.unexplained, f.uncertified, f.worst, began.elapsed().as_secs_f64(), f.reason
                );
            }
        }
    }
}
