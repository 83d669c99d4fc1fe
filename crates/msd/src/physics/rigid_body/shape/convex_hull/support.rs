//! The farthest vertex in a direction, by scanning or, in larger hulls, by hill climbing from neighbour to
//! neighbour.
//!
//! On a convex polyhedron a vertex with no higher neighbour is the highest: a linear function has no local
//! maximum on it that is not the global one, and a tie (an edge or a face across the direction) needs no
//! move. Rounding could break that on short edges, where two heights `d·v` and `d·w` differ by less than
//! their last digit and a climb would stop on a slope that it cannot see; so the climb compares `d·(w - v)`,
//! whose sign is right unless the slope of the edge itself is below round-off; the loss is then round-off of
//! the hull's size.

use super::ConvexHull;
use super::tables::SCAN_LIMIT;
use crate::math::{Coordinate, Vec3};

impl ConvexHull {
    /// Index of a vertex farthest along `direction` (any length), local frame.
    #[must_use]
    #[inline]
    pub fn support_index(&self, direction: Vec3) -> u32 {
        let tables = self.tables.of(self);
        if self.vertices.len() <= SCAN_LIMIT {
            return tables.support(direction);
        }
        self.climb(tables.start(direction), direction)
    }

    /// Index of a vertex farthest along `direction`, searched from `hint` if that is nearer than any other
    /// start: for a query close to the last one, whose result is the hint. An invalid hint is ignored.
    #[must_use]
    #[inline]
    pub fn support_from(&self, hint: u32, direction: Vec3) -> u32 {
        let tables = self.tables.of(self);
        if self.vertices.len() <= SCAN_LIMIT {
            return tables.support(direction);
        }
        let start = tables.start(direction);
        let higher = self
            .vertices
            .get(hint as usize)
            .is_some_and(|v| direction.dot(*v - self.vertices[start as usize]) > 0.0);
        self.climb(if higher { hint } else { start }, direction)
    }

    /// Builds the search tables, which the first query would build otherwise.
    pub(in crate::physics::rigid_body::shape) fn prepare(&self) {
        self.tables.of(self);
    }

    /// Index of the face whose outward normal is nearest to `direction` (any length), local frame.
    #[must_use]
    pub fn face_along(&self, direction: Vec3) -> u32 {
        self.tables.of(self).face_along(direction)
    }

    /// Index of the face over whose plane a point is highest, and its height there, m: minus the depth of a point
    /// inside.
    #[must_use]
    pub fn highest_face(&self, point: Coordinate) -> (u32, f64) {
        self.tables.of(self).highest_plane(point)
    }

    /// Goes to the highest neighbour as long as one is higher. Rounding cannot send it round in circles for ever:
    /// there are no more steps than vertices.
    pub(super) fn climb(&self, start: u32, direction: Vec3) -> u32 {
        let mut at = start;
        for _ in 0..self.vertices.len() {
            let here = self.vertices[at as usize];
            let mut best = (at, 0.0);
            for &neighbour in self.neighbours(at) {
                let rise = direction.dot(self.vertices[neighbour as usize] - here);
                if rise > best.1 {
                    best = (neighbour, rise);
                }
            }
            if best.0 == at {
                break;
            }
            at = best.0;
        }
        at
    }
}
