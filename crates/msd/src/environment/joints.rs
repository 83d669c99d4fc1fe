//! Joints of a world: constraints between its bodies, enforced inside every step.

use std::sync::Arc;

use super::validate::Validator;
use super::{World, WorldError};
use crate::physics::constraints::{
    Constraint, ConstraintHandle, ConstraintReport, IntoConstraint, JointEnd, Reaction,
};
use crate::physics::rigid_body::BodyHandle;

impl World {
    /// A body as the end of a joint, in its current pose; the world itself is [`JointEnd::WORLD`].
    ///
    /// # Errors
    /// If the handle is stale or foreign.
    pub fn joint_end(&self, handle: BodyHandle) -> Result<JointEnd<'_>, WorldError> {
        Ok(JointEnd::body(handle, self.body(handle)?.state))
    }

    /// Adds a joint between bodies: any [`Constraint`], built-in or custom.
    ///
    /// # Errors
    /// If it names a body that is not in this world, its name is in use, or both ends are the same body.
    pub fn add_joint(
        &mut self,
        name: &str,
        joint: impl IntoConstraint,
    ) -> Result<ConstraintHandle, WorldError> {
        let joint = joint.into_constraint();
        self.check_ends(joint.as_ref())?;
        let handle = self.joints.add(name, joint)?;
        self.start_counting(handle)?;
        self.state.modified = true;
        self.state.sleep.wake_all();
        self.bump_revision();
        self.contacts.exclude_ends(self.joints.get(handle)?.as_ref());
        Ok(handle)
    }

    /// Replaces a joint, keeping its name and handle: use it to change parameters.
    ///
    /// # Errors
    /// If the handle is stale or foreign or that of a coupling of several joints, or the new joint is refused.
    pub fn replace_joint(
        &mut self,
        handle: ConstraintHandle,
        joint: impl IntoConstraint,
    ) -> Result<(), WorldError> {
        let joint = joint.into_constraint();
        self.check_ends(joint.as_ref())?;
        if self.joints.coupled_with(handle).len() > 1 {
            let validator = Validator::joint(self.joints.name(handle)?);
            let expected = "a joint: remove the coupling and add another";
            return Err(validator.refuse("replaced constraint", expected, "a coupling of several joints"));
        }
        self.joints.replace(handle, joint)?;
        self.start_counting(handle)?;
        self.follow_replaced(handle)?;
        self.state.modified = true;
        self.state.sleep.wake_all();
        self.contacts.exclude(&self.joints);
        Ok(())
    }

    /// Removes a joint, with the actuators and springs along its axis and the couplings that it takes part in.
    ///
    /// # Errors
    /// If the handle is stale or foreign.
    pub fn remove_joint(&mut self, handle: ConstraintHandle) -> Result<(), WorldError> {
        self.joints.get(handle)?;
        let along = self.joints.iter().filter(|(_, _, constraint)| constraint.along() == Some(handle));
        let along: Vec<_> = along.map(|(along, ..)| along).chain([handle]).collect();
        let mut removed: Vec<_> =
            along.iter().flat_map(|handle| self.joints.coupled_with(*handle)).chain(along.clone()).collect();
        removed.sort_unstable_by_key(|handle| handle.slot());
        removed.dedup();
        for handle in removed {
            self.joints.remove(handle)?;
            self.forget_joint(handle.slot());
        }
        self.bump_revision();
        self.contacts.exclude(&self.joints);
        self.state.modified = true;
        self.state.sleep.wake_all();
        Ok(())
    }

    /// The joint of that name.
    #[must_use]
    pub fn find_joint(&self, name: &str) -> Option<ConstraintHandle> {
        self.joints.find(name)
    }

    /// All joints with their names, in the order of their slots.
    pub fn joints(&self) -> impl Iterator<Item = (ConstraintHandle, &str, &Arc<dyn Constraint>)> {
        self.joints.iter()
    }

    /// Force and torque of a joint on its body B in the last step, world frame.
    ///
    /// # Errors
    /// If the handle is stale or foreign.
    pub fn reaction(&self, handle: ConstraintHandle) -> Result<Reaction, WorldError> {
        Ok(self.joints.reaction(handle)?)
    }

    /// Multipliers λ of a joint in the last step, one a row, N or N·m: the force of each row on the bodies is `Jᵀλ`. Empty before the first
    /// step.
    ///
    /// # Errors
    /// If the handle is stale or foreign.
    pub fn multipliers(&self, handle: ConstraintHandle) -> Result<&[f64], WorldError> {
        Ok(self.joints.multipliers(handle)?)
    }

    /// Solver report of the last step for all joints.
    #[must_use]
    pub fn joint_report(&self) -> &ConstraintReport {
        self.joints.report()
    }

    /// Sets the target velocity (m/s or rad/s) of the motor of a joint, which replaces its original one.
    ///
    /// # Errors
    /// If the handle is stale or foreign, the joint has no motor, or the value is not finite.
    pub fn set_motor_velocity(&mut self, handle: ConstraintHandle, velocity: f64) -> Result<(), WorldError> {
        let name = self.joints.name(handle)?;
        if !velocity.is_finite() {
            return Err(Validator::joint(name).refuse("motor velocity", "finite", velocity));
        }
        if !self.joints.has_motor(handle)? {
            return Err(Validator::joint(name).refuse(
                "motor velocity",
                "for a joint with a motor",
                velocity,
            ));
        }
        if self.state.motor_velocities.insert(handle.slot(), velocity) != Some(velocity) {
            for body in self.joints.get(handle)?.bodies().into_iter().flatten() {
                self.state.sleep.wake(body.slot());
            }
        }
        Ok(())
    }

    fn check_ends(&self, joint: &dyn Constraint) -> Result<(), WorldError> {
        joint.bodies().into_iter().flatten().try_for_each(|body| self.slot(body).map(drop))
    }
}
