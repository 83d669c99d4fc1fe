//! The capsule: all points within `radius` of a segment along the local z axis, centred on the local origin.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::chord::{self, Chord};
use super::geometry::{inside_or_on, positive_length};
use super::revolution::unit;
use super::{Aabb, Convex, Geometry, GeometryError, Ray, RayHit};
use crate::digest::{Fingerprint, parameters};
use crate::math::{Coordinate, ReferenceFrame, Vec3, scalar};

/// A cylinder with a hemisphere at each end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields")]
pub struct Capsule {
    radius: f64,
    length: f64,
}

impl Fingerprint for Capsule {
    parameters!("capsule": radius, length);
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    radius: f64,
    length: f64,
}

impl TryFrom<Fields> for Capsule {
    type Error = GeometryError;
    fn try_from(fields: Fields) -> Result<Self, GeometryError> {
        Self::new(fields.radius, fields.length)
    }
}

impl Capsule {
    /// From its radius and the length of its cylindrical part (without the hemispheres), m.
    ///
    /// # Errors
    /// If either is not positive and finite.
    pub fn new(radius: f64, length: f64) -> Result<Self, GeometryError> {
        Ok(Self {
            radius: positive_length("capsule", "radius", radius)?,
            length: positive_length("capsule", "length", length)?,
        })
    }

    /// m.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Length of the cylindrical part, which is that of the segment inside, m.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.length
    }

    /// From the nearest point of the inner segment to `point`.
    fn offset_from_segment(&self, point: Coordinate) -> Vec3 {
        let half = 0.5 * self.length;
        Vec3::new(point.x, point.y, point.z - scalar::clamp(point.z, -half, half))
    }

    /// The line in the sphere at one end, `z` the height of its centre.
    fn end_chord(&self, ray: &Ray, z: f64) -> Option<Chord> {
        let from_end = Ray { origin: ray.origin - Vec3::Z * z, direction: ray.direction };
        Chord::of_sphere(&from_end, self.radius)
    }

    /// The capsule is the convex union of a cylinder and two spheres.
    fn chord(&self, ray: &Ray) -> Option<Chord> {
        let cylinder = Chord::of_infinite_cylinder(ray, self.radius)
            .and_then(|chord| chord.intersection(Chord::of_slab(ray, Vec3::Z, self.length)?));
        let ends = [self.end_chord(ray, 0.5 * self.length), self.end_chord(ray, -0.5 * self.length)];
        ends.into_iter().chain([cylinder]).flatten().reduce(Chord::union)
    }
}

impl Geometry for Capsule {
    fn bounding_box(&self, frame: &ReferenceFrame) -> Aabb {
        let reach = frame.direction_to_parent(Vec3::Z * (0.5 * self.length)).abs() + Vec3::splat(self.radius);
        Aabb::new(frame.position - reach, frame.position + reach)
    }

    fn signed_distance(&self, point: Coordinate) -> f64 {
        self.offset_from_segment(point).length() - self.radius
    }

    fn contains(&self, point: Coordinate) -> bool {
        inside_or_on(self.signed_distance(point), self.length + self.radius)
    }

    fn cast_ray(&self, ray: &Ray, max_distance: f64) -> Option<RayHit> {
        chord::cast_ray(ray, max_distance, |near| {
            self.chord(near)
                .map(|chord| Chord { normal: unit(self.offset_from_segment(near.at(chord.enter))), ..chord })
        })
    }

    fn volume(&self) -> f64 {
        PI * self.radius * self.radius * (self.length + 4.0 / 3.0 * self.radius)
    }

    fn surface_area(&self) -> f64 {
        2.0 * PI * self.radius * (self.length + 2.0 * self.radius)
    }

    fn centroid(&self) -> Option<Coordinate> {
        Some(Vec3::ZERO)
    }
}

impl Convex for Capsule {
    fn support(&self, direction: Vec3) -> Coordinate {
        let end = if direction.z < 0.0 { -0.5 * self.length } else { 0.5 * self.length };
        Vec3::Z * end + unit(direction) * self.radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pill() -> Capsule {
        Capsule::new(0.5, 2.0).unwrap()
    }

    #[test]
    fn the_length_at_fault_is_named() {
        let message = Capsule::new(1.0, f64::INFINITY).unwrap_err().to_string();
        assert_eq!(message, "capsule: length must be positive and finite, got inf m");
        assert!(serde_json::from_str::<Capsule>(r#"{"radius": 0, "length": 1}"#).is_err());
        assert_eq!(serde_json::from_str::<Capsule>(r#"{"radius": 0.5, "length": 2}"#).unwrap(), pill());
    }

    #[test]
    fn distance_is_from_the_inner_segment() {
        for (point, distance) in [
            (Vec3::ZERO, -0.5),
            (Vec3::new(0.0, 0.0, 1.5), 0.0),
            (Vec3::new(3.0, 0.0, -5.0), 4.5),
            (Vec3::new(0.0, 2.0, 0.3), 1.5),
        ] {
            assert!((pill().signed_distance(point) - distance).abs() < 1e-15, "{point}");
        }
    }

    #[test]
    fn rays_hit_side_end_and_the_seam_between_them() {
        let hit = |x: f64, z: f64, d: Vec3| {
            pill().cast_ray(&Ray::new(Vec3::new(x, 0.0, z), d).unwrap(), 9.0).unwrap()
        };
        assert_eq!(hit(3.0, 0.3, -Vec3::X), RayHit { distance: 2.5, normal: Vec3::X });
        assert_eq!(hit(3.0, 1.0, -Vec3::X), RayHit { distance: 2.5, normal: Vec3::X });
        assert_eq!(hit(0.0, 4.0, -Vec3::Z), RayHit { distance: 2.5, normal: Vec3::Z });
        assert_eq!(hit(0.5, 4.0, -Vec3::Z), RayHit { distance: 3.0, normal: Vec3::X });
    }
}
