//! The result of the separating axis test.

use super::box_faces::BoxFace;
use super::closed_form::between_segments;
use super::solid::corner;
use crate::math::{Coordinate, Vec3};

/// The axis of greatest separation.
#[derive(Clone, Copy, Debug)]
pub(super) struct SatAxis {
    /// Unit, frame of A, from A to B.
    pub normal: Vec3,
    /// Gap along it, m; negative is overlap.
    pub separation: f64,
    /// The two edges of an edge-edge axis, frame of A.
    pub edges: Option<[[Coordinate; 2]; 2]>,
    /// The reference face of a face axis of two boxes.
    pub face: Option<BoxFace>,
}

impl SatAxis {
    /// Nearest points of the two edges of an edge-edge axis.
    pub(super) fn edge_witnesses(&self) -> Option<(Coordinate, Coordinate)> {
        let [a, b] = self.edges?;
        let (on_a, on_b, _, _) = between_segments(a, b);
        Some((on_a, on_b))
    }
}

/// The edge of a box that lies farthest along `direction` among those parallel to `axis`.
pub(super) fn box_edge(half: Vec3, axis: usize, direction: Vec3) -> [Coordinate; 2] {
    let number = |d: Vec3| u32::from(d.x >= 0.0) | u32::from(d.y >= 0.0) << 1 | u32::from(d.z >= 0.0) << 2;
    let k = number(direction);
    [corner(half, k & !(1 << axis)), corner(half, k | 1 << axis)]
}
