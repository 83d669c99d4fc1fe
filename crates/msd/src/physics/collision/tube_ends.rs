//! Contacts at both ends of two nearly parallel cylinders or capsules.
//!
//! Two such tubes with axes that cross at a small angle φ touch in one point. At the distance s from it their
//! gap is larger by `(s φ)²/2R` only, R the sum of the radii: they rock about the point, and within a step an
//! end may close. At each end of the overlap of the axes the gap is measured between the axes, along their
//! shortest connection there: with `p` the end on one axis and `q` the nearest point of the other,
//! `m = (q - p)/|q - p|`, the points on the surfaces are `a = p + r_A m⊥` and `b = q - r_B m⊥` (⊥: the
//! component perpendicular to the own axis, normalized), and the gap is `m·(b - a)`. Each end has its own
//! normal, and so its own manifold. Everything is in the frame of A, whose axis is z.

use super::adjacent_faces::{is_at, lifted};
use super::convex_pair::ConvexPair;
use super::manifold::{ContactManifold, ContactPoint, FeatureId};
use super::solid::{Core, Solid};
use crate::math::{Vec3, scalar};

/// Half length of the axis and radius of a cylinder or a capsule.
fn tube(solid: &Solid<'_>) -> Option<(f64, f64)> {
    match solid.core {
        Core::Cylinder { radius, half } => Some((half, radius)),
        Core::Segment { half } => Some((half, solid.radius)),
        _ => None,
    }
}

/// Contacts at the ends in addition to the one contact `known`, with gaps up to `margin`; empty where there
/// are none.
pub(super) fn tube_ends(pair: &ConvexPair<'_>, known: &ContactManifold, margin: f64) -> [ContactManifold; 2] {
    let mut ends = [ContactManifold::EMPTY; 2];
    let (Some((half_a, radius_a)), Some((half_b, radius_b))) = (tube(pair.a), tube(pair.b)) else {
        return ends;
    };
    let (center, axis) = (pair.pose.translation, pair.pose.rotation.z_axis);
    if known.points().len() != 1
        || axis.z.abs() < 1.0 - 0.5 * super::features::LINE_TILT * super::features::LINE_TILT
    {
        return ends;
    }
    let low = scalar::max(-half_a, center.z - half_b * axis.z.abs());
    let high = scalar::min(half_a, center.z + half_b * axis.z.abs());
    let near = super::manifold::SAME_CONTACT * scalar::min(radius_a, radius_b);
    for (number, t) in [low, high].into_iter().enumerate().filter(|_| low < high) {
        let p = Vec3::Z * t;
        let q = center + axis * axis.dot(p - center);
        let across = |v: Vec3, axis: Vec3| (v - axis * axis.dot(v)).try_normalize();
        let Some(normal) = (q - p).try_normalize().filter(|m| m.dot(known.normal) > 0.0) else { continue };
        let (Some(of_a), Some(of_b)) = (across(normal, Vec3::Z), across(normal, axis)) else { continue };
        let (on_a, on_b) = (p + of_a * radius_a, q - of_b * radius_b);
        let distance = normal.dot(on_b - on_a);
        if distance > margin || is_at(known, on_a, near) {
            continue;
        }
        let feature = FeatureId { a: FeatureId::CURVE | (number as u32) << 29, b: FeatureId::CURVE };
        let anchor_b = pair.pose.point_to_b(on_b);
        let point = ContactPoint { on_a, on_b, anchor_a: on_a, anchor_b, distance, feature };
        ends[number].normal = normal;
        ends[number].push(lifted(&point, normal, scalar::min(known.deepest(), 0.0), pair));
    }
    ends
}
