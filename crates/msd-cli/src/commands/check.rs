//! `msd check SCENE`: every error and warning of a scene; for robots also how each element of the file was imported.

use std::path::PathBuf;

use clap::Args;
use msd_scene::{LoadOptions, Loaded, Scene};

use crate::failure::Failure;
use crate::output::print;

/// Validate a scene and report every error and warning; silent for a good scene, except for the listing of
/// imported robots
#[derive(Debug, Args)]
#[command(
    after_help = "Exit code 0 if the scene is good, 2 if it is not. Every element of a URDF or MJCF file is listed on\nstandard output as imported, approximated or ignored.\n\nExamples:\n  msd check scenes/kepler-orbit.toml\n  msd check scenes/arm.urdf"
)]
pub(crate) struct CheckArgs {
    /// A scene in TOML, or in JSON if its name ends in .json, or a robot (.urdf, .xml, .mjcf)
    scene: PathBuf,
    /// Allow files outside the scene's folder
    #[arg(long)]
    allow_outside_files: bool,
}

impl CheckArgs {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let options = LoadOptions { files_outside: self.allow_outside_files, ..LoadOptions::default() };
        let Loaded { scene, listing } = Scene::load_listed(&self.scene, &options)?;
        for warning in scene.warnings(scene.build()?.engine.world()) {
            eprintln!("warning: {}: {warning}", self.scene.display());
        }
        if listing.elements.is_empty() {
            return Ok(());
        }
        let lines: String = listing.elements.iter().map(|element| format!("{element}\n")).collect();
        print(&format!("{lines}{}\n", listing.summary()))
    }
}
