//! Storage of the pair caches of all pairs with overlapping boxes.
//!
//! A cache keeps its index while its pair exists, so that no cache is moved when pairs come and go; a list of
//! indices sorted by slots gives the order. The narrow phase runs in storage order, from the start of memory
//! to its end; results are returned sorted by slots. The index of a pair depends on history and reaches no
//! result.

use serde::{Deserialize, Serialize};

use super::manifold_cache::ManifoldCache;
use super::persistent_manifold::PersistentManifold;

/// The cache of a pair of bodies with overlapping boxes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PairCache {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) cache: ManifoldCache,
    /// Which of them is A.
    #[serde(skip)]
    pub(super) roles: Roles,
    /// Created by the last update.
    #[serde(skip)]
    is_new: bool,
    /// The narrow phase of this update has not run for it yet.
    #[serde(skip)]
    pub(super) needs_update: bool,
    /// Its boxes overlap; otherwise it is separated, sleeping or unused.
    #[serde(skip)]
    overlaps: bool,
}

/// Which body of a pair is A: the first in the canonical order, so that contacts do not depend on the order in which bodies were added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Roles {
    /// Not determined yet.
    #[default]
    Unknown,
    /// The one in the smaller slot.
    BySlot,
    /// The other.
    Swapped,
}

impl PairCache {
    /// Slots of A and B.
    pub(super) fn bodies(&self) -> (usize, usize) {
        let (a, b) = (self.a as usize, self.b as usize);
        if self.roles == Roles::Swapped { (b, a) } else { (a, b) }
    }

    /// Slots of the two bodies, the smaller first.
    #[must_use]
    pub fn slots(&self) -> (u32, u32) {
        (self.a, self.b)
    }

    /// Its manifolds, for the solver to store impulses in.
    pub(crate) fn manifolds_mut(&mut self) -> &mut [PersistentManifold] {
        self.cache.manifolds_mut()
    }
}

/// A pair and the index of its cache; ordered by slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    slots: (u32, u32),
    place: u32,
}

/// The pairs.
#[derive(Clone, Debug, Default)]
pub(super) struct PairList {
    caches: Vec<PairCache>,
    /// Pairs with overlapping boxes, sorted; those before the update; those that separated in it.
    met: Vec<Entry>,
    before: Vec<Entry>,
    separated: Vec<Entry>,
    /// Pairs of sleeping bodies, sorted.
    sleeping: Vec<Entry>,
    /// Unused indices, reused for new pairs.
    free: Vec<u32>,
}

impl PairList {
    /// From caches sorted by slots.
    pub(super) fn of(mut caches: Vec<PairCache>) -> Self {
        caches.iter_mut().for_each(|memory| memory.overlaps = true);
        let entry = |(place, memory): (u32, &PairCache)| Entry { slots: memory.slots(), place };
        let met = (0..).zip(&caches).map(entry).collect();
        Self { caches, met, ..Self::default() }
    }

    /// Begins an update: discards the pairs that separated in the last one.
    pub(super) fn begin(&mut self) {
        self.free.extend(self.separated.drain(..).map(|entry| entry.place));
        for memory in &mut self.caches {
            (memory.is_new, memory.needs_update) = (false, memory.overlaps);
        }
    }

    /// All caches in storage order, including those of separated and sleeping pairs.
    pub(super) fn storage_mut(&mut self) -> &mut [PairCache] {
        &mut self.caches
    }

    /// The cache at an index.
    pub(super) fn at(&self, place: usize) -> &PairCache {
        &self.caches[place]
    }

    /// The same, mutable.
    pub(super) fn at_mut(&mut self, place: usize) -> &mut PairCache {
        &mut self.caches[place]
    }

    /// Pairs with overlapping boxes and their indices, sorted by slots.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &PairCache)> {
        self.met.iter().map(|entry| (entry.place as usize, &self.caches[entry.place as usize]))
    }

    /// Length of the storage.
    pub(super) fn storage_len(&self) -> usize {
        self.caches.len()
    }

    /// Slots of the pairs whose indices are marked, sorted.
    pub(super) fn slots_of(&self, marked: &[bool]) -> impl Iterator<Item = (u32, u32)> {
        self.met.iter().filter(|entry| marked[entry.place as usize]).map(|entry| entry.slots)
    }

    /// Matches the caches with the pairs that overlap `now`, which are sorted. `activity_changed` if some
    /// body may have fallen asleep or woken since the last update; `rests` says which bodies sleep.
    pub(super) fn update(&mut self, now: &[(u32, u32)], activity_changed: bool, rests: impl Fn(u32) -> bool) {
        let same = |(entry, now): (&Entry, &(u32, u32))| entry.slots == *now;
        if !activity_changed && self.met.len() == now.len() && self.met.iter().zip(now).all(same) {
            return;
        }
        std::mem::swap(&mut self.met, &mut self.before);
        self.met.clear();
        let both_rest = |entry: &Entry| rests(entry.slots.0) && rests(entry.slots.1);
        if activity_changed && !self.sleeping.is_empty() {
            self.wake(both_rest);
        }
        let asleep = self.sleeping.len();
        let Self { caches, met, before, separated, sleeping, free } = self;
        let mut known = before.iter().copied().peekable();
        let mut part = |caches: &mut [PairCache], entry: Entry| {
            let memory = &mut caches[entry.place as usize];
            (memory.overlaps, memory.needs_update) = (false, false);
            if both_rest(&entry) { sleeping.push(entry) } else { separated.push(entry) }
        };
        for &slots in now {
            while let Some(entry) = known.next_if(|entry| entry.slots < slots) {
                part(caches, entry);
            }
            let entry = known.next_if(|entry| entry.slots == slots);
            met.push(entry.unwrap_or_else(|| insert_pair(caches, free, slots)));
        }
        known.for_each(|entry| part(caches, entry));
        if sleeping.len() > asleep {
            sleeping.sort_unstable();
        }
    }

    /// Restores the caches of pairs that no longer sleep.
    fn wake(&mut self, both_rest: impl Fn(&Entry) -> bool) {
        for entry in self.sleeping.extract_if(.., |entry| !both_rest(entry)) {
            let memory = &mut self.caches[entry.place as usize];
            (memory.is_new, memory.needs_update, memory.overlaps) = (false, true, true);
            self.before.push(entry);
        }
        self.before.sort_unstable();
    }

    /// Rolls back the last update.
    pub(super) fn rollback(&mut self) {
        let Self { caches, met, separated, free, .. } = self;
        met.retain(|entry| {
            let memory = &mut caches[entry.place as usize];
            if memory.is_new {
                memory.overlaps = false;
                free.push(entry.place);
            } else {
                memory.cache.rollback();
            }
            memory.overlaps
        });
        separated.iter().for_each(|entry| caches[entry.place as usize].overlaps = true);
        met.append(separated);
        met.sort_unstable();
    }

    /// The caches, sorted by slots.
    pub(super) fn cached_pairs(&self) -> Vec<PairCache> {
        let mut all: Vec<Entry> = self.met.iter().chain(&self.sleeping).copied().collect();
        all.sort_unstable();
        all.iter().map(|entry| self.caches[entry.place as usize].clone()).collect()
    }

    /// Removes the pairs of a body.
    pub(super) fn remove_body(&mut self, slot: u32) {
        for entries in [&mut self.met, &mut self.separated, &mut self.sleeping] {
            for entry in entries.extract_if(.., |entry| entry.slots.0 == slot || entry.slots.1 == slot) {
                let memory = &mut self.caches[entry.place as usize];
                (memory.overlaps, memory.needs_update) = (false, false);
                self.free.push(entry.place);
            }
        }
    }
}

/// Adds a new pair, at a free index or at the end.
fn insert_pair(caches: &mut Vec<PairCache>, free: &mut Vec<u32>, (a, b): (u32, u32)) -> Entry {
    let place = free.pop().unwrap_or(caches.len() as u32);
    let flags = (true, true, true);
    if let Some(memory) = caches.get_mut(place as usize) {
        memory.cache.clear();
        (memory.a, memory.b, memory.roles) = (a, b, Roles::Unknown);
        (memory.is_new, memory.needs_update, memory.overlaps) = flags;
    } else {
        let (is_new, needs_update, overlaps) = flags;
        let (roles, cache) = (Roles::Unknown, ManifoldCache::default());
        caches.push(PairCache { a, b, cache, roles, is_new, needs_update, overlaps });
    }
    Entry { slots: (a, b), place }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(list: &PairList) -> Vec<(u32, u32)> {
        list.iter().map(|(_, memory)| memory.slots()).collect()
    }

    fn place_of(list: &PairList, slots: (u32, u32)) -> usize {
        list.iter().find(|(_, memory)| memory.slots() == slots).unwrap().0
    }

    fn update(list: &mut PairList, now: &[(u32, u32)], activity_changed: bool, rests: impl Fn(u32) -> bool) {
        list.begin();
        list.update(now, activity_changed, rests);
    }

    #[test]
    fn a_pair_keeps_its_place_while_others_come_and_go_and_places_are_used_again() {
        let mut list = PairList::default();
        update(&mut list, &[(0, 1), (0, 5), (2, 3)], false, |_| false);
        let place = place_of(&list, (2, 3));
        for k in 6..100 {
            update(&mut list, &[(0, 1), (1, k), (2, 3)], false, |_| false);
            assert_eq!(pairs(&list), [(0, 1), (1, k), (2, 3)]);
            assert_eq!(place_of(&list, (2, 3)), place);
        }
        assert!(
            list.storage_mut().len() <= 5,
            "{} places for three pairs, one of them new",
            list.storage_mut().len()
        );
    }

    #[test]
    fn an_update_that_is_taken_back_leaves_the_pairs_there_were() {
        let mut list = PairList::default();
        let before = [(0, 1), (0, 5), (2, 3)];
        update(&mut list, &before, false, |_| false);
        let places = before.map(|slots| place_of(&list, slots));
        update(&mut list, &[(0, 1), (0, 4), (3, 4)], false, |_| false);
        list.rollback();
        assert_eq!(pairs(&list), before);
        let mut marked = vec![false; list.storage_len()];
        [places[2], places[0]].iter().for_each(|place| marked[*place] = true);
        assert_eq!(list.slots_of(&marked).collect::<Vec<_>>(), [(0, 1), (2, 3)]);
        assert_eq!(before.map(|slots| place_of(&list, slots)), places);
    }

    #[test]
    fn only_pairs_whose_boxes_meet_are_due_and_what_rests_waits() {
        let mut list = PairList::default();
        update(&mut list, &[(0, 1), (0, 2), (1, 2)], false, |_| false);
        let place = place_of(&list, (0, 1));
        let asleep = |slot: u32| slot < 2;
        update(&mut list, &[(0, 2)], true, asleep);
        let due =
            |list: &mut PairList| list.storage_mut().iter().filter(|memory| memory.needs_update).count();
        assert_eq!(due(&mut list), 1);
        assert_eq!(list.cached_pairs().iter().map(PairCache::slots).collect::<Vec<_>>(), [(0, 1), (0, 2)]);
        update(&mut list, &[(0, 1), (0, 2)], true, |_| false);
        assert_eq!((due(&mut list), place_of(&list, (0, 1))), (2, place), "it is as it was");
        list.remove_body(0);
        assert!(pairs(&list).is_empty() && due(&mut list) == 0);
    }
}
