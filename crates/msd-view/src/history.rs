//! The frames of a run so far, one for each interval of simulated time, with the worst figures of the steps between.
//!
//! A history that grows too large loses every second frame, and the interval is doubled; pages learn of it by a new epoch.

use std::sync::Arc;

use crate::figures::{FigureRow, merge};
use crate::frame::FrameBytes;

/// History is thinned beyond this many bytes.
const MAX_BYTES: usize = 256 << 20;
/// The same for frames.
const MAX_FRAMES: usize = 20_000;
/// Frames that a run has at most if its steps are short, unless 60 frames a simulated second are fewer.
const FRAMES_OF_A_RUN: f64 = 2000.0;
/// Frames for each simulated second at most.
const FRAMES_PER_SECOND: f64 = 60.0;

#[derive(Debug)]
pub(crate) struct History {
    /// Counts how often frames were numbered anew.
    epoch: u32,
    frames: Vec<Arc<FrameBytes>>,
    figures: Vec<FigureRow>,
    bytes: usize,
    /// Simulated time between frames, s.
    interval: f64,
    /// When the next frame is due, s.
    next: f64,
    /// Figures of the steps since the last frame.
    pending: Option<FigureRow>,
}

impl History {
    /// For a run of `duration` seconds.
    pub(crate) fn new(duration: f64) -> Self {
        Self {
            epoch: 0,
            frames: Vec::new(),
            figures: Vec::new(),
            bytes: 0,
            interval: (1.0 / FRAMES_PER_SECOND).min(duration / FRAMES_OF_A_RUN),
            next: 0.0,
            pending: None,
        }
    }

    /// Forgets all frames.
    pub(crate) fn restart(&mut self) {
        self.epoch += u32::from(!self.frames.is_empty());
        self.frames.clear();
        self.figures.clear();
        (self.bytes, self.pending, self.next) = (0, None, self.interval);
    }

    pub(crate) fn epoch(&self) -> u32 {
        self.epoch
    }

    pub(crate) fn len(&self) -> usize {
        self.frames.len()
    }

    pub(crate) fn frame(&self, index: u32) -> Option<Arc<FrameBytes>> {
        self.frames.get(index as usize).cloned()
    }

    pub(crate) fn figures(&self, from: u32, to: u32) -> &[FigureRow] {
        let to = (to as usize).min(self.figures.len());
        self.figures.get(from as usize..to).unwrap_or_default()
    }

    /// Takes the figures of a step of `dt` seconds; those of the frame to be kept, if one is due.
    pub(crate) fn step(&mut self, row: FigureRow, dt: f64) -> Option<FigureRow> {
        let row = self.pending.map_or(row, |pending| merge(&pending, &row));
        self.pending = Some(row);
        // A frame is due by time; round-off is no reason to be a whole step late.
        if row[0] >= self.next - 0.5 * dt.min(self.interval) { self.take_pending() } else { None }
    }

    /// Figures of the steps since the last frame, which is then due now.
    pub(crate) fn take_pending(&mut self) -> Option<FigureRow> {
        let row = self.pending.take()?;
        while self.next <= row[0] + 0.5 * self.interval {
            self.next += self.interval.max(1e-12);
        }
        Some(row)
    }

    /// Keeps a frame with its figures.
    pub(crate) fn store(&mut self, frame: FrameBytes, row: FigureRow) {
        self.bytes += frame.size();
        self.frames.push(Arc::new(frame));
        self.figures.push(row);
        if self.bytes > MAX_BYTES || self.frames.len() > MAX_FRAMES {
            self.thin();
        }
    }

    /// Every second frame goes, and from now on every second is kept.
    fn thin(&mut self) {
        let (mut frames, mut figures) = (Vec::new(), Vec::new());
        let last = self.frames.len() - 1;
        for (i, (frame, row)) in self.frames.iter().zip(&self.figures).enumerate() {
            if i % 2 == 0 || i == last {
                frames.push(Arc::clone(frame));
                figures.push(if i > 0 { merge(&self.figures[i - 1], row) } else { *row });
            }
        }
        self.bytes = frames.iter().map(|frame| frame.size()).sum();
        (self.frames, self.figures) = (frames, figures);
        self.epoch += 1;
        self.interval *= 2.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(time: f64) -> FigureRow {
        let mut row = [0.0; 14];
        (row[0], row[9]) = (time, time);
        row
    }

    #[test]
    fn a_long_history_is_thinned_and_numbered_again() {
        let mut history = History::new(1.0);
        for i in 0..=MAX_FRAMES {
            history.store(FrameBytes::encode(i as f64, &[], &[], &[]), row(i as f64));
        }
        assert_eq!(history.epoch(), 1);
        assert!(history.len() < MAX_FRAMES * 3 / 4);
        let rows = history.figures(0, u32::MAX);
        assert!(rows.windows(2).all(|pair| pair[0][0] < pair[1][0]));
        assert_eq!(rows.last().unwrap()[0], MAX_FRAMES as f64, "the newest frame stays");
    }

    #[test]
    fn a_frame_is_due_once_an_interval_and_has_the_worst_figures_of_its_steps() {
        let mut history = History::new(200.0); // 60 frames a second
        history.restart();
        let dt = 1e-3;
        let kept: Vec<FigureRow> =
            (1..=1000).filter_map(|step| history.step(row(f64::from(step) * dt), dt)).collect();
        assert_eq!(kept.len(), 60);
        for (number, kept) in kept.iter().enumerate() {
            let due = (number + 1) as f64 / FRAMES_PER_SECOND;
            assert!((kept[0] - due).abs() <= dt, "{} for {due}", kept[0]);
        }
    }
}
