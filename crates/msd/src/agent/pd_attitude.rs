//! PD attitude control.
//!
//! With φ the rotation vector (world frame, angle at most π) that takes the target to the body's orientation,
//! `τ = -k φ - d (ω - ω_target)`, its length limited to the largest torque the actuators give.

use super::{Agent, AgentError, Command, at_least_zero};
use crate::environment::World;
use crate::math::{Quat, Vec3, orientation};
use crate::physics::integration::LoadFrame;
use crate::physics::rigid_body::BodyHandle;
use crate::tolerance;

/// Rotates one body to a target orientation.
#[derive(Clone, Debug)]
pub struct PdAttitude {
    body: BodyHandle,
    target: Quat,
    stiffness: f64,
    damping: f64,
    max_torque: f64,
    period: Option<f64>,
}

const NAME: &str = "pd-attitude";

impl PdAttitude {
    /// Stiffness in N·m/rad, damping in N·m·s/rad; no limit on the torque.
    ///
    /// # Errors
    /// If a gain is negative or not finite, or the target is not a unit quaternion.
    pub fn new(body: BodyHandle, target: Quat, stiffness: f64, damping: f64) -> Result<Self, AgentError> {
        let off_unit = (target.length() - 1.0).abs();
        if off_unit.is_nan() || off_unit > tolerance::UNIT_QUATERNION {
            let value = format!("{:?}", orientation::to_wxyz(target));
            return Err(AgentError { agent: NAME, field: "target", expected: "a unit quaternion", value });
        }
        Ok(Self {
            body,
            target: orientation::normalized(target),
            stiffness: at_least_zero(NAME, "stiffness", stiffness)?,
            damping: at_least_zero(NAME, "damping", damping)?,
            max_torque: f64::INFINITY,
            period: None,
        })
    }

    /// The same with a largest torque, N·m.
    ///
    /// # Errors
    /// If it is negative or NaN.
    pub fn with_max_torque(mut self, max_torque: f64) -> Result<Self, AgentError> {
        if max_torque.is_nan() || max_torque < 0.0 {
            let value = max_torque.to_string();
            return Err(AgentError { agent: NAME, field: "max_torque", expected: "at least 0", value });
        }
        self.max_torque = max_torque;
        Ok(self)
    }

    /// The same, called only every `period` seconds.
    ///
    /// # Errors
    /// If it is negative or not finite.
    pub fn with_period(mut self, period: f64) -> Result<Self, AgentError> {
        self.period = Some(at_least_zero(NAME, "period", period)?);
        Ok(self)
    }

    /// Another target from now on; must be a unit quaternion.
    pub fn set_target(&mut self, target: Quat) {
        self.target = orientation::normalized(target);
    }
}

impl Agent for PdAttitude {
    fn type_name(&self) -> &'static str {
        NAME
    }

    fn period(&self) -> Option<f64> {
        self.period
    }

    fn act(&mut self, world: &World, commands: &mut Vec<Command>) {
        let Ok(view) = world.body(self.body) else { return };
        let error = orientation::rotation_vector(view.state.orientation * self.target.conjugate());
        let wanted = -self.stiffness * error - self.damping * view.state.angular_velocity;
        let length = wanted.length();
        let torque = if length > self.max_torque { wanted * (self.max_torque / length) } else { wanted };
        commands.push(Command::Wrench {
            body: self.body,
            force: Vec3::ZERO,
            torque,
            frame: LoadFrame::World,
        });
    }

    fn clone_box(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}
