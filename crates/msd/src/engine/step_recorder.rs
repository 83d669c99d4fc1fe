//! The seam to what keeps a record of a run.

use std::fmt;

use super::Commands;
use crate::environment::{StepReport, World};

/// Is shown every step of an engine and keeps what it likes: a recording, a log, a picture.
pub trait StepRecorder: fmt::Debug + Send + Sync {
    /// Called after every step, with what the agents asked for before it.
    ///
    /// # Errors
    /// A text that says why nothing can be kept any more; the step stands, and the run ends there.
    fn record(&mut self, world: &World, step: &StepReport, commands: Commands<'_>) -> Result<(), String>;

    /// Called once, when the engine is told to stop recording.
    ///
    /// # Errors
    /// A text that says why the record is not complete.
    fn finish(self: Box<Self>, world: &World) -> Result<(), String>;
}

/// A place for a recorder. A copy of an engine is not recorded: two runs cannot write one record.
#[derive(Debug, Default)]
pub(super) struct RecorderSlot(pub(super) Option<Box<dyn StepRecorder>>);

impl Clone for RecorderSlot {
    fn clone(&self) -> Self {
        Self(None)
    }
}
