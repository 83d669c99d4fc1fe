//! Approximate convex decomposition: a closed mesh as convex hulls that touch and do not overlap.
//!
//! The solid is cut by planes across the axes of the mesh. After every cut the piece whose hull has the most volume that
//! is not of the solid (its concavity) is cut next, by the plane of the candidates that leaves least hull volume in the
//! two halves. It ends when all hulls together exceed the solid by no more than the error asked for, or when there are as
//! many parts as allowed.
//!
//! The region of a piece is a box, and boxes of different pieces share no volume. A convex hull stays within a convex
//! region that contains its points, so hulls share no volume either: the volume of their union is the sum of theirs, and
//! the error `(Σ V_hull - V) / V` is that of the union exactly. Every point of the solid is in a hull.
//!
//! Cuts are exact: triangles are clipped at the plane, with equal bits on both sides of an edge. The cut surface of a
//! solid is kept as signed triangles from one point of the plane to the segments in which the plane cuts the surface
//! (Green's theorem); they may leave the solid and cancel out there, so that volumes are exact by the divergence theorem
//! without any triangulation of holes. They give no points to hulls. A corner of the box inside the solid does: it is in
//! the solid if the surface seen from it fills more than half of all directions (winding number, by solid angles).
//!
//! Candidates are planes through the ends of edges at which the surface bends inwards, where cuts of machined parts lie,
//! and planes at equal distances. Recursive cuts by a measure of concavity: J.-M. Lien, N. M. Amato, "Approximate convex
//! decomposition of polyhedra and its applications", Comput. Aided Geom. Des. 25, 2008; volume as the measure: K. Mamou,
//! F. Ghorbel, "A simple and efficient approach for 3D mesh approximate convex decomposition", ICIP 2009. Nothing is
//! drawn at random: the same mesh gives the same bits.

use std::collections::BTreeMap;

use msd::math::{Coordinate, Vec3, scalar};
use msd::physics::rigid_body::shape::{Aabb, ConvexHull, Geometry};
use thiserror::Error;

use crate::Mesh;

/// Candidate planes across each axis through inward edges, and as many at equal distances. tuned: an odd number, so that one is in the
/// middle; the time grows with it.
const CANDIDATES: usize = 11;

/// The same for meshes with more triangles than [`MANY_TRIANGLES`].
const FEW_CANDIDATES: usize = 5;
const MANY_TRIANGLES: usize = 5_000;

/// Volume of a piece, relative to the mesh, below which it is left out: round-off of cuts along faces.
const NO_VOLUME: f64 = 1e-12;

/// Concavity, relative to the volume of the mesh, that is round-off of a convex piece.
const CONVEX: f64 = 1e-9;

/// Difference of hull volumes, relative to the piece, below which two cuts are equally good. tuned: well above round-off, well below
/// any error that is asked for.
const EQUAL_CUTS: f64 = 1e-6;

/// Sine of the angle by which a surface bends inwards at an edge that gives candidates.
const BENDS_INWARDS: f64 = 0.05;

/// When a decomposition is good enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecompositionLimits {
    /// Volume of the hulls beyond that of the mesh, relative to it.
    pub error: f64,
    /// Most hulls.
    pub max_parts: usize,
}

impl Default for DecompositionLimits {
    fn default() -> Self {
        Self { error: 0.05, max_parts: 32 }
    }
}

/// Why a mesh has no decomposition.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum DecompositionError {
    /// The surface has holes or edges of three triangles.
    #[error("the mesh is not closed: only a closed surface has a volume to decompose")]
    NotClosed,
    /// Inside out, or flat.
    #[error("the volume of the mesh is {0} m³: triangles must wind counter-clockwise seen from outside")]
    NoVolume(f64),
    /// A limit that is no number of its kind.
    #[error("{field} of a decomposition must be {expected}, got {value}")]
    Limit {
        /// Which.
        field: &'static str,
        /// The accepted values.
        expected: &'static str,
        /// The value given.
        value: f64,
    },
    /// The parts allowed do not get as near as asked.
    #[error(
        "{parts} parts exceed the mesh by {:.3} % of its volume, more than {:.3} %; allow more parts or a larger error",
        100.0 * error,
        100.0 * wanted
    )]
    NotReached {
        /// Hulls there are.
        parts: usize,
        /// Error with them.
        error: f64,
        /// Error asked for.
        wanted: f64,
    },
}

/// Convex hulls that cover a mesh.
#[derive(Clone, Debug)]
pub struct Decomposition {
    /// From least to greatest coordinates of their boxes; no two share volume.
    pub parts: Vec<ConvexHull>,
    /// Of the mesh, m³.
    pub mesh_volume: f64,
    wanted: f64,
}

impl Decomposition {
    /// Of the union of the hulls, m³.
    #[must_use]
    pub fn volume(&self) -> f64 {
        self.parts.iter().map(Geometry::volume).sum()
    }

    /// By how much the union exceeds the mesh, relative to the volume of the mesh.
    #[must_use]
    pub fn error(&self) -> f64 {
        self.volume() / self.mesh_volume - 1.0
    }

    /// The same if the error is not more than was asked for.
    ///
    /// # Errors
    /// [`DecompositionError::NotReached`].
    pub fn within_limits(self) -> Result<Self, DecompositionError> {
        if self.error() <= self.wanted {
            return Ok(self);
        }
        let (parts, error, wanted) = (self.parts.len(), self.error(), self.wanted);
        Err(DecompositionError::NotReached { parts, error, wanted })
    }
}

/// The hulls of a closed mesh. If the limits allow too few parts the error is larger than asked for:
/// [`Decomposition::within_limits`] refuses that.
///
/// # Errors
/// A mesh that is not closed or has no volume, or limits out of range.
pub fn decompose(mesh: &Mesh, limits: &DecompositionLimits) -> Result<Decomposition, DecompositionError> {
    if !(limits.error >= 0.0 && limits.error.is_finite()) {
        let (field, expected) = ("error", "finite and at least 0");
        return Err(DecompositionError::Limit { field, expected, value: limits.error });
    }
    if limits.max_parts == 0 {
        return Err(DecompositionError::Limit { field: "max_parts", expected: "at least 1", value: 0.0 });
    }
    if !mesh.is_closed() {
        return Err(DecompositionError::NotClosed);
    }
    let mesh_volume = mesh.volume();
    if !(mesh_volume > 0.0 && mesh_volume.is_finite()) {
        return Err(DecompositionError::NoVolume(mesh_volume));
    }
    let solid = Solid::new(mesh, mesh_volume);
    let Some(whole) = solid.whole() else { return Err(DecompositionError::NoVolume(mesh_volume)) };
    let mut pieces = vec![whole];
    let mut finished = Vec::new();
    while let Some(worst) = worst_of(&pieces, CONVEX * mesh_volume) {
        let hulls: f64 = pieces.iter().chain(&finished).map(Piece::hull_volume).sum();
        if hulls <= mesh_volume * (1.0 + limits.error) || pieces.len() + finished.len() >= limits.max_parts {
            break;
        }
        let piece = pieces.swap_remove(worst);
        match solid.best_cut(&piece) {
            Some(halves) => pieces.extend(halves),
            // Nothing that can be cut makes it more convex.
            None => finished.push(piece),
        }
    }
    pieces.append(&mut finished);
    pieces.sort_by(|p, q| {
        let corner = |piece: &Piece| piece.bounds.min.to_array();
        let (p, q) = (corner(p), corner(q));
        p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1])).then(p[2].total_cmp(&q[2]))
    });
    let parts = pieces.into_iter().map(|piece| piece.hull).collect();
    Ok(Decomposition { parts, mesh_volume, wanted: limits.error })
}

/// The piece with the largest concavity; `None` if there is none with more than `convex`, m³.
fn worst_of(pieces: &[Piece], convex: f64) -> Option<usize> {
    let concavity = |piece: &Piece| piece.hull_volume() - piece.volume;
    let mut worst: Option<(usize, f64)> = None;
    for (index, piece) in pieces.iter().enumerate() {
        let excess = concavity(piece);
        if excess > worst.map_or(convex, |(_, most)| most) {
            worst = Some((index, excess));
        }
    }
    worst.map(|(index, _)| index)
}

/// A triangle of the surface, or of a cut with its sign in its winding.
#[derive(Clone, Copy, Debug)]
struct Triangle {
    corners: [Coordinate; 3],
    is_cut: bool,
}

/// The part of the solid in a box.
#[derive(Debug)]
struct Piece {
    triangles: Vec<Triangle>,
    bounds: Aabb,
    /// For each axis, whether its least and greatest side are cuts.
    cut: [[bool; 2]; 3],
    hull: ConvexHull,
    volume: f64,
}

impl Piece {
    fn hull_volume(&self) -> f64 {
        self.hull.volume()
    }
}

/// The mesh and what all cuts need of it.
struct Solid {
    triangles: Vec<Triangle>,
    bounds: Aabb,
    volume: f64,
    /// Coordinates of inward edges along each axis, rising.
    inward: [Vec<f64>; 3],
    candidates: usize,
}

impl Solid {
    fn new(mesh: &Mesh, volume: f64) -> Self {
        let triangles: Vec<Triangle> = mesh
            .triangles()
            .iter()
            .map(|t| Triangle { corners: t.map(|v| mesh.vertices()[v as usize]), is_cut: false })
            .collect();
        let many = triangles.len() > MANY_TRIANGLES;
        let candidates = if many { FEW_CANDIDATES } else { CANDIDATES };
        Self { bounds: mesh.bounding_box(), volume, inward: inward_edges(mesh), triangles, candidates }
    }

    fn whole(&self) -> Option<Piece> {
        self.piece(self.triangles.clone(), self.bounds, [[false; 2]; 3])
    }

    /// A piece with its hull and volume; `None` if it is empty.
    fn piece(&self, triangles: Vec<Triangle>, bounds: Aabb, cut: [[bool; 2]; 3]) -> Option<Piece> {
        let origin = bounds.center();
        let volume = triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.corners.map(|corner| corner - origin);
                a.dot(b.cross(c))
            })
            .sum::<f64>()
            / 6.0;
        if volume <= NO_VOLUME * self.volume {
            return None;
        }
        let surface = triangles.iter().filter(|t| !t.is_cut);
        let mut points: Vec<Coordinate> = surface.flat_map(|t| t.corners).collect();
        points.extend(self.corners_inside(&bounds, &cut));
        let hull = ConvexHull::from_points(&points).ok()?;
        Some(Piece { triangles, bounds, cut, hull, volume })
    }

    /// Corners of a box where three cuts meet inside the solid.
    fn corners_inside(&self, bounds: &Aabb, cut: &[[bool; 2]; 3]) -> Vec<Coordinate> {
        let mut found = Vec::new();
        for number in 0..8_usize {
            let side = |axis: usize| number >> axis & 1;
            if (0..3).all(|axis| cut[axis][side(axis)]) {
                let at = |axis: usize| [bounds.min, bounds.max][side(axis)][axis];
                let corner = Vec3::new(at(0), at(1), at(2));
                if self.contains(corner) {
                    found.push(corner);
                }
            }
        }
        found
    }

    /// Winding number above one half; solid angle of a triangle: A. van Oosterom, J. Strackee, IEEE Trans. Biomed. Eng.
    /// 30, 1983.
    fn contains(&self, point: Coordinate) -> bool {
        let angle = |t: &Triangle| {
            let [a, b, c] = t.corners.map(|corner| corner - point);
            let (x, y, z) = (a.length(), b.length(), c.length());
            let below = x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y;
            2.0 * scalar::atan2(a.dot(b.cross(c)), below)
        };
        self.triangles.iter().map(angle).sum::<f64>() > 2.0 * std::f64::consts::PI
    }

    /// The two halves of the best of all candidate cuts: that which leaves least hull volume, and of equal ones the one whose halves are
    /// shortest. A ring has as much hull volume after its first cut as before; the next ones then make it less.
    fn best_cut(&self, piece: &Piece) -> Option<Vec<Piece>> {
        let equal = EQUAL_CUTS * piece.hull_volume();
        let mut best: Option<(f64, f64, Vec<Piece>)> = None;
        for axis in 0..3 {
            for height in self.heights(piece, axis) {
                let Some(halves) = self.cut(piece, axis, height) else { continue };
                let left: f64 = halves.iter().map(Piece::hull_volume).sum();
                let longest =
                    halves.iter().map(|half| half.hull.local_bounding_box().size().length_squared());
                let longest = longest.fold(0.0, scalar::max);
                let better = best.as_ref().is_none_or(|(least, length, _)| {
                    left < least - equal || (left < least + equal && longest < *length)
                });
                if better {
                    best = Some((left, longest, halves));
                }
            }
        }
        best.map(|(_, _, halves)| halves)
    }

    /// Where cuts across an axis are tried.
    fn heights(&self, piece: &Piece, axis: usize) -> Vec<f64> {
        let (low, high) = (piece.bounds.min[axis], piece.bounds.max[axis]);
        let thin = 1e-6 * (high - low);
        let inside: Vec<f64> =
            self.inward[axis].iter().copied().filter(|h| *h > low + thin && *h < high - thin).collect();
        let every = inside.len().div_ceil(self.candidates).max(1);
        let even =
            (1..=self.candidates).map(|k| low + (high - low) * k as f64 / (self.candidates + 1) as f64);
        inside.iter().copied().step_by(every).chain(even).collect()
    }

    /// Both halves; `None` if one has no hull or no volume.
    fn cut(&self, piece: &Piece, axis: usize, height: f64) -> Option<Vec<Piece>> {
        let (mut below, mut above) = (Vec::new(), Vec::new());
        let mut segments = Vec::new();
        for triangle in &piece.triangles {
            clip(triangle, axis, height, [&mut below, &mut above], &mut segments);
        }
        if let Some(&[middle, _]) = segments.first() {
            for [from, to] in segments {
                // As the surface below goes round the cut with the cut on its left, seen from above.
                above.push(Triangle { corners: [middle, from, to], is_cut: true });
                below.push(Triangle { corners: [middle, to, from], is_cut: true });
            }
        }
        let (mut low, mut high) = (piece.bounds, piece.bounds);
        low.max[axis] = height;
        high.min[axis] = height;
        let (mut cut_low, mut cut_high) = (piece.cut, piece.cut);
        cut_low[axis][1] = true;
        cut_high[axis][0] = true;
        Some(vec![self.piece(below, low, cut_low)?, self.piece(above, high, cut_high)?])
    }
}

/// Puts the parts of a triangle on their sides of a plane, and the segment in which it leaves the lower side.
///
/// A triangle in the plane bounds the side that its normal points away from. One that only touches the plane with an edge
/// gives that edge as a segment if it is below: the neighbour across the edge is above, or below as well and gives the same
/// edge the other way.
fn clip(
    triangle: &Triangle,
    axis: usize,
    height: f64,
    [below, above]: [&mut Vec<Triangle>; 2],
    segments: &mut Vec<[Coordinate; 2]>,
) {
    let corners = triangle.corners;
    let side = corners.map(|corner| corner[axis] - height);
    if side.iter().all(|s| *s == 0.0) {
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0])[axis];
        if normal > 0.0 {
            // The segments around it close the cut below.
            for k in 0..3 {
                segments.push([corners[k], corners[(k + 1) % 3]]);
            }
            below.push(*triangle);
        } else if normal < 0.0 {
            above.push(*triangle);
        }
        return;
    }
    let polygon = |keep: fn(f64) -> bool| {
        let mut points: Vec<Coordinate> = Vec::with_capacity(4);
        for k in 0..3 {
            let (p, q, sp, sq) = (corners[k], corners[(k + 1) % 3], side[k], side[(k + 1) % 3]);
            if keep(sp) || sp == 0.0 {
                points.push(p);
            }
            if sp * sq < 0.0 {
                points.push(crossing(p, q, axis, height));
            }
        }
        points
    };
    for (points, part) in [(polygon(|s| s < 0.0), below), (polygon(|s| s > 0.0), above)] {
        for k in 1..points.len().saturating_sub(1) {
            let corners = [points[0], points[k], points[k + 1]];
            part.push(Triangle { corners, ..*triangle });
        }
    }
    // The edge of the part below that lies in the plane, in its direction of winding.
    let lower = polygon(|s| s < 0.0);
    if lower.len() >= 3 {
        for k in 0..lower.len() {
            let (p, q) = (lower[k], lower[(k + 1) % lower.len()]);
            if p[axis] == height && q[axis] == height {
                segments.push([p, q]);
            }
        }
    }
}

/// Where an edge meets the plane; the same bits from either end.
fn crossing(p: Coordinate, q: Coordinate, axis: usize, height: f64) -> Coordinate {
    let (low, high) = if p[axis] < q[axis] { (p, q) } else { (q, p) };
    let share = (height - low[axis]) / (high[axis] - low[axis]);
    let mut point = low + (high - low) * share;
    point[axis] = height;
    point
}

/// Coordinates along each axis of the ends of edges at which the surface bends inwards, rising and without repeats.
fn inward_edges(mesh: &Mesh) -> [Vec<f64>; 3] {
    let mut edges: BTreeMap<(u32, u32), (Vec3, u32)> = BTreeMap::new();
    let vertices = mesh.vertices();
    let mut heights: [Vec<f64>; 3] = Default::default();
    for &[a, b, c] in mesh.triangles() {
        let normal = (vertices[b as usize] - vertices[a as usize])
            .cross(vertices[c as usize] - vertices[a as usize])
            .normalize_or_zero();
        for (from, to, opposite) in [(a, b, c), (b, c, a), (c, a, b)] {
            match edges.remove(&(to, from)) {
                None => {
                    edges.insert((from, to), (normal, opposite));
                }
                Some((other, _)) => {
                    // The corner of this triangle is above the other one.
                    let rise = (vertices[opposite as usize] - vertices[from as usize]).normalize_or_zero();
                    if other.dot(rise) > BENDS_INWARDS {
                        for end in [from, to] {
                            (0..3).for_each(|axis| heights[axis].push(vertices[end as usize][axis]));
                        }
                    }
                }
            }
        }
    }
    for along in &mut heights {
        along.sort_by(f64::total_cmp);
        along.dedup();
    }
    heights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Solid as Generated;
    use msd::math::ReferenceFrame;
    use msd::physics::collision::intersects;
    use msd::physics::rigid_body::shape::Shape;

    /// A polygon (counter-clockwise, with its triangles) from z = 0 to z = height.
    fn prism(outline: &[(f64, f64)], triangles: &[[u32; 3]], height: f64) -> Mesh {
        let n = u32::try_from(outline.len()).unwrap();
        let level = |z: f64| outline.iter().map(move |(x, y)| Vec3::new(*x, *y, z));
        let vertices: Vec<Vec3> = level(0.0).chain(level(height)).collect();
        let mut faces: Vec<[u32; 3]> = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        faces.extend(triangles.iter().map(|t| t.map(|v| v + n)));
        for k in 0..n {
            let next = (k + 1) % n;
            faces.extend([[k, next, next + n], [k, next + n, k + n]]);
        }
        Mesh::new(vertices, faces).unwrap()
    }

    /// Legs of 3 m and 2 m, 1 m thick.
    fn bracket() -> Mesh {
        let outline = [(0.0, 0.0), (3.0, 0.0), (3.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)];
        prism(&outline, &[[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]], 0.5)
    }

    fn channel() -> Mesh {
        let outline =
            [(0.0, 0.0), (4.0, 0.0), (4.0, 3.0), (3.0, 3.0), (3.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)];
        prism(&outline, &[[0, 1, 4], [1, 2, 3], [1, 3, 4], [0, 4, 5], [0, 5, 6], [0, 6, 7]], 5.0)
    }

    fn limits(error: f64, max_parts: usize) -> DecompositionLimits {
        DecompositionLimits { error, max_parts }
    }

    /// A ring: its hull fills the hole.
    fn ring() -> Mesh {
        Generated::Torus { radius: 1.0, tube_radius: 0.3 }
            .asset_with_segments("ring", 20)
            .unwrap()
            .visual
            .unwrap()
    }

    #[test]
    fn machined_parts_come_apart_at_their_inner_edges_without_error() {
        for (mesh, parts, volume) in [(bracket(), 2, 2.0), (channel(), 3, 35.0)] {
            let found = decompose(&mesh, &limits(1e-9, 8)).unwrap();
            assert_eq!(found.parts.len(), parts);
            assert!((found.volume() - volume).abs() < 1e-13 * volume, "{}", found.volume());
            assert!(found.error().abs() < 1e-13);
        }
    }

    #[test]
    fn a_convex_mesh_is_one_part() {
        let ball = Generated::Sphere { radius: 1.0 }.asset("ball").unwrap().visual.unwrap();
        let found = decompose(&ball, &limits(1e-9, 8)).unwrap();
        assert_eq!(found.parts.len(), 1);
        assert!(found.error().abs() < 1e-12);
    }

    /// Every corner of the mesh is in a part, no two parts overlap by more than round-off, and the volume that is reported is
    /// that of the union: points at random in the box are in a part as often as that says.
    #[test]
    fn the_parts_cover_the_mesh_and_do_not_overlap() {
        for mesh in [ring(), bracket(), channel()] {
            let found = decompose(&mesh, &limits(0.1, 32)).unwrap().within_limits().unwrap();
            for vertex in mesh.vertices() {
                assert!(found.parts.iter().any(|part| part.signed_distance(*vertex) < 1e-12), "{vertex}");
            }
            // Shrunk by a thousandth about its middle, no part touches another.
            let small: Vec<Shape> = found
                .parts
                .iter()
                .map(|part| {
                    let middle = part.centroid().unwrap();
                    let points: Vec<Vec3> =
                        part.vertices().iter().map(|v| middle + (*v - middle) * 0.999).collect();
                    ConvexHull::from_points(&points).unwrap().into()
                })
                .collect();
            let at = ReferenceFrame::IDENTITY;
            for (k, a) in small.iter().enumerate() {
                assert!(small[k + 1..].iter().all(|b| !intersects(a, &at, b, &at)));
            }
            let bounds = mesh.bounding_box();
            let (mut state, mut hits) = (1_u64, 0_u32);
            let samples = 20_000;
            for _ in 0..samples {
                let mut unit = || {
                    state =
                        state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    (state >> 11) as f64 / (1_u64 << 53) as f64
                };
                let point = bounds.min + bounds.size() * Vec3::new(unit(), unit(), unit());
                hits += u32::from(found.parts.iter().any(|part| part.signed_distance(point) <= 0.0));
            }
            let size = bounds.size();
            let estimate = f64::from(hits) / f64::from(samples) * size.x * size.y * size.z;
            // Four standard deviations of the estimate.
            assert!((estimate / found.volume() - 1.0).abs() < 0.04, "{estimate} {}", found.volume());
        }
    }

    #[test]
    fn more_parts_come_nearer_and_too_few_are_refused() {
        let mesh = ring();
        let errors: Vec<f64> =
            [1, 4, 8, 16].map(|parts| decompose(&mesh, &limits(0.0, parts)).unwrap().error()).to_vec();
        // The hull of a ring of radii 1 and 0.3 is a disc of 0.6 m and the outer half of the tube: 1.625 times its volume.
        assert!((errors[0] - 0.625).abs() < 0.03, "{errors:?}");
        assert!(errors.windows(2).all(|pair| pair[1] < 0.7 * pair[0]), "{errors:?}");
        let refusal = decompose(&mesh, &limits(0.01, 2)).unwrap().within_limits().unwrap_err().to_string();
        assert!(refusal.starts_with("2 parts exceed the mesh by "), "{refusal}");
        assert!(refusal.ends_with("more than 1.000 %; allow more parts or a larger error"), "{refusal}");
    }

    #[test]
    fn the_same_mesh_gives_the_same_bits() {
        let corners = || -> Vec<Vec3> {
            decompose(&ring(), &limits(0.1, 32))
                .unwrap()
                .parts
                .iter()
                .flat_map(|p| p.vertices().to_vec())
                .collect()
        };
        assert_eq!(corners(), corners());
    }

    #[test]
    fn open_and_inverted_meshes_and_bad_limits_are_refused() {
        let mesh = bracket();
        let open = Mesh::new(mesh.vertices().to_vec(), mesh.triangles()[1..].to_vec()).unwrap();
        assert_eq!(decompose(&open, &limits(0.1, 8)).unwrap_err(), DecompositionError::NotClosed);
        let turned = mesh.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
        let inverted = Mesh::new(mesh.vertices().to_vec(), turned).unwrap();
        assert!(
            matches!(decompose(&inverted, &limits(0.1, 8)), Err(DecompositionError::NoVolume(v)) if v < 0.0)
        );
        for bad in [limits(-0.1, 8), limits(f64::NAN, 8), limits(0.1, 0)] {
            assert!(matches!(decompose(&mesh, &bad), Err(DecompositionError::Limit { .. })));
        }
    }
}
