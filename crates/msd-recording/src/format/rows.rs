//! Rows that carry a checksum of themselves: the tables of a recording that people may want to query by hand.
//!
//! The last column of each such table, `crc`, is the CRC-32 of the table's name and all other columns in order, each
//! as one byte for its type (0 null, 1 integer, 2 real, 3 text, 4 blob), its length (u32) and its bytes
//! (little-endian). A row that was changed, or moved to another table, no longer fits it.

use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use crate::RecordingError;

/// A table with checksums: its name and its columns before `crc`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) columns: &'static [(&'static str, &'static str)],
}

impl Table {
    fn column_names(&self) -> String {
        self.columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }

    fn checksum(&self, values: &[Value]) -> u32 {
        let mut crc = crc32fast::Hasher::new();
        crc.update(self.name.as_bytes());
        for value in values {
            let mut part = |tag: u8, bytes: &[u8]| {
                crc.update(&[tag]);
                crc.update(&(bytes.len() as u32).to_le_bytes());
                crc.update(bytes);
            };
            match value {
                Value::Null => part(0, &[]),
                Value::Integer(number) => part(1, &number.to_le_bytes()),
                Value::Real(number) => part(2, &number.to_bits().to_le_bytes()),
                Value::Text(text) => part(3, text.as_bytes()),
                Value::Blob(bytes) => part(4, bytes),
            }
        }
        crc.finalize()
    }

    /// Adds a row; `values` are all columns but `crc`.
    pub(crate) fn insert(&self, connection: &Connection, mut values: Vec<Value>) -> rusqlite::Result<()> {
        debug_assert_eq!(values.len(), self.columns.len(), "{}", self.name);
        // SQLite stores a NaN as NULL and -0.0 as 0; neither may change under the checksum.
        for value in &mut values {
            match value {
                Value::Real(number) if number.is_nan() => *value = Value::Null,
                Value::Real(number) if *number == 0.0 => *number = 0.0,
                _ => {}
            }
        }
        values.push(Value::Integer(i64::from(self.checksum(&values))));
        let marks = vec!["?"; values.len()].join(", ");
        let sql = format!("INSERT INTO {} ({}, crc) VALUES ({marks})", self.name, self.column_names());
        connection.prepare_cached(&sql)?.execute(params_from_iter(values))?;
        Ok(())
    }

    /// All rows in the order of the first column, each checked; `condition` narrows them (`WHERE …`).
    pub(crate) fn select(
        &self,
        connection: &Connection,
        path: &Path,
        condition: &str,
    ) -> Result<Vec<Vec<Value>>, RecordingError> {
        let fail = |error| RecordingError::sqlite(path, error);
        let first = self.columns[0].0;
        let sql =
            format!("SELECT {}, crc FROM {} {condition} ORDER BY {first}", self.column_names(), self.name);
        let mut statement = connection.prepare_cached(&sql).map_err(fail)?;
        let mut rows = statement.query([]).map_err(fail)?;
        let mut all = Vec::new();
        while let Some(row) = rows.next().map_err(fail)? {
            let mut values = (0..=self.columns.len())
                .map(|i| row.get::<_, Value>(i))
                .collect::<rusqlite::Result<Vec<_>>>()
                .map_err(fail)?;
            let found = values.pop();
            if found != Some(Value::Integer(i64::from(self.checksum(&values)))) {
                let key = match &values[0] {
                    Value::Integer(number) => number.to_string(),
                    Value::Text(text) => format!("{text:?}"),
                    other => format!("{other:?}"),
                };
                let detail = format!("table {}, row {key}: its checksum does not match", self.name);
                return Err(RecordingError::damaged(path, detail));
            }
            all.push(values);
        }
        Ok(all)
    }
}

/// Reads the columns of a checked row in order.
pub(crate) struct Columns<'a> {
    values: std::vec::IntoIter<Value>,
    table: Table,
    path: &'a Path,
}

impl<'a> Columns<'a> {
    pub(crate) fn new(values: Vec<Value>, table: Table, path: &'a Path) -> Self {
        Self { values: values.into_iter(), table, path }
    }

    fn wrong(&self, expected: &str) -> RecordingError {
        let detail = format!("table {}: expected {expected}", self.table.name);
        RecordingError::damaged(self.path, detail)
    }

    pub(crate) fn integer(&mut self) -> Result<u64, RecordingError> {
        match self.values.next() {
            Some(Value::Integer(number)) if number >= 0 => Ok(number.unsigned_abs()),
            _ => Err(self.wrong("a number of at least 0")),
        }
    }

    pub(crate) fn optional_integer(&mut self) -> Result<Option<u64>, RecordingError> {
        match self.values.next() {
            Some(Value::Null) => Ok(None),
            Some(Value::Integer(number)) if number >= 0 => Ok(Some(number.unsigned_abs())),
            _ => Err(self.wrong("a number of at least 0 or nothing")),
        }
    }

    pub(crate) fn real(&mut self) -> Result<f64, RecordingError> {
        match self.values.next() {
            Some(Value::Real(number)) => Ok(number),
            Some(Value::Null) => Ok(f64::NAN),
            _ => Err(self.wrong("a number")),
        }
    }

    pub(crate) fn reals<const N: usize>(&mut self) -> Result<[f64; N], RecordingError> {
        let mut all = [0.0; N];
        for one in &mut all {
            *one = self.real()?;
        }
        Ok(all)
    }

    pub(crate) fn text(&mut self) -> Result<String, RecordingError> {
        match self.values.next() {
            Some(Value::Text(text)) => Ok(text),
            _ => Err(self.wrong("a text")),
        }
    }

    pub(crate) fn optional_text(&mut self) -> Result<Option<String>, RecordingError> {
        match self.values.next() {
            Some(Value::Null) => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text)),
            _ => Err(self.wrong("a text or nothing")),
        }
    }

    pub(crate) fn blob(&mut self) -> Result<Vec<u8>, RecordingError> {
        match self.values.next() {
            Some(Value::Blob(bytes)) => Ok(bytes),
            _ => Err(self.wrong("bytes")),
        }
    }
}

/// A whole number as SQLite holds it.
pub(crate) fn integer(number: u64) -> Value {
    Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}

/// A text as SQLite holds it.
pub(crate) fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_with_numbers_that_sqlite_changes_fit_their_checksums() {
        let table = Table { name: "body", columns: &[("slot", "INTEGER"), ("velocity_x", "REAL")] };
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE body (slot INTEGER, velocity_x REAL, crc INTEGER)").unwrap();
        for (slot, number) in [-0.0, 0.0, f64::NAN, 3.0, -0.5].into_iter().enumerate() {
            table.insert(&connection, vec![Value::Integer(slot as i64), Value::Real(number)]).unwrap();
        }
        let rows = table.select(&connection, Path::new("run.msdr"), "").unwrap();
        assert_eq!(rows.len(), 5);
        assert_eq!(rows[0][1], Value::Real(0.0));
        assert_eq!(rows[2][1], Value::Null);
        connection.execute("UPDATE body SET velocity_x = 4.0 WHERE slot = 3", []).unwrap();
        assert!(table.select(&connection, Path::new("run.msdr"), "").is_err(), "a changed row is found");
    }
}
