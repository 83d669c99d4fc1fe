//! The cylinder along the local z axis, centred on the local origin.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::chord::{self, Chord};
use super::geometry::{inside_or_on, positive_length};
use super::revolution::{disc_reach, radial_distance, radial_unit};
use super::{Aabb, Convex, Geometry, GeometryError, Ray, RayHit};
use crate::digest::{Fingerprint, parameters};
use crate::math::{Coordinate, ReferenceFrame, Vec3, scalar};

/// A solid circular cylinder with flat ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields")]
pub struct Cylinder {
    radius: f64,
    length: f64,
}

impl Fingerprint for Cylinder {
    parameters!("cylinder": radius, length);
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    radius: f64,
    length: f64,
}

impl TryFrom<Fields> for Cylinder {
    type Error = GeometryError;
    fn try_from(fields: Fields) -> Result<Self, GeometryError> {
        Self::new(fields.radius, fields.length)
    }
}

impl Cylinder {
    /// From its radius and full length, m.
    ///
    /// # Errors
    /// If either is not positive and finite.
    pub fn new(radius: f64, length: f64) -> Result<Self, GeometryError> {
        Ok(Self {
            radius: positive_length("cylinder", "radius", radius)?,
            length: positive_length("cylinder", "length", length)?,
        })
    }

    /// m.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Full length along z, m.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.length
    }
}

impl Geometry for Cylinder {
    fn bounding_box(&self, frame: &ReferenceFrame) -> Aabb {
        let r = frame.rotation();
        let reach = r.z_axis.abs() * (0.5 * self.length) + disc_reach(&r) * self.radius;
        Aabb::new(frame.position - reach, frame.position + reach)
    }

    /// A rectangle in the half-plane (ρ, z).
    fn signed_distance(&self, point: Coordinate) -> f64 {
        let beyond_side = radial_distance(point) - self.radius;
        let beyond_end = point.z.abs() - 0.5 * self.length;
        if beyond_side > 0.0 && beyond_end > 0.0 {
            scalar::hypot(beyond_side, beyond_end)
        } else {
            scalar::max(beyond_side, beyond_end)
        }
    }

    fn contains(&self, point: Coordinate) -> bool {
        inside_or_on(self.signed_distance(point), scalar::max(self.length, 2.0 * self.radius))
    }

    fn cast_ray(&self, ray: &Ray, max_distance: f64) -> Option<RayHit> {
        chord::cast_ray(ray, max_distance, |near| {
            Chord::of_infinite_cylinder(near, self.radius)?.intersection(Chord::of_slab(
                near,
                Vec3::Z,
                self.length,
            )?)
        })
    }

    fn volume(&self) -> f64 {
        PI * self.radius * self.radius * self.length
    }

    fn surface_area(&self) -> f64 {
        2.0 * PI * self.radius * (self.length + self.radius)
    }

    fn centroid(&self) -> Option<Coordinate> {
        Some(Vec3::ZERO)
    }
}

impl Convex for Cylinder {
    /// On a rim, except along the axis, where it is the centre of the end.
    fn support(&self, direction: Vec3) -> Coordinate {
        let z = if direction.z < 0.0 { -0.5 * self.length } else { 0.5 * self.length };
        radial_unit(direction).unwrap_or(Vec3::ZERO) * self.radius + Vec3::Z * z
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn can() -> Cylinder {
        Cylinder::new(1.0, 4.0).unwrap()
    }

    #[test]
    fn the_length_at_fault_is_named() {
        let message = Cylinder::new(f64::NAN, 1.0).unwrap_err().to_string();
        assert_eq!(message, "cylinder: radius must be positive and finite, got NaN m");
        assert!(serde_json::from_str::<Cylinder>(r#"{"radius": 1, "length": 0}"#).is_err());
        assert_eq!(serde_json::from_str::<Cylinder>(r#"{"radius": 1, "length": 4}"#).unwrap(), can());
    }

    #[test]
    fn distance_is_to_side_end_or_rim() {
        for (point, distance) in [
            (Vec3::ZERO, -1.0),
            (Vec3::new(0.2, 0.0, 1.9), -0.1),
            (Vec3::new(0.6, 0.8, 0.0), 0.0),
            (Vec3::new(0.0, 3.0, 1.0), 2.0),
            (Vec3::new(0.5, 0.0, -5.0), 3.0),
            (Vec3::new(0.0, 4.0, 6.0), 5.0),
        ] {
            assert!((can().signed_distance(point) - distance).abs() < 1e-15, "{point}");
        }
    }

    #[test]
    fn rays_along_the_axis_hit_the_end_and_rays_past_the_rim_miss() {
        let down = |x: f64| can().cast_ray(&Ray::new(Vec3::new(x, 0.0, 5.0), -Vec3::Z).unwrap(), 9.0);
        assert_eq!(down(0.9), Some(RayHit { distance: 3.0, normal: Vec3::Z }));
        assert_eq!(down(1.0).unwrap().distance, 3.0);
        assert_eq!(down(1.000_001), None);
    }

    #[test]
    fn the_bounding_box_of_a_leaning_cylinder_is_tight() {
        // Leaning by an angle whose sine is 0.6: half of 4 × 0.6 + 1 × 0.8 along x, 4 × 0.8 and 1 × 0.6 along z.
        let half_angle = 0.5 * scalar::asin(0.6);
        let (s, c) = scalar::sin_cos(half_angle);
        let lean = crate::math::orientation::from_wxyz([c, 0.0, s, 0.0]);
        let bounds = can().bounding_box(&ReferenceFrame::from_orientation(lean));
        assert!((bounds.max - Vec3::new(2.0, 1.0, 2.2)).length() < 1e-15);
        assert!((bounds.min + bounds.max).length() < 1e-15);
    }
}
