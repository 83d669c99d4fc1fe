//! The command line: parse, dispatch, exit code.
//!
//! Exit codes: 0 done, 1 failed while working, 2 bad usage or bad input. Standard output carries only the
//! requested data; everything else goes to standard error.

mod commands;
mod diagnostics;
mod failure;
mod output;
mod summary;

use std::process::ExitCode;

use clap::Parser;

use commands::Command;

/// Rigid-body dynamics in double precision.
#[derive(Debug, Parser)]
#[command(name = "msd", version, long_version = LONG_VERSION, about, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Version, profile and target for a bug report, without data of the build machine.
const LONG_VERSION: &str =
    concat!(env!("CARGO_PKG_VERSION"), " (", env!("MSD_PROFILE"), " build for ", env!("MSD_TARGET"), ")");

fn main() -> ExitCode {
    match Cli::parse().command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.print();
            failure.exit_code()
        }
    }
}
