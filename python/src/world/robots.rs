//! Actuators, sensors, trees of joints and keyframes of a world.

use msd::physics::rigid_body::BodyHandle;
use msd_scene::model;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use toml::Value;

use super::World;
use super::parts::{all_keys, set};
use crate::actuator::Actuator;
use crate::agent::unknown;
use crate::articulation::Articulation;
use crate::convert::{list, name_of};
use crate::error;
use crate::sensor::{Place, Sensor, actuator_names};

#[pymethods]
impl World {
    /// Adds an actuator to a hinge or slider by the keys of scene files. `type` is motor, position, velocity or general; further keys
    /// are `kp`, `kv`, `gain`, `bias`, `gear`, `control_range`, `force_range`, `time_constant` and `control`.
    #[pyo3(signature = (name, joint, r#type="motor", **keys))]
    fn add_actuator(
        slf: Bound<'_, Self>,
        name: &str,
        joint: &Bound<'_, PyAny>,
        r#type: &str,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Actuator> {
        let mut table = all_keys(keys)?;
        table.insert("name".to_owned(), Value::String(name.to_owned()));
        table.insert("type".to_owned(), Value::String(r#type.to_owned()));
        set(&mut table, "joint", joint)?;
        let handle = slf.try_borrow_mut()?.add_part(
            slf.py(),
            &format!("actuator `{name}`"),
            table,
            |scene, engine, actuator: model::Actuator| scene.add_actuator(engine, actuator),
        )?;
        Ok(Actuator { world: slf.unbind(), handle, name: name.to_owned() })
    }

    /// All actuators, in the order of `controls`.
    #[getter]
    fn actuators(slf: Bound<'_, Self>) -> PyResult<Vec<Actuator>> {
        let found: Vec<_> = {
            let world = slf.try_borrow()?;
            world.runner.world().actuators().map(|(handle, name, _)| (handle, name.to_owned())).collect()
        };
        let actuator = |(handle, name)| Actuator { world: slf.clone().unbind(), handle, name };
        Ok(found.into_iter().map(actuator).collect())
    }

    /// The actuator of that name.
    fn actuator(slf: Bound<'_, Self>, name: &str) -> PyResult<Actuator> {
        let handle = {
            let world = slf.try_borrow()?;
            let world = world.runner.world();
            world.find_actuator(name).ok_or_else(|| unknown("actuator", name, &actuator_names(world)))?
        };
        Ok(Actuator { world: slf.unbind(), handle, name: name.to_owned() })
    }

    /// Controls of all actuators, in the order of `actuators`; setting takes an array.
    #[getter]
    fn controls<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let world = self.runner.world();
        let controls: Result<Vec<f64>, _> =
            world.actuators().map(|(handle, ..)| world.control(handle)).collect();
        Ok(PyArray1::from_vec(py, controls.map_err(error::world)?))
    }

    #[setter]
    fn set_controls(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let handles: Vec<_> = self.runner.world().actuators().map(|(handle, ..)| handle).collect();
        let controls = list("controls", value, handles.len())?;
        let world = self.runner.engine.world_mut();
        for (handle, control) in handles.into_iter().zip(controls) {
            world.set_control(handle, control).map_err(error::world)?;
        }
        Ok(())
    }

    /// All bodies that forces move as trees of joints, or the tree that `body` is part of. Call it after the last body and joint was
    /// added.
    #[pyo3(signature = (body=None))]
    fn articulation(slf: Bound<'_, Self>, body: Option<&Bound<'_, PyAny>>) -> PyResult<Articulation> {
        let (tree, revision) = {
            let world = slf.try_borrow()?;
            let tree = match body {
                None => world.runner.world().articulation(),
                Some(body) => {
                    let handle = world.body_named(&name_of("body", body)?)?;
                    world.runner.world().articulation_of(handle).map_err(error::world)?
                }
            };
            (tree, world.runner.world().revision())
        };
        Ok(Articulation { world: slf.unbind(), tree, revision })
    }

    /// An instrument. `kind` is joint-position, joint-velocity, joint-force (with `joint`), actuator-force (with `actuator`), position,
    /// orientation, velocity, angular-velocity (world axes), accelerometer, gyro (axes of the sensor), touch, rangefinder (along its z
    /// axis, with `range` in m; -1 for nothing) with `body`, or force or torque (of `joint` on its body B, at and in axes of a sensor on
    /// `body`). `position` (m) and `orientation` (w, x, y, z) place the sensor in the body frame.
    #[pyo3(signature = (kind, *, joint=None, actuator=None, body=None, position=None, orientation=None, range=f64::INFINITY))]
    #[allow(clippy::too_many_arguments)]
    fn sensor(
        slf: Bound<'_, Self>,
        kind: &str,
        joint: Option<&Bound<'_, PyAny>>,
        actuator: Option<&Bound<'_, PyAny>>,
        body: Option<&Bound<'_, PyAny>>,
        position: Option<&Bound<'_, PyAny>>,
        orientation: Option<&Bound<'_, PyAny>>,
        range: f64,
    ) -> PyResult<Sensor> {
        let name = |what: &str, given: Option<&Bound<'_, PyAny>>| {
            given.map(|given| name_of(what, given)).transpose()
        };
        let (joint, actuator, body) =
            (name("joint", joint)?, name("actuator", actuator)?, name("body", body)?);
        let place = Place { joint, actuator, body, position, orientation, range };
        let sensor = place.sensor(kind, slf.try_borrow()?.runner.world())?;
        Ok(Sensor { world: slf.unbind(), kind: kind.to_owned(), sensor })
    }

    /// Names of the keyframes of the scene.
    #[getter]
    fn keyframes(&self) -> Vec<String> {
        self.scene.keyframe.keys().cloned().collect()
    }

    /// Goes to a keyframe: joints, free bodies and controls; time stays as it is. `reset(keyframe)` goes back to the start first.
    fn set_keyframe(&mut self, py: Python<'_>, name: &str) -> PyResult<()> {
        let Self { scene, runner, .. } = self;
        scene
            .set_keyframe(name, runner.engine.world_mut())
            .map_err(|problem| error::world_message(&problem))?;
        self.refresh(py)
    }
}

impl World {
    /// The body of a name, or the exception that names the bodies there are.
    pub(crate) fn body_named(&self, name: &str) -> PyResult<BodyHandle> {
        self.runner.world().find(name).ok_or_else(|| unknown("body", name, &self.names()))
    }
}
