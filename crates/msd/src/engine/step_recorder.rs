//! The interface for recorders.

use std::fmt;

use super::Commands;
use crate::environment::{StepReport, World};

/// Receives every step of an engine: a recording, a log, a video.
pub trait StepRecorder: fmt::Debug + Send + Sync {
    /// Called after every step, with the commands of the agents.
    ///
    /// # Errors
    /// Why recording failed; the step stands, and the run ends there.
    fn record(&mut self, world: &World, step: &StepReport, commands: Commands<'_>) -> Result<(), String>;

    /// Called once, when recording stops.
    ///
    /// # Errors
    /// Why the record is not complete.
    fn finish(self: Box<Self>, world: &World) -> Result<(), String>;
}

/// An optional recorder. A copy of an engine is not recorded: two runs cannot write one record.
#[derive(Debug, Default)]
pub(super) struct RecorderSlot(pub(super) Option<Box<dyn StepRecorder>>);

impl Clone for RecorderSlot {
    fn clone(&self) -> Self {
        Self(None)
    }
}
