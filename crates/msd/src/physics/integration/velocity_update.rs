//! The velocity update ("kick") of a splitting: forces act for a time on bodies at fixed positions.
//!
//! At fixed positions and orientations `v̇ = F/m` and `ω̇ = I⁻¹ τ` with constant `I = R I_body Rᵀ`: the
//! gyroscopic term belongs to the free rotor, not to the kick. If no force depends on velocity the kick is
//! exact. Otherwise it is implicit, with forces at `u = (1 - θ) v⁻ + θ v⁺`:
//!
//! ```text
//! u = v⁻ + θ dt M⁻¹ F(u),    v⁺ = v⁻ + dt M⁻¹ F(u)
//! ```
//!
//! θ = ½ is second order and symmetric, θ = 1 first order and strongly damping; both are stable for any
//! damper. The kinetic energy changes by exactly `dt F(u)·½(v⁻ + v⁺)`, which is the recorded work.

use super::implicit_solver::{GROUP, ImplicitSolver, NotSolved, Scales};
use super::{IntegrationError, Loads, StepWork, System};
use crate::math::{Vec3, orientation};
use crate::physics::rigid_body::{Inertia, InertialState, Wrench};
use crate::tolerance;

/// Workspace of a kick; keeps its allocations.
#[derive(Clone, Debug, Default)]
pub(super) struct VelocityUpdate {
    /// The wrenches of the last kick.
    pub(super) loads: Loads,
    start: Vec<InertialState>,
    unknowns: Vec<f64>,
    scales: Scales,
    solver: ImplicitSolver,
}

/// Duration of a kick and the point at which velocity-dependent forces are evaluated.
#[derive(Clone, Copy, Debug)]
pub(super) struct VelocityUpdateSpan {
    /// When the forces are evaluated, s.
    pub(super) time: f64,
    /// How long they act, s.
    pub(super) dt: f64,
    /// θ: 0.5 for the midpoint rule, 1 for backward Euler.
    pub(super) implicitness: f64,
}

impl VelocityUpdate {
    /// Changes the velocities in `states`; returns the work of the forces that have no potential.
    pub(super) fn apply(
        &mut self,
        integrator: &'static str,
        system: &mut System<'_>,
        states: &mut [InertialState],
        span: VelocityUpdateSpan,
    ) -> Result<StepWork, IntegrationError> {
        if !system.depends_on_velocity() {
            system.loads(span.time, states, &mut self.loads);
            return Ok(add_impulses(system.inertias(), states, &self.loads, span.dt));
        }
        self.start.clear();
        self.start.extend_from_slice(states);
        system.fix_positions(span.time, states);
        let solved = self.solve_joint_forces(system, states, span);
        let solved = if solved { Ok(()) } else { self.solve(system, states, span) }.map_err(|failed| {
            IntegrationError::NotConverged {
                integrator,
                iterations: failed.iterations,
                residual: failed.residual,
                wanted: tolerance::IMPLICIT_SOLVE,
                time: span.time,
                dt: span.dt,
            }
        });
        system.loads(span.time, states, &mut self.loads);
        system.free_positions();
        solved?;
        Ok(self.finish(states, span))
    }

    /// Extrapolates from the velocities at which forces were evaluated to those after the kick. Not through
    /// the forces: from a stiff one, `dt M⁻¹ F(u)` would carry the error of u times `c dt/m`.
    fn finish(&self, states: &mut [InertialState], span: VelocityUpdateSpan) -> StepWork {
        let mut work = StepWork::default();
        let reach = 1.0 / span.implicitness;
        for (slot, (state, start)) in states.iter_mut().zip(&self.start).enumerate() {
            state.velocity = start.velocity + (state.velocity - start.velocity) * reach;
            state.angular_velocity =
                start.angular_velocity + (state.angular_velocity - start.angular_velocity) * reach;
            let mean_velocity = (start.velocity + state.velocity) * 0.5;
            let mean_angular_velocity = (start.angular_velocity + state.angular_velocity) * 0.5;
            work += work_of_loads(&self.loads, slot, mean_velocity, mean_angular_velocity, span.dt);
        }
        work
    }

    /// Solves for the velocities at which the forces are evaluated where only those of joints depend on velocity; false, with `states`
    /// as they were, elsewhere.
    fn solve_joint_forces(
        &mut self,
        system: &mut System<'_>,
        states: &mut [InertialState],
        span: VelocityUpdateSpan,
    ) -> bool {
        let reach = span.implicitness * span.dt;
        system.loads(span.time, states, &mut self.loads);
        if !system.add_implicit_forces(states, reach, &mut self.loads.total) {
            return false;
        }
        for ((state, inertia), wrench) in states.iter_mut().zip(system.inertias()).zip(&self.loads.total) {
            let (linear, angular) = velocity_change(inertia, state, wrench, reach);
            state.velocity += linear;
            state.angular_velocity += angular;
        }
        true
    }

    /// Solves for the velocities at which the forces are evaluated and writes them to `states`.
    fn solve(
        &mut self,
        system: &mut System<'_>,
        states: &mut [InertialState],
        span: VelocityUpdateSpan,
    ) -> Result<(), NotSolved> {
        system.set_time(span.time);
        write_velocities(states, &mut self.unknowns);
        write_weights(system.inertias(), &mut self.scales.weights);
        self.scales.floors.clear();
        self.scales.floors.resize(states.len(), 0.0);
        let Self { loads, start, unknowns, scales, solver } = self;
        let reach = span.implicitness * span.dt;
        let mut map = |unknowns: &[f64], image: &mut [f64]| {
            read_velocities(unknowns, states);
            system.loads(span.time, states, loads);
            let bodies = start.iter().zip(system.inertias()).zip(&loads.total);
            for (image, ((start, inertia), wrench)) in image.chunks_exact_mut(GROUP).zip(bodies) {
                let (linear, angular) = velocity_change(inertia, start, wrench, reach);
                write_group(start.velocity + linear, start.angular_velocity + angular, image);
            }
        };
        solver.solve(unknowns, scales, &mut map)?;
        read_velocities(unknowns, states);
        Ok(())
    }
}

/// Adds `dt M⁻¹ F` to every velocity and returns the work of the impulses without a potential.
fn add_impulses(inertias: &[Inertia], states: &mut [InertialState], loads: &Loads, dt: f64) -> StepWork {
    let mut work = StepWork::default();
    for (slot, (state, (wrench, inertia))) in
        states.iter_mut().zip(loads.total.iter().zip(inertias)).enumerate()
    {
        let (linear, angular) = velocity_change(inertia, state, wrench, dt);
        let mean = (state.velocity + linear * 0.5, state.angular_velocity + angular * 0.5);
        state.velocity += linear;
        state.angular_velocity += angular;
        work += work_of_loads(loads, slot, mean.0, mean.1, dt);
    }
    work
}

/// Work of the forces without a potential along the displacement of the bodies, `share · (F·Δx + τ·Δφ)`. For
/// constant forces on free bodies it equals the work of the kicks; with joints the kick alone does not
/// include the reduced displacement.
pub(super) fn work_along_path(
    loads: &Loads,
    start: &[InertialState],
    end: &[InertialState],
    share: f64,
) -> StepWork {
    let mut work = StepWork::default();
    for (slot, (start, end)) in start.iter().zip(end).enumerate() {
        let moved = end.center_of_mass - start.center_of_mass;
        let turned = orientation::rotation_vector(end.orientation * start.orientation.conjugate());
        work += work_of_loads(loads, slot, moved, turned, share);
    }
    work
}

/// Impulse times mean velocity of the forces without a potential on one body: the kinetic energy they change.
pub(super) fn work_of_loads(
    loads: &Loads,
    slot: usize,
    mean_velocity: Vec3,
    mean_angular_velocity: Vec3,
    dt: f64,
) -> StepWork {
    let work = |wrenches: &[Wrench]| {
        wrenches.get(slot).map_or(0.0, |wrench| dt * wrench.power(mean_velocity, mean_angular_velocity))
    };
    StepWork { work_in: work(&loads.external), dissipated: -work(&loads.dissipative), correction: 0.0 }
}

/// Changes of velocity and angular velocity by a wrench that acts for `dt` on a body that stands still.
fn velocity_change(inertia: &Inertia, state: &InertialState, wrench: &Wrench, dt: f64) -> (Vec3, Vec3) {
    let linear = wrench.force * (dt * inertia.inverse_mass());
    if wrench.torque == Vec3::ZERO {
        return (linear, Vec3::ZERO);
    }
    let torque_body = state.orientation.conjugate() * wrench.torque;
    (linear, state.orientation * (inertia.inverse_tensor_body() * torque_body * dt))
}

/// Velocities of all bodies as unknowns, six a body.
pub(super) fn write_velocities(states: &[InertialState], unknowns: &mut Vec<f64>) {
    unknowns.clear();
    for state in states {
        unknowns.extend_from_slice(&state.velocity.to_array());
        unknowns.extend_from_slice(&state.angular_velocity.to_array());
    }
}

/// The inverse of [`write_velocities`].
pub(super) fn read_velocities(unknowns: &[f64], states: &mut [InertialState]) {
    for (state, group) in states.iter_mut().zip(unknowns.chunks_exact(GROUP)) {
        (state.velocity, state.angular_velocity) = read_group(group);
    }
}

pub(super) fn read_group(group: &[f64]) -> (Vec3, Vec3) {
    (Vec3::from_slice(&group[..3]), Vec3::from_slice(&group[3..]))
}

pub(super) fn write_group(velocity: Vec3, angular_velocity: Vec3, group: &mut [f64]) {
    velocity.write_to_slice(&mut group[..3]);
    angular_velocity.write_to_slice(&mut group[3..]);
}

/// Weights of the unknowns in the norm of kinetic energy.
pub(super) fn write_weights(inertias: &[Inertia], weights: &mut Vec<f64>) {
    weights.clear();
    for inertia in inertias {
        let (mass, moment) = if inertia.is_movable() {
            (inertia.mass().sqrt(), inertia.principal_moments().max_element().sqrt())
        } else {
            (0.0, 0.0)
        };
        weights.extend_from_slice(&[mass, mass, mass, moment, moment, moment]);
    }
}
