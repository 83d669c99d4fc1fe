//! Contact manifolds: a normal and up to eight points, each with its own gap.
//!
//! The normal is a unit vector in the world frame from A towards B. Every point has a position on A and a
//! position on B (not one in Minkowski space) and its own signed distance along the normal: positive is a
//! gap, negative an overlap, so that `on_b - on_a ≈ distance · normal`. Anchors are the same points in the
//! local frames of the shapes: they lose no digits far from the origin, and cached contacts are moved by
//! them.

use serde::{Deserialize, Serialize};

use crate::math::{Coordinate, Mat3, ReferenceFrame, Vec3};

/// Largest number of points of a manifold. A box on a box has up to eight.
pub const MAX_POINTS: usize = 8;

/// Distance on A within which a contact without a matching feature counts as the same as before, relative to
/// the size of the manifold. tuned.
pub(super) const SAME_CONTACT: f64 = 0.02;

/// The features of A and B that make a point: equal from step to step as long as the contact is the same one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FeatureId {
    /// Vertex, edge or face of A.
    pub a: u32,
    /// Vertex, edge or face of B.
    pub b: u32,
}

impl FeatureId {
    pub(super) const VERTEX: u32 = 0;
    pub(super) const EDGE: u32 = 1 << 30;
    pub(super) const FACE: u32 = 2 << 30;
    pub(super) const CURVE: u32 = 3 << 30;

    /// True if the point lies on a curved edge or surface of A, over which it moves when A rolls.
    #[must_use]
    pub const fn is_curve_of_a(self) -> bool {
        self.a & Self::CURVE == Self::CURVE
    }

    /// True if the point lies on a curved edge or surface of B, over which it moves when B rolls.
    #[must_use]
    pub const fn is_curve_of_b(self) -> bool {
        self.b & Self::CURVE == Self::CURVE
    }

    /// True if a vertex of A makes the point.
    #[must_use]
    pub const fn is_vertex_of_a(self) -> bool {
        self.a & Self::CURVE == Self::VERTEX
    }

    /// True if a vertex of B makes the point.
    #[must_use]
    pub const fn is_vertex_of_b(self) -> bool {
        self.b & Self::CURVE == Self::VERTEX
    }

    /// Rim that makes a point, and its place on it: 0 to 7 are fixed in the body, 8 is the lowest.
    const fn rim(id: u32) -> Option<(u32, u32)> {
        if id & Self::CURVE == Self::CURVE && id & 31 <= 8 { Some((id & !31, id & 31)) } else { None }
    }

    pub(super) const fn swapped(self) -> Self {
        Self { a: self.b, b: self.a }
    }
}

/// One point of a manifold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactPoint {
    /// On the surface of A, world frame, m.
    pub on_a: Coordinate,
    /// On the surface of B, world frame, m.
    pub on_b: Coordinate,
    /// The point on A in A's local frame, m.
    pub anchor_a: Coordinate,
    /// The point on B in B's local frame, m.
    pub anchor_b: Coordinate,
    /// Gap along the normal, m; negative is overlap.
    pub distance: f64,
    /// The features that make the point.
    pub feature: FeatureId,
}

/// Up to [`MAX_POINTS`] points with one normal; empty if the shapes are farther apart than the margin. The
/// normal and the count precede the points in memory, since most manifolds have few points.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(into = "ManifoldRecord", try_from = "ManifoldRecord")]
#[repr(C)]
pub struct ContactManifold {
    /// Unit, world frame, from A to B.
    pub normal: Vec3,
    len: u8,
    points: [ContactPoint; MAX_POINTS],
}

impl PartialEq for ContactManifold {
    fn eq(&self, other: &Self) -> bool {
        self.normal == other.normal && self.points() == other.points()
    }
}

/// Serialized form of a manifold: the points in use.
#[derive(Serialize, Deserialize)]
struct ManifoldRecord {
    normal: Vec3,
    points: Vec<ContactPoint>,
}

impl From<ContactManifold> for ManifoldRecord {
    fn from(manifold: ContactManifold) -> Self {
        Self { normal: manifold.normal, points: manifold.points().to_vec() }
    }
}

impl TryFrom<ManifoldRecord> for ContactManifold {
    type Error = TooManyPoints;

    fn try_from(record: ManifoldRecord) -> Result<Self, TooManyPoints> {
        if record.points.len() > MAX_POINTS {
            return Err(TooManyPoints(record.points.len()));
        }
        let mut manifold = Self::with_normal(record.normal);
        record.points.into_iter().for_each(|point| manifold.push(point));
        Ok(manifold)
    }
}

/// A stored manifold with too many points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a contact manifold has at most {MAX_POINTS} points, got {0}")]
struct TooManyPoints(usize);

impl ContactManifold {
    /// Points, by bits, that are fixed on a rim and next to its lowest point: a rolling rim carries with its lowest point, and bodies move
    /// past the others.
    #[must_use]
    pub fn fixed_next_to_lowest(&self) -> u32 {
        let mut mask = 0;
        for side in [|point: &ContactPoint| point.feature.a, |point: &ContactPoint| point.feature.b] {
            let rim = |point: &ContactPoint| FeatureId::rim(side(point));
            for lowest in self.points().iter().filter(|point| rim(point).is_some_and(|(_, place)| place == 8))
            {
                let name = rim(lowest).map(|(name, _)| name);
                let fixed =
                    self.points().iter().enumerate().filter(|(_, point)| {
                        rim(point).is_some_and(|(of, place)| Some(of) == name && place < 8)
                    });
                let away = |point: &ContactPoint| point.on_a.distance_squared(lowest.on_a);
                let nearest = fixed.min_by(|(_, p), (_, q)| away(p).total_cmp(&away(q)));
                mask |= nearest.map_or(0, |(nth, _)| 1 << nth);
            }
        }
        mask
    }
}

impl Default for ContactManifold {
    fn default() -> Self {
        Self::EMPTY
    }
}

const NO_POINT: ContactPoint = ContactPoint {
    on_a: Vec3::ZERO,
    on_b: Vec3::ZERO,
    anchor_a: Vec3::ZERO,
    anchor_b: Vec3::ZERO,
    distance: 0.0,
    feature: FeatureId { a: 0, b: 0 },
};

impl ContactManifold {
    /// No contact.
    pub const EMPTY: Self = Self { normal: Vec3::Z, points: [NO_POINT; MAX_POINTS], len: 0 };

    /// A manifold without points and a normal.
    #[must_use]
    pub const fn with_normal(normal: Vec3) -> Self {
        Self { normal, ..Self::EMPTY }
    }

    /// The points.
    #[must_use]
    pub fn points(&self) -> &[ContactPoint] {
        &self.points[..self.len as usize]
    }

    /// The points, to be changed.
    pub fn points_mut(&mut self) -> &mut [ContactPoint] {
        &mut self.points[..self.len as usize]
    }

    /// True if there is no contact.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The smallest distance of a point, m; infinite without points.
    #[must_use]
    pub fn deepest(&self) -> f64 {
        self.points().iter().fold(f64::INFINITY, |d, p| crate::math::scalar::min(d, p.distance))
    }

    /// Removes all points.
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds a point unless there are [`MAX_POINTS`].
    pub fn push(&mut self, point: ContactPoint) {
        if (self.len as usize) < MAX_POINTS {
            self.points[self.len as usize] = point;
            self.len += 1;
        }
    }

    /// Manifold reduction to at most `count` points: the deepest, then repeatedly the one farthest (across
    /// the normal) from those chosen, so that the area they span is large. Ties are broken by feature, so
    /// that the choice does not depend on the order of the points.
    #[must_use]
    pub fn reduced_to(&self, count: usize) -> Self {
        let mut kept = Self::with_normal(self.normal);
        let seen = |p: &ContactPoint| PointKey { place: p.on_a, distance: p.distance, feature: p.feature };
        for i in reduce_points(self.points(), self.normal, count, seen) {
            kept.push(self.points[i]);
        }
        kept
    }

    /// A and B exchanged.
    #[must_use]
    pub fn swapped(mut self) -> Self {
        self.swap();
        self
    }

    pub(super) fn swap(&mut self) {
        self.normal = -self.normal;
        for p in self.points_mut() {
            std::mem::swap(&mut p.on_a, &mut p.on_b);
            std::mem::swap(&mut p.anchor_a, &mut p.anchor_b);
            p.feature = p.feature.swapped();
        }
    }

    /// World positions from the anchors in new poses; the normal is given in the new world frame. The gaps
    /// stay: they are more accurate than those of rounded anchors.
    pub(super) fn place(&mut self, normal: Vec3, poses: &Poses) {
        self.relocate(normal, poses, |_, _| {});
    }

    /// The same points after a small motion: new positions, and gaps from them.
    pub(super) fn follow(&mut self, normal: Vec3, poses: &Poses) {
        self.relocate(normal, poses, |point, from_a_to_b| point.distance = normal.dot(from_a_to_b));
    }

    fn relocate(&mut self, normal: Vec3, poses: &Poses, each: impl Fn(&mut ContactPoint, Vec3)) {
        self.normal = normal;
        for p in self.points_mut() {
            let from_a = poses.rotation_a * p.anchor_a;
            let from_b = poses.between + poses.rotation_b * p.anchor_b;
            p.on_a = poses.origin_a + from_a;
            p.on_b = poses.origin_a + from_b;
            each(p, from_b - from_a);
        }
    }
}

/// The poses of two shapes in the world, prepared for transforming many points.
pub(crate) struct Poses {
    pub(crate) rotation_a: Mat3,
    pub(super) rotation_b: Mat3,
    origin_a: Coordinate,
    /// From A's origin to B's: the difference of two distant positions keeps its digits.
    pub(super) between: Vec3,
}

impl Poses {
    pub(super) fn new(pose_a: &ReferenceFrame, pose_b: &ReferenceFrame) -> Self {
        let between = pose_b.position - pose_a.position;
        Self {
            rotation_a: pose_a.rotation(),
            rotation_b: pose_b.rotation(),
            origin_a: pose_a.position,
            between,
        }
    }
}

/// The data of a point that manifold reduction uses.
#[derive(Clone, Copy)]
pub(super) struct PointKey {
    pub place: Coordinate,
    pub distance: f64,
    pub feature: FeatureId,
}

/// Indices of up to `count` points: the deepest first, then by largest distance from all chosen. All of them,
/// in their order, if there are no more than `count`.
pub(super) fn reduce_points<T>(
    points: &[T],
    normal: Vec3,
    count: usize,
    seen: impl Fn(&T) -> PointKey,
) -> std::iter::Take<std::array::IntoIter<usize, MAX_POINTS>> {
    let count = count.min(MAX_POINTS);
    let mut chosen = [0, 1, 2, 3, 4, 5, 6, 7];
    let mut chosen_len = points.len().min(count);
    if points.len() > count {
        chosen_len = choose(points, normal, count, seen, &mut chosen);
    }
    chosen.into_iter().take(chosen_len)
}

fn choose<T>(
    points: &[T],
    normal: Vec3,
    count: usize,
    seen: impl Fn(&T) -> PointKey,
    chosen: &mut [usize; MAX_POINTS],
) -> usize {
    const MOST: usize = 64;
    let points = &points[..points.len().min(MOST)];
    let mut apart = [f64::INFINITY; MOST];
    let better = |a: (f64, FeatureId), b: (f64, FeatureId)| a.0 > b.0 || a.0 == b.0 && a.1 < b.1;
    let depth = |i: usize| {
        let p = seen(&points[i]);
        (-p.distance, p.feature)
    };
    let mut next = 0;
    for i in 1..points.len() {
        if better(depth(i), depth(next)) {
            next = i;
        }
    }
    for slot in 0..count {
        chosen[slot] = next;
        apart[next] = f64::NEG_INFINITY;
        let last = seen(&points[next]).place;
        let mut best: Option<(usize, FeatureId)> = None;
        for (i, point) in points.iter().enumerate() {
            if apart[i] == f64::NEG_INFINITY {
                continue;
            }
            let p = seen(point);
            let offset = p.place - last;
            let across = offset - normal * normal.dot(offset);
            apart[i] = crate::math::scalar::min(apart[i], across.length_squared());
            if best.is_none_or(|b| better((apart[i], p.feature), (apart[b.0], b.1))) {
                best = Some((i, p.feature));
            }
        }
        match best {
            Some((found, _)) => next = found,
            None => return slot + 1,
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> ContactManifold {
        let mut m = ContactManifold::with_normal(Vec3::Z);
        for k in 0..8_u32 {
            let (s, c) = crate::math::scalar::sin_cos(f64::from(k) * std::f64::consts::FRAC_PI_4);
            let on_a = Vec3::new(c, s, 0.0);
            let distance = if k == 3 { -0.02 } else { -0.01 };
            m.push(ContactPoint {
                on_a,
                on_b: on_a,
                distance,
                feature: FeatureId { a: k, b: 0 },
                ..NO_POINT
            });
        }
        m
    }

    #[test]
    fn reduction_keeps_the_deepest_point_and_the_largest_area() {
        let four = square().reduced_to(4);
        let ids: Vec<u32> = four.points().iter().map(|p| p.feature.a).collect();
        // The deepest (3), the opposite one (7), then the two across.
        assert_eq!(ids, [3, 7, 1, 5]);
    }

    #[test]
    fn reduction_does_not_depend_on_the_order_of_the_points() {
        let all = square();
        let mut reversed = ContactManifold::with_normal(Vec3::Z);
        for p in all.points().iter().rev() {
            reversed.push(*p);
        }
        assert_eq!(all.reduced_to(4), reversed.reduced_to(4));
    }
}
