//! Values between Python and the engine.

use msd::environment::World;
use msd::math::{Quat, Vec3, orientation};
use msd::physics::rigid_body::BodyHandle;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use toml::Value;

/// Numbers in the state of a body: position of its frame, orientation w x y z, velocity, angular velocity.
pub(crate) const STATE: usize = 13;

/// A number of Python, with the name of its argument in the message if it is none.
fn number(name: &str, given: &Bound<'_, PyAny>) -> PyResult<f64> {
    given.extract().map_err(|_| PyTypeError::new_err(format!("{name} must be numbers, got {}", shown(given))))
}

/// Name of a value in a message.
fn shown(given: &Bound<'_, PyAny>) -> String {
    given.repr().map_or_else(|_| "something without a repr".to_owned(), |text| text.to_string())
}

/// `N` numbers from a tuple, a list, an array or anything with `tolist`.
pub(crate) fn numbers<const N: usize>(name: &str, given: &Bound<'_, PyAny>) -> PyResult<[f64; N]> {
    let wrong = || PyValueError::new_err(format!("{name} must be {N} numbers, got {}", shown(given)));
    let mut found = [0.0; N];
    if let Ok(tuple) = given.cast::<PyTuple>() {
        if tuple.len() != N {
            return Err(wrong());
        }
        for (i, item) in tuple.iter().enumerate() {
            found[i] = number(name, &item)?;
        }
    } else if let Ok(list) = given.cast::<PyList>() {
        if list.len() != N {
            return Err(wrong());
        }
        for (i, item) in list.iter().enumerate() {
            found[i] = number(name, &item)?;
        }
    } else if given.hasattr("tolist")? {
        let list = given.call_method0("tolist")?;
        if list.cast::<PyList>().is_err() {
            return Err(wrong());
        }
        return numbers(name, &list);
    } else {
        return Err(wrong());
    }
    Ok(found)
}

/// A vector.
pub(crate) fn vec3(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec3> {
    Ok(Vec3::from_array(numbers::<3>(name, given)?))
}

/// A unit quaternion w, x, y, z.
pub(crate) fn quaternion(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Quat> {
    Ok(orientation::from_wxyz(numbers::<4>(name, given)?))
}

/// Three numbers as an array.
pub(crate) fn array3(py: Python<'_>, vector: Vec3) -> Bound<'_, PyArray1<f64>> {
    PyArray1::from_slice(py, &vector.to_array())
}

/// A table of numbers as an array.
pub(crate) fn table(
    py: Python<'_>,
    rows: usize,
    columns: usize,
    numbers: Vec<f64>,
) -> PyResult<Bound<'_, PyArray2<f64>>> {
    PyArray1::from_vec(py, numbers).reshape([rows, columns])
}

/// The state of a body as 13 numbers.
pub(crate) fn state_of(world: &World, handle: BodyHandle) -> [f64; STATE] {
    let Ok(view) = world.body(handle) else { return [f64::NAN; STATE] };
    let (state, frame) = (view.state, view.body.frame(view.state));
    let (p, q, v, w) = (frame.position, state.orientation, state.velocity, state.angular_velocity);
    [p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z]
}

/// Rows of numbers for `rows` worlds: an array whose first axis is the worlds, or one value for all.
pub(crate) fn rows(name: &str, given: &Bound<'_, PyAny>, rows: usize) -> PyResult<Vec<Vec<f64>>> {
    let numpy = given.py().import("numpy")?;
    let array = numpy
        .call_method1("asarray", (given, "float64"))
        .map_err(|error| PyTypeError::new_err(format!("{name} must be an array of numbers: {error}")))?;
    let array: PyReadonlyArrayDyn<'_, f64> = array.extract()?;
    let shape = array.shape().to_vec();
    let flat: Vec<f64> = array.as_array().iter().copied().collect();
    match shape.as_slice() {
        [] => Ok(vec![flat; rows]),
        [first, rest @ ..] if *first == rows => {
            let width: usize = rest.iter().product();
            Ok((0..rows).map(|row| flat[row * width..][..width].to_vec()).collect())
        }
        _ => Err(PyValueError::new_err(format!(
            "{name} must have one row for each of the {rows} worlds, or be a single number; its shape is {shape:?}"
        ))),
    }
}

/// A value of Python as one of a scene file. `None` stands for a key that is left out.
pub(crate) fn value(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
    let list = |items: Vec<Bound<'_, PyAny>>| -> PyResult<Option<Value>> {
        let values = items.iter().map(|item| value(name, item)).collect::<PyResult<Vec<_>>>()?;
        Ok(Some(Value::Array(values.into_iter().flatten().collect())))
    };
    if given.is_none() {
        return Ok(None);
    }
    if given.is_instance_of::<PyBool>() {
        return Ok(Some(Value::Boolean(given.extract()?)));
    }
    if given.is_instance_of::<PyFloat>() {
        return Ok(Some(Value::Float(given.extract()?)));
    }
    if given.is_instance_of::<PyInt>() {
        return Ok(Some(Value::Integer(given.extract()?)));
    }
    if given.is_instance_of::<PyString>() {
        return Ok(Some(Value::String(given.extract()?)));
    }
    if let Ok(items) = given.cast::<PyTuple>() {
        return list(items.iter().collect());
    }
    if let Ok(items) = given.cast::<PyList>() {
        return list(items.iter().collect());
    }
    if let Ok(dict) = given.cast::<PyDict>() {
        return Ok(Some(Value::Table(keys(dict)?)));
    }
    if given.hasattr("tolist")? {
        return value(name, &given.call_method0("tolist")?);
    }
    // Bodies and joints stand for their names.
    if given.hasattr("name")? {
        return value(name, &given.getattr("name")?);
    }
    Err(PyTypeError::new_err(format!("`{name}` cannot be {}", shown(given))))
}

/// Keyword arguments as a table of a scene file. `spin` is another word for `angular_velocity`, and an orientation may be a
/// quaternion w, x, y, z.
pub(crate) fn keys(given: &Bound<'_, PyDict>) -> PyResult<toml::Table> {
    let mut table = toml::Table::new();
    for (key, item) in given.iter() {
        let key: String = key.extract()?;
        let Some(mut found) = value(&key, &item)? else { continue };
        if let ("orientation" | "target", Value::Array(items)) = (key.as_str(), &found) {
            let [w, x, y, z] = items.as_slice() else {
                return Err(PyValueError::new_err(format!(
                    "`{key}` must be a quaternion (w, x, y, z) or a dict such as {{'axis': (0, 0, 1), 'angle_deg': 90}}, got {}",
                    shown(&item)
                )));
            };
            let parts = [("w", w), ("x", x), ("y", y), ("z", z)];
            found = Value::Table(
                parts.map(|(name, number)| (name.to_owned(), number.clone())).into_iter().collect(),
            );
        }
        let key = if key == "spin" { "angular_velocity".to_owned() } else { key };
        if table.insert(key.clone(), found).is_some() {
            return Err(PyTypeError::new_err(format!("`{key}` is given twice")));
        }
    }
    Ok(table)
}
