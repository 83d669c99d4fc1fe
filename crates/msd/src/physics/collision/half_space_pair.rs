//! Contacts of a half-space with a convex solid: every vertex, end or rim point of the solid near the plane.
//!
//! The half-space is A: the contact normal is its surface normal. Discs contribute eight points fixed in the
//! shape, so that a standing cylinder has the same contacts in every step, and the lowest point of the rim
//! when they are tilted, so that a leaning or rolling cylinder touches at its true contact point.

use super::manifold::{ContactManifold, ContactPoint, FeatureId, MAX_POINTS, PointKey, reduce_points};
use super::solid::{Core, Solid, corner, radial};
use super::support_function::SupportFunction;
use crate::math::{Coordinate, ReferenceFrame, Vec3, scalar};
use crate::tolerance;

/// The surface of a half-space in the solid's local frame: `n·x = offset`.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalPlane {
    pub normal: Vec3,
    pub offset: f64,
}

impl LocalPlane {
    /// The plane `normal·x = offset`, given in the frame in which the solid has the pose `frame`.
    pub(super) fn new(normal: Vec3, offset: f64, frame: &ReferenceFrame) -> Self {
        Self { normal: frame.direction_to_local(normal), offset: offset - normal.dot(frame.position) }
    }

    fn height(&self, local: Coordinate) -> f64 {
        self.normal.dot(local) - self.offset
    }

    /// The lowest point of the solid and its height.
    pub(super) fn lowest(&self, solid: &Solid<'_>) -> (Coordinate, f64) {
        let core = solid.core.support(-self.normal);
        (core - self.normal * solid.radius, self.height(core) - solid.radius)
    }
}

const MOST: usize = 64;

/// Candidate points; the lowest are kept when there are too many.
struct LowestPoints {
    points: [ContactPoint; MOST],
    len: usize,
}

impl LowestPoints {
    fn offer(&mut self, point: ContactPoint) {
        if self.len < MOST {
            self.points[self.len] = point;
            self.len += 1;
            return;
        }
        let mut highest = 0;
        for k in 1..MOST {
            if self.points[k].distance > self.points[highest].distance {
                highest = k;
            }
        }
        if point.distance < self.points[highest].distance {
            self.points[highest] = point;
        }
    }
}

/// Contacts of a half-space (A) and a solid (B) with the pose `frame` in the frame of the plane; points and
/// anchors of A in that frame, anchors of B local.
pub(super) fn contacts(
    normal: Vec3,
    offset: f64,
    solid: &Solid<'_>,
    frame: &ReferenceFrame,
    margin: f64,
) -> ContactManifold {
    let plane = LocalPlane::new(normal, offset, frame);
    let mut low = LowestPoints { points: [ContactPoint::default(); MOST], len: 0 };
    let same = tolerance::CLIP_SLACK * solid.core.size();
    for_each_low_point(&solid.core, plane.normal, &mut |local, name| {
        let distance = plane.height(local) - solid.radius;
        let surface = local - plane.normal * solid.radius;
        let known = low.points[..low.len].iter().any(|p| p.anchor_b.distance(surface) <= same);
        if distance <= margin && !known {
            let on_b = frame.point_to_parent(surface);
            let on_a = on_b - normal * distance;
            let feature = FeatureId { a: FeatureId::FACE, b: name };
            low.offer(ContactPoint { on_a, on_b, anchor_a: on_a, anchor_b: surface, distance, feature });
        }
    });
    let mut manifold = ContactManifold::with_normal(normal);
    let key_of = |p: &ContactPoint| PointKey { place: p.on_a, distance: p.distance, feature: p.feature };
    for i in reduce_points(&low.points[..low.len], normal, MAX_POINTS, key_of) {
        manifold.push(low.points[i]);
    }
    manifold
}

/// Every corner and end, and the points of discs that can be lowest; `up` is the plane's normal in the local frame.
fn for_each_low_point(core: &Core<'_>, up: Vec3, visit: &mut dyn FnMut(Coordinate, u32)) {
    match core {
        Core::Point => visit(Vec3::ZERO, FeatureId::VERTEX),
        Core::Segment { half } => {
            visit(Vec3::Z * -*half, FeatureId::VERTEX);
            visit(Vec3::Z * *half, FeatureId::VERTEX | 1);
        }
        Core::Cuboid { half } => (0..8).for_each(|k| visit(corner(*half, k), FeatureId::VERTEX | k)),
        Core::Cylinder { radius, half } => {
            disc(-*half, *radius, up, 0, visit);
            disc(*half, *radius, up, 32, visit);
        }
        Core::Cone { radius, half } => {
            disc(-*half, *radius, up, 0, visit);
            visit(Vec3::Z * *half, FeatureId::VERTEX);
        }
        Core::Ellipsoid(_) => visit(core.support(-up), FeatureId::VERTEX),
        Core::TwoBalls { radii, half } => {
            visit(Vec3::Z * -*half - up * radii[0], FeatureId::VERTEX);
            visit(Vec3::Z * *half - up * radii[1], FeatureId::VERTEX | 1);
        }
        Core::Hull(hull) => {
            for (k, v) in hull.vertices().iter().enumerate() {
                visit(*v, FeatureId::VERTEX | k as u32);
            }
        }
        Core::Triangle(corners) => (0..3).for_each(|k| visit(corners[k as usize], FeatureId::VERTEX | k)),
    }
}

fn disc(z: f64, radius: f64, up: Vec3, name: u32, visit: &mut dyn FnMut(Coordinate, u32)) {
    use std::f64::consts::FRAC_1_SQRT_2 as H;
    let center = Vec3::Z * z;
    let tilt = scalar::hypot(up.x, up.y);
    if tilt > tolerance::DISC_TILTED {
        visit(center - radial(up) * radius, FeatureId::CURVE | name | 8);
    }
    let eighths = [(1.0, 0.0), (H, H), (0.0, 1.0), (-H, H), (-1.0, 0.0), (-H, -H), (0.0, -1.0), (H, -H)];
    for (k, (c, s)) in eighths.into_iter().enumerate() {
        visit(center + Vec3::new(c, s, 0.0) * radius, FeatureId::CURVE | name | k as u32);
    }
}
