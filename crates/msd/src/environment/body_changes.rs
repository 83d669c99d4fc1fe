//! Changes to bodies after they were added: material, mass, inertia, kind, groups, damping, properties, shape.
//!
//! A change is an input like a force: it is given between two steps, directly or as a [`Command`](crate::agent::Command) of an agent, which
//! recordings store and replays apply again. A change that is refused changes nothing. The energy it adds or takes (another mass at the
//! same velocity) is booked as work. Changes are part of the model: snapshots of before are of another model.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::fields::check_fit;
use super::former_body::FormerBody;
use super::shape_limits;
use super::validate::Validator;
use super::{World, WorldError};
use crate::math::{Mat3, Vec3};
use crate::physics::forces::{ActsOn, Field};
use crate::physics::rigid_body::shape::Shape;
use crate::physics::rigid_body::{
    BodyHandle, BodyKind, CollisionGroups, Inertia, MassProperties, Material, PropertyValue, RigidBody,
    SurfaceMotion, SurfaceRules,
};

/// A change to a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum BodyChange {
    /// Another surface; all its values count as stated.
    Material(Material),
    /// Another mass, kg; the inertia tensor grows in proportion, the centre of mass stays. A body that is not dynamic remembers it for
    /// when it becomes dynamic.
    Mass(f64),
    /// Another inertia tensor about the centre of mass, body frame, kg·m²; dynamic bodies only.
    Inertia(Mat3),
    /// Another kind. A body that becomes static or graphical stops; one that becomes dynamic has the mass it had, or was given since.
    Kind(BodyKind),
    /// Another collision filter.
    Groups(CollisionGroups),
    /// Other rates at which its velocities decay, 1/s.
    Damping {
        /// Of the velocity.
        linear: f64,
        /// Of the angular velocity.
        angular: f64,
    },
    /// A value for fields, replaced or added.
    Property {
        /// Its name, such as `magnetic-dipole`.
        name: String,
        /// Body frame, SI.
        value: PropertyValue,
    },
    /// Another shape in the frame of the body. Mass, inertia and centre of mass stay: set them too if they should follow.
    Shape(Shape),
    /// Another velocity of the surface, or other sides from which it can be touched.
    SurfaceMotion(SurfaceMotion),
}

const NOT_DYNAMIC: &str = "only dynamic bodies have an inertia";

impl World {
    /// Changes a body from now on.
    ///
    /// ```
    /// # use msd::prelude::*;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut world = World::new();
    /// let crate_ = world.add_body(BodyDescription::dynamic("crate", Cuboid::new(Vec3::ONE)?).mass(2.0))?;
    /// world.set_mass(crate_, 3.0)?;
    /// world.set_material(crate_, Material { friction: 0.1, ..Material::default() })?;
    /// assert_eq!(world.body(crate_)?.mass(), 3.0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If the handle is stale or foreign, a value is out of its range, or a field or shape does not allow it.
    pub fn change_body(&mut self, handle: BodyHandle, change: BodyChange) -> Result<(), WorldError> {
        let slot = self.slot(handle)?;
        let (body, inertia) = self.changed(slot, &change)?;
        if body == self.bodies[slot] && inertia == self.state.inertias[slot] {
            return Ok(());
        }
        if let Some(undo) = &mut self.undo {
            let (body, inertia) = (self.bodies[slot].clone(), self.state.inertias[slot]);
            undo.push(FormerBody { slot, body, inertia, state: self.state.states[slot] });
        }
        self.put_body(slot, body, inertia);
        Ok(())
    }

    /// The body and its inertia after a change.
    fn changed(&self, slot: usize, change: &BodyChange) -> Result<(RigidBody, Inertia), WorldError> {
        let (mut body, mut inertia) = (self.bodies[slot].clone(), self.state.inertias[slot]);
        let validator = Validator::body(&self.bodies[slot].name);
        let name = || self.bodies[slot].name.clone();
        let refused = |source| WorldError::Inertia { body: name(), source };
        match change {
            BodyChange::Material(material) => {
                material.validate().map_err(|source| WorldError::Material { body: name(), source })?;
                body.material = *material;
                let SurfaceRules { friction_rule, restitution_rule, .. } = body.surface;
                body.surface = SurfaceRules { friction_rule, restitution_rule, ..SurfaceRules::STATED };
            }
            BodyChange::Mass(mass) => {
                let known = if body.kind == BodyKind::Dynamic { Some(inertia) } else { body.spare_inertia };
                let made = match (known, &body.shape) {
                    (Some(known), _) => {
                        let mass = validator.positive("mass", *mass)?;
                        Inertia::new(mass, known.tensor_body() * (mass * known.inverse_mass()))
                    }
                    (None, Some(shape)) => {
                        MassProperties::from_shape_with_mass(shape, *mass).and_then(|made| made.to_inertia())
                    }
                    (None, None) => Err(crate::physics::rigid_body::InertiaError::NoShape),
                };
                let made = made.map_err(refused)?;
                if body.kind == BodyKind::Dynamic {
                    inertia = made;
                } else {
                    body.spare_inertia = Some(made);
                }
            }
            BodyChange::Inertia(tensor) => {
                self.dynamic_slot(self.handle_of(slot), NOT_DYNAMIC)?;
                inertia = Inertia::new(1.0 / inertia.inverse_mass(), *tensor).map_err(refused)?;
            }
            BodyChange::Kind(kind) if *kind != body.kind => {
                if body.kind == BodyKind::Dynamic {
                    body.spare_inertia = Some(inertia);
                }
                body.kind = *kind;
                inertia = match kind {
                    BodyKind::Dynamic => body.spare_inertia.take().ok_or_else(|| {
                        validator.refuse("mass", "set before the body becomes dynamic", "none")
                    })?,
                    _ => Inertia::IMMOVABLE,
                };
            }
            BodyChange::Kind(_) => {}
            BodyChange::Groups(groups) => body.collision = *groups,
            BodyChange::Damping { linear, angular } => {
                body.linear_damping = validator.at_least_zero("linear_damping", *linear)?;
                body.angular_damping = validator.at_least_zero("angular_damping", *angular)?;
            }
            BodyChange::Property { name, value } => {
                let numbers = match value {
                    PropertyValue::Scalar(number) => Vec3::splat(*number),
                    PropertyValue::Vector(vector) => *vector,
                };
                validator.finite("property", numbers)?;
                body.properties.set(name, *value);
            }
            BodyChange::Shape(shape) => body.shape = Some(shape.clone()),
            BodyChange::SurfaceMotion(motion) => body.surface_motion = validator.surface_motion(*motion)?,
        }
        body.inertia = inertia;
        if let Some(shape) = &body.shape {
            shape_limits::check(body.kind, body.collision, shape)
                .map_err(|unfit| unfit.error(&body.name, body.kind))?;
        }
        let handle = self.handle_of(slot);
        let acts = |field: &&Arc<dyn Field>| match field.acts_on() {
            ActsOn::Everything => true,
            ActsOn::Bodies(bodies) => bodies.contains(&handle),
        };
        self.fields.iter().filter(acts).try_for_each(|field| check_fit(field.as_ref(), &body))?;
        Ok((body, inertia))
    }

    /// Puts a changed body in the place of the one in a slot.
    fn put_body(&mut self, slot: usize, body: RigidBody, inertia: Inertia) {
        let former = &self.bodies[slot];
        let surface = body.shape != former.shape || body.kind != former.kind;
        self.contacts.change_surface(&body);
        if surface || body.collision != former.collision {
            self.contacts.change_body(slot);
        }
        if surface {
            self.bump_revision();
        }
        if body.kind != BodyKind::Dynamic {
            self.state.loads.retain(|load| load.slot != slot);
        }
        if body.kind != BodyKind::Kinematic {
            self.state.targets.remove(&slot);
        }
        let stands = matches!(body.kind, BodyKind::Static | BodyKind::Graphical);
        self.bodies[slot] = body;
        self.state.inertias[slot] = inertia;
        self.modify_state(slot, |state| {
            if stands {
                state.reset_motion();
            }
        });
        self.state.sleep.wake_all();
    }

    /// Starts to remember bodies before they are changed, so that the changes can be taken back.
    pub(super) fn begin_changes(&mut self) {
        self.undo = Some(Vec::new());
    }

    /// Ends that; takes the changes back if asked to.
    pub(super) fn end_changes(&mut self, take_back: bool) {
        for former in self.undo.take().unwrap_or_default().into_iter().rev().filter(|_| take_back) {
            self.put_body(former.slot, former.body, former.inertia);
            self.modify_state(former.slot, |state| *state = former.state);
        }
    }

    /// Another surface material; all its values count as stated.
    ///
    /// # Errors
    /// As [`World::change_body`].
    pub fn set_material(&mut self, handle: BodyHandle, material: Material) -> Result<(), WorldError> {
        self.change_body(handle, BodyChange::Material(material))
    }

    /// Another mass, kg: [`BodyChange::Mass`].
    ///
    /// # Errors
    /// As [`World::change_body`].
    pub fn set_mass(&mut self, handle: BodyHandle, kilograms: f64) -> Result<(), WorldError> {
        self.change_body(handle, BodyChange::Mass(kilograms))
    }

    /// Another inertia tensor about the centre of mass, body frame, kg·m².
    ///
    /// # Errors
    /// As [`World::change_body`].
    pub fn set_inertia(&mut self, handle: BodyHandle, tensor_body: Mat3) -> Result<(), WorldError> {
        self.change_body(handle, BodyChange::Inertia(tensor_body))
    }

    /// Another kind: [`BodyChange::Kind`].
    ///
    /// # Errors
    /// As [`World::change_body`].
    pub fn set_kind(&mut self, handle: BodyHandle, kind: BodyKind) -> Result<(), WorldError> {
        self.change_body(handle, BodyChange::Kind(kind))
    }

    /// Another collision filter.
    ///
    /// # Errors
    /// As [`World::change_body`].
    pub fn set_groups(&mut self, handle: BodyHandle, groups: CollisionGroups) -> Result<(), WorldError> {
        self.change_body(handle, BodyChange::Groups(groups))
    }

    /// Other rates at which velocity and angular velocity decay, 1/s.
    ///
    /// # Errors
    /// As [`World::change_body`].
    pub fn set_damping(&mut self, handle: BodyHandle, linear: f64, angular: f64) -> Result<(), WorldError> {
        self.change_body(handle, BodyChange::Damping { linear, angular })
    }

    /// A value for fields, replaced or added: this is how magnetic moments are driven.
    ///
    /// # Errors
    /// As [`World::change_body`].
    pub fn set_property(
        &mut self,
        handle: BodyHandle,
        name: &str,
        value: PropertyValue,
    ) -> Result<(), WorldError> {
        self.change_body(handle, BodyChange::Property { name: name.to_owned(), value })
    }

    /// Another shape: [`BodyChange::Shape`].
    ///
    /// # Errors
    /// As [`World::change_body`].
    pub fn set_shape(&mut self, handle: BodyHandle, shape: impl Into<Shape>) -> Result<(), WorldError> {
        self.change_body(handle, BodyChange::Shape(shape.into()))
    }

    /// Another velocity of the surface relative to the body, body frame, m/s: how belts start, stop and reverse.
    ///
    /// # Errors
    /// As [`World::change_body`].
    pub fn set_surface_velocity(&mut self, handle: BodyHandle, velocity: Vec3) -> Result<(), WorldError> {
        let motion = self.bodies[self.slot(handle)?].surface_motion;
        self.change_body(handle, BodyChange::SurfaceMotion(SurfaceMotion { velocity, ..motion }))
    }

    /// A number of the program's own for a body; no result depends on it.
    ///
    /// # Errors
    /// If the handle is stale or foreign.
    pub fn set_user_data(&mut self, handle: BodyHandle, data: u128) -> Result<(), WorldError> {
        let slot = self.slot(handle)?;
        self.bodies[slot].user_data = data;
        Ok(())
    }
}
