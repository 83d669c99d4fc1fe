//! SAT, the separating axis test of two polytopes: the direction of largest separation or least overlap.
//!
//! For polytopes the least overlap is along a face normal of one of them or along the cross product of an
//! edge of each. Gauss-map pruning: only those edge pairs matter whose arcs on the Gauss map cross: arcs
//! between the normals of the two faces at an edge of A, and between the negated ones at an edge of B (D.
//! Gregorius, "The separating axis test between convex polyhedra", GDC 2013). The crossing test takes four
//! dot products and no square root.
//!
//! Separation is positive for a gap. Everything is in the frame of A, normals from A to B.

use super::sat_axis::SatAxis;
use super::solid::{BoxCore, Core, HullCore};
use super::support_function::{RelativePose, SupportFunction};
use crate::math::{Coordinate, Vec3};
use crate::tolerance;

/// An edge with the outward normals of the faces to its left and right seen from outside.
#[derive(Clone, Copy, Debug)]
struct Edge {
    ends: [Coordinate; 2],
    left: Vec3,
    right: Vec3,
}

/// Faces and edges of a polytope for SAT.
trait Polytope: SupportFunction {
    fn face_count(&self) -> usize;
    /// Unit outward normal and a point of the plane.
    fn face(&self, k: usize) -> (Vec3, Coordinate);
    fn edge_count(&self) -> usize;
    fn edge(&self, k: usize) -> Edge;
}

impl Polytope for BoxCore {
    fn face_count(&self) -> usize {
        6
    }

    fn face(&self, k: usize) -> (Vec3, Coordinate) {
        let mut normal = Vec3::ZERO;
        normal[k / 2] = if k.is_multiple_of(2) { -1.0 } else { 1.0 };
        (normal, normal * self.0[k / 2])
    }

    fn edge_count(&self) -> usize {
        12
    }

    fn edge(&self, k: usize) -> Edge {
        let (axis, side) = (k / 4, k % 4);
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let (su, sv) = (if side & 1 == 0 { -1.0 } else { 1.0 }, if side & 2 == 0 { -1.0 } else { 1.0 });
        let (mut from, mut left, mut right) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        from[u] = su * self.0[u];
        from[v] = sv * self.0[v];
        let mut to = from;
        (from[axis], to[axis]) = (-self.0[axis], self.0[axis]);
        left[u] = su;
        right[v] = sv;
        // Along +axis the face to the left is the one with left × right = +axis.
        if su * sv < 0.0 {
            (left, right) = (right, left);
        }
        Edge { ends: [from, to], left, right }
    }
}

impl Polytope for HullCore<'_> {
    fn face_count(&self) -> usize {
        self.0.faces().len()
    }

    fn face(&self, k: usize) -> (Vec3, Coordinate) {
        let face = &self.0.faces()[k];
        (face.normal, self.0.vertices()[self.0.half_edges()[face.first_edge as usize].origin as usize])
    }

    fn edge_count(&self) -> usize {
        self.0.edges().len()
    }

    fn edge(&self, k: usize) -> Edge {
        let half_edges = self.0.half_edges();
        let h = half_edges[self.0.edges()[k] as usize];
        let twin = half_edges[h.twin as usize];
        let at = |v: u32| self.0.vertices()[v as usize];
        Edge {
            ends: [at(h.origin), at(twin.origin)],
            left: self.0.faces()[h.face as usize].normal,
            right: self.0.faces()[twin.face as usize].normal,
        }
    }
}

/// The axis of greatest separation of two polytopes; `None` if one of the cores is not a polytope with volume.
/// Stops early at an axis that separates by more than `enough`.
#[inline]
pub(super) fn greatest_separation(
    a: &Core<'_>,
    b: &Core<'_>,
    pose: &RelativePose,
    enough: f64,
) -> Option<SatAxis> {
    Some(match (a, b) {
        (Core::Cuboid { half: a }, Core::Cuboid { half: b }) => {
            super::box_box::greatest_separation(*a, *b, pose, enough)
        }
        (Core::Cuboid { half }, Core::Hull(hull)) => search(&BoxCore(*half), &HullCore(hull), pose, enough),
        (Core::Hull(hull), Core::Cuboid { half }) => search(&HullCore(hull), &BoxCore(*half), pose, enough),
        (Core::Hull(a), Core::Hull(b)) => search(&HullCore(a), &HullCore(b), pose, enough),
        _ => return None,
    })
}

fn search<A: Polytope, B: Polytope>(a: &A, b: &B, pose: &RelativePose, enough: f64) -> SatAxis {
    let mut best = SatAxis { normal: Vec3::Z, separation: f64::NEG_INFINITY, edges: None, face: None };
    let mut hint = 0;
    for k in 0..a.face_count() {
        let (normal, anchor) = a.face(k);
        let (lowest, vertex) = b.support_vertex(-pose.direction_to_b(normal), hint);
        hint = vertex;
        let separation = normal.dot(pose.point(lowest) - anchor);
        if separation > best.separation {
            best = SatAxis { normal, separation, edges: None, face: None };
            if separation > enough {
                return best;
            }
        }
    }
    let bias = tolerance::SAT_BIAS * (pose.translation.length() + best.separation.abs());
    let (mut hint, mut of_b) = (0, best.separation + bias);
    for k in 0..b.face_count() {
        let (local, anchor) = b.face(k);
        let normal = pose.direction(local);
        let (lowest, vertex) = a.support_vertex(-normal, hint);
        hint = vertex;
        let separation = normal.dot(lowest - pose.point(anchor));
        if separation > of_b {
            of_b = separation;
            best = SatAxis { normal: -normal, separation, edges: None, face: None };
            if separation > enough {
                return best;
            }
        }
    }
    edge_pairs(a, b, pose, enough, best, bias)
}

/// Edge-edge axes must beat face axes by the bias: a face contact has more points.
fn edge_pairs<A: Polytope, B: Polytope>(
    a: &A,
    b: &B,
    pose: &RelativePose,
    enough: f64,
    mut best: SatAxis,
    bias: f64,
) -> SatAxis {
    let mut to_beat = best.separation + bias;
    for j in 0..b.edge_count() {
        let local = b.edge(j);
        let (c, d) = (-pose.direction(local.left), -pose.direction(local.right));
        let along_b = pose.direction(local.ends[1] - local.ends[0]);
        let at_b = pose.point(local.ends[0]);
        for i in 0..a.edge_count() {
            let edge = a.edge(i);
            let along_a = edge.ends[1] - edge.ends[0];
            // left × right runs along the edge, on both (negating both normals of B changes nothing).
            let (cba, dba) = (-c.dot(along_a), -d.dot(along_a));
            let (adc, bdc) = (-edge.left.dot(along_b), -edge.right.dot(along_b));
            if !(cba * dba < 0.0 && adc * bdc < 0.0 && cba * bdc > 0.0) {
                continue;
            }
            let across = along_a.cross(along_b);
            let (length_squared, product) =
                (across.length_squared(), along_a.length_squared() * along_b.length_squared());
            if length_squared <= tolerance::PARALLEL_EDGES * tolerance::PARALLEL_EDGES * product {
                continue;
            }
            let outward = if across.dot(edge.left + edge.right) < 0.0 { -across } else { across };
            let normal = outward / length_squared.sqrt();
            if normal.dot(at_b - edge.ends[0]) <= to_beat {
                continue;
            }
            // The normals at an edge as short as round-off are noise, and so is the crossing test: use the
            // separation of the polytopes themselves.
            let lowest = pose.point(b.support(-pose.direction_to_b(normal)));
            let separation = normal.dot(lowest - a.support(normal));
            if separation > to_beat {
                to_beat = separation;
                let ends_b = [at_b, at_b + along_b];
                best = SatAxis { normal, separation, edges: Some([edge.ends, ends_b]), face: None };
                if separation > enough {
                    return best;
                }
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::ReferenceFrame;
    use crate::math::orientation::from_rotation_vector;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_gauss_map_leaves_out_no_axis_of_two_boxes(
            c in prop::array::uniform6(-1.0..1.0_f64), h in prop::array::uniform6(0.1..1.0_f64)
        ) {
            let (a, b) = (Vec3::new(h[0], h[1], h[2]), Vec3::new(h[3], h[4], h[5]));
            let frame = ReferenceFrame::new(
                Vec3::new(c[0], c[1], c[2]),
                from_rotation_vector(Vec3::new(c[3], c[4], c[5]) * 3.0),
            );
            let pose = RelativePose::between(&ReferenceFrame::IDENTITY, &frame);
            let pruned = search(&BoxCore(a), &BoxCore(b), &pose, f64::INFINITY);
            let all = super::super::box_box::greatest_separation(a, b, &pose, f64::INFINITY);
            // Apart, the pruned pairs still hold the axis of two crossed edges whenever it is the greatest.
            if all.separation < 0.0 {
                prop_assert!((pruned.separation - all.separation).abs() < 1e-9);
            }
        }
    }
}
