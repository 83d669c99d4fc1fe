//! `msd check SCENE`: every problem of a scene, and nothing else.

use std::path::PathBuf;

use clap::Args;
use msd_scene::Scene;

use crate::failure::Failure;

/// Say everything that is wrong with a scene; silent if nothing is
#[derive(Debug, Args)]
#[command(
    after_help = "Exit code 0 if the scene is good, 2 if it is not.\n\nExamples:\n  msd check scenes/kepler-orbit.toml"
)]
pub(crate) struct CheckArgs {
    /// A scene in TOML, or in JSON if its name ends in .json
    scene: PathBuf,
    /// Let the scene name files outside its folder
    #[arg(long)]
    allow_outside_files: bool,
}

impl CheckArgs {
    pub(crate) fn run(self) -> Result<(), Failure> {
        Scene::load_with(&self.scene, self.allow_outside_files)?;
        Ok(())
    }
}
