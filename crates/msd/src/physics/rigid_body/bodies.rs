//! Read-only views of all bodies at one instant, as fields, constraints and integrators see them.

use super::{BodyHandle, Inertia, InertialState, RigidBody};
use crate::math::{Coordinate, Mat3, Vec3, orientation};

/// All bodies of a world at one instant. The three slices are indexed by [`BodyHandle::slot`].
#[derive(Clone, Copy, Debug)]
pub struct Bodies<'a> {
    /// Constants of the bodies.
    pub bodies: &'a [RigidBody],
    /// Mass and inertia now (they change where mass flows).
    pub inertias: &'a [Inertia],
    /// Where everything is and how it moves now.
    pub states: &'a [InertialState],
}

impl<'a> Bodies<'a> {
    /// Number of slots, unused ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// True if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The body in a slot.
    #[must_use]
    pub fn view(&self, slot: usize) -> BodyView<'a> {
        BodyView { slot, body: &self.bodies[slot], inertia: &self.inertias[slot], state: &self.states[slot] }
    }

    /// The body of a handle that the world has checked.
    #[must_use]
    pub fn get(&self, handle: BodyHandle) -> BodyView<'a> {
        self.view(handle.slot())
    }

    /// All slots in order.
    pub fn iter(&self) -> impl Iterator<Item = BodyView<'a>> + use<'a> {
        let all = *self;
        (0..all.len()).map(move |slot| all.view(slot))
    }
}

/// One body at one instant: constants, mass, pose and twist.
#[derive(Clone, Copy, Debug)]
pub struct BodyView<'a> {
    /// Its place in the slices.
    pub slot: usize,
    /// Constants: name, kind, material, named properties.
    pub body: &'a RigidBody,
    /// Mass and inertia now.
    pub inertia: &'a Inertia,
    /// Position of the centre of mass, orientation, velocities.
    pub state: &'a InertialState,
}

impl BodyView<'_> {
    /// kg; infinite for a body that forces do not move.
    #[must_use]
    pub fn mass(&self) -> f64 {
        self.inertia.mass()
    }

    /// Rotation matrix, body to world.
    #[must_use]
    pub fn rotation(&self) -> Mat3 {
        orientation::rotation_matrix(self.state.orientation)
    }

    /// A point given relative to the centre of mass in body axes, in the world.
    #[must_use]
    pub fn point_to_world(&self, from_center_of_mass_body: Vec3) -> Coordinate {
        self.state.center_of_mass + self.state.orientation * from_center_of_mass_body
    }

    /// A body-frame direction in the world.
    #[must_use]
    pub fn direction_to_world(&self, direction_body: Vec3) -> Vec3 {
        self.state.orientation * direction_body
    }
}
