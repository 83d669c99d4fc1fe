//! The grammar of scenes: the JSON Schema of the model, and the check of a tree against it.
//!
//! `msd schema` prints the very document that files are checked against, so the two cannot disagree. JSON Schema says
//! whether a document is good; this check also says what a person meant: it goes on after a problem, names what was
//! expected and looks for near names.

mod alternatives;
mod near_name;
mod schema;
mod walk;

pub(crate) use near_name::{near_name, one_of};
pub use schema::json_schema;
pub(crate) use schema::schema;
pub(crate) use walk::{STAND_IN, Walk};
