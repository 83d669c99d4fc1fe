//! Geometry files and the asset registry.
//!
//! The feature `registry` (default) contains the registry and with it SQLite.
//!
//! An [`Asset`] describes a body: a visual mesh, a collision shape, a surface [`Material`] and a mass or
//! density. [`AssetRegistry`] keeps assets by name in one SQLite file; [`import`] reads STL, OBJ, glTF and
//! MSH; [`generate`] makes common solids. Units are metres and kilograms, coordinates are f64 throughout.
//!
//! ```
//! use msd_assets::{AssetRegistry, generate::Solid};
//!
//! # fn main() -> Result<(), msd_assets::AssetError> {
//! let mut registry = AssetRegistry::in_memory()?;
//! registry.insert(&Solid::cube(0.5).asset("crate")?)?;
//! let asset = registry.get("crate")?.expect("inserted above");
//! assert_eq!(asset.visual.as_ref().map(|mesh| mesh.volume()), Some(0.125));
//! # Ok(())
//! # }
//! ```
//!
//! [`Material`]: msd::physics::rigid_body::Material

mod asset;
pub mod codec;
mod collision;
mod decompose;
#[cfg(feature = "registry")]
mod engine;
mod error;
pub mod generate;
pub mod import;
mod mesh;
#[cfg(feature = "registry")]
mod registry;
mod shape;
#[cfg(feature = "registry")]
pub mod sqlite;

pub use asset::{Asset, Color, MassTemplate, NAME_LIMIT};
pub use collision::{Collision, Primitive};
pub use decompose::{Decomposition, DecompositionError, DecompositionLimits, decompose};
#[cfg(feature = "registry")]
pub use engine::OpenEngine;
pub use error::AssetError;
pub use mesh::{Mesh, MeshError};
#[cfg(feature = "registry")]
pub use registry::{AssetId, AssetRegistry, AssetSummary, SCHEMA_VERSION};
#[cfg(feature = "registry")]
pub use sqlite::{BUSY_TIMEOUT, is_database_file};

/// The program on the front page of the package.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct FrontPage;

/// The code on the user's page compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/assets.md")]
struct AssetsPage;
