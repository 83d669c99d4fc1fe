//! The numbers that the source documents promise, in the order of their sections, asserted at least as tightly.
//!
//! The documents are called here by their subject: library, physics, contact mathematics, integration, constraints. Where the engine
//! departs from them on purpose (signs, frames, stabilisation), the test asserts the engine's law and the comment names the departure.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod contact_scenes;
mod promises;
