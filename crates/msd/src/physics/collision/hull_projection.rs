//! Projection of a point on a convex hull, by walking over its surface.
//!
//! Inside, the nearest point is on the face with the smallest depth. Outside, the walk starts on the face
//! with the largest height of the point above it and computes the nearest point of that polygon. If that is
//! on an edge, the face across the edge is next if it has nearer points; at a corner the walk follows the
//! edge of steepest descent. The distance decreases with every move, and a local minimum is the global one
//! because the hull is convex.
//!
//! The result is verified: it is returned only if the plane through the nearest point, perpendicular to the
//! direction to it, supports the hull. Everything is in the local frame of the hull.

use super::solid::OnSurface;
use crate::math::Coordinate;
use crate::physics::rigid_body::shape::ConvexHull;
use crate::tolerance;

/// Limit of faces visited by the walk. tuned: most walks take two.
const PROJECTION_WALK: usize = 32;

/// Nearest point of the surface; `None` where the walk cannot prove it: within round-off of an edge, or on a
/// hull whose faces are flat to a coarse resolution only.
pub(super) fn nearest_on_hull(hull: &ConvexHull, p: Coordinate) -> Option<OnSurface> {
    let (top, _) = hull.highest_face(p);
    let face = &hull.faces()[top as usize];
    let height = hull.height_above(face, p);
    if height <= 0.0 {
        return Some(OnSurface { point: p - face.normal * height, normal: face.normal, distance: height });
    }
    let mut at = top;
    for _ in 0..PROJECTION_WALK {
        match nearest_on_face(hull, at, p) {
            NearestOn::Face => {
                let face = &hull.faces()[at as usize];
                let height = hull.height_above(face, p);
                let point = p - face.normal * height;
                return proven(hull, OnSurface { point, normal: face.normal, distance: height });
            }
            NearestOn::Edge(edge, q) => {
                let twin = hull.half_edges()[hull.half_edges()[edge as usize].twin as usize];
                let along = hull.vertices()[hull.half_edges()[edge as usize].origin as usize]
                    - hull.vertices()[twin.origin as usize];
                let inwards = hull.faces()[twin.face as usize].normal.cross(along);
                if (p - q).dot(inwards) <= 0.0 {
                    return apart(hull, p, q);
                }
                at = twin.face;
            }
            NearestOn::Corner(edge) => match steepest(hull, edge, p) {
                Some(face) => at = face,
                None => {
                    let corner = hull.half_edges()[edge as usize].origin;
                    return apart(hull, p, hull.vertices()[corner as usize]);
                }
            },
        }
    }
    None
}

/// Where on a face the nearest point is.
enum NearestOn {
    /// Inside the polygon.
    Face,
    /// On an edge, by its half-edge; and the point.
    Edge(u32, Coordinate),
    /// At the corner where a half-edge starts.
    Corner(u32),
}

fn nearest_on_face(hull: &ConvexHull, number: u32, p: Coordinate) -> NearestOn {
    let face = &hull.faces()[number as usize];
    let edges = hull.face_edges(face);
    let mut best = (f64::INFINITY, NearestOn::Face);
    let Some(last) = edges.last() else { return NearestOn::Face };
    let (mut from, mut index) = (hull.vertices()[last.origin as usize], edges.len() - 1);
    for (k, edge) in edges.iter().enumerate() {
        let to = hull.vertices()[edge.origin as usize];
        let (along, offset) = (to - from, p - from);
        if along.cross(offset).dot(face.normal) < 0.0 {
            let t = along.dot(offset) / along.length_squared();
            let half_edge = face.first_edge + index as u32;
            let (q, place) = if t <= 0.0 {
                (from, NearestOn::Corner(half_edge))
            } else if t >= 1.0 {
                (to, NearestOn::Corner(face.first_edge + k as u32))
            } else {
                let q = from + along * t;
                (q, NearestOn::Edge(half_edge, q))
            };
            let squared = (p - q).length_squared();
            if squared < best.0 {
                best = (squared, place);
            }
        }
        (from, index) = (to, k);
    }
    best.1
}

/// The face next to the edge from a corner that leads towards `p` most steeply; `None` if there is none.
fn steepest(hull: &ConvexHull, first: u32, p: Coordinate) -> Option<u32> {
    let half_edges = hull.half_edges();
    let corner = hull.vertices()[half_edges[first as usize].origin as usize];
    let (mut edge, mut best) = (first, None);
    let mut steepest = 0.0;
    // Around the corner; no corner has more edges than there are half-edges.
    for _ in 0..half_edges.len() {
        let half_edge = half_edges[edge as usize];
        let twin = half_edges[half_edge.twin as usize];
        let along = hull.vertices()[twin.origin as usize] - corner;
        let towards = along.dot(p - corner);
        if towards > 0.0 {
            let slope = towards * towards / along.length_squared();
            if slope > steepest {
                (steepest, best) = (slope, Some(half_edge.face));
            }
        }
        edge = twin.next;
        if edge == first {
            break;
        }
    }
    best
}

/// A nearest point on an edge or a corner, where the normal is the direction from it.
fn apart(hull: &ConvexHull, p: Coordinate, point: Coordinate) -> Option<OnSurface> {
    let distance = (p - point).length();
    let found = OnSurface { point, normal: (p - point).try_normalize()?, distance };
    (distance > tolerance::NORMAL_RELIABLE * size(hull)).then_some(found).and_then(|f| proven(hull, f))
}

fn size(hull: &ConvexHull) -> f64 {
    hull.local_bounding_box().size().max_element()
}

/// The result, if its plane supports the hull.
fn proven(hull: &ConvexHull, found: OnSurface) -> Option<OnSurface> {
    let highest = hull.vertices()[hull.support_index(found.normal) as usize];
    let beyond = found.normal.dot(highest - found.point);
    (beyond <= tolerance::PROJECTION_PROVEN * size(hull)).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;
    use crate::physics::rigid_body::shape::Geometry;
    use proptest::prelude::*;

    fn vector() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-1.0..1.0_f64).prop_map(Vec3::from_array)
    }

    proptest! {
        #[test]
        fn the_nearest_point_is_as_far_as_looking_at_every_face_says(
            cloud in prop::collection::vec(vector(), 4..60), p in vector(), far in 0.1..5.0_f64
        ) {
            let Ok(hull) = ConvexHull::from_points(&cloud) else { return Ok(()) };
            let p = p * far;
            let exact = hull.signed_distance(p);
            let Some(found) = nearest_on_hull(&hull, p) else { return Ok(()) };
            prop_assert!((found.distance - exact).abs() < 1e-13, "{} {exact}", found.distance);
            prop_assert!((found.point + found.normal * found.distance - p).length() < 1e-13);
            prop_assert!(hull.signed_distance(found.point).abs() < 1e-13);
        }
    }

    #[test]
    fn the_walk_proves_its_answer_for_points_clear_of_the_surface() {
        let corners = [-0.5, 0.5];
        let cube: Vec<Vec3> = corners
            .iter()
            .flat_map(|x| corners.iter().flat_map(move |y| corners.map(|z| Vec3::new(*x, *y, z))))
            .collect();
        let cube = ConvexHull::from_points(&cube).unwrap();
        for (p, distance) in [
            (Vec3::new(0.2, 0.1, 0.9), 0.4),
            (Vec3::new(0.2, 0.8, 0.9), 0.5),
            (Vec3::new(-0.7, 1.1, 0.8), 0.7),
            (Vec3::new(0.2, 0.1, 0.4), -0.1),
        ] {
            let found = nearest_on_hull(&cube, p).expect("proven");
            assert!((found.distance - distance).abs() < 1e-15 * 4.0, "{found:?}");
        }
    }
}
