//! What lies over the faces beside a contact of edges or corners.
//!
//! Two polytopes that touch with an edge or a corner have one point, or two, and may turn about it: within a step a face comes
//! down that was not part of the contact. The faces that face the contact normal best, one of each shape, are taken as
//! references here. Points of the other shape that lie over them have gaps along their normals: none is negative while
//! the shapes are apart, for a point over a face and below its plane is inside.

use super::assembly;
use super::convex_pair::ConvexPair;
use super::manifold::ContactManifold;
use super::solid::Solid;
use super::support_function::RelativePose;
use crate::math::{ReferenceFrame, Vec3, real};
use crate::physics::rigid_body::shape::Shape;
use crate::tolerance;

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

/// For soft contact: points over a face in the place of a contact of edges or corners, if they are as near to within
/// [`tolerance::SOFT_FACE`] of the smaller size. Frame of A.
///
/// Two boxes on each other, turned about the common normal and tilted by a hair, overlap least along the cross product of two
/// edges: one point, about which both turn until another edge is in the way, from step to step. Pressed together by others they
/// rattle into each other. Over the face they have up to eight points, and rest.
pub(super) fn broaden(pair: &ConvexPair<'_>, margin: f64, known: &mut ContactManifold) {
    let (a, b) = (&pair.a.core, &pair.b.core);
    let few = (1..=2).contains(&known.points().len());
    if !few || a.edge_count().is_none() || b.edge_count().is_none() {
        return;
    }
    let (nearest, count) = (known.deepest(), known.points().len());
    let mut best = tolerance::SOFT_FACE * real::min(a.size(), b.size());
    for found in assembly::points_beside(a, b, &pair.pose, known.normal, margin).into_iter().flatten() {
        let off = (found.deepest() - nearest).abs();
        if found.count() > count && off < best {
            best = off;
            known.clear();
            assembly::round(&found, [0.0; 2], &pair.pose, known);
        }
    }
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

    /// Two unit cubes, one on the other, turned by 45° about the vertical and tilted by up to 0.06 rad about any level axis.
    #[test]
    fn cubes_on_each_other_have_points_over_the_face_where_two_edges_overlap_less() {
        use crate::math::orientation::from_rotation_vector;
        use crate::physics::collision::{ManifoldCache, Recycling};
        let cube: Shape = Cuboid::new(Vec3::ONE).unwrap().into();
        let turn = Quat::from_rotation_z(std::f64::consts::FRAC_PI_4);
        let found = |pose_b: &ReferenceFrame, recycling: Recycling| {
            let mut cache = ManifoldCache::default();
            let poses = [&ReferenceFrame::IDENTITY, pose_b];
            let found = cache.update_by([&cube, &cube], poses, 0.05, recycling)[0].manifold;
            (found.points().len(), found.deepest())
        };
        let (mut of_edges, mut of_edges_still) = (0, 0);
        for k in 0..200 {
            let along = Quat::from_rotation_z(0.1 * f64::from(k)) * Vec3::X;
            let tilt = from_rotation_vector(along * (0.02 + 2e-4 * f64::from(k)));
            let pose_b = ReferenceFrame::new(Vec3::new(0.02, 0.05, 0.97), tilt * turn);
            let (exact, depth) = found(&pose_b, Recycling::Close);
            let (soft, over_face) = found(&pose_b, Recycling::Wide(0.01));
            if exact <= 2 {
                of_edges += 1;
                of_edges_still += usize::from(soft <= 2);
            }
            assert!((depth - over_face).abs() <= tolerance::SOFT_FACE * 0.5, "{depth} {over_face}");
        }
        assert!(of_edges > 20, "there are contacts of edges: {of_edges}");
        assert_eq!(of_edges_still, 0);
    }
}
