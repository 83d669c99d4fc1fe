//! Why a command ended early, and the exit code that says so.

use std::process::ExitCode;

use msd_assets::AssetError;
use msd_recording::RecordingError;
use msd_scene::SceneErrors;
use msd_view::ViewError;
use thiserror::Error;

use crate::diagnostics;

/// Failure of a command.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// Unusable input: exit code 2.
    #[error("{0}")]
    BadInput(String),
    /// A scene with problems: exit code 2.
    #[error("{0}")]
    BadScene(Box<SceneErrors>),
    /// The work itself failed: exit code 1.
    #[error("{0}")]
    Failed(String),
    /// Stopped by the user: exit code 130, as in shells.
    #[error("stopped")]
    Stopped,
}

impl Failure {
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::BadInput(_) | Self::BadScene(_) => ExitCode::from(2),
            Self::Failed(_) => ExitCode::from(1),
            Self::Stopped => ExitCode::from(130),
        }
    }

    /// Prints it to standard error.
    pub(crate) fn print(&self) {
        match self {
            Self::BadScene(errors) => eprint!("{}", diagnostics::render(errors)),
            other => eprintln!("error: {other}"),
        }
    }
}

impl From<AssetError> for Failure {
    fn from(error: AssetError) -> Self {
        if error.is_bad_input() { Self::BadInput(error.to_string()) } else { Self::Failed(error.to_string()) }
    }
}

impl From<RecordingError> for Failure {
    fn from(error: RecordingError) -> Self {
        match error {
            RecordingError::Scene(errors) => Self::BadScene(errors),
            error if error.is_bad_input() => Self::BadInput(error.to_string()),
            error => Self::Failed(error.to_string()),
        }
    }
}

impl From<ViewError> for Failure {
    fn from(error: ViewError) -> Self {
        match error {
            ViewError::Recording(error) => error.into(),
            error @ (ViewError::Listen { .. } | ViewError::TooLarge { .. }) => {
                Self::BadInput(error.to_string())
            }
            error => Self::Failed(error.to_string()),
        }
    }
}

impl From<SceneErrors> for Failure {
    fn from(errors: SceneErrors) -> Self {
        Self::BadScene(Box::new(errors))
    }
}
