//! Sequences of calls to worlds: bodies, joints and fields added, removed and changed, steps, snapshots, restores, copies and
//! queries. The promises are those of the property test that shares this file.

#[path = "../../crates/msd/tests/api_sequences/sequence.rs"]
mod sequence;

use sequence::Call;

/// Calls of one input: enough for a world to fill, little enough for many inputs a second.
const MOST_CALLS: usize = 60;

pub fn check(bytes: &[u8]) {
    let calls: Vec<Call> =
        bytes.as_chunks::<8>().0.iter().take(MOST_CALLS).map(|bytes| Call::from_bytes(*bytes)).collect();
    sequence::check(&calls);
}
