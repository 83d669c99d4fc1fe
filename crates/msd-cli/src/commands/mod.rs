//! One module per command.

mod assets;
mod info;

use clap::Subcommand;

use crate::failure::Failure;

/// What `msd` does.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Assets(Box<assets::AssetsArgs>),
    Info(info::InfoArgs),
}

impl Command {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self {
            Self::Assets(arguments) => arguments.run(),
            Self::Info(arguments) => arguments.run(),
        }
    }
}
