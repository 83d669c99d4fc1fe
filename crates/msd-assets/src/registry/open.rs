//! Opening an asset database, which may be an untrusted file.
//!
//! Problems visible in the first hundred bytes (not SQLite, another program's, truncated) are reported before
//! SQLite touches the file. SQLite is then configured to trust nothing in it: no triggers, no views, no
//! functions in the schema, no writes to internal tables, sizes of cells checked, and the structure of the
//! file checked once (`PRAGMA quick_check`). Geometry is checked by its own checksum when it is read.
//!
//! Files are in WAL mode, where readers and one writer do not disturb each other; `synchronous = FULL` makes
//! a commit survive the loss of power. A new file gets its application id in rollback mode first, so that the
//! id stands in the file itself from the first commit on, whatever happens later.

use std::{
    fs::OpenOptions,
    io::ErrorKind,
    path::Path,
    time::{Duration, Instant},
};

use rusqlite::{Connection, ErrorCode, OpenFlags, backup::Backup};

use super::schema::{self, APPLICATION_ID, SCHEMA_VERSION};
use crate::AssetError;
use crate::sqlite::{self, BUSY_TIMEOUT, HeaderProblem, Trouble, distrust, folder_exists};

/// Behaviour for a missing or empty file.
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
    if sqlite::user_version(&connection).map_err(fail)? < SCHEMA_VERSION {
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
    let version = sqlite::user_version(&connection).map_err(fail)?;
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

/// SQLite's own read-only mode leaves the files of the log behind when it closes, so the file is opened as
/// for writing (which SQLite downgrades to reading where permissions demand it) and the connection is set to
/// read-only queries. A read-only folder does not allow the log's files at all; if there are none, nothing is
/// being written, and SQLite may open the file as `immutable`.
fn connect_read_only(path: &Path) -> Result<Connection, AssetError> {
    let fail = |error| sqlite_error(path, BUSY_TIMEOUT, error);
    let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connect = || -> rusqlite::Result<Connection> {
        let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        distrust(&connection)?;
        connection.pragma_update(None, "query_only", true)?;
        sqlite::user_version(&connection)?;
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

const EMPTY: &str = "the file is empty";

/// Checks the header of the file.
fn inspect(path: &Path) -> Result<(), AssetError> {
    let not_a_database = |what| AssetError::NotADatabase { path: path.to_owned(), what };
    let truncated = |expected, found| Err(AssetError::Truncated { path: path.to_owned(), expected, found });
    let header = match sqlite::read_header(path, APPLICATION_ID) {
        Ok(header) => header,
        Err(HeaderProblem::Io(error)) => return Err(io_error(path, error)),
        Err(HeaderProblem::NotAFile) => return Err(not_a_database("it is not a file")),
        Err(HeaderProblem::Empty) => return Err(not_a_database(EMPTY)),
        Err(HeaderProblem::NotSqlite) => {
            return Err(not_a_database("it does not begin as SQLite files do"));
        }
        Err(HeaderProblem::Truncated(found)) => return truncated(100, found),
        Err(HeaderProblem::Foreign(found)) => {
            return Err(AssetError::Foreign { path: path.to_owned(), found, expected: APPLICATION_ID });
        }
    };
    if header.is_current && header.length < header.pages_end && !has_companion(path) {
        return truncated(header.pages_end, header.length);
    }
    Ok(())
}

/// True if a non-empty journal or write-ahead log exists next to the file: it may hold changes that the file
/// lacks.
fn has_companion(path: &Path) -> bool {
    ["-wal", "-journal"].into_iter().any(|ending| sqlite::has_companion(path, ending))
}

/// Version and structure of a file that has tables.
fn check_contents(connection: &Connection, path: &Path) -> Result<(), AssetError> {
    let fail = |error| sqlite_error(path, BUSY_TIMEOUT, error);
    let version = sqlite::user_version(connection).map_err(fail)?;
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
    match error.kind() {
        ErrorKind::NotFound if folder_exists(&path) => AssetError::NotFound(path),
        ErrorKind::NotFound => AssetError::NoFolder(path),
        ErrorKind::AlreadyExists => AssetError::Exists(path),
        _ => AssetError::Io { path, source: error },
    }
}

/// SQLite's error in the words of its user.
pub(super) fn sqlite_error(path: &Path, waited: Duration, error: rusqlite::Error) -> AssetError {
    let path = path.to_owned();
    match sqlite::trouble(&error) {
        Trouble::Locked => AssetError::Locked { path, waited },
        Trouble::NotADatabase => AssetError::NotADatabase { path, what: "SQLite does not recognise it" },
        Trouble::Corrupt(detail) => AssetError::Corrupt { path, detail },
        Trouble::ReadOnly => AssetError::ReadOnly(path),
        Trouble::DiskFull | Trouble::WriteFailed | Trouble::Other => {
            AssetError::Sqlite { path, source: error }
        }
    }
}
