//! Parallel execution of islands.
//!
//! Islands have no movable body, contact or joint row in common. Each is copied into a workspace (with the immovable
//! bodies it touches), stepped there, and writes its results to its own ranges: states in the order of
//! [`Islands::slots`], rows in the order of [`Islands::rows`], one [`IslandOutput`] an island. Sums over islands are
//! formed afterwards in their order. No result depends on the contents of a workspace, so an island may run in any of
//! them.

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

/// Read-only inputs of all islands.
#[derive(Clone, Copy, Debug)]
pub(super) struct IslandInputs<'a> {
    pub(super) settings: ExactSolverSettings,
    pub(super) islands: &'a Islands,
    pub(super) rows: &'a JointRows,
    /// At the end of free flight, by slot.
    pub(super) after: &'a [InertialState],
    pub(super) free_acceleration: &'a [Acceleration],
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
    /// True if free flight has left its joints to contact.
    pub(super) joined: bool,
    pub(super) bodies: StepBodies<'a>,
    pub(super) report: &'a mut ContactReport,
    /// Overlap remains beyond its slop.
    pub(super) overlaps: &'a mut bool,
}

/// Result of one island.
#[derive(Clone, Debug, Default)]
struct IslandOutput {
    report: ContactReport,
    work: ContactWork,
    overlaps: bool,
    records: Vec<ImpactRecord>,
    failure: Option<ContactProblemError>,
}

/// A joint row after the step, and its impulse by contact, N·s or N·m·s.
#[derive(Clone, Copy, Debug)]
struct RowEnd {
    row: ConstraintRow,
    impulse: f64,
    /// Magnitude of what acted at times of its own within the step.
    timed: f64,
}

/// Memory in which islands are solved one after another.
#[derive(Clone, Debug, Default)]
struct IslandWorkspace {
    problem: IslandProblem,
    weights: Weights,
    geometry: ImpactGeometry,
    spans: MidpointSpan,
    push_out: PushOut,
    /// By slot; entries of other islands are stale.
    after: Vec<InertialState>,
    displaced: Vec<Displacement>,
}

/// Results of the islands, and their workspaces.
#[derive(Debug, Default)]
pub(super) struct IslandWork {
    states: Vec<InertialState>,
    displaced: Vec<Displacement>,
    rows: Vec<RowEnd>,
    outputs: Vec<IslandOutput>,
    free: Mutex<Vec<IslandWorkspace>>,
    /// Bodies and contacts of the largest island that fits without allocation.
    largest: [usize; 2],
}

impl Clone for IslandWork {
    /// Memory is not copied.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl IslandWork {
    /// Calls `job` for every island selected by `wanted`, after building its contact constraints, on all threads.
    /// Sums go to `report`.
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
        self.rows.extend(islands.rows.iter().map(|row| RowEnd {
            row: around.rows.end[*row],
            impulse: 0.0,
            timed: 0.0,
        }));
        self.outputs.clear();
        self.outputs.resize(islands.list.len(), IslandOutput::default());
        self.make_room(threads, &around);
        let free = &self.free;
        let batch = Batch {
            islands: &islands.list,
            candidates,
            states: &mut self.states,
            displaced: &mut self.displaced,
            rows: &mut self.rows,
            outputs: &mut self.outputs,
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
        for output in &mut self.outputs {
            if let Some(failure) = output.failure.take() {
                return Err(failure);
            }
            report.take_in(&output.report);
            work += output.work;
        }
        Ok(work)
    }

    /// Reserves memory for every island in every thread's workspace: the assignment of islands to threads is not
    /// deterministic, and none may allocate.
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
        self.outputs.iter().map(|output| output.report.iterations)
    }

    /// Contacts with restitution, in the order of islands.
    pub(super) fn records(&self) -> impl Iterator<Item = &ImpactRecord> {
        self.outputs.iter().flat_map(|output| &output.records)
    }

    /// Whether overlap is left in an island, in their order.
    pub(super) fn overlaps(&self) -> impl Iterator<Item = bool> {
        self.outputs.iter().map(|output| output.overlaps)
    }

    /// Copies the states to their slots.
    pub(super) fn write_states(&self, islands: &Islands, after: &mut [InertialState]) {
        for (slot, state) in islands.slots.iter().zip(&self.states) {
            after[*slot] = *state;
        }
    }

    /// Adds the displacements of the bodies to `sums`, by slot.
    pub(super) fn add_displacements(&self, islands: &Islands, sums: &mut [Displacement]) {
        for (slot, displaced) in islands.slots.iter().zip(&self.displaced) {
            sums[*slot] += *displaced;
        }
    }

    /// Copies the rows and their impulses to their places.
    pub(super) fn write_rows(
        &self,
        islands: &Islands,
        rows: &mut [ConstraintRow],
        impulses: &mut [f64],
        timed: &mut [f64],
    ) {
        for (number, found) in islands.rows.iter().zip(&self.rows) {
            rows[*number] = found.row;
            (impulses[*number], timed[*number]) = (found.impulse, found.timed);
        }
    }
}

fn take(free: &Mutex<Vec<IslandWorkspace>>) -> IslandWorkspace {
    free.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
}

impl IslandWorkspace {
    /// Reserves memory for bodies and contacts.
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
        place: &mut OutputRanges<'_>,
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
            joined: island.joined,
            bodies: StepBodies {
                after: &mut self.after,
                displaced: &mut self.displaced,
                free_acceleration: around.free_acceleration,
                bodies: around.bodies,
                inertias: around.inertias,
                joints: around.joints,
                dt: around.dt,
                end: around.end,
            },
            report: &mut place.output.report,
            overlaps: &mut place.output.overlaps,
        };
        match job(&mut bench) {
            Ok(work) => place.output.work = work,
            Err(failure) => place.output.failure = Some(failure),
        }
        place.output.records = std::mem::take(&mut self.problem.records);
        for (slot, state) in members.slots.iter().zip(place.states.iter_mut()) {
            *state = self.after[*slot];
        }
        for (slot, displaced) in members.slots.iter().zip(place.displaced.iter_mut()) {
            *displaced = self.displaced[*slot];
        }
        for (number, end) in members.joined.iter().zip(place.rows.iter_mut()) {
            let joints = &self.problem.joints;
            let multiplier = if island.joined { joints.forces[*number] } else { 0.0 };
            let row = ConstraintRow { multiplier, ..joints.end[*number] };
            let [impulse, timed] = self.problem.row_sums[*number];
            *end = RowEnd { row, impulse, timed };
        }
    }

    /// Reserves places for every body and every joint row.
    fn begin(&mut self, around: &IslandInputs<'_>) {
        self.after.resize(around.after.len(), InertialState::AT_REST);
        self.displaced.resize(around.after.len(), Displacement::default());
        self.problem.begin(around.after.len(), around.rows.end.len());
    }

    /// Copies the island in, with the immovable bodies it touches.
    fn load(&mut self, around: &IslandInputs<'_>, island: &Island, place: &OutputRanges<'_>) {
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
            joints.forces[number] = around.rows.forces[number];
            for slot in joints.end[number].slots.into_iter().flatten() {
                if !around.inertias[slot].is_movable() {
                    self.after[slot] = around.after[slot];
                }
            }
            self.problem.row_sums[number] = [0.0; 2];
        }
    }
}

/// Some islands with their output ranges.
struct Batch<'a> {
    islands: &'a [Island],
    candidates: &'a mut [ContactConstraint],
    states: &'a mut [InertialState],
    displaced: &'a mut [Displacement],
    rows: &'a mut [RowEnd],
    outputs: &'a mut [IslandOutput],
}

/// The output ranges of one island.
struct OutputRanges<'a> {
    candidates: &'a mut [ContactConstraint],
    states: &'a mut [InertialState],
    displaced: &'a mut [Displacement],
    rows: &'a mut [RowEnd],
    output: &'a mut IslandOutput,
}

impl<'a> Batch<'a> {
    fn next_island(&mut self) -> Option<(&'a Island, OutputRanges<'a>)> {
        let (island, islands) = self.islands.split_first()?;
        self.islands = islands;
        let place = OutputRanges {
            candidates: split_off(&mut self.candidates, island.candidates.len()),
            states: split_off(&mut self.states, island.bodies.len()),
            displaced: split_off(&mut self.displaced, island.bodies.len()),
            rows: split_off(&mut self.rows, island.rows.len()),
            output: &mut split_off(&mut self.outputs, 1)[0],
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

    /// Splits into two with about as many contacts.
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
            outputs: split_off(&mut self.outputs, count),
        };
        self.islands = high;
        (low, Some(self))
    }
}
