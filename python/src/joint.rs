//! A joint of a world.

use msd::environment::WorldError;
use msd::physics::constraints::{ConstraintHandle, Limits, Reaction};
use msd::physics::rigid_body::BodyHandle;
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
    fn look<R>(
        &self,
        py: Python<'_>,
        look: impl FnOnce(&msd::environment::World) -> Result<R, WorldError>,
    ) -> PyResult<R> {
        look(self.world.try_borrow(py)?.runner.world()).map_err(error::world)
    }

    /// Sets position or velocity by the tree that the joint is part of.
    fn place(&self, py: Python<'_>, position: Option<f64>, velocity: Option<f64>) -> PyResult<()> {
        let mut world = self.world.try_borrow_mut(py)?;
        let engine = world.runner.engine.world_mut();
        engine.joint_position(self.handle).map_err(error::world)?;
        let tree = engine.articulation();
        let Some(link) = tree.link_by(self.handle) else {
            let problem = format!(
                "joint `{}` closes a loop: set the positions of the joints that its bodies hang on",
                self.name
            );
            return Err(error::world_message(&problem));
        };
        let link = &tree.links()[link];
        let (mut q, mut v) = (engine.q(&tree), engine.v(&tree));
        if let Some(position) = position {
            q[link.first_position] = position;
        }
        if let Some(velocity) = velocity {
            v[link.first_velocity] = velocity;
        }
        engine.set_qv(&tree, &q, &v).map_err(error::world)?;
        world.refresh(py)
    }

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

    /// Position of a hinge (rad, full turns counted) or slider (m). Setting it moves everything that hangs on the joint and keeps joint
    /// velocities; a joint that closes a loop cannot be set.
    #[getter]
    fn position(&self, py: Python<'_>) -> PyResult<f64> {
        self.look(py, |world| world.joint_position(self.handle))
    }

    #[setter]
    fn set_position(&self, py: Python<'_>, value: f64) -> PyResult<()> {
        self.place(py, Some(value), None)
    }

    /// Velocity of a hinge (rad/s) or slider (m/s). Setting it moves everything that hangs on the joint along.
    #[getter]
    fn velocity(&self, py: Python<'_>) -> PyResult<f64> {
        self.look(py, |world| world.joint_velocity(self.handle))
    }

    #[setter]
    fn set_velocity(&self, py: Python<'_>, value: f64) -> PyResult<()> {
        self.place(py, None, Some(value))
    }

    /// Torque about (N·m) or force along (N) the axis of a hinge or slider in the last step: actuators, springs, motor, dry friction and
    /// limits together.
    #[getter]
    fn axis_force(&self, py: Python<'_>) -> PyResult<f64> {
        self.look(py, |world| world.joint_force(self.handle))
    }

    /// Where it is now, world, m: the point its reactions are reported at.
    #[getter]
    fn anchor<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(array3(py, self.look(py, |world| world.joint_anchor(self.handle))?))
    }

    /// Limits (min, max) of a hinge or slider, rad or m; None if it was made without. Those of a joint that was made with some can be
    /// set.
    #[getter]
    fn limits(&self, py: Python<'_>) -> PyResult<Option<(f64, f64)>> {
        let limits = self.look(py, |world| world.joint_limits(self.handle))?;
        Ok(limits.map(|limits| (limits.min, limits.max)))
    }

    #[setter]
    fn set_limits(&self, py: Python<'_>, value: (f64, f64)) -> PyResult<()> {
        let mut world = self.world.try_borrow_mut(py)?;
        let limits = Limits { min: value.0, max: value.1 };
        world.runner.engine.world_mut().set_joint_limits(self.handle, limits).map_err(error::world)
    }

    /// Names of its bodies; None is the world.
    #[getter]
    fn bodies(&self, py: Python<'_>) -> PyResult<(Option<String>, Option<String>)> {
        let world = self.world.try_borrow(py)?;
        let world = world.runner.world();
        let found = world.joints().find(|(handle, ..)| *handle == self.handle);
        let stale = || error::world(WorldError::StaleHandle("joint"));
        let [a, b] = found.map(|(_, _, joint)| joint.bodies()).ok_or_else(stale)?;
        let name = |body: Option<BodyHandle>| body.map(|body| world.name_of(body.slot()));
        Ok((name(a), name(b)))
    }

    /// `fixed`, `ball`, `hinge`, `slider`, `universal`, `distance` or `spring`.
    #[getter]
    fn kind(&self, py: Python<'_>) -> PyResult<String> {
        let world = self.world.try_borrow(py)?;
        let found = world.runner.world().joints().find(|(handle, ..)| *handle == self.handle);
        found
            .map(|(_, _, joint)| joint.type_name().to_owned())
            .ok_or_else(|| error::world(WorldError::StaleHandle("joint")))
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

    /// False while it is off: its bodies then move as if it were not there. A joint that broke is off.
    #[getter]
    fn enabled(&self, py: Python<'_>) -> PyResult<bool> {
        self.look(py, |world| world.is_joint_enabled(self.handle))
    }

    #[setter]
    fn set_enabled(&self, py: Python<'_>, value: bool) -> PyResult<()> {
        let mut world = self.world.try_borrow_mut(py)?;
        world.as_written = false;
        world.runner.engine.world_mut().set_joint_enabled(self.handle, value).map_err(error::world)
    }

    /// Lets it break when its reaction, mean over a step, exceeds a force (N) or a torque (N·m); by neither, it no longer breaks.
    #[pyo3(signature = (force=f64::INFINITY, torque=f64::INFINITY))]
    fn break_at(&self, py: Python<'_>, force: f64, torque: f64) -> PyResult<()> {
        let never = force == f64::INFINITY && torque == f64::INFINITY;
        let load = (!never).then_some(msd::environment::BreakLoad { force, torque });
        let mut world = self.world.try_borrow_mut(py)?;
        world.as_written = false;
        world.runner.engine.world_mut().set_joint_break(self.handle, load).map_err(error::world)
    }

    /// Opens a latch: it is off until its bodies touch after they have been apart.
    fn open(&self, py: Python<'_>) -> PyResult<()> {
        let mut world = self.world.try_borrow_mut(py)?;
        world.runner.engine.world_mut().open_latch(self.handle).map_err(error::world)
    }

    /// Adds a spring (N·m/rad or N/m) with a damper (N·m·s/rad or N·s/m) along the axis of a hinge or slider, at rest at `rest`. It is a
    /// joint of its own under `name`.
    #[pyo3(signature = (name, stiffness, damping=0.0, rest=0.0))]
    fn add_spring(
        &self,
        py: Python<'_>,
        name: &str,
        stiffness: f64,
        damping: f64,
        rest: f64,
    ) -> PyResult<Self> {
        let mut world = self.world.try_borrow_mut(py)?;
        let engine = world.runner.engine.world_mut();
        let added = engine.add_joint_spring(name, self.handle, [stiffness, damping, rest]);
        let handle = added.map_err(error::world)?;
        world.model_changed();
        Ok(Self { world: self.world.clone_ref(py), handle, name: name.to_owned() })
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
