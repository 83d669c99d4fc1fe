//! Complete collision information about an overlapping pair.

use crate::math::{Coordinate, Vec3};

/// Penetration of two overlapping shapes; world frame, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollisionResult {
    /// Unit, from A to B: moving B by `penetration_depth · normal` separates the shapes.
    pub normal: Vec3,
    /// ≥ 0.
    pub penetration_depth: f64,
    /// The point of A deepest in B.
    pub contact_point_a: Coordinate,
    /// The point of B deepest in A: `contact_point_a - contact_point_b = penetration_depth · normal`.
    pub contact_point_b: Coordinate,
}
