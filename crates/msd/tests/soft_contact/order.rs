//! The fast tier does not depend on the order in which bodies were added: sweeps follow the names of the bodies, which belong to
//! them, and not their slots, which belong to the order.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::sync::Arc;

use crate::contact_scenes::Random;
use msd::environment::{AutoLimits, BodyDescription, ContactSettings, ContactTier, World};
use msd::math::{Quat, Vec3};
use msd::physics::constraints::BallJoint;
use msd::physics::rigid_body::Material;
use msd::physics::rigid_body::shape::{Capsule, Cuboid, Cylinder, HalfSpace, Shape, Sphere};

/// A heap of bodies of several shapes above a floor.
fn heap(random: &mut Random, count: usize) -> Vec<(String, BodyDescription)> {
    let floor: Shape = HalfSpace::new(Vec3::Z, 0.0).unwrap().into();
    let material = Material { friction: 0.5, restitution: 0.2, ..Material::default() };
    let mut bodies = vec![("floor".to_string(), BodyDescription::fixed("floor", floor).material(material))];
    for k in 0..count {
        let size = 0.3 + 0.1 * random.number();
        let shape: Shape = match k % 4 {
            0 => Cuboid::new(Vec3::new(size, 0.3, 0.25)).unwrap().into(),
            1 => Sphere::new(0.5 * size).unwrap().into(),
            2 => Capsule::new(0.1, size).unwrap().into(),
            _ => Cylinder::new(0.15, size).unwrap().into(),
        };
        let across = Vec3::new(0.3 * random.number(), 0.3 * random.number(), 0.3 + 0.2 * k as f64);
        let turn = Quat::from_axis_angle(random.direction(), 2.0 * random.number());
        let name = format!("body{k}");
        let body = BodyDescription::dynamic(&name, shape).density(400.0).position(across);
        bodies.push((name, body.orientation(turn).material(material)));
    }
    bodies
}

/// Numbers below `count` in a random order.
fn shuffled(random: &mut Random, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for k in (1..count).rev() {
        let other = ((0.5 + 0.5 * random.number()) * (k + 1) as f64) as usize;
        order.swap(k, other.min(k));
    }
    order
}

/// States of all bodies by name, to the bit.
fn bits(world: &World, bodies: &[(String, BodyDescription)]) -> Vec<(String, [u64; 13])> {
    let state = |(name, _): &(String, BodyDescription)| {
        let handle = world.find(name).unwrap();
        let state = world.body(handle).unwrap().state;
        let (x, q) = (state.center_of_mass.to_array(), state.orientation.to_array());
        let (v, w) = (state.velocity.to_array(), state.angular_velocity.to_array());
        let mut all = [0; 13];
        let numbers = x.into_iter().chain(q).chain(v).chain(w);
        all.iter_mut().zip(numbers).for_each(|(bits, number)| *bits = number.to_bits());
        (name.clone(), all)
    };
    bodies.iter().map(state).collect()
}

/// Adds bodies in an order; those of `joined` by the names of two.
fn run(
    bodies: &[(String, BodyDescription)],
    order: &[usize],
    joined: &[(usize, usize)],
    settings: &ContactSettings,
    steps: usize,
) -> Vec<(String, [u64; 13])> {
    let mut world = World::new();
    world.set_contact_settings(settings.clone()).unwrap();
    for nth in order {
        world.add_body(bodies[*nth].1.clone()).unwrap();
    }
    for (a, b) in joined {
        let [a, b] = [a, b].map(|nth| world.find(&bodies[*nth].0).unwrap());
        let [x, y] = [a, b].map(|body| world.body(body).unwrap().state.center_of_mass);
        let [end_a, end_b] = [a, b].map(|body| world.joint_end(body).unwrap());
        let joint = BallJoint::new(end_a, end_b, 0.5 * (x + y)).unwrap();
        world.add_joint(&format!("joint of {a:?}"), Arc::new(joint)).unwrap();
    }
    for _ in 0..steps {
        world.step(1.0 / 120.0).unwrap();
    }
    bits(&world, bodies)
}

fn assert_same_for_all_orders(
    bodies: &[(String, BodyDescription)],
    joined: &[(usize, usize)],
    settings: &ContactSettings,
    steps: usize,
) {
    let mut random = Random(7);
    let given: Vec<usize> = (0..bodies.len()).collect();
    let expected = run(bodies, &given, joined, settings, steps);
    for nth in 0..10 {
        let order = shuffled(&mut random, bodies.len());
        let found = run(bodies, &order, joined, settings, steps);
        for (one, other) in expected.iter().zip(&found) {
            assert_eq!(one, other, "order {nth} {order:?}");
        }
    }
}

#[test]
fn ten_insertion_orders_of_one_heap_give_the_same_bits() {
    for seed in 1..4 {
        let bodies = heap(&mut Random(seed), 30);
        assert_same_for_all_orders(&bodies, &[], &ContactSettings::with_tier(ContactTier::Fast), 200);
    }
}

#[test]
fn ten_insertion_orders_of_a_heap_that_is_dissected_give_the_same_bits() {
    let mut bodies = heap(&mut Random(5), 0);
    let cube: Shape = Cuboid::new(Vec3::splat(0.2)).unwrap().into();
    for k in 0..400 {
        let place = Vec3::new(0.19 * (k % 20) as f64, 0.19 * (k / 20) as f64, 0.1);
        let name = format!("cube{k}");
        let body = BodyDescription::dynamic(&name, cube.clone()).mass(1.0).position(place);
        bodies.push((name, body));
    }
    assert_same_for_all_orders(&bodies, &[], &ContactSettings::with_tier(ContactTier::Fast), 10);
}

#[test]
fn ten_insertion_orders_of_jointed_bodies_give_the_same_bits() {
    let bodies = heap(&mut Random(3), 20);
    let joined: Vec<_> = (1..20).step_by(3).map(|k| (k, k + 1)).collect();
    assert_same_for_all_orders(&bodies, &joined, &ContactSettings::with_tier(ContactTier::Fast), 200);
}

#[test]
fn ten_insertion_orders_of_islands_that_turn_soft_give_the_same_bits() {
    let bodies = heap(&mut Random(2), 16);
    let settings = ContactSettings {
        auto: AutoLimits { contacts: 1, ..AutoLimits::default() },
        ..ContactSettings::with_tier(ContactTier::Auto)
    };
    assert_same_for_all_orders(&bodies, &[], &settings, 100);
}
