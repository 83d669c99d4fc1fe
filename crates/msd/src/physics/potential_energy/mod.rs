//! Fields: what acts on bodies from outside, with or without a potential.
//!
//! A force that has a potential obeys `F = -∂V/∂x`, and its torque is minus the gradient of V with respect to a
//! world-frame rotation. A force that has none (drag, thrust, a damper) reports power instead, and the energy ledger
//! books it.

mod field;

pub use field::{ActsOn, Field, FieldClass, FreeFlight};
