//! The farthest vertex in a direction, by scanning or by climbing from neighbour to neighbour.
//!
//! On a convex polyhedron a vertex with no higher neighbour is the highest: a linear function has no local maximum on
//! it that is not the global one, and a tie (an edge or a face across the direction) needs no move. Rounding could
//! break that on short edges, where two heights `d·v` and `d·w` differ by less than their last digit and a climb
//! would stop on a slope that it cannot see; so the climb looks at `d·(w - v)`, whose sign is right unless the slope
//! of the edge itself is below round-off, and what is then lost is round-off of the hull's size.

use super::ConvexHull;
use crate::math::{Coordinate, Vec3};

/// Up to this many vertices a scan of all of them is as fast as a climb.
const SCAN_LIMIT: usize = 40;

/// Number of a vertex farthest along `direction`: four searches side by side, none waiting for another.
#[inline]
fn scan(vertices: &[Coordinate], direction: Vec3) -> u32 {
    let mut height = [f64::NEG_INFINITY; 4];
    let mut number = [0_u32; 4];
    let mut look = |lane: usize, k: usize, v: &Vec3| {
        let h = direction.dot(*v);
        if h > height[lane] {
            height[lane] = h;
            number[lane] = k as u32;
        }
    };
    let fours = vertices.chunks_exact(4);
    let first_left = vertices.len() - fours.remainder().len();
    for (k, v) in fours.remainder().iter().enumerate() {
        look(k, first_left + k, v);
    }
    for (k, four) in fours.enumerate() {
        for (lane, v) in four.iter().enumerate() {
            look(lane, 4 * k + lane, v);
        }
    }
    let better = |a: usize, b: usize| if height[b] > height[a] { b } else { a };
    number[better(better(0, 1), better(2, 3))]
}

/// The vertices with the smallest x, y, z and the largest x, y, z; the first of equals. There must be one at
/// least.
pub(super) fn extremes(vertices: &[Coordinate]) -> [u32; 6] {
    let mut extremes = [0; 6];
    let [mut low, mut high] = [vertices[0]; 2];
    for (k, v) in (0..).zip(vertices) {
        let (lower, higher) = (v.cmplt(low), v.cmpgt(high));
        if !(lower.any() || higher.any()) {
            continue;
        }
        (low, high) = (low.min(*v), high.max(*v));
        for (slot, passed) in
            [lower.x, lower.y, lower.z, higher.x, higher.y, higher.z].into_iter().enumerate()
        {
            if passed {
                extremes[slot] = k;
            }
        }
    }
    extremes
}

impl ConvexHull {
    /// Index of a vertex farthest along `direction` (any length), local frame.
    #[must_use]
    #[inline]
    pub fn support_index(&self, direction: Vec3) -> u32 {
        if self.vertices.len() <= SCAN_LIMIT {
            return scan(&self.vertices, direction);
        }
        let height = |v: u32| direction.dot(self.vertices[v as usize]);
        let higher = |best: u32, v: &u32| if height(*v) > height(best) { *v } else { best };
        self.climb(self.extremes.iter().fold(self.extremes[0], higher), direction)
    }

    /// Index of a vertex farthest along `direction`, looked for from `hint` on: for a query close to the last one,
    /// whose answer is the hint, this costs a few neighbours. A hint that is no vertex is ignored.
    #[must_use]
    #[inline]
    pub fn support_from(&self, hint: u32, direction: Vec3) -> u32 {
        if self.vertices.len() <= SCAN_LIMIT || hint as usize >= self.vertices.len() {
            return self.support_index(direction);
        }
        self.climb(hint, direction)
    }

    /// Goes to the highest neighbour as long as one is higher. Rounding cannot send it round in circles for ever:
    /// there are no more steps than vertices.
    fn climb(&self, start: u32, direction: Vec3) -> u32 {
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
