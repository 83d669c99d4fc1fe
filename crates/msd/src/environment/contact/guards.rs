//! Points over the faces beside a contact of edges or corners, for bodies that turn.
//!
//! A contact of one point, or of two, lets bodies turn about it. In a step in which they move by more than the margin of rest,
//! a face may come down beside it that the contact does not know, and bodies would end up inside each other by a tenth of
//! their size. The points over the neighbouring faces take part as candidates of their own. They start with no impulse and leave
//! none: in the next step they are contacts, or not.

use super::candidate::{Candidate, Grip, Origin, Sides};
use crate::math::{Vec3, frame_of_normal, real};
use crate::physics::collision::{ContactPoint, PersistentManifold, neighbouring_faces};
use crate::physics::rigid_body::{BodyView, Material};

/// Adds the points with gaps up to `margin` metres that the manifolds of a pair do not have.
pub(super) fn add(
    candidates: &mut Vec<Candidate>,
    manifolds: &[PersistentManifold],
    [a, b]: [&BodyView<'_>; 2],
    sides: &Sides<'_>,
    material: Material,
    margin: f64,
) {
    let [PersistentManifold { manifold: known, .. }] = manifolds else { return };
    let (Some(shape_a), Some(shape_b)) = (&a.body.shape, &b.body.shape) else { return };
    if known.points().len() > 2 {
        return;
    }
    let (pose_a, pose_b) = (a.body.frame(a.state), b.body.frame(b.state));
    let found = neighbouring_faces(shape_a, &pose_a, shape_b, &pose_b, known.normal, margin);
    for (number, found) in found.iter().enumerate() {
        let origin = Origin::nowhere(number as u32);
        let frame = frame_of_normal(found.normal);
        for point in found.points() {
            // Of bodies inside each other it only keeps them from going deeper.
            let point = ContactPoint { distance: real::max(point.distance, 0.0), ..*point };
            let grip = Grip::of(&point, [false; 2]);
            let warm = Vec3::ZERO;
            candidates.push(Candidate::new(origin, &point, frame, sides, grip, material, warm));
        }
    }
}
