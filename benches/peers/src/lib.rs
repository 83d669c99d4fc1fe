//! What the benchmarks beside other engines share.

pub mod contact;
