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

use super::pair_contacts::PairContacts;
use crate::math::Vec3;
use crate::physics::rigid_body::InertialState;

/// Approximate limit of manifolds in a leaf. tuned.
const LEAF: usize = 512;

/// The tree of regions of a batch.
#[derive(Clone, Debug, Default)]
pub(super) struct Dissection {
    pub(super) leaves: usize,
    /// End of the movable bodies of each leaf.
    pub(super) ends: Vec<usize>,
    /// End of the contacts of each region.
    pub(super) contacts: Vec<usize>,
    /// Static bodies: slot, leaf, index; sorted.
    pub(super) fixed: Vec<(u32, u32, u32)>,
    /// Bodies of a leaf, by index.
    pub(super) bodies: Vec<Range<usize>>,
    pub(super) sorted: Vec<PairContacts>,
}

impl Dissection {
    /// The leaf that is this region, if any.
    pub(super) fn leaf(&self, region: usize) -> Option<u32> {
        (0..self.leaves as u32).find(|leaf| region_of_leaf(*leaf) == region)
    }
}

pub(super) fn region_of_leaf(leaf: u32) -> usize {
    (2 * leaf - leaf.count_ones()) as usize
}

/// The smallest region that contains two leaves.
pub(super) fn region_over(a: u32, b: u32) -> usize {
    let height = 32 - (a ^ b).leading_zeros();
    region_of_leaf(a | ((1 << height) - 1)) + height as usize
}

/// Leaves of a batch with this number of manifolds: a power of two.
pub(super) fn leaves_for(manifolds: usize) -> usize {
    manifolds.div_ceil(LEAF).next_power_of_two()
}

/// The bodies that are bisected, by slot.
#[derive(Clone, Copy)]
pub(super) struct Bisection<'a> {
    pub(super) states: &'a [InertialState],
    /// Canonical order of the bodies.
    pub(super) ranks: &'a [u32],
}

impl Bisection<'_> {
    /// Bisects bodies until there are `leaves` leaves; stores the end of each, counted from `first`.
    pub(super) fn bisect(self, movers: &mut [u32], leaves: usize, first: usize, ends: &mut Vec<usize>) {
        let rank = |slot: u32| self.ranks[slot as usize];
        if leaves == 1 {
            movers.sort_unstable_by_key(|slot| rank(*slot));
            ends.push(first + movers.len());
            return;
        }
        let middle = movers.len() / 2;
        let position = |slot: u32| self.states[slot as usize].center_of_mass;
        let (low, high) = movers
            .iter()
            .map(|slot| position(*slot))
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
                position(*a)[axis].total_cmp(&position(*b)[axis]).then_with(|| rank(*a).cmp(&rank(*b)))
            });
        }
        let (one, other) = movers.split_at_mut(middle);
        self.bisect(one, leaves / 2, first, ends);
        self.bisect(other, leaves / 2, first + middle, ends);
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
        Bisection { states: &states, ranks: &ranks }.bisect(&mut movers, 4, 0, &mut ends);
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
