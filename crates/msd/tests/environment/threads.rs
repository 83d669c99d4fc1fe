//! The number of threads changes no bit: state hashes of worlds of every kind on 1, 2, 4 and 8 threads.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::sync::Arc;

use msd::environment::{BodyDescription, ContactSettings, ContactTier, World};
use msd::math::{Quat, Vec3};
use msd::physics::constraints::{BallJoint, HingeJoint, JointEnd};
use msd::physics::forces::PointGravity;
use msd::physics::rigid_body::Material;
use msd::physics::rigid_body::shape::{ConvexHull, Cuboid, HalfSpace, Shape, Sphere};
use msd::threads::Threads;

const DT: f64 = 1.0 / 60.0;

/// Deterministic numbers in [-1, 1).
struct Random(u64);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }
}

fn cube(edge: f64) -> Shape {
    Cuboid::new(Vec3::splat(edge)).unwrap().into()
}

fn on_a_floor() -> World {
    let mut world = World::new();
    world.add_body(BodyDescription::fixed("floor", HalfSpace::new(Vec3::Z, 0.0).unwrap())).unwrap();
    world
}

/// Boxes, balls and hulls let fall into a narrow pit, where they meet at once.
fn pour(count: usize) -> World {
    let (mut world, mut random) = (on_a_floor(), Random(7));
    for (k, side) in [Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y].into_iter().enumerate() {
        let wall = HalfSpace::new(side, -1.2).unwrap();
        world.add_body(BodyDescription::fixed(&format!("wall {k}"), wall)).unwrap();
    }
    for k in 0..count {
        let shape = match k % 3 {
            0 => cube(0.5),
            1 => Sphere::new(0.25).unwrap().into(),
            _ => {
                let points: Vec<Vec3> = (0..14).map(|_| random.vector().normalize() * 0.3).collect();
                ConvexHull::from_points(&points).unwrap().into()
            }
        };
        let place = Vec3::new((k % 3) as f64 - 1.0, (k / 3 % 3) as f64 - 1.0, 0.5 + (k / 9) as f64) * 0.7;
        let body = BodyDescription::dynamic(&format!("{k}"), shape).mass(2.0).position(place);
        let body = body.orientation(Quat::from_scaled_axis(random.vector()));
        let material = Material { friction: 0.4, restitution: 0.2, ..Material::default() };
        world.add_body(body.velocity(random.vector() * 0.3).material(material)).unwrap();
    }
    world
}

fn pyramid(rows: usize) -> World {
    let mut world = on_a_floor();
    for row in 0..rows {
        for k in 0..rows - row {
            let x = 1.1 * (k as f64 - 0.5 * (rows - row) as f64);
            let body = BodyDescription::dynamic(&format!("{row} {k}"), cube(1.0)).mass(10.0);
            world.add_body(body.position(Vec3::new(x, 0.0, 0.5 + row as f64))).unwrap();
        }
    }
    world
}

/// Stacks of three, each struck by a ball after a while: many islands that come and go.
fn small_piles(count: usize) -> World {
    let mut world = on_a_floor();
    for k in 0..count {
        let foot = Vec3::new(4.0 * (k % 8) as f64, 4.0 * (k / 8) as f64, 0.0);
        for layer in 0..3 {
            let body = BodyDescription::dynamic(&format!("{k} {layer}"), cube(0.5)).mass(1.0);
            world.add_body(body.position(foot + Vec3::Z * (0.25 + 0.5 * f64::from(layer)))).unwrap();
        }
        let ball: Shape = Sphere::new(0.2).unwrap().into();
        let fall = foot + Vec3::new(0.1, 0.05, 3.0 + 0.1 * k as f64);
        world
            .add_body(BodyDescription::dynamic(&format!("{k} ball"), ball).mass(0.5).position(fall))
            .unwrap();
    }
    world
}

/// Chains of boxes that swing and strike the floor and each other, and a swinging door between them.
fn joints_and_contacts(chains: usize) -> World {
    let mut world = on_a_floor();
    for k in 0..chains {
        let mut above = None;
        let foot = Vec3::new(0.0, 1.5 * k as f64, 1.4);
        for link in 0..5 {
            let place = foot + Vec3::X * (0.4 + 0.5 * f64::from(link));
            let body = BodyDescription::dynamic(&format!("{k} {link}"), cube(0.35)).mass(1.0);
            let body = world.add_body(body.position(place)).unwrap();
            let end = above.map_or(JointEnd::WORLD, |above| world.joint_end(above).unwrap());
            let anchor = place - Vec3::X * 0.25;
            let joint = BallJoint::new(end, world.joint_end(body).unwrap(), anchor).unwrap();
            world.add_joint(&format!("{k} {link}"), Arc::new(joint)).unwrap();
            above = Some(body);
        }
        let place = foot + Vec3::new(-0.6, 0.7, -1.0);
        let door =
            BodyDescription::dynamic(&format!("door {k}"), Cuboid::new(Vec3::new(0.6, 0.05, 0.6)).unwrap());
        let door = world.add_body(door.mass(3.0).position(place).angular_velocity(Vec3::Z)).unwrap();
        let hinge =
            HingeJoint::new(JointEnd::WORLD, world.joint_end(door).unwrap(), place - Vec3::X * 0.3, Vec3::Z);
        world.add_joint(&format!("hinge {k}"), Arc::new(hinge.unwrap())).unwrap();
    }
    world
}

/// Bodies that turn and fly about a gravitating centre.
fn free_in_fields(count: usize) -> World {
    let (mut world, mut random) = (World::new(), Random(3));
    world.set_gravity(Vec3::ZERO).unwrap();
    world.add_field(Arc::new(PointGravity::new(5e3, Vec3::ZERO).unwrap())).unwrap();
    for k in 0..count {
        let shape = Cuboid::new(Vec3::new(0.2, 0.3, 0.5)).unwrap();
        let place = random.vector() * 40.0 + Vec3::X * 90.0;
        let body = BodyDescription::dynamic(&format!("{k}"), shape).mass(1.0).position(place);
        let body = body.velocity(random.vector() + Vec3::Y * 7.0).angular_velocity(random.vector() * 3.0);
        world.add_body(body).unwrap();
    }
    world
}

fn hashes(name: &str, make: impl Fn() -> World, steps: usize) {
    let mut first = None;
    for count in [1, 2, 4, 8] {
        let mut world = make();
        world.set_threads(Threads::new(count).unwrap());
        let mut checkpoints = Vec::new();
        for step in 0..steps {
            world.step(DT).unwrap();
            if step % 50 == 0 {
                checkpoints.push(world.state_hash());
            }
        }
        checkpoints.push(world.state_hash());
        let books = (world.energy(), *world.contact_report());
        match &first {
            None => first = Some((checkpoints, books)),
            Some(one) => assert_eq!(*one, (checkpoints, books), "{name} on {count} threads"),
        }
    }
}

#[test]
fn a_pour_has_the_same_bits_on_any_number_of_threads() {
    hashes("pour", || pour(18), 1000);
}

#[test]
fn a_pyramid_has_the_same_bits_on_any_number_of_threads() {
    hashes("pyramid", || pyramid(7), 1000);
}

#[test]
fn small_piles_have_the_same_bits_on_any_number_of_threads() {
    hashes("small piles", || small_piles(12), 1000);
}

#[test]
fn joints_and_contacts_have_the_same_bits_on_any_number_of_threads() {
    hashes("joints and contacts", || joints_and_contacts(3), 1000);
}

#[test]
fn free_bodies_in_fields_have_the_same_bits_on_any_number_of_threads() {
    hashes("free bodies", || free_in_fields(600), 1000);
}

#[test]
fn the_fast_tier_has_the_same_bits_on_any_number_of_threads() {
    let make = || {
        let mut world = small_piles(70);
        world.set_contact_settings(ContactSettings::with_tier(ContactTier::Fast)).unwrap();
        world
    };
    hashes("small piles, fast", make, 300);
}

/// One island of more than a thousand manifolds, which the fast tier dissects, struck by a ball that bounces and rolls.
fn large_island(tier: ContactTier) -> World {
    let mut world = pyramid(34);
    let ball: Shape = Sphere::new(1.0).unwrap().into();
    let material = Material { restitution: 0.5, rolling_friction: 0.01, ..Material::default() };
    let ball = BodyDescription::dynamic("ball", ball).mass(5000.0).material(material);
    world.add_body(ball.position(Vec3::new(-12.0, 0.0, 14.0)).velocity(Vec3::new(20.0, 0.0, -2.0))).unwrap();
    world.set_contact_settings(ContactSettings::with_tier(tier)).unwrap();
    world
}

#[test]
fn a_dissected_island_has_the_same_bits_on_any_number_of_threads() {
    hashes("large island, fast", || large_island(ContactTier::Fast), 40);
}

#[test]
fn an_island_that_auto_gives_to_the_fast_tier_has_the_same_bits_on_any_number_of_threads() {
    let make = || {
        let mut world = large_island(ContactTier::Auto);
        let mut settings = world.contact_settings().clone();
        settings.auto.contacts = 100;
        world.set_contact_settings(settings).unwrap();
        world
    };
    hashes("large island, auto", make, 12);
}

#[test]
fn threads_may_change_in_the_middle_of_a_run() {
    let mut one = small_piles(12);
    let mut many = one.clone();
    for step in 0..60 {
        many.set_threads(Threads::new(1 + step % 3).unwrap());
        one.step(DT).unwrap();
        many.step(DT).unwrap();
    }
    assert_eq!(one.state_hash(), many.state_hash());
}
