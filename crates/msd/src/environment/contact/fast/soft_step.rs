//! `FastTier`: divides contacts into batches that share no movable body, and solves the batches on all threads.
//!
//! The division depends on the contacts alone: islands in the order of their first pairs, as many to a batch as fill
//! it. Pairs and joints are in the canonical order of their bodies
//! ([`BodyOrder`](super::super::body_order::BodyOrder)), so that results do not depend on slots. A small batch stays
//! in the cache while its substeps sweep over it.

use std::cmp::Reverse;

use super::super::contact_constraint::ContactConstraint;
use super::super::free_flight::FreeFlight;
use super::super::impacts::ContactWork;
use super::super::joint_row::JointRows;
use super::super::report::ContactReport;
use super::fast_step::FastStep;
use super::island_batch::IslandBatch;
use super::pair_contacts::{ContactSource, PairContacts};
use super::write_back::TouchingPoint;
use crate::environment::union_find::UnionFind;
use crate::physics::collision::CollisionDetector;
use crate::physics::constraints::JointPlace;
use crate::physics::constraints::contact::ContactProblemError;
use crate::threads::{Divisible, MANIFOLDS_A_TASK};

const NONE: u32 = u32::MAX;

/// Least number of manifolds in a batch of islands; an island is never divided. tuned.
const MANIFOLDS_A_BATCH: usize = 4 * MANIFOLDS_A_TASK;

/// Joint rows that cost about as much as a manifold. tuned.
const ROWS_A_MANIFOLD: usize = 6;

/// Workspace of the fast tier; no result depends on it.
#[derive(Clone, Debug, Default)]
pub(in crate::environment) struct FastTier {
    batches: Vec<IslandBatch>,
    /// Batches in use in this step, and in the previous one.
    used: usize,
    used_previous: usize,
    /// Connected groups of bodies, by slot.
    union_find: UnionFind,
    /// Manifolds of a group, and its batch, by root.
    loads: Vec<u32>,
    batch_of: Vec<u32>,
    /// Index of a slot in its batch.
    local: Vec<u32>,
    found: Vec<TouchingPair>,
    /// Pairs before sorting, and ends of the pairs of each body A, by rank.
    unsorted: Vec<TouchingPair>,
    ends: Vec<u32>,
    /// Numbers of the joints in the order of their bodies.
    joint_order: Vec<u32>,
    /// By pair of the detector.
    touching: Vec<bool>,
}

/// A pair with contacts.
#[derive(Clone, Copy, Debug)]
struct TouchingPair {
    contacts: PairContacts,
    /// The movable slot of the two.
    mover: u32,
    manifolds: u32,
}

impl FastTier {
    /// Starts a step of a world with so many slots.
    pub(in crate::environment::contact) fn begin(&mut self, slots: usize) {
        self.used = 0;
        self.found.clear();
        self.batch_of.clear();
        self.batch_of.resize(slots, NONE);
        self.local.clear();
        self.local.resize(slots, NONE);
    }

    /// Swaps the results with those of the previous step: before a step, and again if it fails.
    pub(in crate::environment::contact) fn swap_buffers(&mut self) {
        std::mem::swap(&mut self.used, &mut self.used_previous);
        self.batches.iter_mut().for_each(IslandBatch::swap_buffers);
    }

    /// True without contacts and rows.
    pub(in crate::environment::contact) fn is_idle(&self) -> bool {
        self.used == 0
    }

    /// True if joint rows were solved.
    pub(in crate::environment::contact) fn has_rows(&self) -> bool {
        self.batches().iter().any(|batch| !batch.rows.is_empty() || !batch.points.is_empty())
    }

    fn batches(&self) -> &[IslandBatch] {
        &self.batches[..self.used]
    }

    /// A new batch.
    fn next_batch(&mut self) -> &mut IslandBatch {
        if self.batches.len() == self.used {
            self.batches.push(IslandBatch::default());
        }
        self.used += 1;
        let batch = &mut self.batches[self.used - 1];
        batch.begin();
        batch
    }

    /// Divides the contacts of the detector and the rows of marked bodies into batches.
    pub(in crate::environment::contact) fn divide(
        &mut self,
        detector: &CollisionDetector,
        joints: &JointRows,
        marked: &[bool],
        ranks: &[u32],
        flight: &FreeFlight<'_>,
    ) {
        let inertias = flight.inertias;
        self.begin(inertias.len());
        self.union_find.reset(inertias.len());
        let moves = |slot: usize| inertias[slot].is_movable();
        for pair in detector.contacts() {
            let mover = if moves(pair.a) { pair.a } else { pair.b };
            if !moves(mover) {
                continue;
            }
            if moves(pair.a) && moves(pair.b) {
                self.union_find.union(pair.a, pair.b);
            }
            let slots = [pair.a as u32, pair.b as u32];
            self.found.push(TouchingPair {
                contacts: PairContacts { slots, found: ContactSource::Pair(pair.index as u32) },
                mover: mover as u32,
                manifolds: pair.manifolds.len() as u32,
            });
        }
        if self.found.is_empty() && joints.places.is_empty() {
            return;
        }
        // Joints held in free flight are left out, even if a contact detected later touches their bodies.
        let takes_part = |slot: &usize| moves(*slot) && marked.get(*slot) == Some(&true);
        for place in &joints.places {
            if let [Some(a), Some(b)] = place.slots.map(|end| end.filter(takes_part)) {
                self.union_find.union(a, b);
            }
        }
        self.sort_found(ranks);
        self.sort_joints(joints, ranks);
        self.assign_contacts(moves);
        self.assign_joints(joints, marked, moves);
        let union_find = &mut self.union_find;
        for batch in &mut self.batches[..self.used] {
            batch.dissect(flight, joints, ranks, &mut self.local, |slot| union_find.root(slot));
        }
    }

    /// Sorts pairs by the ranks of their bodies: counting sort by A, then by B.
    fn sort_found(&mut self, ranks: &[u32]) {
        let key = |found: &TouchingPair| found.contacts.slots.map(|slot| ranks[slot as usize]);
        if self.found.is_sorted_by_key(key) {
            return;
        }
        let Self { found, unsorted, ends, .. } = self;
        std::mem::swap(found, unsorted);
        ends.clear();
        ends.resize(ranks.len(), 0);
        unsorted.iter().for_each(|found| ends[key(found)[0] as usize] += 1);
        let mut sum = 0;
        for end in ends.iter_mut() {
            sum += std::mem::replace(end, sum);
        }
        found.clone_from(unsorted);
        for pair in unsorted.iter() {
            let place = &mut ends[key(pair)[0] as usize];
            found[*place as usize] = *pair;
            *place += 1;
        }
        for same in found.chunk_by_mut(|a, b| key(a)[0] == key(b)[0]) {
            same.sort_unstable_by_key(key);
        }
    }

    /// Sorts joints by the ranks of their bodies; joints between the same two keep their order.
    fn sort_joints(&mut self, joints: &JointRows, ranks: &[u32]) {
        self.joint_order.clear();
        self.joint_order.extend(0..joints.places.len() as u32);
        self.joint_order.sort_unstable_by_key(|number| {
            let [a, b] = joints.places[*number as usize].slots.map(|end| end.map(|slot| ranks[slot]));
            // By the larger rank, as in chains or nets built joint by joint: sweeps then go outwards.
            (a.max(b), Reverse(a.min(b)), *number)
        });
    }

    /// Assigns every pair to the batch of its group.
    fn assign_contacts(&mut self, moves: impl Fn(usize) -> bool) {
        self.loads.clear();
        self.loads.resize(self.batch_of.len(), 0);
        for found in &self.found {
            self.loads[self.union_find.root(found.mover as usize)] += found.manifolds;
        }
        for nth in 0..self.found.len() {
            let found = self.found[nth];
            let root = self.union_find.root(found.mover as usize);
            self.settle(root, self.loads[root] as usize);
            let batch = &mut self.batches[self.batch_of[root] as usize];
            batch.contacts.push(found.contacts);
            for slot in found.contacts.slots {
                assign_body(batch, &mut self.local, slot as usize, &moves);
            }
        }
    }

    /// Assigns a group to a batch, unless it has one.
    fn settle(&mut self, root: usize, load: usize) {
        if self.batch_of[root] == NONE {
            let full = self
                .batches()
                .last()
                .is_none_or(|batch| batch.load > 0 && batch.load + load > MANIFOLDS_A_BATCH);
            if full {
                self.next_batch();
            }
            self.batch_of[root] = self.used as u32 - 1;
            self.batches[self.used - 1].load += load;
        }
    }

    /// Assigns joints to the batches of their groups; groups without contacts only if they are `marked`, since free
    /// flight has held all others.
    fn assign_joints(&mut self, joints: &JointRows, marked: &[bool], moves: impl Fn(usize) -> bool) {
        let mover = |place: &JointPlace| place.slots.into_iter().flatten().find(|slot| moves(*slot));
        let is_marked = |slot: &usize| marked.get(*slot) == Some(&true);
        self.loads.fill(0);
        for place in &joints.places {
            let Some(slot) = mover(place) else { continue };
            self.loads[self.union_find.root(slot)] += place.rows;
        }
        for nth in 0..self.joint_order.len() {
            let number = self.joint_order[nth] as usize;
            let place = &joints.places[number];
            let Some(slot) = mover(place).filter(is_marked) else { continue };
            let root = self.union_find.root(slot);
            // About as much work as a manifold.
            self.settle(root, self.loads[root] as usize / ROWS_A_MANIFOLD);
            self.push_joint(self.batch_of[root] as usize, number, place.slots, &moves);
        }
    }

    fn push_joint(
        &mut self,
        batch: usize,
        number: usize,
        ends: [Option<usize>; 2],
        moves: impl Fn(usize) -> bool,
    ) {
        let batch = &mut self.batches[batch];
        batch.joints.push(number as u32);
        ends.into_iter().flatten().for_each(|slot| assign_body(batch, &mut self.local, slot, &moves));
    }

    /// Makes an island, given as contact constraints and numbers of rows of joints, a batch of its own.
    pub(in crate::environment::contact) fn push_island(
        &mut self,
        candidates: &[ContactConstraint],
        first: usize,
        rows: &[usize],
        joints: &JointRows,
        ranks: &[u32],
        flight: &FreeFlight<'_>,
    ) {
        let moves = |slot: usize| flight.inertias[slot].is_movable();
        self.next_batch();
        let batch = self.used - 1;
        self.batches[batch].list_candidates(candidates, first, ranks);
        for nth in 0..self.batches[batch].contacts.len() {
            for slot in self.batches[batch].contacts[nth].slots {
                assign_body(&mut self.batches[batch], &mut self.local, slot as usize, moves);
            }
        }
        for &row in rows {
            let number = flight.joints.place_of_row(row);
            let place = &joints.places[number];
            if place.first as usize == row {
                self.push_joint(batch, number, place.slots, moves);
            }
        }
        let batch = &mut self.batches[batch];
        let first = batch.movers.first().map_or(0, |slot| *slot as usize);
        batch.dissect(flight, joints, ranks, &mut self.local, |_| first);
    }

    /// Solves every batch.
    pub(in crate::environment::contact) fn run(&mut self, step: &FastStep<'_>) {
        let (batches, local) = (&mut self.batches[..self.used], &self.local);
        step.flight.threads.for_each_part(Batches(batches), MANIFOLDS_A_TASK, |batches| {
            for batch in batches.0 {
                batch.collect(step, local);
                batch.solve(step, local);
                batch.finish(step);
            }
        });
    }

    /// Writes the new states of the bodies, the impulses of the rows of joints, and the report.
    pub(in crate::environment::contact) fn apply(
        &self,
        flight: &mut FreeFlight<'_>,
        joints: &JointRows,
        row_sums: &mut [f64],
        report: &mut ContactReport,
    ) -> Result<ContactWork, ContactProblemError> {
        let mut work = ContactWork::default();
        for batch in self.batches() {
            let results = &batch.results;
            if let Some(failure) = results.failure {
                return Err(failure);
            }
            for (slot, state) in batch.new_states() {
                flight.after[slot] = *state;
            }
            for (number, sum) in batch.rows.iter().zip(&results.row_sums) {
                row_sums[*number] += sum;
            }
            for (nth, number) in batch.points.iter().enumerate() {
                let first = joints.places[*number as usize].first as usize;
                let sum = batch.solver.ball_joint(nth).1.sum.to_array();
                row_sums[first..].iter_mut().zip(sum).for_each(|(total, sum)| *total += sum);
            }
            work += results.work;
            report.take_in(&results.report);
            report.islands += results.report.islands;
        }
        Ok(work)
    }

    /// Stores impulses in the contact cache, and lists the touching pairs.
    pub(in crate::environment::contact) fn store_impulses(
        &mut self,
        detector: &mut CollisionDetector,
        touching: &mut Vec<(u32, u32)>,
        report: &mut ContactReport,
    ) {
        self.touching.clear();
        self.touching.resize(detector.storage_len(), false);
        for batch in &self.batches[..self.used] {
            batch.impulse_cache.write_impulses(detector, &mut self.touching, report);
        }
        touching.extend(detector.slots_of(&self.touching));
    }

    /// Stores the forces in the last substep, of h seconds, of all active rows, by key; `joints` has all joints of
    /// the step.
    pub(in crate::environment::contact) fn store_row_forces(
        &self,
        joints: &JointRows,
        row_forces: &mut Vec<f64>,
        h: f64,
    ) {
        let keys = |place: &JointPlace| place.key as usize..(place.key + place.rows) as usize;
        let most = joints.places.iter().map(|place| keys(place).end).max().unwrap_or(0);
        row_forces.resize(row_forces.len().max(most), 0.0);
        joints.places.iter().for_each(|place| row_forces[keys(place)].fill(0.0));
        for batch in self.batches() {
            for (nth, number) in batch.rows.iter().enumerate() {
                row_forces[joints.end[*number].key as usize] = batch.solver.last_row_impulse(nth) / h;
            }
            for (nth, number) in batch.points.iter().enumerate() {
                let force = (batch.solver.ball_joint(nth).1.last / h).to_array();
                row_forces[keys(&joints.places[*number as usize])].copy_from_slice(&force);
            }
        }
    }

    /// Writes impulses back to the contact constraints they came from.
    pub(in crate::environment::contact) fn write_impulses(
        &self,
        candidates: &mut [ContactConstraint],
        substeps: usize,
    ) {
        self.batches().iter().for_each(|batch| batch.write_impulses(candidates, substeps));
    }

    /// Points with an impulse that did not come from contact constraints.
    pub(in crate::environment) fn touching_points(&self) -> impl Iterator<Item = TouchingPoint> {
        self.batches().iter().flat_map(IslandBatch::touching_points)
    }
}

/// Adds a movable body to its batch, once.
fn assign_body(batch: &mut IslandBatch, local: &mut [u32], slot: usize, moves: impl Fn(usize) -> bool) {
    if moves(slot) && local[slot] == NONE {
        local[slot] = 0;
        batch.movers.push(slot as u32);
    }
}

/// Consecutive batches.
struct Batches<'a>(&'a mut [IslandBatch]);

impl Divisible for Batches<'_> {
    fn amount(&self) -> usize {
        self.0.iter().map(|batch| batch.load).sum()
    }

    /// Splits into two of about equal work.
    fn divide(self) -> (Self, Option<Self>) {
        let half = self.amount() / 2;
        let mut sum = 0;
        let before = self.0.iter().take_while(|batch| {
            sum += batch.load;
            sum <= half
        });
        let count = before.count().clamp(1, self.0.len().max(2) - 1);
        if count >= self.0.len() {
            return (self, None);
        }
        let (low, high) = self.0.split_at_mut(count);
        (Batches(low), Some(Batches(high)))
    }
}
