//! The tables of an asset database, their versions, and the way from each version to the next.
//!
//! `PRAGMA application_id` says whose file it is, `PRAGMA user_version` which version of the tables it has. Every
//! change of the tables is one more entry in [`MIGRATIONS`]; a new file is made by the first statement and all of
//! them, so that new and migrated files cannot differ.

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::sqlite;

/// `MSDA`.
pub(super) const APPLICATION_ID: u32 = u32::from_be_bytes(*b"MSDA");

/// Version of the tables this program writes.
pub const SCHEMA_VERSION: u32 = 1 + MIGRATIONS.len() as u32;

/// Tables of version 1. `AUTOINCREMENT`: the id of a removed asset is never given to another.
const VERSION_1: &str = "
    CREATE TABLE asset (
        id          INTEGER PRIMARY KEY AUTOINCREMENT,
        name        TEXT NOT NULL UNIQUE,
        mass        REAL CHECK (mass > 0),
        density     REAL CHECK (density > 0),
        friction    REAL NOT NULL CHECK (friction >= 0),
        restitution REAL NOT NULL CHECK (restitution BETWEEN 0 AND 1),
        visual      BLOB,
        collision   BLOB,
        CHECK (mass IS NULL OR density IS NULL),
        CHECK (visual IS NOT NULL OR collision IS NOT NULL)
    ) STRICT;
";

/// Entry `i` takes version `i + 1` to `i + 2`.
const MIGRATIONS: [&str; 1] = ["
    ALTER TABLE asset ADD COLUMN rolling_friction REAL NOT NULL DEFAULT 0 CHECK (rolling_friction >= 0);
    ALTER TABLE asset ADD COLUMN torsional_friction REAL NOT NULL DEFAULT 0 CHECK (torsional_friction >= 0);
    ALTER TABLE asset ADD COLUMN color INTEGER CHECK (color BETWEEN 0 AND 0xffffff);
"];

/// Name and type of every column of the current version.
const COLUMNS: [(&str, &str); 11] = [
    ("id", "INTEGER"),
    ("name", "TEXT"),
    ("mass", "REAL"),
    ("density", "REAL"),
    ("friction", "REAL"),
    ("restitution", "REAL"),
    ("visual", "BLOB"),
    ("collision", "BLOB"),
    ("rolling_friction", "REAL"),
    ("torsional_friction", "REAL"),
    ("color", "INTEGER"),
];

/// True if no table was ever made.
pub(super) fn is_blank(connection: &Connection) -> rusqlite::Result<bool> {
    let objects: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(objects == 0 && sqlite::user_version(connection)? == 0)
}

/// Makes the tables of a blank file, or brings those of an older version up to date, in one transaction. Another
/// process may have done it meanwhile, so the version is read again once the write lock is held.
pub(super) fn bring_up_to_date(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if is_blank(&transaction)? {
        transaction.execute_batch(VERSION_1)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", 1)?;
    }
    migrate(&transaction)?;
    transaction.commit()
}

fn migrate(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    let version = sqlite::user_version(transaction)?;
    for (step, sql) in (1..).zip(MIGRATIONS).filter(|(step, _)| *step >= version) {
        transaction.execute_batch(sql)?;
        transaction.pragma_update(None, "user_version", step + 1)?;
    }
    Ok(())
}

/// The first deviation from the schema of this program, if any: a correct version number does not make a file
/// trusted.
pub(super) fn find_deviation(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let mut objects =
        connection.prepare("SELECT type, name FROM sqlite_schema WHERE type IN ('trigger', 'view')")?;
    let mut rows = objects.query([])?;
    if let Some(row) = rows.next()? {
        let (kind, name): (String, String) = (row.get(0)?, row.get(1)?);
        return Ok(Some(format!("it has a {kind} {name:?}, which an asset database never has")));
    }
    let mut columns = connection.prepare("SELECT name, type, hidden FROM pragma_table_xinfo('asset')")?;
    let found = columns
        .query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, i64>(2)?)))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let as_expected = found.len() == COLUMNS.len()
        && found.iter().zip(COLUMNS).all(|((name, kind, hidden), expected)| {
            (name.as_str(), kind.as_str()) == expected && *hidden == 0
        });
    if as_expected {
        return Ok(None);
    }
    let names = found.into_iter().map(|(name, ..)| name).collect::<Vec<_>>().join(", ");
    Ok(Some(format!(
        "its table \"asset\" has the columns ({names}) instead of those of version {SCHEMA_VERSION}"
    )))
}

/// A file as version 1 of this program left it, for the tests of migration.
#[cfg(test)]
pub(super) fn create_version_1(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(VERSION_1)?;
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.pragma_update(None, "user_version", 1)
}
