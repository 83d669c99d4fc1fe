//! `FreeFlight`: inputs of the contact phase.

use crate::physics::constraints::ConstraintSet;
use crate::physics::rigid_body::{Inertia, InertialState, RigidBody};
use crate::threads::Threads;

/// The bodies during a step, before contact.
#[derive(Debug)]
pub(in crate::environment) struct FreeFlight<'a> {
    pub(in crate::environment) bodies: &'a [RigidBody],
    pub(in crate::environment) inertias: &'a [Inertia],
    pub(in crate::environment) joints: &'a ConstraintSet,
    pub(in crate::environment) before: &'a [InertialState],
    pub(in crate::environment) after: &'a mut [InertialState],
    /// Length of the step and time at its end, s.
    pub(in crate::environment) dt: f64,
    pub(in crate::environment) end: f64,
    pub(in crate::environment) threads: &'a Threads,
}
