//! Rays and where they meet a surface.

use crate::math::{Coordinate, Vec3};

/// A half line; `direction` is a unit vector, so distances along it are metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts.
    pub origin: Coordinate,
    /// Unit direction.
    pub direction: Vec3,
}

impl Ray {
    /// A ray from `origin` along `direction`, which is normalised; `None` if it is zero or not finite.
    #[must_use]
    pub fn new(origin: Coordinate, direction: Vec3) -> Option<Self> {
        let direction = direction.try_normalize()?;
        origin.is_finite().then_some(Self { origin, direction })
    }

    /// The point at `distance` metres.
    #[must_use]
    pub fn at(&self, distance: f64) -> Coordinate {
        self.origin + self.direction * distance
    }
}

/// The first point where a ray enters a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// From the ray's origin, m ≥ 0; zero if the origin is inside a solid.
    pub distance: f64,
    /// Unit outward normal of the surface there; for an origin inside a solid, the ray's direction reversed.
    pub normal: Vec3,
}
