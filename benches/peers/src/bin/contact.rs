//! Contact scenes in `msd`, `rapier3d-f64`, `box3d` and MuJoCo, taking turns step by step.
//!
//! `cargo run --release --features box3d --bin contact [-- SCENE [ENGINE]]` in `benches/peers` prints the tables of
//! `benches/results/contact.md`; SCENE and ENGINE are parts of names, separated by `|`. MuJoCo takes part if `python3` finds
//! its package, box3d if it was built in. Steps are 1/60 s, bodies never sleep, every engine has one thread. Overlap, drift and
//! stretch are measured from the poses, by the same code for all, every tenth step. An engine that has used up its time
//! (`CONTACT_SECONDS` in the environment, 60 unless set, for each scene) stops there, and the table says so.
//! With `CONTACT_STEPS` set, every step of `msd` is told on standard error.

use std::io::Write as _;

use msd::environment::Phase;
use peers::contact::measure::{Judge, Quality};
use peers::contact::mujoco::Mujoco;
use peers::contact::ours::Ours;
use peers::contact::rapier::Rapier;
use peers::contact::scene::{self, Question, Scene};
use peers::contact::{Engine, GRAVITY};

/// What is kept of one engine in one scene.
struct Record {
    engine: Box<dyn Engine>,
    times: Vec<f64>,
    quality: Quality,
    residual: f64,
    uncertified: usize,
    contacts: usize,
    phases: Vec<[f64; Phase::ALL.len()]>,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (scenes, engines) = (arguments.next().unwrap_or_default(), arguments.next().unwrap_or_default());
    let seconds = std::env::var("CONTACT_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(60.0);
    let wanted = |name: &str, filter: &str| filter.split('|').any(|part| name.contains(part));
    let mut phases = String::new();
    println!(
        "| scene | engine | moving ms, median | worst | settled ms, median | worst | overlap m | drift or stretch m | residual | not certified | contacts |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for scene in scene::all().iter().filter(|scene| wanted(&scene.name, &scenes)) {
        let mut records: Vec<Record> = build(scene).into_iter().map(Record::new).collect();
        records.retain(|record| wanted(record.engine.name(), &engines));
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

fn build(scene: &Scene) -> Vec<Box<dyn Engine>> {
    assert!(scene.gravity == GRAVITY || scene.gravity == 0.0);
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(Ours::exact(scene)), Box::new(Rapier::new(scene))];
    if scene.joints.is_empty() {
        engines.insert(1, Box::new(Ours::fast(scene)));
    }
    #[cfg(feature = "box3d")]
    engines.push(Box::new(peers::contact::box3d::Box3d::new(scene)));
    if let Some(mujoco) = Mujoco::new(scene) {
        engines.push(Box::new(mujoco));
    }
    engines
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
                }
            }
        }
    }
}

impl Record {
    fn new(engine: Box<dyn Engine>) -> Self {
        let (times, phases) = (Vec::new(), Vec::new());
        Self {
            engine,
            times,
            quality: Quality::default(),
            residual: 0.0,
            uncertified: 0,
            contacts: 0,
            phases,
        }
    }

    fn step(&mut self) {
        self.times.push(self.engine.step());
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
        format!(
            "| {} | {} | {moving} | {settled} | {overlap} | {error} | {own} |",
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
