//! Writing: what is observed goes into batches, which a thread of its own puts into the file.

mod batch;
mod create;
mod engine_recorder;
mod observe;
mod queue;
mod recorder;
mod writer;

pub use recorder::{Ending, Finished, RecordOptions, Recorder};
