//! Rotors geared to joints: the armature of motors, exactly, in every method.
//!
//! A rotor that turns with the position q of a joint, and with nothing else, adds `½ I q̇²` to the kinetic energy. In maximal
//! coordinates it is a body of one degree of freedom s with the inertia I and the rigid row `q - s = 0`. Its own coordinate is
//! eliminated: with λ the multiplier of that row, `s̈ = -λ/I`, so the matrix of the rows `A = J M⁻¹ Jᵀ` gets `1/I` on the
//! diagonal of that row, and everything else stays as it is:
//! - stages: `J a + J̇ v + λ/I = 0`, that is `λ = -I q̈`, gyroscopic terms included;
//! - RATTLE: the drift of h seconds with the impulse p takes s along by `h (ṡ - p/I)`, so its row is
//!   `q₁ - q₀ - h (ṡ - p/I) = 0`; the projection at its end makes `J v = ṡ - p/I`;
//! - projections of methods with stages move velocities the least in a metric that has the rotors in it: `J Δv + p/I = 0`;
//! - contact: `J (v - v_free) + p/I = 0`.
//!
//! s needs no memory: where a step starts, `ṡ = q̇`, and s is counted from q.
//!
//! With Jᵀ = the axis on both bodies, a rotor exerts equal and opposite torques: momentum of the bodies is kept without its own, as
//! in MuJoCo (Todorov 2014) and in the equations of geared robots that neglect the spin of rotors with their links (Featherstone,
//! *Rigid Body Dynamics Algorithms*, §9.6).

use std::f64::consts::TAU;

use super::constraint::MAX_ROWS;
use super::{Constraint, ConstraintSet, JacobianRow, RowLaw, RowUnit};
use crate::math::scalar;
use crate::physics::rigid_body::InertialState;

impl ConstraintSet {
    /// Rows that take no part yet, those of rotors with what they give way by.
    pub(super) fn reset_bounds(&mut self) {
        self.bounds.reset(self.assembly.rows());
        for (law, regularisation) in self.assembly.laws.iter().zip(&mut self.bounds.regularisation) {
            if let RowLaw::Rotor { inertia } = law {
                *regularisation = 1.0 / inertia;
            }
        }
    }

    /// Kinetic energy of all rotors of joints that are on, J.
    #[must_use]
    pub fn rotor_energy(&self, states: &[InertialState], time: f64) -> f64 {
        self.enabled().map(|(_, _, constraint)| rotor_energy(constraint.as_ref(), states, time)).sum()
    }

    /// Energy of the springs and rotors that free flight leaves to contact in this step, J.
    #[must_use]
    pub(crate) fn energy_left_to_contact(&self, states: &[InertialState], time: f64) -> f64 {
        if !self.springs_in_contact {
            return 0.0;
        }
        let left = self.assembly.blocks.iter().zip(&self.assembly.left).filter(|(_, left)| **left);
        left.map(|(block, _)| {
            let constraint = self.constraint(block.constraint);
            let elastic = self.elastic_energy_of(block.constraint, constraint, states, time);
            elastic + rotor_energy(constraint, states, time)
        })
        .sum()
    }

    /// The same by the rates that rotors have within a step.
    pub(super) fn energy_of_rotor_rates(&self) -> f64 {
        let of = |(law, rate): (&RowLaw, &f64)| match law {
            RowLaw::Rotor { inertia } => 0.5 * inertia * rate * rate,
            _ => 0.0,
        };
        self.assembly.laws.iter().zip(&self.step.rotor_rate).map(of).sum()
    }

    /// How much faster a rotor is than its joint: nothing in methods that do not advance it.
    pub(super) fn rotor_lead(&self, row: usize, rate: f64) -> f64 {
        if self.step.rotors_advanced { self.step.rotor_rate[row] - rate } else { 0.0 }
    }

    /// Stores the rates of joints as those of their rotors, once a projection has made them agree.
    pub(super) fn store_rotor_rates(&mut self, states: &[InertialState]) {
        self.step.rotors_advanced = true;
        for row in 0..self.assembly.rows() {
            if matches!(self.assembly.laws[row], RowLaw::Rotor { .. }) {
                self.step.rotor_rate[row] = self.assembly.row_velocity(row, states);
            }
        }
    }

    /// Stores where rotors are as a drift begins.
    pub(super) fn store_rotor_positions(&mut self, states: &[InertialState], time: f64) {
        if !self.has_rotors() {
            return;
        }
        self.evaluate_values(states, time);
        self.step.rotor_start.clone_from(&self.values);
    }

    /// Puts `q₁ - q₀ - h (ṡ - p/I)` into `values`, which hold q₁, for a drift of `dt` seconds after these impulses.
    pub(super) fn evaluate_rotors(&mut self, impulse: &[f64], dt: f64) {
        for row in 0..self.assembly.rows() {
            let RowLaw::Rotor { inertia } = self.assembly.laws[row] else { continue };
            let taken_along = dt * (self.step.rotor_rate[row] - impulse[row] / inertia);
            let off = self.values[row] - self.step.rotor_start[row] - taken_along;
            self.values[row] = match self.assembly.units[row] {
                RowUnit::Length => off,
                RowUnit::Angle => off - TAU * (off / TAU).round(),
            };
        }
    }

    /// Gives rotors their share of the impulses of a drift.
    pub(super) fn advance_rotors(&mut self, impulse: &[f64]) {
        self.step.rotors_advanced = true;
        for (row, impulse) in impulse.iter().enumerate() {
            if let RowLaw::Rotor { inertia } = self.assembly.laws[row] {
                self.step.rotor_rate[row] -= impulse / inertia;
            }
        }
    }

    fn has_rotors(&self) -> bool {
        self.assembly.laws.iter().any(|law| matches!(law, RowLaw::Rotor { .. }))
    }

    /// `J M⁻¹ Jᵀ` of a row with a rotor of the same two bodies eliminated, the one that reduces it most: `A_rr - A_rs²/(A_ss + 1/I)`.
    pub(super) fn inverse_inertia_with_rotors(&self, row: usize) -> f64 {
        let own = &self.assembly.blocks[self.assembly.block_of[row]];
        let full = self.assembly.diagonal[row];
        if !self.assembly.parts.is_empty() && self.parts_of_row(row).next().is_some() {
            return self.inverse_inertia_of_coupled(row);
        }
        let mut least = full;
        for (other, law) in self.assembly.laws.iter().enumerate() {
            let RowLaw::Rotor { inertia } = law else { continue };
            if self.assembly.blocks[self.assembly.block_of[other]].bodies != own.bodies {
                continue;
            }
            let cross = self.assembly.coupling(row, other);
            least =
                scalar::min(least, full - cross * cross / (self.assembly.diagonal[other] + 1.0 / inertia));
        }
        scalar::max(least, 0.0)
    }

    /// The same for a row with parts: the largest reduction of each part.
    fn inverse_inertia_of_coupled(&self, row: usize) -> f64 {
        let mut least = self.assembly.diagonal[row];
        for part in self.assembly.with_parts(row) {
            let own = &self.assembly.blocks[self.assembly.block_of[part]];
            let mut most: f64 = 0.0;
            for (other, law) in self.assembly.laws.iter().enumerate() {
                let RowLaw::Rotor { inertia } = law else { continue };
                if self.assembly.blocks[self.assembly.block_of[other]].bodies == own.bodies {
                    let cross = self.assembly.coupling(part, other);
                    most = scalar::max(most, cross * cross / (self.assembly.diagonal[other] + 1.0 / inertia));
                }
            }
            least -= most;
        }
        scalar::max(least, 0.0)
    }
}

/// Kinetic energy of the rotors of one constraint, J.
fn rotor_energy(constraint: &dyn Constraint, states: &[InertialState], time: f64) -> f64 {
    let rows = constraint.dimension();
    if !(0..rows).any(|row| matches!(constraint.law(row), RowLaw::Rotor { .. })) {
        return 0.0;
    }
    let pair = super::constraint_set::pair(constraint, states);
    let mut jacobian = [JacobianRow::ZERO; MAX_ROWS];
    constraint.jacobian(&pair, time, &mut jacobian[..rows]);
    let of = |(row, j): (usize, &JacobianRow)| match constraint.law(row) {
        RowLaw::Rotor { inertia } => {
            let rate = j.velocity(pair.a, pair.b);
            0.5 * inertia * rate * rate
        }
        _ => 0.0,
    };
    jacobian[..rows].iter().enumerate().map(of).sum()
}
