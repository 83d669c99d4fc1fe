//! The ellipsoid `(x/a)² + (y/b)² + (z/c)² ≤ 1`, centred on the local origin with its axes along the local axes.
//!
//! With `R = diag(a, b, c)`, its support function and support point along a direction n are
//! ```text
//! h(n) = ‖R n‖,      s(n) = R² n / ‖R n‖
//! ```
//! The point x of its surface nearest to a point y satisfies `y - x = t ∇`, with `∇ = R⁻² x` along the outward normal.
//! With the least radius c and `τ = t + c² ≥ 0`, the components are
//! ```text
//! xᵢ = rᵢ pᵢ,   pᵢ = rᵢ yᵢ / (τ + dᵢ),   dᵢ = (rᵢ - c)(rᵢ + c),   ‖p‖ = 1
//! ```
//! `1/‖p‖` is concave and almost linear in τ, so Newton's method for `1/‖p‖ = 1` (the secular equation of Moré and
//! Sorensen 1983) converges from below without a safeguard; `τ = max (rᵢ yᵢ - dᵢ)` is below, with `1 ≤ ‖p‖ ≤ √3`. If even
//! τ = 0 gives `‖p‖ < 1`, the point is on the symmetry plane of the least radius, between the centres of curvature: two
//! points of the surface are equally near, and the one on the positive side is returned.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::chord::{self, Chord};
use super::geometry::{inside_or_on, positive_length};
use super::revolution::unit;
use super::{Aabb, Convex, Geometry, GeometryError, Ray, RayHit};
use crate::digest::{Fingerprint, parameters};
use crate::math::elliptic::{carlson_rf, carlson_rj};
use crate::math::{Coordinate, Mat3, ReferenceFrame, Vec3, outer_product, scalar};

/// Limit of Newton steps. tuned: 5 to 8 in general, 12 within 1e-300 of the symmetry plane; radii 1e6:1 need no more.
const NEWTON_STEPS: u32 = 40;

/// A solid ellipsoid.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields")]
pub struct Ellipsoid {
    radii: Vec3,
}

impl Fingerprint for Ellipsoid {
    parameters!("ellipsoid": radii);
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    radii: Vec3,
}

impl TryFrom<Fields> for Ellipsoid {
    type Error = GeometryError;
    fn try_from(fields: Fields) -> Result<Self, GeometryError> {
        Self::new(fields.radii)
    }
}

/// The point of the surface nearest to a given point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearestOnEllipsoid {
    pub(crate) point: Coordinate,
    /// Unit, outward.
    pub(crate) normal: Vec3,
    /// Negative inside.
    pub(crate) distance: f64,
}

impl Ellipsoid {
    /// From its radii (half of its full lengths) along x, y and z, m.
    ///
    /// # Errors
    /// If a radius is not positive and finite.
    pub fn new(radii: Vec3) -> Result<Self, GeometryError> {
        positive_length("ellipsoid", "radii.x", radii.x)?;
        positive_length("ellipsoid", "radii.y", radii.y)?;
        positive_length("ellipsoid", "radii.z", radii.z)?;
        Ok(Self { radii })
    }

    /// Half of its full lengths along x, y and z, m.
    #[must_use]
    pub fn radii(&self) -> Vec3 {
        self.radii
    }

    /// The point of the surface nearest to `point`.
    pub(crate) fn nearest_on_surface(&self, point: Coordinate) -> NearestOnEllipsoid {
        // Relative to the largest radius, in the octant of positive coordinates.
        let scale = self.radii.max_element();
        let (r, y) = (self.radii / scale, point.abs() / scale);
        let least = r.min_element();
        let (d, g) = ((r - least) * (r + least), r * y);
        let quotient = |tau: f64| {
            let over = |g: f64, d: f64| if g > 0.0 { g / (tau + d) } else { 0.0 };
            Vec3::new(over(g.x, d.x), over(g.y, d.y), over(g.z, d.z))
        };
        let mut tau = scalar::max(0.0, (g - d).max_element());
        let mut p = quotient(tau);
        if tau == 0.0 && p.length_squared() <= 1.0 {
            let rest = (1.0 - p.length_squared()).sqrt();
            let axis = if d.x == 0.0 {
                0
            } else if d.y == 0.0 {
                1
            } else {
                2
            };
            p[axis] = rest;
        } else {
            for _ in 0..NEWTON_STEPS {
                let length = p.length();
                let slope =
                    Vec3::new(over(p.x, tau + d.x), over(p.y, tau + d.y), over(p.z, tau + d.z)).dot(p);
                let next = tau + (length - 1.0) * length * length / slope;
                if next.is_nan() || next <= tau * (1.0 + f64::EPSILON) {
                    break;
                }
                tau = next;
                p = quotient(tau);
            }
            p /= p.length();
        }
        let gradient = p / r;
        let steepness = gradient.length();
        let sign = |v: Vec3| Vec3::new(v.x.copysign(point.x), v.y.copysign(point.y), v.z.copysign(point.z));
        NearestOnEllipsoid {
            point: sign(p * self.radii),
            normal: sign(gradient / steepness),
            distance: (tau - least * least) * steepness * scale,
        }
    }

    /// Second derivative of the support function at a direction, m: `(R² - s sᵀ) / h`, the curvature radii of the surface
    /// where its normal is along the direction.
    pub(crate) fn support_curvature(&self, direction: Vec3) -> Mat3 {
        let reach = (self.radii * direction).length();
        let at = self.support(direction);
        (Mat3::from_diagonal(self.radii * self.radii) - outer_product(at, at)) * (1.0 / reach)
    }
}

/// `a / b`, and 0 of 0.
fn over(a: f64, b: f64) -> f64 {
    if a > 0.0 { a / b } else { 0.0 }
}

impl Geometry for Ellipsoid {
    fn bounding_box(&self, frame: &ReferenceFrame) -> Aabb {
        let r = frame.rotation();
        let (x, y, z) = (r.x_axis * self.radii.x, r.y_axis * self.radii.y, r.z_axis * self.radii.z);
        let squares = x * x + y * y + z * z;
        let reach = Vec3::new(squares.x.sqrt(), squares.y.sqrt(), squares.z.sqrt());
        Aabb::new(frame.position - reach, frame.position + reach)
    }

    fn signed_distance(&self, point: Coordinate) -> f64 {
        self.nearest_on_surface(point).distance
    }

    fn contains(&self, point: Coordinate) -> bool {
        inside_or_on(self.signed_distance(point), self.radii.max_element())
    }

    fn cast_ray(&self, ray: &Ray, max_distance: f64) -> Option<RayHit> {
        chord::cast_ray(ray, max_distance, |near| {
            // In coordinates divided by the radii it is the unit ball.
            let stretched = near.direction / self.radii;
            let speed = stretched.length();
            let of_ball = Ray { origin: near.origin / self.radii, direction: stretched / speed };
            let chord = Chord::of_sphere(&of_ball, 1.0)?;
            let (enter, exit) = (chord.enter / speed, chord.exit / speed);
            Some(Chord { enter, exit, normal: unit(chord.normal / self.radii) })
        })
    }

    fn volume(&self) -> f64 {
        4.0 / 3.0 * PI * self.radii.x * self.radii.y * self.radii.z
    }

    /// `4π R_G(a²b², b²c², c²a²)`, with `2 R_G(x,y,z) = z R_F - (x-z)(y-z) R_D/3 + √(xy/z)` and z between x and y, where all
    /// terms are positive (DLMF 19.33.1, 19.21.10).
    fn surface_area(&self) -> f64 {
        let scale = self.radii.max_element();
        let s = (self.radii / scale) * (self.radii / scale);
        let (p, q, r) = (s.x * s.y, s.y * s.z, s.z * s.x);
        let (low, high) = (scalar::min(scalar::min(p, q), r), scalar::max(scalar::max(p, q), r));
        let between = scalar::max(scalar::min(p, q), scalar::min(scalar::max(p, q), r));
        let mixed = (high - between) * (between - low) / 3.0 * carlson_rj(low, high, between, between);
        let twice = between * carlson_rf(low, high, between) + mixed + (low * (high / between)).sqrt();
        2.0 * PI * twice * scale * scale
    }

    fn centroid(&self) -> Option<Coordinate> {
        Some(Vec3::ZERO)
    }
}

impl Convex for Ellipsoid {
    fn support(&self, direction: Vec3) -> Coordinate {
        self.radii * unit(self.radii * unit(direction))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pebble() -> Ellipsoid {
        Ellipsoid::new(Vec3::new(2.0, 1.0, 0.5)).unwrap()
    }

    /// Radii from 1 mm to 1 km, up to 1e6:1.
    fn any_radii() -> impl Strategy<Value = Vec3> {
        (-3.0..3.0_f64, -3.0..3.0_f64, -3.0..3.0_f64)
            .prop_map(|(a, b, c)| Vec3::new(a, b, c).map(|x| scalar::pow(10.0, x)))
    }

    fn any_direction() -> impl Strategy<Value = Vec3> {
        (-1.0..1.0_f64, -1.0..1.0_f64, -1.0..1.0_f64)
            .prop_filter_map("a direction", |(x, y, z)| Vec3::new(x, y, z).try_normalize())
    }

    #[test]
    fn the_radius_at_fault_is_named() {
        let message = Ellipsoid::new(Vec3::new(1.0, -2.0, 1.0)).unwrap_err().to_string();
        assert_eq!(message, "ellipsoid: radii.y must be positive and finite, got -2 m");
        assert!(serde_json::from_str::<Ellipsoid>(r#"{"radii": [1, 0, 1]}"#).is_err());
        assert_eq!(serde_json::from_str::<Ellipsoid>(r#"{"radii": [2, 1, 0.5]}"#).unwrap(), pebble());
    }

    #[test]
    fn on_the_axes_and_in_the_middle_distances_are_known() {
        for (point, distance) in [
            (Vec3::X * 5.0, 3.0),
            (Vec3::Y * -1.25, 0.25),
            (Vec3::Z * 0.5, 0.0),
            (Vec3::ZERO, -0.5),
            (Vec3::Z * 0.25, -0.25),
            // Beyond the centre of curvature a - c²/a = 1.875 m of the tip along x in the plane of x and z.
            (Vec3::X * 1.9, -0.1),
        ] {
            let found = pebble().nearest_on_surface(point);
            assert!((found.distance - distance).abs() < 1e-15, "{point}: {}", found.distance);
        }
        // At x between those centres the nearest points are off the axis, symmetric about the plane.
        let x = 1.0_f64;
        let on_x = 4.0 * x / (4.0 - 0.25);
        let on_z = 0.5 * (1.0 - on_x * on_x / 4.0).sqrt();
        let found = pebble().nearest_on_surface(Vec3::X * x);
        assert!(found.point.distance(Vec3::new(on_x, 0.0, on_z)) < 1e-15, "{}", found.point);
        assert!((found.distance + (Vec3::new(on_x, 0.0, on_z) - Vec3::X * x).length()).abs() < 1e-15);
    }

    #[test]
    fn of_equal_radii_it_is_a_ball() {
        let ball = Ellipsoid::new(Vec3::splat(0.7)).unwrap();
        for point in [Vec3::ZERO, Vec3::new(0.1, -0.2, 0.3), Vec3::new(3.0, 1.0, -2.0)] {
            assert!((ball.signed_distance(point) - (point.length() - 0.7)).abs() < 1e-15, "{point}");
        }
        assert!((ball.surface_area() / (4.0 * PI * 0.49) - 1.0).abs() < 1e-15);
        assert!((ball.volume() / (4.0 / 3.0 * PI * 0.343) - 1.0).abs() < 1e-15);
    }

    /// Oblate and prolate ellipsoids of revolution have elementary areas.
    #[test]
    fn ellipsoids_of_revolution_have_their_area() {
        for (a, c) in [(1.0_f64, 0.999_f64), (1.0, 0.5), (1.0, 0.01), (0.5, 1.0), (0.01, 1.0)] {
            let area = Ellipsoid::new(Vec3::new(a, a, c)).unwrap().surface_area();
            let closed = if c < a {
                let e = (1.0 - c * c / (a * a)).sqrt();
                2.0 * PI * a * a + PI * c * c / e * scalar::ln((1.0 + e) / (1.0 - e))
            } else {
                let e = (1.0 - a * a / (c * c)).sqrt();
                2.0 * PI * a * a + 2.0 * PI * a * c / e * scalar::asin(e)
            };
            assert!((area / closed - 1.0).abs() < 1e-13, "{a} {c}: {area} {closed}");
        }
    }

    proptest! {
        /// The foot of a point on the surface, moved out or in along the normal by less than the least radius of curvature.
        #[test]
        fn a_point_off_the_surface_finds_its_foot(
            radii in any_radii(), n in any_direction(), out in -0.9..3.0_f64
        ) {
            let body = Ellipsoid::new(radii).unwrap();
            let (least, size) = (radii.min_element(), radii.max_element());
            let foot = body.support(n);
            let height = if out < 0.0 { out * least * least / size } else { out * size };
            let found = body.nearest_on_surface(foot + n * height);
            prop_assert!((found.distance - height).abs() <= 4e-15 * size, "{} {}", found.distance, height);
            prop_assert!((found.point / radii).length() - 1.0 <= 4e-15);
            // Inside, two points may be as near as round-off: only the distance is compared.
            let normal = (found.point / radii / radii).normalize();
            prop_assert!(found.normal.distance(normal) < 1e-14);
            if height > 0.0 {
                prop_assert!(found.point.distance(foot) <= 1e-14 * size * (1.0 + size / height), "{}", found.point);
            }
        }

        /// No point of a fine grid of the surface is nearer than the one found.
        #[test]
        fn no_point_of_the_surface_is_nearer(
            x in -1.0..1.0_f64, y in -1.0..1.0_f64, z in -1.0..1.0_f64, long in 1.0..30.0_f64, flat in 0.02..1.0_f64
        ) {
            let body = Ellipsoid::new(Vec3::new(long, 1.0, flat)).unwrap();
            let point = Vec3::new(x * long, y, z * flat) * 1.5;
            let found = body.nearest_on_surface(point);
            prop_assert!((found.point.distance(point) - found.distance.abs()).abs() < 1e-13 * long);
            let inside = (point / body.radii()).length() < 1.0;
            prop_assert_eq!(inside, found.distance < 0.0);
            for i in 0..=40 {
                for k in 0..80 {
                    let (up, around) = (PI * f64::from(i) / 40.0, PI * f64::from(k) / 40.0);
                    let ((s, c), (sa, ca)) = (scalar::sin_cos(up), scalar::sin_cos(around));
                    let on_surface = Vec3::new(s * ca, s * sa, c) * body.radii();
                    let distance = on_surface.distance(point);
                    prop_assert!(distance >= found.distance.abs() - 1e-13 * long, "{} {}", distance, found.distance);
                }
            }
        }

        /// A hit is on the surface, with the normal there, and no point of the ray before it is inside.
        #[test]
        fn rays_hit_the_surface(radii in any_radii(), n in any_direction(), d in any_direction(), back in 0.1..5.0_f64) {
            let body = Ellipsoid::new(radii).unwrap();
            let (target, size) = (body.support(n) * 0.9, radii.max_element());
            let direction = -d;
            let ray = Ray::new(target - direction * (back * 2.0 * size), direction).unwrap();
            let Some(hit) = body.cast_ray(&ray, 100.0 * size) else {
                return Err(TestCaseError::fail("it misses a point inside"));
            };
            let place = ray.at(hit.distance);
            prop_assert!(body.signed_distance(place).abs() <= 2e-14 * size * (1.0 + back));
            prop_assert!(hit.distance <= ray.origin.distance(target) * (1.0 + 1e-14));
            prop_assert!(hit.normal.dot(direction) <= 1e-9);
        }

        #[test]
        fn the_support_is_the_farthest_point(radii in any_radii(), n in any_direction(), m in any_direction()) {
            let body = Ellipsoid::new(radii).unwrap();
            let size = radii.max_element();
            prop_assert!(((body.support(n) / radii).length() - 1.0).abs() < 4e-15);
            prop_assert!(n.dot(body.support(m)) <= n.dot(body.support(n)) + 1e-15 * size);
            let frame = ReferenceFrame::from_position(Vec3::ONE);
            let bounds = body.bounding_box(&frame);
            prop_assert!(bounds.max.distance(radii + Vec3::ONE) <= 1e-15 * (size + 1.0));
        }
    }
}
