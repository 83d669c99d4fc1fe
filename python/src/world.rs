//! Worlds.

use std::path::PathBuf;

use msd::engine::EngineState;
use msd::environment::{QueryFilter, Snapshot};
use msd::physics::rigid_body::shape::{Aabb, Ray};
use msd_recording::{RecordOptions, Recorder};
use msd_scene::model::{self, IntegratorName, SolverName};
use msd_scene::{LoadOptions, Scene};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use toml::Value;

use crate::agent::{Callable, corners, unknown};
use crate::body::Body;
use crate::convert::{STATE, array3, keys, state_of, value, vec3};
use crate::error;
use crate::joint::Joint;
use crate::report::{Certificate, Contact, Energy, RayHit};
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
        let built = py.detach(|| scene.build()).map_err(|errors| error::scene(py, &errors))?;
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

    fn names(&self) -> Vec<String> {
        let world = self.runner.world();
        world.handles().map(|handle| world.name_of(handle.slot())).collect()
    }

    fn add_part<T: serde::de::DeserializeOwned, R>(
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

/// Adds a body whose shape is made of the first arguments.
fn add_shaped(
    world: Bound<'_, World>,
    name: &str,
    kind: &str,
    given: &[(&str, Option<&Bound<'_, PyAny>>)],
    keys: Option<&Bound<'_, PyDict>>,
) -> PyResult<Body> {
    let py = world.py();
    let (shape, of_kind) = (PyDict::new(py), PyDict::new(py));
    for (key, item) in given {
        if let Some(item) = item {
            of_kind.set_item(key, item)?;
        }
    }
    shape.set_item(kind, of_kind)?;
    let keys = keys.map_or_else(|| Ok(PyDict::new(py)), |keys| keys.copy())?;
    if keys.contains("shape")? {
        return Err(PyTypeError::new_err(format!("body `{name}`: its shape is given by its {kind} already")));
    }
    keys.set_item("shape", shape)?;
    World::add_body(world, name, Some(&keys))
}

fn all_keys(given: Option<&Bound<'_, PyDict>>) -> PyResult<toml::Table> {
    given.map_or_else(|| Ok(toml::Table::new()), keys)
}

fn set(table: &mut toml::Table, key: &str, given: &Bound<'_, PyAny>) -> PyResult<()> {
    if let Some(found) = value(key, given)? {
        table.insert(key.to_owned(), found);
    }
    Ok(())
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

    // ── Parts ───────────────────────────────────────────────────────────────────────────────────────────────────

    /// Adds a body by the keys of scene files, such as `shape={'sphere': {'radius': 0.1}}`, `mass`, `density`, `inertia`,
    /// `position`, `orientation`, `velocity`, `angular_velocity` (or `spin`), `kind`, `material`, `friction`, `restitution`,
    /// `collides`, `groups`, `mask`, `ignores`, `linear_damping`, `angular_damping` and `properties`.
    #[pyo3(signature = (name, **keys))]
    fn add_body(slf: Bound<'_, Self>, name: &str, keys: Option<&Bound<'_, PyDict>>) -> PyResult<Body> {
        let mut table = all_keys(keys)?;
        table.insert("name".to_owned(), Value::String(name.to_owned()));
        let py = slf.py();
        let handle = slf.try_borrow_mut()?.add_part(
            py,
            &format!("body `{name}`"),
            table,
            |scene, engine, body: model::Body| scene.add_body(engine, body),
        )?;
        Ok(Body { world: slf.unbind(), handle })
    }

    /// Adds a box with full edge lengths `size` (m); further keys are those of `add_body`.
    #[pyo3(signature = (name, size, **keys))]
    fn add_box(
        slf: Bound<'_, Self>,
        name: &str,
        size: &Bound<'_, PyAny>,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        add_shaped(slf, name, "box", &[("size", Some(size))], keys)
    }

    /// Adds a ball; further keys are those of `add_body`.
    #[pyo3(signature = (name, radius, **keys))]
    fn add_sphere(
        slf: Bound<'_, Self>,
        name: &str,
        radius: &Bound<'_, PyAny>,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        add_shaped(slf, name, "sphere", &[("radius", Some(radius))], keys)
    }

    /// Adds a capsule along z; `length` is that of its cylinder part (m); further keys are those of `add_body`.
    #[pyo3(signature = (name, radius, length, **keys))]
    fn add_capsule(
        slf: Bound<'_, Self>,
        name: &str,
        radius: &Bound<'_, PyAny>,
        length: &Bound<'_, PyAny>,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        add_shaped(slf, name, "capsule", &[("radius", Some(radius)), ("length", Some(length))], keys)
    }

    /// Adds a cylinder along z; further keys are those of `add_body`.
    #[pyo3(signature = (name, radius, length, **keys))]
    fn add_cylinder(
        slf: Bound<'_, Self>,
        name: &str,
        radius: &Bound<'_, PyAny>,
        length: &Bound<'_, PyAny>,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        add_shaped(slf, name, "cylinder", &[("radius", Some(radius)), ("length", Some(length))], keys)
    }

    /// Adds a cone along z, apex up, the origin at half height; further keys are those of `add_body`.
    #[pyo3(signature = (name, radius, length, **keys))]
    fn add_cone(
        slf: Bound<'_, Self>,
        name: &str,
        radius: &Bound<'_, PyAny>,
        length: &Bound<'_, PyAny>,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        add_shaped(slf, name, "cone", &[("radius", Some(radius)), ("length", Some(length))], keys)
    }

    /// Adds the convex hull of points, an array of shape (n, 3) (m); further keys are those of `add_body`.
    #[pyo3(signature = (name, points, **keys))]
    fn add_hull(
        slf: Bound<'_, Self>,
        name: &str,
        points: &Bound<'_, PyAny>,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        add_shaped(slf, name, "hull", &[("points", Some(points))], keys)
    }

    /// Adds a body with the shape of a file (STL, OBJ, glTF or MSH, in metres): its convex hull, or for static bodies with
    /// `convex=False` its triangles; further keys are those of `add_body`.
    #[pyo3(signature = (name, file, *, scale=None, convex=None, **keys))]
    fn add_mesh(
        slf: Bound<'_, Self>,
        name: &str,
        file: &Bound<'_, PyAny>,
        scale: Option<&Bound<'_, PyAny>>,
        convex: Option<&Bound<'_, PyAny>>,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        let file = file.py().import("os")?.call_method1("fspath", (file,))?;
        add_shaped(slf, name, "mesh", &[("file", Some(&file)), ("scale", scale), ("convex", convex)], keys)
    }

    /// Adds static ground: everything below the plane `normal · x = offset`.
    #[pyo3(signature = (name="ground", *, normal=None, offset=None, **keys))]
    fn add_plane(
        slf: Bound<'_, Self>,
        name: &str,
        normal: Option<&Bound<'_, PyAny>>,
        offset: Option<&Bound<'_, PyAny>>,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        let up = pyo3::types::PyTuple::new(slf.py(), [0.0, 0.0, 1.0])?.into_any();
        let keys = keys.map_or_else(|| Ok(PyDict::new(slf.py())), |keys| keys.copy())?;
        keys.set_item("kind", "static")?;
        let normal = normal.unwrap_or(&up).clone();
        add_shaped(slf, name, "plane", &[("normal", Some(&normal)), ("offset", offset)], Some(&keys))
    }

    /// Adds a joint by the keys of scene files. `type` is fixed, ball, hinge, slider, universal, distance or spring; `a` and `b` are
    /// bodies, their names, or `'world'`; anchors and axes are in world coordinates now.
    #[pyo3(signature = (name, r#type, a, b, **keys))]
    fn add_joint(
        slf: Bound<'_, Self>,
        name: &str,
        r#type: &str,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Joint> {
        let py = slf.py();
        let mut table = all_keys(keys)?;
        table.insert("name".to_owned(), Value::String(name.to_owned()));
        table.insert("type".to_owned(), Value::String(r#type.to_owned()));
        set(&mut table, "a", a)?;
        set(&mut table, "b", b)?;
        let handle = slf.try_borrow_mut()?.add_part(
            py,
            &format!("joint `{name}`"),
            table,
            |scene, engine, joint: model::Joint| scene.add_joint(engine, joint),
        )?;
        Ok(Joint { world: slf.unbind(), handle, name: name.to_owned() })
    }

    /// Adds a field by the keys of scene files. `type` is uniform-gravity, point-gravity, gravity-gradient, spring, damper, drag,
    /// magnetic-dipole, third-body, tidal, thruster, geopotential, solar-pressure or rotating-frame.
    #[pyo3(signature = (r#type, **keys))]
    fn add_field(&mut self, py: Python<'_>, r#type: &str, keys: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let mut table = all_keys(keys)?;
        table.insert("type".to_owned(), Value::String(r#type.to_owned()));
        self.add_part(py, &format!("field `{}`", r#type), table, |scene, engine, field: model::Field| {
            scene.add_field(engine, field)
        })
    }

    /// Adds a material that bodies added later can name.
    #[pyo3(signature = (name, **keys))]
    fn add_material(&mut self, name: &str, keys: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let material = part(&format!("material `{name}`"), all_keys(keys)?)?;
        self.scene.material.insert(name.to_owned(), material);
        Ok(())
    }

    /// Adds an agent: a callable, or the type of one of scene files (constant-wrench, pd-attitude, velocity-command) with its keys.
    ///
    /// A callable is given a `View` of the world before every step, or every `period` seconds, and returns None or commands by name:
    /// `{'satellite': {'torque': (0, 0, 1), 'frame': 'body'}, 'hinge': 0.5}`. Its last commands hold until its next turn. An
    /// exception it raises refuses the step.
    #[pyo3(signature = (agent, *, period=None, **keys))]
    fn add_agent(
        &mut self,
        py: Python<'_>,
        agent: &Bound<'_, PyAny>,
        period: Option<f64>,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let mut table = all_keys(keys)?;
        if let Ok(kind) = agent.extract::<String>() {
            if let Some(period) = period {
                table.insert("period".to_owned(), Value::Float(period));
            }
            table.insert("type".to_owned(), Value::String(kind.clone()));
            return self.add_part(
                py,
                &format!("agent `{kind}`"),
                table,
                |scene, engine, agent: model::Agent| scene.add_agent(engine, agent),
            );
        }
        if !agent.is_callable() || !table.is_empty() {
            return Err(PyTypeError::new_err(
                "an agent is a callable (with `period`, if anything) or the name of a type such as 'pd-attitude' with its keys",
            ));
        }
        let callable =
            Callable::new(agent.clone().unbind(), period, std::sync::Arc::clone(&self.runner.raised))?;
        self.runner.engine.add_agent(callable);
        self.as_written = false;
        Ok(())
    }

    /// Lets two bodies pass through each other, or collide again.
    #[pyo3(signature = (a, b, collide=false))]
    fn set_collision(&mut self, a: &str, b: &str, collide: bool) -> PyResult<()> {
        let names = self.names();
        let find = |name: &str| self.runner.world().find(name).ok_or_else(|| unknown("body", name, &names));
        let (a, b) = (find(a)?, find(b)?);
        self.as_written = false;
        self.runner.engine.world_mut().set_collision(a, b, collide).map_err(error::world)
    }

    // ── Motion ──────────────────────────────────────────────────────────────────────────────────────────────────

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

    /// Back to time zero and the poses and velocities of the start.
    fn reset(&mut self, py: Python<'_>) -> PyResult<()> {
        self.runner.reset();
        self.refresh(py)
    }

    /// A copy of the moving state, taken in microseconds, for `set_state`.
    fn state(&self) -> State {
        State(self.runner.engine.state())
    }

    /// Sets a state of this world or of a copy of it; what follows has the same bits as what followed `state()`. The certificate
    /// goes on over all steps taken.
    fn set_state(&mut self, py: Python<'_>, state: &State) -> PyResult<()> {
        self.runner.engine.set_state(&state.0).map_err(error::world)?;
        self.refresh(py)
    }

    /// The moving state as checked bytes, to be stored.
    fn snapshot<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.runner.world().snapshot().as_bytes())
    }

    /// Takes back the bytes of a snapshot of the same model.
    fn restore(&mut self, py: Python<'_>, snapshot: &[u8]) -> PyResult<()> {
        let snapshot = Snapshot::from_bytes(snapshot.to_vec()).map_err(error::world)?;
        self.runner.engine.world_mut().restore(&snapshot).map_err(error::world)?;
        self.refresh(py)
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

    // ── Looking ─────────────────────────────────────────────────────────────────────────────────────────────────

    /// Now, s.
    #[getter]
    fn time(&self) -> f64 {
        self.runner.world().time()
    }

    /// Steps taken.
    #[getter]
    fn steps(&self) -> u64 {
        self.runner.world().steps()
    }

    /// Step, s.
    #[getter]
    fn dt(&self) -> f64 {
        self.runner.world().dt()
    }

    #[setter]
    fn set_dt(&mut self, value: f64) -> PyResult<()> {
        self.as_written = false;
        self.runner.engine.world_mut().set_dt(value).map_err(error::world)?;
        self.scene.world.dt = value;
        Ok(())
    }

    /// Uniform gravity, m/s².
    #[getter]
    fn gravity<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array3(py, self.runner.world().gravity())
    }

    #[setter]
    fn set_gravity(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let gravity = vec3("gravity", value)?;
        self.as_written = false;
        self.runner.engine.world_mut().set_gravity(gravity).map_err(error::world)?;
        self.scene.world.gravity = gravity.to_array();
        Ok(())
    }

    /// Duration that the scene asks for, s.
    #[getter]
    fn duration(&self) -> f64 {
        self.scene.world.duration
    }

    /// Names of all bodies, in the order of `states`.
    #[getter(names)]
    fn body_names(&self) -> Vec<String> {
        self.names()
    }

    /// All bodies, in the order of `states`.
    #[getter]
    fn bodies(slf: Bound<'_, Self>) -> PyResult<Vec<Body>> {
        let handles: Vec<_> = slf.try_borrow()?.runner.world().handles().collect();
        Ok(handles.into_iter().map(|handle| Body { world: slf.clone().unbind(), handle }).collect())
    }

    /// All joints.
    #[getter]
    fn joints(slf: Bound<'_, Self>) -> PyResult<Vec<Joint>> {
        let found: Vec<_> = {
            let world = slf.try_borrow()?;
            world.runner.world().joints().map(|(handle, name, _)| (handle, name.to_owned())).collect()
        };
        Ok(found
            .into_iter()
            .map(|(handle, name)| Joint { world: slf.clone().unbind(), handle, name })
            .collect())
    }

    /// The body of that name.
    fn __getitem__(slf: Bound<'_, Self>, name: &str) -> PyResult<Body> {
        let found = slf.try_borrow()?.runner.world().find(name);
        match found {
            Some(handle) => Ok(Body { world: slf.unbind(), handle }),
            None => Err(unknown("body", name, &slf.try_borrow()?.names())),
        }
    }

    /// True if there is a body of that name.
    fn __contains__(&self, name: &str) -> bool {
        self.runner.world().find(name).is_some()
    }

    /// The number of bodies.
    fn __len__(&self) -> usize {
        self.runner.world().handles().count()
    }

    /// The joint of that name.
    fn joint(slf: Bound<'_, Self>, name: &str) -> PyResult<Joint> {
        let found = slf.try_borrow()?.runner.world().find_joint(name);
        match found {
            Some(handle) => Ok(Joint { world: slf.unbind(), handle, name: name.to_owned() }),
            None => {
                let world = slf.try_borrow()?;
                let names: Vec<String> =
                    world.runner.world().joints().map(|(_, name, _)| name.to_owned()).collect();
                Err(unknown("joint", name, &names))
            }
        }
    }

    /// One row a body: position of its frame, orientation (w, x, y, z), velocity, angular velocity; 13 numbers.
    ///
    /// Always the same read-only array, refreshed in place whenever something moves; `states.copy()` keeps a moment. It is another
    /// array once bodies are added or removed.
    #[getter]
    fn states(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        if let Some((_, seen)) = &self.states {
            return Ok(seen.clone_ref(py));
        }
        let rows = self.runner.world().handles().count();
        let array = PyArray2::<f64>::zeros(py, [rows, STATE], false);
        let seen = array.call_method0("view")?;
        let flags = PyDict::new(py);
        flags.set_item("write", false)?;
        seen.call_method("setflags", (), Some(&flags))?;
        self.states = Some((array.unbind(), seen.clone().unbind()));
        self.refresh(py)?;
        Ok(seen.unbind())
    }

    /// The energy ledger.
    #[getter]
    fn energy(&self) -> Energy {
        Energy(self.runner.world().energy())
    }

    /// The verdict on all steps taken so far.
    #[getter]
    fn certificate(&self) -> Certificate {
        Certificate(self.runner.certificate.clone())
    }

    /// The contact points of the last step, with their forces.
    #[getter]
    fn contacts(&self) -> Vec<Contact> {
        let world = self.runner.world();
        let name = |handle: msd::physics::rigid_body::BodyHandle| world.name_of(handle.slot());
        world.contacts().map(|view| Contact { a: name(view.body_a), b: name(view.body_b), view }).collect()
    }

    /// Pairs of bodies that began to touch, go on to, or ceased to in the last step, as (kind, a, b) with kind `begin`, `persist`
    /// or `end`.
    #[getter]
    fn contact_events(&self) -> Vec<(&'static str, String, String)> {
        use msd::environment::ContactEventKind;
        let world = self.runner.world();
        let kind = |kind| match kind {
            ContactEventKind::Begin => "begin",
            ContactEventKind::Persist => "persist",
            ContactEventKind::End => "end",
        };
        let name = |handle: msd::physics::rigid_body::BodyHandle| world.name_of(handle.slot());
        world
            .contact_events()
            .map(|event| (kind(event.kind), name(event.body_a), name(event.body_b)))
            .collect()
    }

    /// Linear momentum of all bodies that forces move, kg·m/s.
    #[getter]
    fn momentum<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array3(py, self.runner.world().linear_momentum())
    }

    /// Angular momentum of all bodies that forces move about a world point, kg·m²/s.
    #[pyo3(signature = (about=None))]
    fn angular_momentum<'py>(
        &self,
        py: Python<'py>,
        about: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let about = about.map_or(Ok(msd::math::Vec3::ZERO), |point| vec3("about", point))?;
        Ok(array3(py, self.runner.world().angular_momentum_about(about)))
    }

    /// The first body that a ray from `origin` along `direction` meets within `max_distance` metres, or None.
    #[pyo3(signature = (origin, direction, max_distance=f64::INFINITY, *, exclude=Vec::new()))]
    fn cast_ray(
        &self,
        origin: &Bound<'_, PyAny>,
        direction: &Bound<'_, PyAny>,
        max_distance: f64,
        exclude: Vec<String>,
    ) -> PyResult<Option<RayHit>> {
        let (origin, direction) = (vec3("origin", origin)?, vec3("direction", direction)?);
        let Some(ray) = Ray::new(origin, direction) else {
            return Err(PyValueError::new_err("direction must be finite and not zero, origin finite"));
        };
        let world = self.runner.world();
        let excluded = self.handles_of(&exclude)?;
        let found = world.cast_ray(&ray, max_distance, &QueryFilter::new().excluding(&excluded));
        Ok(found.map(|(handle, hit)| RayHit {
            body: world.name_of(handle.slot()),
            position: ray.at(hit.distance),
            hit,
        }))
    }

    /// Names of the bodies whose bounding boxes meet the box between two corners.
    fn bodies_in_box(&self, low: &Bound<'_, PyAny>, high: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let (low, high) = corners(low, high)?;
        let world = self.runner.world();
        let found = world.bodies_in_box(&Aabb::new(low, high), &QueryFilter::new());
        Ok(found.into_iter().map(|handle| world.name_of(handle.slot())).collect())
    }

    /// Identifies the state to the last bit; that of the Rust library and of `msd run`.
    #[getter]
    fn state_hash(&self) -> String {
        self.runner.world().state_hash().to_string()
    }

    /// Identifies bodies, fields, joints and settings.
    #[getter]
    fn model_hash(&self) -> String {
        self.runner.world().model_hash().to_string()
    }

    // ── Recording ───────────────────────────────────────────────────────────────────────────────────────────────

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

    fn __repr__(&self) -> String {
        let world = self.runner.world();
        let (bodies, joints) = (world.handles().count(), world.joints().count());
        format!("World({bodies} bodies, {joints} joints, time={} s, dt={} s)", world.time(), world.dt())
    }
}

impl World {
    fn handles_of(&self, names: &[String]) -> PyResult<Vec<msd::physics::rigid_body::BodyHandle>> {
        let find = |name: &String| {
            self.runner.world().find(name).ok_or_else(|| unknown("body", name, &self.names()))
        };
        names.iter().map(find).collect()
    }
}
