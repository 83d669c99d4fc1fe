//! Assets as rows, and the statements that read and write them.

use std::path::Path;

use msd::physics::rigid_body::Material;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, params};

use super::AssetId;
use crate::{
    Asset, AssetError, Color, MassTemplate,
    codec::{self, CodecError, GeometryHead},
};

/// Largest encoded geometry, bytes. SQLite holds 10⁹ bytes in a row, and a row has two.
const BLOB_LIMIT: usize = 450 << 20;

/// One asset of [`super::AssetRegistry::list`].
#[derive(Clone, Debug, PartialEq)]
pub struct AssetSummary {
    /// Its number.
    pub id: AssetId,
    /// Its name.
    pub name: String,
    /// Header of its visual geometry; an error if it is damaged.
    pub visual: Option<Result<GeometryHead, CodecError>>,
    /// Likewise of its collision geometry.
    pub collision: Option<Result<GeometryHead, CodecError>>,
    /// How heavy it is.
    pub mass: MassTemplate,
    /// How its surface rubs and bounces.
    pub material: Material,
}

/// An asset ready to be written.
pub(super) struct EncodedAsset<'a> {
    asset: &'a Asset,
    visual: Option<Vec<u8>>,
    collision: Option<Vec<u8>>,
}

pub(super) fn encode(asset: &Asset) -> Result<EncodedAsset<'_>, AssetError> {
    asset.validate()?;
    let check = |role: &'static str, encoded: Result<Vec<u8>, CodecError>| {
        let bytes =
            encoded.map_err(|source| AssetError::Geometry { name: asset.name.clone(), role, source })?;
        if bytes.len() > BLOB_LIMIT {
            let (name, bytes) = (asset.name.clone(), bytes.len());
            return Err(AssetError::TooLarge { name, role, bytes, limit: BLOB_LIMIT });
        }
        Ok(bytes)
    };
    let visual = asset.visual.as_ref().map(|mesh| check("visual", codec::encode_mesh(mesh))).transpose()?;
    let collision = asset
        .collision
        .as_ref()
        .map(|collision| check("collision", codec::encode_collision(collision)))
        .transpose()?;
    Ok(EncodedAsset { asset, visual, collision })
}

/// The new id; `None` if the name is in use.
pub(super) fn insert(connection: &Connection, row: &EncodedAsset<'_>) -> rusqlite::Result<Option<AssetId>> {
    if select_id(connection, &row.asset.name)?.is_some() {
        return Ok(None);
    }
    let material = row.asset.material;
    connection
        .prepare_cached(
            "INSERT INTO asset (name, mass, density, friction, restitution, rolling_friction, \
             torsional_friction, color, visual, collision) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?
        .execute(params![
            row.asset.name,
            row.asset.mass.mass(),
            row.asset.mass.density(),
            material.friction,
            material.restitution,
            material.rolling_friction,
            material.torsional_friction,
            row.asset.color.map(Color::to_rgb),
            row.visual,
            row.collision,
        ])?;
    Ok(Some(AssetId(connection.last_insert_rowid())))
}

/// The id of the removed asset.
pub(super) fn delete(connection: &Connection, name: &str) -> rusqlite::Result<Option<AssetId>> {
    connection
        .prepare_cached("DELETE FROM asset WHERE name = ?1 RETURNING id")?
        .query_row([name], |row| row.get(0).map(AssetId))
        .optional()
}

pub(super) fn select_id(connection: &Connection, name: &str) -> rusqlite::Result<Option<AssetId>> {
    connection
        .prepare_cached("SELECT id FROM asset WHERE name = ?1")?
        .query_row([name], |row| row.get(0).map(AssetId))
        .optional()
}

pub(super) fn data_version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
}

/// Structural problems reported by SQLite.
pub(super) fn integrity(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare("PRAGMA integrity_check")?;
    let lines = statement.query_map([], |row| row.get::<_, String>(0))?.collect::<rusqlite::Result<Vec<_>>>();
    match lines {
        Ok(lines) => Ok(lines.into_iter().filter(|line| line != "ok").collect()),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) => {
            Ok(vec![error.to_string()])
        }
        Err(error) => Err(error),
    }
}

const COLUMNS: &str =
    "id, name, mass, density, friction, restitution, rolling_friction, torsional_friction, color";

/// The columns of [`COLUMNS`], not yet checked.
struct Attributes {
    id: AssetId,
    name: String,
    mass: Option<f64>,
    density: Option<f64>,
    material: Material,
    color: Option<u32>,
}

impl Attributes {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: AssetId(row.get(0)?),
            name: row.get(1)?,
            mass: row.get(2)?,
            density: row.get(3)?,
            material: Material {
                friction: row.get(4)?,
                restitution: row.get(5)?,
                rolling_friction: row.get(6)?,
                torsional_friction: row.get(7)?,
            },
            color: row.get(8)?,
        })
    }
}

/// A row as it was read, not yet decoded.
pub(super) struct StoredAsset {
    attributes: Attributes,
    visual: Option<Vec<u8>>,
    collision: Option<Vec<u8>>,
}

pub(super) fn select(connection: &Connection, id: AssetId) -> rusqlite::Result<Option<StoredAsset>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS}, visual, collision FROM asset WHERE id = ?1"))?
        .query_row([id.0], |row| {
            Ok(StoredAsset {
                attributes: Attributes::read(row)?,
                visual: row.get(9)?,
                collision: row.get(10)?,
            })
        })
        .optional()
}

impl StoredAsset {
    /// The asset, every number of it checked; `path` is for the message.
    pub(super) fn decode(self, path: &Path) -> Result<Asset, AssetError> {
        let Attributes { name, mass, density, material, color, .. } = self.attributes;
        let damaged = |role: &'static str| {
            let name = name.clone();
            move |source| AssetError::Geometry { name, role, source }
        };
        let visual =
            self.visual.map(|blob| codec::decode_mesh(&blob)).transpose().map_err(damaged("visual"))?;
        let collision = self
            .collision
            .map(|blob| codec::decode_collision(&blob))
            .transpose()
            .map_err(damaged("collision"))?;
        let corrupt = |detail: String| AssetError::Corrupt {
            path: path.to_owned(),
            detail: format!("asset {name:?}: {detail}"),
        };
        let mass = MassTemplate::from_options(mass, density).map_err(|error| corrupt(error.to_string()))?;
        let color = color
            .map(|rgb| {
                Color::from_rgb(rgb)
                    .ok_or_else(|| corrupt(format!("colour {rgb:#x} has more than three bytes")))
            })
            .transpose()?;
        let asset = Asset { name: name.clone(), visual, collision, material, mass, color };
        asset.validate().map_err(|error| corrupt(error.to_string()))?;
        Ok(asset)
    }
}

/// All rows in order of name, with the first bytes of their geometry only.
pub(super) fn summaries(connection: &Connection) -> rusqlite::Result<Vec<AssetSummary>> {
    let size = codec::HEADER;
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS}, substr(visual, 1, {size}), length(visual), substr(collision, 1, {size}), \
         length(collision) FROM asset ORDER BY name"
    ))?;
    let head = |row: &Row<'_>, at: usize| -> rusqlite::Result<Option<Result<GeometryHead, CodecError>>> {
        let (start, length): (Option<Vec<u8>>, Option<i64>) = (row.get(at)?, row.get(at + 1)?);
        Ok(start.zip(length).map(|(start, length)| codec::peek(&start, length.unsigned_abs())))
    };
    statement
        .query_map([], |row| {
            let Attributes { id, name, mass, density, material, .. } = Attributes::read(row)?;
            let mass = MassTemplate::from_options(mass, density).unwrap_or_default();
            Ok(AssetSummary { id, name, visual: head(row, 9)?, collision: head(row, 11)?, mass, material })
        })?
        .collect()
}
