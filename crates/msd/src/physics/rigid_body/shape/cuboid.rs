//! The box, centred on the local origin with its edges along the local axes.

use serde::{Deserialize, Serialize};

use super::chord::{self, Chord};
use super::geometry::{inside_or_on, positive_length};
use super::{Aabb, Convex, Geometry, GeometryError, Ray, RayHit};
use crate::math::{Coordinate, ReferenceFrame, Vec3};

/// A solid box.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields")]
pub struct Cuboid {
    size: Vec3,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    size: Vec3,
}

impl TryFrom<Fields> for Cuboid {
    type Error = GeometryError;
    fn try_from(fields: Fields) -> Result<Self, GeometryError> {
        Self::new(fields.size)
    }
}

impl Cuboid {
    /// From its full edge lengths along x, y and z, m.
    ///
    /// # Errors
    /// If a length is not positive and finite.
    pub fn new(size: Vec3) -> Result<Self, GeometryError> {
        positive_length("box", "size.x", size.x)?;
        positive_length("box", "size.y", size.y)?;
        positive_length("box", "size.z", size.z)?;
        Ok(Self { size })
    }

    /// Full edge lengths, m.
    #[must_use]
    pub fn size(&self) -> Vec3 {
        self.size
    }
}

impl Geometry for Cuboid {
    fn bounding_box(&self, frame: &ReferenceFrame) -> Aabb {
        let r = frame.rotation();
        let half = 0.5 * self.size;
        let reach = r.x_axis.abs() * half.x + r.y_axis.abs() * half.y + r.z_axis.abs() * half.z;
        Aabb::new(frame.position - reach, frame.position + reach)
    }

    fn signed_distance(&self, point: Coordinate) -> f64 {
        let beyond = point.abs() - 0.5 * self.size;
        let deepest = beyond.max_element();
        if deepest <= 0.0 { deepest } else { beyond.max(Vec3::ZERO).length() }
    }

    fn contains(&self, point: Coordinate) -> bool {
        inside_or_on(self.signed_distance(point), self.size.max_element())
    }

    fn cast_ray(&self, ray: &Ray, max_distance: f64) -> Option<RayHit> {
        chord::cast_ray(ray, max_distance, |near| {
            Chord::of_slab(near, Vec3::X, self.size.x)?
                .intersection(Chord::of_slab(near, Vec3::Y, self.size.y)?)?
                .intersection(Chord::of_slab(near, Vec3::Z, self.size.z)?)
        })
    }

    fn volume(&self) -> f64 {
        self.size.x * self.size.y * self.size.z
    }

    fn surface_area(&self) -> f64 {
        let s = self.size;
        2.0 * (s.x * s.y + s.y * s.z + s.z * s.x)
    }

    fn centroid(&self) -> Option<Coordinate> {
        Some(Vec3::ZERO)
    }
}

impl Convex for Cuboid {
    /// Always a corner; a zero component of the direction counts as positive.
    fn support(&self, direction: Vec3) -> Coordinate {
        let corner = |component: f64, size: f64| if component < 0.0 { -0.5 * size } else { 0.5 * size };
        Vec3::new(
            corner(direction.x, self.size.x),
            corner(direction.y, self.size.y),
            corner(direction.z, self.size.z),
        )
    }
}
