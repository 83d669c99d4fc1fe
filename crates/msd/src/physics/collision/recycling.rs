//! Contact recycling: moving the manifolds of a pair with the bodies instead of recomputing them.
//!
//! A manifold stores the relative pose it was built at. Recycled, its points keep their positions on both
//! bodies and its normal rotates with A; the neglected terms are of second order in the change of pose,
//! `δ²/size`, and do not accumulate, since the change is measured from the pose of building. Two rules limit
//! δ:
//!
//! - *close*: a small part of the margin, below the resolution of exact contact, and without rotation.
//! - *wide*: a given distance, for soft contact, which overlaps by more. Points that may touch within the
//!   step must have been within the margin of building: with closing motion `margin - distance`,
//!   `margin - distance + δ ≤ margin then`.
//!
//! box3d introduced contact recycling for moving pairs.

use serde::{Deserialize, Serialize};

use crate::math::ReferenceFrame;
use crate::physics::rigid_body::shape::{Aabb, Geometry, Shape};

/// Change of the relative pose (of a point on B) up to which a manifold is recycled, relative to the contact
/// margin. tuned: the neglected gap is of second order, 1e-4 of the margin for a shape as small as the
/// margin.
const RECYCLE: f64 = 1e-2;

/// Rotation of B against A up to which a manifold is recycled, rad. Its normal goes with A also where it is that of a face of B, or across
/// two edges, and is off by as much.
const RECYCLE_TURN: f64 = 1e-8;

/// Margin down to which a manifold is recycled, relative to the margin it was built with. tuned: it then has
/// points beyond the margin, with gaps up to twice that.
const RECYCLE_MARGIN: f64 = 0.5;

/// How far a pair may have moved for its contacts to be recycled.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Recycling {
    /// By 1e-2 of the margin.
    #[default]
    Close,
    /// By this distance, m.
    Wide(f64),
}

/// The relative pose at which the manifolds of a pair were built, or at which it was separated.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct BuiltAt {
    /// Pose of B in A by [`seen_from`].
    pub(super) b_in_a: ReferenceFrame,
    pub(super) margin: f64,
    /// Distance of the farthest anchor of B from its origin (for a separated or widely recycled pair: of the
    /// farthest point): the lever arm of a rotation.
    pub(super) reach: f64,
    /// Proven gap of the pair; zero where there are contacts.
    pub(super) gap: f64,
}

impl BuiltAt {
    /// True if the manifolds can be recycled for this pose. A smaller margin leaves points beyond it, which
    /// are harmless; one larger by less than the neglected terms misses no point that matters. Points on
    /// round surfaces do not rotate with the material, so these allow no rotation.
    pub(super) fn holds_at(
        &self,
        b_in_a: &ReferenceFrame,
        margin: f64,
        recycling: Recycling,
        rolls: impl Fn() -> bool,
    ) -> bool {
        let (q, p) = (b_in_a.orientation, self.b_in_a.orientation);
        let moved_squared = b_in_a.position.distance_squared(self.b_in_a.position);
        // The chord 4 sin(θ/4) of the half-angle quaternions is not less than the 2 sin(θ/2) a point moves.
        let chord_squared = (if q.dot(p) < 0.0 { q + p } else { q - p }).length_squared();
        let turned_squared = 4.0 * chord_squared * self.reach * self.reach;
        // Also where B is a point: a normal fixed in a sphere A rotates with it.
        let rolled = || chord_squared > 0.0 && rolls();
        if self.gap > 0.0 {
            return moved_squared.sqrt() + turned_squared.sqrt() + margin < self.gap;
        }
        match recycling {
            Recycling::Close => {
                let allowed = RECYCLE * self.margin;
                margin <= self.margin + allowed
                    && margin >= RECYCLE_MARGIN * self.margin
                    && moved_squared <= allowed * allowed
                    && 4.0 * chord_squared <= RECYCLE_TURN * RECYCLE_TURN
                    && !rolled()
            }
            Recycling::Wide(distance) => {
                let change = moved_squared.sqrt() + turned_squared.sqrt();
                change <= distance && margin + change <= self.margin + distance && !rolled()
            }
        }
    }
}

/// B in the frame of A, without normalizing its quaternion; only compared with itself.
pub(super) fn seen_from(pose_a: &ReferenceFrame, pose_b: &ReferenceFrame) -> ReferenceFrame {
    let orientation = pose_a.orientation.conjugate() * pose_b.orientation;
    ReferenceFrame::new(pose_a.point_to_local(pose_b.position), orientation)
}

/// True if contact points roll over the shape, or over some part of it.
pub(super) fn rolls(shape: &Shape) -> bool {
    match shape {
        Shape::Sphere(_)
        | Shape::Capsule(_)
        | Shape::Cylinder(_)
        | Shape::Cone(_)
        | Shape::Ellipsoid(_)
        | Shape::Rounded(_)
        | Shape::TaperedCapsule(_) => true,
        Shape::Compound(compound) => compound.parts().iter().any(|part| rolls(&part.shape)),
        Shape::Box(_) | Shape::HalfSpace(_) | Shape::Hull(_) | Shape::Mesh(_) => false,
    }
}

/// Upper bound of the distance of a point of the shape from the origin of its frame, m; infinite if
/// unbounded.
pub(super) fn reach_of(shape: &Shape) -> f64 {
    if !shape.is_bounded() {
        return f64::INFINITY;
    }
    let bounds = local_bounds(shape);
    bounds.min.abs().max(bounds.max.abs()).length()
}

/// The local bounding box of a shape.
pub(crate) fn local_bounds(shape: &Shape) -> Aabb {
    match shape {
        Shape::Hull(hull) => hull.local_bounding_box(),
        Shape::Mesh(mesh) => mesh.local_bounding_box(),
        _ => shape.bounding_box(&ReferenceFrame::IDENTITY),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Quat, Vec3};
    use crate::physics::collision::ManifoldCache;
    use crate::physics::rigid_body::shape::{Compound, CompoundPart, Cuboid};

    /// A ring of four walls, its inside 4 m wide, and a cube of 1 m that goes from its middle to a wall, turning.
    #[test]
    fn a_cube_inside_a_ring_is_not_looked_at_before_it_can_have_reached_a_wall() {
        let cube: Shape = Cuboid::new(Vec3::ONE).unwrap().into();
        let wall: Shape = Cuboid::new(Vec3::new(1.0, 6.0, 1.0)).unwrap().into();
        let part = |k: i32| {
            let turn = Quat::from_rotation_z(f64::from(k) * std::f64::consts::FRAC_PI_2);
            CompoundPart { frame: ReferenceFrame::new(turn * Vec3::X * 2.5, turn), shape: wall.clone() }
        };
        let ring: Shape = Compound::new((0..4).map(part).collect()).unwrap().into();
        let (mut cache, margin) = (ManifoldCache::default(), 0.01);
        let mut looks = 0;
        for step in 0..=300 {
            let way = 0.005 * f64::from(step);
            let at = ReferenceFrame::new(Vec3::X * way, Quat::from_rotation_x(0.1 * way));
            let poses = [&ReferenceFrame::IDENTITY, &at];
            looks += u32::from(!cache.refresh([&ring, &cube], poses, margin, Recycling::Close));
            let mut anew = ManifoldCache::default();
            anew.refresh([&ring, &cube], poses, margin, Recycling::Close);
            let points =
                |cache: &ManifoldCache| cache.manifolds().iter().map(|m| m.manifold.points().len()).sum();
            let (kept, found): (usize, usize) = (points(&cache), points(&anew));
            assert_eq!(kept, found, "at {way} m");
        }
        assert!(cache.manifolds().len() == 1, "it has reached one of the walls");
        assert!(looks < 30, "{looks} looks in 300 steps");
    }
}
