//! Checks of one coupling.

use super::Context;
use crate::error::Finding;
use crate::model::Coupling;
use crate::source::Path;

pub(crate) fn coupling(coupling: &Coupling, at: &Path, context: &Context, found: &mut Vec<Finding>) {
    let subject = format!("coupling `{}`", coupling.name);
    if coupling.name.is_empty() {
        let message = "a coupling has an empty name";
        found.push(Finding::at(&at.key("name"), message, "expected a printable name"));
    }
    if coupling.joints.is_empty() {
        let message = format!("{subject}: it has no joints");
        found.push(Finding::at(&at.key("joints"), message, "expected names of hinges and sliders"));
    }
    for (i, joint) in coupling.joints.iter().enumerate() {
        let here = at.key("joints").index(i);
        context.known_axis(&subject, joint, &here, found);
        if coupling.joints[..i].contains(joint) {
            found.push(Finding::at(
                &here,
                format!("{subject}: `{joint}` is there twice"),
                "expected it once",
            ));
        }
    }
    let (factors, polynomials) = (coupling.factors.len(), coupling.polynomials.len());
    if factors > 0 && polynomials > 0 {
        let message = format!("{subject}: it has both `factors` and `polynomials`");
        found.push(Finding::at(&at.key("polynomials"), message, "expected one of them").at_key());
    } else if factors + polynomials != coupling.joints.len() {
        let (joints, numbers) = (coupling.joints.len(), factors + polynomials);
        let message = format!("{subject}: it has {numbers} factors or polynomials for {joints} joints");
        found.push(Finding::at(at, message, "expected `factors`, one for each joint"));
    }
    for (i, polynomial) in coupling.polynomials.iter().enumerate() {
        if polynomial.len() > 5 {
            let message = format!("{subject}: a polynomial has {} coefficients", polynomial.len());
            found.push(Finding::at(&at.key("polynomials").index(i), message, "expected at most 5"));
        }
    }
    if let Some([low, high]) = coupling.limits.filter(|[low, high]| low >= high) {
        let message = format!("{subject}: its `limits` go from {low} to {high}");
        found.push(Finding::at(&at.key("limits"), message, "expected [lower, upper]"));
    }
}
