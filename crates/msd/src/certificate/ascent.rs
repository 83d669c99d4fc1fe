//! Ascent of the gap of two convex pieces over directions, as described in `distance`.

use super::convex::Piece;
use crate::math::{Vec3, scalar};

/// Signed distance, m, and the unit direction from A to B that attains it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Separation {
    pub(super) gap: f64,
    pub(super) normal: Vec3,
}

/// Limit of directions; each is a proof by itself, so this limits cost, not correctness.
const ROUNDS: usize = 16;
/// Limit of iterations for nearest points; polytopes need about ten.
const ITERATIONS: usize = 64;
/// Duality gap at which the search for nearest points stops, relative to the squared distance.
const CONVERGED: f64 = 1e-14;
/// Distance of cores from which nearest points give a direction, relative to the smaller piece; relative error of that
/// distance.
pub(super) const APART: f64 = 1e-6;
/// Distance to which overlapping cores are shifted apart, relative to the smaller piece.
const MARGIN: f64 = 1e-2;

/// `s(n)` of the pieces, m.
pub(super) fn gap_along(a: &Piece<'_>, b: &Piece<'_>, normal: Vec3) -> f64 {
    normal.dot(b.support(-normal) - a.support(normal)) - a.radius - b.radius
}

/// The local maximum of the gap that is reached from a direction, or a direction with a gap of at least `enough`.
pub(super) fn climb(a: &Piece<'_>, b: &Piece<'_>, from: Separation, enough: f64, size: f64) -> Separation {
    let mut best = from;
    let radii = a.radius + b.radius;
    for _ in 0..ROUNDS {
        if best.gap >= enough || best.gap.is_nan() {
            break;
        }
        let shift = scalar::max(0.0, MARGIN * size - (best.gap + radii));
        let Some((normal, _)) = nearest_direction(a, b, best.normal * shift) else { break };
        let gap = gap_along(a, b, normal);
        let gained = gap - best.gap;
        if gained > 0.0 {
            best = Separation { gap, normal };
        }
        if shift == 0.0 || gained <= 1e-9 * size {
            break;
        }
    }
    best
}

/// Unit direction between the nearest points of the cores of A and of B shifted, and their distance, m; `None` if they
/// overlap even so.
pub(super) fn nearest_direction(a: &Piece<'_>, b: &Piece<'_>, shift: Vec3) -> Option<(Vec3, f64)> {
    let point = |direction: Vec3| b.support(direction) + shift - a.support(-direction);
    let mut simplex = Simplex::default();
    let start = b.middle() + shift - a.middle();
    let mut nearest = point(if start == Vec3::ZERO { Vec3::X } else { -start });
    simplex.push(nearest);
    for _ in 0..ITERATIONS {
        let square = nearest.length_squared();
        if square == 0.0 {
            return None;
        }
        let candidate = point(-nearest);
        if square - nearest.dot(candidate) <= CONVERGED * square || simplex.has(candidate) {
            break;
        }
        simplex.push(candidate);
        let next = simplex.reduce()?;
        if next.length_squared() >= square {
            break;
        }
        nearest = next;
    }
    unit(nearest).map(|normal| (normal, nearest.length()))
}

/// The direction of a vector.
pub(super) fn unit(vector: Vec3) -> Option<Vec3> {
    let length = vector.length();
    (length > 0.0 && length.is_finite()).then(|| vector / length)
}

/// Up to four points of B - A.
#[derive(Clone, Copy, Debug, Default)]
struct Simplex {
    points: [Vec3; 4],
    count: usize,
}

/// The point of a face of the simplex nearest to the origin, and which corners span the face.
#[derive(Clone, Copy, Debug)]
struct Nearest {
    point: Vec3,
    corners: [bool; 4],
}

impl Nearest {
    fn nearer(self, other: Self) -> Self {
        if other.point.length_squared() < self.point.length_squared() { other } else { self }
    }
}

impl Simplex {
    fn push(&mut self, point: Vec3) {
        self.points[self.count] = point;
        self.count += 1;
    }

    fn has(&self, point: Vec3) -> bool {
        self.points[..self.count].contains(&point)
    }

    /// Keeps the smallest face that has the point nearest to the origin, and returns that point; `None` if the origin is inside.
    fn reduce(&mut self) -> Option<Vec3> {
        let nearest = match self.count {
            1 => self.vertex(0),
            2 => self.edge(0, 1),
            3 => self.triangle(0, 1, 2),
            _ => {
                if self.encloses_origin() {
                    return None;
                }
                let faces = [(0, 1, 3), (0, 2, 3), (1, 2, 3)];
                faces
                    .into_iter()
                    .fold(self.triangle(0, 1, 2), |best, (i, j, k)| best.nearer(self.triangle(i, j, k)))
            }
        };
        let old = *self;
        self.count = 0;
        for (corner, point) in old.points.iter().enumerate() {
            if nearest.corners[corner] {
                self.push(*point);
            }
        }
        Some(nearest.point)
    }

    fn vertex(&self, i: usize) -> Nearest {
        let mut corners = [false; 4];
        corners[i] = true;
        Nearest { point: self.points[i], corners }
    }

    fn edge(&self, i: usize, j: usize) -> Nearest {
        let (a, b) = (self.points[i], self.points[j]);
        let along = b - a;
        let part = -a.dot(along) / along.length_squared();
        if part <= 0.0 || part.is_nan() {
            self.vertex(i)
        } else if part >= 1.0 {
            self.vertex(j)
        } else {
            let mut nearest = self.vertex(i);
            nearest.corners[j] = true;
            nearest.point = a + along * part;
            nearest
        }
    }

    fn triangle(&self, i: usize, j: usize, k: usize) -> Nearest {
        let (a, b, c) = (self.points[i], self.points[j], self.points[k]);
        let normal = (b - a).cross(c - a);
        let inside = [(a, b), (b, c), (c, a)].into_iter().all(|(p, q)| normal.dot((q - p).cross(-p)) > 0.0);
        if inside {
            let mut corners = [false; 4];
            [i, j, k].into_iter().for_each(|corner| corners[corner] = true);
            return Nearest { point: normal * (a.dot(normal) / normal.length_squared()), corners };
        }
        self.edge(i, j).nearer(self.edge(j, k)).nearer(self.edge(k, i))
    }

    fn encloses_origin(&self) -> bool {
        let faces = [(0, 1, 2, 3), (0, 1, 3, 2), (0, 2, 3, 1), (1, 2, 3, 0)];
        faces.into_iter().all(|(i, j, k, opposite)| {
            let (a, b, c) = (self.points[i], self.points[j], self.points[k]);
            let normal = (b - a).cross(c - a);
            let (apex, origin) = (normal.dot(self.points[opposite] - a), normal.dot(-a));
            apex != 0.0 && apex * origin > 0.0
        })
    }
}
