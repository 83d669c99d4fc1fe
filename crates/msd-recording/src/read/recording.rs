//! `Recording`: a finished, running or interrupted recording, opened for reading.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use msd::environment::Snapshot;
use msd_assets::{Collision, codec};
use rusqlite::{Connection, OptionalExtension};
use serde_json::Value;

use super::chunk::{Chunk, ChunkRow};
use super::open;
use crate::format::envelope::{self, BlockPosition, Kind};
use crate::format::layout::Layout;
use crate::format::rows::Columns;
use crate::format::schema;
use crate::format::seal::Seal;
use crate::frame::Frame;
use crate::model::{Model, RecordedBody, RecordedJoint, in_order};
use crate::source::{self, RecordedFile, RecordedScene};
use crate::{RecordingError, appearance};

/// A frame from which the run can be resumed.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyframe {
    /// Number of the frame.
    pub frame: u64,
    /// Number of steps.
    pub step: u64,
    /// s.
    pub time: f64,
    /// Digest of the state, hexadecimal.
    pub state_hash: String,
}

/// How a recorded run ended.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedEnding {
    /// `done`, `stopped` or `failed`.
    pub how: String,
    /// Why, if it failed.
    pub message: Option<String>,
    /// Number of steps.
    pub steps: u64,
    /// s.
    pub time: f64,
    /// Digest of the final state, hexadecimal.
    pub state_hash: String,
    /// The report of the run as JSON, if it made one.
    pub report: Option<String>,
}

/// A recording, opened for reading. Every BLOB and row is checked against its checksum when it is read.
#[derive(Debug)]
pub struct Recording {
    path: PathBuf,
    connection: Connection,
    pub(super) seal: Option<Seal>,
    properties: BTreeMap<String, Value>,
    pub(super) model: Model,
    /// Numbers of the bodies that move.
    pub(super) moving: Vec<usize>,
    pub(super) layout: Layout,
    pub(super) chunks: Vec<ChunkRow>,
    keyframes: Vec<Keyframe>,
    ending: Option<RecordedEnding>,
    /// The chunk last read: frames are usually read in order.
    last: RefCell<Option<(usize, Arc<Chunk>)>>,
}

impl Recording {
    /// Opens a recording. Nothing is changed in it; an interrupted write of a killed run is first rolled back
    /// to the last complete frames by SQLite.
    ///
    /// # Errors
    /// If it is not a recording, is truncated, of a later version, or malformed.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, RecordingError> {
        let path = path.as_ref().to_owned();
        let (connection, seal) = open::open(&path)?;
        // One snapshot of the file for everything below, also while a run is writing to it.
        connection.execute_batch("BEGIN").map_err(|error| RecordingError::sqlite(&path, error))?;
        let mut properties = read_properties(&connection, &path)?;
        let mut model = Model::read(&connection, &path)?;
        if let Some(looks) = properties.remove(appearance::PROPERTY) {
            appearance::read(looks, &mut model, &path)?;
        }
        let chunks = read_chunks(&connection, &path)?;
        let keyframes = read_keyframes(&connection, &path)?;
        let ending = read_ending(&connection, &path, &chunks, &keyframes)?;
        connection.execute_batch("COMMIT").map_err(|error| RecordingError::sqlite(&path, error))?;
        if chunks.is_empty() && ending.is_none() && !open::is_being_written(&path) {
            return Err(RecordingError::NoFrames(path));
        }
        let moving = model.moving();
        let bodies_per_block = properties.get("bodies_per_block").and_then(Value::as_u64);
        let bodies_per_block = bodies_per_block.and_then(|bodies| usize::try_from(bodies).ok());
        let Some(bodies_per_block) = bodies_per_block.filter(|bodies| *bodies > 0) else {
            return Err(RecordingError::damaged(&path, "how many bodies a block has is not said"));
        };
        let layout = Layout { moving: moving.len(), bodies_per_block };
        let last = RefCell::new(None);
        let recording = Self {
            path,
            connection,
            seal,
            properties,
            model,
            moving,
            layout,
            chunks,
            keyframes,
            ending,
            last,
        };
        recording.check_counts()?;
        Ok(recording)
    }

    fn check_counts(&self) -> Result<(), RecordingError> {
        for (name, found) in [("bodies", self.bodies().len()), ("joints", self.joints().len())] {
            if self.property(name).and_then(Value::as_u64) != Some(found as u64) {
                let detail = format!("{found} {name} are there, not as many as were recorded");
                return Err(RecordingError::damaged(&self.path, detail));
            }
        }
        let known = |end: Option<usize>| end.is_none_or(|body| body < self.bodies().len());
        if self.joints().iter().any(|joint| !known(joint.a) || !known(joint.b)) {
            return Err(RecordingError::damaged(&self.path, "a joint holds a body that is not there"));
        }
        Ok(())
    }

    /// Its file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// A setting of the run or of the recording.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&Value> {
        self.properties.get(name)
    }

    /// All settings.
    pub fn properties(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.properties.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Version of the program that recorded it.
    #[must_use]
    pub fn version(&self) -> &str {
        self.property("version").and_then(Value::as_str).unwrap_or("?")
    }

    /// Bodies, static ones too. Their place here is their number everywhere else.
    #[must_use]
    pub fn bodies(&self) -> &[RecordedBody] {
        &self.model.bodies
    }

    /// Joints.
    #[must_use]
    pub fn joints(&self) -> &[RecordedJoint] {
        &self.model.joints
    }

    /// How many geometries there are.
    #[must_use]
    pub fn geometries(&self) -> usize {
        self.model.geometry.len()
    }

    /// A geometry by its number, as [`RecordedBody::shapes`] gives it.
    ///
    /// # Errors
    /// If there is none, or it is damaged.
    pub fn geometry(&self, number: usize) -> Result<Collision, RecordingError> {
        let damaged =
            |detail: String| RecordingError::damaged(&self.path, format!("geometry {number}: {detail}"));
        let (_, bytes) =
            self.model.geometry.get(number).ok_or_else(|| damaged("it is not there".to_owned()))?;
        codec::decode_collision(bytes).map_err(|error| damaged(error.to_string()))
    }

    /// The number of a body.
    ///
    /// # Errors
    /// Names bodies that are there if there is none of that name.
    pub fn body(&self, name: &str) -> Result<usize, RecordingError> {
        self.bodies().iter().position(|body| body.name == name).ok_or_else(|| {
            let some: Vec<String> =
                self.bodies().iter().take(8).map(|body| format!("`{}`", body.name)).collect();
            let more = if self.bodies().len() > some.len() { ", …" } else { "" };
            let known = format!("the recording has {}{more}", some.join(", "));
            RecordingError::UnknownBody { name: name.to_owned(), known }
        })
    }

    /// How many frames there are.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.chunks.last().map_or(0, |chunk| chunk.first + u64::from(chunk.frames))
    }

    /// Time of the first and the last frame, s.
    #[must_use]
    pub fn span(&self) -> (f64, f64) {
        let first = self.chunks.first().map_or(0.0, |chunk| chunk.first_time);
        (first, self.chunks.last().map_or(0.0, |chunk| chunk.last_time))
    }

    /// Frames from which the run can be resumed.
    #[must_use]
    pub fn keyframes(&self) -> &[Keyframe] {
        &self.keyframes
    }

    /// How the run ended; `None` while it runs, and after it was killed.
    #[must_use]
    pub fn ending(&self) -> Option<&RecordedEnding> {
        self.ending.as_ref()
    }

    /// True if the whole file is sealed by checksums.
    #[must_use]
    pub fn is_sealed(&self) -> bool {
        self.seal.is_some()
    }

    /// The files in it: the scene as written and as it ran, and the geometry it refers to.
    ///
    /// # Errors
    /// If one is damaged.
    pub fn files(&self) -> Result<Vec<RecordedFile>, RecordingError> {
        source::read(&self.connection, &self.path)
    }

    /// The text of the scene as it was written, if the run came from one.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn scene_text(&self) -> Result<Option<String>, RecordingError> {
        Ok(source::written(&self.files()?).map(str::to_owned))
    }

    /// The scene as it ran, ready to be built; `None` if a program recorded it without one.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn scene(&self) -> Result<Option<RecordedScene>, RecordingError> {
        match source::scene(&self.files()?, &self.path) {
            Ok((scene, folder)) => Ok(Some(RecordedScene { scene, _folder: folder })),
            Err(RecordingError::NoScene { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The state of the world at a keyframe.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn snapshot(&self, keyframe: &Keyframe) -> Result<Snapshot, RecordingError> {
        let frame = keyframe.frame;
        let blob = self.blob("snapshot_block", frame)?;
        let what = format!("snapshot of frame {frame}");
        let bytes = envelope::open(&blob, Kind::Snapshot, BlockPosition { key: frame, frames: (frame, 1) })
            .map_err(|error| RecordingError::envelope(&self.path, &what, &error))?;
        Snapshot::from_bytes(bytes.to_vec())
            .map_err(|error| RecordingError::damaged(&self.path, format!("{what}: {error}")))
    }

    /// One frame, whole.
    ///
    /// # Errors
    /// If there is no such frame, or it is damaged.
    pub fn frame(&self, index: u64) -> Result<Frame, RecordingError> {
        let number = self.chunk_of(index)?;
        let at = (index - self.chunks[number].first) as usize;
        let chunk = self.cached_chunk(number)?;
        chunk.frame(at, &self.model).ok_or_else(|| {
            RecordingError::damaged(
                &self.path,
                format!("frame {index}: its states do not match its checksum"),
            )
        })
    }

    fn chunk_of(&self, index: u64) -> Result<usize, RecordingError> {
        if index >= self.frames() {
            return Err(RecordingError::NoSuchFrame { wanted: index, frames: self.frames() });
        }
        Ok(self.chunks.partition_point(|chunk| chunk.first <= index) - 1)
    }

    fn cached_chunk(&self, number: usize) -> Result<Arc<Chunk>, RecordingError> {
        if let Some((known, chunk)) = self.last.borrow().as_ref()
            && *known == number
        {
            return Ok(Arc::clone(chunk));
        }
        let chunk = Arc::new(self.chunk(number)?);
        *self.last.borrow_mut() = Some((number, Arc::clone(&chunk)));
        Ok(chunk)
    }

    /// The BLOB of a row, not yet checked.
    pub(super) fn blob(&self, table: &str, id: u64) -> Result<Vec<u8>, RecordingError> {
        let fail = |error| RecordingError::sqlite(&self.path, error);
        let sql = format!("SELECT data FROM {table} WHERE id = ?1");
        let mut statement = self.connection.prepare_cached(&sql).map_err(fail)?;
        let blob = statement.query_row([id as i64], |row| row.get(0)).optional().map_err(fail)?;
        blob.ok_or_else(|| RecordingError::damaged(&self.path, format!("table {table}: row {id} is missing")))
    }
}

fn read_properties(connection: &Connection, path: &Path) -> Result<BTreeMap<String, Value>, RecordingError> {
    let mut properties = BTreeMap::new();
    for row in schema::PROPERTY.select(connection, path, "")? {
        let mut columns = Columns::new(row, schema::PROPERTY, path);
        let (name, value) = (columns.text()?, columns.text()?);
        let value = serde_json::from_str(&value)
            .map_err(|error| RecordingError::damaged(path, format!("property {name:?}: {error}")))?;
        properties.insert(name, value);
    }
    Ok(properties)
}

fn read_chunks(connection: &Connection, path: &Path) -> Result<Vec<ChunkRow>, RecordingError> {
    let mut chunks: Vec<ChunkRow> = Vec::new();
    let mut next = 0;
    for (row, id) in schema::CHUNK.select(connection, path, "")?.into_iter().zip(0_u64..) {
        let mut columns = Columns::new(row, schema::CHUNK, path);
        in_order(columns.integer()?, id, "chunk", path)?;
        let (first, frames) = (columns.integer()?, columns.integer()?);
        let frames = u32::try_from(frames).ok().filter(|frames| *frames > 0 && first == next);
        let frames =
            frames.ok_or_else(|| RecordingError::damaged(path, format!("chunk {id} does not follow")))?;
        next = first + u64::from(frames);
        chunks.push(ChunkRow {
            first,
            frames,
            first_time: columns.real()?,
            last_time: columns.real()?,
            contacts: columns.integer()?,
            events: columns.integer()?,
            commands: columns.integer()?,
        });
    }
    Ok(chunks)
}

fn read_keyframes(connection: &Connection, path: &Path) -> Result<Vec<Keyframe>, RecordingError> {
    let read = |row| {
        let mut columns = Columns::new(row, schema::KEYFRAME, path);
        let (frame, step) = (columns.integer()?, columns.integer()?);
        Ok(Keyframe { frame, step, time: columns.real()?, state_hash: columns.text()? })
    };
    schema::KEYFRAME.select(connection, path, "")?.into_iter().map(read).collect()
}

fn read_ending(
    connection: &Connection,
    path: &Path,
    chunks: &[ChunkRow],
    keyframes: &[Keyframe],
) -> Result<Option<RecordedEnding>, RecordingError> {
    let Some(row) = schema::ENDING.select(connection, path, "")?.into_iter().next() else { return Ok(None) };
    let mut columns = Columns::new(row, schema::ENDING, path);
    let _id = columns.integer()?;
    let (how, message) = (columns.text()?, columns.optional_text()?);
    let counts = (columns.integer()?, columns.integer()?, columns.integer()?);
    let frames = chunks.last().map_or(0, |chunk| chunk.first + u64::from(chunk.frames));
    let found = (frames, chunks.len() as u64, keyframes.len() as u64);
    if counts != found {
        let detail =
            format!("frames, chunks and keyframes are {found:?}, and were {counts:?} when the run ended");
        return Err(RecordingError::damaged(path, detail));
    }
    Ok(Some(RecordedEnding {
        how,
        message,
        steps: columns.integer()?,
        time: columns.real()?,
        state_hash: columns.text()?,
        report: columns.optional_text()?,
    }))
}
