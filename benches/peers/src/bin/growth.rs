//! How time and memory grow with bodies and with contacts of one island, for both tiers.
//!
//! `cargo run --release --bin growth` in `benches/peers` prints the tables of `benches/results/growth.md` and writes the
//! pictures beside it. Times are medians over the last steps of each run, one thread, steps of 1/60 s, nobody sleeps.
//! Memory is what the world holds after its last step beyond what it held empty, by a counting allocator.

use peers::contact::{Engine as _, Options};
use peers::contact::ours::{Ours, Tier};
use peers::contact::scene::Scene;
use peers::contact::scenes;
use peers::live_bytes::{Counting, live};
use peers::log_plot::{Curve, svg};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What one run gave.
struct Run {
    bodies: usize,
    contacts: usize,
    first: f64,
    median: f64,
    bytes: usize,
}

fn run(scene: &Scene, tier: Tier, steps: usize) -> Run {
    let before = live();
    let mut world = Ours::new(tier, scene, Options { threads: 1, sleep: false });
    let times: Vec<f64> = (0..steps).map(|_| world.step()).collect();
    let bytes = live() - before;
    let contacts = world.report().map_or(0, |report| report.contacts.contacts);
    let mut last = times[steps / 2..].to_vec();
    last.sort_by(f64::total_cmp);
    Run { bodies: scene.bodies.len(), contacts, first: times[0], median: last[last.len() / 2], bytes }
}

fn main() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../results");
    let bodies = [10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000];
    let rows = [1, 2, 4, 7, 13, 23, 41, 58];
    println!("| world | tier | bodies | contacts | first step ms | median step ms | bytes held |");
    println!("|---|---|---|---|---|---|---|");
    let mut by_bodies = Vec::new();
    for (name, build) in [("free bodies", scenes::free as fn(usize) -> Scene), ("boxes at rest", scenes::scattered)] {
        for tier in tiers(name) {
            let runs: Vec<Run> = bodies.iter().map(|n| told(name, &build(*n), tier)).collect();
            by_bodies.push(curve(format!("{name}, {}", tier.name()), &runs, |r| (r.bodies as f64, r.median)));
        }
    }
    let mut by_contacts = Vec::new();
    for tier in [Tier::Exact, Tier::Fast] {
        let runs: Vec<Run> = rows.iter().map(|n| told("one pyramid", &scenes::pyramid(*n), tier)).collect();
        by_contacts.push(curve(format!("at rest, {}", tier.name()), &runs, |r| (r.contacts as f64, r.median)));
        by_contacts.push(curve(format!("from nothing, {}", tier.name()), &runs, |r| (r.contacts as f64, r.first)));
    }
    println!("\n| curve | exponent over the last two decades |\n|---|---|");
    for curve in by_bodies.iter().chain(&by_contacts) {
        println!("| {} | {:.2} |", curve.name, curve.exponent(2.0));
    }
    let write = |file: &str, picture: String| {
        std::fs::write(format!("{folder}/{file}"), picture).expect("the results folder can be written");
    };
    write("growth_bodies.svg", svg("Time of a step against bodies", "bodies", "s", &by_bodies));
    write("growth_contacts.svg", svg("Time of a step against contacts of one island", "contacts", "s", &by_contacts));
}

fn tiers(world: &str) -> Vec<Tier> {
    if world == "free bodies" { vec![Tier::Exact] } else { vec![Tier::Exact, Tier::Fast] }
}

fn told(name: &str, scene: &Scene, tier: Tier) -> Run {
    let steps = if scene.bodies.len() > 10_000 { 12 } else { 40 };
    let run = run(scene, tier, steps);
    let Run { bodies, contacts, first, median, bytes } = run;
    let (first, median) = (first * 1e3, median * 1e3);
    println!("| {name} | {} | {bodies} | {contacts} | {first:.3} | {median:.4} | {bytes} |", tier.name());
    run
}

fn curve(name: String, runs: &[Run], point: fn(&Run) -> (f64, f64)) -> Curve {
    Curve { name, points: runs.iter().map(point).filter(|p| p.0 > 0.0).collect() }
}
