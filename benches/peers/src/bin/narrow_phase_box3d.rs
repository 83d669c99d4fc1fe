//! Manifolds of a moving pair of boxes, beside box3d (C, f32).
//!
//! `cargo run --release --features box3d --bin narrow_phase_box3d` in `benches/peers` (builds C with CMake, and bindings
//! with libclang) prints the second table of `benches/results/narrow_phase.md`. Both take turns on the same pairs in the
//! same poses; the least time of many rounds counts. box3d is asked by `b3CollideHulls` with its cache of separating axes:
//! its manifolds stay in the frame of A, while those of `msd` have places in the world and carry impulses over. box3d
//! carries contacts over without looking at them only inside its world, where it cannot be called alone.

use std::hint::black_box;
use std::time::Instant;

use box3d_sys as b3;
use msd::math::{Quat, ReferenceFrame, Vec3};
use msd::physics::collision::{ManifoldCache, distance};
use msd::physics::rigid_body::shape::{Cuboid, Shape};

const MARGIN: f64 = 2e-3;
const PAIRS: usize = 48;
const STEPS: usize = 16;

struct Random(u64);

impl Random {
    fn signed(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }
}

/// A box on a box with some overlap, a little askew and off the middle as in a pile, or in any pose.
fn placed(shape: &Shape, signed: f64, piled: bool, random: &mut Random) -> [ReferenceFrame; 2] {
    let turn = if piled { 1e-3 } else { 3.0 };
    let pose_a = ReferenceFrame::new(Vec3::ZERO, Quat::from_scaled_axis(random.vector() * turn));
    let orientation = Quat::from_scaled_axis(random.vector() * turn);
    let sideways = random.vector() * 0.2;
    let direction = if piled { Vec3::Z } else { random.vector().normalize() };
    let offset = if piled { Vec3::new(sideways.x, sideways.y, 0.0) } else { Vec3::ZERO };
    let at = |t: f64| ReferenceFrame::new(offset + direction * t, orientation);
    let (mut low, mut high) = (0.0, 4.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if distance(shape, &pose_a, shape, &at(middle)).signed > signed { high = middle } else { low = middle }
    }
    [pose_a, at(high)]
}

fn b_in_a([a, b]: &[ReferenceFrame; 2]) -> b3::b3Transform {
    let ReferenceFrame { position: p, orientation: q } = a.frame_to_local(b);
    b3::b3Transform {
        p: b3::b3Vec3 { x: p.x as f32, y: p.y as f32, z: p.z as f32 },
        q: b3::b3Quat { v: b3::b3Vec3 { x: q.x as f32, y: q.y as f32, z: q.z as f32 }, s: q.w as f32 },
    }
}

fn main() {
    let shape: Shape = Cuboid::new(Vec3::new(1.0, 0.8, 0.6)).expect("positive").into();
    let hull = unsafe { b3::b3MakeBoxHull(0.5, 0.4, 0.3) };
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    println!("| boxes | a step | msd ns | box3d ns | msd / box3d | box3d reuses its axis |");
    println!("|---|---|---|---|---|---|");
    for (name, signed, piled) in
        [("one on the other", -1e-4, true), ("touching anyhow", 0.0, false), ("1 % overlap", -0.01, false)]
    {
        let poses: Vec<_> = (0..PAIRS).map(|_| placed(&shape, signed, piled, &mut random)).collect();
        for (motion, size) in [("3 mm, 3 mrad", 3e-3), ("1 µm, 1 µrad", 1e-6)] {
            let path: Vec<Vec<[ReferenceFrame; 2]>> = (0..STEPS)
                .map(|k| {
                    let s = (if k < STEPS / 2 { k } else { STEPS - 1 - k }) as f64 * size;
                    let turn = Quat::from_scaled_axis(Vec3::new(1.0, -0.5, 0.3) * s);
                    let step = Vec3::new(0.6, -0.6, 0.1) * s;
                    let moved = |q: &ReferenceFrame| ReferenceFrame::new(q.position + step, turn * q.orientation);
                    poses.iter().map(|[p, q]| [*p, moved(q)]).collect()
                })
                .collect();
            let ([ours, theirs], hits) = race(&shape, &hull, &path);
            println!("| {name} | {motion} | {ours:.0} | {theirs:.0} | {:.2} | {:.0} % |", ours / theirs, 100.0 * hits);
        }
    }
}

/// Least ns a manifold of both, and how often box3d found its axis still good.
fn race(shape: &Shape, hull: &b3::b3BoxHull, path: &[Vec<[ReferenceFrame; 2]>]) -> ([f64; 2], f64) {
    let relative: Vec<Vec<b3::b3Transform>> = path.iter().map(|all| all.iter().map(b_in_a).collect()).collect();
    let mut caches: Vec<ManifoldCache> = (0..PAIRS).map(|_| ManifoldCache::default()).collect();
    let mut axes = vec![b3::b3SATCache::default(); PAIRS];
    let mut points = [b3::b3LocalManifoldPoint::default(); 32];
    let (mut best, mut hits) = ([f64::INFINITY; 2], 0);
    let calls = (STEPS * PAIRS) as f64;
    for _ in 0..60 {
        let start = Instant::now();
        for step in path {
            for (cache, [p, q]) in caches.iter_mut().zip(step) {
                black_box(cache.update(shape, p, shape, q, MARGIN));
            }
        }
        best[0] = best[0].min(start.elapsed().as_nanos() as f64 / calls);
        let start = Instant::now();
        hits = 0;
        for step in &relative {
            for (axis, pose) in axes.iter_mut().zip(step) {
                let mut found = b3::b3LocalManifold { points: points.as_mut_ptr(), ..Default::default() };
                unsafe { b3::b3CollideHulls(&mut found, 32, &hull.base, &hull.base, *pose, axis) };
                hits += usize::from(axis.hit);
                black_box(&found);
            }
        }
        best[1] = best[1].min(start.elapsed().as_nanos() as f64 / calls);
    }
    (best, hits as f64 / calls)
}
