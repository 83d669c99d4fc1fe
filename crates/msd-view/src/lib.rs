//! The viewer: runs and recordings in a browser, and a run as one HTML file.
//!
//! A [`FrameSource`] gives frames by number: [`Live`] keeps those of an engine that is running, [`RecordingSource`] reads
//! them from a recording. [`Server`] hands them to pages on this machine; [`html::write`] packs them into a file that any
//! browser opens. The protocol has one JSON header ([`Header`]), then binary messages ([`frame`], [`figures`]): times and
//! origins in f64, poses in f32 relative to the origin, because f32 alone resolves 0.5 m in low orbit.
//!
//! A page asks for the frames it wants, one after the other. A slow page sees fewer frames; the simulation never waits.

pub mod blob;
mod drives;
mod error;
pub mod figures;
pub mod frame;
pub mod guard;
mod hand;
mod header;
mod history;
pub mod html;
mod joint_loads;
mod live;
mod pace;
mod page;
mod planets;
pub mod protocol;
mod recorded;
mod server;
mod shapes;
mod snapshot;
mod source;

pub use drives::ViewedDrive;
pub use error::ViewError;
pub use hand::HandAgent;
pub use header::{Header, ViewedBody, ViewedJoint, default_speed};
pub use live::{Flow, Live};
pub use pace::Pace;
pub use planets::Planet;
pub use recorded::RecordingSource;
pub use server::{Server, ServerOptions};
pub use shapes::{Geometry, PlacedGeometry};
pub use source::{Control, Extent, FrameSource};
