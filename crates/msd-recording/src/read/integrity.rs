//! The full check: every byte of the file.

use rusqlite::ErrorCode;

use super::recording::Recording;
use crate::RecordingError;
use crate::format::commands::Numbering;
use crate::format::schema::BLOCKS;

/// Problems listed before the rest is only counted.
const LISTED: usize = 20;

impl Recording {
    /// Compares the whole file with its seal: one pass over its bytes. Empty if nothing was changed, or if there is
    /// no seal to compare with.
    ///
    /// # Errors
    /// The file cannot be read at all.
    pub fn check_seal(&self) -> Result<Vec<String>, RecordingError> {
        let Some(seal) = &self.seal else { return Ok(Vec::new()) };
        seal.problems(self.path()).map_err(|error| RecordingError::io(self.path(), error))
    }

    /// Everything that is wrong with the file, in words; empty if nothing is: the seal, SQLite's own check of its
    /// structures, and every row, BLOB and frame against its checksum.
    ///
    /// # Errors
    /// The file cannot be read at all.
    pub fn check(&self) -> Result<Vec<String>, RecordingError> {
        let mut problems = self.check_seal()?;
        problems.extend(self.structure()?);
        let mut note = |result: Result<(), RecordingError>| {
            if let Err(error) = result {
                let said = error.to_string();
                let prefix = format!("{}: damaged: ", self.path().display());
                problems.push(said.strip_prefix(&prefix).map_or(said.clone(), str::to_owned));
            }
        };
        note(self.files().map(drop));
        for number in 0..self.geometries() {
            note(self.geometry(number).map(drop));
        }
        for keyframe in self.keyframes() {
            note(self.snapshot(keyframe).map(drop));
        }
        for number in 0..self.chunks.len() {
            note(self.check_chunk(number));
        }
        note(self.events().map(drop));
        note(self.row_counts());
        if problems.len() > LISTED {
            let more = problems.len() - LISTED;
            problems.truncate(LISTED);
            problems.push(format!("and {more} more"));
        }
        Ok(problems)
    }

    fn check_chunk(&self, number: usize) -> Result<(), RecordingError> {
        let chunk = self.chunk(number)?;
        for at in 0..chunk.len() {
            if chunk.frame(at, &self.model).is_none() {
                let frame = self.chunks[number].first + at as u64;
                let detail = format!("frame {frame}: its states do not match its checksum");
                return Err(RecordingError::damaged(self.path(), detail));
            }
        }
        Ok(())
    }

    /// Structural problems reported by SQLite.
    fn structure(&self) -> Result<Vec<String>, RecordingError> {
        let run = || -> rusqlite::Result<Vec<String>> {
            let mut statement = self.connection().prepare("PRAGMA integrity_check(20)")?;
            let lines = statement.query_map([], |row| row.get::<_, String>(0))?;
            lines.collect()
        };
        match run() {
            Ok(lines) => Ok(lines.into_iter().filter(|line| line != "ok").collect()),
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) => {
                Ok(vec![error.to_string()])
            }
            Err(error) => Err(RecordingError::sqlite(self.path(), error)),
        }
    }

    /// A block that belongs to no chunk, or a chunk without its blocks.
    fn row_counts(&self) -> Result<(), RecordingError> {
        let chunks = self.chunks.len();
        let having = |count: fn(&super::chunk::ChunkRow) -> u64| {
            self.chunks.iter().filter(|chunk| count(chunk) > 0).count()
        };
        let expected = [
            chunks,
            chunks * self.layout.blocks(),
            having(|chunk| chunk.contacts),
            if self.joints().is_empty() { 0 } else { chunks },
            having(|chunk| chunk.events),
            having(|chunk| chunk.commands),
            self.keyframes().len(),
        ];
        for (table, expected) in BLOCKS.into_iter().zip(expected) {
            let count = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
            let found = self
                .connection()
                .query_row(&format!("SELECT count(*) FROM {table}"), [], count)
                .map_err(|error| RecordingError::sqlite(self.path(), error))?;
            if usize::try_from(found) != Ok(expected) {
                let detail = format!("table {table} has {found} rows, expected {expected}");
                return Err(RecordingError::damaged(self.path(), detail));
            }
        }
        // Commands are decoded with placeholder handles, to check only that they are complete.
        let count = self.bodies().len() as u32;
        let bodies = (0..count).map(|slot| msd::physics::rigid_body::BodyHandle::new(0, slot, 0)).collect();
        if self.joints().is_empty() {
            self.commands(&Numbering { bodies, joints: Vec::new() })?;
        }
        Ok(())
    }
}
