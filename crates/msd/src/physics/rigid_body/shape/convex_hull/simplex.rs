//! The initial tetrahedron, or the degeneracy that prevents one.
//!
//! Four points far apart: the two farthest apart among the extremes of the coordinate axes, the one farthest
//! from their line, the one farthest from that plane. Each choice breaks ties by the coordinates, so that the
//! order of the points does not matter. If nothing is farther from the line (the plane) than the resolution,
//! the points are collinear (coplanar): a plate that is flat to rounding is not a body.

use std::cmp::Ordering;

use super::plane::{TrianglePlane, exact_orientation};
use crate::math::{Vec3, scalar};
use crate::physics::rigid_body::shape::Aabb;

/// No index.
pub(super) const NONE: u32 = u32::MAX;

/// In how many dimensions a cloud has no extent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Degeneracy {
    /// All points on one line, or at one place.
    Collinear,
    /// All points in one plane.
    Coplanar,
}

/// Lexicographic order of coordinates; `-0.0` and `0.0` are equal. All coordinates must be finite.
pub(super) fn lexicographic(a: Vec3, b: Vec3) -> Ordering {
    let order = |a: f64, b: f64| a.partial_cmp(&b).unwrap_or(Ordering::Equal);
    order(a.x, b.x).then(order(a.y, b.y)).then(order(a.z, b.z))
}

/// Indices of four of the candidates, the first three counter-clockwise seen from the side away from the fourth.
pub(super) fn initial_simplex(
    points: &[Vec3],
    candidates: impl Iterator<Item = u32> + Clone,
    extent: Vec3,
    resolution: f64,
) -> Result<[u32; 4], Degeneracy> {
    let at = |i: u32| points[i as usize];
    let [a, b] = farthest_extremes(points, candidates.clone()).ok_or(Degeneracy::Collinear)?;
    let axis = at(b) - at(a);
    let length = axis.length();
    let (c, area) = farthest(points, candidates.clone(), |p| (p - at(a)).cross(axis).length());
    if area <= resolution * length {
        return Err(Degeneracy::Collinear);
    }
    let base = [at(a), at(b), at(c)];
    let plane = TrianglePlane::through(base, extent, resolution);
    let (d, height) = farthest(points, candidates, |p| plane.height(p).abs());
    if height <= scalar::max(plane.bound, resolution * plane.normal.length()) {
        return Err(Degeneracy::Coplanar);
    }
    if exact_orientation(base, at(d)) > 0.0 { Ok([b, a, c, d]) } else { Ok([a, b, c, d]) }
}

/// The two farthest apart of the six points extreme along the axes; `None` without candidates.
fn farthest_extremes(points: &[Vec3], candidates: impl Iterator<Item = u32> + Clone) -> Option<[u32; 2]> {
    let first = candidates.clone().next()?;
    let bounds = Aabb::from_points(candidates.clone().map(|i| points[i as usize]));
    let mut extremes = [NONE; 6];
    for i in candidates {
        let p = points[i as usize];
        let (low, high) = (p.cmpeq(bounds.min), p.cmpeq(bounds.max));
        if !(low.any() || high.any()) {
            continue;
        }
        for (slot, reached) in [low.x, low.y, low.z, high.x, high.y, high.z].into_iter().enumerate() {
            let held = extremes[slot];
            if reached && (held == NONE || lexicographic(p, points[held as usize]).is_lt()) {
                extremes[slot] = i;
            }
        }
    }
    let mut pair = [first; 2];
    let mut distance = -1.0;
    for (k, &i) in extremes.iter().enumerate() {
        for &j in &extremes[k + 1..] {
            let apart = points[i as usize].distance_squared(points[j as usize]);
            if apart > distance {
                (pair, distance) = ([i, j], apart);
            }
        }
    }
    Some(pair)
}

/// The candidate with the largest measure, the lexicographically smallest of equals, and the measure.
fn farthest(
    points: &[Vec3],
    candidates: impl Iterator<Item = u32>,
    measure: impl Fn(Vec3) -> f64,
) -> (u32, f64) {
    let mut best = (0, -1.0);
    for i in candidates {
        let p = points[i as usize];
        let m = measure(p);
        if m > best.1 || m == best.1 && lexicographic(p, points[best.0 as usize]).is_lt() {
            best = (i, m);
        }
    }
    best
}

/// Largest absolute coordinate.
pub(super) fn largest_coordinate(points: &[Vec3]) -> f64 {
    points.iter().fold(0.0, |big, p| scalar::max(big, p.abs().max_element()))
}
