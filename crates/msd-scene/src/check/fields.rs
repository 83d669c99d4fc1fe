//! Checks of one field.

use super::joints::ends;
use super::{Context, direction};
use crate::error::Finding;
use crate::model::{Field, Thruster};
use crate::source::Path;

pub(crate) fn field(field: &Field, at: &Path, context: &Context, found: &mut Vec<Finding>) {
    let subject = format!("field `{}`", field.type_name());
    context.known_bodies(&subject, field.bodies(), at, found);
    match field {
        Field::Spring(spring) => ends(&subject, [&spring.a, &spring.b], at, context, found),
        Field::Damper(damper) => ends(&subject, [&damper.a, &damper.b], at, context, found),
        Field::PointGravity(gravity) if gravity.j2.is_some() != gravity.radius.is_some() => {
            let message = format!("{subject}: `j2` and `radius` belong together");
            found.push(Finding::at(at, message, "expected both or neither"));
        }
        Field::Drag(drag) if drag.radius.is_some() && drag.scale_height.is_none() => {
            let message = format!("{subject}: air around a planet of a `radius` thins out");
            found.push(Finding::at(&at.key("radius"), message, "expected `scale_height` too").at_key());
        }
        Field::MagneticDipole(magnet) if magnet.flux_density.is_some() == magnet.source_moment.is_some() => {
            let message = format!("{subject}: it must be said where the magnetic field comes from");
            found.push(Finding::at(
                at,
                message,
                "expected exactly one of `flux_density` and `source_moment`",
            ));
        }
        Field::Thruster(thruster) => self::thruster(thruster, &subject, at, context, found),
        _ => {}
    }
}

fn thruster(thruster: &Thruster, subject: &str, at: &Path, context: &Context, found: &mut Vec<Finding>) {
    context.dynamic_body(subject, &thruster.body, &at.key("body"), found);
    direction(subject, "direction", &thruster.direction, at, found);
    span(subject, thruster.from, thruster.until, at, found);
    match (thruster.thrust, thruster.mass_flow, thruster.exhaust_velocity) {
        (Some(_), None, None) | (None, Some(_), Some(_)) => {}
        _ => {
            let message = format!("{subject}: it must be said how hard it pushes");
            let expected = "expected either `thrust`, or `mass_flow` and `exhaust_velocity`";
            found.push(Finding::at(at, message, expected));
        }
    }
}

/// A span of time that is one.
pub(super) fn span(subject: &str, from: f64, until: f64, at: &Path, found: &mut Vec<Finding>) {
    if from >= until {
        let message = format!("{subject}: it ends at {until} s, before it begins at {from} s");
        found.push(Finding::at(&at.key("until"), message, "expected `until` after `from`"));
    }
}
