//! `semi-implicit-euler` (symplectic Euler): a velocity update (kick) with the forces at the start, then free
//! motion (drift).
//!
//! ```text
//! v += dt F(x,q)/m,  ω += dt I⁻¹τ(x,q)          kick
//! x += dt v,         (q, ω) ← free rotor (dt)    flight
//! ```
//!
//! First order, symplectic; it keeps linear and angular momentum like `velocity-verlet`, which is the same
//! map shifted by half a kick and second order at the price of one more evaluation of the forces. The
//! gyroscopic term is in the free rotor ([`super::rotate_torque_free`]), so a free asymmetric body tumbles as
//! it should. Velocity-dependent forces are evaluated at the end of the kick (backward Euler): any damper is
//! stable and damps.
//!
//! Hairer, Lubich & Wanner, *Geometric Numerical Integration*, 2nd ed., §I.1.

use super::velocity_update::{VelocityUpdate, VelocityUpdateSpan, work_of_loads};
use super::velocity_verlet::{NO_LOADS, free_drift};
use super::{IntegrationError, Integrator, StepWork, System};
use crate::physics::rigid_body::InertialState;

/// First-order symplectic splitting; see the top of this file.
#[derive(Clone, Debug, Default)]
pub struct SemiImplicitEuler {
    velocity_update: VelocityUpdate,
    start: Vec<InertialState>,
}

impl SemiImplicitEuler {
    /// A new one; it needs no setting.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl SemiImplicitEuler {
    /// Work of the loads with the velocities after joint impulses, which the kick alone does not include.
    fn work_of_held_bodies(&self, states: &[InertialState], dt: f64) -> StepWork {
        let mut work = StepWork::default();
        for (slot, (start, end)) in self.start.iter().zip(states).enumerate() {
            let velocity = (start.velocity + end.velocity) * 0.5;
            let angular_velocity = (start.angular_velocity + end.angular_velocity) * 0.5;
            work += work_of_loads(&self.velocity_update.loads, slot, velocity, angular_velocity, dt);
        }
        work
    }
}

impl Integrator for SemiImplicitEuler {
    fn name(&self) -> &'static str {
        "semi-implicit-euler"
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
        let span = VelocityUpdateSpan { time, dt, implicitness: 1.0 };
        let jointed = system.constraints().is_some();
        self.start.clear();
        self.start.extend(states.iter().take_while(|_| jointed));
        let kicked = self.velocity_update.apply(self.name(), system, states, span)?;
        let mut work = StepWork::default();
        work.add_power(system.power(time, states, &NO_LOADS), dt);
        work += free_drift(system, states, time, dt)?;
        work += system.project_euler(states, time + dt)?;
        work += if jointed { self.work_of_held_bodies(states, dt) } else { kicked };
        system.set_time(time + dt);
        system.check_finite(states, dt)?;
        Ok(work)
    }

    fn clone_box(&self) -> Box<dyn Integrator> {
        Box::new(self.clone())
    }
}
