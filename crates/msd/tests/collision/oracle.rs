//! Every convex pair against an independent judge, over random poses and sizes from 1e-3 to 1e3 m.
//!
//! The judge knows the shapes only by their support functions and signed distances. Apart, an answer is proven from
//! both sides: the witness points lie in the shapes and are that far apart (the distance is not larger), and the
//! shapes do not reach beyond two planes that far apart (it is not smaller). Overlapping, the depth is proven enough by
//! the reach along the normal, and least by an exhaustive search: over all face normals and edge cross products for
//! polytopes, over the sphere of directions with refinement for curved shapes.

#![allow(clippy::unwrap_used, reason = "a test that cannot build its scene has failed")]

use msd::math::orientation::from_rotation_vector;
use msd::math::{Mat3, ReferenceFrame, Vec3, scalar};
use msd::physics::collision::{distance, manifold};
use msd::physics::rigid_body::shape::{
    Capsule, Cone, ConvexHull, Cuboid, Cylinder, Ellipsoid, Geometry, Rounded, RoundedCore, Shape, Sphere,
    TaperedCapsule,
};

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
        scale * scalar::pow(4.0, self.between(-1.0, 1.0))
    }

    fn frame(&mut self, position: Vec3) -> ReferenceFrame {
        ReferenceFrame::new(position, from_rotation_vector(self.vector() * 3.0))
    }
}

const KINDS: [&str; 11] = [
    "sphere",
    "box",
    "capsule",
    "cylinder",
    "cone",
    "hull",
    "ellipsoid",
    "rounded box",
    "rounded cylinder",
    "rounded hull",
    "tapered capsule",
];

fn shape(kind: &str, scale: f64, random: &mut Random) -> Shape {
    let (l, m, n) = (random.length(scale), random.length(scale), random.length(scale));
    let margin = random.length(0.2 * scale);
    match kind {
        "rounded box" => Rounded::new(Cuboid::new(Vec3::new(l, m, n)).unwrap(), margin).unwrap().into(),
        "rounded cylinder" => Rounded::new(Cylinder::new(l, m).unwrap(), margin).unwrap().into(),
        "rounded hull" => {
            let points: Vec<Vec3> = (0..12).map(|_| random.vector() * Vec3::new(l, m, n)).collect();
            Rounded::new(ConvexHull::from_points(&points).unwrap(), margin).unwrap().into()
        }
        "tapered capsule" => {
            // From a slender one to one that is almost a ball.
            let apart = (l - m).abs() * (1.0 + scalar::pow(10.0, random.between(-4.0, 1.0)));
            TaperedCapsule::new(l, m, apart).unwrap().into()
        }
        "sphere" => Sphere::new(l).unwrap().into(),
        "box" => Cuboid::new(Vec3::new(l, m, n)).unwrap().into(),
        "capsule" => Capsule::new(l, m).unwrap().into(),
        "cylinder" => Cylinder::new(l, m).unwrap().into(),
        "cone" => Cone::new(l, m).unwrap().into(),
        "ellipsoid" => Ellipsoid::new(Vec3::new(l, m, n)).unwrap().into(),
        _ => {
            let points: Vec<Vec3> = (0..12).map(|_| random.vector() * Vec3::new(l, m, n)).collect();
            ConvexHull::from_points(&points).unwrap().into()
        }
    }
}

/// A placed shape as the judge sees it.
struct Placed<'a> {
    shape: &'a Shape,
    frame: ReferenceFrame,
    rotation: Mat3,
    /// Corners of a polytope, world frame; none of a curved shape.
    corners: Vec<Vec3>,
}

impl<'a> Placed<'a> {
    fn new(shape: &'a Shape, frame: ReferenceFrame) -> Self {
        let local: Vec<Vec3> = match shape {
            Shape::Box(b) => (0..8)
                .map(|k| {
                    0.5 * b.size()
                        * Vec3::from_array([k & 1, k >> 1 & 1, k >> 2].map(|c| f64::from(2 * c - 1)))
                })
                .collect(),
            Shape::Hull(hull) => hull.vertices().to_vec(),
            _ => Vec::new(),
        };
        let corners = local.into_iter().map(|p| frame.point_to_parent(p)).collect();
        Self { shape, frame, rotation: frame.rotation(), corners }
    }

    fn support(&self, direction: Vec3) -> Vec3 {
        let farther = |p: Vec3, q: Vec3| if direction.dot(q - p) > 0.0 { q } else { p };
        self.corners.iter().copied().reduce(farther).unwrap_or_else(|| {
            let local = self.shape.support(self.rotation.transpose() * direction).unwrap();
            self.frame.position + self.rotation * local
        })
    }

    fn outside(&self, point: Vec3) -> f64 {
        self.shape.signed_distance(self.frame.point_to_local(point))
    }
}

/// The point of A farthest along a unit direction (from A to B) as seen from that of B farthest against it.
fn difference(a: &Placed<'_>, b: &Placed<'_>, n: Vec3) -> Vec3 {
    a.support(n) - b.support(-n)
}

/// How far the shapes overlap along a unit direction (from A to B); negative is a gap.
fn reach(a: &Placed<'_>, b: &Placed<'_>, n: Vec3) -> f64 {
    n.dot(difference(a, b, n))
}

/// All face normals and edge directions of a polytope.
fn polytope(p: &Placed<'_>) -> Option<(Vec<Vec3>, Vec<Vec3>)> {
    match p.shape {
        Shape::Box(_) => {
            let axes = vec![p.rotation.x_axis, p.rotation.y_axis, p.rotation.z_axis];
            Some((axes.clone(), axes))
        }
        Shape::Hull(hull) => {
            let normals = hull.faces().iter().map(|f| p.rotation * f.normal).collect();
            let edges = hull
                .edges()
                .iter()
                .map(|&e| {
                    let h = hull.half_edges()[e as usize];
                    let along =
                        hull.vertices()[hull.destination(e) as usize] - hull.vertices()[h.origin as usize];
                    p.rotation * along.normalize()
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
    // How far all corners extend along an axis, both ways at once.
    let extent = |corners: &[Vec3], n: Vec3| {
        corners.iter().map(|p| n.dot(*p)).fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], h| {
            [if h < low { h } else { low }, if h > high { h } else { high }]
        })
    };
    let mut look = |n: Vec3| {
        let ([low_a, high_a], [low_b, high_b]) = (extent(&a.corners, n), extent(&b.corners, n));
        least = scalar::min(least, scalar::min(high_a - low_b, high_b - low_a));
    };
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
        Vec3::new(r * scalar::cos(golden * k as f64), r * scalar::sin(golden * k as f64), z)
    };
    (0..count).map(direction).collect()
}

/// The least reach over many directions. From the one that the depth was found along and from the best few that are not
/// near it, ever smaller steps are tried around; a search is given up when the steps left cannot take it below `enough`,
/// by the farthest point of the difference, which is how fast its reach can change.
fn least_reach_by_search(
    a: &Placed<'_>,
    b: &Placed<'_>,
    directions: &[Vec3],
    found: Vec3,
    enough: f64,
    random: &mut Random,
) -> f64 {
    let mut farthest = 0.0;
    let mut starts: Vec<(f64, Vec3)> = Vec::with_capacity(directions.len());
    for &n in directions {
        let point = difference(a, b, n);
        farthest = scalar::max(farthest, point.length());
        if n.dot(found) < NEAR {
            starts.push((n.dot(point), n));
        }
    }
    if starts.len() > 4 {
        starts.select_nth_unstable_by(3, |p, q| p.0.total_cmp(&q.0));
    }
    let (c, h) = (0.75_f64.sqrt(), 0.5);
    let quarter = [[1.0, 0.0], [c, h], [h, c]];
    let around = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]
        .map(|[x, y]| quarter.map(|[cos, sin]: [f64; 2]| [x * cos - y * sin, y * cos + x * sin]));
    let mut least = f64::INFINITY;
    let first = std::iter::once((reach(a, b, found), found, true));
    let others = starts.into_iter().take(4).map(|(r, n)| (r, n, false));
    for (mut best, mut n, of_found) in first.chain(others) {
        let mut step = 0.1;
        // Steps shrink by 0.6 each time: those left add up to less than three of them. What comes near the direction found
        // has been there before.
        while step > 1e-8
            && best - 3.0 * step * farthest <= enough
            && (of_found || n.dot(found) < NEAR || best < enough)
        {
            let (p, q) = n.any_orthonormal_pair();
            // Turned by a random angle, so that no narrow valley escapes all twelve directions for long.
            let turn = random.between(0.0, 1.0);
            let u = (p + q * turn).normalize();
            let (v, mut improved) = (n.cross(u), false);
            for [cos, sin] in around.into_iter().flatten() {
                let m = (n + (u * cos + v * sin) * step).normalize();
                let r = reach(a, b, m);
                if r < best {
                    (best, n, improved) = (r, m, true);
                }
            }
            step *= if improved { 1.3 } else { 0.6 };
        }
        least = scalar::min(least, best);
    }
    least
}

/// Cosine of the angle within which a direction counts as near: 10°, twice the distance of the directions tried.
const NEAR: f64 = 0.985;

struct Judge {
    random: Random,
    tolerance: f64,
    /// Directions of the search on the sphere for curved shapes.
    directions: Vec<Vec3>,
}

impl Judge {
    /// One random pair of the two kinds, judged.
    fn case(&mut self, kind_a: &str, kind_b: &str) {
        let scale = scalar::pow(10.0, self.random.between(-3.0, 3.0));
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
        let (pa, pb) = (Placed::new(a, *pose_a), Placed::new(b, *pose_b));
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
            let (directions, random) = (&self.directions, &mut self.random);
            let least = least_reach_of_polytopes(&pa, &pb).unwrap_or_else(|| {
                least_reach_by_search(&pa, &pb, directions, n, -found.signed - tolerance, random)
            });
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
            let (deepest, tilt) = (points.deepest(), points.normal.cross(n).length());
            if tilt <= 1e-6 {
                assert!((deepest - found.signed).abs() <= 10.0 * tolerance, "{points:?}\n{}", case());
            } else {
                // Faces that are all but parallel touch as faces though two of their edges overlap less: along the normal
                // of a face, deeper than the least, and no deeper than that normal says.
                let along = reach(&pa, &pb, points.normal);
                assert!(tilt <= 0.02 && points.points().len() > 2, "{points:?}\n{}", case());
                assert!(deepest <= found.signed + 10.0 * tolerance, "{points:?}\n{}", case());
                assert!(deepest >= -along - 10.0 * tolerance, "{along} {points:?}\n{}", case());
            }
            // Lines that are all but parallel touch at two points that are opposite each other to that.
            let extent = |shape: &Shape| shape.bounding_box(&ReferenceFrame::IDENTITY).size().length();
            // Round surfaces that cross at a small angle have their ends as contacts of their own, apart by that
            // angle.
            let round = |shape: &Shape| match shape {
                Shape::Capsule(_) | Shape::Cylinder(_) => true,
                Shape::Rounded(rounded) => matches!(rounded.core(), RoundedCore::Cylinder(_)),
                _ => false,
            };
            let angle = if round(a) || round(b) { 0.1 } else { 1e-3 };
            let allowed = angle * scalar::max(extent(a), extent(b));
            for p in points.points() {
                let off = (p.on_b - p.on_a - points.normal * p.distance).length();
                assert!(off <= allowed, "{off} {points:?}\n{}", case());
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
fn hulls_with_hulls_and_smooth_shapes_agree_with_the_judge() {
    pairs_of(5, 1000, 0x9e37_79b9_7f4a_7c1a);
}

#[test]
fn ellipsoids_with_ellipsoids_and_rounded_shapes_agree_with_the_judge() {
    pairs_of(6, 1000, 0x9e37_79b9_7f4a_7c1b);
}

#[test]
fn rounded_shapes_with_each_other_agree_with_the_judge() {
    pairs_of(7, 1000, 0x9e37_79b9_7f4a_7c1d);
    pairs_of(8, 1000, 0x9e37_79b9_7f4a_7c1e);
    pairs_of(9, 1000, 0x9e37_79b9_7f4a_7c1f);
}

#[test]
fn tapered_capsules_with_each_other_agree_with_the_judge() {
    pairs_of(10, 1000, 0x9e37_79b9_7f4a_7c20);
}

/// Ellipsoids with radii up to 1000:1, with every kind.
#[test]
fn needles_and_disks_agree_with_the_judge() {
    let mut judge =
        Judge { random: Random(0x9e37_79b9_7f4a_7c1c), tolerance: 1e-7, directions: directions(400) };
    for kind in KINDS {
        for _ in 0..300 {
            let radii = [(); 3].map(|()| scalar::pow(10.0, judge.random.between(-3.0, 0.0)));
            let needle: Shape = Ellipsoid::new(Vec3::from_array(radii)).unwrap().into();
            let other = shape(kind, 0.3, &mut judge.random);
            let apart = judge.random.vector() * judge.random.between(0.0, 2.0);
            let (pose_a, pose_b) = (judge.random.frame(Vec3::ZERO), judge.random.frame(apart));
            judge.judge(&needle, &pose_a, &other, &pose_b, 1.0);
        }
    }
}

/// Not part of CI. `MSD_PAIRS` sets the number of pairs of each two kinds, `MSD_KIND` the first kind alone, `MSD_OTHER`
/// the second:
///
/// ```text
/// MSD_PAIRS=100000 MSD_KIND=cone cargo test --release -p msd-sim --test collision oracle -- --ignored --nocapture
/// ```
#[test]
#[ignore = "long: a million pairs of each two kinds, 55 million in all, take most of an hour optimised"]
fn a_million_pairs_of_each_two_kinds_agree_with_the_judge() {
    let setting = |name: &str| std::env::var(name).ok();
    let pairs: usize = setting("MSD_PAIRS").map_or(1_000_000, |text| text.parse().unwrap());
    let (only, other) = (setting("MSD_KIND"), setting("MSD_OTHER"));
    let mut failed = 0;
    for (first, kind_a) in KINDS.iter().enumerate() {
        if only.as_ref().is_some_and(|only| only != kind_a) {
            continue;
        }
        for kind_b in &KINDS[first..] {
            if other.as_ref().is_some_and(|other| other != kind_b) {
                continue;
            }
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
