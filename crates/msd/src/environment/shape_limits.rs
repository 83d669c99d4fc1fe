//! Supported shapes: everything that collision detection does not support is refused by name.
//!
//! Bodies without collisions, and graphical ones, may have any shape.

use super::WorldError;
use super::validate::Validator;
use crate::math::{ReferenceFrame, Vec3};
use crate::physics::rigid_body::shape::{Geometry, Shape};
use crate::physics::rigid_body::{BodyKind, CollisionGroups};
use crate::tolerance;

/// Why a shape is not supported for a body of this kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Unsupported {
    /// The kind cannot have it, and why.
    Kind(&'static str),
    /// An extent out of range, m.
    Extent(f64),
    /// Thickness and largest extent of a convex part, m.
    Thin(f64, f64),
}

impl Unsupported {
    pub(super) fn error(self, body: &str, kind: BodyKind) -> WorldError {
        let validator = Validator::body(body);
        match self {
            Unsupported::Kind(problem) => super::error::kind_error(body, kind, problem),
            Unsupported::Extent(extent) => validator.refuse(
                "the extent of its shape",
                "from 1e-9 m to 1e8 m for contact to be resolved (choose other units, or let it collide with nothing)",
                extent,
            ),
            Unsupported::Thin(thickness, length) => validator.refuse(
                "the thickness of its shape",
                "at least 1e-6 of its length for contact to be resolved (thicken it, or let it collide with nothing)",
                format!("{thickness} m of {length} m"),
            ),
        }
    }
}

/// Checks the shape of a body.
pub(super) fn check(kind: BodyKind, collision: CollisionGroups, shape: &Shape) -> Result<(), Unsupported> {
    if kind != BodyKind::Static && !shape.is_bounded() {
        return Err(Unsupported::Kind("a half-space can only be static"));
    }
    if kind == BodyKind::Graphical || collision.is_none() || !shape.is_bounded() {
        return Ok(());
    }
    // A compound has no mesh among its parts.
    if kind == BodyKind::Dynamic && matches!(shape, Shape::Mesh(_)) {
        return Err(Unsupported::Kind(
            "a mesh that is not convex cannot be moved by contact; take the convex hull of its points or a compound of \
             convex parts, make it static or kinematic, or let it collide with nothing",
        ));
    }
    extents(shape)
}

fn extents(shape: &Shape) -> Result<(), Unsupported> {
    let size: Vec3 = match shape {
        Shape::Hull(hull) => hull.local_bounding_box().size(),
        Shape::Mesh(mesh) => mesh.local_bounding_box().size(),
        _ => shape.bounding_box(&ReferenceFrame::IDENTITY).size(),
    };
    let [smallest, largest] = tolerance::SHAPE_EXTENT;
    // A mesh may be flat: only its largest extent matters.
    let (thickness, length) = (size.min_element(), size.max_element());
    let least = if shape.as_convex().is_some() { thickness } else { length };
    if let Some(extent) = [length, least].into_iter().find(|extent| !(smallest..=largest).contains(extent)) {
        return Err(Unsupported::Extent(extent));
    }
    if shape.as_convex().is_some() && thickness < tolerance::SHAPE_THICKNESS * length {
        return Err(Unsupported::Thin(thickness, length));
    }
    match shape {
        Shape::Compound(compound) => compound.parts().iter().try_for_each(|part| extents(&part.shape)),
        _ => Ok(()),
    }
}
