//! Writing: what is observed goes into batches, one thread gathers them in chunks, another puts chunks into the file.

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
