//! A constant force and torque during a span of time.

use super::{Agent, AgentError, Command};
use crate::environment::World;
use crate::math::Vec3;
use crate::physics::integration::LoadFrame;
use crate::physics::rigid_body::BodyHandle;

/// Force (N) through and torque (N·m) about the centre of mass of one body, from one time until another.
///
/// It acts in every step that begins at or after `from` and before `until`.
#[derive(Clone, Debug)]
pub struct ConstantWrench {
    body: BodyHandle,
    force: Vec3,
    torque: Vec3,
    frame: LoadFrame,
    from: f64,
    until: f64,
}

impl ConstantWrench {
    /// A wrench that always acts.
    ///
    /// # Errors
    /// If force or torque is not finite.
    pub fn new(body: BodyHandle, force: Vec3, torque: Vec3, frame: LoadFrame) -> Result<Self, AgentError> {
        for (field, value) in [("force", force), ("torque", torque)] {
            if !value.is_finite() {
                let value = format!("{value:?}");
                return Err(AgentError { agent: "constant-wrench", field, expected: "finite", value });
            }
        }
        Ok(Self { body, force, torque, frame, from: 0.0, until: f64::INFINITY })
    }

    /// The same from `from` until `until` seconds.
    ///
    /// # Errors
    /// If they are not ordered.
    pub fn during(mut self, from: f64, until: f64) -> Result<Self, AgentError> {
        if from.is_nan() || until.is_nan() || from >= until {
            let value = format!("from {from} until {until}");
            return Err(AgentError {
                agent: "constant-wrench",
                field: "from",
                expected: "before until",
                value,
            });
        }
        (self.from, self.until) = (from, until);
        Ok(self)
    }
}

impl Agent for ConstantWrench {
    fn type_name(&self) -> &'static str {
        "constant-wrench"
    }

    fn act(&mut self, world: &World, commands: &mut Vec<Command>) {
        if (self.from..self.until).contains(&world.time()) {
            let Self { body, force, torque, frame, .. } = *self;
            commands.push(Command::Wrench { body, force, torque, frame });
        }
    }

    fn clone_box(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}
