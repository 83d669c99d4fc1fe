//! `FastStep`: the inputs that all batches of a step share.

use super::super::contact_constraint::ContactConstraint;
use super::super::contact_hook::Responses;
use super::super::free_flight::FreeFlight;
use super::super::joint_row::JointRows;
use super::super::settings::ContactSettings;
use crate::physics::collision::CollisionDetector;
use crate::physics::rigid_body::Acceleration;

/// Read-only inputs of a step of the fast tier.
#[derive(Clone, Copy)]
pub(in crate::environment::contact) struct FastStep<'a> {
    pub(in crate::environment::contact) detector: &'a CollisionDetector,
    pub(in crate::environment::contact) responses: &'a Responses,
    /// Contact constraints of the islands that were given as such.
    pub(in crate::environment::contact) candidates: &'a [ContactConstraint],
    pub(in crate::environment::contact) settings: &'a ContactSettings,
    pub(in crate::environment::contact) flight: &'a FreeFlight<'a>,
    pub(in crate::environment::contact) joints: &'a JointRows,
    /// Forces that warm-start the rows of joints, N or N·m, by key.
    pub(in crate::environment::contact) row_forces: &'a [f64],
    /// Accelerations of all bodies without gyroscopic terms, by slot; may be empty.
    pub(in crate::environment::contact) free_acceleration: &'a [Acceleration],
    /// Factor from cached contact impulses to those of this step; `None` if there was no step before.
    pub(in crate::environment::contact) scale: Option<f64>,
}
