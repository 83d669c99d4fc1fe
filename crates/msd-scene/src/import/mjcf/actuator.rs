//! `<actuator>`: forces on joints that follow a control.
//!
//! MuJoCo's actuators are `f = gain u + b₀ + b₁ l + b₂ l̇` along a transmission of length `l = gear q`, which is what scenes have.
//! Shortcuts (`motor`, `position`, `velocity`) set gain and bias. A filter (`timeconst`, or `dyntype` `filter` and `filterexact`)
//! is advanced exactly here, by Euler's method there for `filter`.

use std::collections::BTreeSet;

use super::Model;
use super::defaults::Styled;
use crate::import::mechanism::{Assembled, Mechanism};
use crate::import::xml::Element;
use crate::model::{Actuator, ActuatorKind};

/// Sections whose elements name joints that must stay joints of their own.
const NAMING: [&str; 4] = ["actuator", "sensor", "equality", "tendon"];

/// Names in the file of joints that actuators and others refer to.
///
/// A model with keyframes refers to all of its joints.
pub(super) fn named_joints(root: &Element) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    if root.child("keyframe").is_some() {
        root.child("worldbody").into_iter().for_each(|body| all_joints(body, &mut names));
    }
    for section in root.children().filter(|section| NAMING.contains(&section.name.as_str())) {
        let inner = section.children().flat_map(|element| element.children().chain([element]));
        for element in inner {
            for attribute in ["joint", "joint1", "joint2", "jointinparent"] {
                names.extend(element.attribute(attribute).map(|attribute| attribute.value.clone()));
            }
        }
    }
    names
}

fn all_joints(body: &Element, names: &mut BTreeSet<String>) {
    for child in body.children() {
        if child.name == "joint" {
            names.extend(child.attribute("name").map(|name| name.value.clone()));
        }
        all_joints(child, names);
    }
}

pub(super) fn add(root: &Element, model: &Model<'_, '_>, mechanism: &Mechanism, assembled: &mut Assembled) {
    for section in root.named("actuator") {
        section.imported();
        for element in section.children() {
            match element.name.as_str() {
                "motor" | "position" | "velocity" | "general" => {
                    let styled = model.defaults.styled(element, None, model.context.problems);
                    let before = assembled.actuators.len();
                    read(&styled, model, mechanism, assembled);
                    let name = assembled.actuators.get(before).map(|actuator| actuator.name.clone());
                    assembled.actuator_order.push(name);
                }
                _ => {
                    element.ignored("this kind of actuator is not simulated");
                    assembled.actuator_order.push(None);
                }
            }
        }
    }
    // The bound of a joint on all its actuators together is that of its only one.
    for i in 0..assembled.actuators.len() {
        let (joint, gear) = (assembled.actuators[i].joint.clone(), assembled.actuators[i].gear);
        let Some((_, range)) = assembled.actuator_ranges.iter().find(|(name, _)| *name == joint) else {
            continue;
        };
        if assembled.actuators.iter().filter(|other| other.joint == joint).count() == 1 && gear != 0.0 {
            let [a, b] = range.map(|bound| bound / gear);
            let (low, high) = if a < b { (a, b) } else { (b, a) };
            let own = assembled.actuators[i].force_range.unwrap_or([low, high]);
            assembled.actuators[i].force_range = Some([own[0].max(low), own[1].min(high)]);
        }
    }
}

fn read(styled: &Styled<'_>, model: &Model<'_, '_>, mechanism: &Mechanism, assembled: &mut Assembled) {
    let (element, problems) = (styled.element, model.context.problems);
    element.imported();
    element.skip(&["class", "group", "user", "lengthrange"]);
    let Some(Transmission { of, joints, limits, coupling }) = transmission(element, model, assembled) else {
        return;
    };
    let name = element.text("name").map_or_else(|| of.clone(), |name| model.context.named(name));
    let joint = if coupling { "" } else { of.as_str() };
    let mut actuator = Actuator::new(&unused(&name, assembled), joint);
    actuator.coupling = coupling.then(|| of.clone());
    actuator.kind = match element.name.as_str() {
        "motor" => ActuatorKind::Motor,
        "position" => ActuatorKind::Position,
        "velocity" => ActuatorKind::Velocity,
        _ => ActuatorKind::General,
    };
    let gear = styled.list("gear", problems).unwrap_or_default();
    actuator.gear = gear.first().copied().unwrap_or(1.0);
    match actuator.kind {
        ActuatorKind::Position => {
            actuator.kp = Some(styled.number("kp", problems).unwrap_or(1.0));
            actuator.kv = styled.number("kv", problems);
            let ratio = styled.number("dampratio", problems).filter(|ratio| *ratio > 0.0);
            if let (Some(ratio), Some(kp)) = (ratio, actuator.kp) {
                // Critical damping is that of the inertia that the actuator feels.
                let inertia = mechanism.effective_inertia(&joints_of(&joints)).unwrap_or(0.0);
                actuator.kv = Some(2.0 * ratio * (kp * inertia).sqrt() / actuator.gear.abs());
            }
        }
        ActuatorKind::Velocity => actuator.kv = Some(styled.number("kv", problems).unwrap_or(1.0)),
        ActuatorKind::General => {
            if !general(styled, model, &mut actuator) {
                return;
            }
        }
        ActuatorKind::Motor => {}
    }
    if let Some(time) = styled.number("timeconst", problems).filter(|time| *time > 0.0) {
        actuator.time_constant = time;
    }
    actuator.control_range = range(styled, model, "ctrlrange", "ctrllimited");
    if let Some(share) = styled.number("inheritrange", problems).filter(|share| *share > 0.0) {
        match limits {
            Some([low, high]) => {
                let (middle, half) = (0.5 * (low + high), 0.5 * share * (high - low));
                actuator.control_range = Some([middle - half, middle + half]);
            }
            None => element.approximated("`inheritrange` without a range of what it drives"),
        }
    }
    actuator.force_range = range(styled, model, "forcerange", "forcelimited");
    assembled.add_actuator(actuator, &element.place);
}

/// What an actuator pulls along.
struct Transmission {
    /// Name of the joint or of the coupling.
    of: String,
    /// Joints with their factors.
    joints: Vec<(String, f64)>,
    limits: Option<[f64; 2]>,
    coupling: bool,
}

fn joints_of(joints: &[(String, f64)]) -> Vec<(&str, f64)> {
    joints.iter().map(|(name, factor)| (name.as_str(), *factor)).collect()
}

/// The joint or fixed tendon of an actuator; `None`, with a note, if it is none that is simulated.
fn transmission(element: &Element, model: &Model<'_, '_>, assembled: &Assembled) -> Option<Transmission> {
    if let Some(tendon) = element.text("tendon") {
        let of = model.context.named(tendon);
        let Some(coupling) = assembled.couplings.iter().find(|coupling| coupling.name == of) else {
            element.ignored(format!("the tendon `{tendon}` is not simulated"));
            return None;
        };
        let joints = coupling.joints.iter().cloned().zip(coupling.factors.iter().copied()).collect();
        return Some(Transmission { of, joints, limits: coupling.limits, coupling: true });
    }
    let Some(joint) = element.text("joint") else {
        element.ignored("only actuators on joints and fixed tendons are simulated");
        return None;
    };
    let joint = model.context.named(joint);
    let Some(axis) = assembled.axis_joint(&joint) else {
        element.ignored(format!("`{joint}` is no joint that turns or slides"));
        return None;
    };
    let joints = vec![(joint.clone(), 1.0)];
    Some(Transmission { of: joint, joints, limits: axis.limits, coupling: false })
}

/// Gain, bias and filter of a `<general>`; false if it is not simulated.
fn general(styled: &Styled<'_>, model: &Model<'_, '_>, actuator: &mut Actuator) -> bool {
    let (element, problems) = (styled.element, model.context.problems);
    let list = |name: &str| styled.list(name, problems).unwrap_or_default();
    let at = |list: &[f64], i: usize, default: f64| list.get(i).copied().unwrap_or(default);
    let gain = list("gainprm");
    match styled.text("gaintype") {
        None | Some("fixed") => {}
        Some("affine") if at(&gain, 1, 0.0) == 0.0 && at(&gain, 2, 0.0) == 0.0 => {}
        Some(other) => {
            element.ignored(format!("a gain of type `{other}` is not simulated"));
            return false;
        }
    }
    actuator.gain = Some(at(&gain, 0, 1.0));
    let bias = list("biasprm");
    match styled.text("biastype") {
        None | Some("none") => {}
        Some("affine") => actuator.bias = Some([0, 1, 2].map(|i| at(&bias, i, 0.0))),
        Some(other) => {
            element.ignored(format!("a bias of type `{other}` is not simulated"));
            return false;
        }
    }
    match styled.text("dyntype") {
        None | Some("none") => {}
        Some("filter" | "filterexact") => {
            actuator.time_constant = at(&list("dynprm"), 0, 1.0);
        }
        Some(other) => {
            element.ignored(format!("dynamics of type `{other}` are not simulated"));
            return false;
        }
    }
    true
}

/// A range, where the element says that it holds.
fn range(styled: &Styled<'_>, model: &Model<'_, '_>, what: &str, limited: &str) -> Option<[f64; 2]> {
    let given = styled.array::<2>(what, model.context.problems);
    match styled.text(limited) {
        Some("true") => given,
        Some("false") => None,
        _ => given.filter(|_| model.compiler.autolimits),
    }
}

/// The name, or one with a number where it is taken.
fn unused(name: &str, assembled: &Assembled) -> String {
    let taken = |name: &str| assembled.actuators.iter().any(|actuator| actuator.name == name);
    if !taken(name) {
        return name.to_owned();
    }
    (2..).map(|i| format!("{name} {i}")).find(|name| !taken(name)).unwrap_or_else(|| name.to_owned())
}
