//! What exact solutions of islands have cost, remembered with their bodies: how `auto` chooses.
//!
//! The work of an island is its contact points times the iterations (sweeps and factorisations) of its last exact solution, the most that
//! one of its bodies remembers. An island with more work than [`AutoLimits`] allows is taken by the fast tier. There the
//! iterations that are remembered fade by a sixteenth a step, so that after some steps, more of them the more it was over the limit,
//! exactness is tried again. Counts of a state that snapshots hold: no clock, and the same on every machine.

use super::island::Islands;
use super::settings::AutoLimits;

/// Iterations that the islands of bodies needed, by slot.
#[derive(Clone, Debug, Default)]
pub(super) struct SolverCosts {
    /// Part of the state.
    pub(super) by_slot: Vec<u32>,
    /// Of the islands in the step under way.
    taken: Vec<u32>,
}

impl SolverCosts {
    /// Chooses the tier of every island.
    pub(super) fn choose(&self, islands: &mut Islands, limits: &AutoLimits) {
        for island in &mut islands.list {
            let contacts = island.candidates.len();
            let remembered = |slot: &usize| self.by_slot.get(*slot).copied().unwrap_or(0);
            let iterations = islands.slots[island.bodies.clone()].iter().map(remembered).max().unwrap_or(0);
            island.soft =
                contacts > limits.contacts || contacts.saturating_mul(iterations as usize) > limits.work;
        }
    }

    /// Notes the iterations of exact islands, in their order, of a step under way.
    pub(super) fn note(&mut self, iterations: impl Iterator<Item = usize>) {
        self.taken.clear();
        self.taken.extend(iterations.map(|count| u32::try_from(count).unwrap_or(u32::MAX)));
    }

    /// Makes what was noted the state, once the step is done; bodies that touch nothing remember nothing.
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
