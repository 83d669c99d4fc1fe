//! Cost of recording, and speed of reading recordings, on this machine:
//!
//! ```text
//! cargo run --release -p msd-recording --example measure [FOLDER [costs|pace|reading]]
//! ```

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use msd::environment::{BodyDescription, StepReport, World};
use msd::math::Vec3;
use msd::physics::rigid_body::shape::{Cuboid, HalfSpace, Shape};
use msd_recording::{RecordOptions, Recorder, Recording};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let path = Path::new(&folder).join("measure.msdr");
    let part = std::env::args().nth(2);
    let wanted = |name: &str| part.as_deref().is_none_or(|part| part == name);
    if wanted("costs") {
        costs(&path)?;
    }
    if wanted("pace") {
        println!("in real time, a step each millisecond:");
        real_time(&path, &tumbling(100)?)?;
        real_time(&path, &towers(20)?)?;
    }
    if wanted("reading") {
        large(&path)?;
    }
    std::fs::remove_file(&path)?;
    Ok(())
}

/// Cost of recording for runs of several kinds.
fn costs(path: &Path) -> Result<(), Box<dyn Error>> {
    for every in [None, Some(0.01)] {
        println!("boxes that tumble freely:");
        cost(path, &tumbling(100)?, 20_000, every)?;
        println!("towers of five boxes:");
        cost(path, &towers(20)?, 4_000, every)?;
        println!("boxes that fall into a heap:");
        cost(path, &heap(4)?, 200, every)?;
    }
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

/// Boxes that fall into a heap, turning.
fn heap(layers: usize) -> Result<World, Box<dyn Error>> {
    let mut world = World::new();
    let floor = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0)?);
    world.add_body(BodyDescription::fixed("floor", floor))?;
    let shape = Shape::Box(Cuboid::new(Vec3::splat(0.2))?);
    for i in 0..25 * layers {
        let (layer, row, column) = (i / 25, i / 5 % 5, i % 5);
        let position = Vec3::new(column as f64, row as f64, layer as f64 + 0.6) * 0.25;
        let turning = Vec3::new(1.0 + column as f64, row as f64 - 2.0, layer as f64);
        let body = BodyDescription::dynamic(&format!("box{i}"), shape.clone()).mass(1.0);
        world.add_body(body.position(position).angular_velocity(turning))?;
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

/// Times of one run: by the clock, and that the stepping thread computed, s.
type Times = [f64; 2];

/// How often a run is repeated without and with a recording, alternating.
const REPETITIONS: usize = 15;

/// What recording adds to a run of `steps` steps of 1 ms. On a machine that does other things too, the time that the
/// stepping thread computed says more than the clock, and the median of neighbouring runs more than either.
fn cost(path: &Path, world: &World, steps: u64, every: Option<f64>) -> Result<(), Box<dyn Error>> {
    let (mut plain, mut recorded): (Vec<Times>, Vec<Times>) = (Vec::new(), Vec::new());
    for _ in 0..REPETITIONS {
        plain.push(run(&mut world.clone(), steps, |_, _| Ok(()))?);
        let mut world = world.clone();
        let mut options = RecordOptions::new().replace(true);
        if let Some(every) = every {
            options = options.every(every);
        }
        let mut recorder = Recorder::create(path, &world, &options)?;
        recorded.push(run(&mut world, steps, |world, step| Ok(recorder.observe(world, step, [].iter())?))?);
        recorder.finish(&world, "done", None, None)?;
    }
    let frames = every.map_or("every step".to_owned(), |every| format!("every {every} s"));
    println!("{} bodies, {steps} steps of 1 ms, recorded {frames}; a step takes", world.all_bodies().len());
    for (i, what) in ["by the clock", "computing"].into_iter().enumerate() {
        let each =
            |times: &[Times]| median(times.iter().map(|times| 1e6 * times[i] / steps as f64).collect());
        let ratio = median(plain.iter().zip(&recorded).map(|(plain, with)| with[i] / plain[i]).collect());
        let (without, with) = (each(&plain), each(&recorded));
        println!("  {what:<12} {without:.1} us, recorded {with:.1} us: {:+.1} %", 100.0 * (ratio - 1.0));
    }
    Ok(())
}

/// A run at 1 kHz by the clock: what the stepping thread computes in each millisecond.
fn real_time(path: &Path, world: &World) -> Result<(), Box<dyn Error>> {
    let steps = 400;
    let (mut plain, mut recorded) = (Vec::new(), Vec::new());
    let pace = |began: Instant, step: u64| {
        let due = Duration::from_millis(step);
        std::thread::sleep(due.saturating_sub(began.elapsed()));
    };
    for _ in 0..25 {
        let began = Instant::now();
        let [_, time] = run(&mut world.clone(), steps, |_, step| {
            pace(began, step.step);
            Ok(())
        })?;
        plain.push(time);
        let mut world = world.clone();
        let mut recorder = Recorder::create(path, &world, &RecordOptions::new().replace(true))?;
        let began = Instant::now();
        let [_, time] = run(&mut world, steps, |world, step| {
            recorder.observe(world, step, [].iter())?;
            pace(began, step.step);
            Ok(())
        })?;
        recorded.push(time);
        recorder.finish(&world, "done", None, None)?;
    }
    // Neighbouring runs are compared: the machine is not as fast now as it was a second ago.
    let added = plain.iter().zip(&recorded).map(|(without, with)| with - without).collect();
    let each = |times: Vec<f64>| 1e6 * median(times) / steps as f64;
    let (without, added) = (each(plain), each(added));
    println!(
        "  computing {without:.1} us of each ms, recorded {added:+.1} us: {:+.1} %",
        100.0 * added / without
    );
    Ok(())
}

fn run(
    world: &mut World,
    steps: u64,
    mut after: impl FnMut(&World, &StepReport) -> Result<(), Box<dyn Error>>,
) -> Result<Times, Box<dyn Error>> {
    let (began, computed) = (Instant::now(), computed());
    for _ in 0..steps {
        let step = world.step(0.001)?;
        after(world, &step)?;
    }
    Ok([began.elapsed().as_secs_f64(), self::computed() - computed])
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
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
