//! Forces, torques and impulses that a user applies to bodies.
//!
//! Forces and torques act during the next step and are then forgotten. Impulses change velocities at once. Both are
//! booked in the ledger as work put in.

use std::collections::BTreeMap;

use super::door::Door;
use super::joint_axes::DriveState;
use super::{World, WorldError};
use crate::math::{Coordinate, ReferenceFrame, Vec3, orientation};
use crate::physics::integration::{AppliedLoad, LoadFrame};
use crate::physics::rigid_body::{BodyHandle, BodyKind, InertialState};

/// What commands can change: pending loads, targets, motors, and the velocities of kinematic bodies.
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

    /// A force through and a torque about the centre of mass during the next step, constant in the world or turning
    /// with the body.
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

    /// A force (N, body axes) during the next step at a point of the body's frame (m): it turns with the body.
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

    /// Changes the velocity at once by `impulse / m` (N·s, world frame).
    ///
    /// # Errors
    /// As [`World::apply_force`].
    pub fn apply_impulse(&mut self, handle: BodyHandle, impulse: Vec3) -> Result<(), WorldError> {
        let center = self.body(handle)?.state.center_of_mass;
        self.apply_impulse_at(handle, impulse, center)
    }

    /// Changes velocity and angular velocity at once by an impulse (N·s, world frame) at a world point.
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
        let door = Door::body(&self.bodies[slot].name);
        let (impulse, point) = (door.finite("impulse", impulse)?, door.finite("point", point)?);
        let lever = point - self.state.states[slot].center_of_mass;
        self.add_momentum(slot, impulse, lever.cross(impulse))
    }

    /// Changes the angular velocity at once by `I⁻¹ impulse` (N·m·s, world frame).
    ///
    /// # Errors
    /// As [`World::apply_force`].
    pub fn apply_angular_impulse(&mut self, handle: BodyHandle, impulse: Vec3) -> Result<(), WorldError> {
        let slot = self.dynamic_slot(handle, NOT_PUSHED)?;
        let impulse = Door::body(&self.bodies[slot].name).finite("angular impulse", impulse)?;
        self.add_momentum(slot, Vec3::ZERO, impulse)
    }

    /// Withdraws every force and torque that waits for the next step. A load that makes a step fail otherwise stays, and
    /// makes the next one fail too. Impulses have acted already and are not taken back.
    pub fn clear_loads(&mut self) {
        self.state.loads.clear();
    }

    /// Withdraws the forces and torques on one body that wait for the next step.
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
        let door = Door::body(&self.bodies[slot].name);
        let rotation = orientation::rotation_matrix(state.orientation);
        let velocity = state.velocity + linear * inertia.inverse_mass();
        let spin = state.angular_velocity + inertia.inverse_tensor_world(&rotation) * angular;
        let velocity = door.finite("the velocity after the impulse", velocity)?;
        let spin = door.finite("the angular velocity after the impulse", spin)?;
        self.change(slot, |state| (state.velocity, state.angular_velocity) = (velocity, spin));
        Ok(())
    }

    /// What has been asked of the next step so far, to be put back if the step is not taken.
    pub(crate) fn pending(&self) -> Pending {
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

    /// Takes back everything asked since `pending` was taken.
    pub(crate) fn withdraw(&mut self, pending: Pending) {
        self.state.loads.truncate(pending.loads);
        self.state.targets = pending.targets;
        self.state.motor_velocities = pending.motor_velocities;
        self.state.drives = pending.drives;
        for (slot, state) in pending.kinematic {
            self.change(slot, |now| *now = state);
        }
    }

    fn push_load(&mut self, handle: BodyHandle, load: AppliedLoad) -> Result<(), WorldError> {
        let slot = self.dynamic_slot(handle, NOT_PUSHED)?;
        let door = Door::body(&self.bodies[slot].name);
        door.finite("force", load.force)?;
        door.finite("torque", load.torque)?;
        door.finite("point", load.point_body)?;
        self.state.loads.push(AppliedLoad { slot, ..load });
        Ok(())
    }
}
