//! Many worlds at once: sweeps over parameters, ensembles, learning.
//!
//! Worlds share nothing: each is one task, with the same bits as when stepped alone, and n threads are n
//! times as fast while there are many more worlds than threads. Give the threads to the batch and one to each
//! world.

use super::{RunReport, StepReport, World, WorldError};
use crate::threads::Threads;

/// Steps every world by `dt` seconds; results are in the order of the worlds. A world whose step fails is
/// unchanged; the others are stepped.
pub fn step_all(threads: &Threads, worlds: &mut [World], dt: f64) -> Vec<Result<StepReport, WorldError>> {
    for_each_world(threads, worlds, |_, world| world.step(dt))
}

/// Runs every world for `seconds`, by its own steps; results are in the order of the worlds.
pub fn run_all(threads: &Threads, worlds: &mut [World], seconds: f64) -> Vec<Result<RunReport, WorldError>> {
    for_each_world(threads, worlds, |_, world| world.run(seconds))
}

/// Results of `work` for every world and its index, in the order of the worlds: for control in the loop, or
/// for worlds that run for different times.
pub fn for_each_world<R: Send>(
    threads: &Threads,
    worlds: &mut [World],
    work: impl Fn(usize, &mut World) -> R + Send + Sync,
) -> Vec<R> {
    threads.map(worlds, work)
}
