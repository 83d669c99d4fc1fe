//! Islands: bodies connected by contacts and joints, solved independently of all others.
//!
//! Static bodies do not connect: a hundred boxes on one floor are a hundred islands. Islands are numbered by their
//! first pair in contact and list their bodies by slot, so that no result depends on the order of discovery.

use std::ops::Range;

use super::island_problem::Members;
use super::prepare_contacts::FoundPair;
use crate::environment::union_find::UnionFind;

/// Bodies, pairs, candidates and rows of one island, as ranges of [`Islands::slots`], [`Islands::pairs`], of all candidates and of
/// [`Islands::rows`].
#[derive(Clone, Debug, Default)]
pub(super) struct Island {
    pub(super) bodies: Range<usize>,
    pub(super) pairs: Range<usize>,
    pub(super) candidates: Range<usize>,
    pub(super) rows: Range<usize>,
    /// True for the fast tier.
    pub(super) soft: bool,
    /// True if free flight has left its joints to contact.
    pub(super) joined: bool,
}

/// The islands of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Islands {
    pub(super) list: Vec<Island>,
    /// Pairs of bodies in contact, by island once they are grouped, otherwise by slots.
    pub(super) pairs: Vec<FoundPair>,
    /// Numbers of the rows of joints, grouped by island.
    pub(super) rows: Vec<usize>,
    /// Slots of movable bodies, grouped by island, ascending within each.
    pub(super) slots: Vec<usize>,
    union_find: UnionFind,
    /// Number of the island of each root of the union-find.
    number: Vec<u32>,
    /// Items by number of their island, before the counting sort.
    keyed: Vec<(u32, u32)>,
    /// Items sorted by island.
    dealt: Vec<u32>,
    /// Next free position of each island.
    next: Vec<usize>,
    unsorted: Vec<FoundPair>,
}

const NONE: u32 = u32::MAX;

impl Islands {
    /// Connected bodies.
    pub(super) fn members(&self, island: &Island) -> Members<'_> {
        Members { slots: &self.slots[island.bodies.clone()], joined: &self.rows[island.rows.clone()] }
    }

    /// No islands.
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.pairs.clear();
        self.slots.clear();
        self.rows.clear();
    }

    /// Number of their contact constraints.
    pub(super) fn candidates(&self) -> usize {
        self.list.last().map_or(0, |island| island.candidates.end)
    }

    /// Groups the pairs (and sorts them by island, otherwise keeping their order). `movable` tells which slots
    /// connect; `joined` lists the pairs of slots that joint rows connect, `coupled` those that rows over several joints connect, `left` the slots whose joints are left to contact, whether
    /// they touch anything or not.
    pub(super) fn group(
        &mut self,
        movable: impl Fn(usize) -> bool,
        slots: usize,
        joined: impl Iterator<Item = [Option<usize>; 2]> + Clone,
        coupled: impl Iterator<Item = [Option<usize>; 2]>,
        left: impl Fn(usize) -> bool,
    ) {
        self.union_find.reset(slots);
        let touching = self.pairs.iter().map(|pair| [Some(pair.a), Some(pair.b)]);
        for ends in touching.chain(joined.clone()).chain(coupled) {
            if let [Some(a), Some(b)] = ends.map(|end| end.filter(|slot| movable(*slot))) {
                self.union_find.union(a, b);
            }
        }
        self.number.clear();
        self.number.resize(slots, NONE);
        self.list.clear();
        self.keyed.clear();
        for (index, FoundPair { a, b, .. }) in (0..).zip(&self.pairs) {
            let root = self.union_find.root(if movable(*a) { *a } else { *b });
            if self.number[root] == NONE {
                self.number[root] = self.list.len() as u32;
                self.list.push(Island::default());
            }
            self.keyed.push((self.number[root], index));
        }
        for slot in joined.clone().flatten().flatten().filter(|slot| movable(*slot) && left(*slot)) {
            let root = self.union_find.root(slot);
            if self.number[root] == NONE {
                self.number[root] = self.list.len() as u32;
                self.list.push(Island::default());
            }
            self.list[self.number[root] as usize].joined = true;
        }
        self.sort_pairs();
        self.list_bodies(&movable, slots);
        self.list_rows(movable, joined);
    }

    fn sort_pairs(&mut self) {
        self.counting_sort(|island, range| island.pairs = range);
        std::mem::swap(&mut self.pairs, &mut self.unsorted);
        self.pairs.clear();
        self.pairs.extend(self.dealt.iter().map(|index| self.unsorted[*index as usize]));
        let mut start = 0;
        for island in &mut self.list {
            let count: usize = self.pairs[island.pairs.clone()].iter().map(|pair| pair.count).sum();
            island.candidates = start..start + count;
            start += count;
        }
    }

    fn list_bodies(&mut self, movable: &impl Fn(usize) -> bool, slots: usize) {
        self.keyed.clear();
        for slot in (0..slots).filter(|slot| movable(*slot)) {
            let root = self.union_find.root(slot);
            if self.number[root] != NONE {
                self.keyed.push((self.number[root], slot as u32));
            }
        }
        self.counting_sort(|island, range| island.bodies = range);
        self.slots.clear();
        self.slots.extend(self.dealt.iter().map(|slot| *slot as usize));
    }

    fn list_rows(
        &mut self,
        movable: impl Fn(usize) -> bool,
        joined: impl Iterator<Item = [Option<usize>; 2]>,
    ) {
        self.keyed.clear();
        for (row, ends) in joined.enumerate() {
            let Some(slot) = ends.into_iter().flatten().find(|slot| movable(*slot)) else { continue };
            let root = self.union_find.root(slot);
            if self.number[root] != NONE {
                self.keyed.push((self.number[root], row as u32));
            }
        }
        self.counting_sort(|island, range| island.rows = range);
        self.rows.clear();
        self.rows.extend(self.dealt.iter().map(|row| *row as usize));
    }

    /// Sorts items by island, otherwise keeping their order, and sets the range of every island (counting sort).
    fn counting_sort(&mut self, mut give: impl FnMut(&mut Island, Range<usize>)) {
        self.next.clear();
        self.next.resize(self.list.len(), 0);
        self.keyed.iter().for_each(|(number, _)| self.next[*number as usize] += 1);
        let mut start = 0;
        for (island, next) in self.list.iter_mut().zip(&mut self.next) {
            let count = std::mem::replace(next, start);
            give(island, start..start + count);
            start += count;
        }
        self.dealt.clear();
        self.dealt.resize(self.keyed.len(), 0);
        for (number, what) in &self.keyed {
            let place = &mut self.next[*number as usize];
            self.dealt[*place] = *what;
            *place += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_follow_each_other_by_island_in_the_order_of_their_slots() {
        let mut islands = Islands::default();
        // Two towers on the floor, which is slot 0, that stand between each other.
        let pairs = [(0, 1, 4), (0, 2, 3), (1, 3, 8), (2, 4, 1)];
        let pairs = pairs.map(|(a, b, count)| FoundPair { a, b, index: 10 * a + b, count, made: None });
        islands.pairs.extend(pairs);
        islands.group(|slot| slot != 0, 6, std::iter::empty(), std::iter::empty(), |_| false);
        let found: Vec<usize> = islands.pairs.iter().map(|pair| pair.index).collect();
        assert_eq!(found, [1, 13, 2, 24]);
        let ranges: Vec<_> = islands.list.iter().map(|i| (i.pairs.clone(), i.candidates.clone())).collect();
        assert_eq!(ranges, [(0..2, 0..12), (2..4, 12..16)]);
        let slots: Vec<_> = islands.list.iter().map(|i| &islands.slots[i.bodies.clone()]).collect();
        assert_eq!((slots, islands.candidates()), (vec![&[1_usize, 3][..], &[2, 4]], 16));
    }
}
