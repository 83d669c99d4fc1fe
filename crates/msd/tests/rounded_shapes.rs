//! Bodies with rounded edges: they rest on faces, roll over edges without losing energy, stand in stacks.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use msd::environment::{BodyDescription, World};
use msd::math::{Quat, Vec3, scalar};
use msd::physics::rigid_body::Material;
use msd::physics::rigid_body::shape::{ConvexHull, Cuboid, Cylinder, Geometry, HalfSpace, Rounded, Shape};

const G: f64 = 9.81;

fn surface(friction: f64) -> Material {
    Material { friction, restitution: 0.0, ..Material::default() }
}

fn world(floor: impl Into<Shape>, at: Vec3) -> World {
    let mut world = World::new();
    world.set_gravity(Vec3::Z * -G).unwrap();
    world.add_body(BodyDescription::fixed("floor", floor).position(at).material(surface(1.0))).unwrap();
    world
}

fn cube(edge: f64, margin: f64) -> Rounded {
    Rounded::new(Cuboid::new(Vec3::splat(edge - 2.0 * margin)).unwrap(), margin).unwrap()
}

#[test]
fn stacks_of_rounded_bodies_rest_on_planes_and_slabs() {
    let corner =
        |k: u32| Vec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2)) - Vec3::splat(0.5);
    let corners: Vec<Vec3> = (0..8).map(|k| corner(k) * 0.8).collect();
    let shapes: [Shape; 3] = [
        cube(1.0, 0.1).into(),
        Rounded::new(Cylinder::new(0.4, 0.8).unwrap(), 0.1).unwrap().into(),
        Rounded::new(ConvexHull::from_points(&corners).unwrap(), 0.1).unwrap().into(),
    ];
    let slab = Cuboid::new(Vec3::new(8.0, 8.0, 1.0)).unwrap();
    for shape in &shapes {
        let floors = [
            world(HalfSpace::new(Vec3::Z, 0.0).unwrap(), Vec3::ZERO),
            world(slab, Vec3::Z * -0.5),
            world(Rounded::new(slab, 0.2).unwrap(), Vec3::Z * -0.7),
        ];
        for mut world in floors {
            let bodies: Vec<_> = (0..4)
                .map(|k| {
                    let body = BodyDescription::dynamic(&format!("{k}"), shape.clone()).mass(2.0);
                    let place = Vec3::new(0.01 * f64::from(k), 0.0, 0.5 + f64::from(k));
                    world.add_body(body.position(place).material(surface(0.6))).unwrap()
                })
                .collect();
            for _ in 0..200 {
                let report = world.step(5e-3).unwrap();
                assert!(
                    report.certificate.is_certified(),
                    "{}: {:?}",
                    shape.type_name(),
                    report.certificate.failure()
                );
            }
            for (k, body) in bodies.iter().enumerate() {
                let place = world.frame(*body).unwrap().position;
                assert!((place.z - 0.5 - k as f64).abs() < 1e-8, "{k}: {place}");
            }
            let weight: f64 = world
                .contacts()
                .filter(|c| {
                    c.body_a == world.find("floor").unwrap() || c.body_b == world.find("floor").unwrap()
                })
                .map(|c| c.force().z.abs())
                .sum();
            assert!((weight - 8.0 * G).abs() < 1e-7, "{weight}");
        }
    }
}

/// A rounded cube tips over its edge. While it rolls on the arc of the edge, which has the radius r, without slip, its height is that of the
/// centre of the arc and its energy is conserved: `½ (I + m ρ²) ω² + m g z`, ρ the distance of the centre from the contact.
#[test]
fn a_rounded_cube_rolls_over_its_edge_and_keeps_its_energy() {
    for (margin, dt) in [(0.05, 1e-3), (0.2, 1e-3), (0.2, 2.5e-4)] {
        let mut world = world(HalfSpace::new(Vec3::Z, 0.0).unwrap(), Vec3::ZERO);
        // Just beyond the balance on the edge: 45° and a little.
        let start = std::f64::consts::FRAC_PI_4 + 0.05;
        let core = 0.5 - margin;
        let low = core * (scalar::cos(start) + scalar::sin(start));
        let shape = cube(1.0, margin);
        let body = BodyDescription::dynamic("die", shape).mass(3.0).material(surface(5.0));
        let body = body.position(Vec3::Z * (low + margin)).orientation(Quat::from_rotation_y(start));
        let die = world.add_body(body).unwrap();
        let before = world.energy().total();
        let mut turned = 0.0;
        for _ in 0..(0.5 / dt) as u32 {
            let report = world.step(dt).unwrap();
            assert!(report.certificate.is_certified(), "{:?}", report.certificate.failure());
            let up = world.frame(die).unwrap().orientation * Vec3::Z;
            turned = scalar::atan2(up.x, up.z);
        }
        assert!(turned > start + 0.05 && turned < std::f64::consts::FRAC_PI_2, "still on the edge: {turned}");
        let after = world.energy();
        assert!((after.total() - before).abs() < 20.0 * dt * dt * before, "{before} {}", after.total());
        // Height of the centre by geometry.
        let z = world.frame(die).unwrap().position.z;
        let expected = core * (scalar::cos(turned) + scalar::sin(turned)) + margin;
        assert!((z - expected).abs() < 1e-8, "{z} {expected}");
    }
}

#[test]
fn rays_hit_rounded_edges_where_the_distance_is_zero() {
    let shape: Shape = cube(1.0, 0.2).into();
    for k in 0..500 {
        let t = f64::from(k);
        let direction =
            Vec3::new(scalar::sin(1.3 * t), scalar::cos(2.1 * t + 0.3), scalar::sin(0.7 * t - 1.0))
                .normalize();
        let aside = direction.any_orthonormal_vector() * (0.6 * scalar::sin(3.7 * t));
        for distance in [2.0, 1e4] {
            let ray =
                msd::physics::rigid_body::shape::Ray::new(aside - direction * distance, direction).unwrap();
            let closest = (0..20_000)
                .map(|i| shape.signed_distance(aside + direction * (1e-4 * f64::from(i) - 1.0)))
                .fold(f64::INFINITY, scalar::min);
            match shape.cast_ray(&ray, 2e4) {
                Some(hit) => {
                    let place = ray.at(hit.distance);
                    assert!(shape.signed_distance(place).abs() < 1e-11, "{k}: {place}");
                    assert!(shape.signed_distance(place + hit.normal * 0.01) > 0.01 - 1e-9);
                    assert!(hit.distance <= distance + 1.0 && closest < 1e-8, "{k}: {closest}");
                }
                None => assert!(closest > -1e-7, "{k}: a ray {closest} deep misses"),
            }
        }
    }
}
