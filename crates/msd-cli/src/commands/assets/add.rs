//! `msd assets DB add NAME FILE`: a geometry file becomes an asset.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use msd_assets::{
    Asset, Collision, DecompositionLimits,
    import::{self, ImportOptions, UpAxis},
};

use super::{Database, body_options::BodyOptions};
use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  msd assets parts.db add bracket bracket.stl --scale 0.001 --mass 0.35
  msd assets parts.db add terrain terrain.glb --collision mesh --friction 0.8
  msd assets parts.db add wheel wheel.obj --up y --density 1100
  msd assets parts.db add hook hook.stl --collision parts --max-error 0.02

STL (binary, ASCII), OBJ, glTF and GLB are read. --scale 0.001 turns millimetres into metres.";

/// Add an asset from a geometry file
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct AddArgs {
    /// Its name, unique in the database
    name: String,
    /// STL, OBJ, glTF, GLB or MSH
    file: PathBuf,
    /// Collision geometry
    #[arg(long, value_enum, default_value_t = CollisionKind::Hull)]
    collision: CollisionKind,
    /// With `--collision parts`: volume of the parts beyond that of the mesh, relative to it [default: 0.05]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    max_error: Option<f64>,
    /// With `--collision parts`: how many there may be [default: 32]
    #[arg(long, value_name = "N")]
    max_parts: Option<usize>,
    /// Metres per unit of the file
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    scale: f64,
    /// Which axis of the file points up [default: y for glTF and GLB, z for STL and OBJ]
    #[arg(long, value_enum)]
    up: Option<Up>,
    /// Largest file that is read, MiB
    #[arg(long, value_name = "MIB", default_value_t = 512)]
    max_size: u64,
    #[command(flatten)]
    body: BodyOptions,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum CollisionKind {
    /// The convex hull; only its corners are stored
    Hull,
    /// The triangles themselves, for bodies that do not move
    Mesh,
    /// The convex hull; all vertices of the file are stored
    Points,
    /// Several convex hulls that together are nearly the closed mesh, for bodies that move
    Parts,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Up {
    Y,
    Z,
}

impl AddArgs {
    pub(super) fn run(self, database: &Database) -> Result<(), Failure> {
        let options = ImportOptions {
            scale: self.scale,
            up: self.up.map(|up| match up {
                Up::Y => UpAxis::Y,
                Up::Z => UpAxis::Z,
            }),
            max_bytes: self.max_size.saturating_mul(1 << 20),
            ..ImportOptions::default()
        };
        let import = import::load(&self.file, &options).map_err(msd_assets::AssetError::from)?;
        if import.dropped > 0 {
            eprintln!("note: {} triangles without area were left out", import.dropped);
        }
        if !matches!(self.collision, CollisionKind::Parts)
            && (self.max_error.is_some() || self.max_parts.is_some())
        {
            let message = "--max-error and --max-parts are for --collision parts";
            return Err(Failure::BadInput(message.to_owned()));
        }
        let collision = match self.collision {
            CollisionKind::Parts => {
                let default = DecompositionLimits::default();
                let limits = DecompositionLimits {
                    error: self.max_error.unwrap_or(default.error),
                    max_parts: self.max_parts.unwrap_or(default.max_parts),
                };
                let (parts, error) = Collision::parts_of(&import.mesh, &limits)?;
                if let Collision::Parts(parts) = &parts {
                    eprintln!(
                        "{} convex parts, {:.3} % more volume than the mesh",
                        parts.len(),
                        100.0 * error
                    );
                }
                parts
            }
            CollisionKind::Hull => Collision::hull_of(&import.mesh)?,
            CollisionKind::Points => Collision::Points(import.mesh.vertices().to_vec()),
            CollisionKind::Mesh => Collision::Mesh(import.mesh.clone()),
        };
        eprintln!(
            "read {}: {}, {} vertices, {} triangles",
            self.file.display(),
            import.format,
            import.mesh.vertices().len(),
            import.mesh.triangles().len()
        );
        let mut asset =
            Asset { visual: Some(import.mesh), collision: Some(collision), ..Asset::new(self.name) };
        self.body.apply(&mut asset)?;
        asset.collision_shape()?;
        database.insert(&asset)
    }
}
