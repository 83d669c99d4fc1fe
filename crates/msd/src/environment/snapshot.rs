//! Snapshots: the complete state of a world, restored bit for bit.
//!
//! The bytes are sealed ([`sealed_bytes`](super::sealed_bytes)). The payload is the engine's version, the fingerprint of the model, and
//! the state, encoded by serde through postcard.
//!
//! A snapshot holds state only. It is restored into a world with the same model (bodies, fields, joints,
//! settings), and the first thing that differs is named when it is not.

use serde::{Deserialize, Serialize};

use super::contact::ContactMemory;
use super::sealed_bytes::{self, Broken};
use super::snapshot_error::{FORMAT, SnapshotError};
use super::world::WorldState;
use super::{World, WorldError};
use crate::digest::{Digest, FINGERPRINT_VERSION, Fingerprint, Hasher};
use crate::physics::rigid_body::InertialState;

const MAGIC: [u8; 8] = *b"MSDSNAP\0";

/// The moving state of a world at one instant, as checked bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    bytes: Vec<u8>,
}

/// One part of a model: its kind, and the digest of its declared parameters.
type ModelPart = (String, [u8; 32]);

#[derive(Serialize, Deserialize)]
struct Payload {
    version: String,
    model: Vec<ModelPart>,
    state: WorldState,
    contacts: ContactMemory,
}

impl Snapshot {
    /// The bytes, to be stored anywhere.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Reads bytes after checking magic, format, length and checksum.
    ///
    /// # Errors
    /// Says which of them does not match.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, SnapshotError> {
        payload(&bytes)?;
        Ok(Self { bytes })
    }

    fn encode(payload: &Payload) -> Self {
        // Writing to memory fails only when memory runs out, which aborts before it returns an error.
        let payload = postcard::to_allocvec(payload).expect("a state made of numbers can always be encoded");
        Self { bytes: sealed_bytes::seal(MAGIC, FORMAT, &payload) }
    }

    fn decode(&self) -> Result<Payload, SnapshotError> {
        postcard::from_bytes(payload(&self.bytes)?).map_err(|_| SnapshotError::Damaged)
    }
}

/// The checked payload.
fn payload(bytes: &[u8]) -> Result<&[u8], SnapshotError> {
    sealed_bytes::open(MAGIC, FORMAT, bytes).map_err(|broken| match broken {
        Broken::Magic => SnapshotError::NotASnapshot,
        Broken::Format(found) => SnapshotError::Format { found },
        Broken::Length { expected, found } => SnapshotError::Length { expected, found },
        Broken::Digest => SnapshotError::Damaged,
    })
}

impl World {
    /// The moving state now.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::encode(&Payload {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            model: self.model(),
            state: self.state.clone(),
            contacts: self.contacts.memory(),
        })
    }

    /// Restores the state of a snapshot of the same model; the next steps have the same bits as after the
    /// original.
    ///
    /// # Errors
    /// If the snapshot is of another version or model. The world is then unchanged.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), WorldError> {
        let payload = snapshot.decode()?;
        if payload.version != env!("CARGO_PKG_VERSION") {
            return Err(SnapshotError::Version { found: payload.version }.into());
        }
        if let Some(difference) = first_difference(&payload.model, &self.model()) {
            return Err(SnapshotError::Model { difference }.into());
        }
        let mut contacts = self.contacts.clone();
        if !self.fits(&payload.state) || !contacts.restore(payload.contacts, self.slots.len()) {
            return Err(SnapshotError::Damaged.into());
        }
        self.state = payload.state;
        self.contacts = contacts;
        self.workspace = super::workspace::Workspace::default();
        self.follow_drives();
        Ok(())
    }

    /// True if a state has an entry for every body of this world, no others, and finite numbers: a checksum
    /// proves integrity, not origin.
    pub(super) fn fits(&self, state: &WorldState) -> bool {
        let known = |slot: usize| slot < self.slots.len();
        state.states.len() == self.slots.len()
            && state.inertias.len() == self.slots.len()
            && state.states.iter().all(InertialState::is_finite)
            && state.loads.iter().all(|load| known(load.slot))
            && state.targets.keys().all(|slot| known(*slot))
            && state.sleep.fits(self.slots.len())
            && state.drives.fits(self.joints.slots())
            && state.inside.iter().all(|(trigger, body)| known(*trigger as usize) && known(*body as usize))
    }

    /// Identifies the state to the last bit (with -0.0 hashed as 0.0): equal for any thread count, in debug
    /// and release, fresh or restored.
    #[must_use]
    pub fn state_hash(&self) -> Digest {
        let mut hasher = Hasher::new();
        hasher.integer(self.state.steps);
        hasher.number(self.time());
        for slot in (0..self.slots.len()).filter(|slot| self.slots[*slot].occupied) {
            let (state, inertia) = (&self.state.states[slot], &self.state.inertias[slot]);
            hasher.integer(slot as u64);
            hasher.number(inertia.inverse_mass());
            hasher.numbers(&state.center_of_mass.to_array());
            hasher.numbers(&state.orientation.to_array());
            hasher.numbers(&state.velocity.to_array());
            hasher.numbers(&state.angular_velocity.to_array());
        }
        self.state.drives.fingerprint(&mut hasher);
        hasher.finish()
    }

    /// Identifies bodies, fields, joints and settings: everything a step depends on that is not state.
    #[must_use]
    pub fn model_hash(&self) -> Digest {
        let mut hasher = Hasher::new();
        for (label, digest) in self.model() {
            hasher.text(&label);
            hasher.bytes(&digest);
        }
        hasher.finish()
    }

    /// The parts of the model in order, each with the digest of its declared parameters.
    fn model(&self) -> Vec<ModelPart> {
        let digest = |append: &dyn Fn(&mut Hasher)| {
            let mut hasher = Hasher::new();
            append(&mut hasher);
            hasher.finish().0
        };
        let mut parts = vec![
            ("version of the fingerprint".to_owned(), digest(&|hasher| hasher.integer(FINGERPRINT_VERSION))),
            ("integrator".to_owned(), digest(&|hasher| hasher.text(&self.integrator.describe()))),
            ("contact settings".to_owned(), digest(&|hasher| self.contacts.settings.fingerprint(hasher))),
            (
                "pairs that do not collide".to_owned(),
                digest(&|hasher| self.contacts.ignored.fingerprint(hasher)),
            ),
            ("sleep settings".to_owned(), digest(&|hasher| self.sleeping.fingerprint(hasher))),
        ];
        for (slot, body) in self.bodies.iter().enumerate().filter(|(slot, _)| self.slots[*slot].occupied) {
            let of_body = |hasher: &mut Hasher| {
                slot.fingerprint(hasher);
                body.fingerprint(hasher);
            };
            parts.push((format!("body `{}`", body.name), digest(&of_body)));
        }
        for (index, field) in self.fields.iter().enumerate() {
            let label = format!("field {index} (`{}`)", field.type_name());
            parts.push((label, digest(&|hasher| field.fingerprint(hasher))));
        }
        for (handle, name, joint) in self.joints.iter() {
            let of_joint = |hasher: &mut Hasher| {
                handle.slot().fingerprint(hasher);
                match self.latches.get(&handle.slot()) {
                    // Where it holds is state.
                    Some(latch) => latch.ends.iter().for_each(|end| end.fingerprint(hasher)),
                    None => joint.fingerprint(hasher),
                }
                if let Some(load) = self.breaks.get(&handle.slot()) {
                    hasher.numbers(&[load.force, load.torque]);
                }
            };
            parts.push((format!("joint `{name}`"), digest(&of_joint)));
        }
        // Last: a difference of bodies is reported by name.
        let slots = digest(&|hasher| self.slots.len().fingerprint(hasher));
        parts.push(("number of body slots".to_owned(), slots));
        parts
    }
}

fn first_difference(snapshot: &[ModelPart], world: &[ModelPart]) -> Option<String> {
    for (theirs, ours) in snapshot.iter().zip(world) {
        if theirs.0 != ours.0 {
            return Some(format!("it has {} where this world has {}", theirs.0, ours.0));
        }
        if theirs.1 != ours.1 {
            return Some(format!("{} has other parameters", theirs.0));
        }
    }
    match (snapshot.get(world.len()), world.get(snapshot.len())) {
        (Some(extra), _) => Some(format!("it has {}, which this world has not", extra.0)),
        (_, Some(extra)) => Some(format!("this world has {}, which it has not", extra.0)),
        (None, None) => None,
    }
}
