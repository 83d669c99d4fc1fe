//! The common part of the one-stage implicit methods: unknown velocities, the stage computed from them,
//! forces there, and the velocities those forces give.
//!
//! The unknowns are the linear and angular velocity of every body at the stage. Rotation is driven by the
//! angular momentum in the world, `L⁺ = L⁻ + dt τ`, scaled by `m₀/m` where mass flows (see
//! [`super::lie_chart`]). Joints are held by their forces at the stage and projected at the end.

use super::free_rotor::{angular_velocity_of, momentum_of, principal_orientation};
use super::implicit_solver::{GROUP, ImplicitSolver, NotSolved, Scales};
use super::velocity_update::{read_group, work_of_loads, write_group, write_velocities, write_weights};
use super::velocity_verlet::NO_LOADS;
use super::{IntegrationError, Loads, StepWork, System};
use crate::math::{Quat, Vec3};
use crate::physics::rigid_body::{Inertia, InertialState, Wrench};
use crate::tolerance;

/// A body at the start of the step.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepStart {
    pub(super) state: InertialState,
    pub(super) inertia: Inertia,
    /// Angular momentum, world frame.
    pub(super) momentum: Vec3,
}

impl StepStart {
    /// Round-off of the pose, in the norm of kinetic energy times seconds: a few units in the last place of the position
    /// and of one radian.
    fn resolution(&self) -> f64 {
        if !self.inertia.is_movable() {
            return 0.0;
        }
        let position = self.state.center_of_mass.length_squared() * self.inertia.mass();
        4.0 * f64::EPSILON * (position + self.inertia.principal_moments().max_element()).sqrt()
    }

    /// Angular momentum after `torque` has acted for `dt` on a body of inverse mass `inverse_mass` meanwhile.
    pub(super) fn momentum_after(&self, torque: Vec3, inverse_mass: f64, dt: f64) -> Vec3 {
        let share = if inverse_mass > 0.0 { self.inertia.mass() * inverse_mass } else { 0.0 };
        self.momentum + torque * (dt * share)
    }

    /// Angular velocity of the body turned to `orientation` with that momentum.
    pub(super) fn angular_velocity(&self, orientation: Quat, momentum: Vec3) -> Vec3 {
        if !self.inertia.is_movable() {
            return self.state.angular_velocity;
        }
        angular_velocity_of(&self.inertia, principal_orientation(&self.inertia, orientation), momentum)
    }
}

/// Velocities of one body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Velocities {
    pub(super) linear: Vec3,
    pub(super) angular: Vec3,
}

/// A one-stage implicit method.
pub(super) trait ImplicitRule {
    /// Name of the method.
    const NAME: &'static str;
    /// Where in the step the stage lies, from 0 to 1.
    const NODE: f64;
    /// Pose and velocities at the stage if the velocities there are `at`.
    fn place(start: &StepStart, at: Velocities, dt: f64) -> InertialState;
    /// The velocities at the stage that follow from the forces there.
    fn velocities(
        start: &StepStart,
        stage: &InertialState,
        wrench: &Wrench,
        inverse_mass: f64,
        dt: f64,
    ) -> Velocities;
    /// The state at the end of the step.
    fn end(
        start: &StepStart,
        stage: &InertialState,
        wrench: &Wrench,
        inverse_mass: f64,
        dt: f64,
    ) -> InertialState;
}

/// Workspace of an implicit step; keeps its allocations.
#[derive(Clone, Debug, Default)]
pub(super) struct ImplicitStep {
    start: Vec<StepStart>,
    stage: Vec<InertialState>,
    loads: Loads,
    unknowns: Vec<f64>,
    scales: Scales,
    solver: ImplicitSolver,
}

impl ImplicitStep {
    pub(super) fn step<R: ImplicitRule>(
        &mut self,
        system: &mut System<'_>,
        states: &mut [InertialState],
        time: f64,
        dt: f64,
    ) -> Result<StepWork, IntegrationError> {
        self.begin(system, time, dt, states);
        let stage_time = time + R::NODE * dt;
        self.solve::<R>(system, stage_time, dt).map_err(|failed| IntegrationError::NotConverged {
            integrator: R::NAME,
            iterations: failed.iterations,
            residual: failed.residual,
            wanted: tolerance::IMPLICIT_SOLVE,
            time,
            dt,
        })?;
        system.constrained_loads(stage_time, &self.stage, &mut self.loads);
        let mut work = StepWork::default();
        work.add_power(system.power(stage_time, &self.stage, &NO_LOADS), dt);
        for (slot, state) in states.iter_mut().enumerate() {
            let (start, wrench) = (&self.start[slot], &self.loads.total[slot]);
            let inverse_mass = system.inertias()[slot].inverse_mass();
            *state = R::end(start, &self.stage[slot], wrench, inverse_mass, dt);
            let mean_velocity = (start.state.velocity + state.velocity) * 0.5;
            let mean_angular_velocity = (start.state.angular_velocity + state.angular_velocity) * 0.5;
            work += work_of_loads(&self.loads, slot, mean_velocity, mean_angular_velocity, dt);
        }
        work += if R::NODE == 1.0 {
            system.project_euler(states, time + dt)?
        } else {
            system.project(states, time + dt)?
        };
        system.set_time(time + dt);
        system.check_finite(states, dt)?;
        Ok(work)
    }

    fn begin(&mut self, system: &mut System<'_>, time: f64, dt: f64, states: &[InertialState]) {
        system.set_time(time);
        self.start.clear();
        self.start.extend(states.iter().zip(system.inertias()).map(|(state, inertia)| StepStart {
            state: *state,
            inertia: *inertia,
            momentum: momentum_of(
                inertia,
                principal_orientation(inertia, state.orientation),
                state.angular_velocity,
            ),
        }));
        self.stage.clear();
        self.stage.extend_from_slice(states);
        write_velocities(states, &mut self.unknowns);
        write_weights(system.inertias(), &mut self.scales.weights);
        self.scales.floors.clear();
        self.scales.floors.extend(self.start.iter().map(|start| start.resolution() / dt.abs()));
    }

    /// Solves for the stage that agrees with its own forces and writes it to `self.stage`.
    fn solve<R: ImplicitRule>(
        &mut self,
        system: &mut System<'_>,
        stage_time: f64,
        dt: f64,
    ) -> Result<(), NotSolved> {
        let Self { start, stage, loads, unknowns, scales, solver } = self;
        let mut map = |unknowns: &[f64], image: &mut [f64]| {
            place_all::<R>(start, unknowns, dt, stage);
            system.constrained_loads(stage_time, stage, loads);
            for (slot, image) in image.chunks_exact_mut(GROUP).enumerate() {
                let inverse_mass = system.inertias()[slot].inverse_mass();
                let at = R::velocities(&start[slot], &stage[slot], &loads.total[slot], inverse_mass, dt);
                write_group(at.linear, at.angular, image);
            }
        };
        solver.solve(unknowns, scales, &mut map)?;
        place_all::<R>(start, unknowns, dt, stage);
        Ok(())
    }
}

fn place_all<R: ImplicitRule>(start: &[StepStart], unknowns: &[f64], dt: f64, stage: &mut [InertialState]) {
    for ((state, start), group) in stage.iter_mut().zip(start).zip(unknowns.chunks_exact(GROUP)) {
        let (linear, angular) = read_group(group);
        *state = R::place(start, Velocities { linear, angular }, dt);
    }
}
