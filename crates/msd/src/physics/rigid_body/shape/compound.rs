//! Several shapes fixed to each other, each at its own frame.
//!
//! The parts are meant to touch, not to overlap: volume, area, centroid and mass are sums over the parts, so what two
//! of them share counts twice.

use serde::{Deserialize, Serialize};

use super::{Aabb, Geometry, GeometryError, Ray, RayHit, Shape};
use crate::math::{Coordinate, ReferenceFrame, Vec3, orientation, real};
use crate::tolerance;

/// One shape of a compound and where it sits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompoundPart {
    /// Pose of the part in the compound's local frame.
    pub frame: ReferenceFrame,
    /// A convex shape or another compound.
    pub shape: Shape,
}

/// A rigid union of shapes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields")]
pub struct Compound {
    parts: Vec<CompoundPart>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    parts: Vec<CompoundPart>,
}

impl TryFrom<Fields> for Compound {
    type Error = GeometryError;
    fn try_from(fields: Fields) -> Result<Self, GeometryError> {
        Self::new(fields.parts)
    }
}

impl Compound {
    /// From its parts, in the order in which contacts will name them.
    ///
    /// # Errors
    /// If there is no part, if one is a half-space or a mesh, or if one is placed at a frame that is not finite or
    /// whose quaternion is not unit (within [`tolerance::UNIT_QUATERNION`]).
    pub fn new(mut parts: Vec<CompoundPart>) -> Result<Self, GeometryError> {
        if parts.is_empty() {
            return Err(GeometryError::NoParts);
        }
        for (index, part) in parts.iter_mut().enumerate() {
            if part.shape.as_convex().is_none() && !matches!(part.shape, Shape::Compound(_)) {
                return Err(GeometryError::Part { index, shape: part.shape.type_name() });
            }
            let excess = (part.frame.orientation.length() - 1.0).abs();
            if !part.frame.is_finite() || excess > tolerance::UNIT_QUATERNION {
                return Err(GeometryError::PartFrame { index, frame: part.frame });
            }
            // Unit to round-off stays as it is: what was stored and read again is the same bits.
            if excess > 4.0 * f64::EPSILON {
                part.frame.orientation = orientation::normalized(part.frame.orientation);
            }
        }
        Ok(Self { parts })
    }

    /// The parts, in the order given.
    #[must_use]
    pub fn parts(&self) -> &[CompoundPart] {
        &self.parts
    }

    /// A point of the compound farthest along `direction`, which is also one of its convex hull.
    #[must_use]
    pub fn support(&self, direction: Vec3) -> Coordinate {
        let in_part = |part: &CompoundPart| {
            let local = part.shape.support(part.frame.direction_to_local(direction)).unwrap_or(Vec3::ZERO);
            part.frame.point_to_parent(local)
        };
        let farther = |a: Vec3, b: Vec3| if direction.dot(b) > direction.dot(a) { b } else { a };
        self.parts.iter().map(in_part).reduce(farther).unwrap_or(Vec3::ZERO)
    }
}

impl Geometry for Compound {
    fn bounding_box(&self, frame: &ReferenceFrame) -> Aabb {
        let boxes = self.parts.iter().map(|part| part.shape.bounding_box(&frame.compose(&part.frame)));
        boxes.fold(Aabb::EMPTY, |all, one| all.union(&one))
    }

    /// Exact outside. Inside, the depth within the part where it is deepest: where parts touch, the surface of the
    /// union is at least that far away.
    fn signed_distance(&self, point: Coordinate) -> f64 {
        let distances =
            self.parts.iter().map(|part| part.shape.signed_distance(part.frame.point_to_local(point)));
        distances.fold(f64::INFINITY, real::min)
    }

    fn contains(&self, point: Coordinate) -> bool {
        self.parts.iter().any(|part| part.shape.contains(part.frame.point_to_local(point)))
    }

    fn cast_ray(&self, ray: &Ray, max_distance: f64) -> Option<RayHit> {
        let mut first: Option<RayHit> = None;
        for part in &self.parts {
            let local = Ray {
                origin: part.frame.point_to_local(ray.origin),
                direction: part.frame.direction_to_local(ray.direction),
            };
            let limit = first.map_or(max_distance, |hit| hit.distance);
            if let Some(hit) = part.shape.cast_ray(&local, limit)
                && first.is_none_or(|earlier| hit.distance < earlier.distance)
            {
                first = Some(RayHit { normal: part.frame.direction_to_parent(hit.normal), ..hit });
            }
        }
        first
    }

    fn volume(&self) -> f64 {
        self.parts.iter().map(|part| part.shape.volume()).sum()
    }

    /// Of all parts, faces where two of them touch included.
    fn surface_area(&self) -> f64 {
        self.parts.iter().map(|part| part.shape.surface_area()).sum()
    }

    fn centroid(&self) -> Option<Coordinate> {
        let (mut moment, mut volume) = (Vec3::ZERO, 0.0);
        // About the first part, so that a compound far from its origin loses nothing.
        let reference = self.parts.first()?.frame.position;
        for part in &self.parts {
            let center = part.frame.point_to_parent(part.shape.centroid()?);
            moment += (center - reference) * part.shape.volume();
            volume += part.shape.volume();
        }
        Some(reference + moment / volume)
    }
}
