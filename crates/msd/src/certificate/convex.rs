//! Convex pieces of a shape for the certificate: a core, a radius around it, and a pose.
//!
//! Every shape of the engine is decomposed into convex pieces with support functions written here, from the
//! parameters of the shape alone. No result is cached between calls, and hulls are searched vertex by vertex.

use crate::math::{Coordinate, Mat3, ReferenceFrame, Vec3, scalar};
use crate::physics::rigid_body::shape::{RoundedCore, Shape};

/// A convex set without its radius, local frame, m.
#[derive(Clone, Copy, Debug)]
enum Core<'a> {
    Point,
    /// Along z, from `-half` to `half`.
    Segment {
        half: f64,
    },
    Box {
        half: Vec3,
    },
    Cylinder {
        radius: f64,
        half: f64,
    },
    /// Apex at `+half`, base of `radius` at `-half`.
    Cone {
        radius: f64,
        half: f64,
    },
    /// Half lengths along the axes.
    Ellipsoid {
        radii: Vec3,
    },
    /// The hull of balls about `-half` and `+half` on the z axis.
    TwoBalls {
        bottom: f64,
        top: f64,
        half: f64,
    },
    Points(&'a [Coordinate]),
    Triangle([Coordinate; 3]),
}

/// A convex set: all points within `radius` of a core, m.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    core: Core<'a>,
    pub(super) radius: f64,
    rotation: Mat3,
    position: Vec3,
}

impl<'a> Piece<'a> {
    /// A bounded convex shape in its frame; `None` for half-space, compound and mesh.
    pub(super) fn new(shape: &'a Shape, frame: &ReferenceFrame) -> Option<Self> {
        let (core, radius) = match shape {
            Shape::Sphere(sphere) => (Core::Point, sphere.radius()),
            Shape::Box(cuboid) => (Core::Box { half: cuboid.size() * 0.5 }, 0.0),
            Shape::Capsule(capsule) => (Core::Segment { half: 0.5 * capsule.length() }, capsule.radius()),
            Shape::Cylinder(cylinder) => {
                (Core::Cylinder { radius: cylinder.radius(), half: 0.5 * cylinder.length() }, 0.0)
            }
            Shape::Cone(cone) => (Core::Cone { radius: cone.radius(), half: 0.5 * cone.length() }, 0.0),
            Shape::Ellipsoid(ellipsoid) => (Core::Ellipsoid { radii: ellipsoid.radii() }, 0.0),
            Shape::Rounded(rounded) => {
                let core = match rounded.core() {
                    RoundedCore::Box(cuboid) => Core::Box { half: cuboid.size() * 0.5 },
                    RoundedCore::Cylinder(cylinder) => {
                        Core::Cylinder { radius: cylinder.radius(), half: 0.5 * cylinder.length() }
                    }
                    RoundedCore::Hull(hull) => Core::Points(hull.vertices()),
                };
                (core, rounded.radius())
            }
            Shape::Hull(hull) => (Core::Points(hull.vertices()), 0.0),
            Shape::TaperedCapsule(pear) => {
                let radius = scalar::min(pear.bottom_radius(), pear.top_radius());
                let (bottom, top) = (pear.bottom_radius() - radius, pear.top_radius() - radius);
                (Core::TwoBalls { bottom, top, half: 0.5 * pear.length() }, radius)
            }
            Shape::HalfSpace(_) | Shape::Compound(_) | Shape::Mesh(_) => return None,
        };
        Some(Self { core, radius, rotation: frame.rotation(), position: frame.position })
    }

    /// A triangle given in `frame`.
    pub(super) fn triangle(corners: [Coordinate; 3], frame: &ReferenceFrame) -> Self {
        Self {
            core: Core::Triangle(corners),
            radius: 0.0,
            rotation: frame.rotation(),
            position: frame.position,
        }
    }

    /// Distance of a point from the piece, m; `None` where it has no closed form.
    pub(super) fn distance_to(&self, point: Vec3) -> Option<f64> {
        let local = self.rotation.transpose() * (point - self.position);
        let beyond = |value: f64, half: f64| scalar::max(0.0, value.abs() - half);
        let from_core = match self.core {
            Core::Point => local,
            Core::Segment { half } => Vec3::new(local.x, local.y, beyond(local.z, half)),
            Core::Box { half } => (local.abs() - half).max(Vec3::ZERO),
            Core::Cylinder { radius, half } => {
                let across = Vec3::new(local.x, local.y, 0.0).length();
                Vec3::new(beyond(across, radius), 0.0, beyond(local.z, half))
            }
            Core::TwoBalls { bottom, top, half } => {
                let (z, radius) = ball_of(local, bottom, top, half);
                let gap = (local - Vec3::Z * z).length() - radius - self.radius;
                return Some(scalar::max(0.0, gap));
            }
            Core::Cone { .. } | Core::Ellipsoid { .. } | Core::Points(_) | Core::Triangle(_) => return None,
        };
        Some(scalar::max(0.0, from_core.length() - self.radius))
    }

    /// A point.
    pub(super) fn point(position: Vec3) -> Self {
        Self { core: Core::Point, radius: 0.0, rotation: Mat3::IDENTITY, position }
    }

    /// By how much an outward unit normal at a point of the surface is not one of it, times the radius of the surface there, m: zero for
    /// flat faces, edges and corners, sharp or rounded, where the gap along the normal tells.
    ///
    /// Along a surface of radius r, a normal that is off by θ changes the gap by `½ r θ²` only. Of a ball or capsule the normal is the
    /// direction from the core to the point; of a cylinder or cone it is in the plane of the axis and the point, on rim and side alike.
    pub(super) fn normal_missed(&self, point: Vec3, outward: Vec3) -> f64 {
        let local = self.rotation.transpose() * (point - self.position);
        let normal = self.rotation.transpose() * outward;
        match self.core {
            Core::Point => (local - normal * self.radius).length(),
            Core::Segment { half } => {
                let nearest = Vec3::Z * scalar::clamp(local.z, -half, half);
                (local - nearest - normal * self.radius).length()
            }
            Core::TwoBalls { bottom, top, half } => {
                let (z, radius) = ball_of(local, bottom, top, half);
                (local - Vec3::Z * z - normal * (radius + self.radius)).length()
            }
            Core::Cylinder { .. } | Core::Cone { .. } => (local.x * normal.y - local.y * normal.x).abs(),
            // The radius of curvature is at least the square of the least half length over the largest.
            Core::Ellipsoid { radii } => {
                let gradient = local / (radii * radii);
                let least = radii.min_element() * radii.min_element() / radii.max_element();
                gradient.try_normalize().map_or(0.0, |wanted| (wanted - normal).length() * least)
            }
            Core::Box { .. } | Core::Points(_) | Core::Triangle(_) => 0.0,
        }
    }

    /// Half of the edges of a box with sharp edges, m; `None` for other shapes.
    pub(super) fn box_half(&self) -> Option<Vec3> {
        match self.core {
            Core::Box { half } if self.radius == 0.0 => Some(half),
            _ => None,
        }
    }

    /// Columns: axes of the piece.
    pub(super) fn rotation(&self) -> &Mat3 {
        &self.rotation
    }

    /// Any point of the core.
    pub(super) fn middle(&self) -> Vec3 {
        match self.core {
            Core::Points(points) => self.rotation * points[0] + self.position,
            Core::Triangle([a, b, c]) => self.rotation * ((a + b + c) / 3.0) + self.position,
            _ => self.position,
        }
    }

    /// A point of the core farthest along `direction`.
    pub(super) fn support(&self, direction: Vec3) -> Vec3 {
        let along = self.rotation.transpose() * direction;
        let local = match self.core {
            Core::Point => Vec3::ZERO,
            Core::Segment { half } => Vec3::new(0.0, 0.0, half.copysign(along.z)),
            Core::Box { half } => {
                Vec3::new(half.x.copysign(along.x), half.y.copysign(along.y), half.z.copysign(along.z))
            }
            Core::Cylinder { radius, half } => rim(along, radius) + Vec3::Z * half.copysign(along.z),
            Core::Cone { radius, half } => {
                let (apex, base) = (Vec3::Z * half, rim(along, radius) - Vec3::Z * half);
                if apex.dot(along) >= base.dot(along) { apex } else { base }
            }
            Core::Ellipsoid { radii } => {
                let scaled = radii * along;
                let length = scaled.length();
                if length > 0.0 { radii * (scaled / length) } else { radii * Vec3::X }
            }
            Core::TwoBalls { bottom, top, half } => {
                let outward = along.normalize_or(Vec3::Z);
                let (low, high) = (outward * bottom - Vec3::Z * half, outward * top + Vec3::Z * half);
                if high.dot(along) >= low.dot(along) { high } else { low }
            }
            Core::Points(points) => farthest(points, along),
            Core::Triangle(corners) => farthest(&corners, along),
        };
        self.rotation * local + self.position
    }
}

/// Height and radius of the ball nearest to a point, of the balls about the z axis whose radii go linearly from `bottom` at `-half` to
/// `top` at `half`: `√(ρ² + (z - s)²) - r(s)` is least where `z - s = ρ k/√(1 - k²)`, with `k = (bottom - top)/2 half`.
fn ball_of(point: Vec3, bottom: f64, top: f64, half: f64) -> (f64, f64) {
    let across = Vec3::new(point.x, point.y, 0.0).length();
    let k = (bottom - top) / (2.0 * half);
    let at = scalar::clamp(point.z - across * k / (1.0 - k * k).sqrt(), -half, half);
    (at, bottom + (top - bottom) * (at + half) / (2.0 * half))
}

/// The point of a circle about z farthest along a direction.
fn rim(along: Vec3, radius: f64) -> Vec3 {
    let across = Vec3::new(along.x, along.y, 0.0);
    let length = across.length();
    if length > 0.0 { across * (radius / length) } else { Vec3::ZERO }
}

fn farthest(points: &[Coordinate], along: Vec3) -> Coordinate {
    let mut best = (f64::NEG_INFINITY, points[0]);
    for &point in points {
        let height = point.dot(along);
        if height > best.0 {
            best = (height, point);
        }
    }
    best.1
}
