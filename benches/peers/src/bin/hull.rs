//! Time to build a convex hull, beside parry3d-f64 and Qhull.
//!
//! Like beside like: `ConvexHull::triangulation` beside parry's `convex_hull` (vertices and triangles only), and
//! `ConvexHull::from_points` (polygons, half-edges, neighbours, canonically numbered) beside parry's
//! `ConvexPolyhedron::from_convex_hull`. Qhull is timed to the end of its facet list.
//!
//! `cargo run --release --features qhull --bin hull` in `benches/peers` prints the table of `benches/results/hull.md`. They take
//! turns on the same points, so that whatever else the machine does hits all of them alike; the least time is the one
//! closest to undisturbed. `hull <msd|triangles|parry|polyhedron|qhull> <on|in> <count> <repeats>` builds with one alone, for a profiler.

use std::hint::black_box;
use std::time::Instant;

use msd::math::Vec3;
use msd::physics::rigid_body::shape::ConvexHull;

const SIZES: [usize; 4] = [10, 100, 1_000, 10_000];
const NAMES: [&str; 5] = ["msd triangles", "parry hull", "msd", "parry polyhedron", "qhull"];
/// How many of them are built; Qhull comes with its feature.
const BUILDERS: usize = if cfg!(feature = "qhull") { 5 } else { 4 };

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [who, place, count, repeats] = &arguments[..] {
        let points = cloud(place == "on", count.parse().expect("a count"));
        let theirs = parry_points(&points);
        for _ in 0..repeats.parse().expect("a count") {
            black_box(match who.as_str() {
                "msd" => engine(black_box(&points)),
                "triangles" => engine_triangles(black_box(&points)),
                "parry" => parry(black_box(&theirs)),
                "polyhedron" => parry_polyhedron(black_box(&theirs)),
                _ => qhull(black_box(&points)),
            });
        }
        return;
    }
    let columns: Vec<String> = NAMES[..BUILDERS].iter().map(|name| format!("{name} min | median")).collect();
    println!("| points | {} | triangles, msd / parry | polyhedron, msd / parry |", columns.join(" | "));
    println!("|{}", "---|".repeat(2 * BUILDERS + 3));
    for on in [true, false] {
        for count in SIZES {
            row(on, count);
        }
    }
}

/// Points on, or in, the unit sphere: xorshift64*, the same on every machine.
fn cloud(on: bool, count: usize) -> Vec<Vec3> {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut uniform = move || {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        (state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let points = std::iter::repeat_with(move || Vec3::new(uniform(), uniform(), uniform()));
    let inside = points.filter(|p| p.length_squared() <= 1.0 && p.length_squared() > 1e-6).take(count);
    inside.map(|p| if on { p.normalize() } else { p }).collect()
}

fn engine(points: &[Vec3]) -> usize {
    ConvexHull::from_points(points).expect("a hull").vertices().len()
}

fn engine_triangles(points: &[Vec3]) -> usize {
    ConvexHull::triangulation(points).expect("a hull").0.len()
}

fn parry_points(points: &[Vec3]) -> Vec<parry3d_f64::math::Vector> {
    points.iter().map(|p| parry3d_f64::math::Vector::new(p.x, p.y, p.z)).collect()
}

fn parry(points: &[parry3d_f64::math::Vector]) -> usize {
    parry3d_f64::transformation::convex_hull(points).0.len()
}

fn parry_polyhedron(points: &[parry3d_f64::math::Vector]) -> usize {
    let hull = parry3d_f64::shape::ConvexPolyhedron::from_convex_hull(points);
    hull.map_or(0, |hull| hull.points().len())
}

#[cfg(feature = "qhull")]
fn qhull(points: &[Vec3]) -> usize {
    let coordinates = points.iter().map(|p| [p.x, p.y, p.z]);
    qhull::Qh::builder().compute(true).build_from_iter(coordinates).expect("a hull").num_vertices()
}

#[cfg(not(feature = "qhull"))]
fn qhull(_: &[Vec3]) -> usize {
    panic!("Qhull is built with `--features qhull` only")
}

fn row(on: bool, count: usize) {
    let points = cloud(on, count);
    let theirs = parry_points(&points);
    let repeats = (400_000 / count).clamp(60, 4_000);
    let mut times = [const { Vec::new() }; BUILDERS];
    let mut sizes = [0; BUILDERS];
    for repeat in 0..repeats {
        for turn in 0..BUILDERS {
            let who = (repeat + turn) % BUILDERS;
            let start = Instant::now();
            sizes[who] = match who {
                0 => engine_triangles(black_box(&points)),
                1 => parry(black_box(&theirs)),
                2 => engine(black_box(&points)),
                3 => parry_polyhedron(black_box(&theirs)),
                _ => qhull(black_box(&points)),
            };
            times[who].push(start.elapsed().as_nanos() as f64 * 1e-3);
        }
    }
    let place = if on { "on" } else { "in" };
    let summary: Vec<[f64; 2]> = times.iter_mut().map(|t| least_and_median(t)).collect();
    let cells: Vec<String> = summary.iter().map(|[a, b]| format!("{a:.1} | {b:.1}")).collect();
    let triangles = summary[0][0] / summary[1][0];
    let polyhedron = summary[2][0] / summary[3][0];
    println!("| {count} {place} | {} | {triangles:.2} | {polyhedron:.2} |", cells.join(" | "));
    if sizes.iter().any(|size| *size != sizes[0]) {
        eprintln!("numbers of vertices differ: {sizes:?}");
    }
}

fn least_and_median(times: &mut [f64]) -> [f64; 2] {
    times.sort_by(f64::total_cmp);
    [times[0], times[times.len() / 2]]
}
