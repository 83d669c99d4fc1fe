//! Islands: bodies that contacts and joints connect, solved together and apart from all others.
//!
//! Immovable bodies connect nothing: a hundred boxes on one floor are a hundred islands. Islands are numbered by their
//! first candidate and list their bodies by slot, so that nothing depends on the order of discovery.

use std::ops::Range;

use super::candidate::Candidate;
use super::island_problem::Members;
use crate::environment::groups::Groups;

/// Bodies, candidates and rows of one island, as ranges of [`Islands::slots`], of the sorted candidates and of
/// [`Islands::rows`].
#[derive(Clone, Debug, Default)]
pub(super) struct Island {
    pub(super) bodies: Range<usize>,
    pub(super) candidates: Range<usize>,
    pub(super) rows: Range<usize>,
    /// True if the fast tier takes it.
    pub(super) soft: bool,
}

/// The islands of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Islands {
    pub(super) list: Vec<Island>,
    /// Numbers of the rows of joints, grouped by island.
    pub(super) rows: Vec<usize>,
    /// Slots of movable bodies, grouped by island, ascending within each.
    pub(super) slots: Vec<usize>,
    groups: Groups,
    number: Vec<u32>,
    keyed: Vec<(u32, u32)>,
}

const NONE: u32 = u32::MAX;

impl Islands {
    /// Who belongs to one of them.
    pub(super) fn members(&self, island: &Island) -> Members<'_> {
        Members {
            slots: &self.slots[island.bodies.clone()],
            joined: &self.rows[island.rows.clone()],
            soft: island.soft,
        }
    }

    /// No islands.
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.slots.clear();
        self.rows.clear();
    }

    /// Groups `candidates` (and sorts them by island, otherwise keeping their order). `movable` says which slots
    /// connect; `joined` lists the pairs of slots that rows of joints connect.
    pub(super) fn group(
        &mut self,
        candidates: &mut [Candidate],
        movable: impl Fn(usize) -> bool,
        slots: usize,
        joined: impl Iterator<Item = [Option<usize>; 2]> + Clone,
    ) {
        self.groups.reset(slots);
        let pairs = candidates.chunk_by(|p, q| (p.a, p.b) == (q.a, q.b));
        let touching = pairs.clone().map(|points| [Some(points[0].a), Some(points[0].b)]);
        for ends in touching.chain(joined.clone()) {
            if let [Some(a), Some(b)] = ends.map(|end| end.filter(|slot| movable(*slot))) {
                self.groups.unite(a, b);
            }
        }
        self.number.clear();
        self.number.resize(slots, NONE);
        self.list.clear();
        self.keyed.clear();
        for points in pairs {
            let Candidate { a, b, .. } = points[0];
            let root = self.groups.root(if movable(a) { a } else { b });
            if self.number[root] == NONE {
                self.number[root] = self.list.len() as u32;
                self.list.push(Island::default());
            }
            let (number, first) = (self.number[root], self.keyed.len() as u32);
            self.keyed.extend((first..).take(points.len()).map(|index| (number, index)));
        }
        self.sort_candidates(candidates);
        self.list_bodies(&movable, slots);
        self.list_rows(movable, joined);
    }

    fn sort_candidates(&mut self, candidates: &mut [Candidate]) {
        self.keyed.sort_unstable();
        // Apply the permutation in place, cycle by cycle: place i receives the candidate at keyed[i].
        for first in 0..candidates.len() {
            let mut from = self.keyed[first].1 as usize;
            while from < first {
                from = self.keyed[from].1 as usize;
            }
            if from != first {
                candidates.swap(first, from);
            }
        }
        self.deal(|island, range| island.candidates = range);
    }

    fn list_bodies(&mut self, movable: &impl Fn(usize) -> bool, slots: usize) {
        self.keyed.clear();
        for slot in (0..slots).filter(|slot| movable(*slot)) {
            let root = self.groups.root(slot);
            if self.number[root] != NONE {
                self.keyed.push((self.number[root], slot as u32));
            }
        }
        self.keyed.sort_unstable();
        self.slots.clear();
        self.slots.extend(self.keyed.iter().map(|(_, slot)| *slot as usize));
        self.deal(|island, range| island.bodies = range);
    }

    fn list_rows(
        &mut self,
        movable: impl Fn(usize) -> bool,
        joined: impl Iterator<Item = [Option<usize>; 2]>,
    ) {
        self.keyed.clear();
        for (row, ends) in joined.enumerate() {
            let Some(slot) = ends.into_iter().flatten().find(|slot| movable(*slot)) else { continue };
            let root = self.groups.root(slot);
            if self.number[root] != NONE {
                self.keyed.push((self.number[root], row as u32));
            }
        }
        self.keyed.sort_unstable();
        self.rows.clear();
        self.rows.extend(self.keyed.iter().map(|(_, row)| *row as usize));
        self.deal(|island, range| island.rows = range);
    }

    /// Gives every island its range of the sorted keys.
    fn deal(&mut self, mut give: impl FnMut(&mut Island, Range<usize>)) {
        let mut start = 0;
        for (number, island) in self.list.iter_mut().enumerate() {
            let length = self.keyed[start..].iter().take_while(|(n, _)| *n as usize == number).count();
            give(island, start..start + length);
            start += length;
        }
    }
}
