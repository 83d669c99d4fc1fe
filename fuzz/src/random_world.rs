//! Random worlds: every step is certified and right, or reported, or refused. The plan and the oracle are those of the campaigns.

#[path = "../../crates/msd/tests/random_worlds/oracle.rs"]
mod oracle;
#[path = "../../crates/msd/tests/random_worlds/plan.rs"]
mod plan;

use plan::{Plan, Random};

/// Small worlds and short runs: many inputs a second.
const MOST_BODIES: usize = 6;
const MOST_STEPS: usize = 24;

pub fn check(bytes: &[u8]) {
    let plan = Plan::wider(&mut Random::from_bytes(bytes), MOST_BODIES, MOST_STEPS);
    if let Err(fault) = oracle::run(&plan) {
        panic!("{fault}\n{}", plan.scene().0);
    }
}
