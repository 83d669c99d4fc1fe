//! Contact scenes in `msd`, rapier, `box3d`, Jolt and MuJoCo, taking turns step by step.
//!
//! `cargo run --release --features box3d,jolt --bin contact [-- SCENE [ENGINE]]` in `benches/peers` prints the tables of
//! `benches/results/contact.md`; SCENE and ENGINE are parts of names, separated by `|`. MuJoCo takes part if `python3` finds
//! its package, box3d and Jolt if they were built in. Steps are 1/60 s. Overlap, drift and stretch are measured from the poses, by the
//! same code for all, every tenth step. In the environment:
//!
//! - `CONTACT_SECONDS`: what an engine may use up in a scene before it stops there, and the table says so; 60 unless set.
//! - `CONTACT_THREADS`: threads of `msd` and box3d (rapier needs `--features parallel`, MuJoCo steps one world with one); 1
//!   unless set, and then `taskset -c 0` keeps everything on one core.
//! - `CONTACT_SLEEP`: if set, bodies at rest may fall asleep (MuJoCo's do not).
//! - `CONTACT_STEPS`: if set, every step of `msd` is told on standard error.

use std::io::Write as _;

use msd::environment::Phase;
use peers::contact::measure::{Judge, Quality};
use peers::contact::mujoco::Mujoco;
use peers::contact::ours::{Ours, Tier};
use peers::contact::rapier;
use peers::contact::scene::{Question, Scene};
use peers::contact::scenes;
use peers::contact::{Engine, Options};

/// What is kept of one engine in one scene.
struct Record {
    engine: Box<dyn Engine>,
    times: Vec<f64>,
    quality: Quality,
    residual: f64,
    uncertified: usize,
    contacts: usize,
    phases: Vec<[f64; Phase::ALL.len()]>,
    /// Bytes held now and at most, after a step.
    held: i64,
    most: i64,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (scenes, engines) = (arguments.next().unwrap_or_default(), arguments.next().unwrap_or_default());
    let seconds = std::env::var("CONTACT_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(60.0);
    let options = Options {
        threads: std::env::var("CONTACT_THREADS").ok().and_then(|s| s.parse().ok()).unwrap_or(1),
        sleep: std::env::var_os("CONTACT_SLEEP").is_some(),
    };
    let wanted = |name: &str, filter: &str| filter.split('|').any(|part| name.contains(part));
    let mut phases = String::new();
    println!(
        "| scene | engine | moving ms, median | worst | settled ms, median | worst | overlap m | drift or stretch m | residual | not certified | contacts | memory MB |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for scene in scenes::all().iter().filter(|scene| wanted(&scene.name, &scenes)) {
        let builders = builders();
        let chosen = builders.iter().filter(|(name, _)| wanted(name, &engines));
        let mut records: Vec<Record> =
            chosen.filter_map(|(_, build)| Record::new(|| build(scene, options))).collect();
        run(scene, &mut records, seconds);
        for record in &records {
            println!("{}", record.row(scene));
            phases += &record.phase_row(scene);
        }
        _ = std::io::stdout().flush();
    }
    println!("\n| scene | {} |", Phase::ALL.map(Phase::name).join(" | "));
    println!("|---|{}\n{phases}", "---|".repeat(Phase::ALL.len()));
}

type Builder = fn(&Scene, Options) -> Option<Box<dyn Engine>>;

/// All engines by name.
fn builders() -> Vec<(&'static str, Builder)> {
    vec![
        ("msd exact", |scene, options| Some(Box::new(Ours::new(Tier::Exact, scene, options)))),
        ("msd fast", |scene, options| Some(Box::new(Ours::new(Tier::Fast, scene, options)))),
        ("rapier3d-f64", |scene, options| Some(Box::new(rapier::double::Rapier::new(scene, options)))),
        ("rapier3d (f32)", |scene, options| Some(Box::new(rapier::single::Rapier::new(scene, options)))),
        #[cfg(feature = "box3d")]
        ("box3d (f32)", |scene, options| Some(Box::new(peers::contact::box3d::Box3d::new(scene, options)))),
        #[cfg(feature = "jolt")]
        ("Jolt (f32)", |scene, options| Some(Box::new(peers::contact::jolt::Jolt::new(scene, options)?))),
        ("MuJoCo", |scene, _| Some(Box::new(Mujoco::new(scene)?))),
    ]
}

/// Bytes this process holds by malloc, which all engines in it use.
fn held_bytes() -> i64 {
    // SAFETY: only reads the allocator's own figures.
    let figures = unsafe { libc::mallinfo2() };
    (figures.uordblks + figures.hblkhd) as i64
}

fn run(scene: &Scene, records: &mut [Record], seconds: f64) {
    let judge = Judge::new(scene);
    for step in 0..scene.steps {
        for record in records.iter_mut() {
            if record.times.iter().sum::<f64>() < seconds {
                record.step();
                if step % 10 == 9 {
                    let poses = record.engine.poses();
                    record.quality = record.quality.worse(judge.judge(scene, &poses));
                    if let Some(bytes) = record.engine.bytes_elsewhere() {
                        record.most = record.most.max(bytes as i64);
                    }
                }
            }
        }
    }
}

impl Record {
    /// None if the engine does not take the scene.
    fn new(build: impl FnOnce() -> Option<Box<dyn Engine>>) -> Option<Self> {
        let before = held_bytes();
        let engine = build()?;
        let held = held_bytes() - before;
        let (times, phases) = (Vec::new(), Vec::new());
        let (quality, residual, uncertified, contacts) = (Quality::default(), 0.0, 0, 0);
        Some(Self { engine, times, quality, residual, uncertified, contacts, phases, held, most: held })
    }

    fn step(&mut self) {
        let before = held_bytes();
        let time = self.engine.step();
        self.held += held_bytes() - before;
        self.most = self.most.max(self.held);
        self.times.push(time);
        if let Some(report) = self.engine.report() {
            self.residual = self.residual.max(report.contacts.residual);
            self.uncertified += usize::from(!report.contacts.is_certified());
            self.contacts = self.contacts.max(report.contacts.contacts);
            if std::env::var_os("CONTACT_STEPS").is_some() {
                let (time, contacts) = (self.times[self.times.len() - 1], &report.contacts);
                eprintln!("{} {:.3} ms {contacts:?}", self.times.len(), time * 1e3);
            }
            self.phases.push(Phase::ALL.map(|phase| report.phases.seconds(phase)));
        }
    }

    fn row(&self, scene: &Scene) -> String {
        let taken = self.times.len();
        let moving = spread(&self.times[..scene.moving.min(taken)]);
        let settled = if taken == scene.steps {
            spread(&self.times[taken - scene.settled..])
        } else {
            format!("stopped at step {taken} | –")
        };
        let Quality { overlap, error } = self.quality;
        let error =
            if scene.question == Question::Nothing { "–".to_owned() } else { format!("{error:.1e}") };
        let overlap = if scene.collide { format!("{overlap:.1e}") } else { "–".to_owned() };
        let own = match self.engine.report() {
            Some(_) => format!("{:.1e} | {} of {taken} | {}", self.residual, self.uncertified, self.contacts),
            None => "– | – | –".to_owned(),
        };
        let memory = self.most as f64 / 1e6;
        format!(
            "| {} | {} | {moving} | {settled} | {overlap} | {error} | {own} | {memory:.1} |",
            scene.name,
            self.engine.name()
        )
    }

    /// Median of each phase while moving and settled, µs.
    fn phase_row(&self, scene: &Scene) -> String {
        let taken = self.phases.len();
        let parts =
            [("moving", 0..scene.moving.min(taken)), ("settled", taken.saturating_sub(scene.settled)..taken)];
        let mut rows = String::new();
        for (name, range) in parts.into_iter().filter(|(name, _)| taken == scene.steps || *name == "moving") {
            let of = |phase: usize| {
                let times: Vec<f64> = self.phases[range.clone()].iter().map(|p| p[phase]).collect();
                format!("{:.0}", median(&times) * 1e6)
            };
            let cells: Vec<String> = (0..Phase::ALL.len()).map(of).collect();
            if taken > 0 {
                rows +=
                    &format!("| {}, {}, {name} | {} |\n", scene.name, self.engine.name(), cells.join(" | "));
            }
        }
        rows
    }
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Median and worst, ms.
fn spread(times: &[f64]) -> String {
    let worst = times.iter().copied().fold(0.0, f64::max);
    format!("{:.2} | {:.2}", median(times) * 1e3, worst * 1e3)
}
