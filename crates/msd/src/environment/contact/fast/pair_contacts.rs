//! `PairContacts`: the contacts of a pair of bodies, by reference.

/// Contacts between two bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairContacts {
    pub(super) slots: [u32; 2],
    pub(super) found: ContactSource,
}

/// Where these contacts are stored.
#[derive(Clone, Copy, Debug)]
pub(super) enum ContactSource {
    /// All manifolds of a pair of the detector.
    Pair(u32),
    /// Consecutive contact constraints, one manifold.
    Candidates { first: u32, count: u32 },
}

/// The world as the static end of joints.
pub(super) const WORLD: usize = usize::MAX;
