//! The fuzz targets on a stable compiler: inputs from a seeded generator instead of from coverage.
//!
//! ```text
//! replay TARGET [SECONDS [SEED]]     random inputs for so long (60 s, seed 1 unless said)
//! replay TARGET FILE...              the inputs in these files, such as those libFuzzer left in artifacts/
//! replay seeds FOLDER                writes the seed inputs of every target, for libFuzzer to start from
//! ```
//! Ends with 1 if a check failed, after writing the shortest input of each kind of failure to `artifacts/TARGET/`.

use std::collections::BTreeMap;
use std::panic;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use msd_fuzz::{TARGETS, Target};

/// Slower than this is a hang, or worth a look.
const SLOW: Duration = Duration::from_millis(1000);

static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = arguments.split_first() else {
        eprintln!("usage: replay TARGET [SECONDS [SEED] | FILE...], or replay seeds FOLDER");
        return ExitCode::from(2);
    };
    if let ("seeds", [folder]) = (name.as_str(), rest) {
        TARGETS.iter().for_each(|target| write_seeds(target, Path::new(folder)));
        return ExitCode::SUCCESS;
    }
    let Some(target) = TARGETS.iter().find(|target| target.name == name) else {
        eprintln!("no target `{name}`: there are {:?}", TARGETS.map(|target| target.name));
        return ExitCode::from(2);
    };
    let number = |k: usize| rest.get(k).map(|text| text.parse::<u64>());
    match (number(0), number(1)) {
        (Some(Err(_)), _) => {
            for file in rest {
                println!("{file}");
                (target.check)(&std::fs::read(file).expect("a file that can be read"));
            }
            ExitCode::SUCCESS
        }
        (seconds, seed) => {
            let seconds = seconds.and_then(Result::ok).unwrap_or(60);
            explore(target, Duration::from_secs(seconds), seed.and_then(Result::ok).unwrap_or(1))
        }
    }
}

fn explore(target: &Target, duration: Duration, seed: u64) -> ExitCode {
    panic::set_hook(Box::new(|info| *LAST_PANIC.lock().expect("one thread") = info.to_string()));
    let (seeds, start) = ((target.seeds)(), Instant::now());
    let (mut random, mut runs, mut slowest) = (Random(seed), 0_u64, Duration::ZERO);
    let mut failures: BTreeMap<String, (u64, Vec<u8>, String)> = BTreeMap::new();
    while start.elapsed() < duration {
        let input = random.input(&seeds);
        let before = Instant::now();
        let outcome = panic::catch_unwind(|| (target.check)(&input));
        let took = before.elapsed();
        runs += 1;
        slowest = slowest.max(took);
        let problem = match outcome {
            Err(_) => LAST_PANIC.lock().expect("one thread").clone(),
            Ok(()) if took > SLOW => "slow".to_owned(),
            Ok(()) => continue,
        };
        let place = problem.lines().next().unwrap_or_default().to_owned();
        let entry = failures.entry(place).or_insert_with(|| (0, input.clone(), problem.clone()));
        entry.0 += 1;
        if input.len() < entry.1.len() {
            (entry.1, entry.2) = (input, problem);
        }
    }
    println!("{}: {runs} runs in {} s, slowest {slowest:?}", target.name, duration.as_secs());
    report(target, &failures);
    ExitCode::from(u8::from(!failures.is_empty()))
}

fn report(target: &Target, failures: &BTreeMap<String, (u64, Vec<u8>, String)>) {
    let folder = Path::new("artifacts").join(target.name);
    for (k, (count, input, problem)) in failures.values().enumerate() {
        let file = folder.join(format!("replay-{k}"));
        let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, input));
        println!("\n{count} times, {} bytes in {} ({written:?}):\n{problem}", input.len(), file.display());
    }
}

fn write_seeds(target: &Target, folder: &Path) {
    let folder = folder.join(target.name);
    std::fs::create_dir_all(&folder).expect("a folder that can be made");
    for (k, seed) in (target.seeds)().iter().enumerate() {
        std::fs::write(folder.join(format!("seed-{k}")), seed).expect("a folder that can be written");
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): every seed gives a full period.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    fn input(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        if seeds.is_empty() || self.below(50) == 0 {
            let length = [64, 300, 1500][self.below(3)];
            let length = self.below(length);
            return (0..length).map(|_| self.next() as u8).collect();
        }
        let mut input = seeds[self.below(seeds.len())].clone();
        for _ in 0..=self.below(6) {
            let other = self.below(seeds.len());
            self.mutate(&mut input, &seeds[other]);
        }
        input
    }

    fn mutate(&mut self, input: &mut Vec<u8>, other: &[u8]) {
        const TELLING: &[u8] = b"0123456789-+eE.\"'#=[]{},:/\\\n \0\xff\x7f\x80";
        if input.is_empty() {
            return;
        }
        let at = self.below(input.len());
        let end = (at + 1 + self.below(24)).min(input.len());
        match self.below(8) {
            0 => input[at] ^= 1 << self.below(8),
            1 => input[at] = TELLING[self.below(TELLING.len())],
            2 => input.insert(at, TELLING[self.below(TELLING.len())]),
            3 => drop(input.drain(at..end)),
            4 => {
                let copy = input[at..end].to_vec();
                let to = self.below(input.len());
                input.splice(to..to, copy);
            }
            5 => {
                let from = self.below(other.len().max(1));
                let piece = &other[from.min(other.len())..other.len().min(from + 40)];
                input.splice(at..at, piece.iter().copied());
            }
            6 => {
                let extreme =
                    ["1e308", "-1", "0", "nan", "inf", "1e-320", "99999999999999999999"][self.below(7)];
                input.splice(at..end, extreme.bytes());
            }
            _ => {
                let run = vec![TELLING[self.below(TELLING.len())]; 1 + self.below(3000)];
                input.splice(at..at, run);
            }
        }
    }
}
