//! Motors that hold their velocity: rigid rows for a step.
//!
//! A motor whose rate is `Ċ = w` at the start of a step, and that keeps it with less than its force, is the rheonomic
//! constraint `s(q) - s(q₀) - w (t - t₀) = 0` on its travel s; with w = 0 it is a brake that holds. It is enforced as
//! rigid rows are: at every stage, after the drift, and by both projections at the end of the step. A constant force,
//! which meets the target at the end of the step to first order only, would let a brake creep on a rotating base and
//! add energy.
//!
//! Power: a rigid row that depends on time does the work `-λ ∂C/∂t`, here `λ w`: the work of a motor, and none for a
//! brake.
//!
//! Force: the multiplier is less than the motor's force at the start of the step, and the velocity projection at its
//! end adds no more than the rest. In between it may exceed the force by the change of load within the step; the next
//! step then slips.

use std::f64::consts::TAU;

use super::solver::{Block, pair_of};
use super::step_record::{Lock, RowMode};
use super::{ConstraintSet, Pair, RowLaw, RowUnit};
use crate::math::scalar;
use crate::physics::rigid_body::{Bodies, InertialState, Wrench};
use crate::tolerance;

impl ConstraintSet {
    /// Makes rigid rows of the motors that hold their velocity. The impulses of the prediction are in `solution`.
    pub(super) fn lock_motors(&mut self, bodies: &Bodies<'_>, time: f64) {
        for row in 0..self.assembly.rows() {
            let RowLaw::Motor { velocity, max_force } = self.assembly.laws[row] else { continue };
            let slips =
                (self.step.initial_rate[row] - velocity).abs() > self.rate_round_off(row, bodies.states);
            let holds =
                self.solution.lambda[row].abs() < max_force * self.step.dt && !self.solution.dependent[row];
            if slips || !holds {
                continue;
            }
            let block = &self.assembly.blocks[self.assembly.block_of[row]];
            let pair = pair_of(block, bodies.states);
            let Some(travel) = self.constraint(block.constraint).motor_travel(row - block.first, &pair)
            else {
                continue;
            };
            self.step.locks.push(Lock { row, velocity, max_force, travel, start: time });
            self.assembly.laws[row] = RowLaw::Rigid;
            self.step.mode[row] = RowMode::Enforced;
            (self.step.held[row], self.step.impulse[row]) = (0.0, 0.0);
        }
    }

    /// Gives motors their own law back, at the start of a step.
    pub(super) fn unlock_motors(&mut self) {
        for lock in self.step.locks.drain(..) {
            if let Some(law) = self.assembly.laws.get_mut(lock.row) {
                *law = RowLaw::Motor { velocity: lock.velocity, max_force: lock.max_force };
            }
        }
    }

    /// Lets motors slip for the rest of the step, within the rest of their force: the impact of a limit may need any
    /// impulse.
    pub(super) fn release_motors(&mut self) {
        for index in 0..self.step.locks.len() {
            let row = self.step.locks[index].row;
            self.step.impulse[row] += self.step.dt * std::mem::take(&mut self.step.stage[row]);
            self.step.mode[row] = RowMode::Constant;
            self.step.dependent[row] = false;
        }
        self.unlock_motors();
    }

    /// `C` of every row into `values`.
    pub(super) fn evaluate_positions(&mut self, states: &[InertialState], time: f64) {
        self.evaluate_values(states, time);
        for index in 0..self.step.locks.len() {
            let lock = self.step.locks[index];
            self.values[lock.row] = self.lock_error(&lock, states, time);
        }
    }

    /// `∂C/∂t` of every row into `values`.
    pub(super) fn evaluate_drives(&mut self, states: &[InertialState], time: f64) {
        self.evaluate(states, |constraint, pair, out| constraint.time_derivative(pair, time, out));
        for lock in &self.step.locks {
            self.values[lock.row] = -lock.velocity;
        }
    }

    /// `∂C/∂t` of the rows of a constraint with the bodies in `pair`.
    pub(super) fn drives_of(&self, block: &Block, pair: &Pair<'_>, time: f64, out: &mut [f64]) {
        self.constraint(block.constraint).time_derivative(pair, time, out);
        for lock in self.step.locks.iter().filter(|lock| block.range().contains(&lock.row)) {
            out[lock.row - block.first] = -lock.velocity;
        }
    }

    /// Bounds of a further impulse on a locked motor, N·s or N·m·s; `None` for other rows.
    pub(super) fn force_left(&self, row: usize) -> Option<(f64, f64)> {
        let lock = self.step.locks.iter().find(|lock| lock.row == row)?;
        let (most, dt) = (lock.max_force * self.step.dt, self.step.dt);
        let given = self.step.impulse[row] + dt * self.step.stage[row];
        Some((scalar::min(-most - given, 0.0), scalar::max(most - given, 0.0)))
    }

    /// True for a motor that is a rigid row in this step.
    pub(super) fn is_locked(&self, row: usize) -> bool {
        self.step.locks.iter().any(|lock| lock.row == row)
    }

    fn lock_error(&self, lock: &Lock, states: &[InertialState], time: f64) -> f64 {
        let block = &self.assembly.blocks[self.assembly.block_of[lock.row]];
        let moved =
            self.travel_from(block, lock.row, lock.travel, lock.velocity * (time - lock.start), states);
        moved.unwrap_or(0.0) - lock.velocity * (time - lock.start)
    }

    /// How far a motor has driven since its travel was `from`, m or rad. Angles are known up to full turns: the one nearest to `about`.
    pub(super) fn travel_from(
        &self,
        block: &Block,
        row: usize,
        from: f64,
        about: f64,
        states: &[InertialState],
    ) -> Option<f64> {
        let pair = pair_of(block, states);
        let moved = self.constraint(block.constraint).motor_travel(row - block.first, &pair)? - from;
        Some(match self.assembly.units[row] {
            RowUnit::Length => moved,
            RowUnit::Angle => moved - TAU * ((moved - about) / TAU).round(),
        })
    }

    /// Rate of a row that is round-off, m/s or rad/s.
    fn rate_round_off(&self, row: usize, states: &[InertialState]) -> f64 {
        tolerance::MOTOR_HOLDS * (1.0 + self.speeds(row, states))
    }

    /// Sum of the speeds that the rate of a row is a difference of, m/s or rad/s.
    pub(super) fn speeds(&self, row: usize, states: &[InertialState]) -> f64 {
        self.assembly.with_parts(row).map(|row| self.own_speeds(row, states)).sum()
    }

    fn own_speeds(&self, row: usize, states: &[InertialState]) -> f64 {
        let pair = pair_of(&self.assembly.blocks[self.assembly.block_of[row]], states);
        let j = &self.assembly.jacobian[row];
        let speed = |unit: Wrench, state: &InertialState| {
            unit.force.length() * state.velocity.length()
                + unit.torque.length() * state.angular_velocity.length()
        };
        speed(j.on_a(), pair.a) + speed(j.on_b(), pair.b)
    }
}
