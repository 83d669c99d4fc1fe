//! Depth of overlap of two convex pieces: the least translation that separates them.
//!
//! With `h(n) = max over A of n·x - min over B of n·x`, the pieces overlap by the least `h(n)` over all unit n. It has
//! many local minima: one for each face of the difference `A - B` over which the origin lies. The algorithm keeps a
//! polytope whose corners are points of the difference, cores only (expanding polytope algorithm, van den Bergen
//! 2001). With unit normals n_f and offsets d_f of its faces,
//! ```text
//! min d_f  ≤  least h  ≤  h(n_f)
//! ```
//! because the polytope is inside the difference. The face of least offset is replaced by faces to the farthest point
//! along its normal, until the bounds meet. The origin need not be inside the polytope.
//!
//! Every direction tried proves an upper bound of the depth. If round-off or the limit of corners ends the search
//! early, the reported depth is too large, never too small.

use super::ascent::{Separation, climb, gap_along, unit};
use super::convex::Piece;
use crate::math::{Vec3, scalar};

/// Limit of corners. Polytopes need some tens; the flatter a curved surface is near the origin, the more.
const MOST_POINTS: usize = 96;
/// A polytope of v corners has 2 v - 4 triangles.
const MOST_FACES: usize = 2 * MOST_POINTS;
/// Relative difference of the bounds at which they meet.
const MET: f64 = 1e-6;
/// Relative gain of a direction from which it is worth to look for a local minimum.
const WORTH: f64 = 1e-3;
/// Round-off of points, relative to their distance from each other.
const ROUND_OFF: f64 = 1e-14;

/// A triangle of the polytope.
#[derive(Clone, Copy, Debug, Default)]
struct Face {
    corners: [u8; 3],
    /// Unit, outwards.
    normal: Vec3,
    offset: f64,
}

struct Polytope {
    points: [Vec3; MOST_POINTS],
    point_count: usize,
    faces: [Face; MOST_FACES],
    face_count: usize,
    /// A point inside.
    middle: Vec3,
    /// Height above a face from which a point is outside, m.
    slack: f64,
}

/// The separation of two pieces with the largest gap, starting from a known direction. The search ends if the gap is
/// at least `enough`.
pub(super) fn least_depth(
    a: &Piece<'_>,
    b: &Piece<'_>,
    known: Separation,
    enough: f64,
    size: f64,
) -> Separation {
    let radii = a.radius + b.radius;
    let point = |direction: Vec3| a.support(direction) - b.support(-direction);
    let mut best = known;
    let mut polytope = match Polytope::start(known.normal, &point) {
        Ok(polytope) => polytope,
        Err(across) => {
            // A flat difference is left across it.
            for normal in across.into_iter().flat_map(|normal| [normal, -normal]) {
                let gap = gap_along(a, b, normal);
                if gap > best.gap {
                    best = Separation { gap, normal };
                }
            }
            return best;
        }
    };
    while best.gap < enough {
        let least = polytope.least();
        let Face { normal, offset, .. } = polytope.faces[least];
        let depth = -best.gap - radii;
        if offset >= depth - MET * depth.abs() {
            break;
        }
        let gap = gap_along(a, b, normal);
        if gap > best.gap {
            let gained = gap - best.gap;
            best = Separation { gap, normal };
            if gained > WORTH * best.gap.abs() {
                best = climb(a, b, best, enough, size);
            }
        }
        let farthest = point(normal);
        if normal.dot(farthest) - offset <= polytope.slack || !polytope.add(farthest) {
            break;
        }
    }
    best
}

impl Polytope {
    /// A tetrahedron of points of the difference; of a flat difference the directions across it.
    fn start(along: Vec3, point: &impl Fn(Vec3) -> Vec3) -> Result<Self, [Vec3; 2]> {
        let (p, q) = (point(along), point(-along));
        let line = p - q;
        let size = scalar::max(line.length(), {
            let aside = along.any_orthonormal_vector();
            (point(aside) - point(-aside)).length()
        });
        let slack = ROUND_OFF * (size + p.length());
        let flat = 1e-10 * size;
        let far = |direction: Vec3, from: Vec3| {
            let (one, other) = (point(direction), point(-direction));
            let [up, down] = [one, other].map(|x| direction.dot(x - from).abs());
            if up >= down { (one, up) } else { (other, down) }
        };
        let Some(axis) = unit(line).filter(|_| line.length() > flat) else {
            return Err([along; 2]);
        };
        let side = axis.any_orthonormal_vector();
        let other_side = axis.cross(side);
        let (r, height) = [side, other_side, (side + other_side) * std::f64::consts::FRAC_1_SQRT_2]
            .map(|direction| far(direction, p))
            .into_iter()
            .fold((p, 0.0), |best, next| if next.1 > best.1 { next } else { best });
        if height <= flat {
            return Err([side, other_side]);
        }
        let Some(normal) = unit(line.cross(r - p)) else { return Err([side, other_side]) };
        let (s, height) = far(normal, p);
        if height <= flat {
            return Err([normal; 2]);
        }
        let mut polytope = Self {
            points: [Vec3::ZERO; MOST_POINTS],
            point_count: 4,
            faces: [Face::default(); MOST_FACES],
            face_count: 0,
            middle: 0.25 * (p + q + r + s),
            slack,
        };
        polytope.points[..4].copy_from_slice(&[p, q, r, s]);
        for corners in [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]] {
            if !polytope.push(corners) {
                return Err([normal; 2]);
            }
        }
        Ok(polytope)
    }

    /// Adds a face, turned outwards; false if it has no area or there is no room.
    fn push(&mut self, [i, j, k]: [u8; 3]) -> bool {
        let [a, b, c] = [i, j, k].map(|corner| self.points[corner as usize]);
        let Some(normal) = unit((b - a).cross(c - a)) else { return false };
        if self.face_count == MOST_FACES {
            return false;
        }
        let outwards = normal.dot(a - self.middle) >= 0.0;
        let (normal, corners) = if outwards { (normal, [i, j, k]) } else { (-normal, [i, k, j]) };
        self.faces[self.face_count] = Face { corners, normal, offset: normal.dot(a) };
        self.face_count += 1;
        true
    }

    /// The face of least offset.
    fn least(&self) -> usize {
        let mut least = 0;
        for (index, face) in self.faces[..self.face_count].iter().enumerate() {
            if face.offset < self.faces[least].offset {
                least = index;
            }
        }
        least
    }

    /// Replaces the faces that a point is above by faces from their rim to the point; false if that is not possible.
    fn add(&mut self, point: Vec3) -> bool {
        if self.point_count == MOST_POINTS {
            return false;
        }
        let number = self.point_count as u8;
        self.points[self.point_count] = point;
        self.point_count += 1;
        // Edges of removed faces; those of two of them cancel.
        let mut rim = [[0_u8; 2]; MOST_FACES];
        let mut count = 0;
        let mut index = 0;
        while index < self.face_count {
            let face = self.faces[index];
            if face.normal.dot(point) - face.offset <= self.slack {
                index += 1;
                continue;
            }
            self.face_count -= 1;
            self.faces[index] = self.faces[self.face_count];
            let [i, j, k] = face.corners;
            for [from, to] in [[i, j], [j, k], [k, i]] {
                if let Some(back) = rim[..count].iter().position(|edge| *edge == [to, from]) {
                    count -= 1;
                    rim[back] = rim[count];
                } else if count < MOST_FACES {
                    rim[count] = [from, to];
                    count += 1;
                } else {
                    return false;
                }
            }
        }
        rim[..count].iter().all(|&[from, to]| self.push([from, to, number])) && self.face_count > 0
    }
}

#[cfg(test)]
mod tests {
    use super::super::distance::separation;
    use super::*;
    use crate::math::{Quat, ReferenceFrame};
    use crate::physics::rigid_body::shape::{
        Capsule, Cone, ConvexHull, Cuboid, Cylinder, Ellipsoid, Geometry, Shape, Sphere,
    };

    struct Random(u64);

    impl Random {
        fn unit(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1_u64 << 53) as f64
        }

        fn between(&mut self, low: f64, high: f64) -> f64 {
            low + (high - low) * self.unit()
        }

        fn vector(&mut self) -> Vec3 {
            Vec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0))
        }

        fn direction(&mut self) -> Vec3 {
            loop {
                let vector = self.vector();
                if vector.length_squared() > 0.01 && vector.length_squared() < 1.0 {
                    return vector.normalize();
                }
            }
        }

        /// Flat, long and compact boxes alike.
        fn extents(&mut self) -> Vec3 {
            Vec3::new(self.between(-1.5, 0.0), self.between(-1.5, 0.0), self.between(-1.5, 0.0))
                .to_array()
                .map(|power| scalar::pow(10.0, power))
                .into()
        }

        fn polytope(&mut self, size: f64) -> Shape {
            let extents = self.extents() * size;
            if self.unit() < 0.5 {
                return Cuboid::new(extents).expect("positive").into();
            }
            let count = 4 + (self.unit() * 5.0) as usize;
            let points: Vec<Vec3> = (0..count).map(|_| self.vector() * extents).collect();
            match ConvexHull::from_points(&points) {
                Ok(hull) => hull.into(),
                Err(_) => Cuboid::new(extents).expect("positive").into(),
            }
        }

        fn curved(&mut self, size: f64) -> Shape {
            let Vec3 { x, y, z } = self.extents() * size;
            match (self.unit() * 5.0) as usize {
                0 => Sphere::new(x).expect("positive").into(),
                1 => Capsule::new(x, y).expect("positive").into(),
                2 => Ellipsoid::new(Vec3::new(x, y, z)).expect("positive").into(),
                3 => Cylinder::new(x, y).expect("positive").into(),
                _ => Cone::new(x, y).expect("positive").into(),
            }
        }

        fn frame(&mut self, position: Vec3) -> ReferenceFrame {
            let turn = Quat::from_axis_angle(self.direction(), self.between(0.0, 3.0));
            ReferenceFrame { position, orientation: if self.unit() < 0.2 { Quat::IDENTITY } else { turn } }
        }
    }

    fn corners(shape: &Shape, frame: &ReferenceFrame) -> Vec<Vec3> {
        let local = match shape {
            Shape::Hull(hull) => hull.vertices().to_vec(),
            _ => {
                let half = shape.bounding_box(&ReferenceFrame::default()).max;
                let side = |k: usize, bit: usize| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
                (0..8).map(|k| Vec3::new(side(k, 0), side(k, 1), side(k, 2)) * half).collect()
            }
        };
        local.into_iter().map(|point| frame.point_to_parent(point)).collect()
    }

    /// The gap of two polytopes that overlap, by the planes of all triples of corners and all pairs of lines between
    /// corners; -∞ if they do not.
    fn gap_by_planes(a: &[Vec3], b: &[Vec3]) -> f64 {
        let mut normals = Vec::new();
        let lines = |points: &[Vec3]| -> Vec<Vec3> {
            let n = points.len();
            (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| points[i] - points[j]).collect()
        };
        for points in [a, b] {
            for i in 0..points.len() {
                for j in 0..i {
                    for k in 0..j {
                        normals.push((points[j] - points[i]).cross(points[k] - points[i]));
                    }
                }
            }
        }
        for one in lines(a) {
            normals.extend(lines(b).into_iter().map(|other| one.cross(other)));
        }
        let mut best = f64::NEG_INFINITY;
        for normal in normals.into_iter().filter_map(unit) {
            let range = |points: &[Vec3]| {
                points.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], point| {
                    [scalar::min(low, point.dot(normal)), scalar::max(high, point.dot(normal))]
                })
            };
            let ([low_a, high_a], [low_b, high_b]) = (range(a), range(b));
            best = scalar::max(best, scalar::max(low_b - high_a, low_a - high_b));
        }
        best
    }

    /// The largest gap over many directions, the best of them refined.
    fn gap_by_sampling(a: &Piece<'_>, b: &Piece<'_>, random: &mut Random) -> f64 {
        let mut tried: Vec<(f64, Vec3)> =
            (0..4000).map(|_| random.direction()).map(|normal| (gap_along(a, b, normal), normal)).collect();
        tried.sort_by(|p, q| q.0.total_cmp(&p.0));
        let mut best = f64::NEG_INFINITY;
        for &(mut gap, mut normal) in &tried[..12] {
            let mut step = 0.05;
            while step > 1e-9 {
                let mut improved = false;
                for _ in 0..12 {
                    let Some(next) = unit(normal + random.vector() * step) else { continue };
                    let found = gap_along(a, b, next);
                    if found > gap {
                        (gap, normal, improved) = (found, next, true);
                    }
                }
                if !improved {
                    step *= 0.6;
                }
            }
            best = scalar::max(best, gap);
        }
        best
    }

    /// Poses in which shapes overlap a little at a random side, and some deep inside each other.
    fn placed(random: &mut Random, a: &Shape, b: &Shape) -> [ReferenceFrame; 2] {
        let (one, mut other) = (random.frame(Vec3::ZERO), random.frame(Vec3::ZERO));
        let (piece_a, piece_b) =
            (Piece::new(a, &one).expect("convex"), Piece::new(b, &other).expect("convex"));
        let direction = random.direction();
        let until_apart = -gap_along(&piece_a, &piece_b, direction);
        let part = [0.1, 0.7, 0.95, 0.999, 0.999_999][(random.unit() * 5.0) as usize];
        let aside = random.vector() * (0.3 * random.unit() * until_apart);
        other.position = direction * (until_apart * part) + (aside - direction * aside.dot(direction));
        [one, other]
    }

    fn smaller(a: &Shape, b: &Shape) -> f64 {
        let size = |shape: &Shape| shape.bounding_box(&ReferenceFrame::default()).size().max_element();
        scalar::min(size(a), size(b))
    }

    #[test]
    fn the_depth_of_polytopes_is_that_of_all_their_planes() {
        let mut random = Random(3);
        let mut overlapping = 0;
        for case in 0..6000 {
            let size = scalar::pow(10.0, random.between(-3.0, 3.0));
            let second = size * random.between(0.05, 1.0);
            let (a, b) = (random.polytope(size), random.polytope(second));
            let [one, other] = placed(&mut random, &a, &b);
            let expected = gap_by_planes(&corners(&a, &one), &corners(&b, &other));
            let (p, q) = (Piece::new(&a, &one).expect("convex"), Piece::new(&b, &other).expect("convex"));
            let size = smaller(&a, &b);
            let found = separation(&p, &q, random.direction(), f64::INFINITY, size);
            // Apart, planes are a lower bound only: nearest corners have none.
            if expected <= 0.0 {
                overlapping += 1;
                let off = (found.gap - expected).abs();
                assert!(off <= 2.0 * MET * expected.abs() + 1e-12 * size, "{case}: {found:?}, {expected}");
            } else {
                assert!(found.gap >= expected - 1e-12 * size, "{case}: {found:?}, {expected}");
            }
        }
        assert!(overlapping > 1000, "{overlapping}");
    }

    #[test]
    fn the_depth_of_curved_bodies_is_that_of_all_directions() {
        let mut random = Random(4);
        for case in 0..600 {
            let size = scalar::pow(10.0, random.between(-3.0, 3.0));
            let a = random.curved(size);
            let second = size * random.between(0.05, 1.0);
            let b = if random.unit() < 0.5 { random.curved(second) } else { random.polytope(second) };
            let [one, other] = placed(&mut random, &a, &b);
            let (p, q) = (Piece::new(&a, &one).expect("convex"), Piece::new(&b, &other).expect("convex"));
            let size = smaller(&a, &b);
            let found = separation(&p, &q, random.direction(), f64::INFINITY, size);
            let expected = gap_by_sampling(&p, &q, &mut random);
            let missing = expected - found.gap;
            assert!(missing <= 1e-3 * expected.abs() + 1e-9 * size, "{case}: {found:?}, {expected}");
        }
    }

    #[test]
    fn a_small_body_at_the_side_of_a_large_one_is_hardly_inside() {
        let mut random = Random(5);
        for _ in 0..500 {
            let size = scalar::pow(10.0, random.between(-3.0, 2.0));
            let wall: Shape = Cuboid::new(Vec3::new(14.0, 1.0, 14.0) * size).expect("positive").into();
            let body: Shape = match (random.unit() * 3.0) as usize {
                0 => Cuboid::new(Vec3::splat(0.3 * size)).expect("positive").into(),
                1 => Capsule::new(0.1 * size, 0.3 * size).expect("positive").into(),
                _ => Cone::new(0.2 * size, 0.4 * size).expect("positive").into(),
            };
            let turn = random.frame(Vec3::ZERO).orientation;
            let mut frame = random.frame(Vec3::ZERO);
            frame.orientation = turn * frame.orientation;
            let at_rest = ReferenceFrame { position: Vec3::ZERO, orientation: turn };
            let p = Piece::new(&wall, &at_rest).expect("convex");
            let up = turn * Vec3::Y;
            let gap = {
                let q = Piece::new(&body, &frame).expect("convex");
                gap_along(&p, &q, up)
            };
            let depth = scalar::pow(10.0, random.between(-9.0, -2.0)) * size;
            let aside = turn * Vec3::new(random.between(-6.0, 6.0), 0.0, random.between(-6.0, 6.0)) * size;
            frame.position = aside + up * (-gap - depth);
            let q = Piece::new(&body, &frame).expect("convex");
            // From the centre line, along the wall.
            let found = separation(&p, &q, aside, -1e-12 * size, 0.3 * size);
            assert!((found.gap + depth).abs() < 1e-11 * size, "{found:?}, {depth}");
        }
    }
}
