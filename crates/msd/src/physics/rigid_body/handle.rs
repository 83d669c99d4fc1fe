//! `BodyHandle`: a generational handle of a body.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::digest::{Fingerprint, Hasher};

/// Source of identities; zero is unused. No result depends on it.
static NEXT_IDENTITY: AtomicU64 = AtomicU64::new(1);

/// Identity of an owner of handles. A copy is another owner and gets its own identity.
#[derive(Debug)]
pub(crate) struct Identity(u64);

impl Identity {
    /// The number that handles carry.
    pub(crate) fn number(&self) -> u64 {
        self.0
    }
}

impl Default for Identity {
    /// A new identity, unique in this process.
    fn default() -> Self {
        Self(NEXT_IDENTITY.fetch_add(1, Ordering::Relaxed))
    }
}

impl Clone for Identity {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Identifies one body. A world refuses the handle of a body that it has removed or never had.
///
/// A handle carries the identity of the world that the body was added to, its slot, and how often the slot
/// had been used. A copy of a world holds the same bodies and accepts the handles given out before the copy
/// was made, so that fields, joints, agents and callers go on working. A body added later, to the original or
/// to the copy, is known there alone: the copy has an identity of its own and gives out other handles. A
/// fresh world never accepts the handles of another one, not even after restoring its snapshot; look its
/// bodies up by name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyHandle {
    world: u64,
    slot: u32,
    generation: u32,
}

thread_local! {
    /// The world that all handles belong to while a whole world is written or read.
    static WORLD: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Runs `transfer`; all handles that it serialises or deserialises belong to the world of that number.
pub(crate) fn as_of_world<T>(world: u64, transfer: impl FnOnce() -> T) -> T {
    struct Restore(Option<u64>);
    impl Drop for Restore {
        fn drop(&mut self) {
            WORLD.set(self.0);
        }
    }
    let _restore = Restore(WORLD.replace(Some(world)));
    transfer()
}

/// A handle as it is written.
#[derive(Serialize, Deserialize)]
#[serde(rename = "BodyHandle")]
struct Written {
    world: u64,
    slot: u32,
    generation: u32,
}

impl Serialize for BodyHandle {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { world, slot, generation } = *self;
        Written { world: WORLD.get().unwrap_or(world), slot, generation }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for BodyHandle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Written { world, slot, generation } = Written::deserialize(deserializer)?;
        Ok(Self { world: WORLD.get().unwrap_or(world), slot, generation })
    }
}

impl std::fmt::Debug for BodyHandle {
    /// Slot and generation, without the identity of the world: the same model in two worlds looks the same.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BodyHandle({}.{})", self.slot, self.generation)
    }
}

impl BodyHandle {
    /// Handles are given out by a world. Making one by hand is for tests of fields and constraints that have no
    /// world around them.
    #[must_use]
    pub const fn new(world: u64, slot: u32, generation: u32) -> Self {
        Self { world, slot, generation }
    }

    /// Position of the body in the slices that fields, constraints and integrators see.
    #[must_use]
    pub const fn slot(self) -> usize {
        self.slot as usize
    }

    /// Identity of the world that the body was added to.
    #[must_use]
    pub const fn world(self) -> u64 {
        self.world
    }

    /// How often the slot had been used before.
    #[must_use]
    pub const fn generation(self) -> u32 {
        self.generation
    }
}

impl Fingerprint for BodyHandle {
    /// The slot: which body of the model it is. World and generation say when it was added.
    fn fingerprint(&self, hasher: &mut Hasher) {
        self.slot.fingerprint(hasher);
    }
}
