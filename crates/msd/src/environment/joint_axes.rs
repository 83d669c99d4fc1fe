//! Joints by their axis: position, velocity, force and limits of hinges and sliders, and the actuators that drive them.
//!
//! Orientation determines the angle of a hinge up to full turns. After each step the world reads the rotation of
//! every hinge and, once it is a quarter turn from the middle of its limits, stores the angle, from which the next is
//! counted. Stored angles, limits set by the user, controls and activations are part of the state, of snapshots and
//! of replays.

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use super::drive_state::DriveState;
use super::validate::Validator;
use super::{World, WorldError};
use crate::math::Coordinate;
use crate::physics::constraints::{
    Actuator, Armature, AxisMemory, Constraint, ConstraintHandle, JacobianRow, JointActuator, JointAxis,
    JointSpring, Limits, MAX_ROWS, Pair, RowLaw, RowUnit, check_limits,
};
use crate::physics::rigid_body::{BodyHandle, InertialState};

impl World {
    // ── Joints ──────────────────────────────────────────────────────────────────────────────────────────────────

    /// Position of a hinge (rad, full turns counted) or slider (m) now.
    ///
    /// # Errors
    /// If the handle is stale or foreign, or the joint has no axis.
    pub fn joint_position(&self, joint: ConstraintHandle) -> Result<f64, WorldError> {
        let (constraint, axis) = self.axis_of(joint)?;
        let near = self.state.drives.axes.get(&joint.slot()).map_or(axis.center, |memory| memory.position);
        Ok(constraint.axis_position(&pair(constraint, &self.state.states), near))
    }

    /// Velocity of a hinge (rad/s) or slider (m/s) now.
    ///
    /// # Errors
    /// If the handle is stale or foreign, or the joint has no axis.
    pub fn joint_velocity(&self, joint: ConstraintHandle) -> Result<f64, WorldError> {
        let (constraint, _) = self.axis_of(joint)?;
        let pair = pair(constraint, &self.state.states);
        Ok(constraint.axis_row(&pair).0.velocity(pair.a, pair.b))
    }

    /// Total torque (N·m) about, or force (N) along, the axis of a joint on its body B in the last step: actuators,
    /// springs, motor, dry friction, limits and couplings.
    ///
    /// # Errors
    /// If the handle is stale or foreign, or the joint has no axis.
    pub fn joint_force(&self, joint: ConstraintHandle) -> Result<f64, WorldError> {
        let (owner, _) = self.axis_of(joint)?;
        let pair = pair(owner, &self.state.states);
        let axis = owner.axis_row(&pair).0;
        let mut force = 0.0;
        for (handle, _, constraint) in self.joints.iter() {
            let acts = constraint.along() == Some(joint) && !is_rotor(constraint.as_ref());
            if handle != joint && !acts {
                continue;
            }
            let rows = constraint.dimension();
            let mut jacobian = [JacobianRow::ZERO; MAX_ROWS];
            constraint.jacobian(&pair, self.time(), &mut jacobian[..rows]);
            let multipliers = self.joints.multipliers(handle)?;
            for (nth, (row, multiplier)) in jacobian[..rows].iter().zip(multipliers).enumerate() {
                if handle == joint && constraint.law(nth) == RowLaw::Rigid {
                    continue;
                }
                force += multiplier * dot(row, &axis) / dot(&axis, &axis);
            }
        }
        Ok(force)
    }

    /// Where a joint is now, world frame, m: the point its reactions are reported at.
    ///
    /// # Errors
    /// If the handle is stale or foreign.
    pub fn joint_anchor(&self, joint: ConstraintHandle) -> Result<Coordinate, WorldError> {
        let constraint = self.joints.get(joint)?.as_ref();
        Ok(constraint.anchor(&pair(constraint, &self.state.states)))
    }

    /// Limits of a joint, rad or m; `None` if it was made without.
    ///
    /// # Errors
    /// If the handle is stale or foreign, or the joint has no axis.
    pub fn joint_limits(&self, joint: ConstraintHandle) -> Result<Option<Limits>, WorldError> {
        let (_, axis) = self.axis_of(joint)?;
        let set = self.state.drives.axes.get(&joint.slot()).and_then(|memory| memory.limits);
        Ok(axis.limits.map(|made| set.unwrap_or(made)))
    }

    /// Other limits for a joint that was made with some, from now on, rad or m. A joint that is beyond them is pushed back to them
    /// by the next step.
    ///
    /// # Errors
    /// If the handle is stale or foreign, the joint was made without limits, or the range is empty or not finite.
    pub fn set_joint_limits(&mut self, joint: ConstraintHandle, limits: Limits) -> Result<(), WorldError> {
        check_limits("joint", limits)?;
        if self.joint_limits(joint)?.is_none() {
            let expected =
                "for a joint that was made with limits; make it with wide ones to narrow them later";
            let validator = Validator::joint(self.joints.name(joint)?);
            return Err(validator.refuse("limits", expected, [limits.min, limits.max]));
        }
        let memory = AxisMemory { position: self.joint_position(joint)?, limits: Some(limits) };
        if self.state.drives.axes.insert(joint.slot(), memory) != Some(memory) {
            self.wake_ends(joint)?;
        }
        Ok(())
    }

    /// Adds a spring with a damper along the axis of a joint: see [`JointSpring`]. It is a constraint of its own under `name`.
    ///
    /// # Errors
    /// If the handle is stale or foreign, the joint has no axis, a number is out of range, or the name is taken.
    pub fn add_joint_spring(
        &mut self,
        name: &str,
        joint: ConstraintHandle,
        [stiffness, damping, rest]: [f64; 3],
    ) -> Result<ConstraintHandle, WorldError> {
        let owner = Arc::clone(self.joints.get(joint)?);
        let spring = JointSpring::new(joint, owner, stiffness, damping, rest)?;
        self.add_joint(name, Arc::new(spring))
    }

    /// Adds the inertia of a rotor to the axis of a joint, kg·m² on a hinge or kg on a slider: see [`Armature`]. It is a constraint
    /// of its own under `name`.
    ///
    /// # Errors
    /// If the handle is stale or foreign, the joint has no axis, the inertia is not positive, or the name is taken.
    pub fn add_joint_armature(
        &mut self,
        name: &str,
        joint: ConstraintHandle,
        inertia: f64,
    ) -> Result<ConstraintHandle, WorldError> {
        let owner = Arc::clone(self.joints.get(joint)?);
        let armature = Armature::new(joint, owner, inertia)?;
        self.add_joint(name, Arc::new(armature))
    }

    // ── Actuators ───────────────────────────────────────────────────────────────────────────────────────────────

    /// Adds an actuator on a hinge or slider. It is a constraint of its own, named `actuator` and its name: [`World::reaction`] and
    /// [`World::remove_joint`] take its handle. The control is zero until it is set.
    ///
    /// # Errors
    /// If the handle is stale or foreign, the joint has no axis, or the name is taken.
    pub fn add_actuator(
        &mut self,
        name: &str,
        joint: ConstraintHandle,
        actuator: Actuator,
    ) -> Result<ConstraintHandle, WorldError> {
        self.axis_of(joint)?;
        let owner = Arc::clone(self.joints.get(joint)?);
        let row = JointActuator::new(joint, owner, actuator).ok_or_else(|| {
            Validator::joint(name).refuse("actuated joint", "a hinge or a slider", "another")
        })?;
        let handle = self.add_joint(&format!("{PREFIX}{name}"), Arc::new(row))?;
        self.actuators.insert(handle.slot(), actuator);
        Ok(handle)
    }

    /// The actuator of that name.
    #[must_use]
    pub fn find_actuator(&self, name: &str) -> Option<ConstraintHandle> {
        let handle = self.joints.find(&format!("{PREFIX}{name}"))?;
        self.actuators.contains_key(&handle.slot()).then_some(handle)
    }

    /// All actuators with their names, in the order of their slots.
    pub fn actuators(&self) -> impl Iterator<Item = (ConstraintHandle, &str, &Actuator)> {
        self.joints.iter().filter_map(|(handle, name, _)| {
            let actuator = self.actuators.get(&handle.slot())?;
            Some((handle, name.strip_prefix(PREFIX).unwrap_or(name), actuator))
        })
    }

    /// The control of an actuator from the next step on: a force for motors, a position or velocity wanted for servos. It stays until it
    /// is set again, and is held within the range of the actuator.
    ///
    /// # Errors
    /// If the handle is stale, foreign or not of an actuator, or the value is not finite.
    pub fn set_control(&mut self, actuator: ConstraintHandle, control: f64) -> Result<(), WorldError> {
        self.actuator(actuator)?;
        if !control.is_finite() {
            let name = self.joints.name(actuator)?;
            let validator = Validator::actuator(name.strip_prefix(PREFIX).unwrap_or(name));
            return Err(validator.refuse("control", "finite", control));
        }
        let before = self.state.drives.controls.insert(actuator.slot(), control);
        if before.unwrap_or(0.0) != control {
            self.wake_ends(actuator)?;
        }
        Ok(())
    }

    /// The control of an actuator as it was set; zero unless it was.
    ///
    /// # Errors
    /// If the handle is stale, foreign or not of an actuator.
    pub fn control(&self, actuator: ConstraintHandle) -> Result<f64, WorldError> {
        self.actuator(actuator)?;
        Ok(self.state.drives.controls.get(&actuator.slot()).copied().unwrap_or(0.0))
    }

    /// Output of the filter of an actuator, in the unit of its control; the control, within its range, without a
    /// filter.
    ///
    /// # Errors
    /// If the handle is stale, foreign or not of an actuator.
    pub fn activation(&self, actuator: ConstraintHandle) -> Result<f64, WorldError> {
        let own = self.actuator(actuator)?;
        if own.is_filtered() {
            Ok(self.state.drives.activations.get(&actuator.slot()).copied().unwrap_or(0.0))
        } else {
            Ok(own.held(self.control(actuator)?))
        }
    }

    /// Force of an actuator in the last step before its gear, N or N·m.
    ///
    /// # Errors
    /// If the handle is stale, foreign or not of an actuator.
    pub fn actuator_force(&self, actuator: ConstraintHandle) -> Result<f64, WorldError> {
        self.actuator(actuator)?;
        Ok(self.joints.multipliers(actuator)?.first().copied().unwrap_or(0.0))
    }

    // ── Within the step ─────────────────────────────────────────────────────────────────────────────────────────

    /// Sets the commands of motors and actuators for a step of `dt` seconds, and the turns of joints.
    pub(super) fn command_joints(&mut self, dt: f64) {
        let drives = &self.state.drives;
        self.joints.remember_axes(&drives.axes);
        if self.actuators.is_empty() {
            self.joints.command_motors(&self.state.motor_velocities);
            return;
        }
        let mut commands = self.state.motor_velocities.clone();
        for (&slot, actuator) in &self.actuators {
            let control = drives.controls.get(&slot).copied().unwrap_or(0.0);
            let input = if actuator.is_filtered() {
                let activation = drives.activations.get(&slot).copied().unwrap_or(0.0);
                actuator.filtered(activation, control, dt).1
            } else {
                actuator.held(control)
            };
            commands.insert(slot, actuator.drive(input));
        }
        self.joints.command_motors(&commands);
    }

    /// At the end of a step of `dt` seconds: filters advanced, turns counted.
    pub(super) fn advance_drives(&mut self, dt: f64) {
        let drives = &mut self.state.drives;
        for (&slot, actuator) in self.actuators.iter().filter(|(_, actuator)| actuator.is_filtered()) {
            let control = drives.controls.get(&slot).copied().unwrap_or(0.0);
            let activation = drives.activations.entry(slot).or_insert(0.0);
            *activation = actuator.filtered(*activation, control, dt).0;
        }
        self.count_turns();
    }

    /// Remembers the angles of hinges that are about to leave the half turn to either side of their centre.
    pub(super) fn count_turns(&mut self) {
        let (states, axes) = (&self.state.states, &mut self.state.drives.axes);
        for (handle, _, joint) in self.joints.iter() {
            let Some(JointAxis { unit: RowUnit::Angle, center, .. }) = joint.axis() else { continue };
            let memory = axes.get(&handle.slot()).copied();
            let near = memory.map_or(center, |memory| memory.position);
            let position = joint.axis_position(&pair(joint.as_ref(), states), near);
            let limits = memory.and_then(|memory| memory.limits);
            if limits.is_some() || (position - center).abs() > FRAC_PI_2 {
                axes.insert(handle.slot(), AxisMemory { position, limits });
            } else if memory.is_some() {
                axes.remove(&handle.slot());
            }
        }
    }

    /// Starts counting turns from where a joint was made.
    pub(super) fn start_counting(&mut self, handle: ConstraintHandle) -> Result<(), WorldError> {
        let joint = self.joints.get(handle)?;
        self.state.drives.axes.remove(&handle.slot());
        if let Some(JointAxis { unit: RowUnit::Angle, placed_at, center, .. }) = joint.axis() {
            let position = joint.axis_position(&pair(joint.as_ref(), &self.state.states), placed_at);
            if (position - center).abs() > FRAC_PI_2 {
                self.state.drives.axes.insert(handle.slot(), AxisMemory { position, limits: None });
            }
        }
        Ok(())
    }

    /// Forgets controls, activations and limits that were set, and counts turns from where joints were made.
    pub(super) fn reset_drives(&mut self) {
        self.state.drives = DriveState::default();
        self.state.drives.disabled.extend(self.latches.keys());
        self.follow_drives();
        let handles: Vec<_> = self.joints.iter().map(|(handle, ..)| handle).collect();
        for handle in handles {
            // The handle was listed by the set itself.
            let _ = self.start_counting(handle);
        }
    }

    /// Forgets everything that belongs to the joint that was in a slot.
    pub(super) fn forget_joint(&mut self, slot: usize) {
        self.state.motor_velocities.remove(&slot);
        self.state.drives.forget(slot);
        self.actuators.remove(&slot);
        self.breaks.remove(&slot);
        self.latches.remove(&slot);
        self.joints.disable(&self.state.drives.disabled);
    }

    /// Gives actuators and springs along a joint the joint that is now in its place.
    pub(super) fn follow_replaced(&mut self, joint: ConstraintHandle) -> Result<(), WorldError> {
        let owner = Arc::clone(self.joints.get(joint)?);
        let along: Vec<_> = self
            .joints
            .iter()
            .filter(|(_, _, constraint)| constraint.along() == Some(joint))
            .map(|(handle, _, constraint)| (handle, constraint.on_joint(&owner)))
            .collect();
        for (handle, moved) in along {
            if let Some(moved) = moved {
                self.joints.replace(handle, moved)?;
            }
        }
        Ok(())
    }

    fn axis_of(&self, joint: ConstraintHandle) -> Result<(&dyn Constraint, JointAxis), WorldError> {
        let constraint = self.joints.get(joint)?.as_ref();
        match constraint.axis() {
            Some(axis) => Ok((constraint, axis)),
            None => {
                let validator = Validator::joint(self.joints.name(joint)?);
                Err(validator.refuse(
                    "axis",
                    "one that a hinge or a slider leaves free",
                    constraint.type_name(),
                ))
            }
        }
    }

    pub(super) fn actuator(&self, handle: ConstraintHandle) -> Result<&Actuator, WorldError> {
        let name = self.joints.name(handle)?;
        self.actuators.get(&handle.slot()).ok_or_else(|| {
            Validator::joint(name).refuse("handle", "that of an actuator", "a joint without one")
        })
    }

    fn wake_ends(&mut self, joint: ConstraintHandle) -> Result<(), WorldError> {
        self.joints.get(joint)?;
        for joint in self.joints.coupled_with(joint) {
            for body in self.joints.get(joint)?.bodies().into_iter().flatten() {
                self.state.sleep.wake(body.slot());
            }
        }
        Ok(())
    }
}

/// Prefix of the names of actuator constraints.
pub(super) const PREFIX: &str = "actuator ";

/// The bodies of a joint as they are.
fn pair<'a>(joint: &dyn Constraint, states: &'a [InertialState]) -> Pair<'a> {
    let state = |body: Option<BodyHandle>| body.map_or(&InertialState::AT_REST, |body| &states[body.slot()]);
    let [a, b] = joint.bodies();
    Pair { a: state(a), b: state(b) }
}

/// True for the inertia of a rotor, which is a part of the mechanism and no force on it.
fn is_rotor(constraint: &dyn Constraint) -> bool {
    matches!(constraint.law(0), RowLaw::Rotor { .. })
}

/// Product of two rows as vectors.
fn dot(a: &JacobianRow, b: &JacobianRow) -> f64 {
    a.linear_b.dot(b.linear_b) + a.angular_b.dot(b.angular_b)
}
