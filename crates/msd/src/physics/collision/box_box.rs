//! Separating axes of two boxes: fifteen candidates in closed form (S. Gottschalk, M. Lin, D. Manocha, "OBBTree",
//! SIGGRAPH 1996).
//!
//! With `R` the axes of B in A's frame and `t` the centre of B, the projection of a box with half lengths `h` on a
//! unit axis `l` reaches `Σ hₖ |lₖ|` to both sides, so that the separation along `l` is `|t·l| - reach_A - reach_B`.

use super::sat::{SatAxis, box_edge};
use super::support_function::RelativePose;
use crate::math::Vec3;
use crate::tolerance;

/// The axis of greatest separation of two boxes with half lengths `a` and `b`; frame of A, normal from A to B. Stops
/// early at one that separates by more than `enough`.
pub(super) fn greatest_separation(a: Vec3, b: Vec3, pose: &RelativePose, enough: f64) -> SatAxis {
    let r = [pose.rotation.x_axis, pose.rotation.y_axis, pose.rotation.z_axis];
    let t = pose.translation;
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let size = [r[0].abs(), r[1].abs(), r[2].abs()];
    let bias = tolerance::SAT_BIAS * (a.max_element() + b.max_element());

    let reach_b = size[0] * b.x + size[1] * b.y + size[2] * b.z;
    let of_a = t.abs() - a - reach_b;
    let k = largest(of_a);
    let mut best = SatAxis { normal: towards(axes[k], t), separation: of_a[k], edges: None };
    if best.separation > enough {
        return best;
    }
    let along_b = Vec3::new(r[0].dot(t), r[1].dot(t), r[2].dot(t));
    let reach_a = Vec3::new(size[0].dot(a), size[1].dot(a), size[2].dot(a));
    let of_b = along_b.abs() - b - reach_a;
    let k = largest(of_b);
    if of_b[k] > best.separation + bias {
        best = SatAxis { normal: towards(r[k], t), separation: of_b[k], edges: None };
        if best.separation > enough {
            return best;
        }
    }
    let mut to_beat = best.separation + bias;
    let mut pair = None;
    for i in 0..3 {
        let (u, v) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            // l = e_i × r_j has the components (0, -r_v, r_u) on (i, u, v).
            let (ru, rv) = (r[j][u], r[j][v]);
            let squared = ru * ru + rv * rv;
            if squared <= tolerance::PARALLEL_EDGES * tolerance::PARALLEL_EDGES {
                continue;
            }
            let (p, q) = ((j + 1) % 3, (j + 2) % 3);
            let reach_a = a[u] * rv.abs() + a[v] * ru.abs();
            let reach_b = b[p] * size[q][i] + b[q] * size[p][i];
            let distance = (t[v] * ru - t[u] * rv).abs();
            let separation = (distance - reach_a - reach_b) / squared.sqrt();
            if separation > to_beat {
                to_beat = separation;
                pair = Some((i, j));
            }
        }
    }
    let Some((i, j)) = pair else { return best };
    let normal = towards(axes[i].cross(r[j]).normalize_or(Vec3::Z), t);
    let edge_a = box_edge(a, i, normal);
    let edge_b = box_edge(b, j, -pose.direction_to_b(normal)).map(|p| pose.point(p));
    SatAxis { normal, separation: to_beat, edges: Some([edge_a, edge_b]) }
}

fn towards(axis: Vec3, t: Vec3) -> Vec3 {
    if axis.dot(t) < 0.0 { -axis } else { axis }
}

fn largest(v: Vec3) -> usize {
    if v.x >= v.y && v.x >= v.z {
        0
    } else if v.y >= v.z {
        1
    } else {
        2
    }
}
