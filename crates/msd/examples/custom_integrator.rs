//! Your own integrator: the modified midpoint method ("leapfrog"), drift - kick - drift.
//!
//! An integrator advances all states by one step. It asks [`System`] for forces at any states it likes, carries along what
//! forces do not move, books the work of forces without a potential, and keeps no memory between steps. Run with
//! `cargo run -p msd-sim --example custom_integrator`.

use msd::math::Vec3;
use msd::physics::forces::PointGravity;
use msd::physics::integration::{IntegrationError, Integrator, Loads, StepWork, System, rotate_torque_free};
use msd::physics::rigid_body::{Inertia, InertialState, RigidBody};

/// Half a drift, a kick with the forces in the middle, half a drift: second order, one evaluation of the forces a step.
#[derive(Clone, Debug, Default)]
struct Leapfrog {
    // Workspace, kept so that steps do not allocate.
    loads: Loads,
}

impl Leapfrog {
    fn drift(system: &System<'_>, states: &mut [InertialState], dt: f64) {
        for (state, inertia) in states.iter_mut().zip(system.inertias()) {
            state.center_of_mass += state.velocity * dt;
            rotate_torque_free(inertia, state, dt);
        }
    }
}

impl Integrator for Leapfrog {
    fn name(&self) -> &'static str {
        "leapfrog"
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
        Self::drift(system, states, 0.5 * dt);
        system.loads(time + 0.5 * dt, states, &mut self.loads);
        let mut work = StepWork::default();
        work.add_power(system.power(time + 0.5 * dt, states, &self.loads), dt);
        for ((state, wrench), inertia) in states.iter_mut().zip(&self.loads.total).zip(system.inertias()) {
            state.velocity += wrench.force * (dt * inertia.inverse_mass());
            let torque_body = state.orientation.conjugate() * wrench.torque;
            state.angular_velocity += state.orientation * (inertia.inverse_tensor_body() * torque_body * dt);
        }
        Self::drift(system, states, 0.5 * dt);
        system.check_finite(states, dt)?;
        Ok(work)
    }

    fn clone_box(&self) -> Box<dyn Integrator> {
        Box::new(self.clone())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mu = 3.986_004_418e14;
    let inertia = Inertia::new(500.0, msd::math::Mat3::from_diagonal(Vec3::new(120.0, 150.0, 180.0)))?;
    let bodies = [RigidBody::new("satellite", inertia)];
    let mut inertias = [inertia];
    let mut states = [InertialState {
        center_of_mass: Vec3::X * 7e6,
        velocity: Vec3::Y * (mu / 7e6_f64).sqrt(),
        angular_velocity: Vec3::new(0.001, 0.1, 0.001),
        ..InertialState::AT_REST
    }];
    let fields: [std::sync::Arc<dyn msd::physics::forces::Field>; 1] =
        [std::sync::Arc::new(PointGravity::new(mu, Vec3::ZERO)?)];

    let mut integrator = Leapfrog::default();
    let period = 2.0 * std::f64::consts::PI * (7e6_f64 * 7e6 * 7e6 / mu).sqrt();
    for steps in [1_000, 2_000, 4_000] {
        let start = states;
        let dt = period / f64::from(steps);
        for step in 0..steps {
            let time = f64::from(step) * dt;
            let mut system = System::new(&bodies, &mut inertias, &start, &fields, &[], time, dt)?;
            integrator.step(&mut system, &mut states, time, dt)?;
        }
        let error = (states[0].center_of_mass - start[0].center_of_mass).length();
        println!("{steps} steps an orbit: {error:.3} m from where it started");
        states = start;
    }
    Ok(())
}
