//! `ReferenceFrame`: where a frame is and how it is turned, seen from its parent.
//!
//! `x_parent = p + q x_local q⁻¹` for points, `d_parent = q d_local q⁻¹` for directions. Points and directions go
//! through functions with different names because adding a translation to a direction is a bug no type of number
//! reveals. Frames compose left to right: `world_from_a.compose(a_from_b) = world_from_b`.

use serde::{Deserialize, Serialize};

use super::{Coordinate, Mat3, Quat, Vec3, orientation};
use crate::digest::{Fingerprint, parameters};

/// Position and orientation of a frame in its parent (for a body: in the world).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReferenceFrame {
    /// Origin of the frame, in the parent's coordinates, m.
    pub position: Coordinate,
    /// Unit quaternion that takes local directions to the parent's.
    pub orientation: Quat,
}

impl Fingerprint for ReferenceFrame {
    parameters!("frame": position, orientation);
}

impl Default for ReferenceFrame {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl ReferenceFrame {
    /// The parent frame itself.
    pub const IDENTITY: Self = Self { position: Vec3::ZERO, orientation: Quat::IDENTITY };

    /// From position and unit quaternion.
    #[must_use]
    pub const fn new(position: Coordinate, orientation: Quat) -> Self {
        Self { position, orientation }
    }

    /// Moved, not turned.
    #[must_use]
    pub const fn from_position(position: Coordinate) -> Self {
        Self { position, orientation: Quat::IDENTITY }
    }

    /// Turned, not moved.
    #[must_use]
    pub const fn from_orientation(orientation: Quat) -> Self {
        Self { position: Vec3::ZERO, orientation }
    }

    /// Local point to parent point.
    #[must_use]
    pub fn point_to_parent(&self, local: Coordinate) -> Coordinate {
        self.position + self.orientation * local
    }

    /// Parent point to local point.
    #[must_use]
    #[inline]
    pub fn point_to_local(&self, parent: Coordinate) -> Coordinate {
        self.orientation.conjugate() * (parent - self.position)
    }

    /// Local direction (velocity, force, normal, …) to parent direction.
    #[must_use]
    pub fn direction_to_parent(&self, local: Vec3) -> Vec3 {
        self.orientation * local
    }

    /// Parent direction to local direction.
    #[must_use]
    pub fn direction_to_local(&self, parent: Vec3) -> Vec3 {
        self.orientation.conjugate() * parent
    }

    /// A frame given in this one, expressed in the parent.
    #[must_use]
    pub fn compose(&self, inner: &ReferenceFrame) -> ReferenceFrame {
        ReferenceFrame {
            position: self.point_to_parent(inner.position),
            orientation: orientation::normalized(self.orientation * inner.orientation),
        }
    }

    /// A frame given in the parent, expressed in this one: `self.inverse().compose(outer)`.
    #[must_use]
    #[inline]
    pub fn frame_to_local(&self, outer: &ReferenceFrame) -> ReferenceFrame {
        ReferenceFrame {
            position: self.point_to_local(outer.position),
            orientation: orientation::normalized(self.orientation.conjugate() * outer.orientation),
        }
    }

    /// The parent seen from this frame.
    #[must_use]
    pub fn inverse(&self) -> ReferenceFrame {
        let conjugate = self.orientation.conjugate();
        ReferenceFrame { position: -(conjugate * self.position), orientation: conjugate }
    }

    /// The rotation matrix whose columns are the local axes in the parent.
    #[must_use]
    #[inline]
    pub fn rotation(&self) -> Mat3 {
        orientation::rotation_matrix(self.orientation)
    }

    /// True if every number is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.position.is_finite() && self.orientation.is_finite()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector(limit: f64) -> impl Strategy<Value = Vec3> {
        (-limit..limit, -limit..limit, -limit..limit).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    fn frame() -> impl Strategy<Value = ReferenceFrame> {
        (vector(100.0), vector(3.0))
            .prop_map(|(p, phi)| ReferenceFrame::new(p, orientation::from_rotation_vector(phi)))
    }

    #[test]
    fn a_translation_moves_points_and_leaves_directions() {
        let frame = ReferenceFrame::from_position(Vec3::new(1.0, 2.0, 3.0));
        assert_eq!(frame.point_to_parent(Vec3::X), Vec3::new(2.0, 2.0, 3.0));
        assert_eq!(frame.direction_to_parent(Vec3::X), Vec3::X);
    }

    proptest! {
        #[test]
        fn transforms_there_and_back_are_identity(f in frame(), p in vector(100.0)) {
            prop_assert!((f.point_to_local(f.point_to_parent(p)) - p).length() < 1e-12);
            prop_assert!((f.direction_to_local(f.direction_to_parent(p)) - p).length() < 1e-12);
            prop_assert!((f.inverse().point_to_parent(f.point_to_parent(p)) - p).length() < 1e-12);
        }

        #[test]
        fn composition_is_associative_and_matches_points(a in frame(), b in frame(), c in frame(), p in vector(10.0)) {
            let composed = a.compose(&b).point_to_parent(p);
            prop_assert!((composed - a.point_to_parent(b.point_to_parent(p))).length() < 1e-11);
            let left = a.compose(&b).compose(&c);
            let right = a.compose(&b.compose(&c));
            prop_assert!((left.position - right.position).length() < 1e-11);
            prop_assert!(orientation::angle_between(left.orientation, right.orientation) < 1e-14);
            let local = a.frame_to_local(&a.compose(&b));
            prop_assert!((local.position - b.position).length() < 1e-11);
        }

        #[test]
        fn lengths_and_angles_are_kept(f in frame(), u in vector(10.0), v in vector(10.0)) {
            let (fu, fv) = (f.direction_to_parent(u), f.direction_to_parent(v));
            prop_assert!((fu.dot(fv) - u.dot(v)).abs() < 1e-12 * 300.0);
            prop_assert!((fu.cross(fv) - f.direction_to_parent(u.cross(v))).length() < 1e-12 * 300.0);
        }
    }
}
