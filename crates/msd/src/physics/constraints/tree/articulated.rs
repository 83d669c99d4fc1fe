//! Inertia of a link together with all that hangs from it, about its centre of mass, world axes.
//!
//! `[f; τ] = [[M, H], [Hᵀ, I]] [v; ω]`. M and I are symmetric.

use crate::math::{Mat3, Vec3};
use crate::physics::constraints::solver::Twist;
use crate::physics::rigid_body::Wrench;

/// The 6 × 6 inertia.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArticulatedInertia {
    mass: Mat3,
    coupling: Mat3,
    tensor: Mat3,
}

impl ArticulatedInertia {
    /// Of a rigid body, kg and kg·m².
    pub(super) fn of_body(mass: f64, tensor: Mat3) -> Self {
        Self { mass: Mat3::from_diagonal(Vec3::splat(mass)), coupling: Mat3::ZERO, tensor }
    }

    /// Momentum of a twist.
    pub(super) fn momentum(&self, twist: &Twist) -> Wrench {
        // M and I are symmetric: their columns are their rows.
        Wrench::new(
            self.mass * twist.linear + self.coupling * twist.angular,
            transposed_times(&self.coupling, twist.linear) + self.tensor * twist.angular,
        )
    }

    /// Takes the motion along one direction out: `I - U Uᵀ/D`.
    pub(super) fn release(&mut self, along: &Wrench, inverse: f64) {
        let (force, torque) = (along.force * inverse, along.torque * inverse);
        for k in 0..3 {
            *self.mass.col_mut(k) -= along.force * force[k];
            *self.coupling.col_mut(k) -= along.force * torque[k];
            *self.tensor.col_mut(k) -= along.torque * torque[k];
        }
    }

    /// Adds the inertia of a child whose centre of mass is `apart` from that of this link: `Xᵀ I X`.
    pub(super) fn add_child(&mut self, child: &Self, apart: Vec3) {
        for (k, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
            let moved = apart.cross(axis);
            // H' = H - M [r]×, I' = I + [r]× H' - Hᵀ [r]×
            let coupling = child.coupling.col(k) - child.mass * moved;
            *self.mass.col_mut(k) += child.mass.col(k);
            *self.coupling.col_mut(k) += coupling;
            *self.tensor.col_mut(k) +=
                child.tensor.col(k) + apart.cross(coupling) - transposed_times(&child.coupling, moved);
        }
    }
}

fn transposed_times(matrix: &Mat3, vector: Vec3) -> Vec3 {
    Vec3::new(matrix.col(0).dot(vector), matrix.col(1).dot(vector), matrix.col(2).dot(vector))
}
