//! Safe handling of untrusted SQLite files: checks before SQLite opens one, settings that distrust its
//! contents, and classification of errors. Shared by the asset registry and recordings.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode};

/// How long a statement waits for another process before it gives up.
pub const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// Bytes of the header of a file.
const HEADER: u64 = 100;

/// The first hundred bytes of a file (SQLite, "Database File Format", section 1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileHeader {
    /// Where its pages end by its own account, bytes.
    pub pages_end: u64,
    /// Whether that account is that of the last program that wrote to it.
    pub is_current: bool,
    /// Bytes there are.
    pub length: u64,
}

/// Why a file cannot be one of this program's.
#[derive(Debug)]
pub enum HeaderProblem {
    /// The operating system refused.
    Io(std::io::Error),
    /// A folder, a device, …
    NotAFile,
    /// An empty file.
    Empty,
    /// Begins as no SQLite file does.
    NotSqlite,
    /// Ends within the header, after so many bytes.
    Truncated(u64),
    /// Another program's file: its application id.
    Foreign(u32),
}

/// True if the file begins as every SQLite file does.
///
/// # Errors
/// The file cannot be read.
pub fn is_database_file(path: &Path) -> std::io::Result<bool> {
    Ok(start(path, 16)?.starts_with(MAGIC))
}

/// The application id of an SQLite file; `None` for any other.
///
/// # Errors
/// The file cannot be read.
pub fn application_id(path: &Path) -> std::io::Result<Option<u32>> {
    let start = start(path, HEADER)?;
    let id = start.get(68..72).filter(|_| start.starts_with(MAGIC));
    Ok(id.map(|id| u32_at(id, 0)))
}

/// The header of a file that must carry that application id.
///
/// # Errors
/// It is not a file, not SQLite's, another program's, or cut short within its header.
pub fn read_header(path: &Path, application_id: u32) -> Result<FileHeader, HeaderProblem> {
    let metadata = path.metadata().map_err(HeaderProblem::Io)?;
    if !metadata.is_file() {
        return Err(HeaderProblem::NotAFile);
    }
    let header = start(path, HEADER).map_err(HeaderProblem::Io)?;
    if header.is_empty() {
        return Err(HeaderProblem::Empty);
    }
    if !header.starts_with(MAGIC) {
        return Err(HeaderProblem::NotSqlite);
    }
    if (header.len() as u64) < HEADER {
        return Err(HeaderProblem::Truncated(metadata.len()));
    }
    let found = u32_at(&header, 68);
    if found != application_id {
        return Err(HeaderProblem::Foreign(found));
    }
    let page_size = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 65_536,
        size => u64::from(size),
    };
    Ok(FileHeader {
        pages_end: page_size * u64::from(u32_at(&header, 28)),
        is_current: u32_at(&header, 24) == u32_at(&header, 92),
        length: metadata.len(),
    })
}

fn start(path: &Path, bytes: u64) -> std::io::Result<Vec<u8>> {
    let mut start = Vec::new();
    // Opening a pipe without a writer would block for ever.
    let kind = path.metadata()?.file_type();
    if !kind.is_file() && !kind.is_dir() {
        let problem = "not a file but a pipe, a socket or a device";
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, problem));
    }
    File::open(path)?.take(bytes).read_to_end(&mut start)?;
    Ok(start)
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// The path of a companion file of SQLite: `-journal` or `-wal`.
#[must_use]
pub fn companion(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}

/// True if such a file exists with content: it may hold the missing data.
#[must_use]
pub fn has_companion(path: &Path, ending: &str) -> bool {
    companion(path, ending).metadata().is_ok_and(|metadata| metadata.len() > 0)
}

/// Tells SQLite to trust nothing in a file: no triggers, no views, no functions in the schema, no writes to internal
/// tables, sizes of cells checked.
///
/// # Errors
/// SQLite refuses.
pub fn distrust(connection: &Connection) -> rusqlite::Result<()> {
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

/// The version of the tables of a file.
///
/// # Errors
/// SQLite cannot read it.
pub fn user_version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Classification of SQLite errors for the user of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Another process holds it.
    Locked,
    /// It is not SQLite's.
    NotADatabase,
    /// A contradiction, with its description.
    Corrupt(String),
    /// It or its folder cannot be written.
    ReadOnly,
    /// No space left.
    DiskFull,
    /// The system refuses to write on, for another reason.
    WriteFailed,
    /// Anything else.
    Other,
}

/// Sorts an error of SQLite.
#[must_use]
pub fn trouble(error: &rusqlite::Error) -> Trouble {
    match error {
        rusqlite::Error::SqliteFailure(failure, message) => match failure.code {
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Trouble::Locked,
            ErrorCode::NotADatabase => Trouble::NotADatabase,
            ErrorCode::DatabaseCorrupt => {
                Trouble::Corrupt(message.clone().unwrap_or_else(|| "SQLite finds it malformed".into()))
            }
            ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied => Trouble::ReadOnly,
            ErrorCode::DiskFull => Trouble::DiskFull,
            ErrorCode::SystemIoFailure => Trouble::WriteFailed,
            _ => Trouble::Other,
        },
        rusqlite::Error::InvalidColumnType(..)
        | rusqlite::Error::IntegralValueOutOfRange(..)
        | rusqlite::Error::FromSqlConversionFailure(..)
        | rusqlite::Error::Utf8Error(..) => Trouble::Corrupt(error.to_string()),
        _ => Trouble::Other,
    }
}

/// True if the folder that a file is or would be in exists.
#[must_use]
pub fn folder_exists(path: &Path) -> bool {
    path.parent().is_none_or(|folder| folder.as_os_str().is_empty() || folder.is_dir())
}
