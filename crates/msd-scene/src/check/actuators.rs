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
    context.known_axis(&subject, &actuator.joint, &at.key("joint"), found);
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
