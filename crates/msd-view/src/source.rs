//! Sources of frames, and the requests of a page.

use std::sync::Arc;

use serde::Deserialize;
use tokio::sync::watch;

use crate::figures::FigureRow;
use crate::frame::FrameBytes;

/// How many frames there are. A new epoch means that frames were numbered again (reset, thinned history).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Counts up whenever earlier numbers no longer mean the same frames.
    pub epoch: u32,
    /// Frames from 0.
    pub frames: u32,
}

/// Requests of the one page that controls a live run.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
pub enum Control {
    /// Go on.
    Play,
    /// Stand still.
    Pause,
    /// Run one step and pause.
    Step,
    /// Simulated seconds per second, or as fast as possible.
    Speed {
        /// Above 0; `null` for as fast as possible.
        value: Option<f64>,
    },
    /// Begin again.
    Reset,
    /// Pull at a point of a body with a spring.
    Drag {
        /// Number of the body in the header.
        body: u32,
        /// Point in the body's frame, m.
        point: [f64; 3],
        /// Where it is pulled to, world, m.
        target: [f64; 3],
    },
    /// Release.
    Release,
    /// Set the control of an actuator or the velocity of a motor.
    Drive {
        /// Number of the drive in the header.
        drive: u32,
        /// In its unit.
        value: f64,
    },
}

/// Frames by number. Implementations answer at once: they hold the frames or read them from a file.
pub trait FrameSource: Send + Sync {
    /// The header as JSON, sent once.
    fn header(&self) -> Arc<str>;

    /// State besides frames, as a JSON object: running or paused, the verdict, an error.
    fn status(&self) -> serde_json::Value;

    /// Frames on request.
    fn extent(&self) -> Extent;

    /// Figures of the frames from `from` up to but without `to`.
    ///
    /// # Errors
    /// A text that says why they cannot be read.
    fn figures(&self, from: u32, to: u32) -> Result<Vec<FigureRow>, String>;

    /// One frame; `None` if there is none of that number.
    ///
    /// # Errors
    /// A text that says why it cannot be read.
    fn frame(&self, index: u32) -> Result<Option<Arc<FrameBytes>>, String>;

    /// Changes whenever there is something new.
    fn changes(&self) -> watch::Receiver<u64>;

    /// Handles a request of a page.
    ///
    /// # Errors
    /// A text that says why it is refused.
    fn control(&self, command: Control) -> Result<(), String>;

    /// Called when a page begins to draw: a run that waits for it may begin.
    fn first_page(&self) {}
}
