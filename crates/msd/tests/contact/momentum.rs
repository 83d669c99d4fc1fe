//! The impulses that contacts declare are those that moved the bodies: their sum is the change of momentum that contact made.

use msd::environment::{BodyDescription, World};
use msd::math::{Vec3, scalar};
use msd::physics::rigid_body::shape::{Capsule, Cone, Cylinder, Shape};

use crate::lab::{Random, cuboid, hull, surface, world_with_floor};

/// Twelve bodies of several shapes that fall on the floor and over each other, with spins.
fn heap(seed: u64, restitution: f64) -> World {
    let mut random = Random(seed);
    let material = surface(0.5, restitution);
    let mut world = world_with_floor(material);
    for k in 0..12 {
        let size = random.between(0.2, 0.6);
        let shape: Shape = match k % 5 {
            0 => cuboid(size, 0.6 * size, 0.4 * size),
            1 => Capsule::new(0.3 * size, size).unwrap().into(),
            2 => Cylinder::new(0.4 * size, 0.7 * size).unwrap().into(),
            3 => Cone::new(0.5 * size, size).unwrap().into(),
            _ => {
                let corner = |_| Vec3::from_array([0; 3].map(|_| random.between(-0.5, 0.5) * size));
                hull(&(0..14).map(corner).collect::<Vec<_>>())
            }
        };
        let at = Vec3::new(0.3 * (k % 3) as f64, 0.3 * (k / 3 % 2) as f64, 0.6 + 0.5 * (k / 3) as f64);
        let body = BodyDescription::dynamic(&format!("body {k}"), shape)
            .mass(0.1 * scalar::exp(random.between(0.0, 5.0)))
            .position(at)
            .orientation(random.orientation())
            .angular_velocity(Vec3::from_array([0; 3].map(|_| random.between(-4.0, 4.0))))
            .material(material);
        world.add_body(body).unwrap();
    }
    world
}

#[test]
fn momentum_is_balanced_in_every_step_of_tumbling_bodies() {
    for (seed, restitution, dt) in [(3, 0.0, 1.0 / 60.0), (5, 0.0, 1.0 / 240.0), (7, 0.5, 1.0 / 240.0)] {
        let mut world = heap(seed, restitution);
        let mut touched = 0;
        for step in 0..(1.0 / dt) as usize {
            let report = world.step(dt).unwrap();
            touched += report.contacts.contacts;
            let momentum = report.certificate.momentum;
            assert!(momentum.value < 1e-12, "heap {seed}, step {step}: {momentum:?}");
        }
        assert!(touched > 100);
    }
}
