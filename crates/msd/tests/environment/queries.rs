//! Ray and box queries of a world: bodies at their current poses, selected by a filter.

#![allow(clippy::unwrap_used, reason = "a test that cannot build its scene has failed")]

use msd::environment::{BodyDescription, QueryFilter, World};
use msd::math::orientation::from_rotation_vector;
use msd::math::{ReferenceFrame, Vec3, scalar};
use msd::physics::rigid_body::shape::{
    Aabb, Capsule, Cuboid, Cylinder, HalfSpace, Ray, Shape, Sphere, TriangleMesh,
};
use msd::physics::rigid_body::{BodyHandle, BodyView, CollisionGroups};

fn ground() -> Shape {
    HalfSpace::new(Vec3::Z, 0.0).unwrap().into()
}

fn cube() -> Shape {
    Cuboid::new(Vec3::ONE).unwrap().into()
}

fn down(x: f64) -> Ray {
    Ray::new(Vec3::new(x, 0.0, 10.0), -Vec3::Z).unwrap()
}

fn all() -> QueryFilter<'static> {
    QueryFilter::new()
}

#[test]
fn a_ray_names_the_body_it_meets_and_a_box_those_inside_before_and_after_the_first_step() {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    let ground = world.add_body(BodyDescription::fixed("ground", ground())).unwrap();
    let at = |x: f64| {
        BodyDescription::dynamic(&format!("cube {x}"), cube()).mass(1.0).position(Vec3::new(x, 0.0, 3.0))
    };
    let (near, far) = (world.add_body(at(0.0)).unwrap(), world.add_body(at(5.0)).unwrap());
    let around = Aabb::new(Vec3::new(-1.0, -1.0, 2.0), Vec3::new(1.0, 1.0, 4.0));
    let deep = Aabb::new(Vec3::new(-1.0, -1.0, -1.0), around.max);
    for _ in 0..2 {
        let (met, hit) = world.cast_ray(&down(5.0), 100.0, &all()).unwrap();
        assert_eq!(met, far);
        assert!((hit.distance - 6.5).abs() < 1e-12 && hit.normal == Vec3::Z);
        assert_eq!(world.cast_ray(&down(2.5), 100.0, &all()).unwrap().0, ground);
        assert_eq!(world.cast_ray(&down(0.0), 6.0, &all()), None);
        assert_eq!(world.bodies_in_box(&around, &all()), [near], "the ground is below it");
        assert_eq!(world.bodies_in_box(&deep, &all()), [ground, near]);
        world.step(1e-3).unwrap();
    }
    world.remove_body(near).unwrap();
    assert_eq!(world.cast_ray(&down(0.0), 100.0, &all()).unwrap().0, ground);
    assert_eq!(world.bodies_in_box(&deep, &all()), [ground]);
}

/// After steps, changes by the user, restores and resets, queries agree with [`World::frame`].
#[test]
fn queries_see_the_state_as_it_is_now() {
    let mut world = World::new();
    world.add_body(BodyDescription::fixed("ground", ground())).unwrap();
    let falling = BodyDescription::dynamic("cube", cube())
        .mass(1.0)
        .position(Vec3::new(0.0, 0.0, 8.0))
        .velocity(Vec3::new(0.3, 0.0, -2.0));
    let body = world.add_body(falling).unwrap();
    let check = |world: &World, when: &str| {
        let place = world.frame(body).unwrap().position;
        let (met, hit) = world.cast_ray(&down(place.x), 100.0, &all()).unwrap();
        assert_eq!(met, body, "{when}");
        assert!((hit.distance - (9.5 - place.z)).abs() < 1e-12, "{when}: {} at {place}", hit.distance);
        let inside = Aabb::new(place - Vec3::splat(0.01), place + Vec3::splat(0.01));
        assert_eq!(world.bodies_in_box(&inside, &all()), [body], "{when}");
        let above = Aabb::new(place + Vec3::Z * 0.501, place + Vec3::Z * 0.6);
        assert!(world.bodies_in_box(&above, &all()).is_empty(), "{when}");
    };
    check(&world, "before the first step");
    let start = world.snapshot();
    for step in 0..20 {
        world.step(1e-2).unwrap();
        check(&world, &format!("after step {step}"));
    }
    world.set_frame(body, ReferenceFrame::from_position(Vec3::new(2.0, 0.0, 3.0))).unwrap();
    check(&world, "placed by hand");
    world.restore(&start).unwrap();
    check(&world, "restored");
    world.step(1e-2).unwrap();
    world.reset();
    check(&world, "reset");
    assert!(world.step(f64::NAN).is_err());
    check(&world, "after a refused step");
}

#[test]
fn a_filter_chooses_by_groups_handles_and_condition_and_leaves_out_what_collides_with_nothing() {
    let mut world = World::new();
    let floor = world
        .add_body(
            BodyDescription::fixed("ground", ground())
                .collision(CollisionGroups { groups: 1, mask: u32::MAX }),
        )
        .unwrap();
    let layer = |world: &mut World, name: &str, z: f64, groups: CollisionGroups| {
        let plate: Shape = Cuboid::new(Vec3::new(1.0, 1.0, 0.1)).unwrap().into();
        let description =
            BodyDescription::dynamic(name, plate).mass(1.0).position(Vec3::Z * z).collision(groups);
        world.add_body(description).unwrap()
    };
    let low = layer(&mut world, "low", 1.0, CollisionGroups { groups: 2, mask: u32::MAX });
    let high = layer(&mut world, "high", 2.0, CollisionGroups { groups: 4, mask: 1 });
    let ghost = layer(&mut world, "ghost", 3.0, CollisionGroups::NONE);
    let picture =
        world.add_body(BodyDescription::graphical("picture", cube()).position(Vec3::Z * 5.0)).unwrap();
    let first = |filter: &QueryFilter<'_>| world.cast_ray(&down(0.0), 100.0, filter).map(|(body, _)| body);
    assert_eq!(first(&all()), Some(high));
    assert_eq!(first(&all().with_intangible()), Some(picture));
    assert_eq!(first(&all().with_intangible().excluding(&[picture])), Some(ghost));
    assert_eq!(first(&all().excluding(&[high])), Some(low));
    assert_eq!(first(&all().groups(CollisionGroups { groups: u32::MAX, mask: 3 })), Some(low));
    // A ray in group 2 passes bodies that do not collide with that group.
    assert_eq!(first(&all().groups(CollisionGroups { groups: 2, mask: u32::MAX })), Some(low));
    let heavy = |view: &BodyView<'_>| view.body.name == "ground";
    assert_eq!(first(&all().predicate(&heavy)), Some(floor));
    assert_eq!(first(&all().groups(CollisionGroups::NONE)), None);
    let everywhere = Aabb::new(Vec3::splat(-9.0), Vec3::splat(9.0));
    assert_eq!(world.bodies_in_box(&everywhere, &all()), [floor, low, high]);
    assert_eq!(
        world.bodies_in_box(&everywhere, &all().with_intangible().excluding(&[low])),
        [floor, high, ghost, picture]
    );
}

/// Many bodies in random poses: the first hit of all, asked one at a time.
#[test]
fn a_ray_meets_what_it_meets_first_among_many_bodies() {
    let mut number = 7_u64;
    let mut random = || {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (number >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
    };
    let far = Vec3::new(7e6, -2e6, 3e5);
    for origin in [Vec3::ZERO, far] {
        let mut world = World::new();
        let shapes: [Shape; 5] = [
            cube(),
            Sphere::new(0.6).unwrap().into(),
            Capsule::new(0.3, 1.0).unwrap().into(),
            Cylinder::new(0.4, 1.2).unwrap().into(),
            TriangleMesh::new(vec![Vec3::X, Vec3::Y, -Vec3::ONE], vec![[0, 1, 2]]).unwrap().into(),
        ];
        let mut bodies: Vec<BodyHandle> = Vec::new();
        for k in 0..200 {
            let place = origin + Vec3::new(random(), random(), random()) * 10.0;
            let turn = from_rotation_vector(Vec3::new(random(), random(), random()) * 3.0);
            let fixed = BodyDescription::fixed(&format!("body {k}"), shapes[k % 5].clone());
            bodies.push(world.add_body(fixed.position(place).orientation(turn)).unwrap());
        }
        let mut hits = 0;
        for _ in 0..300 {
            let from = origin + Vec3::new(random(), random(), random()) * 15.0;
            let to = origin + Vec3::new(random(), random(), random()) * 8.0;
            let ray = Ray::new(from, to - from).unwrap();
            let alone = |body: &BodyHandle| {
                let only = |view: &BodyView<'_>| view.body.name == world.body(*body).unwrap().body.name;
                world.cast_ray(&ray, 40.0, &all().predicate(&only)).map(|(_, hit)| hit.distance)
            };
            let nearest = bodies.iter().filter_map(alone).fold(f64::INFINITY, scalar::min);
            let found = world.cast_ray(&ray, 40.0, &all()).map_or(f64::INFINITY, |(_, hit)| hit.distance);
            assert_eq!(found, nearest);
            hits += usize::from(found.is_finite());
        }
        assert!(hits > 50, "{hits}");
    }
}

/// A body that takes the slot of one removed is a new body and begins without the contacts of the old one, though it stands in
/// the same place.
#[test]
fn a_body_in_the_slot_of_another_inherits_neither_its_place_nor_its_contacts() {
    let plate: Shape = Cuboid::new(Vec3::new(1.0, 1.0, 0.2)).unwrap().into();
    let resting = |shape: &Shape, z: f64| {
        BodyDescription::dynamic("guest", shape.clone()).mass(1.0).position(Vec3::new(0.0, 0.0, z))
    };
    let mut world = World::new();
    world.add_body(BodyDescription::fixed("ground", ground())).unwrap();
    let first = world.add_body(resting(&cube(), 0.5)).unwrap();
    for _ in 0..10 {
        world.step(1e-2).unwrap();
    }
    assert_eq!(world.cast_ray(&down(0.0), 100.0, &all()).unwrap().0, first);
    world.remove_body(first).unwrap();
    // A plate in the pose of the cube hangs 0.4 m over the ground.
    let second = world.add_body(resting(&plate, 0.5)).unwrap();
    let (met, hit) = world.cast_ray(&down(0.0), 100.0, &all()).unwrap();
    assert_eq!(met, second);
    assert!((hit.distance - 9.4).abs() < 1e-12, "{}", hit.distance);
    world.step(1e-2).unwrap();
    assert_eq!(world.contact_events().count(), 0, "it has touched nothing");
    let fall = world.body(second).unwrap().state.velocity.z;
    assert!((fall + 9.81e-2).abs() < 1e-12, "it falls freely, at {fall} m/s");
}
