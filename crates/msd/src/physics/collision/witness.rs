//! `SignedDistance`: the signed distance of two cores with its witness points.

use super::gjk::GjkStart;
use crate::math::{Coordinate, Vec3, scalar};

/// Signed distance of two cores; frame of A.
#[derive(Clone, Copy, Debug)]
pub(super) struct SignedDistance {
    /// Unit, from A to B.
    pub normal: Vec3,
    /// Distance of the cores, m; negative is overlap.
    pub distance: f64,
    /// On the core of A.
    pub on_a: Coordinate,
    /// On the core of B.
    pub on_b: Coordinate,
    /// Warm start for the next query of this pair.
    pub start: GjkStart,
}

impl SignedDistance {
    /// Warm-starts the next query with the direction, which stays valid when the pair separates.
    pub(super) fn store_start(&mut self) {
        self.start =
            GjkStart { direction: -self.normal, depth: scalar::max(-self.distance, 0.0), ..GjkStart::COLD };
    }

    pub(super) fn cold(normal: Vec3, distance: f64, on_a: Coordinate, on_b: Coordinate) -> Self {
        Self { normal, distance, on_a, on_b, start: GjkStart::COLD }
    }
}

impl SignedDistance {
    /// Moves the witness points opposite each other along the normal, where round-off has left them beside each
    /// other: each by half of what is missing.
    pub(super) fn face_each_other(&mut self) {
        let across = (self.on_b - self.on_a - self.normal * self.distance) * 0.5;
        self.on_a += across;
        self.on_b -= across;
    }

    /// Adds the rounding radii to a result for the cores.
    pub(super) fn round(&mut self, radius_a: f64, radius_b: f64) {
        self.on_a += self.normal * radius_a;
        self.on_b -= self.normal * radius_b;
        self.distance -= radius_a + radius_b;
    }
}
