//! Filtered exact predicate for the side of a triangle's plane on which a point lies: a few flops where
//! rounding cannot matter, the exact predicate elsewhere.
//!
//! The height of `p` over the triangle `a b c` (counter-clockwise seen from above) is `n·(p - a)` with
//! `n = (b - a) × (c - a)`: six times the signed volume of the tetrahedron, positive above. With `u = 2⁻⁵³`
//! and `|n|⁺ = |b - a| ⊗ |c - a|` (the cross product with every sign made positive), the straightforward
//! evaluation carries a relative error of at most eight roundings per term, so it is off by less than `10 u
//! |n|⁺·|p - a|`; the two extra `u` cover the rounding of the bound itself. For a needle `|n|⁺ ≫ |n|` and the
//! bound says nothing; there the cross product is evaluated in twice the precision, after which only six
//! roundings per term of `n·(p - a)` are left. (Shewchuk, *Adaptive Precision Floating-Point Arithmetic and
//! Fast Robust Geometric Predicates*, 1997.)

use robust::{Coord3D, orient3d};

use crate::math::{Vec3, scalar};

/// Unit round-off of f64.
const U: f64 = f64::EPSILON / 2.0;

/// Ratio of `|n|⁺` to `|n|` above which the cross product is worth twice the precision.
const NEEDLE: f64 = 16.0;

/// Supporting plane of a triangle, not normalised.
#[derive(Clone, Copy, Debug)]
pub(super) struct TrianglePlane {
    /// Outward, as long as twice the triangle's area.
    pub normal: Vec3,
    /// A point of the plane: the triangle's first vertex.
    pub anchor: Vec3,
    /// A height beyond `±bound` has the right sign.
    pub bound: f64,
    /// A height above this is certain, and farther from the plane than the resolution of the hull: at least
    /// the resolution times `|normal|`, at most √3 times as much where rounding does not require more.
    pub clear: f64,
}

impl TrianglePlane {
    /// The plane through three points. `extent` bounds `|p - a|`, component by component, for every point it
    /// will be tested with; `resolution` is a distance in m.
    pub(super) fn through([a, b, c]: [Vec3; 3], extent: Vec3, resolution: f64) -> Self {
        let (ab, ac) = (b - a, c - a);
        let mut normal = ab.cross(ac);
        let magnitude = cross_magnitude(ab, ac);
        let mut bound = 10.0 * U * magnitude.dot(extent);
        let mut length = sum(normal.abs());
        if sum(magnitude) > NEEDLE * length {
            normal = precise_cross([a, b, c]);
            length = sum(normal.abs());
            bound = 8.0 * U * normal.abs().dot(extent) + 32.0 * U * U * magnitude.dot(extent);
        }
        Self { normal, anchor: a, bound, clear: scalar::max(bound, resolution * length) }
    }

    /// Height of `p` over the plane times `|normal|`, with rounding.
    #[inline]
    pub(super) fn height(&self, p: Vec3) -> f64 {
        self.normal.dot(p - self.anchor)
    }
}

/// True if `p` is strictly above the triangle `a b c`, with no rounding at all.
pub(super) fn exactly_above([a, b, c]: [Vec3; 3], p: Vec3) -> bool {
    exact_orientation([a, b, c], p) > 0.0
}

/// A number with the sign of the height of `p` over the triangle `a b c`: zero if and only if they are coplanar.
pub(super) fn exact_orientation([a, b, c]: [Vec3; 3], p: Vec3) -> f64 {
    let coord = |v: Vec3| Coord3D { x: v.x, y: v.y, z: v.z };
    -orient3d(coord(a), coord(b), coord(c), coord(p))
}

/// Unit normal of the triangle `a b c` (counter-clockwise seen from its tip), correct to a few units of round-off
/// even for a needle.
pub(super) fn unit_normal(corners: [Vec3; 3]) -> Vec3 {
    precise_cross(corners).normalize_or_zero()
}

fn sum(v: Vec3) -> f64 {
    v.x + v.y + v.z
}

/// `a × b` with every sign made positive.
fn cross_magnitude(a: Vec3, b: Vec3) -> Vec3 {
    let (a, b) = (a.abs(), b.abs());
    Vec3::new(a.y * b.z + a.z * b.y, a.z * b.x + a.x * b.z, a.x * b.y + a.y * b.x)
}

/// `(b - a) × (c - a)` evaluated in twice the working precision and rounded once.
fn precise_cross([a, b, c]: [Vec3; 3]) -> Vec3 {
    let difference = |p: Vec3| [two_difference(p.x, a.x), two_difference(p.y, a.y), two_difference(p.z, a.z)];
    let (u, v) = (difference(b), difference(c));
    let component = |i: usize, j: usize| determinant(u[i], u[j], v[i], v[j]);
    Vec3::new(component(1, 2), component(2, 0), component(0, 1))
}

/// `ui vj - uj vi` for numbers given as unevaluated sums of two.
fn determinant(ui: [f64; 2], uj: [f64; 2], vi: [f64; 2], vj: [f64; 2]) -> f64 {
    let (p, q) = (two_product(ui[0], vj[0]), two_product(uj[0], vi[0]));
    let high = two_difference(p[0], q[0]);
    let tails = (ui[0] * vj[1] + ui[1] * vj[0]) - (uj[0] * vi[1] + uj[1] * vi[0]);
    high[0] + (high[1] + (p[1] - q[1]) + tails)
}

/// `a - b` as its rounded value and the exact rounding error.
fn two_difference(a: f64, b: f64) -> [f64; 2] {
    let x = a - b;
    let b_virtual = a - x;
    let a_virtual = x + b_virtual;
    [x, (a - a_virtual) + (b_virtual - b)]
}

/// `a b` as its rounded value and the exact rounding error (Dekker's splitting; no fused multiply-add, whose use is
/// up to the target).
fn two_product(a: f64, b: f64) -> [f64; 2] {
    let x = a * b;
    let ([a_high, a_low], [b_high, b_low]) = (split(a), split(b));
    [x, a_low * b_low - (((x - a_high * b_high) - a_low * b_high) - a_high * b_low)]
}

/// The upper 26 bits of a number and the rest.
fn split(a: f64) -> [f64; 2] {
    const SPLITTER: f64 = 134_217_729.0; // 2²⁷ + 1
    let c = SPLITTER * a;
    let high = c - (c - a);
    [high, a - high]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_normal_of_a_needle_is_orthogonal_to_its_edges_to_round_off() {
        // Two long edges that differ in the last digits: the plain cross product keeps no correct one.
        let a = Vec3::new(0.1, 0.2, 0.3);
        let b = a + Vec3::new(1.0 / 3.0, 0.7, 0.9);
        let c = a + (b - a) * 0.7 + Vec3::new(1e-15, -3e-15, 2e-15);
        let n = unit_normal([a, b, c]);
        assert!(n.dot(b - a).abs() < 3e-16 && n.dot(c - a).abs() < 3e-16);
    }

    proptest! {
        #[test]
        fn a_height_beyond_its_bound_has_the_exact_sign(
            coordinates in prop::array::uniform12(-1.0..1.0_f64), flatness in 0..18_i32, shift in -1e3..1e3_f64
        ) {
            let v = |i: usize| Vec3::from_slice(&coordinates[3 * i..3 * i + 3]) + Vec3::splat(shift);
            let (a, b) = (v(0), v(1));
            let squeeze = (0..flatness).fold(1.0, |s, _| s * 0.1);
            let c = a + (b - a) * 0.3 + (v(2) - a) * squeeze;
            let p = a + (b - a) * 0.4 + (c - a) * 0.7 + (v(3) - a) * squeeze * squeeze;
            let plane = TrianglePlane::through([a, b, c], Vec3::splat(4.0), 0.0);
            let (height, exact) = (plane.height(p), exact_orientation([a, b, c], p));
            prop_assert!(height.abs() <= plane.bound || (height > 0.0) == (exact > 0.0) && exact != 0.0);
        }
    }
}
