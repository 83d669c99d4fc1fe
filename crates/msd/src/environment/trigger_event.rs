//! Events of trigger volumes.

use crate::physics::rigid_body::BodyHandle;

/// A body that entered or left a trigger volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TriggerEvent {
    /// The trigger.
    pub trigger: BodyHandle,
    /// The other body.
    pub body: BodyHandle,
    /// Which of both.
    pub kind: TriggerEventKind,
}

/// Kind of event between a trigger and a body in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TriggerEventKind {
    /// It is inside now and was not before the step.
    Enter,
    /// It was inside before the step and is not now.
    Leave,
}
