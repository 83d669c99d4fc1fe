//! The interface of all shapes.

use thiserror::Error;

use super::{Aabb, Ray, RayHit};
use crate::math::{Coordinate, ReferenceFrame, Vec3};
use crate::tolerance;

/// Geometric queries of any shape, in its local frame unless a pose is given.
pub trait Geometry {
    /// The smallest axis-aligned box around the shape placed at `frame`, in the frame's parent.
    fn bounding_box(&self, frame: &ReferenceFrame) -> Aabb;

    /// Signed distance to the surface, m: negative inside. For an open triangle mesh, which has no inside, the
    /// unsigned distance.
    fn signed_distance(&self, point: Coordinate) -> f64;

    /// True if the point is inside or on the surface.
    fn contains(&self, point: Coordinate) -> bool {
        self.signed_distance(point) <= 0.0
    }

    /// The first hit of the ray within `max_distance` metres.
    fn cast_ray(&self, ray: &Ray, max_distance: f64) -> Option<RayHit>;

    /// m³; infinite for a half-space.
    fn volume(&self) -> f64;

    /// m²; infinite for a half-space.
    fn surface_area(&self) -> f64;

    /// Centre of the volume, local frame; `None` where there is none (half-space, open mesh).
    fn centroid(&self) -> Option<Coordinate>;
}

/// A bounded convex shape: GJK and EPA use only its support function.
pub trait Convex: Geometry {
    /// A point of the shape farthest along `direction` (any length but zero), local frame.
    fn support(&self, direction: Vec3) -> Coordinate;
}

/// Why a shape could not be made.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum GeometryError {
    /// A length, radius or size is not positive and finite.
    #[error("{shape}: {field} must be positive and finite, got {value} m")]
    Length {
        /// Which shape.
        shape: &'static str,
        /// Which length.
        field: &'static str,
        /// The value given.
        value: f64,
    },
    /// One ball of a tapered capsule contains the other.
    #[error(
        "tapered capsule: a length of {length} m puts one ball inside the other; with radii of {bottom_radius} m and \
         {top_radius} m it must be more than {} m, or use a sphere",
        (bottom_radius - top_radius).abs()
    )]
    BallInBall {
        /// m.
        bottom_radius: f64,
        /// m.
        top_radius: f64,
        /// Distance of the centres, m.
        length: f64,
    },
    /// Heights that fill no grid.
    #[error("height field: {heights} heights in rows of {columns} make no grid of at least 2 by 2")]
    HeightField {
        /// Heights in a row.
        columns: usize,
        /// Heights given.
        heights: usize,
    },
    /// A direction is zero or not finite.
    #[error("{shape}: {field} must be a direction that is not zero, got {value:?}")]
    Direction {
        /// Which shape.
        shape: &'static str,
        /// Which direction.
        field: &'static str,
        /// The value given.
        value: Vec3,
    },
    /// No points at all.
    #[error("a hull needs at least 4 points, got none")]
    NoPoints,
    /// Fewer than four distinct points.
    #[error("a hull needs at least 4 distinct points, got {distinct} (of {given} given)")]
    TooFewPoints {
        /// Points given.
        given: usize,
        /// Distinct ones among them.
        distinct: usize,
    },
    /// All points on one line.
    #[error("the {0} points lie on one line: their hull has no volume")]
    Collinear(usize),
    /// All points in one plane.
    #[error("the {0} points lie in one plane: their hull has no volume")]
    Coplanar(usize),
    /// A coordinate is NaN or infinite.
    #[error("point {index} is not finite: {point:?}")]
    NotFinite {
        /// Index of the point.
        index: usize,
        /// The point.
        point: Vec3,
    },
    /// A coordinate so large that distances between points overflow.
    #[error("a coordinate of {value:e} m is too large for a hull, at most {limit:e} m is allowed")]
    TooFar {
        /// The largest coordinate.
        value: f64,
        /// The limit.
        limit: f64,
    },
    /// Points near the ends of the range of numbers, whose hull cannot be represented.
    #[error(
        "the hull of these points is no valid polyhedron in double precision: {0}; choose another unit of length"
    )]
    NoValidHull(String),
    /// Coordinates so small that differences between points vanish.
    #[error("the largest coordinate of a hull is {value:e} m, it must be at least {limit:e} m")]
    TooSmall {
        /// The largest coordinate.
        value: f64,
        /// The limit.
        limit: f64,
    },
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} names vertex {vertex}, but there are only {vertices}")]
    IndexOutOfRange {
        /// Index of the triangle.
        triangle: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A mesh without triangles.
    #[error("a triangle mesh needs at least one triangle")]
    NoTriangles,
    /// A mesh whose volume was requested is not closed or not consistently oriented.
    #[error(
        "the mesh is not a closed surface: edge ({0}, {1}) is not shared by exactly two opposite triangles"
    )]
    NotClosed(u32, u32),
    /// A compound without parts.
    #[error("a compound needs at least one part")]
    NoParts,
    /// A compound part that cannot be one (half-space, mesh).
    #[error("part {index} of a compound cannot be a {shape}")]
    Part {
        /// Index of the part.
        index: usize,
        /// Kind of the shape.
        shape: &'static str,
    },
    /// A rounded shape of something else than a box, a cylinder or a hull.
    #[error("a rounded shape is made of a box, a cylinder or a hull, not of a {0}")]
    RoundedCore(&'static str),
    /// A compound part is placed at a frame that is not finite or whose quaternion is not unit.
    #[error("part {index} of a compound: its frame must be finite with a unit quaternion, got {frame:?}")]
    PartFrame {
        /// Index of the part.
        index: usize,
        /// Where it was to be.
        frame: ReferenceFrame,
    },
    /// The offset of a plane is NaN or infinite.
    #[error("{shape}: {field} must be finite, got {value} m")]
    Offset {
        /// Which shape.
        shape: &'static str,
        /// Which offset.
        field: &'static str,
        /// The value given.
        value: f64,
    },
    /// A triangle without area.
    #[error("triangle {triangle} has no area: its corners are {corners:?}; leave it out or move a corner")]
    FlatTriangle {
        /// Index of the triangle.
        triangle: usize,
        /// Its corners.
        corners: [Vec3; 3],
    },
}

/// `value` if it is a length a shape can have.
pub(super) fn positive_length(
    shape: &'static str,
    field: &'static str,
    value: f64,
) -> Result<f64, GeometryError> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(GeometryError::Length { shape, field, value })
    }
}

/// True if a point at this signed distance is inside or on the surface of a shape of this extent (its largest
/// length), to within [`tolerance::ON_SURFACE`].
pub(super) fn inside_or_on(signed_distance: f64, extent: f64) -> bool {
    signed_distance <= tolerance::ON_SURFACE * extent
}
