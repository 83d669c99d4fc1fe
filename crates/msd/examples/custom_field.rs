//! A custom field: the electric force between charged bodies.
//!
//! `V = k q_a q_b / r` for every pair, with the charge a property of the body. Run with
//! `cargo run --example custom_field`.

use std::sync::Arc;

use msd::math::{Mat3, Vec3};
use msd::physics::forces::{Field, FieldClass, FieldError};
use msd::physics::integration::{StepWork, System, by_name};
use msd::physics::rigid_body::{
    Bodies, BodyKind, BodyView, Inertia, InertialState, PropertyValue, RigidBody, Wrench,
};

/// `1/(4π ε₀)`, N·m²/C².
const COULOMB: f64 = 8.987_551_792_3e9;

/// The electric force between all bodies that have the property `charge` (C). No parameters, so nothing to check.
#[derive(Debug)]
struct Coulomb;

impl Coulomb {
    fn charge(body: &BodyView<'_>) -> f64 {
        body.body.properties.scalar("charge").unwrap_or(0.0)
    }
}

impl Field for Coulomb {
    fn type_name(&self) -> &'static str {
        "coulomb"
    }

    fn class(&self) -> FieldClass {
        FieldClass::Conservative
    }

    fn wrench(&self, body: &BodyView<'_>, bodies: &Bodies<'_>, _time: f64) -> Wrench {
        let mut force = Vec3::ZERO;
        for other in bodies.iter().filter(|other| other.slot != body.slot) {
            let r = body.state.center_of_mass - other.state.center_of_mass;
            let strength = COULOMB * Self::charge(body) * Self::charge(&other);
            if strength != 0.0 {
                force += r * (strength / (r.length() * r.length_squared()));
            }
        }
        Wrench::from_force(force)
    }

    /// The energy of a pair belongs to both: half to each if forces move both, else all to the one they move.
    fn energy(&self, body: &BodyView<'_>, bodies: &Bodies<'_>, _time: f64) -> Option<f64> {
        let mut energy = 0.0;
        for other in bodies.iter().filter(|other| other.slot != body.slot) {
            let r = body.state.center_of_mass - other.state.center_of_mass;
            let strength = COULOMB * Self::charge(body) * Self::charge(&other);
            if strength != 0.0 {
                let share = if other.body.kind == BodyKind::Dynamic { 0.5 } else { 1.0 };
                energy += share * strength / r.length();
            }
        }
        Some(energy)
    }

    fn check_body(&self, body: &RigidBody) -> Result<(), FieldError> {
        match body.properties.get("charge") {
            None | Some(PropertyValue::Scalar(_)) => Ok(()),
            Some(PropertyValue::Vector(_)) => Err(FieldError::Property {
                field: "coulomb",
                body: body.name.clone(),
                property: "charge",
                limit: "a number (C)",
            }),
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A microcoulomb on each of two spheres of 10 g, 10 cm apart, passing each other.
    let inertia = Inertia::new(0.01, Mat3::IDENTITY * 1e-6)?;
    let sphere = |name: &str| {
        let mut body = RigidBody::new(name, inertia);
        body.properties.set("charge", PropertyValue::Scalar(1e-6));
        body
    };
    let bodies = [sphere("left"), sphere("right")];
    let mut states = [
        InertialState { center_of_mass: Vec3::X * -0.05, velocity: Vec3::Y, ..InertialState::AT_REST },
        InertialState { center_of_mass: Vec3::X * 0.05, velocity: -Vec3::Y, ..InertialState::AT_REST },
    ];
    let mut inertias = [inertia; 2];
    let fields: [Arc<dyn Field>; 1] = [Arc::new(Coulomb)];
    for body in &bodies {
        Coulomb.check_body(body)?;
    }

    let mut integrator = by_name("velocity-verlet", None)?;
    let (dt, steps) = (1e-5, 20_000);
    let mut energy = [0.0; 2];
    let mut work = StepWork::default();
    for step in 0..steps {
        let time = f64::from(step) * dt;
        let mut system = System::new(&bodies, &mut inertias, &states, &fields, &[], time, dt)?;
        if step == 0 {
            energy[0] = system.kinetic_energy(&states) + system.potential_energy(time, &states);
        }
        work += integrator.step(&mut system, &mut states, time, dt)?;
        energy[1] = system.kinetic_energy(&states) + system.potential_energy(time + dt, &states);
    }

    println!("right after {} s: {:.6} m", f64::from(steps) * dt, states[1].center_of_mass);
    println!("energy {:.9} J, changed by {:.1e} J", energy[0], energy[1] - energy[0]);
    println!("booked: {:.1e} J put in, {:.1e} J taken out", work.work_in, work.dissipated);
    assert!((energy[1] - energy[0]).abs() < 1e-7 * energy[0], "a conservative field keeps the energy");
    Ok(())
}
