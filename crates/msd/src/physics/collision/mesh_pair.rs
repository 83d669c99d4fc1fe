//! A triangle of a mesh with a convex solid: contacts that do not catch on the edges between triangles.
//!
//! A body that slides over a flat floor of triangles overlaps the triangles under it by a hair, and next to an inner
//! edge the shortest way out of a single triangle is sideways: a bump where the surface has none. The true surface
//! has, at an edge, only the normals between those of its two faces (its Voronoi region), and none but the face's at
//! an edge that is flat or concave. A contact normal outside of these is moved back into them.
//!
//! A closed mesh is solid: what is wholly inside it, meeting no triangle, overlaps it.

use super::convex_pair::ConvexPair;
use super::gjk::GjkStart;
use super::manifold::ContactManifold;
use super::query;
use super::separation::{self, Separation};
use super::solid::{Core, Solid};
use super::support_function::{MinkowskiDifference, SupportFunction};
use crate::math::{Coordinate, ReferenceFrame, Vec3};
use crate::physics::rigid_body::shape::{Geometry, TriangleMesh};
use crate::tolerance;

/// Contacts of triangle `number` of `mesh` (A of the pair) with B.
pub(super) fn contacts(
    pair: &ConvexPair<'_>,
    mesh: &TriangleMesh,
    number: usize,
    margin: f64,
    start: &mut GjkStart,
) -> ContactManifold {
    let Core::Triangle(corners) = &pair.a.core else { return ContactManifold::EMPTY };
    let limit = margin + pair.b.radius;
    let Some(at) = separation::between_cores(&pair.a.core, &pair.b.core, &pair.pose, start, limit) else {
        return ContactManifold::EMPTY;
    };
    let difference = MinkowskiDifference { a: &pair.a.core, b: &pair.b.core, pose: pair.pose };
    let face = mesh.normal(number);
    // A closed mesh is touched from outside only; an open one from the side that the solid overlaps less.
    let front =
        if mesh.is_closed() || difference.reach(face) <= difference.reach(-face) { 1.0 } else { -1.0 };
    let normal = allowed_normal(mesh, number, corners, front, &at);
    if normal == at.normal {
        return pair.manifold(&at, margin);
    }
    let distance = -difference.reach(normal);
    let on_b = pair.pose.point(pair.b.core.support(-pair.pose.direction_to_b(normal)));
    let on_a = on_b - normal * distance;
    pair.manifold(&Separation { normal, distance, on_a, on_b, start: at.start }, margin)
}

/// How a solid leaves a closed mesh that it is wholly inside of; frame of the mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct WayOut {
    pub triangle: u32,
    /// Of that triangle, from the mesh (A) to the solid (B).
    pub normal: Vec3,
    /// Minus the way until the solid is outside the plane of the triangle.
    pub distance: f64,
    pub on_a: Coordinate,
    pub on_b: Coordinate,
}

/// The way out through the triangle nearest to the middle of the solid, which stands at `frame` in the mesh and meets
/// none of its triangles; `None` if it is outside. Of a convex mesh this is a way out, not always the shortest.
pub(super) fn way_out(mesh: &TriangleMesh, solid: &Solid<'_>, frame: &ReferenceFrame) -> Option<WayOut> {
    let bounds = query::bounds(solid, frame);
    let whole = mesh.bounding_box(&ReferenceFrame::IDENTITY);
    if !mesh.is_closed() || !whole.contains(bounds.min) || !whole.contains(bounds.max) {
        return None;
    }
    let support = |direction: Vec3| {
        let local = solid.core.support(frame.direction_to_local(direction));
        frame.point_to_parent(local) + direction * solid.radius
    };
    // Nothing of the surface is in the solid, so that one of its points speaks for all.
    if mesh.signed_distance(support(Vec3::X)) >= 0.0 {
        return None;
    }
    let triangle = mesh.nearest(bounds.center()).triangle;
    let normal = mesh.normal(triangle);
    let on_b = support(-normal);
    let distance = normal.dot(on_b - mesh.corners(triangle)[0]);
    (distance < 0.0).then_some(WayOut {
        triangle: triangle as u32,
        normal,
        distance,
        on_a: on_b - normal * distance,
        on_b,
    })
}

/// The contact normal, or the nearest one that the surface has where it is touched, on the side of its `front` (1 or -1
/// times the normals of the mesh).
fn allowed_normal(
    mesh: &TriangleMesh,
    number: usize,
    corners: &[Coordinate; 3],
    front: f64,
    at: &Separation,
) -> Vec3 {
    let (face, side) = (mesh.normal(number), front);
    let front = face * side;
    if at.normal.cross(front).length() <= tolerance::FEATURE_ALIGNED {
        return front;
    }
    let size = (corners[1] - corners[0]).length() + (corners[2] - corners[0]).length();
    let mut touched: [Option<(Vec3, Vec3, usize)>; 3] = [None; 3];
    let mut at_rim = false;
    for edge in 0..3 {
        let (from, to) = (corners[edge], corners[(edge + 1) % 3]);
        let Some(along) = (to - from).try_normalize() else { continue };
        let outward = along.cross(face);
        if outward.dot(at.on_a - from) < -tolerance::WITNESS_MISSED * size {
            continue;
        }
        match mesh.neighbour(number, edge) {
            Some(neighbour) => touched[edge] = Some((along, outward, neighbour)),
            None => at_rim |= at.normal.dot(outward) > 0.0,
        }
    }
    // The rim of an open mesh is touched from all around it.
    if at.normal.dot(front) < 0.0 && !at_rim {
        return front;
    }
    let mut normal = at.normal;
    for (along, outward, neighbour) in touched.into_iter().flatten() {
        let across = mesh.normal(neighbour) * side;
        if across.dot(outward) <= tolerance::FLAT_EDGE {
            return front;
        }
        // Beyond the neighbour's face: as far as that, no farther.
        let outward_across = -along.cross(mesh.normal(neighbour));
        if normal.dot(outward_across) < 0.0 {
            normal = across;
        }
        if normal.dot(outward) < 0.0 {
            normal = front;
        }
    }
    normal
}
