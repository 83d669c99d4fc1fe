//! Worlds.

mod events;
mod files;
mod motion;
mod parts;
mod reading;
mod robots;

use std::path::PathBuf;

use msd_scene::model::{self, IntegratorName, SolverName};
use msd_scene::{LoadOptions, Scene};
use numpy::{PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use toml::Value;

pub(crate) use motion::State;
pub(crate) use parts::Field;

use crate::convert::{STATE, state_of, vec3};
use crate::error;
use crate::stepper::Runner;

/// Bodies, joints, fields and agents, and their motion.
#[pyclass(module = "msd")]
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) runner: Runner,
    pub(crate) scene: Scene,
    /// True while the engine is what the scene describes: nothing was added or changed since it was loaded.
    pub(crate) as_written: bool,
    /// Rows of `states`, once they were asked for: the array that is written to, and the one that Python sees.
    states: Option<(Py<PyArray2<f64>>, Py<PyAny>)>,
}

/// Reads a scene (.toml, .json) or a robot (.urdf, .xml, .mjcf).
///
/// Files that it names must be in its folder, unless `files_outside` is true. The base of a URDF is held to the world, unless
/// `free_base` is true.
#[pyfunction]
#[pyo3(signature = (path, *, free_base=false, files_outside=false))]
pub(crate) fn load(py: Python<'_>, path: PathBuf, free_base: bool, files_outside: bool) -> PyResult<World> {
    World::from_scene(py, load_scene(py, &path, free_base, files_outside)?)
}

/// A scene from a file.
pub(crate) fn load_scene(
    py: Python<'_>,
    path: &PathBuf,
    free_base: bool,
    files_outside: bool,
) -> PyResult<Scene> {
    let options = LoadOptions { files_outside, free_base };
    let loaded = py.detach(|| Scene::load_listed(path, &options));
    Ok(loaded.map_err(|errors| error::scene(py, &errors))?.scene)
}

/// A part of a scene from its keys; `what` names it in messages.
fn part<T: serde::de::DeserializeOwned>(what: &str, table: toml::Table) -> PyResult<T> {
    Value::Table(table).try_into().map_err(|error: toml::de::Error| {
        error::SceneError::new_err(format!("{what}: {}", error.message().trim()))
    })
}

impl World {
    pub(crate) fn from_scene(py: Python<'_>, scene: Scene) -> PyResult<Self> {
        // What is imported is part of the scene from here on: its bodies are varied, its keyframes gone to.
        let whole = || if scene.import.is_empty() { Ok(scene.clone()) } else { scene.with_imports() };
        let made = py.detach(|| whole().and_then(|scene| Ok((scene.build()?, scene))));
        let (built, scene) = made.map_err(|errors| error::scene(py, &errors))?;
        Ok(Self { runner: Runner::new(built.engine), scene, as_written: true, states: None })
    }

    /// A copy of a model and its state, without arrays.
    pub(crate) fn of(runner: Runner, scene: Scene, as_written: bool) -> Self {
        Self { runner, scene, as_written, states: None }
    }

    /// To be called when a body or joint was added or removed: arrays have other rows from now on.
    pub(crate) fn model_changed(&mut self) {
        self.states = None;
        self.as_written = false;
        if let Some(live) = self.runner.live.take() {
            let message = "bodies or joints were added or removed; call `view()` again";
            live.finish(self.runner.world(), "stopped", Some(message.to_owned()));
        }
    }

    /// Writes the states of the bodies to the array that Python holds, if it does.
    pub(crate) fn refresh(&mut self, py: Python<'_>) -> PyResult<()> {
        let Some((array, _)) = &self.states else { return Ok(()) };
        let array = array.bind(py);
        let world = self.runner.world();
        // SAFETY: Python sees this array only through a read-only view, the GIL is held, and no other reference into it exists.
        let rows =
            unsafe { array.as_slice_mut() }.map_err(|error| PyValueError::new_err(error.to_string()))?;
        for (row, handle) in rows.chunks_exact_mut(STATE).zip(world.handles()) {
            row.copy_from_slice(&state_of(world, handle));
        }
        Ok(())
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let world = self.runner.world();
        world.handles().map(|handle| world.name_of(handle.slot())).collect()
    }

    pub(crate) fn add_part<T: serde::de::DeserializeOwned, R>(
        &mut self,
        py: Python<'_>,
        what: &str,
        table: toml::Table,
        add: impl FnOnce(&mut Scene, &mut msd::engine::Engine, T) -> Result<R, msd_scene::SceneErrors>,
    ) -> PyResult<R> {
        let part = part(what, table)?;
        let added = add(&mut self.scene, &mut self.runner.engine, part);
        let added = added.map_err(|errors| error::scene(py, &errors))?;
        self.model_changed();
        Ok(added)
    }
}
#[pymethods]
impl World {
    /// An empty world under gravity along -z.
    ///
    /// `dt` is the step in seconds, `gravity` in m/s². `integrator` is one of semi-implicit-euler, velocity-verlet, rk4,
    /// implicit-midpoint, implicit-euler, adaptive and exact-free; `solver` is exact, fast or auto. `sleep` lets bodies at rest
    /// fall asleep. No result depends on `threads`.
    #[new]
    #[pyo3(signature = (*, dt=0.001, gravity=None, integrator="velocity-verlet", solver="auto", sleep=false, threads=1))]
    fn new(
        py: Python<'_>,
        dt: f64,
        gravity: Option<&Bound<'_, PyAny>>,
        integrator: &str,
        solver: &str,
        sleep: bool,
        threads: u32,
    ) -> PyResult<Self> {
        let one_of = |names: Vec<&str>| names.join(", ");
        let integrator =
            IntegratorName::ALL.into_iter().find(|name| name.as_str() == integrator).ok_or_else(|| {
                let known = one_of(IntegratorName::ALL.map(IntegratorName::as_str).to_vec());
                PyValueError::new_err(format!("there is no integrator `{integrator}`; there is {known}"))
            })?;
        let solver = SolverName::ALL.into_iter().find(|name| name.as_str() == solver).ok_or_else(|| {
            let known = one_of(SolverName::ALL.map(SolverName::as_str).to_vec());
            PyValueError::new_err(format!("there is no solver `{solver}`; there is {known}"))
        })?;
        if !(1..=1024).contains(&threads) {
            return Err(PyValueError::new_err(format!("threads must be from 1 to 1024, got {threads}")));
        }
        let mut scene = Scene { name: "world".to_owned(), ..Scene::default() };
        scene.files.outside = true;
        scene.world = model::WorldSettings { dt, integrator, solver, threads, sleep, ..scene.world };
        if let Some(gravity) = gravity {
            scene.world.gravity = vec3("gravity", gravity)?.to_array();
        }
        let mut world = Self::from_scene(py, scene)?;
        world.as_written = false;
        Ok(world)
    }

    fn __repr__(&self) -> String {
        let world = self.runner.world();
        let (bodies, joints) = (world.handles().count(), world.joints().count());
        format!("World({bodies} bodies, {joints} joints, time={} s, dt={} s)", world.time(), world.dt())
    }
}
