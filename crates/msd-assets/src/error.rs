//! Errors of assets, each with its remedy.

use std::{path::PathBuf, time::Duration};

use msd::physics::rigid_body::shape::GeometryError;
use thiserror::Error;

#[cfg(feature = "registry")]
use crate::registry::SCHEMA_VERSION;
use crate::{codec::CodecError, import::ImportError};

/// Why an asset or a database could not be read, written or made.
#[derive(Debug, Error)]
pub enum AssetError {
    /// A value the user gave is out of its range.
    #[error("{0}")]
    Invalid(String),
    /// The name is in use.
    #[error("there is already an asset named {0:?}: remove it first, or choose another name")]
    NameTaken(String),
    /// No file there.
    #[error("{}: no such file", .0.display())]
    NotFound(PathBuf),
    /// No folder to put the file in.
    #[error("{}: its folder does not exist: make it first", .0.display())]
    NoFolder(PathBuf),
    /// A file is where a new database should go.
    #[error("{}: exists already: open it, or choose another name", .0.display())]
    Exists(PathBuf),
    /// Not an SQLite file.
    #[error("{}: not an asset database: {what}", .path.display())]
    NotADatabase {
        /// The file.
        path: PathBuf,
        /// Its actual kind.
        what: &'static str,
    },
    /// An SQLite file of some other program.
    #[error(
        "{}: an SQLite database, but not an asset database (application id {found:#010x}, expected {expected:#010x})",
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
    #[cfg(feature = "registry")]
    #[error(
        "{}: asset database of version {found}, this program knows versions up to {SCHEMA_VERSION}: update the program",
        .path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// Another writer holds the database.
    #[error(
        "{}: database is locked by another writer (waited {:.1} s): close it or wait",
        .path.display(), .waited.as_secs_f64()
    )]
    Locked {
        /// The file.
        path: PathBuf,
        /// How long was waited.
        waited: Duration,
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
    /// The file contradicts itself.
    #[error("{}: damaged: {detail}: restore it from a copy", .path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// The mismatch.
        detail: String,
    },
    /// The file or its folder cannot be written.
    #[error(
        "{}: cannot write: the file or its folder is read-only: change its permissions, or use a copy elsewhere",
        .0.display()
    )]
    ReadOnly(PathBuf),
    /// A change to a database opened for reading only.
    #[error("{}: opened for reading only", .0.display())]
    OpenedReadOnly(PathBuf),
    /// A stored asset that does not decode.
    #[error("asset {name:?}: {role} geometry is damaged: {source}")]
    Geometry {
        /// Which asset.
        name: String,
        /// `visual` or `collision`.
        role: &'static str,
        /// The mismatch.
        source: CodecError,
    },
    /// Too large for one record.
    #[error(
        "asset {name:?}: {role} geometry takes {bytes} bytes, the database holds at most {limit} in one record"
    )]
    TooLarge {
        /// Which asset.
        name: String,
        /// `visual` or `collision`.
        role: &'static str,
        /// Size when encoded.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// Without a collision shape.
    #[error("asset {0:?} has no collision geometry")]
    NoCollision(String),
    /// Collision geometry the engine refuses.
    #[error("asset {name:?}: no collision shape: {source}")]
    Shape {
        /// Which asset.
        name: String,
        /// Why.
        source: GeometryError,
    },
    /// A geometry file that cannot be read.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The operating system refused.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The underlying error.
        source: std::io::Error,
    },
    /// Anything else SQLite says.
    #[cfg(feature = "registry")]
    #[error("{}: {source}", .path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// The underlying error.
        source: rusqlite::Error,
    },
}

impl AssetError {
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::Invalid(message.into())
    }

    /// True if the input is wrong (a value, a name, a file of the wrong kind), false if the work failed
    /// (locked, read-only, disk full). The command line turns the first into exit code 2 and the second into 1.
    #[must_use]
    pub fn is_bad_input(&self) -> bool {
        match self {
            Self::Locked { .. } | Self::ReadOnly(_) | Self::OpenedReadOnly(_) | Self::Io { .. } => false,
            #[cfg(feature = "registry")]
            Self::Sqlite { .. } => false,
            _ => true,
        }
    }
}
