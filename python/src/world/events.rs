//! Contact hooks, events of triggers and of joints, and queries for all bodies at a place.

use msd::environment::{JointEventKind, TriggerEventKind};
use msd::physics::rigid_body::BodyHandle;
use msd::physics::rigid_body::shape::Ray;
use numpy::PyArray1;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::World;
use super::reading::filter;
use crate::convert::{array3, name_of, vec3};
use crate::error;
use crate::hook::Hook;
use crate::report::RayHit;

/// A body, a signed distance, the nearest point and the normal there.
type Nearest<'py> = (String, f64, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

#[pymethods]
impl World {
    /// Lets `function` decide on the contact of every pair that may touch, before each step; None takes it away. It is given a
    /// `ContactPair` and sets its `enabled`, `friction`, `restitution` or `surface_velocity` for the step. What it decides must depend
    /// on the pair alone, for a run to be repeatable. An exception in it stops the step, and nothing has changed.
    #[pyo3(signature = (function))]
    fn set_contact_hook(&mut self, function: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let hook = function
            .map(|function| {
                if !function.is_callable() {
                    let problem =
                        format!("a contact hook must be callable or None, got {}", function.repr()?);
                    return Err(PyTypeError::new_err(problem));
                }
                Hook::new(function, &self.runner.raised)
            })
            .transpose()?;
        let world = self.runner.engine.world_mut();
        let settings = world.contact_settings().clone();
        let settings = match hook {
            Some(hook) => settings.with_hook(hook),
            None => msd::environment::ContactSettings { hook: None, ..settings },
        };
        world.set_contact_settings(settings).map_err(error::world)?;
        self.as_written = false;
        Ok(())
    }

    /// Bodies that entered or left triggers in the last step, as (kind, trigger, body) with kind `enter` or `leave`.
    #[getter]
    fn trigger_events(&self) -> Vec<(&'static str, String, String)> {
        let world = self.runner.world();
        let name = |handle: BodyHandle| world.name_of(handle.slot());
        let kind = |kind| match kind {
            TriggerEventKind::Enter => "enter",
            TriggerEventKind::Leave => "leave",
        };
        let events = world.trigger_events().iter();
        events.map(|event| (kind(event.kind), name(event.trigger), name(event.body))).collect()
    }

    /// Names of the bodies that are inside a trigger.
    fn inside(slf: Bound<'_, Self>, trigger: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let trigger = name_of("trigger", trigger)?;
        let this = slf.try_borrow()?;
        let (world, handle) = (this.runner.world(), this.body_named(&trigger)?);
        let found = world.inside(handle).map_err(error::world)?;
        Ok(found.map(|handle| world.name_of(handle.slot())).collect())
    }

    /// Joints that broke and latches that closed in the last step, as (kind, joint) with kind `broken` or `latched`.
    #[getter]
    fn joint_events(&self) -> Vec<(&'static str, String)> {
        let world = self.runner.world();
        let events = world.joint_events().iter().map(|event| {
            let kind = match event.kind {
                JointEventKind::Broken => "broken",
                JointEventKind::Latched => "latched",
                // Kinds to come.
                _ => "changed",
            };
            let name = world.joints().find(|(handle, ..)| *handle == event.joint);
            (kind, name.map_or_else(String::new, |(_, name, _)| name.to_owned()))
        });
        events.collect()
    }

    /// Every body that a ray meets within `max_distance` metres, each with its first hit, the nearest first; `exclude`, `mask` and
    /// `intangible` as in `cast_ray`.
    #[pyo3(signature = (origin, direction, max_distance=f64::INFINITY, *, exclude=Vec::new(), mask=u32::MAX, intangible=false))]
    #[allow(clippy::too_many_arguments)]
    fn cast_ray_all(
        &self,
        origin: &Bound<'_, PyAny>,
        direction: &Bound<'_, PyAny>,
        max_distance: f64,
        exclude: Vec<String>,
        mask: u32,
        intangible: bool,
    ) -> PyResult<Vec<RayHit>> {
        let (origin, direction) = (vec3("origin", origin)?, vec3("direction", direction)?);
        let Some(ray) = Ray::new(origin, direction) else {
            return Err(PyValueError::new_err("direction must be finite and not zero, origin finite"));
        };
        let (world, excluded) = (self.runner.world(), self.handles_of(&exclude)?);
        let found = world.cast_ray_all(&ray, max_distance, &filter(&excluded, mask, intangible));
        let hit = |(handle, hit): (BodyHandle, msd::physics::rigid_body::shape::RayHit)| RayHit {
            body: world.name_of(handle.slot()),
            position: ray.at(hit.distance),
            hit,
        };
        Ok(found.into_iter().map(hit).collect())
    }

    /// Names of the bodies that contain a world point (m); `exclude`, `mask` and `intangible` as in `cast_ray`.
    #[pyo3(signature = (point, *, exclude=Vec::new(), mask=u32::MAX, intangible=false))]
    fn containing(
        &self,
        point: &Bound<'_, PyAny>,
        exclude: Vec<String>,
        mask: u32,
        intangible: bool,
    ) -> PyResult<Vec<String>> {
        let (point, excluded) = (vec3("point", point)?, self.handles_of(&exclude)?);
        let world = self.runner.world();
        let found = world.containing(point, &filter(&excluded, mask, intangible));
        Ok(found.into_iter().map(|handle| world.name_of(handle.slot())).collect())
    }

    /// The body whose surface is nearest to a world point within `max_distance` metres, or None: its name, the distance (m, negative
    /// inside), the nearest point and the outward normal there. `exclude`, `mask` and `intangible` as in `cast_ray`.
    #[pyo3(signature = (point, max_distance=f64::INFINITY, *, exclude=Vec::new(), mask=u32::MAX, intangible=false))]
    fn nearest_point<'py>(
        &self,
        py: Python<'py>,
        point: &Bound<'_, PyAny>,
        max_distance: f64,
        exclude: Vec<String>,
        mask: u32,
        intangible: bool,
    ) -> PyResult<Option<Nearest<'py>>> {
        let (point, excluded) = (vec3("point", point)?, self.handles_of(&exclude)?);
        let world = self.runner.world();
        let found = world.nearest_point(point, max_distance, &filter(&excluded, mask, intangible));
        Ok(found.map(|(handle, near)| {
            (world.name_of(handle.slot()), near.signed, array3(py, near.point), array3(py, near.normal))
        }))
    }
}
