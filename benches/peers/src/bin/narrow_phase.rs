//! Time of the narrow phase, beside parry3d-f64.
//!
//! `cargo run --release --bin narrow_phase` in `benches/peers` prints the tables of `benches/results/narrow_phase.md`.
//! Both take turns on the same pairs in the same poses, so that whatever else the machine does hits both alike; the
//! least time of many rounds is the one closest to undisturbed. A distance is a signed distance with normal and
//! witness points (parry: `contact` with an unlimited prediction); a manifold is all contact points within 2 mm.
//! Warm manifolds follow a pair that moves by 3 mm and 3 mrad a step, more than either engine carries points over; resting
//! ones do not move.

use std::hint::black_box;
use std::time::Instant;

use msd::math::{Quat, ReferenceFrame, Vec3};
use msd::physics::collision::{ManifoldCache, distance, manifold};
use msd::physics::rigid_body::shape::{ConvexHull, Cuboid, Cylinder, Shape, Sphere};
use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::query::{self, ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};
use parry3d_f64::shape as parry;

const MARGIN: f64 = 2e-3;
const PAIRS: usize = 48;

struct Random(u64);

impl Random {
    fn signed(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        loop {
            let v = Vec3::new(self.signed(), self.signed(), self.signed());
            if v.length_squared() <= 1.0 && v.length_squared() > 0.01 {
                return v;
            }
        }
    }
}

/// One shape of each engine; parry's cylinders stand along y.
struct Both {
    ours: Shape,
    theirs: Box<dyn parry::Shape>,
    turn: Quat,
}

impl Both {
    fn hull(count: usize, random: &mut Random) -> Self {
        let points: Vec<Vec3> = (0..count).map(|_| random.vector().normalize() * 0.5).collect();
        let theirs: Vec<Vector> = points.iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
        Self {
            ours: ConvexHull::from_points(&points).expect("a hull").into(),
            theirs: Box::new(parry::ConvexPolyhedron::from_convex_hull(&theirs).expect("a hull")),
            turn: Quat::IDENTITY,
        }
    }

    fn cuboid() -> Self {
        let ours = Cuboid::new(Vec3::new(1.0, 0.8, 0.6)).expect("positive").into();
        Self { ours, theirs: Box::new(parry::Cuboid::new(Vector::new(0.5, 0.4, 0.3))), turn: Quat::IDENTITY }
    }

    fn cylinder() -> Self {
        let ours = Cylinder::new(0.4, 1.0).expect("positive").into();
        let turn = Quat::from_rotation_x(std::f64::consts::FRAC_PI_2);
        Self { ours, theirs: Box::new(parry::Cylinder::new(0.5, 0.4)), turn }
    }

    fn sphere() -> Self {
        let ours = Sphere::new(0.5).expect("positive").into();
        Self { ours, theirs: Box::new(parry::Ball::new(0.5)), turn: Quat::IDENTITY }
    }

    fn pose(&self, frame: &ReferenceFrame) -> Pose {
        let (p, q) = (frame.position, frame.orientation * self.turn);
        Pose::from_parts(Vector::new(p.x, p.y, p.z), Rotation::from_xyzw(q.x, q.y, q.z, q.w))
    }
}

/// Poses of a pair with the given signed distance, found by moving B along a random direction.
fn placed(a: &Both, b: &Both, signed: f64, random: &mut Random) -> [ReferenceFrame; 2] {
    let turn = |r: &mut Random| Quat::from_scaled_axis(r.vector() * 3.0);
    let pose_a = ReferenceFrame::new(Vec3::ZERO, turn(random));
    let (direction, orientation) = (random.vector().normalize(), turn(random));
    let at = |t: f64| ReferenceFrame::new(direction * t, orientation);
    let (mut low, mut high) = (0.0, 4.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if distance(&a.ours, &pose_a, &b.ours, &at(middle)).signed > signed { high = middle } else { low = middle }
    }
    [pose_a, at(high)]
}

/// Least time a call over rounds of both, in ns.
fn race(rounds: usize, calls: usize, mut ours: impl FnMut(), mut theirs: impl FnMut()) -> [f64; 2] {
    let mut best = [f64::INFINITY; 2];
    let time = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        start.elapsed().as_nanos() as f64 / calls as f64
    };
    for _ in 0..rounds {
        best[0] = best[0].min(time(&mut ours));
        best[1] = best[1].min(time(&mut theirs));
    }
    best
}

fn main() {
    let filter = std::env::args().nth(1).unwrap_or_default();
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let mut pairs = vec![
        ("box-box".to_string(), Both::cuboid(), Both::cuboid()),
        ("cylinder-box".to_string(), Both::cylinder(), Both::cuboid()),
        ("cylinder-cylinder".to_string(), Both::cylinder(), Both::cylinder()),
    ];
    for count in [12, 32, 100, 500] {
        let (a, b) = (Both::hull(count, &mut random), Both::hull(count, &mut random));
        pairs.push((format!("hull-hull {count}"), a, b));
    }
    pairs.push(("sphere-hull 32".to_string(), Both::sphere(), Both::hull(32, &mut random)));
    pairs.push(("box-hull 32".to_string(), Both::cuboid(), Both::hull(32, &mut random)));
    println!("| pair | state | question | msd ns | parry ns | msd / parry | agree |");
    println!("|---|---|---|---|---|---|---|");
    for (name, a, b) in pairs.iter().filter(|(name, _, _)| name.contains(&filter)) {
        for (state, signed) in [("apart 0.1", 0.1), ("touching", 0.0), ("1 % overlap", -0.01), ("deep", -0.25)] {
            let poses: Vec<_> = (0..PAIRS).map(|_| placed(a, b, signed, &mut random)).collect();
            row(name, state, a, b, &poses);
        }
    }
}

fn row(name: &str, state: &str, a: &Both, b: &Both, poses: &[[ReferenceFrame; 2]]) {
    let theirs: Vec<[Pose; 2]> = poses.iter().map(|[p, q]| [a.pose(p), b.pose(q)]).collect();
    let off = |(ours, theirs): (&[ReferenceFrame; 2], &[Pose; 2])| {
        let signed = distance(&a.ours, &ours[0], &b.ours, &ours[1]).signed;
        let found = query::contact(&theirs[0], &*a.theirs, &theirs[1], &*b.theirs, 10.0).ok().flatten();
        found.map_or(f64::INFINITY, |c| (c.dist - signed).abs())
    };
    let agreeing = poses.iter().zip(&theirs).map(off).filter(|d| *d < 1e-7).count();
    let print = |question: &str, [ours, parry]: [f64; 2], agree: &str| {
        println!("| {name} | {state} | {question} | {ours:.0} | {parry:.0} | {:.2} | {agree} |", ours / parry);
    };
    let times = race(
        200,
        PAIRS,
        || poses.iter().for_each(|[p, q]| _ = black_box(distance(&a.ours, p, &b.ours, q))),
        || theirs.iter().for_each(|[p, q]| _ = black_box(query::contact(p, &*a.theirs, q, &*b.theirs, 10.0))),
    );
    print("distance", times, &format!("{agreeing}/{PAIRS}"));
    let cold = race(
        200,
        PAIRS,
        || poses.iter().for_each(|[p, q]| _ = black_box(&manifold(&a.ours, p, &b.ours, q, MARGIN))),
        || {
            for [p, q] in &theirs {
                let mut found: ContactManifold<(), ()> = ContactManifold::new();
                _ = parry_manifold(a, b, &p.inv_mul(q), &mut found);
                black_box(&found);
            }
        },
    );
    print("manifold, cold", cold, "");
    warm(a, b, poses, &print);
}

fn parry_manifold(
    a: &Both,
    b: &Both,
    pose: &Pose,
    found: &mut ContactManifold<(), ()>,
) -> Result<(), query::Unsupported> {
    DefaultQueryDispatcher.contact_manifold_convex_convex(pose, &*a.theirs, &*b.theirs, None, None, MARGIN, found)
}

fn warm(a: &Both, b: &Both, poses: &[[ReferenceFrame; 2]], print: &dyn Fn(&str, [f64; 2], &str)) {
    let mut caches: Vec<ManifoldCache> = poses.iter().map(|_| ManifoldCache::default()).collect();
    let mut manifolds: Vec<ContactManifold<(), ()>> = poses.iter().map(|_| ContactManifold::new()).collect();
    // Sixteen poses to and fro, each a step from its neighbours, the two ends twice.
    let path: Vec<Vec<[ReferenceFrame; 2]>> = (0..16)
        .map(|k| {
            let s = f64::from(if k < 8 { k } else { 15 - k }) * 3e-3;
            let turn = Quat::from_scaled_axis(Vec3::new(1.0, -0.5, 0.3) * s);
            let step = Vec3::new(0.6, -0.6, 0.5) * s;
            let moved = |q: &ReferenceFrame| ReferenceFrame::new(q.position + step, turn * q.orientation);
            poses.iter().map(|[p, q]| [*p, moved(q)]).collect()
        })
        .collect();
    let relative: Vec<Vec<Pose>> =
        path.iter().map(|all| all.iter().map(|[p, q]| a.pose(p).inv_mul(&b.pose(q))).collect()).collect();
    let moving = race(
        40,
        16 * PAIRS,
        || {
            for step in &path {
                for (cache, [p, q]) in caches.iter_mut().zip(step) {
                    black_box(cache.update(&a.ours, p, &b.ours, q, MARGIN));
                }
            }
        },
        || {
            for step in &relative {
                for (found, pose) in manifolds.iter_mut().zip(step) {
                    _ = black_box(parry_manifold(a, b, pose, found));
                }
            }
        },
    );
    print("manifold, warm", moving, "");
    let resting = race(
        100,
        PAIRS,
        || {
            for (cache, [p, q]) in caches.iter_mut().zip(&path[0]) {
                black_box(cache.update(&a.ours, p, &b.ours, q, MARGIN));
            }
        },
        || {
            for (found, pose) in manifolds.iter_mut().zip(&relative[0]) {
                _ = black_box(parry_manifold(a, b, pose, found));
            }
        },
    );
    print("manifold, resting", resting, "");
}
