//! Checks of one joint.

use msd::physics::constraints::MAX_SEQUENCE;

use super::{Context, direction};
use crate::error::Finding;
use crate::model::{AxisJoint, BodyKind, Joint};
use crate::source::Path;

pub(crate) fn joint(joint: &Joint, at: &Path, context: &Context, found: &mut Vec<Finding>) {
    let subject = format!("joint `{}`", joint.name());
    if joint.name().is_empty() {
        found.push(Finding::at(&at.key("name"), "a joint has an empty name", "expected a printable name"));
    }
    ends(&subject, joint.ends(), at, context, found);
    match joint {
        Joint::Fixed(_) | Joint::Ball(_) => {}
        Joint::Hinge(joint) | Joint::Slider(joint) => {
            axis(joint, &subject, at, found);
            after(joint, &subject, at, context, found);
        }
        Joint::Universal(universal) => {
            direction(&subject, "axis", &universal.axis, at, found);
            if let Some(second) = &universal.axis_b {
                direction(&subject, "axis_b", second, at, found);
            }
        }
        Joint::Latch(_) => {
            for (name, key) in joint.ends().iter().zip(["a", "b"]) {
                if *name == "world" {
                    let message = format!("{subject}: a latch is between two bodies");
                    found.push(Finding::at(&at.key(key), message, "expected the name of a body"));
                }
            }
        }
        Joint::Distance(rod) | Joint::Rope(rod) => {
            if rod.anchor_a == rod.anchor_b {
                let message = format!("{subject}: both ends are at the same point");
                found.push(Finding::at(&at.key("anchor_b"), message, "expected two different points"));
            }
        }
        Joint::Spring(spring) => {
            anchors(&subject, spring.anchor, [spring.anchor_a, spring.anchor_b], at, found);
        }
    }
}

/// The two ends exist, differ, and at least one of them moves.
pub(super) fn ends(subject: &str, names: [&str; 2], at: &Path, context: &Context, found: &mut Vec<Finding>) {
    let mut kinds = [Some(BodyKind::Static); 2];
    for ((name, key), kind) in names.iter().zip(["a", "b"]).zip(&mut kinds) {
        if *name != "world" {
            *kind = context.known_body(subject, name, Some("world"), &at.key(key), found);
        }
    }
    if names[0] == names[1] {
        let message = format!("{subject}: both ends are `{}`", names[0]);
        found.push(Finding::at(&at.key("b"), message, "expected another body, or \"world\""));
    } else if kinds.iter().all(|kind| kind.is_some_and(|kind| kind != BodyKind::Dynamic)) {
        let message = format!("{subject}: no force moves `{}` or `{}`", names[0], names[1]);
        found.push(Finding::at(at, message, "expected at least one dynamic body"));
    }
}

fn axis(joint: &AxisJoint, subject: &str, at: &Path, found: &mut Vec<Finding>) {
    direction(subject, "axis", &joint.axis, at, found);
    if let Some([low, high]) = joint.limits
        && low > high
    {
        let message = format!("{subject}: the lower limit {low} is above the upper limit {high}");
        found.push(Finding::at(&at.key("limits"), message, "expected [lower, upper]"));
    }
}

/// A joint that another carries: between the same bodies, the only one that is carried by it, and in no circle.
fn after(joint: &AxisJoint, subject: &str, at: &Path, context: &Context, found: &mut Vec<Finding>) {
    let Some(name) = &joint.after else { return };
    let at = at.key("after");
    context.known_axis(subject, name, &at, found);
    let Some((_, ends, _)) = context.axes.iter().find(|(known, ..)| known == name) else { return };
    if *ends != [joint.a.clone(), joint.b.clone()] {
        let message = format!("{subject}: `{name}` is a joint of {} and {}", ends[0], ends[1]);
        found.push(Finding::at(&at, message, "expected a joint with the same `a` and `b`"));
    }
    if context.axes.iter().filter(|(.., after)| after.as_ref() == Some(name)).count() > 1 {
        let message = format!("{subject}: `{name}` carries more than one joint");
        found.push(Finding::at(&at, message, "expected that each joint carries one other"));
    }
    let (mut before, mut length) = (Some(name), 1);
    while let Some(name) = before {
        before = context.axes.iter().find(|(known, ..)| known == name).and_then(|(.., after)| after.as_ref());
        length += 1;
        if length > MAX_SEQUENCE + 1 || before == Some(&joint.name) {
            let message = format!("{subject}: it is one of too many joints, or carries itself");
            found.push(Finding::at(&at, message, "expected up to 5 joints that carry each other"));
            return;
        }
    }
}

/// Either one anchor for both ends or one for each.
fn anchors(
    subject: &str,
    both: Option<[f64; 3]>,
    ends: [Option<[f64; 3]>; 2],
    at: &Path,
    found: &mut Vec<Finding>,
) {
    match (both, ends) {
        (Some(_), [None, None]) | (None, [Some(_), Some(_)]) => {}
        (Some(_), _) => {
            let message = format!("{subject}: `anchor` and `anchor_a` or `anchor_b` are both given");
            let expected = "expected either `anchor`, or `anchor_a` and `anchor_b`";
            found.push(Finding::at(&at.key("anchor"), message, expected).at_key());
        }
        (None, _) => {
            let message = format!("{subject}: it is not said where its ends are");
            found.push(Finding::at(at, message, "expected `anchor_a` and `anchor_b`, or `anchor`"));
        }
    }
}
