//! `ConstraintHandle`: names a constraint of a set.

/// Identifies one constraint of the set it was added to, and of the copies made of that set since. A handle of a removed
/// constraint, or of one that was added to another set, is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConstraintHandle {
    /// Identity of the set.
    pub(super) set: u64,
    pub(super) slot: u32,
    pub(super) generation: u32,
}

impl ConstraintHandle {
    /// Place of the constraint among the slots of its set.
    #[must_use]
    pub const fn slot(self) -> usize {
        self.slot as usize
    }
}
