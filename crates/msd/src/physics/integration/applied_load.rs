//! Forces and torques a user or an agent applies to one body for one step.
//!
//! A load turns with the body inside the step where it says so: a body-frame thrust keeps pointing along the nozzle
//! at every stage of an integrator, and a force at a material point keeps its lever arm `R r`.

use serde::{Deserialize, Serialize};

use crate::math::Vec3;
use crate::physics::rigid_body::{InertialState, Wrench};

/// The frame in which a load keeps its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LoadFrame {
    /// Constant in the world.
    World,
    /// Turns with the body.
    Body,
}

/// A force and a torque on the body in `slot`, held during one step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AppliedLoad {
    /// The body.
    pub slot: usize,
    /// N, in `frame`.
    pub force: Vec3,
    /// N·m about the centre of mass, in `frame`.
    pub torque: Vec3,
    /// Frame of force and torque.
    pub frame: LoadFrame,
    /// Where the force acts: material point relative to the centre of mass, body axes, m.
    pub point_body: Vec3,
}

impl AppliedLoad {
    /// The load as force through and torque about the centre of mass, world frame, with the body in `state`.
    #[must_use]
    pub fn wrench(&self, state: &InertialState) -> Wrench {
        let (force, torque) = match self.frame {
            LoadFrame::World => (self.force, self.torque),
            LoadFrame::Body => (state.orientation * self.force, state.orientation * self.torque),
        };
        let lever = state.orientation * self.point_body;
        Wrench { force, torque: torque + lever.cross(force) }
    }
}
