//! Constraints at one stage of an integrator: forces that are known, and accelerations that obey the rest.

use super::constraint::MAX_ROWS;
use super::implicit_forces::{MOST_ROWS, Resisting, ResistingEnd, Side};
use super::placed_force::PlacedForce;
use super::solver::pair_of;
use super::step_record::RowMode;
use super::{Constraint, ConstraintError, ConstraintSet, JacobianRow, RowLaw};
use crate::math::{Vec3, scalar};
use crate::physics::rigid_body::{Acceleration, Bodies, InertialState, Wrench};
use crate::tolerance;

/// Wrenches on all bodies, by slot, sorted by their entry in the ledger.
#[derive(Debug)]
pub struct WrenchSums<'a> {
    /// Forces whose potential is part of the total energy.
    pub conservative: &'a mut [Wrench],
    /// Forces that put work in.
    pub external: &'a mut [Wrench],
    /// Forces that remove energy.
    pub dissipative: &'a mut [Wrench],
}

impl ConstraintSet {
    /// Adds the forces of springs and motors at this instant.
    pub fn add_forces(&self, bodies: &Bodies<'_>, time: f64, sums: &mut WrenchSums<'_>) {
        if self.forces_are_placed {
            for row in self.placed_forces.chunk_by(|a, b| a.row == b.row) {
                self.add_row_force(row, bodies, sums);
            }
            return;
        }
        self.for_each_placed_force(bodies, time, |row| self.add_row_force(row, bodies, sums));
    }

    /// Stores positions and Jacobians of the rows that act as forces until [`ConstraintSet::free_forces`]: for an update of
    /// velocities, which evaluates forces many times with the bodies in one place.
    pub(crate) fn place_forces(&mut self, bodies: &Bodies<'_>, time: f64) {
        let mut placed = std::mem::take(&mut self.placed_forces);
        placed.clear();
        self.for_each_placed_force(bodies, time, |row| placed.extend_from_slice(row));
        self.placed_forces = placed;
        self.forces_are_placed = true;
    }

    /// Bodies move again: positions and Jacobians are evaluated with every force.
    pub(crate) fn free_forces(&mut self) {
        self.forces_are_placed = false;
    }

    /// Calls `visit` with every row that acts as a force, and its parts, with the bodies as they are.
    fn for_each_placed_force(&self, bodies: &Bodies<'_>, time: f64, mut visit: impl FnMut(&[PlacedForce])) {
        let mut coupled = Vec::new();
        for block in self.assembly.acting() {
            let acts =
                |row: usize| matches!(self.step.mode.get(row), Some(RowMode::Constant | RowMode::Force));
            if !block.range().any(acts) {
                continue;
            }
            let pair = pair_of(block, bodies.states);
            let (mut values, mut rates) = ([0.0; MAX_ROWS], [0.0; MAX_ROWS]);
            let mut jacobian = [JacobianRow::ZERO; MAX_ROWS];
            let constraint = self.constraint(block.constraint);
            self.value_in(block.constraint, &pair, time, &mut values[..block.rows]);
            constraint.jacobian(&pair, time, &mut jacobian[..block.rows]);
            constraint.time_derivative(&pair, time, &mut rates[..block.rows]);
            for (k, row) in block.range().enumerate().filter(|(_, row)| acts(*row)) {
                let placed = PlacedForce {
                    row,
                    block: self.assembly.block_of[row],
                    jacobian: jacobian[k],
                    value: values[k],
                    drift: rates[k],
                };
                if self.assembly.parts.is_empty() {
                    visit(&[placed]);
                    continue;
                }
                coupled.clear();
                coupled.push(placed);
                coupled.extend(self.parts_of_row(row).map(|part| self.placed_part(row, part, bodies, time)));
                visit(&coupled);
            }
        }
    }

    /// A part of a row that acts as a force.
    fn placed_part(&self, row: usize, part: usize, bodies: &Bodies<'_>, time: f64) -> PlacedForce {
        let number = self.assembly.block_of[part];
        let block = &self.assembly.blocks[number];
        let pair = pair_of(block, bodies.states);
        let (mut value, mut drift, mut jacobian) = ([0.0], [0.0], [JacobianRow::ZERO]);
        let constraint = self.constraint(block.constraint);
        self.value_in(block.constraint, &pair, time, &mut value);
        constraint.jacobian(&pair, time, &mut jacobian);
        constraint.time_derivative(&pair, time, &mut drift);
        PlacedForce { row, block: number, jacobian: jacobian[0], value: value[0], drift: drift[0] }
    }

    /// `Ċ` of a row with the bodies at these velocities.
    pub(super) fn placed_rate(&self, placed: &PlacedForce, states: &[InertialState]) -> f64 {
        let pair = pair_of(&self.assembly.blocks[placed.block], states);
        placed.jacobian.velocity(pair.a, pair.b) + placed.drift
    }

    /// Adds the force of a row, given with its parts.
    fn add_row_force(&self, placed: &[PlacedForce], bodies: &Bodies<'_>, sums: &mut WrenchSums<'_>) {
        let row = placed[0].row;
        let add = |to: &mut [Wrench], lambda: f64| {
            for PlacedForce { block, jacobian, .. } in placed {
                let block = &self.assembly.blocks[*block];
                for (end, unit) in [jacobian.on_a(), jacobian.on_b()].into_iter().enumerate() {
                    if let (Some(slot), true) = (block.bodies[end], block.movable[end]) {
                        to[slot] += unit * lambda;
                    }
                }
            }
        };
        let value: f64 = placed.iter().map(|part| part.value).sum();
        let rate = || placed.iter().map(|part| self.placed_rate(part, bodies.states)).sum::<f64>();
        match (self.assembly.laws[row], self.step.mode[row]) {
            (RowLaw::Soft { stiffness, damping }, RowMode::Force) => {
                add(sums.conservative, -stiffness * value);
                if damping != 0.0 {
                    add(sums.dissipative, -damping * rate());
                }
            }
            (law @ RowLaw::Drive { .. }, RowMode::Force) => {
                add(sums.external, drive_force(law, value, rate()));
            }
            // Their work is that of a constant force along the row, known at the end of the step.
            (RowLaw::Soft { .. } | RowLaw::Motor { .. } | RowLaw::Drive { .. }, RowMode::Constant) => {
                add(sums.conservative, self.step.held[row]);
            }
            _ => {}
        }
    }

    /// Adds to the wrenches that act on the bodies those that hold the joints: `Jᵀλ` with the multipliers of
    /// [`ConstraintSet::constrain_accelerations`].
    ///
    /// # Errors
    /// If a constraint is not finite.
    pub fn add_holding_wrenches(
        &mut self,
        bodies: &Bodies<'_>,
        time: f64,
        total: &mut [Wrench],
    ) -> Result<(), ConstraintError> {
        let mut accelerations = self.free_accelerations(bodies, total);
        self.constrain_accelerations(bodies, time, &mut accelerations)?;
        self.spare.accelerations = accelerations;
        for block in self.assembly.acting() {
            for row in block.range() {
                let (j, multiplier) = (&self.assembly.jacobian[row], self.stage_of(row));
                if multiplier == 0.0 {
                    continue;
                }
                for (end, unit) in [j.on_a(), j.on_b()].into_iter().enumerate() {
                    if let (Some(slot), true) = (block.bodies[end], block.movable[end]) {
                        total[slot] += unit * multiplier;
                    }
                }
            }
        }
        Ok(())
    }

    /// Calls `visit` with a body, the force (N) and the torque (N·m) of every row that holds it at the last stage. They cancel
    /// each other and other loads on a body that is held, and rounding of what is left is rounding of them.
    pub(crate) fn for_each_holding_load(&self, mut visit: impl FnMut(usize, f64, f64)) {
        for block in self.assembly.acting() {
            for row in block.range().filter(|&row| self.stage_of(row) != 0.0) {
                let (j, multiplier) = (&self.assembly.jacobian[row], self.stage_of(row).abs());
                for (end, unit) in [j.on_a(), j.on_b()].into_iter().enumerate() {
                    if let (Some(slot), true) = (block.bodies[end], block.movable[end]) {
                        visit(slot, multiplier * unit.force.length(), multiplier * unit.torque.length());
                    }
                }
            }
        }
    }

    /// Multiplier of a row, or of the row that it is a part of, at the last stage.
    fn stage_of(&self, row: usize) -> f64 {
        self.step.stage[self.assembly.leader[row]]
    }

    /// Buffers for the total, external and dissipative loads at the start of a step; to be given back.
    pub(crate) fn take_wrenches(&mut self) -> [Vec<Wrench>; 3] {
        std::mem::take(&mut self.spare.wrenches)
    }

    /// Returns the buffers.
    pub(crate) fn store_wrenches(&mut self, buffers: [Vec<Wrench>; 3]) {
        self.spare.wrenches = buffers;
    }

    /// True if a spring has a damper.
    #[must_use]
    pub fn has_dampers(&self) -> bool {
        self.assembly.laws.iter().any(|law| matches!(law, RowLaw::Soft { damping, .. } if *damping != 0.0))
    }

    /// True if an actuator acts as an ordinary force in this step.
    #[must_use]
    pub(crate) fn has_resolved_drives(&self) -> bool {
        let resolved =
            |(law, mode): (&RowLaw, &RowMode)| *mode == RowMode::Force && matches!(law, RowLaw::Drive { .. });
        self.assembly.laws.iter().zip(&self.step.mode).any(resolved)
    }

    /// Elastic energy of springs, `½ k C²`, J.
    #[must_use]
    pub fn elastic_energy(&self, states: &[InertialState], time: f64) -> f64 {
        let of = self.enabled().map(|(handle, _, constraint)| {
            self.elastic_energy_of(handle.slot(), constraint.as_ref(), states, time)
        });
        of.sum()
    }

    /// Energy of the springs of the constraint in a slot, J.
    pub(super) fn elastic_energy_of(
        &self,
        slot: usize,
        constraint: &dyn Constraint,
        states: &[InertialState],
        time: f64,
    ) -> f64 {
        let rows = constraint.dimension();
        if !(0..rows).any(|row| matches!(constraint.law(row), RowLaw::Soft { .. })) {
            return 0.0;
        }
        let mut values = [0.0; MAX_ROWS];
        self.values_in(slot, states, time, &mut values[..rows]);
        let of = |(row, value): (usize, &f64)| match constraint.law(row) {
            RowLaw::Soft { stiffness, .. } => 0.5 * stiffness * value * value,
            _ => 0.0,
        };
        values[..rows].iter().enumerate().map(of).sum()
    }

    /// True if joints close loops.
    pub(crate) fn has_loops(&self) -> bool {
        self.assembly.has_loops()
    }

    /// True if joints were open where the step began and no drift has closed them.
    pub(crate) fn starts_open(&self) -> bool {
        self.step.open
    }

    /// True if some spring acts with a damper as an ordinary force in this step.
    #[must_use]
    pub fn depends_on_velocity(&self) -> bool {
        self.assembly.laws.iter().zip(&self.step.mode).any(|(law, mode)| {
            *mode == RowMode::Force
                && matches!(law, RowLaw::Soft { damping, .. } | RowLaw::Drive { damping, .. } if *damping != 0.0)
        })
    }

    /// Corrects the accelerations bodies would have without constraints: afterwards `J a + J̇ v + d/dt ∂C/∂t = 0` on
    /// every enforced row.
    ///
    /// # Errors
    /// If a constraint is not finite.
    pub fn constrain_accelerations(
        &mut self,
        bodies: &Bodies<'_>,
        time: f64,
        accelerations: &mut [Acceleration],
    ) -> Result<(), ConstraintError> {
        if !self.step.mode.contains(&RowMode::Enforced) {
            return Ok(());
        }
        self.fill(bodies, time)?;
        self.step.at_start = false;
        self.evaluate(bodies.states, |constraint, pair, out| constraint.bias_acceleration(pair, time, out));
        let rows = self.assembly.rows();
        self.reset_bounds();
        for row in 0..rows {
            self.bounds.used[row] = self.step.mode[row] == RowMode::Enforced && !self.step.dependent[row];
            self.rhs[row] = -(self.row_acceleration(row, accelerations) + self.values[row]);
        }
        self.solution.solve(&mut self.assembly, &self.bounds, &self.rhs, tolerance::STAGE_RANK);
        self.settle(time)?;
        self.step.stage.copy_from_slice(&self.solution.lambda);
        self.assembly.scatter(&self.solution.lambda, |slot, twist| {
            accelerations[slot].linear += twist.linear;
            accelerations[slot].angular += twist.angular;
        });
        Ok(())
    }

    /// Power that enters through constraints that are driven from outside, W: `-λ (∂C/∂t + J v of immovable bodies)`,
    /// with the multipliers of the last stage, and of springs without their dampers.
    #[must_use]
    pub fn driven_power(&self, bodies: &Bodies<'_>, time: f64) -> f64 {
        let mut power = 0.0;
        for block in self.assembly.acting() {
            let pair = pair_of(block, bodies.states);
            let mut rates = [0.0; MAX_ROWS];
            let constraint = self.constraint(block.constraint);
            self.drives_of(block, &pair, time, &mut rates[..block.rows]);
            let moves = |end: usize, state: &InertialState| {
                !block.movable[end] && (state.velocity != Vec3::ZERO || state.angular_velocity != Vec3::ZERO)
            };
            let driven = [moves(0, pair.a), moves(1, pair.b)];
            if driven == [false, false] && rates.iter().all(|rate| *rate == 0.0) {
                continue;
            }
            let (mut values, mut jacobian) = ([0.0; MAX_ROWS], [JacobianRow::ZERO; MAX_ROWS]);
            self.value_in(block.constraint, &pair, time, &mut values[..block.rows]);
            constraint.jacobian(&pair, time, &mut jacobian[..block.rows]);
            for (k, row) in block.range().enumerate() {
                let mut drive = rates[k];
                for (end, unit, state) in [(0, jacobian[k].on_a(), pair.a), (1, jacobian[k].on_b(), pair.b)] {
                    if driven[end] {
                        drive += unit.power(state.velocity, state.angular_velocity);
                    }
                }
                let leader = self.assembly.leader[row];
                let value = if self.assembly.parts.is_empty() {
                    values[k]
                } else {
                    self.row_now(leader, bodies.states, time).value
                };
                power -= self.holding_multiplier(leader, value) * drive;
            }
        }
        power
    }

    /// The multiplier of a row that does work on its driver: of a joint, or of a spring without its damper.
    fn holding_multiplier(&self, row: usize, value: f64) -> f64 {
        match (self.assembly.laws[row], self.step.mode[row]) {
            (RowLaw::Rigid | RowLaw::Unilateral | RowLaw::Rotor { .. }, RowMode::Enforced) => {
                self.step.stage[row]
            }
            (RowLaw::Soft { stiffness, .. }, RowMode::Force) => -stiffness * value,
            (RowLaw::Soft { .. }, RowMode::Constant) => self.step.held[row] - self.step.held_damping[row],
            _ => 0.0,
        }
    }
}

impl ConstraintSet {
    /// Adds to `wrenches`, those at the velocities of `bodies`, the changes of the placed forces up to the velocities after `reach`
    /// seconds of all of them. False, with the wrenches as they were, if rows are too many or do not settle.
    pub(crate) fn add_implicit_forces(
        &mut self,
        bodies: &Bodies<'_>,
        reach: f64,
        wrenches: &mut [Wrench],
    ) -> bool {
        let mut work = std::mem::take(&mut self.implicit_forces);
        work.rows.clear();
        work.ends.clear();
        for placed in self.placed_forces.chunk_by(|a, b| a.row == b.row) {
            let first = work.ends.len();
            let Some(row) = self.resisting(placed, bodies) else { continue };
            placed.iter().for_each(|part| self.add_resisting_ends(part, bodies, &mut work.ends));
            work.rows.push(Resisting { ends: [first, work.ends.len()], ..row });
        }
        let damped = work.rows.iter().all(|row| row.damping > 0.0);
        let solved = damped && work.rows.len() <= MOST_ROWS && work.solve(wrenches, reach);
        if solved {
            for (number, row) in work.rows.iter().enumerate() {
                let change = row.force - row.before;
                for end in work.ends_of(number) {
                    wrenches[end.slot] += end.unit * change;
                }
            }
        }
        self.implicit_forces = work;
        solved
    }

    /// Adds the movable bodies of a row or of a part of one.
    fn add_resisting_ends(&self, placed: &PlacedForce, bodies: &Bodies<'_>, ends: &mut Vec<ResistingEnd>) {
        let block = &self.assembly.blocks[placed.block];
        let response = self.assembly.response_of(&placed.jacobian, block, bodies);
        let sides = [(placed.jacobian.on_a(), response.on_a()), (placed.jacobian.on_b(), response.on_b())];
        for (end, (unit, response)) in sides.into_iter().enumerate() {
            if let Some(slot) = block.bodies[end].filter(|_| block.movable[end]) {
                ends.push(ResistingEnd { slot, unit, response });
            }
        }
    }

    /// A row, given with its parts, whose force depends on its rate; its ends are to be set.
    fn resisting(&self, placed: &[PlacedForce], bodies: &Bodies<'_>) -> Option<Resisting> {
        let row = placed[0].row;
        let (stiffness, damping, force, lower, upper) = match self.assembly.laws[row] {
            RowLaw::Soft { stiffness, damping } => {
                (stiffness, damping, 0.0, f64::NEG_INFINITY, f64::INFINITY)
            }
            RowLaw::Drive { force, stiffness, damping, lower, upper } => {
                (stiffness, damping, force, lower, upper)
            }
            _ => return None,
        };
        if damping == 0.0 || self.step.mode[row] != RowMode::Force {
            return None;
        }
        let value: f64 = placed.iter().map(|part| part.value).sum();
        let rate: f64 = placed.iter().map(|part| self.placed_rate(part, bodies.states)).sum();
        let raw = force - stiffness * value - damping * rate;
        let before = scalar::clamp(raw, lower, upper);
        Some(Resisting {
            ends: [0; 2],
            damping,
            lower,
            upper,
            raw,
            before,
            drift: 0.0,
            force: before,
            side: Side::Within,
            change: 0.0,
        })
    }
}

/// λ of an actuator; zero for other laws.
pub(super) fn drive_force(law: RowLaw, value: f64, rate: f64) -> f64 {
    match law {
        RowLaw::Drive { force, stiffness, damping, lower, upper } => {
            scalar::clamp(force - stiffness * value - damping * rate, lower, upper)
        }
        _ => 0.0,
    }
}
