//! One model, many worlds, on all cores.

use std::path::PathBuf;
use std::sync::Arc;

use msd::engine::EngineError;
use msd::math::{ReferenceFrame, Vec3, orientation};
use msd_scene::{Scene, SceneErrors, VaryError};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;

use crate::agent::{load_frame, unknown};
use crate::convert::{STATE, rows, state_of, table};
use crate::error;
use crate::report::{Contact, contacts_of};
use crate::sensor::{Place, actuator_names};
use crate::stepper::Runner;
use crate::world::{World, load_scene};

/// Many worlds of one model, stepped on all cores. Each has the bits it would have alone.
#[pyclass(module = "msd")]
#[derive(Debug)]
pub(crate) struct Batch {
    runners: Vec<Runner>,
    /// What each world is reset to.
    start: Vec<Runner>,
    scene: Scene,
    /// Why a world stopped, if it did; it takes no further steps until it is reset.
    failures: Vec<Option<String>>,
    pool: Arc<rayon::ThreadPool>,
}

/// Why a varied world cannot be made.
enum Refusal {
    Path(VaryError),
    Scene(Box<SceneErrors>),
}

impl Batch {
    /// The worlds that are meant, all unless given.
    fn chosen(&self, worlds: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<usize>> {
        let count = self.runners.len();
        let Some(given) = worlds else { return Ok((0..count).collect()) };
        let numpy = given.py().import("numpy")?;
        let array = numpy.call_method1("asarray", (given,))?;
        let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
        let list: Vec<i64> = match kind.as_str() {
            "b" => {
                let mask: Vec<bool> = array.call_method0("tolist")?.extract()?;
                if mask.len() != count {
                    let problem = format!("worlds must be a mask of {count} values, got {}", mask.len());
                    return Err(PyValueError::new_err(problem));
                }
                (0..count as i64).filter(|i| mask[*i as usize]).collect()
            }
            "i" | "u" => array.call_method0("ravel")?.call_method0("tolist")?.extract()?,
            _ if array.getattr("size")?.extract::<usize>()? == 0 => Vec::new(),
            _ => return Err(PyTypeError::new_err("worlds must be numbers of worlds or a mask of booleans")),
        };
        let index = |number: &i64| {
            let at = if *number < 0 { *number + count as i64 } else { *number };
            usize::try_from(at).ok().filter(|at| *at < count).ok_or_else(|| {
                PyIndexError::new_err(format!("there is no world {number}: the batch has {count}"))
            })
        };
        list.iter().map(index).collect()
    }

    /// The number of a world, counted from the end if it is negative.
    fn at(&self, index: isize) -> PyResult<usize> {
        let count = self.runners.len() as isize;
        let at = if index < 0 { index + count } else { index };
        let problem = || PyIndexError::new_err(format!("there is no world {index}: the batch has {count}"));
        if (0..count).contains(&at) { Ok(at as usize) } else { Err(problem()) }
    }

    /// Lets every world that has not failed do something, on all cores, and keeps why one failed.
    fn drive(
        &mut self,
        py: Python<'_>,
        work: impl Fn(usize, &mut Runner) -> Result<(), EngineError> + Sync,
    ) -> PyResult<()> {
        let Self { runners, failures, pool, .. } = self;
        let drive = || {
            let both = runners.par_iter_mut().zip(failures.par_iter_mut()).enumerate();
            both.filter(|(_, (_, failure))| failure.is_none()).for_each(|(index, (runner, failure))| {
                *failure = work(index, runner).err().map(|error| error.to_string());
            });
        };
        py.detach(|| pool.install(drive));
        self.runners.iter().find_map(Runner::take_raised).map_or(Ok(()), Err)
    }

    /// Force and torque of every world.
    fn loads(
        &self,
        force: Option<&Bound<'_, PyAny>>,
        torque: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<[Vec3; 2]>> {
        let count = self.runners.len();
        let column = |name: &str, given: Option<&Bound<'_, PyAny>>| {
            let Some(given) = given else { return Ok(vec![Vec3::ZERO; count]) };
            let rows = wide(name, given, count, 3)?;
            Ok::<_, PyErr>(rows.iter().map(|row| Vec3::new(row[0], row[1], row[2])).collect())
        };
        Ok(column("force", force)?.into_iter().zip(column("torque", torque)?).map(|(f, t)| [f, t]).collect())
    }

    /// An error unless there is such a body.
    fn known(&self, body: &str) -> PyResult<()> {
        let found = self.runners[0].world().find(body);
        found.map(drop).ok_or_else(|| unknown("body", body, &self.names()))
    }

    /// Sets the controls of all actuators of the worlds in `rows`.
    fn control(&mut self, chosen: &[usize], rows: &[Vec<f64>]) -> PyResult<()> {
        for (index, row) in chosen.iter().zip(rows) {
            let world = self.runners[*index].engine.world_mut();
            let handles: Vec<_> = world.actuators().map(|(handle, ..)| handle).collect();
            for (handle, control) in handles.into_iter().zip(row) {
                world.set_control(handle, *control).map_err(error::world)?;
            }
        }
        Ok(())
    }

    /// A row of numbers of every world by something of the model, such as its tree of joints. Copies of one world share it, worlds
    /// that were varied have their own.
    fn table<'py, M>(
        &self,
        py: Python<'py>,
        of_model: impl Fn(&msd::environment::World) -> PyResult<M>,
        row: impl Fn(&msd::environment::World, &M) -> PyResult<Vec<f64>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let mut shared = (self.runners[0].world().revision(), of_model(self.runners[0].world())?);
        let mut rows = Vec::with_capacity(self.runners.len());
        for runner in &self.runners {
            let world = runner.world();
            if world.revision() != shared.0 {
                shared = (world.revision(), of_model(world)?);
            }
            rows.push(row(world, &shared.1)?);
        }
        let width = rows.first().map_or(0, Vec::len);
        table(py, rows.len(), width, rows.concat())
    }

    fn vary(&mut self, py: Python<'_>, vary: &Bound<'_, PyDict>) -> PyResult<()> {
        let count = self.runners.len();
        let mut columns: Vec<(String, Vec<Vec<f64>>)> = Vec::new();
        for (path, values) in vary.iter() {
            let path: String = path.extract()?;
            let values = rows(&format!("vary['{path}']"), &values, count)?;
            columns.push((path, values));
        }
        let (scene, pool) = (&self.scene, &self.pool);
        let make = |index: usize| -> Result<Runner, Refusal> {
            let mut varied = scene.clone();
            for (path, values) in &columns {
                varied.set(path, &values[index]).map_err(Refusal::Path)?;
            }
            let built = varied.build().map_err(|errors| Refusal::Scene(Box::new(errors)))?;
            Ok(Runner::new(built.engine))
        };
        let made: Vec<Result<Runner, Refusal>> =
            py.detach(|| pool.install(|| (0..count).into_par_iter().map(make).collect()));
        let mut start = Vec::with_capacity(count);
        for (index, runner) in made.into_iter().enumerate() {
            start.push(runner.map_err(|refusal| {
                let error = match refusal {
                    Refusal::Path(error) => error::vary(error),
                    Refusal::Scene(errors) => error::scene(py, &errors),
                };
                let value = error.value(py);
                if value.hasattr("add_note").unwrap_or(false) {
                    let _ = value.call_method1("add_note", (format!("in world {index} of the batch"),));
                }
                error
            })?);
        }
        self.runners.clone_from(&start);
        self.start = start;
        self.failures = vec![None; count];
        Ok(())
    }
}

#[pymethods]
impl Batch {
    /// `n` worlds of a scene file, or copies of a `World` in its present state. `threads` is all cores unless given; no result
    /// depends on it.
    #[new]
    #[pyo3(signature = (model, n, *, threads=0))]
    fn new(py: Python<'_>, model: &Bound<'_, PyAny>, n: usize, threads: usize) -> PyResult<Self> {
        if n == 0 {
            return Err(PyValueError::new_err("a batch needs at least one world"));
        }
        let (runner, scene) = if let Ok(world) = model.cast::<World>() {
            let world = world.try_borrow()?;
            (world.runner.clone(), world.scene.clone())
        } else {
            let path: PathBuf = model.extract().map_err(|_| {
                PyTypeError::new_err("the model of a batch is the path of a scene or a World")
            })?;
            let world = World::from_scene(py, load_scene(py, &path, false, false)?)?;
            (world.runner, world.scene)
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = Arc::new(pool.map_err(|error| PyValueError::new_err(format!("threads: {error}")))?);
        let start = vec![runner; n];
        Ok(Self { runners: start.clone(), start, scene, failures: vec![None; n], pool })
    }

    /// Runs every world for `seconds` and returns the states, (worlds, bodies, 13).
    ///
    /// With `vary`, the worlds begin again from the scene, each with its own values: a dict from paths such as
    /// `body.chaser.velocity`, `body.chaser.velocity.x` or `material.alu.friction` to arrays whose first axis is the worlds. A world
    /// whose step fails stays as it was before that step; `failures` says why.
    #[pyo3(signature = (seconds, *, vary=None))]
    fn run<'py>(
        &mut self,
        py: Python<'py>,
        seconds: f64,
        vary: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, PyArray3<f64>>> {
        if !(seconds >= 0.0 && seconds.is_finite()) {
            return Err(PyValueError::new_err(format!(
                "seconds must be finite and at least 0, got {seconds}"
            )));
        }
        if let Some(vary) = vary {
            self.vary(py, vary)?;
        }
        if seconds > 0.0 {
            self.drive(py, |_, runner| runner.run(seconds).map(drop))?;
        }
        self.states(py)
    }

    /// Takes `n` steps in every world. `controls`, of the shape (worlds, actuators) or (actuators,), sets the actuators. With `body`, a force (N) and a torque (N·m) hold on it in all of them: arrays of shape
    /// (worlds, 3), or (3,) for all worlds.
    #[pyo3(signature = (n=1, *, controls=None, body=None, force=None, torque=None, frame="world"))]
    #[allow(clippy::too_many_arguments)]
    fn step(
        &mut self,
        py: Python<'_>,
        n: u64,
        controls: Option<&Bound<'_, PyAny>>,
        body: Option<&str>,
        force: Option<&Bound<'_, PyAny>>,
        torque: Option<&Bound<'_, PyAny>>,
        frame: &str,
    ) -> PyResult<()> {
        if let Some(controls) = controls {
            self.set_controls(controls, None)?;
        }
        let Some(body) = body else {
            if force.is_some() || torque.is_some() {
                return Err(PyTypeError::new_err(
                    "force and torque need the name of a body: step(n, body='...', ...)",
                ));
            }
            return self.drive(py, |_, runner| runner.step(n));
        };
        let (frame, loads) = (load_frame(frame)?, self.loads(force, torque)?);
        self.known(body)?;
        self.drive(py, |index, runner| {
            let [force, torque] = loads[index];
            for _ in 0..n {
                let world = runner.engine.world_mut();
                if let Some(handle) = world.find(body) {
                    world.apply_wrench(handle, force, torque, frame)?;
                }
                runner.step(1)?;
            }
            Ok(())
        })
    }

    /// Back to the start: all worlds, or those with these numbers or under this mask.
    #[pyo3(signature = (worlds=None))]
    fn reset(&mut self, worlds: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        for index in self.chosen(worlds)? {
            self.runners[index].clone_from(&self.start[index]);
            self.failures[index] = None;
        }
        Ok(())
    }

    /// Sets poses and velocities of a body: arrays whose first axis is the worlds chosen.
    #[pyo3(signature = (body, *, position=None, orientation=None, velocity=None, angular_velocity=None, worlds=None))]
    fn set(
        &mut self,
        body: &str,
        position: Option<&Bound<'_, PyAny>>,
        orientation: Option<&Bound<'_, PyAny>>,
        velocity: Option<&Bound<'_, PyAny>>,
        angular_velocity: Option<&Bound<'_, PyAny>>,
        worlds: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (chosen, names) = (self.chosen(worlds)?, self.names());
        let column = |name: &str, given: Option<&Bound<'_, PyAny>>, width| {
            given.map(|given| wide(name, given, chosen.len(), width)).transpose()
        };
        let position = column("position", position, 3)?;
        let turned = column("orientation", orientation, 4)?;
        let velocity = column("velocity", velocity, 3)?;
        let spin = column("angular_velocity", angular_velocity, 3)?;
        let vector = |row: &[f64]| Vec3::new(row[0], row[1], row[2]);
        for (row, index) in chosen.iter().enumerate() {
            let world = self.runners[*index].engine.world_mut();
            let handle = world.find(body).ok_or_else(|| unknown("body", body, &names))?;
            if position.is_some() || turned.is_some() {
                let mut frame: ReferenceFrame = world.frame(handle).map_err(error::world)?;
                if let Some(rows) = &position {
                    frame.position = vector(&rows[row]);
                }
                if let Some(rows) = &turned {
                    let q = &rows[row];
                    frame.orientation = orientation::from_wxyz([q[0], q[1], q[2], q[3]]);
                }
                world.set_frame(handle, frame).map_err(error::world)?;
            }
            if let Some(rows) = &velocity {
                world.set_velocity(handle, vector(&rows[row])).map_err(error::world)?;
            }
            if let Some(rows) = &spin {
                world.set_angular_velocity(handle, vector(&rows[row])).map_err(error::world)?;
            }
        }
        Ok(())
    }

    /// Names of the actuators, in the order of controls.
    #[getter]
    fn actuators(&self) -> Vec<String> {
        actuator_names(self.runners[0].world())
    }

    /// Sets the controls of the actuators from now on: an array whose first axis is the worlds chosen, or one row for all.
    #[pyo3(signature = (controls, *, worlds=None))]
    fn set_controls(
        &mut self,
        controls: &Bound<'_, PyAny>,
        worlds: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let chosen = self.chosen(worlds)?;
        let rows = wide("controls", controls, chosen.len(), self.actuators().len())?;
        self.control(&chosen, &rows)
    }

    /// Positions of the joints and free bodies of every world, (worlds, q), as those of `World.articulation()`.
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.table(py, |world| Ok(world.articulation()), |world, tree| Ok(world.q(tree)))
    }

    /// Velocities of the joints and free bodies of every world, (worlds, v), as those of `World.articulation()`.
    #[getter]
    fn v<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.table(py, |world| Ok(world.articulation()), |world, tree| Ok(world.v(tree)))
    }

    /// Names of the columns of `q`.
    #[getter]
    fn position_names(&self) -> Vec<String> {
        self.runners[0].world().articulation().position_names()
    }

    /// Names of the columns of `v`.
    #[getter]
    fn velocity_names(&self) -> Vec<String> {
        self.runners[0].world().articulation().velocity_names()
    }

    /// Sets positions and velocities: arrays whose first axis is the worlds chosen, or one row for all.
    #[pyo3(signature = (q, v, *, worlds=None))]
    fn set_qv(
        &mut self,
        q: &Bound<'_, PyAny>,
        v: &Bound<'_, PyAny>,
        worlds: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (chosen, mut tree) = (self.chosen(worlds)?, self.runners[0].world().articulation());
        let mut revision = self.runners[0].world().revision();
        let q = wide("q", q, chosen.len(), tree.positions())?;
        let v = wide("v", v, chosen.len(), tree.velocities())?;
        for (row, index) in chosen.iter().enumerate() {
            let world = self.runners[*index].engine.world_mut();
            if world.revision() != revision {
                (tree, revision) = (world.articulation(), world.revision());
            }
            world.set_qv(&tree, &q[row], &v[row]).map_err(error::world)?;
        }
        Ok(())
    }

    /// Goes to a keyframe of the scene in all worlds, or those chosen; time stays as it is.
    #[pyo3(signature = (name, *, worlds=None))]
    fn set_keyframe(&mut self, name: &str, worlds: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        for index in self.chosen(worlds)? {
            let set = self.scene.set_keyframe(name, self.runners[index].engine.world_mut());
            set.map_err(|problem| error::world_message(&problem))?;
        }
        Ok(())
    }

    /// Reads a sensor in every world, (worlds, numbers); arguments are those of `World.sensor`.
    #[pyo3(signature = (kind, *, joint=None, actuator=None, body=None, position=None, orientation=None, range=f64::INFINITY))]
    #[allow(clippy::too_many_arguments)]
    fn sense<'py>(
        &self,
        py: Python<'py>,
        kind: &str,
        joint: Option<String>,
        actuator: Option<String>,
        body: Option<String>,
        position: Option<&Bound<'_, PyAny>>,
        orientation: Option<&Bound<'_, PyAny>>,
        range: f64,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let place = Place { joint, actuator, body, position, orientation, range };
        self.table(
            py,
            |world| place.sensor(kind, world),
            |world, sensor| world.sense(sensor).map_err(error::world),
        )
    }

    /// Applies forces (N) and torques (N·m) to a body during the next step: arrays of shape (worlds, 3).
    #[pyo3(signature = (body, *, force=None, torque=None, frame="world"))]
    fn apply(
        &mut self,
        body: &str,
        force: Option<&Bound<'_, PyAny>>,
        torque: Option<&Bound<'_, PyAny>>,
        frame: &str,
    ) -> PyResult<()> {
        let (frame, loads) = (load_frame(frame)?, self.loads(force, torque)?);
        self.known(body)?;
        for (runner, [force, torque]) in self.runners.iter_mut().zip(loads) {
            let world = runner.engine.world_mut();
            if let Some(handle) = world.find(body) {
                world.apply_wrench(handle, force, torque, frame).map_err(error::world)?;
            }
        }
        Ok(())
    }

    /// The states now, (worlds, bodies, 13), a new array: position, orientation (w, x, y, z), velocity, angular velocity.
    #[getter]
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let bodies = self.runners[0].world().handles().count();
        let mut numbers = Vec::with_capacity(self.runners.len() * bodies * STATE);
        for runner in &self.runners {
            let world = runner.world();
            world.handles().for_each(|handle| numbers.extend(state_of(world, handle)));
        }
        PyArray1::from_vec(py, numbers).reshape([self.runners.len(), bodies, STATE])
    }

    /// Names of the bodies, in the order of `states`.
    #[getter]
    fn names(&self) -> Vec<String> {
        let world = self.runners[0].world();
        world.handles().map(|handle| world.name_of(handle.slot())).collect()
    }

    /// Time of every world, s.
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_iter(py, self.runners.iter().map(|runner| runner.world().time()))
    }

    /// True for every world whose steps were all certified.
    #[getter]
    fn certified<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        PyArray1::from_iter(py, self.runners.iter().map(|runner| runner.certificate.is_certified()))
    }

    /// Largest error of the energy of every world so far, J.
    #[getter]
    fn energy_errors<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_iter(py, self.runners.iter().map(|runner| runner.world().energy().max_error))
    }

    /// Why each world stopped, or None.
    #[getter]
    fn failures(&self) -> Vec<Option<String>> {
        self.failures.clone()
    }

    /// `World.state_hash` of every world.
    #[getter]
    fn state_hashes(&self) -> Vec<String> {
        self.runners.iter().map(|runner| runner.world().state_hash().to_string()).collect()
    }

    /// The contact points of the last step of one world, as `World.contacts`.
    fn contacts(&self, index: isize) -> PyResult<Vec<Contact>> {
        Ok(contacts_of(self.runners[self.at(index)?].world()))
    }

    /// A copy of one world, for inspection.
    fn world(&self, index: isize) -> PyResult<World> {
        Ok(World::of(self.runners[self.at(index)?].clone(), self.scene.clone(), false))
    }

    fn __len__(&self) -> usize {
        self.runners.len()
    }

    fn __repr__(&self) -> String {
        let failed = self.failures.iter().flatten().count();
        format!("Batch({} worlds of {}, {failed} failed)", self.runners.len(), self.scene.name)
    }
}

/// Rows of a given width.
fn wide(name: &str, given: &Bound<'_, PyAny>, count: usize, width: usize) -> PyResult<Vec<Vec<f64>>> {
    let numpy = given.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (given, "float64"))?;
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    let one_for_all = shape == [width];
    let array =
        if one_for_all { numpy.call_method1("broadcast_to", (array, (count, width)))? } else { array };
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    if shape != [count, width] {
        let problem = format!("{name} must have the shape ({count}, {width}) or ({width},), got {shape:?}");
        return Err(PyValueError::new_err(problem));
    }
    rows(name, &array, count)
}
