//! Any shape as convex pieces: a compound is its parts, a mesh its triangles, anything else itself.
//!
//! Pieces stand in the frame of A, so that nothing is lost far from the origin, and only those near a region are
//! visited.

use super::solid::{Core, Solid};
use crate::math::{Mat3, ReferenceFrame, Vec3};
use crate::physics::rigid_body::shape::{Aabb, Geometry, HalfSpace, Shape, TriangleMesh};

/// One convex piece.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece<'a> {
    Solid(Solid<'a>),
    HalfSpace(&'a HalfSpace),
}

/// A piece, where it stands in the frame of A, and its number in its shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement<'a> {
    pub piece: Piece<'a>,
    pub frame: ReferenceFrame,
    /// Part of a compound, triangle of a mesh, 0 otherwise.
    pub number: u32,
    /// The mesh whose triangle this is.
    pub mesh: Option<&'a TriangleMesh>,
}

/// Visits the pieces of `shape`, which stands at `frame`, whose bounding boxes meet `region`.
pub(super) fn visit_pieces<'a>(
    shape: &'a Shape,
    frame: &ReferenceFrame,
    region: &Aabb,
    visit: &mut dyn FnMut(Placement<'a>),
) {
    let mut number = 0;
    visit_from(shape, frame, region, &mut number, visit);
}

fn visit_from<'a>(
    shape: &'a Shape,
    frame: &ReferenceFrame,
    region: &Aabb,
    number: &mut u32,
    visit: &mut dyn FnMut(Placement<'a>),
) {
    match shape {
        Shape::Compound(compound) => {
            for part in compound.parts() {
                visit_from(&part.shape, &frame.compose(&part.frame), region, number, visit);
            }
            return;
        }
        Shape::Mesh(mesh) => {
            mesh.visit_triangles_in(&to_local(region, frame), |triangle| {
                let piece = Piece::Solid(Solid::sharp(Core::Triangle(mesh.corners(triangle))));
                visit(Placement { piece, frame: *frame, number: triangle as u32, mesh: Some(mesh) });
            });
        }
        Shape::HalfSpace(half_space) => {
            visit(Placement {
                piece: Piece::HalfSpace(half_space),
                frame: *frame,
                number: *number,
                mesh: None,
            });
        }
        _ => {
            let near = *region == Aabb::EVERYWHERE || shape.bounding_box(frame).intersects(region);
            if let Some(convex) = shape.as_convex().filter(|_| near) {
                let piece = Piece::Solid(convex.into());
                visit(Placement { piece, frame: *frame, number: *number, mesh: None });
            }
        }
    }
    *number += 1;
}

/// The smallest box in the local axes of `frame` around a box of its parent.
pub(super) fn to_local(region: &Aabb, frame: &ReferenceFrame) -> Aabb {
    let half = 0.5 * region.size();
    if !half.is_finite() || half.min_element() < 0.0 {
        return if half.min_element() < 0.0 { Aabb::EMPTY } else { Aabb::EVERYWHERE };
    }
    let center = frame.point_to_local(region.center());
    let r: Mat3 = frame.rotation();
    let reach = Vec3::new(r.x_axis.abs().dot(half), r.y_axis.abs().dot(half), r.z_axis.abs().dot(half));
    Aabb::new(center - reach, center + reach)
}
