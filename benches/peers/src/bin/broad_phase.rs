//! Cost of the broad phase from 10² to 10⁵ bodies: at rest, moving at random, and moving together at orbital speed.
//!
//! `cargo run --release --bin broad_phase`

use std::time::Instant;

use msd::math::Vec3;
use msd::physics::collision::broad_phase::{BroadPhase, Filter};
use msd::physics::rigid_body::shape::Aabb;

/// A small generator, so that every run draws the same bodies.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn vector(&mut self, scale: f64) -> Vec3 {
        Vec3::new(self.unit() - 0.5, self.unit() - 0.5, self.unit() - 0.5) * (2.0 * scale)
    }
}

fn unit_box(at: Vec3) -> Aabb {
    Aabb::new(at - Vec3::splat(0.5), at + Vec3::splat(0.5))
}

/// Median seconds a step, and pairs at the end. One box in 20 m³ whatever the count.
fn measure(count: usize, common: Vec3, speed: f64) -> (f64, usize) {
    let mut random = Random(42);
    let half = (count as f64 * 20.0).cbrt() / 2.0;
    let mut at: Vec<Vec3> = (0..count).map(|_| random.vector(half)).collect();
    let velocity: Vec<Vec3> = (0..count).map(|_| random.vector(speed) + common).collect();
    let mut broad = BroadPhase::default();
    for (id, x) in at.iter().enumerate() {
        broad.insert(id as u32, unit_box(*x), velocity[id], Filter::default());
    }
    broad.follow_median_velocity();
    broad.pairs();
    let dt = 1.0 / 60.0;
    let mut times = Vec::new();
    let mut pairs = 0;
    for _ in 0..40 {
        at.iter_mut().zip(&velocity).for_each(|(x, v)| *x += *v * dt);
        let start = Instant::now();
        broad.advance(dt);
        for (id, x) in at.iter().enumerate() {
            broad.update(id as u32, unit_box(*x), velocity[id], dt);
        }
        pairs = broad.pairs().len();
        times.push(start.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], pairs)
}

/// Slope of log time over log count by least squares.
fn exponent(points: &[(usize, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(n, t)| ((*n as f64).ln(), t.ln())).collect();
    let n = logs.len() as f64;
    let (mx, my) = logs.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
    let (sxy, sxx) = logs.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + (x - mx) * (y - my), b + (x - mx) * (x - mx)));
    sxy / sxx
}

fn main() {
    let cases =
        [("at rest", Vec3::ZERO, 0.0), ("at random, 2 m/s", Vec3::ZERO, 2.0), ("together, 7.6 km/s", Vec3::Y * 7600.0, 0.0)];
    println!("| bodies | pairs | {} |", cases.map(|(name, ..)| format!("{name}, µs a step (ns a body)")).join(" | "));
    println!("|---|---|---|---|---|");
    let mut curves = vec![Vec::new(); cases.len()];
    for count in [100, 316, 1_000, 3_162, 10_000, 31_623, 100_000] {
        let mut row = Vec::new();
        let mut pairs = 0;
        for (curve, (_, common, speed)) in curves.iter_mut().zip(cases) {
            let (seconds, found) = measure(count, common, speed);
            curve.push((count, seconds));
            pairs = found;
            row.push(format!("{:.1} ({:.0})", seconds * 1e6, seconds * 1e9 / count as f64));
        }
        println!("| {count} | {pairs} | {} |", row.join(" | "));
    }
    let slopes: Vec<String> = curves.iter().map(|curve| format!("n^{:.2}", exponent(curve))).collect();
    println!("| fitted growth | | {} |", slopes.join(" | "));
}
