//! `PlacedForce`: a row that acts as a force while only velocities change.

use super::JacobianRow;

/// A row that acts as a force, with the bodies in one place.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedForce {
    pub(super) row: usize,
    pub(super) block: usize,
    pub(super) jacobian: JacobianRow,
    /// `C`.
    pub(super) value: f64,
    /// `∂C/∂t`.
    pub(super) drift: f64,
}
