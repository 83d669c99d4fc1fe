//! Commands of agents to the world.

use crate::environment::{BodyChange, World, WorldError};
use crate::math::{Coordinate, ReferenceFrame, Vec3};
use crate::physics::constraints::{ConstraintHandle, Limits};
use crate::physics::integration::LoadFrame;
use crate::physics::rigid_body::BodyHandle;

/// One command for the next step.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Force through and torque about the centre of mass (N, N·m), constant in the world or rotating with the
    /// body inside the step.
    Wrench {
        /// The body.
        body: BodyHandle,
        /// N.
        force: Vec3,
        /// N·m.
        torque: Vec3,
        /// Frame of both.
        frame: LoadFrame,
    },
    /// A body-frame force (N) at a point of the body's frame (m); rotates with the body.
    ForceAt {
        /// The body.
        body: BodyHandle,
        /// N, body axes.
        force_body: Vec3,
        /// m, body frame.
        point_local: Coordinate,
    },
    /// Target pose of a kinematic body after the step.
    KinematicTarget {
        /// The body.
        body: BodyHandle,
        /// Pose of its frame, world.
        frame: ReferenceFrame,
    },
    /// Target velocity of the motor of a joint from now on.
    MotorVelocity {
        /// The joint.
        joint: ConstraintHandle,
        /// m/s or rad/s.
        velocity: f64,
    },
    /// The control of an actuator from now on.
    Control {
        /// The actuator.
        actuator: ConstraintHandle,
        /// In the unit of the actuator: N·m or N, rad or m, rad/s or m/s.
        control: f64,
    },
    /// A change to a body from now on.
    ChangeBody {
        /// The body.
        body: BodyHandle,
        /// Which.
        change: Box<BodyChange>,
    },
    /// Whether a joint holds from now on.
    JointEnabled {
        /// The joint.
        joint: ConstraintHandle,
        /// False: it does nothing.
        enabled: bool,
    },
    /// The limits of a joint from now on.
    JointLimits {
        /// The joint.
        joint: ConstraintHandle,
        /// rad or m.
        limits: Limits,
    },
    /// Velocities a kinematic body is to have from now on.
    KinematicVelocity {
        /// The body.
        body: BodyHandle,
        /// m/s, world.
        velocity: Vec3,
        /// rad/s, world.
        angular_velocity: Vec3,
    },
}

impl Command {
    /// Applies the command to the world.
    ///
    /// # Errors
    /// If the world refuses it.
    pub fn apply(&self, world: &mut World) -> Result<(), WorldError> {
        match self {
            Command::Wrench { body, force, torque, frame } => {
                world.apply_wrench(*body, *force, *torque, *frame)
            }
            Command::ForceAt { body, force_body, point_local } => {
                world.apply_body_force_at(*body, *force_body, *point_local)
            }
            Command::KinematicTarget { body, frame } => world.move_kinematic_to(*body, *frame),
            Command::MotorVelocity { joint, velocity } => world.set_motor_velocity(*joint, *velocity),
            Command::Control { actuator, control } => world.set_control(*actuator, *control),
            Command::ChangeBody { body, change } => world.change_body(*body, change.as_ref().clone()),
            Command::JointEnabled { joint, enabled } => world.set_joint_enabled(*joint, *enabled),
            Command::JointLimits { joint, limits } => world.set_joint_limits(*joint, *limits),
            Command::KinematicVelocity { body, velocity, angular_velocity } => {
                world.check_kinematic(*body)?;
                world.set_velocity(*body, *velocity)?;
                world.set_angular_velocity(*body, *angular_velocity)
            }
        }
    }
}
