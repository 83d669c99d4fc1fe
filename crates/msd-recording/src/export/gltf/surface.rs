//! Triangles with normals of a recorded geometry: smooth where faces meet at a blunt angle, sharp elsewhere.

use msd::math::{Coordinate, ReferenceFrame, Vec3, orientation};
use msd::physics::rigid_body::shape::ConvexHull;
use msd_assets::generate::{self, Solid};
use msd_assets::{Collision, Primitive};

use crate::RecordingError;

/// A plane has no end; this much of it is drawn, m.
const PLANE_SIZE: f64 = 20.0;
/// Faces whose normals differ by less than 40° are smooth where they meet: the cosine.
const SMOOTH: f64 = 0.766_044_443_118_978;

/// Three positions and normals a triangle.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Surface {
    pub(super) positions: Vec<[f32; 3]>,
    pub(super) normals: Vec<[f32; 3]>,
}

/// The surface of a geometry; `None` if every triangle of it is degenerate.
pub(super) fn of(geometry: &Collision) -> Result<Option<Surface>, RecordingError> {
    let surface = match geometry {
        Collision::Rounded { .. } => of_outline(geometry)?,
        Collision::Primitive(primitive) => of_primitive(primitive)?,
        Collision::Mesh(mesh) => of_triangles(mesh.vertices(), mesh.triangles()),
        Collision::Points(points) => of_hull(points)?,
        Collision::Parts(parts) => {
            let mut whole = Surface::default();
            for points in parts {
                let part = of_hull(points)?;
                whole.positions.extend(part.positions);
                whole.normals.extend(part.normals);
            }
            whole
        }
    };
    Ok(Some(surface).filter(|surface| !surface.positions.is_empty()))
}

fn of_hull(points: &[Coordinate]) -> Result<Surface, RecordingError> {
    let (vertices, triangles) =
        ConvexHull::triangulation(points).map_err(|error| RecordingError::Invalid(error.to_string()))?;
    Ok(of_triangles(&vertices, &triangles))
}

/// The hull of the farthest points of a curved shape.
fn of_outline(geometry: &Collision) -> Result<Surface, RecordingError> {
    let outline = geometry.shape().and_then(|shape| generate::outline(&shape, generate::DEFAULT_SEGMENTS));
    let (vertices, triangles) = outline.map_err(|error| RecordingError::Invalid(error.to_string()))?;
    Ok(of_triangles(&vertices, &triangles))
}

fn of_primitive(primitive: &Primitive) -> Result<Surface, RecordingError> {
    let solid = match *primitive {
        Primitive::Sphere { radius } => Solid::Sphere { radius },
        Primitive::Box { size } => Solid::Box { size },
        Primitive::Capsule { radius, length } => Solid::Capsule { radius, length },
        Primitive::Cylinder { radius, length } => Solid::Cylinder { radius, length },
        Primitive::Cone { radius, length } => Solid::Cone { radius, length },
        Primitive::Ellipsoid { radii } => Solid::Ellipsoid { radii },
        Primitive::TaperedCapsule { .. } => return of_outline(&Collision::Primitive(*primitive)),
        Primitive::Plane { normal, offset } => {
            let turn = orientation::between_directions(Vec3::Z, normal);
            let plate = ReferenceFrame { position: normal * offset, orientation: turn };
            let half = 0.5 * PLANE_SIZE;
            let corner = |x: f64, y: f64| plate.point_to_parent(Vec3::new(x * half, y * half, 0.0));
            let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
            return Ok(of_triangles(&corners, &[[0, 1, 2], [0, 2, 3]]));
        }
    };
    let asset = solid.asset("solid").map_err(|error| RecordingError::Invalid(error.to_string()))?;
    let mesh = asset.visual.as_ref();
    Ok(mesh.map(|mesh| of_triangles(mesh.vertices(), mesh.triangles())).unwrap_or_default())
}

fn of_triangles(vertices: &[Coordinate], triangles: &[[u32; 3]]) -> Surface {
    let corners = |triangle: &[u32; 3]| triangle.map(|vertex| vertices[vertex as usize]);
    // Twice the area times the normal: large faces count for more.
    let areas: Vec<Vec3> = triangles.iter().map(corners).map(|[a, b, c]| (b - a).cross(c - a)).collect();
    let mut around: Vec<Vec<usize>> = vec![Vec::new(); vertices.len()];
    for (face, triangle) in triangles.iter().enumerate() {
        triangle.iter().for_each(|vertex| around[*vertex as usize].push(face));
    }
    let mut surface = Surface::default();
    for (triangle, area) in triangles.iter().zip(&areas) {
        let Some(normal) = area.try_normalize() else { continue };
        for vertex in triangle {
            let smooth = around[*vertex as usize]
                .iter()
                .map(|face| areas[*face])
                .filter(|other| other.dot(normal) > SMOOTH * other.length())
                .fold(Vec3::ZERO, |sum, other| sum + other);
            let shown = smooth.try_normalize().unwrap_or(normal);
            surface.positions.push(vertices[*vertex as usize].to_array().map(|x| x as f32));
            surface.normals.push(shown.to_array().map(|x| x as f32));
        }
    }
    surface
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_is_smooth_and_a_box_is_sharp() {
        let ball = of(&Collision::Primitive(Primitive::Sphere { radius: 2.0 })).unwrap().unwrap();
        for (position, normal) in ball.positions.iter().zip(&ball.normals) {
            let along: f32 = position.iter().zip(normal).map(|(p, n)| p * n).sum();
            assert!(along > 2.0 * 0.99, "{position:?} {normal:?}");
        }
        let cube = of(&Collision::Primitive(Primitive::Box { size: Vec3::ONE })).unwrap().unwrap();
        assert_eq!(cube.positions.len(), 36);
        assert!(cube.normals.iter().all(|normal| normal.iter().filter(|x| x.abs() == 1.0).count() == 1));
    }

    #[test]
    fn triangles_without_an_area_are_left_out() {
        let flat = of_triangles(&[Vec3::ZERO, Vec3::X, Vec3::X * 2.0], &[[0, 1, 2]]);
        assert_eq!(flat, Surface::default());
    }
}
