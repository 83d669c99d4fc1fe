//! Convex shapes in the narrow phase: a core and a rounding radius.
//!
//! A sphere is a point with a radius, a capsule a segment with one. Distance and depth of two rounded sets
//! are those of their cores less both radii, with the same direction, so that rounding costs nothing and
//! touching spheres and capsules are never near the resolution limit of GJK.

use super::support_function::{NO_VERTEX, SupportFunction};
use crate::math::{Coordinate, Vec3, scalar};
use crate::physics::rigid_body::shape::{
    Convex, ConvexHull, ConvexShape, Ellipsoid, RoundedCore, slant_normal,
};

/// The part of a convex shape that is not rounding; local frame, axis of symmetry along z.
#[derive(Clone, Copy, Debug)]
pub(super) enum Core<'a> {
    Point,
    Segment {
        half: f64,
    },
    Cuboid {
        half: Vec3,
    },
    Cylinder {
        radius: f64,
        half: f64,
    },
    /// Base at `-half`, apex at `+half`.
    Cone {
        radius: f64,
        half: f64,
    },
    Ellipsoid(&'a Ellipsoid),
    /// The hull of two balls at `-half` and `+half`, one of them a point; the other is the `ball`.
    TwoBalls {
        radii: [f64; 2],
        half: f64,
    },
    Hull(&'a ConvexHull),
    Triangle([Coordinate; 3]),
}

/// A core with everything within `radius` of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solid<'a> {
    pub core: Core<'a>,
    pub radius: f64,
}

impl<'a> From<ConvexShape<'a>> for Solid<'a> {
    fn from(shape: ConvexShape<'a>) -> Self {
        match shape {
            ConvexShape::Sphere(s) => Self { core: Core::Point, radius: s.radius() },
            ConvexShape::Box(b) => Self::sharp(Core::Cuboid { half: 0.5 * b.size() }),
            ConvexShape::Capsule(c) => {
                Self { core: Core::Segment { half: 0.5 * c.length() }, radius: c.radius() }
            }
            ConvexShape::Cylinder(c) => {
                Self::sharp(Core::Cylinder { radius: c.radius(), half: 0.5 * c.length() })
            }
            ConvexShape::Cone(c) => Self::sharp(Core::Cone { radius: c.radius(), half: 0.5 * c.length() }),
            ConvexShape::Ellipsoid(e) => Self::sharp(Core::Ellipsoid(e)),
            ConvexShape::Rounded(r) => {
                let core = match r.core() {
                    RoundedCore::Box(b) => Core::Cuboid { half: 0.5 * b.size() },
                    RoundedCore::Cylinder(c) => Core::Cylinder { radius: c.radius(), half: 0.5 * c.length() },
                    RoundedCore::Hull(h) => Core::Hull(h),
                };
                Self { core, radius: r.radius() }
            }
            ConvexShape::Hull(h) => Self::sharp(Core::Hull(h)),
            ConvexShape::TaperedCapsule(c) => {
                let radius = scalar::min(c.bottom_radius(), c.top_radius());
                let radii = [c.bottom_radius() - radius, c.top_radius() - radius];
                let half = 0.5 * c.length();
                let core =
                    if radii == [0.0; 2] { Core::Segment { half } } else { Core::TwoBalls { radii, half } };
                Self { core, radius }
            }
        }
    }
}

impl<'a> Solid<'a> {
    /// Number of edges if the solid is a polytope: with sharp edges.
    pub(super) fn sharp_edge_count(&self) -> Option<usize> {
        self.core.edge_count().filter(|_| self.radius == 0.0)
    }

    /// Without rounding.
    pub(super) const fn sharp(core: Core<'a>) -> Self {
        Self { core, radius: 0.0 }
    }
}

impl Core<'_> {
    /// Order of the kinds in a pair, so that (A, B) and (B, A) are one computation.
    pub(super) fn rank(&self) -> u8 {
        match self {
            Core::Triangle(_) => 0,
            Core::Cuboid { .. } => 1,
            Core::Hull(_) => 2,
            Core::Cylinder { .. } => 3,
            Core::Cone { .. } => 4,
            Core::Ellipsoid(_) => 5,
            Core::TwoBalls { .. } => 6,
            Core::Segment { .. } => 7,
            Core::Point => 8,
        }
    }

    /// Half the longest extent, roughly: the length to which tolerances are relative.
    pub(super) fn size(&self) -> f64 {
        match self {
            Core::Point => 0.0,
            Core::Segment { half } => *half,
            Core::Cuboid { half } => half.max_element(),
            Core::Cylinder { radius, half } | Core::Cone { radius, half } => scalar::max(*radius, *half),
            Core::Ellipsoid(ellipsoid) => ellipsoid.radii().max_element(),
            Core::TwoBalls { radii, half } => scalar::max(*half, scalar::max(radii[0], radii[1])),
            Core::Hull(hull) => {
                let bounds = hull.local_bounding_box();
                0.5 * bounds.size().max_element()
            }
            Core::Triangle([a, b, c]) => (*b - *a).abs().max((*c - *a).abs()).max_element(),
        }
    }

    /// True if the core has no numbered vertices but a curved surface.
    pub(super) fn is_curved(&self) -> bool {
        matches!(self, Core::Cylinder { .. } | Core::Cone { .. } | Core::Ellipsoid(_) | Core::TwoBalls { .. })
    }

    /// Number of edges if the core is a polytope with volume.
    pub(super) fn edge_count(&self) -> Option<usize> {
        match self {
            Core::Cuboid { .. } => Some(12),
            Core::Hull(hull) => Some(hull.edges().len()),
            _ => None,
        }
    }
}

/// Corner of a box by number: bit k set means the positive side of axis k.
pub(super) fn corner(half: Vec3, number: u32) -> Vec3 {
    let pick = |bit: u32, h: f64| if number & bit != 0 { h } else { -h };
    Vec3::new(pick(1, half.x), pick(2, half.y), pick(4, half.z))
}

fn corner_along(direction: Vec3) -> u32 {
    u32::from(direction.x >= 0.0) | u32::from(direction.y >= 0.0) << 1 | u32::from(direction.z >= 0.0) << 2
}

/// Unit vector of the x and y components; zero along z.
pub(super) fn radial(direction: Vec3) -> Vec3 {
    let length = (direction.x * direction.x + direction.y * direction.y).sqrt();
    if length > 0.0 { Vec3::new(direction.x / length, direction.y / length, 0.0) } else { Vec3::ZERO }
}

/// The point of the hull of two balls farthest along a direction.
fn two_balls_along([bottom, top]: [f64; 2], half: f64, direction: Vec3) -> Vec3 {
    let length = direction.length();
    let (z, radius) =
        if direction.z * 2.0 * half >= (bottom - top) * length { (half, top) } else { (-half, bottom) };
    Vec3::Z * z + if length > 0.0 { direction * (radius / length) } else { Vec3::ZERO }
}

/// True if a point of the surface of two balls, one of them a point, is that point and not on the other.
///
/// The two touch their common straight line its whole length apart.
pub(super) fn is_tip(radii: [f64; 2], half: f64, point: Coordinate) -> bool {
    let (tip, line) =
        (if radii[0] < radii[1] { -half } else { half }, slant_normal(radii[0], radii[1], half).0 * half);
    (point - Vec3::Z * tip).length_squared() < line * line
}

fn triangle_corner_along(corners: &[Coordinate; 3], direction: Vec3) -> u32 {
    let from = corners[0];
    let (b, c) = (direction.dot(corners[1] - from), direction.dot(corners[2] - from));
    if b > 0.0 && b >= c {
        1
    } else if c > 0.0 {
        2
    } else {
        0
    }
}

/// Nearest point of a surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnSurface {
    pub point: Coordinate,
    /// Unit, outward.
    pub normal: Vec3,
    /// Negative inside.
    pub distance: f64,
}

/// A box by its half lengths: inner loops are monomorphized for it, without dispatch on the kind of shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoxCore(pub Vec3);

impl SupportFunction for BoxCore {
    #[inline]
    fn support(&self, direction: Vec3) -> Coordinate {
        corner(self.0, corner_along(direction))
    }

    #[inline]
    fn support_vertex(&self, direction: Vec3, _hint: u32) -> (Coordinate, u32) {
        let number = corner_along(direction);
        (corner(self.0, number), number)
    }

    #[inline]
    fn vertex(&self, number: u32) -> Option<Coordinate> {
        Some(corner(self.0, number))
    }
}

/// A cylinder, for the same reason.
#[derive(Clone, Copy, Debug)]
pub(super) struct CylinderCore {
    pub radius: f64,
    pub half: f64,
}

impl SupportFunction for CylinderCore {
    #[inline]
    fn support(&self, direction: Vec3) -> Coordinate {
        let z = if direction.z < 0.0 { -self.half } else { self.half };
        radial(direction) * self.radius + Vec3::Z * z
    }
}

/// A hull, for the same reason.
#[derive(Clone, Copy, Debug)]
pub(super) struct HullCore<'a>(pub &'a ConvexHull);

impl SupportFunction for HullCore<'_> {
    fn support(&self, direction: Vec3) -> Coordinate {
        self.support_vertex(direction, NO_VERTEX).0
    }

    #[inline]
    fn support_vertex(&self, direction: Vec3, hint: u32) -> (Coordinate, u32) {
        let number = self.0.support_from(hint, direction);
        (self.0.vertices()[number as usize], number)
    }

    fn vertex(&self, number: u32) -> Option<Coordinate> {
        self.0.vertices().get(number as usize).copied()
    }
}

impl SupportFunction for Core<'_> {
    fn support(&self, direction: Vec3) -> Coordinate {
        self.support_vertex(direction, NO_VERTEX).0
    }

    #[inline]
    fn support_vertex(&self, direction: Vec3, hint: u32) -> (Coordinate, u32) {
        match self {
            Core::Point => (Vec3::ZERO, 0),
            Core::Segment { half } => {
                if direction.z < 0.0 {
                    (Vec3::Z * -*half, 0)
                } else {
                    (Vec3::Z * *half, 1)
                }
            }
            Core::Cuboid { half } => BoxCore(*half).support_vertex(direction, hint),
            Core::Cylinder { radius, half } => {
                (CylinderCore { radius: *radius, half: *half }.support(direction), NO_VERTEX)
            }
            Core::Cone { radius, half } => {
                let outward = radial(direction);
                let rim = outward * *radius - Vec3::Z * *half;
                let apex_is_farther = direction.z * 2.0 * *half >= direction.dot(outward) * *radius;
                (if apex_is_farther { Vec3::Z * *half } else { rim }, NO_VERTEX)
            }
            Core::Ellipsoid(ellipsoid) => (Convex::support(*ellipsoid, direction), NO_VERTEX),
            Core::TwoBalls { radii, half } => (two_balls_along(*radii, *half, direction), NO_VERTEX),
            Core::Hull(hull) => HullCore(hull).support_vertex(direction, hint),
            Core::Triangle(corners) => {
                let number = triangle_corner_along(corners, direction);
                (corners[number as usize], number)
            }
        }
    }

    fn vertex(&self, number: u32) -> Option<Coordinate> {
        match self {
            Core::Point => Some(Vec3::ZERO),
            Core::Segment { half } => Some(if number == 0 { Vec3::Z * -*half } else { Vec3::Z * *half }),
            Core::Cuboid { half } => Some(corner(*half, number)),
            Core::Cylinder { .. } | Core::Cone { .. } | Core::Ellipsoid(_) | Core::TwoBalls { .. } => None,
            Core::Hull(hull) => HullCore(hull).vertex(number),
            Core::Triangle(corners) => corners.get(number as usize).copied(),
        }
    }
}
