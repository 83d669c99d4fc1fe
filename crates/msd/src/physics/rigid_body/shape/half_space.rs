//! The half-space: everything on or below a plane. Scenes call it `plane`.

use serde::{Deserialize, Serialize};

use super::chord::Chord;
use super::geometry::inside_or_on;
use super::revolution::unit;
use super::{Aabb, Geometry, GeometryError, Ray, RayHit};
use crate::math::{Coordinate, ReferenceFrame, Vec3, real};

/// The points with `normal · x ≤ offset`; unbounded, so only for bodies that do not move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields")]
pub struct HalfSpace {
    normal: Vec3,
    offset: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    normal: Vec3,
    offset: f64,
}

impl TryFrom<Fields> for HalfSpace {
    type Error = GeometryError;
    fn try_from(fields: Fields) -> Result<Self, GeometryError> {
        Self::new(fields.normal, fields.offset)
    }
}

impl HalfSpace {
    /// From the outward normal of its surface, of any length, and the distance of the surface from the origin along
    /// the normal, m.
    ///
    /// # Errors
    /// If the normal is zero or not finite, or the offset is not finite.
    pub fn new(normal: Vec3, offset: f64) -> Result<Self, GeometryError> {
        if !normal.is_finite() || normal == Vec3::ZERO {
            return Err(GeometryError::Direction { shape: "plane", field: "normal", value: normal });
        }
        if !offset.is_finite() {
            return Err(GeometryError::Offset { shape: "plane", field: "offset", value: offset });
        }
        Ok(Self { normal: unit(normal), offset })
    }

    /// Unit outward normal of the surface.
    #[must_use]
    pub fn normal(&self) -> Vec3 {
        self.normal
    }

    /// Signed distance of the surface from the origin along the normal, m.
    #[must_use]
    pub fn offset(&self) -> f64 {
        self.offset
    }

    /// A farthest point along `direction`: only straight along the normal is there one.
    #[must_use]
    pub fn support(&self, direction: Vec3) -> Option<Coordinate> {
        let along = direction.dot(self.normal);
        (along > 0.0 && direction == self.normal * along).then_some(self.normal * self.offset)
    }
}

impl Geometry for HalfSpace {
    /// Unbounded, except upwards where the normal is exactly along an axis.
    fn bounding_box(&self, frame: &ReferenceFrame) -> Aabb {
        let normal = frame.direction_to_parent(self.normal);
        let offset = self.offset + normal.dot(frame.position);
        let mut bounds = Aabb::EVERYWHERE;
        for axis in 0..3 {
            if normal[(axis + 1) % 3] == 0.0 && normal[(axis + 2) % 3] == 0.0 {
                let bound = if normal[axis] > 0.0 { &mut bounds.max } else { &mut bounds.min };
                bound[axis] = offset / normal[axis];
            }
        }
        bounds
    }

    fn signed_distance(&self, point: Coordinate) -> f64 {
        self.normal.dot(point) - self.offset
    }

    /// The half-space has no size: points count as on its surface relative to their own distance from the origin.
    fn contains(&self, point: Coordinate) -> bool {
        inside_or_on(self.signed_distance(point), real::max(self.offset.abs(), point.length()))
    }

    fn cast_ray(&self, ray: &Ray, max_distance: f64) -> Option<RayHit> {
        Chord::of_half_space(ray, self.normal, self.offset)?.hit(ray, 0.0, max_distance)
    }

    fn volume(&self) -> f64 {
        f64::INFINITY
    }

    fn surface_area(&self) -> f64 {
        f64::INFINITY
    }

    fn centroid(&self) -> Option<Coordinate> {
        None
    }
}
