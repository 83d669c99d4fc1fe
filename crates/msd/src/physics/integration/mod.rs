//! How bodies move: the equations of motion and the methods that integrate them.

mod applied_load;
mod integrator;
mod system;

pub use applied_load::{AppliedLoad, LoadFrame};
pub use integrator::{IntegrationError, Integrator, StepWork};
pub use system::{Loads, StepPower, System, angular_acceleration, potential_energy};
