//! Values of a scene by path, such as `body.chaser.velocity.x`, for sweeps and batches.
//!
//! | path | part |
//! |---|---|
//! | `world.<key>` | settings of the world |
//! | `material.<name>.<key>`, `body.<name>.<key>`, `joint.<name>.<key>`, `actuator.<name>.<key>` | the part of that name |
//! | `field.<number>.<key>`, `agent.<number>.<key>` | by position in the file, from 0 |
//!
//! Keys are those of scene files. A component of a vector is `x`, `y`, `z` or a number from 0; a key of a table in a table follows
//! after a dot (`body.a.shape.box.size.z`).

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use toml::Value;

use crate::grammar::{near_name, one_of};
use crate::model::Scene;

/// A path that leads to nothing that can be set, or a value that does not fit there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{path}`: {problem}")]
pub struct VaryError {
    /// The path, as given.
    pub path: String,
    /// The problem and its remedy.
    pub problem: String,
}

const PARTS: [&str; 7] = ["world", "material", "body", "joint", "actuator", "field", "agent"];

impl Scene {
    /// Sets the value that a path names: one number, or as many as the vector there has components. The scene is checked as a whole
    /// when it is built.
    ///
    /// ```
    /// # use msd_scene::{Scene, model::Body};
    /// let mut scene = Scene { body: vec![Body::new("chaser")], ..Scene::default() };
    /// scene.set("body.chaser.velocity.x", &[0.05])?;
    /// scene.set("body.chaser.position", &[0.0, 0.0, 2.0])?;
    /// assert_eq!((scene.body[0].velocity, scene.body[0].position[2]), ([0.05, 0.0, 0.0], 2.0));
    /// # Ok::<(), msd_scene::VaryError>(())
    /// ```
    ///
    /// # Errors
    /// If the path leads nowhere or the value does not fit; the scene is then as it was.
    pub fn set(&mut self, path: &str, value: &[f64]) -> Result<(), VaryError> {
        let fail = |problem: String| VaryError { path: path.to_owned(), problem };
        if let Some(bad) = value.iter().find(|number| !number.is_finite()) {
            return Err(fail(format!("{bad} is not a finite number")));
        }
        let new = match value {
            [number] => Value::Float(*number),
            numbers => Value::Array(numbers.iter().map(|number| Value::Float(*number)).collect()),
        };
        let (part, rest) = path.split_once('.').unwrap_or((path, ""));
        match part {
            "world" => replace(&mut self.world, rest, new).map_err(fail),
            "material" => {
                let names: Vec<String> = self.material.keys().cloned().collect();
                let (index, key) = named(&names, rest).map_err(fail)?;
                match self.material.get_mut(&names[index]) {
                    Some(material) => replace(material, key, new).map_err(fail),
                    None => Err(fail("there is no such material".to_owned())),
                }
            }
            "body" => {
                let (index, key) = named(self.body.iter().map(|body| &body.name), rest).map_err(fail)?;
                replace(&mut self.body[index], key, new).map_err(fail)
            }
            "joint" => {
                let (index, key) = named(self.joint.iter().map(|joint| joint.name()), rest).map_err(fail)?;
                replace(&mut self.joint[index], key, new).map_err(fail)
            }
            "actuator" => {
                let names = self.actuator.iter().map(|actuator| &actuator.name);
                let (index, key) = named(names, rest).map_err(fail)?;
                replace(&mut self.actuator[index], key, new).map_err(fail)
            }
            "field" => {
                let (index, key) = numbered(self.field.len(), rest).map_err(fail)?;
                replace(&mut self.field[index], key, new).map_err(fail)
            }
            "agent" => {
                let (index, key) = numbered(self.agent.len(), rest).map_err(fail)?;
                replace(&mut self.agent[index], key, new).map_err(fail)
            }
            other => Err(fail(format!(
                "a path begins with {}, not `{other}`; for example `body.ball.velocity.x`",
                one_of(PARTS)
            ))),
        }
    }
}

/// The named part that a path begins with, and the rest; names may contain dots, so the longest match is used.
fn named(names: impl IntoIterator<Item = impl AsRef<str>>, path: &str) -> Result<(usize, &str), String> {
    let names: Vec<String> = names.into_iter().map(|name| name.as_ref().to_owned()).collect();
    let rest = |name: &str| path.strip_prefix(name)?.strip_prefix('.');
    let fitting = names.iter().enumerate().filter_map(|(i, name)| Some((i, name.len(), rest(name)?)));
    if let Some((index, _, key)) = fitting.max_by_key(|(_, length, _)| *length) {
        return Ok((index, key));
    }
    let wanted = path.split('.').next().unwrap_or(path);
    let known = names.iter().map(String::as_str);
    Err(match near_name(wanted, known.clone()) {
        Some(near) if near == wanted => format!("say which key of `{wanted}` is meant"),
        Some(near) => format!("there is no `{wanted}`; did you mean `{near}`?"),
        None => format!("there is no `{wanted}`; expected {}", one_of(known.take(12))),
    })
}

fn numbered(count: usize, path: &str) -> Result<(usize, &str), String> {
    let (number, key) = path.split_once('.').unwrap_or((path, ""));
    match number.parse::<usize>() {
        Ok(index) if index < count => Ok((index, key)),
        _ => Err(format!("expected a number below {count}, the position in the scene, not `{number}`")),
    }
}

/// Sets a value of a part of the scene, by the way of its TOML form.
fn replace<T: Serialize + DeserializeOwned>(part: &mut T, path: &str, new: Value) -> Result<(), String> {
    if path.is_empty() {
        return Err("say which key is meant".to_owned());
    }
    let mut tree = Value::try_from(&*part).map_err(|error| error.to_string())?;
    place(&mut tree, path, new)?;
    *part = tree.try_into().map_err(|error: toml::de::Error| error.message().trim().to_owned())?;
    Ok(())
}

fn place(tree: &mut Value, path: &str, new: Value) -> Result<(), String> {
    let (key, rest) = path.split_once('.').unwrap_or((path, ""));
    match tree {
        Value::Table(table) if rest.is_empty() => {
            let like_before = match (table.get(key), &new) {
                (Some(Value::Integer(_)), Value::Float(number)) if number.fract() == 0.0 => {
                    Value::Integer(*number as i64)
                }
                _ => new,
            };
            table.insert(key.to_owned(), like_before);
            Ok(())
        }
        Value::Table(table) => {
            // A vector that is left out is zero.
            let zero = || Value::Array(vec![Value::Float(0.0); 3]);
            let unsaid = component(rest).is_some() && !table.contains_key(key);
            let known: Vec<String> = table.keys().cloned().collect();
            match table.get_mut(key) {
                Some(inner) => place(inner, rest, new),
                None if unsaid => {
                    let mut vector = zero();
                    place(&mut vector, rest, new)?;
                    table.insert(key.to_owned(), vector);
                    Ok(())
                }
                None => Err(format!(
                    "there is no `{key}` here; expected {}",
                    one_of(known.iter().map(String::as_str))
                )),
            }
        }
        Value::Array(items) => {
            let count = items.len();
            let found = component(key).and_then(|index| items.get_mut(index));
            match found {
                Some(item) if rest.is_empty() => {
                    *item = new;
                    Ok(())
                }
                Some(item) => place(item, rest, new),
                None => Err(format!(
                    "`{key}` is no component of a list of {count}; expected x, y, z or a number from 0"
                )),
            }
        }
        _ => Err(format!("nothing follows after a single value, but `{path}` does")),
    }
}

fn component(key: &str) -> Option<usize> {
    match key {
        "x" => Some(0),
        "y" => Some(1),
        "z" => Some(2),
        number => number.parse().ok(),
    }
}
