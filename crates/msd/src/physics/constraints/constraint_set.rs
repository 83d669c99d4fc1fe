//! `ConstraintSet`: all constraints of a world, with the workspace to enforce them.
//!
//! The set has no state: everything but the constraints themselves is workspace or report. The state of axes is set
//! before a step ([`ConstraintSet::remember_axes`]).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::sync::Arc;

use super::constraint::MAX_ROWS;
use super::implicit_forces::ImplicitForces;
use super::placed_force::PlacedForce;
use super::scratch::Scratch;
use super::solver::{Assembly, Block, Bounds, LcpSolution, pair_of};
use super::step_record::StepRecord;
use super::tree::TreeStep;
use super::{
    AxisMemory, Constraint, ConstraintError, ConstraintHandle, ConstraintReport, Reaction, RowLaw, RowUnit,
};
use crate::physics::rigid_body::{Bodies, BodyHandle, Identity, InertialState};

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) constraint: Arc<dyn Constraint>,
}

/// A constraint and its name.
pub(crate) type NamedConstraint<'a> = (&'a str, &'a Arc<dyn Constraint>);

#[derive(Clone, Debug, Default)]
pub(super) struct Slot {
    /// Identity of the set that the constraint was added to.
    set: u64,
    generation: u32,
    entry: Option<Entry>,
}

/// The constraints of a world, with the workspace of their solver and the report of the last step.
#[derive(Clone, Debug, Default)]
pub struct ConstraintSet {
    identity: Identity,
    pub(super) slots: Vec<Slot>,
    /// Slots by the names of their constraints.
    names: BTreeMap<String, u32>,
    /// Slots of the parts of coupled rows, by slot of their leader.
    pub(super) parts: BTreeMap<usize, Vec<usize>>,
    /// Slots without a constraint; the smallest is filled first.
    vacant: BinaryHeap<Reverse<u32>>,
    pub(super) assembly: Assembly,
    pub(super) outdated: bool,
    pub(super) step: StepRecord,
    /// Commanded velocities of motors and forces of actuators, by slot.
    commands: BTreeMap<usize, f64>,
    /// State of axes, by slot; may be shorter.
    axes: Vec<Option<AxisMemory>>,
    /// Inactive constraints, by slot; may be shorter.
    idle: Vec<bool>,
    /// Constraints that are switched off, by slot; those beyond its end are not.
    disabled: Vec<bool>,
    /// Bodies whose constraints are left to contact, by slot.
    in_contact: Vec<bool>,
    /// True if contact enforces their springs and actuators too.
    pub(super) springs_in_contact: bool,
    pub(super) bounds: Bounds,
    pub(super) solution: LcpSolution,
    pub(super) rhs: Vec<f64>,
    pub(super) values: Vec<f64>,
    pub(super) spare: Scratch,
    pub(super) report: ConstraintReport,
    pub(super) trees: TreeStep,
    /// Rows that act as forces where the bodies are, and whether they stay there for now.
    pub(super) placed_forces: Vec<PlacedForce>,
    pub(super) forces_are_placed: bool,
    pub(super) implicit_forces: ImplicitForces,
}

impl ConstraintSet {
    /// No constraints.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a constraint under a name that is unique in the set.
    ///
    /// # Errors
    /// If the name is in use, both ends are the same body, or the number of rows is out of range.
    pub fn add(
        &mut self,
        name: &str,
        constraint: Arc<dyn Constraint>,
    ) -> Result<ConstraintHandle, ConstraintError> {
        if self.find(name).is_some() {
            return Err(ConstraintError::DuplicateName { name: name.to_owned() });
        }
        check(name, constraint.as_ref())?;
        self.outdated = true;
        let is_part = constraint.leader().is_some();
        let entry = Entry { name: name.to_owned(), constraint };
        let slot = self.vacant.pop().map_or(self.slots.len(), |Reverse(slot)| slot as usize);
        if slot == self.slots.len() {
            self.slots.push(Slot::default());
        }
        self.slots[slot].set = self.identity.number();
        self.slots[slot].entry = Some(entry);
        self.names.insert(name.to_owned(), slot as u32);
        if is_part {
            self.list_parts();
        }
        if let Some(reaction) = self.step.reactions.get_mut(slot) {
            *reaction = Reaction::default();
        }
        Ok(self.handle(slot))
    }

    /// Puts a constraint, or none, in the next slot, which had been used `generation` times: how a set is read back.
    ///
    /// # Errors
    /// As [`ConstraintSet::add`].
    pub(crate) fn push_slot(
        &mut self,
        generation: u32,
        entry: Option<(String, Arc<dyn Constraint>)>,
    ) -> Result<ConstraintHandle, ConstraintError> {
        let slot = self.slots.len();
        if let Some((name, constraint)) = &entry {
            if self.find(name).is_some() {
                return Err(ConstraintError::DuplicateName { name: name.clone() });
            }
            check(name, constraint.as_ref())?;
            self.names.insert(name.clone(), slot as u32);
        } else {
            self.vacant.push(Reverse(slot as u32));
        }
        self.outdated = true;
        let is_part = entry.as_ref().is_some_and(|(_, constraint)| constraint.leader().is_some());
        let entry = entry.map(|(name, constraint)| Entry { name, constraint });
        self.slots.push(Slot { set: self.identity.number(), generation, entry });
        if is_part {
            self.list_parts();
        }
        Ok(self.handle(slot))
    }

    /// The handle of a slot that [`ConstraintSet::push_slot`] gives the constraint in it.
    pub(crate) fn handle_in(&self, slot: usize, generation: u32) -> ConstraintHandle {
        ConstraintHandle { set: self.identity.number(), slot: slot as u32, generation }
    }

    /// All slots: how often each had been used, and its constraint with its name.
    pub(crate) fn all_slots(&self) -> impl Iterator<Item = (u32, Option<NamedConstraint<'_>>)> {
        self.slots.iter().map(|slot| {
            (slot.generation, slot.entry.as_ref().map(|entry| (entry.name.as_str(), &entry.constraint)))
        })
    }

    /// Puts another constraint in the place of one, under the same name and handle: how parameters change.
    ///
    /// # Errors
    /// If the handle is unknown or the new constraint is refused.
    pub fn replace(
        &mut self,
        handle: ConstraintHandle,
        constraint: Arc<dyn Constraint>,
    ) -> Result<(), ConstraintError> {
        let name = self.name(handle)?.to_owned();
        check(&name, constraint.as_ref())?;
        self.outdated = true;
        self.slots[handle.slot()].entry = Some(Entry { name, constraint });
        Ok(())
    }

    /// Removes a constraint.
    ///
    /// # Errors
    /// If the handle is unknown.
    pub fn remove(&mut self, handle: ConstraintHandle) -> Result<Arc<dyn Constraint>, ConstraintError> {
        self.entry(handle)?;
        let slot = &mut self.slots[handle.slot()];
        slot.generation += 1;
        self.outdated = true;
        let entry = slot.entry.take().ok_or(ConstraintError::UnknownHandle)?;
        self.names.remove(&entry.name);
        if self.has_coupled_rows() {
            self.list_parts();
        }
        self.vacant.push(Reverse(handle.slot));
        Ok(entry.constraint)
    }

    /// Removes every constraint on a body, as when the body is removed; returns how many there were.
    pub fn remove_body(&mut self, body: BodyHandle) -> usize {
        let handles: Vec<_> = self
            .iter()
            .filter(|(_, _, constraint)| constraint.bodies().contains(&Some(body)))
            .map(|(handle, ..)| handle)
            .collect();
        handles.iter().filter(|&&handle| self.remove(handle).is_ok()).count()
    }

    /// The constraint of a handle.
    ///
    /// # Errors
    /// If the handle is unknown.
    pub fn get(&self, handle: ConstraintHandle) -> Result<&Arc<dyn Constraint>, ConstraintError> {
        Ok(&self.entry(handle)?.constraint)
    }

    /// The name of a constraint.
    ///
    /// # Errors
    /// If the handle is unknown.
    pub fn name(&self, handle: ConstraintHandle) -> Result<&str, ConstraintError> {
        Ok(&self.entry(handle)?.name)
    }

    /// The constraint of that name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<ConstraintHandle> {
        self.names.get(name).map(|slot| self.handle(*slot as usize))
    }

    /// Switches constraints off, by slot, and all others on. A constraint that acts along the axis of one that is off is off too.
    pub(crate) fn disable(&mut self, slots: &BTreeSet<usize>) {
        if slots.is_empty() && self.disabled.is_empty() {
            return;
        }
        let off = |(slot, place): (usize, &Slot)| {
            let along = place.entry.as_ref().and_then(|entry| entry.constraint.along());
            slots.contains(&slot) || along.is_some_and(|joint| slots.contains(&joint.slot()))
        };
        let mut disabled: Vec<bool> = self.slots.iter().enumerate().map(off).collect();
        for (&leader, parts) in &self.parts {
            let any = disabled[leader] || parts.iter().any(|part| disabled[*part]);
            disabled[leader] = any;
            parts.iter().for_each(|part| disabled[*part] = any);
        }
        self.outdated |= disabled != self.disabled;
        self.disabled = disabled;
        for (reaction, _) in self.step.reactions.iter_mut().zip(&self.disabled).filter(|(_, off)| **off) {
            *reaction = Reaction::default();
        }
    }

    /// True if some constraint is switched off.
    pub(crate) fn has_disabled(&self) -> bool {
        self.disabled.contains(&true)
    }

    /// True unless the constraint in a slot is switched off.
    pub(crate) fn is_enabled(&self, slot: usize) -> bool {
        self.disabled.get(slot) != Some(&true)
    }

    /// All constraints that are switched on, with their names, in the order of their slots.
    pub(crate) fn enabled(&self) -> impl Iterator<Item = (ConstraintHandle, &str, &Arc<dyn Constraint>)> {
        self.iter().filter(|(handle, ..)| self.is_enabled(handle.slot()))
    }

    /// All constraints with their names, in the order of their slots.
    pub fn iter(&self) -> impl Iterator<Item = (ConstraintHandle, &str, &Arc<dyn Constraint>)> {
        self.slots.iter().enumerate().filter_map(|(slot, place)| {
            place.entry.as_ref().map(|entry| (self.handle(slot), entry.name.as_str(), &entry.constraint))
        })
    }

    /// How many constraints there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.iter().filter(|slot| slot.entry.is_some()).count()
    }

    /// How many slots there are, occupied or not.
    pub(crate) fn slots(&self) -> usize {
        self.slots.len()
    }

    /// True if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.iter().all(|slot| slot.entry.is_none())
    }

    /// False if some constraint joins the two bodies and does not let them collide.
    #[must_use]
    pub fn may_collide(&self, a: BodyHandle, b: BodyHandle) -> bool {
        self.enabled().all(|(_, _, constraint)| {
            let ends = constraint.bodies();
            constraint.collide() || (ends != [Some(a), Some(b)] && ends != [Some(b), Some(a)])
        })
    }

    /// True if the constraint has a motor.
    ///
    /// # Errors
    /// If the handle is unknown.
    pub fn has_motor(&self, handle: ConstraintHandle) -> Result<bool, ConstraintError> {
        let constraint = &self.entry(handle)?.constraint;
        Ok((0..constraint.dimension()).any(|row| matches!(constraint.law(row), RowLaw::Motor { .. })))
    }

    /// Velocities that motors are to reach, and forces that actuators start from, from now on instead of their own, by slot of their
    /// constraint.
    pub fn command_motors(&mut self, velocities: &BTreeMap<usize, f64>) {
        // A motor that is no longer commanded gets its own velocity back with the next layout.
        self.outdated |= self.commands.keys().any(|slot| !velocities.contains_key(slot));
        self.commands.clone_from(velocities);
    }

    /// Sets the state of the axes of joints, by slot: turns counted, and limits that replace the original ones.
    pub fn remember_axes(&mut self, memories: &BTreeMap<usize, AxisMemory>) {
        if memories.is_empty() {
            self.axes.clear();
            return;
        }
        let of = |(slot, place): (usize, &Slot)| {
            let along = place.entry.as_ref().and_then(|entry| entry.constraint.along());
            memories.get(&along.map_or(slot, ConstraintHandle::slot)).copied()
        };
        self.axes = self.slots.iter().enumerate().map(of).collect();
    }

    /// `C` of all rows of the constraint in a slot, with the state of its axis.
    pub(super) fn value_in(&self, slot: usize, pair: &super::Pair<'_>, time: f64, out: &mut [f64]) {
        let constraint = self.constraint(slot);
        match self.axis_memory(slot) {
            Some(memory) => constraint.value_with(pair, time, &memory, out),
            None => constraint.value(pair, time, out),
        }
    }

    /// State of the axis of the constraint in a slot.
    pub(crate) fn axis_memory(&self, slot: usize) -> Option<AxisMemory> {
        self.axes.get(slot).copied().flatten()
    }

    /// Leaves out constraints of sleeping bodies, by slot of the body; their last reactions stay readable.
    pub fn exclude(&mut self, asleep: &[bool]) {
        let sleeps =
            |body: Option<BodyHandle>| body.is_some_and(|body| asleep.get(body.slot()) == Some(&true));
        if self.idle.is_empty() && !asleep.contains(&true) {
            return;
        }
        self.idle.resize(self.slots.len(), false);
        for (place, idle) in self.slots.iter().zip(&mut self.idle) {
            let Some(entry) = &place.entry else { continue };
            let now = entry.constraint.bodies().into_iter().any(sleeps);
            self.outdated |= now != *idle;
            *idle = now;
        }
        for (&leader, parts) in &self.parts {
            let any = self.idle[leader] || parts.iter().any(|part| self.idle[*part]);
            for &slot in parts.iter().chain([&leader]) {
                self.outdated |= self.idle[slot] != any;
                self.idle[slot] = any;
            }
        }
    }

    /// Leaves constraints with a body that soft contact will act on, by slot of the body, to contact in the next step: integrators
    /// pass all rows over, but springs and actuators unless `springs_too`, and [`ConstraintSet::rows_into`] still tells their laws.
    pub fn assign_to_contact(&mut self, bodies: &[bool], springs_too: bool) {
        self.springs_in_contact = springs_too;
        self.in_contact.clear();
        self.in_contact.extend_from_slice(bodies);
    }

    /// Figures of the last step.
    #[must_use]
    pub fn report(&self) -> &ConstraintReport {
        &self.report
    }

    /// Reaction of the constraint on its body B in the last step: the mean over the step for methods that work with
    /// impulses, the last stage for methods with stages, impacts divided by dt in both. Zero before the first step.
    ///
    /// # Errors
    /// If the handle is unknown.
    pub fn reaction(&self, handle: ConstraintHandle) -> Result<Reaction, ConstraintError> {
        self.entry(handle)?;
        Ok(self.step.reactions.get(handle.slot()).copied().unwrap_or_default())
    }

    /// The multipliers of the last step, one a row, N or N·m. Empty before the first step.
    ///
    /// # Errors
    /// If the handle is unknown.
    pub fn multipliers(&self, handle: ConstraintHandle) -> Result<&[f64], ConstraintError> {
        self.entry(handle)?;
        let block = self.assembly.blocks.iter().find(|block| block.constraint == handle.slot());
        Ok(block.and_then(|block| self.step.multipliers.get(block.range())).unwrap_or(&[]))
    }

    /// Largest errors of the rigid rows with the bodies as they are: lengths in m, angles in rad.
    #[must_use]
    pub fn errors(&self, states: &[InertialState], time: f64) -> (f64, f64) {
        let (mut length, mut angle): (f64, f64) = (0.0, 0.0);
        for (handle, _, constraint) in self.enabled() {
            if let Some(point) = constraint.held_point(&pair(constraint.as_ref(), states)) {
                for error in point.gap.abs().to_array() {
                    length = if error > length || error.is_nan() { error } else { length };
                }
                continue;
            }
            let rows = constraint.dimension();
            let mut values = [0.0; MAX_ROWS];
            self.values_in(handle.slot(), states, time, &mut values[..rows]);
            for (row, value) in values[..rows].iter().enumerate() {
                let error = match constraint.law(row) {
                    RowLaw::Rigid => value.abs(),
                    RowLaw::Unilateral if *value < 0.0 => -value,
                    _ => continue,
                };
                let worst = if constraint.unit(row) == RowUnit::Length { &mut length } else { &mut angle };
                *worst = if error > *worst || error.is_nan() { error } else { *worst };
            }
        }
        (length, angle)
    }

    /// Adds the errors of the rigid rows to the report of a step that ended with contact.
    pub(crate) fn store_errors_after_contact(&mut self, states: &[InertialState], time: f64) {
        (self.report.position_error, self.report.angle_error) = self.errors(states, time);
    }

    pub(super) fn handle(&self, slot: usize) -> ConstraintHandle {
        let Slot { set, generation, .. } = self.slots[slot];
        ConstraintHandle { set, slot: slot as u32, generation }
    }

    fn entry(&self, handle: ConstraintHandle) -> Result<&Entry, ConstraintError> {
        self.slots
            .get(handle.slot())
            .filter(|slot| (slot.set, slot.generation) == (handle.set, handle.generation))
            .and_then(|slot| slot.entry.as_ref())
            .ok_or(ConstraintError::UnknownHandle)
    }

    /// Name of the constraint a row belongs to.
    pub(super) fn name_of_row(&self, row: usize) -> String {
        let slot = self.assembly.blocks[self.assembly.block_of[row]].constraint;
        self.slots[slot].entry.as_ref().map_or_else(String::new, |entry| entry.name.clone())
    }

    /// Makes the list of rows fit constraints and bodies.
    pub(crate) fn arrange(&mut self, bodies: &Bodies<'_>) {
        if self.outdated || !self.assembly.fits(bodies) {
            let constraints = self
                .slots
                .iter()
                .enumerate()
                .filter(|(slot, _)| !self.idle.get(*slot).copied().unwrap_or(false) && self.is_enabled(*slot))
                .filter_map(|(slot, place)| Some((slot, place.entry.as_ref()?.constraint.as_ref())));
            self.assembly = Assembly::new(constraints, bodies);
            self.trees = self.find_trees();
            self.outdated = false;
        }
    }

    /// Slots of the two bodies of every active constraint, and the number of loops among the constraints connected
    /// with it.
    pub(crate) fn connections(&self) -> impl Iterator<Item = ([Option<usize>; 2], usize)> {
        self.assembly.blocks.iter().zip(&self.assembly.loops).map(|(block, loops)| (block.bodies, *loops))
    }

    /// Makes rows and laws fit the step.
    pub(super) fn lay_out(&mut self, bodies: &Bodies<'_>) {
        self.arrange(bodies);
        self.assembly.command_motors(&self.commands);
        self.pass_over_rows_left_to_contact();
        self.values.resize(self.assembly.rows(), 0.0);
        self.rhs.resize(self.assembly.rows(), 0.0);
    }

    /// Gives rows in soft contact an inactive law, and restores the law of the others.
    fn pass_over_rows_left_to_contact(&mut self) {
        let in_contact =
            |body: &Option<usize>| body.is_some_and(|slot| self.in_contact.get(slot) == Some(&true));
        for k in 0..self.assembly.blocks.len() {
            let block = self.assembly.blocks[k];
            let left = block.bodies.iter().any(in_contact);
            if !left && !self.assembly.left[k] {
                continue;
            }
            let mut acts = !left;
            for (nth, row) in block.range().enumerate() {
                let law = self.law_of(&block, nth);
                let passed_over = left && (self.springs_in_contact || holds_or_drives(law));
                acts |= !passed_over;
                self.assembly.laws[row] = if passed_over { NO_LAW } else { law };
            }
            (self.assembly.left[k], self.assembly.acts[k]) = (left, acts);
        }
        for &(leader, part) in &self.assembly.parts {
            let [leader, part] = [leader, part].map(|row| self.assembly.block_of[row]);
            let (left, acts) = (self.assembly.left[leader], self.assembly.acts[leader]);
            (self.assembly.left[part], self.assembly.acts[part]) = (left, acts);
        }
    }

    /// The law of a row of a constraint, a motor with the velocity it was commanded.
    pub(super) fn law_of(&self, block: &Block, row: usize) -> RowLaw {
        match (self.constraint(block.constraint).law(row), self.commands.get(&block.constraint)) {
            (RowLaw::Motor { max_force, .. }, Some(&velocity)) => RowLaw::Motor { velocity, max_force },
            (RowLaw::Drive { stiffness, damping, lower, upper, .. }, Some(&force)) => {
                RowLaw::Drive { force, stiffness, damping, lower, upper }
            }
            (law, _) => law,
        }
    }

    /// Fills Jacobians and matrix with the bodies as they are.
    pub(super) fn fill(&mut self, bodies: &Bodies<'_>, time: f64) -> Result<(), ConstraintError> {
        let slots = &self.slots;
        match self.assembly.fill(|slot| constraint_in(slots, slot), bodies, time) {
            None => Ok(()),
            Some(row) => Err(self.not_finite(row, time)),
        }
    }

    /// Evaluates one quantity of every row into `values`.
    pub(super) fn evaluate(
        &mut self,
        states: &[InertialState],
        quantity: impl Fn(&dyn Constraint, &super::Pair<'_>, &mut [f64]),
    ) {
        self.values.fill(0.0);
        for block in self.assembly.acting() {
            let pair = pair_of(block, states);
            quantity(constraint_in(&self.slots, block.constraint), &pair, &mut self.values[block.range()]);
        }
        self.assembly.add_parts(&mut self.values);
    }

    /// `C` of every row into `values`.
    pub(super) fn evaluate_values(&mut self, states: &[InertialState], time: f64) {
        let mut values = std::mem::take(&mut self.values);
        values.fill(0.0);
        for block in self.assembly.acting() {
            self.value_in(block.constraint, &pair_of(block, states), time, &mut values[block.range()]);
        }
        self.assembly.add_parts(&mut values);
        self.values = values;
    }

    /// The constraint in an occupied slot.
    pub(super) fn constraint(&self, slot: usize) -> &dyn Constraint {
        constraint_in(&self.slots, slot)
    }

    pub(super) fn not_finite(&self, row: usize, time: f64) -> ConstraintError {
        let first = self.assembly.blocks[self.assembly.block_of[row]].first;
        ConstraintError::NotFinite { name: self.name_of_row(row), row: row - first, time }
    }
}

/// A row without effect.
pub(super) const NO_LAW: RowLaw = RowLaw::Soft { stiffness: 0.0, damping: 0.0 };

/// True for all but springs and actuators, which are forces to contact.
fn holds_or_drives(law: RowLaw) -> bool {
    !matches!(law, RowLaw::Soft { .. } | RowLaw::Drive { .. })
}

pub(super) fn pair<'a>(constraint: &dyn Constraint, states: &'a [InertialState]) -> super::Pair<'a> {
    let state = |body: Option<BodyHandle>| body.map_or(&InertialState::AT_REST, |body| &states[body.slot()]);
    let [a, b] = constraint.bodies();
    super::Pair { a: state(a), b: state(b) }
}

pub(super) fn constraint_in(slots: &[Slot], slot: usize) -> &dyn Constraint {
    slots[slot].entry.as_ref().expect("the layout lists occupied slots only").constraint.as_ref()
}

fn check(name: &str, constraint: &dyn Constraint) -> Result<(), ConstraintError> {
    let [a, b] = constraint.bodies();
    if a == b {
        return Err(ConstraintError::SameEnds { name: name.to_owned() });
    }
    let rows = constraint.dimension();
    if rows == 0 || rows > MAX_ROWS {
        return Err(ConstraintError::Dimension { name: name.to_owned(), rows, most: MAX_ROWS });
    }
    Ok(())
}
