//! The thread that writes: many chunks are one transaction.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use rusqlite::types::Value;
use rusqlite::{Connection, params};

use super::batch::Batch;
use super::gather::Delivery;
use super::queue::Queue;
use super::recorder::{Ending, Finished};
use crate::RecordingError;
use crate::format::commands::{self, Numbering};
use crate::format::envelope::{self, BlockPosition, Kind};
use crate::format::layout::Layout;
use crate::format::rows::{integer, text};
use crate::format::{blocks, schema, seal};

/// Bytes after which a transaction is committed, however young.
const COMMIT_BYTES: usize = 16 << 20;

/// Everything the thread owns.
pub(super) struct Writer {
    pub(super) connection: Connection,
    /// Held, not used: marks the file as in use for other runs.
    pub(super) lock: File,
    pub(super) path: PathBuf,
    pub(super) queue: Arc<Queue>,
    pub(super) deliveries: Receiver<Delivery>,
    /// Where written chunks go, for their memory.
    pub(super) written: Sender<Batch>,
    pub(super) numbering: Numbering,
    pub(super) layout: Layout,
    /// For the BLOB being written.
    pub(super) scratch: Vec<u8>,
    pub(super) chunks: u64,
    pub(super) frames: u64,
    pub(super) keyframes: u64,
    /// Time of the last frame written, s.
    pub(super) time: f64,
    /// Frames that are committed, and the time of the last of them, s.
    pub(super) kept: (u64, f64),
}

impl Writer {
    /// Runs until the queue is closed or something fails.
    pub(super) fn run(mut self) -> Option<Finished> {
        let queue = Arc::clone(&self.queue);
        match self.write_all() {
            Ok(finished) => {
                queue.writer_ends(None);
                Some(finished)
            }
            Err(reason) => {
                let ((frames, time), reason) = (self.kept, Box::new(reason));
                queue.writer_ends(Some(RecordingError::CutShort { frames, time, reason }));
                None
            }
        }
    }

    fn write_all(&mut self) -> Result<Finished, RecordingError> {
        let path = self.path.clone();
        let fail = |error| RecordingError::sqlite(&path, error);
        let mut pending = 0;
        // The closing thread sends a last chunk; if it does not arrive, the gatherer has ended abnormally.
        while let Ok(Delivery { mut chunk, flush, closing }) = self.deliveries.recv() {
            if !chunk.is_empty() {
                if pending == 0 {
                    self.connection.execute_batch("BEGIN IMMEDIATE").map_err(fail)?;
                }
                pending += self.write(&mut chunk).map_err(fail)?;
            }
            // The receiver may be gone at the end of a run.
            let _ = self.written.send(chunk);
            if pending > 0 && (pending >= COMMIT_BYTES || flush) {
                self.connection.execute_batch("COMMIT").map_err(fail)?;
                pending = 0;
                self.kept = (self.frames, self.time);
            }
            if let Some(ending) = closing {
                return self.close(ending);
            }
        }
        Err(RecordingError::WriterLost)
    }

    /// Writes one chunk; returns its bytes.
    fn write(&mut self, batch: &mut Batch) -> rusqlite::Result<usize> {
        let (chunk, count) = (self.chunks, batch.frames.len() as u32);
        let place = BlockPosition { key: chunk, frames: (batch.first, count) };
        if self.layout.moving > 0 {
            for (frame, states) in batch.frames.iter_mut().zip(batch.states.chunks_exact(self.layout.moving))
            {
                frame.checksum = blocks::frame_checksum(states);
            }
        }
        let row = vec![
            integer(chunk),
            integer(batch.first),
            integer(u64::from(count)),
            Value::Real(batch.frames.first().map_or(0.0, |frame| frame.time)),
            Value::Real(batch.frames.last().map_or(0.0, |frame| frame.time)),
            integer(batch.contacts.len() as u64),
            integer(batch.events.len() as u64),
            integer(batch.commands.len() as u64),
        ];
        schema::CHUNK.insert(&self.connection, row)?;
        let mut blob = std::mem::take(&mut self.scratch);
        let mut bytes = 0;
        let mut put = |table: &str, id: u64, blob: &[u8]| {
            bytes += blob.len();
            self.put(table, id, blob)
        };
        blocks::encode_frames(&batch.frames, place, &mut blob);
        put("frame_block", chunk, &blob)?;
        let parts = self.layout.blocks();
        for part in 0..parts {
            let place = BlockPosition { key: chunk * parts as u64 + part as u64, ..place };
            blocks::encode_states(&batch.states, self.layout, part, place, &mut blob);
            put("state_block", place.key, &blob)?;
        }
        let joints = self.numbering.joints.len();
        if joints > 0 {
            blocks::encode_reactions(&batch.reactions, joints, place, &mut blob);
            put("reaction_block", chunk, &blob)?;
        }
        if !batch.contacts.is_empty() {
            blocks::encode_contacts(&batch.contacts, place, &mut blob);
            put("contact_block", chunk, &blob)?;
        }
        if !batch.events.is_empty() {
            blocks::encode_events(&batch.events, place, &mut blob);
            put("event_block", chunk, &blob)?;
        }
        if !batch.commands.is_empty() {
            envelope::begin(&mut blob, 0);
            batch.commands.iter().for_each(|entry| commands::encode(entry, &self.numbering, &mut blob));
            envelope::close(&mut blob, Kind::Commands, place);
            put("command_block", chunk, &blob)?;
        }
        self.scratch = blob;
        bytes += self.write_keyframes(batch)?;
        self.chunks += 1;
        self.frames += u64::from(count);
        self.time = batch.frames.last().map_or(self.time, |frame| frame.time);
        Ok(bytes)
    }

    fn write_keyframes(&mut self, batch: &mut Batch) -> rusqlite::Result<usize> {
        let mut bytes = 0;
        for (frame, world) in batch.keyframes.drain(..) {
            let hash = world.state_hash().to_string();
            let row = vec![integer(frame), integer(world.steps()), Value::Real(world.time()), text(&hash)];
            schema::KEYFRAME.insert(&self.connection, row)?;
            let place = BlockPosition { key: frame, frames: (frame, 1) };
            let block = envelope::wrap(world.snapshot().as_bytes(), Kind::Snapshot, place);
            self.put("snapshot_block", frame, &block)?;
            bytes += block.len();
            self.keyframes += 1;
        }
        Ok(bytes)
    }

    fn put(&self, table: &str, id: u64, blob: &[u8]) -> rusqlite::Result<()> {
        let mut statement =
            self.connection.prepare_cached(&format!("INSERT INTO {table} (id, data) VALUES (?1, ?2)"))?;
        statement.execute(params![i64::try_from(id).unwrap_or(i64::MAX), blob])?;
        Ok(())
    }

    /// Writes how the run ended, closes the file and seals it. Without an ending the file stays as after a kill.
    fn close(&mut self, ending: Option<Ending>) -> Result<Finished, RecordingError> {
        let path = self.path.clone();
        let io = |error| RecordingError::io(&path, error);
        let optional = |value: Option<&str>| value.map_or(Value::Null, text);
        let sealed = ending.is_some();
        if let Some(ending) = ending {
            let row = vec![
                integer(0),
                text(&ending.how),
                optional(ending.message.as_deref()),
                integer(self.frames),
                integer(self.chunks),
                integer(self.keyframes),
                integer(ending.steps),
                Value::Real(ending.time),
                text(&ending.state_hash),
                optional(ending.report.as_deref()),
            ];
            schema::ENDING
                .insert(&self.connection, row)
                .map_err(|error| RecordingError::sqlite(&path, error))?;
        }
        // The connection is replaced by an empty one, because SQLite must be done with the file before it is sealed.
        let memory = Connection::open_in_memory().map_err(|error| RecordingError::sqlite(&path, error))?;
        let connection = std::mem::replace(&mut self.connection, memory);
        connection.close().map_err(|(_, error)| RecordingError::sqlite(&path, error))?;
        if sealed {
            seal::append(&path).map_err(io)?;
        }
        let bytes = self.lock.metadata().map_err(io)?.len();
        Ok(Finished { frames: self.frames, bytes })
    }
}
