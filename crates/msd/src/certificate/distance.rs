//! Signed distance of two convex pieces, computed without data of the narrow phase.
//!
//! For a unit vector n, the gap of the pieces along it,
//! ```text
//! s(n) = min over B of n·x - max over A of n·x,
//! ```
//! is a lower bound of their signed distance, and the largest s(n) is that distance (negative: depth of overlap). One
//! direction with `s(n) ≥ -ε` therefore proves that the pieces overlap by at most ε, however it was chosen.
//! Directions come from the nearest points of the pieces (the algorithm of Gilbert, Johnson and Keerthi on the
//! difference B - A). Of overlapping pieces, B is first shifted out along the best direction so far, and the new
//! nearest points give a better one. This ends in a local maximum of s, far from the global one if a small piece is
//! near the side of a large one and the first direction points along it. If a local maximum proves no small depth,
//! all directions are searched ([`least_depth`]); of two boxes, their fifteen axes are tried first.

use super::ascent::{APART, Separation, climb, gap_along, nearest_direction, unit};
use super::box_depth::separation_of_boxes;
use super::convex::Piece;
use super::least_depth::least_depth;
use crate::math::Vec3;

/// The signed distance of two pieces, or a lower bound of it that is at least `enough`. `size` is that of the smaller
/// one, m.
pub(super) fn separation(a: &Piece<'_>, b: &Piece<'_>, hint: Vec3, enough: f64, size: f64) -> Separation {
    let normal = unit(hint).or_else(|| unit(b.middle() - a.middle())).unwrap_or(Vec3::Z);
    let mut best = Separation { gap: gap_along(a, b, normal), normal };
    if best.gap >= enough || best.gap.is_nan() {
        return best;
    }
    if let Some(boxes) = separation_of_boxes(a, b) {
        // Corners and edges that are apart may have other normals.
        if boxes.gap <= 0.0 || boxes.gap >= enough || boxes.gap.is_nan() {
            return boxes;
        }
        best = boxes;
    }
    if let Some((normal, distance)) = nearest_direction(a, b, Vec3::ZERO) {
        let gap = gap_along(a, b, normal);
        if gap > best.gap {
            best = Separation { gap, normal };
        }
        // Nearest points of cores that are apart: their distance is that of the pieces.
        let proven = best.gap + a.radius + b.radius >= (1.0 - APART) * distance;
        if best.gap >= enough || (distance > APART * size && proven) {
            return best;
        }
    }
    best = climb(a, b, best, enough, size);
    if best.gap >= enough { best } else { least_depth(a, b, best, enough, size) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::scalar;
    use crate::math::{Quat, ReferenceFrame};
    use crate::physics::rigid_body::shape::{Cuboid, Shape, Sphere};

    fn frame(position: Vec3, turn: f64) -> ReferenceFrame {
        ReferenceFrame { position, orientation: Quat::from_rotation_z(turn) }
    }

    #[test]
    fn spheres_apart_and_overlapping_have_their_closed_form() {
        let shape = Shape::Sphere(Sphere::new(0.5).expect("a ball"));
        for distance in [0.2, 0.7, 0.999, 1.0, 1.3, 50.0] {
            let direction = Vec3::new(0.48, -0.6, 0.64);
            let (a, b) = (frame(Vec3::ZERO, 0.0), frame(direction * distance, 1.0));
            let (a, b) = (Piece::new(&shape, &a), Piece::new(&shape, &b));
            let found = separation(&a.expect("convex"), &b.expect("convex"), Vec3::X, f64::INFINITY, 1.0);
            assert!((found.gap - (distance - 1.0)).abs() < 1e-12, "{distance}: {found:?}");
        }
    }

    #[test]
    fn boxes_apart_and_overlapping_have_their_closed_form() {
        let shape = Shape::Box(Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).expect("a cube"));
        for turn in [0.0_f64, 0.3, std::f64::consts::FRAC_PI_4] {
            for gap in [-0.3, -1e-3, -1e-9, 0.0, 1e-6, 0.4] {
                // The face x = ½ of A against the corner or face of B turned about z.
                let reach = 0.5 * (scalar::cos(turn).abs() + scalar::sin(turn).abs());
                let at = frame(Vec3::new(0.5 + gap + reach, 0.03, 0.02), turn);
                let (a, b) = (Piece::new(&shape, &ReferenceFrame::default()), Piece::new(&shape, &at));
                let hint = Vec3::new(0.9, 0.3, 0.1);
                let found = separation(&a.expect("convex"), &b.expect("convex"), hint, f64::INFINITY, 1.0);
                assert!((found.gap - gap).abs() < 1e-9, "turned {turn}, gap {gap}: {found:?}");
            }
        }
    }
}
