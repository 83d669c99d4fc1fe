//! Semantic checks: names that must exist, values that depend on each other, impossible inertia.
//!
//! Each check reads one part of a scene and appends its findings, so that one broken part does not hide
//! another.

mod actuators;
mod agents;
mod bodies;
mod couplings;
mod fields;
mod imports;
mod joints;

use crate::error::Finding;
use crate::files::FileAccess;
use crate::grammar::{near_name, one_of};
use crate::model::{BodyKind, Scene};
use crate::source::Path;

pub(crate) use actuators::actuator;
pub(crate) use agents::agent;
pub(crate) use bodies::body;
pub(crate) use couplings::coupling;
pub(crate) use fields::field;
pub(crate) use imports::import;
pub(crate) use joints::joint;

/// The names that a part of a scene may refer to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Context {
    pub(crate) bodies: Vec<(String, BodyKind)>,
    pub(crate) materials: Vec<String>,
    /// Joints, and whether they leave one axis free.
    pub(crate) joints: Vec<(String, bool)>,
    /// Joints that others are carried by: name, ends, and what carries it.
    pub(crate) axes: Vec<(String, [String; 2], Option<String>)>,
    pub(crate) couplings: Vec<String>,
    pub(crate) actuators: Vec<String>,
    pub(crate) files: FileAccess,
    /// True while a part is checked that was not read whole.
    pub(crate) partial: bool,
}

impl Context {
    pub(crate) fn of(scene: &Scene) -> Self {
        Self {
            bodies: scene.body.iter().map(|body| (body.name.clone(), body.kind)).collect(),
            materials: scene.material.keys().cloned().collect(),
            joints: scene.joint.iter().map(|joint| (joint.name().to_owned(), joint.has_axis())).collect(),
            axes: scene
                .joint
                .iter()
                .filter_map(|joint| joint.as_axis())
                .map(|(axis, _)| (axis.name.clone(), [axis.a.clone(), axis.b.clone()], axis.after.clone()))
                .collect(),
            couplings: scene.coupling.iter().map(|coupling| coupling.name.clone()).collect(),
            actuators: scene.actuator.iter().map(|actuator| actuator.name.clone()).collect(),
            files: scene.files.clone(),
            partial: false,
        }
    }

    fn kind_of(&self, body: &str) -> Option<BodyKind> {
        self.bodies.iter().find(|(name, _)| name == body).map(|(_, kind)| *kind)
    }

    /// A body that must exist; `others` are names that would also have been right.
    fn known_body(
        &self,
        subject: &str,
        name: &str,
        others: Option<&'static str>,
        at: &Path,
        found: &mut Vec<Finding>,
    ) -> Option<BodyKind> {
        let kind = self.kind_of(name);
        if kind.is_none() {
            let mut names: Vec<&str> = self.bodies.iter().map(|(name, _)| name.as_str()).collect();
            names.dedup();
            found.push(unknown_name(subject, "body", name, names.into_iter().chain(others), at));
        }
        kind
    }

    /// A hinge or slider that must exist.
    fn known_axis(&self, subject: &str, name: &str, at: &Path, found: &mut Vec<Finding>) {
        match self.joints.iter().find(|(known, _)| known == name) {
            Some((_, true)) => {}
            Some((_, false)) => {
                let message = format!("{subject}: the joint `{name}` has no axis of its own");
                found.push(Finding::at(at, message, "expected the name of a hinge or slider"));
            }
            None => {
                let names = self.joints.iter().map(|(name, _)| name.as_str());
                found.push(unknown_name(subject, "joint", name, names, at));
            }
        }
    }

    /// A coupling that must exist.
    fn known_coupling(&self, subject: &str, name: &str, at: &Path, found: &mut Vec<Finding>) {
        if !self.couplings.iter().any(|known| known == name) {
            let names = self.couplings.iter().map(String::as_str);
            found.push(unknown_name(subject, "coupling", name, names, at));
        }
    }

    /// An actuator that must exist.
    fn known_actuator(&self, subject: &str, name: &str, at: &Path, found: &mut Vec<Finding>) {
        if !self.actuators.iter().any(|known| known == name) {
            let names = self.actuators.iter().map(String::as_str);
            found.push(unknown_name(subject, "actuator", name, names, at));
        }
    }

    /// A body that must exist and be moved by forces.
    fn dynamic_body(&self, subject: &str, name: &str, at: &Path, found: &mut Vec<Finding>) {
        match self.known_body(subject, name, None, at, found) {
            None | Some(BodyKind::Dynamic) => {}
            Some(_) => {
                let message = format!("{subject}: no force moves the body `{name}`");
                found.push(Finding::at(at, message, "expected the name of a dynamic body"));
            }
        }
    }

    /// Bodies that must exist.
    fn known_bodies(&self, subject: &str, names: Option<&Vec<String>>, at: &Path, found: &mut Vec<Finding>) {
        for (i, name) in names.into_iter().flatten().enumerate() {
            self.dynamic_body(subject, name, &at.key("bodies").index(i), found);
        }
    }
}

fn unknown_name<'n>(
    subject: &str,
    what: &str,
    name: &str,
    known: impl Iterator<Item = &'n str>,
    at: &Path,
) -> Finding {
    let known: Vec<&str> = known.collect();
    let message = format!("{subject}: there is no {what} named `{name}`");
    match near_name(name, known.iter().copied()) {
        Some(near) => Finding::at(at, message, format!("did you mean `{near}`?")),
        None if known.is_empty() => Finding::at(at, message, format!("the scene has no {what} with a name")),
        None if known.len() <= 12 => Finding::at(at, message, format!("expected {}", one_of(known))),
        None => Finding::at(at, message, format!("expected one of the scene's {} names", known.len())),
    }
}

fn is_zero(vector: &[f64; 3]) -> bool {
    *vector == [0.0; 3]
}

/// A direction that must have one.
fn direction(subject: &str, key: &str, vector: &[f64; 3], at: &Path, found: &mut Vec<Finding>) {
    if is_zero(vector) {
        let message = format!("{subject}: `{key}` has no direction");
        found.push(Finding::at(&at.key(key), message, "expected a vector that is not zero"));
    }
}

/// Every problem of a scene that a program made.
pub(crate) fn scene(scene: &Scene) -> Vec<Finding> {
    let context = Context::of(scene);
    let mut found = Vec::new();
    let root = Path::root();
    fn each<T>(
        items: &[T],
        at: &Path,
        context: &Context,
        found: &mut Vec<Finding>,
        check: impl Fn(&T, &Path, &Context, &mut Vec<Finding>),
    ) {
        items.iter().enumerate().for_each(|(i, item)| check(item, &at.index(i), context, found));
    }
    each(&scene.body, &root.key("body"), &context, &mut found, body);
    each(&scene.joint, &root.key("joint"), &context, &mut found, joint);
    each(&scene.coupling, &root.key("coupling"), &context, &mut found, coupling);
    each(&scene.actuator, &root.key("actuator"), &context, &mut found, actuator);
    each(&scene.field, &root.key("field"), &context, &mut found, field);
    each(&scene.agent, &root.key("agent"), &context, &mut found, agent);
    found
}
