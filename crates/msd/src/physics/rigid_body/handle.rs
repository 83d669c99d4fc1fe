//! `BodyHandle`: a name for a body that cannot point at another one.

use serde::{Deserialize, Serialize};

/// Identifies one body of one world. Copied freely; a handle of a removed body, or of another world, is refused by
/// the world that is asked, because the generation or the world's identity does not match.
///
/// A copy of a world (and a world restored from a snapshot) accepts the handles of the original.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BodyHandle {
    world: u32,
    slot: u32,
    generation: u32,
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
    pub const fn new(world: u32, slot: u32, generation: u32) -> Self {
        Self { world, slot, generation }
    }

    /// Position of the body in the slices that fields, constraints and integrators see.
    #[must_use]
    pub const fn slot(self) -> usize {
        self.slot as usize
    }

    /// Identity of the world that gave it out.
    #[must_use]
    pub const fn world(self) -> u32 {
        self.world
    }

    /// How often the slot had been used before.
    #[must_use]
    pub const fn generation(self) -> u32 {
        self.generation
    }
}
