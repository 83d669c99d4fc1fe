//! Axis-aligned bounding boxes.

use serde::{Deserialize, Serialize};

use crate::math::{Coordinate, Vec3};

/// The box between two corners, in whatever frame its maker says; m.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Aabb {
    /// The corner with the smallest coordinates.
    pub min: Coordinate,
    /// The corner with the largest coordinates.
    pub max: Coordinate,
}

impl Aabb {
    /// Contains nothing; the neutral element of [`Aabb::union`].
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// Contains everything.
    pub const EVERYWHERE: Self = Self { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };

    /// From two opposite corners, smallest first.
    #[must_use]
    pub const fn new(min: Coordinate, max: Coordinate) -> Self {
        Self { min, max }
    }

    /// The smallest box around all points; [`Aabb::EMPTY`] for none.
    #[must_use]
    pub fn from_points(points: impl IntoIterator<Item = Coordinate>) -> Self {
        points.into_iter().fold(Self::EMPTY, |b, p| Self { min: b.min.min(p), max: b.max.max(p) })
    }

    /// The smallest box around both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Grown by `margin` on every side.
    #[must_use]
    pub fn expanded(&self, margin: f64) -> Self {
        Self { min: self.min - Vec3::splat(margin), max: self.max + Vec3::splat(margin) }
    }

    /// True if they share a point (touching counts).
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// How far apart they are, m; zero if they share a point.
    #[must_use]
    pub fn gap(&self, other: &Self) -> f64 {
        (self.min - other.max).max(other.min - self.max).max(Vec3::ZERO).length()
    }

    /// True if the point is inside or on the boundary.
    #[must_use]
    pub fn contains(&self, point: Coordinate) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    /// True if `other` lies wholly inside.
    #[must_use]
    pub fn encloses(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }

    /// Midpoint.
    #[must_use]
    pub fn center(&self) -> Coordinate {
        self.min + (self.max - self.min) * 0.5
    }

    /// Full edge lengths.
    #[must_use]
    pub fn size(&self) -> Vec3 {
        self.max - self.min
    }

    /// Area of the six faces, m²; the cost measure of bounding-volume trees.
    #[must_use]
    pub fn surface_area(&self) -> f64 {
        let s = self.size();
        2.0 * (s.x * s.y + s.y * s.z + s.z * s.x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_boxes_intersect_and_separated_ones_do_not() {
        let a = Aabb::new(Vec3::ZERO, Vec3::ONE);
        assert!(a.intersects(&Aabb::new(Vec3::X, Vec3::new(2.0, 1.0, 1.0))));
        assert!(!a.intersects(&Aabb::new(Vec3::X * 1.000_001, Vec3::new(2.0, 1.0, 1.0))));
        assert!(!a.intersects(&Aabb::EMPTY) && a.intersects(&Aabb::EVERYWHERE));
    }

    #[test]
    fn boxes_are_as_far_apart_as_their_nearest_points() {
        let a = Aabb::new(Vec3::ZERO, Vec3::ONE);
        assert_eq!(a.gap(&Aabb::new(Vec3::new(4.0, 5.0, 0.5), Vec3::splat(9.0))), 5.0);
        assert_eq!(Aabb::new(Vec3::splat(-2.0), Vec3::new(0.5, 0.5, -1.0)).gap(&a), 1.0);
        assert_eq!((a.gap(&a), a.gap(&Aabb::EVERYWHERE)), (0.0, 0.0));
    }

    #[test]
    fn union_encloses_both_and_area_counts_six_faces() {
        let a = Aabb::new(Vec3::ZERO, Vec3::ONE);
        let b = Aabb::new(Vec3::new(2.0, 0.0, 0.0), Vec3::new(3.0, 2.0, 4.0));
        let u = a.union(&b);
        assert!(u.encloses(&a) && u.encloses(&b) && !a.encloses(&u));
        assert_eq!(u.surface_area(), 2.0 * (3.0 * 2.0 + 2.0 * 4.0 + 4.0 * 3.0));
    }
}
