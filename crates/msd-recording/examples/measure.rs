//! What recording costs and how fast recordings are read, on this machine:
//!
//! ```text
//! cargo run --release -p msd-recording --example measure [FOLDER]
//! ```

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use msd::environment::{BodyDescription, World};
use msd::math::Vec3;
use msd::physics::rigid_body::shape::{Cuboid, HalfSpace, Shape};
use msd_recording::{RecordOptions, Recorder, Recording};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let path = Path::new(&folder).join("measure.msdr");
    println!("boxes that tumble freely:");
    cost(&path, &tumbling(100)?, 5_000)?;
    println!("towers of five boxes:");
    cost(&path, &towers(20)?, 1_000)?;
    large(&path)?;
    std::fs::remove_file(&path)?;
    Ok(())
}

/// Boxes that tumble freely.
fn tumbling(count: usize) -> Result<World, Box<dyn Error>> {
    let mut world = World::new();
    let shape = Shape::Box(Cuboid::new(Vec3::new(0.1, 0.2, 0.3))?);
    for i in 0..count {
        let body = BodyDescription::dynamic(&format!("box{i}"), shape.clone())
            .mass(1.0)
            .position(Vec3::new(i as f64, 0.0, 0.0))
            .angular_velocity(Vec3::new(1.0, 0.1, 0.2));
        world.add_body(body)?;
    }
    Ok(world)
}

/// Boxes that stand on each other, five high.
fn towers(count: usize) -> Result<World, Box<dyn Error>> {
    let mut world = World::new();
    let floor = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0)?);
    world.add_body(BodyDescription::fixed("floor", floor))?;
    let shape = Shape::Box(Cuboid::new(Vec3::splat(0.2))?);
    for tower in 0..count {
        for level in 0..5 {
            let position = Vec3::new(tower as f64, 0.0, 0.1 + 0.2 * f64::from(level));
            let body = BodyDescription::dynamic(&format!("box{tower}-{level}"), shape.clone());
            world.add_body(body.mass(1.0).position(position))?;
        }
    }
    Ok(world)
}

/// Time of a run of `steps` steps of 1 ms, without and with a recording of every step, alternating. On a machine that
/// does other things too, the time that the stepping thread computed says more than the clock.
fn cost(path: &Path, world: &World, steps: u64) -> Result<(), Box<dyn Error>> {
    let mut best = [f64::INFINITY; 4];
    let mut keep = |at: usize, value: f64| best[at] = best[at].min(value);
    for _ in 0..5 {
        let mut plain = world.clone();
        let (began, computed) = (Instant::now(), computed());
        for _ in 0..steps {
            plain.step(0.001)?;
        }
        keep(0, began.elapsed().as_secs_f64());
        keep(1, self::computed() - computed);
        let mut recorded = world.clone();
        let mut recorder = Recorder::create(path, &recorded, &RecordOptions::new().replace(true))?;
        let (began, computed) = (Instant::now(), self::computed());
        for _ in 0..steps {
            let step = recorded.step(0.001)?;
            recorder.observe(&recorded, &step, [].iter())?;
        }
        keep(2, began.elapsed().as_secs_f64());
        keep(3, self::computed() - computed);
        recorder.finish(&recorded, "done", None, None)?;
    }
    let bodies = world.all_bodies().len();
    let percent = |with: f64, without: f64| 100.0 * (with / without - 1.0);
    let micro = |seconds: f64| 1e6 * seconds / steps as f64;
    println!("{bodies} bodies, {steps} steps, every step recorded; a step takes");
    println!(
        "  by the clock  {:.1} us, recorded {:.1} us: {:+.1} %",
        micro(best[0]),
        micro(best[2]),
        percent(best[2], best[0])
    );
    println!(
        "  computing     {:.1} us, recorded {:.1} us: {:+.1} %",
        micro(best[1]),
        micro(best[3]),
        percent(best[3], best[1])
    );
    Ok(())
}

/// Seconds that this thread has computed so far (Linux; elsewhere 0).
fn computed() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ')
        .next()
        .and_then(|first| first.parse::<f64>().ok())
        .map_or(0.0, |nanoseconds| 1e-9 * nanoseconds)
}

/// 1 000 bodies, 10 000 frames.
fn large(path: &Path) -> Result<(), Box<dyn Error>> {
    let mut world = tumbling(1000)?;
    let began = Instant::now();
    let mut recorder = Recorder::create(path, &world, &RecordOptions::new().replace(true))?;
    for _ in 1..10_000 {
        let step = world.step(0.001)?;
        recorder.observe(&world, &step, [].iter())?;
    }
    let finished = recorder.finish(&world, "done", None, None)?;
    let per_state = finished.bytes as f64 / (1000.0 * finished.frames as f64);
    println!(
        "1000 bodies, {} frames: written in {:.2} s, {} bytes, {per_state:.2} bytes a body and frame",
        finished.frames,
        began.elapsed().as_secs_f64(),
        finished.bytes
    );
    let began = Instant::now();
    let recording = Recording::open(path)?;
    println!("open: {:.2} ms", 1e3 * began.elapsed().as_secs_f64());
    let mut worst_frame = 0.0_f64;
    let mut sum = 0.0;
    for i in 0..100_u64 {
        let began = Instant::now();
        let frame = recording.frame((i * 7919) % recording.frames())?;
        let taken = began.elapsed().as_secs_f64();
        sum += taken;
        worst_frame = worst_frame.max(taken);
        assert_eq!(frame.states.len(), 1000);
    }
    println!("one frame at random: mean {:.2} ms, worst {:.2} ms", 10.0 * sum, 1e3 * worst_frame);
    let began = Instant::now();
    for i in 0..1000 {
        recording.frame(5000 + i)?;
    }
    println!("frames in order: {:.3} ms each", began.elapsed().as_secs_f64());
    let (mut worst_history, mut sum) = (0.0_f64, 0.0);
    for i in 0..20 {
        let began = Instant::now();
        let history = recording.history((i * 37) % 1000)?;
        let taken = began.elapsed().as_secs_f64();
        sum += taken;
        worst_history = worst_history.max(taken);
        assert_eq!(history.len() as u64, recording.frames());
    }
    println!("history of one body: mean {:.1} ms, worst {:.1} ms", 50.0 * sum, 1e3 * worst_history);
    let began = Instant::now();
    recording.summaries()?;
    println!("energies of all frames: {:.1} ms", 1e3 * began.elapsed().as_secs_f64());
    let began = Instant::now();
    assert!(recording.check_seal()?.is_empty());
    println!("seal of the whole file: {:.2} s", began.elapsed().as_secs_f64());
    let began = Instant::now();
    assert!(recording.check()?.is_empty());
    println!("full check: {:.2} s", began.elapsed().as_secs_f64());
    Ok(())
}
