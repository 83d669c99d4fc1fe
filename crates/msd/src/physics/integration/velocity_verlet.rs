//! `velocity-verlet`, the default: half a kick, free flight, half a kick.
//!
//! ```text
//! v += ½dt F(x,q)/m,  ω += ½dt I⁻¹τ(x,q)        kick
//! x += dt v,          (q, ω) ← free rotor (dt)   flight
//! v += ½dt F(x,q)/m,  ω += ½dt I⁻¹τ(x,q)        kick
//! ```
//!
//! The Strang splitting of kinetic and potential energy: second order, symmetric and symplectic, so the energy error of
//! a conservative system stays bounded for ever. It keeps linear momentum, and angular momentum to round-off (every
//! factor does); constant forces are integrated exactly. The rotor is that of [`super::turn_freely`]. Forces that
//! depend on velocity enter each half kick by the midpoint rule, which costs no order and stays stable for stiff
//! dampers (though it does not damp them fast: [`super::ImplicitEuler`] does).
//!
//! Dullweber, Leimkuhler & McLachlan, J. Chem. Phys. 107 (1997) 5840; Hairer, Lubich & Wanner, *Geometric Numerical
//! Integration*, 2nd ed., §VII.5.

use super::kick::{Kick, KickSpan, work_along_path};
use super::{IntegrationError, Integrator, Loads, StepWork, System, turn_freely};
use crate::physics::rigid_body::InertialState;
use crate::threads::BODIES_A_TASK;

/// Second-order symplectic splitting; see the top of this file.
#[derive(Clone, Debug, Default)]
pub struct VelocityVerlet {
    kick: Kick,
    start: Vec<InertialState>,
}

impl VelocityVerlet {
    /// A new one; it needs no setting.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Integrator for VelocityVerlet {
    fn name(&self) -> &'static str {
        "velocity-verlet"
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
        let (half, end) = (0.5 * dt, time + dt);
        let jointed = system.constraints().is_some();
        self.start.clear();
        self.start.extend(states.iter().take_while(|_| jointed));
        let mut work = StepWork::default();
        work.add_power(system.power(time, states, &NO_LOADS), half);
        let span = KickSpan { time, dt: half, implicitness: 0.5 };
        let kicked = self.kick.apply(self.name(), system, states, span)?;
        work += fly_freely(system, states, time, dt)?;
        work += if jointed { work_along_path(&self.kick.loads, &self.start, states, 0.5) } else { kicked };
        let kicked = self.kick.apply(self.name(), system, states, KickSpan { time: end, ..span })?;
        work += if jointed { work_along_path(&self.kick.loads, &self.start, states, 0.5) } else { kicked };
        work += system.project(states, end)?;
        work.add_power(system.power(end, states, &NO_LOADS), half);
        system.check_finite(states, dt)?;
        Ok(work)
    }

    fn clone_box(&self) -> Box<dyn Integrator> {
        Box::new(self.clone())
    }
}

/// Without loads, [`System::power`] is what kicks do not book: changing potentials and flowing mass.
pub(super) const NO_LOADS: Loads = Loads { total: Vec::new(), external: Vec::new(), dissipative: Vec::new() };

/// Straight lines and free rotors for `dt` seconds from `time`, with the impulses that keep joints closed.
pub(super) fn fly_freely(
    system: &mut System<'_>,
    states: &mut [InertialState],
    time: f64,
    dt: f64,
) -> Result<StepWork, IntegrationError> {
    let threads = system.threads.clone();
    system.drift(states, time, dt, |inertias, states, span| {
        threads.for_each_chunk(states, BODIES_A_TASK, |first, states| {
            for (state, inertia) in states.iter_mut().zip(&inertias[first..]) {
                state.center_of_mass += state.velocity * span;
                turn_freely(inertia, state, span);
            }
        });
    })
}
