//! Actuators of a world.

use msd::environment::WorldError;
use msd::physics::constraints::ConstraintHandle;
use pyo3::prelude::*;

use crate::error;
use crate::world::World;

/// An actuator of a hinge or slider. It stays valid while it is in its world.
#[pyclass(frozen, module = "msd")]
#[derive(Debug)]
pub(crate) struct Actuator {
    pub(crate) world: Py<World>,
    pub(crate) handle: ConstraintHandle,
    pub(crate) name: String,
}

impl Actuator {
    fn read<R>(
        &self,
        py: Python<'_>,
        look: impl FnOnce(&msd::environment::World) -> Result<R, WorldError>,
    ) -> PyResult<R> {
        look(self.world.try_borrow(py)?.runner.world()).map_err(error::world)
    }
}

#[pymethods]
impl Actuator {
    /// Unique among the actuators of its world.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Force (motor), position or velocity wanted (servos); zero until it is set, and kept until it is set again. It is held within
    /// the `control_range` of the actuator.
    #[getter]
    fn control(&self, py: Python<'_>) -> PyResult<f64> {
        self.read(py, |world| world.control(self.handle))
    }

    #[setter]
    fn set_control(&self, py: Python<'_>, value: f64) -> PyResult<()> {
        let mut world = self.world.try_borrow_mut(py)?;
        world.runner.engine.world_mut().set_control(self.handle, value).map_err(error::world)
    }

    /// The control behind the filter, where the actuator has one.
    #[getter]
    fn activation(&self, py: Python<'_>) -> PyResult<f64> {
        self.read(py, |world| world.activation(self.handle))
    }

    /// Force in the last step before the gear, N·m or N.
    #[getter]
    fn force(&self, py: Python<'_>) -> PyResult<f64> {
        self.read(py, |world| world.actuator_force(self.handle))
    }

    /// Removes it from its world.
    fn remove(&self, py: Python<'_>) -> PyResult<()> {
        let mut world = self.world.try_borrow_mut(py)?;
        world.runner.engine.world_mut().remove_joint(self.handle).map_err(error::world)?;
        world.scene.actuator.retain(|actuator| actuator.name != self.name);
        world.model_changed();
        Ok(())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Actuator({}, control={}, force={})", self.name, self.control(py)?, self.force(py)?))
    }
}
