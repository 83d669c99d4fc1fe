//! `msd replay RECORDING`: play a recording back, or prove that the engine computes it.

use std::path::PathBuf;

use clap::Args;
use msd_recording::{Recording, RecordingError};

use crate::failure::Failure;
use crate::output::{number, print, table};

/// Rows of the table that stands for a whole run.
const ROWS: u64 = 20;

/// Play a recording back, or verify it by computing the run again
#[derive(Debug, Args)]
#[command(after_help = "\
Without --verify the recorded frames are shown as they are: some of the run, or all bodies at one time.
With --verify the run is computed again from the scene inside the recording, and every frame must come out with the
same bits. Exit codes: 0 the same, 1 different (the first frame that differs is named) or damaged, 2 not a recording.

Examples:
  msd replay pendulum.msdr
  msd replay pendulum.msdr --at 1.5
  msd replay pendulum.msdr --verify
  msd replay pendulum.msdr --verify --from 8")]
pub(crate) struct ReplayArgs {
    /// A recording made by `msd run --record`
    recording: PathBuf,
    /// Compute the run again and compare every frame
    #[arg(long)]
    verify: bool,
    /// Begin at the last keyframe before this time, s, instead of the start
    #[arg(long, value_name = "S", requires = "verify")]
    from: Option<f64>,
    /// Show all bodies at this time, s
    #[arg(long, value_name = "S", conflicts_with = "verify")]
    at: Option<f64>,
}

impl ReplayArgs {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let recording = open(&self.recording)?;
        match (self.verify, self.at) {
            (true, _) => verify(&recording, self.from),
            (false, Some(time)) => show_frame(&recording, time),
            (false, None) => show_run(&recording),
        }
    }
}

/// A recording whose every byte is as it was sealed.
pub(super) fn open(path: &std::path::Path) -> Result<Recording, Failure> {
    let recording = Recording::open(path)?;
    let problems = recording.check_seal()?;
    match problems.first() {
        None => Ok(recording),
        Some(problem) => {
            let detail = problem.clone();
            Err(RecordingError::Damaged { path: path.to_owned(), detail }.into())
        }
    }
}

fn verify(recording: &Recording, from: Option<f64>) -> Result<(), Failure> {
    let result = recording.verify(from, |_| true)?;
    let shown = recording.path().display();
    if let Some(difference) = result.difference {
        return Err(Failure::Failed(format!(
            "{shown}: NOT what this engine computes: frame {} (t = {} s): {}",
            difference.frame, difference.time, difference.what
        )));
    }
    let (last, began) = (recording.span().1, number(result.from));
    let end = match recording.ending() {
        Some(_) => String::new(),
        None => "; the run did not end, so there is no final hash".to_owned(),
    };
    print(&format!(
        "verified   {} frames from t = {began} s to {} s have the same bits, {} state hashes agree{end}\n",
        result.frames,
        number(last),
        result.hashes
    ))
}

fn show_run(recording: &Recording) -> Result<(), Failure> {
    let frames = recording.summaries()?;
    let stride = (frames.len() as u64).div_ceil(ROWS).max(1);
    let last = frames.len().saturating_sub(1) as u64;
    let shown = (0..).zip(&frames).filter(|(index, _)| index % stride == 0 || *index == last);
    let rows: Vec<Vec<String>> = shown
        .map(|(index, frame)| {
            vec![
                index.to_string(),
                number(frame.time),
                number(frame.kinetic),
                number(frame.potential),
                number(frame.total()),
                format!("{:.1e}", frame.error),
                frame.contacts.to_string(),
            ]
        })
        .collect();
    let header = ["frame", "time s", "kinetic J", "potential J", "total J", "error J", "contacts"];
    print(&table(&header, &[true; 7], &rows))
}

fn show_frame(recording: &Recording, time: f64) -> Result<(), Failure> {
    let frame = recording.frame(recording.frame_at(time)?)?;
    let header = [
        "body", "x m", "y m", "z m", "qw", "qx", "qy", "qz", "vx m/s", "vy m/s", "vz m/s", "wx rad/s",
        "wy rad/s", "wz rad/s",
    ];
    let rows: Vec<Vec<String>> = recording
        .bodies()
        .iter()
        .zip(&frame.states)
        .map(|(body, state)| {
            let pose = body.frame(state);
            let (p, q) = (pose.position, pose.orientation);
            let (v, w) = (state.velocity, state.angular_velocity);
            let numbers = [p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z];
            std::iter::once(body.name.clone()).chain(numbers.map(number)).collect()
        })
        .collect();
    let mut right = [true; 14];
    right[0] = false;
    let head =
        format!("frame {} at t = {} s, step {}\n", frame.index, frame.summary.time, frame.summary.step);
    print(&(head + &table(&header, &right, &rows)))
}
