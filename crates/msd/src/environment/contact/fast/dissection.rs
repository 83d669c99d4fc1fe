//! Nested dissection of a batch: orders bodies and contacts so that halves of a large island are solved in parallel.
//!
//! Nested dissection (George 1973) by position: movable bodies are bisected at the median along the axis of largest
//! extent, recursively, until a leaf has some hundred manifolds. Contacts within a leaf belong to it; contacts
//! between two leaves belong to the smallest region that contains both. The cuts depend on bodies and contacts alone,
//! never on threads.
//!
//! Regions are numbered in post-order, each after its two halves: leaf l is region `2 l - ones(l)`, with the number
//! of ones in the binary digits of l, and the region h levels above a leaf that is its last has h more.
//!
//! Bodies of a leaf are contiguous: a dummy for lanes without a contact, copies of the static bodies that the leaf
//! touches, and the movable bodies.

use std::ops::Range;

use super::super::contact_constraint::ContactConstraint;
use super::super::contacts::FreeFlight;
use super::super::joint_row::JointRows;
use super::island_batch::{ContactSource, IslandBatch, PairContacts, WORLD};
use crate::math::Vec3;
use crate::physics::collision::MAX_POINTS;
use crate::physics::rigid_body::InertialState;

/// Approximate limit of manifolds in a leaf. tuned.
const LEAF: usize = 512;

/// The tree of regions of a batch.
#[derive(Clone, Debug, Default)]
pub(super) struct Dissection {
    leaves: usize,
    /// End of the movable bodies of each leaf.
    ends: Vec<usize>,
    /// End of the contacts of each region.
    contacts: Vec<usize>,
    /// Static bodies: slot, leaf, index; sorted.
    fixed: Vec<(u32, u32, u32)>,
    /// Bodies of a leaf, by index.
    bodies: Vec<Range<usize>>,
    sorted: Vec<PairContacts>,
}

impl Dissection {
    /// The leaf that is this region, if any.
    pub(super) fn leaf(&self, region: usize) -> Option<u32> {
        (0..self.leaves as u32).find(|leaf| region_of_leaf(*leaf) == region)
    }
}

fn region_of_leaf(leaf: u32) -> usize {
    (2 * leaf - leaf.count_ones()) as usize
}

/// The smallest region that contains two leaves.
fn region_over(a: u32, b: u32) -> usize {
    let height = 32 - (a ^ b).leading_zeros();
    region_of_leaf(a | ((1 << height) - 1)) + height as usize
}

/// Leaves of a batch with this number of manifolds: a power of two.
fn leaves_for(manifolds: usize) -> usize {
    manifolds.div_ceil(LEAF).next_power_of_two()
}

/// Bisects bodies until there are `leaves` leaves; stores the end of each.
fn bisect(
    movers: &mut [u32],
    leaves: usize,
    (states, ranks): (&[InertialState], &[u32]),
    first: usize,
    ends: &mut Vec<usize>,
) {
    let rank = |slot: u32| ranks[slot as usize];
    if leaves == 1 {
        movers.sort_unstable_by_key(|slot| rank(*slot));
        ends.push(first + movers.len());
        return;
    }
    let middle = movers.len() / 2;
    let place = |slot: u32| states[slot as usize].center_of_mass;
    let (low, high) = movers
        .iter()
        .map(|slot| place(*slot))
        .fold((Vec3::splat(f64::INFINITY), Vec3::splat(f64::NEG_INFINITY)), |(low, high), at| {
            (low.min(at), high.max(at))
        });
    let extent = high - low;
    let axis = if extent.x >= extent.y && extent.x >= extent.z {
        0
    } else if extent.y >= extent.z {
        1
    } else {
        2
    };
    if middle < movers.len() {
        movers.select_nth_unstable_by(middle, |a, b| {
            place(*a)[axis].total_cmp(&place(*b)[axis]).then_with(|| rank(*a).cmp(&rank(*b)))
        });
    }
    let (one, other) = movers.split_at_mut(middle);
    bisect(one, leaves / 2, (states, ranks), first, ends);
    bisect(other, leaves / 2, (states, ranks), first + middle, ends);
}

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
        (joints, ranks): (&JointRows, &[u32]),
        local: &mut [u32],
        mut root: impl FnMut(usize) -> usize,
    ) {
        let Self { movers, dissection, .. } = self;
        dissection.leaves = leaves_for(self.load);
        dissection.ends.clear();
        if dissection.leaves == 1 {
            dissection.ends.push(movers.len());
        } else {
            bisect(movers, dissection.leaves, (flight.before, ranks), 0, &mut dissection.ends);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::scalar;

    #[test]
    fn each_region_follows_its_two_halves() {
        let regions: Vec<usize> = (0..4).map(region_of_leaf).collect();
        assert_eq!(regions, [0, 1, 3, 4]);
        assert_eq!(
            [region_over(0, 1), region_over(2, 3), region_over(1, 2), region_over(0, 3)],
            [2, 5, 6, 6]
        );
        assert_eq!(
            (0..64).map(|leaf| region_over(leaf, leaf)).collect::<Vec<_>>(),
            (0..64).map(region_of_leaf).collect::<Vec<_>>()
        );
    }

    #[test]
    fn bodies_are_cut_at_the_median_of_the_longest_extent() {
        let states: Vec<InertialState> = (0..103_u32)
            .map(|k| InertialState {
                center_of_mass: Vec3::new(f64::from(k * 37 % 103), f64::from(k % 5), 0.1 * f64::from(k % 7)),
                ..InertialState::default()
            })
            .collect();
        let mut movers: Vec<u32> = (0..103).rev().collect();
        let mut ends = Vec::new();
        let ranks: Vec<u32> = (0..103).collect();
        bisect(&mut movers, 4, (&states, &ranks), 0, &mut ends);
        assert_eq!(ends, [25, 51, 77, 103]);
        let mut first = 0;
        let mut reached = f64::NEG_INFINITY;
        for end in ends {
            let places = movers[first..end].iter().map(|slot| states[*slot as usize].center_of_mass.x);
            let (low, high) =
                places.fold((f64::MAX, f64::MIN), |(a, b), x| (scalar::min(a, x), scalar::max(b, x)));
            assert!(low > reached, "leaves lie side by side");
            (reached, first) = (high, end);
        }
    }
}
