//! `ContactView` and contact events, for users.

use crate::math::{Coordinate, Vec3};
use crate::physics::rigid_body::BodyHandle;

/// One contact point in the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactView {
    /// Body A, the one in the smaller slot.
    pub body_a: BodyHandle,
    /// Body B.
    pub body_b: BodyHandle,
    /// Where, world frame, m: midway between the two surfaces at the end of the step, like the poses of bodies. In the fast tier
    /// within 1 % of the size of the smaller body: its points are carried along with both bodies over that distance.
    pub position: Coordinate,
    /// Unit, world frame, from A to B: the one along which the step solved the contact.
    pub normal: Vec3,
    /// Gap at the end of the step, m; negative is overlap.
    pub gap: f64,
    /// Mean normal force over the step on B along the normal, N, impacts included.
    pub normal_force: f64,
    /// Mean friction force over the step on B, world frame, N.
    pub friction_force: Vec3,
}

impl ContactView {
    /// The same contact with the bodies in each other's place.
    pub(in crate::environment) fn seen_from_b(self) -> Self {
        Self {
            body_a: self.body_b,
            body_b: self.body_a,
            normal: -self.normal,
            friction_force: -self.friction_force,
            ..self
        }
    }

    /// Normal and friction force together, on B, world frame, N.
    #[must_use]
    pub fn force(&self) -> Vec3 {
        self.normal * self.normal_force + self.friction_force
    }
}

/// Two bodies that pressed each other by more than a threshold in the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactForceEvent {
    /// The body in the smaller slot.
    pub body_a: BodyHandle,
    /// The other.
    pub body_b: BodyHandle,
    /// Sum of the normal forces of all points, mean over the step, impacts included, N: the value compared with the threshold.
    pub normal_force: f64,
    /// Sum of all forces on B, mean over the step, world frame, N.
    pub force: Vec3,
    /// The point with the largest normal force.
    pub strongest: ContactView,
}

/// Two bodies that touch, began to or ceased to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContactEvent {
    /// Which of them.
    pub kind: ContactEventKind,
    /// The body in the smaller slot.
    pub body_a: BodyHandle,
    /// The other.
    pub body_b: BodyHandle,
}

/// A contact event of a pair of bodies in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactEventKind {
    /// They touch now and did not in the step before.
    Begin,
    /// They touch now as they did in the step before.
    Persist,
    /// They touched in the step before and do not now.
    End,
}
