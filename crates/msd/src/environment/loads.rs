//! Forces, torques and impulses applied to bodies.
//!
//! Forces and torques act during the next step only. Impulses change velocities immediately. The energy
//! ledger counts both as work.

use std::collections::BTreeMap;

use super::drive_state::DriveState;
use super::validate::Validator;
use super::{World, WorldError};
use crate::math::{Coordinate, ReferenceFrame, Vec3, orientation};
use crate::physics::integration::{AppliedLoad, LoadFrame};
use crate::physics::rigid_body::{BodyHandle, BodyKind, InertialState, Wrench};

/// Everything commands can change: pending loads, targets, motors, and the velocities of kinematic bodies.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    loads: usize,
    targets: BTreeMap<usize, ReferenceFrame>,
    motor_velocities: BTreeMap<usize, f64>,
    drives: DriveState,
    kinematic: Vec<(usize, InertialState)>,
}

const NOT_PUSHED: &str = "forces and impulses act on dynamic bodies only";

impl World {
    /// A force through the centre of mass (N, world frame) during the next step.
    ///
    /// # Errors
    /// If the handle is stale or foreign, the body is not dynamic, or the value is not finite.
    pub fn apply_force(&mut self, handle: BodyHandle, force: Vec3) -> Result<(), WorldError> {
        self.apply_wrench(handle, force, Vec3::ZERO, LoadFrame::World)
    }

    /// A torque (N·m, world frame) during the next step.
    ///
    /// # Errors
    /// As [`World::apply_force`].
    pub fn apply_torque(&mut self, handle: BodyHandle, torque: Vec3) -> Result<(), WorldError> {
        self.apply_wrench(handle, Vec3::ZERO, torque, LoadFrame::World)
    }

    /// A force through and a torque about the centre of mass during the next step, constant in the world or
    /// rotating with the body.
    ///
    /// # Errors
    /// As [`World::apply_force`].
    pub fn apply_wrench(
        &mut self,
        handle: BodyHandle,
        force: Vec3,
        torque: Vec3,
        frame: LoadFrame,
    ) -> Result<(), WorldError> {
        self.push_load(handle, AppliedLoad { slot: 0, force, torque, frame, point_body: Vec3::ZERO })
    }

    /// A force (N, world frame) during the next step at the material point that is at `point` (world) now.
    ///
    /// # Errors
    /// As [`World::apply_force`].
    pub fn apply_force_at(
        &mut self,
        handle: BodyHandle,
        force: Vec3,
        point: Coordinate,
    ) -> Result<(), WorldError> {
        let state = self.body(handle)?.state;
        let point_body = state.orientation.conjugate() * (point - state.center_of_mass);
        let load = AppliedLoad { slot: 0, force, torque: Vec3::ZERO, frame: LoadFrame::World, point_body };
        self.push_load(handle, load)
    }

    /// A force (N, body axes) during the next step at a point of the body's frame (m): it rotates with the
    /// body.
    ///
    /// # Errors
    /// As [`World::apply_force`].
    pub fn apply_body_force_at(
        &mut self,
        handle: BodyHandle,
        force_body: Vec3,
        point_local: Coordinate,
    ) -> Result<(), WorldError> {
        let point_body = point_local - self.body(handle)?.body.center_of_mass_local;
        let load = AppliedLoad {
            slot: 0,
            force: force_body,
            torque: Vec3::ZERO,
            frame: LoadFrame::Body,
            point_body,
        };
        self.push_load(handle, load)
    }

    /// Changes the velocity immediately by `impulse / m` (N·s, world frame).
    ///
    /// # Errors
    /// As [`World::apply_force`].
    pub fn apply_impulse(&mut self, handle: BodyHandle, impulse: Vec3) -> Result<(), WorldError> {
        let center = self.body(handle)?.state.center_of_mass;
        self.apply_impulse_at(handle, impulse, center)
    }

    /// Changes velocity and angular velocity immediately by an impulse (N·s, world frame) at a world point.
    ///
    /// # Errors
    /// As [`World::apply_force`].
    pub fn apply_impulse_at(
        &mut self,
        handle: BodyHandle,
        impulse: Vec3,
        point: Coordinate,
    ) -> Result<(), WorldError> {
        let slot = self.dynamic_slot(handle, NOT_PUSHED)?;
        let validator = Validator::body(&self.bodies[slot].name);
        let (impulse, point) = (validator.finite("impulse", impulse)?, validator.finite("point", point)?);
        let lever = point - self.state.states[slot].center_of_mass;
        self.add_momentum(slot, impulse, lever.cross(impulse))
    }

    /// Changes the angular velocity immediately by `I⁻¹ impulse` (N·m·s, world frame).
    ///
    /// # Errors
    /// As [`World::apply_force`].
    pub fn apply_angular_impulse(&mut self, handle: BodyHandle, impulse: Vec3) -> Result<(), WorldError> {
        let slot = self.dynamic_slot(handle, NOT_PUSHED)?;
        let impulse = Validator::body(&self.bodies[slot].name).finite("angular impulse", impulse)?;
        self.add_momentum(slot, Vec3::ZERO, impulse)
    }

    /// Clears all forces and torques pending for the next step. Otherwise a load that makes a step fail
    /// remains, and makes the next one fail too. Impulses have already acted and are not undone.
    pub fn clear_loads(&mut self) {
        self.state.loads.clear();
    }

    /// Sum of the forces (N) and torques about the centre of mass (N·m) that wait for the next step on a body, world frame, in its present
    /// pose.
    ///
    /// # Errors
    /// If the handle is stale or foreign.
    pub fn pending_load(&self, handle: BodyHandle) -> Result<Wrench, WorldError> {
        let slot = self.slot(handle)?;
        let to_world = self.state.states[slot].orientation;
        let mut sum = Wrench::new(Vec3::ZERO, Vec3::ZERO);
        for load in self.state.loads.iter().filter(|load| load.slot == slot) {
            let (force, torque) = match load.frame {
                LoadFrame::World => (load.force, load.torque),
                LoadFrame::Body => (to_world * load.force, to_world * load.torque),
            };
            sum.force += force;
            sum.torque += torque + (to_world * load.point_body).cross(force);
        }
        Ok(sum)
    }

    /// Clears the forces and torques on one body pending for the next step.
    ///
    /// # Errors
    /// If the handle is stale or foreign.
    pub fn clear_loads_on(&mut self, handle: BodyHandle) -> Result<(), WorldError> {
        let slot = self.slot(handle)?;
        self.state.loads.retain(|load| load.slot != slot);
        Ok(())
    }

    /// Adds linear and angular momentum (world frame, about the centre of mass), or changes nothing if the velocities
    /// would not be finite.
    fn add_momentum(&mut self, slot: usize, linear: Vec3, angular: Vec3) -> Result<(), WorldError> {
        let (inertia, state) = (&self.state.inertias[slot], &self.state.states[slot]);
        let validator = Validator::body(&self.bodies[slot].name);
        let rotation = orientation::rotation_matrix(state.orientation);
        let velocity = state.velocity + linear * inertia.inverse_mass();
        let spin = state.angular_velocity + inertia.inverse_tensor_world(&rotation) * angular;
        let velocity = validator.finite("the velocity after the impulse", velocity)?;
        let spin = validator.finite("the angular velocity after the impulse", spin)?;
        self.modify_state(slot, |state| (state.velocity, state.angular_velocity) = (velocity, spin));
        Ok(())
    }

    /// The pending commands, to be restored if the step fails.
    pub(crate) fn pending(&mut self) -> Pending {
        self.begin_changes();
        let kinematic = |slot: &usize| self.bodies[*slot].kind == BodyKind::Kinematic;
        let states = (0..self.bodies.len()).filter(kinematic).map(|slot| (slot, self.state.states[slot]));
        Pending {
            loads: self.state.loads.len(),
            targets: self.state.targets.clone(),
            motor_velocities: self.state.motor_velocities.clone(),
            drives: self.state.drives.clone(),
            kinematic: states.collect(),
        }
    }

    /// The step has succeeded: the commands stand.
    pub(crate) fn keep_commands(&mut self) {
        self.end_changes(false);
    }

    /// Restores the pending commands to `pending`.
    pub(crate) fn restore_pending(&mut self, pending: Pending) {
        self.end_changes(true);
        self.state.loads.truncate(pending.loads);
        self.state.targets = pending.targets;
        self.state.motor_velocities = pending.motor_velocities;
        self.state.drives = pending.drives;
        self.follow_drives();
        for (slot, state) in pending.kinematic {
            self.modify_state(slot, |now| *now = state);
        }
    }

    fn push_load(&mut self, handle: BodyHandle, load: AppliedLoad) -> Result<(), WorldError> {
        let slot = self.dynamic_slot(handle, NOT_PUSHED)?;
        let validator = Validator::body(&self.bodies[slot].name);
        validator.finite("force", load.force)?;
        validator.finite("torque", load.torque)?;
        validator.finite("point", load.point_body)?;
        self.state.loads.push(AppliedLoad { slot, ..load });
        Ok(())
    }
}
