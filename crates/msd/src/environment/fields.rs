//! Fields of a world.

use std::sync::Arc;

use super::field_handle::FieldHandle;
use super::{World, WorldError};
use crate::physics::forces::{ActsOn, Field, IntoField};
use crate::physics::rigid_body::{BodyKind, RigidBody};

impl World {
    /// Adds a field in addition to gravity.
    ///
    /// # Errors
    /// If it names a body that is not in this world, or one without a property that the field needs.
    pub fn add_field(&mut self, field: impl IntoField) -> Result<FieldHandle, WorldError> {
        let field = field.into_field();
        match field.acts_on() {
            ActsOn::Everything => {
                self.bodies.iter().try_for_each(|body| check_fit(field.as_ref(), body))?;
            }
            ActsOn::Bodies(handles) => {
                for handle in handles {
                    check_fit(field.as_ref(), &self.bodies[self.slot(*handle)?])?;
                }
            }
        }
        let handle = FieldHandle { world: self.identity.number(), number: self.next_field };
        self.next_field += 1;
        self.fields.push(field);
        self.field_handles.push(handle);
        self.state.modified = true;
        self.state.sleep.wake_all();
        Ok(handle)
    }

    /// Removes a field.
    ///
    /// # Errors
    /// If the handle is stale or foreign.
    pub fn remove_field(&mut self, handle: FieldHandle) -> Result<(), WorldError> {
        let unknown = if handle.world == self.identity.number() {
            WorldError::StaleHandle("field")
        } else {
            WorldError::ForeignHandle
        };
        let index = self.field_handles.iter().position(|known| *known == handle).ok_or(unknown)?;
        self.fields.remove(index);
        self.field_handles.remove(index);
        self.state.modified = true;
        self.state.sleep.wake_all();
        Ok(())
    }

    /// All fields, gravity first if there is any.
    #[must_use]
    pub fn fields(&self) -> &[Arc<dyn Field>] {
        &self.fields
    }
}

/// Checks whether a field can act on a body.
pub(super) fn check_fit(field: &dyn Field, body: &RigidBody) -> Result<(), WorldError> {
    if body.kind != BodyKind::Dynamic {
        return Ok(());
    }
    field.check_body(body).map_err(|source| WorldError::Field { body: body.name.clone(), source })
}
