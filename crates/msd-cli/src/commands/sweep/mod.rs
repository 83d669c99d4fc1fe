//! `msd sweep FILE`: many runs of a scene with other values, on all cores; resumable, in shards, with a summary.

mod execute;
mod expression;
mod plan;
mod quantity;
mod sample;
mod summary;
mod table;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::interrupt;
use crate::failure::Failure;
use crate::output::print_json;
use plan::Plan;
use table::Row;

/// Run a scene many times with other values
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Repeating the command resumes the sweep. Run i depends on the seed and i alone: threads, shards and resuming change no bit.

Examples:
  msd sweep scenes/docking-sweep.toml
  msd sweep scenes/docking-sweep.toml --out results --threads 8
  msd sweep scenes/docking-sweep.toml --run 17 --record run-17.msdr
  msd sweep scenes/docking-sweep.toml --shard 3/40 --out shard-3
  msd sweep merge scenes/docking-sweep.toml shard-* --out results"
)]
pub(crate) struct SweepArgs {
    #[command(subcommand)]
    command: Option<SweepCommand>,
    /// A sweep in TOML
    #[arg(required = true)]
    file: Option<PathBuf>,
    /// Folder of the results; the name of the sweep with `-results` unless given
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Threads to use; all cores unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Compute only part I of N of the runs, to be put together by `msd sweep merge`
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<(u64, u64)>,
    /// Compute only this run and print its row
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["shard", "out"])]
    run: Option<u64>,
    /// Record that run to a file
    #[arg(long, value_name = "FILE", requires = "run")]
    record: Option<PathBuf>,
    /// Print the number of runs and parts and the sweep's identity as JSON, and run none
    #[arg(long, conflicts_with_all = ["shard", "out", "run"])]
    plan: bool,
    /// No progress bar and no summary
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum SweepCommand {
    /// Put the parts of shards together and write the summary
    Merge {
        /// The sweep
        file: PathBuf,
        /// Folders of the shards
        #[arg(required = true)]
        folders: Vec<PathBuf>,
        /// Folder of the results
        #[arg(long, value_name = "FOLDER")]
        out: PathBuf,
        /// No summary
        #[arg(long, short)]
        quiet: bool,
    },
}

fn shard(text: &str) -> Result<(u64, u64), String> {
    let parsed = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    match parsed {
        Some((i, n)) if 1 <= i && i <= n => Ok((i, n)),
        _ => Err("expected I/N with I from 1 to N, such as 3/40".to_owned()),
    }
}

/// Identity of a folder of results.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
struct Manifest {
    format: u32,
    version: String,
    sweep_hash: String,
    model_hash: String,
    runs: u64,
    parts: u64,
}

impl Manifest {
    fn of(plan: &Plan) -> Result<Self, Failure> {
        Ok(Self {
            format: 1,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            sweep_hash: plan.hash.clone(),
            model_hash: plan.scene_of(0)?.build()?.engine.world().model_hash().to_string(),
            runs: plan.runs,
            parts: plan.parts(),
        })
    }
}

impl SweepArgs {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if let Some(SweepCommand::Merge { file, folders, out, quiet }) = &self.command {
            return merge(&Plan::load(file)?, folders, out, *quiet);
        }
        let Some(file) = &self.file else { return Err(Failure::BadInput("which sweep?".to_owned())) };
        let plan = Plan::load(file)?;
        if self.plan {
            return print_json(&Manifest::of(&plan)?);
        }
        if let Some(run) = self.run {
            return self.single(&plan, run);
        }
        let stem = file.file_stem().map_or_else(|| "sweep".into(), |stem| stem.to_string_lossy());
        let out = self.out.clone().unwrap_or_else(|| PathBuf::from(format!("{stem}-results")));
        let results = Results::open(&plan, &out)?;
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(usize::from(self.threads.unwrap_or(0))).build();
        let pool = pool.map_err(|error| Failure::Failed(format!("threads: {error}")))?;
        let stop = interrupt::flag()?;
        let (shard, of) = self.shard.unwrap_or((1, 1));
        let missing: Vec<u64> = (0..plan.parts())
            .filter(|part| part % of == shard - 1 && !results.part(*part).exists())
            .collect();
        let bar = self.bar(&plan, &missing);
        for part in missing {
            let rows = pool.install(|| compute(&plan, part, &out, &bar, stop))?;
            table::write(&plan, &results.part(part), &[&rows])?;
        }
        bar.finish_and_clear();
        let done = (0..plan.parts()).filter(|part| results.part(*part).exists()).count() as u64;
        if done == plan.parts() {
            return results.finish(self.quiet);
        }
        if !self.quiet {
            eprintln!(
                "{}: {done} of {} parts; put shards together with `msd sweep merge`",
                out.display(),
                plan.parts()
            );
        }
        Ok(())
    }

    /// One run, for a closer look.
    fn single(&self, plan: &Plan, run: u64) -> Result<(), Failure> {
        if run >= plan.runs {
            let last = plan.runs - 1;
            return Err(Failure::BadInput(format!("there is no run {run}: the sweep has runs 0 to {last}")));
        }
        let row = execute::execute(plan, run, Path::new("."), self.record.as_deref())?;
        println!("run = {run}");
        for (path, value) in plan.paths().zip(&row.varied) {
            println!("vary.{path} = {value:e}");
        }
        for ((name, _), value) in plan.columns.iter().zip(&row.kept) {
            println!("{name} = {value:e}");
        }
        for ((name, _), holds) in plan.judges.iter().zip(&row.verdicts) {
            println!("judge.{name} = {holds}");
        }
        println!("state_hash = {}", row.state_hash);
        if row.error.is_empty() { Ok(()) } else { Err(Failure::Failed(row.error)) }
    }

    fn bar(&self, plan: &Plan, missing: &[u64]) -> ProgressBar {
        if self.quiet || !std::io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let runs: u64 = missing.iter().map(|part| plan.part(*part).count() as u64).sum();
        let style = ProgressStyle::with_template("{wide_bar} {pos} of {len} runs, {per_sec}, {eta} left");
        ProgressBar::new(runs).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
    }
}

/// All runs of a part, on the threads of the pool.
fn compute(
    plan: &Plan,
    part: u64,
    out: &Path,
    bar: &ProgressBar,
    stop: &AtomicBool,
) -> Result<Vec<Row>, Failure> {
    plan.part(part)
        .into_par_iter()
        .map(|run| {
            if stop.load(Ordering::Relaxed) {
                return Err(Failure::Stopped);
            }
            let row = execute::execute(plan, run, out, None);
            bar.inc(1);
            row
        })
        .collect()
}

/// A folder of results.
struct Results<'a> {
    plan: &'a Plan,
    folder: &'a Path,
}

impl<'a> Results<'a> {
    /// A folder that is new or of this very sweep.
    fn open(plan: &'a Plan, folder: &'a Path) -> Result<Self, Failure> {
        let fail = |error: String| Failure::BadInput(format!("{}: {error}", folder.display()));
        let manifest = Manifest::of(plan)?;
        std::fs::create_dir_all(folder.join("parts")).map_err(|error| fail(error.to_string()))?;
        if plan.record != plan::Record::None {
            std::fs::create_dir_all(folder.join("recordings")).map_err(|error| fail(error.to_string()))?;
        }
        let path = folder.join("manifest.json");
        if let Ok(text) = std::fs::read_to_string(&path) {
            let known: Manifest =
                serde_json::from_str(&text).map_err(|error| fail(format!("manifest.json: {error}")))?;
            if known != manifest {
                return Err(fail(
                    "holds results of another sweep, scene or version; choose another folder with --out, or remove it".to_owned(),
                ));
            }
        } else {
            let text = serde_json::to_string_pretty(&manifest).map_err(|error| fail(error.to_string()))?;
            std::fs::write(&path, text + "\n").map_err(|error| fail(error.to_string()))?;
        }
        Ok(Self { plan, folder })
    }

    fn part(&self, part: u64) -> PathBuf {
        self.folder.join("parts").join(format!("part-{part:05}.parquet"))
    }

    /// Puts all parts into one table and sums them up.
    fn finish(&self, quiet: bool) -> Result<(), Failure> {
        let parts = (0..self.plan.parts()).map(|part| {
            let rows = table::read(self.plan, &self.part(part))?;
            let complete = rows.iter().map(|row| row.run).eq(self.plan.part(part));
            let problem = format!("{}: its runs are not those of the part", self.part(part).display());
            if complete { Ok(rows) } else { Err(Failure::Failed(problem)) }
        });
        let parts: Vec<Vec<Row>> = parts.collect::<Result<_, _>>()?;
        let groups: Vec<&[Row]> = parts.iter().map(Vec::as_slice).collect();
        table::write(self.plan, &self.folder.join("runs.parquet"), &groups)?;
        let text = summary::write(self.plan, &parts.concat(), self.folder)?;
        if !quiet {
            eprint!("{text}");
            eprintln!("\nresults    {}", self.folder.display());
        }
        Ok(())
    }
}

fn merge(plan: &Plan, folders: &[PathBuf], out: &Path, quiet: bool) -> Result<(), Failure> {
    let results = Results::open(plan, out)?;
    for folder in folders {
        let from = Results::open(plan, folder)?;
        for part in
            (0..plan.parts()).filter(|part| !results.part(*part).exists() && from.part(*part).exists())
        {
            let copied = std::fs::copy(from.part(part), results.part(part));
            copied.map_err(|error| Failure::Failed(format!("{}: {error}", results.part(part).display())))?;
        }
        let recordings = folder.join("recordings");
        for entry in std::fs::read_dir(&recordings).into_iter().flatten().flatten() {
            let to = out.join("recordings").join(entry.file_name());
            let copied = std::fs::copy(entry.path(), &to);
            copied.map_err(|error| Failure::Failed(format!("{}: {error}", to.display())))?;
        }
    }
    let missing: Vec<u64> = (0..plan.parts()).filter(|part| !results.part(*part).exists()).collect();
    match missing.as_slice() {
        [] => results.finish(quiet),
        [first, ..] => Err(Failure::Failed(format!(
            "{} of {} parts are missing, the first is part {first}; `msd sweep {} --out {}` computes them",
            missing.len(),
            plan.parts(),
            plan.file.display(),
            out.display()
        ))),
    }
}
