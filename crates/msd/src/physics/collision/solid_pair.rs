//! Two convex solids and where they are relative to each other.

use super::features::FACES_PARALLEL;
use super::solid::Solid;
use super::support_function::RelativePose;

/// Two solids, B in the frame of A; contacts are in the frame of A except the anchors of B.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConvexPair<'a> {
    pub a: &'a Solid<'a>,
    pub b: &'a Solid<'a>,
    pub pose: RelativePose,
    /// Sine of the angle with the normal of least overlap up to which two faces are a face contact although another
    /// direction separates better.
    pub faces_parallel: f64,
}

impl<'a> ConvexPair<'a> {
    pub(super) fn new(a: &'a Solid<'a>, b: &'a Solid<'a>, pose: RelativePose) -> Self {
        Self { a, b, pose, faces_parallel: FACES_PARALLEL }
    }
}
