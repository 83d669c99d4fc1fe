//! Random sequences of calls: no panic, handles stay valid as documented, and snapshots and copies change no bit.
#![allow(unreachable_pub, reason = "shared with the fuzz targets")]

#[path = "api_sequences/sequence.rs"]
mod sequence;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use sequence::{Call, check};

fn calls(most: usize) -> impl Strategy<Value = Vec<Call>> {
    proptest::collection::vec(any::<[u8; 8]>().prop_map(Call::from_bytes), 1..most)
}

fn config(cases: u32) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(0x5e9), failure_persistence: None, ..Config::default() }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn sequences_of_calls_keep_all_promises(calls in calls(60)) {
        check(&calls);
    }
}

proptest! {
    #![proptest_config(config(10_000))]

    #[test]
    #[ignore = "takes minutes"]
    fn many_long_sequences_of_calls_keep_all_promises(calls in calls(120)) {
        check(&calls);
    }
}
