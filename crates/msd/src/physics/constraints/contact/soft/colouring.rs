//! Colours: contacts of one colour share no movable body, so their order does not matter.
//!
//! Greedy, in the given order: the first colour free on both bodies. Contacts with a static body are coloured
//! separately and solved last, so that the ground is enforced last. A contact without a free colour is solved alone.
//! Within a colour contacts are sorted by their number of points, so that chunks are full.

use std::ops::Range;

use super::manifold::SoftManifold;
use crate::math::wide_lanes::WIDE;

/// Colours of either kind.
const COLOURS: u32 = 60;
/// Stands for no colour.
const ALONE: u32 = 63;
/// Begins the colours of contacts with immovable bodies.
const STATIC: u32 = 64;
const MOST_POINTS: u32 = 8;

/// The order in which manifolds are solved.
#[derive(Clone, Debug, Default)]
pub(super) struct Colouring {
    /// Numbers of manifolds in order.
    pub(super) order: Vec<u32>,
    /// Colour and points of each, by number.
    keys: Vec<u32>,
    taken: Vec<[u64; 2]>,
    counts: Vec<u32>,
}

impl Colouring {
    /// Colours from scratch. The bodies of the manifolds are in the range.
    pub(super) fn assign(
        &mut self,
        manifolds: &[SoftManifold],
        movable: impl Fn(u32) -> bool,
        bodies: Range<usize>,
    ) {
        self.taken.clear();
        self.taken.resize(bodies.len(), [0; 2]);
        self.keys.clear();
        self.counts.clear();
        self.counts.resize((2 * STATIC * 16) as usize, 0);
        for manifold in manifolds {
            let [a, b] = [manifold.body_a, manifold.body_b].map(|index| index as usize - bodies.start);
            let (moves_a, moves_b) = (movable(manifold.body_a), movable(manifold.body_b));
            let kind = usize::from(!(moves_a && moves_b));
            let of = |moves: bool, body: usize| if moves { self.taken[body][kind] } else { 0 };
            let colour = (of(moves_a, a) | of(moves_b, b)).trailing_ones();
            let colour = if colour < COLOURS { colour } else { ALONE };
            for (moves, body) in [(moves_a, a), (moves_b, b)] {
                if moves && colour != ALONE {
                    self.taken[body][kind] |= 1 << colour;
                }
            }
            let key =
                ((kind as u32 * STATIC + colour) << 4) | (MOST_POINTS - manifold.count.min(MOST_POINTS));
            self.keys.push(key);
            self.counts[key as usize] += 1;
        }
        self.sort();
    }

    fn sort(&mut self) {
        let mut sum = 0;
        for count in &mut self.counts {
            sum += std::mem::replace(count, sum);
        }
        self.order.clear();
        self.order.resize(self.keys.len(), 0);
        for (number, key) in self.keys.iter().enumerate() {
            let place = &mut self.counts[*key as usize];
            self.order[*place as usize] = number as u32;
            *place += 1;
        }
    }

    /// The order in groups of at most eight that may be solved at once.
    pub(super) fn groups(&self) -> impl Iterator<Item = &[u32]> {
        let mut rest = self.order.as_slice();
        std::iter::from_fn(move || {
            let first = *rest.first()?;
            let colour = self.keys[first as usize] >> 4;
            let most = if colour % STATIC == ALONE { 1 } else { WIDE };
            let same = |number: &&u32| self.keys[**number as usize] >> 4 == colour;
            let length = rest.iter().take(most).take_while(same).count();
            let (group, after) = rest.split_at(length);
            rest = after;
            Some(group)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::manifold::Source;
    use super::*;
    use crate::math::{Mat3, Vec3};
    use crate::physics::rigid_body::Material;

    fn manifold(body_a: u32, body_b: u32, count: u32) -> SoftManifold {
        let material = Material::default();
        SoftManifold {
            source: Source::Uncached { pair: 0 },
            body_a,
            body_b,
            frame: Mat3::IDENTITY,
            between: Vec3::ZERO,
            material,
            surface_velocity: Vec3::ZERO,
            first: 0,
            count,
        }
    }

    #[test]
    fn no_two_of_a_group_share_a_movable_body_and_the_ground_comes_last() {
        // Body 0 is the ground. A wall of bodies 1..100, each touching the next two.
        let mut manifolds = Vec::new();
        for k in 1..98 {
            manifolds.push(manifold(0, k, 4));
            manifolds.push(manifold(k, k + 1, 1 + k % 8));
            manifolds.push(manifold(k, k + 2, 4));
        }
        let mut colouring = Colouring::default();
        colouring.assign(&manifolds, |body| body != 0, 0..100);
        let mut seen = vec![false; manifolds.len()];
        let mut ground = false;
        for group in colouring.groups() {
            let mut bodies = Vec::new();
            for &number in group {
                assert!(!std::mem::replace(&mut seen[number as usize], true), "once");
                let m = &manifolds[number as usize];
                bodies.extend([m.body_a, m.body_b].into_iter().filter(|b| *b != 0));
                assert!(m.body_a == 0 || !ground);
                ground |= m.body_a == 0;
            }
            let count = bodies.len();
            bodies.sort_unstable();
            bodies.dedup();
            assert_eq!(bodies.len(), count);
        }
        assert!(seen.iter().all(|seen| *seen));
        assert!(colouring.groups().count() < manifolds.len() / 3, "most groups are full");
    }

    #[test]
    fn contacts_beyond_the_colours_are_solved_alone() {
        let manifolds: Vec<SoftManifold> = (2..90).map(|k| manifold(1, k, 4)).collect();
        let mut colouring = Colouring::default();
        colouring.assign(&manifolds, |_| true, 0..90);
        assert!(colouring.groups().all(|group| group.len() == 1));
        assert_eq!(colouring.groups().count(), manifolds.len());
    }
}
