//! Opening a recording, which may be anybody's file.
//!
//! What can be told from the first hundred bytes (not SQLite, another program's, cut short) and from the seal is told
//! before SQLite touches the file. Then SQLite is told to trust nothing in it: no triggers, no views, no functions in
//! the schema, no writes, sizes of cells checked; and the tables must be exactly those of a recording.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::RecordingError;
use crate::format::schema::{self, APPLICATION_ID, SCHEMA_VERSION};
use crate::format::{BUSY_TIMEOUT, seal};

const SQLITE_MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// True if the file is an SQLite file that says it is a recording; whether it is sound is another question.
///
/// # Errors
/// The file cannot be read.
pub fn is_recording_file(path: &Path) -> std::io::Result<bool> {
    let mut start = Vec::with_capacity(72);
    File::open(path)?.take(72).read_to_end(&mut start)?;
    Ok(start.starts_with(SQLITE_MAGIC) && start.get(68..72) == Some(&APPLICATION_ID.to_be_bytes()[..]))
}

/// Where the pages of the file end, from the first hundred bytes (SQLite, "Database File Format", section 1.3).
pub(crate) fn inspect(path: &Path) -> Result<u64, RecordingError> {
    let not_a_recording = |what| RecordingError::NotARecording { path: path.to_owned(), what };
    let io = |error| RecordingError::io(path, error);
    let file = File::open(path).map_err(io)?;
    let metadata = file.metadata().map_err(io)?;
    if !metadata.is_file() {
        return Err(not_a_recording("it is not a file"));
    }
    let mut header = Vec::with_capacity(100);
    file.take(100).read_to_end(&mut header).map_err(io)?;
    if header.is_empty() {
        return Err(not_a_recording("the file is empty: its run ended before anything was recorded"));
    }
    if !header.starts_with(SQLITE_MAGIC) {
        return Err(not_a_recording("it does not begin as SQLite files do"));
    }
    let found = metadata.len();
    if header.len() < 100 {
        return Err(RecordingError::Truncated { path: path.to_owned(), expected: 100, found });
    }
    let u32_at = |at: usize| u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    let application_id = u32_at(68);
    if application_id != APPLICATION_ID {
        let (path, expected) = (path.to_owned(), APPLICATION_ID);
        return Err(RecordingError::Foreign { path, found: application_id, expected });
    }
    let page_size = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 65_536,
        size => u64::from(size),
    };
    let expected = page_size * u64::from(u32_at(28));
    if found < expected && !has_journal(path) {
        return Err(RecordingError::Truncated { path: path.to_owned(), expected, found });
    }
    Ok(expected)
}

/// The path of a file that SQLite keeps beside this one.
pub(crate) fn companion(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}

/// True if a journal with content lies beside the file: a run was killed, or is just, writing to it.
pub(super) fn has_journal(path: &Path) -> bool {
    companion(path, "-journal").metadata().is_ok_and(|metadata| metadata.len() > 0)
}

/// A connection that can only read, and the seal if there is one.
pub(super) fn open(path: &Path) -> Result<(Connection, Option<seal::Seal>), RecordingError> {
    let pages_end = inspect(path)?;
    let seal = if has_journal(path) { None } else { seal::read(path, pages_end)? };
    let connection = connect(path)?;
    let fail = |error| RecordingError::sqlite(path, error);
    let version = schema::user_version(&connection).map_err(fail)?;
    if version > SCHEMA_VERSION {
        return Err(RecordingError::Newer { path: path.to_owned(), found: version });
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

/// A run that was killed may have left a journal whose changes SQLite must undo, which takes a connection that may
/// write. Without one, and where nothing may be written, the file is taken as it is.
fn connect(path: &Path) -> Result<Connection, RecordingError> {
    let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connect = |flags| -> rusqlite::Result<Connection> {
        let connection = Connection::open_with_flags(path, flags)?;
        distrust(&connection)?;
        schema::user_version(&connection)?;
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

fn distrust(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    for (setting, value) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
    ] {
        connection.set_db_config(setting, value)?;
    }
    connection.pragma_update(None, "cell_size_check", true)
}
