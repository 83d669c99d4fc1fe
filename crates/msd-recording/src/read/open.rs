//! Opening a recording, which may be an untrusted file.
//!
//! Problems visible in the first hundred bytes (not SQLite, another program's, truncated) and in the seal are
//! reported before SQLite touches the file. SQLite is then configured to trust nothing in it: no triggers, no
//! views, no functions in the schema, no writes, sizes of cells checked; and the tables must be exactly those
//! of a recording.

use std::path::Path;

use msd_assets::sqlite::{self, HeaderProblem, distrust, user_version};
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::RecordingError;
use crate::format::schema::{self, APPLICATION_ID, SCHEMA_VERSION};
use crate::format::seal;

/// True if the file is an SQLite file that says it is a recording; whether it is sound is another question.
///
/// # Errors
/// The file cannot be read.
pub fn is_recording_file(path: &Path) -> std::io::Result<bool> {
    Ok(sqlite::application_id(path)? == Some(APPLICATION_ID))
}

/// Where the pages of the file end, by its header.
pub(crate) fn inspect(path: &Path) -> Result<u64, RecordingError> {
    let not_a_recording = |what| Err(RecordingError::NotARecording { path: path.to_owned(), what });
    let truncated =
        |expected, found| Err(RecordingError::Truncated { path: path.to_owned(), expected, found });
    let header = match sqlite::read_header(path, APPLICATION_ID) {
        Ok(header) => header,
        Err(HeaderProblem::Io(error)) => return Err(RecordingError::io(path, error)),
        Err(HeaderProblem::NotAFile) => return not_a_recording("it is not a file"),
        Err(HeaderProblem::Empty) => return Err(RecordingError::NoFrames(path.to_owned())),
        Err(HeaderProblem::NotSqlite) => return not_a_recording("it does not begin as SQLite files do"),
        Err(HeaderProblem::Truncated(found)) => return truncated(100, found),
        Err(HeaderProblem::Foreign(found)) => {
            return Err(RecordingError::Foreign { path: path.to_owned(), found, expected: APPLICATION_ID });
        }
    };
    if header.length < header.pages_end && !has_journal(path) {
        return truncated(header.pages_end, header.length);
    }
    Ok(header.pages_end)
}

/// True if a non-empty journal exists next to the file: a run was killed while writing, or is writing now.
pub(super) fn has_journal(path: &Path) -> bool {
    sqlite::has_companion(path, "-journal")
}

/// True while a run holds the lock of the file it records to.
pub(super) fn is_being_written(path: &Path) -> bool {
    let shared = std::fs::File::open(path).map(|file| file.try_lock_shared());
    matches!(shared, Ok(Err(std::fs::TryLockError::WouldBlock)))
}

/// A connection that can only read, and the seal if there is one.
pub(super) fn open(path: &Path) -> Result<(Connection, Option<seal::Seal>), RecordingError> {
    let pages_end = inspect(path)?;
    let seal = if has_journal(path) { None } else { seal::read(path, pages_end)? };
    let connection = connect(path)?;
    let fail = |error| RecordingError::sqlite(path, error);
    let version = user_version(&connection).map_err(fail)?;
    if version > SCHEMA_VERSION {
        return Err(RecordingError::Newer { path: path.to_owned(), found: version });
    }
    // The first transaction was under way when the run was killed, and has just been undone.
    if version == 0 && schema::is_blank(&connection).map_err(fail)? {
        return Err(RecordingError::NoFrames(path.to_owned()));
    }
    if version == 0 {
        return Err(RecordingError::damaged(path, "its version is 0"));
    }
    if let Some(detail) = schema::find_deviation(&connection).map_err(fail)? {
        return Err(RecordingError::damaged(path, detail));
    }
    connection.pragma_update(None, "query_only", true).map_err(fail)?;
    Ok((connection, seal))
}

/// A run that was killed may have left a journal whose changes SQLite must undo, which takes a connection
/// that may write. Without one, and where nothing may be written, the file is opened as it is.
fn connect(path: &Path) -> Result<Connection, RecordingError> {
    let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connect = |flags| -> rusqlite::Result<Connection> {
        let connection = Connection::open_with_flags(path, flags)?;
        distrust(&connection)?;
        user_version(&connection)?;
        Ok(connection)
    };
    if !has_journal(path) {
        return connect(flags | OpenFlags::SQLITE_OPEN_READ_ONLY)
            .map_err(|error| RecordingError::sqlite(path, error));
    }
    match connect(flags | OpenFlags::SQLITE_OPEN_READ_WRITE) {
        Err(rusqlite::Error::SqliteFailure(error, _))
            if matches!(error.code, ErrorCode::CannotOpen | ErrorCode::ReadOnly) =>
        {
            Err(RecordingError::NeedsRollback(path.to_owned()))
        }
        other => other.map_err(|error| RecordingError::sqlite(path, error)),
    }
}
