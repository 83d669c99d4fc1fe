//! Scenes: a world written down in TOML or JSON, read with every problem pointed out, and run.
//!
//! ```
//! use msd_scene::{Scene, Simulation, source::Format};
//!
//! let text = r#"
//! format = 1
//! [world]
//! duration = 1.0
//! [[body]]
//! name = "ball"
//! shape = { sphere = { radius = 0.1 } }
//! mass = 1.0
//! position = [0, 0, 10]
//! "#;
//! let scene = Scene::parse_str("drop.toml", text, Format::Toml)?;
//! let outcome = Simulation::new(scene.build()?).run(|_, _| true);
//! let height = outcome.report.bodies[0].1.position[2];
//! assert!((height - (10.0 - 9.81 / 2.0)).abs() < 1e-12);
//! # Ok::<(), msd_scene::SceneErrors>(())
//! ```
//!
//! Reading a file goes text → tree with places ([`source`]) → [`model`], checked on the way against the JSON Schema
//! that the model itself defines ([`json_schema`]); [`Scene::build`] makes a world of it and [`Simulation`] runs that.

mod build;
pub mod certificate_report;
mod check;
mod error;
mod export;
mod files;
mod grammar;
mod import;
mod live;
pub mod model;
mod read;
pub mod report;
mod simulation;
pub mod source;
mod start_warnings;
mod vary;
mod warnings;

pub use build::{Built, engine_visuals, geometry_from_file};
pub use error::{Problem, SceneErrors};
pub use export::ExportError;
pub use files::FileAccess;
pub use grammar::json_schema;
pub use import::{ListedElement, Listing, Verdict};
pub use model::Scene;
pub use read::{LoadOptions, Loaded, MAX_BYTES};
pub use simulation::{Ending, Outcome, Progress, Simulation};
pub use vary::VaryError;
