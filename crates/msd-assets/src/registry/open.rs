//! Opening an asset database, which may be anybody's file.
//!
//! What can be told from the first hundred bytes (not SQLite, another program's, cut short) is told before SQLite
//! touches the file. Then SQLite is told to trust nothing in it: no triggers, no views, no functions in the schema,
//! no writes to internal tables, sizes of cells checked, and the structure of the file checked once
//! (`PRAGMA quick_check`). Geometry is checked by its own checksum when it is read.
//!
//! Files are in WAL mode, where readers and one writer do not disturb each other; `synchronous = FULL` makes a commit
//! survive the loss of power. A new file gets its application id in rollback mode first, so that the id stands in
//! the file itself from the first commit on, whatever happens later.

use std::{
    ffi::OsString,
    fs::{File, OpenOptions},
    io::{ErrorKind, Read},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use rusqlite::{Connection, ErrorCode, OpenFlags, backup::Backup, config::DbConfig};

use super::schema::{self, APPLICATION_ID, SCHEMA_VERSION};
use crate::AssetError;

/// How long a statement waits for another writer before it gives up.
pub const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

const SQLITE_MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// True if the file begins as every SQLite file does.
///
/// # Errors
/// The file cannot be read.
pub fn is_database_file(path: &Path) -> std::io::Result<bool> {
    let mut start = Vec::with_capacity(16);
    File::open(path)?.take(16).read_to_end(&mut start)?;
    Ok(start == SQLITE_MAGIC)
}

/// What to do if the file is missing or empty.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum IfMissing {
    Fail,
    Create,
}

/// Makes the file, which must not exist, and its tables.
pub(super) fn create(path: &Path) -> Result<Connection, AssetError> {
    OpenOptions::new().write(true).create_new(true).open(path).map_err(|error| io_error(path, error))?;
    open_writable(path, IfMissing::Create)
}

/// For reading and writing; older versions are migrated.
pub(super) fn open_writable(path: &Path, if_missing: IfMissing) -> Result<Connection, AssetError> {
    let create = if_missing == IfMissing::Create;
    match inspect(path) {
        Ok(()) => {}
        Err(AssetError::NotFound(_) | AssetError::NotADatabase { what: EMPTY, .. }) if create => {}
        Err(error) => return Err(error),
    }
    let flags = if create { OpenFlags::SQLITE_OPEN_CREATE } else { OpenFlags::empty() };
    let flags = flags | OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let fail = |error| sqlite_error(path, BUSY_TIMEOUT, error);
    let mut connection = Connection::open_with_flags(path, flags).map_err(fail)?;
    if connection.is_readonly("main").map_err(fail)? {
        return Err(AssetError::ReadOnly(path.to_owned()));
    }
    distrust(&connection).map_err(fail)?;
    let blank = schema::is_blank(&connection).map_err(fail)?;
    if blank && !create {
        return Err(AssetError::NotADatabase { path: path.to_owned(), what: EMPTY });
    }
    if !blank {
        check_contents(&connection, path)?;
    }
    if schema::user_version(&connection).map_err(fail)? < SCHEMA_VERSION {
        schema::bring_up_to_date(&mut connection).map_err(fail)?;
    }
    check_schema(&connection, path)?;
    switch_to_wal(&connection).map_err(fail)?;
    connection.pragma_update(None, "synchronous", "FULL").map_err(fail)?;
    Ok(connection)
}

/// Two connections that switch the journal at the same moment would wait for each other for ever, so SQLite refuses one
/// of them at once, busy timeout or not. It tries again after the other is done.
fn switch_to_wal(connection: &Connection) -> rusqlite::Result<()> {
    let deadline = Instant::now() + BUSY_TIMEOUT;
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && Instant::now() < deadline =>
            {
                std::thread::sleep(Duration::from_millis(5));
            }
            result => return result,
        }
    }
}

/// For reading, with the version of the file; one of an older version is copied to memory and migrated there.
pub(super) fn open_read_only(path: &Path) -> Result<(Connection, u32), AssetError> {
    inspect(path)?;
    let connection = connect_read_only(path)?;
    check_contents(&connection, path)?;
    let fail = |error| sqlite_error(path, BUSY_TIMEOUT, error);
    let version = schema::user_version(&connection).map_err(fail)?;
    let connection = if version < SCHEMA_VERSION {
        let mut copy = Connection::open_in_memory().map_err(fail)?;
        Backup::new(&connection, &mut copy)
            .and_then(|backup| backup.run_to_completion(1024, Duration::from_millis(10), None))
            .map_err(fail)?;
        distrust(&copy).map_err(fail)?;
        schema::bring_up_to_date(&mut copy).map_err(fail)?;
        copy
    } else {
        connection
    };
    check_schema(&connection, path)?;
    connection.pragma_update(None, "query_only", true).map_err(fail)?;
    Ok((connection, version))
}

/// A database that lives and dies with its connection.
pub(super) fn in_memory() -> rusqlite::Result<Connection> {
    let mut connection = Connection::open_in_memory()?;
    distrust(&connection)?;
    schema::bring_up_to_date(&mut connection)?;
    Ok(connection)
}

/// SQLite's own read-only mode leaves the files of the log behind when it closes, so the file is opened as for writing
/// (which SQLite turns into reading where permissions demand it) and the connection told to change nothing. A
/// read-only folder does not allow the log's files at all; if none are there, nobody is writing, and SQLite may take
/// the file as it is (`immutable`).
fn connect_read_only(path: &Path) -> Result<Connection, AssetError> {
    let fail = |error| sqlite_error(path, BUSY_TIMEOUT, error);
    let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connect = || -> rusqlite::Result<Connection> {
        let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        distrust(&connection)?;
        connection.pragma_update(None, "query_only", true)?;
        schema::user_version(&connection)?;
        Ok(connection)
    };
    match connect() {
        Err(rusqlite::Error::SqliteFailure(error, _))
            if matches!(error.code, ErrorCode::CannotOpen | ErrorCode::ReadOnly) && !has_companion(path) =>
        {
            let flags = flags | OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
            let connection = Connection::open_with_flags(immutable_uri(path), flags).map_err(fail)?;
            distrust(&connection).map_err(fail)?;
            Ok(connection)
        }
        other => other.map_err(fail),
    }
}

fn immutable_uri(path: &Path) -> String {
    let mut uri = String::from("file:");
    for &byte in path.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02x}"));
        }
    }
    uri + "?immutable=1"
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

const EMPTY: &str = "the file is empty";

/// What the first hundred bytes say (SQLite, "Database File Format", section 1.3).
fn inspect(path: &Path) -> Result<(), AssetError> {
    let not_a_database = |what| AssetError::NotADatabase { path: path.to_owned(), what };
    let file = File::open(path).map_err(|error| io_error(path, error))?;
    let metadata = file.metadata().map_err(|error| io_error(path, error))?;
    if !metadata.is_file() {
        return Err(not_a_database("it is not a file"));
    }
    let mut header = Vec::with_capacity(100);
    file.take(100).read_to_end(&mut header).map_err(|error| io_error(path, error))?;
    if header.is_empty() {
        return Err(not_a_database(EMPTY));
    }
    if !header.starts_with(SQLITE_MAGIC) {
        return Err(not_a_database("it does not begin as SQLite files do"));
    }
    let found = metadata.len();
    if header.len() < 100 {
        return Err(AssetError::Truncated { path: path.to_owned(), expected: 100, found });
    }
    let u32_at = |at: usize| u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    let application_id = u32_at(68);
    if application_id != APPLICATION_ID {
        return Err(AssetError::Foreign {
            path: path.to_owned(),
            found: application_id,
            expected: APPLICATION_ID,
        });
    }
    let page_size = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 65_536,
        size => u64::from(size),
    };
    let expected = page_size * u64::from(u32_at(28));
    let size_is_current = u32_at(24) == u32_at(92);
    if size_is_current && found < expected && !has_companion(path) {
        return Err(AssetError::Truncated { path: path.to_owned(), expected, found });
    }
    Ok(())
}

/// True if a journal or a write-ahead log with content lies beside the file: it may hold what the file lacks.
fn has_companion(path: &Path) -> bool {
    ["-wal", "-journal"].into_iter().any(|ending| {
        let mut companion = OsString::from(path);
        companion.push(ending);
        PathBuf::from(companion).metadata().is_ok_and(|metadata| metadata.len() > 0)
    })
}

/// Version and structure of a file that has tables.
fn check_contents(connection: &Connection, path: &Path) -> Result<(), AssetError> {
    let fail = |error| sqlite_error(path, BUSY_TIMEOUT, error);
    let version = schema::user_version(connection).map_err(fail)?;
    if version > SCHEMA_VERSION {
        return Err(AssetError::Newer { path: path.to_owned(), found: version });
    }
    let corrupt = |detail| AssetError::Corrupt { path: path.to_owned(), detail };
    if version == 0 {
        return Err(corrupt("its version is 0".into()));
    }
    let verdict: String =
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(fail)?;
    if verdict == "ok" { Ok(()) } else { Err(corrupt(verdict.trim().replace('\n', "; "))) }
}

fn check_schema(connection: &Connection, path: &Path) -> Result<(), AssetError> {
    match schema::find_deviation(connection).map_err(|error| sqlite_error(path, BUSY_TIMEOUT, error))? {
        None => Ok(()),
        Some(detail) => Err(AssetError::Corrupt { path: path.to_owned(), detail }),
    }
}

fn io_error(path: &Path, error: std::io::Error) -> AssetError {
    let path = path.to_owned();
    let folder_exists = path.parent().is_none_or(|folder| folder.as_os_str().is_empty() || folder.is_dir());
    match error.kind() {
        ErrorKind::NotFound if folder_exists => AssetError::NotFound(path),
        ErrorKind::NotFound => AssetError::NoFolder(path),
        ErrorKind::AlreadyExists => AssetError::Exists(path),
        _ => AssetError::Io { path, source: error },
    }
}

/// SQLite's error in the words of its user.
pub(super) fn sqlite_error(path: &Path, waited: Duration, error: rusqlite::Error) -> AssetError {
    let path = path.to_owned();
    match &error {
        rusqlite::Error::SqliteFailure(failure, message) => match failure.code {
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => AssetError::Locked { path, waited },
            ErrorCode::NotADatabase => {
                AssetError::NotADatabase { path, what: "SQLite does not recognise it" }
            }
            ErrorCode::DatabaseCorrupt => AssetError::Corrupt {
                path,
                detail: message.clone().unwrap_or_else(|| "SQLite finds it malformed".into()),
            },
            ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied => {
                AssetError::ReadOnly(path)
            }
            _ => AssetError::Sqlite { path, source: error },
        },
        rusqlite::Error::InvalidColumnType(..) | rusqlite::Error::IntegralValueOutOfRange(..) => {
            AssetError::Corrupt { path, detail: error.to_string() }
        }
        _ => AssetError::Sqlite { path, source: error },
    }
}
