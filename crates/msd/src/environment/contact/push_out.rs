//! Pushes overlapping bodies apart, each by no more than a bound of its own.
//!
//! Computes displacements δ of the bodies of an island that minimise the remaining overlaps, `Σ max(0, wanted - J
//! δ)²`, with `|δx| ≤ bound` and `|δφ| reach ≤ bound` for every body. The problem without bounds (the smallest
//! displacement in the mass metric that leaves no overlap, see `position_correction`) may have its solution far from
//! any overlap: a light body between two heavy ones leaves them sideways along faces that are not quite parallel, by
//! the overlap over the sine of their angle. With bounds there is always a solution.
//!
//! Solved by projected Gauss-Seidel on the pushes π ≥ 0 of the contacts, with a compliance that shares overlap which
//! no displacement removes between contacts instead of leaving it to the last one:
//! ```text
//! Δπ = (wanted - J δ - ε k π) / (k (1 + ε)),   k = J W Jᵀ,   δ += W Jᵀ Δπ, projected on the bounds of the body
//! ```
//! W is the inverse mass matrix of the two bodies, with their mass ratio limited to [`PUSH_RATIO`]: displacements are
//! no motion, and a sweep must get through a light body to those behind it. Repeated with the new gaps, as rotations
//! are not linear; a round that increases the overlap is undone.

use super::contact_constraint::ContactConstraint;
use super::displacement::Displacement;
use super::island_problem::{Members, StepBodies};
use super::position_correction::{POSITION_EFFORT, POSITION_ROUNDS};
use super::position_correction::{measure, slop};
use crate::math::{Mat3, Vec3, orientation, scalar};
use crate::physics::rigid_body::InertialState;

/// Largest mass ratio with which two bodies are pushed apart. tuned: sweeps have to get through light bodies
/// between heavy ones.
const PUSH_RATIO: f64 = 10.0;

/// Compliance of contacts that push bodies apart, relative to their own response: the part of an overlap that
/// a round leaves. tuned: boxes placed in each other.
const PUSH_COMPLIANCE: f64 = 0.1;

/// Sweeps, forward and backward, of a round that pushes bodies apart. tuned: as above.
const PUSH_SWEEPS: usize = 24;

/// Bound of the displacement of each body, and the length by which angles count, by slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds<'a> {
    /// m.
    pub(super) most: &'a [f64],
    /// Distance from the centre of mass to the farthest point, m.
    pub(super) reach: &'a [f64],
}

/// Workspace for the displacements of islands.
#[derive(Clone, Debug, Default)]
pub(super) struct PushOut {
    rows: Vec<PushRow>,
    /// Poses before a round, and the displacements so far, in the order of the island.
    states: Vec<(InertialState, Displacement)>,
}

/// The normal row of one contact.
#[derive(Clone, Copy, Debug)]
struct PushRow {
    ends: [End; 2],
    /// Required growth of the gap from the current displacements, m; negative for an open gap.
    wanted: f64,
    /// π.
    push: f64,
}

/// One body of a contact: J of it and W Jᵀ.
#[derive(Clone, Copy, Debug)]
struct End {
    slot: usize,
    along: Vec3,
    turning: Vec3,
    response: Displacement,
}

impl End {
    fn new(bodies: &StepBodies<'_>, slot: usize, along: Vec3, arm: Vec3, bounds: &Bounds<'_>) -> Self {
        let turning = arm.cross(along);
        let inertia = &bodies.inertias[slot];
        let response = if inertia.is_movable() && bounds.most[slot] > 0.0 {
            let rotation = Mat3::from_quat(bodies.after[slot].orientation);
            let angular = inertia.inverse_tensor_world(&rotation) * turning;
            Displacement { linear: along * inertia.inverse_mass(), angular }
        } else {
            Displacement::default()
        };
        Self { slot, along, turning, response }
    }

    /// `J W Jᵀ`.
    fn compliance(&self) -> f64 {
        self.opened_by(&self.response)
    }

    /// Change of the gap by a displacement of the body, m.
    fn opened_by(&self, by: &Displacement) -> f64 {
        self.along.dot(by.linear) + self.turning.dot(by.angular)
    }

    /// Moves the body by a push, within its bounds.
    fn push(&self, by: f64, displaced: &mut Displacement, bounds: &Bounds<'_>) {
        let (most, reach) = (bounds.most[self.slot], bounds.reach[self.slot]);
        displaced.linear = within(displaced.linear + self.response.linear * by, most);
        displaced.angular = within(displaced.angular + self.response.angular * by, most / reach);
    }
}

/// The nearest vector of at most this length.
fn within(vector: Vec3, most: f64) -> Vec3 {
    let length = vector.length();
    if length > most { vector * (most / length) } else { vector }
}

/// Sum of the squares of overlaps beyond the slop, m².
fn overlap_left(candidates: &[ContactConstraint]) -> f64 {
    let overlaps = candidates.iter().filter(|candidate| candidate.end_gap < -slop(candidate));
    overlaps.map(|candidate| candidate.end_gap * candidate.end_gap).sum()
}

/// Displaces a body whose displacement so far was `was`.
fn displace(state: &mut InertialState, from: &InertialState, was: &Displacement, now: &Displacement) {
    state.center_of_mass = from.center_of_mass + (now.linear - was.linear);
    let turn = now.angular - was.angular;
    if turn != Vec3::ZERO {
        state.orientation = orientation::advanced(from.orientation, turn, 1.0);
    }
}

impl PushOut {
    /// Reserves memory for bodies and contacts.
    pub(super) fn reserve(&mut self, bodies: usize, contacts: usize) {
        self.states.reserve(bodies.saturating_sub(self.states.len()));
        self.rows.reserve(contacts.saturating_sub(self.rows.len()));
    }

    /// Pushes the bodies of an island apart, from its measured gaps.
    pub(super) fn resolve(
        &mut self,
        candidates: &mut [ContactConstraint],
        members: &Members<'_>,
        bodies: &mut StepBodies<'_>,
        before: &[InertialState],
        bounds: &Bounds<'_>,
    ) {
        let mut left = overlap_left(candidates);
        let rounds = (POSITION_EFFORT / candidates.len().max(1)).clamp(1, POSITION_ROUNDS);
        for _ in 0..rounds {
            if left == 0.0 {
                return;
            }
            self.states.clear();
            self.states
                .extend(members.slots.iter().map(|slot| (bodies.after[*slot], bodies.displaced[*slot])));
            self.pose(candidates, bodies, bounds);
            self.relax(bodies.displaced, bounds);
            for (slot, (state, was)) in members.slots.iter().zip(&self.states) {
                displace(&mut bodies.after[*slot], state, was, &bodies.displaced[*slot]);
            }
            measure(candidates, before, bodies.after);
            let now = overlap_left(candidates);
            if now >= left {
                for (slot, (state, was)) in members.slots.iter().zip(&self.states) {
                    (bodies.after[*slot], bodies.displaced[*slot]) = (*state, *was);
                }
                measure(candidates, before, bodies.after);
                return;
            }
            left = now;
        }
    }

    /// Adds the normal rows of all contacts.
    fn pose(&mut self, candidates: &[ContactConstraint], bodies: &StepBodies<'_>, bounds: &Bounds<'_>) {
        self.rows.clear();
        for candidate in candidates.iter().filter(|candidate| !candidate.is_vacant()) {
            let normal = candidate.frame.x_axis;
            let [arm_a, arm_b] = candidate.arms_at(bodies.dt);
            let mut ends = [
                End::new(bodies, candidate.a, -normal, arm_a, bounds),
                End::new(bodies, candidate.b, normal, arm_b, bounds),
            ];
            let own = [0, 1].map(|end| ends[end].compliance());
            for (end, other) in [(0, 1), (1, 0)] {
                let least = own[other] / PUSH_RATIO;
                if own[end] > 0.0 && own[end] < least {
                    let factor = least / own[end];
                    ends[end].response.linear *= factor;
                    ends[end].response.angular *= factor;
                }
            }
            if own != [0.0; 2] {
                let wanted = -(candidate.end_gap + 0.5 * slop(candidate));
                let opened: f64 = ends.iter().map(|end| end.opened_by(&bodies.displaced[end.slot])).sum();
                self.rows.push(PushRow { ends, wanted: wanted + opened, push: 0.0 });
            }
        }
    }

    /// Sweeps over the contacts, forward and backward, so that results do not favour the last ones.
    fn relax(&mut self, displaced: &mut [Displacement], bounds: &Bounds<'_>) {
        for _ in 0..PUSH_SWEEPS {
            self.rows.iter_mut().for_each(|row| row.relax(displaced, bounds));
            self.rows.iter_mut().rev().for_each(|row| row.relax(displaced, bounds));
        }
    }
}

impl PushRow {
    fn relax(&mut self, displaced: &mut [Displacement], bounds: &Bounds<'_>) {
        let response: f64 = self.ends.iter().map(End::compliance).sum();
        let opened: f64 = self.ends.iter().map(|end| end.opened_by(&displaced[end.slot])).sum();
        let soft = PUSH_COMPLIANCE * response;
        let change = (self.wanted - opened - soft * self.push) / (response + soft);
        let change = scalar::max(change, -self.push);
        if change != 0.0 {
            self.push += change;
            self.ends.iter().for_each(|end| end.push(change, &mut displaced[end.slot], bounds));
        }
    }
}
