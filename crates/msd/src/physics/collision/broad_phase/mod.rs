//! Broad phase: pairs of bodies with overlapping bounding boxes.
//!
//! Every bounded shape has a proxy: a fat box in a bounding volume tree. A body may move within its fat box
//! at no cost; only when its box leaves it is the proxy reinserted, enlarged by the expected motion of the
//! body.
//!
//! Fat boxes are stored in a moving frame: the tree's origin moves with the median velocity of all proxies,
//! so a cloud of debris at 7.6 km/s costs as much as the same cloud at rest. Margins follow motion relative
//! to that frame, never absolute motion.
//!
//! Pairs are sorted by id, the same for any history that led to the same boxes.

mod bounding_volume_tree;
mod pair_filter;

pub use bounding_volume_tree::{BoundingVolumeTree, Leaf};
pub use pair_filter::{Filter, PairFilter};

use crate::math::{Coordinate, Vec3};
use crate::physics::rigid_body::shape::Aabb;

/// Margin of a fat box on every side, relative to the longest edge of the tight box. tuned: larger values
/// give fewer reinsertions and more candidate pairs; the optimum is flat.
const FAT_BOX: f64 = 0.1;

/// Steps of motion, relative to the moving frame, that a fat box covers ahead. tuned: as `FAT_BOX`.
const FAT_BOX_STEPS: f64 = 4.0;

/// Proxy of one shape.
#[derive(Clone, Copy, Debug)]
struct Proxy {
    velocity: Vec3,
    /// `None` for an unbounded shape, which is tested against everything.
    leaf: Option<Leaf>,
    /// The box in the tree, in its coordinates.
    fat: Aabb,
}

/// Data for the overlap test of two shapes, stored separately because all of it is read in every step.
#[derive(Clone, Copy, Debug)]
struct ProxyState {
    /// World box including the speculative margin; empty for an unused id.
    tight: Aabb,
    filter: Filter,
    /// True if it was inserted into the tree since the last call of `pairs`.
    moved: bool,
}

impl ProxyState {
    const NONE: Self =
        Self { tight: Aabb::EMPTY, filter: Filter { groups: 0, mask: 0, moves: false }, moved: false };
}

/// Finds the pairs of shapes with overlapping boxes. Ids are small numbers, used as indices.
#[derive(Clone, Debug, Default)]
pub struct BroadPhase {
    tree: BoundingVolumeTree,
    proxies: Vec<Option<Proxy>>,
    present: Vec<ProxyState>,
    unbounded: Vec<u32>,
    filter: PairFilter,
    /// Origin of the moving frame of the tree, and its velocity.
    origin: Coordinate,
    frame_velocity: Vec3,
    /// Pairs of overlapping fat boxes, sorted.
    candidates: Vec<(u32, u32)>,
    moved: Vec<u32>,
    pairs: Vec<(u32, u32)>,
    /// Workspace.
    found: Vec<(u32, u32)>,
    stack: Vec<u32>,
    speeds: Vec<f64>,
    /// Proxies reinserted since the frame velocity was last updated.
    reinserted: usize,
}

impl BroadPhase {
    /// Adds a shape: its world box (including the speculative margin), its velocity and its collision filter.
    /// An existing id is replaced.
    pub fn insert(&mut self, id: u32, tight: Aabb, velocity: Vec3, filter: Filter) {
        self.remove(id);
        let bounded = tight.min.is_finite() && tight.max.is_finite();
        if !bounded {
            let at = self.unbounded.partition_point(|other| *other < id);
            self.unbounded.insert(at, id);
        }
        let fat = self.fattened(&tight, velocity, 0.0);
        let leaf = bounded.then(|| self.tree.insert(fat, id));
        if self.proxies.len() <= id as usize {
            self.proxies.resize(id as usize + 1, None);
            self.present.resize(id as usize + 1, ProxyState::NONE);
        }
        self.proxies[id as usize] = Some(Proxy { velocity, leaf, fat });
        self.present[id as usize] = ProxyState { tight, filter, moved: true };
        self.moved.push(id);
    }

    /// Removes a shape.
    pub fn remove(&mut self, id: u32) {
        let Some(proxy) = self.proxies.get_mut(id as usize).and_then(Option::take) else { return };
        self.present[id as usize] = ProxyState::NONE;
        match proxy.leaf {
            Some(leaf) => self.tree.remove(leaf),
            None => self.unbounded.retain(|other| *other != id),
        }
        self.candidates.retain(|(a, b)| *a != id && *b != id);
        self.moved.retain(|other| *other != id);
    }

    /// Changes the collision filter of a shape, and whether it moves.
    pub fn set_filter(&mut self, id: u32, filter: Filter) {
        if let Some(Some(_)) = self.proxies.get(id as usize) {
            self.present[id as usize].filter = filter;
        }
    }

    /// Pairs that never collide, whatever their filters say.
    pub fn filter_mut(&mut self) -> &mut PairFilter {
        &mut self.filter
    }

    /// The same, read-only.
    #[must_use]
    pub fn filter(&self) -> &PairFilter {
        &self.filter
    }

    /// Advances time by `dt`: moves the frame of the tree.
    pub fn advance(&mut self, dt: f64) {
        self.origin += self.frame_velocity * dt;
    }

    /// Updates the world box and velocity of a shape; `dt` is the time that its fat box should cover.
    pub fn update(&mut self, id: u32, tight: Aabb, velocity: Vec3, dt: f64) {
        let relative = Aabb::new(tight.min - self.origin, tight.max - self.origin);
        let Some(Some(proxy)) = self.proxies.get_mut(id as usize) else { return };
        let present = &mut self.present[id as usize];
        present.tight = tight;
        proxy.velocity = velocity;
        let Some(leaf) = proxy.leaf else { return };
        if proxy.fat.encloses(&relative) {
            return;
        }
        if !present.moved {
            present.moved = true;
            self.moved.push(id);
        }
        let fat = self.fattened(&tight, velocity, dt);
        let leaf = Some(self.tree.relocate(leaf, fat));
        if let Some(Some(proxy)) = self.proxies.get_mut(id as usize) {
            (proxy.leaf, proxy.fat) = (leaf, fat);
        }
    }

    /// All pairs with overlapping boxes and matching filters, sorted, smaller id first.
    pub fn pairs(&mut self) -> &[(u32, u32)] {
        self.find_candidates();
        let mut pairs = std::mem::take(&mut self.pairs);
        pairs.clear();
        pairs.extend(self.candidates.iter().filter(|(a, b)| self.overlap(*a, *b)));
        self.pairs = pairs;
        self.pair_unbounded();
        merge(&mut self.pairs, &mut self.found);
        &self.pairs
    }

    /// The pairs last found by [`BroadPhase::pairs`].
    #[must_use]
    pub fn last_pairs(&self) -> &[(u32, u32)] {
        &self.pairs
    }

    /// Velocity of the moving frame of the tree, m/s.
    #[must_use]
    pub fn frame_velocity(&self) -> Vec3 {
        self.frame_velocity
    }

    /// Number of proxies reinserted into the tree since the last call of `pairs`.
    #[must_use]
    pub fn moved(&self) -> usize {
        self.moved.len()
    }

    /// Updates the frame velocity once half of the proxies have left their boxes under the last one. Call it
    /// once a step, before `pairs`. Bodies that fell together and have come to rest would otherwise be left
    /// behind by a frame that keeps falling: each of them would leave its box again and again, and boxes
    /// would be enlarged for a motion that does not exist.
    pub fn update_frame_velocity(&mut self) {
        self.reinserted += self.moved.len();
        if 2 * self.reinserted > self.proxies.iter().flatten().count() {
            self.follow_median_velocity();
        }
    }

    /// Sets the frame velocity to the median velocity of the proxies.
    pub fn follow_median_velocity(&mut self) {
        self.reinserted = 0;
        let mut median = Vec3::ZERO;
        for axis in 0..3 {
            self.speeds.clear();
            let bounded = self.proxies.iter().flatten().filter(|proxy| proxy.leaf.is_some());
            self.speeds.extend(bounded.map(|proxy| proxy.velocity[axis]));
            if self.speeds.is_empty() {
                return;
            }
            let middle = self.speeds.len() / 2;
            let (_, value, _) = self.speeds.select_nth_unstable_by(middle, f64::total_cmp);
            median[axis] = *value;
        }
        self.frame_velocity = median;
    }

    /// The fat box of a proxy in the frame of the tree, enlarged for the expected motion.
    fn fattened(&self, tight: &Aabb, velocity: Vec3, dt: f64) -> Aabb {
        let size = tight.size().max_element();
        let fat = Aabb::new(tight.min - self.origin, tight.max - self.origin).expanded(FAT_BOX * size);
        let travel = (velocity - self.frame_velocity) * (FAT_BOX_STEPS * dt);
        fat.union(&Aabb::new(fat.min + travel, fat.max + travel))
    }

    /// Updates the candidate pairs of the proxies that moved.
    fn find_candidates(&mut self) {
        if self.moved.is_empty() {
            return;
        }
        self.moved.sort_unstable();
        let Self { tree, proxies, present, candidates, moved, stack, found, .. } = self;
        let has_moved = |id: u32| present[id as usize].moved;
        candidates.retain(|(a, b)| !has_moved(*a) && !has_moved(*b));
        for &id in moved.iter() {
            let Some(proxy) = proxies[id as usize].filter(|proxy| proxy.leaf.is_some()) else { continue };
            tree.overlapping(&proxy.fat, stack, |other| {
                // Two that moved find each other twice; the smaller id keeps the pair.
                let twice = other < id && has_moved(other);
                if other != id && !twice {
                    found.push((id.min(other), id.max(other)));
                }
            });
        }
        merge(candidates, found);
        moved.drain(..).for_each(|id| present[id as usize].moved = false);
    }

    fn pair_unbounded(&mut self) {
        for index in 0..self.unbounded.len() {
            let a = self.unbounded[index];
            for b in 0..self.proxies.len() as u32 {
                // Two unbounded shapes are paired once, in the order of their ids.
                let bounded = self.proxies[b as usize].is_some_and(|proxy| proxy.leaf.is_some());
                if (bounded || b > a) && self.overlap(a, b) {
                    self.found.push((a.min(b), a.max(b)));
                }
            }
        }
    }

    /// True if both exist, may collide, and their tight boxes overlap.
    fn overlap(&self, a: u32, b: u32) -> bool {
        let (at_a, at_b) = (&self.present[a as usize], &self.present[b as usize]);
        at_a.tight.intersects(&at_b.tight) && self.filter.collides(a, &at_a.filter, b, &at_b.filter)
    }
}

/// Merges `found` into a sorted list and clears it. Sorts only the new pairs.
fn merge(list: &mut Vec<(u32, u32)>, found: &mut Vec<(u32, u32)>) {
    found.sort_unstable();
    let mut known = list.len();
    list.extend_from_slice(found);
    let mut place = list.len();
    // From the largest down: known pairs move up, at most once each.
    while let Some(&last) = found.last() {
        place -= 1;
        if known > 0 && list[known - 1] > last {
            known -= 1;
            list[place] = list[known];
        } else {
            list[place] = last;
            found.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn unit_box(at: Vec3) -> Aabb {
        Aabb::new(at - Vec3::splat(0.5), at + Vec3::splat(0.5))
    }

    fn brute_force(boxes: &[Aabb]) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for a in 0..boxes.len() {
            for b in a + 1..boxes.len() {
                if boxes[a].intersects(&boxes[b]) {
                    pairs.push((a as u32, b as u32));
                }
            }
        }
        pairs
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn merging_sorts(
            mut list in prop::collection::vec((0..9_u32, 0..9_u32), 0..20),
            mut found in prop::collection::vec((0..9_u32, 0..9_u32), 0..20),
        ) {
            list.sort_unstable();
            let mut all = [list.as_slice(), found.as_slice()].concat();
            all.sort_unstable();
            merge(&mut list, &mut found);
            prop_assert_eq!(list, all);
            prop_assert!(found.is_empty());
        }

        #[test]
        fn pairs_are_those_of_brute_force_while_everything_moves(
            start in prop::collection::vec((-4.0..4.0_f64, -4.0..4.0_f64, -4.0..4.0_f64), 2..40),
            speeds in prop::collection::vec((-3.0..3.0_f64, -3.0..3.0_f64, -3.0..3.0_f64), 40),
            common in 0.0..8000.0_f64
        ) {
            let dt = 0.05;
            let frame_velocity = Vec3::X * common;
            let mut at: Vec<Vec3> = start.iter().map(|(x, y, z)| Vec3::new(*x, *y, *z)).collect();
            let velocity: Vec<Vec3> = speeds.iter().map(|(x, y, z)| Vec3::new(*x, *y, *z) + frame_velocity).collect();
            let mut broad = BroadPhase::default();
            for (id, x) in at.iter().enumerate() {
                broad.insert(id as u32, unit_box(*x), velocity[id], Filter::default());
            }
            broad.follow_median_velocity();
            for _step in 0..20 {
                broad.advance(dt);
                for (id, x) in at.iter_mut().enumerate() {
                    *x += velocity[id] * dt;
                    broad.update(id as u32, unit_box(*x), velocity[id], dt);
                }
                let boxes: Vec<Aabb> = at.iter().map(|x| unit_box(*x)).collect();
                prop_assert_eq!(broad.pairs(), &brute_force(&boxes)[..]);
            }
        }
    }

    #[test]
    fn bodies_moving_together_at_orbital_speed_cost_what_bodies_at_rest_cost() {
        let reinsertions = |velocity: Vec3| {
            let mut broad = BroadPhase::default();
            let mut at: Vec<Vec3> = (0..100).map(|i| Vec3::new(3.0 * f64::from(i), 0.0, 7e6)).collect();
            for (id, x) in at.iter().enumerate() {
                broad.insert(id as u32, unit_box(*x), velocity, Filter::default());
            }
            broad.follow_median_velocity();
            broad.pairs();
            let mut count = 0;
            for _ in 0..1000 {
                broad.advance(0.01);
                for (id, x) in at.iter_mut().enumerate() {
                    *x += velocity * 0.01;
                    broad.update(id as u32, unit_box(*x), velocity, 0.01);
                }
                count += broad.moved();
                broad.pairs();
            }
            count
        };
        assert_eq!(reinsertions(Vec3::ZERO), 0);
        assert_eq!(reinsertions(Vec3::Y * 7600.0), 0);
    }

    /// A hundred bodies fall side by side at 5 m/s and lie still from then on.
    #[test]
    fn bodies_that_have_landed_are_not_left_behind_by_the_drift() {
        let mut broad = BroadPhase::default();
        let mut at: Vec<Vec3> = (0..100).map(|i| Vec3::X * (3.0 * f64::from(i))).collect();
        for (id, x) in at.iter().enumerate() {
            broad.insert(id as u32, unit_box(*x), Vec3::ZERO, Filter::default());
        }
        let mut step = |velocity: Vec3| {
            broad.advance(0.01);
            for (id, x) in at.iter_mut().enumerate() {
                *x += velocity * 0.01;
                broad.update(id as u32, unit_box(*x), velocity, 0.01);
            }
            broad.update_frame_velocity();
            let moved = broad.moved();
            broad.pairs();
            moved
        };
        let falling: usize = (0..100).map(|_| step(Vec3::Z * -5.0)).sum();
        let landing: usize = (0..20).map(|_| step(Vec3::ZERO)).sum();
        let lying: usize = (0..1000).map(|_| step(Vec3::ZERO)).sum();
        assert!(falling <= 200, "{falling} inserted anew while they fell");
        assert!(landing <= 300, "{landing} inserted anew when they landed");
        assert_eq!(lying, 0);
    }

    #[test]
    fn the_ground_meets_everything_it_is_not_filtered_from() {
        let mut broad = BroadPhase::default();
        broad.insert(0, Aabb::EVERYWHERE, Vec3::ZERO, Filter::fixed());
        broad.insert(1, unit_box(Vec3::ZERO), Vec3::ZERO, Filter::default());
        broad.insert(2, unit_box(Vec3::X * 100.0), Vec3::ZERO, Filter::default());
        broad.insert(3, unit_box(Vec3::Y * 100.0), Vec3::ZERO, Filter::fixed());
        assert_eq!(broad.pairs(), &[(0, 1), (0, 2)], "two fixed shapes never collide");
        broad.filter_mut().exclude(2, 0);
        assert_eq!(broad.pairs(), &[(0, 1)]);
        broad.remove(1);
        assert!(broad.pairs().is_empty());
    }
}
