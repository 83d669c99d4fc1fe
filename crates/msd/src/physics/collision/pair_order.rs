//! Canonical order of a pair of shapes, so that (A, B) and (B, A) are one computation.

use super::solid::Solid;
use crate::math::{ReferenceFrame, Vec3};
use crate::physics::rigid_body::shape::{Geometry, Shape};

/// True if the pair is computed as (A, B), false for (B, A): by kind of shape, then by position along a
/// direction that no scene is aligned with, so that round-off in a regular scene does not change the order.
pub(super) fn in_order(a: &Shape, pose_a: &ReferenceFrame, b: &Shape, pose_b: &ReferenceFrame) -> bool {
    let (rank_a, rank_b) = (rank(a), rank(b));
    if rank_a != rank_b {
        return rank_a < rank_b;
    }
    let along = (pose_b.position - pose_a.position).dot(Vec3::new(0.391_827, 0.532_613, 0.750_249));
    if along != 0.0 {
        return along > 0.0;
    }
    let (p, q) = (pose_a.orientation.to_array(), pose_b.orientation.to_array());
    if let Some((x, y)) = p.iter().zip(&q).find(|(x, y)| x != y) {
        return x < y;
    }
    // At equal poses: by size.
    let extent = |shape: &Shape| match shape {
        Shape::HalfSpace(plane) => [plane.normal().to_array(), [plane.offset(); 3]],
        _ => {
            let bounds = shape.bounding_box(&ReferenceFrame::IDENTITY);
            [bounds.min.to_array(), bounds.max.to_array()]
        }
    };
    extent(a) <= extent(b)
}

fn rank(shape: &Shape) -> u8 {
    match shape {
        Shape::Mesh(_) => 0,
        Shape::Compound(_) => 1,
        Shape::HalfSpace(_) => 2,
        _ => shape.as_convex().map_or(3, |convex| 3 + Solid::from(convex).core.rank()),
    }
}
