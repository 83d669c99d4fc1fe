//! How bodies move: the equations of motion and the methods that integrate them.

mod adaptive;
mod applied_load;
mod by_name;
mod constrained;
mod dense_output;
mod dop853;
mod free_rotor;
mod implicit_euler;
mod implicit_midpoint;
mod implicit_solver;
mod implicit_step;
mod integrator;
mod kick;
mod krylov;
mod motion_chart;
mod rk4;
mod semi_implicit_euler;
mod system;
mod velocity_verlet;

pub use adaptive::Adaptive;
pub use applied_load::{AppliedLoad, LoadFrame};
pub use by_name::{INTEGRATOR_NAMES, UnknownIntegrator, by_name};
pub use dense_output::DenseOutput;
pub use free_rotor::turn_freely;
pub use implicit_euler::ImplicitEuler;
pub use implicit_midpoint::ImplicitMidpoint;
pub use integrator::{IntegrationError, Integrator, StepWork};
pub use rk4::Rk4;
pub use semi_implicit_euler::SemiImplicitEuler;
pub use system::{Loads, StepPower, System, potential_energy};
pub use velocity_verlet::VelocityVerlet;
