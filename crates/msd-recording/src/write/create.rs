//! Creates the file of a recording and locks it, so that no other run uses it.
//!
//! The journal is a rollback journal, not a write-ahead log: a recording only grows, so that each page is written once,
//! and between two commits there is exactly one file, which is what a person copies after a crash. `synchronous = FULL`
//! makes a commit survive the loss of power.

use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use msd_assets::sqlite::{BUSY_TIMEOUT, companion};
use rusqlite::{Connection, OpenFlags, Transaction};

use crate::RecordingError;
use crate::format::schema;
use crate::read::inspect;

/// Page cache while writing, KiB: a transaction fits, so that no page is written before its commit.
const CACHE_KIB: i64 = 32 << 10;

/// Makes the file with its tables and what `fill` writes to them, in one transaction. The lock is held as long as the second value.
pub(super) fn create(
    path: &Path,
    replace: bool,
    page_size: usize,
    fill: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<()>,
) -> Result<(Connection, File), RecordingError> {
    if path.symlink_metadata().is_ok() {
        if !replace {
            return Err(RecordingError::Exists(path.to_owned()));
        }
        remove(path)?;
    }
    let io = |error| RecordingError::io(path, error);
    let file = match OpenOptions::new().read(true).write(true).create_new(true).open(path) {
        // Another run has made it since.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            return Err(RecordingError::BeingWritten(path.to_owned()));
        }
        other => other.map_err(io)?,
    };
    lock(&file, path)?;
    let fail = |error| RecordingError::sqlite(path, error);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connect = || -> rusqlite::Result<Connection> {
        let mut connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        connection.pragma_update(None, "page_size", page_size as i64)?;
        connection.pragma_update(None, "journal_mode", "DELETE")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
        schema::create(&mut connection, fill)?;
        connection.set_prepared_statement_cache_capacity(64);
        Ok(connection)
    };
    match connect() {
        Ok(connection) => Ok((connection, file)),
        Err(error) => {
            discard(path);
            Err(fail(error))
        }
    }
}

/// Removes a file of our own that could not be begun. If that fails too, the file is empty and harmless.
pub(super) fn discard(path: &Path) {
    let _ = std::fs::remove_file(path);
    let _ = std::fs::remove_file(companion(path, "-journal"));
}

/// Removes an earlier recording that is not being written, and no other file.
fn remove(path: &Path) -> Result<(), RecordingError> {
    let io = |error| RecordingError::io(path, error);
    let empty = path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() == 0);
    if !empty {
        match inspect(path) {
            Ok(_)
            | Err(
                RecordingError::Truncated { .. }
                | RecordingError::Damaged { .. }
                | RecordingError::NoFrames(_),
            ) => {}
            Err(RecordingError::NotARecording { .. } | RecordingError::Foreign { .. }) => {
                return Err(RecordingError::ExistsForeign(path.to_owned()));
            }
            Err(error) => return Err(error),
        }
    }
    let file = OpenOptions::new().read(true).write(true).open(path).map_err(io)?;
    lock(&file, path)?;
    std::fs::remove_file(path).map_err(io)?;
    let journal: PathBuf = companion(path, "-journal");
    match std::fs::remove_file(journal) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(io(error)),
        _ => Ok(()),
    }
}

/// Locks the file against other runs. SQLite's own locks are held only during a transaction, and are of
/// another kind on Unix; on Windows a lock of the whole file would shut SQLite out, and an open file cannot
/// be removed there anyway.
///
/// Between opening and locking another run may have removed the file and put its own there: what is locked
/// then is not what has that name, and the name belongs to the other run.
fn lock(file: &File, path: &Path) -> Result<(), RecordingError> {
    if !cfg!(unix) {
        return Ok(());
    }
    match file.try_lock() {
        Err(std::fs::TryLockError::WouldBlock) => Err(RecordingError::BeingWritten(path.to_owned())),
        // A file system without locks is no reason not to record.
        Err(std::fs::TryLockError::Error(_)) | Ok(()) if is_at(file, path) => Ok(()),
        Err(std::fs::TryLockError::Error(_)) | Ok(()) => Err(RecordingError::BeingWritten(path.to_owned())),
    }
}

/// True if the open file is the one of that name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), path.metadata()) {
        (Ok(open), Ok(named)) => identity(open) == identity(named),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}
