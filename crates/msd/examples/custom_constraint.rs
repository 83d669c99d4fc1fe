//! A custom constraint: a bead threaded on a helical wire, sliding down without friction.
//!
//! The wire is `x = R cos φ, y = R sin φ, z = p φ`. Two rows keep the bead on it, written with the height as parameter:
//! `C₁ = x cos(z/p) + y sin(z/p) - R` and `C₂ = y cos(z/p) - x sin(z/p)`. Only values and Jacobians are given; the
//! `J̇ v` term comes from the trait's default.
//!
//! Run with `cargo run --example custom_constraint`.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use msd::math::{Mat3, Vec3, scalar};
use msd::physics::constraints::{Constraint, ConstraintSet, JacobianRow, Pair};
use msd::physics::forces::{Field, UniformGravity};
use msd::physics::integration::{Integrator, Rk4, System};
use msd::physics::rigid_body::{BodyHandle, Inertia, InertialState, RigidBody};

/// A frictionless helical wire about the z axis.
#[derive(Debug)]
struct Helix {
    bead: BodyHandle,
    /// m.
    radius: f64,
    /// Rise per radian, m.
    rise: f64,
}

impl Constraint for Helix {
    fn type_name(&self) -> &'static str {
        "helix"
    }

    fn bodies(&self) -> [Option<BodyHandle>; 2] {
        [None, Some(self.bead)]
    }

    fn dimension(&self) -> usize {
        2
    }

    fn value(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        let p = pair.b.center_of_mass;
        let (sine, cosine) = scalar::sin_cos(p.z / self.rise);
        out[0] = p.x * cosine + p.y * sine - self.radius;
        out[1] = p.y * cosine - p.x * sine;
    }

    fn jacobian(&self, pair: &Pair<'_>, _time: f64, out: &mut [JacobianRow]) {
        let p = pair.b.center_of_mass;
        let (sine, cosine) = scalar::sin_cos(p.z / self.rise);
        let radial = p.x * cosine + p.y * sine;
        let across = p.y * cosine - p.x * sine;
        let on_bead = |linear_b: Vec3| JacobianRow { linear_b, ..JacobianRow::ZERO };
        out[0] = on_bead(Vec3::new(cosine, sine, across / self.rise));
        out[1] = on_bead(Vec3::new(-sine, cosine, -radial / self.rise));
    }
}

/// Slides for a second; returns how far the bead is off its wire (m) and by how much energy is off (J).
pub(crate) fn bead_on_a_helix() -> (f64, f64) {
    let gravity: Arc<dyn Field> = Arc::new(UniformGravity::new(Vec3::new(0.0, 0.0, -9.81)).unwrap());
    let inertia = Inertia::new(0.1, Mat3::from_diagonal(Vec3::splat(1e-5))).unwrap();
    let bodies = [RigidBody::new("bead", inertia)];
    let mut inertias = [inertia];
    let mut states = [InertialState { center_of_mass: Vec3::X, ..InertialState::AT_REST }];
    let mut wires = ConstraintSet::new();
    let helix = Helix { bead: BodyHandle::new(0, 0, 0), radius: 1.0, rise: 0.2 };
    wires.add("wire", Arc::new(helix)).unwrap();

    let (mut integrator, fields, dt) = (Rk4::new(), [gravity], 1e-3);
    for step in 0..1_000 {
        let (time, start) = (f64::from(step) * dt, states);
        let mut system = System::new(&bodies, &mut inertias, &start, &fields, &[], time, dt)
            .unwrap()
            .with_constraints(&mut wires, &start, dt)
            .unwrap();
        integrator.step(&mut system, &mut states, time, dt).unwrap();
    }
    let (off_wire, _) = wires.errors(&states, 1.0);
    let energy = states[0].kinetic_energy(&inertia) + 0.1 * 9.81 * states[0].center_of_mass.z;
    (off_wire, energy.abs())
}

fn main() {
    let (off_wire, energy_error) = bead_on_a_helix();
    println!("after 1 s the bead is {off_wire:.1e} m off its wire; energy is off by {energy_error:.1e} J");
}
