//! Islands: bodies that contacts and joints connect, solved together and apart from all others.
//!
//! Immovable bodies connect nothing: a hundred boxes on one floor are a hundred islands. Islands are numbered by their
//! first candidate and list their bodies by slot, so that nothing depends on the order of discovery.

use std::ops::Range;

use super::candidate::Candidate;

/// Bodies and candidates of one island, as ranges of [`Islands::slots`] and of the sorted candidates.
#[derive(Clone, Debug, Default)]
pub(super) struct Island {
    pub(super) bodies: Range<usize>,
    pub(super) candidates: Range<usize>,
}

/// The islands of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Islands {
    pub(super) list: Vec<Island>,
    /// Slots of movable bodies, grouped by island, ascending within each.
    pub(super) slots: Vec<usize>,
    parent: Vec<u32>,
    number: Vec<u32>,
    keyed: Vec<(u32, u32)>,
}

const NONE: u32 = u32::MAX;

impl Islands {
    /// Groups `candidates` (and sorts them by island, otherwise keeping their order). `movable` says which slots
    /// connect; `joined` lists pairs of slots that joints connect.
    pub(super) fn group(
        &mut self,
        candidates: &mut [Candidate],
        movable: impl Fn(usize) -> bool,
        slots: usize,
        joined: impl Iterator<Item = (usize, usize)>,
    ) {
        self.parent.clear();
        self.parent.extend(0..slots as u32);
        for (a, b) in candidates.iter().map(|c| (c.a, c.b)).chain(joined) {
            if movable(a) && movable(b) {
                self.unite(a, b);
            }
        }
        self.number.clear();
        self.number.resize(slots, NONE);
        self.list.clear();
        self.keyed.clear();
        for (index, candidate) in candidates.iter().enumerate() {
            let root = self.root(if movable(candidate.a) { candidate.a } else { candidate.b });
            if self.number[root] == NONE {
                self.number[root] = self.list.len() as u32;
                self.list.push(Island::default());
            }
            self.keyed.push((self.number[root], index as u32));
        }
        self.sort_candidates(candidates);
        self.list_bodies(movable, slots);
    }

    fn sort_candidates(&mut self, candidates: &mut [Candidate]) {
        self.keyed.sort_unstable();
        // Apply the permutation in place, cycle by cycle: place i receives the candidate at keyed[i].
        for first in 0..candidates.len() {
            let mut from = self.keyed[first].1 as usize;
            while from < first {
                from = self.keyed[from].1 as usize;
            }
            candidates.swap(first, from);
        }
        let mut start = 0;
        for (number, island) in self.list.iter_mut().enumerate() {
            let length = self.keyed[start..].iter().take_while(|(n, _)| *n as usize == number).count();
            island.candidates = start..start + length;
            start += length;
        }
    }

    fn list_bodies(&mut self, movable: impl Fn(usize) -> bool, slots: usize) {
        self.keyed.clear();
        for slot in (0..slots).filter(|slot| movable(*slot)) {
            let root = self.root(slot);
            if self.number[root] != NONE {
                self.keyed.push((self.number[root], slot as u32));
            }
        }
        self.keyed.sort_unstable();
        self.slots.clear();
        self.slots.extend(self.keyed.iter().map(|(_, slot)| *slot as usize));
        let mut start = 0;
        for (number, island) in self.list.iter_mut().enumerate() {
            let length = self.keyed[start..].iter().take_while(|(n, _)| *n as usize == number).count();
            island.bodies = start..start + length;
            start += length;
        }
    }

    fn root(&mut self, slot: usize) -> usize {
        let mut root = slot;
        while self.parent[root] as usize != root {
            root = self.parent[root] as usize;
        }
        let mut walk = slot;
        while walk != root {
            walk = std::mem::replace(&mut self.parent[walk], root as u32) as usize;
        }
        root
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high] = low as u32;
    }
}
