//! What the benchmarks beside other engines share.

pub mod contact;
pub mod live_bytes;
pub mod log_plot;
