//! One module per command.

mod assets;
mod check;
mod completions;
mod export;
mod info;
mod interrupt;
mod plot;
mod progress;
mod record;
mod replay;
mod run;
mod schema;
#[cfg(feature = "sweep")]
mod sweep;
mod view;
mod viewing;

use clap::Subcommand;

use crate::failure::Failure;

/// The commands of `msd`.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(Box<run::RunArgs>),
    View(Box<view::ViewArgs>),
    #[cfg(feature = "sweep")]
    Sweep(Box<sweep::SweepArgs>),
    Check(check::CheckArgs),
    Info(info::InfoArgs),
    Replay(replay::ReplayArgs),
    Export(export::ExportArgs),
    Plot(plot::PlotArgs),
    Assets(Box<assets::AssetsArgs>),
    Schema(schema::SchemaArgs),
    Completions(completions::CompletionsArgs),
}

impl Command {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self {
            Self::Run(arguments) => arguments.run(),
            Self::View(arguments) => arguments.run(),
            #[cfg(feature = "sweep")]
            Self::Sweep(arguments) => arguments.run(),
            Self::Check(arguments) => arguments.run(),
            Self::Info(arguments) => arguments.run(),
            Self::Replay(arguments) => arguments.run(),
            Self::Export(arguments) => arguments.run(),
            Self::Plot(arguments) => arguments.run(),
            Self::Assets(arguments) => arguments.run(),
            Self::Schema(arguments) => arguments.run(),
            Self::Completions(arguments) => arguments.run(),
        }
    }
}
