//! A contact step cannot gain energy: scenes with rolling, rims, tips, edges, wedges and grazing impacts at three step lengths.
//!
//! Nothing puts energy into these scenes but gravity, whose potential is counted: kinetic and potential energy together must not rise
//! in any step, corrections of positions included, and bodies do not overlap after it.
use msd::environment::{BodyDescription, ContactScheme, ContactSettings, World};
use msd::math::{Quat, ReferenceFrame, Vec3, orientation};
use msd::physics::rigid_body::shape::{
    Capsule, Compound, CompoundPart, Cuboid, Cylinder, HalfSpace, Shape, Sphere,
};
use msd::physics::rigid_body::{BodyHandle, Material};

const G: f64 = 9.81;
const DEGREE: f64 = std::f64::consts::PI / 180.0;

fn surface(friction: f64) -> Material {
    Material { friction, ..Material::default() }
}

/// A world whose contact is that of the midpoint scheme.
fn empty() -> World {
    let mut world = World::new();
    let settings = ContactSettings { scheme: ContactScheme::Midpoint, ..ContactSettings::default() };
    world.set_contact_settings(settings).unwrap();
    world.set_gravity(Vec3::Z * -G).unwrap();
    world
}

/// A plane through the origin with this normal.
fn on_plane(friction: f64, normal: Vec3) -> World {
    let mut world = empty();
    let plane = HalfSpace::new(normal, 0.0).unwrap();
    world.add_body(BodyDescription::fixed("floor", plane).material(surface(friction))).unwrap();
    world
}

fn add(world: &mut World, body: BodyDescription, friction: f64) -> BodyHandle {
    world.add_body(body.material(surface(friction))).unwrap()
}

fn top() -> World {
    let mut world = on_plane(0.3, Vec3::Z);
    let part = |shape: Shape, z: f64| CompoundPart {
        frame: ReferenceFrame { position: Vec3::Z * z, orientation: Quat::IDENTITY },
        shape,
    };
    let disk: Shape = Cylinder::new(0.04, 0.01).unwrap().into();
    let tip: Shape = Sphere::new(0.003).unwrap().into();
    let shape = Compound::new(vec![part(disk, 0.03), part(tip, 0.0)]).unwrap();
    let axis = orientation::from_rotation_vector(Vec3::Y * (5.0 * DEGREE));
    let body = BodyDescription::dynamic("top", shape)
        .mass(0.1)
        .inertia(msd::math::Mat3::from_diagonal(Vec3::new(4.5e-5, 4.5e-5, 8e-5)))
        .center_of_mass(Vec3::Z * 0.03)
        .position(Vec3::Z * 0.003)
        .orientation(axis)
        .angular_velocity(axis * Vec3::Z * 200.0);
    add(&mut world, body, 0.3);
    world
}

fn ball(tilt: f64, friction: f64, velocity: Vec3, spin: Vec3) -> World {
    let turn = orientation::from_rotation_vector(Vec3::Y * tilt);
    let mut world = on_plane(friction, turn * Vec3::Z);
    let body = BodyDescription::dynamic("ball", Sphere::new(0.1).unwrap()).mass(1.0);
    let body = body.position(turn * Vec3::Z * 0.1).velocity(velocity).angular_velocity(spin);
    add(&mut world, body, friction);
    world
}

fn bump() -> World {
    let mut world = empty();
    let hill = BodyDescription::fixed("hill", Sphere::new(0.5).unwrap());
    add(&mut world, hill, 0.5);
    let start = Vec3::new(0.05, 0.0, (0.6f64 * 0.6 - 0.05 * 0.05).sqrt());
    let normal = start / 0.6;
    let along = Vec3::new(normal.z, 0.0, -normal.x);
    let body = BodyDescription::dynamic("ball", Sphere::new(0.1).unwrap()).mass(1.0);
    let body = body.position(start).velocity(along * 0.8).angular_velocity(normal.cross(along) * 8.0);
    add(&mut world, body, 0.5);
    world
}

fn disk() -> World {
    let mut world = on_plane(0.5, Vec3::Z);
    let (radius, length, lean) = (0.1, 0.02, 20.0 * DEGREE);
    // Its axis leans from the horizontal: the rim below touches.
    let turn = orientation::from_rotation_vector(Vec3::Y * (90.0 * DEGREE - lean));
    let body = BodyDescription::dynamic("disk", Cylinder::new(radius, length).unwrap()).mass(1.0);
    // Rolls along y, and turns about the vertical.
    let spin = turn * Vec3::Z * -8.0 + Vec3::Z * 2.5;
    let corners = [0.5, -0.5].map(|side| turn * Vec3::new(radius, 0.0, side * length));
    let low = if corners[0].z < corners[1].z { corners[0] } else { corners[1] };
    let body =
        body.position(Vec3::Z * -low.z).orientation(turn).angular_velocity(spin).velocity(-spin.cross(low));
    add(&mut world, body, 0.5);
    world
}

fn rocking() -> World {
    let mut world = on_plane(0.8, Vec3::Z);
    let (radius, length, lean) = (0.2, 0.6, 12.0 * DEGREE);
    let turn = orientation::from_rotation_vector(Vec3::Y * lean);
    let low = turn * Vec3::new(radius, 0.0, -0.5 * length);
    let body = BodyDescription::dynamic("can", Cylinder::new(radius, length).unwrap()).mass(4.0);
    let spin = Vec3::Z * 1.5;
    let body =
        body.position(Vec3::Z * -low.z).orientation(turn).angular_velocity(spin).velocity(-spin.cross(low));
    add(&mut world, body, 0.8);
    world
}

fn tumbling() -> World {
    let mut world = on_plane(0.5, Vec3::Z);
    let body = BodyDescription::dynamic("box", Cuboid::new(Vec3::new(0.3, 0.2, 0.1)).unwrap()).mass(2.0);
    let turn = orientation::from_rotation_vector(Vec3::new(0.4, 0.5, 0.3));
    let body = body.position(Vec3::Z * 0.4).orientation(turn).velocity(Vec3::new(1.0, 0.3, 0.0));
    add(&mut world, body.angular_velocity(Vec3::new(3.0, -4.0, 5.0)), 0.5);
    world
}

fn slot() -> World {
    let mut world = on_plane(0.4, Vec3::Z);
    for (name, x) in [("left", -0.4), ("right", 0.4)] {
        let wall = BodyDescription::fixed(name, Cuboid::new(Vec3::new(0.2, 4.0, 2.0)).unwrap());
        add(&mut world, wall.position(Vec3::new(x, 0.0, 1.0)), 0.4);
    }
    for k in 0..3 {
        let lying = orientation::from_rotation_vector(Vec3::X * (90.0 * DEGREE - 0.02 * k as f64))
            * orientation::from_rotation_vector(Vec3::Y * 0.03 * (k as f64 - 1.0));
        let body = BodyDescription::dynamic(&format!("{k}"), Capsule::new(0.1, 0.5).unwrap());
        let place = Vec3::new(0.05 * (k as f64 - 1.0), 0.04 * k as f64, 0.3 + 0.35 * k as f64);
        add(&mut world, body.mass(2.0).position(place).orientation(lying), 0.4);
    }
    world
}

fn wedge(ratio: f64, friction: f64) -> World {
    let turn = orientation::from_rotation_vector(Vec3::Y * (30.0 * DEGREE));
    let mut world = on_plane(friction, Vec3::Z);
    let body = BodyDescription::dynamic("ball", Sphere::new(0.1).unwrap()).mass(1.0);
    add(&mut world, body.position(Vec3::Z * 0.1), friction);
    let slab = BodyDescription::dynamic("slab", Cuboid::new(Vec3::new(1.0, 1.0, 0.2)).unwrap());
    let above = Vec3::new(0.03, 0.0, 0.1 + 0.1 + 0.1 / (30.0 * DEGREE).cos() + 0.05);
    add(&mut world, slab.mass(ratio).position(above).orientation(turn), friction);
    world
}

fn spinning_block() -> World {
    let mut world = on_plane(0.3, Vec3::Z);
    let body = BodyDescription::dynamic("block", Cuboid::new(Vec3::new(0.4, 0.3, 0.2)).unwrap()).mass(2.0);
    let body = body.position(Vec3::Z * 0.1).velocity(Vec3::X * 3.0).angular_velocity(Vec3::Z * 4.0);
    add(&mut world, body, 0.3);
    world
}

struct Scene {
    name: &'static str,
    world: World,
    seconds: f64,
}

fn scenes() -> Vec<Scene> {
    let scene = |name, world, seconds| Scene { name, world, seconds };
    let still = Vec3::ZERO;
    vec![
        scene("top on a rounded tip", top(), 2.0),
        scene("ball over a ball", bump(), 0.8),
        scene("disk on its rim", disk(), 1.0),
        scene("can rocking on its edge", rocking(), 1.0),
        scene("box that tumbles", tumbling(), 1.0),
        scene("three capsules in a slot", slot(), 0.6),
        scene("wedge, 1:10", wedge(10.0, 0.5), 0.4),
        scene("wedge, 1:1e3", wedge(1e3, 0.5), 0.4),
        scene("wedge, 1:1e5", wedge(1e5, 0.5), 0.4),
        scene("wedge, 1:1e5, no friction", wedge(1e5, 0.0), 0.4),
        scene("block slides with spin", spinning_block(), 1.0),
        scene("ball rolls down 20°", ball(20.0 * DEGREE, 0.5, still, still), 0.5),
        scene("ball slides, then rolls", ball(0.0, 0.2, Vec3::X * 2.0, still), 0.7),
        scene("ball slides with spin", ball(0.0, 0.2, Vec3::X * 2.0, Vec3::new(-8.0, -9.0, 6.0)), 0.7),
    ]
}

/// Energy that contact and corrections add in the worst step, relative to that of the scene; overlap, m; what was corrected, J.
fn run(scene: &Scene, dt: f64) -> (f64, f64, f64) {
    let mut world = scene.world.clone();
    let (mut rise, mut overlap, mut correction) = (f64::NEG_INFINITY, 0.0f64, 0.0f64);
    let (mut last, mut scale) = (None, 0.0f64);
    for _ in 0..(scene.seconds / dt).round() as usize {
        let report = world.step(dt).unwrap();
        let energy = report.energy.kinetic + report.energy.potential;
        scale = scale.max(report.energy.kinetic).max(report.energy.potential.abs());
        if let Some(last) = last {
            // The error of free flight is no energy of contact.
            rise = rise.max(energy - last - report.energy.unexplained);
        }
        last = Some(energy);
        overlap = overlap.max(report.contacts.max_penetration);
        correction += report.energy.correction.abs();
    }
    (rise / scale, overlap, correction)
}

#[test]
fn no_step_gains_energy_or_leaves_overlap() {
    for scene in scenes() {
        for dt in [1.0 / 60.0, 1.0 / 240.0, 1e-3] {
            let (rise, overlap, correction) = run(&scene, dt);
            let figures = format!(
                "{}, dt {dt:.5}: rise {rise:.1e}, overlap {overlap:.1e} m, corrected {correction:.1e} J",
                scene.name
            );
            println!("{figures}");
            assert!(rise < 1e-12 && overlap < 1e-7 && correction < 1e-6, "{figures}");
        }
    }
}

/// The ball rolls on the other for that time; later it slips.
#[test]
fn curved_ways_converge_with_second_order() {
    for (name, world, seconds) in [("ball", bump(), 0.15), ("disk", disk(), 0.4), ("top", top(), 0.1)] {
        let end = |dt: f64| {
            let mut world = world.clone();
            (0..(seconds / dt).round() as usize).for_each(|_| drop(world.step(dt).unwrap()));
            let body = world.find(name).unwrap();
            world.body(body).unwrap().state.center_of_mass
        };
        let finest = end(1.0 / 7680.0);
        let [coarse, fine] = [1.0 / 240.0, 1.0 / 480.0].map(|dt| (end(dt) - finest).length());
        println!("{name}: {coarse:.1e} m, {fine:.1e} m");
        assert!(coarse > 3.0 * fine, "{name}: {coarse:e} m, {fine:e} m");
    }
}
