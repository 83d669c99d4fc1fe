//! Writing: observed data goes into batches, one thread collects them in chunks, another writes chunks to the file.

mod batch;
mod create;
mod engine_recorder;
mod gather;
mod observe;
mod queue;
mod recorder;
mod writer;

pub(crate) use recorder::OUTSIDE_INPUTS;
pub use recorder::{Ending, Finished, RecordOptions, Recorder};
