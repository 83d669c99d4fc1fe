//! Bugs that engines of this kind have had with contact, each as the law that keeps it out.

use super::lab::{G, ball, cube, cuboid, free_space, sound_step, state, surface, world_with_floor};
use msd::environment::{BodyDescription, World};
use msd::math::{Quat, Vec3};
use msd::physics::rigid_body::{BodyHandle, Material};

const SIXTIETH: f64 = 1.0 / 60.0;

/// A body that flies at the side of another, fixed one in free space.
fn against_wall(speed: f64, material: Material) -> (World, BodyHandle) {
    let mut world = free_space();
    world.add_body(BodyDescription::fixed("wall", cuboid(0.5, 4.0, 4.0)).material(material)).unwrap();
    let body = BodyDescription::dynamic("ball", ball(0.5)).mass(2.0).position(Vec3::X * -1.0);
    let body = world.add_body(body.velocity(Vec3::X * speed).material(material)).unwrap();
    (world, body)
}

#[test]
fn a_bounce_leaves_the_square_of_restitution_of_the_kinetic_energy() {
    for restitution in [0.1, 0.5, 0.8, 1.0] {
        let (mut world, body) = against_wall(1.0, surface(0.3, restitution));
        for _ in 0..60 {
            world.step(SIXTIETH).unwrap();
        }
        let ratio = state(&world, body).velocity.length_squared();
        assert!((ratio - restitution * restitution).abs() < 1e-12, "e = {restitution}: {ratio}");
    }
}

#[test]
fn restitution_acts_at_docking_speeds_in_free_space() {
    for speed in [1e-4, 0.01, 0.3] {
        let (mut world, body) = against_wall(speed, surface(0.0, 0.6));
        let steps = (0.5 / speed / 0.1) as usize;
        for _ in 0..steps {
            world.step(0.1).unwrap();
        }
        let v = state(&world, body).velocity.x;
        assert!((v / (-0.6 * speed) - 1.0).abs() < 1e-9, "{v} m/s from {speed} m/s");
    }
}

#[test]
fn restitution_does_not_multiply_the_gravity_of_a_step() {
    for restitution in [0.5, 0.9, 1.0] {
        for dt in [1e-3, SIXTIETH] {
            let mut world = world_with_floor(surface(0.5, restitution));
            let body = BodyDescription::dynamic("cube", cube(1.0)).mass(5.0).position(Vec3::Z * 0.5);
            let body = world.add_body(body.material(surface(0.5, restitution))).unwrap();
            for _ in 0..200 {
                sound_step(&mut world, dt, 1e-12);
                assert!(state(&world, body).velocity.length() < 1e-9);
            }
        }
    }
}

#[test]
fn position_correction_keeps_the_bits_of_velocities() {
    // Overlapping by 1 cm, drifting and turning apart together: nothing but the correction acts.
    let mut world = free_space();
    let (v, omega) = (Vec3::new(0.3, -0.2, 0.1), Vec3::ZERO);
    let bodies = [0.0, 0.99].map(|x| {
        let body = BodyDescription::dynamic(&format!("at {x}"), cube(1.0)).mass(1.0).position(Vec3::X * x);
        world.add_body(body.velocity(v).angular_velocity(omega)).unwrap()
    });
    let mut corrected = 0.0;
    for _ in 0..20 {
        let before: Vec<_> = bodies.iter().map(|body| state(&world, *body)).collect();
        corrected += world.step(0.01).unwrap().contacts.max_penetration;
        for (body, was) in bodies.iter().zip(before) {
            let now = state(&world, *body);
            assert_eq!(now.velocity.to_array().map(f64::to_bits), was.velocity.to_array().map(f64::to_bits));
            assert_eq!(now.angular_velocity, was.angular_velocity);
        }
    }
    let apart = state(&world, bodies[1]).center_of_mass.x - state(&world, bodies[0]).center_of_mass.x;
    assert!(apart > 1.0 - 1e-6 && corrected < 1.0, "{apart}");
}

#[test]
fn a_cube_sunk_into_the_floor_is_lifted_out_without_a_joule_of_motion() {
    let mut world = world_with_floor(Material::default());
    let body = BodyDescription::dynamic("cube", cube(1.0)).mass(5.0).position(Vec3::Z * 0.45);
    let body = world.add_body(body).unwrap();
    for _ in 0..100 {
        world.step(SIXTIETH).unwrap();
        assert!(state(&world, body).velocity.length() < 1e-9, "{:?}", state(&world, body));
    }
    let ledger = world.energy();
    assert!((state(&world, body).center_of_mass.z - 0.5).abs() < 1e-6);
    assert!((ledger.correction - 5.0 * G * 0.05).abs() < 1e-4, "{} J", ledger.correction);
    assert!(ledger.kinetic < 1e-15 && ledger.max_gain < 1e-9);
}

#[test]
fn ten_thousand_tonnes_bounce_and_rest_as_a_kilogram_does() {
    for mass in [1e-3, 1.0, 1e7] {
        let material = surface(0.0, 0.5);
        let mut world = world_with_floor(material);
        let body = BodyDescription::dynamic("cube", cube(1.0)).mass(mass).position(Vec3::Z * 1.5);
        let body = world.add_body(body.material(material)).unwrap();
        let steps = ((2.0_f64 / G).sqrt() * 1.5 / 1e-3) as usize;
        for _ in 0..steps {
            world.step(1e-3).unwrap();
        }
        // It fell 1 m and is on its way up with a quarter of the energy: at the height it left, m g h.
        let now = state(&world, body);
        let energy = 0.5 * now.velocity.length_squared() + G * (now.center_of_mass.z - 0.5);
        assert!((energy / (0.25 * G) - 1.0).abs() < 1e-9, "{mass} kg: {}", energy / (0.25 * G));
    }
}

#[test]
fn sliding_never_lifts_and_brakes_with_mu_g() {
    for mu in [0.2, 0.7, 1.5] {
        for azimuth in [0.0_f64, 17.0, 45.0, 90.0] {
            let mut world = world_with_floor(surface(mu, 0.0));
            let along = Quat::from_rotation_z(azimuth.to_radians()) * Vec3::X;
            let body =
                BodyDescription::dynamic("plate", cuboid(1.0, 1.0, 0.1)).mass(2.0).position(Vec3::Z * 0.05);
            let body = world.add_body(body.velocity(along * 5.0).material(surface(mu, 0.0))).unwrap();
            for step in 1..=20 {
                world.step(0.01).unwrap();
                let now = state(&world, body);
                let expected = along * (5.0 - mu * G * 0.01 * f64::from(step));
                assert!((now.velocity - expected).length() < 1e-7, "μ {mu}, {azimuth}°: {:?}", now.velocity);
                assert!(now.velocity.z.abs() < 1e-9 && now.center_of_mass.z < 0.05 + 1e-9);
            }
        }
    }
}

#[test]
fn friction_stops_and_never_reverses() {
    for (mass, speed) in [(1.0, 0.05), (1.0, 0.081), (1e6, 0.05), (1e-3, 1e-3)] {
        let mut world = world_with_floor(surface(0.5, 0.0));
        let body = BodyDescription::dynamic("box", cuboid(1.0, 1.0, 0.2)).mass(mass).position(Vec3::Z * 0.1);
        let body = world.add_body(body.velocity(Vec3::X * speed).material(surface(0.5, 0.0))).unwrap();
        for _ in 0..20 {
            world.step(SIXTIETH).unwrap();
            let v = state(&world, body).velocity;
            assert!(v.x >= -1e-9, "{mass} kg at {speed} m/s went back: {v:?}");
        }
        assert!(state(&world, body).velocity.length() < 1e-9);
    }
}

#[test]
fn no_normal_force_means_no_friction_however_light_the_touch() {
    // A ball that passes along a floor it just touches, in free space.
    let mut world = world_with_floor(surface(1.0, 0.0));
    world.set_gravity(Vec3::ZERO).unwrap();
    let body = BodyDescription::dynamic("ball", ball(0.5)).mass(1e-6).position(Vec3::Z * 0.5);
    let body = world.add_body(body.velocity(Vec3::X).material(surface(1.0, 0.0))).unwrap();
    for _ in 0..100 {
        world.step(SIXTIETH).unwrap();
    }
    let now = state(&world, body);
    assert!((now.velocity - Vec3::X).length() < 1e-12 && now.angular_velocity.length() < 1e-12, "{now:?}");
}

#[test]
fn four_coplanar_contacts_share_a_load_equally() {
    let mut world = world_with_floor(Material::default());
    world.add_body(BodyDescription::dynamic("cube", cube(1.0)).mass(5.0).position(Vec3::Z * 0.5)).unwrap();
    for _ in 0..10 {
        sound_step(&mut world, 0.016, 1e-12);
        let forces: Vec<f64> = world.contacts().map(|contact| contact.normal_force).collect();
        assert_eq!(forces.len(), 4);
        assert!(forces.iter().all(|force| (force - 5.0 * G / 4.0).abs() < 1e-9), "{forces:?}");
    }
}

#[test]
fn a_static_floor_joins_no_islands() {
    // One hundred boxes on one floor cost one hundred times one: each is an island, and none needs more work than one alone.
    let build = |count: usize| {
        let mut world = world_with_floor(Material::default());
        for i in 0..count {
            let at = Vec3::new(2.0 * (i % 10) as f64, 2.0 * (i / 10) as f64, 0.5);
            let body = BodyDescription::dynamic(&format!("box {i}"), cube(1.0)).mass(1.0).position(at);
            world.add_body(body.velocity(Vec3::X)).unwrap();
        }
        world
    };
    let (mut one, mut many) = (build(1), build(100));
    for _ in 0..30 {
        let (alone, together) = (one.step(0.01).unwrap().contacts, many.step(0.01).unwrap().contacts);
        assert_eq!(together.islands, 100 * alone.islands);
        assert_eq!(together.contacts, 100 * alone.contacts);
        assert!(together.iterations <= alone.iterations + 2, "{alone:?} {together:?}");
    }
}
