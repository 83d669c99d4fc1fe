//! The sphere about the local origin.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::chord::{self, Chord};
use super::geometry::{inside_or_on, positive_length};
use super::revolution::unit;
use super::{Aabb, Convex, Geometry, GeometryError, Ray, RayHit};
use crate::math::{Coordinate, ReferenceFrame, Vec3};

/// A solid sphere.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields")]
pub struct Sphere {
    radius: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    radius: f64,
}

impl TryFrom<Fields> for Sphere {
    type Error = GeometryError;
    fn try_from(fields: Fields) -> Result<Self, GeometryError> {
        Self::new(fields.radius)
    }
}

impl Sphere {
    /// From its radius, m.
    ///
    /// # Errors
    /// If the radius is not positive and finite.
    pub fn new(radius: f64) -> Result<Self, GeometryError> {
        Ok(Self { radius: positive_length("sphere", "radius", radius)? })
    }

    /// m.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

impl Geometry for Sphere {
    fn bounding_box(&self, frame: &ReferenceFrame) -> Aabb {
        let reach = Vec3::splat(self.radius);
        Aabb::new(frame.position - reach, frame.position + reach)
    }

    fn signed_distance(&self, point: Coordinate) -> f64 {
        point.length() - self.radius
    }

    fn contains(&self, point: Coordinate) -> bool {
        inside_or_on(self.signed_distance(point), self.radius)
    }

    fn cast_ray(&self, ray: &Ray, max_distance: f64) -> Option<RayHit> {
        chord::cast_ray(ray, max_distance, |near| Chord::of_sphere(near, self.radius))
    }

    fn volume(&self) -> f64 {
        4.0 / 3.0 * PI * self.radius * self.radius * self.radius
    }

    fn surface_area(&self) -> f64 {
        4.0 * PI * self.radius * self.radius
    }

    fn centroid(&self) -> Option<Coordinate> {
        Some(Vec3::ZERO)
    }
}

impl Convex for Sphere {
    fn support(&self, direction: Vec3) -> Coordinate {
        unit(direction) * self.radius
    }
}
