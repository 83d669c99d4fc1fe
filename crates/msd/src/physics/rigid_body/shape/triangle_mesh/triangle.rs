//! One triangle: its nearest point to another, and where a line meets it.

use crate::math::{Coordinate, Vec3, scalar};

/// Where on a triangle a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// Between the edges.
    Face,
    /// On the edge from this corner to the next.
    Edge(usize),
    /// At this corner.
    Vertex(usize),
}

/// Normal of a triangle with twice its area as length.
pub(super) fn doubled_area([a, b, c]: &[Coordinate; 3]) -> Vec3 {
    (*b - *a).cross(*c - *a)
}

/// The point of a triangle nearest to `point`. Either it is the foot of the perpendicular, or it lies on the outline.
pub(super) fn nearest_point(
    corners: &[Coordinate; 3],
    normal: Vec3,
    point: Coordinate,
) -> (Coordinate, Feature) {
    let edge = |k: usize| corners[(k + 1) % 3] - corners[k];
    if (0..3).all(|k| normal.cross(edge(k)).dot(point - corners[k]) >= 0.0) {
        let height = normal.dot(point - corners[0]);
        return (point - normal * height, Feature::Face);
    }
    let mut best = (corners[0], Feature::Vertex(0));
    let mut limit = f64::INFINITY;
    for k in 0..3 {
        let candidate = nearest_on_edge(corners, k, point);
        let distance_squared = candidate.0.distance_squared(point);
        if distance_squared < limit {
            (limit, best) = (distance_squared, candidate);
        }
    }
    best
}

fn nearest_on_edge(corners: &[Coordinate; 3], k: usize, point: Coordinate) -> (Coordinate, Feature) {
    let (start, end) = (corners[k], corners[(k + 1) % 3]);
    let edge = end - start;
    let along = (point - start).dot(edge) / edge.length_squared();
    if along <= 0.0 {
        (start, Feature::Vertex(k))
    } else if along >= 1.0 {
        (end, Feature::Vertex((k + 1) % 3))
    } else {
        (start + edge * along, Feature::Edge(k))
    }
}

/// A line in the frame in which it runs along the third axis through the origin, obtained by a shear.
///
/// There a triangle is hit if the origin is on one side of all three projected edges. Two triangles that share an edge
/// compute its side from the same products, so no line passes between them
/// (S. Woop, C. Benthin, I. Wald, "Watertight ray/triangle intersection", JCGT 2(1), 2013).
pub(super) struct SkewedRay {
    origin: Coordinate,
    /// Indices of the axes; the third is the one the line follows most.
    axes: [usize; 3],
    shear: Vec3,
}

impl SkewedRay {
    pub(super) fn new(origin: Coordinate, direction: Vec3) -> Self {
        let size = direction.abs();
        let along = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        let axes = [(along + 1) % 3, (along + 2) % 3, along];
        let main = direction[along];
        Self { origin, axes, shear: Vec3::new(direction[axes[0]], direction[axes[1]], 1.0) / main }
    }

    /// Signed distance along the line to the triangle, hit from either side.
    pub(super) fn meets(&self, corners: &[Coordinate; 3]) -> Option<f64> {
        let [a, b, c] = corners.map(|corner| self.sheared(corner));
        let weights = Vec3::new(c.x * b.y - c.y * b.x, a.x * c.y - a.y * c.x, b.x * a.y - b.y * a.x);
        let mixed = weights.min_element() < 0.0 && weights.max_element() > 0.0;
        let total = weights.x + weights.y + weights.z;
        if mixed || total == 0.0 {
            return None;
        }
        let depth = (weights.x * a.z + weights.y * b.z + weights.z * c.z) / total;
        // No corner is nearer or farther than the hit; for slivers round-off would say otherwise.
        let (low, high) = (scalar::min(a.z, scalar::min(b.z, c.z)), scalar::max(a.z, scalar::max(b.z, c.z)));
        Some(scalar::clamp(depth, low, high))
    }

    fn sheared(&self, corner: Coordinate) -> Vec3 {
        let [x, y, z] = self.axes;
        let v = corner - self.origin;
        Vec3::new(v[x] - self.shear.x * v[z], v[y] - self.shear.y * v[z], self.shear.z * v[z])
    }
}
