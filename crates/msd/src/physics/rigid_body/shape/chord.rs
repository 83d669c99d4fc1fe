//! The part of a straight line inside a convex solid; ray casts follow from it.
//!
//! The line `x(t) = o + t d` meets a convex solid in one interval [enter, exit], and an intersection of solids in the
//! intersection of their intervals. A cylinder is a slab cut from an infinite cylinder, so a ray cast built this way
//! has no seam at the rim through which a ray could slip.

use super::{Ray, RayHit};
use crate::math::Vec3;

/// An interval of a line, with the outward normal of the surface where the line enters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chord {
    pub(super) enter: f64,
    pub(super) exit: f64,
    /// Unit; without meaning if `enter` is -∞.
    pub(super) normal: Vec3,
}

impl Chord {
    /// The whole line.
    pub(super) const LINE: Self = Self { enter: f64::NEG_INFINITY, exit: f64::INFINITY, normal: Vec3::ZERO };

    /// The part of the line in both solids.
    pub(super) fn intersection(self, other: Self) -> Option<Self> {
        let later = if other.enter > self.enter { other } else { self };
        let exit = if other.exit < self.exit { other.exit } else { self.exit };
        (later.enter <= exit).then_some(Self { exit, ..later })
    }

    /// The part of the line in either of two solids whose union is convex.
    pub(super) fn union(self, other: Self) -> Self {
        let earlier = if other.enter < self.enter { other } else { self };
        Self { exit: if other.exit > self.exit { other.exit } else { self.exit }, ..earlier }
    }

    /// The line in the half-space `normal · x ≤ offset`, `normal` unit.
    pub(super) fn of_half_space(ray: &Ray, normal: Vec3, offset: f64) -> Option<Self> {
        let height = normal.dot(ray.origin) - offset;
        let rate = normal.dot(ray.direction);
        if rate < 0.0 {
            Some(Self { enter: height / -rate, exit: f64::INFINITY, normal })
        } else if rate > 0.0 {
            Some(Self { exit: -height / rate, ..Self::LINE })
        } else {
            (height <= 0.0).then_some(Self::LINE)
        }
    }

    /// The line between the planes `axis · x = ±length/2`, `axis` unit.
    pub(super) fn of_slab(ray: &Ray, axis: Vec3, length: f64) -> Option<Self> {
        Self::of_half_space(ray, axis, 0.5 * length)?.intersection(Self::of_half_space(
            ray,
            -axis,
            0.5 * length,
        )?)
    }

    /// The line in the sphere about the origin.
    pub(super) fn of_sphere(ray: &Ray, radius: f64) -> Option<Self> {
        let middle = -ray.origin.dot(ray.direction);
        let nearest = ray.at(middle);
        let miss = nearest.length();
        if miss > radius {
            return None;
        }
        let half = ((radius - miss) * (radius + miss)).sqrt();
        let normal = (nearest - ray.direction * half) / radius;
        Some(Self { enter: middle - half, exit: middle + half, normal })
    }

    /// The line in the infinite cylinder about the z axis.
    pub(super) fn of_infinite_cylinder(ray: &Ray, radius: f64) -> Option<Self> {
        let (o, d) = (ray.origin, ray.direction);
        let slope = (d.x * d.x + d.y * d.y).sqrt();
        if slope == 0.0 {
            return (o.x * o.x + o.y * o.y <= radius * radius).then_some(Self::LINE);
        }
        let along = Vec3::new(d.x / slope, d.y / slope, 0.0);
        let across = Vec3::new(along.y, -along.x, 0.0);
        let miss = o.dot(across);
        if miss.abs() > radius {
            return None;
        }
        let half = ((radius - miss.abs()) * (radius + miss.abs())).sqrt();
        let middle = -o.dot(along);
        Some(Self {
            enter: (middle - half) / slope,
            exit: (middle + half) / slope,
            normal: (across * miss - along * half) / radius,
        })
    }

    /// The hit of a ray on this chord; `shift` is the distance from the ray's origin to the origin of the
    /// chord's parameter, m.
    pub(super) fn hit(self, ray: &Ray, shift: f64, max_distance: f64) -> Option<RayHit> {
        let (enter, exit) = (self.enter + shift, self.exit + shift);
        let hit = if enter >= 0.0 {
            RayHit { distance: enter, normal: self.normal }
        } else {
            RayHit { distance: 0.0, normal: -ray.direction }
        };
        (exit >= 0.0 && hit.distance <= max_distance).then_some(hit)
    }
}

/// The first hit on a convex solid around the origin, whose chord with a line `chord_of` gives.
///
/// The chord is sought from the point of the ray nearest to the origin, so that a distant start costs only the
/// round-off of the distance itself.
pub(super) fn cast_ray(
    ray: &Ray,
    max_distance: f64,
    chord_of: impl FnOnce(&Ray) -> Option<Chord>,
) -> Option<RayHit> {
    let shift = -ray.origin.dot(ray.direction);
    let near = Ray { origin: ray.at(shift), direction: ray.direction };
    chord_of(&near)?.hit(ray, shift, max_distance)
}
