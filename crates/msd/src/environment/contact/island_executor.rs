//! The islands of a step as work that threads share.
//!
//! Islands have no movable body, no contact and no row of a joint in common. Each is copied into a workspace (its bodies, and
//! the immovable ones it touches), taken through the step there, and leaves its results in places of its own: states in the
//! order of [`Islands::slots`], rows in the order of [`Islands::rows`], one [`Outcome`] an island. Sums over islands are taken
//! afterwards in their order. A workspace keeps memory and nothing that reaches a result, so it does not matter which
//! island is solved where.

use std::sync::{Mutex, PoisonError};

use super::contact_constraint::ContactConstraint;
use super::displacement::Displacement;
use super::impact_geometry::ImpactGeometry;
use super::impact_record::ImpactRecord;
use super::impacts::ContactWork;
use super::island::{Island, Islands};
use super::island_problem::{IslandProblem, Members, StepBodies};
use super::joint_row::JointRows;
use super::midpoint_span::MidpointSpan;
use super::moreau_jean::Weights;
use super::push_out::PushOut;
use super::report::ContactReport;
use crate::physics::constraints::contact::{ContactProblemError, ExactSolverSettings};
use crate::physics::constraints::{ConstraintRow, ConstraintSet};
use crate::physics::rigid_body::{Acceleration, Inertia, InertialState, RigidBody};
use crate::threads::{CONTACTS_A_TASK, Divisible, Threads};

/// What islands read and none of them writes.
#[derive(Clone, Copy, Debug)]
pub(super) struct IslandInputs<'a> {
    pub(super) settings: ExactSolverSettings,
    pub(super) islands: &'a Islands,
    pub(super) rows: &'a JointRows,
    /// At the end of free flight, by slot.
    pub(super) after: &'a [InertialState],
    pub(super) course: &'a [Acceleration],
    pub(super) bodies: &'a [RigidBody],
    pub(super) inertias: &'a [Inertia],
    pub(super) joints: &'a ConstraintSet,
    /// Length of the step and time at its end, s.
    pub(super) dt: f64,
    pub(super) end: f64,
}

/// One island in its workspace.
#[derive(Debug)]
pub(super) struct IslandTask<'a> {
    pub(super) problem: &'a mut IslandProblem,
    pub(super) weights: &'a mut Weights,
    pub(super) geometry: &'a mut ImpactGeometry,
    pub(super) spans: &'a mut MidpointSpan,
    pub(super) push_out: &'a mut PushOut,
    pub(super) candidates: &'a mut [ContactConstraint],
    pub(super) members: Members<'a>,
    pub(super) bodies: StepBodies<'a>,
    pub(super) report: &'a mut ContactReport,
    /// Some overlap is left that is beyond its slop.
    pub(super) overlaps: &'a mut bool,
}

/// What came of one island.
#[derive(Clone, Debug, Default)]
struct Outcome {
    report: ContactReport,
    work: ContactWork,
    overlaps: bool,
    records: Vec<ImpactRecord>,
    failure: Option<ContactProblemError>,
}

/// A row of a joint after the step, and the impulse contact asked of it, N·s or N·m·s.
#[derive(Clone, Copy, Debug)]
struct RowEnd {
    row: ConstraintRow,
    impulse: f64,
}

/// Memory in which one island after another is solved.
#[derive(Clone, Debug, Default)]
struct IslandWorkspace {
    problem: IslandProblem,
    weights: Weights,
    geometry: ImpactGeometry,
    spans: MidpointSpan,
    push_out: PushOut,
    /// By slot; what is not of the island is left over from others.
    after: Vec<InertialState>,
    displaced: Vec<Displacement>,
}

/// Results of the islands, and the memory they are found in.
#[derive(Debug, Default)]
pub(super) struct IslandWork {
    states: Vec<InertialState>,
    displaced: Vec<Displacement>,
    rows: Vec<RowEnd>,
    outcomes: Vec<Outcome>,
    free: Mutex<Vec<IslandWorkspace>>,
    /// Bodies and contacts of the largest island that there is room for.
    largest: [usize; 2],
}

impl Clone for IslandWork {
    /// Memory is not copied.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl IslandWork {
    /// Calls `job` for every island that `wanted` names, after it has made the candidates of the island ready, on all threads.
    /// Sums are left in `report`.
    pub(super) fn run(
        &mut self,
        threads: &Threads,
        around: IslandInputs<'_>,
        candidates: &mut [ContactConstraint],
        report: &mut ContactReport,
        wanted: impl Fn(&Island, &mut [ContactConstraint]) -> bool + Sync,
        job: impl Fn(&mut IslandTask<'_>) -> Result<ContactWork, ContactProblemError> + Sync,
    ) -> Result<ContactWork, ContactProblemError> {
        let islands = around.islands;
        self.states.clear();
        self.states.extend(islands.slots.iter().map(|slot| around.after[*slot]));
        self.displaced.clear();
        self.displaced.resize(islands.slots.len(), Displacement::default());
        self.rows.clear();
        self.rows.extend(islands.rows.iter().map(|row| RowEnd { row: around.rows.end[*row], impulse: 0.0 }));
        self.outcomes.clear();
        self.outcomes.resize(islands.list.len(), Outcome::default());
        self.make_room(threads, &around);
        let free = &self.free;
        let batch = Batch {
            islands: &islands.list,
            candidates,
            states: &mut self.states,
            displaced: &mut self.displaced,
            rows: &mut self.rows,
            outcomes: &mut self.outcomes,
        };
        threads.for_each_part(batch, CONTACTS_A_TASK, |mut batch| {
            let mut workspace = take(free);
            while let Some((island, mut place)) = batch.next_island() {
                if wanted(island, place.candidates) {
                    workspace.solve(&around, island, &mut place, &job);
                }
            }
            free.lock().unwrap_or_else(PoisonError::into_inner).push(workspace);
        });
        let mut work = ContactWork::default();
        for outcome in &mut self.outcomes {
            if let Some(failure) = outcome.failure.take() {
                return Err(failure);
            }
            report.take_in(&outcome.report);
            work += outcome.work;
        }
        Ok(work)
    }

    /// Makes room for every island in a workspace for every thread: which of them solves which island is left to chance, and
    /// none is to ask for memory because of it.
    fn make_room(&mut self, threads: &Threads, around: &IslandInputs<'_>) {
        let free = self.free.get_mut().unwrap_or_else(PoisonError::into_inner);
        let [bodies, contacts] = self.largest;
        let largest = around.islands.list.iter().fold([bodies, contacts], |[bodies, contacts], island| {
            // Each pair brings in one immovable body at most.
            let most = island.bodies.len() + island.pairs.len();
            [bodies.max(most), contacts.max(island.candidates.len())]
        });
        if largest == self.largest && free.len() >= threads.count() {
            return;
        }
        self.largest = largest;
        free.resize_with(free.len().max(threads.count()), IslandWorkspace::default);
        free.iter_mut().for_each(|workspace| workspace.reserve(around, largest));
    }

    /// Sweeps and factorisations of every island, in their order.
    pub(super) fn iterations(&self) -> impl Iterator<Item = usize> {
        self.outcomes.iter().map(|outcome| outcome.report.iterations)
    }

    /// Contacts that were asked for restitution, in the order of islands.
    pub(super) fn records(&self) -> impl Iterator<Item = &ImpactRecord> {
        self.outcomes.iter().flat_map(|outcome| &outcome.records)
    }

    /// Whether overlap is left in an island, in their order.
    pub(super) fn overlaps(&self) -> impl Iterator<Item = bool> {
        self.outcomes.iter().map(|outcome| outcome.overlaps)
    }

    /// Puts the states that were found in their slots.
    pub(super) fn write_states(&self, islands: &Islands, after: &mut [InertialState]) {
        for (slot, state) in islands.slots.iter().zip(&self.states) {
            after[*slot] = *state;
        }
    }

    /// Adds what displaced the bodies to `sums`, by slot.
    pub(super) fn add_displacements(&self, islands: &Islands, sums: &mut [Displacement]) {
        for (slot, displaced) in islands.slots.iter().zip(&self.displaced) {
            sums[*slot] += *displaced;
        }
    }

    /// Puts the rows that were found, and their impulses, in their places.
    pub(super) fn write_rows(&self, islands: &Islands, rows: &mut [ConstraintRow], impulses: &mut [f64]) {
        for (number, found) in islands.rows.iter().zip(&self.rows) {
            rows[*number] = found.row;
            impulses[*number] = found.impulse;
        }
    }
}

fn take(free: &Mutex<Vec<IslandWorkspace>>) -> IslandWorkspace {
    free.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
}

impl IslandWorkspace {
    /// Makes room for so many bodies and contacts.
    fn reserve(&mut self, around: &IslandInputs<'_>, [bodies, contacts]: [usize; 2]) {
        self.begin(around);
        self.problem.reserve(bodies, contacts);
        self.weights.reserve(bodies, contacts);
        self.push_out.reserve(bodies, contacts);
    }

    fn solve(
        &mut self,
        around: &IslandInputs<'_>,
        island: &Island,
        place: &mut Place<'_>,
        job: &impl Fn(&mut IslandTask<'_>) -> Result<ContactWork, ContactProblemError>,
    ) {
        let members = around.islands.members(island);
        self.load(around, island, place);
        let mut bench = IslandTask {
            problem: &mut self.problem,
            weights: &mut self.weights,
            geometry: &mut self.geometry,
            spans: &mut self.spans,
            push_out: &mut self.push_out,
            candidates: place.candidates,
            members,
            bodies: StepBodies {
                after: &mut self.after,
                displaced: &mut self.displaced,
                course: around.course,
                bodies: around.bodies,
                inertias: around.inertias,
                joints: around.joints,
                dt: around.dt,
                end: around.end,
            },
            report: &mut place.outcome.report,
            overlaps: &mut place.outcome.overlaps,
        };
        match job(&mut bench) {
            Ok(work) => place.outcome.work = work,
            Err(failure) => place.outcome.failure = Some(failure),
        }
        place.outcome.records = std::mem::take(&mut self.problem.records);
        for (slot, state) in members.slots.iter().zip(place.states.iter_mut()) {
            *state = self.after[*slot];
        }
        for (slot, displaced) in members.slots.iter().zip(place.displaced.iter_mut()) {
            *displaced = self.displaced[*slot];
        }
        for (number, end) in members.joined.iter().zip(place.rows.iter_mut()) {
            *end = RowEnd { row: self.problem.joints.end[*number], impulse: self.problem.row_sums[*number] };
        }
    }

    /// Has a place for every body and every row of a joint.
    fn begin(&mut self, around: &IslandInputs<'_>) {
        self.after.resize(around.after.len(), InertialState::AT_REST);
        self.displaced.resize(around.after.len(), Displacement::default());
        self.problem.begin(around.after.len(), around.rows.end.len());
    }

    /// Copies the island in, with the immovable bodies it touches.
    fn load(&mut self, around: &IslandInputs<'_>, island: &Island, place: &Place<'_>) {
        let members = around.islands.members(island);
        self.begin(around);
        for (slot, state) in members.slots.iter().zip(place.states.iter()) {
            self.after[*slot] = *state;
            self.displaced[*slot] = Displacement::default();
        }
        let pairs = &around.islands.pairs[island.pairs.clone()];
        for slot in pairs.iter().flat_map(|pair| [pair.a, pair.b]) {
            if !around.inertias[slot].is_movable() {
                self.after[slot] = around.after[slot];
            }
        }
        self.problem.settings = around.settings;
        let joints = &mut self.problem.joints;
        joints.since = 0.0;
        for &number in members.joined {
            joints.start[number] = around.rows.start[number];
            joints.end[number] = around.rows.end[number];
            for slot in joints.end[number].slots.into_iter().flatten() {
                if !around.inertias[slot].is_movable() {
                    self.after[slot] = around.after[slot];
                }
            }
            self.problem.row_sums[number] = 0.0;
        }
    }
}

/// Some islands with the places of their results.
struct Batch<'a> {
    islands: &'a [Island],
    candidates: &'a mut [ContactConstraint],
    states: &'a mut [InertialState],
    displaced: &'a mut [Displacement],
    rows: &'a mut [RowEnd],
    outcomes: &'a mut [Outcome],
}

/// One island's own places.
struct Place<'a> {
    candidates: &'a mut [ContactConstraint],
    states: &'a mut [InertialState],
    displaced: &'a mut [Displacement],
    rows: &'a mut [RowEnd],
    outcome: &'a mut Outcome,
}

impl<'a> Batch<'a> {
    fn next_island(&mut self) -> Option<(&'a Island, Place<'a>)> {
        let (island, islands) = self.islands.split_first()?;
        self.islands = islands;
        let place = Place {
            candidates: split_off(&mut self.candidates, island.candidates.len()),
            states: split_off(&mut self.states, island.bodies.len()),
            displaced: split_off(&mut self.displaced, island.bodies.len()),
            rows: split_off(&mut self.rows, island.rows.len()),
            outcome: &mut split_off(&mut self.outcomes, 1)[0],
        };
        Some((island, place))
    }
}

/// The first `count` of a slice, which keeps the others.
fn split_off<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (first, rest) = std::mem::take(slice).split_at_mut(count);
    *slice = rest;
    first
}

impl Divisible for Batch<'_> {
    fn amount(&self) -> usize {
        self.candidates.len()
    }

    /// In two of about as many contacts.
    fn divide(mut self) -> (Self, Option<Self>) {
        let first = self.islands.first().map_or(0, |island| island.candidates.start);
        let half = first + self.candidates.len() / 2;
        let before = self.islands.partition_point(|island| island.candidates.end <= half);
        let count = before.clamp(1, self.islands.len().saturating_sub(1).max(1));
        if count >= self.islands.len() {
            return (self, None);
        }
        let (low, high) = self.islands.split_at(count);
        let contacts: usize = low.iter().map(|island| island.candidates.len()).sum();
        let bodies = low.iter().map(|island| island.bodies.len()).sum();
        let rows = low.iter().map(|island| island.rows.len()).sum();
        let low = Batch {
            islands: low,
            candidates: split_off(&mut self.candidates, contacts),
            states: split_off(&mut self.states, bodies),
            displaced: split_off(&mut self.displaced, bodies),
            rows: split_off(&mut self.rows, rows),
            outcomes: split_off(&mut self.outcomes, count),
        };
        self.islands = high;
        (low, Some(self))
    }
}
