//! Recordings and the viewer.

use std::path::PathBuf;

use msd_recording::{RecordOptions, Recorder};
use pyo3::prelude::*;

use super::World;
use crate::error;
use crate::viewer::{ViewSettings, Viewer};

#[pymethods]
impl World {
    /// Records every further step, or a frame every `every` seconds, to a file that `msd.open` and the command line read, until
    /// `stop_recording`. The world may also be used as `with world.record("run.msdr"): ...`.
    #[pyo3(signature = (path, *, every=None, replace=false))]
    fn record(
        slf: Bound<'_, Self>,
        path: PathBuf,
        every: Option<f64>,
        replace: bool,
    ) -> PyResult<Bound<'_, Self>> {
        {
            let mut world = slf.try_borrow_mut()?;
            let mut options = RecordOptions::new().replace(replace);
            if let Some(seconds) = every {
                options = options.every(seconds);
            }
            if world.as_written && world.runner.world().steps() == 0 {
                options = options.scene(&world.scene, None).map_err(error::recording)?;
            } else if world.scene_fits() {
                // It starts from another state, or agents act that no scene has: verified with the commands that are recorded.
                options =
                    options.with_outside_inputs().scene(&world.scene, None).map_err(error::recording)?;
            }
            let recorder =
                Recorder::create(path, world.runner.world(), &options).map_err(error::recording)?;
            world.runner.engine.start_recording(Box::new(recorder));
        }
        Ok(slf)
    }

    /// Completes the recording, if there is one.
    fn stop_recording(&mut self) -> PyResult<()> {
        self.runner.engine.stop_recording().map_err(error::engine)
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&mut self, _exception: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<bool> {
        self.stop_recording()?;
        Ok(false)
    }

    // ── Viewer ──────────────────────────────────────────────────────────────────────────────────────────────────

    /// Shows the world live in the browser, and in a notebook in the output of the cell. Call it after the last body and joint was
    /// added.
    ///
    /// `speed` is how many simulated seconds pass in a second at most, None for as fast as possible; a page can change it, pause, take
    /// single steps and look back. With `drag`, it can pull at bodies, whose forces act like those of an agent. With `wait`, the next
    /// step waits until a page is there. `open=False` opens no browser. The server listens on this machine only, and ends with
    /// `close()` or with the world.
    #[pyo3(signature = (*, speed=Some(1.0), drag=false, wait=false, open=true))]
    fn view(
        slf: Bound<'_, Self>,
        speed: Option<f64>,
        drag: bool,
        wait: bool,
        open: bool,
    ) -> PyResult<Py<Viewer>> {
        Viewer::of_world(&slf, &ViewSettings { speed, drag, wait }, open)
    }
}

impl World {
    /// True if the parts that were added, as a scene, make this very model again.
    fn scene_fits(&self) -> bool {
        let made = self.scene.build();
        made.is_ok_and(|made| made.engine.world().model_hash() == self.runner.world().model_hash())
    }
}
