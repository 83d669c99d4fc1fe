//! The trait of integrators.

use std::any::Any;
use std::fmt::Debug;

use super::{IntegrationError, StepWork, System};
use crate::physics::rigid_body::InertialState;

/// A method that advances all bodies of a world by one step.
///
/// It sees the equations of motion through [`System`], which evaluates forces at any intermediate states it
/// likes. An integrator may keep workspace between steps but no memory: a step depends on states, time and dt
/// alone, so that a world restored from a snapshot continues with the same bits. Bodies that forces do not
/// move (inverse mass zero) must be advanced with their constant velocities.
pub trait Integrator: Any + Debug + Send + Sync {
    /// The name used in scenes, such as `velocity-verlet`.
    fn name(&self) -> &'static str;

    /// Name and every parameter that changes a result, the fingerprint of the method: snapshots and recordings refuse another.
    fn describe(&self) -> String {
        self.name().to_owned()
    }

    /// Order of convergence in dt for smooth forces; `None` where the error follows a tolerance or is round-off.
    fn order(&self) -> Option<u32>;

    /// Advances `states` from `time` to `time + dt`.
    ///
    /// # Errors
    /// If the step cannot be computed; the caller then discards `states`.
    fn step(
        &mut self,
        system: &mut System<'_>,
        states: &mut [InertialState],
        time: f64,
        dt: f64,
    ) -> Result<StepWork, IntegrationError>;

    /// A copy, for deep copies of a world.
    fn clone_box(&self) -> Box<dyn Integrator>;
}

/// An integrator that is given away: itself, or boxed already. Lets [`World::set_integrator`](crate::environment::World::set_integrator)
/// take an integrator as it is.
pub trait IntoIntegrator {
    /// Boxed, as worlds keep it.
    fn into_integrator(self) -> Box<dyn Integrator>;
}

impl<I: Integrator + 'static> IntoIntegrator for I {
    fn into_integrator(self) -> Box<dyn Integrator> {
        Box::new(self)
    }
}

impl IntoIntegrator for Box<dyn Integrator> {
    fn into_integrator(self) -> Box<dyn Integrator> {
        self
    }
}

impl Clone for Box<dyn Integrator> {
    fn clone(&self) -> Self {
        self.clone_box()
    }
}
