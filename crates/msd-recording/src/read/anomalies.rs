//! Where a run was at its worst.

use super::recording::Recording;
use crate::RecordingError;
use crate::frame::FrameSummary;

/// The largest value of something, and when it was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extreme {
    /// SI.
    pub value: f64,
    /// Number of the frame; the step was that one, or since the frame before.
    pub frame: u64,
    /// Time of that frame, s.
    pub time: f64,
}

/// The worst of a run; `None` without any.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Anomalies {
    /// Largest unexplained rise of energy in one step, J.
    pub gain: Option<Extreme>,
    /// Largest error of the energy ledger at a frame, J.
    pub energy_error: Option<Extreme>,
    /// Deepest overlap, m.
    pub penetration: Option<Extreme>,
    /// Worst contact residual.
    pub residual: Option<Extreme>,
    /// Worst position error of a joint, m.
    pub joint_position_error: Option<Extreme>,
    /// Worst angle error of a joint, rad.
    pub joint_angle_error: Option<Extreme>,
    /// Steps whose contacts were not solved to tolerance.
    pub unconverged_steps: u64,
    /// First frame that saw an unconverged step.
    pub first_unconverged: Option<u64>,
}

impl Anomalies {
    pub(super) fn of(frames: &[FrameSummary]) -> Self {
        let largest = |value: fn(&FrameSummary) -> f64| {
            let mut worst: Option<Extreme> = None;
            for (frame, summary) in (0_u64..).zip(frames) {
                let value = value(summary);
                if value > worst.map_or(0.0, |worst| worst.value) {
                    worst = Some(Extreme { value, frame, time: summary.time });
                }
            }
            worst
        };
        Self {
            gain: largest(|frame| frame.gain),
            energy_error: largest(|frame| frame.error.abs()),
            penetration: largest(|frame| frame.penetration),
            residual: largest(|frame| frame.residual),
            joint_position_error: largest(|frame| frame.joint_position_error),
            joint_angle_error: largest(|frame| frame.joint_angle_error),
            unconverged_steps: frames.iter().map(|frame| frame.unconverged).sum(),
            first_unconverged: frames.iter().position(|frame| frame.unconverged > 0).map(|i| i as u64),
        }
    }
}

impl Recording {
    /// Where the run was at its worst, over all steps.
    ///
    /// # Errors
    /// If the figures are damaged.
    pub fn anomalies(&self) -> Result<Anomalies, RecordingError> {
        Ok(Anomalies::of(&self.summaries()?))
    }
}
