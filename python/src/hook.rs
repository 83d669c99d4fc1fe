//! A Python callable that decides on the contact of every pair of bodies that may touch, before each step is solved.

use std::sync::{Arc, PoisonError};

use msd::environment::{ContactHook, HookedPair, PairResponse};
use msd::math::Vec3;
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::convert::{array3, vec3};
use crate::stepper::Raised;

/// A pair of bodies that may touch within the step, and how it will respond: what is set holds for this step.
#[pyclass(module = "msd")]
#[derive(Debug)]
pub(crate) struct ContactPair {
    a: String,
    b: String,
    states: [(Vec3, Vec3); 2],
    normal: Vec3,
    gap: f64,
    response: PairResponse,
}

#[pymethods]
impl ContactPair {
    /// Name of body A.
    #[getter]
    fn a(&self) -> &str {
        &self.a
    }
    /// Name of body B.
    #[getter]
    fn b(&self) -> &str {
        &self.b
    }
    /// Velocity of the centre of mass of B less that of A, world frame, m/s.
    #[getter]
    fn velocity<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array3(py, self.states[1].1 - self.states[0].1)
    }
    /// Centre of mass of B less that of A, world frame, m.
    #[getter]
    fn offset<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array3(py, self.states[1].0 - self.states[0].0)
    }
    /// At the deepest point, from A to B, unit, world frame.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array3(py, self.normal)
    }
    /// Distance there, m; negative is overlap.
    #[getter]
    fn gap(&self) -> f64 {
        self.gap
    }
    /// False for bodies that pass through each other in this step.
    #[getter]
    fn enabled(&self) -> bool {
        self.response.enabled
    }
    #[setter]
    fn set_enabled(&mut self, value: bool) {
        self.response.enabled = value;
    }
    /// Coefficient of friction.
    #[getter]
    fn friction(&self) -> f64 {
        self.response.material.friction
    }
    #[setter]
    fn set_friction(&mut self, value: f64) {
        self.response.material.friction = value;
    }
    /// Coefficient of restitution.
    #[getter]
    fn restitution(&self) -> f64 {
        self.response.material.restitution
    }
    #[setter]
    fn set_restitution(&mut self, value: f64) {
        self.response.material.restitution = value;
    }
    /// Velocity of the surface of B along its body, less that of A, world frame, m/s.
    #[getter]
    fn surface_velocity<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array3(py, self.response.surface_velocity)
    }
    #[setter]
    fn set_surface_velocity(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.response.surface_velocity = vec3("surface_velocity", value)?;
        Ok(())
    }
    fn __repr__(&self) -> String {
        format!("ContactPair({}, {}, gap={})", self.a, self.b, self.gap)
    }
}

/// The callable, as the engine knows it.
pub(crate) struct Hook {
    pub(crate) function: Py<PyAny>,
    /// Identifies the model: the name of the callable.
    pub(crate) name: String,
    pub(crate) raised: Raised,
}

impl std::fmt::Debug for Hook {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_tuple("PythonHook").field(&self.name).finish()
    }
}

impl ContactHook for Hook {
    fn respond(&self, pair: &HookedPair<'_>, response: &mut PairResponse) {
        let state = |state: &msd::physics::rigid_body::InertialState| (state.center_of_mass, state.velocity);
        let shown = ContactPair {
            a: pair.body_a.name.clone(),
            b: pair.body_b.name.clone(),
            states: [state(pair.state_a), state(pair.state_b)],
            normal: pair.normal,
            gap: pair.gap,
            response: *response,
        };
        let asked = Python::attach(|py| {
            let shown = Py::new(py, shown)?;
            self.function.bind(py).call1((shown.clone_ref(py),))?;
            let decided = shown.borrow(py).response;
            Ok::<_, PyErr>(decided)
        });
        match asked {
            Ok(decided) => *response = decided,
            Err(error) => {
                // A velocity that is no number makes the engine refuse the step; the exception is raised instead.
                response.surface_velocity = Vec3::splat(f64::NAN);
                *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            }
        }
    }
}

impl Hook {
    pub(crate) fn new(function: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<Self> {
        let name = match function.getattr("__qualname__") {
            Ok(name) => name.extract()?,
            Err(_) => function.get_type().name()?.to_string(),
        };
        Ok(Self { function: function.clone().unbind(), name, raised: Arc::clone(raised) })
    }
}
