//! What contact solves cost from step to step: resting, sliding, tipping and piling bodies.
//!
//! `cargo run --release --bin contact_solver [part of a name]`. Times depend on the machine, counts do not. "free" steps
//! cost a certificate of the last impulses and nothing else.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

#[path = "../../../../crates/msd/tests/contact_motion/mod.rs"]
mod contact_motion;

use std::time::Instant;

use contact_motion::{Motion, balls, cards, pile, pyramid, stack};
use msd::math::Vec3;

const DT: f64 = 0.01;

fn run(name: &str, mut motion: Motion, steps: usize) {
    let (mut factorisations, mut sweeps, mut free, mut uncertified, mut contacts) = (0, 0, 0, 0, 0);
    let (mut worst, mut busy, mut idle) = (0.0f64, Vec::new(), Vec::new());
    for _ in 0..steps {
        motion.pose();
        let start = Instant::now();
        let report = motion.solve();
        let took = start.elapsed().as_secs_f64() * 1e6;
        motion.advance();
        let is_free = report.iterations == Default::default();
        if is_free {
            idle.push(took)
        } else {
            busy.push(took)
        }
        free += usize::from(is_free);
        uncertified += usize::from(!report.converged);
        factorisations += report.iterations.factorisations;
        sweeps += report.iterations.sweeps;
        contacts = contacts.max(motion.problem.contacts().len());
        worst = worst.max(report.residual / report.velocity_scale);
    }
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or(0.0)
    };
    let per_step = |count: usize| count as f64 / steps as f64;
    println!(
        "{name:22} {contacts:6} contacts  {:7.2} factorisations {:7.1} sweeps a step  {:4.0} % free at {:8.1} µs, others {:9.1} µs  uncertified {uncertified}, worst {worst:.0e}",
        per_step(factorisations),
        per_step(sweeps),
        100.0 * per_step(free),
        median(&mut idle),
        median(&mut busy),
    );
}

fn moving(mut motion: Motion, bodies: std::ops::Range<usize>, velocity: Vec3) -> Motion {
    motion.states[bodies].iter_mut().for_each(|state| state.velocity = velocity);
    motion
}

fn main() {
    let only = std::env::args().nth(1).unwrap_or_default();
    let heavy = [1.0, 1e3, 1.0, 1e3, 1.0, 1e3, 1.0, 1e3, 1.0, 1e3];
    let along = Vec3::new(2.0, 0.7, 0.0);
    type Scene<'a> = (&'a str, usize, Box<dyn Fn() -> Motion + 'a>);
    let scenes: Vec<Scene<'_>> = vec![
        ("cube at rest", 300, Box::new(|| stack(&[1.0], 0.5, DT))),
        ("cube sliding", 60, Box::new(|| moving(stack(&[1.0], 0.5, DT), 1..2, along))),
        ("stack of 10", 300, Box::new(|| stack(&[1.0; 10], 0.5, DT))),
        ("stack of 10, 1:1000", 300, Box::new(|| stack(&heavy, 0.5, DT))),
        ("stack of 5 sliding", 150, Box::new(|| moving(stack(&[1.0; 5], 0.1, DT), 1..6, along))),
        ("stack of 5 tipping", 200, Box::new(|| moving(stack(&[1.0; 5], 0.6, DT), 5..6, 1.5 * along))),
        ("cards", 200, Box::new(|| cards(0.6, DT))),
        ("pyramid of 20 rows", 60, Box::new(|| pyramid(20, 0.5, DT))),
        ("pyramid of 60 rows", 6, Box::new(|| pyramid(60, 0.5, DT))),
        ("20 boxes in a bin", 500, Box::new(|| pile(20, 0.5, DT))),
        ("40 balls in a bin", 300, Box::new(|| balls(40, 0.3, DT))),
    ];
    for (name, steps, scene) in scenes.iter().filter(|(name, ..)| name.contains(&only)) {
        run(name, scene(), *steps);
    }
}
