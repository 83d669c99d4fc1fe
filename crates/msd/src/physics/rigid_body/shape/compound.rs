//! Several shapes fixed to each other, each at its own frame.
//!
//! The parts are meant to touch, not to overlap: volume, area, centroid and mass are sums over the parts, so what two
//! of them share counts twice.

use serde::{Deserialize, Serialize};

use super::{Aabb, Geometry, GeometryError, Ray, RayHit, Shape};
use crate::digest::{Fingerprint, parameters};
use crate::math::{Coordinate, ReferenceFrame, Vec3, orientation, scalar};
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

impl Fingerprint for CompoundPart {
    parameters!("part": frame, shape);
}

/// A rigid union of shapes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields")]
pub struct Compound {
    parts: Vec<CompoundPart>,
    /// Boxes around the parts in the frame of the compound, larger by round-off.
    #[serde(skip)]
    bounds: Vec<Aabb>,
}

impl Fingerprint for Compound {
    parameters!("compound": parts; bounds);
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
            // A quaternion that is unit to round-off is unchanged: a stored compound reads back with the same
            // bits.
            if excess > 4.0 * f64::EPSILON {
                part.frame.orientation = orientation::normalized(part.frame.orientation);
            }
        }
        let bounds = parts.iter().map(outer_bounds).collect();
        Ok(Self { parts, bounds })
    }

    /// The parts, in the order given.
    #[must_use]
    pub fn parts(&self) -> &[CompoundPart] {
        &self.parts
    }

    /// Boxes around the parts in the compound's local frame, in the same order, enlarged by
    /// [`tolerance::BOX_ROUND_OFF`].
    #[must_use]
    pub fn part_bounds(&self) -> &[Aabb] {
        &self.bounds
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

fn outer_bounds(part: &CompoundPart) -> Aabb {
    let bounds = part.shape.bounding_box(&part.frame);
    let reach = bounds.size() + bounds.min.abs().max(bounds.max.abs());
    bounds.expanded(tolerance::BOX_ROUND_OFF * reach.max_element())
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
        distances.fold(f64::INFINITY, scalar::min)
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

    /// Sum over all parts, faces where two of them touch included.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Quat;
    use crate::physics::rigid_body::shape::{Cuboid, HalfSpace, Sphere, TriangleMesh};

    fn part(frame: ReferenceFrame, shape: impl Into<Shape>) -> CompoundPart {
        CompoundPart { frame, shape: shape.into() }
    }

    fn ball() -> Sphere {
        Sphere::new(1.0).unwrap()
    }

    #[test]
    fn what_cannot_be_a_part_is_named() {
        let rest = ReferenceFrame::IDENTITY;
        assert_eq!(Compound::new(vec![]), Err(GeometryError::NoParts));
        let ground = HalfSpace::new(Vec3::Z, 0.0).unwrap();
        let error = Compound::new(vec![part(rest, ball()), part(rest, ground)]).unwrap_err();
        assert_eq!(error.to_string(), "part 1 of a compound cannot be a plane");
        let sheet = TriangleMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap();
        let error = Compound::new(vec![part(rest, sheet)]).unwrap_err();
        assert_eq!(error, GeometryError::Part { index: 0, shape: "mesh" });
    }

    #[test]
    fn a_part_nowhere_or_not_turned_by_a_rotation_is_refused() {
        let lost = ReferenceFrame::from_position(Vec3::X * f64::NAN);
        assert!(matches!(
            Compound::new(vec![part(lost, ball())]),
            Err(GeometryError::PartFrame { index: 0, .. })
        ));
        let stretched = ReferenceFrame::from_orientation(Quat::from_xyzw(0.0, 0.0, 0.0, 1.01));
        assert!(Compound::new(vec![part(stretched, ball())]).is_err());
        let rounded = ReferenceFrame::from_orientation(Quat::from_xyzw(0.0, 0.0, 0.0, 1.000_000_1));
        let compound = Compound::new(vec![part(rounded, ball())]).unwrap();
        assert_eq!(compound.parts()[0].frame.orientation, Quat::IDENTITY);
    }

    #[test]
    fn compounds_nest() {
        let pair = |x: f64, shape: Shape| {
            let at = |x: f64| ReferenceFrame::from_position(Vec3::X * x);
            Compound::new(vec![part(at(-x), shape.clone()), part(at(x), shape)]).unwrap()
        };
        let four: Shape = pair(10.0, pair(2.0, ball().into()).into()).into();
        assert_eq!(four.support(Vec3::X), Some(Vec3::X * 13.0));
        assert_eq!(four.signed_distance(Vec3::X * 10.0), 1.0);
        let bounds = four.bounding_box(&ReferenceFrame::IDENTITY);
        assert_eq!((bounds.min, bounds.max), (Vec3::new(-13.0, -1.0, -1.0), Vec3::new(13.0, 1.0, 1.0)));
        let text = serde_json::to_string(&four).unwrap();
        assert_eq!(serde_json::from_str::<Shape>(&text).unwrap(), four);
    }

    #[test]
    fn a_ray_hits_the_first_part_and_its_normal_is_turned_with_it() {
        let quarter =
            ReferenceFrame::new(Vec3::Y * 5.0, crate::math::orientation::from_rotation_vector(Vec3::Z * 0.1));
        let slab = Cuboid::new(Vec3::new(1.0, 2.0, 1.0)).unwrap();
        let compound =
            Compound::new(vec![part(quarter, slab), part(ReferenceFrame::IDENTITY, ball())]).unwrap();
        let hit = compound.cast_ray(&Ray::new(Vec3::Y * 9.0, -Vec3::Y).unwrap(), 100.0).unwrap();
        assert!((hit.normal - quarter.orientation * Vec3::Y).length() < 1e-15);
        assert!((hit.distance - (4.0 - 1.0 / crate::math::scalar::cos(0.1))).abs() < 1e-14);
    }
}
