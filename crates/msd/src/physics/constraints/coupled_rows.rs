//! Rows over the bodies of several joints: what their parts add to them.
//!
//! A coupling of joint positions is a constraint a joint ([`CoupledJoint`](super::CoupledJoint)): the first has the row, the others are
//! parts of it. Each part is evaluated with its own two bodies; values, rates and accelerations are added to the row, and the
//! multiplier of the row acts along the Jacobians of all. The matrix of the rows has one entry for them together:
//! `A_rs = Σ_i Σ_j J_ri M⁻¹ J_sjᵀ` over the parts i of r and j of s.

use std::sync::Arc;

use super::constraint::MAX_ROWS;
use super::constraint_set::pair;
use super::solver::pair_of;
use super::{AxisMemory, Constraint, ConstraintHandle, ConstraintSet, JacobianRow};
use crate::physics::rigid_body::InertialState;

/// A row at one instant, with its parts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RowNow {
    /// `C`.
    pub(super) value: f64,
    /// `J v`.
    pub(super) rate: f64,
    /// `∂C/∂t`.
    pub(super) drift: f64,
    /// The part of `J v` due to bodies that forces do not move.
    pub(super) driven: f64,
}

impl ConstraintSet {
    /// Lists the parts of all coupled rows, by slot of their leader.
    pub(super) fn list_parts(&mut self) {
        let led = |(handle, _, constraint): (ConstraintHandle, &str, &Arc<dyn Constraint>)| {
            Some((constraint.leader()?.slot(), handle.slot()))
        };
        let pairs: Vec<_> = self.iter().filter_map(led).collect();
        self.parts.clear();
        for (leader, part) in pairs {
            self.parts.entry(leader).or_default().push(part);
        }
    }

    /// True if some row has parts over other bodies.
    #[must_use]
    pub fn has_coupled_rows(&self) -> bool {
        !self.parts.is_empty()
    }

    /// Slots of the parts of the row of a constraint.
    #[must_use]
    pub fn parts_of(&self, slot: usize) -> &[usize] {
        self.parts.get(&slot).map_or(&[], Vec::as_slice)
    }

    /// The parts of the row of the constraint in a slot, with the state of their axes.
    pub(crate) fn judged_parts(&self, slot: usize) -> Vec<(&dyn Constraint, Option<AxisMemory>)> {
        self.parts_of(slot).iter().map(|part| (self.constraint(*part), self.axis_memory(*part))).collect()
    }

    /// Slots of the bodies of the constraint in a slot.
    #[must_use]
    pub(crate) fn bodies_in(&self, slot: usize) -> [Option<usize>; 2] {
        self.constraint(slot).bodies().map(|body| body.map(|body| body.slot()))
    }

    /// All constraints of the coupling that a constraint belongs to, its leader first; itself alone for others.
    #[must_use]
    pub fn coupled_with(&self, handle: ConstraintHandle) -> Vec<ConstraintHandle> {
        let Ok(constraint) = self.get(handle) else { return Vec::new() };
        let leader = constraint.leader().unwrap_or(handle);
        let parts = self.parts_of(leader.slot()).iter().map(|slot| self.handle(*slot));
        std::iter::once(leader).chain(parts).collect()
    }

    /// `C` of all rows of the constraint in a slot, with the parts of its row.
    pub(crate) fn values_in(&self, slot: usize, states: &[InertialState], time: f64, out: &mut [f64]) {
        self.value_in(slot, &pair(self.constraint(slot), states), time, out);
        for &part in self.parts_of(slot) {
            let mut share = [0.0];
            self.value_in(part, &pair(self.constraint(part), states), time, &mut share);
            out[0] += share[0];
        }
    }

    /// A row with its parts, the bodies in `states`.
    pub(super) fn row_now(&self, row: usize, states: &[InertialState], time: f64) -> RowNow {
        let mut now = RowNow::default();
        for row in self.assembly.with_parts(row) {
            let block = &self.assembly.blocks[self.assembly.block_of[row]];
            let (pair, k) = (pair_of(block, states), row - block.first);
            let (mut values, mut drifts) = ([0.0; MAX_ROWS], [0.0; MAX_ROWS]);
            let mut jacobian = [JacobianRow::ZERO; MAX_ROWS];
            let constraint = self.constraint(block.constraint);
            self.value_in(block.constraint, &pair, time, &mut values[..block.rows]);
            constraint.jacobian(&pair, time, &mut jacobian[..block.rows]);
            constraint.time_derivative(&pair, time, &mut drifts[..block.rows]);
            for (end, unit, state) in [(0, jacobian[k].on_a(), pair.a), (1, jacobian[k].on_b(), pair.b)] {
                if !block.movable[end] {
                    now.driven += unit.power(state.velocity, state.angular_velocity);
                }
            }
            now.value += values[k];
            now.rate += jacobian[k].velocity(pair.a, pair.b);
            now.drift += drifts[k];
        }
        now
    }

    /// Gives parts the multipliers of their rows.
    pub(super) fn copy_to_parts(&self, multipliers: &mut [f64]) {
        for &(leader, part) in &self.assembly.parts {
            multipliers[part] = multipliers[leader];
        }
    }

    /// Number of the row that a row is a part of; its own for most.
    #[must_use]
    pub fn row_of_part(&self, number: usize) -> usize {
        self.assembly.leader[number]
    }

    /// Numbers of the parts of a row.
    pub fn parts_of_row(&self, number: usize) -> impl Iterator<Item = usize> + use<'_> {
        self.assembly.with_parts(number).skip(1)
    }

    /// Pairs of movable bodies that coupled rows connect beyond those of their joints, by slot.
    pub(crate) fn coupled_bodies(&self) -> impl Iterator<Item = [Option<usize>; 2]> + Clone + use<'_> {
        let mover = |row: usize| {
            let block = &self.assembly.blocks[self.assembly.block_of[row]];
            [0, 1].into_iter().find_map(|end| block.bodies[end].filter(|_| block.movable[end]))
        };
        self.assembly.parts.iter().map(move |&(leader, part)| [mover(leader), mover(part)])
    }
}
