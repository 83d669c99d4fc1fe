//! Order of the bodies and contacts of a batch, by the regions of its dissection.

use super::super::contact_constraint::ContactConstraint;
use super::super::free_flight::FreeFlight;
use super::super::joint_row::JointRows;
use super::dissection::{Bisection, Dissection, leaves_for, region_of_leaf, region_over};
use super::island_batch::IslandBatch;
use super::pair_contacts::{ContactSource, PairContacts, WORLD};
use crate::physics::collision::MAX_POINTS;

impl IslandBatch {
    /// Lists the contact constraints of an island, by the ranks of their bodies.
    pub(super) fn list_candidates(
        &mut self,
        candidates: &[ContactConstraint],
        mut first: usize,
        ranks: &[u32],
    ) {
        let same = |a: &ContactConstraint, b: &ContactConstraint| {
            let key = |c: &ContactConstraint| (c.a, c.b, c.origin.pair, c.origin.manifold, c.is_remembered());
            key(a) == key(b)
        };
        for together in candidates.chunk_by(same) {
            for group in together.chunks(MAX_POINTS) {
                let (slots, count) = ([group[0].a as u32, group[0].b as u32], group.len() as u32);
                let found = ContactSource::Candidates { first: first as u32, count };
                self.contacts.push(PairContacts { slots, found });
                first += group.len();
                self.load += 1;
            }
        }
        self.contacts.sort_unstable_by_key(|contacts| {
            let ContactSource::Candidates { first, .. } = contacts.found else { unreachable!() };
            (contacts.slots.map(|slot| ranks[slot as usize]), first)
        });
    }

    /// Builds the tree of regions, orders bodies and contacts by it, and numbers the bodies; `local` is the index of
    /// movable bodies by slot, and `root` is the slot of the body that represents a connected group.
    pub(super) fn dissect(
        &mut self,
        flight: &FreeFlight<'_>,
        joints: &JointRows,
        ranks: &[u32],
        local: &mut [u32],
        mut root: impl FnMut(usize) -> usize,
    ) {
        let Self { movers, dissection, .. } = self;
        dissection.leaves = leaves_for(self.load);
        dissection.ends.clear();
        if dissection.leaves == 1 {
            dissection.ends.push(movers.len());
        } else {
            Bisection { states: flight.before, ranks }.bisect(
                movers,
                dissection.leaves,
                0,
                &mut dissection.ends,
            );
        }
        let mut first = 0;
        for (leaf, end) in dissection.ends.iter().enumerate() {
            movers[first..*end].iter().for_each(|slot| local[*slot as usize] = leaf as u32);
            first = *end;
        }
        let moves = |slot: u32| flight.inertias[slot as usize].is_movable();
        self.find_fixed(joints, moves, local);
        self.sort_contacts(moves, local);
        self.number_bodies(local);
        let Self { slots, roots, .. } = self;
        roots.clear();
        roots.extend(slots.iter().enumerate().map(|(index, slot)| match slot {
            slot if *slot != WORLD && moves(*slot as u32) => local[root(*slot)],
            _ => index as u32,
        }));
    }

    /// Lists static bodies with contacts or joints; `local` has the leaves of the others.
    fn find_fixed(&mut self, joints: &JointRows, moves: impl Fn(u32) -> bool, local: &[u32]) {
        let Self { contacts, dissection, .. } = self;
        let fixed = &mut dissection.fixed;
        fixed.clear();
        let mut add_fixed = |[a, b]: [u32; 2]| {
            for (slot, other) in [(a, b), (b, a)] {
                if !moves(slot) && moves(other) {
                    fixed.push((slot, local[other as usize], 0));
                }
            }
        };
        contacts.iter().for_each(|contacts| add_fixed(contacts.slots));
        for number in &self.joints {
            if let [Some(a), Some(b)] = joints.places[*number as usize].slots {
                add_fixed([a as u32, b as u32]);
            }
        }
        fixed.sort_unstable();
        fixed.dedup();
    }

    /// Sorts contacts by region (counting sort, stable).
    fn sort_contacts(&mut self, moves: impl Fn(u32) -> bool, local: &[u32]) {
        let Self { contacts, dissection: Dissection { leaves, contacts: ends, sorted, .. }, .. } = self;
        ends.clear();
        if *leaves == 1 {
            ends.push(contacts.len());
            return;
        }
        let region = |contacts: &PairContacts| {
            let [a, b] = contacts.slots;
            match (moves(a), moves(b)) {
                (true, true) => region_over(local[a as usize], local[b as usize]),
                (true, false) => region_of_leaf(local[a as usize]),
                _ => region_of_leaf(local[b as usize]),
            }
        };
        ends.resize(2 * *leaves - 1, 0);
        contacts.iter().for_each(|contacts| ends[region(contacts)] += 1);
        let mut sum = 0;
        for end in ends.iter_mut() {
            sum += std::mem::replace(end, sum);
        }
        sorted.clone_from(contacts);
        for found in sorted.iter() {
            let place = &mut ends[region(found)];
            contacts[*place] = *found;
            *place += 1;
        }
    }

    /// Numbers the bodies, and sets the body ranges of the regions.
    fn number_bodies(&mut self, local: &mut [u32]) {
        let Self { dissection, solver, slots, movers, .. } = self;
        let Dissection { leaves, ends, fixed, bodies, .. } = dissection;
        solver.begin(*leaves);
        slots.clear();
        bodies.clear();
        let mut first = 0;
        for (leaf, end) in ends.iter().enumerate() {
            let begin = slots.len();
            slots.push(WORLD);
            for (slot, _, index) in fixed.iter_mut().filter(|(_, of, _)| *of == leaf as u32) {
                *index = slots.len() as u32;
                slots.push(*slot as usize);
            }
            for slot in &movers[first..*end] {
                local[*slot as usize] = slots.len() as u32;
                slots.push(*slot as usize);
            }
            first = *end;
            bodies.push(begin..slots.len());
        }
        let regions = solver.regions_mut();
        let mut width = 1;
        while width <= *leaves {
            for leaf in (width - 1..*leaves).step_by(width) {
                let own = region_of_leaf(leaf as u32) + width.trailing_zeros() as usize;
                regions[own].begin(bodies[leaf + 1 - width].start..bodies[leaf].end);
            }
            width *= 2;
        }
    }

    /// The contacts of a region.
    pub(super) fn contacts_of(&self, region: usize) -> &[PairContacts] {
        let ends = &self.dissection.contacts;
        &self.contacts[if region > 0 { ends[region - 1] } else { 0 }..ends[region]]
    }

    /// Index of a body; `local` has those of movable bodies; a static body is that of the given leaf, or of any.
    pub(super) fn index_of(&self, slot: usize, leaf: Option<u32>, local: &[u32]) -> u32 {
        let fixed = &self.dissection.fixed;
        let key = (slot as u32, leaf.unwrap_or(0));
        let place = fixed.partition_point(|(slot, leaf, _)| (*slot, *leaf) < key);
        match fixed.get(place) {
            Some((known, _, index)) if *known == key.0 => *index,
            _ => local[slot],
        }
    }
}
