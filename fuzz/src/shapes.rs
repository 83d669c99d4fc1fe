//! Shapes of every kind out of bytes.

use msd::math::Vec3;
use msd::physics::rigid_body::shape::{
    Capsule, Compound, CompoundPart, Cone, ConvexHull, Cuboid, Cylinder, Ellipsoid, HalfSpace, Rounded,
    Shape, Sphere, TaperedCapsule, TriangleMesh,
};

use crate::bytes::{Bytes, Range};

/// Any shape that its constructor accepts; a ball where it does not.
pub fn any(bytes: &mut Bytes<'_>, range: Range) -> Shape {
    match bytes.choice(13) {
        6 => half_space(bytes, range),
        7 => compound(bytes, range),
        8 => mesh(bytes, range),
        kind => convex(bytes, range, kind),
    }
    .unwrap_or_else(|| Sphere::new(1.0).expect("a radius of 1 m").into())
}

fn convex(bytes: &mut Bytes<'_>, range: Range, kind: u8) -> Option<Shape> {
    let mut length = || bytes.length(range);
    Some(match kind {
        0 => Sphere::new(length()).ok()?.into(),
        1 => Cuboid::new(Vec3::new(length(), length(), length())).ok()?.into(),
        2 => Capsule::new(length(), length()).ok()?.into(),
        3 => Cylinder::new(length(), length()).ok()?.into(),
        4 => Cone::new(length(), length()).ok()?.into(),
        10 => Rounded::new(Cuboid::new(Vec3::new(length(), length(), length())).ok()?, length()).ok()?.into(),
        11 => Rounded::new(Cylinder::new(length(), length()).ok()?, length()).ok()?.into(),
        12 => TaperedCapsule::new(length(), length(), length()).ok()?.into(),
        9 => Ellipsoid::new(Vec3::new(length(), length(), length())).ok()?.into(),
        _ => {
            let size = length();
            let count = 4 + usize::from(bytes.choice(13));
            let points: Vec<Vec3> = (0..count).map(|_| bytes.unit_vector() * size).collect();
            ConvexHull::from_points(&points).ok()?.into()
        }
    })
}

fn half_space(bytes: &mut Bytes<'_>, range: Range) -> Option<Shape> {
    let normal = if bytes.choice(2) == 0 { Vec3::Z } else { bytes.unit_vector() };
    Some(HalfSpace::new(normal, bytes.place(range)).ok()?.into())
}

fn compound(bytes: &mut Bytes<'_>, range: Range) -> Option<Shape> {
    let mut parts = Vec::new();
    for _ in 0..=bytes.choice(3) {
        let kind = bytes.choice(6);
        let shape = convex(bytes, range, kind)?;
        parts.push(CompoundPart { frame: bytes.pose(range), shape });
    }
    Some(Compound::new(parts).ok()?.into())
}

fn mesh(bytes: &mut Bytes<'_>, range: Range) -> Option<Shape> {
    let size = bytes.length(range);
    if bytes.choice(2) == 0 {
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].map(|c| (c + bytes.unit_vector() * 0.1) * size);
        let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        return Some(TriangleMesh::new(corners.to_vec(), faces).ok()?.into());
    }
    let count = 3 + usize::from(bytes.choice(6));
    let vertices: Vec<Vec3> = (0..count).map(|_| bytes.unit_vector() * size).collect();
    let triangles = (0..=bytes.choice(6)).map(|_| [(); 3].map(|()| bytes.index(count) as u32)).collect();
    Some(TriangleMesh::new(vertices, triangles).ok()?.into())
}

/// Largest extent of a bounded shape from its origin, m, roughly; the size of a half-space's offset.
pub fn reach(shape: &Shape) -> f64 {
    match shape {
        Shape::HalfSpace(plane) => plane.offset().abs(),
        _ => [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z]
            .into_iter()
            .filter_map(|axis| shape.support(axis))
            .fold(0.0, |reach, point| if point.length() > reach { point.length() } else { reach }),
    }
}
