//! Contact far out and fast: docking in orbit, bullets and spinning rods against thin walls.

use std::sync::Arc;

use super::lab::{ball, cuboid, free_space, hull, state, surface};
use msd::environment::{BodyDescription, World};
use msd::math::{Quat, Vec3};
use msd::physics::forces::PointGravity;
use msd::physics::rigid_body::BodyHandle;

const MU: f64 = 3.986_004_418e14;
const RADIUS: f64 = 7.0e6;

/// A nose cone (a frustum of eight sides) and a box, closing at 5 cm/s off axis, about a place that moves.
fn craft(world: &mut World, at: Vec3, moving: Vec3) -> [BodyHandle; 2] {
    let material = surface(0.2, 0.3);
    let ring = |x: f64, r: f64| {
        (0..8).map(move |k| {
            let angle = std::f64::consts::FRAC_PI_4 * f64::from(k);
            Vec3::new(x, r * angle.cos(), r * angle.sin())
        })
    };
    let nose: Vec<_> = ring(-1.5, 1.0).chain(ring(1.0, 1.0)).chain(ring(1.5, 0.5)).collect();
    let chaser = BodyDescription::dynamic("chaser", hull(&nose))
        .mass(2000.0)
        .position(at + Vec3::new(-1.51, 0.3, 0.1))
        .orientation(Quat::from_rotation_z(0.02))
        .velocity(moving + Vec3::new(0.05, 0.01, -0.004))
        .angular_velocity(Vec3::new(0.0, 0.002, -0.001));
    let station = BodyDescription::dynamic("station", cuboid(4.0, 5.0, 6.0))
        .mass(20000.0)
        .position(at + Vec3::X * 2.0)
        .velocity(moving);
    [chaser, station].map(|body| world.add_body(body.material(material)).unwrap())
}

#[test]
fn docking_in_orbit_is_docking_at_the_origin_but_for_the_tide() {
    let speed = (MU / RADIUS).sqrt();
    assert!((speed - 7546.0).abs() < 1.0, "{speed} m/s");
    let (mut orbit, mut origin, mut apart) = (free_space(), free_space(), free_space());
    for world in [&mut orbit, &mut apart] {
        world.add_field(Arc::new(PointGravity::new(MU, Vec3::ZERO).unwrap())).unwrap();
    }
    // Along the orbit the tide is weakest: the craft meet one behind the other.
    let (at, moving) = (Vec3::Y * -RADIUS, Vec3::X * speed);
    let pairs = [craft(&mut orbit, at, moving), craft(&mut origin, Vec3::ZERO, Vec3::ZERO)];
    // The same two in orbit, passing through each other, show the tide; and at the origin they fly straight.
    let ghosts = craft(&mut apart, at, moving);
    apart.set_collision(ghosts[0], ghosts[1], false).unwrap();
    let between = |world: &World, [a, b]: [BodyHandle; 2]| {
        state(world, a).center_of_mass - state(world, b).center_of_mass
    };
    let straight = between(&origin, pairs[1]);
    let closing = state(&origin, pairs[1][0]).velocity - state(&origin, pairs[1][1]).velocity;
    let (mut touched, mut worst): (usize, f64) = (0, 0.0);
    let dt = 0.01;
    for step in 1..=200 {
        for world in [&mut orbit, &mut origin, &mut apart] {
            world.step(dt).unwrap();
        }
        touched += usize::from(origin.contacts().count() > 0);
        assert_eq!(origin.contacts().count() > 0, orbit.contacts().count() > 0, "step {step}");
        let tide = between(&apart, ghosts) - (straight + closing * (dt * f64::from(step)));
        let off = between(&orbit, pairs[0]) - tide - between(&origin, pairs[1]);
        worst = worst.max(off.length());
    }
    assert!(touched > 0, "they met");
    let rebound = state(&origin, pairs[1][0]).velocity - state(&origin, pairs[1][1]).velocity;
    assert!(rebound.x < 0.0, "and part: {rebound:?}");
    assert!(worst < 1e-6, "{worst:e} m");
    let [a, b] = [(&orbit, pairs[0]), (&origin, pairs[1])].map(|(world, pair)| state(world, pair[0]));
    assert!((a.angular_velocity - b.angular_velocity).length() < 1e-6);
}

#[test]
fn a_bullet_does_not_pass_a_thin_wall() {
    for restitution in [0.0, 0.5] {
        let mut world = free_space();
        let material = surface(0.0, restitution);
        world.add_body(BodyDescription::fixed("wall", cuboid(0.01, 2.0, 2.0)).material(material)).unwrap();
        let bullet =
            BodyDescription::dynamic("bullet", ball(0.005)).mass(0.01).position(Vec3::new(-5.0, 0.1, 0.1));
        let bullet = world.add_body(bullet.velocity(Vec3::X * 1000.0).material(material)).unwrap();
        for _ in 0..10 {
            world.step(1.0 / 60.0).unwrap();
        }
        let now = state(&world, bullet);
        assert!(now.center_of_mass.x <= -0.01 + 1e-8, "{now:?}");
        assert!((now.velocity.x + restitution * 1000.0).abs() < 1e-6, "{now:?}");
    }
}

#[test]
fn a_fast_spinning_rod_does_not_pass_a_thin_wall() {
    // Its ends move at 50 m/s and turn by 95° in a step.
    for start in [0.0, 0.3, 1.0] {
        let mut world = free_space();
        world.add_body(BodyDescription::fixed("wall", cuboid(0.01, 4.0, 4.0))).unwrap();
        let rod = BodyDescription::dynamic("rod", cuboid(1.0, 0.02, 0.02))
            .mass(1.0)
            .position(Vec3::X * -0.52)
            .orientation(Quat::from_rotation_z(start))
            .velocity(Vec3::X * 1.0)
            .angular_velocity(Vec3::Z * 100.0);
        let rod = world.add_body(rod).unwrap();
        for _ in 0..60 {
            world.step(1.0 / 60.0).unwrap();
            let now = state(&world, rod);
            for end in [-0.5, 0.5] {
                let tip = now.center_of_mass + now.orientation * (Vec3::X * end);
                assert!(tip.x < 0.0, "tip at {tip:?} after {} s", world.time());
            }
        }
    }
}
