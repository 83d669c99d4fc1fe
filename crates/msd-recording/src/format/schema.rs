//! The tables of a recording, their versions, and the way from each version to the next.
//!
//! `PRAGMA application_id` says whose file it is, `PRAGMA user_version` which version of the tables it has. All tables
//! are made in the first transaction, together with settings, files and model, before the first frame; every later change of them will be one more entry in
//! [`MIGRATIONS`]. A file whose tables are not exactly these is refused, whatever its version says.

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::rows::Table;

/// `MSDR`.
pub const APPLICATION_ID: u32 = u32::from_be_bytes(*b"MSDR");

/// Version of the tables this program writes.
pub const SCHEMA_VERSION: u32 = 1 + MIGRATIONS.len() as u32;

/// Entry `i` takes version `i + 1` to `i + 2`.
const MIGRATIONS: [&str; 0] = [];

/// Settings of the run and of the recording, as JSON values.
pub(crate) const PROPERTY: Table =
    Table { name: "property", columns: &[("name", "TEXT"), ("value", "TEXT")] };

/// The scene, as it was written and as it ran, and the files it refers to.
pub(crate) const FILE: Table = Table {
    name: "file",
    columns: &[("id", "INTEGER"), ("name", "TEXT"), ("role", "TEXT"), ("data", "BLOB")],
};

/// Geometry, each once however many bodies have it.
pub(crate) const GEOMETRY: Table =
    Table { name: "geometry", columns: &[("id", "INTEGER"), ("kind", "TEXT"), ("data", "BLOB")] };

/// Every body, static ones too, with its constants and its state at the start.
pub(crate) const BODY: Table = Table {
    name: "body",
    columns: &[
        ("id", "INTEGER"),
        ("name", "TEXT"),
        ("kind", "TEXT"),
        ("mass", "REAL"),
        ("friction", "REAL"),
        ("restitution", "REAL"),
        ("local_center_of_mass_x", "REAL"),
        ("local_center_of_mass_y", "REAL"),
        ("local_center_of_mass_z", "REAL"),
        ("inertia_xx", "REAL"),
        ("inertia_yy", "REAL"),
        ("inertia_zz", "REAL"),
        ("inertia_xy", "REAL"),
        ("inertia_xz", "REAL"),
        ("inertia_yz", "REAL"),
        ("center_of_mass_x", "REAL"),
        ("center_of_mass_y", "REAL"),
        ("center_of_mass_z", "REAL"),
        ("qw", "REAL"),
        ("qx", "REAL"),
        ("qy", "REAL"),
        ("qz", "REAL"),
        ("velocity_x", "REAL"),
        ("velocity_y", "REAL"),
        ("velocity_z", "REAL"),
        ("angular_velocity_x", "REAL"),
        ("angular_velocity_y", "REAL"),
        ("angular_velocity_z", "REAL"),
    ],
};

/// Where the geometry of a body is in its frame; a compound has several.
pub(crate) const SHAPE: Table = Table {
    name: "shape",
    columns: &[
        ("id", "INTEGER"),
        ("body", "INTEGER"),
        ("geometry", "INTEGER"),
        ("x", "REAL"),
        ("y", "REAL"),
        ("z", "REAL"),
        ("qw", "REAL"),
        ("qx", "REAL"),
        ("qy", "REAL"),
        ("qz", "REAL"),
    ],
};

/// Joints; `body_a` and `body_b` are null for the world.
pub(crate) const JOINT: Table = Table {
    name: "joint",
    columns: &[
        ("id", "INTEGER"),
        ("name", "TEXT"),
        ("type", "TEXT"),
        ("body_a", "INTEGER"),
        ("body_b", "INTEGER"),
    ],
};

/// The index of frames: which chunk has which, and how much belongs to it.
pub(crate) const CHUNK: Table = Table {
    name: "chunk",
    columns: &[
        ("id", "INTEGER"),
        ("first_frame", "INTEGER"),
        ("frames", "INTEGER"),
        ("first_time", "REAL"),
        ("last_time", "REAL"),
        ("contacts", "INTEGER"),
        ("events", "INTEGER"),
        ("commands", "INTEGER"),
    ],
};

/// Frames from which the run can be resumed.
pub(crate) const KEYFRAME: Table = Table {
    name: "keyframe",
    columns: &[("frame", "INTEGER"), ("step", "INTEGER"), ("time", "REAL"), ("state_hash", "TEXT")],
};

/// How the run ended; missing while it runs, and after it was killed.
pub(crate) const ENDING: Table = Table {
    name: "ending",
    columns: &[
        ("id", "INTEGER"),
        ("ending", "TEXT"),
        ("message", "TEXT"),
        ("frames", "INTEGER"),
        ("chunks", "INTEGER"),
        ("keyframes", "INTEGER"),
        ("steps", "INTEGER"),
        ("time", "REAL"),
        ("state_hash", "TEXT"),
        ("report", "TEXT"),
    ],
};

/// Tables whose rows have a checksum column.
pub(crate) const CHECKED: [Table; 9] =
    [PROPERTY, FILE, GEOMETRY, BODY, SHAPE, JOINT, CHUNK, KEYFRAME, ENDING];

/// Tables of one BLOB a row, which has a checksum inside.
pub(crate) const BLOCKS: [&str; 7] = [
    "frame_block",
    "state_block",
    "contact_block",
    "reaction_block",
    "event_block",
    "command_block",
    "snapshot_block",
];

fn version_1() -> String {
    let mut sql = String::new();
    for table in CHECKED {
        let columns = table.columns.iter().enumerate().map(|(i, (name, kind))| {
            let key = if i == 0 { " PRIMARY KEY" } else { "" };
            format!("{name} {kind}{key}")
        });
        let columns = columns.collect::<Vec<_>>().join(", ");
        sql += &format!("CREATE TABLE {} ({columns}, crc INTEGER NOT NULL) STRICT;\n", table.name);
    }
    for block in BLOCKS {
        sql += &format!("CREATE TABLE {block} (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;\n");
    }
    sql
}

/// Makes the tables of a blank file, and what `fill` writes to them, in one transaction: a file has all of it or nothing.
pub(crate) fn create(
    connection: &mut Connection,
    fill: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(&version_1())?;
    for migration in MIGRATIONS {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    fill(&transaction)?;
    transaction.commit()
}

/// True if the file has no committed data.
pub(crate) fn is_blank(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(objects(connection)?.is_empty())
}

type Object = (String, String, Option<String>);

fn objects(connection: &Connection) -> rusqlite::Result<Vec<Object>> {
    let mut statement =
        connection.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    rows.collect()
}

/// The first deviation from the schema of this program, if any: a correct version number does not make a file
/// trusted.
pub(crate) fn find_deviation(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let mut reference = Connection::open_in_memory()?;
    create(&mut reference, |_| Ok(()))?;
    let (found, expected) = (objects(connection)?, objects(&reference)?);
    if let Some((kind, name, _)) = found.iter().find(|object| !expected.contains(object)) {
        return Ok(Some(format!("its {kind} {name:?} is not one that a recording has")));
    }
    let missing = expected.iter().find(|object| !found.contains(object));
    Ok(missing.map(|(kind, name, _)| format!("its {kind} {name:?} is missing")))
}
