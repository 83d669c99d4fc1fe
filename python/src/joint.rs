//! A joint of a world.

use msd::physics::constraints::{ConstraintHandle, Reaction};
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::convert::array3;
use crate::error;
use crate::world::World;

/// A joint of a world. It stays valid while the joint is in its world.
#[pyclass(frozen, module = "msd")]
#[derive(Debug)]
pub(crate) struct Joint {
    pub(crate) world: Py<World>,
    pub(crate) handle: ConstraintHandle,
    pub(crate) name: String,
}

impl Joint {
    fn reaction(&self, py: Python<'_>) -> PyResult<Reaction> {
        self.world.try_borrow(py)?.runner.world().reaction(self.handle).map_err(error::world)
    }
}

#[pymethods]
impl Joint {
    /// Unique in its world.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// `fixed`, `ball`, `hinge`, `slider`, `universal`, `distance` or `spring`.
    #[getter]
    fn kind(&self, py: Python<'_>) -> PyResult<String> {
        let world = self.world.try_borrow(py)?;
        let found = world.runner.world().joints().find(|(handle, ..)| *handle == self.handle);
        found
            .map(|(_, _, joint)| joint.type_name().to_owned())
            .ok_or_else(|| error::world(msd::environment::WorldError::StaleHandle("joint")))
    }

    /// Force on body B in the last step, world frame, N.
    #[getter]
    fn force<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(array3(py, self.reaction(py)?.force))
    }

    /// Torque on body B about the anchor in the last step, world frame, N·m.
    #[getter]
    fn torque<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(array3(py, self.reaction(py)?.torque))
    }

    /// Sets the velocity that the motor of a hinge (rad/s) or slider (m/s) is to reach from now on.
    fn drive(&self, py: Python<'_>, velocity: f64) -> PyResult<()> {
        let mut world = self.world.try_borrow_mut(py)?;
        world.runner.engine.world_mut().set_motor_velocity(self.handle, velocity).map_err(error::world)
    }

    /// Removes it from its world.
    fn remove(&self, py: Python<'_>) -> PyResult<()> {
        let mut world = self.world.try_borrow_mut(py)?;
        world.runner.engine.world_mut().remove_joint(self.handle).map_err(error::world)?;
        world.scene.joint.retain(|joint| joint.name() != self.name);
        world.model_changed();
        Ok(())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Joint({}, {})", self.name, self.kind(py)?))
    }
}
