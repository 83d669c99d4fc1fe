//! `Recorder`: a recording being made.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread::JoinHandle;

use msd::agent::Command;
use msd::environment::{StepReport, World};
use msd_scene::Scene;
use rusqlite::Transaction;
use serde_json::json;

use super::batch::ChunkSize;
use super::create::create;
use super::gather::Gatherer;
use super::observe::{Observer, Worst};
use super::queue::Queue;
use super::writer::Writer;
use crate::format::blocks::REACTION_NUMBERS;
use crate::format::commands::CommandEntry;
use crate::format::layout::Layout;
use crate::format::rows::text;
use crate::format::schema;
use crate::model::Model;
use crate::source::{self, RecordedFile};
use crate::{RecordingError, appearance};

/// A frame is never late by round-off of the time: the share of the interval that is forgiven.
const FRAME_TURN: f64 = 1e-9;
/// A keyframe follows another after this many steps and this many frames: a snapshot takes about as much space as
/// three frames.
const KEYFRAME_STEPS: u64 = 2048;
const KEYFRAME_FRAMES: u64 = 256;

/// Property of a recording with inputs that its scene does not explain.
pub(crate) const OUTSIDE_INPUTS: &str = "outside_inputs";

/// How to record.
#[derive(Clone, Debug, Default)]
pub struct RecordOptions {
    every: Option<f64>,
    keyframe_frames: Option<u64>,
    replace: bool,
    files: Vec<RecordedFile>,
    settings: Vec<(String, serde_json::Value)>,
}

impl RecordOptions {
    /// Every step, to a new file, without a scene.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Seconds between frames, instead of every step.
    #[must_use]
    pub fn every(mut self, seconds: f64) -> Self {
        self.every = Some(seconds);
        self
    }

    /// Frames from one keyframe to the next, at least 1. Otherwise a keyframe follows another after 2048 steps and 256 frames, as a
    /// snapshot takes about as much space as three frames. Runs are resumed and verified from keyframes.
    #[must_use]
    pub fn keyframe_every(mut self, frames: u64) -> Self {
        self.keyframe_frames = Some(frames);
        self
    }

    /// Says that agents which the scene does not know acted too, such as a person with a mouse: such a run is verified with its
    /// recorded commands, never by running the scene's own agents again.
    #[must_use]
    pub fn with_outside_inputs(mut self) -> Self {
        self.settings.push((OUTSIDE_INPUTS.to_owned(), serde_json::Value::Bool(true)));
        self
    }

    /// Replaces an earlier recording of that name, which is otherwise refused.
    #[must_use]
    pub fn replace(mut self, replace: bool) -> Self {
        self.replace = replace;
        self
    }

    /// Keeps the scene, so that the recording can be run again, and takes `[record] every` from it. `written` is the
    /// text it was read from, if there is one.
    ///
    /// # Errors
    /// A file that the scene refers to cannot be read.
    pub fn scene(mut self, scene: &Scene, written: Option<&str>) -> Result<Self, RecordingError> {
        self.files = source::files_of(scene, written)?;
        self.every = self.every.or_else(|| scene.record.as_ref().and_then(|record| record.every));
        let world = &scene.world;
        for (name, value) in [
            ("scene", json!(scene.name)),
            ("duration", json!(world.duration)),
            ("solver", json!(world.solver.as_str())),
            ("tolerance", json!(world.tolerance)),
        ] {
            self.settings.push((name.to_owned(), value));
        }
        Ok(self)
    }
}

/// How a recorded run ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// `done`, `stopped` or `failed`.
    pub(crate) how: String,
    pub(crate) message: Option<String>,
    pub(crate) report: Option<String>,
    pub(crate) steps: u64,
    pub(crate) time: f64,
    pub(crate) state_hash: String,
}

/// Result of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Frames in it.
    pub frames: u64,
    /// Size of the file.
    pub bytes: u64,
}

/// A recording being made. Dropped before [`Recorder::finish`], it keeps the frames so far, as after a kill.
#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    observer: Observer,
    queue: Arc<Queue>,
    thread: Option<JoinHandle<Option<Finished>>>,
    every: Option<f64>,
    keyframe_frames: Option<u64>,
    start: f64,
    frames: u64,
    last_step: u64,
    worst: Worst,
    keyframe: (u64, u64),
    /// Step length and commands of the last step.
    inputs: (f64, Vec<Command>),
}

impl Recorder {
    /// Makes the file and records the world as it is as frame 0.
    ///
    /// # Errors
    /// If the file is there already (unless it may be replaced), is being written, or cannot be made.
    pub fn create(
        path: impl AsRef<Path>,
        world: &World,
        options: &RecordOptions,
    ) -> Result<Self, RecordingError> {
        let path = path.as_ref().to_owned();
        if let Some(every) = options.every.filter(|every| !(*every > 0.0 && every.is_finite())) {
            let problem = format!("the time between frames must be above 0 s, got {every}");
            return Err(RecordingError::Invalid(problem));
        }
        if options.keyframe_frames == Some(0) {
            let problem = "keyframes must be at least 1 frame apart, got 0".to_owned();
            return Err(RecordingError::Invalid(problem));
        }
        let (model, numbering) = Model::of(world)?;
        let moving = model.moving();
        let layout = Layout::of(moving.len());
        let (connection, lock) = create(&path, options.replace, layout.page_size(), |transaction| {
            write_start(transaction, world, &model, options)
        })?;
        let slots: Vec<usize> = moving.iter().map(|number| numbering.bodies[*number].slot()).collect();
        let size = ChunkSize {
            frames: layout.frames_per_chunk(),
            states: moving.len(),
            reactions: REACTION_NUMBERS * numbering.joints.len(),
        };
        let queue = Arc::new(Queue::new(size));
        let (chunks, to_write) = channel();
        let (done, written) = channel();
        let gatherer = Gatherer { queue: Arc::clone(&queue), chunks, written, waiting: 0, spare: Vec::new() };
        let writer = Writer {
            connection,
            lock,
            path: path.clone(),
            queue: Arc::clone(&queue),
            deliveries: to_write,
            written: done,
            numbering: numbering.clone(),
            layout,
            scratch: Vec::new(),
            chunks: 0,
            frames: 0,
            keyframes: 0,
            time: world.time(),
            kept: (0, world.time()),
        };
        let thread = std::thread::Builder::new()
            .name("msd-recording".to_owned())
            .spawn(move || writer.run())
            .map_err(|error| RecordingError::io(&path, error))?;
        std::thread::Builder::new()
            .name("msd-gathering".to_owned())
            .spawn(move || gatherer.run())
            .map_err(|error| RecordingError::io(&path, error))?;
        let mut recorder = Self {
            path,
            observer: Observer::new(numbering, &slots, world),
            queue,
            thread: Some(thread),
            every: options.every,
            keyframe_frames: options.keyframe_frames,
            start: world.time(),
            frames: 0,
            last_step: 0,
            worst: Worst::default(),
            keyframe: (world.steps(), 0),
            inputs: (0.0, Vec::new()),
        };
        recorder.push_frame(world, true)?;
        Ok(recorder)
    }

    /// Where it is written.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Frames so far.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Records a step: its figures and events always, the state when a frame is due. `commands` are those of
    /// the agents for this step.
    ///
    /// # Errors
    /// If the file cannot be written any more (what was written before is kept), or bodies or joints were
    /// added or removed.
    pub fn observe<'a>(
        &mut self,
        world: &World,
        step: &StepReport,
        commands: impl Iterator<Item = &'a Command> + Clone,
    ) -> Result<(), RecordingError> {
        self.observer.check_model(world)?;
        self.worst.add(step);
        let events = self.observer.events(world, step);
        if step.dt.to_bits() != self.inputs.0.to_bits() || !commands.clone().eq(self.inputs.1.iter()) {
            self.inputs = (step.dt, commands.cloned().collect());
            let entry = CommandEntry { step: step.step, dt: step.dt, commands: self.inputs.1.clone() };
            self.queue.push(|batch| batch.commands.push(entry))?;
        }
        if !events.is_empty() {
            self.queue.push(|batch| batch.events.extend(events))?;
        }
        let due = match self.every {
            Some(every) => step.time >= self.start + (self.frames as f64 - FRAME_TURN) * every,
            None => true,
        };
        if due { self.push_frame(world, false) } else { Ok(()) }
    }

    fn push_frame(&mut self, world: &World, keyframe: bool) -> Result<(), RecordingError> {
        let (number, step) = (self.frames, world.steps());
        let (steps, frames) = (step - self.keyframe.0, number - self.keyframe.1);
        let due = match self.keyframe_frames {
            Some(apart) => frames >= apart,
            None => steps >= KEYFRAME_STEPS && frames >= KEYFRAME_FRAMES,
        };
        let keyframe = keyframe || due;
        let copy = keyframe.then(|| Box::new(world.clone()));
        self.queue.push(|batch| {
            self.observer.frame(world, &self.worst, batch);
            batch.keyframes.extend(copy.map(|copy| (number, copy)));
        })?;
        if keyframe {
            self.keyframe = (step, number);
        }
        self.worst = Worst::default();
        self.last_step = step;
        self.frames += 1;
        Ok(())
    }

    /// Records the last state if it is not a frame yet, and closes the file. `how` is `done`, `stopped` or `failed`;
    /// `message` says why, `report` is the report of the run as JSON.
    ///
    /// # Errors
    /// If the file cannot be written; frames written before are kept.
    pub fn finish(
        mut self,
        world: &World,
        how: &str,
        message: Option<String>,
        report: Option<String>,
    ) -> Result<Finished, RecordingError> {
        if world.steps() != self.last_step {
            self.observer.check_model(world)?;
            self.push_frame(world, false)?;
        }
        let ending = Ending {
            how: how.to_owned(),
            message,
            report,
            steps: world.steps(),
            time: world.time(),
            state_hash: world.state_hash().to_string(),
        };
        self.close(Some(ending)).ok_or_else(|| self.queue.failure().unwrap_or(RecordingError::WriterLost))
    }

    fn close(&mut self, ending: Option<Ending>) -> Option<Finished> {
        let thread = self.thread.take()?;
        self.queue.close(ending);
        thread.join().ok().flatten()
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.close(None);
    }
}

/// Contents of the first transaction besides the tables: settings, files, model.
fn write_start(
    transaction: &Transaction<'_>,
    world: &World,
    model: &Model,
    options: &RecordOptions,
) -> rusqlite::Result<()> {
    let layout = Layout::of(model.moving().len());
    let settings = [
        ("version", json!(env!("CARGO_PKG_VERSION"))),
        ("dt", json!(world.dt())),
        ("gravity", json!(world.gravity().to_array())),
        ("integrator", json!(world.integrator().describe())),
        ("every", json!(options.every)),
        ("model_hash", json!(world.model_hash().to_string())),
        ("start_step", json!(world.steps())),
        ("bodies", json!(model.bodies.len())),
        ("joints", json!(model.joints.len())),
        ("bodies_per_block", json!(layout.bodies_per_block)),
        ("frames_per_chunk", json!(layout.frames_per_chunk())),
    ];
    let own = settings.into_iter().map(|(name, value)| (name.to_owned(), value));
    let looks = appearance::to_json(model).map(|value| (appearance::PROPERTY.to_owned(), value));
    for (name, value) in own.chain(looks).chain(options.settings.iter().cloned()) {
        schema::PROPERTY.insert(transaction, vec![text(&name), text(&value.to_string())])?;
    }
    source::write(transaction, &options.files)?;
    model.write(transaction)
}
