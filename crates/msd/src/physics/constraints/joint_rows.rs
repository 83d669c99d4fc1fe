//! Joint rows of the contact problem, and their impulses.
//!
//! Integrators move bodies as if nothing touched, with every joint held. Changes of velocity by contact must keep the
//! joints held, so their rows are part of the contact problem, and their impulses there are added to their
//! multipliers.

use super::constraint::MAX_ROWS;
use super::solver::{Block, pair_of};
use super::step_record::RowMode;
use super::{ConstraintSet, HeldPoint, JacobianRow, Reaction, RowLaw};
use crate::math::{Coordinate, Vec3};
use crate::physics::rigid_body::InertialState;

/// One row at one instant; `Ċ = J v + ∂C/∂t`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstraintRow {
    /// Slot of its constraint, times [`MAX_ROWS`], plus its place there: the same from step to step.
    pub key: u32,
    /// Slots of body A and body B; `None` is the world.
    pub slots: [Option<usize>; 2],
    /// Law of its multiplier; motors with their commanded velocity.
    pub law: RowLaw,
    /// `J`.
    pub jacobian: JacobianRow,
    /// `C`, m or rad.
    pub value: f64,
    /// `∂C/∂t`, m/s or rad/s.
    pub time_derivative: f64,
    /// Multiplier of the step as the integrator applied it, N or N·m.
    pub multiplier: f64,
    /// True if the multiplier is constant over the step: a motor, or a spring or actuator too stiff for it.
    pub held: bool,
    /// Where its constraint acts, world frame, m.
    pub anchor: Coordinate,
    /// Independent loops that are closed by the constraints that connect its bodies with others.
    pub loops: usize,
}

impl ConstraintRow {
    /// A row without effect.
    pub const IDLE: Self = Self {
        key: 0,
        slots: [None; 2],
        law: RowLaw::Rigid,
        jacobian: JacobianRow::ZERO,
        value: 0.0,
        time_derivative: 0.0,
        multiplier: 0.0,
        held: false,
        anchor: Vec3::ZERO,
        loops: 0,
    };
}

/// An active constraint as input of the contact solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointPlace {
    /// Key of its first row; those of the others follow.
    pub key: u32,
    /// Number of its first row.
    pub first: u32,
    /// How many rows it has.
    pub rows: u32,
    /// Slots of body A and body B; `None` is the world.
    pub slots: [Option<usize>; 2],
    /// Independent loops that are closed by the constraints that connect its bodies with others.
    pub loops: usize,
    /// True if it only holds a point of both bodies together: [`ConstraintSet::held_point`] returns the point.
    pub is_point: bool,
}

impl ConstraintSet {
    /// The active constraints, in the order of their slots.
    pub fn places(&self) -> impl Iterator<Item = JointPlace> {
        self.assembly.blocks.iter().zip(&self.assembly.loops).map(|(block, &loops)| JointPlace {
            key: (block.constraint * MAX_ROWS) as u32,
            first: block.first as u32,
            rows: block.rows as u32,
            slots: block.bodies,
            loops,
            is_point: block.point,
        })
    }

    /// Number of the constraint, among the active ones, that a row belongs to.
    #[must_use]
    pub fn place_of_row(&self, row: usize) -> usize {
        self.assembly.block_of[row]
    }

    /// The point that a constraint holds, by its number among the active ones; `None` if it does more than hold a
    /// point.
    #[must_use]
    pub fn held_point(&self, number: usize, states: &[InertialState]) -> Option<HeldPoint> {
        let block = &self.assembly.blocks[number];
        self.constraint(block.constraint).held_point(&pair_of(block, states))
    }

    /// The rows of all constraints with the bodies in `states`, in the order of their slots, after a step.
    pub fn rows_into(&self, states: &[InertialState], time: f64, out: &mut Vec<ConstraintRow>) {
        out.clear();
        for (block, &loops) in self.assembly.blocks.iter().zip(&self.assembly.loops) {
            self.block_rows((block, loops), states, time, |_, row| out.push(row));
        }
    }

    /// The same, except for constraints that hold a point, whose rows stay inactive; empty if all do.
    pub fn rows_but_of_points_into(&self, states: &[InertialState], time: f64, out: &mut Vec<ConstraintRow>) {
        out.clear();
        let blocks =
            || self.assembly.blocks.iter().zip(&self.assembly.loops).filter(|(block, _)| !block.point);
        if blocks().next().is_some() {
            out.resize(self.assembly.rows(), ConstraintRow::IDLE);
        }
        for (block, &loops) in blocks() {
            self.block_rows((block, loops), states, time, |number, row| out[number] = row);
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

    /// Rows of one constraint in many loops, with their numbers.
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
        self.value_in(block.constraint, &pair, time, &mut values[..block.rows]);
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
                held: self.step.mode.get(row) == Some(&RowMode::Constant),
                anchor,
                loops,
            };
            give(row, found);
        }
    }

    /// Adds the impulses of contact on the rows in a step of `dt` seconds to their multipliers and reactions: N·s or
    /// N·m·s, one a row, along the Jacobians of `rows`; held points have forces alone.
    pub fn add_impulses(
        &mut self,
        rows: &[ConstraintRow],
        impulses: &[f64],
        states: &[InertialState],
        dt: f64,
    ) {
        for block in &self.assembly.blocks {
            let mut more = Reaction::default();
            for (nth, row) in block.range().enumerate() {
                let force = impulses[self.assembly.leader[row]] / dt;
                if let Some(multiplier) = self.step.multipliers.get_mut(row) {
                    *multiplier += force;
                }
                if block.point {
                    more.force[nth] = force;
                } else {
                    more.force += rows[row].jacobian.linear_b * force;
                    more.torque += rows[row].jacobian.angular_b * force;
                }
            }
            if !block.point {
                let pair = pair_of(block, states);
                let arm = self.constraint(block.constraint).anchor(&pair) - pair.b.center_of_mass;
                more.torque -= arm.cross(more.force);
            }
            if let Some(reaction) = self.step.reactions.get_mut(block.constraint) {
                reaction.force += more.force;
                reaction.torque += more.torque;
            }
        }
    }
}
