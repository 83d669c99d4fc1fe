//! Why something cannot be shown.

use std::net::SocketAddr;

use thiserror::Error;

/// A viewer that cannot start, or a run that cannot be packed.
#[derive(Debug, Error)]
pub enum ViewError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {reason}; choose another port with --listen ADDRESS:PORT")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        reason: std::io::Error,
    },
    /// The operating system refused a thread, a runtime or random numbers.
    #[error("cannot start the viewer: {0}")]
    Start(String),
    /// The recording cannot be read.
    #[error(transparent)]
    Recording(#[from] msd_recording::RecordingError),
    /// A shape cannot be drawn.
    #[error("body `{body}`: its shape cannot be drawn: {reason}")]
    Shape {
        /// Name of the body.
        body: String,
        /// Why.
        reason: String,
    },
    /// The header cannot be written as JSON.
    #[error("cannot write JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The file would be larger than allowed.
    #[error(
        "the file would have {bytes} bytes, more than the limit of {limit}: reduce --max-frames or raise --max-mb"
    )]
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The accepted range.
        limit: u64,
    },
    /// Without frames.
    #[error("the run has no frames to show")]
    NoFrames,
    /// The output cannot be written.
    #[error("cannot write the page: {0}")]
    Output(#[from] std::io::Error),
}
