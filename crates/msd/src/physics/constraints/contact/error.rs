//! Errors of invalid contact problems.

use crate::physics::rigid_body::MaterialError;

/// Why a contact problem cannot be posed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ContactProblemError {
    /// A mass, inertia or velocity that is not finite, or a negative inverse mass.
    #[error("body {body}: inverse mass, inverse inertia and velocity must be finite and not negative")]
    Body {
        /// Index of the body.
        body: usize,
    },
    /// Velocities or positions that contact gave a body are not finite.
    #[error("contact gave the body in slot {slot} a velocity or position that is not finite")]
    Diverged {
        /// Its slot.
        slot: usize,
    },
    /// The rule for pairs of materials gave a value out of its range.
    #[error(
        "bodies in slots {a} and {b}: the rule for pairs of materials gave a value out of range: {source}"
    )]
    Material {
        /// Slot of body A.
        a: usize,
        /// Slot of body B.
        b: usize,
        /// Which value.
        source: MaterialError,
    },
    /// Two bodies are needed.
    #[error("contact {contact}: bodies {a} and {b} must be two different ones of {bodies}")]
    Pair {
        /// Index of the contact.
        contact: usize,
        /// Body A.
        a: usize,
        /// Body B.
        b: usize,
        /// Bodies there are.
        bodies: usize,
    },
    /// A frame that is not orthonormal.
    #[error("contact {contact}: normal and tangents must be orthonormal, off by {error}")]
    Frame {
        /// Index of the contact.
        contact: usize,
        /// Largest entry of `FᵀF - 1`.
        error: f64,
    },
    /// A coefficient of friction below zero, or a number that is not finite.
    #[error(
        "contact {contact}: coefficients of friction must be at least 0, and arms and biases finite (friction {friction})"
    )]
    Contact {
        /// Index of the contact.
        contact: usize,
        /// The friction given.
        friction: f64,
    },
    /// A row needs two bodies too.
    #[error("row {row}: bodies {a} and {b} must be two different ones of {bodies}")]
    RowPair {
        /// Index of the row.
        row: usize,
        /// Body A.
        a: usize,
        /// Body B.
        b: usize,
        /// Bodies there are.
        bodies: usize,
    },
    /// The fast tier has no rows over several joints.
    #[error(
        "the fast contact tier does not hold couplings of joints (gears, mimic joints, tendons): set the tier to `exact` or `auto`"
    )]
    CoupledRows,
    /// A Jacobian or target that is not finite.
    #[error("row {row}: Jacobian and target must be finite")]
    Row {
        /// Index of the row.
        row: usize,
    },
    /// Bounds between which there is no impulse.
    #[error("row {row}: bounds [{lower}, {upper}] hold no finite impulse")]
    Bounds {
        /// Index of the row.
        row: usize,
        /// The lower one given.
        lower: f64,
        /// The upper one given.
        upper: f64,
    },
}
