//! Rigid-body dynamics in double precision.
//!
//! Start with [`environment::World`] or with [`prelude`]. The modules, each of which imports only from those
//! listed before it: [`math`] (vectors, angles, frames), [`physics`] (rigid bodies, collision detection,
//! force fields, constraints, integrators), [`environment`] (the world), [`agent`] (controllers) and
//! [`engine`] (world, agents, assets and recorder together).
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
