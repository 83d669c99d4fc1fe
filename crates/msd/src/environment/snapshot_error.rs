//! Errors of snapshots.

use thiserror::Error;

/// The snapshot format that this engine reads and writes.
pub(super) const FORMAT: u32 = 7;

/// Why a snapshot was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SnapshotError {
    /// Too short or without the magic bytes.
    #[error("this is not a snapshot")]
    NotASnapshot,
    /// Written in another format.
    #[error("this snapshot has format {found}; this engine reads format {FORMAT}")]
    Format {
        /// The format it has.
        found: u32,
    },
    /// Shorter or longer than its header says.
    #[error(
        "this snapshot is {found} bytes long where its header says {expected}: it was cut off or added to"
    )]
    Length {
        /// Bytes expected.
        expected: u64,
        /// Bytes found.
        found: u64,
    },
    /// Its contents do not match its checksum.
    #[error("this snapshot is damaged: its checksum does not match its contents")]
    Damaged,
    /// Written by another version of the engine, whose steps may differ in the last bit.
    #[error("this snapshot was written by msd {found}; this is msd {}", env!("CARGO_PKG_VERSION"))]
    Version {
        /// The version that wrote it.
        found: String,
    },
    /// Snapshot of another model.
    #[error("this snapshot is of another model: {difference}")]
    Model {
        /// The first difference.
        difference: String,
    },
}
