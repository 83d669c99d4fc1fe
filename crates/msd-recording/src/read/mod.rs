//! Reading: opening untrusted files, frames, histories and queries.

mod anomalies;
mod chunk;
mod integrity;
mod open;
mod overview;
mod queries;
mod recording;

pub use anomalies::{Anomalies, Extreme};
pub(crate) use open::inspect;
pub use open::is_recording_file;
pub use overview::Overview;
pub use recording::{Keyframe, RecordedEnding, Recording};
