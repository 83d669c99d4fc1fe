//! The command line: parse, dispatch, exit code.
//!
//! Exit codes: 0 done, 1 failed while working, 2 bad usage or bad input. Standard output carries only what was asked
//! for; everything else goes to standard error.

mod commands;
mod failure;
mod output;

use std::process::ExitCode;

use clap::Parser;

use commands::Command;

/// Rigid-body dynamics in double precision.
#[derive(Debug, Parser)]
#[command(name = "msd", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    match Cli::parse().command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            failure.exit_code()
        }
    }
}
