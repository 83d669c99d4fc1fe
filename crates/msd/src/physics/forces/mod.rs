//! Force fields, with or without a potential.
//!
//! A force that has a potential obeys `F = -∂V/∂x`, and its torque is minus the gradient of V with respect to
//! a world-frame rotation. A force that has none (drag, thrust, a damper) reports power instead, which the
//! energy ledger integrates.

mod atmosphere;
mod attachment;
mod damper;
mod drag;
mod energy_check;
mod field;
mod field_error;
mod geopotential;
#[cfg(test)]
mod gradient_check;
pub mod gravity_gradient;
mod j2;
mod magnetic_dipole;
mod point_gravity;
mod prescribed_motion;
mod rotating_frame;
mod saved;
mod shadow;
mod solar_pressure;
mod spherical_harmonics;
mod spring;
mod targets;
mod third_body;
mod thruster;
mod uniform_gravity;

pub use atmosphere::Atmosphere;
pub use attachment::Attachment;
pub use damper::Damper;
pub use drag::Drag;
pub use energy_check::gradient_error;
pub use field::{ActsOn, ClosedForm, Field, FieldClass, IntoField};
pub use field_error::FieldError;
pub use geopotential::Geopotential;
pub use gravity_gradient::GravityGradient;
pub use j2::Oblateness;
pub use magnetic_dipole::{MagneticDipole, MagneticSource};
pub use point_gravity::PointGravity;
pub use prescribed_motion::{PrescribedMotion, Trajectory};
pub use rotating_frame::{Centrifugal, Coriolis, EulerForce, RotatingFrame};
pub(crate) use saved::{SavedField, named_bodies};
pub use shadow::Shadow;
pub use solar_pressure::{Plate, SolarPressure};
pub use spherical_harmonics::{HarmonicCoefficients, MAX_DEGREE};
pub use spring::Spring;
pub use targets::Targets;
pub use third_body::ThirdBody;
pub use thruster::Thruster;
pub use uniform_gravity::UniformGravity;

/// The guide to fields, whose code is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../../../docs/fields.md")]
struct GuideToFields;
