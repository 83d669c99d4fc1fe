//! Exceptions. Every message is the engine's own: it names the culprit, the value and what would have been right.

use msd::engine::EngineError;
use msd::environment::WorldError;
use msd_recording::RecordingError as EngineRecordingError;
use msd_scene::{SceneErrors, VaryError};
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

create_exception!(msd, Error, PyException, "Base of all exceptions of msd.");
create_exception!(
    msd,
    WorldError_,
    Error,
    "A world refused a value, or could not take a step. Nothing has changed."
);
create_exception!(
    msd,
    SceneError,
    Error,
    "A scene, or a part added to a world, has problems. `problems` lists them as dicts with `message`, `expected`, `help`, `line` and `column`."
);
create_exception!(msd, RecordingError, Error, "A recording cannot be written or read.");

/// Adds the exceptions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let world_error = py.get_type::<WorldError_>();
    world_error.setattr("__name__", "WorldError")?;
    world_error.setattr("__qualname__", "WorldError")?;
    module.add("Error", py.get_type::<Error>())?;
    module.add("WorldError", world_error)?;
    module.add("SceneError", py.get_type::<SceneError>())?;
    module.add("RecordingError", py.get_type::<RecordingError>())
}

/// What the world refused.
pub(crate) fn world(error: impl Into<WorldError>) -> PyErr {
    WorldError_::new_err(error.into().to_string())
}

/// A refusal that the package itself words.
pub(crate) fn world_message(problem: &str) -> PyErr {
    WorldError_::new_err(problem.to_owned())
}

/// An error of the viewer.
pub(crate) fn view(error: &msd_view::ViewError) -> PyErr {
    Error::new_err(error.to_string())
}

/// A value that the engine refused.
pub(crate) fn engine(error: EngineError) -> PyErr {
    match error {
        EngineError::World(error) => world(error),
        EngineError::Recording { .. } => RecordingError::new_err(error.to_string()),
        other => WorldError_::new_err(other.to_string()),
    }
}

/// What is wrong with a recording.
pub(crate) fn recording(error: EngineRecordingError) -> PyErr {
    RecordingError::new_err(error.to_string())
}

/// What is wrong with a path of `vary`.
pub(crate) fn vary(error: VaryError) -> PyErr {
    SceneError::new_err(error.to_string())
}

/// What is wrong with a scene, problem by problem.
pub(crate) fn scene(py: Python<'_>, errors: &SceneErrors) -> PyErr {
    let error = SceneError::new_err(errors.to_string());
    let problems = || -> PyResult<Vec<Bound<'_, PyAny>>> {
        let mut list = Vec::new();
        for problem in &errors.problems {
            let entry = pyo3::types::PyDict::new(py);
            entry.set_item("message", &problem.message)?;
            entry.set_item("expected", &problem.expected)?;
            entry.set_item("help", &problem.help)?;
            entry.set_item("line", problem.place.map(|(line, _)| line))?;
            entry.set_item("column", problem.place.map(|(_, column)| column))?;
            list.push(entry.into_any());
        }
        Ok(list)
    };
    if let Ok(list) = problems() {
        // An exception without the list is still the exception.
        let _ = error.value(py).setattr("problems", list);
    }
    error
}
