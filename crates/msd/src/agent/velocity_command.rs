//! Velocity control, as from a keyboard or a joystick.
//!
//! The pilot sets a velocity and an angular velocity, in the world or in body axes; the agent pushes with
//! `F = k_v m (v_wanted - v)` and turns with `τ = k_ω I (ω_wanted - ω)`, both limited. With gain k the error
//! decays as `exp(-k t)` while the limits are not reached.

use super::{Agent, AgentError, Command, at_least_zero};
use crate::environment::World;
use crate::math::Vec3;
use crate::physics::integration::LoadFrame;
use crate::physics::rigid_body::BodyHandle;

const NAME: &str = "velocity-command";

/// Drives one body towards its target velocity.
#[derive(Clone, Debug)]
pub struct VelocityCommand {
    body: BodyHandle,
    frame: LoadFrame,
    gain: f64,
    max_force: f64,
    max_torque: f64,
    velocity: Vec3,
    angular_velocity: Vec3,
}

impl VelocityCommand {
    /// `gain` in 1/s, limits in N and N·m; the initial target is rest.
    ///
    /// # Errors
    /// If a value is negative or not finite.
    pub fn new(
        body: BodyHandle,
        frame: LoadFrame,
        gain: f64,
        max_force: f64,
        max_torque: f64,
    ) -> Result<Self, AgentError> {
        Ok(Self {
            body,
            frame,
            gain: at_least_zero(NAME, "gain", gain)?,
            max_force: at_least_zero(NAME, "max_force", max_force)?,
            max_torque: at_least_zero(NAME, "max_torque", max_torque)?,
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
        })
    }

    /// Sets the target velocity (m/s) and angular velocity (rad/s) in the agent's frame.
    pub fn set_target_velocity(&mut self, velocity: Vec3, angular_velocity: Vec3) {
        self.velocity = velocity;
        self.angular_velocity = angular_velocity;
    }
}

impl Agent for VelocityCommand {
    fn type_name(&self) -> &'static str {
        NAME
    }

    fn act(&mut self, world: &World, commands: &mut Vec<Command>) {
        let Ok(view) = world.body(self.body) else { return };
        let to_world = |v: Vec3| match self.frame {
            LoadFrame::World => v,
            LoadFrame::Body => view.state.orientation * v,
        };
        let velocity_error = to_world(self.velocity) - view.state.velocity;
        let spin_error = to_world(self.angular_velocity) - view.state.angular_velocity;
        let tensor = view.inertia.tensor_world(&view.rotation());
        let force = limited(velocity_error * (self.gain * view.mass()), self.max_force);
        let torque = limited(tensor * spin_error * self.gain, self.max_torque);
        commands.push(Command::Wrench { body: self.body, force, torque, frame: LoadFrame::World });
    }

    fn clone_box(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

fn limited(v: Vec3, longest: f64) -> Vec3 {
    let length = v.length();
    if length > longest { v * (longest / length) } else { v }
}
