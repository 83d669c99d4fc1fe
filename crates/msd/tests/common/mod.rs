//! Helper for tests of integrators and joints: bodies, fields and states, stepped by `System` without a world.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use std::sync::Arc;

use msd::math::{Mat3, Vec3, orientation, scalar};
use msd::physics::constraints::ConstraintSet;
use msd::physics::forces::Field;
use msd::physics::integration::{AppliedLoad, IntegrationError, Integrator, StepWork, System};
use msd::physics::rigid_body::{Inertia, InertialState, RigidBody};

/// Owns everything a run needs.
#[derive(Clone)]
pub struct Lab {
    pub bodies: Vec<RigidBody>,
    pub inertias: Vec<Inertia>,
    pub states: Vec<InertialState>,
    pub fields: Vec<Arc<dyn Field>>,
    pub applied: Vec<AppliedLoad>,
    pub constraints: ConstraintSet,
    pub integrator: Box<dyn Integrator>,
    pub start: f64,
    pub work: StepWork,
}

impl Lab {
    pub fn new(integrator: &str) -> Self {
        Self::with(msd::physics::integration::by_name(integrator, None).unwrap())
    }

    pub fn with_tolerance(integrator: &str, tolerance: f64) -> Self {
        Self::with(msd::physics::integration::by_name(integrator, Some(tolerance)).unwrap())
    }

    pub fn with(integrator: Box<dyn Integrator>) -> Self {
        Self {
            bodies: Vec::new(),
            inertias: Vec::new(),
            states: Vec::new(),
            fields: Vec::new(),
            applied: Vec::new(),
            constraints: ConstraintSet::new(),
            integrator,
            start: 0.0,
            work: StepWork::default(),
        }
    }

    pub fn body(mut self, inertia: Inertia, state: InertialState) -> Self {
        let name = format!("body-{}", self.bodies.len());
        self.bodies.push(RigidBody::new(&name, inertia));
        self.inertias.push(inertia);
        self.states.push(state);
        self
    }

    pub fn field(mut self, field: impl Field + 'static) -> Self {
        self.fields.push(Arc::new(field));
        self
    }

    pub fn try_step(&mut self, time: f64, dt: f64) -> Result<StepWork, IntegrationError> {
        let start = self.states.clone();
        let mut system =
            System::new(&self.bodies, &mut self.inertias, &start, &self.fields, &self.applied, time, dt)?
                .with_constraints(&mut self.constraints, &start, dt)?;
        self.integrator.step(&mut system, &mut self.states, time, dt)
    }

    /// Runs `steps` equal steps that end at `start + duration`.
    pub fn run(&mut self, duration: f64, steps: usize) {
        let dt = duration / steps as f64;
        for step in 0..steps {
            let work = self.try_step(self.start + step as f64 * dt, dt).unwrap();
            self.work += work;
        }
        self.start += duration;
    }

    /// Kinetic and potential energy, J.
    pub fn energy(&mut self) -> f64 {
        let states = self.states.clone();
        let system = System::new(
            &self.bodies,
            &mut self.inertias,
            &states,
            &self.fields,
            &self.applied,
            self.start,
            0.0,
        )
        .unwrap();
        let elastic = self.constraints.elastic_energy(&states, self.start);
        system.kinetic_energy(&states) + system.potential_energy(self.start, &states) + elastic
    }

    /// Angular momentum of the first body about its centre of mass.
    pub fn spin(&self) -> Vec3 {
        self.states[0].spin_angular_momentum(&self.inertias[0])
    }
}

/// A body with principal moments along its own axes.
pub fn diagonal(mass: f64, moments: [f64; 3]) -> Inertia {
    Inertia::new(mass, Mat3::from_diagonal(Vec3::from_array(moments))).unwrap()
}

/// At the origin with this orientation (w, x, y, z) and this angular velocity in body axes.
pub fn rotating(wxyz: [f64; 4], omega_body: Vec3) -> InertialState {
    let q = orientation::from_wxyz(wxyz);
    InertialState { orientation: q, angular_velocity: q * omega_body, ..InertialState::AT_REST }
}

/// Slope of log(error) against log(dt) between two runs.
pub fn slope(coarse: (f64, f64), fine: (f64, f64)) -> f64 {
    scalar::ln(coarse.1 / fine.1) / scalar::ln(coarse.0 / fine.0)
}
