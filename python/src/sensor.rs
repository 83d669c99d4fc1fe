//! Sensors: what instruments on a machine would read.

use msd::environment::{Sensor as Engine, Site, World as EngineWorld};
use msd::math::{Quat, ReferenceFrame, Vec3};
use msd::physics::constraints::ConstraintHandle;
use numpy::PyArray1;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::agent::unknown;
use crate::convert::{quaternion, vec3};
use crate::error;
use crate::world::World;

/// An instrument, read by `read()`. It stays valid while its body, joint or actuator is in its world.
#[pyclass(frozen, module = "msd")]
#[derive(Debug)]
pub(crate) struct Sensor {
    pub(crate) world: Py<World>,
    pub(crate) kind: String,
    pub(crate) sensor: Engine,
}

#[pymethods]
impl Sensor {
    /// What it measures.
    #[getter]
    fn kind(&self) -> &str {
        &self.kind
    }

    /// What it reads now: a number, or an array of three (vectors) or four (orientations).
    fn read<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let world = self.world.try_borrow(py)?;
        let found = world.runner.world().sense(&self.sensor).map_err(error::world)?;
        match found.as_slice() {
            [one] => Ok(one.into_pyobject(py)?.into_any()),
            several => Ok(PyArray1::from_slice(py, several).into_any()),
        }
    }

    fn __repr__(&self) -> String {
        format!("Sensor({})", self.kind)
    }
}

/// Kinds of sensors that need no site.
const OF_JOINTS: [&str; 3] = ["joint-position", "joint-velocity", "joint-force"];
/// All kinds.
const KINDS: [&str; 14] = [
    "joint-position",
    "joint-velocity",
    "joint-force",
    "actuator-force",
    "position",
    "orientation",
    "velocity",
    "angular-velocity",
    "accelerometer",
    "gyro",
    "force",
    "torque",
    "touch",
    "rangefinder",
];

/// Where a sensor is.
#[derive(Debug, Default)]
pub(crate) struct Place<'a, 'py> {
    pub(crate) joint: Option<String>,
    pub(crate) actuator: Option<String>,
    pub(crate) body: Option<String>,
    pub(crate) position: Option<&'a Bound<'py, PyAny>>,
    pub(crate) orientation: Option<&'a Bound<'py, PyAny>>,
    pub(crate) range: f64,
}

impl Place<'_, '_> {
    /// The sensor of a kind at this place of a world.
    pub(crate) fn sensor(&self, kind: &str, world: &EngineWorld) -> PyResult<Engine> {
        if !KINDS.contains(&kind) {
            let known = KINDS.join(", ");
            return Err(PyValueError::new_err(format!("there is no sensor `{kind}`; there is {known}")));
        }
        if self.range.is_nan() || self.range <= 0.0 {
            return Err(PyValueError::new_err(format!("range must be above 0 m, got {}", self.range)));
        }
        Ok(match kind {
            "joint-position" => Engine::JointPosition(self.joint(kind, world)?),
            "joint-velocity" => Engine::JointVelocity(self.joint(kind, world)?),
            "joint-force" => Engine::JointForce(self.joint(kind, world)?),
            "actuator-force" => Engine::ActuatorForce(self.actuator(kind, world)?),
            "touch" => Engine::Touch(self.site(kind, world)?.body),
            "force" => Engine::Force(self.joint(kind, world)?, self.site(kind, world)?),
            "torque" => Engine::Torque(self.joint(kind, world)?, self.site(kind, world)?),
            "position" => Engine::FramePosition(self.site(kind, world)?),
            "orientation" => Engine::FrameQuaternion(self.site(kind, world)?),
            "velocity" => Engine::FrameVelocity(self.site(kind, world)?),
            "angular-velocity" => Engine::FrameAngularVelocity(self.site(kind, world)?),
            "accelerometer" => Engine::Accelerometer(self.site(kind, world)?),
            "gyro" => Engine::Gyro(self.site(kind, world)?),
            _ => Engine::Rangefinder(self.site(kind, world)?, self.range),
        })
    }

    fn joint(&self, kind: &str, world: &EngineWorld) -> PyResult<ConstraintHandle> {
        let needs = || PyTypeError::new_err(format!("a sensor `{kind}` needs a joint: joint='...'"));
        let name = self.joint.as_ref().ok_or_else(needs)?;
        let found = world.find_joint(name).ok_or_else(|| {
            let names: Vec<String> = world.joints().map(|(_, name, _)| name.to_owned()).collect();
            unknown("joint", name, &names)
        })?;
        if OF_JOINTS.contains(&kind) {
            world.joint_position(found).map_err(error::world)?;
        }
        Ok(found)
    }

    fn actuator(&self, kind: &str, world: &EngineWorld) -> PyResult<ConstraintHandle> {
        let needs = || PyTypeError::new_err(format!("a sensor `{kind}` needs an actuator: actuator='...'"));
        let name = self.actuator.as_ref().ok_or_else(needs)?;
        world.find_actuator(name).ok_or_else(|| unknown("actuator", name, &actuator_names(world)))
    }

    fn site(&self, kind: &str, world: &EngineWorld) -> PyResult<Site> {
        let needs = || PyTypeError::new_err(format!("a sensor `{kind}` needs a body: body='...'"));
        let name = self.body.as_ref().ok_or_else(needs)?;
        let body = world.find(name).ok_or_else(|| {
            let names: Vec<String> = world.handles().map(|handle| world.name_of(handle.slot())).collect();
            unknown("body", name, &names)
        })?;
        let position = self.position.map_or(Ok(Vec3::ZERO), |given| vec3("position", given))?;
        let orientation =
            self.orientation.map_or(Ok(Quat::IDENTITY), |given| quaternion("orientation", given))?;
        if !position.is_finite() || !orientation.is_finite() || orientation.length() < 1e-9 {
            return Err(PyValueError::new_err(
                "position and orientation of a sensor must be finite, the orientation of some length",
            ));
        }
        Ok(Site { body, frame: ReferenceFrame { position, orientation: orientation.normalize() } })
    }
}

/// Names of all actuators.
pub(crate) fn actuator_names(world: &EngineWorld) -> Vec<String> {
    world.actuators().map(|(_, name, _)| name.to_owned()).collect()
}
