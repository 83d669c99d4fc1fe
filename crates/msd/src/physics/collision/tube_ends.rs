//! Contacts at both ends of two nearly parallel cylinders or capsules.
//!
//! Two such tubes with axes that cross at a small angle φ touch in one point. At the distance s from it their
//! gap is larger by `(s φ)²/2R` only, R the sum of the radii: they rock about the point, and within a step an
//! end may close. The contact at an end is that of the nearest point of the tube that ends there with the side of the
//! other: for a capsule of the end of its axis, for a cylinder of the point x of its rim that is nearest to the other
//! axis. With the centre c of the rim, its radius r, its axis z, and P the projection across the other axis through o,
//! ```text
//! x = c + r e,   f(e) = ½ |P (x - o)|²,   t = z × e,   f' = r w·Pt,   f'' = r² |Pt|² - r w·Pe,   w = P (x - o)
//! ```
//! and Newton's method turns e by `-f'/f''`. The normal is along w, the gap `|w|` less the other radius. Both points
//! are on the surfaces, so that the gap is never less than the distance of the tubes. Where the ends are nearly flush,
//! the rim of one of them is beside the end of the other: then the other rim is the one that touches.
//! Each end has its own normal, and so its own manifold. Everything is in the frame of A, whose axis is z.

use super::adjacent_faces::{is_at, lifted};
use super::features::LINE_TILT;
use super::manifold::{ContactManifold, ContactPoint, FeatureId};
use super::solid::{Core, Solid};
use super::solid_pair::ConvexPair;
use crate::math::{Coordinate, Vec3, scalar};

/// Limit of Newton steps. tuned: from the direction between the axes to round-off takes three.
const RIM_STEPS: u32 = 8;

/// A cylinder or a capsule.
#[derive(Clone, Copy)]
struct Tube {
    center: Coordinate,
    /// Unit.
    axis: Vec3,
    half: f64,
    /// Of the axis or, for a cylinder, of its sharp core.
    core_radius: f64,
    /// Distance of the surface from that.
    rounding: f64,
    flat: bool,
}

impl Tube {
    fn new(solid: &Solid<'_>, center: Coordinate, axis: Vec3) -> Option<Self> {
        match solid.core {
            Core::Cylinder { radius, half } => {
                Some(Self { center, axis, half, core_radius: radius, rounding: solid.radius, flat: true })
            }
            Core::Segment { half } => {
                Some(Self { center, axis, half, core_radius: 0.0, rounding: solid.radius, flat: false })
            }
            _ => None,
        }
    }

    /// Distance of its side from its axis, m.
    fn radius(&self) -> f64 {
        self.core_radius + self.rounding
    }

    /// From the nearest point of the axis line to a place.
    fn off_axis(&self, place: Coordinate) -> Vec3 {
        let arm = place - self.center;
        arm - self.axis * self.axis.dot(arm)
    }

    /// Its axis towards its end on the side of `along`.
    fn outward(&self, along: Vec3) -> Vec3 {
        if self.axis.dot(along) < 0.0 { -self.axis } else { self.axis }
    }

    /// How far a place is beyond the end on the side of `along`, m.
    fn beyond_end(&self, place: Coordinate, along: Vec3) -> f64 {
        self.outward(along).dot(place - self.center) - self.half
    }

    /// The contact of the end on the side of `along` with the side of another tube.
    fn end_on(&self, other: &Self, along: Vec3) -> Option<EndContact> {
        let end = self.center + self.outward(along) * self.half;
        let place = if self.flat { self.nearest_on_rim(end, other)? } else { end };
        let off = other.off_axis(place);
        let normal = -off.try_normalize()?;
        let on_other = place - off - normal * other.radius();
        let on_self = place + normal * self.rounding;
        Some(EndContact { normal, on_self, on_other, beyond: other.beyond_end(place, along) })
    }

    /// The point of a rim nearest to the axis of another tube.
    fn nearest_on_rim(&self, center: Coordinate, other: &Self) -> Option<Coordinate> {
        let across = |v: Vec3, axis: Vec3| v - axis * axis.dot(v);
        let mut e = across(-other.off_axis(center), self.axis).try_normalize()?;
        for _ in 0..RIM_STEPS {
            let off = other.off_axis(center + e * self.core_radius);
            let tangent = self.axis.cross(e);
            let (seen, bent) = (across(tangent, other.axis), across(e, other.axis));
            let curve = self.core_radius * seen.length_squared() - off.dot(bent);
            if curve <= 0.0 {
                return None;
            }
            let turn = -off.dot(seen) / curve;
            e = (e + tangent * turn).try_normalize()?;
            if turn.abs() <= f64::EPSILON {
                break;
            }
        }
        Some(center + e * self.core_radius)
    }
}

/// A contact of the end of one tube with the side of another.
struct EndContact {
    /// From the one that ends to the other.
    normal: Vec3,
    on_self: Coordinate,
    on_other: Coordinate,
    /// How far it is beyond the end of the other, m.
    beyond: f64,
}

/// Contacts at the ends in addition to the one contact `known`, with gaps up to `margin`; empty where there
/// are none.
pub(super) fn tube_ends(pair: &ConvexPair<'_>, known: &ContactManifold, margin: f64) -> [ContactManifold; 2] {
    let mut ends = [ContactManifold::EMPTY; 2];
    let axis = pair.pose.rotation.z_axis;
    let tubes = (Tube::new(pair.a, Vec3::ZERO, Vec3::Z), Tube::new(pair.b, pair.pose.translation, axis));
    let (Some(a), Some(b)) = tubes else { return ends };
    // They are side by side, not end to end.
    if known.points().len() != 1
        || known.normal.z.abs() > LINE_TILT
        || axis.z.abs() < 1.0 - 0.5 * LINE_TILT * LINE_TILT
    {
        return ends;
    }
    let low = scalar::max(-a.half, b.center.z - b.half * axis.z.abs());
    let high = scalar::min(a.half, b.center.z + b.half * axis.z.abs());
    let near = super::manifold::SAME_CONTACT * scalar::min(a.radius(), b.radius());
    for (number, along) in [-Vec3::Z, Vec3::Z].into_iter().enumerate().filter(|_| low < high) {
        let of_a = a.end_on(&b, along);
        let of_b = b.end_on(&a, along).map(|end| EndContact {
            normal: -end.normal,
            on_self: end.on_other,
            on_other: end.on_self,
            ..end
        });
        let nearer = |p: EndContact, q: EndContact| if q.beyond < p.beyond { q } else { p };
        // One of them is over the side of the other, to the second order in the angle.
        let over =
            |end: &EndContact| end.beyond <= (1.0 - axis.z * axis.z) * scalar::max(a.radius(), b.radius());
        let Some(end) = of_a.into_iter().chain(of_b).reduce(nearer).filter(over) else { continue };
        let (normal, on_a, on_b) = (end.normal, end.on_self, end.on_other);
        let distance = normal.dot(on_b - on_a);
        if normal.dot(known.normal) <= 0.0 || distance > margin || is_at(known, on_a, near) {
            continue;
        }
        let feature = FeatureId { a: FeatureId::CURVE | (number as u32) << 29, b: FeatureId::CURVE };
        let anchor_b = pair.pose.point_to_b(on_b);
        let point = ContactPoint { on_a, on_b, anchor_a: on_a, anchor_b, distance, feature };
        ends[number].normal = normal;
        ends[number].push(lifted(&point, normal, known.deepest(), pair));
    }
    ends
}
