//! Helpers for solids of revolution about the z axis.

use crate::math::{Mat3, Vec3};

/// Squares of components below this length may lose digits to underflow.
const SAFE_TO_SQUARE: f64 = 1e-140;

/// The unit vector along `(x, y, 0)`, whatever its length; `None` on the axis.
pub(super) fn radial_unit(v: Vec3) -> Option<Vec3> {
    let radial = Vec3::new(v.x, v.y, 0.0);
    let length = (v.x * v.x + v.y * v.y).sqrt();
    if length > SAFE_TO_SQUARE && length.is_finite() {
        return Some(radial / length);
    }
    let largest = radial.abs().max_element();
    (largest > 0.0).then(|| (radial / largest).normalize())
}

/// The unit vector along `v`, whatever its length; z if it is zero. A vector that is unit to round-off is
/// returned as it is, so that a stored vector reads back with the same bits.
pub(super) fn unit(v: Vec3) -> Vec3 {
    let length = v.length();
    if (length - 1.0).abs() <= 2.0 * f64::EPSILON {
        return v;
    }
    if length > SAFE_TO_SQUARE && length.is_finite() {
        return v / length;
    }
    let largest = v.abs().max_element();
    if largest > 0.0 { (v / largest).normalize() } else { Vec3::Z }
}

/// Distance from the z axis.
pub(super) fn radial_distance(point: Vec3) -> f64 {
    (point.x * point.x + point.y * point.y).sqrt()
}

/// How far a disc of unit radius about the local z axis reaches along each axis of the parent.
///
/// Along the parent axis e the disc reaches √(1 - (e·z)²), which is the length of e's part in the local xy plane;
/// in the second form nothing cancels when the disc is almost edge on.
pub(super) fn disc_reach(rotation: &Mat3) -> Vec3 {
    let (x, y) = (rotation.x_axis, rotation.y_axis);
    let reach = |a: f64, b: f64| (a * a + b * b).sqrt();
    Vec3::new(reach(x.x, y.x), reach(x.y, y.y), reach(x.z, y.z))
}
