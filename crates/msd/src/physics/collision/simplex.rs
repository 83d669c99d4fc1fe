//! The simplex of GJK: one to four points of the Minkowski difference and the point of their hull nearest to
//! the origin.
//!
//! The nearest point is found by signed volumes, in the spirit of Montanari, Petrinic & Barbieri, "Improving
//! the GJK algorithm for faster and more reliable distance queries between convex objects" (ACM Trans.
//! Graphics 36, 2017): a simplex contains the projection of the origin if all barycentric coordinates are
//! positive; where one is not, the subsimplex without that vertex is tried, and of several the nearest is
//! used. Two departures: the barycentric coordinates are computed about the projection of the origin, not
//! about the origin, so that a small triangle far away keeps its digits; and a tetrahedron or triangle
//! without volume or area falls back to its best face.

use super::support_function::MinkowskiVertex;
use crate::math::{Vec3, scalar};
use crate::tolerance;

/// Sine of the angle between two edges of a triangle of GJK below which its normal is checked for noise.
/// tuned: ten roundings of the edges are 1e-13 of the normal there.
const GJK_THIN: f64 = 3e-2;

/// Up to four vertices with the barycentric coordinates of the point nearest to the origin.
#[derive(Clone, Copy, Debug, Default)]
pub struct Simplex {
    vertices: [MinkowskiVertex; 4],
    weights: [f64; 4],
    len: usize,
}

/// The vertices of a subsimplex (indices into the simplex) that carry the nearest point.
#[derive(Clone, Copy, Debug)]
struct NearestFeature {
    kept: [u8; 3],
    weights: [f64; 3],
    len: usize,
    point: Vec3,
}

impl NearestFeature {
    fn vertex(i: u8, a: Vec3) -> Self {
        Self { kept: [i, 0, 0], weights: [1.0, 0.0, 0.0], len: 1, point: a }
    }

    #[inline]
    fn closer(self, other: Self) -> Self {
        if other.point.length_squared() < self.point.length_squared() { other } else { self }
    }
}

impl Simplex {
    /// Without vertices.
    pub(super) const EMPTY: Self = Self { vertices: [MinkowskiVertex::ZERO; 4], weights: [0.0; 4], len: 0 };

    /// The vertices.
    #[must_use]
    pub fn vertices(&self) -> &[MinkowskiVertex] {
        &self.vertices[..self.len]
    }

    /// Barycentric coordinates of the nearest point, one a vertex.
    #[must_use]
    pub fn weights(&self) -> &[f64] {
        &self.weights[..self.len]
    }

    /// Adds a vertex; a full simplex stays as it is.
    pub fn push(&mut self, vertex: MinkowskiVertex) {
        if self.len < 4 {
            self.vertices[self.len] = vertex;
            self.weights[self.len] = 0.0;
            self.len += 1;
        }
    }

    /// True if the difference point is already a vertex, bit by bit.
    #[must_use]
    pub fn contains(&self, vertex: &MinkowskiVertex) -> bool {
        self.vertices().iter().any(|v| v.point == vertex.point)
    }

    /// Square of the largest distance of a vertex from the origin, m².
    #[must_use]
    pub fn largest_norm_squared(&self) -> f64 {
        self.vertices().iter().fold(0.0, |m, v| scalar::max(m, v.point.length_squared()))
    }

    /// The points of A and B that make up the nearest point.
    #[must_use]
    pub fn witnesses(&self) -> (Vec3, Vec3) {
        let mut on_a = Vec3::ZERO;
        let mut on_b = Vec3::ZERO;
        for (v, w) in self.vertices().iter().zip(self.weights()) {
            on_a += v.on_a * *w;
            on_b += v.on_b * *w;
        }
        (on_a, on_b)
    }

    /// Computes the point nearest to the origin and drops the vertices it does not need. `None` if the origin
    /// lies inside the tetrahedron, which then keeps its four vertices.
    pub fn reduce_to_nearest(&mut self) -> Option<Vec3> {
        let nearest = match self.len {
            0 => return None,
            1 => NearestFeature::vertex(0, self.vertices[0].point),
            _ => self.nearest()?,
        };
        self.keep(&nearest);
        Some(nearest.point)
    }

    /// The same for a vertex just added by GJK. Only subsimplices with that vertex can be nearer than the
    /// previous point; if rounding leaves none that is, the vertex is removed again.
    pub(super) fn advance(&mut self, distance_squared: f64) -> Advance {
        let p = self.points();
        let nearest = match self.len {
            4 => on_new_faces(&p),
            3 => Some(SimplexTriangle::new(&p, [0, 1, 2]).nearest::<true>(&p)),
            _ => self.nearest(),
        };
        let Some(nearest) = nearest else { return Advance::Surrounded };
        let squared = nearest.point.length_squared();
        if squared >= distance_squared {
            self.len -= 1;
            return Advance::Stuck;
        }
        self.keep(&nearest);
        Advance::Nearer(nearest.point, squared)
    }

    fn points(&self) -> [Vec3; 4] {
        [self.vertices[0].point, self.vertices[1].point, self.vertices[2].point, self.vertices[3].point]
    }

    fn nearest(&self) -> Option<NearestFeature> {
        let p = self.points();
        match self.len {
            0 => None,
            1 => Some(NearestFeature::vertex(0, p[0])),
            2 => Some(on_segment(&p, [0, 1])),
            3 => Some(SimplexTriangle::new(&p, [0, 1, 2]).nearest::<false>(&p)),
            _ => on_tetrahedron(&p),
        }
    }

    /// Vertices keep their order, so that each moves down or stays.
    #[inline]
    fn keep(&mut self, nearest: &NearestFeature) {
        for i in 0..nearest.len {
            let from = nearest.kept[i] as usize;
            if from != i {
                self.vertices[i] = self.vertices[from];
            }
            self.weights[i] = nearest.weights[i];
        }
        self.len = nearest.len;
    }
}

/// Effect of a new vertex.
#[derive(Clone, Copy, Debug)]
pub(super) enum Advance {
    /// The point nearest to the origin now, and the square of its distance.
    Nearer(Vec3, f64),
    /// Round-off allows no more progress; the simplex is unchanged.
    Stuck,
    /// The origin lies inside the tetrahedron.
    Surrounded,
}

/// Faces of the tetrahedron in ascending order, each with the opposite vertex.
const FACES: [[u8; 4]; 4] = [[0, 1, 3, 2], [0, 2, 3, 1], [1, 2, 3, 0], [0, 1, 2, 3]];

#[inline(never)]
fn on_segment(p: &[Vec3; 4], [i, j]: [u8; 2]) -> NearestFeature {
    let (a, b) = (p[i as usize], p[j as usize]);
    let ab = b - a;
    let length_squared = ab.length_squared();
    let (to_b, to_a) = (-a.dot(ab), b.dot(ab));
    if to_b <= 0.0 || length_squared == 0.0 {
        return NearestFeature::vertex(i, a).closer(NearestFeature::vertex(j, b));
    }
    if to_a <= 0.0 {
        return NearestFeature::vertex(j, b);
    }
    let t = to_b / length_squared;
    // From the nearer end: the products stay small.
    let point = if t < 0.5 { a + ab * t } else { b - ab * (to_a / length_squared) };
    NearestFeature { kept: [i, j, 0], weights: [1.0 - t, t, 0.0], len: 2, point }
}

/// A triangle by its last vertex and the edges that leave it.
struct SimplexTriangle {
    corners: [u8; 3],
    /// From the last vertex to the first and to the second.
    edges: [Vec3; 2],
    /// Their cross product.
    normal: Vec3,
}

impl SimplexTriangle {
    #[inline]
    fn new(p: &[Vec3; 4], corners: [u8; 3]) -> Self {
        let [a, b, c] = corners.map(|i| p[i as usize]);
        let edges = [a - c, b - c];
        Self { corners, edges, normal: edges[0].cross(edges[1]) }
    }

    /// The point nearest to the origin. If the last vertex is `NEW`, the edge without it is known to contain
    /// no nearer point.
    ///
    /// With all points relative to the projection of the origin, the coordinate of a vertex is the (doubled)
    /// area of the origin and the opposite edge, `n·(b × c)`, which an edge shortens: `b × c = (b - c) × c`.
    #[inline(always)]
    fn nearest<const NEW: bool>(&self, p: &[Vec3; 4]) -> NearestFeature {
        let [i, j, k] = self.corners;
        let (n, [to_a, to_b]) = (self.normal, self.edges);
        let (a, c) = (p[i as usize], p[k as usize]);
        let area_squared = n.length_squared();
        if area_squared > 0.0 {
            let inverse = 1.0 / area_squared;
            let projection = n * (n.dot(c) * inverse);
            let (pa, pc) = (a - projection, c - projection);
            let across = pc.cross(n);
            let (wa, wb, wc) = (to_b.dot(across), -to_a.dot(across), (to_b - to_a).dot(n.cross(pa)));
            if wa > 0.0 && wb > 0.0 && wc > 0.0 {
                let thin = GJK_THIN * GJK_THIN;
                let weights = if area_squared > thin * to_a.length_squared() * to_b.length_squared() {
                    let (wa, wb) = (wa * inverse, wb * inverse);
                    Some([wa, wb, 1.0 - wa - wb])
                } else {
                    self.weights_of_thin(p, [wa, wb, wc], projection)
                };
                if let Some(weights) = weights {
                    return NearestFeature { kept: [i, j, k], weights, len: 3, point: projection };
                }
            }
            // The nearest point lies on an edge opposite to a vertex whose coordinate is not positive.
            let best = match (wa <= 0.0, wb <= 0.0) {
                (true, true) => Some(on_segment(p, [j, k]).closer(on_segment(p, [i, k]))),
                (true, false) => Some(on_segment(p, [j, k])),
                (false, true) => Some(on_segment(p, [i, k])),
                (false, false) => None,
            };
            if NEW || wc > 0.0 {
                if let Some(best) = best {
                    return best;
                }
            } else {
                let beyond = on_segment(p, [i, j]);
                return best.map_or(beyond, |b| b.closer(beyond));
            }
        }
        on_segment(p, [i, j]).closer(on_segment(p, [j, k])).closer(on_segment(p, [i, k]))
    }

    /// In a sliver the normal may be noise, and the apparent projection no point of the triangle: `None`.
    #[cold]
    fn weights_of_thin(&self, p: &[Vec3; 4], [wa, wb, wc]: [f64; 3], projection: Vec3) -> Option<[f64; 3]> {
        let [a, b, c] = self.corners.map(|i| p[i as usize]);
        let scale = 1.0 / (wa + wb + wc);
        let weights = [wa * scale, wb * scale, wc * scale];
        let off = (a * weights[0] + b * weights[1] + c * weights[2] - projection).length_squared();
        let allowed = tolerance::GJK_SLIVER * tolerance::GJK_SLIVER;
        let size = || scalar::max(a.length_squared(), scalar::max(b.length_squared(), c.length_squared()));
        (off <= allowed * projection.length_squared() || off <= allowed * size()).then_some(weights)
    }
}

fn on_tetrahedron(p: &[Vec3; 4]) -> Option<NearestFeature> {
    let mut best: Option<NearestFeature> = None;
    for [i, j, k, l] in FACES {
        let triangle = SimplexTriangle::new(p, [i, j, k]);
        let (a, n) = (p[i as usize], triangle.normal);
        let rise = p[l as usize] - a;
        if is_beyond(-n.dot(a), n.dot(rise), n, rise) {
            best = nearer(best, Some(triangle.nearest::<false>(p)));
        }
    }
    best
}

/// The same for a tetrahedron whose last vertex is new: the origin is known to be on the inner side of the
/// face without it, and the three others share their edges from that vertex and one determinant.
fn on_new_faces(p: &[Vec3; 4]) -> Option<NearestFeature> {
    let d = p[3];
    let (a, b, c) = (p[0] - d, p[1] - d, p[2] - d);
    let (ab, ac, bc) = (a.cross(b), a.cross(c), b.cross(c));
    let determinant = ab.dot(c);
    // The fourth vertex is out of the plane of every face if the volume is not small for the edges.
    let flat = tolerance::GJK_FLAT * tolerance::GJK_FLAT;
    let solid =
        determinant * determinant > flat * a.length_squared() * b.length_squared() * c.length_squared();
    let look = |corners, edges, normal: Vec3, apex: f64, rise| {
        let origin = -normal.dot(d);
        let beyond = if solid { origin * apex <= 0.0 } else { is_beyond(origin, apex, normal, rise) };
        beyond.then(|| SimplexTriangle { corners, edges, normal }.nearest::<true>(p))
    };
    let first = look([0, 1, 3], [a, b], ab, determinant, c);
    let second = look([0, 2, 3], [a, c], ac, -determinant, b);
    let third = look([1, 2, 3], [b, c], bc, determinant, a);
    nearer(nearer(first, second), third)
}

#[inline]
fn nearer(first: Option<NearestFeature>, second: Option<NearestFeature>) -> Option<NearestFeature> {
    match (first, second) {
        (Some(first), Some(second)) => Some(first.closer(second)),
        (first, second) => first.or(second),
    }
}

/// True if the origin and the fourth vertex (`rise` from the face with normal `n`) are not on the same side of a face.
/// Which side the fourth vertex is on means nothing if it is in the plane to round-off.
#[inline]
fn is_beyond(origin: f64, apex: f64, n: Vec3, rise: Vec3) -> bool {
    let flat = tolerance::GJK_FLAT * tolerance::GJK_FLAT * n.length_squared() * rise.length_squared();
    origin * apex <= 0.0 || apex * apex <= flat
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn simplex(points: &[Vec3]) -> Simplex {
        let mut s = Simplex::default();
        for &point in points {
            s.push(MinkowskiVertex { point, on_a: point, ..MinkowskiVertex::default() });
        }
        s
    }

    /// Nearest point over a fine grid of barycentric coordinates, refined twice.
    fn brute_force(points: &[Vec3]) -> f64 {
        let mut best = f64::INFINITY;
        let n = 24;
        for i in 0..=n {
            for j in 0..=(n - i) {
                for k in 0..=(n - i - j) {
                    let weights = [i, j, k, n - i - j - k].map(|c| f64::from(c) / f64::from(n));
                    let p: Vec3 = points.iter().zip(weights).map(|(p, w)| *p * w).sum();
                    let used: f64 = weights[..points.len()].iter().sum();
                    if (used - 1.0).abs() < 1e-12 {
                        best = crate::math::scalar::min(best, p.length());
                    }
                }
            }
        }
        best
    }

    proptest! {
        #[test]
        fn the_nearest_point_satisfies_the_optimality_condition(
            c in prop::array::uniform12(-1.0..1.0_f64), len in 1..5_usize, shift in 0.0..2.0_f64
        ) {
            let all: Vec<Vec3> = c.chunks(3).map(|v| Vec3::from_slice(v) + Vec3::X * shift).collect();
            let mut s = simplex(&all[..len]);
            let grid = brute_force(&all[..len]);
            match s.reduce_to_nearest() {
                Some(v) => {
                    // v·(p - v) ≥ 0 for every vertex p is necessary and sufficient.
                    for p in &all[..len] {
                        prop_assert!(v.dot(*p - v) >= -1e-12, "{v} {p}");
                    }
                    prop_assert!(v.length() <= grid + 1e-12);
                    let (on_a, _) = s.witnesses();
                    prop_assert!((on_a - v).length() < 1e-12);
                }
                None => prop_assert!(len == 4 && grid < 0.2),
            }
        }
    }
}
