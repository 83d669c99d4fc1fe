//! Many worlds at once give the same results as each alone.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use msd::environment::{BodyDescription, World, batch};
use msd::math::Vec3;
use msd::physics::rigid_body::shape::{Cuboid, HalfSpace, Sphere};
use msd::threads::Threads;

fn tower(index: usize) -> World {
    let mut world = World::new();
    world.set_dt(0.01).unwrap();
    world.add_body(BodyDescription::fixed("floor", HalfSpace::new(Vec3::Z, 0.0).unwrap())).unwrap();
    for layer in 0..3 {
        let cube = Cuboid::new(Vec3::splat(0.5)).unwrap();
        let body = BodyDescription::dynamic(&format!("{layer}"), cube).mass(1.0);
        world.add_body(body.position(Vec3::Z * (0.25 + 0.5 * f64::from(layer)))).unwrap();
    }
    let ball = BodyDescription::dynamic("ball", Sphere::new(0.2).unwrap()).mass(2.0);
    let velocity = Vec3::X * (2.0 + 0.1 * index as f64);
    world.add_body(ball.position(Vec3::new(-1.0, 0.0, 0.9)).velocity(velocity)).unwrap();
    world
}

#[test]
fn worlds_of_a_batch_have_the_bits_of_worlds_alone() {
    let mut alone: Vec<World> = (0..20).map(tower).collect();
    for world in &mut alone {
        for _ in 0..50 {
            world.step(0.01).unwrap();
        }
    }
    for count in [1, 2, 4] {
        let threads = Threads::new(count).unwrap();
        let mut worlds: Vec<World> = (0..20).map(tower).collect();
        for _ in 0..20 {
            assert!(batch::step_all(&threads, &mut worlds, 0.01).iter().all(Result::is_ok));
        }
        assert!(batch::run_all(&threads, &mut worlds, 0.3).iter().all(Result::is_ok));
        for (one, other) in alone.iter().zip(&worlds) {
            assert_eq!(one.state_hash(), other.state_hash());
        }
        let times = batch::for_each_world(&threads, &mut worlds, |index, world| (index, world.steps()));
        assert!(times.iter().enumerate().all(|(index, told)| *told == (index, 50)));
    }
}

#[test]
fn a_world_that_fails_does_not_hold_up_the_others() {
    let mut worlds: Vec<World> = (0..5).map(tower).collect();
    let ball = worlds[2].find("ball").unwrap();
    worlds[2].apply_force(ball, Vec3::X * 1e200).unwrap();
    let reports = batch::step_all(&Threads::new(2).unwrap(), &mut worlds, 0.01);
    let failed: Vec<usize> = (0..5).filter(|index| reports[*index].is_err()).collect();
    assert_eq!(failed, [2]);
    assert!(worlds.iter().enumerate().all(|(index, world)| world.steps() == u64::from(index != 2)));
}
