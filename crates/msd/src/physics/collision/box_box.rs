//! SAT of two boxes: fifteen candidate axes in closed form (S. Gottschalk, M. Lin, D. Manocha, "OBBTree",
//! SIGGRAPH 1996).
//!
//! With `R` the axes of B in A's frame and `t` the centre of B, the projection of a box with half lengths `h`
//! on a unit axis `l` reaches `Σ hₖ |lₖ|` to both sides, so that the separation along `l` is
//! `|t·l| - reach_A - reach_B`.
//!
//! The nine edge-edge axes are skipped where a face axis is proven to be best. Let the boxes overlap by `d`
//! along the normal `n` of a face, and let the lowest corner of the other box be over that face, at least `ρ`
//! inside its edges. The overlap along a unit vector at the angle θ from `n` is the reach of the Minkowski
//! difference, which contains all points at the height `d` within `ρ` of the foot of the origin: at least
//! `d cos θ + ρ sin θ`, which for θ ≤ 90° is more than `d` if `ρ > d`. Beyond 90° it is at least the sum of
//! the least half lengths less the part of `t` across `n`. Separated boxes have this separation if the corner
//! is over the face (`ρ > 0`).

use super::box_faces::BoxFace;
use super::sat_axis::{SatAxis, box_edge};
use super::support_function::RelativePose;
use crate::math::{Coordinate, Vec3, scalar};
use crate::tolerance;

/// The axis of greatest separation of two boxes with half lengths `a` and `b`; frame of A, normal from A to
/// B. Stops early at an axis with a separation above `enough`.
#[inline]
pub(super) fn greatest_separation(a: Vec3, b: Vec3, pose: &RelativePose, enough: f64) -> SatAxis {
    let r = [pose.rotation.x_axis, pose.rotation.y_axis, pose.rotation.z_axis];
    let t = pose.translation;
    let size = [r[0].abs(), r[1].abs(), r[2].abs()];
    let bias = tolerance::SAT_BIAS * (a.max_element() + b.max_element());
    let reach_b = size[0] * b.x + size[1] * b.y + size[2] * b.z;
    let of_a = t.abs() - a - reach_b;
    let best_a = of_a.max_element();
    let of_face_a = || {
        let k = largest(of_a);
        let positive = t[k] >= 0.0;
        let sign = if positive { 1.0 } else { -1.0 };
        let along = |axis: usize| if axis == k { sign } else { 0.0 };
        let face = BoxFace { of_b: false, axis: k, positive };
        let normal = Vec3::new(along(0), along(1), along(2));
        SatAxis { normal, separation: best_a, edges: None, face: Some(face) }
    };
    if best_a > enough {
        return of_face_a();
    }
    let along_b = Vec3::new(r[0].dot(t), r[1].dot(t), r[2].dot(t));
    let reach_a = Vec3::new(size[0].dot(a), size[1].dot(a), size[2].dot(a));
    let of_b = along_b.abs() - b - reach_a;
    let best_b = of_b.max_element();
    let best = if best_b > best_a + bias {
        let k = largest(of_b);
        // B is seen from A: its face towards A is on the other side.
        let positive = along_b[k] < 0.0;
        let face = BoxFace { of_b: true, axis: k, positive };
        let normal = pose.rotation.col(k) * if positive { -1.0 } else { 1.0 };
        SatAxis { normal, separation: best_b, edges: None, face: Some(face) }
    } else {
        of_face_a()
    };
    if best.separation > enough {
        return best;
    }
    best_with_edges(a, b, pose, best, bias, along_b)
}

/// The best of the nine edge-edge axes and the best face axis.
fn best_with_edges(
    a: Vec3,
    b: Vec3,
    pose: &RelativePose,
    best: SatAxis,
    bias: f64,
    along_b: Vec3,
) -> SatAxis {
    let r = [pose.rotation.x_axis, pose.rotation.y_axis, pose.rotation.z_axis];
    let t = pose.translation;
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    if is_proven(a, b, &r, t, along_b, &best) {
        return best;
    }
    let turned = pose.rotation.transpose();
    let rows = [turned.x_axis, turned.y_axis, turned.z_axis];
    let mut to_beat = best.separation + bias;
    let mut pair = None;
    for i in 0..3 {
        // l = e_i × r_j has the components (0, -r_v, r_u) on (i, u, v); here for all j at once.
        let (u, v) = ((i + 1) % 3, (i + 2) % 3);
        let (ru, rv, ri) = (rows[u], rows[v], rows[i].abs());
        let squared = ru * ru + rv * rv;
        let reach_a = a[u] * rv.abs() + a[v] * ru.abs();
        let reach_b = Vec3::new(b.y * ri.z + b.z * ri.y, b.z * ri.x + b.x * ri.z, b.x * ri.y + b.y * ri.x);
        let distance = (t[v] * ru - t[u] * rv).abs();
        let scaled = distance - reach_a - reach_b;
        for j in 0..3 {
            let (scaled, squared) = (scaled[j], squared[j]);
            if squared <= tolerance::PARALLEL_EDGES * tolerance::PARALLEL_EDGES {
                continue;
            }
            // scaled / √squared > to_beat, computing root and quotient only where it may hold.
            let (square, bar) = (scaled * scaled, to_beat * to_beat * squared);
            if if to_beat < 0.0 { scaled >= 0.0 || square < bar } else { scaled > 0.0 && square > bar } {
                to_beat = scaled / squared.sqrt();
                pair = Some((i, j));
            }
        }
    }
    let Some((i, j)) = pair else { return best };
    let normal = towards(axes[i].cross(r[j]).normalize_or(Vec3::Z), t);
    let edge_a = box_edge(a, i, normal);
    let edge_b = box_edge(b, j, -pose.direction_to_b(normal)).map(|p| pose.point(p));
    SatAxis { normal, separation: to_beat, edges: Some([edge_a, edge_b]), face: None }
}

/// True if no edge-edge axis can separate better than the face axis; see the top of the file.
fn is_proven(a: Vec3, b: Vec3, r: &[Vec3; 3], t: Vec3, along_b: Vec3, best: &SatAxis) -> bool {
    let Some(face) = best.face else { return false };
    let n = best.normal;
    let (k, half) = (face.axis, if face.of_b { b } else { a });
    // The corner of the other box nearest to the face, in the frame of the face's box.
    let nearest = if face.of_b {
        let corner = Vec3::new(signed(a.x, n.x), signed(a.y, n.y), signed(a.z, n.z));
        Vec3::new(r[0].dot(corner), r[1].dot(corner), r[2].dot(corner)) - along_b
    } else {
        t - r[0] * signed(b.x, n.dot(r[0]))
            - r[1] * signed(b.y, n.dot(r[1]))
            - r[2] * signed(b.z, n.dot(r[2]))
    };
    let (u, v) = ((k + 1) % 3, (k + 2) % 3);
    let inside = scalar::min(half[u] - nearest[u].abs(), half[v] - nearest[v].abs());
    let depth = scalar::max(-best.separation, 0.0);
    let thick = a.min_element() + b.min_element() - depth;
    let along = t.dot(n);
    inside > depth && thick > 0.0 && t.length_squared() - along * along < thick * thick
}

/// Witness points of two boxes at a positive separation along an axis; `None` if there are none: the nearest
/// corner is not over the face, or the edges do not cross.
pub(super) fn nearest_points(
    a: Vec3,
    b: Vec3,
    pose: &RelativePose,
    axis: &SatAxis,
) -> Option<(Coordinate, Coordinate)> {
    let (n, gap) = (axis.normal, axis.separation);
    let Some(face) = axis.face else {
        let (on_a, on_b) = axis.edge_witnesses()?;
        let round_off = tolerance::EPA_ROUND_OFF * (a.max_element() + b.max_element());
        return ((on_b - on_a).length() <= gap + round_off).then_some((on_a, on_b));
    };
    let (near, on_face) = if face.of_b {
        let near = Vec3::new(signed(a.x, n.x), signed(a.y, n.y), signed(a.z, n.z));
        (near, pose.point_to_b(near))
    } else {
        let d = pose.direction_to_b(n);
        let near = pose.point(-Vec3::new(signed(b.x, d.x), signed(b.y, d.y), signed(b.z, d.z)));
        (near, near)
    };
    let half = if face.of_b { b } else { a };
    let (u, v) = ((face.axis + 1) % 3, (face.axis + 2) % 3);
    let over = on_face[u].abs() <= half[u] && on_face[v].abs() <= half[v];
    over.then_some(if face.of_b { (near, near + n * gap) } else { (near - n * gap, near) })
}

/// `length` with the sign of `like`.
fn signed(length: f64, like: f64) -> f64 {
    if like < 0.0 { -length } else { length }
}

fn towards(axis: Vec3, t: Vec3) -> Vec3 {
    if axis.dot(t) < 0.0 { -axis } else { axis }
}

fn largest(v: Vec3) -> usize {
    // Branch-free.
    usize::from((v.x < v.y) | (v.x < v.z)) * (1 + usize::from(v.y < v.z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::ReferenceFrame;
    use crate::math::orientation::from_rotation_vector;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_face_that_is_proven_is_the_best_of_all_fifteen_axes(
            c in prop::array::uniform6(-1.0..1.0_f64), h in prop::array::uniform6(0.1..1.0_f64), flat in 0..3_u8
        ) {
            let (a, b) = (Vec3::new(h[0], h[1], h[2]), Vec3::new(h[3], h[4], h[5]));
            let turn = Vec3::new(c[3], c[4], c[5]) * [3.0, 0.1, 1e-3][usize::from(flat)];
            let frame = ReferenceFrame::new(Vec3::new(c[0], c[1], c[2]) * 1.5, from_rotation_vector(turn));
            let pose = RelativePose::between(&ReferenceFrame::IDENTITY, &frame);
            let found = greatest_separation(a, b, &pose, f64::INFINITY);
            let r = [pose.rotation.x_axis, pose.rotation.y_axis, pose.rotation.z_axis];
            for e in [Vec3::X, Vec3::Y, Vec3::Z] {
                for f in r {
                    let Some(l) = e.cross(f).try_normalize() else { continue };
                    let reach = l.abs().dot(a) + r[0].dot(l).abs() * b.x + r[1].dot(l).abs() * b.y + r[2].dot(l).abs() * b.z;
                    let separation = pose.translation.dot(l).abs() - reach;
                    prop_assert!(separation <= found.separation + 1e-11, "{separation} {found:?}");
                }
            }
        }
    }
}
