//! Hulls of any cloud: `ConvexHull::from_points` returns; its result is a valid polyhedron whose corners are points
//! of the cloud, that leaves no point farther outside than its resolution, and that depends on the set of points only.

use msd::math::Vec3;
use msd::physics::rigid_body::shape::{ConvexHull, Geometry};
use msd::tolerance;

use crate::bytes::{Bytes, Range};

/// Coordinates from which the squares and products of these checks themselves may leave f64.
const OVERFLOW: f64 = 1e100;

pub fn check(bytes: &[u8]) {
    let points = cloud(&mut Bytes::new(bytes));
    let Ok(hull) = ConvexHull::from_points(&points) else { return };
    assert!(points.iter().all(|p| p.is_finite()), "a hull of points that are not finite");
    if let Err(defect) = hull.validate() {
        panic!("{defect}\n{points:?}");
    }
    for vertex in hull.vertices() {
        assert!(points.contains(vertex), "corner {vertex:?} is no point of the cloud\n{points:?}");
    }
    let largest = points.iter().fold(0.0, |most, p| f64::max(most, p.abs().max_element()));
    let outside = hull.resolution() + tolerance::HULL_CONVEXITY * largest;
    for face in hull.faces().iter().filter(|_| largest < OVERFLOW) {
        let from = hull.vertices()[hull.half_edges()[face.first_edge as usize].origin as usize];
        for point in &points {
            let height = face.normal.dot(*point - from);
            assert!(height <= outside, "{point:?} is {height} m outside, {outside} m allowed\n{points:?}");
        }
    }
    if largest < OVERFLOW && thickness(&hull) > 16.0 * hull.resolution() {
        for point in &points {
            let off = hull.signed_distance(*point) / hull.resolution();
            assert!(hull.contains(*point), "{point:?} is {off} resolutions outside\n{points:?}");
        }
    }
    let again: Vec<Vec3> = points.iter().rev().chain(&points[..points.len() / 2]).copied().collect();
    assert!(
        ConvexHull::from_points(&again).is_ok_and(|other| other == hull),
        "the hull depends on order or duplicates\n{points:?}"
    );
}

/// How far the corners are above the face they are least above: the thickness of a sheet.
fn thickness(hull: &ConvexHull) -> f64 {
    let below =
        |face| hull.vertices().iter().fold(0.0, |most, v| f64::max(most, -hull.height_above(face, *v)));
    hull.faces().iter().map(below).fold(f64::INFINITY, f64::min)
}

fn cloud(bytes: &mut Bytes<'_>) -> Vec<Vec3> {
    let kind = bytes.choice(8);
    let scale = if kind == 0 { 1.0 } else { bytes.length(Range::Finite) };
    let offset = if bytes.choice(2) == 0 { Vec3::ZERO } else { bytes.position(Range::World) * scale };
    let turn = bytes.orientation();
    let mut points: Vec<Vec3> = Vec::new();
    while !bytes.is_empty() && points.len() < 200 {
        let point = match kind {
            0 => Vec3::new(bytes.any_number(), bytes.any_number(), bytes.any_number()),
            1 => {
                let lattice = bytes.byte();
                Vec3::new(f64::from(lattice & 3), f64::from(lattice >> 2 & 3), f64::from(lattice >> 4 & 3))
            }
            2 => Vec3::new(bytes.unit(), bytes.unit(), f64::from(bytes.byte() as i8) * f64::EPSILON),
            3 => Vec3::X * bytes.unit() + bytes.unit_vector() * (4.0 * f64::EPSILON),
            4 => bytes.unit_vector().normalize_or_zero(),
            5 if !points.is_empty() => {
                let (a, b) = (points[bytes.index(points.len())], points[bytes.index(points.len())]);
                let between = a + (b - a) * bytes.unit();
                points.push(between + (between * (f64::from(bytes.byte() as i8) * f64::EPSILON)));
                continue;
            }
            _ => bytes.unit_vector(),
        };
        points.push(if kind == 0 { point } else { turn * (point * scale) + offset });
    }
    points
}
