//! `msd view [SCENE|ROBOT|RECORDING]`: show it in the browser.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;
use msd_recording::is_recording_file;
use msd_scene::source::Format;
use msd_scene::{LoadOptions, Loaded, Scene, Simulation};
use msd_view::{Flow, Header, Live, Pace, RecordingSource};

use super::record::RunRecording;
use super::replay;
use super::run::{DEFAULT_SCENE, positive, seconds};
use super::viewing::{self, ViewOptions};
use super::{interrupt, run};
use crate::failure::Failure;
use crate::summary;

/// View a scene, a robot or a recording in the browser
#[derive(Debug, Args)]
#[command(after_help = "\
A scene runs live: it begins when the page is there, and can be paused, stepped, slowed down, reset and pulled at with the
mouse. A recording is played back. The page shows the certificate and the energy ledger beside the picture.
Press ? in the page for all keys. Ctrl-C here ends it.

Examples:
  msd view
  msd view scenes/dominoes.toml
  msd view scenes/docking.toml --speed 0.25
  msd view scenes/arm.urdf --until 60 --record arm.msdr
  msd view pendulum.msdr")]
pub(crate) struct ViewArgs {
    /// A scene (.toml, .json), a robot (.urdf, .xml, .mjcf) or a recording (.msdr); without it, a built-in demonstration
    what: Option<PathBuf>,
    /// Simulate this many seconds instead of the scene's duration
    #[arg(long, value_name = "S", value_parser = positive, allow_negative_numbers = true)]
    until: Option<f64>,
    /// Initial speed, simulated seconds per second; chosen by the length of the run unless given
    #[arg(long, value_name = "TIMES", value_parser = positive, allow_negative_numbers = true)]
    speed: Option<f64>,
    /// Record the simulation, including forces applied in the browser
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Replace an earlier recording of that name
    #[arg(long, requires = "record")]
    force: bool,
    #[command(flatten)]
    view_options: ViewOptions,
    /// No summary when a run ends
    #[arg(long, short)]
    quiet: bool,
    /// Allow files outside the scene's folder
    #[arg(long)]
    allow_outside_files: bool,
    /// Let the base of a URDF robot move freely, instead of holding it to the world
    #[arg(long)]
    free_base: bool,
}

impl ViewArgs {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match &self.what {
            Some(path) if is_recording_file(path).unwrap_or(false) => self.play(path),
            _ => self.simulate(),
        }
    }

    fn play(&self, path: &Path) -> Result<(), Failure> {
        if self.until.is_some() || self.record.is_some() {
            let problem =
                format!("{}: a recording is played as it is, without --until and --record", path.display());
            return Err(Failure::BadInput(problem));
        }
        let stop = interrupt::flag()?;
        let source = RecordingSource::new(replay::open(path)?)?;
        let _server = viewing::serve(Arc::new(source), &self.view_options)?;
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    fn simulate(&self) -> Result<(), Failure> {
        let scene = self.scene()?;
        let built = scene.build()?;
        let world = built.engine.world();
        let header = Header::of_world(world, &scene.name, built.duration, Some(&scene))?;
        let pace = self.speed.map_or_else(|| Live::pleasant_pace(built.duration), Pace::Times);
        let mut live = Live::new(world, header, pace, true)?;
        if self.record.is_some() {
            live = live.without_reset();
        }
        let live = Arc::new(live);
        interrupt::flag()?;
        interrupt::also_stops(&live);
        let _server = viewing::serve(Arc::clone(&live) as _, &self.view_options)?;
        while self.run_once(&scene, built.clone(), &live)? == Flow::Reset {}
        Ok(())
    }

    /// One run from its start until it is reset or ends.
    fn run_once(
        &self,
        scene: &Scene,
        mut built: msd_scene::Built,
        live: &Arc<Live>,
    ) -> Result<Flow, Failure> {
        built.engine.add_agent(live.hand_agent());
        let simulation = Simulation::new(built).with_clock(seconds);
        let warnings = scene.warnings(simulation.world());
        let recording = self.record.as_ref().map(|path| self.start_recording(path, scene, &simulation));
        let mut recording = recording.transpose()?;
        let mut flow = live.begin(simulation.world());
        if flow == Flow::Reset {
            return Ok(flow);
        }
        let mut going = flow == Flow::Continue;
        let (outcome, engine) = simulation.run_watched(|world, step, commands, _| {
            let recording =
                recording.as_mut().is_none_or(|recording| recording.observe(world, step, commands));
            if going {
                flow = live.observe(world, step);
                going = flow == Flow::Continue;
            }
            recording && going
        });
        if flow != Flow::Reset {
            viewing::finish(live, engine.world(), &outcome);
            if !self.quiet {
                eprint!("{}", summary::summary(scene, &outcome, &warnings));
            }
        }
        if let Some(recording) = recording {
            eprintln!("recording   {}", recording.finish(engine.world(), &outcome)?);
        }
        Ok(if flow == Flow::Continue { live.linger() } else { flow })
    }

    fn scene(&self) -> Result<Scene, Failure> {
        let options = LoadOptions { files_outside: self.allow_outside_files, free_base: self.free_base };
        let mut scene = match &self.what {
            Some(path) => {
                let Loaded { scene, listing } = Scene::load_listed(path, &options)?;
                run::report_differences(path, &listing);
                scene
            }
            None => Scene::parse_str("default scene", DEFAULT_SCENE, Format::Toml)?,
        };
        scene.world.duration = self.until.unwrap_or(scene.world.duration);
        Ok(scene)
    }

    fn start_recording(
        &self,
        path: &Path,
        scene: &Scene,
        simulation: &Simulation,
    ) -> Result<RunRecording, Failure> {
        let written = match &self.what {
            Some(file) => std::fs::read_to_string(file).ok(),
            None => Some(DEFAULT_SCENE.to_owned()),
        };
        RunRecording::start_interactive(path, self.force, scene, written.as_deref(), simulation.world())
    }
}
