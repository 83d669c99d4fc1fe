//! `msd schema`: the JSON Schema of the scene format.

use clap::Args;

use crate::failure::Failure;
use crate::output::print_json;

/// Print the JSON Schema of the scene format, for editors and other programs
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  msd schema > scene.schema.json")]
pub(crate) struct SchemaArgs {}

impl SchemaArgs {
    pub(crate) fn run(self) -> Result<(), Failure> {
        print_json(&msd_scene::json_schema())
    }
}
