//! `CollisionHandler`: GJK and EPA combined, for any convex sets with a support function.
//!
//! Use it for your own convex sets. For the shapes of the engine use [`super::distance`] and
//! [`super::penetration`], which also have closed forms and SAT.

use super::collision_result::CollisionResult;
use super::epa::{Epa, EpaResult, EpaStatus};
use super::gjk::{Gjk, GjkStart, GjkStatus};
use super::support_function::{MinkowskiDifference, SupportFunction};
use crate::math::ReferenceFrame;

/// A search that did not end with the accuracy asked for.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum CollisionError {
    /// Whether the sets overlap is not known.
    #[error(
        "whether the sets overlap is not known after {iterations} iterations; they are at least {lower_bound} m apart if they are"
    )]
    Distance {
        /// Support points evaluated.
        iterations: u32,
        /// The distance is not smaller, m.
        lower_bound: f64,
    },
    /// They overlap, and the depth is known within bounds only.
    #[error("the sets overlap by at least {least} m and at most {most} m")]
    Depth {
        /// m.
        least: f64,
        /// m.
        most: f64,
    },
}

/// Overlap test with penetration, by GJK and EPA.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CollisionHandler {
    /// The distance query.
    pub gjk: Gjk,
    /// The penetration query.
    pub epa: Epa,
}

impl CollisionHandler {
    /// As [`CollisionHandler::check_collision`], but a search that ran out of iterations or of numerical resolution is an error.
    ///
    /// # Errors
    /// If the distance is not known, or the depth only within bounds.
    pub fn try_check_collision<A, B>(
        &self,
        a: &A,
        pose_a: &ReferenceFrame,
        b: &B,
        pose_b: &ReferenceFrame,
    ) -> Result<Option<CollisionResult>, CollisionError>
    where
        A: SupportFunction + ?Sized,
        B: SupportFunction + ?Sized,
    {
        let difference = MinkowskiDifference::new(a, pose_a, b, pose_b);
        let near = self.gjk.distance(&difference, &GjkStart::COLD);
        match near.status {
            GjkStatus::Overlapping => {}
            GjkStatus::IterationLimit => {
                return Err(CollisionError::Distance {
                    iterations: near.iterations,
                    lower_bound: near.lower_bound,
                });
            }
            GjkStatus::Separated | GjkStatus::BeyondLimit => return Ok(None),
        }
        let deep = self.epa.penetration(&difference, &near.simplex);
        if deep.status == EpaStatus::Bounded {
            return Err(CollisionError::Depth { least: deep.lower_bound, most: deep.depth });
        }
        Ok(Some(result(&deep, pose_a)))
    }

    /// How two sets in the given poses overlap; `None` if they are apart, or if it is not known that they overlap.
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
        Some(result(&deep, pose_a))
    }
}

/// An answer of EPA in the world.
fn result(deep: &EpaResult, pose_a: &ReferenceFrame) -> CollisionResult {
    CollisionResult {
        normal: pose_a.direction_to_parent(deep.normal),
        penetration_depth: crate::math::scalar::max(deep.depth, 0.0),
        contact_point_a: pose_a.point_to_parent(deep.on_a),
        contact_point_b: pose_a.point_to_parent(deep.on_b),
    }
}
