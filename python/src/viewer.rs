//! The viewer: a world live, or a recording, in the browser or in the output of a notebook's cell.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use msd_recording::Recording as Recorded;
use msd_view::{FrameSource, Header, Live, Pace, RecordingSource, Server, ServerOptions, ViewError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error;
use crate::world::World;

/// How a world is shown.
#[derive(Debug)]
pub(crate) struct ViewSettings {
    pub(crate) speed: Option<f64>,
    pub(crate) drag: bool,
    pub(crate) wait: bool,
}

/// A server that shows a world or a recording to browsers on this machine, until `close()`.
#[pyclass(frozen, module = "msd")]
#[derive(Debug)]
pub(crate) struct Viewer {
    server: Mutex<Option<Server>>,
    url: String,
    live: Option<Arc<Live>>,
}

impl Viewer {
    /// Shows a world live.
    pub(crate) fn of_world(
        world: &Bound<'_, World>,
        settings: &ViewSettings,
        open: bool,
    ) -> PyResult<Py<Self>> {
        let py = world.py();
        let pace = match settings.speed {
            None => Pace::Unlimited,
            Some(speed) if speed > 0.0 && speed.is_finite() => Pace::Times(speed),
            Some(speed) => {
                let problem = format!("speed must be above 0 and finite, or None, got {speed}");
                return Err(PyValueError::new_err(problem));
            }
        };
        let live = {
            let mut world = world.try_borrow_mut()?;
            let engine = world.runner.world();
            let duration = world.scene.world.duration;
            let header = Header::of_world(engine, &world.scene.name, duration, Some(&world.scene));
            let live = header.and_then(|header| Live::new(engine, header, pace, settings.wait));
            let live = live.map_err(|refused| error::view(&refused))?;
            let live = Arc::new(if settings.drag { live.without_reset() } else { live.watched_only() });
            if settings.drag {
                world.runner.engine.add_agent(live.hand_agent());
                world.as_written = false;
            }
            world.runner.live = Some(Arc::clone(&live));
            live
        };
        let viewer = Self::start(Arc::clone(&live) as _, Some(live), open, py)?;
        let world = world.try_borrow()?;
        let runner = &world.runner;
        py.detach(|| runner.view_again());
        runner.take_raised().map_or(Ok(viewer), Err)
    }

    /// Shows a recording.
    pub(crate) fn of_recording(py: Python<'_>, path: &Path, open: bool) -> PyResult<Py<Self>> {
        let recorded = Recorded::open(path).map_err(error::recording)?;
        let source = RecordingSource::new(recorded).map_err(|refused| error::view(&refused))?;
        Self::start(Arc::new(source), None, open, py)
    }

    fn start(
        source: Arc<dyn FrameSource>,
        live: Option<Arc<Live>>,
        open: bool,
        py: Python<'_>,
    ) -> PyResult<Py<Self>> {
        let options = ServerOptions { framed: true, ..ServerOptions::default() };
        let server = Server::start(source, &options).map_err(|refused: ViewError| error::view(&refused))?;
        let viewer = Py::new(py, Self { url: server.url(), server: Mutex::new(Some(server)), live })?;
        if open {
            py.import("msd._show")?.call_method1("show", (viewer.clone_ref(py),))?;
        }
        Ok(viewer)
    }
}

#[pymethods]
impl Viewer {
    /// The address, with the token that lets a page in.
    #[getter]
    fn url(&self) -> &str {
        &self.url
    }

    /// Ends the server. A world that it showed goes on without it.
    fn close(&self, py: Python<'_>) {
        if let Some(live) = &self.live {
            live.stop();
        }
        let server = self.server.lock().unwrap_or_else(PoisonError::into_inner).take();
        // Its thread is waited for.
        py.detach(|| drop(server));
    }

    /// True once it was closed.
    #[getter]
    fn closed(&self) -> bool {
        self.server.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    fn _repr_html_(&self) -> String {
        format!(
            "<iframe src=\"{}\" width=\"100%\" height=\"480\" style=\"border:0\" title=\"msd viewer\"></iframe>",
            self.url
        )
    }

    fn __repr__(&self) -> String {
        let state = if self.closed() { ", closed" } else { "" };
        format!("Viewer({}{state})", self.url)
    }
}
