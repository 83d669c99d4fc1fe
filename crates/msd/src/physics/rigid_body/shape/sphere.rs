//! The sphere about the local origin.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::chord::{self, Chord};
use super::geometry::{inside_or_on, positive_length};
use super::revolution::unit;
use super::{Aabb, Convex, Geometry, GeometryError, Ray, RayHit};
use crate::digest::{Fingerprint, parameters};
use crate::math::{Coordinate, ReferenceFrame, Vec3};

/// A solid sphere.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields")]
pub struct Sphere {
    radius: f64,
}

impl Fingerprint for Sphere {
    parameters!("sphere": radius);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_radius_that_is_none_is_named() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(Sphere::new(bad), Err(GeometryError::Length { field: "radius", .. })));
        }
        let message = Sphere::new(-2.0).unwrap_err().to_string();
        assert_eq!(message, "sphere: radius must be positive and finite, got -2 m");
    }

    #[test]
    fn what_is_read_is_checked() {
        let sphere: Sphere = serde_json::from_str(r#"{"radius": 0.5}"#).unwrap();
        assert_eq!(serde_json::to_string(&sphere).unwrap(), r#"{"radius":0.5}"#);
        let refused = serde_json::from_str::<Sphere>(r#"{"radius": -0.5}"#).unwrap_err().to_string();
        assert!(refused.contains("radius must be positive"), "{refused}");
        assert!(serde_json::from_str::<Sphere>(r#"{"radius": 0.5, "diameter": 1}"#).is_err());
    }

    #[test]
    fn a_tangent_ray_touches_and_a_wider_one_misses() {
        let sphere = Sphere::new(2.0).unwrap();
        let ray = |y: f64| Ray::new(Vec3::new(-5.0, y, 0.0), Vec3::X).unwrap();
        let touch = sphere.cast_ray(&ray(2.0), 10.0).unwrap();
        assert_eq!((touch.distance, touch.normal), (5.0, Vec3::Y));
        assert_eq!(sphere.cast_ray(&ray(2.000_000_1), 10.0), None);
        assert_eq!(sphere.cast_ray(&ray(0.0), 2.9), None, "out of reach");
        assert_eq!(sphere.cast_ray(&Ray::new(Vec3::X * 3.0, Vec3::X).unwrap(), 10.0), None, "behind");
    }

    #[test]
    fn points_on_the_surface_are_contained() {
        let sphere = Sphere::new(0.1).unwrap();
        let on = Vec3::new(1.0, 2.0, 3.0).normalize() * 0.1;
        assert!(
            sphere.contains(on)
                && sphere.contains(on * (1.0 + 5e-13))
                && !sphere.contains(on * (1.0 + 2e-12))
        );
    }
}
