//! The file format: tables, BLOBs, checksums. `docs/recording.md` describes it for people.

pub(crate) mod blocks;
pub(crate) mod commands;
pub(crate) mod envelope;
pub(crate) mod layout;
pub(crate) mod rows;
pub(crate) mod schema;
pub(crate) mod seal;

pub use envelope::EnvelopeError;
pub use schema::{APPLICATION_ID, SCHEMA_VERSION};
