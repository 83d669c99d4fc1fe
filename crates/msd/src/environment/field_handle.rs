//! `FieldHandle`: handle of a field.

/// Identifies a field of the world it was added to, and of the copies made of that world since; as
/// [`BodyHandle`](crate::physics::rigid_body::BodyHandle) does a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldHandle {
    /// Identity of the world.
    pub(super) world: u64,
    /// Counts the fields of that world.
    pub(super) number: u64,
}
