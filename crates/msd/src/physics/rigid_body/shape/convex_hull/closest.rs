//! Distance from a point to a convex polygon in space, for polygons as narrow as they come.
//!
//! The closest point is the foot of the perpendicular if that is inside the polygon, else it is on an edge.
//! "Inside" is tested edge by edge, and near the tip of a needle the tests are dominated by rounding: a foot
//! in line with the needle but beyond its tip looks inside. So the foot must be in the polygon's bounding box
//! too; a foot that passes both tests is within round-off of the polygon, or within `slack` beyond a tip.

use crate::math::{Vec3, scalar};
use crate::physics::rigid_body::shape::Aabb;

/// Square of the distance from `p` to the convex polygon with the given edges (start and end, counter-clockwise
/// about the unit `normal`), `height` being its distance from the plane. Errs by `slack` at most, and round-off.
pub(super) fn distance_squared_to_polygon(
    p: Vec3,
    edges: impl Iterator<Item = [Vec3; 2]>,
    normal: Vec3,
    height: f64,
    slack: f64,
) -> f64 {
    let mut inside = true;
    let mut bounds = Aabb::EMPTY;
    let mut distance = f64::INFINITY;
    for [a, b] in edges {
        inside &= (b - a).cross(p - a).dot(normal) >= 0.0;
        bounds = Aabb::new(bounds.min.min(a), bounds.max.max(a));
        distance = scalar::min(distance, distance_squared_to_segment(p, a, b));
    }
    if inside && bounds.expanded(slack).contains(p - normal * height) {
        scalar::min(distance, height * height)
    } else {
        distance
    }
}

/// Squared distance from a point to the segment between two others.
fn distance_squared_to_segment(p: Vec3, a: Vec3, b: Vec3) -> f64 {
    let (ab, ap) = (b - a, p - a);
    let t = scalar::clamp(ap.dot(ab) / ab.length_squared(), 0.0, 1.0);
    (ap - ab * t).length_squared()
}

/// The point of a triangle nearest to `p` (after Ericson, *Real-Time Collision Detection*, §5.1.5).
pub(super) fn nearest_on_triangle(p: Vec3, [a, b, c]: [Vec3; 3]) -> Vec3 {
    let (ab, ac) = (b - a, c - a);
    let on = |from: Vec3, along: Vec3| {
        from + along * scalar::clamp((p - from).dot(along) / along.length_squared(), 0.0, 1.0)
    };
    let (d1, d2) = (ab.dot(p - a), ac.dot(p - a));
    let (d3, d4) = (ab.dot(p - b), ac.dot(p - b));
    let (d5, d6) = (ab.dot(p - c), ac.dot(p - c));
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    if va > 0.0 && vb > 0.0 && vc > 0.0 {
        return a + ab * (vb / (va + vb + vc)) + ac * (vc / (va + vb + vc));
    }
    let nearer = |p1: Vec3, p2: Vec3| if p2.distance_squared(p) < p1.distance_squared(p) { p2 } else { p1 };
    nearer(nearer(on(a, ab), on(b, c - b)), on(a, ac))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_beyond_the_tip_of_a_needle_is_not_over_it() {
        let along = Vec3::new(0.3, -0.5, 0.7).normalize();
        let aside = along.any_orthonormal_vector();
        let normal = along.cross(aside);
        for width in [1e-3, 1e-9, 1e-12, 1e-15] {
            let [a, b, c] = [Vec3::ZERO, along, along * 0.2 + aside * width];
            for beyond in [1e-6, 1e-4, 0.3, 10.0] {
                let p = b + along * beyond + normal * 1e-3;
                let edges = [[a, b], [b, c], [c, a]].into_iter();
                let distance = distance_squared_to_polygon(p, edges, normal, 1e-3, 1e-15).sqrt();
                assert!(
                    (distance - scalar::hypot(beyond, 1e-3)).abs() < 1e-14,
                    "width {width}, {beyond} beyond"
                );
            }
        }
    }
}
