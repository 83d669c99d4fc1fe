//! A body of a world.

use msd::environment::World as EngineWorld;
use msd::math::{ReferenceFrame, orientation};
use msd::physics::rigid_body::{BodyHandle, BodyKind, BodyView};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::agent::load_frame;
use crate::convert::{array3, quaternion, table, vec3};
use crate::error;
use crate::world::World;

/// A body of a world. It stays valid while the body is in its world.
#[pyclass(frozen, module = "msd")]
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) world: Py<World>,
    pub(crate) handle: BodyHandle,
}

impl Body {
    fn read<R>(&self, py: Python<'_>, look: impl FnOnce(&BodyView<'_>, &EngineWorld) -> R) -> PyResult<R> {
        let world = self.world.try_borrow(py)?;
        let world = world.runner.world();
        Ok(look(&world.body(self.handle).map_err(error::world)?, world))
    }

    fn frame(&self, py: Python<'_>) -> PyResult<ReferenceFrame> {
        self.read(py, |view, _| view.body.frame(view.state))
    }

    fn change(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut EngineWorld) -> Result<(), msd::environment::WorldError>,
    ) -> PyResult<()> {
        let mut world = self.world.try_borrow_mut(py)?;
        change(world.runner.engine.world_mut()).map_err(error::world)?;
        world.refresh(py)
    }

    /// A change of what the scene says.
    fn change_model(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut EngineWorld) -> Result<(), msd::environment::WorldError>,
    ) -> PyResult<()> {
        self.change(py, change)?;
        self.world.try_borrow_mut(py)?.as_written = false;
        Ok(())
    }
}

#[pymethods]
impl Body {
    /// Unique in its world.
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |view, _| view.body.name.clone())
    }

    /// `dynamic`, `static`, `kinematic` or `graphical`.
    #[getter]
    fn kind(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.read(py, |view, _| match view.body.kind {
            BodyKind::Dynamic => "dynamic",
            BodyKind::Static => "static",
            BodyKind::Kinematic => "kinematic",
            BodyKind::Graphical => "graphical",
        })
    }

    /// kg; infinite for a body that forces do not move.
    #[getter]
    fn mass(&self, py: Python<'_>) -> PyResult<f64> {
        self.read(py, |view, _| view.mass())
    }

    /// Inertia tensor about the centre of mass, body frame, kg·m².
    #[getter]
    fn inertia<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let tensor = self.read(py, |view, _| view.inertia.tensor_body())?;
        table(py, 3, 3, tensor.transpose().to_cols_array().to_vec())
    }

    #[setter]
    fn set_mass(&self, py: Python<'_>, value: f64) -> PyResult<()> {
        self.change_model(py, |world| world.set_mass(self.handle, value))
    }

    /// Coefficients of linear and angular damping, 1/s.
    #[getter]
    fn damping(&self, py: Python<'_>) -> PyResult<(f64, f64)> {
        self.read(py, |view, _| (view.body.linear_damping, view.body.angular_damping))
    }

    #[setter]
    fn set_damping(&self, py: Python<'_>, value: (f64, f64)) -> PyResult<()> {
        self.change_model(py, |world| world.set_damping(self.handle, value.0, value.1))
    }

    /// A property that fields read, such as `magnetic-dipole`: a number, or a vector in the body frame; None if it has none of that
    /// name.
    fn get_property<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (scalar, vector) =
            self.read(py, |view, _| (view.body.properties.scalar(name), view.body.properties.vector(name)))?;
        Ok(match (scalar, vector) {
            (Some(number), _) => Some(number.into_pyobject(py)?.into_any()),
            (None, Some(vector)) => Some(array3(py, vector).into_any()),
            (None, None) => None,
        })
    }

    /// Sets a property, from the next step on.
    fn set_property(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        use msd::physics::rigid_body::PropertyValue;
        let value = match value.extract::<f64>() {
            Ok(number) => PropertyValue::Scalar(number),
            Err(_) => PropertyValue::Vector(vec3(name, value)?),
        };
        self.change_model(py, |world| world.set_property(self.handle, name, value))
    }

    /// Of the body frame, world, m. Setting it keeps the velocities.
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(array3(py, self.frame(py)?.position))
    }

    #[setter]
    fn set_position(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let frame = ReferenceFrame { position: vec3("position", value)?, ..self.frame(py)? };
        self.change(py, |world| world.set_frame(self.handle, frame))
    }

    /// Body to world as a quaternion (w, x, y, z). Setting it keeps the velocities.
    #[getter]
    fn orientation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_slice(py, &orientation::to_wxyz(self.frame(py)?.orientation)))
    }

    #[setter]
    fn set_orientation(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let frame = ReferenceFrame { orientation: quaternion("orientation", value)?, ..self.frame(py)? };
        self.change(py, |world| world.set_frame(self.handle, frame))
    }

    /// Centre of mass, world, m.
    #[getter]
    fn center_of_mass<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(array3(py, self.read(py, |view, _| view.state.center_of_mass)?))
    }

    /// Of the centre of mass, world frame, m/s.
    #[getter]
    fn velocity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(array3(py, self.read(py, |view, _| view.state.velocity)?))
    }

    #[setter]
    fn set_velocity(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let velocity = vec3("velocity", value)?;
        self.change(py, |world| world.set_velocity(self.handle, velocity))
    }

    /// World frame, rad/s.
    #[getter]
    fn angular_velocity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(array3(py, self.read(py, |view, _| view.state.angular_velocity)?))
    }

    #[setter]
    fn set_angular_velocity(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let velocity = vec3("angular_velocity", value)?;
        self.change(py, |world| world.set_angular_velocity(self.handle, velocity))
    }

    /// Velocity of its surface relative to the body, body frame, m/s: a conveyor belt.
    #[getter]
    fn surface_velocity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(array3(py, self.read(py, |view, _| view.body.surface_motion.velocity)?))
    }

    #[setter]
    fn set_surface_velocity(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let velocity = vec3("surface_velocity", value)?;
        self.change(py, |world| world.set_surface_velocity(self.handle, velocity))
    }

    /// Mean angular acceleration over the last step, world frame, rad/s².
    #[getter]
    fn angular_acceleration<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let found = self.read(py, |_, world| world.acceleration(self.handle))?.map_err(error::world)?;
        Ok(array3(py, found.angular))
    }

    /// Mean acceleration of the centre of mass over the last step, world frame, m/s².
    #[getter]
    fn acceleration<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let found = self.read(py, |_, world| world.acceleration(self.handle))?.map_err(error::world)?;
        Ok(array3(py, found.linear))
    }

    /// True while it is asleep.
    #[getter]
    fn asleep(&self, py: Python<'_>) -> PyResult<bool> {
        self.read(py, |_, world| world.is_asleep(self.handle))?.map_err(error::world)
    }

    /// Applies a force (N) during the next step: through the centre of mass, or at the world point `at` (m). In the frame `body`
    /// the force turns with the body, and `at` is a point of the body frame.
    #[pyo3(signature = (force, at=None, *, frame="world"))]
    fn apply_force(
        &self,
        py: Python<'_>,
        force: &Bound<'_, PyAny>,
        at: Option<&Bound<'_, PyAny>>,
        frame: &str,
    ) -> PyResult<()> {
        use msd::physics::integration::LoadFrame;
        let (force, frame) = (vec3("force", force)?, load_frame(frame)?);
        let at = at.map(|at| vec3("at", at)).transpose()?;
        let zero = msd::math::Vec3::ZERO;
        self.change(py, |world| match (at, frame) {
            (None, frame) => world.apply_wrench(self.handle, force, zero, frame),
            (Some(at), LoadFrame::World) => world.apply_force_at(self.handle, force, at),
            (Some(at), LoadFrame::Body) => world.apply_body_force_at(self.handle, force, at),
        })
    }

    /// Applies a torque (N·m) during the next step.
    #[pyo3(signature = (torque, *, frame="world"))]
    fn apply_torque(&self, py: Python<'_>, torque: &Bound<'_, PyAny>, frame: &str) -> PyResult<()> {
        let (torque, frame) = (vec3("torque", torque)?, load_frame(frame)?);
        self.change(py, |world| world.apply_wrench(self.handle, msd::math::Vec3::ZERO, torque, frame))
    }

    /// Changes the velocities at once by an impulse (N·s) through the centre of mass, or at the world point `at` (m).
    #[pyo3(signature = (impulse, at=None))]
    fn apply_impulse(
        &self,
        py: Python<'_>,
        impulse: &Bound<'_, PyAny>,
        at: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let impulse = vec3("impulse", impulse)?;
        let at = at.map(|at| vec3("at", at)).transpose()?;
        self.change(py, |world| match at {
            None => world.apply_impulse(self.handle, impulse),
            Some(at) => world.apply_impulse_at(self.handle, impulse, at),
        })
    }

    /// Changes the angular velocity at once by an angular impulse (N·m·s, world frame).
    fn apply_angular_impulse(&self, py: Python<'_>, impulse: &Bound<'_, PyAny>) -> PyResult<()> {
        let impulse = vec3("impulse", impulse)?;
        self.change(py, |world| world.apply_angular_impulse(self.handle, impulse))
    }

    /// Forgets forces and torques that were applied to it for the next step.
    fn clear_loads(&self, py: Python<'_>) -> PyResult<()> {
        self.change(py, |world| world.clear_loads_on(self.handle))
    }

    /// Wakes it and the rest of its island.
    fn wake(&self, py: Python<'_>) -> PyResult<()> {
        self.change(py, |world| world.wake(self.handle))
    }

    /// Moves a kinematic body so that its frame is there after the next step.
    #[pyo3(signature = (position, orientation=None))]
    fn move_to(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        orientation: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let mut frame = ReferenceFrame { position: vec3("position", position)?, ..self.frame(py)? };
        if let Some(given) = orientation {
            frame.orientation = quaternion("orientation", given)?;
        }
        self.change(py, |world| world.move_kinematic_to(self.handle, frame))
    }

    /// Removes it from its world; no joint or field may refer to it.
    fn remove(&self, py: Python<'_>) -> PyResult<()> {
        let name = self.name(py)?;
        let mut world = self.world.try_borrow_mut(py)?;
        world.runner.engine.world_mut().remove_body(self.handle).map_err(error::world)?;
        world.scene.body.retain(|body| body.name != name);
        world.model_changed();
        Ok(())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |view, _| {
            let frame = view.body.frame(view.state);
            format!("Body({}, position={}, velocity={})", view.body.name, frame.position, view.state.velocity)
        })
    }
}
