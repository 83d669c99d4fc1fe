//! Tests of `physics::forces`.

#[path = "../common/mod.rs"]
mod common;

mod energy_ledger;
mod limits;
mod values;
