//! Fields: what acts on bodies from outside, with or without a potential.
//!
//! A force that has a potential obeys `F = -∂V/∂x`, and its torque is minus the gradient of V with respect to a
//! world-frame rotation. A force that has none (drag, thrust, a damper) reports power instead, and the energy ledger
//! books it.

mod attachment;
mod damper;
mod field;
mod field_error;
#[cfg(test)]
mod gradient_check;
pub mod gravity_gradient;
mod j2;
mod point_gravity;
mod spring;
mod targets;
mod thruster;
mod uniform_gravity;

pub use attachment::Attachment;
pub use damper::Damper;
pub use field::{ActsOn, Field, FieldClass, FreeFlight};
pub use field_error::FieldError;
pub use gravity_gradient::GravityGradient;
pub use j2::Oblateness;
pub use point_gravity::PointGravity;
pub use spring::Spring;
pub use targets::Targets;
pub use thruster::Thruster;
pub use uniform_gravity::UniformGravity;
