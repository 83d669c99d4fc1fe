//! Contact scenes in several engines: one generator, one measure.

#[cfg(feature = "box3d")]
pub mod box3d;
#[cfg(feature = "jolt")]
pub mod jolt;
pub mod measure;
pub mod mujoco;
pub mod ours;
pub mod rapier;
pub mod scene;
pub mod scenes;

use msd::environment::StepReport;
use msd::math::ReferenceFrame;

/// Length of a step, s.
pub const DT: f64 = 1.0 / 60.0;
/// Downward, m/s².
pub const GRAVITY: f64 = 9.81;

/// How every engine is run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub threads: usize,
    /// True if bodies at rest may fall asleep.
    pub sleep: bool,
}

/// An engine with a scene in it.
pub trait Engine {
    fn name(&self) -> &'static str;

    /// Takes a step of [`DT`] and returns how long it took, s.
    fn step(&mut self) -> f64;

    /// Poses of all bodies, in the scene's order.
    fn poses(&mut self) -> Vec<ReferenceFrame>;

    /// Bytes it holds, if it does so in another process than this one.
    fn bytes_elsewhere(&mut self) -> Option<u64> {
        None
    }

    /// What the last step said of itself, if the engine says anything.
    fn report(&self) -> Option<&StepReport> {
        None
    }
}
