//! The capsule: all points within `radius` of a segment along the local z axis, centred on the local origin.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::chord::{self, Chord};
use super::geometry::{inside_or_on, positive_length};
use super::revolution::unit;
use super::{Aabb, Convex, Geometry, GeometryError, Ray, RayHit};
use crate::math::{Coordinate, ReferenceFrame, Vec3, real};

/// A cylinder with a hemisphere at each end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields")]
pub struct Capsule {
    radius: f64,
    length: f64,
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
        Vec3::new(point.x, point.y, point.z - real::clamp(point.z, -half, half))
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
