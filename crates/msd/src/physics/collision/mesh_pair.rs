//! Contacts of a mesh triangle with a convex solid, as contacts with the surface of the mesh: no ghost
//! collisions at internal edges.
//!
//! The nearest point of a triangle T to a solid is a contact of the *surface* only if no adjacent triangle is
//! nearer: if it is inside T, or if the contact normal lies in the Voronoi region of the edge or vertex it is
//! on. With `o` the direction in the plane of a triangle, out of it across an edge, the region of that edge
//! is `n·o ≥ 0, n·o' ≥ 0` for the two triangles that share it; the region of a vertex is `n·d ≤ 0` for the
//! directions `d` of all edges that leave it. The region of an edge is empty on the side on which the surface
//! is flat or concave.
//!
//! Where the normal lies outside of the region, an adjacent triangle is nearer and has the contact. T still
//! has those points of the solid that are over T itself, each with its own height over T: further contacts of
//! a solid that spans several triangles. Next to a concave edge it also has points over the surface across
//! that edge: a solid that moves there meets the plane of T in T, since the rest of that plane is below the
//! surface.
//!
//! No distance is measured to the plane of a triangle from a point that is not over it, and no separated
//! solid overlaps a triangle: from behind, a triangle has no contact.
//!
//! A closed mesh is solid and is touched from outside; an open one is touched from both sides, and a solid
//! that overlaps it is on the side of its centre. A solid wholly inside a closed mesh, intersecting no
//! triangle, overlaps it.

use super::adjacent_faces::lifted;
use super::convex_parts::bounds as bounds_of;
use super::gjk::GjkStart;
use super::manifold::ContactManifold;
use super::manifold_builder;
use super::signed_distance;
use super::solid::{Core, Solid};
use super::solid_pair::ConvexPair;
use super::support_function::SupportFunction;
use super::witness::SignedDistance;
use crate::math::{Coordinate, ReferenceFrame, Vec3, scalar};
use crate::physics::rigid_body::shape::{Geometry, TriangleMesh};
use crate::tolerance;

/// Contacts of triangle `number` of `mesh` (A of the pair) with B. Other contacts that a rotation of B may
/// close within the step are written to `extra`, which must be empty: points over the triangle next to a
/// contact with one of its edges or vertices, and vertices of the triangle under a face of B.
pub(super) fn contacts(
    pair: &ConvexPair<'_>,
    mesh: &TriangleMesh,
    number: usize,
    margin: f64,
    start: &mut GjkStart,
    extra: &mut [ContactManifold; 2],
) -> ContactManifold {
    let Core::Triangle(corners) = &pair.a.core else { return ContactManifold::EMPTY };
    let limit = margin + pair.b.radius;
    let Some(at) = signed_distance::between_cores(&pair.a.core, &pair.b.core, &pair.pose, start, limit)
    else {
        return ContactManifold::EMPTY;
    };
    let size = (corners[1] - corners[0]).length() + (corners[2] - corners[0]).length();
    let triangle = MeshTriangle { mesh, number, corners, normal: mesh.normal(number), size };
    let clear = at.distance > tolerance::WITNESS_MISSED * (size + pair.b.core.size());
    let side = if mesh.is_closed() {
        1.0
    } else if clear && at.normal.cross(triangle.normal).length() <= tolerance::FEATURE_ALIGNED {
        if at.normal.dot(triangle.normal) < 0.0 { -1.0 } else { 1.0 }
    } else {
        side_of(mesh, pair)
    };
    let front = triangle.normal * side;
    if (at.normal - front).length() <= tolerance::FEATURE_ALIGNED {
        return pair.manifold(&SignedDistance { normal: front, ..at }, margin);
    }
    triangle.corners_under_face(pair, &at, side, margin, &mut extra[1]);
    if triangle.is_nearest(&at, side, clear) {
        let found = pair.manifold(&at, margin);
        triangle.over(pair, front, limit, clear, &mut extra[0]);
        triangle.across_concave_edges(pair, &at, front, limit, &mut extra[0]);
        lift(pair, found.deepest(), &mut extra[0]);
        return found;
    }
    let mut found = ContactManifold::EMPTY;
    triangle.over(pair, front, limit, clear, &mut found);
    triangle.across_concave_edges(pair, &at, front, limit, &mut found);
    if found.is_empty() && !clear {
        // The solid intersects the triangle, but no facing feature is over it: push it out along the normal,
        // by no more than the least penetration.
        let on_a = at.on_b - front * at.distance;
        manifold_builder::witness(
            pair.a,
            pair.b,
            &pair.pose,
            &SignedDistance { normal: front, on_a, ..at },
            &mut found,
        );
    }
    found
}

/// The side of an open mesh that B is on: 1 in front of its triangles, -1 behind them.
fn side_of(mesh: &TriangleMesh, pair: &ConvexPair<'_>) -> f64 {
    let center = match &pair.b.core {
        Core::Hull(hull) => hull.centroid().unwrap_or(Vec3::ZERO),
        _ => Vec3::ZERO,
    };
    if mesh.is_behind(pair.pose.point(center)) { -1.0 } else { 1.0 }
}

/// One triangle of a mesh.
struct MeshTriangle<'a> {
    mesh: &'a TriangleMesh,
    number: usize,
    corners: &'a [Coordinate; 3],
    /// Unit.
    normal: Vec3,
    /// Sum of two sides, m.
    size: f64,
}

impl MeshTriangle<'_> {
    /// Unit vector along an edge and, in the plane of the triangle, out of it across the edge.
    fn directions(mesh: &TriangleMesh, number: usize, edge: usize) -> (Coordinate, Vec3, Vec3) {
        let corners = mesh.corners(number);
        let (from, to) = (corners[edge], corners[(edge + 1) % 3]);
        let along = (to - from).normalize_or_zero();
        (from, along, along.cross(mesh.normal(number)))
    }

    /// The edges that a point of the triangle is on: none inside, two at a vertex.
    fn edges_at(&self, point: Coordinate) -> [bool; 3] {
        [0, 1, 2].map(|edge| {
            let (from, _, outward) = Self::directions(self.mesh, self.number, edge);
            outward.dot(point - from) >= -tolerance::WITNESS_MISSED * self.size
        })
    }

    /// True if the contact is one of the surface: the normal lies in the Voronoi region of the edge or vertex
    /// on which the triangle is nearest, and points to the `side` from which the surface is touched.
    fn is_nearest(&self, at: &SignedDistance, side: f64, clear: bool) -> bool {
        let (mesh, n) = (self.mesh, at.normal);
        let edges = self.edges_at(at.on_a);
        let mut outside = self.normal;
        let mut at_border = false;
        for edge in (0..3).filter(|&edge| edges[edge]) {
            match mesh.neighbour(self.number, edge) {
                Some(next) => {
                    let across = self.across(next, edge);
                    if n.dot(across) < -tolerance::FLAT_EDGE {
                        return false;
                    }
                    outside += mesh.normal(next);
                }
                None => at_border |= n.dot(Self::directions(mesh, self.number, edge).2) > 0.0,
            }
        }
        let corner = (0..3).find(|&corner| edges[corner] && edges[(corner + 2) % 3]);
        if corner.is_some_and(|corner| self.leans_over_edge_at(corner, n)) {
            return false;
        }
        // Inside the triangle the nearest point is along its normal; other directions resolve an overlap.
        if edges == [false; 3] {
            return false;
        }
        // An open mesh is touched from both sides, and at its border from all around.
        let any_side = !mesh.is_closed() && (clear || at_border);
        any_side || n.dot(outside) * side > 0.0
    }

    /// In the plane of the triangle `next`, out of it across the edge it shares with this one.
    fn across(&self, next: usize, edge: usize) -> Vec3 {
        let (_, along, _) = Self::directions(self.mesh, self.number, edge);
        -along.cross(self.mesh.normal(next))
    }

    /// True if `n` has a component along an edge that leaves a vertex of the triangle: an adjacent triangle
    /// is nearer.
    fn leans_over_edge_at(&self, corner: usize, n: Vec3) -> bool {
        let (mesh, vertex) = (self.mesh, self.mesh.triangles()[self.number][corner]);
        let leans = |number: usize| {
            mesh.triangles()[number].iter().any(|&other| {
                let along = mesh.vertices()[other as usize] - mesh.vertices()[vertex as usize];
                n.dot(along) > tolerance::FLAT_EDGE * along.length()
            })
        };
        !self.all_around(vertex, |number| !leans(number))
    }

    /// True if no triangle around a vertex has a smaller index.
    fn is_first_around(&self, corner: usize) -> bool {
        let vertex = self.mesh.triangles()[self.number][corner];
        self.all_around(vertex, |number| number >= self.number)
    }

    /// True if the predicate holds for all triangles around a vertex, this one included.
    fn all_around(&self, vertex: u32, is_so: impl Fn(usize) -> bool) -> bool {
        let mesh = self.mesh;
        // One direction until the start or a boundary, then the other.
        for turn in [0, 2] {
            let mut number = self.number;
            loop {
                if !is_so(number) {
                    return false;
                }
                let Some(corner) = mesh.triangles()[number].iter().position(|&v| v == vertex) else { break };
                match mesh.neighbour(number, (corner + turn) % 3) {
                    Some(next) if next != self.number => number = next,
                    Some(_) => return true,
                    None => break,
                }
            }
        }
        true
    }

    /// Adds contacts along `front` of the features over the triangle. `limit` is the largest distance from
    /// the core of B, which is in front of the triangle if it is `clear` of it.
    fn over(&self, pair: &ConvexPair<'_>, front: Vec3, limit: f64, clear: bool, out: &mut ContactManifold) {
        let least = if clear { 0.0 } else { f64::NEG_INFINITY };
        over_face(pair, &pair.a.core, front, [least, limit], out);
    }

    /// Vertices of the triangle under the face of B that is nearest to the contact normal, along the normal
    /// of that face, where no triangle around the vertex is nearer to the face. The first of the triangles
    /// around a vertex has the contact.
    fn corners_under_face(
        &self,
        pair: &ConvexPair<'_>,
        at: &SignedDistance,
        side: f64,
        margin: f64,
        out: &mut ContactManifold,
    ) {
        let (a, b) = (&pair.a.core, &pair.b.core);
        let ([_, under], _) =
            manifold_builder::adjacent_face_points(a, b, &pair.pose, at.normal, margin, |normal| {
                normal.dot(self.normal) * side > 0.0
            });
        let Some(under) = under else { return };
        let mut all = ContactManifold::EMPTY;
        manifold_builder::round(&under, [0.0, pair.b.radius], &pair.pose, &mut all);
        out.normal = all.normal;
        for point in all.points().iter().filter(|point| point.feature.is_vertex_of_a()) {
            let corner = point.feature.a as usize;
            if self.is_first_around(corner) && !self.leans_over_edge_at(corner, all.normal) {
                out.push(*point);
            }
        }
        lift(pair, at.distance - pair.b.radius, out);
    }

    /// Adds contacts along `front` of features over the surface across a concave edge that the nearest point
    /// is on; they will meet the plane of the triangle in the triangle.
    fn across_concave_edges(
        &self,
        pair: &ConvexPair<'_>,
        at: &SignedDistance,
        front: Vec3,
        limit: f64,
        out: &mut ContactManifold,
    ) {
        let edges = self.edges_at(at.on_a);
        for edge in (0..3).filter(|&edge| edges[edge]) {
            if let Some(under) = self.under_neighbour(edge, front) {
                over_face(pair, &Core::Triangle(under), front, [pair.b.radius, limit], out);
            }
        }
    }

    /// The part of the triangle's plane that is below the surface across a concave edge: the adjacent
    /// triangle projected onto the plane along its normal. `None` where the surface bends by almost a right
    /// angle or more.
    fn under_neighbour(&self, edge: usize, front: Vec3) -> Option<[Coordinate; 3]> {
        const LEAST_COSINE: f64 = 0.1;
        let mesh = self.mesh;
        let next = mesh.neighbour(self.number, edge)?;
        let (from, along, outward) = Self::directions(mesh, self.number, edge);
        let up = if front.dot(self.normal) < 0.0 { -mesh.normal(next) } else { mesh.normal(next) };
        let cosine = up.dot(front);
        if up.dot(outward) >= -tolerance::FLAT_EDGE || cosine < LEAST_COSINE {
            return None;
        }
        let apex = mesh.corners(next).into_iter().max_by(|p, q| {
            let away = |p: &Coordinate| (*p - from).cross(along).length_squared();
            away(p).total_cmp(&away(q))
        })?;
        let on_plane = apex - up * (front.dot(apex - from) / cosine);
        let to = self.corners[(edge + 1) % 3];
        Some(if front.dot(self.normal) < 0.0 { [from, to, on_plane] } else { [to, from, on_plane] })
    }
}

/// Limits the depth of extra points to that of the contact itself, which is the penetration of the solid.
fn lift(pair: &ConvexPair<'_>, deepest: f64, extra: &mut ContactManifold) {
    let (normal, deepest) = (extra.normal, scalar::min(deepest, 0.0));
    for point in extra.points_mut() {
        *point = lifted(point, normal, deepest, pair);
    }
}

/// Adds contacts along `front` of the features of B over a triangle, with the core of B between these
/// distances from it.
fn over_face(
    pair: &ConvexPair<'_>,
    face: &Core<'_>,
    front: Vec3,
    [least, most]: [f64; 2],
    out: &mut ContactManifold,
) {
    if let Some(found) = manifold_builder::face_points(face, &pair.b.core, &pair.pose, front, most)
        && found.deepest() >= least
    {
        manifold_builder::round(&found, [0.0, pair.b.radius], &pair.pose, out);
    }
}

/// Penetration of a solid wholly inside a closed mesh; frame of the mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct InteriorPenetration {
    pub triangle: u32,
    /// Normal of that triangle, from the mesh (A) to the solid (B).
    pub normal: Vec3,
    /// Minus the distance by which the solid must move to be outside the plane of the triangle.
    pub distance: f64,
    pub on_a: Coordinate,
    pub on_b: Coordinate,
}

/// Penetration through the triangle nearest to the middle of the solid, which has the pose `frame` in the
/// mesh and intersects none of its triangles; `None` if it is outside. It separates the solid from a convex
/// mesh, not always by the shortest displacement.
pub(super) fn interior_penetration(
    mesh: &TriangleMesh,
    solid: &Solid<'_>,
    frame: &ReferenceFrame,
) -> Option<InteriorPenetration> {
    let bounds = bounds_of(solid, frame);
    let whole = mesh.bounding_box(&ReferenceFrame::IDENTITY);
    if !mesh.is_closed() || !whole.contains(bounds.min) || !whole.contains(bounds.max) {
        return None;
    }
    let support = |direction: Vec3| {
        let local = solid.core.support(frame.direction_to_local(direction));
        frame.point_to_parent(local) + direction * solid.radius
    };
    // No part of the surface is in the solid, so testing one of its points suffices.
    if mesh.signed_distance(support(Vec3::X)) >= 0.0 {
        return None;
    }
    let triangle = mesh.nearest(bounds.center()).triangle;
    let normal = mesh.normal(triangle);
    let on_b = support(-normal);
    let distance = normal.dot(on_b - mesh.corners(triangle)[0]);
    (distance < 0.0).then_some(InteriorPenetration {
        triangle: triangle as u32,
        normal,
        distance,
        on_a: on_b - normal * distance,
        on_b,
    })
}
