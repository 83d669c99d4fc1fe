//! `FastTier`: memory and the solve.

use super::super::contacts::FreeFlight;
use super::super::joint_row::{JointRows, Span};
use crate::environment::groups::Groups;
use crate::math::{Coordinate, Mat3, Vec3};
use crate::physics::constraints::contact::BodyVelocity;
use crate::physics::constraints::contact::soft::{
    SoftBody, SoftManifold, SoftPoint, SoftRow, SoftSettings, SoftSolver,
};
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
const NONE: u32 = u32::MAX;

/// Everything the fast tier keeps from step to step; no result depends on it.
#[derive(Clone, Debug, Default)]
pub(in crate::environment) struct FastTier {
    pub(super) solver: SoftSolver,
    pub(super) sources: Vec<Source>,
    /// Slots of the bodies by index; the first, nowhere, has none.
    pub(super) slots: Vec<usize>,
    /// Their centres of mass at the start of the step, m.
    pub(super) centers: Vec<Coordinate>,
    /// Index of a slot.
    local: Vec<u32>,
    world: u32,
    pub(super) groups: Groups,
    /// Groups of joined bodies that something touches, by root.
    touched: Vec<bool>,
    /// Numbers of the rows that take part.
    pub(super) rows: Vec<usize>,
    pub(super) books: Vec<super::outcome::Book>,
}

impl FastTier {
    /// Starts a step of a world with so many slots.
    pub(in crate::environment::contact) fn begin(&mut self, slots: usize) {
        self.solver.clear();
        self.sources.clear();
        for &slot in self.slots.iter().filter(|slot| **slot != WORLD) {
            self.local[slot] = NONE;
        }
        self.slots.clear();
        self.slots.push(WORLD);
        self.local.resize(slots, NONE);
        self.rows.clear();
        self.world = NONE;
    }

    /// Forgets the contacts of the last step.
    pub(in crate::environment::contact) fn is_idle(&self) -> bool {
        self.sources.is_empty()
    }

    /// True if rows of joints took part.
    pub(in crate::environment::contact) fn has_rows(&self) -> bool {
        !self.rows.is_empty()
    }

    pub(super) fn index_of(&mut self, slot: usize) -> u32 {
        if self.local[slot] == NONE {
            self.local[slot] = self.slots.len() as u32;
            self.slots.push(slot);
        }
        self.local[slot]
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

    /// Solves what was collected.
    pub(in crate::environment::contact) fn solve(
        &mut self,
        settings: &SoftSettings,
        flight: &FreeFlight<'_>,
        joints: &JointRows,
    ) {
        self.find_rows(flight, joints);
        self.centers.clear();
        self.centers.push(Vec3::ZERO);
        for index in 1..self.slots.len() {
            self.centers.push(flight.before[self.slots[index]].center_of_mass);
            let body = self.body(index, flight);
            self.solver.push_body(body);
        }
        self.push_rows(settings, flight, joints);
        self.connect(flight);
        self.solver.solve(settings, flight.dt);
    }

    /// Takes in rows that hang on bodies with contacts, directly or through others, and their bodies.
    fn find_rows(&mut self, flight: &FreeFlight<'_>, joints: &JointRows) {
        if joints.end.is_empty() {
            return;
        }
        let movable = |end: Option<usize>| end.filter(|slot| flight.inertias[*slot].is_movable());
        self.groups.reset(flight.before.len());
        for row in &joints.end {
            if let [Some(a), Some(b)] = row.slots.map(movable) {
                self.groups.unite(a, b);
            }
        }
        self.touched.clear();
        self.touched.resize(flight.before.len(), false);
        for &slot in &self.slots[1..] {
            if flight.inertias[slot].is_movable() {
                let root = self.groups.root(slot);
                self.touched[root] = true;
            }
        }
        for (number, row) in joints.end.iter().enumerate() {
            let end = row.slots.into_iter().find_map(movable);
            if end.is_some_and(|slot| self.touched[self.groups.root(slot)]) {
                self.rows.push(number);
                for slot in row.slots.into_iter().flatten() {
                    self.index_of(slot);
                }
            }
        }
    }

    fn push_rows(&mut self, settings: &SoftSettings, flight: &FreeFlight<'_>, joints: &JointRows) {
        let share = 1.0 / settings.count() as f64;
        if self.rows.is_empty() {
            return;
        }
        self.world = self.solver.push_body(SoftBody::immovable(BodyVelocity::default()));
        self.slots.push(WORLD);
        let mut rows = std::mem::take(&mut self.rows);
        rows.retain(|&number| {
            let ends = joints.end[number].slots;
            let free = ends.map(|end| end.map_or(BodyVelocity::default(), |slot| flight.after[slot].into()));
            let Some(row) = joints.row(number, free, Span::Lasting(0.0, flight.dt), flight.dt) else {
                return false;
            };
            let [body_a, body_b] = ends.map(|end| end.map_or(self.world, |slot| self.local[slot]));
            let drives = row.lower.is_finite() && row.upper.is_finite();
            self.solver.push_row(SoftRow {
                body_a,
                body_b,
                jacobian: row.jacobian,
                target: row.target,
                lower: row.lower * share,
                upper: row.upper * share,
                value: (!drives).then_some(joints.start[number].value),
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
