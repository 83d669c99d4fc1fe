//! A recording in a few figures.

use super::anomalies::Anomalies;
use super::recording::Recording;
use crate::RecordingError;
use crate::frame::FrameSummary;

/// Contents of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Overview {
    /// Size of the file, bytes.
    pub bytes: u64,
    /// Frames.
    pub frames: u64,
    /// Steps of the run that were recorded or passed over.
    pub steps: u64,
    /// Time of the first and the last frame, s.
    pub span: (f64, f64),
    /// Bodies that move, and all.
    pub bodies: (usize, usize),
    /// First and last frame, for the energies.
    pub ends: (FrameSummary, FrameSummary),
    /// Most contacts in a frame.
    pub max_contacts: u64,
    /// Where it was at its worst.
    pub anomalies: Anomalies,
}

impl Recording {
    /// The recording in a few figures.
    ///
    /// # Errors
    /// If the figures are damaged.
    pub fn overview(&self) -> Result<Overview, RecordingError> {
        let summaries = self.summaries()?;
        let bytes =
            std::fs::metadata(self.path()).map_err(|error| RecordingError::io(self.path(), error))?.len();
        let first = summaries.first().copied().unwrap_or_default();
        let last = summaries.last().copied().unwrap_or_default();
        Ok(Overview {
            bytes,
            frames: self.frames(),
            steps: last.step - first.step,
            span: self.span(),
            bodies: (self.moving.len(), self.bodies().len()),
            ends: (first, last),
            max_contacts: summaries.iter().map(|frame| frame.contacts).max().unwrap_or(0),
            anomalies: Anomalies::of(&summaries),
        })
    }
}
