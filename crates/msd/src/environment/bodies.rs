//! Adding, removing and changing the bodies of a world.

use std::cmp::Reverse;
use std::sync::Arc;

use super::body_description::BodyDescription;
use super::error::kind_error;
use super::fields::check_fit;
use super::shape_limits;
use super::validate::Validator;
use super::world::Slot;
use super::{World, WorldError};
use crate::math::{ReferenceFrame, Vec3};
use crate::physics::constraints::Constraint;
use crate::physics::forces::{ActsOn, Field};
use crate::physics::rigid_body::{
    Acceleration, BodyHandle, BodyKind, BodyView, Inertia, InertialState, RigidBody,
};

impl World {
    /// Adds a body.
    ///
    /// # Errors
    /// If any of its values is not finite, out of range or inconsistent, its name is in use, or its shape is
    /// not supported by collision detection: a mesh on a dynamic body, an extent outside of 1e-9 m to 1e8 m.
    pub fn add_body(&mut self, description: BodyDescription) -> Result<BodyHandle, WorldError> {
        let (body, inertia, state) = self.validate_body(&description)?;
        let everywhere = |field: &&Arc<dyn Field>| matches!(field.acts_on(), ActsOn::Everything);
        self.fields.iter().filter(everywhere).try_for_each(|field| check_fit(field.as_ref(), &body))?;
        let world = self.identity.number();
        self.triggers += usize::from(body.trigger);
        let slot = self.vacant.pop().map_or(self.slots.len(), |Reverse(slot)| slot as usize);
        if slot == self.slots.len() {
            self.slots.push(Slot { world, generation: 0, occupied: true });
            self.bodies.push(body);
            self.state.states.push(state);
            self.state.inertias.push(inertia);
            self.initial.push(state);
        } else {
            let generation = self.slots[slot].generation + 1;
            self.slots[slot] = Slot { world, generation, occupied: true };
            self.bodies[slot] = body;
            self.state.states[slot] = state;
            self.state.inertias[slot] = inertia;
            self.initial[slot] = state;
            self.workspace.reset_slot(slot, &state);
        }
        self.state.sleep.make_room(self.slots.len());
        self.bump_revision();
        let handle = self.handle_of(slot);
        self.names.insert(description.name, handle);
        self.contacts.add_body(&self.bodies[slot]);
        self.state.modified = true;
        match description.kind {
            BodyKind::Dynamic | BodyKind::Graphical => self.state.sleep.wake(slot),
            BodyKind::Static | BodyKind::Kinematic => self.state.sleep.wake_all(),
        }
        Ok(handle)
    }

    /// Validates a description and converts it to the stored form.
    fn validate_body(
        &self,
        described: &BodyDescription,
    ) -> Result<(RigidBody, Inertia, InertialState), WorldError> {
        let validator = Validator::body(&described.name);
        validator.name()?;
        if self.names.contains_key(&described.name) {
            return Err(WorldError::DuplicateName(described.name.clone()));
        }
        if let Some(shape) = &described.shape {
            shape_limits::check(described.kind, described.collision, shape)
                .map_err(|unfit| unfit.error(&described.name, described.kind))?;
        }
        let frame = validator.frame(&described.frame)?;
        let body_name = || described.name.clone();
        described.material.validate().map_err(|source| WorldError::Material { body: body_name(), source })?;
        let (inertia, center) =
            described.resolve_mass().map_err(|source| WorldError::Inertia { body: body_name(), source })?;
        let body = RigidBody {
            name: body_name(),
            kind: described.kind,
            shape: described.shape.clone(),
            inertia,
            center_of_mass_local: validator.finite("center_of_mass", center)?,
            material: described.material,
            collision: described.collision,
            properties: described.properties.clone(),
            linear_damping: validator.at_least_zero("linear_damping", described.linear_damping)?,
            angular_damping: validator.at_least_zero("angular_damping", described.angular_damping)?,
            surface: described.surface,
            surface_motion: validator.surface_motion(described.surface_motion)?,
            trigger: described.trigger,
            spare_inertia: None,
            user_data: described.user_data,
            appearance: described.appearance.clone(),
        };
        let state = InertialState {
            center_of_mass: validator.position(body.center_of_mass(&frame))?,
            orientation: frame.orientation,
            velocity: validator.finite("velocity", described.velocity)?,
            angular_velocity: validator.finite("angular_velocity", described.angular_velocity)?,
        };
        let moves = state.velocity != Vec3::ZERO || state.angular_velocity != Vec3::ZERO;
        if moves && matches!(described.kind, BodyKind::Static | BodyKind::Graphical) {
            return Err(kind_error(&described.name, described.kind, "it cannot have a velocity"));
        }
        Ok((body, inertia, state))
    }

    /// Removes a body and everything applied to it.
    ///
    /// # Errors
    /// If the handle is stale or foreign, or a field or joint refers to the body.
    pub fn remove_body(&mut self, handle: BodyHandle) -> Result<(), WorldError> {
        let slot = self.slot(handle)?;
        let uses = |field: &&Arc<dyn Field>| matches!(field.acts_on(), ActsOn::Bodies(list) if list.contains(&handle));
        if let Some(field) = self.fields.iter().find(uses) {
            let user = format!("the field `{}`", field.type_name());
            return Err(WorldError::InUse { body: self.bodies[slot].name.clone(), user });
        }
        let joined = |(_, name, joint): (_, &str, &Arc<dyn Constraint>)| {
            joint.bodies().contains(&Some(handle)).then(|| format!("the joint `{name}`"))
        };
        if let Some(user) = self.joints.iter().find_map(joined) {
            return Err(WorldError::InUse { body: self.bodies[slot].name.clone(), user });
        }
        self.names.remove(&self.bodies[slot].name);
        self.triggers -= usize::from(self.bodies[slot].trigger);
        self.slots[slot].occupied = false;
        self.vacant.push(Reverse(slot as u32));
        self.bump_revision();
        self.bodies[slot] = RigidBody::vacant();
        self.state.inertias[slot] = Inertia::IMMOVABLE;
        self.state.states[slot] = InertialState::AT_REST;
        self.initial[slot] = InertialState::AT_REST;
        self.state.loads.retain(|load| load.slot != slot);
        self.state.targets.remove(&slot);
        self.state.inside.retain(|(trigger, body)| *trigger as usize != slot && *body as usize != slot);
        self.trigger_events.clear();
        self.contacts.remove_body(slot);
        self.contacts.exclude(&self.joints);
        self.state.modified = true;
        self.state.sleep.wake_all();
        Ok(())
    }

    /// The body of that name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<BodyHandle> {
        self.names.get(name).copied()
    }

    /// All bodies in the order of their slots.
    pub fn handles(&self) -> impl Iterator<Item = BodyHandle> + '_ {
        (0..self.slots.len()).filter(|slot| self.slots[*slot].occupied).map(|slot| self.handle_of(slot))
    }

    /// All bodies with their handles, in the order of their slots.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyHandle, BodyView<'_>)> {
        self.handles().map(|handle| (handle, self.all_bodies().view(handle.slot())))
    }

    /// Everything about one body now.
    ///
    /// # Errors
    /// If the handle is stale or foreign.
    pub fn body(&self, handle: BodyHandle) -> Result<BodyView<'_>, WorldError> {
        Ok(self.all_bodies().view(self.slot(handle)?))
    }

    /// Pose of the body's frame (the frame that the user placed), world.
    ///
    /// # Errors
    /// If the handle is stale or foreign.
    pub fn frame(&self, handle: BodyHandle) -> Result<ReferenceFrame, WorldError> {
        let view = self.body(handle)?;
        Ok(view.body.frame(view.state))
    }

    /// Mean acceleration over the last step, `Δv/dt` and `Δω/dt`; zero before the first.
    ///
    /// # Errors
    /// If the handle is stale or foreign.
    pub fn acceleration(&self, handle: BodyHandle) -> Result<Acceleration, WorldError> {
        let slot = self.slot(handle)?;
        Ok(self.workspace.acceleration(slot, &self.state.states[slot]))
    }

    /// Places the body's frame, keeping its velocities.
    ///
    /// # Errors
    /// If the handle is stale or foreign, or the pose is not finite, not unit or too far out.
    pub fn set_frame(&mut self, handle: BodyHandle, frame: ReferenceFrame) -> Result<(), WorldError> {
        let slot = self.slot(handle)?;
        let body = &self.bodies[slot];
        let validator = Validator::body(&body.name);
        let frame = validator.frame(&frame)?;
        let center_of_mass = validator.position(body.center_of_mass(&frame))?;
        if body.kind != BodyKind::Dynamic {
            // It may have supported sleeping bodies, or be moved into them.
            self.state.sleep.wake_all();
        }
        self.modify_state(slot, |state| {
            state.center_of_mass = center_of_mass;
            state.orientation = frame.orientation;
        });
        Ok(())
    }

    /// Sets centre of mass, orientation and velocities to the last bit.
    ///
    /// # Errors
    /// If the handle is stale or foreign, a value is not finite, not unit or too far out, or a body that cannot move is to have a
    /// velocity.
    pub fn set_body_state(&mut self, handle: BodyHandle, state: InertialState) -> Result<(), WorldError> {
        let slot = self.slot(handle)?;
        if state.velocity != Vec3::ZERO || state.angular_velocity != Vec3::ZERO {
            self.moving_slot(handle, "it cannot have a velocity")?;
        }
        let body = &self.bodies[slot];
        let validator = Validator::body(&body.name);
        validator
            .frame(&ReferenceFrame { position: state.center_of_mass, orientation: state.orientation })?;
        validator.finite("velocity", state.velocity)?;
        validator.finite("angular_velocity", state.angular_velocity)?;
        if body.kind != BodyKind::Dynamic {
            self.state.sleep.wake_all();
        }
        self.modify_state(slot, |present| *present = state);
        Ok(())
    }

    /// Sets the velocity of the centre of mass, world frame, m/s.
    ///
    /// # Errors
    /// If the handle is stale or foreign, the body cannot move, or the value is not finite.
    pub fn set_velocity(&mut self, handle: BodyHandle, velocity: Vec3) -> Result<(), WorldError> {
        let slot = self.moving_slot(handle, "it cannot have a velocity")?;
        let velocity = Validator::body(&self.bodies[slot].name).finite("velocity", velocity)?;
        self.modify_state(slot, |state| state.velocity = velocity);
        Ok(())
    }

    /// Sets the angular velocity, world frame, rad/s.
    ///
    /// # Errors
    /// If the handle is stale or foreign, the body cannot move, or the value is not finite.
    pub fn set_angular_velocity(
        &mut self,
        handle: BodyHandle,
        angular_velocity: Vec3,
    ) -> Result<(), WorldError> {
        let slot = self.moving_slot(handle, "it cannot have an angular velocity")?;
        let omega = Validator::body(&self.bodies[slot].name).finite("angular_velocity", angular_velocity)?;
        self.modify_state(slot, |state| state.angular_velocity = omega);
        Ok(())
    }

    /// Moves a kinematic body so that its frame is at `target` after the next step.
    ///
    /// # Errors
    /// If the handle is stale or foreign, the body is not kinematic, or the pose is refused.
    pub fn move_kinematic_to(
        &mut self,
        handle: BodyHandle,
        target: ReferenceFrame,
    ) -> Result<(), WorldError> {
        let slot = self.slot(handle)?;
        let body = &self.bodies[slot];
        if body.kind != BodyKind::Kinematic {
            return Err(kind_error(&body.name, body.kind, "only a kinematic body can be given a target"));
        }
        let target = Validator::body(&body.name).frame(&target)?;
        self.state.targets.insert(slot, target);
        Ok(())
    }

    /// Refuses a velocity command for a dynamic body.
    pub(crate) fn check_kinematic(&self, handle: BodyHandle) -> Result<(), WorldError> {
        let body = &self.bodies[self.slot(handle)?];
        if body.kind == BodyKind::Kinematic {
            return Ok(());
        }
        Err(kind_error(&body.name, body.kind, "only a kinematic body can be commanded a velocity"))
    }

    pub(super) fn handle_of(&self, slot: usize) -> BodyHandle {
        BodyHandle::new(self.slots[slot].world, slot as u32, self.slots[slot].generation)
    }

    /// The slot of a valid handle of this world.
    pub(super) fn slot(&self, handle: BodyHandle) -> Result<usize, WorldError> {
        match self.slots.get(handle.slot()) {
            Some(slot) if (slot.world, slot.generation) == (handle.world(), handle.generation()) => {
                slot.occupied.then_some(handle.slot()).ok_or(WorldError::StaleHandle("body"))
            }
            _ if handle.world() == self.identity.number() => Err(WorldError::StaleHandle("body")),
            _ => Err(WorldError::ForeignHandle),
        }
    }

    /// The slot of a dynamic or kinematic body.
    fn moving_slot(&self, handle: BodyHandle, problem: &'static str) -> Result<usize, WorldError> {
        let slot = self.slot(handle)?;
        let body = &self.bodies[slot];
        match body.kind {
            BodyKind::Dynamic | BodyKind::Kinematic => Ok(slot),
            BodyKind::Static | BodyKind::Graphical => Err(kind_error(&body.name, body.kind, problem)),
        }
    }

    /// The slot of a dynamic body.
    pub(super) fn dynamic_slot(
        &self,
        handle: BodyHandle,
        problem: &'static str,
    ) -> Result<usize, WorldError> {
        let slot = self.slot(handle)?;
        let body = &self.bodies[slot];
        if body.kind == BodyKind::Dynamic {
            Ok(slot)
        } else {
            Err(kind_error(&body.name, body.kind, problem))
        }
    }
}
