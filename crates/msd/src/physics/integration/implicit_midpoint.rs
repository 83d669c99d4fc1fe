//! `implicit-midpoint`: the one-stage Gauss method.
//!
//! ```text
//! v⁺ = v⁻ + dt F/m,     x⁺ = x⁻ + dt v̄,        v̄ = ½(v⁻ + v⁺)
//! L⁺ = L⁻ + dt τ,       q⁺ = q⁻ ⊗ cay(dt ω̄),    ω̄ = I⁻¹ ½(L⁻ + L⁺)  (body axes)
//! ```
//!
//! with forces at the middle, `x̄ = ½(x⁻ + x⁺)`, q̄ half way from q⁻ to q⁺, and `cay(φ) = (1, ½φ)/|(1, ½φ)|`.
//! For a free body `L⁺_b = cay(dt ω̄)⁻¹ L⁻_b` is the midpoint rule of Euler's equations, which keeps every
//! quadratic invariant: energy and |L|; and because the attitude turns by the same Cayley factor, the vector
//! L in the world is kept too. Springs keep their energy exactly as well.
//!
//! Second order, symmetric, stable for any spring or damper (A-stable), but it does not damp unresolved
//! modes: a very stiff damper makes a velocity alternate in sign. [`super::ImplicitEuler`] does damp.
//!
//! Hairer, Lubich & Wanner, *Geometric Numerical Integration*, 2nd ed., §IV.2; Simo & Wong, Int. J. Numer.
//! Methods Eng. 31 (1991).

use super::implicit_step::{ImplicitRule, ImplicitStep, StepStart, Velocities};
use super::{IntegrationError, Integrator, StepWork, System};
use crate::math::{Quat, Vec3, orientation};
use crate::physics::rigid_body::{InertialState, Wrench};

/// Implicit midpoint rule on the Lie group; see the top of this file.
#[derive(Clone, Debug, Default)]
pub struct ImplicitMidpoint {
    step: ImplicitStep,
}

impl ImplicitMidpoint {
    /// A new one; it needs no setting.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Integrator for ImplicitMidpoint {
    fn name(&self) -> &'static str {
        Midpoint::NAME
    }

    fn order(&self) -> Option<u32> {
        Some(2)
    }

    fn step(
        &mut self,
        system: &mut System<'_>,
        states: &mut [InertialState],
        time: f64,
        dt: f64,
    ) -> Result<StepWork, IntegrationError> {
        self.step.step::<Midpoint>(system, states, time, dt)
    }

    fn clone_box(&self) -> Box<dyn Integrator> {
        Box::new(self.clone())
    }
}

struct Midpoint;

impl ImplicitRule for Midpoint {
    const NAME: &'static str = "implicit-midpoint";
    const NODE: f64 = 0.5;

    fn place(start: &StepStart, at: Velocities, dt: f64) -> InertialState {
        InertialState {
            center_of_mass: start.state.center_of_mass + at.linear * (0.5 * dt),
            orientation: halfway(start.state.orientation, at.angular, dt),
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
        let linear = start.state.velocity + wrench.force * (0.5 * dt * inverse_mass);
        if !start.inertia.is_movable() {
            return Velocities { linear, angular: start.state.angular_velocity };
        }
        // Body axes rotate; the mean is that of the components. The rotation axis is the same vector before
        // and after.
        let before = start.state.orientation;
        let after = rotated(before, stage.angular_velocity, dt);
        let momentum_after = start.momentum_after(wrench.torque, inverse_mass, dt);
        let mean = (before.conjugate() * start.momentum + after.conjugate() * momentum_after) * 0.5;
        Velocities { linear, angular: start.angular_velocity(before, before * mean) }
    }

    fn end(
        start: &StepStart,
        stage: &InertialState,
        wrench: &Wrench,
        inverse_mass: f64,
        dt: f64,
    ) -> InertialState {
        let orientation = rotated(start.state.orientation, stage.angular_velocity, dt);
        let momentum = start.momentum_after(wrench.torque, inverse_mass, dt);
        InertialState {
            center_of_mass: start.state.center_of_mass + stage.velocity * dt,
            orientation,
            velocity: start.state.velocity + wrench.force * (dt * inverse_mass),
            angular_velocity: start.angular_velocity(orientation, momentum),
        }
    }
}

/// `cay(dt ω) ⊗ q`, ω in the world frame.
fn rotated(q: Quat, angular_velocity: Vec3, dt: f64) -> Quat {
    if angular_velocity == Vec3::ZERO {
        return q;
    }
    orientation::renormalized(cayley(angular_velocity, dt) * q)
}

/// Half of the turn `cay(dt ω)`: the unit quaternion half way between 1 and it.
fn halfway(q: Quat, angular_velocity: Vec3, dt: f64) -> Quat {
    if angular_velocity == Vec3::ZERO {
        return q;
    }
    let whole = cayley(angular_velocity, dt);
    orientation::normalized((whole + Quat::IDENTITY) * q)
}

fn cayley(angular_velocity: Vec3, dt: f64) -> Quat {
    let half = angular_velocity * (0.5 * dt);
    orientation::normalized(Quat::from_xyzw(half.x, half.y, half.z, 1.0))
}
