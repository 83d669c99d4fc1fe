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

/// A body that takes the slot of one removed is a new body: until the next step no ray meets it (nor the old one), and it
/// begins without the contacts of the old one, though it stands in the same place.
#[test]
fn a_body_in_the_slot_of_another_inherits_neither_its_place_nor_its_contacts() {
    let cube: Shape = Cuboid::new(Vec3::ONE).unwrap().into();
    let plate: Shape = Cuboid::new(Vec3::new(1.0, 1.0, 0.2)).unwrap().into();
    let resting = |shape: &Shape, z: f64| {
        BodyDescription::dynamic("guest", shape.clone()).mass(1.0).position(Vec3::new(0.0, 0.0, z))
    };
    let down = Ray::new(Vec3::new(0.0, 0.0, 10.0), -Vec3::Z).unwrap();
    let ground: Shape = HalfSpace::new(Vec3::Z, 0.0).unwrap().into();
    let mut world = World::new();
    let floor = world.add_body(BodyDescription::fixed("ground", ground)).unwrap();
    let first = world.add_body(resting(&cube, 0.5)).unwrap();
    for _ in 0..10 {
        world.step(1e-2).unwrap();
    }
    assert_eq!(world.cast_ray(&down, 100.0).unwrap().0, first);
    world.remove_body(first).unwrap();
    // A plate in the pose of the cube hangs 0.4 m over the ground.
    let second = world.add_body(resting(&plate, 0.5)).unwrap();
    assert_eq!(world.cast_ray(&down, 100.0).unwrap().0, floor, "placed by the next step");
    let within = Aabb::new(Vec3::Z * 0.4, Vec3::Z * 0.45);
    assert_eq!(world.bodies_in_box(&within), [floor], "the ground has no bounds");
    world.step(1e-2).unwrap();
    let (met, hit) = world.cast_ray(&down, 100.0).unwrap();
    assert_eq!(met, second);
    assert!((hit.distance - 9.4).abs() < 1e-12, "{}", hit.distance);
    assert_eq!(world.contact_events().count(), 0, "it has touched nothing");
    let fall = world.body(second).unwrap().state.velocity.z;
    assert!((fall + 9.81e-2).abs() < 1e-12, "it falls freely, at {fall} m/s");
}
