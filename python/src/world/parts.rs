//! Parts of a world: bodies, joints, fields, materials, agents.

use msd::environment::FieldHandle;
use msd_scene::model;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use toml::Value;

use super::{World, part};
use crate::agent::Callable;
use crate::body::Body;
use crate::convert::{keys, name_of, value};
use crate::error;
use crate::joint::Joint;

/// A field of a world, to be removed again.
#[pyclass(frozen, module = "msd")]
#[derive(Debug)]
pub(crate) struct Field {
    world: Py<World>,
    handles: Vec<FieldHandle>,
    part: model::Field,
    kind: String,
}

#[pymethods]
impl Field {
    /// Its type as scenes say it.
    #[getter]
    fn kind(&self) -> &str {
        &self.kind
    }

    /// Removes it from its world.
    fn remove(&self, py: Python<'_>) -> PyResult<()> {
        let mut world = self.world.try_borrow_mut(py)?;
        for handle in &self.handles {
            world.runner.engine.world_mut().remove_field(*handle).map_err(error::world)?;
        }
        if let Some(index) = world.scene.field.iter().position(|field| *field == self.part) {
            world.scene.field.remove(index);
        }
        world.as_written = false;
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("Field({})", self.kind)
    }
}

/// Adds a body whose shape is made of the first arguments.
fn add_shaped(
    world: Bound<'_, World>,
    name: &str,
    kind: &str,
    given: &[(&str, Option<&Bound<'_, PyAny>>)],
    keys: Option<&Bound<'_, PyDict>>,
) -> PyResult<Body> {
    let py = world.py();
    let (shape, of_kind) = (PyDict::new(py), PyDict::new(py));
    for (key, item) in given {
        if let Some(item) = item {
            of_kind.set_item(key, item)?;
        }
    }
    shape.set_item(kind, of_kind)?;
    let keys = keys.map_or_else(|| Ok(PyDict::new(py)), |keys| keys.copy())?;
    if keys.contains("shape")? {
        return Err(PyTypeError::new_err(format!("body `{name}`: its shape is given by its {kind} already")));
    }
    keys.set_item("shape", shape)?;
    World::add_body(world, name, Some(&keys))
}

pub(super) fn all_keys(given: Option<&Bound<'_, PyDict>>) -> PyResult<toml::Table> {
    given.map_or_else(|| Ok(toml::Table::new()), keys)
}

pub(super) fn set(table: &mut toml::Table, key: &str, given: &Bound<'_, PyAny>) -> PyResult<()> {
    if let Some(found) = value(key, given)? {
        table.insert(key.to_owned(), found);
    }
    Ok(())
}

#[pymethods]
impl World {
    /// Adds a body by the keys of scene files, such as `shape={'sphere': {'radius': 0.1}}`, `mass`, `density`, `inertia`,
    /// `position`, `orientation`, `velocity`, `angular_velocity` (or `spin`), `kind`, `material`, `friction`, `restitution`,
    /// `collides`, `groups`, `mask`, `ignores`, `linear_damping`, `angular_damping` and `properties`.
    #[pyo3(signature = (name, **keys))]
    fn add_body(slf: Bound<'_, Self>, name: &str, keys: Option<&Bound<'_, PyDict>>) -> PyResult<Body> {
        let mut table = all_keys(keys)?;
        table.insert("name".to_owned(), Value::String(name.to_owned()));
        let py = slf.py();
        let handle = slf.try_borrow_mut()?.add_part(
            py,
            &format!("body `{name}`"),
            table,
            |scene, engine, body: model::Body| scene.add_body(engine, body),
        )?;
        Ok(Body { world: slf.unbind(), handle })
    }

    /// Adds a box with full edge lengths `size` (m); further keys are those of `add_body`.
    #[pyo3(signature = (name, size, **keys))]
    fn add_box(
        slf: Bound<'_, Self>,
        name: &str,
        size: &Bound<'_, PyAny>,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        add_shaped(slf, name, "box", &[("size", Some(size))], keys)
    }

    /// Adds a ball; further keys are those of `add_body`.
    #[pyo3(signature = (name, radius, **keys))]
    fn add_sphere(
        slf: Bound<'_, Self>,
        name: &str,
        radius: &Bound<'_, PyAny>,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        add_shaped(slf, name, "sphere", &[("radius", Some(radius))], keys)
    }

    /// Adds a capsule along z; `length` is that of its cylinder part (m); further keys are those of `add_body`.
    #[pyo3(signature = (name, radius, length, **keys))]
    fn add_capsule(
        slf: Bound<'_, Self>,
        name: &str,
        radius: &Bound<'_, PyAny>,
        length: &Bound<'_, PyAny>,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        add_shaped(slf, name, "capsule", &[("radius", Some(radius)), ("length", Some(length))], keys)
    }

    /// Adds a cylinder along z; further keys are those of `add_body`.
    #[pyo3(signature = (name, radius, length, **keys))]
    fn add_cylinder(
        slf: Bound<'_, Self>,
        name: &str,
        radius: &Bound<'_, PyAny>,
        length: &Bound<'_, PyAny>,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        add_shaped(slf, name, "cylinder", &[("radius", Some(radius)), ("length", Some(length))], keys)
    }

    /// Adds the convex hull of two balls on the z axis with their centres `length` apart; further keys are those of `add_body`.
    #[pyo3(signature = (name, bottom_radius, top_radius, length, **keys))]
    fn add_tapered_capsule(
        slf: Bound<'_, Self>,
        name: &str,
        bottom_radius: &Bound<'_, PyAny>,
        top_radius: &Bound<'_, PyAny>,
        length: &Bound<'_, PyAny>,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        let sizes = [
            ("bottom_radius", Some(bottom_radius)),
            ("top_radius", Some(top_radius)),
            ("length", Some(length)),
        ];
        add_shaped(slf, name, "tapered_capsule", &sizes, keys)
    }

    /// Adds an ellipsoid with half lengths `radii` (m); further keys are those of `add_body`.
    #[pyo3(signature = (name, radii, **keys))]
    fn add_ellipsoid(
        slf: Bound<'_, Self>,
        name: &str,
        radii: &Bound<'_, PyAny>,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        add_shaped(slf, name, "ellipsoid", &[("radii", Some(radii))], keys)
    }

    /// Adds a cone along z, apex up, the origin at half height; further keys are those of `add_body`.
    #[pyo3(signature = (name, radius, length, **keys))]
    fn add_cone(
        slf: Bound<'_, Self>,
        name: &str,
        radius: &Bound<'_, PyAny>,
        length: &Bound<'_, PyAny>,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        add_shaped(slf, name, "cone", &[("radius", Some(radius)), ("length", Some(length))], keys)
    }

    /// Adds the convex hull of points, an array of shape (n, 3) (m); further keys are those of `add_body`.
    #[pyo3(signature = (name, points, **keys))]
    fn add_hull(
        slf: Bound<'_, Self>,
        name: &str,
        points: &Bound<'_, PyAny>,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        add_shaped(slf, name, "hull", &[("points", Some(points))], keys)
    }

    /// Adds a body with the shape of a file (STL, OBJ, glTF or MSH, in metres): its convex hull, or for static bodies with
    /// `convex=False` its triangles; further keys are those of `add_body`.
    #[pyo3(signature = (name, file, *, scale=None, convex=None, **keys))]
    fn add_mesh(
        slf: Bound<'_, Self>,
        name: &str,
        file: &Bound<'_, PyAny>,
        scale: Option<&Bound<'_, PyAny>>,
        convex: Option<&Bound<'_, PyAny>>,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        let file = file.py().import("os")?.call_method1("fspath", (file,))?;
        add_shaped(slf, name, "mesh", &[("file", Some(&file)), ("scale", scale), ("convex", convex)], keys)
    }

    /// Adds static ground: everything below the plane `normal · x = offset`.
    #[pyo3(signature = (name="ground", *, normal=None, offset=None, **keys))]
    fn add_plane(
        slf: Bound<'_, Self>,
        name: &str,
        normal: Option<&Bound<'_, PyAny>>,
        offset: Option<&Bound<'_, PyAny>>,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        let up = pyo3::types::PyTuple::new(slf.py(), [0.0, 0.0, 1.0])?.into_any();
        let keys = keys.map_or_else(|| Ok(PyDict::new(slf.py())), |keys| keys.copy())?;
        keys.set_item("kind", "static")?;
        let normal = normal.unwrap_or(&up).clone();
        add_shaped(slf, name, "plane", &[("normal", Some(&normal)), ("offset", offset)], Some(&keys))
    }

    /// Adds a joint by the keys of scene files. `type` is fixed, ball, hinge, slider, universal, distance or spring; `a` and `b` are
    /// bodies, their names, or `'world'`; anchors and axes are in world coordinates now.
    #[pyo3(signature = (name, r#type, a, b, **keys))]
    fn add_joint(
        slf: Bound<'_, Self>,
        name: &str,
        r#type: &str,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Joint> {
        let py = slf.py();
        let mut table = all_keys(keys)?;
        table.insert("name".to_owned(), Value::String(name.to_owned()));
        table.insert("type".to_owned(), Value::String(r#type.to_owned()));
        set(&mut table, "a", a)?;
        set(&mut table, "b", b)?;
        let handle = slf.try_borrow_mut()?.add_part(
            py,
            &format!("joint `{name}`"),
            table,
            |scene, engine, joint: model::Joint| scene.add_joint(engine, joint),
        )?;
        Ok(Joint { world: slf.unbind(), handle, name: name.to_owned() })
    }

    /// Adds a field by the keys of scene files. `type` is uniform-gravity, point-gravity, gravity-gradient, spring, damper, drag,
    /// magnetic-dipole, third-body, tidal, thruster, geopotential, solar-pressure or rotating-frame.
    #[pyo3(signature = (r#type, **keys))]
    fn add_field(slf: Bound<'_, Self>, r#type: &str, keys: Option<&Bound<'_, PyDict>>) -> PyResult<Field> {
        let mut table = all_keys(keys)?;
        table.insert("type".to_owned(), Value::String(r#type.to_owned()));
        let added = slf.try_borrow_mut()?.add_part(
            slf.py(),
            &format!("field `{}`", r#type),
            table,
            |scene, engine, field: model::Field| Ok((scene.add_field(engine, field.clone())?, field)),
        )?;
        Ok(Field { world: slf.unbind(), handles: added.0, part: added.1, kind: r#type.to_owned() })
    }

    /// Types of the fields that act, uniform gravity of the world included.
    #[getter]
    fn fields(&self) -> Vec<&'static str> {
        self.runner.world().fields().iter().map(|field| field.type_name()).collect()
    }

    /// Adds a material that bodies added later can name.
    #[pyo3(signature = (name, **keys))]
    fn add_material(&mut self, name: &str, keys: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let material = part(&format!("material `{name}`"), all_keys(keys)?)?;
        self.scene.material.insert(name.to_owned(), material);
        Ok(())
    }

    /// Adds an agent: a callable, or the type of one of scene files (constant-wrench, pd-attitude, velocity-command,
    /// docking, control-schedule) with its keys.
    ///
    /// A callable is given a `View` of the world before every step, or every `period` seconds, and returns None or commands by name:
    /// `{'satellite': {'torque': (0, 0, 1), 'frame': 'body'}, 'servo': 0.5}`. Its last commands hold until its next turn. An
    /// exception it raises refuses the step.
    #[pyo3(signature = (agent, *, period=None, **keys))]
    fn add_agent(
        slf: Bound<'_, Self>,
        agent: &Bound<'_, PyAny>,
        period: Option<f64>,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        // Bodies are asked for their names before the world is borrowed to be changed.
        let (py, mut table) = (slf.py(), all_keys(keys)?);
        let mut world = slf.try_borrow_mut()?;
        if let Ok(kind) = agent.extract::<String>() {
            if let Some(period) = period {
                table.insert("period".to_owned(), Value::Float(period));
            }
            table.insert("type".to_owned(), Value::String(kind.clone()));
            return world.add_part(
                py,
                &format!("agent `{kind}`"),
                table,
                |scene, engine, agent: model::Agent| scene.add_agent(engine, agent),
            );
        }
        if !agent.is_callable() || !table.is_empty() {
            return Err(PyTypeError::new_err(
                "an agent is a callable (with `period`, if anything) or the name of a type such as 'pd-attitude' with its keys",
            ));
        }
        let callable =
            Callable::new(agent.clone().unbind(), period, std::sync::Arc::clone(&world.runner.raised))?;
        world.runner.engine.add_agent(callable);
        world.as_written = false;
        Ok(())
    }

    /// Lets two bodies pass through each other, or collide again.
    #[pyo3(signature = (a, b, collide=false))]
    fn set_collision(
        slf: Bound<'_, Self>,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        collide: bool,
    ) -> PyResult<()> {
        // Bodies are asked for their names before the world is borrowed to be changed.
        let (a, b) = (name_of("a", a)?, name_of("b", b)?);
        let mut world = slf.try_borrow_mut()?;
        let (a, b) = (world.body_named(&a)?, world.body_named(&b)?);
        world.as_written = false;
        world.runner.engine.world_mut().set_collision(a, b, collide).map_err(error::world)
    }
}
