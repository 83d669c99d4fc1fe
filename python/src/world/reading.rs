//! Reading a world: bodies, states, contacts, energy, queries.

use msd::environment::{FaultPolicy, QueryFilter, SleepSettings};
use msd::physics::rigid_body::CollisionGroups;
use msd::physics::rigid_body::shape::{Aabb, Ray};
use msd_scene::source::Format;
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::World;
use crate::agent::{corners, unknown};
use crate::body::Body;
use crate::convert::{STATE, array3, vec3};
use crate::error;
use crate::joint::Joint;
use crate::report::{Certificate, Contact, Energy, Impact, RayHit, Step, contacts_of};

#[pymethods]
impl World {
    /// Now, s.
    #[getter]
    fn time(&self) -> f64 {
        self.runner.world().time()
    }

    /// Steps taken.
    #[getter]
    fn steps(&self) -> u64 {
        self.runner.world().steps()
    }

    /// Step, s.
    #[getter]
    fn dt(&self) -> f64 {
        self.runner.world().dt()
    }

    #[setter]
    fn set_dt(&mut self, value: f64) -> PyResult<()> {
        self.as_written = false;
        self.runner.engine.world_mut().set_dt(value).map_err(error::world)?;
        self.scene.world.dt = value;
        Ok(())
    }

    /// Name of the integrator.
    #[getter]
    fn integrator(&self) -> String {
        self.runner.world().integrator().name().to_owned()
    }

    /// Thresholds below which bodies fall asleep, as (speed in m/s, time in s), or None. Setting takes such a pair, None, or True for
    /// the defaults.
    #[getter]
    fn sleeping(&self) -> Option<(f64, f64)> {
        self.runner.world().sleeping().map(|settings| (settings.speed, settings.time))
    }

    #[setter]
    fn set_sleeping(&mut self, value: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let settings = match value {
            None => None,
            Some(value) => match value.extract::<bool>() {
                Ok(true) => Some(SleepSettings::for_tier(self.runner.world().contact_settings().tier)),
                Ok(false) => None,
                Err(_) => {
                    let [speed, time] = crate::convert::numbers::<2>("sleeping", value)?;
                    Some(SleepSettings { speed, time })
                }
            },
        };
        self.runner.engine.world_mut().set_sleeping(settings).map_err(error::world)?;
        self.as_written = false;
        Ok(())
    }

    /// `halt`: a step that cannot be computed raises and changes nothing; `quarantine`: the body at fault stays where it is from then
    /// on, and the others go on.
    #[getter]
    fn fault_policy(&self) -> &'static str {
        match self.runner.world().fault_policy() {
            FaultPolicy::Halt => "halt",
            FaultPolicy::Quarantine => "quarantine",
        }
    }

    #[setter]
    fn set_fault_policy(&mut self, value: &str) -> PyResult<()> {
        let policy = match value {
            "halt" => FaultPolicy::Halt,
            "quarantine" => FaultPolicy::Quarantine,
            other => {
                let problem = format!("fault_policy must be 'halt' or 'quarantine', got '{other}'");
                return Err(PyValueError::new_err(problem));
            }
        };
        self.runner.engine.world_mut().set_fault_policy(policy);
        self.as_written = false;
        Ok(())
    }

    /// Uniform gravity, m/s².
    #[getter]
    fn gravity<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array3(py, self.runner.world().gravity())
    }

    #[setter]
    fn set_gravity(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let gravity = vec3("gravity", value)?;
        self.as_written = false;
        self.runner.engine.world_mut().set_gravity(gravity).map_err(error::world)?;
        self.scene.world.gravity = gravity.to_array();
        Ok(())
    }

    /// Duration that the scene asks for, s.
    #[getter]
    fn duration(&self) -> f64 {
        self.scene.world.duration
    }

    /// Names of all bodies, in the order of `states`.
    #[getter(names)]
    fn body_names(&self) -> Vec<String> {
        self.names()
    }

    /// All bodies, in the order of `states`.
    #[getter]
    fn bodies(slf: Bound<'_, Self>) -> PyResult<Vec<Body>> {
        let handles: Vec<_> = slf.try_borrow()?.runner.world().handles().collect();
        Ok(handles.into_iter().map(|handle| Body { world: slf.clone().unbind(), handle }).collect())
    }

    /// All joints; actuators are in `actuators`.
    #[getter]
    fn joints(slf: Bound<'_, Self>) -> PyResult<Vec<Joint>> {
        let found: Vec<_> = {
            let world = slf.try_borrow()?;
            let world = world.runner.world();
            let actuators: Vec<_> = world.actuators().map(|(handle, ..)| handle).collect();
            let joints = world.joints().filter(|(handle, ..)| !actuators.contains(handle));
            joints.map(|(handle, name, _)| (handle, name.to_owned())).collect()
        };
        Ok(found
            .into_iter()
            .map(|(handle, name)| Joint { world: slf.clone().unbind(), handle, name })
            .collect())
    }

    /// The body of that name.
    fn __getitem__(slf: Bound<'_, Self>, name: &str) -> PyResult<Body> {
        let found = slf.try_borrow()?.runner.world().find(name);
        match found {
            Some(handle) => Ok(Body { world: slf.unbind(), handle }),
            None => Err(unknown("body", name, &slf.try_borrow()?.names())),
        }
    }

    /// True if there is a body of that name.
    fn __contains__(&self, name: &str) -> bool {
        self.runner.world().find(name).is_some()
    }

    /// The number of bodies.
    fn __len__(&self) -> usize {
        self.runner.world().handles().count()
    }

    /// The joint of that name.
    fn joint(slf: Bound<'_, Self>, name: &str) -> PyResult<Joint> {
        let found = slf.try_borrow()?.runner.world().find_joint(name);
        match found {
            Some(handle) => Ok(Joint { world: slf.unbind(), handle, name: name.to_owned() }),
            None => {
                let world = slf.try_borrow()?;
                let names: Vec<String> =
                    world.runner.world().joints().map(|(_, name, _)| name.to_owned()).collect();
                Err(unknown("joint", name, &names))
            }
        }
    }

    /// One row a body: position of its frame, orientation (w, x, y, z), velocity, angular velocity; 13 numbers.
    ///
    /// Always the same read-only array, refreshed in place whenever something moves; `states.copy()` keeps a moment. It is another
    /// array once bodies are added or removed.
    #[getter]
    fn states(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        if let Some((_, seen)) = &self.states {
            return Ok(seen.clone_ref(py));
        }
        let rows = self.runner.world().handles().count();
        let array = PyArray2::<f64>::zeros(py, [rows, STATE], false);
        let seen = array.call_method0("view")?;
        let flags = PyDict::new(py);
        flags.set_item("write", false)?;
        seen.call_method("setflags", (), Some(&flags))?;
        self.states = Some((array.unbind(), seen.clone().unbind()));
        self.refresh(py)?;
        Ok(seen.unbind())
    }

    /// The energy ledger.
    #[getter]
    fn energy(&self) -> Energy {
        Energy(self.runner.world().energy())
    }

    /// The verdict on all steps taken so far.
    #[getter]
    fn certificate(&self) -> Certificate {
        Certificate(self.runner.certificate.clone())
    }

    /// The report of the last step, or None before the first.
    #[getter]
    fn last_step(&self) -> Option<Step> {
        self.runner.last.as_deref().cloned().map(Step)
    }

    /// Impacts with restitution in the last step.
    #[getter]
    fn impacts(&self) -> Vec<Impact> {
        let world = self.runner.world();
        let impact = |record: &msd::environment::ImpactRecord| Impact {
            a: world.name_of(record.a),
            b: world.name_of(record.b),
            record: *record,
        };
        world.impact_records().iter().map(impact).collect()
    }

    /// The contact points of the last step, with their forces.
    #[getter]
    fn contacts(&self) -> Vec<Contact> {
        contacts_of(self.runner.world())
    }

    /// Pairs of bodies that began to touch, go on to, or ceased to in the last step, as (kind, a, b) with kind `begin`, `persist`
    /// or `end`.
    #[getter]
    fn contact_events(&self) -> Vec<(&'static str, String, String)> {
        use msd::environment::ContactEventKind;
        let world = self.runner.world();
        let kind = |kind| match kind {
            ContactEventKind::Begin => "begin",
            ContactEventKind::Persist => "persist",
            ContactEventKind::End => "end",
        };
        let name = |handle: msd::physics::rigid_body::BodyHandle| world.name_of(handle.slot());
        world
            .contact_events()
            .map(|event| (kind(event.kind), name(event.body_a), name(event.body_b)))
            .collect()
    }

    /// Pairs of bodies whose normal forces in the last step sum to more than `threshold` (N), as (a, b, normal force in N, force on b in N,
    /// world frame). An impact transmits its impulse within one step.
    fn contact_force_events<'py>(
        &self,
        py: Python<'py>,
        threshold: f64,
    ) -> Vec<(String, String, f64, Bound<'py, PyArray1<f64>>)> {
        let world = self.runner.world();
        let name = |handle: msd::physics::rigid_body::BodyHandle| world.name_of(handle.slot());
        world
            .contact_force_events(threshold)
            .iter()
            .map(|event| {
                (name(event.body_a), name(event.body_b), event.normal_force, array3(py, event.force))
            })
            .collect()
    }

    /// The scene as text that starts from the present state: a keyframe `name`. `format` is `toml` or `json`. The world that is read
    /// back has the same model and the same states to the last bit.
    #[pyo3(signature = (format="toml", name="now"))]
    fn to_scene(&self, format: &str, name: &str) -> PyResult<String> {
        let format = match format {
            "toml" => Format::Toml,
            "json" => Format::Json,
            other => {
                return Err(PyValueError::new_err(format!("format must be 'toml' or 'json', got '{other}'")));
            }
        };
        let text = self
            .scene
            .with_state_of(self.runner.world(), name)
            .and_then(|scene| scene.to_text(format))
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(text)
    }

    /// Linear momentum of all bodies that forces move, kg·m/s.
    #[getter]
    fn momentum<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array3(py, self.runner.world().linear_momentum())
    }

    /// Angular momentum of all bodies that forces move about a world point, kg·m²/s.
    #[pyo3(signature = (about=None))]
    fn angular_momentum<'py>(
        &self,
        py: Python<'py>,
        about: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let about = about.map_or(Ok(msd::math::Vec3::ZERO), |point| vec3("about", point))?;
        Ok(array3(py, self.runner.world().angular_momentum_about(about)))
    }

    /// The first body that a ray from `origin` along `direction` meets within `max_distance` metres, or None. `exclude` names bodies
    /// to leave out; with `mask`, only bodies of those groups (bits) count; `intangible` includes bodies that nothing touches.
    #[pyo3(signature = (origin, direction, max_distance=f64::INFINITY, *, exclude=Vec::new(), mask=u32::MAX, intangible=false))]
    #[allow(clippy::too_many_arguments)]
    fn cast_ray(
        &self,
        origin: &Bound<'_, PyAny>,
        direction: &Bound<'_, PyAny>,
        max_distance: f64,
        exclude: Vec<String>,
        mask: u32,
        intangible: bool,
    ) -> PyResult<Option<RayHit>> {
        let (origin, direction) = (vec3("origin", origin)?, vec3("direction", direction)?);
        let Some(ray) = Ray::new(origin, direction) else {
            return Err(PyValueError::new_err("direction must be finite and not zero, origin finite"));
        };
        let world = self.runner.world();
        let excluded = self.handles_of(&exclude)?;
        let found = world.cast_ray(&ray, max_distance, &filter(&excluded, mask, intangible));
        Ok(found.map(|(handle, hit)| RayHit {
            body: world.name_of(handle.slot()),
            position: ray.at(hit.distance),
            hit,
        }))
    }

    /// Names of the bodies whose bounding boxes meet the box between two corners; `exclude`, `mask` and `intangible` as in `cast_ray`.
    #[pyo3(signature = (low, high, *, exclude=Vec::new(), mask=u32::MAX, intangible=false))]
    fn bodies_in_box(
        &self,
        low: &Bound<'_, PyAny>,
        high: &Bound<'_, PyAny>,
        exclude: Vec<String>,
        mask: u32,
        intangible: bool,
    ) -> PyResult<Vec<String>> {
        let (low, high) = corners(low, high)?;
        let (world, excluded) = (self.runner.world(), self.handles_of(&exclude)?);
        let found = world.bodies_in_box(&Aabb::new(low, high), &filter(&excluded, mask, intangible));
        Ok(found.into_iter().map(|handle| world.name_of(handle.slot())).collect())
    }

    /// Identifies the state to the last bit; that of the Rust library and of `msd run`.
    #[getter]
    fn state_hash(&self) -> String {
        self.runner.world().state_hash().to_string()
    }

    /// Identifies bodies, fields, joints and settings.
    #[getter]
    fn model_hash(&self) -> String {
        self.runner.world().model_hash().to_string()
    }
}

impl World {
    pub(super) fn handles_of(&self, names: &[String]) -> PyResult<Vec<msd::physics::rigid_body::BodyHandle>> {
        let find = |name: &String| {
            self.runner.world().find(name).ok_or_else(|| unknown("body", name, &self.names()))
        };
        names.iter().map(find).collect()
    }
}

/// Which bodies a query sees.
pub(super) fn filter(
    excluded: &[msd::physics::rigid_body::BodyHandle],
    mask: u32,
    intangible: bool,
) -> QueryFilter<'_> {
    let filter = QueryFilter::new().excluding(excluded).groups(CollisionGroups { groups: u32::MAX, mask });
    if intangible { filter.with_intangible() } else { filter }
}
