//! Sensors: readings of instruments on a machine.
//!
//! A [`Site`] is a frame on a body. Accelerations and forces are means over the last step; other readings are
//! current. An accelerometer at rest reads +g upwards; a force or torque sensor reads the reaction of the joint on
//! its body B, with the actuators and springs along its axis, at the site and in its axes.

use super::{QueryFilter, World, WorldError};
use crate::math::{ReferenceFrame, Vec3, orientation};
use crate::physics::constraints::ConstraintHandle;
use crate::physics::rigid_body::BodyHandle;
use crate::physics::rigid_body::shape::Ray;

/// A frame on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Site {
    /// The body.
    pub body: BodyHandle,
    /// In the frame of the body.
    pub frame: ReferenceFrame,
}

/// The measured quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sensor {
    /// Position of a hinge (rad, turns counted) or slider (m).
    JointPosition(ConstraintHandle),
    /// Velocity of a hinge (rad/s) or slider (m/s).
    JointVelocity(ConstraintHandle),
    /// Force along (N) or torque about (N·m) the axis of a joint by actuators, springs, friction and limits.
    JointForce(ConstraintHandle),
    /// Force of an actuator before its gear, N or N·m.
    ActuatorForce(ConstraintHandle),
    /// Position of a site, world frame, m.
    FramePosition(Site),
    /// Orientation of a site, (w, x, y, z).
    FrameQuaternion(Site),
    /// Velocity of the origin of a site, world frame, m/s.
    FrameVelocity(Site),
    /// Angular velocity of a site, world frame, rad/s.
    FrameAngularVelocity(Site),
    /// Acceleration of the origin of a site less gravity, axes of the site, m/s².
    Accelerometer(Site),
    /// Angular velocity, axes of the site, rad/s.
    Gyro(Site),
    /// Force of a joint on its body B, axes of the site, N.
    Force(ConstraintHandle, Site),
    /// Torque of a joint on its body B about the origin of the site, axes of the site, N·m.
    Torque(ConstraintHandle, Site),
    /// Sum of the normal forces on a body, N.
    Touch(BodyHandle),
    /// Distance along the z axis of a site to the first surface that is not of its body, m; -1 if there is none within the range (m).
    Rangefinder(Site, f64),
}

impl World {
    /// Current reading of a sensor: one number, three for vectors, four for an orientation.
    ///
    /// # Errors
    /// If a handle is stale or foreign, or a joint has no axis.
    pub fn sense(&self, sensor: &Sensor) -> Result<Vec<f64>, WorldError> {
        let vector = |value: Vec3| Ok(value.to_array().to_vec());
        match *sensor {
            Sensor::JointPosition(joint) => Ok(vec![self.joint_position(joint)?]),
            Sensor::JointVelocity(joint) => Ok(vec![self.joint_velocity(joint)?]),
            Sensor::JointForce(joint) => Ok(vec![self.joint_force(joint)?]),
            Sensor::ActuatorForce(actuator) => Ok(vec![self.actuator_force(actuator)?]),
            Sensor::FramePosition(site) => vector(self.site_frame(&site)?.position),
            Sensor::FrameQuaternion(site) => {
                Ok(orientation::to_wxyz(self.site_frame(&site)?.orientation).to_vec())
            }
            Sensor::FrameVelocity(site) => {
                let at = self.site_frame(&site)?.position;
                vector(self.body(site.body)?.state.velocity_at(at))
            }
            Sensor::FrameAngularVelocity(site) => vector(self.body(site.body)?.state.angular_velocity),
            Sensor::Gyro(site) => {
                let spin = self.body(site.body)?.state.angular_velocity;
                vector(self.site_frame(&site)?.direction_to_local(spin))
            }
            Sensor::Accelerometer(site) => {
                let (frame, state) = (self.site_frame(&site)?, self.body(site.body)?.state);
                let (rate, arm) = (self.acceleration(site.body)?, frame.position - state.center_of_mass);
                let spin = state.angular_velocity;
                let turning = rate.angular.cross(arm) + spin.cross(spin.cross(arm));
                vector(frame.direction_to_local(rate.linear + turning - self.gravity))
            }
            Sensor::Force(joint, site) => {
                vector(self.site_frame(&site)?.direction_to_local(self.wrench_of_joint(joint)?[0]))
            }
            Sensor::Torque(joint, site) => {
                let (frame, [force, torque]) = (self.site_frame(&site)?, self.wrench_of_joint(joint)?);
                // The torque is about the origin of the world.
                vector(frame.direction_to_local(torque - frame.position.cross(force)))
            }
            Sensor::Touch(body) => {
                self.slot(body)?;
                let touches = self.contacts().filter(|c| c.body_a == body || c.body_b == body);
                Ok(vec![touches.map(|contact| contact.normal_force).sum()])
            }
            Sensor::Rangefinder(site, range) => {
                let frame = self.site_frame(&site)?;
                let own = [site.body];
                let filter = QueryFilter::new().excluding(&own);
                let ray = Ray::new(frame.position, frame.orientation * Vec3::Z);
                let hit = ray.and_then(|ray| self.cast_ray(&ray, range, &filter));
                Ok(vec![hit.map_or(-1.0, |(_, hit)| hit.distance)])
            }
        }
    }

    /// Pose of a site now, world frame.
    ///
    /// # Errors
    /// If the handle is stale or foreign.
    pub fn site_frame(&self, site: &Site) -> Result<ReferenceFrame, WorldError> {
        let view = self.body(site.body)?;
        Ok(view.body.frame(view.state).compose(&site.frame))
    }

    /// Force and torque about the origin of the world that a joint exerts on its body B, with everything along its axis.
    fn wrench_of_joint(&self, joint: ConstraintHandle) -> Result<[Vec3; 2], WorldError> {
        let at = self.joint_anchor(joint)?;
        let (mut force, mut torque) = (Vec3::ZERO, Vec3::ZERO);
        for (handle, _, constraint) in self.joints.iter() {
            if handle == joint || constraint.along() == Some(joint) {
                let reaction = self.joints.reaction(handle)?;
                force += reaction.force;
                torque += reaction.torque + at.cross(reaction.force);
            }
        }
        Ok([force, torque])
    }
}
