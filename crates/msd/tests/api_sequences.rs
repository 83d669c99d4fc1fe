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

/// A step in which all bodies sleep repeats how many contacts there were and how deep: a world restored before it had forgotten (found by
/// the fuzz target).
#[test]
fn a_world_restored_while_all_sleep_reports_the_same() {
    let input = [
        "23b82ef11aff281b2f6e0fd4bca41e29a67154bd605f9794ee4ee7801abecbbddc5710bb03baf3069f7d21b97be6de0b",
        "1e3d463208e10422ffb3b7fbf2262df9411f0dea20013b90916ea0705e1234ea8a6ec94861e51a1858d770d36e4aeb2f",
        "f8069f92f2eae3ca598c3e91e55eee14b20d5edb16c234726501423ef02af90d4e7fd9bb1d537f91f2dddf1cf7986840",
        "2288c37746ec07e475c2d4a9125f31a8d6da9b08f2b2719df880103d738ec460a21736c03ea928d39f777d617e2721b3",
        "d0d2d058ce193e6c2fea27282103e54b37cf9205a5ca94a534845a83a9f20b1a2fc7e64bced3107c9947df90ec563203",
        "9f5fb5b8f34bb390a9ae4b44d83af87bc81f2f0a2885849cf9c1e07fe42587324dbe5c5556fd84bf04ad4251a2535ed8",
        "5cc7d919610d14c0638eb4dfaab149ea827f94b7284f368a8a9ff6ce8123974743ddb266d56fbb19",
    ];
    let digits: Vec<u8> =
        input.concat().bytes().map(|digit| (digit as char).to_digit(16).unwrap() as u8).collect();
    let bytes: Vec<u8> = digits.chunks(2).map(|pair| 16 * pair[0] + pair[1]).collect();
    let calls: Vec<Call> = bytes.as_chunks::<8>().0.iter().map(|bytes| Call::from_bytes(*bytes)).collect();
    check(&calls);
}
