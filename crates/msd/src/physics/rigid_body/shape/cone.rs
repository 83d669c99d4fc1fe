//! The cone along the local z axis: base disc at z = -length/2, apex at z = +length/2.
//!
//! The origin of its frame is therefore the middle of its height, and its centroid, a quarter of the height above
//! the base, is at z = -length/4.
//!
//! In the half-plane (ρ, z) the cone is the triangle under its slant line, whose unit outward normal is
//! `(length, radius) / √(length² + radius²)`.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::chord::{self, Chord};
use super::geometry::{inside_or_on, positive_length};
use super::revolution::{disc_reach, radial_distance, radial_unit};
use super::{Aabb, Convex, Geometry, GeometryError, Ray, RayHit};
use crate::digest::{Fingerprint, parameters};
use crate::math::{Coordinate, ReferenceFrame, Vec3, scalar};

/// A solid right circular cone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields")]
pub struct Cone {
    radius: f64,
    length: f64,
}

impl Fingerprint for Cone {
    parameters!("cone": radius, length);
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    radius: f64,
    length: f64,
}

impl TryFrom<Fields> for Cone {
    type Error = GeometryError;
    fn try_from(fields: Fields) -> Result<Self, GeometryError> {
        Self::new(fields.radius, fields.length)
    }
}

impl Cone {
    /// From the radius of its base and its height along z, m.
    ///
    /// # Errors
    /// If either is not positive and finite.
    pub fn new(radius: f64, length: f64) -> Result<Self, GeometryError> {
        Ok(Self {
            radius: positive_length("cone", "radius", radius)?,
            length: positive_length("cone", "length", length)?,
        })
    }

    /// Radius of the base, m.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Height from base to apex, m.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Length of the line from the rim to the apex, m.
    #[must_use]
    pub fn slant(&self) -> f64 {
        scalar::hypot(self.radius, self.length)
    }

    /// Radial and axial component of the unit outward normal of the slant.
    fn slant_normal(&self) -> (f64, f64) {
        let slant = self.slant();
        (self.length / slant, self.radius / slant)
    }

    fn apex(&self) -> Coordinate {
        Vec3::Z * (0.5 * self.length)
    }

    /// The line in the cone continued downwards without end.
    ///
    /// With w the depth below the apex and (n_ρ, n_z) the slant normal, the points with `n_ρ² ρ² - n_z² w² ≤ 0` are
    /// the double cone; along the line this is `A t² + 2 B t + C ≤ 0`. For A > 0 the line is flatter than the slant
    /// and stays in one of the two nappes, in between the roots; for A < 0 it runs in the upper nappe up to one root
    /// and in the lower nappe from the other one on.
    fn infinite_chord(&self, ray: &Ray) -> Option<Chord> {
        let (n_radial, n_axial) = self.slant_normal();
        let (rr, zz) = (n_radial * n_radial, n_axial * n_axial);
        let (o, d) = (ray.origin - self.apex(), ray.direction);
        let a = rr * (d.x * d.x + d.y * d.y) - zz * d.z * d.z;
        let b = rr * (o.x * d.x + o.y * d.y) - zz * o.z * d.z;
        let c = rr * (o.x * o.x + o.y * o.y) - zz * o.z * o.z;
        // B² - AC by Lagrange's identity, in which a needle's small radius is not lost among large squares.
        let m = o.cross(d);
        let discriminant = rr * (zz * (m.x * m.x + m.y * m.y) - rr * m.z * m.z);
        if a > 0.0 && discriminant < 0.0 {
            return None;
        }
        let root = scalar::max(discriminant, 0.0).sqrt();
        let q = if b >= 0.0 { -b - root } else { -b + root };
        // q = 0 only for a line through the apex, or for a generator of the cone (a = 0 too).
        let (t1, t2) = if q != 0.0 { (q / a, c / q) } else { (0.0, 0.0) };
        let (low, high) = if t1 < t2 { (t1, t2) } else { (t2, t1) };
        if a < 0.0 {
            return Some(if d.z < 0.0 {
                Chord { enter: high, exit: f64::INFINITY, normal: self.side_normal(ray.at(high)) }
            } else {
                Chord { exit: low, ..Chord::LINE }
            });
        }
        let below_apex = o.z + d.z * scalar::clamp(0.0, low, high) <= 0.0;
        below_apex.then(|| Chord { enter: low, exit: high, normal: self.side_normal(ray.at(low)) })
    }

    /// Outward normal of the side at a point on it; up at the apex.
    fn side_normal(&self, point: Coordinate) -> Vec3 {
        let (n_radial, n_axial) = self.slant_normal();
        radial_unit(point).map_or(Vec3::Z, |radial| radial * n_radial + Vec3::Z * n_axial)
    }
}

impl Geometry for Cone {
    fn bounding_box(&self, frame: &ReferenceFrame) -> Aabb {
        let r = frame.rotation();
        let up = r.z_axis * (0.5 * self.length);
        let rim = disc_reach(&r) * self.radius;
        Aabb::new(frame.position + up.min(-up - rim), frame.position + up.max(-up + rim))
    }

    /// Inside, the nearer of base and slant; outside, the nearer of the two segments of the triangle's outline.
    fn signed_distance(&self, point: Coordinate) -> f64 {
        let (n_radial, n_axial) = self.slant_normal();
        let rho = radial_distance(point);
        let below_base = -0.5 * self.length - point.z;
        let from_apex = point.z - 0.5 * self.length;
        let beyond_slant = n_radial * rho + n_axial * from_apex;
        if below_base <= 0.0 && beyond_slant <= 0.0 {
            return scalar::max(below_base, beyond_slant);
        }
        let to_base = scalar::hypot(scalar::max(rho - self.radius, 0.0), below_base);
        // Along the slant from the apex (0) to the rim (its length).
        let along = scalar::clamp(n_axial * rho - n_radial * from_apex, 0.0, self.slant());
        let to_slant = scalar::hypot(rho - n_axial * along, from_apex + n_radial * along);
        scalar::min(to_base, to_slant)
    }

    fn contains(&self, point: Coordinate) -> bool {
        inside_or_on(self.signed_distance(point), scalar::max(self.length, 2.0 * self.radius))
    }

    fn cast_ray(&self, ray: &Ray, max_distance: f64) -> Option<RayHit> {
        chord::cast_ray(ray, max_distance, |near| {
            self.infinite_chord(near)?.intersection(Chord::of_half_space(near, -Vec3::Z, 0.5 * self.length)?)
        })
    }

    fn volume(&self) -> f64 {
        PI * self.radius * self.radius * self.length / 3.0
    }

    fn surface_area(&self) -> f64 {
        PI * self.radius * (self.radius + self.slant())
    }

    fn centroid(&self) -> Option<Coordinate> {
        Some(Vec3::Z * (-0.25 * self.length))
    }
}

impl Convex for Cone {
    /// The apex, or on the rim of the base; straight down it is the centre of the base.
    fn support(&self, direction: Vec3) -> Coordinate {
        let rim = radial_unit(direction).unwrap_or(Vec3::ZERO) * self.radius - self.apex();
        if direction.dot(self.apex()) >= direction.dot(rim) { self.apex() } else { rim }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With a slant of 5: sine and cosine of the slope are 0.8 and 0.6.
    fn hat() -> Cone {
        Cone::new(3.0, 4.0).unwrap()
    }

    fn hit(x: f64, z: f64, d: Vec3) -> Option<RayHit> {
        hat().cast_ray(&Ray::new(Vec3::new(x, 0.0, z), d).unwrap(), 100.0)
    }

    #[test]
    fn the_length_at_fault_is_named() {
        let message = Cone::new(1.0, -1.0).unwrap_err().to_string();
        assert_eq!(message, "cone: length must be positive and finite, got -1 m");
        assert!(serde_json::from_str::<Cone>(r#"{"radius": 1, "length": -1}"#).is_err());
        assert_eq!(serde_json::from_str::<Cone>(r#"{"radius": 3, "length": 4}"#).unwrap(), hat());
    }

    #[test]
    fn distance_is_to_base_slant_rim_or_apex() {
        for (point, distance) in [
            (Vec3::new(0.0, 0.0, -1.9), -0.1),
            (Vec3::new(0.0, 0.0, -0.25), -1.35),
            (Vec3::new(1.5, 0.0, 0.0), 0.0),
            (Vec3::new(1.5 + 0.8, 0.0, 0.6), 1.0),
            (Vec3::new(0.0, 0.0, 4.5), 2.5),
            (Vec3::new(0.0, 1.0, 3.0), 2.0_f64.sqrt()),
            (Vec3::new(0.0, 1.0, -4.0), 2.0),
            (Vec3::new(0.0, 6.0, -6.0), 5.0),
        ] {
            assert!((hat().signed_distance(point) - distance).abs() < 1e-15, "{point}");
        }
    }

    #[test]
    fn rays_hit_the_base_the_slant_and_the_apex() {
        assert_eq!(hit(1.0, -5.0, Vec3::Z), Some(RayHit { distance: 3.0, normal: -Vec3::Z }));
        let side = hit(9.0, 0.0, -Vec3::X).unwrap();
        assert!(
            (side.distance - 7.5).abs() < 1e-14 && (side.normal - Vec3::new(0.8, 0.0, 0.6)).length() < 1e-15
        );
        let apex = hit(0.0, 9.0, -Vec3::Z).unwrap();
        assert_eq!((apex.distance, apex.normal), (7.0, Vec3::Z));
        assert_eq!(hit(9.0, 2.000_001, -Vec3::X), None, "over the apex");
        assert_eq!(hit(9.0, -2.000_001, -Vec3::X), None, "under the base");
    }

    #[test]
    fn the_mirror_image_above_the_apex_is_not_part_of_the_cone() {
        assert_eq!(hit(9.0, 4.0, -Vec3::X), None);
        assert_eq!(hit(1.0, 20.0, -Vec3::Z).unwrap().distance, 18.0 + 4.0 / 3.0);
        assert_eq!(hit(0.5, 4.0, Vec3::Z), None);
    }

    #[test]
    fn a_ray_parallel_to_the_slant_leaves_through_the_base() {
        let along = Vec3::new(3.0, 0.0, -4.0).normalize();
        let inside = hit(0.0, 0.0, along).unwrap();
        assert_eq!(inside.distance, 0.0);
        // From the left, through the far slant: enters where x = -(2 - z)·3/4 meets the line.
        let entering = hit(-6.0, 5.0, along).unwrap();
        let point = Vec3::new(-6.0, 0.0, 5.0) + along * entering.distance;
        assert!(hat().signed_distance(point).abs() < 1e-14);
        assert!((entering.normal - Vec3::new(-0.8, 0.0, 0.6)).length() < 1e-14);
    }

    #[test]
    fn the_support_is_the_apex_within_the_slope_and_the_rim_beyond() {
        assert_eq!(hat().support(Vec3::new(0.79, 0.0, 0.61)), Vec3::Z * 2.0);
        assert_eq!(hat().support(Vec3::new(0.81, 0.0, 0.59)), Vec3::new(3.0, 0.0, -2.0));
        assert_eq!(hat().support(-Vec3::Z), Vec3::Z * -2.0);
    }
}
