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
use crate::math::{Coordinate, ReferenceFrame, Vec3, real};

/// A solid right circular cone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields")]
pub struct Cone {
    radius: f64,
    length: f64,
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
        real::hypot(self.radius, self.length)
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
        let discriminant = b * b - a * c;
        if a > 0.0 && discriminant < 0.0 {
            return None;
        }
        let root = real::max(discriminant, 0.0).sqrt();
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
        let below_apex = o.z + d.z * real::clamp(0.0, low, high) <= 0.0;
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
            return real::max(below_base, beyond_slant);
        }
        let to_base = real::hypot(real::max(rho - self.radius, 0.0), below_base);
        // Along the slant from the apex (0) to the rim (its length).
        let along = real::clamp(n_axial * rho - n_radial * from_apex, 0.0, self.slant());
        let to_slant = real::hypot(rho - n_axial * along, from_apex + n_radial * along);
        real::min(to_base, to_slant)
    }

    fn contains(&self, point: Coordinate) -> bool {
        inside_or_on(self.signed_distance(point), real::max(self.length, 2.0 * self.radius))
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
