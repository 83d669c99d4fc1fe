//! `ConvexHull`: the smallest convex solid around a cloud of points.
//!
//! # Guarantees
//! - The vertices are points of the input, bit for bit, and they are the corners of an exactly convex
//!   polyhedron: the decisions behind it are made by exact predicates, not with a tolerance.
//! - No input point is farther outside than [`resolution`](ConvexHull::resolution), by default
//!   [`HULL_RESOLUTION`](tolerance::HULL_RESOLUTION) times the largest absolute coordinate: the rounding
//!   error of a rotation and a translation of the coordinates.
//! - Faces are polygons. Triangles are one face if their vertices are within the resolution of one plane; the
//!   plane of a face touches the hull from outside, with every vertex of the hull on it or below it to
//!   round-off.
//! - Every vertex has three edges at least, and `V - E + F = 2`.
//! - The hull depends on the set of points only: order and duplicates do not change a bit of it.
//!
//! # Flatness
//! Points are collinear or coplanar, and refused, if they are within a quarter of the resolution of one line
//! or plane. A square plate of 1 m with a thickness of 1e-9 m is a body; a rotated rectangle that rounding
//! has bent by 1e-16 m is not. Far from the origin the coordinates themselves are coarser, and so is the
//! test: at 1e6 m their spacing is 1e-10 m, and a plate must be thicker than about 4e-9 m to have volume.
//!
//! # Algorithm
//! Quickhull (Barber, Dobkin, Huhdanpaa, *The Quickhull Algorithm for Convex Hulls*, ACM TOMS 22(4), 1996) in
//! `quickhull.rs`, with these departures. Visibility is exact (Shewchuk's `orient3d` behind a floating-point
//! filter per triangle), so no facet is ever merged during construction to hide rounding. Near-coplanar
//! facets are merged afterwards, in `merging.rs`; vertices that are then no corner of the solid, such as
//! lattice points on the face of a rotated cube, are left out and the hull is rebuilt, as long as they stay
//! within the resolution.
//!
//! The price of exactness: where thousands of points lie in one plane but for rounding (the caps of a rotated
//! cylinder of `n` points a rim), an eye sees of the order of `n` triangles that differ by rounding, and the
//! time grows as `n²`.
//!
//! Local frame, metres, outward unit normals, counter-clockwise loops seen from outside.

mod closest;
mod merging;
mod plane;
mod queries;
mod quickhull;
mod simplex;
mod support;
mod tables;
mod topology;
mod triangles;
mod validation;

use serde::{Deserialize, Serialize};

use self::merging::{Outline, Patches, has_flat_edge};
use self::quickhull::Quickhull;
use self::simplex::{Degeneracy, largest_coordinate, lexicographic};
use self::tables::Tables;
pub use self::triangles::HullTriangle;
pub use self::validation::HullDefect;
use super::{Aabb, GeometryError};
use crate::digest::{Fingerprint, parameters};
use crate::math::{Coordinate, Vec3, scalar};
use crate::tolerance;

/// A face: a convex polygon and its plane, `normal·x = offset`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Face {
    /// Its first half-edge; the others follow it in the array, counter-clockwise seen from outside.
    pub first_edge: u32,
    /// How many half-edges (and vertices) it has.
    pub edge_count: u32,
    /// Unit, outward.
    pub normal: Vec3,
    /// Distance of the plane from the local origin along the normal, m. The origin of the first half-edge is on the
    /// plane to round-off; distances far from the local origin are best measured from there.
    pub offset: f64,
}

impl Fingerprint for Face {
    parameters!("face": first_edge, edge_count, normal, offset);
}

/// One side of an edge: it runs from `origin` to the origin of `next`, with its face on the left seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HalfEdge {
    /// Vertex where it starts.
    pub origin: u32,
    /// The half-edge of the neighbouring face that runs the other way.
    pub twin: u32,
    /// The half-edge that follows in the same face.
    pub next: u32,
    /// The face it belongs to.
    pub face: u32,
}

impl Fingerprint for HalfEdge {
    parameters!("half-edge": origin, twin, next, face);
}

/// A convex polyhedron; see the [module](self) for what is guaranteed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "validation::Unchecked")]
pub struct ConvexHull {
    vertices: Vec<Coordinate>,
    faces: Vec<Face>,
    half_edges: Vec<HalfEdge>,
    #[serde(skip_serializing)]
    edges: Vec<u32>,
    neighbour_starts: Vec<u32>,
    neighbours: Vec<u32>,
    #[serde(skip_serializing)]
    bounds: Aabb,
    #[serde(skip_serializing)]
    tables: Tables,
    resolution: f64,
}

impl Fingerprint for ConvexHull {
    parameters!("hull": vertices, faces, half_edges, resolution; edges, neighbour_starts, neighbours, bounds, tables);
}

impl ConvexHull {
    /// The hull of a cloud of points in any order, with duplicates and interior points.
    ///
    /// # Errors
    /// If there are fewer than four distinct points, if all are on one line or in one plane (to the resolution, see
    /// the [module](self)), or if a coordinate is not finite, so large that differences would not be, or
    /// all are so small that they would vanish. Beyond 1e60 m and below 1e-60 m also if the faces found are not those of a valid
    /// polyhedron.
    pub fn from_points(points: &[Coordinate]) -> Result<Self, GeometryError> {
        Self::from_points_within(points, 0.0)
    }

    /// The same with a coarser resolution, in m: points up to `resolution` outside may be left out, and faces flat to
    /// within it are one. For clouds whose coordinates are rounder than f64, such as meshes stored in f32.
    ///
    /// # Errors
    /// As [`ConvexHull::from_points`]; also if `resolution` is negative or not finite.
    pub fn from_points_within(points: &[Coordinate], resolution: f64) -> Result<Self, GeometryError> {
        let hull = on_safe_coordinates(points, resolution, build)?;
        // Near the ends of the range of numbers heights and normals may leave it.
        let ordinary =
            hull.bounds.size().max_element() >= UNSCALED[0] && largest_coordinate(points) <= UNSCALED[1];
        if !ordinary {
            hull.validate().map_err(|defect| GeometryError::NoValidHull(defect.to_string()))?;
        }
        debug_assert!(hull.vertices.len() > VALIDATED_IN_DEBUG || hull.validate().is_ok());
        Ok(hull)
    }

    /// Corners and triangles of the hull alone, counter-clockwise seen from outside: what a picture or a volume needs,
    /// without merged faces and adjacency, sooner. Corners are in lexicographic order; the
    /// triangles of a flat face are any that fill it.
    ///
    /// # Errors
    /// As [`ConvexHull::from_points`].
    pub fn triangulation(points: &[Coordinate]) -> Result<(Vec<Coordinate>, Vec<[u32; 3]>), GeometryError> {
        on_safe_coordinates(points, 0.0, |points, originals, working_resolution, _| {
            let extent = Aabb::from_points(points.iter().copied()).size();
            let hull = Quickhull::of(points, 0..points.len() as u32, extent, 0.25 * working_resolution)
                .map_err(|flat| degenerate(originals, flat))?;
            Ok(topology::triangles(hull, originals))
        })
    }

    /// The hull of a triangle mesh: of those of its vertices that a triangle names.
    ///
    /// # Errors
    /// If the mesh has no triangle or one names a vertex that does not exist, else as [`ConvexHull::from_points`].
    pub fn from_mesh(vertices: &[Coordinate], triangles: &[[u32; 3]]) -> Result<Self, GeometryError> {
        if triangles.is_empty() {
            return Err(GeometryError::NoTriangles);
        }
        let mut named = vec![false; vertices.len()];
        for (triangle, corners) in triangles.iter().enumerate() {
            for &vertex in corners {
                *named.get_mut(vertex as usize).ok_or(GeometryError::IndexOutOfRange {
                    triangle,
                    vertex,
                    vertices: vertices.len(),
                })? = true;
            }
        }
        let points: Vec<Vec3> = vertices.iter().zip(named).filter(|(_, n)| *n).map(|(p, _)| *p).collect();
        Self::from_points(&points)
    }

    /// The corners, in lexicographic order of their coordinates.
    #[must_use]
    pub fn vertices(&self) -> &[Coordinate] {
        &self.vertices
    }

    /// The faces, in order of their first two vertices.
    #[must_use]
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// The half-edges, those of a face together and in order.
    #[must_use]
    pub fn half_edges(&self) -> &[HalfEdge] {
        &self.half_edges
    }

    /// Every edge once, as the smaller of its two half-edge indices, ascending.
    #[must_use]
    pub fn edges(&self) -> &[u32] {
        &self.edges
    }

    /// The half-edges of one face, counter-clockwise seen from outside.
    #[must_use]
    pub fn face_edges(&self, face: &Face) -> &[HalfEdge] {
        &self.half_edges[face.first_edge as usize..(face.first_edge + face.edge_count) as usize]
    }

    /// The corners of one face, counter-clockwise seen from outside.
    pub fn face_vertices(&self, face: &Face) -> impl ExactSizeIterator<Item = Coordinate> + '_ {
        self.face_edges(face).iter().map(|edge| self.vertices[edge.origin as usize])
    }

    /// Vertex where a half-edge ends.
    #[must_use]
    pub fn destination(&self, half_edge: u32) -> u32 {
        self.half_edges[self.half_edges[half_edge as usize].next as usize].origin
    }

    /// The vertices joined to `vertex` by an edge of the exact triangulated hull. These are the ends of
    /// its edges and of those diagonals of its faces that the triangulation has: along them a vertex that is not the
    /// highest in some direction always has a higher neighbour, which merged faces, flat to the resolution only,
    /// could not promise.
    #[must_use]
    pub fn neighbours(&self, vertex: u32) -> &[u32] {
        let starts = &self.neighbour_starts[vertex as usize..];
        &self.neighbours[starts[0] as usize..starts[1] as usize]
    }

    /// How far outside the hull an input point may be, and how far below its plane a corner of a face, m. Also how
    /// close to the surface a point outside still counts as contained.
    #[must_use]
    pub fn resolution(&self) -> f64 {
        self.resolution
    }

    /// The smallest axis-aligned box, local frame.
    #[must_use]
    pub fn local_bounding_box(&self) -> Aabb {
        self.bounds
    }

    fn from_parts(
        vertices: Vec<Coordinate>,
        faces: Vec<Face>,
        half_edges: Vec<HalfEdge>,
        neighbour_starts: Vec<u32>,
        neighbours: Vec<u32>,
        resolution: f64,
    ) -> Self {
        let mut edges = Vec::with_capacity(half_edges.len() / 2);
        edges.extend((0_u32..).zip(&half_edges).filter(|(h, edge)| *h < edge.twin).map(|(h, _)| h));
        let bounds = Aabb::from_points(vertices.iter().copied());
        let tables = Tables::default();
        Self { vertices, faces, half_edges, edges, neighbour_starts, neighbours, bounds, tables, resolution }
    }
}

/// Largest hull whose invariants, vertices times faces, are checked on construction in debug builds.
const VALIDATED_IN_DEBUG: usize = 256;

/// Largest coordinate of a hull, m: the height of one corner over a face of another is then still a finite number.
const LARGEST: f64 = f64::MAX / 4.0;

/// Smallest largest coordinate of a hull, m: resolution, heights and differences of its corners are then still normal numbers.
const SMALLEST: f64 = 1e-250;

/// How often the hull is rebuilt without redundant vertices. Every build leaves points out by a quarter of the
/// resolution at most, so that four builds stay within it.
const REBUILDS: usize = 3;

/// Checks a cloud and hands it to `build`, scaled if its coordinates need it: scaled points, original ones, and the
/// resolution for each.
fn on_safe_coordinates<T>(
    points: &[Vec3],
    resolution: f64,
    build: impl FnOnce(&[Vec3], &[Vec3], f64, f64) -> Result<T, GeometryError>,
) -> Result<T, GeometryError> {
    if !(resolution >= 0.0 && resolution.is_finite()) {
        let (shape, field) = ("convex hull", "resolution");
        return Err(GeometryError::Length { shape, field, value: resolution });
    }
    if points.is_empty() {
        return Err(GeometryError::NoPoints);
    }
    if let Some(index) = points.iter().position(|p| !p.is_finite()) {
        return Err(GeometryError::NotFinite { index, point: points[index] });
    }
    let largest = largest_coordinate(points);
    if largest > LARGEST {
        return Err(GeometryError::TooFar { value: largest, limit: LARGEST });
    }
    if largest < SMALLEST && largest > 0.0 {
        return Err(GeometryError::TooSmall { value: largest, limit: SMALLEST });
    }
    let resolution = scalar::max(resolution, tolerance::HULL_RESOLUTION * largest);
    match exponent_shift(points, largest) {
        None => build(points, points, resolution, resolution),
        Some(factor) => {
            // Points that differ only by digits lost in scaling are distinguished by their order: make it
            // canonical.
            let mut points = points.to_vec();
            points.sort_unstable_by(|a, b| lexicographic(*a, *b));
            let scaled: Vec<Vec3> = points.iter().map(|p| rescaled(*p, factor)).collect();
            build(&scaled, &points, resolution * factor, resolution)
        }
    }
}

/// The hull of `points`, whose vertices get their coordinates from `originals`.
fn build(
    points: &[Vec3],
    originals: &[Vec3],
    working_resolution: f64,
    resolution: f64,
) -> Result<ConvexHull, GeometryError> {
    let bounds = Aabb::from_points(points.iter().copied());
    let extent = bounds.size();
    let quarter = 0.25 * working_resolution;
    let all = 0..points.len() as u32;
    let mut hull = Quickhull::of(points, all, extent, quarter).map_err(|flat| degenerate(originals, flat))?;
    if !has_flat_edge(&hull, points) {
        let outline = Outline::triangles(&hull);
        return Ok(topology::assemble(hull, &outline, originals, resolution));
    }
    let mut patches = Patches::grow(&hull, points, working_resolution);
    for _ in 0..REBUILDS {
        let (corners, redundant) = patches.corners_and_redundant(&hull, points.len());
        if redundant.is_empty() {
            break;
        }
        let Ok(mut rebuilt) = Quickhull::of(points, corners.iter().copied(), extent, quarter) else {
            break;
        };
        rebuilt.add_points(redundant.iter().copied());
        hull = rebuilt;
        patches = Patches::grow(&hull, points, working_resolution);
    }
    let outline = patches.outline(&hull, points, working_resolution);
    Ok(topology::assemble(hull, &outline, originals, resolution))
}

/// The error for a cloud without volume.
fn degenerate(points: &[Vec3], flat: Degeneracy) -> GeometryError {
    let mut sorted = points.to_vec();
    sorted.sort_unstable_by(|a, b| lexicographic(*a, *b));
    sorted.dedup();
    match flat {
        _ if sorted.len() < 4 => GeometryError::TooFewPoints { given: points.len(), distinct: sorted.len() },
        Degeneracy::Collinear => GeometryError::Collinear(points.len()),
        Degeneracy::Coplanar => GeometryError::Coplanar(points.len()),
    }
}

/// Coordinates between these need no scaling: their products of three, and the errors of those, neither overflow nor
/// underflow, without which the exact predicates would not be exact.
const UNSCALED: [f64; 2] = [1e-60, 1e60];

/// The power of two that brings the largest coordinate near one, if any coordinate needs it.
fn exponent_shift(points: &[Vec3], largest: f64) -> Option<f64> {
    let [low, high] = UNSCALED;
    let fits = |c: f64| c == 0.0 || c.abs() >= low;
    if largest <= high && points.iter().all(|p| fits(p.x) && fits(p.y) && fits(p.z)) {
        return None;
    }
    if largest == 0.0 {
        return None;
    }
    // The exponent of the largest coordinate, from its bits; a subnormal one is lifted as far as a factor can.
    let exponent = (largest.to_bits() >> 52) as i64 - 1023;
    let shift = (-exponent).clamp(-1022, 1023);
    Some(f64::from_bits(((shift + 1023) as u64) << 52))
}

/// Scaled; coordinates negligible compared with the largest (near one) become zero.
fn rescaled(p: Vec3, factor: f64) -> Vec3 {
    let scaled = |c: f64| if (c * factor).abs() < UNSCALED[0] { 0.0 } else { c * factor };
    Vec3::new(scaled(p.x), scaled(p.y), scaled(p.z))
}
