//! `msd run [SCENE]`: simulate a scene and report the result.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use std::time::Instant;

use clap::Args;
use clap::builder::PossibleValuesParser;
use msd::engine::Engine;
use msd::environment::World;
use msd_scene::certificate_report::CertificateReport;
use msd_scene::model::{IntegratorName, SolverName};
use msd_scene::report::Report;
use msd_scene::source::Format;
use msd_scene::{Ending, Listing, LoadOptions, Loaded, Outcome, Scene, Simulation, Verdict};

use msd_view::{Flow, Header, Live, Pace};

use super::interrupt;
use super::progress::Bar;
use super::record::RunRecording;
use super::viewing::{self, ViewOptions};
use crate::failure::Failure;
use crate::output::{print_json, to_json};
use crate::summary;

/// The scene that runs when none is given.
pub(super) const DEFAULT_SCENE: &str = include_str!("default-scene.toml");

/// Simulate a scene and print a summary
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 done, 1 the simulation failed or is not as `--require` says, 2 bad usage or bad scene, 130 stopped by Ctrl-C.
Standard output carries the report if `--report -` asks for it, and nothing else.

Examples:
  msd run
  msd run scenes/kepler-orbit.toml --report orbit.json
  msd run scenes/tumbling-t-handle.toml --integrator rk4 --dt 0.01 --until 30
  msd run scenes/pendulum.toml --record pendulum.msdr
  msd run scenes/tower.toml --view
  msd run scenes/tower.toml --until 1 --save-scene tower-at-1s.toml
  msd run scenes/quadruped.xml --keyframe stand
  msd run scenes/falling-ball.toml --quiet --report - | jq .energy")]
pub(crate) struct RunArgs {
    /// A scene in TOML, or in JSON if its name ends in .json, or a robot (.urdf, .xml, .mjcf); without it, a built-in
    /// demonstration
    scene: Option<PathBuf>,
    /// Simulate this many seconds instead of the scene's duration
    #[arg(long, value_name = "S", value_parser = positive, allow_negative_numbers = true)]
    until: Option<f64>,
    /// Time step, s, instead of the scene's
    #[arg(long, value_name = "S", value_parser = positive, allow_negative_numbers = true)]
    dt: Option<f64>,
    /// Integrator, instead of the scene's
    #[arg(long, value_name = "NAME", value_parser = integrators())]
    integrator: Option<String>,
    /// Contact solver, instead of the scene's
    #[arg(long, value_name = "NAME", value_parser = solvers())]
    solver: Option<String>,
    /// Number of threads, instead of the scene's; results never depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Start from this keyframe of the scene or model, instead of as placed
    #[arg(long, value_name = "NAME")]
    keyframe: Option<String>,
    /// Record the run to a file that `msd replay`, `export`, `plot` and `info` read
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Replace an earlier recording of that name
    #[arg(long, requires = "record")]
    force: bool,
    /// Write the scene as it stands at the end, with the state as a keyframe to start from: TOML, or JSON if the name ends in
    /// .json
    #[arg(long, value_name = "FILE")]
    save_scene: Option<PathBuf>,
    /// Write the report as JSON to a file, or to standard output with `-`
    #[arg(long, value_name = "FILE|-")]
    report: Option<PathBuf>,
    /// Exit with 1 unless the run is certified: every limit of the certificate held in every step
    #[arg(long, value_name = "WHAT", value_parser = ["certified"])]
    require: Option<String>,
    /// Watch the run in the browser while it is computed, and review it afterwards
    #[arg(long)]
    view: bool,
    #[command(flatten)]
    view_options: ViewOptions,
    /// No progress bar and no summary
    #[arg(long, short)]
    quiet: bool,
    /// Allow files outside the scene's folder
    #[arg(long)]
    allow_outside_files: bool,
    /// Let the base of a URDF robot move freely, instead of holding it to the world
    #[arg(long)]
    free_base: bool,
}

/// A run that has ended.
struct FinishedRun {
    outcome: Outcome,
    /// Description of the recording, if there is one.
    recorded: Option<Result<String, Failure>>,
    engine: Engine,
}

pub(super) fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        Ok(number) => Err(format!("expected a number of seconds above 0, got {number}")),
        Err(_) => Err("expected a number of seconds above 0".to_owned()),
    }
}

fn integrators() -> PossibleValuesParser {
    IntegratorName::ALL.map(IntegratorName::as_str).into()
}

fn solvers() -> PossibleValuesParser {
    SolverName::ALL.map(SolverName::as_str).into()
}

impl RunArgs {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let scene = self.scene()?;
        let simulation = Simulation::new(scene.build()?).with_clock(seconds);
        let warnings = scene.warnings(simulation.world());
        let report_file = self.open_report()?;
        self.save_scene.as_deref().map(check_new_file).transpose()?;
        let tape = self.record.as_ref().map(|path| self.start_recording(path, &scene, &simulation));
        let live = if self.view { Some(Arc::new(self.live(&scene, &simulation)?)) } else { None };
        let _server = live
            .as_ref()
            .map(|live| viewing::serve(Arc::clone(live) as _, &self.view_options))
            .transpose()?;
        if self.scene.is_none() && !self.quiet {
            eprint!("{}", summary::DEMONSTRATION);
        }
        let FinishedRun { outcome, recorded, engine } =
            self.simulate(simulation, tape.transpose()?, live.as_ref())?;
        if let Some(path) = &self.save_scene {
            save_scene(&scene, engine.world(), path)?;
        }
        if !self.quiet {
            eprint!("{}", summary::summary(&scene, &outcome, &warnings));
            if let Some(Ok(description)) = &recorded {
                eprintln!("recording   {description}");
            }
            if self.scene.is_none() {
                eprint!("{}", summary::FIRST_STEPS);
            }
        }
        self.write_report(report_file, &outcome.report)?;
        recorded.transpose()?;
        if let Some(live) = &live {
            viewing::linger(live)?;
        }
        match outcome.ending {
            Ending::Done => self.check_required(&scene, &outcome.report),
            Ending::Stopped => Err(Failure::Stopped),
            Ending::Failed(error) => Err(Failure::Failed(format!("{}: {error}", scene.name))),
        }
    }

    /// Checks the condition of `--require`.
    fn check_required(&self, scene: &Scene, report: &Report) -> Result<(), Failure> {
        match &report.certificate.first_failure {
            Some(first) if self.require.is_some() => {
                let CertificateReport { failed_steps, steps, .. } = report.certificate;
                let description =
                    format!("not certified in {failed_steps} of {steps} steps; first: {}", first.message);
                Err(Failure::Failed(format!("{}: {description}", scene.name)))
            }
            _ => Ok(()),
        }
    }

    /// The scene with the overrides of the command line.
    fn scene(&self) -> Result<Scene, Failure> {
        let mut scene = match &self.scene {
            Some(path) => self.load(path)?,
            None => Scene::parse_str("default scene", DEFAULT_SCENE, Format::Toml)?,
        };
        let world = &mut scene.world;
        world.duration = self.until.unwrap_or(world.duration);
        world.dt = self.dt.unwrap_or(world.dt);
        world.threads = self.threads.unwrap_or(world.threads);
        world.keyframe = self.keyframe.clone().or(world.keyframe.take());
        if let Some(name) = &self.integrator {
            world.integrator =
                IntegratorName::ALL.into_iter().find(|i| i.as_str() == name).unwrap_or_default();
        }
        if let Some(name) = &self.solver {
            world.solver = SolverName::ALL.into_iter().find(|s| s.as_str() == name).unwrap_or_default();
        }
        Ok(scene)
    }

    /// Loads a scene from a file; reports elements of a robot that are approximated or ignored.
    fn load(&self, path: &Path) -> Result<Scene, Failure> {
        let options = LoadOptions { files_outside: self.allow_outside_files, free_base: self.free_base };
        let Loaded { scene, listing } = Scene::load_listed(path, &options)?;
        if !self.quiet {
            report_differences(path, &listing);
        }
        Ok(scene)
    }

    /// The run as shown in the browser: it can be paused, but not changed.
    fn live(&self, scene: &Scene, simulation: &Simulation) -> Result<Live, Failure> {
        let world = simulation.world();
        let header = Header::of_world(world, &scene.name, scene.world.duration, Some(scene))?;
        Ok(Live::new(world, header, Pace::Unlimited, false)?.watched_only())
    }

    fn start_recording(
        &self,
        path: &Path,
        scene: &Scene,
        simulation: &Simulation,
    ) -> Result<RunRecording, Failure> {
        let written = match &self.scene {
            Some(file) => std::fs::read_to_string(file).ok(),
            None => Some(DEFAULT_SCENE.to_owned()),
        };
        RunRecording::start(path, self.force, scene, written.as_deref(), simulation.world())
    }

    /// Runs the simulation, and finishes the recording if there is one.
    fn simulate(
        &self,
        simulation: Simulation,
        mut tape: Option<RunRecording>,
        live: Option<&Arc<Live>>,
    ) -> Result<FinishedRun, Failure> {
        let stop = interrupt::flag()?;
        if let Some(live) = live {
            interrupt::also_stops(live);
            live.begin(simulation.world());
        }
        let bar = if self.quiet { None } else { Bar::on_terminal(seconds) };
        let (outcome, engine) = simulation.run_watched(|world, step, commands, progress| {
            if let Some(bar) = &bar {
                bar.show(progress);
            }
            let recording = tape.as_mut().is_none_or(|tape| tape.observe(world, step, commands));
            let shown = live.is_none_or(|live| live.observe(world, step) == Flow::Continue);
            recording && shown && !stop.load(Ordering::Relaxed)
        });
        if let Some(live) = live {
            viewing::finish(live, engine.world(), &outcome);
        }
        if let Some(bar) = bar {
            bar.clear();
        }
        let recorded = tape.map(|tape| tape.finish(engine.world(), &outcome));
        Ok(FinishedRun { outcome, recorded, engine })
    }

    /// Opens the report file before the run, so that a wrong path fails immediately and not after an hour.
    fn open_report(&self) -> Result<Option<File>, Failure> {
        let Some(path) = self.report.as_ref().filter(|path| path.as_os_str() != "-") else { return Ok(None) };
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
        file.map(Some)
            .map_err(|error| Failure::BadInput(format!("{}: cannot be written: {error}", path.display())))
    }

    fn write_report(&self, file: Option<File>, report: &Report) -> Result<(), Failure> {
        let Some(path) = &self.report else { return Ok(()) };
        let Some(mut file) = file else { return print_json(report) };
        let text = to_json(report)? + "\n";
        let written = file.set_len(0).and_then(|()| file.write_all(text.as_bytes()));
        written.map_err(|error| Failure::Failed(format!("{}: cannot be written: {error}", path.display())))
    }
}

/// Refuses a path that no new file can have, before the run and not after it.
fn check_new_file(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let problem = if path.exists() {
        "exists already; choose another name"
    } else if folder.is_some_and(|folder| !folder.is_dir()) {
        "its folder does not exist"
    } else {
        return Ok(());
    };
    Err(Failure::BadInput(format!("{}: {problem}", path.display())))
}

/// Writes the scene with the state of its world to a new file.
fn save_scene(scene: &Scene, world: &World, path: &Path) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::Failed(format!("{}: {error}", path.display()));
    let format = Format::of_name(&path.to_string_lossy());
    let saved = scene.with_state_of(world, "end").map_err(|error| failed(&error))?;
    let text = saved.to_text(format).map_err(|error| failed(&error))?;
    let mut file = File::create_new(path).map_err(|error| failed(&format!("cannot be written: {error}")))?;
    file.write_all(text.as_bytes()).map_err(|error| failed(&error))
}

/// Reports that elements of a robot are approximated or ignored.
pub(super) fn report_differences(path: &Path, listing: &Listing) {
    if listing.count(Verdict::Imported) < listing.elements.len() {
        eprintln!("{}: {} (`msd check` lists them)", path.display(), listing.summary());
    }
}

/// Seconds since the first call.
pub(super) fn seconds() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}
