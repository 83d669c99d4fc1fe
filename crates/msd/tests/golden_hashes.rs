//! The same bits every time: state hashes of a few worlds, equal in debug and release, today and tomorrow.
//!
//! A change here means that results changed in the last bit for every user. That can be right, and then the new hash is
//! committed with the reason; it is never an accident.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::sync::Arc;

use msd::environment::{BodyDescription, ContactSettings, ContactTier, World};
use msd::math::Vec3;
use msd::physics::constraints::{BallJoint, HingeJoint, JointEnd};
use msd::physics::forces::PointGravity;
use msd::physics::integration::by_name;
use msd::physics::rigid_body::shape::{ConvexHull, Cuboid, HalfSpace, Shape, Sphere};
use msd::physics::rigid_body::{CollisionGroups, Material};

fn tumbling(integrator: &str) -> World {
    let mut world = World::new();
    world.set_integrator(by_name(integrator, None).unwrap());
    for i in 0..10 {
        let spin = Vec3::new(0.1, 2.0 + f64::from(i), 0.3);
        let brick = Shape::Box(Cuboid::new(Vec3::new(1.0, 2.0, 3.0)).unwrap());
        let body = BodyDescription::dynamic(&format!("b{i}"), brick).mass(1.0).angular_velocity(spin);
        // All in one place: they are to fly, not to meet.
        let body = body.velocity(Vec3::X * f64::from(i)).collision(CollisionGroups::NONE);
        world.add_body(body).unwrap();
    }
    world
}

/// A chain of five balls, swinging.
fn chain(integrator: &str) -> World {
    let mut world = World::new();
    world.set_integrator(by_name(integrator, None).unwrap());
    let mut last = None;
    for i in 0..5 {
        let ball = Shape::Sphere(Sphere::new(0.1).unwrap());
        let at = Vec3::X * (0.5 + f64::from(i));
        let body =
            world.add_body(BodyDescription::dynamic(&format!("b{i}"), ball).mass(1.0).position(at)).unwrap();
        let above = last.map_or(JointEnd::WORLD, |last| world.joint_end(last).unwrap());
        let joint = BallJoint::new(above, world.joint_end(body).unwrap(), Vec3::X * f64::from(i)).unwrap();
        world.add_joint(&format!("j{i}"), Arc::new(joint)).unwrap();
        last = Some(body);
    }
    world
}

/// A hull in an eccentric orbit.
fn orbit(integrator: &str) -> World {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    world.set_integrator(by_name(integrator, None).unwrap());
    world.set_dt(1.0).unwrap();
    world.add_field(Arc::new(PointGravity::new(3.986_004_418e14, Vec3::ZERO).unwrap())).unwrap();
    let points: Vec<Vec3> = (0..40)
        .map(|i| {
            let i = f64::from(i);
            Vec3::new((i * 0.7 % 1.0) - 0.5, (i * 0.37 % 1.0) - 0.5, 2.0 * (i * 0.13 % 1.0) - 1.0)
        })
        .collect();
    let hull = Shape::Hull(Arc::new(ConvexHull::from_points(&points).unwrap()));
    let body = BodyDescription::dynamic("debris", hull).density(2700.0).position(Vec3::X * 7e6);
    world.add_body(body.velocity(Vec3::new(0.0, 8000.0, 100.0)).angular_velocity(Vec3::ONE * 0.1)).unwrap();
    world
}

/// Boxes, balls and a hinged flap that fall into a heap, in the fast tier.
fn soft_heap() -> World {
    let mut world = World::new();
    world.set_contact_settings(ContactSettings::with_tier(ContactTier::Fast)).unwrap();
    world.set_dt(1.0 / 60.0).unwrap();
    let floor = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap());
    world.add_body(BodyDescription::fixed("floor", floor).material(Material::default())).unwrap();
    let material =
        Material { friction: 0.4, restitution: 0.2, rolling_friction: 1e-3, ..Material::default() };
    for i in 0..30 {
        let f = f64::from(i);
        let shape = if i % 3 == 0 {
            Shape::Sphere(Sphere::new(0.25).unwrap())
        } else {
            Shape::Box(Cuboid::new(Vec3::new(0.4, 0.5, 0.6)).unwrap())
        };
        let at = Vec3::new((f * 0.37) % 1.0, (f * 0.61) % 1.0, 0.4 + 0.4 * f);
        let body = BodyDescription::dynamic(&format!("b{i}"), shape).mass(1.0 + f).position(at);
        world.add_body(body.angular_velocity(Vec3::new(0.3, 0.1 * f, -0.2)).material(material)).unwrap();
    }
    let flap = Shape::Box(Cuboid::new(Vec3::new(1.0, 0.8, 0.1)).unwrap());
    let flap = BodyDescription::dynamic("flap", flap).mass(3.0).position(Vec3::new(1.5, 0.5, 1.0));
    let flap = flap.material(Material::default());
    let flap = world.add_body(flap).unwrap();
    let axis = Vec3::new(2.0, 0.5, 1.0);
    let hinge = HingeJoint::new(JointEnd::WORLD, world.joint_end(flap).unwrap(), axis, Vec3::Y).unwrap();
    world.add_joint("hinge", Arc::new(hinge)).unwrap();
    world
}

#[test]
fn worlds_end_in_the_same_bits_in_debug_and_release() {
    let mut cases = [
        ("tumbling, velocity-verlet", tumbling("velocity-verlet"), 1.0, "2b11ea8340d7c0b5"),
        ("tumbling, rk4", tumbling("rk4"), 1.0, "a77318677efecd92"),
        ("tumbling, implicit-midpoint", tumbling("implicit-midpoint"), 0.2, "41d15fbd17b85ba0"),
        ("chain, velocity-verlet", chain("velocity-verlet"), 1.0, "76af128fe232eaf5"),
        ("chain, rk4", chain("rk4"), 0.5, "fec13d9ff96efed2"),
        ("orbit, exact-free", orbit("exact-free"), 1000.0, "033ec7d123bfe452"),
        ("heap, fast tier", soft_heap(), 2.0, "72510ebc40f1615a"),
        ("orbit, adaptive", orbit("adaptive"), 100.0, "ab6f0d959bffd937"),
    ];
    let mut changed = Vec::new();
    for (name, world, seconds, expected) in &mut cases {
        world.run(*seconds).unwrap();
        let hash = world.state_hash().to_string();
        if !hash.starts_with(*expected) {
            changed.push(format!("{name}: {}", &hash[..16]));
        }
    }
    assert!(changed.is_empty(), "hashes:\n{}", changed.join("\n"));
}
