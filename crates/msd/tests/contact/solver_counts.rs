//! Counts of the exact contact solver on piles that fall: problems, factorisations and sweeps a step, and steps that are not
//! certified. Counts do not depend on the machine; the ignored test prints them with the time a step.

use super::lab::{Random, cube, cuboid, hull, surface, world_with_floor};
use msd::environment::{BodyDescription, World};
use msd::math::{Coordinate, Vec3};
use msd::physics::rigid_body::shape::{Cylinder, Shape};

/// The shapes of a pile.
#[derive(Clone, Copy, Debug)]
enum Piece {
    Cube,
    Hull,
    Cylinder,
}

impl Piece {
    /// Half a metre across; a hull has 14 corners of its own.
    fn shape(self, random: &mut Random) -> Shape {
        match self {
            Self::Cube => cube(0.5),
            Self::Cylinder => Cylinder::new(0.25, 0.5).unwrap().into(),
            Self::Hull => {
                let points: Vec<Coordinate> =
                    (0..14).map(|_| random.orientation() * (Vec3::X * random.between(0.25, 0.3))).collect();
                hull(&points)
            }
        }
    }
}

/// Bodies of 12.5 kg, turned at random, in layers above a square pit.
fn pile(piece: Piece, count: usize) -> World {
    let rough = surface(0.5, 0.0);
    let mut world = world_with_floor(rough);
    let side = if count > 100 { 5 } else { 3 };
    let inner = 0.95 * side as f64;
    let offset = 0.5 * inner + 0.5;
    for (name, at) in [("east", Vec3::X), ("west", -Vec3::X), ("north", Vec3::Y), ("south", -Vec3::Y)] {
        let across = Vec3::ONE - at.abs();
        let size = at.abs() + Vec3::new(across.x, across.y, 0.0) * (inner + 2.0) + Vec3::Z * 20.0;
        let wall = BodyDescription::fixed(name, cuboid(size.x, size.y, size.z));
        world.add_body(wall.position(at * offset + Vec3::Z * 10.0).material(rough)).unwrap();
    }
    let mut random = Random(0x5eed);
    for i in 0..count {
        let (column, row, layer) = (i % side, i / side % side, i / (side * side));
        let centred = |k: usize| 0.95 * (k as f64 - 0.5 * (side - 1) as f64) + random_shift(i, k);
        let at = Vec3::new(centred(column), centred(row), 0.6 + 0.9 * layer as f64);
        let shape = piece.shape(&mut random);
        let body = BodyDescription::dynamic(&format!("body {i}"), shape).mass(12.5).position(at);
        world.add_body(body.orientation(random.orientation()).material(rough)).unwrap();
    }
    world
}

/// A few millimetres, so that layers do not meet corner on corner.
fn random_shift(i: usize, k: usize) -> f64 {
    Random(0x51ed + 977 * i as u64 + 31 * k as u64).between(-0.01, 0.01)
}

/// Sums over a run.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    steps: usize,
    uncertified: usize,
    solves: usize,
    sweeps: usize,
    factorisations: usize,
    mean_ms: f64,
    worst_ms: f64,
}

/// Time that this thread has run on a processor, ms; zero where Linux does not say. Others that share the machine do not count.
fn processor_ms() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|ns| ns.parse().ok()).map_or(0.0, |ns: f64| ns * 1e-6)
}

fn run(world: &mut World, seconds: f64, dt: f64) -> Counts {
    let mut counts = Counts { steps: (seconds / dt).round() as usize, ..Counts::default() };
    let mut sum = 0.0;
    for _ in 0..counts.steps {
        let before = processor_ms();
        let contacts = world.step(dt).unwrap().contacts;
        let ms = processor_ms() - before;
        sum += ms;
        counts.worst_ms = counts.worst_ms.max(ms);
        counts.uncertified += usize::from(!contacts.is_certified());
        counts.solves += contacts.solves;
        counts.sweeps += contacts.sweeps;
        counts.factorisations += contacts.factorisations;
    }
    counts.mean_ms = sum / counts.steps as f64;
    counts
}

/// `PILES=cube-250 cargo test --release -p msd-sim --test contact solver_counts -- --ignored --nocapture`
#[test]
#[ignore = "takes a minute in release: a table of times and counts for whoever changes the solver"]
fn piles_in_motion() {
    let wanted = std::env::var("PILES").unwrap_or_default();
    println!(
        "scene, steps, ms mean, worst, uncertified, a step: solves, factorisations, sweeps; energy at the end"
    );
    for (piece, name) in [(Piece::Cube, "cube"), (Piece::Hull, "hull"), (Piece::Cylinder, "cylinder")] {
        for (count, seconds) in [(60, [2.5, 1.5, 1.0]), (250, [1.8, 1.0, 0.7])] {
            for (rate, seconds) in [60.0, 240.0, 1000.0].into_iter().zip(seconds) {
                let scene = format!("{name}-{count}-{rate}");
                if !scene.starts_with(&wanted) {
                    continue;
                }
                let mut world = pile(piece, count);
                let c = run(&mut world, seconds, 1.0 / rate);
                let each = |sum: usize| sum as f64 / c.steps as f64;
                println!(
                    "{scene:17} {:4} {:8.2} {:7.1} {:4} {:7.1} {:8.1} {:8.1} {:10.1}",
                    c.steps,
                    c.mean_ms,
                    c.worst_ms,
                    c.uncertified,
                    each(c.solves),
                    each(c.factorisations),
                    each(c.sweeps),
                    world.energy().total()
                );
            }
        }
    }
}
