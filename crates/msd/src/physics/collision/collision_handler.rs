//! `CollisionHandler`: GJK and EPA combined, for any convex sets with a support function.
//!
//! Use it for your own convex sets. For the shapes of the engine use [`super::distance`] and
//! [`super::penetration`], which also have closed forms and SAT.

use super::collision_result::CollisionResult;
use super::epa::Epa;
use super::gjk::{Gjk, GjkStart, GjkStatus};
use super::support_function::{MinkowskiDifference, SupportFunction};
use crate::math::ReferenceFrame;

/// Overlap test with penetration, by GJK and EPA.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CollisionHandler {
    /// The distance query.
    pub gjk: Gjk,
    /// The penetration query.
    pub epa: Epa,
}

impl CollisionHandler {
    /// How two sets in the given poses overlap; `None` if they are apart.
    #[must_use]
    pub fn check_collision<A, B>(
        &self,
        a: &A,
        pose_a: &ReferenceFrame,
        b: &B,
        pose_b: &ReferenceFrame,
    ) -> Option<CollisionResult>
    where
        A: SupportFunction + ?Sized,
        B: SupportFunction + ?Sized,
    {
        let difference = MinkowskiDifference::new(a, pose_a, b, pose_b);
        let near = self.gjk.distance(&difference, &GjkStart::COLD);
        if near.status != GjkStatus::Overlapping {
            return None;
        }
        let deep = self.epa.penetration(&difference, &near.simplex);
        Some(CollisionResult {
            normal: pose_a.direction_to_parent(deep.normal),
            penetration_depth: crate::math::scalar::max(deep.depth, 0.0),
            contact_point_a: pose_a.point_to_parent(deep.on_a),
            contact_point_b: pose_a.point_to_parent(deep.on_b),
        })
    }
}
