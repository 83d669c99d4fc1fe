//! A step of a world allocates nothing once it is warm.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod counting_allocator;

use std::sync::Arc;

use counting_allocator::allocations;
use msd::environment::{BodyDescription, World};
use msd::math::Vec3;
use msd::physics::forces::PointGravity;
use msd::physics::integration::by_name;
use msd::physics::rigid_body::shape::{Cuboid, HalfSpace, Shape, Sphere};

#[test]
fn a_warm_step_allocates_nothing() {
    for name in
        ["semi-implicit-euler", "velocity-verlet", "rk4", "implicit-midpoint", "adaptive", "exact-free"]
    {
        let mut world = World::new();
        world.set_gravity(Vec3::ZERO).unwrap();
        world.add_field(Arc::new(PointGravity::new(1.0, Vec3::ZERO).unwrap())).unwrap();
        world.set_integrator(by_name(name, None).unwrap());
        for i in 0..20 {
            let body = BodyDescription::dynamic(
                &format!("b{i}"),
                Shape::Box(Cuboid::new(Vec3::new(1.0, 2.0, 3.0)).unwrap()),
            )
            .mass(1.0)
            .position(Vec3::X * (10.0 + 5.0 * f64::from(i)))
            .velocity(Vec3::Y * 0.3)
            .angular_velocity(Vec3::new(0.1, 1.0, 0.2));
            world.add_body(body).unwrap();
        }
        for _ in 0..3 {
            world.step(0.01).unwrap();
        }
        let asked = allocations(|| {
            for _ in 0..10 {
                world.step(0.01).unwrap();
            }
        });
        assert_eq!(asked, 0, "{name}");
    }
}

#[test]
fn a_warm_step_with_contact_allocates_nothing() {
    let mut world = World::new();
    world.add_body(BodyDescription::fixed("floor", HalfSpace::new(Vec3::Z, 0.0).unwrap())).unwrap();
    for i in 0..10 {
        let cube = Shape::Box(Cuboid::new(Vec3::ONE).unwrap());
        let body = BodyDescription::dynamic(&format!("cube {i}"), cube).mass(1.0);
        world.add_body(body.position(Vec3::Z * (0.5 + f64::from(i)))).unwrap();
    }
    let ball = Shape::Sphere(Sphere::new(0.5).unwrap());
    let sliding = BodyDescription::dynamic("ball", ball).mass(1.0).position(Vec3::new(3.0, 0.0, 0.5));
    world.add_body(sliding.velocity(Vec3::X * 3.0)).unwrap();
    for _ in 0..100 {
        world.step(0.01).unwrap();
    }
    let asked = allocations(|| {
        for _ in 0..50 {
            world.step(0.01).unwrap();
        }
    });
    assert_eq!(asked, 0);
}
