//! Why a command ended early, and the exit code that says so.

use std::process::ExitCode;

use msd_assets::AssetError;
use thiserror::Error;

/// A command that did not do what was asked.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// What was given cannot be used: exit code 2.
    #[error("{0}")]
    BadInput(String),
    /// The work itself failed: exit code 1.
    #[error("{0}")]
    Failed(String),
}

impl Failure {
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::BadInput(_) => ExitCode::from(2),
            Self::Failed(_) => ExitCode::from(1),
        }
    }
}

impl From<AssetError> for Failure {
    fn from(error: AssetError) -> Self {
        if error.is_bad_input() { Self::BadInput(error.to_string()) } else { Self::Failed(error.to_string()) }
    }
}
