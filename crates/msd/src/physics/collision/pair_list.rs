//! What is remembered of all pairs whose boxes meet, step after step.
//!
//! A memory keeps its place while its pair is remembered, so that no memory is moved when pairs come and go; a list of places sorted by slots
//! says which pair is where. Contacts are found place by place, through memory from its beginning to its end; whoever
//! asks for them gets them sorted by slots. Which place a pair has depends on history and reaches no result.

use serde::{Deserialize, Serialize};

use super::manifold_cache::{ManifoldCache, PersistentManifold};

/// What is remembered of a pair of bodies whose boxes meet.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PairMemory {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) cache: ManifoldCache,
    /// Which of them is A.
    #[serde(skip)]
    pub(super) roles: Roles,
    /// The last update met it for the first time.
    #[serde(skip)]
    is_new: bool,
    /// Its contacts are still to be found in this update.
    #[serde(skip)]
    pub(super) is_due: bool,
    /// Its boxes meet; otherwise it has parted, waits until one of its bodies moves, or is none.
    #[serde(skip)]
    is_met: bool,
}

/// Which body of a pair is A: the first in the canonical order, so that contacts do not depend on the order in which bodies were added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Roles {
    /// Not looked at yet.
    #[default]
    Unknown,
    /// The one in the smaller slot.
    BySlot,
    /// The other.
    Swapped,
}

impl PairMemory {
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

    /// Its manifolds, for a solver to leave its impulses in.
    pub(crate) fn manifolds_mut(&mut self) -> &mut [PersistentManifold] {
        self.cache.manifolds_mut()
    }
}

/// A pair and the place of its memory; ordered by slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    slots: (u32, u32),
    place: u32,
}

/// The pairs.
#[derive(Clone, Debug, Default)]
pub(super) struct PairList {
    memories: Vec<PairMemory>,
    /// Pairs whose boxes meet, sorted; those before the update; those of them that have parted.
    met: Vec<Entry>,
    before: Vec<Entry>,
    parted: Vec<Entry>,
    /// Pairs of bodies that both rest, sorted.
    dormant: Vec<Entry>,
    /// Places no longer used, for their memory.
    vacant: Vec<u32>,
}

impl PairList {
    /// Of memories that are sorted by slots.
    pub(super) fn of(mut memories: Vec<PairMemory>) -> Self {
        memories.iter_mut().for_each(|memory| memory.is_met = true);
        let entry = |(place, memory): (u32, &PairMemory)| Entry { slots: memory.slots(), place };
        let met = (0..).zip(&memories).map(entry).collect();
        Self { memories, met, ..Self::default() }
    }

    /// Begins an update: what has parted in the last one is forgotten.
    pub(super) fn begin(&mut self) {
        self.vacant.extend(self.parted.drain(..).map(|entry| entry.place));
        for memory in &mut self.memories {
            (memory.is_new, memory.is_due) = (false, memory.is_met);
        }
    }

    /// All memories by place, those of pairs that have parted or wait among them.
    pub(super) fn by_place(&mut self) -> &mut [PairMemory] {
        &mut self.memories
    }

    /// The memory at a place.
    pub(super) fn at(&self, place: usize) -> &PairMemory {
        &self.memories[place]
    }

    /// The same, to be changed.
    pub(super) fn at_mut(&mut self, place: usize) -> &mut PairMemory {
        &mut self.memories[place]
    }

    /// Pairs whose boxes meet with their places, sorted by slots.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &PairMemory)> {
        self.met.iter().map(|entry| (entry.place as usize, &self.memories[entry.place as usize]))
    }

    /// How many places there are.
    pub(super) fn place_count(&self) -> usize {
        self.memories.len()
    }

    /// Slots of the pairs whose places are marked, sorted.
    pub(super) fn slots_of(&self, marked: &[bool]) -> impl Iterator<Item = (u32, u32)> {
        self.met.iter().filter(|entry| marked[entry.place as usize]).map(|entry| entry.slots)
    }

    /// Carries what is remembered over to the pairs that meet `now`, which are sorted. `stirred` if some body may have begun to rest or to
    /// move since the last time; `rests` says who does.
    pub(super) fn match_with(&mut self, now: &[(u32, u32)], stirred: bool, rests: impl Fn(u32) -> bool) {
        let same = |(entry, now): (&Entry, &(u32, u32))| entry.slots == *now;
        if !stirred && self.met.len() == now.len() && self.met.iter().zip(now).all(same) {
            return;
        }
        std::mem::swap(&mut self.met, &mut self.before);
        self.met.clear();
        let both_rest = |entry: &Entry| rests(entry.slots.0) && rests(entry.slots.1);
        if stirred && !self.dormant.is_empty() {
            self.rouse(both_rest);
        }
        let asleep = self.dormant.len();
        let Self { memories, met, before, parted, dormant, vacant } = self;
        let mut known = before.iter().copied().peekable();
        let mut part = |memories: &mut [PairMemory], entry: Entry| {
            let memory = &mut memories[entry.place as usize];
            (memory.is_met, memory.is_due) = (false, false);
            if both_rest(&entry) { dormant.push(entry) } else { parted.push(entry) }
        };
        for &slots in now {
            while let Some(entry) = known.next_if(|entry| entry.slots < slots) {
                part(memories, entry);
            }
            let entry = known.next_if(|entry| entry.slots == slots);
            met.push(entry.unwrap_or_else(|| meet(memories, vacant, slots)));
        }
        known.for_each(|entry| part(memories, entry));
        if dormant.len() > asleep {
            dormant.sort_unstable();
        }
    }

    /// Brings back what is remembered of pairs that no longer rest.
    fn rouse(&mut self, both_rest: impl Fn(&Entry) -> bool) {
        for entry in self.dormant.extract_if(.., |entry| !both_rest(entry)) {
            let memory = &mut self.memories[entry.place as usize];
            (memory.is_new, memory.is_due, memory.is_met) = (false, true, true);
            self.before.push(entry);
        }
        self.before.sort_unstable();
    }

    /// Takes the last update back: what follows is as if it had not been.
    pub(super) fn take_back(&mut self) {
        let Self { memories, met, parted, vacant, .. } = self;
        met.retain(|entry| {
            let memory = &mut memories[entry.place as usize];
            if memory.is_new {
                memory.is_met = false;
                vacant.push(entry.place);
            } else {
                memory.cache.take_back();
            }
            memory.is_met
        });
        parted.iter().for_each(|entry| memories[entry.place as usize].is_met = true);
        met.append(parted);
        met.sort_unstable();
    }

    /// What is remembered from step to step, sorted by slots.
    pub(super) fn memory(&self) -> Vec<PairMemory> {
        let mut all: Vec<Entry> = self.met.iter().chain(&self.dormant).copied().collect();
        all.sort_unstable();
        all.iter().map(|entry| self.memories[entry.place as usize].clone()).collect()
    }

    /// Forgets the pairs of a body.
    pub(super) fn forget(&mut self, slot: u32) {
        for entries in [&mut self.met, &mut self.parted, &mut self.dormant] {
            for entry in entries.extract_if(.., |entry| entry.slots.0 == slot || entry.slots.1 == slot) {
                let memory = &mut self.memories[entry.place as usize];
                (memory.is_met, memory.is_due) = (false, false);
                self.vacant.push(entry.place);
            }
        }
    }
}

/// A pair that is new, in a place that was vacant or behind all others.
fn meet(memories: &mut Vec<PairMemory>, vacant: &mut Vec<u32>, (a, b): (u32, u32)) -> Entry {
    let place = vacant.pop().unwrap_or(memories.len() as u32);
    let flags = (true, true, true);
    if let Some(memory) = memories.get_mut(place as usize) {
        memory.cache.clear();
        (memory.a, memory.b, memory.roles) = (a, b, Roles::Unknown);
        (memory.is_new, memory.is_due, memory.is_met) = flags;
    } else {
        let (is_new, is_due, is_met) = flags;
        let (roles, cache) = (Roles::Unknown, ManifoldCache::default());
        memories.push(PairMemory { a, b, cache, roles, is_new, is_due, is_met });
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

    fn update(list: &mut PairList, now: &[(u32, u32)], stirred: bool, rests: impl Fn(u32) -> bool) {
        list.begin();
        list.match_with(now, stirred, rests);
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
            list.by_place().len() <= 5,
            "{} places for three pairs, one of them new",
            list.by_place().len()
        );
    }

    #[test]
    fn an_update_that_is_taken_back_leaves_the_pairs_there_were() {
        let mut list = PairList::default();
        let before = [(0, 1), (0, 5), (2, 3)];
        update(&mut list, &before, false, |_| false);
        let places = before.map(|slots| place_of(&list, slots));
        update(&mut list, &[(0, 1), (0, 4), (3, 4)], false, |_| false);
        list.take_back();
        assert_eq!(pairs(&list), before);
        let mut marked = vec![false; list.place_count()];
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
        let due = |list: &mut PairList| list.by_place().iter().filter(|memory| memory.is_due).count();
        assert_eq!(due(&mut list), 1);
        assert_eq!(list.memory().iter().map(PairMemory::slots).collect::<Vec<_>>(), [(0, 1), (0, 2)]);
        update(&mut list, &[(0, 1), (0, 2)], true, |_| false);
        assert_eq!((due(&mut list), place_of(&list, (0, 1))), (2, place), "it is as it was");
        list.forget(0);
        assert!(pairs(&list).is_empty() && due(&mut list) == 0);
    }
}
