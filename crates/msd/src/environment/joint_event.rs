//! Loads at which joints break, latches, and the events of both in a step.

use serde::{Deserialize, Serialize};

use crate::physics::constraints::{ConstraintHandle, Reaction};
use crate::physics::rigid_body::{BodyHandle, InertialState};

/// Load beyond which a joint breaks: the reaction on its body B, mean over a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BreakLoad {
    /// N; infinite for a joint that no force breaks.
    pub force: f64,
    /// N·m about the anchor; infinite for a joint that no torque breaks.
    pub torque: f64,
}

impl BreakLoad {
    /// Broken by a force, N, and by no torque.
    #[must_use]
    pub fn force(newtons: f64) -> Self {
        Self { force: newtons, torque: f64::INFINITY }
    }

    pub(super) fn is_exceeded(&self, reaction: &Reaction) -> bool {
        reaction.force.length() > self.force || reaction.torque.length() > self.torque
    }
}

/// A joint that broke or latched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointEvent {
    /// The joint.
    pub joint: ConstraintHandle,
    /// Kind of the event.
    pub kind: JointEventKind,
}

/// Kind of event of a joint in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JointEventKind {
    /// Its load was exceeded: it is off now.
    Broken,
    /// Its bodies touched: it holds them now.
    Latched,
}

/// A joint that closes on contact.
#[derive(Clone, Debug)]
pub(super) struct Latch {
    pub(super) ends: [BodyHandle; 2],
    /// States of its ends that the joint in its slot holds; `None` while it is open.
    pub(super) holds: Option<[InertialState; 2]>,
}
