//! The half-space: everything on or below a plane. Scenes call it `plane`.

use serde::{Deserialize, Serialize};

use super::chord::Chord;
use super::geometry::inside_or_on;
use super::revolution::unit;
use super::{Aabb, Geometry, GeometryError, Ray, RayHit};
use crate::digest::{Fingerprint, parameters};
use crate::math::{Coordinate, ReferenceFrame, Vec3, scalar};

/// The points with `normal · x ≤ offset`; unbounded, so only for bodies that do not move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields")]
pub struct HalfSpace {
    normal: Vec3,
    offset: f64,
}

impl Fingerprint for HalfSpace {
    parameters!("half-space": normal, offset);
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

    /// A farthest point along `direction`: there is one only straight along the normal, to round-off.
    #[must_use]
    pub fn support(&self, direction: Vec3) -> Option<Coordinate> {
        let aside = unit(direction) - self.normal;
        (aside.length() <= 4.0 * f64::EPSILON).then_some(self.normal * self.offset)
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
        inside_or_on(self.signed_distance(point), scalar::max(self.offset.abs(), point.length()))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::orientation::from_rotation_vector;

    #[test]
    fn a_normal_of_any_length_is_a_direction_and_zero_is_none() {
        let ground = HalfSpace::new(Vec3::Z * 49.0, 1.0).unwrap();
        assert_eq!((ground.normal(), ground.offset()), (Vec3::Z, 1.0));
        assert!(HalfSpace::new(Vec3::new(1e-200, 0.0, 0.0), 0.0).is_ok());
        let message = HalfSpace::new(Vec3::ZERO, 0.0).unwrap_err().to_string();
        assert!(message.starts_with("plane: normal must be a direction that is not zero"), "{message}");
        assert!(matches!(HalfSpace::new(Vec3::X * f64::NAN, 0.0), Err(GeometryError::Direction { .. })));
        let message = HalfSpace::new(Vec3::Z, f64::INFINITY).unwrap_err().to_string();
        assert_eq!(message, "plane: offset must be finite, got inf m");
    }

    #[test]
    fn reading_what_was_written_gives_the_same_bits() {
        let slope = HalfSpace::new(Vec3::new(1.0, 2.0, 3.0), 0.1).unwrap();
        let text = serde_json::to_string(&slope).unwrap();
        assert_eq!(serde_json::from_str::<HalfSpace>(&text).unwrap(), slope);
    }

    #[test]
    fn only_along_the_normal_is_there_a_farthest_point() {
        let slope = HalfSpace::new(Vec3::new(1.0, 2.0, 3.0), 0.1).unwrap();
        let top = slope.support(Vec3::new(1.0, 2.0, 3.0) * 0.7).unwrap();
        assert!((slope.normal().dot(top) - 0.1).abs() < 1e-16);
        assert_eq!(slope.support(-slope.normal()), None);
        assert_eq!(slope.support(Vec3::new(1.0, 2.0, 3.000_001)), None);
    }

    #[test]
    fn level_ground_is_bounded_above_and_a_slope_nowhere() {
        let ground = HalfSpace::new(Vec3::Z, 1.0).unwrap();
        let yawed = ReferenceFrame::new(Vec3::new(5.0, 5.0, 2.0), from_rotation_vector(Vec3::Z * 0.3));
        let bounds = ground.bounding_box(&yawed);
        assert!((bounds.max.z - 3.0).abs() < 1e-15);
        assert_eq!(bounds.max.truncate(), Vec3::INFINITY.truncate());
        assert_eq!(bounds.min, Vec3::NEG_INFINITY);
        let tilted = ReferenceFrame::from_orientation(from_rotation_vector(Vec3::X * 1e-9));
        assert_eq!(ground.bounding_box(&tilted), Aabb::EVERYWHERE);
    }
}
