//! Impacts in the fast tier: poured bodies do not pass through each other, and a flat impact causes no sideways
//! motion.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use msd::environment::{BodyDescription, ContactSettings, ContactTier, World};
use msd::math::{Quat, Vec3};
use msd::physics::rigid_body::Material;
use msd::physics::rigid_body::shape::{Cuboid, HalfSpace, Shape, Sphere};

fn fast_world() -> World {
    let mut world = World::new();
    world.set_contact_settings(ContactSettings::with_tier(ContactTier::Fast)).unwrap();
    world
}

fn cuboid(size: Vec3) -> Shape {
    Cuboid::new(size).unwrap().into()
}

/// Numbers in [-1, 1), xorshift64*.
struct Random(u64);

impl Random {
    fn signed(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }
}

/// Cubes of 0.5 m in layers of `wide` × `wide` over a shaft, each turned at random.
fn poured(count: usize, wide: usize) -> World {
    let mut world = fast_world();
    let material = Material { friction: 0.5, ..Material::default() };
    let width = wide as f64;
    let mut fix = |name: &str, size: Vec3, at: Vec3| {
        world.add_body(BodyDescription::fixed(name, cuboid(size)).position(at).material(material)).unwrap();
    };
    fix("floor", Vec3::new(width + 4.0, width + 4.0, 1.0), Vec3::Z * -0.5);
    for (k, side) in [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y].into_iter().enumerate() {
        let along = if side.x == 0.0 { Vec3::X } else { Vec3::Y };
        let size = side.abs() + along * (width + 2.0) + Vec3::Z * width;
        fix(&format!("wall {k}"), size, side * (0.5 * width + 0.5) + Vec3::Z * (0.5 * width));
    }
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    for k in 0..count {
        let (layer, place) = (k / (wide * wide), k % (wide * wide));
        let cell = Vec3::new((place % wide) as f64, (place / wide) as f64, layer as f64 + 1.0);
        let at = cell + Vec3::new(0.5, 0.5, 0.0) - Vec3::new(0.5, 0.5, 0.0) * width + random.vector() * 0.04;
        let turn = Quat::from_scaled_axis(random.vector() * 2.0);
        let body = BodyDescription::dynamic(&format!("{k}"), cuboid(Vec3::splat(0.5))).mass(50.0);
        world.add_body(body.position(at).orientation(turn).material(material)).unwrap();
    }
    world
}

#[test]
fn poured_cubes_keep_out_of_each_other() {
    // Columns of ten that fall on each other at up to 14 m/s, 0.23 m a step. Were two edges taken for the contact of faces that are
    // all but parallel, cubes would be pressed into each other by 0.3 m.
    let mut world = poured(360, 6);
    let mut deepest = 0.0_f64;
    for _ in 0..150 {
        deepest = deepest.max(world.step(1.0 / 60.0).unwrap().contacts.max_penetration);
    }
    assert!(deepest < 0.15, "{deepest}");
}

#[test]
fn a_cube_that_hits_a_wall_flat_and_fast_stops_there() {
    // Inelastic and head-on: nothing is left of its velocity, whatever friction there is.
    for (friction, start) in [(0.0, -5.0), (0.5, -5.0), (0.5, -4.3), (1.0, -3.7)] {
        let mut world = fast_world();
        world.set_gravity(Vec3::ZERO).unwrap();
        let material = Material { friction, ..Material::default() };
        let wall = BodyDescription::fixed("wall", cuboid(Vec3::new(0.01, 10.0, 10.0)));
        world.add_body(wall.material(material)).unwrap();
        let cube = BodyDescription::dynamic("cube", cuboid(Vec3::ONE)).mass(1.0).position(Vec3::X * start);
        let cube = world.add_body(cube.velocity(Vec3::X * 100.0).material(material)).unwrap();
        for _ in 0..30 {
            world.step(1.0 / 60.0).unwrap();
        }
        let state = world.body(cube).unwrap().state;
        assert!(state.center_of_mass.x < -0.505 + 2e-3, "{state:?}");
        assert!(state.velocity.length() < 0.1, "friction {friction}: left with {}", state.velocity);
        assert!(state.angular_velocity.length() < 0.1, "friction {friction}: {}", state.angular_velocity);
    }
}

#[test]
fn a_step_with_a_bounce_that_is_not_that_of_an_impact_at_its_own_time_is_not_certified() {
    // The fast tier bounces at the end of the step with the approach velocity of its start. Of twenty elastic bounces it
    // keeps less than the energy; the steps in which that happens must say so.
    for (dt, height) in [(0.01, 1.0), (0.004, 0.37), (0.001, 2.0)] {
        let mut world = World::new();
        world.set_contact_settings(ContactSettings::with_tier(ContactTier::Fast)).unwrap();
        let elastic = Material { restitution: 1.0, ..Material::default() };
        let plane: Shape = HalfSpace::new(Vec3::Z, 0.0).unwrap().into();
        world.add_body(BodyDescription::fixed("floor", plane).material(elastic)).unwrap();
        let ball: Shape = Sphere::new(0.1).unwrap().into();
        let body = BodyDescription::dynamic("ball", ball).mass(1.0).position(Vec3::Z * (0.1 + height));
        let ball = world.add_body(body.material(elastic)).unwrap();
        let energy = |world: &World| {
            let state = world.body(ball).unwrap().state;
            0.5 * state.velocity.length_squared() + 9.81 * state.center_of_mass.z
        };
        let mut bounces = 0;
        while bounces < 20 {
            let (before, falling) = (energy(&world), world.body(ball).unwrap().state.velocity.z < 0.0);
            world.step(dt).unwrap();
            bounces += usize::from(falling && world.body(ball).unwrap().state.velocity.z > 0.0);
            if world.contact_report().is_certified() {
                let lost = before - energy(&world);
                assert!(lost.abs() < 1e-9, "{lost} J lost in a step of {dt} s that is certified");
            }
        }
    }
}

#[test]
fn a_ball_that_bounces_obliquely_with_friction_leaves_as_coulomb_says() {
    // Sliding all the way: the friction of both phases is μ (1 + e) m |v_n|.
    for (mu, e, dt) in [(0.1, 0.5, 1e-3), (0.2, 0.8, 2e-4), (0.05, 1.0, 1e-3)] {
        let mut world = World::new();
        world.set_contact_settings(ContactSettings::with_tier(ContactTier::Fast)).unwrap();
        world.set_gravity(Vec3::ZERO).unwrap();
        let material = Material { restitution: e, friction: mu, ..Material::default() };
        let plane: Shape = HalfSpace::new(Vec3::Z, 0.0).unwrap().into();
        world.add_body(BodyDescription::fixed("floor", plane).material(material)).unwrap();
        let ball: Shape = Sphere::new(0.1).unwrap().into();
        let body = BodyDescription::dynamic("ball", ball).mass(2.0).position(Vec3::Z * 0.15);
        let body = body.velocity(Vec3::new(5.0, 0.0, -1.0)).material(material);
        let ball = world.add_body(body).unwrap();
        for _ in 0..(0.1 / dt) as usize {
            world.step(dt).unwrap();
        }
        let state = world.body(ball).unwrap().state;
        let expected = Vec3::new(5.0 - mu * (1.0 + e), 0.0, e);
        assert!((state.velocity - expected).length() < 1e-9, "{} instead of {expected}", state.velocity);
        let spin = 2.5 * mu * (1.0 + e) / 0.1;
        // The lever arm is that of the start of the step, longer by up to half the gap that closes within it: first order in dt.
        let allowed = spin * 0.5 * dt / 0.1 + 1e-9;
        assert!((state.angular_velocity.y - spin).abs() < allowed, "{} {spin}", state.angular_velocity);
    }
}
