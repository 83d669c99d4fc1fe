//! Trees of joints with coordinates q and v.

use msd::environment::WorldError;
use msd::physics::articulation::Articulation as Tree;
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::agent::unknown;
use crate::convert::{array3, list, table, vec3};
use crate::error;
use crate::world::World;

/// Bodies as trees of joints: coordinates q and v, mass matrix, Jacobians, inverse dynamics. It is valid until a body or joint is added
/// or removed.
#[pyclass(frozen, module = "msd")]
#[derive(Debug)]
pub(crate) struct Articulation {
    pub(crate) world: Py<World>,
    pub(crate) tree: Tree,
    pub(crate) revision: u64,
}

impl Articulation {
    fn read<R>(
        &self,
        py: Python<'_>,
        look: impl FnOnce(&msd::environment::World, &Tree) -> R,
    ) -> PyResult<R> {
        let world = self.world.try_borrow(py)?;
        let world = world.runner.world();
        self.fits(world)?;
        Ok(look(world, &self.tree))
    }

    fn fits(&self, world: &msd::environment::World) -> PyResult<()> {
        if world.revision() == self.revision {
            return Ok(());
        }
        Err(error::world_message(
            "the articulation was made before a body or joint was added or removed; call `articulation()` again",
        ))
    }

    fn change(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut msd::environment::World, &Tree) -> Result<(), WorldError>,
    ) -> PyResult<()> {
        let mut world = self.world.try_borrow_mut(py)?;
        self.fits(world.runner.world())?;
        change(world.runner.engine.world_mut(), &self.tree).map_err(error::world)?;
        world.refresh(py)
    }
}

#[pymethods]
impl Articulation {
    /// Names of the bodies, parents before their children.
    #[getter]
    fn bodies(&self) -> Vec<String> {
        self.tree.links().iter().map(|link| link.name.clone()).collect()
    }

    /// Names of the numbers of q: the joint's, with the component behind a dot where it has several.
    #[getter]
    fn position_names(&self) -> Vec<String> {
        self.tree.position_names()
    }

    /// Names of the numbers of v.
    #[getter]
    fn velocity_names(&self) -> Vec<String> {
        self.tree.velocity_names()
    }

    /// Positions now: rad and m; free bodies have a position and a quaternion (w, x, y, z), ball joints a quaternion. Setting them
    /// is forward kinematics, and keeps v.
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_vec(py, self.read(py, |world, tree| world.q(tree))?))
    }

    #[setter]
    fn set_q(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let q = list("q", value, self.tree.positions())?;
        self.change(py, |world, tree| world.set_q(tree, &q))
    }

    /// Velocities now: rad/s and m/s; the angular velocity of free bodies is in body axes, as in MuJoCo. Setting them keeps q.
    #[getter]
    fn v<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_vec(py, self.read(py, |world, tree| world.v(tree))?))
    }

    #[setter]
    fn set_v(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let v = list("v", value, self.tree.velocities())?;
        self.change(py, |world, tree| world.set_v(tree, &v))
    }

    /// Sets positions and velocities at once.
    fn set(&self, py: Python<'_>, q: &Bound<'_, PyAny>, v: &Bound<'_, PyAny>) -> PyResult<()> {
        let (q, v) = (list("q", q, self.tree.positions())?, list("v", v, self.tree.velocities())?);
        self.change(py, |world, tree| world.set_qv(tree, &q, &v))
    }

    /// Mass matrix M at q, (v, v): the kinetic energy is ½ vᵀ M v.
    #[getter]
    fn mass_matrix<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let n = self.tree.velocities();
        table(py, n, n, self.read(py, |world, tree| world.mass_matrix(tree))?)
    }

    /// Bias forces h(q, v) of `M v̇ + h = τ`: Coriolis and centrifugal forces, and uniform gravity.
    #[getter]
    fn bias_forces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_vec(py, self.read(py, |world, tree| world.bias_forces(tree))?))
    }

    /// Generalised forces τ for which the tree accelerates by `acceleration` from the state it is in, under uniform gravity and
    /// nothing else.
    fn inverse_dynamics<'py>(
        &self,
        py: Python<'py>,
        acceleration: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let acceleration = list("acceleration", acceleration, self.tree.velocities())?;
        Ok(PyArray1::from_vec(py, self.read(py, |world, tree| world.inverse_dynamics(tree, &acceleration))?))
    }

    /// Jacobian of a point of a body (m, body frame), (6, v): three rows of velocity, three of angular velocity, world axes.
    #[pyo3(signature = (body, point=None))]
    fn jacobian<'py>(
        &self,
        py: Python<'py>,
        body: &str,
        point: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let point = point.map_or(Ok(msd::math::Vec3::ZERO), |point| vec3("point", point))?;
        let link = self.tree.links().iter().find(|link| link.name == body);
        let link = link.ok_or_else(|| unknown("link", body, &self.bodies()))?;
        let rows = self.read(py, |world, tree| world.jacobian(tree, link.body, point))?;
        let rows = rows.ok_or_else(|| PyValueError::new_err(format!("`{body}` is no link")))?;
        table(py, 6, self.tree.velocities(), rows)
    }

    /// Total mass, kg.
    #[getter]
    fn mass(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.read(py, |world, tree| world.center_of_mass(tree))?.0)
    }

    /// Centre of mass now, world, m.
    #[getter]
    fn center_of_mass<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(array3(py, self.read(py, |world, tree| world.center_of_mass(tree))?.1))
    }

    fn __repr__(&self) -> String {
        let (q, v) = (self.tree.positions(), self.tree.velocities());
        format!("Articulation({} bodies, {q} positions, {v} velocities)", self.tree.links().len())
    }
}
