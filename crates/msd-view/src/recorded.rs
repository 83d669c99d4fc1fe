//! Frames of a recording.

use std::sync::{Arc, Mutex, PoisonError};

use msd_recording::{Frame, FrameSummary, RecordedScene, Recording};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::ViewError;
use crate::figures::{FigureRow, merge};
use crate::frame::{ContactPoint, FrameBytes, Pose};
use crate::header::Header;
use crate::joint_loads::RecordedJoints;
use crate::source::{Control, Extent, FrameSource};

/// Frames that a page is offered at most; of more, every n-th is.
const MAX_FRAMES: u64 = 20_000;

/// A recording, read frame by frame as pages ask for them.
#[derive(Debug)]
pub struct RecordingSource {
    recording: Mutex<Recording>,
    header: Header,
    json: Arc<str>,
    /// Numbers of the frames offered.
    offered: Vec<u64>,
    figures: Vec<FigureRow>,
    joints: RecordedJoints,
    status: Value,
    changes: watch::Sender<u64>,
}

impl RecordingSource {
    /// Reads the constant data and the figures of all frames.
    ///
    /// # Errors
    /// If the recording is damaged or has no frames.
    pub fn new(recording: Recording) -> Result<Self, ViewError> {
        if recording.frames() == 0 {
            return Err(ViewError::NoFrames);
        }
        // A recording made by a program holds no scene; it is shown without planets and joint anchors.
        let recorded = recording.scene()?;
        let scene = recorded.as_ref().map(RecordedScene::scene);
        let mut header = Header::of_recording(&recording, scene)?;
        let joints = RecordedJoints::of(&recording, recorded.as_ref());
        joints.describe(&mut header.joints);
        let stride = recording.frames().div_ceil(MAX_FRAMES).max(1);
        let last = recording.frames() - 1;
        let mut offered: Vec<u64> = (0..=last).step_by(stride as usize).collect();
        if offered.last() != Some(&last) {
            offered.push(last);
        }
        let figures = thinned(&recording.summaries()?, &offered);
        let status = status_of(&recording);
        let json = serde_json::to_string(&header)?.into();
        let changes = watch::Sender::new(0);
        Ok(Self { recording: Mutex::new(recording), header, json, offered, figures, joints, status, changes })
    }

    /// Constant data of the recording.
    #[must_use]
    pub fn viewed(&self) -> &Header {
        &self.header
    }

    fn encode(&self, recording: &Recording, frame: &Frame) -> FrameBytes {
        let bodies = recording.bodies();
        let pose = |number: &usize| {
            let (body, state) = (&bodies[*number], &frame.states[*number]);
            let (velocity, angular_velocity) = (state.velocity, state.angular_velocity);
            Pose { frame: body.frame(state), velocity, angular_velocity, asleep: false }
        };
        let poses: Vec<Pose> = self.header.moving.iter().map(pose).collect();
        let contact = |contact: &msd_recording::Contact| ContactPoint {
            a: contact.a as u32,
            b: contact.b as u32,
            position: contact.position,
            normal: contact.normal,
            gap: contact.gap,
            normal_force: contact.normal_force,
            friction_force: contact.friction_force,
        };
        let contacts: Vec<ContactPoint> = frame.contacts.iter().map(contact).collect();
        let joints = self.joints.loads(recording, frame);
        FrameBytes::encode(frame.summary.time, &poses, &contacts, &joints)
    }
}

fn row_of(frame: &FrameSummary) -> FigureRow {
    [
        frame.time,
        frame.kinetic,
        frame.potential,
        frame.work_in,
        frame.dissipated,
        frame.correction,
        frame.error,
        frame.gain,
        frame.contacts as f64,
        frame.penetration,
        frame.residual,
        f64::NAN,
        frame.joint_position_error,
        frame.joint_angle_error,
    ]
}

/// Rows of the frames offered, each the worst of those since the one before.
fn thinned(all: &[FrameSummary], offered: &[u64]) -> Vec<FigureRow> {
    let mut from = 0;
    let mut rows = Vec::with_capacity(offered.len());
    for index in offered {
        let to = (*index as usize).min(all.len() - 1);
        let merged = all[from..=to].iter().map(row_of).reduce(|earlier, later| merge(&earlier, &later));
        rows.push(merged.unwrap_or([0.0; 14]));
        from = to + 1;
    }
    rows
}

fn status_of(recording: &Recording) -> Value {
    let ending = recording.ending();
    let report: Value =
        ending.and_then(|ending| serde_json::from_str(ending.report.as_deref()?).ok()).unwrap_or(Value::Null);
    let (_, last) = recording.span();
    json!({
        "playing": false,
        "ended": ending.map_or("interrupted", |ending| ending.how.as_str()),
        "message": ending.and_then(|ending| ending.message.as_deref()),
        "state_hash": ending.map(|ending| ending.state_hash.as_str()),
        "speed": null,
        "factor": 0.0,
        "time": ending.map_or(last, |ending| ending.time),
        "steps": ending.map_or(0, |ending| ending.steps),
        "may_reset": false,
        "may_drag": false,
        "certificate": report["certificate"],
        "worst_bodies": null,
        "energy": report["energy"],
    })
}

impl FrameSource for RecordingSource {
    fn header(&self) -> Arc<str> {
        Arc::clone(&self.json)
    }

    fn status(&self) -> Value {
        self.status.clone()
    }

    fn extent(&self) -> Extent {
        Extent { epoch: 0, frames: self.offered.len() as u32 }
    }

    fn figures(&self, from: u32, to: u32) -> Result<Vec<FigureRow>, String> {
        let to = (to as usize).min(self.figures.len());
        Ok(self.figures.get(from as usize..to).unwrap_or_default().to_vec())
    }

    fn frame(&self, index: u32) -> Result<Option<Arc<FrameBytes>>, String> {
        let Some(number) = self.offered.get(index as usize) else { return Ok(None) };
        let recording = self.recording.lock().unwrap_or_else(PoisonError::into_inner);
        let frame = recording.frame(*number).map_err(|error| error.to_string())?;
        Ok(Some(Arc::new(self.encode(&recording, &frame))))
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    fn control(&self, _: Control) -> Result<(), String> {
        Err("a recording cannot be changed".to_owned())
    }
}
