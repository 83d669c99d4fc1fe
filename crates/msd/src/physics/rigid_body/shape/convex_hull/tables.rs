//! Search tables of a hull: its vertices and planes in SIMD layout, and a cube map from directions to start
//! vertices for hill climbing.
//!
//! A block holds the same coordinate of four neighbours side by side, so that four heights are one pass of
//! vector instructions and four searches for the highest go on without waiting for each other. The last block
//! is filled up with copies of the last entry, which never beat it. Planes are stored relative to the first
//! vertex: a hull far from its local origin loses nothing to the distance.
//!
//! The map divides the six sides of a cube around the origin into squares; each knows the vertex farthest
//! along the direction of its middle, from which the one farthest along any other direction of the square is
//! a step or two.
//!
//! All of it follows from the hull and is built on first use, or when the hull becomes the shape of a body.

use std::sync::OnceLock;

use super::{ConvexHull, Face};
use crate::math::{Coordinate, Vec3};

const LANES: usize = 4;

/// `N` numbers of each of four entries.
type Block<const N: usize> = [[f64; LANES]; N];

/// The search tables of a hull, built on demand. They do not affect equality.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables(OnceLock<SearchTables>);

impl PartialEq for Tables {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Tables {
    #[inline]
    pub(super) fn of(&self, hull: &ConvexHull) -> &SearchTables {
        self.0.get_or_init(|| SearchTables::new(hull))
    }
}

/// The blocks and the map.
#[derive(Clone, Debug)]
pub(super) struct SearchTables {
    /// x, y, z of vertices.
    vertices: Vec<Block<3>>,
    /// Normals of faces and the heights of their planes over the first vertex.
    planes: Vec<Block<4>>,
    origin: Coordinate,
    /// The vertex of each square of the map, sides -x, x, -y, y, -z, z.
    squares: Vec<u32>,
    /// Squares along an edge of the cube.
    per_edge: u32,
}

impl SearchTables {
    fn new(hull: &ConvexHull) -> Self {
        let origin = hull.vertices[0];
        let plane = |face: &Face| {
            let anchor = hull.vertices[hull.half_edges[face.first_edge as usize].origin as usize];
            let n = face.normal;
            [n.x, n.y, n.z, n.dot(anchor - origin)]
        };
        let per_edge = match hull.vertices.len() {
            count if count <= SCAN_LIMIT => 0,
            count if count <= 64 => 4,
            count if count <= 256 => 6,
            count if count <= 1024 => 8,
            _ => 16,
        };
        let mut searched = Self {
            vertices: blocks(&hull.vertices, |v| v.to_array()),
            planes: blocks(&hull.faces, plane),
            origin,
            squares: Vec::with_capacity(6 * (per_edge * per_edge) as usize),
            per_edge,
        };
        let mut start = 0;
        for side in 0..6 * per_edge * per_edge {
            start = hull.climb(start, searched.middle(side));
            searched.squares.push(start);
        }
        searched
    }

    /// Direction of the middle of a square.
    fn middle(&self, square: u32) -> Vec3 {
        let k = self.per_edge;
        let (side, v, w) = (square / (k * k), square / k % k, square % k);
        let place = |i: u32| (2.0 * f64::from(i) + 1.0) / f64::from(k) - 1.0;
        let (u, v, w) = (if side % 2 == 0 { -1.0 } else { 1.0 }, place(v), place(w));
        match side / 2 {
            0 => Vec3::new(u, v, w),
            1 => Vec3::new(w, u, v),
            _ => Vec3::new(v, w, u),
        }
    }

    /// A vertex to climb from towards `direction`.
    #[inline]
    pub(super) fn start(&self, direction: Vec3) -> u32 {
        let (d, size) = (direction, direction.abs());
        let (axis, u, v, w) = if size.x >= size.y && size.x >= size.z {
            (0, d.x, d.y, d.z)
        } else if size.y >= size.z {
            (1, d.y, d.z, d.x)
        } else {
            (2, d.z, d.x, d.y)
        };
        let half = 0.5 * f64::from(self.per_edge);
        let scale = half / u.abs();
        // The conversion ends at the bounds of the integer, and a direction that is no number lands in a corner.
        let place = |x: f64| ((x * scale + half) as u32).min(self.per_edge - 1);
        let side = 2 * axis + u32::from(u >= 0.0);
        self.squares[((side * self.per_edge + place(v)) * self.per_edge + place(w)) as usize]
    }

    /// Index of a vertex farthest along `direction`, by scanning all of them.
    #[inline]
    pub(super) fn support(&self, direction: Vec3) -> u32 {
        let d = direction;
        highest(&self.vertices, |[x, y, z], lane| d.x * x[lane] + d.y * y[lane] + d.z * z[lane]).0
    }

    /// Index of the face over whose plane `point` is highest, and how high.
    #[inline]
    pub(super) fn highest_plane(&self, point: Coordinate) -> (u32, f64) {
        let p = point - self.origin;
        highest(&self.planes, |[x, y, z, offset], lane| {
            p.x * x[lane] + p.y * y[lane] + p.z * z[lane] - offset[lane]
        })
    }

    /// Index of the face whose normal is nearest to a direction.
    #[inline]
    pub(super) fn face_along(&self, direction: Vec3) -> u32 {
        let d = direction;
        highest(&self.planes, |[x, y, z, _], lane| d.x * x[lane] + d.y * y[lane] + d.z * z[lane]).0
    }
}

/// Vertices up to which a scan of all of them is as fast as hill climbing. tuned.
pub(super) const SCAN_LIMIT: usize = 40;

fn blocks<T, const N: usize>(entries: &[T], numbers: impl Fn(&T) -> [f64; N]) -> Vec<Block<N>> {
    let of_four = |four: &[T]| {
        let mut block = [[0.0; LANES]; N];
        for lane in 0..LANES {
            let of_one = numbers(&four[lane.min(four.len() - 1)]);
            for (row, number) in block.iter_mut().zip(of_one) {
                row[lane] = number;
            }
        }
        block
    };
    entries.chunks(LANES).map(of_four).collect()
}

/// The first entry with the greatest value: one pass for the value, one for its place. Without a value that is a number,
/// the first entry.
#[inline(always)]
fn highest<const N: usize>(blocks: &[Block<N>], value: impl Fn(&Block<N>, usize) -> f64) -> (u32, f64) {
    let mut best = [f64::NEG_INFINITY; LANES];
    for block in blocks {
        for lane in 0..LANES {
            let v = value(block, lane);
            best[lane] = if v > best[lane] { v } else { best[lane] };
        }
    }
    let larger = |p: f64, q: f64| if q > p { q } else { p };
    let top = larger(larger(best[0], best[1]), larger(best[2], best[3]));
    for (number, block) in (0_u32..).zip(blocks) {
        let mut hits = 0_u32;
        for lane in 0..LANES {
            hits |= u32::from(value(block, lane) == top) << lane;
        }
        if hits != 0 {
            return (LANES as u32 * number + hits.trailing_zeros(), top);
        }
    }
    (0, top)
}
