mod collision;
mod constraints;
mod contact;
mod integration;
mod rigid_body;

use msd::environment::{BodyDescription, World};
use msd::math::Vec3;
use msd::physics::rigid_body::BodyHandle;
use msd::physics::rigid_body::shape::Sphere;

/// A world without gravity unless given, with a ball of 1 kg without collisions at a point.
fn world_with_ball(gravity: Vec3, at: Vec3) -> (World, BodyHandle) {
    let mut world = World::new();
    world.set_gravity(gravity).unwrap();
    let ball = BodyDescription::dynamic("ball", Sphere::new(0.1).unwrap()).mass(1.0).position(at);
    let ball = world.add_body(ball).unwrap();
    (world, ball)
}

/// Numbers in [-1, 1), the same on every machine: a linear congruential generator (Knuth, MMIX).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
}
