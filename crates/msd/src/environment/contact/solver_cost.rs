//! Solver cost of islands, stored with their bodies: the criterion of `auto`.
//!
//! The work of an island is its contact points times the iterations (sweeps and factorisations) of its last exact
//! solution, the maximum over its bodies. An island with more work than [`AutoLimits`] allows goes to the fast tier.
//! There the stored iterations fade by a sixteenth a step, so that after some steps, more of them the farther it was
//! over the limit, the exact tier is tried again. The counts are part of the state and of snapshots: no clock, and
//! the same on every machine.

use super::island::Islands;
use super::settings::AutoLimits;
use crate::physics::constraints::ConstraintSet;

/// Iterations that the islands of bodies needed, by slot.
#[derive(Clone, Debug, Default)]
pub(super) struct SolverCosts {
    /// Part of the state.
    pub(super) by_slot: Vec<u32>,
    /// Of the islands in the step under way.
    taken: Vec<u32>,
}

impl SolverCosts {
    /// Selects the tier of every island.
    pub(super) fn choose(&self, islands: &mut Islands, joints: &ConstraintSet, limits: &AutoLimits) {
        for island in &mut islands.list {
            let contacts = island.candidates.len();
            let remembered = |slot: &usize| self.by_slot.get(*slot).copied().unwrap_or(0);
            let iterations = islands.slots[island.bodies.clone()].iter().map(remembered).max().unwrap_or(0);
            // Joints that free flight has left to contact are exact, and so are rows over several joints.
            let coupled = |number: &usize| joints.row_of_part(*number) != *number;
            let exact = island.joined || islands.rows[island.rows.clone()].iter().any(coupled);
            island.soft = !exact && limits.exceeded_by(contacts, iterations as usize);
        }
    }

    /// Stores the iterations of exact islands, in their order, during a step.
    pub(super) fn note(&mut self, iterations: impl Iterator<Item = usize>) {
        self.taken.clear();
        self.taken.extend(iterations.map(|count| u32::try_from(count).unwrap_or(u32::MAX)));
    }

    /// Makes these the state once the step is done; bodies without contacts store none.
    pub(super) fn remember(&mut self, islands: &Islands, slots: usize) {
        self.by_slot.resize(slots, 0);
        let before = |efforts: &[u32], slots: &[usize]| slots.iter().map(|slot| efforts[*slot]).max();
        for (island, taken) in islands.list.iter().zip(&mut self.taken) {
            if island.soft {
                let old = before(&self.by_slot, &islands.slots[island.bodies.clone()]).unwrap_or(0);
                *taken = old - old.div_ceil(16);
            }
        }
        self.by_slot.fill(0);
        for (island, taken) in islands.list.iter().zip(&self.taken) {
            for slot in &islands.slots[island.bodies.clone()] {
                self.by_slot[*slot] = *taken;
            }
        }
    }
}
