//! `Pair`: the two bodies of a constraint.

use crate::math::{Coordinate, Vec3};
use crate::physics::rigid_body::InertialState;

/// The two bodies of a constraint at one instant. The world is a body at the origin that never moves.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// Body A.
    pub a: &'a InertialState,
    /// Body B.
    pub b: &'a InertialState,
}

/// A material point of a body, from its centre of mass in body axes; for the world, a point of space.
#[must_use]
pub(super) fn local_point(state: &InertialState, world: Coordinate) -> Vec3 {
    state.orientation.conjugate() * (world - state.center_of_mass)
}

/// A direction in body axes.
#[must_use]
pub(super) fn local_direction(state: &InertialState, world: Vec3) -> Vec3 {
    state.orientation.conjugate() * world
}
