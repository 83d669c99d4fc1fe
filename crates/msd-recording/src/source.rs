//! The scene inside a recording: complete, so that it can be run again without other files.
//!
//! Three kinds of files are kept: the scene as it was written (for people), the scene as it ran (JSON, with what the
//! command line changed), and the geometry of every mesh and asset it refers to. In the scene as it ran, each
//! `mesh` and `asset` shape names one of those geometries, so that no path of the machine it ran on is needed or kept.

use std::path::Path;

use msd_assets::{Asset, AssetRegistry, codec};
use msd_scene::model::{AssetShape, Shape};
use msd_scene::{FileAccess, Scene, geometry_from_file};
use rusqlite::Connection;
use rusqlite::types::Value;
use tempfile::TempDir;

use crate::RecordingError;
use crate::format::envelope::{self, BlockPosition, Kind};
use crate::format::rows::{Columns, integer, text};
use crate::format::schema;
use crate::model::in_order;

const WRITTEN: &str = "scene as written";
const RAN: &str = "scene as it ran";
const GEOMETRY: &str = "collision geometry";
/// Name of the database that stands for all files of a scene when it is run again.
const DATABASE: &str = "geometry.db";

/// A file kept in a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedFile {
    /// Its name.
    pub name: String,
    /// `scene as written`, `scene as it ran` or `collision geometry`.
    pub role: String,
    /// Its contents.
    pub data: Vec<u8>,
}

/// The files of a scene: as it was written (if that is known), as it ran, and its geometry.
pub(crate) fn files_of(scene: &Scene, written: Option<&str>) -> Result<Vec<RecordedFile>, RecordingError> {
    let mut files = Vec::new();
    if let Some(written) = written {
        let (name, role) = (scene.name.clone(), WRITTEN.to_owned());
        files.push(RecordedFile { name, role, data: written.as_bytes().to_vec() });
    }
    let mut ran = scene.clone();
    let mut kept = Vec::new();
    for body in &mut ran.body {
        let name = body.name.clone();
        let refused = |problem| RecordingError::Invalid(format!("body `{name}`: {problem}"));
        // The looks of bodies are kept with the bodies, and no result depends on them.
        body.visual.clear();
        let Some(shape) = &mut body.shape else { continue };
        store_geometry(shape, &scene.files, &mut kept).map_err(refused)?;
    }
    let json = serde_json::to_vec(&ran).map_err(|error| RecordingError::Invalid(error.to_string()))?;
    files.push(RecordedFile { name: scene.name.clone(), role: RAN.to_owned(), data: json });
    for (i, (_, data)) in kept.into_iter().enumerate() {
        files.push(RecordedFile { name: geometry_name(i), role: GEOMETRY.to_owned(), data });
    }
    Ok(files)
}

fn geometry_name(number: usize) -> String {
    format!("geometry-{number}")
}

/// Puts the geometry of a shape that is in a file among `kept`, and its name in the shape.
fn store_geometry(
    shape: &mut Shape,
    files: &FileAccess,
    kept: &mut Vec<(Shape, Vec<u8>)>,
) -> Result<(), String> {
    if let Shape::Compound(compound) = shape {
        return compound.parts.iter_mut().try_for_each(|part| store_geometry(&mut part.shape, files, kept));
    }
    let number = match kept.iter().position(|(known, _)| known == shape) {
        Some(number) => number,
        None => {
            let Some(collision) = geometry_from_file(shape, files)? else { return Ok(()) };
            let bytes = codec::encode_collision(&collision).map_err(|error| error.to_string())?;
            kept.push((shape.clone(), bytes));
            kept.len() - 1
        }
    };
    *shape = Shape::Asset(AssetShape { name: geometry_name(number), database: DATABASE.to_owned() });
    Ok(())
}

pub(crate) fn write(connection: &Connection, files: &[RecordedFile]) -> rusqlite::Result<()> {
    for (id, file) in (0_u64..).zip(files) {
        let blob = envelope::wrap(&file.data, Kind::File, BlockPosition::row(id));
        let row = vec![integer(id), text(&file.name), text(&file.role), Value::Blob(blob)];
        schema::FILE.insert(connection, row)?;
    }
    Ok(())
}

pub(crate) fn read(connection: &Connection, path: &Path) -> Result<Vec<RecordedFile>, RecordingError> {
    let mut files = Vec::new();
    for (row, id) in schema::FILE.select(connection, path, "")?.into_iter().zip(0_u64..) {
        let mut columns = Columns::new(row, schema::FILE, path);
        in_order(columns.integer()?, id, "file", path)?;
        let (name, role, blob) = (columns.text()?, columns.text()?, columns.blob()?);
        let data = envelope::open(&blob, Kind::File, BlockPosition::row(id))
            .map_err(|error| RecordingError::envelope(path, &format!("file {name:?}"), &error))?;
        files.push(RecordedFile { name, role, data: data.to_vec() });
    }
    Ok(files)
}

/// The scene of a recording with its files in a folder that lasts as long as this value.
#[derive(Debug)]
pub struct RecordedScene {
    pub(crate) scene: Scene,
    pub(crate) _folder: TempDir,
}

impl RecordedScene {
    /// The scene.
    #[must_use]
    pub fn scene(&self) -> &Scene {
        &self.scene
    }
}

/// The scene as it was written, if it is known.
pub(crate) fn written(files: &[RecordedFile]) -> Option<&str> {
    let file = files.iter().find(|file| file.role == WRITTEN)?;
    std::str::from_utf8(&file.data).ok()
}

/// The scene as it ran, with its files in a folder that lasts as long as the second value.
pub(crate) fn scene(files: &[RecordedFile], path: &Path) -> Result<(Scene, TempDir), RecordingError> {
    let none = |reason: &str| RecordingError::NoScene { path: path.to_owned(), reason: reason.to_owned() };
    let file = files
        .iter()
        .find(|file| file.role == RAN)
        .ok_or_else(|| none("it was recorded by a program, not from a scene"))?;
    let mut scene: Scene = serde_json::from_slice(&file.data).map_err(|error| none(&error.to_string()))?;
    let folder = tempfile::tempdir().map_err(|error| RecordingError::io(&std::env::temp_dir(), error))?;
    let geometry: Vec<&RecordedFile> = files.iter().filter(|file| file.role == GEOMETRY).collect();
    if !geometry.is_empty() {
        write_database(&folder.path().join(DATABASE), &geometry)
            .map_err(|problem| none(&format!("its geometry cannot be used: {problem}")))?;
    }
    scene.name.clone_from(&file.name);
    scene.files = FileAccess { folder: folder.path().to_owned(), ..FileAccess::default() };
    Ok((scene, folder))
}

fn write_database(path: &Path, geometry: &[&RecordedFile]) -> Result<(), String> {
    let mut registry = AssetRegistry::create(path).map_err(|error| error.to_string())?;
    for file in geometry {
        let collision = codec::decode_collision(&file.data).map_err(|error| error.to_string())?;
        let asset = Asset { collision: Some(collision), ..Asset::new(&file.name) };
        registry.insert(&asset).map_err(|error| error.to_string())?;
    }
    Ok(())
}
