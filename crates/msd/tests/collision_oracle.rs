//! Every convex pair against an independent judge, over random poses and sizes from 1e-3 to 1e3 m.
//!
//! The judge knows the shapes only by their support functions and signed distances. Apart, an answer is proven from
//! both sides: the witness points lie in the shapes and are that far apart (the distance is not larger), and the
//! shapes do not reach beyond two planes that far apart (it is not smaller). Overlapping, the depth is proven enough by
//! the reach along the normal, and least by an exhaustive search: over all face normals and edge cross products for
//! polytopes, over the sphere of directions with refinement for curved shapes.

#![allow(clippy::unwrap_used, reason = "a test that cannot build its scene has failed")]

use msd::math::orientation::from_rotation_vector;
use msd::math::{ReferenceFrame, Vec3, real};
use msd::physics::collision::{distance, manifold};
use msd::physics::rigid_body::shape::{Capsule, Cone, ConvexHull, Cuboid, Cylinder, Geometry, Shape, Sphere};

/// A small generator of random numbers (xorshift64*), so that the cases are the same everywhere.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    fn vector(&mut self) -> Vec3 {
        loop {
            let v = Vec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            if v.length() <= 1.0 && v.length() > 0.1 {
                return v;
            }
        }
    }

    /// A length within a factor of four of `scale`.
    fn length(&mut self, scale: f64) -> f64 {
        scale * real::pow(4.0, self.between(-1.0, 1.0))
    }

    fn frame(&mut self, position: Vec3) -> ReferenceFrame {
        ReferenceFrame::new(position, from_rotation_vector(self.vector() * 3.0))
    }
}

const KINDS: [&str; 6] = ["sphere", "box", "capsule", "cylinder", "cone", "hull"];

fn shape(kind: &str, scale: f64, random: &mut Random) -> Shape {
    let (l, m, n) = (random.length(scale), random.length(scale), random.length(scale));
    match kind {
        "sphere" => Sphere::new(l).unwrap().into(),
        "box" => Cuboid::new(Vec3::new(l, m, n)).unwrap().into(),
        "capsule" => Capsule::new(l, m).unwrap().into(),
        "cylinder" => Cylinder::new(l, m).unwrap().into(),
        "cone" => Cone::new(l, m).unwrap().into(),
        _ => {
            let points: Vec<Vec3> = (0..12).map(|_| random.vector() * Vec3::new(l, m, n)).collect();
            ConvexHull::from_points(&points).unwrap().into()
        }
    }
}

/// A placed shape as the judge sees it.
struct Placed<'a>(&'a Shape, ReferenceFrame);

impl Placed<'_> {
    fn support(&self, direction: Vec3) -> Vec3 {
        self.1.point_to_parent(self.0.support(self.1.direction_to_local(direction)).unwrap())
    }

    fn outside(&self, point: Vec3) -> f64 {
        self.0.signed_distance(self.1.point_to_local(point))
    }
}

/// How far the shapes overlap along a unit direction (from A to B); negative is a gap.
fn reach(a: &Placed<'_>, b: &Placed<'_>, n: Vec3) -> f64 {
    n.dot(a.support(n) - b.support(-n))
}

/// All vertices, face normals and edge directions of a polytope.
fn polytope(p: &Placed<'_>) -> Option<(Vec<Vec3>, Vec<Vec3>)> {
    match p.0 {
        Shape::Box(_) => {
            let axes: Vec<Vec3> =
                [Vec3::X, Vec3::Y, Vec3::Z].iter().map(|d| p.1.direction_to_parent(*d)).collect();
            Some((axes.clone(), axes))
        }
        Shape::Hull(hull) => {
            let normals = hull.faces().iter().map(|f| p.1.direction_to_parent(f.normal)).collect();
            let edges = hull
                .edges()
                .iter()
                .map(|&e| {
                    let h = hull.half_edges()[e as usize];
                    let along =
                        hull.vertices()[hull.destination(e) as usize] - hull.vertices()[h.origin as usize];
                    p.1.direction_to_parent(along.normalize())
                })
                .collect();
            Some((normals, edges))
        }
        _ => None,
    }
}

/// The least reach over every axis that can be least for polytopes.
fn least_reach_of_polytopes(a: &Placed<'_>, b: &Placed<'_>) -> Option<f64> {
    let ((normals_a, edges_a), (normals_b, edges_b)) = (polytope(a)?, polytope(b)?);
    let mut least = f64::INFINITY;
    let mut look = |n: Vec3| least = real::min(real::min(least, reach(a, b, n)), reach(a, b, -n));
    normals_a.iter().chain(&normals_b).for_each(|n| look(*n));
    for e in &edges_a {
        for f in &edges_b {
            if let Some(n) = e.cross(*f).try_normalize() {
                look(n);
            }
        }
    }
    Some(least)
}

/// Directions spread evenly over the sphere.
fn directions(count: usize) -> Vec<Vec3> {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let direction = |k: usize| {
        let z = 1.0 - 2.0 * (k as f64 + 0.5) / count as f64;
        let r = (1.0 - z * z).sqrt();
        Vec3::new(r * real::cos(golden * k as f64), r * real::sin(golden * k as f64), z)
    };
    (0..count).map(direction).collect()
}

/// The least reach over many directions, each of the best few refined by trying ever smaller steps around it.
fn least_reach_by_search(a: &Placed<'_>, b: &Placed<'_>, directions: &[Vec3], random: &mut Random) -> f64 {
    let mut starts: Vec<(f64, Vec3)> = directions.iter().map(|n| (reach(a, b, *n), *n)).collect();
    starts.sort_by(|p, q| p.0.total_cmp(&q.0));
    let around: [[f64; 2]; 12] = std::array::from_fn(|k| {
        let angle = k as f64 * std::f64::consts::TAU / 12.0;
        [real::cos(angle), real::sin(angle)]
    });
    let mut least = f64::INFINITY;
    for (mut best, mut n) in starts.into_iter().take(4) {
        let mut step = 0.1;
        while step > 1e-8 {
            let (p, q) = n.any_orthonormal_pair();
            // Turned by a random angle, so that no narrow valley escapes all twelve directions for long.
            let turn = random.between(0.0, 1.0);
            let u = (p + q * turn).normalize();
            let (v, mut improved) = (n.cross(u), false);
            for [cos, sin] in around {
                let m = (n + (u * cos + v * sin) * step).normalize();
                let r = reach(a, b, m);
                if r < best {
                    (best, n, improved) = (r, m, true);
                }
            }
            step *= if improved { 1.3 } else { 0.6 };
        }
        least = real::min(least, best);
    }
    least
}

struct Judge {
    random: Random,
    tolerance: f64,
    /// Directions of the search on the sphere for curved shapes.
    directions: Vec<Vec3>,
}

impl Judge {
    /// One random pair of the two kinds, judged.
    fn case(&mut self, kind_a: &str, kind_b: &str) {
        let scale = real::pow(10.0, self.random.between(-3.0, 3.0));
        let (a, b) = (shape(kind_a, scale, &mut self.random), shape(kind_b, scale, &mut self.random));
        let apart = self.random.vector() * scale * self.random.between(0.0, 8.0);
        let origin = self.random.vector() * scale;
        let (pose_a, pose_b) = (self.random.frame(origin), self.random.frame(origin + apart));
        self.judge(&a, &pose_a, &b, &pose_b, scale);
    }

    fn judge(&mut self, a: &Shape, pose_a: &ReferenceFrame, b: &Shape, pose_b: &ReferenceFrame, scale: f64) {
        let found = distance(a, pose_a, b, pose_b);
        let case = || format!("{a:?} at {pose_a:?}\n{b:?} at {pose_b:?}\n{found:?}");
        let tolerance = self.tolerance * scale;
        let (pa, pb) = (Placed(a, *pose_a), Placed(b, *pose_b));
        let n = found.normal;
        assert!((n.length() - 1.0).abs() < 1e-12, "{}", case());
        let along = reach(&pa, &pb, n);
        assert!((along + found.signed).abs() <= tolerance, "reach {along}\n{}", case());
        let across = found.witness_b - found.witness_a - n * found.signed;
        assert!(across.length() <= 10.0 * tolerance, "witnesses off by {across}\n{}", case());
        for (p, w) in [(&pa, found.witness_a), (&pb, found.witness_b)] {
            assert!(
                p.outside(w).abs() <= 10.0 * tolerance,
                "witness {} off the surface\n{}",
                p.outside(w),
                case()
            );
        }
        if found.signed < 0.0 {
            let least = least_reach_of_polytopes(&pa, &pb)
                .unwrap_or_else(|| least_reach_by_search(&pa, &pb, &self.directions, &mut self.random));
            assert!(
                -found.signed <= least + tolerance,
                "depth {} but {least} suffices\n{}",
                -found.signed,
                case()
            );
            let moved = ReferenceFrame::new(pose_b.position - n * found.signed, pose_b.orientation);
            let after = distance(a, pose_a, b, &moved);
            assert!(after.signed >= -tolerance, "still {} after moving out\n{}", after.signed, case());
        }
        let points = manifold(a, pose_a, b, pose_b, 0.01 * scale);
        assert_eq!(points.is_empty(), found.signed > 0.01 * scale, "{}", case());
        if !points.is_empty() {
            assert!((points.deepest() - found.signed).abs() <= 10.0 * tolerance, "{points:?}\n{}", case());
            for p in points.points() {
                let off = (p.on_b - p.on_a - points.normal * p.distance).length();
                assert!(off <= 2e-3 * scale, "{off} {points:?}\n{}", case());
            }
        }
    }
}

/// Pairs of `KINDS[first]` with itself and every kind after it.
fn pairs_of(first: usize, cases: usize, seed: u64) {
    let mut judge = Judge { random: Random(seed), tolerance: 1e-7, directions: directions(400) };
    for kind_b in &KINDS[first..] {
        for _ in 0..cases {
            judge.case(KINDS[first], kind_b);
        }
    }
}

// A thousand pairs of each two kinds; one test a kind, so that they run side by side.

#[test]
fn spheres_with_everything_agree_with_the_judge() {
    pairs_of(0, 1000, 0x9e37_79b9_7f4a_7c15);
}

#[test]
fn boxes_with_everything_agree_with_the_judge() {
    pairs_of(1, 1000, 0x9e37_79b9_7f4a_7c16);
}

#[test]
fn capsules_with_everything_agree_with_the_judge() {
    pairs_of(2, 1000, 0x9e37_79b9_7f4a_7c17);
}

#[test]
fn cylinders_with_everything_agree_with_the_judge() {
    pairs_of(3, 1000, 0x9e37_79b9_7f4a_7c18);
}

#[test]
fn cones_with_everything_agree_with_the_judge() {
    pairs_of(4, 1000, 0x9e37_79b9_7f4a_7c19);
}

#[test]
fn hulls_with_hulls_agree_with_the_judge() {
    pairs_of(5, 1000, 0x9e37_79b9_7f4a_7c1a);
}

/// Not part of CI. `MSD_PAIRS` sets the number of pairs of each two kinds, `MSD_KIND` the first kind alone:
///
/// ```text
/// MSD_PAIRS=100000 MSD_KIND=cone cargo test --release -p msd --test collision_oracle -- --ignored --nocapture
/// ```
#[test]
#[ignore = "long: a million pairs of each two kinds, 21 million in all, take hours optimised"]
fn a_million_pairs_of_each_two_kinds_agree_with_the_judge() {
    let setting = |name: &str| std::env::var(name).ok();
    let pairs: usize = setting("MSD_PAIRS").map_or(1_000_000, |text| text.parse().unwrap());
    let only = setting("MSD_KIND");
    let mut failed = 0;
    for (first, kind_a) in KINDS.iter().enumerate() {
        if only.as_ref().is_some_and(|only| only != kind_a) {
            continue;
        }
        for kind_b in &KINDS[first..] {
            let seed = 0x1234_5678_9abc_def1 + first as u64;
            let mut judge = Judge { random: Random(seed), tolerance: 1e-7, directions: directions(400) };
            let mut of_pair = 0;
            for _ in 0..pairs {
                let case = std::panic::AssertUnwindSafe(|| judge.case(kind_a, kind_b));
                of_pair += usize::from(std::panic::catch_unwind(case).is_err());
            }
            println!("{kind_a} with {kind_b}: {pairs} pairs, {of_pair} failed");
            failed += of_pair;
        }
    }
    assert_eq!(failed, 0, "pairs that the judge does not accept, printed above");
}
