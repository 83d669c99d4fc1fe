//! Tests of `physics::integration`.

#[path = "../common/mod.rs"]
mod common;

mod exact_free;
mod free_motion;
mod reference_cases;
mod stiff_forces;
