//! Python callables as agents.

use std::sync::{Arc, PoisonError};

use msd::agent::{Agent, Command};
use msd::environment::World;
use msd::math::{ReferenceFrame, Vec3};
use msd::physics::integration::LoadFrame;
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::{self, STATE, numbers, quaternion, state_of, table, vec3};
use crate::stepper::Raised;

/// The world as an agent sees it before a step: a copy that does not change.
#[pyclass(frozen, module = "msd")]
#[derive(Debug)]
pub(crate) struct View {
    time: f64,
    dt: f64,
    names: Arc<Vec<String>>,
    states: Vec<[f64; STATE]>,
}

/// The state of one body in a `View`.
#[pyclass(frozen, module = "msd")]
#[derive(Debug)]
pub(crate) struct BodyState {
    name: String,
    numbers: [f64; STATE],
}

impl View {
    fn of(world: &World, names: &Arc<Vec<String>>) -> Self {
        let states = world.handles().map(|handle| state_of(world, handle)).collect();
        Self { time: world.time(), dt: world.dt(), names: Arc::clone(names), states }
    }
}

#[pymethods]
impl View {
    /// Now, s.
    #[getter]
    fn time(&self) -> f64 {
        self.time
    }
    /// Step of the world, s.
    #[getter]
    fn dt(&self) -> f64 {
        self.dt
    }
    /// Names of all bodies, in the order of `states`.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.names.to_vec()
    }
    /// One row a body: position, orientation (w, x, y, z), velocity, angular velocity.
    #[getter]
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        table(py, self.states.len(), STATE, self.states.concat())
    }
    /// The state of a body by name.
    fn __getitem__(&self, name: &str) -> PyResult<BodyState> {
        match self.names.iter().position(|known| known == name) {
            Some(index) => Ok(BodyState { name: name.to_owned(), numbers: self.states[index] }),
            None => Err(unknown("body", name, &self.names)),
        }
    }
}

#[pymethods]
impl BodyState {
    /// Name of the body.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }
    /// Of the body frame, m.
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.numbers[..3])
    }
    /// Body to world, w, x, y, z.
    #[getter]
    fn orientation<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.numbers[3..7])
    }
    /// Of the centre of mass, m/s.
    #[getter]
    fn velocity<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.numbers[7..10])
    }
    /// World frame, rad/s.
    #[getter]
    fn angular_velocity<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.numbers[10..])
    }
}

/// The message for a name that is not there.
pub(crate) fn unknown(what: &str, name: &str, known: &[String]) -> PyErr {
    let some: Vec<String> = known.iter().take(8).map(|name| format!("`{name}`")).collect();
    let more = if known.len() > some.len() { ", …" } else { "" };
    let known = if some.is_empty() {
        "there is none".to_owned()
    } else {
        format!("there is {}{more}", some.join(", "))
    };
    PyKeyError::new_err(format!("there is no {what} named `{name}`; {known}"))
}

/// A Python callable: it is given a `View` and returns commands by name.
pub(crate) struct Callable {
    function: Py<PyAny>,
    period: Option<f64>,
    raised: Raised,
    failed: Option<String>,
    /// Names of the bodies, and the revision of the world they are of.
    names: (u64, Arc<Vec<String>>),
}

impl std::fmt::Debug for Callable {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Callable").field("period", &self.period).finish_non_exhaustive()
    }
}

impl Callable {
    pub(crate) fn new(function: Py<PyAny>, period: Option<f64>, raised: Raised) -> PyResult<Self> {
        if let Some(seconds) = period.filter(|seconds| !(*seconds > 0.0 && seconds.is_finite())) {
            return Err(PyValueError::new_err(format!("period must be positive and finite, got {seconds}")));
        }
        Ok(Self { function, period, raised, failed: None, names: (0, Arc::default()) })
    }
}

impl Agent for Callable {
    fn type_name(&self) -> &'static str {
        "python"
    }

    fn period(&self) -> Option<f64> {
        self.period
    }

    fn act(&mut self, world: &World, commands: &mut Vec<Command>) {
        if self.names.0 != world.revision() {
            let names = world.handles().map(|handle| world.name_of(handle.slot())).collect();
            self.names = (world.revision(), Arc::new(names));
        }
        let view = View::of(world, &self.names.1);
        let asked = Python::attach(|py| {
            let answer = self.function.bind(py).call1((view,))?;
            if answer.is_none() { Ok(()) } else { read(world, &answer, &self.names.1, commands) }
        });
        if let Err(error) = asked {
            self.failed = Some(error.to_string());
            *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        }
    }

    fn failure(&mut self) -> Option<String> {
        self.failed.take()
    }

    fn clone_box(&self) -> Box<dyn Agent> {
        let function = Python::attach(|py| self.function.clone_ref(py));
        let (raised, names) = (Arc::clone(&self.raised), self.names.clone());
        Box::new(Self { function, period: self.period, raised, failed: None, names })
    }
}

/// The commands in the answer of a callable.
fn read(
    world: &World,
    answer: &Bound<'_, PyAny>,
    names: &[String],
    commands: &mut Vec<Command>,
) -> PyResult<()> {
    let Ok(answer) = answer.cast::<PyDict>() else {
        let message = "an agent returns None or a dict such as {'satellite': {'torque': (0, 0, 1)}}";
        return Err(PyTypeError::new_err(format!("{message}, not {answer}")));
    };
    for (name, wanted) in answer.iter() {
        let name: String = name.extract()?;
        let Some(body) = world.find(&name) else {
            let Some(joint) = world.find_joint(&name) else {
                return Err(unknown("body or joint", &name, names));
            };
            let velocity = wanted.extract().map_err(|_| {
                PyTypeError::new_err(format!(
                    "joint `{name}`: expected the velocity of its motor as a number"
                ))
            })?;
            commands.push(Command::MotorVelocity { joint, velocity });
            continue;
        };
        let wanted = wanted.cast::<PyDict>().map_err(|_| {
            PyTypeError::new_err(format!("body `{name}`: expected a dict such as {{'force': (1, 0, 0)}}"))
        })?;
        let mut wish = Wish::default();
        for (key, item) in wanted.iter() {
            let key: String = key.extract()?;
            wish.take(&name, &key, &item)?;
        }
        let state = convert::state_of(world, body);
        wish.commands(body, &state, commands);
    }
    Ok(())
}

/// Commands for one body.
#[derive(Default)]
struct Wish {
    force: Option<Vec3>,
    torque: Option<Vec3>,
    frame: Option<LoadFrame>,
    at: Option<Vec3>,
    velocity: Option<Vec3>,
    angular_velocity: Option<Vec3>,
    position: Option<Vec3>,
    orientation: Option<msd::math::Quat>,
}

impl Wish {
    fn take(&mut self, body: &str, key: &str, item: &Bound<'_, PyAny>) -> PyResult<()> {
        let called = format!("body `{body}`: {key}");
        match key {
            "force" => self.force = Some(vec3(&called, item)?),
            "torque" => self.torque = Some(vec3(&called, item)?),
            "at" => self.at = Some(vec3(&called, item)?),
            "velocity" => self.velocity = Some(vec3(&called, item)?),
            "angular_velocity" | "spin" => self.angular_velocity = Some(vec3(&called, item)?),
            "position" => self.position = Some(vec3(&called, item)?),
            "orientation" => self.orientation = Some(quaternion(&called, item)?),
            "frame" => self.frame = Some(load_frame(&item.extract::<String>()?)?),
            other => {
                return Err(PyKeyError::new_err(format!(
                    "body `{body}`: there is no command `{other}`; there is force, torque, frame, at (dynamic bodies), velocity, \
                     angular_velocity, position, orientation (kinematic bodies)"
                )));
            }
        }
        Ok(())
    }

    fn commands(
        self,
        body: msd::physics::rigid_body::BodyHandle,
        state: &[f64; STATE],
        commands: &mut Vec<Command>,
    ) {
        let frame = self.frame.unwrap_or(LoadFrame::World);
        if let Some(point_local) = self.at {
            let force_body = self.force.unwrap_or(Vec3::ZERO);
            commands.push(Command::ForceAt { body, force_body, point_local });
        }
        let force = if self.at.is_some() { None } else { self.force };
        if force.is_some() || self.torque.is_some() {
            let (force, torque) = (force.unwrap_or(Vec3::ZERO), self.torque.unwrap_or(Vec3::ZERO));
            commands.push(Command::Wrench { body, force, torque, frame });
        }
        if self.velocity.is_some() || self.angular_velocity.is_some() {
            let now = |at: usize| Vec3::new(state[at], state[at + 1], state[at + 2]);
            let velocity = self.velocity.unwrap_or_else(|| now(7));
            let angular_velocity = self.angular_velocity.unwrap_or_else(|| now(10));
            commands.push(Command::KinematicVelocity { body, velocity, angular_velocity });
        }
        if self.position.is_some() || self.orientation.is_some() {
            let position = self.position.unwrap_or_else(|| Vec3::new(state[0], state[1], state[2]));
            let now = || msd::math::orientation::from_wxyz([state[3], state[4], state[5], state[6]]);
            let orientation = self.orientation.unwrap_or_else(now);
            commands.push(Command::KinematicTarget { body, frame: ReferenceFrame { position, orientation } });
        }
    }
}

/// `world` or `body`.
pub(crate) fn load_frame(name: &str) -> PyResult<LoadFrame> {
    match name {
        "world" => Ok(LoadFrame::World),
        "body" => Ok(LoadFrame::Body),
        other => Err(PyValueError::new_err(format!("frame must be 'world' or 'body', got '{other}'"))),
    }
}

/// Two vectors as a box.
pub(crate) fn corners(low: &Bound<'_, PyAny>, high: &Bound<'_, PyAny>) -> PyResult<(Vec3, Vec3)> {
    let (low, high) = (numbers::<3>("low", low)?, numbers::<3>("high", high)?);
    if low.iter().zip(high).any(|(low, high)| low.is_nan() || high.is_nan() || *low > high) {
        return Err(PyValueError::new_err(format!("low must not exceed high, got {low:?} and {high:?}")));
    }
    Ok((Vec3::from_array(low), Vec3::from_array(high)))
}
