//! `velocity-verlet`, the default: half a velocity update (kick), free motion (drift), half a velocity
//! update.
//!
//! ```text
//! v += ½dt F(x,q)/m,  ω += ½dt I⁻¹τ(x,q)        kick
//! x += dt v,          (q, ω) ← free rotor (dt)   flight
//! v += ½dt F(x,q)/m,  ω += ½dt I⁻¹τ(x,q)        kick
//! ```
//!
//! The Strang splitting of kinetic and potential energy: second order, symmetric and symplectic, so the
//! energy error of a conservative system stays bounded for ever. It keeps linear momentum, and angular
//! momentum to round-off (every factor does); constant forces are integrated exactly. The rotor is that of
//! [`super::rotate_torque_free`]. Forces that depend on velocity enter each half kick by the midpoint rule,
//! which costs no order and stays stable for stiff dampers (though it does not damp them fast:
//! [`super::ImplicitEuler`] does).
//!
//! Joints are enforced by RATTLE. Where a step does not resolve the motion of jointed bodies, as with light
//! links that carry heavy ones and swing faster than the step, it is divided into substeps of this method.
//!
//! Dullweber, Leimkuhler & McLachlan, J. Chem. Phys. 107 (1997) 5840; Hairer, Lubich & Wanner, *Geometric
//! Numerical Integration*, 2nd ed., §VII.5.

use super::velocity_update::{VelocityUpdate, VelocityUpdateSpan, work_along_path};
use super::{IntegrationError, Integrator, Loads, StepWork, System, rotate_all_torque_free};
use crate::physics::constraints::ConstraintSet;
use crate::physics::rigid_body::InertialState;
use crate::threads::BODIES_A_TASK;

/// Substeps of a step in which the RATTLE iteration does not converge. tuned: on a chain of fifty light links
/// that carries 1000 kg.
const JOINT_PARTS: usize = 16;

/// Second-order symplectic splitting; see the top of this file.
#[derive(Clone, Debug, Default)]
pub struct VelocityVerlet {
    velocity_update: VelocityUpdate,
    /// States at the start of the step, if there are joints.
    whole: Vec<InertialState>,
    /// States at the start of a substep.
    start: Vec<InertialState>,
    /// Length of the last substep, s.
    last: f64,
}

impl VelocityVerlet {
    /// A new one; it needs no setting.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Kick, drift and kick over `dt`, without the projection at the end. `None` if joints cannot be kept
    /// closed over that time and it must not be `damped`; discard the states then.
    fn substep(
        &mut self,
        system: &mut System<'_>,
        states: &mut [InertialState],
        time: f64,
        dt: f64,
        damped: bool,
    ) -> Result<Option<StepWork>, IntegrationError> {
        let (half, end) = (0.5 * dt, time + dt);
        let jointed = system.constraints().is_some();
        self.last = dt;
        self.start.clear();
        self.start.extend(states.iter().take_while(|_| jointed));
        let mut work = StepWork::default();
        work.add_power(system.power(time, states, &NO_LOADS), half);
        let span = VelocityUpdateSpan { time, dt: half, implicitness: 0.5 };
        let kicked = self.velocity_update.apply(self.name(), system, states, span)?;
        let Some(flown) = try_free_drift(system, states, time, dt, damped)? else { return Ok(None) };
        work += flown;
        work += if jointed {
            work_along_path(&self.velocity_update.loads, &self.start, states, 0.5)
        } else {
            kicked
        };
        let kicked = self.velocity_update.apply(
            self.name(),
            system,
            states,
            VelocityUpdateSpan { time: end, ..span },
        )?;
        work += if jointed {
            work_along_path(&self.velocity_update.loads, &self.start, states, 0.5)
        } else {
            kicked
        };
        Ok(Some(work))
    }

    /// The step in substeps, with projected velocities after each; the end of the last one is that of the
    /// step.
    fn in_substeps(
        &mut self,
        system: &mut System<'_>,
        states: &mut [InertialState],
        time: f64,
        dt: f64,
    ) -> Result<StepWork, IntegrationError> {
        let parts = JOINT_PARTS;
        states.copy_from_slice(&self.whole);
        system.store_substep_count(parts);
        let mut work = StepWork::default();
        for index in 0..parts {
            let at = |index: usize| time + dt * (index as f64 / parts as f64);
            let (now, end) = (at(index), at(index + 1));
            work += self.substep(system, states, now, end - now, true)?.unwrap_or_default();
            if index + 1 < parts {
                work += system.between_substeps(states, end)?;
                work.add_power(system.power(end, states, &NO_LOADS), 0.5 * self.last);
            }
        }
        Ok(work)
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
        let jointed = system.constraints().is_some();
        self.whole.clear();
        self.whole.extend(states.iter().take_while(|_| jointed));
        // With kinematic loops, substeps cost more than they gain: few such steps resolve the motion.
        let damped = !jointed || system.constraints().is_some_and(ConstraintSet::has_loops);
        let mut work = match self.substep(system, states, time, dt, damped)? {
            Some(work) => work,
            None => self.in_substeps(system, states, time, dt)?,
        };
        work += system.project(states, time + dt)?;
        work.add_power(system.power(time + dt, states, &NO_LOADS), 0.5 * self.last);
        system.check_finite(states, dt)?;
        Ok(work)
    }

    fn clone_box(&self) -> Box<dyn Integrator> {
        Box::new(self.clone())
    }
}

/// Without loads, [`System::power`] is the power that kicks do not include: changing potentials and flowing
/// mass.
pub(super) const NO_LOADS: Loads = Loads { total: Vec::new(), external: Vec::new(), dissipative: Vec::new() };

/// Free motion for `dt` seconds from `time`: straight lines and torque-free rotation, with the impulses that
/// keep joints closed.
pub(super) fn free_drift(
    system: &mut System<'_>,
    states: &mut [InertialState],
    time: f64,
    dt: f64,
) -> Result<StepWork, IntegrationError> {
    try_free_drift(system, states, time, dt, true).map(Option::unwrap_or_default)
}

/// As [`free_drift`]; `None` where no such impulses exist and the drift must not be `damped`.
fn try_free_drift(
    system: &mut System<'_>,
    states: &mut [InertialState],
    time: f64,
    dt: f64,
    damped: bool,
) -> Result<Option<StepWork>, IntegrationError> {
    let threads = system.threads.clone();
    system.try_drift(states, time, dt, damped, |inertias, states, span| {
        threads.for_each_chunk(states, BODIES_A_TASK, |first, states| {
            states.iter_mut().for_each(|state| state.center_of_mass += state.velocity * span);
            rotate_all_torque_free(&inertias[first..], states, span);
        });
    })
}
