//! Checks of one body.

use msd::environment::{World, WorldError};
use msd::math::{Mat3, Vec3};
use msd::physics::rigid_body::{Color, Inertia};

use super::{Context, direction, is_zero, unknown_name};
use crate::build;
use crate::error::Finding;
use crate::model::{Body, BodyKind, Orientation, Shape, Visual};
use crate::source::Path;

/// Checks one body, and, if nothing is wrong on paper, whether the engine takes it.
pub(crate) fn body(body: &Body, at: &Path, context: &Context, found: &mut Vec<Finding>) {
    let before = found.len();
    let subject = format!("body `{}`", body.name);
    name(body, at, found);
    heaviness(body, &subject, at, found);
    inertia(body, &subject, at, found);
    match &body.shape {
        Some(given) => shape(given, body.kind, &subject, &at.key("shape"), context, found),
        None => shapeless(body, &subject, at, found),
    }
    for (i, other) in body.ignores.iter().enumerate() {
        context.known_body(&subject, other, None, &at.key("ignores").index(i), found);
    }
    orientation(&body.orientation, &subject, &at.key("orientation"), found);
    motion(body, &subject, at, found);
    color(body.color.as_ref(), &subject, at, found);
    for (i, visual) in body.visual.iter().enumerate() {
        self::visual(visual, &subject, &at.key("visual").index(i), context, found);
    }
    if let Some(material) = &body.material
        && !context.materials.contains(material)
    {
        let known = context.materials.iter().map(String::as_str);
        found.push(unknown_name(&subject, "material", material, known, &at.key("material")));
    }
    if found.len() == before && !context.partial {
        taken_by_the_engine(body, at, context, found);
    }
}

fn name(body: &Body, at: &Path, found: &mut Vec<Finding>) {
    let at = at.key("name");
    let printable = !body.name.is_empty() && !body.name.chars().any(char::is_control);
    if !printable {
        let message = format!("the name {:?} of a body cannot be printed", body.name);
        found.push(Finding::at(&at, message, "expected a printable name"));
    } else if body.name == "world" {
        let message = "a body cannot be named `world`: joints use that name for what does not move";
        found.push(Finding::at(&at, message, "expected another name"));
    }
}

fn color(color: Option<&String>, subject: &str, at: &Path, found: &mut Vec<Finding>) {
    let Some(text) = color else { return };
    if text.parse::<Color>().is_err() {
        let message = format!("{subject}: {text:?} is no colour");
        let expected = "expected `#rrggbb` or `#rrggbbaa`, such as \"#3f7fdc\"";
        found.push(Finding::at(&at.key("color"), message, expected));
    }
}

fn visual(visual: &Visual, subject: &str, at: &Path, context: &Context, found: &mut Vec<Finding>) {
    color(visual.color.as_ref(), subject, at, found);
    orientation(&visual.orientation, subject, &at.key("orientation"), found);
    let at = at.key("shape");
    if let Shape::Plane(_) = visual.shape {
        let message = format!("{subject}: a plane cannot be drawn in the frame of a body");
        return found.push(Finding::at(&at, message, "expected a bounded shape"));
    }
    // A surface that is only drawn may have any form.
    shape(&visual.shape, BodyKind::Static, subject, &at, context, found);
}

fn heaviness(body: &Body, subject: &str, at: &Path, found: &mut Vec<Finding>) {
    match (body.mass, body.density) {
        (Some(_), Some(_)) => {
            let message = format!("{subject}: `mass` and `density` are both given");
            found.push(Finding::at(&at.key("density"), message, "expected exactly one of them").at_key());
        }
        (None, None) if body.kind == BodyKind::Dynamic => {
            let message = format!("{subject}: a dynamic body needs a mass");
            let help = "mass is in kg, density in kg/m³; a body that nothing moves has kind = \"static\"";
            let expected = "expected `mass` or `density`";
            found.push(Finding::at(&at.key("mass"), message, expected).help(help));
        }
        _ => {}
    }
}

fn inertia(body: &Body, subject: &str, at: &Path, found: &mut Vec<Finding>) {
    let Some(rows) = body.inertia else { return };
    let tensor = Mat3::from_cols_array_2d(&rows).transpose();
    if let Err(problem) = Inertia::new(1.0, tensor) {
        let expected = "expected a symmetric, positive tensor, as rows, that obeys the triangle inequality";
        found.push(Finding::at(&at.key("inertia"), format!("{subject}: {problem}"), expected));
    }
}

fn motion(body: &Body, subject: &str, at: &Path, found: &mut Vec<Finding>) {
    let stands = matches!(body.kind, BodyKind::Static | BodyKind::Graphical);
    for (key, value) in [("velocity", &body.velocity), ("angular_velocity", &body.angular_velocity)] {
        if stands && !is_zero(value) {
            let message = format!("{subject}: a body that nothing moves has a `{key}`");
            let expected = "expected zero, or kind = \"dynamic\" or \"kinematic\"";
            found.push(Finding::at(&at.key(key), message, expected));
        }
    }
}

/// A body that nothing can touch is a mass with a tensor.
fn shapeless(body: &Body, subject: &str, at: &Path, found: &mut Vec<Finding>) {
    if body.kind == BodyKind::Dynamic && body.mass.is_some() && body.inertia.is_some() {
        return;
    }
    let message = format!("{subject}: it has no `shape`");
    let help = "a dynamic body with `mass` and `inertia` may go without a shape: nothing can touch it";
    found.push(Finding::at(&at.key("shape"), message, "expected `shape`").help(help));
}

fn shape(
    shape: &Shape,
    kind: BodyKind,
    subject: &str,
    at: &Path,
    context: &Context,
    found: &mut Vec<Finding>,
) {
    match shape {
        Shape::Plane(plane) => {
            let at = at.key("plane");
            direction(subject, "normal", &plane.normal, &at, found);
            if kind != BodyKind::Static {
                let message = format!("{subject}: a plane cannot move");
                found.push(Finding::at(&at, message, "expected kind = \"static\"").at_key());
            }
        }
        Shape::Mesh(mesh) => {
            let at = at.key("mesh");
            file(&mesh.file, subject, &at.key("file"), context, found);
            if mesh.scale.contains(&0.0) {
                let message = format!("{subject}: a mesh with a `scale` of 0 is flat");
                found.push(Finding::at(&at.key("scale"), message, "expected factors that are not zero"));
            }
            if !mesh.convex && kind != BodyKind::Static {
                let message = format!("{subject}: a mesh that is not convex cannot move");
                let expected = "expected convex = true, or kind = \"static\"";
                found.push(Finding::at(&at.key("convex"), message, expected));
            }
        }
        Shape::Heightfield(_) if kind != BodyKind::Static && kind != BodyKind::Graphical => {
            let message = format!("{subject}: a height field cannot move");
            found.push(Finding::at(&at.key("heightfield"), message, "expected kind = \"static\"").at_key());
        }
        Shape::Asset(asset) => {
            file(&asset.database, subject, &at.key("asset").key("database"), context, found)
        }
        Shape::Compound(compound) => {
            let at = at.key("compound").key("parts");
            for (i, part) in compound.parts.iter().enumerate() {
                let at = at.index(i);
                orientation(&part.orientation, subject, &at.key("orientation"), found);
                if let Shape::Plane(_) = part.shape {
                    let message = format!("{subject}: a plane cannot be part of a compound");
                    found.push(Finding::at(&at.key("shape"), message, "expected a bounded shape"));
                } else {
                    self::shape(&part.shape, kind, subject, &at.key("shape"), context, found);
                }
            }
        }
        _ => {}
    }
}

fn file(file: &str, subject: &str, at: &Path, context: &Context, found: &mut Vec<Finding>) {
    if let Err(problem) = context.files.resolve(file) {
        let expected = "expected a file in the folder of the scene";
        found.push(Finding::at(at, format!("{subject}: {problem}"), expected));
    }
}

/// Checks that an orientation is one.
pub(super) fn orientation(orientation: &Orientation, subject: &str, at: &Path, found: &mut Vec<Finding>) {
    match orientation {
        Orientation::AxisAngle(turn) => direction(subject, "axis", &turn.axis, at, found),
        Orientation::Quaternion(q) => {
            let length = Vec3::new(q.x, q.y, q.z).extend(q.w).length();
            if (length - 1.0).abs() > msd::tolerance::UNIT_QUATERNION {
                let message = format!("{subject}: the quaternion (w, x, y, z) has length {length}");
                found.push(Finding::at(at, message, "expected length 1 to within 1e-6"));
            }
        }
        Orientation::Angles(_) => {}
    }
}

fn taken_by_the_engine(body: &Body, at: &Path, context: &Context, found: &mut Vec<Finding>) {
    let materials = std::collections::BTreeMap::new();
    let described = match build::describe_body(body, at, &materials, &context.files) {
        Ok(described) => described,
        Err(finding) => return found.push(finding),
    };
    if let Err(refusal) = World::new().add_body(described) {
        let key = match &refusal {
            WorldError::OutOfResolution { .. } => "position",
            WorldError::Inertia { .. } if body.inertia.is_none() => "shape",
            _ => return found.push(Finding::at(at, refusal.to_string(), "")),
        };
        found.push(Finding::at(&at.key(key), refusal.to_string(), ""));
    }
}
