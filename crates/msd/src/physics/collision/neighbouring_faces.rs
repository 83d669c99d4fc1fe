//! What lies over the faces beside a contact of edges or corners.
//!
//! Two polytopes that touch with an edge or a corner have one point, or two, and may turn about it: within a step a face comes
//! down that was not part of the contact. The faces that face the contact normal best, one of each shape, are taken as
//! references here. Points of the other shape that lie over them have gaps along their normals: none is negative while
//! the shapes are apart, for a point over a face and below its plane is inside.

use super::assembly;
use super::manifold::ContactManifold;
use super::solid::Solid;
use super::support_function::RelativePose;
use crate::math::{ReferenceFrame, Vec3};
use crate::physics::rigid_body::shape::Shape;

/// Points over the face of A, and over that of B, that face `normal` (unit, world, from A to B) best, with gaps up to
/// `margin` metres; empty where a shape has no face. Anchors are in the frames of the shapes, places are not filled in.
pub(crate) fn neighbouring_faces(
    a: &Shape,
    pose_a: &ReferenceFrame,
    b: &Shape,
    pose_b: &ReferenceFrame,
    normal: Vec3,
    margin: f64,
) -> [ContactManifold; 2] {
    let (Some(convex_a), Some(convex_b)) = (a.as_convex(), b.as_convex()) else {
        return [ContactManifold::EMPTY; 2];
    };
    let (a, b): (Solid<'_>, Solid<'_>) = (convex_a.into(), convex_b.into());
    if a.core.edge_count().is_none() || b.core.edge_count().is_none() {
        return [ContactManifold::EMPTY; 2];
    }
    let pose = RelativePose::between(pose_a, pose_b);
    let along = pose_a.direction_to_local(normal);
    assembly::points_beside(&a.core, &b.core, &pose, along, margin).map(|found| {
        let mut manifold = ContactManifold::EMPTY;
        if let Some(found) = found {
            assembly::round(&found, [0.0; 2], &pose, &mut manifold);
        }
        manifold.normal = pose_a.direction_to_parent(manifold.normal);
        manifold
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Quat;
    use crate::physics::rigid_body::shape::Cuboid;

    /// Two unit cubes turned by 45° about x and y, one above the other: the upper edge of A crosses the lower one of B.
    #[test]
    fn edges_that_cross_have_points_over_the_faces_beside_them() {
        let cube: Shape = Cuboid::new(Vec3::ONE).unwrap().into();
        let (eighth, gap) = (std::f64::consts::FRAC_PI_4, 0.01);
        let height = std::f64::consts::SQRT_2 + gap;
        let tilt = Quat::from_rotation_y(0.1);
        let pose_a = ReferenceFrame::new(Vec3::ZERO, Quat::from_rotation_x(eighth));
        let pose_b = ReferenceFrame::new(Vec3::Z * height, tilt * Quat::from_rotation_y(eighth));
        let [of_a, of_b] = neighbouring_faces(&cube, &pose_a, &cube, &pose_b, Vec3::Z, 0.2);
        for faces in [of_a, of_b] {
            assert!(!faces.is_empty());
            assert!(
                faces.points().iter().all(|point| point.distance >= 0.0),
                "the cubes are apart: {faces:?}"
            );
            assert!(faces.deepest() < 0.02, "about as near as the edges: {}", faces.deepest());
        }
    }
}
