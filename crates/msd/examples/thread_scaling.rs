//! Speed-up by threads: time a step on one thread and on more, the worlds in turn, the least of several rounds.
//!
//! `cargo run --release --example thread_scaling -- 2` compares one thread with two.

use std::time::Instant;

use msd::environment::{ContactSettings, ContactTier, batch};
use msd::prelude::*;
use msd::threads::Threads;

const DT: f64 = 1.0 / 60.0;
const ROUNDS: usize = 60;

type Failure = Box<dyn std::error::Error>;

fn cube(edge: f64) -> Result<Shape, Failure> {
    Ok(Shape::Box(Cuboid::new(Vec3::splat(edge))?))
}

fn on_a_floor() -> Result<World, Failure> {
    let mut world = World::new();
    world.add_body(BodyDescription::fixed("floor", Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0)?)))?;
    Ok(world)
}

/// Towers of four that stand apart, each a little out of line.
fn towers(count: usize) -> Result<World, Failure> {
    let mut world = on_a_floor()?;
    for k in 0..count {
        let foot = Vec3::new(2.0 * (k % 20) as f64, 2.0 * (k / 20) as f64, 0.0);
        for layer in 0..4 {
            let shift = Vec3::X * (0.03 * f64::from(layer % 2));
            let body = BodyDescription::dynamic(&format!("{k} {layer}"), cube(0.5)?).mass(1.0);
            world.add_body(body.position(foot + shift + Vec3::Z * (0.3 + 0.6 * f64::from(layer))))?;
        }
    }
    Ok(world)
}

fn pyramid(rows: usize) -> Result<World, Failure> {
    let mut world = on_a_floor()?;
    for row in 0..rows {
        for k in 0..rows - row {
            let x = 1.1 * (k as f64 - 0.5 * (rows - row) as f64);
            let body = BodyDescription::dynamic(&format!("{row} {k}"), cube(1.0)?).mass(10.0);
            world.add_body(body.position(Vec3::new(x, 0.0, 0.5 + row as f64)))?;
        }
    }
    Ok(world)
}

fn free(count: usize) -> Result<World, Failure> {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO)?;
    for k in 0..count {
        let place = Vec3::new((k % 22) as f64, (k / 22 % 22) as f64, (k / 484) as f64) * 3.0;
        let brick = Shape::Box(Cuboid::new(Vec3::new(0.3, 0.5, 0.7))?);
        let body = BodyDescription::dynamic(&format!("{k}"), brick).mass(10.0).position(place);
        world.add_body(body.velocity(place * 0.02).angular_velocity(Vec3::new(1.0, 0.3, 0.1)))?;
    }
    Ok(world)
}

fn fast(mut world: World) -> World {
    world.set_contact_settings(ContactSettings::with_tier(ContactTier::Fast)).expect("the defaults");
    world
}

/// Least time of `work` over the rounds for each of the two, taking turns, s.
fn compare(mut work: impl FnMut(usize) -> Result<(), Failure>) -> Result<[f64; 2], Failure> {
    let mut least = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        for (which, least) in least.iter_mut().enumerate() {
            let clock = Instant::now();
            work(which)?;
            *least = msd::math::scalar::min(*least, clock.elapsed().as_secs_f64());
        }
    }
    Ok(least)
}

fn report(name: &str, [one, many]: [f64; 2], per: usize) {
    let (a, b) = (1e6 * one / per as f64, 1e6 * many / per as f64);
    println!("{name:40} {a:10.1} µs {b:10.1} µs   {:.2} ×", one / many);
}

fn main() -> Result<(), Failure> {
    let count = std::env::args().nth(1).map_or(Ok(2), |text| text.parse())?;
    let threads = Threads::new(count)?;
    println!("{:40} {:>13} {:>10} threads", "time a step", "one thread", count);
    for (name, world, settle, steps) in [
        ("200 towers of four, exact, falling", towers(200)?, 10, 1),
        ("200 towers of four, exact, at rest", towers(200)?, 90, 3),
        ("200 towers of four, fast, at rest", fast(towers(200)?), 90, 3),
        ("pyramid of 20 rows, exact, at rest", pyramid(20)?, 30, 3),
        ("pyramid of 20 rows, fast, at rest", fast(pyramid(20)?), 30, 3),
        ("10 000 free bodies", free(10_000)?, 5, 1),
        ("tower of four alone", towers(1)?, 60, 200),
    ] {
        let mut worlds = [world.clone(), world];
        worlds[1].set_threads(threads.clone());
        for world in &mut worlds {
            for _ in 0..settle {
                world.step(DT)?;
            }
        }
        let least = compare(|which| {
            for _ in 0..steps {
                worlds[which].step(DT)?;
            }
            Ok(())
        })?;
        report(name, least, steps);
        assert_eq!(worlds[0].state_hash(), worlds[1].state_hash());
    }
    let one = towers(1)?;
    let mut worlds = [vec![one.clone(); 1000], vec![one; 1000]];
    let alone = Threads::one();
    let least = compare(|which| {
        let threads = if which == 0 { &alone } else { &threads };
        batch::step_all(threads, &mut worlds[which], DT).into_iter().try_for_each(|step| step.map(drop))?;
        Ok(())
    })?;
    report("1 000 worlds of one tower, a world", least, 1000);
    Ok(())
}
