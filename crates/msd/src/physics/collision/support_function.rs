//! Support functions and the Minkowski difference of a pair.
//!
//! A convex set is known by its support function: for a direction `d`, a point of the set farthest along `d`.
//! Two sets A and B share a point if and only if their Minkowski difference `A ⊖ B = { a - b }` contains the
//! origin; the nearest point of the difference to the origin is the shortest way from B to A. Its support
//! function is `support_A(d) - support_B(-d)`.
//!
//! Everything is in the frame of A: only the pose of B relative to A enters, computed from the difference of
//! the two positions, so that a pair 7 000 km from the origin is the same pair.

use crate::math::orientation::rotation_matrix_of_any;
use crate::math::{Coordinate, Mat3, ReferenceFrame, Vec3};
use crate::physics::rigid_body::shape::Convex;

/// "No vertex": the support point lies on a curved surface.
pub const NO_VERTEX: u32 = u32::MAX;

/// A bounded convex set given by its support points, in its local frame.
pub trait SupportFunction {
    /// A point of the set farthest along `direction` (any length but zero).
    fn support(&self, direction: Vec3) -> Coordinate;

    /// The same with the number of the vertex, searched from the vertex `hint` if that helps; [`NO_VERTEX`] where
    /// the set has no vertices.
    fn support_vertex(&self, direction: Vec3, _hint: u32) -> (Coordinate, u32) {
        (self.support(direction), NO_VERTEX)
    }

    /// The vertex of a number that [`SupportFunction::support_vertex`] gave; `None` where there are none.
    fn vertex(&self, _number: u32) -> Option<Coordinate> {
        None
    }
}

impl<T: Convex + ?Sized> SupportFunction for T {
    fn support(&self, direction: Vec3) -> Coordinate {
        Convex::support(self, direction)
    }
}

/// Pose of B in the frame of A: `x_A = rotation x_B + translation`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelativePose {
    /// Takes directions of B's frame to A's.
    pub rotation: Mat3,
    /// Origin of B in A's frame, m.
    pub translation: Vec3,
}

impl RelativePose {
    /// From the poses of both in a common parent.
    #[must_use]
    pub fn between(a: &ReferenceFrame, b: &ReferenceFrame) -> Self {
        let turn = a.orientation.conjugate() * b.orientation;
        Self { rotation: rotation_matrix_of_any(turn), translation: a.point_to_local(b.position) }
    }

    /// From the frame of B in that of A.
    #[must_use]
    pub fn of(b_in_a: &ReferenceFrame) -> Self {
        Self { rotation: b_in_a.rotation(), translation: b_in_a.position }
    }

    /// A point of B's frame in A's.
    #[must_use]
    pub fn point(&self, in_b: Coordinate) -> Coordinate {
        self.rotation * in_b + self.translation
    }

    /// A direction of B's frame in A's.
    #[must_use]
    pub fn direction(&self, in_b: Vec3) -> Vec3 {
        self.rotation * in_b
    }

    /// A point of A's frame in B's.
    #[must_use]
    pub fn point_to_b(&self, in_a: Coordinate) -> Coordinate {
        self.direction_to_b(in_a - self.translation)
    }

    /// A direction of A's frame in B's.
    #[must_use]
    pub fn direction_to_b(&self, in_a: Vec3) -> Vec3 {
        let r = &self.rotation;
        Vec3::new(r.x_axis.dot(in_a), r.y_axis.dot(in_a), r.z_axis.dot(in_a))
    }
}

/// A point of `A ⊖ B` with the two points it comes from; frame of A, m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MinkowskiVertex {
    /// `on_a - on_b`.
    pub point: Vec3,
    /// The point of A.
    pub on_a: Coordinate,
    /// The point of B.
    pub on_b: Coordinate,
    /// Which vertices of A and B they are; [`NO_VERTEX`] on curved surfaces.
    pub vertices: [u32; 2],
}

impl MinkowskiVertex {
    pub(super) const ZERO: Self =
        Self { point: Vec3::ZERO, on_a: Vec3::ZERO, on_b: Vec3::ZERO, vertices: [0; 2] };
}

/// The Minkowski difference `A ⊖ B` of two sets in a relative pose.
#[derive(Debug)]
pub struct MinkowskiDifference<'a, A: ?Sized, B: ?Sized> {
    /// The first set, in whose frame everything is.
    pub a: &'a A,
    /// The second set.
    pub b: &'a B,
    /// Where B is.
    pub pose: RelativePose,
}

impl<A: ?Sized, B: ?Sized> Clone for MinkowskiDifference<'_, A, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: ?Sized, B: ?Sized> Copy for MinkowskiDifference<'_, A, B> {}

impl<'a, A: SupportFunction + ?Sized, B: SupportFunction + ?Sized> MinkowskiDifference<'a, A, B> {
    /// From two sets placed in a common parent frame.
    #[must_use]
    pub fn new(a: &'a A, pose_a: &ReferenceFrame, b: &'a B, pose_b: &ReferenceFrame) -> Self {
        Self { a, b, pose: RelativePose::between(pose_a, pose_b) }
    }

    /// The point of the difference farthest along `direction` (frame of A), searched from the vertices `hints`.
    #[must_use]
    #[inline(always)]
    pub fn support(&self, direction: Vec3, hints: [u32; 2]) -> MinkowskiVertex {
        let (on_a, vertex_a) = self.a.support_vertex(direction, hints[0]);
        let (local_b, vertex_b) = self.b.support_vertex(-self.pose.direction_to_b(direction), hints[1]);
        let on_b = self.pose.point(local_b);
        MinkowskiVertex { point: on_a - on_b, on_a, on_b, vertices: [vertex_a, vertex_b] }
    }

    /// How far the difference reaches along a unit direction from the origin, m: the depth by which the sets overlap
    /// along it, or minus the gap.
    #[must_use]
    #[inline]
    pub fn reach(&self, unit_direction: Vec3) -> f64 {
        unit_direction.dot(self.support(unit_direction, [0; 2]).point)
    }

    /// The vertex pair of the given numbers in the present pose, if both sets have them.
    #[must_use]
    pub fn vertex(&self, vertices: [u32; 2]) -> Option<MinkowskiVertex> {
        let on_a = self.a.vertex(vertices[0])?;
        let on_b = self.pose.point(self.b.vertex(vertices[1])?);
        Some(MinkowskiVertex { point: on_a - on_b, on_a, on_b, vertices })
    }
}
