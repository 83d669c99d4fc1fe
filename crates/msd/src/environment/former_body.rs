//! A body as it was before a change, so that the change can be taken back.

use crate::physics::rigid_body::{Inertia, InertialState, RigidBody};

/// A body as it was before a change.
#[derive(Clone, Debug)]
pub(super) struct FormerBody {
    pub(super) slot: usize,
    pub(super) body: RigidBody,
    pub(super) inertia: Inertia,
    pub(super) state: InertialState,
}
