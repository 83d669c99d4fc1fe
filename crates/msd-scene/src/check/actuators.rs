//! Checks of one actuator.

use super::Context;
use crate::error::Finding;
use crate::model::Actuator;
use crate::source::Path;

pub(crate) fn actuator(actuator: &Actuator, at: &Path, context: &Context, found: &mut Vec<Finding>) {
    let subject = format!("actuator `{}`", actuator.name);
    if actuator.name.is_empty() {
        let message = "an actuator has an empty name";
        found.push(Finding::at(&at.key("name"), message, "expected a printable name"));
    }
    match (&actuator.coupling, actuator.joint.is_empty()) {
        (Some(coupling), true) => context.known_coupling(&subject, coupling, &at.key("coupling"), found),
        (None, false) => context.known_axis(&subject, &actuator.joint, &at.key("joint"), found),
        (given, _) => {
            let both = if given.is_some() {
                "both `joint` and `coupling`"
            } else {
                "neither `joint` nor `coupling`"
            };
            found.push(Finding::at(at, format!("{subject}: it has {both}"), "expected one of them"));
        }
    }
    for (key, given, kinds) in actuator.of_kinds() {
        if given && !kinds.contains(&actuator.kind) {
            let kinds: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
            let message =
                format!("{subject}: `{key}` says nothing about a {} actuator", actuator.kind.as_str());
            let expected = format!("expected `type = \"{}\"` with it", kinds.join("\"` or `\""));
            found.push(Finding::at(&at.key(key), message, expected).at_key());
        }
    }
    for (key, range) in [("control_range", actuator.control_range), ("force_range", actuator.force_range)] {
        if let Some([low, high]) = range.filter(|[low, high]| low > high) {
            let message = format!("{subject}: its `{key}` goes from {low} to {high}");
            found.push(Finding::at(&at.key(key), message, "expected [lower, upper]"));
        }
    }
}
