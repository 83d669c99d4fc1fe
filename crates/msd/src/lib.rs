//! Rigid-body dynamics in double precision.
//!
//! The modules read from the ground up: [`math`] (coordinates, angles, frames), [`physics`] (rigid bodies, fields,
//! constraints, integration, collision), [`environment`] (the world), [`agent`] (controllers) and [`engine`] (what
//! ties them together). A module imports only from those below it.
//!
//! The crate does no I/O, reads no clock and holds no global state that reaches a result.

pub mod agent;
pub mod certificate;
pub mod digest;
pub mod engine;
pub mod environment;
pub mod math;
pub mod physics;
pub mod prelude;
pub mod threads;
pub mod tolerance;

/// The page for users of other engines, whose program is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/migration.md")]
struct MigrationPage;
