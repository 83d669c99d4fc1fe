//! A thousand worlds at once: how far a sliding block gets, against friction.
//!
//! A block that slides on a floor with friction μ from velocity v stops after `v²/(2 μ g)`. Each world has its own μ; all are run
//! on all cores, and the worst difference from the formula is printed.

use msd::environment::batch;
use msd::math::scalar;
use msd::prelude::*;
use msd::threads::Threads;

const SPEED: f64 = 2.0;
const WORLDS: usize = 1000;

fn friction(index: usize) -> f64 {
    0.2 + 0.6 * index as f64 / WORLDS as f64
}

fn sliding_block(index: usize) -> Result<World, Box<dyn std::error::Error>> {
    let mut world = World::new();
    world.set_dt(0.01)?;
    let rough = Material { friction: friction(index), ..Material::default() };
    let floor = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0)?);
    world.add_body(BodyDescription::fixed("floor", floor).material(rough))?;
    let flat = Shape::Box(Cuboid::new(Vec3::new(1.0, 1.0, 0.2))?);
    let block = BodyDescription::dynamic("block", flat).mass(1.0).material(rough);
    world.add_body(block.position(Vec3::Z * 0.1).velocity(Vec3::X * SPEED))?;
    Ok(world)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut worlds = (0..WORLDS).map(sliding_block).collect::<Result<Vec<_>, _>>()?;
    let threads = Threads::new(0)?;
    let reports = batch::run_all(&threads, &mut worlds, 1.2);
    let mut worst: f64 = 0.0;
    for (index, (world, report)) in worlds.iter().zip(reports).enumerate() {
        report?;
        let block = world.find("block").ok_or("the block is gone")?;
        let expected = SPEED * SPEED / (2.0 * friction(index) * 9.81);
        worst = scalar::max(worst, (world.frame(block)?.position.x - expected).abs());
    }
    println!("{WORLDS} worlds on {} threads, worst difference from v²/(2μg): {worst:.1e} m", threads.count());
    Ok(())
}
