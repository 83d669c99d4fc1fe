//! Steps of joints that form trees, by [`super::tree`] instead of rows: the same equations, drift and projections.
//!
//! A step goes along the trees if every constraint is a hinge, slider, ball or fixed joint without a motor, or a spring, an actuator or
//! a rotor, no joints close a loop, nothing is left to contact, bodies that carry a tree rest, all limits are open, and the step
//! resolves springs and actuators. Limits that are reached within the step, and drifts that do not contract, go on with rows: the
//! impulses given so far are those of the same rows.
//!
//! Drift: twists δ of the links, zero at first, are added to the velocities at its start; its end leaves the joints open by C, and the
//! elimination at its start gives the least twists that close `-C/dt`. This is the iteration of [`super::rattle`].

use std::any::Any;

use super::constraint_set::{NO_LAW, constraint_in};
use super::projection::displace;
use super::rattle::{DriftBodies, JOINT_DRIFT, JOINT_DRIFT_CONTRACTS};
use super::solver::{Block, Twist, pair_of};
use super::step_record::RowMode;
use super::tree::{Elimination, Rider, Role, TreeDrift, TreeStep, find_links};
use super::{
    Armature, BallJoint, Constraint, ConstraintError, ConstraintSet, CoupledJoint, FixedJoint, HingeJoint,
    MAX_ROWS, RowLaw, SliderJoint,
};
use crate::math::scalar;
use crate::physics::rigid_body::{Bodies, InertialState};
use crate::tolerance;

/// Limit of Newton iterations of position projection along trees; more are left to rows. tuned.
const TREE_NEWTON: usize = 6;

/// Largest errors of the joints of all trees.
#[derive(Clone, Copy, Debug, Default)]
struct Opened {
    length: f64,
    angle: f64,
    /// In units of round-off of the coordinates.
    excess: f64,
}

impl ConstraintSet {
    /// The trees of the constraints as they are laid out.
    pub(super) fn find_trees(&self) -> TreeStep {
        let role = |block: &Block| {
            let constraint = self.constraint(block.constraint);
            role_of(constraint, &self.assembly.laws[block.range()], |joint| {
                self.assembly.blocks.iter().position(|block| block.constraint == joint)
            })
        };
        let (links, riders) = find_links(&self.assembly.blocks, role).unwrap_or_default();
        TreeStep { elimination: Elimination::new(links), riders, ..TreeStep::default() }
    }

    /// Starts a step along the trees; false if it must go by rows.
    pub(super) fn begin_along_trees(&mut self, bodies: &Bodies<'_>, time: f64) -> bool {
        self.trees.active = !self.trees.elimination.links.is_empty()
            && !self.assembly.left.contains(&true)
            && self.trees.elimination.links.iter().all(|link| link.holder_rests(bodies.states))
            && self.limits_are_open(bodies, time)
            && self.begin_riders(bodies, time);
        if !self.trees.active {
            return false;
        }
        (self.step.at_start, self.step.factorised) = (false, false);
        for (row, law) in self.assembly.laws.iter().enumerate() {
            self.step.mode[row] = match law {
                RowLaw::Rigid | RowLaw::Rotor { .. } => RowMode::Enforced,
                RowLaw::Soft { .. } | RowLaw::Drive { .. } if *law != NO_LAW => RowMode::Force,
                _ => RowMode::Inactive,
            };
            self.step.unmet[row] = *law == RowLaw::Unilateral;
        }
        let known = self.trees.closed && self.trees.elimination.is_made_for(bodies.inertias, bodies.states);
        if !known {
            let most = tolerance::JOINT_POSITION / tolerance::JOINT_TIGHT;
            let excess = self.open_offsets(bodies.states, 1.0).map_or(0.0, |opened| opened.excess);
            self.step.open = excess > most;
        }
        true
    }

    /// Rates of rotors and springs where the step begins; false if it does not resolve a spring or an actuator.
    fn begin_riders(&mut self, bodies: &Bodies<'_>, time: f64) -> bool {
        let rows = self.assembly.rows();
        let step = &mut self.step;
        for values in
            [&mut step.initial, &mut step.initial_rate, &mut step.initial_drive, &mut step.rotor_rate]
        {
            values.clear();
            values.resize(rows, 0.0);
        }
        step.initial_travel.clear();
        step.initial_travel.resize(rows, None);
        for number in 0..self.trees.riders.len() {
            let block = self.assembly.blocks[self.trees.riders[number].block];
            let constraint = constraint_in(&self.slots, block.constraint);
            if !self.assembly.fill_block(self.trees.riders[number].block, constraint, bodies, time) {
                return false;
            }
            let mut values = [0.0; MAX_ROWS];
            let pair = pair_of(&block, bodies.states);
            self.value_in(block.constraint, &pair, time, &mut values[..block.rows]);
            for (row, value) in block.range().zip(values) {
                self.step.initial[row] = value;
                self.step.initial_rate[row] = self.assembly.row_velocity(row, bodies.states);
                self.step.rotor_rate[row] = self.step.initial_rate[row];
            }
        }
        let rows_of = |rider: &Rider| self.assembly.blocks[rider.block].range();
        self.trees.riders.iter().flat_map(rows_of).all(|row| self.is_resolved(row))
    }

    /// True if all limits are open.
    fn limits_are_open(&self, bodies: &Bodies<'_>, time: f64) -> bool {
        let mut values = [0.0; MAX_ROWS];
        self.assembly.blocks.iter().all(|block| {
            let limited = self.assembly.laws[block.range()].contains(&RowLaw::Unilateral);
            if limited {
                let pair = pair_of(block, bodies.states);
                self.value_in(block.constraint, &pair, time, &mut values[..block.rows]);
            }
            block.range().zip(&values).all(|(row, value)| {
                self.assembly.laws[row] != RowLaw::Unilateral || *value > tolerance::LIMIT_TOUCH
            })
        })
    }

    /// Goes on with rows for the rest of the step.
    pub(super) fn leave_trees(&mut self) {
        self.trees.active = false;
    }

    /// Puts the twists that close the joints, times `factor`, into the offsets; returns the largest errors, or the joint that is not
    /// finite.
    fn open_offsets(&mut self, states: &[InertialState], factor: f64) -> Result<Opened, usize> {
        let Elimination { links, offsets, .. } = &mut self.trees.elimination;
        let mut worst = Opened::default();
        for (link, offset) in links.iter().zip(offsets) {
            let gap = link.gap(link.holder(links, states), &states[link.slot]);
            *offset = Twist { linear: gap.twist.linear * factor, angular: gap.twist.angular * factor };
            let excess = gap.excess(tolerance::JOINT_TIGHT);
            if excess.is_nan() {
                return Err(link.block.unwrap_or_default());
            }
            worst.excess = scalar::max(worst.excess, excess);
            worst.length = scalar::max(worst.length, gap.length);
            worst.angle = scalar::max(worst.angle, gap.angle);
        }
        Ok(worst)
    }

    /// Puts how much faster links move along their axes than their rotors into the leads, with the rates of links by `rate`.
    fn lead_rotors(&mut self, rate: impl Fn(&Elimination, usize) -> f64) {
        for rider in &self.trees.riders {
            let Some(link) = rider.rotor_of else { continue };
            let row = self.assembly.blocks[rider.block].first;
            let elimination = &mut self.trees.elimination;
            let rotor = elimination.links[link].sense() * self.step.rotor_rate[row];
            elimination.leads[link] = rate(elimination, link) - rotor;
        }
    }

    /// Takes rotors along with their links after a solve.
    fn advance_tree_rotors(&mut self) {
        for rider in &self.trees.riders {
            let Some(link) = rider.rotor_of else { continue };
            let row = self.assembly.blocks[rider.block].first;
            let Elimination { links, leads, rates, .. } = &self.trees.elimination;
            self.step.rotor_rate[row] += links[link].sense() * (leads[link] + rates[link]);
        }
    }

    /// Adds the impulses of rotors to those of their rows: I times what they have lost since they had these rates.
    fn add_rotor_impulses(&mut self, before: &[f64]) {
        for rider in &self.trees.riders {
            let row = self.assembly.blocks[rider.block].first;
            if let RowLaw::Rotor { inertia } = self.assembly.laws[row] {
                self.step.impulse[row] += inertia * (before[row] - self.step.rotor_rate[row]);
            }
        }
    }

    fn tree_not_finite(&self, block: usize, time: f64) -> ConstraintError {
        self.not_finite(self.assembly.blocks[block].first, time)
    }

    /// Drifts from `start` for `dt` seconds with the impulses that close the joints of trees. Where none are found, rows are made ready
    /// for the same drift if it may be `damped`.
    ///
    /// # Errors
    /// If a joint is not finite.
    pub(super) fn drift_along_trees(
        &mut self,
        fixed: DriftBodies<'_>,
        start: &[InertialState],
        states: &mut [InertialState],
        (time, dt): (f64, f64),
        damped: bool,
        drift: &mut impl FnMut(&mut [InertialState], f64),
    ) -> Result<TreeDrift, ConstraintError> {
        if !self.trees.active {
            return Ok(TreeDrift::ByRows);
        }
        let rates = self.spare.numbers(&self.step.rotor_rate);
        if self.trees.elimination.factorise(fixed.inertias, start, true)
            && self.close_drift(start, states, (time, dt), drift)?
        {
            let TreeStep { elimination, change, .. } = &mut self.trees;
            elimination.find_wrenches(change);
            self.add_tree_impulses(start);
            self.add_rotor_impulses(&rates);
            self.spare.store_numbers(rates);
            self.step.rotors_advanced = true;
            return Ok(TreeDrift::Closed);
        }
        states.copy_from_slice(start);
        self.step.rotor_rate.copy_from_slice(&rates);
        if !damped {
            self.spare.store_numbers(rates);
            return Ok(TreeDrift::Open);
        }
        self.leave_trees();
        let bodies = Bodies { bodies: fixed.bodies, inertias: fixed.inertias, states: start };
        self.begin_with_rows(&bodies, time)?;
        self.step.rotor_rate.copy_from_slice(&rates);
        self.spare.store_numbers(rates);
        Ok(TreeDrift::ByRows)
    }

    /// The iteration for the change of velocity, in `change`, after which the drift ends with the joints closed.
    fn close_drift(
        &mut self,
        start: &[InertialState],
        states: &mut [InertialState],
        (time, dt): (f64, f64),
        drift: &mut impl FnMut(&mut [InertialState], f64),
    ) -> Result<bool, ConstraintError> {
        let links = self.trees.elimination.links.len();
        self.trees.change.clear();
        self.trees.change.resize(links, Twist::default());
        self.trees.best.clone_from(&self.trees.change);
        self.trees.elimination.leads.fill(0.0);
        let mut best_rates = self.spare.numbers(&self.step.rotor_rate);
        let (mut least, mut least_error) = (f64::INFINITY, f64::INFINITY);
        for iteration in 1..=JOINT_DRIFT {
            self.report.drift_iterations = iteration;
            self.drift_links(start, states, dt, drift);
            let mut opened = self
                .open_offsets(states, 1.0 / dt)
                .map_err(|block| self.tree_not_finite(block, time + dt))?;
            self.lead_rotors(|trees, link| trees.links[link].travelled(&trees.links, start, states) / dt);
            let lead = self
                .trees
                .elimination
                .leads
                .iter()
                .fold(0.0, |most: f64, lead| scalar::max(most, lead.abs()));
            opened.angle = scalar::max(opened.angle, lead * dt);
            opened.excess = scalar::max(opened.excess, lead * dt / tolerance::JOINT_TIGHT);
            if opened.excess <= 0.25 {
                self.spare.store_numbers(best_rates);
                return Ok(true);
            }
            if opened.excess >= least {
                break;
            }
            // As by rows: not where contraction is to tell whether the step resolves the motion.
            let accelerated =
                self.report.parts > 0 && iteration > 1 && opened.excess <= JOINT_DRIFT_CONTRACTS * least;
            (least, least_error) = (opened.excess, scalar::max(opened.length, opened.angle));
            self.trees.elimination.solve();
            best_rates.copy_from_slice(&self.step.rotor_rate);
            self.trees.correct(accelerated);
            self.advance_tree_rotors();
        }
        self.step.rotor_rate.copy_from_slice(&best_rates);
        self.spare.store_numbers(best_rates);
        if least_error > tolerance::JOINT_DRIFT_CLOSED {
            return Ok(false);
        }
        let TreeStep { change, best, .. } = &mut self.trees;
        std::mem::swap(change, best);
        self.drift_links(start, states, dt, drift);
        Ok(true)
    }

    fn drift_links(
        &self,
        start: &[InertialState],
        states: &mut [InertialState],
        dt: f64,
        drift: &mut impl FnMut(&mut [InertialState], f64),
    ) {
        states.copy_from_slice(start);
        for (link, change) in self.trees.elimination.links.iter().zip(&self.trees.change) {
            states[link.slot].velocity += change.linear;
            states[link.slot].angular_velocity += change.angular;
        }
        drift(states, dt);
    }

    /// Adds the impulses of the joints, in `wrenches`, to those of their rows.
    fn add_tree_impulses(&mut self, states: &[InertialState]) {
        let Elimination { links, wrenches, .. } = &self.trees.elimination;
        for (link, wrench) in links.iter().zip(wrenches) {
            let Some(block) = link.block.map(|block| &self.assembly.blocks[block]) else { continue };
            let (holder, own) = (link.holder(links, states), &states[link.slot]);
            let _ = link.add_multipliers(holder, own, wrench, &mut self.step.impulse[block.range()]);
        }
    }

    /// Ends a step: closes the joints of trees, makes velocities agree with them, and makes the report. False, with positions and
    /// velocities as far as they have come, if rows must do it.
    ///
    /// # Errors
    /// If a joint is not finite.
    pub(super) fn end_along_trees(
        &mut self,
        fixed: DriftBodies<'_>,
        states: &mut [InertialState],
        time: f64,
    ) -> Result<bool, ConstraintError> {
        if !self.trees.active {
            return Ok(false);
        }
        let ended = self.close_trees(fixed, states, time)? && self.make_trees_tangent(fixed, states);
        if ended {
            self.report_tree_reactions(fixed, states, time);
        } else {
            self.leave_trees();
        }
        Ok(ended)
    }

    /// Between two parts of a step: closes the joints of trees and projects velocities; false if rows must do it.
    ///
    /// # Errors
    /// If a joint is not finite.
    pub(super) fn between_along_trees(
        &mut self,
        fixed: DriftBodies<'_>,
        states: &mut [InertialState],
        time: f64,
    ) -> Result<bool, ConstraintError> {
        if !self.trees.active {
            return Ok(false);
        }
        let ended = self.close_trees(fixed, states, time)? && self.make_trees_tangent(fixed, states);
        if ended {
            self.add_tree_impulses(states);
        } else {
            self.leave_trees();
        }
        Ok(ended)
    }

    /// Closes the joints of trees by the least displacements in the mass metric.
    fn close_trees(
        &mut self,
        fixed: DriftBodies<'_>,
        states: &mut [InertialState],
        time: f64,
    ) -> Result<bool, ConstraintError> {
        let mut last = f64::INFINITY;
        for iteration in 0..=TREE_NEWTON {
            let opened = self.open_offsets(states, 1.0).map_err(|block| self.tree_not_finite(block, time))?;
            (self.report.position_error, self.report.angle_error) = (opened.length, opened.angle);
            if opened.excess <= 1.0 {
                return Ok(true);
            }
            if opened.excess > 0.5 * last {
                return Ok(opened.excess <= tolerance::JOINT_ROUND_OFF);
            }
            last = opened.excess;
            self.trees.closed = false;
            if iteration == TREE_NEWTON || !self.trees.elimination.factorise(fixed.inertias, states, false) {
                return Ok(false);
            }
            self.trees.elimination.leads.fill(0.0);
            self.report.newton_iterations = iteration + 1;
            self.trees.elimination.solve();
            let Elimination { links, twists, .. } = &self.trees.elimination;
            for (link, twist) in links.iter().zip(twists) {
                displace(&mut states[link.slot], *twist);
            }
        }
        Ok(false)
    }

    /// Projects the velocities of trees onto their joints.
    fn make_trees_tangent(&mut self, fixed: DriftBodies<'_>, states: &mut [InertialState]) -> bool {
        if !self.trees.elimination.factorise(fixed.inertias, states, true) {
            return false;
        }
        self.trees.closed = true;
        self.trees.elimination.leads.fill(0.0);
        if self.step.rotors_advanced {
            self.lead_rotors(|trees, link| {
                let own = &trees.links[link];
                own.axis_rate(own.holder(&trees.links, states), &states[own.slot])
            });
        }
        let Elimination { links, offsets, .. } = &mut self.trees.elimination;
        for (link, offset) in links.iter().zip(offsets) {
            *offset = link.opening(link.holder(links, states), &states[link.slot]).twist;
        }
        self.trees.elimination.solve();
        let rates = self.spare.numbers(&self.step.rotor_rate);
        self.advance_tree_rotors();
        self.add_rotor_impulses(&rates);
        self.spare.store_numbers(rates);
        let TreeStep { elimination, best, .. } = &mut self.trees;
        best.clone_from(&elimination.twists);
        elimination.find_wrenches(best);
        let Elimination { links, twists, .. } = &self.trees.elimination;
        for (link, twist) in links.iter().zip(twists) {
            states[link.slot].velocity += twist.linear;
            states[link.slot].angular_velocity += twist.angular;
        }
        let mut worst: f64 = 0.0;
        for link in links {
            let (holder, own) = (link.holder(links, states), &states[link.slot]);
            let opening = link.opening(holder, own);
            let off = scalar::max(opening.length, opening.angle);
            let speed = [holder, own].map(|state| state.velocity.length() + state.angular_velocity.length());
            let tangent = off <= tolerance::JOINT_VELOCITY * (1.0 + speed[0] + speed[1]);
            if !tangent {
                return false;
            }
            worst = scalar::max(worst, off);
        }
        self.report.velocity_error = worst;
        true
    }

    /// Reports the impulses of the step, those of the projection in `wrenches`, as multipliers and reactions.
    fn report_tree_reactions(&mut self, fixed: DriftBodies<'_>, states: &[InertialState], time: f64) {
        self.forget_reactions();
        let per_second = if self.step.dt > 0.0 { 1.0 / self.step.dt } else { 0.0 };
        let Elimination { links, wrenches, .. } = &self.trees.elimination;
        for (row, multiplier) in self.step.multipliers.iter_mut().enumerate() {
            *multiplier = self.step.stage[row] + self.step.impulse[row] * per_second;
        }
        for (link, wrench) in links.iter().zip(wrenches) {
            let Some(block) = link.block.map(|block| &self.assembly.blocks[block]) else { continue };
            let (holder, own) = (link.holder(links, states), &states[link.slot]);
            let multipliers = &mut self.step.multipliers[block.range()];
            self.step.reactions[block.constraint] =
                link.add_multipliers(holder, own, &(*wrench * per_second), multipliers);
        }
        let bodies = Bodies { bodies: fixed.bodies, inertias: fixed.inertias, states };
        for number in 0..self.trees.riders.len() {
            let place = self.trees.riders[number].block;
            let block = self.assembly.blocks[place];
            let constraint = constraint_in(&self.slots, block.constraint);
            self.assembly.fill_block(place, constraint, &bodies, time);
            let mut multipliers = std::mem::take(&mut self.step.multipliers);
            self.step.reactions[block.constraint] = self.reaction_of(&block, states, time, &mut multipliers);
            self.step.multipliers = multipliers;
        }
        self.step.flight.clone_from(&self.step.multipliers);
    }
}

/// What a delivered constraint is to a tree, with these laws of its rows; `at` finds the block of the joint in a slot. `None` for
/// those that trees are not made of.
fn role_of(
    constraint: &dyn Constraint,
    laws: &[RowLaw],
    at: impl FnOnce(usize) -> Option<usize>,
) -> Option<Role> {
    let any: &dyn Any = constraint;
    if any.is::<CoupledJoint>() {
        return None;
    }
    if let (Some(armature), Some(joint)) = (any.downcast_ref::<Armature>(), constraint.along()) {
        return Some(Role::Rotor(at(joint.slot())?, armature.inertia()));
    }
    if laws.iter().all(|law| matches!(law, RowLaw::Soft { .. } | RowLaw::Drive { .. })) {
        return Some(Role::Force);
    }
    let delivered =
        any.is::<HingeJoint>() || any.is::<SliderJoint>() || any.is::<BallJoint>() || any.is::<FixedJoint>();
    let holds = laws.iter().all(|law| matches!(law, RowLaw::Rigid | RowLaw::Unilateral));
    constraint.joint_frames().filter(|_| delivered && holds).map(Role::Joint)
}
