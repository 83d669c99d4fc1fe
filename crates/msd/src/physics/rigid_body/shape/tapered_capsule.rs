//! The tapered capsule: the convex hull of two balls on the local z axis, its origin midway between their centres.
//!
//! With the bottom ball of radius `a` at z = -h and the top ball of radius `b` at z = +h, the cone that touches both has
//! outward normals of slope `k = (a - b) / 2h`, with `q = √(1 - k²)`. In the half-plane (ρ, z) it leaves a ball of radius
//! r about z = c at `(q r, c + k r)`; its straight line has the direction `(-k, q)` and the length `2 h q`. If `|k| ≥ 1`
//! one ball contains the other, and the hull is that ball.
//!
//! The distance from a point is that from its ball of the family `c(s), r(s)`, linear from end to end: the nearest end
//! beyond the straight line, and on it the height over the line.
//!
//! Moments of the part of a ball of radius r between heights `s r` and `t r` about its centre, and of the part of a cone
//! of height H between discs of radii A and B, by z above the centre or the first disc:
//! ```text
//! ball    V = π r³ [u - u³/3]          ∫z = π r⁴ [u²/2 - u⁴/4]        ∫z² = π r⁵ [u³/3 - u⁵/5]
//!         ∫x² = ∫y² = π/4 r⁵ [u - 2u³/3 + u⁵/5]                           each from s to t
//! cone    V = π H (A² + AB + B²)/3     ∫z = π H² (A² + 2AB + 3B²)/12  ∫z² = π H³ (A² + 3AB + 6B²)/30
//!         ∫x² = ∫y² = π/20 H (A⁴ + A³B + A²B² + AB³ + B⁴)
//! ```

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::chord::{self, Chord};
use super::geometry::{inside_or_on, positive_length};
use super::parallel_body::SolidMoments;
use super::revolution::{radial_distance, radial_unit, unit};
use super::{Aabb, Convex, Geometry, GeometryError, Ray, RayHit};
use crate::digest::{Fingerprint, parameters};
use crate::math::{Coordinate, Mat3, ReferenceFrame, Vec3, scalar};

/// A capsule whose ends have different radii.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields")]
pub struct TaperedCapsule {
    bottom_radius: f64,
    top_radius: f64,
    length: f64,
}

impl Fingerprint for TaperedCapsule {
    parameters!("tapered_capsule": bottom_radius, top_radius, length);
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    bottom_radius: f64,
    top_radius: f64,
    length: f64,
}

impl TryFrom<Fields> for TaperedCapsule {
    type Error = GeometryError;
    fn try_from(fields: Fields) -> Result<Self, GeometryError> {
        Self::new(fields.bottom_radius, fields.top_radius, fields.length)
    }
}

/// The point of the surface nearest to a given point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearestOnTaperedCapsule {
    pub(crate) point: Coordinate,
    /// Unit, outward.
    pub(crate) normal: Vec3,
    /// Negative inside.
    pub(crate) distance: f64,
}

impl TaperedCapsule {
    /// From the radius of the ball at the bottom, of that at the top, and the distance of their centres along z, m.
    ///
    /// # Errors
    /// If a length is not positive and finite, or if the centres are so near that one ball contains the other.
    pub fn new(bottom_radius: f64, top_radius: f64, length: f64) -> Result<Self, GeometryError> {
        positive_length("tapered capsule", "bottom_radius", bottom_radius)?;
        positive_length("tapered capsule", "top_radius", top_radius)?;
        positive_length("tapered capsule", "length", length)?;
        if length <= (bottom_radius - top_radius).abs() {
            return Err(GeometryError::BallInBall { bottom_radius, top_radius, length });
        }
        Ok(Self { bottom_radius, top_radius, length })
    }

    /// Radius of the ball at z = -length/2, m.
    #[must_use]
    pub fn bottom_radius(&self) -> f64 {
        self.bottom_radius
    }

    /// Radius of the ball at z = +length/2, m.
    #[must_use]
    pub fn top_radius(&self) -> f64 {
        self.top_radius
    }

    /// Distance of the centres of the two balls, m.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.length
    }

    fn half(&self) -> f64 {
        0.5 * self.length
    }

    /// Radial and axial component of the outward normal of the straight part.
    fn slant(&self) -> (f64, f64) {
        slant_normal(self.bottom_radius, self.top_radius, self.half())
    }

    /// Radius of the ball of the family that touches the surface nearest to a point, m.
    pub(crate) fn ball_radius_near(&self, point: Coordinate) -> f64 {
        let (q, k) = self.slant();
        let up = q * (point.z + self.half()) - k * radial_distance(point);
        let share = scalar::clamp(up / (self.length * q), 0.0, 1.0);
        self.bottom_radius + (self.top_radius - self.bottom_radius) * share
    }

    pub(crate) fn moments(&self) -> SolidMoments {
        let (q, k) = self.slant();
        let mut sum = Sum::default();
        for (radius, centre, from, to) in
            [(self.bottom_radius, -self.half(), -1.0, k), (self.top_radius, self.half(), k, 1.0)]
        {
            sum.add_ball_part(radius, centre, from, to);
        }
        sum.add_cone(
            q * self.bottom_radius,
            q * self.top_radius,
            k * self.bottom_radius - self.half(),
            self.length * q * q,
        );
        let middle = sum.first / sum.volume;
        let across = sum.across / sum.volume;
        let along = sum.along / sum.volume - middle * middle;
        SolidMoments {
            volume: sum.volume,
            centroid: Vec3::Z * middle,
            covariance: Mat3::from_diagonal(Vec3::new(across, across, along)),
        }
    }

    /// The line in one of the balls.
    fn ball_chord(ray: &Ray, radius: f64, z: f64) -> Option<Chord> {
        let from_end = Ray { origin: ray.origin - Vec3::Z * z, direction: ray.direction };
        Chord::of_sphere(&from_end, radius)
    }

    /// The line in the cone between the two circles where it touches the balls.
    ///
    /// With the radius `m - τ z` of the cone at z, `τ = k/q`, a point of the line is in the double cone where
    /// `A t² + 2 B t + C ≤ 0`; between the circles there is one nappe only, so what is left of the line is one interval.
    fn cone_chord(&self, ray: &Ray) -> Option<Chord> {
        let (q, k) = self.slant();
        let low = k * self.bottom_radius - self.half();
        let height = self.length * q * q;
        let from_middle =
            Ray { origin: ray.origin - Vec3::Z * (low + 0.5 * height), direction: ray.direction };
        let slab = Chord::of_slab(&from_middle, Vec3::Z, height)?;
        let (o, d) = (from_middle.origin, ray.direction);
        let (taper, middle) = (k / q, 0.5 * q * (self.bottom_radius + self.top_radius));
        let room = middle - taper * o.z;
        let a = d.x * d.x + d.y * d.y - taper * taper * d.z * d.z;
        let b = o.x * d.x + o.y * d.y + taper * d.z * room;
        let c = o.x * o.x + o.y * o.y - room * room;
        let discriminant = b * b - a * c;
        if discriminant < 0.0 {
            return (a < 0.0).then_some(slab);
        }
        let root = discriminant.sqrt();
        let far = if b >= 0.0 { -b - root } else { -b + root };
        let (t1, t2) = if far == 0.0 { (0.0, 0.0) } else { (far / a, c / far) };
        let (first, last) = if t1 < t2 { (t1, t2) } else { (t2, t1) };
        let part = |enter: f64, exit: f64| slab.intersection(Chord { enter, exit, normal: Vec3::ZERO });
        if a > 0.0 {
            part(first, last)
        } else if a < 0.0 {
            part(f64::NEG_INFINITY, first).or_else(|| part(last, f64::INFINITY))
        } else if b > 0.0 {
            part(f64::NEG_INFINITY, -0.5 * c / b)
        } else if b < 0.0 {
            part(-0.5 * c / b, f64::INFINITY)
        } else {
            (c <= 0.0).then_some(slab)
        }
    }
}

/// Radial and axial component of the outward normal of the cone that touches two balls whose centres are `2 half` apart.
pub(crate) fn slant_normal(bottom_radius: f64, top_radius: f64, half: f64) -> (f64, f64) {
    let (apart, taper) = (2.0 * half, bottom_radius - top_radius);
    (((apart - taper) * (apart + taper)).sqrt() / apart, taper / apart)
}

/// The point nearest to `point` on the surface of the hull of two balls on the z axis; one may have the radius 0.
pub(crate) fn nearest_on_two_balls(
    [bottom_radius, top_radius]: [f64; 2],
    half: f64,
    point: Coordinate,
) -> NearestOnTaperedCapsule {
    let (q, k) = slant_normal(bottom_radius, top_radius, half);
    let rho = radial_distance(point);
    let up = q * (point.z + half) - k * rho;
    let ball = |radius: f64, z: f64, outward: Vec3| {
        let from = point - Vec3::Z * z;
        let reach = from.length();
        let normal = if reach > 0.0 { unit(from) } else { outward };
        NearestOnTaperedCapsule { point: Vec3::Z * z + normal * radius, normal, distance: reach - radius }
    };
    if up <= 0.0 {
        return ball(bottom_radius, -half, -Vec3::Z);
    }
    if up >= 2.0 * half * q {
        return ball(top_radius, half, Vec3::Z);
    }
    let normal = radial_unit(point).unwrap_or(Vec3::X) * q + Vec3::Z * k;
    let distance = q * rho + k * (point.z + half) - bottom_radius;
    NearestOnTaperedCapsule { point: point - normal * distance, normal, distance }
}

/// Volume and moments about the origin.
#[derive(Default)]
struct Sum {
    volume: f64,
    first: f64,
    along: f64,
    across: f64,
}

impl Sum {
    /// A solid about the z axis by its moments from a height `z`.
    fn add(&mut self, z: f64, volume: f64, first: f64, second: f64, across: f64) {
        self.volume += volume;
        self.first += first + z * volume;
        self.along += second + z * (2.0 * first + z * volume);
        self.across += across;
    }

    fn add_ball_part(&mut self, r: f64, centre: f64, from: f64, to: f64) {
        let powers = |u: f64| {
            let u2 = u * u;
            [
                u * (1.0 - u2 / 3.0),
                u2 * (0.5 - 0.25 * u2),
                u * u2 * (1.0 / 3.0 - u2 / 5.0),
                u * (1.0 + u2 * (u2 / 5.0 - 2.0 / 3.0)),
            ]
        };
        let (low, high) = (powers(from), powers(to));
        let cube = PI * r * r * r;
        self.add(
            centre,
            cube * (high[0] - low[0]),
            cube * r * (high[1] - low[1]),
            cube * r * r * (high[2] - low[2]),
            0.25 * cube * r * r * (high[3] - low[3]),
        );
    }

    fn add_cone(&mut self, a: f64, b: f64, z: f64, height: f64) {
        let (aa, ab, bb) = (a * a, a * b, b * b);
        let disc = PI * height;
        self.add(
            z,
            disc * (aa + ab + bb) / 3.0,
            disc * height * (aa + 2.0 * ab + 3.0 * bb) / 12.0,
            disc * height * height * (aa + 3.0 * ab + 6.0 * bb) / 30.0,
            disc * (aa * aa + aa * ab + aa * bb + ab * bb + bb * bb) / 20.0,
        );
    }
}

impl Geometry for TaperedCapsule {
    fn bounding_box(&self, frame: &ReferenceFrame) -> Aabb {
        let top = frame.direction_to_parent(Vec3::Z * self.half());
        let (b, t) = (Vec3::splat(self.bottom_radius), Vec3::splat(self.top_radius));
        Aabb::new(frame.position + (-top - b).min(top - t), frame.position + (-top + b).max(top + t))
    }

    fn signed_distance(&self, point: Coordinate) -> f64 {
        nearest_on_two_balls([self.bottom_radius, self.top_radius], self.half(), point).distance
    }

    fn contains(&self, point: Coordinate) -> bool {
        let size = self.length + scalar::max(self.bottom_radius, self.top_radius);
        inside_or_on(self.signed_distance(point), size)
    }

    /// The solid is the convex union of two balls and the cone between them.
    fn cast_ray(&self, ray: &Ray, max_distance: f64) -> Option<RayHit> {
        chord::cast_ray(ray, max_distance, |near| {
            let parts = [
                Self::ball_chord(near, self.bottom_radius, -self.half()),
                Self::ball_chord(near, self.top_radius, self.half()),
                self.cone_chord(near),
            ];
            let chord = parts.into_iter().flatten().reduce(Chord::union)?;
            let radii = [self.bottom_radius, self.top_radius];
            let normal = nearest_on_two_balls(radii, self.half(), near.at(chord.enter)).normal;
            Some(Chord { normal, ..chord })
        })
    }

    fn volume(&self) -> f64 {
        self.moments().volume
    }

    /// Caps `2π a² (1 + k)` and `2π b² (1 - k)`, and the side of the cone `π q² · 2h (a + b)`.
    fn surface_area(&self) -> f64 {
        let ((q, k), a, b) = (self.slant(), self.bottom_radius, self.top_radius);
        PI * (2.0 * a * a * (1.0 + k) + 2.0 * b * b * (1.0 - k) + q * q * self.length * (a + b))
    }

    fn centroid(&self) -> Option<Coordinate> {
        Some(self.moments().centroid)
    }
}

impl Convex for TaperedCapsule {
    fn support(&self, direction: Vec3) -> Coordinate {
        let n = unit(direction);
        if n.z * self.length >= self.bottom_radius - self.top_radius {
            Vec3::Z * self.half() + n * self.top_radius
        } else {
            Vec3::Z * -self.half() + n * self.bottom_radius
        }
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests compare, they do not simulate")]
mod tests {
    use super::*;
    use crate::physics::rigid_body::shape::{Capsule, Sphere};
    use proptest::prelude::*;

    /// Slope 3/5 and 4/5: a pear of 4 m below and 1 m above.
    fn pear() -> TaperedCapsule {
        TaperedCapsule::new(4.0, 1.0, 5.0).unwrap()
    }

    fn any_pear() -> impl Strategy<Value = TaperedCapsule> {
        (0.01..3.0_f64, 0.01..3.0_f64, 1e-6..3.0_f64)
            .prop_map(|(a, b, more)| TaperedCapsule::new(a, b, (a - b).abs() + more).unwrap())
    }

    fn any_direction() -> impl Strategy<Value = Vec3> {
        (-1.0..1.0_f64, -1.0..1.0_f64, -1.0..1.0_f64)
            .prop_filter_map("a direction", |(x, y, z)| Vec3::new(x, y, z).try_normalize())
    }

    /// Distance from the family of balls, by golden sections: `|p - c(s)| - r(s)` is convex in s.
    fn distance_by_search(body: &TaperedCapsule, point: Vec3) -> f64 {
        let at = |share: f64| {
            let centre = Vec3::Z * (body.length * (share - 0.5));
            point.distance(centre) - (body.bottom_radius + (body.top_radius - body.bottom_radius) * share)
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..80 {
            let (l, h) = (low + 0.381_966 * (high - low), high - 0.381_966 * (high - low));
            if at(l) < at(h) {
                high = h;
            } else {
                low = l;
            }
        }
        at(0.0).min(at(1.0)).min(at(low))
    }

    #[test]
    fn the_length_at_fault_is_named() {
        let message = TaperedCapsule::new(1.0, 0.0, 1.0).unwrap_err().to_string();
        assert_eq!(message, "tapered capsule: top_radius must be positive and finite, got 0 m");
        let message = TaperedCapsule::new(1.0, 0.25, 0.75).unwrap_err().to_string();
        assert_eq!(
            message,
            "tapered capsule: a length of 0.75 m puts one ball inside the other; with radii of 1 m and 0.25 m it must be \
             more than 0.75 m, or use a sphere"
        );
        let text = r#"{"bottom_radius": 4, "top_radius": 1, "length": 5}"#;
        assert_eq!(serde_json::from_str::<TaperedCapsule>(text).unwrap(), pear());
        assert!(serde_json::from_str::<TaperedCapsule>(&text.replace('5', "2")).is_err());
    }

    #[test]
    fn distances_are_to_the_balls_and_to_the_cone_between_them() {
        for (point, distance) in [
            (Vec3::new(0.0, 0.0, -7.5), 1.0),
            (Vec3::new(0.0, 0.0, 4.5), 1.0),
            (Vec3::new(0.0, 0.0, -2.5), -4.0),
            // On the straight line: midway between (3.2, -0.1) and (0.8, 3.1), and 2 m out along (0.8, 0.6).
            (Vec3::new(0.0, 2.0, 1.5), 0.0),
            (Vec3::new(3.6, 0.0, 2.7), 2.0),
            (Vec3::new(5.0, 0.0, -2.5), 1.0),
        ] {
            assert!((pear().signed_distance(point) - distance).abs() < 2e-15, "{point}");
        }
    }

    #[test]
    fn of_equal_radii_it_is_a_capsule() {
        let (tapered, capsule) =
            (TaperedCapsule::new(0.5, 0.5, 2.0).unwrap(), Capsule::new(0.5, 2.0).unwrap());
        assert!((tapered.volume() / capsule.volume() - 1.0).abs() < 1e-15);
        assert!((tapered.surface_area() / capsule.surface_area() - 1.0).abs() < 1e-15);
        assert_eq!(tapered.centroid(), Some(Vec3::ZERO));
        for point in [Vec3::X, Vec3::new(0.1, 0.2, 0.3), Vec3::new(3.0, -1.0, 4.0), Vec3::Z * -1.2] {
            assert!((tapered.signed_distance(point) - capsule.signed_distance(point)).abs() < 1e-15);
        }
        let ray = Ray::new(Vec3::new(3.0, 0.1, 0.4), Vec3::new(-1.0, 0.05, -0.2)).unwrap();
        let (a, b) = (tapered.cast_ray(&ray, 9.0).unwrap(), capsule.cast_ray(&ray, 9.0).unwrap());
        assert!((a.distance - b.distance).abs() < 1e-14 && a.normal.distance(b.normal) < 1e-14);
    }

    /// As the smaller ball comes to touch the larger one from inside, the solid becomes a ball.
    #[test]
    fn a_ball_is_the_limit() {
        let (nearly, ball) =
            (TaperedCapsule::new(1.0, 0.25, 0.75 + 1e-9).unwrap(), Sphere::new(1.0).unwrap());
        assert!((nearly.volume() / ball.volume() - 1.0).abs() < 1e-8);
        assert!((nearly.surface_area() / ball.surface_area() - 1.0).abs() < 1e-8);
    }

    proptest! {
        #[test]
        fn the_distance_is_that_from_the_family_of_balls(
            body in any_pear(), x in -5.0..5.0_f64, y in -5.0..5.0_f64, z in -5.0..5.0_f64
        ) {
            let point = Vec3::new(x, y, z);
            let (closed, searched) = (body.signed_distance(point), distance_by_search(&body, point));
            prop_assert!((closed - searched).abs() < 1e-13, "{} {}", closed, searched);
            let near = nearest_on_two_balls([body.bottom_radius, body.top_radius], body.half(), point);
            prop_assert!((near.point - point).length() - near.distance.abs() < 1e-14);
            prop_assert!(body.signed_distance(near.point).abs() < 1e-14);
            let centre = near.point - near.normal * body.ball_radius_near(near.point);
            prop_assert!(centre.with_z(0.0).length() < 1e-13 && centre.z.abs() <= body.half() + 1e-13);
        }

        #[test]
        fn the_support_is_the_farthest_point(body in any_pear(), n in any_direction(), m in any_direction()) {
            let reach = n.dot(body.support(n));
            prop_assert!(body.signed_distance(body.support(n)).abs() < 1e-14);
            prop_assert!(n.dot(body.support(m)) <= reach + 1e-14);
            let bounds = body.bounding_box(&ReferenceFrame::IDENTITY);
            prop_assert!((bounds.max.z - body.support(Vec3::Z).z).abs() < 1e-15 * 10.0);
            prop_assert!((bounds.min.x - body.support(-Vec3::X).x).abs() < 1e-15 * 10.0);
        }

        #[test]
        fn rays_hit_the_surface(
            body in any_pear(), n in any_direction(), d in any_direction(), depth in 0.0..0.99_f64, back in 0.1..20.0_f64
        ) {
            // Aimed at a point inside, and started outside.
            let target = body.support(n) * depth;
            let origin = target - d * (back + body.length + body.bottom_radius + body.top_radius);
            let ray = Ray::new(origin, d).unwrap();
            let Some(hit) = body.cast_ray(&ray, 100.0) else {
                return Err(TestCaseError::fail("it misses a point inside"));
            };
            let place = ray.at(hit.distance);
            prop_assert!(body.signed_distance(place).abs() <= 2e-13, "{}", body.signed_distance(place));
            prop_assert!(hit.distance <= origin.distance(target) + 1e-12);
            prop_assert!(hit.normal.dot(d) <= 1e-6);
        }

        /// A ray that passes outside misses.
        #[test]
        fn rays_beside_it_miss(body in any_pear(), n in any_direction(), turn in any_direction(), far in -9.0..9.0_f64) {
            let Some(d) = n.cross(turn).try_normalize() else { return Ok(()) };
            let ray = Ray::new(body.support(n) + n * 1e-9 + d * far, d).unwrap();
            prop_assert!(body.cast_ray(&ray, 100.0).is_none());
        }

        /// Volume and moments of thin discs, summed by Simpson's rule over the profile.
        #[test]
        fn moments_are_those_of_its_discs(body in any_pear()) {
            const STEPS: u32 = 20_000;
            let (low, high) = (-body.half() - body.bottom_radius, body.half() + body.top_radius);
            let low = low.min(body.half() - body.top_radius);
            let high = high.max(body.bottom_radius - body.half());
            let (q, k) = body.slant();
            let profile = |z: f64| {
                let (from, to) = (k * body.bottom_radius - body.half(), k * body.top_radius + body.half());
                let cap = |r: f64, c: f64| (r * r - (z - c) * (z - c)).max(0.0).sqrt();
                if z < from {
                    cap(body.bottom_radius, -body.half())
                } else if z > to {
                    cap(body.top_radius, body.half())
                } else {
                    (body.bottom_radius - k * (z + body.half())) / q
                }
            };
            let (mut volume, mut first, mut along, mut across) = (0.0, 0.0, 0.0, 0.0);
            let step = (high - low) / f64::from(STEPS);
            for i in 0..=STEPS {
                let weight = if i == 0 || i == STEPS { 1.0 } else if i % 2 == 1 { 4.0 } else { 2.0 };
                let z = low + step * f64::from(i);
                let square = PI * profile(z) * profile(z) * weight * step / 3.0;
                volume += square;
                first += square * z;
                along += square * z * z;
                across += 0.25 * square * profile(z) * profile(z);
            }
            let exact = body.moments();
            let size = high - low;
            prop_assert!((exact.volume / volume - 1.0).abs() < 1e-7, "{} {}", exact.volume, volume);
            prop_assert!((exact.centroid.z - first / volume).abs() < 1e-7 * size);
            let middle = first / volume;
            prop_assert!((exact.covariance.z_axis.z - (along / volume - middle * middle)).abs() < 1e-7 * size * size);
            prop_assert!((exact.covariance.x_axis.x - across / volume).abs() < 1e-7 * size * size);
        }
    }
}
