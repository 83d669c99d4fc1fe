//! Errors of recordings, each with its remedy.

use std::path::{Path, PathBuf};
use std::time::Duration;

use msd::environment::WorldError;
use msd_assets::sqlite::{self, Trouble, folder_exists};
use msd_scene::SceneErrors;
use thiserror::Error;

use crate::format::{EnvelopeError, SCHEMA_VERSION};

/// Why a recording could not be written, read or run again.
#[derive(Debug, Error)]
pub enum RecordingError {
    /// No file there.
    #[error("{}: no such file", .0.display())]
    NotFound(PathBuf),
    /// No folder to put the file in.
    #[error("{}: its folder does not exist: make it first", .0.display())]
    NoFolder(PathBuf),
    /// A file is where the recording should go.
    #[error("{}: exists already: choose another name, or --force to replace a recording", .0.display())]
    Exists(PathBuf),
    /// A file that is not a recording is where the recording should go.
    #[error("{}: exists already and is not a recording, so it is not replaced: choose another name", .0.display())]
    ExistsForeign(PathBuf),
    /// Another recorder writes to it.
    #[error("{}: another run is recording to this file: wait for it, or choose another name", .0.display())]
    BeingWritten(PathBuf),
    /// Its run was killed before anything was kept.
    #[error("{}: its run ended before its first frame, so there is nothing in it: run it again", .0.display())]
    NoFrames(PathBuf),
    /// Not an SQLite file.
    #[error("{}: not a recording: {what}", .path.display())]
    NotARecording {
        /// The file.
        path: PathBuf,
        /// Its actual kind.
        what: &'static str,
    },
    /// An SQLite file of some other program.
    #[error(
        "{}: an SQLite database, but not a recording (application id {found:#010x}, expected {expected:#010x})",
        .path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Its application id.
        found: u32,
        /// Ours.
        expected: u32,
    },
    /// Written by a later version of this program.
    #[error(
        "{}: recording of version {found}, this program knows versions up to {SCHEMA_VERSION}: update the program",
        .path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// The file ends too early.
    #[error(
        "{}: truncated: its header promises {expected} bytes, it has {found}: restore it from a copy",
        .path.display()
    )]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Bytes by its header.
        expected: u64,
        /// Bytes there are.
        found: u64,
    },
    /// The file contradicts itself or its checksums.
    #[error("{}: damaged: {detail}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The mismatch.
        detail: String,
    },
    /// The file or its folder cannot be written.
    #[error(
        "{}: cannot write: the file or its folder is read-only: change its permissions, or record elsewhere",
        .0.display()
    )]
    ReadOnly(PathBuf),
    /// A run was killed while it wrote, and its last transaction cannot be rolled back in a read-only place.
    #[error(
        "{}: its last write was interrupted and must be undone, but the file or its folder is read-only: \
         copy it together with {}-journal to a folder that can be written",
        .0.display(), .0.display()
    )]
    NeedsRollback(PathBuf),
    /// No space left.
    #[error(
        "{}: the disk is full: free some space or record less often (`[record] every`)",
        .0.display()
    )]
    DiskFull(PathBuf),
    /// The file cannot grow or be written for another reason.
    #[error(
        "{}: the system refuses to write on ({detail}): check quotas, limits on the size of files, and the device",
        .path.display()
    )]
    WriteFailed {
        /// The file.
        path: PathBuf,
        /// The system's message.
        detail: String,
    },
    /// Writing failed in the middle of a run; frames committed before are kept.
    #[error("{reason}; {}", kept(*.frames, *.time))]
    CutShort {
        /// Frames in the file.
        frames: u64,
        /// Time of the last of them, s.
        time: f64,
        /// Why.
        reason: Box<RecordingError>,
    },
    /// Another process holds the database.
    #[error("{}: is locked by another process (waited {:.1} s): close it or wait", .path.display(), .waited.as_secs_f64())]
    Locked {
        /// The file.
        path: PathBuf,
        /// How long was waited.
        waited: Duration,
    },
    /// Too large for one record.
    #[error("{what} takes {bytes} bytes, a recording holds at most {limit} in one record")]
    TooLarge {
        /// Kind of the object.
        what: String,
        /// Its size.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// The set of bodies or joints changed during the recording.
    #[error("{0} were added or removed while recording: finish the recording and begin another")]
    ModelChanged(&'static str),
    /// A value out of its range.
    #[error("{0}")]
    Invalid(String),
    /// No such body.
    #[error("there is no body named `{name}`; {known}")]
    UnknownBody {
        /// The requested value.
        name: String,
        /// Some that are there.
        known: String,
    },
    /// A frame beyond the last.
    #[error("there is no frame {wanted}: the recording has {frames}, counted from 0")]
    NoSuchFrame {
        /// The requested value.
        wanted: u64,
        /// How many there are.
        frames: u64,
    },
    /// Without a scene to run again.
    #[error("{}: holds no scene, so it cannot be run again: {reason}", .path.display())]
    NoScene {
        /// The file.
        path: PathBuf,
        /// Why there is none.
        reason: String,
    },
    /// Made by another version, whose steps may differ in the last bit.
    #[error(
        "{}: recorded by msd {found}, this is msd {}: only the version that recorded it can prove it; \
         everything else works",
        .path.display(), env!("CARGO_PKG_VERSION")
    )]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// Version that recorded it.
        found: String,
    },
    /// The scene of the recording cannot be built.
    #[error("the recorded scene cannot be built: {0}")]
    Scene(Box<SceneErrors>),
    /// The world refuses the recorded values.
    #[error(transparent)]
    World(#[from] WorldError),
    /// The output of an export failed.
    #[error("cannot write: {0}")]
    Output(#[source] std::io::Error),
    /// The operating system refused.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The underlying error.
        source: std::io::Error,
    },
    /// Anything else SQLite says.
    #[error("{}: {source}", .path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// The underlying error.
        source: rusqlite::Error,
    },
    /// The thread that writes is gone.
    #[error("the thread that writes the recording ended unexpectedly")]
    WriterLost,
}

fn kept(frames: u64, time: f64) -> String {
    match frames {
        0 => "no frame was written yet".to_owned(),
        1 => format!("1 frame, of t = {time} s, is kept"),
        _ => format!("{frames} frames, up to t = {time} s, are kept"),
    }
}

impl RecordingError {
    /// True if the input is wrong (a name, a file of the wrong kind), false if the work failed (locked,
    /// read-only, disk full, damaged). The command line turns the first into exit code 2 and the second into 1.
    #[must_use]
    pub fn is_bad_input(&self) -> bool {
        matches!(
            self,
            Self::NotFound(_)
                | Self::NoFolder(_)
                | Self::Exists(_)
                | Self::ExistsForeign(_)
                | Self::NotARecording { .. }
                | Self::NoFrames(_)
                | Self::Foreign { .. }
                | Self::Newer { .. }
                | Self::Truncated { .. }
                | Self::Invalid(_)
                | Self::UnknownBody { .. }
                | Self::NoSuchFrame { .. }
                | Self::NoScene { .. }
                | Self::OtherVersion { .. }
                | Self::Scene(_)
        )
    }

    pub(crate) fn damaged(path: &Path, detail: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), detail: detail.into() }
    }

    pub(crate) fn envelope(path: &Path, what: &str, error: &EnvelopeError) -> Self {
        Self::damaged(path, format!("{what}: {error}"))
    }

    pub(crate) fn io(path: &Path, error: std::io::Error) -> Self {
        use std::io::ErrorKind;
        let path = path.to_owned();
        match error.kind() {
            ErrorKind::NotFound if folder_exists(&path) => Self::NotFound(path),
            ErrorKind::NotFound => Self::NoFolder(path),
            ErrorKind::AlreadyExists => Self::Exists(path),
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Self::ReadOnly(path),
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Self::DiskFull(path),
            _ => Self::Io { path, source: error },
        }
    }

    /// SQLite's error in the words of its user.
    pub(crate) fn sqlite(path: &Path, error: rusqlite::Error) -> Self {
        let path = path.to_owned();
        match sqlite::trouble(&error) {
            Trouble::Locked => Self::Locked { path, waited: sqlite::BUSY_TIMEOUT },
            Trouble::NotADatabase => Self::NotARecording { path, what: "SQLite does not recognise it" },
            Trouble::Corrupt(detail) => Self::Damaged { path, detail },
            Trouble::ReadOnly => Self::ReadOnly(path),
            Trouble::DiskFull => Self::DiskFull(path),
            Trouble::WriteFailed => Self::WriteFailed { path, detail: error.to_string() },
            Trouble::Other => Self::Sqlite { path, source: error },
        }
    }
}
