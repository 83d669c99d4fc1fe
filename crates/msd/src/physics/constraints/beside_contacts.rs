//! Constraints beside contacts: rows for a solver that treats both together, and the impulses it gives back.
//!
//! Integrators move bodies as if nothing touched, with every joint held. What contact changes of the velocities must leave
//! joints held: their rows are part of the contact problem, and what they add there is added to their multipliers.

use super::constraint::MAX_ROWS;
use super::solver::{Block, pair_of};
use super::{ConstraintSet, JacobianRow, Reaction, RowLaw};
use crate::math::{Coordinate, Vec3};
use crate::physics::rigid_body::InertialState;

/// One row at one instant; `Ċ = J v + ∂C/∂t`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstraintRow {
    /// Slot of its constraint, times [`MAX_ROWS`], plus its place there: the same from step to step.
    pub key: u32,
    /// Slots of body A and body B; `None` is the world.
    pub slots: [Option<usize>; 2],
    /// What its multiplier may do; motors with the velocity they were commanded.
    pub law: RowLaw,
    /// `J`.
    pub jacobian: JacobianRow,
    /// `C`, m or rad.
    pub value: f64,
    /// `∂C/∂t`, m/s or rad/s.
    pub time_derivative: f64,
    /// Multiplier of the step as the integrator took it, N or N·m.
    pub multiplier: f64,
    /// Where its constraint acts, world frame, m.
    pub anchor: Coordinate,
    /// Independent loops that are closed by the constraints that connect its bodies with others.
    pub loops: usize,
}

impl ConstraintRow {
    /// A row that asks for nothing.
    pub const IDLE: Self = Self {
        key: 0,
        slots: [None; 2],
        law: RowLaw::Rigid,
        jacobian: JacobianRow::ZERO,
        value: 0.0,
        time_derivative: 0.0,
        multiplier: 0.0,
        anchor: Vec3::ZERO,
        loops: 0,
    };
}

impl ConstraintSet {
    /// The rows of all constraints with the bodies in `states`, in the order of their slots, after a step.
    pub fn rows_into(&self, states: &[InertialState], time: f64, out: &mut Vec<ConstraintRow>) {
        out.clear();
        for (block, &loops) in self.assembly.blocks.iter().zip(&self.assembly.loops) {
            self.block_rows((block, loops), states, time, |_, row| out.push(row));
        }
    }

    /// Brings some of these rows up to date: all rows of some constraints, by number, in order.
    pub fn update_rows(
        &self,
        numbers: &[usize],
        states: &[InertialState],
        time: f64,
        rows: &mut [ConstraintRow],
    ) {
        for &number in numbers {
            let nth = self.assembly.block_of[number];
            let block = &self.assembly.blocks[nth];
            if block.first == number {
                self.block_rows((block, self.assembly.loops[nth]), states, time, |number, row| {
                    rows[number] = row
                });
            }
        }
    }

    /// The rows of one constraint, which is one of those that close so many loops, with their numbers.
    fn block_rows(
        &self,
        (block, loops): (&Block, usize),
        states: &[InertialState],
        time: f64,
        mut give: impl FnMut(usize, ConstraintRow),
    ) {
        let (constraint, pair) = (self.constraint(block.constraint), pair_of(block, states));
        let mut values = [0.0; MAX_ROWS];
        let mut drift = [0.0; MAX_ROWS];
        let mut jacobian = [JacobianRow::ZERO; MAX_ROWS];
        constraint.value(&pair, time, &mut values[..block.rows]);
        constraint.jacobian(&pair, time, &mut jacobian[..block.rows]);
        constraint.time_derivative(&pair, time, &mut drift[..block.rows]);
        let anchor = constraint.anchor(&pair);
        for (k, row) in block.range().enumerate() {
            let found = ConstraintRow {
                key: (block.constraint * MAX_ROWS + k) as u32,
                slots: block.bodies,
                law: self.law_of(block, k),
                jacobian: jacobian[k],
                value: values[k],
                time_derivative: drift[k],
                multiplier: self.step.multipliers.get(row).copied().unwrap_or(0.0),
                anchor,
                loops,
            };
            give(row, found);
        }
    }

    /// Adds what contact asked of the rows in a step of `dt` seconds to their multipliers and reactions: impulses in N·s or
    /// N·m·s, one a row, along the Jacobians of `rows`.
    pub fn add_impulses(
        &mut self,
        rows: &[ConstraintRow],
        impulses: &[f64],
        states: &[InertialState],
        dt: f64,
    ) {
        for block in &self.assembly.blocks {
            let mut more = Reaction::default();
            for row in block.range() {
                let force = impulses[row] / dt;
                more.force += rows[row].jacobian.linear_b * force;
                more.torque += rows[row].jacobian.angular_b * force;
                if let Some(multiplier) = self.step.multipliers.get_mut(row) {
                    *multiplier += force;
                }
            }
            let pair = pair_of(block, states);
            let arm = self.constraint(block.constraint).anchor(&pair) - pair.b.center_of_mass;
            if let Some(reaction) = self.step.reactions.get_mut(block.constraint) {
                reaction.force += more.force;
                reaction.torque += more.torque - arm.cross(more.force);
            }
        }
    }
}
