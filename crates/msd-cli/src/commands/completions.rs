//! `msd completions SHELL`.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::Cli;
use crate::failure::Failure;
use crate::output::print;

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  msd completions bash > ~/.local/share/bash-completion/completions/msd")]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

impl CompletionsArgs {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "msd", &mut script);
        print(&String::from_utf8_lossy(&script))
    }
}
