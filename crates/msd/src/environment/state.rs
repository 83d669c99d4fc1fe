//! In-memory copies of the state of a world, for resets, searches and rollouts.
//!
//! A [`Snapshot`](super::Snapshot) is made to be stored: it is encoded, carries a checksum and the
//! fingerprint of the whole model, and costs hundreds of microseconds. A [`State`] is for immediate reuse: it
//! holds the same numbers, is copied in microseconds, and is only checked against the revision of the bodies
//! and joints.

use super::contact::ContactMemory;
use super::workspace::Workspace;
use super::world::WorldState;
use super::{World, WorldError};

/// The moving state of a world at one instant, without its model.
///
/// ```
/// # use msd::prelude::*;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = World::new();
/// world.add_body(BodyDescription::dynamic("ball", Shape::from(Sphere::new(0.1)?)).mass(1.0))?;
/// let start = world.state();
/// world.run(1.0)?;
/// let first = world.state_hash();
/// world.set_state(&start)?;
/// world.run(1.0)?;
/// assert_eq!(world.state_hash(), first);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct State {
    revision: u64,
    moving: WorldState,
    contacts: ContactMemory,
}

impl State {
    /// Time of the state, s.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.moving.time.seconds()
    }

    /// Number of steps until then.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.moving.steps
    }
}

impl World {
    /// A copy of the moving state now: bodies, time, energy ledger, pending loads, motor velocities, sleep, and the impulse cache
    /// of contacts and joints.
    #[must_use]
    pub fn state(&self) -> State {
        State { revision: self.revision(), moving: self.state.clone(), contacts: self.contacts.memory() }
    }

    /// Sets a state of this world or of a copy of it; the next steps have the same bits as those after
    /// [`World::state`].
    ///
    /// Bodies and joints must be those the state was taken with ([`World::revision`]). Fields, materials and settings are not part of
    /// a state and stay as they are now. Contact points and accelerations of the last step are empty until the next one.
    ///
    /// # Errors
    /// If a body or joint was added or removed since, or the state is of another world. The world is then
    /// unchanged.
    pub fn set_state(&mut self, state: &State) -> Result<(), WorldError> {
        if state.revision != self.revision() {
            return Err(WorldError::StateOfOtherModel { state: state.revision, world: self.revision() });
        }
        self.state.clone_from(&state.moving);
        self.contacts.set_memory(&state.contacts);
        self.workspace = Workspace::default();
        self.follow_drives();
        Ok(())
    }
}
