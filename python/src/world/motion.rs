//! Steps, states, snapshots.

use msd::engine::EngineState;
use msd::environment::Snapshot;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::World;
use crate::error;

/// The moving state of a world at one instant, for `World.set_state`.
#[pyclass(frozen, module = "msd")]
#[derive(Debug)]
pub(crate) struct State(pub(crate) EngineState);

#[pymethods]
impl State {
    /// s.
    #[getter]
    fn time(&self) -> f64 {
        self.0.world().time()
    }
    /// Steps taken until then.
    #[getter]
    fn steps(&self) -> u64 {
        self.0.world().steps()
    }
    fn __repr__(&self) -> String {
        format!("State(time={} s, steps={})", self.0.world().time(), self.0.world().steps())
    }
}

#[pymethods]
impl World {
    /// Takes `n` steps of `dt` seconds each. Other Python threads run meanwhile.
    #[pyo3(signature = (n=1))]
    fn step(&mut self, py: Python<'_>, n: u64) -> PyResult<()> {
        let runner = &mut self.runner;
        let outcome = py.detach(|| runner.step(n));
        self.refresh(py)?;
        match outcome {
            Err(error) => Err(self.runner.exception(error)),
            Ok(()) if n == 1 => Ok(()),
            Ok(()) => self.runner.take_raised().map_or(Ok(()), Err),
        }
    }

    /// Runs for `seconds`, met exactly, and returns the number of steps. Other Python threads run meanwhile.
    fn run(&mut self, py: Python<'_>, seconds: f64) -> PyResult<u64> {
        let runner = &mut self.runner;
        let outcome = py.detach(|| runner.run(seconds));
        self.refresh(py)?;
        match outcome {
            Err(error) => Err(self.runner.exception(error)),
            Ok(steps) => self.runner.take_raised().map_or(Ok(steps), Err),
        }
    }

    /// Back to time zero and the poses and velocities of the start; with `keyframe`, to that keyframe of the scene.
    #[pyo3(signature = (keyframe=None))]
    fn reset(&mut self, py: Python<'_>, keyframe: Option<&str>) -> PyResult<()> {
        if let Some(name) = keyframe.filter(|name| !self.scene.keyframe.contains_key(*name)) {
            // Asked before anything changes.
            let problem = self.scene.set_keyframe(name, self.runner.engine.world_mut());
            problem.map_err(|problem| error::world_message(&problem))?;
        }
        self.runner.reset();
        if let Some(name) = keyframe {
            let Self { scene, runner, .. } = self;
            let set = scene.set_keyframe(name, runner.engine.world_mut());
            set.map_err(|problem| error::world_message(&problem))?;
        }
        self.view_again(py)
    }

    /// Forgets forces and torques that were applied for the next step.
    fn clear_loads(&mut self) {
        self.runner.engine.world_mut().clear_loads();
    }

    /// A copy of the moving state, taken in microseconds, for `set_state`.
    fn state(&self) -> State {
        State(self.runner.engine.state())
    }

    /// Sets a state of this world or of a copy of it; what follows has the same bits as what followed `state()`. The certificate
    /// goes on over all steps taken.
    fn set_state(&mut self, py: Python<'_>, state: &State) -> PyResult<()> {
        self.runner.engine.set_state(&state.0).map_err(error::world)?;
        self.view_again(py)
    }

    /// The moving state as checked bytes, to be stored.
    fn snapshot<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.runner.world().snapshot().as_bytes())
    }

    /// Takes back the bytes of a snapshot of the same model.
    fn restore(&mut self, py: Python<'_>, snapshot: &[u8]) -> PyResult<()> {
        let snapshot = Snapshot::from_bytes(snapshot.to_vec()).map_err(error::world)?;
        self.runner.engine.world_mut().restore(&snapshot).map_err(error::world)?;
        self.view_again(py)
    }

    /// A deep copy, which is not recorded. Python agents are shared.
    fn copy(&self) -> World {
        World::of(self.runner.clone(), self.scene.clone(), self.as_written)
    }

    fn __copy__(&self) -> World {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> World {
        self.copy()
    }
}

impl World {
    /// To be called when time went back: arrays and viewer show the state there is now.
    fn view_again(&mut self, py: Python<'_>) -> PyResult<()> {
        self.refresh(py)?;
        let runner = &self.runner;
        py.detach(|| runner.view_again());
        runner.take_raised().map_or(Ok(()), Err)
    }
}
