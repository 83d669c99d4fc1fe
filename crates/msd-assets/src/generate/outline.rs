//! Triangles of a rounded shape, for pictures.

use msd::math::{Coordinate, Vec3};
use msd::physics::rigid_body::shape::{ConvexHull, GeometryError, Shape};

use super::round;

/// The surface of a bounded convex shape as the hull of its farthest points along even directions, `segments` to a great
/// circle: inside the true surface, exact on flat faces.
///
/// # Errors
/// The shape has no volume in double precision.
pub fn outline(shape: &Shape, segments: u32) -> Result<(Vec<Coordinate>, Vec<[u32; 3]>), GeometryError> {
    let (directions, _) = round::icosphere(1.0, segments);
    let farthest = |direction: &Vec3| shape.support(*direction);
    // Across flat faces the farthest points are corners on every side of the axes.
    let around = directions.iter().flat_map(|d| [*d, d.with_x(0.0), d.with_y(0.0), d.with_z(0.0)]);
    let points: Vec<Coordinate> =
        around.filter(|d| *d != Vec3::ZERO).filter_map(|direction| farthest(&direction)).collect();
    ConvexHull::triangulation(&points)
}
