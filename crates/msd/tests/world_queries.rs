//! Rays and boxes asked of a world.

#![allow(clippy::unwrap_used, reason = "a test that cannot build its scene has failed")]

use msd::environment::{BodyDescription, World};
use msd::math::Vec3;
use msd::physics::rigid_body::shape::{Aabb, Cuboid, HalfSpace, Ray, Shape};

#[test]
fn a_ray_names_the_body_it_meets_and_a_box_those_inside() {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    let ground: Shape = HalfSpace::new(Vec3::Z, 0.0).unwrap().into();
    let ground = world.add_body(BodyDescription::fixed("ground", ground)).unwrap();
    let cube: Shape = Cuboid::new(Vec3::ONE).unwrap().into();
    let at = |x: f64| {
        BodyDescription::dynamic(&format!("cube {x}"), cube.clone())
            .mass(1.0)
            .position(Vec3::new(x, 0.0, 3.0))
    };
    let (near, far) = (world.add_body(at(0.0)).unwrap(), world.add_body(at(5.0)).unwrap());
    let down = |x: f64| Ray::new(Vec3::new(x, 0.0, 10.0), -Vec3::Z).unwrap();
    assert_eq!(world.cast_ray(&down(0.0), 100.0), None, "nothing is placed before the first step");
    world.step(1e-3).unwrap();
    let (met, hit) = world.cast_ray(&down(5.0), 100.0).unwrap();
    assert_eq!(met, far);
    assert!((hit.distance - 6.5).abs() < 1e-12 && hit.normal == Vec3::Z);
    assert_eq!(world.cast_ray(&down(2.5), 100.0).unwrap().0, ground);
    assert_eq!(world.cast_ray(&down(0.0), 6.0), None);
    let around = Aabb::new(Vec3::new(-1.0, -1.0, 2.0), Vec3::new(1.0, 1.0, 4.0));
    assert_eq!(world.bodies_in_box(&around), [ground, near]);
    world.remove_body(near).unwrap();
    assert_eq!(world.cast_ray(&down(0.0), 100.0).unwrap().0, ground);
    assert_eq!(world.bodies_in_box(&around), [ground]);
}
