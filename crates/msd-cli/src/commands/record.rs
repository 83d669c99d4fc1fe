//! Recording of a run by `msd run --record`.

use std::path::Path;

use msd::engine::Commands;
use msd::environment::{StepReport, World};
use msd_recording::{RecordOptions, Recorder, RecordingError};
use msd_scene::{Ending, Outcome, Scene};

use crate::failure::Failure;
use crate::output::bytes;

/// A recording that a run writes to, until it is done or fails.
pub(super) struct RunRecording {
    recorder: Recorder,
    failure: Option<RecordingError>,
}

impl RunRecording {
    pub(super) fn start(
        path: &Path,
        replace: bool,
        scene: &Scene,
        written: Option<&str>,
        world: &World,
    ) -> Result<Self, Failure> {
        let options = RecordOptions::new().replace(replace).scene(scene, written)?;
        Ok(Self { recorder: Recorder::create(path, world, &options)?, failure: None })
    }

    /// The same for an interactive run.
    pub(super) fn start_interactive(
        path: &Path,
        replace: bool,
        scene: &Scene,
        written: Option<&str>,
        world: &World,
    ) -> Result<Self, Failure> {
        let options = RecordOptions::new().replace(replace).with_outside_inputs().scene(scene, written)?;
        Ok(Self { recorder: Recorder::create(path, world, &options)?, failure: None })
    }

    /// False if writing failed: a run that was to be recorded stops.
    pub(super) fn observe(&mut self, world: &World, step: &StepReport, commands: Commands<'_>) -> bool {
        self.failure = self.recorder.observe(world, step, commands.iter()).err();
        self.failure.is_none()
    }

    /// Closes the file; describes its contents, or why it is incomplete.
    pub(super) fn finish(self, world: &World, outcome: &Outcome) -> Result<String, Failure> {
        let (how, message) = match &outcome.ending {
            Ending::Done => ("done", None),
            Ending::Stopped => ("stopped", None),
            Ending::Failed(error) => ("failed", Some(error.to_string())),
        };
        let path = self.recorder.path().display().to_string();
        let time = world.time();
        let cut =
            |error: RecordingError| Failure::Failed(format!("recording stopped at t = {time} s: {error}"));
        if let Some(failure) = self.failure {
            return Err(cut(failure));
        }
        let report = serde_json::to_string(&outcome.report).ok();
        let finished = self.recorder.finish(world, how, message, report).map_err(cut)?;
        let frames = if finished.frames == 1 { "frame" } else { "frames" };
        Ok(format!("{path}, {} {frames}, {}", finished.frames, bytes(finished.bytes)))
    }
}
