//! Depth of overlap of two boxes by the separating axis theorem (Gottschalk et al. 1996): the least translation that
//! separates them is along a face normal of one of them or perpendicular to an edge of each.
//!
//! ```text
//! s(n) = |n·(x_B - x_A)| - Σ_k h_Ak |n·a_k| - Σ_k h_Bk |n·b_k|
//! ```

use super::ascent::Separation;
use super::convex::Piece;
use crate::math::Vec3;

/// Sine of the angle of two edges below which their common perpendicular is left out. It is then a face normal of
/// both, to that angle.
const PARALLEL: f64 = 1e-10;

/// The largest gap of two boxes over all axes, if both are boxes: minus their depth if it is at most zero, and a lower
/// bound of the distance otherwise.
pub(super) fn separation_of_boxes(a: &Piece<'_>, b: &Piece<'_>) -> Option<Separation> {
    let (half_a, half_b) = (a.box_half()?, b.box_half()?);
    let (axes_a, axes_b) = (a.rotation(), b.rotation());
    let apart = b.middle() - a.middle();
    let mut best = Separation { gap: f64::NEG_INFINITY, normal: apart };
    let mut look = |normal: Vec3| {
        let reach = |half: Vec3, [x, y, z]: [Vec3; 3]| {
            half.x * normal.dot(x).abs() + half.y * normal.dot(y).abs() + half.z * normal.dot(z).abs()
        };
        let along = normal.dot(apart);
        let gap = along.abs()
            - reach(half_a, [axes_a.x_axis, axes_a.y_axis, axes_a.z_axis])
            - reach(half_b, [axes_b.x_axis, axes_b.y_axis, axes_b.z_axis]);
        if gap > best.gap || gap.is_nan() {
            best = Separation { gap, normal: if along < 0.0 { -normal } else { normal } };
        }
    };
    for k in 0..3 {
        look(axes_a.col(k));
        look(axes_b.col(k));
    }
    for i in 0..3 {
        for j in 0..3 {
            let across = axes_a.col(i).cross(axes_b.col(j));
            let length = across.length();
            if length > PARALLEL {
                look(across / length);
            }
        }
    }
    Some(best)
}
