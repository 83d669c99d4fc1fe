//! `implicit-euler`: forces and velocities of the end of the step.
//!
//! ```text
//! v⁺ = v⁻ + dt F⁺/m,    x⁺ = x⁻ + dt v⁺
//! L⁺ = L⁻ + dt τ⁺,      q⁺ = exp(dt ω⁺) ⊗ q⁻,    R⁺ I R⁺ᵀ ω⁺ = L⁺
//! ```
//!
//! First order and L-stable: modes too stiff to be resolved are damped in one step instead of ringing, so a
//! damper of any strength, or a spring of any stiffness, is safe at any dt. It conserves linear and angular
//! momentum and loses energy: the energy ledger shows that loss as its error, not as work. Use it for stiff
//! dampers, not for orbits.
//!
//! Hairer & Wanner, *Solving Ordinary Differential Equations II*, 2nd ed., §IV.3.

use super::implicit_step::{ImplicitRule, ImplicitStep, StepStart, Velocities};
use super::{IntegrationError, Integrator, StepWork, System};
use crate::math::{Vec3, orientation};
use crate::physics::rigid_body::{InertialState, Wrench};

/// Backward Euler on the Lie group; see the top of this file.
#[derive(Clone, Debug, Default)]
pub struct ImplicitEuler {
    step: ImplicitStep,
}

impl ImplicitEuler {
    /// A new one; it needs no setting.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Integrator for ImplicitEuler {
    fn name(&self) -> &'static str {
        Backward::NAME
    }

    fn order(&self) -> Option<u32> {
        Some(1)
    }

    fn step(
        &mut self,
        system: &mut System<'_>,
        states: &mut [InertialState],
        time: f64,
        dt: f64,
    ) -> Result<StepWork, IntegrationError> {
        self.step.step::<Backward>(system, states, time, dt)
    }

    fn clone_box(&self) -> Box<dyn Integrator> {
        Box::new(self.clone())
    }
}

struct Backward;

impl ImplicitRule for Backward {
    const NAME: &'static str = "implicit-euler";
    const NODE: f64 = 1.0;

    fn place(start: &StepStart, at: Velocities, dt: f64) -> InertialState {
        let orientation = if at.angular == Vec3::ZERO {
            start.state.orientation
        } else {
            orientation::renormalized(
                orientation::from_rotation_vector(at.angular * dt) * start.state.orientation,
            )
        };
        InertialState {
            center_of_mass: start.state.center_of_mass + at.linear * dt,
            orientation,
            velocity: at.linear,
            angular_velocity: at.angular,
        }
    }

    fn velocities(
        start: &StepStart,
        stage: &InertialState,
        wrench: &Wrench,
        inverse_mass: f64,
        dt: f64,
    ) -> Velocities {
        let momentum = start.momentum_after(wrench.torque, inverse_mass, dt);
        Velocities {
            linear: start.state.velocity + wrench.force * (dt * inverse_mass),
            angular: start.angular_velocity(stage.orientation, momentum),
        }
    }

    fn end(
        start: &StepStart,
        stage: &InertialState,
        wrench: &Wrench,
        inverse_mass: f64,
        dt: f64,
    ) -> InertialState {
        // The angular velocity from the momentum, not from the solver: momentum is then kept to round-off. The linear
        // one as the solver found it: recomputed from a stiff force it would carry the residual times c dt/m.
        let momentum = start.momentum_after(wrench.torque, inverse_mass, dt);
        let angular_velocity = if wrench.torque == Vec3::ZERO {
            start.angular_velocity(stage.orientation, momentum)
        } else {
            stage.angular_velocity
        };
        InertialState { angular_velocity, ..*stage }
    }
}
