//! `Part`: some islands that are solved together, sharing nothing that moves with any other part.

use super::super::contacts::FreeFlight;
use super::super::joint_row::{JointRows, Span};
use super::outcome::{Book, Results};
use crate::environment::groups::Groups;
use crate::math::{Coordinate, Mat3, Vec3};
use crate::physics::constraints::contact::BodyVelocity;
use crate::physics::constraints::contact::soft::{
    SoftBody, SoftManifold, SoftPoint, SoftRow, SoftSettings, SoftSolver,
};
use crate::physics::constraints::{ConstraintRow, MAX_ROWS, RowLaw};
use crate::physics::rigid_body::{Inertia, InertialState};

/// Where a manifold comes from, so that its impulses can be left there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A manifold of the detector.
    Detector { pair: u32, manifold: u32 },
    /// Consecutive candidates.
    Candidates { first: u32 },
    /// Found within the step; remembered nowhere.
    Passing,
}

/// Stands for the world, the immovable end of joints.
pub(super) const WORLD: usize = usize::MAX;

/// Memory and solver of some islands; no result depends on what it held before.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    /// Pairs of the detector that are to be solved here.
    pub(super) pairs: Vec<u32>,
    /// How much work it is: manifolds, about.
    pub(super) load: usize,
    pub(super) solver: SoftSolver,
    pub(super) sources: Vec<Source>,
    /// Slots of the bodies by index; the first, nowhere, has none.
    pub(super) slots: Vec<usize>,
    /// Slot and index of those among them that nothing here moves, sorted.
    fixed: Vec<(u32, u32)>,
    /// Their centres of mass at the start of the step, m.
    pub(super) centers: Vec<Coordinate>,
    /// Bodies that contacts and rows connect, by index.
    pub(super) groups: Groups,
    /// Numbers of the rows that take part.
    pub(super) rows: Vec<usize>,
    pub(super) books: Vec<Book>,
    pub(super) results: Results,
}

impl Part {
    /// Empty, with its memory kept.
    pub(super) fn begin(&mut self) {
        self.pairs.clear();
        self.load = 0;
        self.solver.clear();
        self.sources.clear();
        self.slots.clear();
        self.slots.push(WORLD);
        self.fixed.clear();
        self.rows.clear();
    }

    /// Takes a body in that is in no other part, and returns its index.
    pub(super) fn enlist(&mut self, slot: usize) -> u32 {
        self.slots.push(slot);
        self.slots.len() as u32 - 1
    }

    /// Takes a body in that nothing here moves; other parts may have it too.
    pub(super) fn enlist_fixed(&mut self, slot: usize) {
        if let Err(place) = self.fixed.binary_search_by_key(&(slot as u32), |known| known.0) {
            let index = self.enlist(slot);
            self.fixed.insert(place, (slot as u32, index));
        }
    }

    /// Index of a body; `local` has those of the bodies that move.
    pub(super) fn index_of(&self, slot: usize, local: &[u32]) -> u32 {
        match self.fixed.binary_search_by_key(&(slot as u32), |known| known.0) {
            Ok(place) => self.fixed[place].1,
            Err(_) => local[slot],
        }
    }

    pub(super) fn push(
        &mut self,
        manifold: SoftManifold,
        source: Source,
        points: impl Iterator<Item = SoftPoint>,
    ) {
        self.sources.push(source);
        self.solver.push_manifold(manifold, points);
    }

    /// Solves what was collected; with the rows come the forces, N or N·m by key, that they start from.
    pub(super) fn solve(
        &mut self,
        settings: &SoftSettings,
        flight: &FreeFlight<'_>,
        joints: (&JointRows, &[f64]),
        local: &[u32],
    ) {
        self.centers.clear();
        self.centers.push(Vec3::ZERO);
        for index in 1..self.slots.len() {
            self.centers.push(flight.before[self.slots[index]].center_of_mass);
            let body = self.body(index, flight);
            self.solver.push_body(body);
        }
        self.push_rows(settings, flight, joints, local);
        self.connect(flight);
        self.solver.solve(settings, flight.dt);
    }

    fn push_rows(
        &mut self,
        settings: &SoftSettings,
        flight: &FreeFlight<'_>,
        (joints, row_forces): (&JointRows, &[f64]),
        local: &[u32],
    ) {
        let share = 1.0 / settings.count() as f64;
        let h = flight.dt * share;
        if self.rows.is_empty() {
            return;
        }
        let world = self.solver.push_body(SoftBody::immovable(BodyVelocity::default()));
        self.slots.push(WORLD);
        let mut rows = std::mem::take(&mut self.rows);
        rows.retain(|&number| {
            let ends = joints.end[number].slots;
            let free = ends.map(|end| end.map_or(BodyVelocity::default(), |slot| flight.after[slot].into()));
            let row = match joints.end[number] {
                ConstraintRow { law: RowLaw::Unilateral, multiplier: 0.0, .. } => {
                    Some(joints.open_limit(number, free, flight.dt))
                }
                _ => joints.row(number, free, Span::Lasting(0.0, flight.dt), flight.dt),
            };
            let Some(row) = row else { return false };
            let [body_a, body_b] = ends.map(|end| end.map_or(world, |slot| self.index_of(slot, local)));
            let drives = row.lower.is_finite() && row.upper.is_finite();
            self.solver.push_row(SoftRow {
                body_a,
                body_b,
                jacobian: row.jacobian,
                target: row.target,
                lower: row.lower * share,
                upper: row.upper * share,
                value: (!drives).then_some(joints.start[number].value),
                joint: joints.end[number].key / MAX_ROWS as u32,
                warm: row_forces.get(joints.end[number].key as usize).map_or(0.0, |force| force * h),
            });
            true
        });
        self.rows = rows;
    }

    /// Groups bodies by contacts and rows.
    fn connect(&mut self, flight: &FreeFlight<'_>) {
        self.groups.reset(self.slots.len());
        let slots = &self.slots;
        let moves = |index: u32| {
            let slot = slots[index as usize];
            slot != WORLD && flight.inertias[slot].is_movable()
        };
        for manifold in self.solver.manifolds() {
            if moves(manifold.body_a) && moves(manifold.body_b) {
                self.groups.unite(manifold.body_a as usize, manifold.body_b as usize);
            }
        }
        for row in self.solver.rows() {
            if moves(row.body_a) && moves(row.body_b) {
                self.groups.unite(row.body_a as usize, row.body_b as usize);
            }
        }
    }

    fn body(&self, index: usize, flight: &FreeFlight<'_>) -> SoftBody {
        let slot = self.slots[index];
        let (before, after) = (&flight.before[slot], &flight.after[slot]);
        let inertia = &flight.inertias[slot];
        if !inertia.is_movable() {
            return SoftBody::immovable((*before).into());
        }
        let per_second = 1.0 / flight.dt;
        let (inverse_inertia, tensor) = tensors(inertia, before, after);
        SoftBody {
            inverse_mass: inertia.inverse_mass(),
            mass: inertia.mass(),
            inverse_inertia,
            inertia: tensor,
            start: (*before).into(),
            acceleration: BodyVelocity {
                linear: (after.velocity - before.velocity) * per_second,
                angular: (after.angular_velocity - before.angular_velocity) * per_second,
            },
        }
    }
}

/// Inverse inertia and inertia in the middle of the step, world frame.
fn tensors(inertia: &Inertia, before: &InertialState, after: &InertialState) -> (Mat3, Mat3) {
    if inertia.is_spherical() {
        return (inertia.inverse_tensor_body(), inertia.tensor_body());
    }
    let (p, q) = (before.orientation, after.orientation);
    let middle = if p.dot(q) < 0.0 { p - q } else { p + q };
    let rotation = Mat3::from_quat(middle.normalize());
    (inertia.inverse_tensor_world(&rotation), inertia.tensor_world(&rotation))
}
