//! Contact points of edges that meet along each other, and of corners that meet.
//!
//! Every direction between the faces next to both edges is a normal of such an impact, and no geometry of the instant itself prefers one. The one
//! used here is the direction between the nearest points of the same bodies set apart by d against the direction of approach: the limit of
//! that by which they approached. An error ε of their positions turns it by ε/d, so that d should be large; but the direction must be a normal at
//! the instant, that is, separate the bodies there:
//! ```text
//! min n·B - max n·A ≥ -ε
//! ```
//! Manifolds of bodies whose faces are nearly parallel have the normal of a face instead, of one of the two: their corners on the supporting plane
//! along n are taken with n as their normal.

use super::impact_geometry::Found;
use super::island_problem::StepBodies;
use crate::math::Vec3;
use crate::physics::collision::{ContactPoint, PersistentManifold, distance};
use crate::physics::rigid_body::InertialState;
use crate::physics::rigid_body::shape::{Geometry, Shape};
use crate::tolerance;

/// Two bodies about to meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// From the start of the step, s.
    pub(super) time: f64,
    /// Velocity of B relative to A where they meet, world frame, m/s.
    pub(super) approach: Vec3,
    /// Distance of the point from the nearer centre of mass, m.
    pub(super) size: f64,
    /// How far the bodies may overlap at that time, m.
    pub(super) missed: f64,
}

/// Two bodies at the instant of their impact, and set apart.
#[derive(Clone, Copy)]
pub(super) struct SeparatedPair<'a> {
    pub(super) bodies: &'a StepBodies<'a>,
    pub(super) slots: (usize, usize),
    pub(super) shapes: [&'a Shape; 2],
    /// Set apart.
    pub(super) seen: [&'a InertialState; 2],
    /// At the instant.
    pub(super) states: [&'a InertialState; 2],
}

impl SeparatedPair<'_> {
    /// The direction between the nearest points of the bodies set apart, if it is a normal at the instant.
    pub(super) fn normal(&self, meeting: &Meeting) -> Option<Vec3> {
        let frame = |side: usize| self.bodies.bodies[self.slot(side)].frame(self.seen[side]);
        let found = distance(self.shapes[0], &frame(0), self.shapes[1], &frame(1));
        let separates = found.signed > 0.0 && self.gap(self.states, found.normal)? >= -meeting.missed;
        separates.then_some(found.normal)
    }

    /// Lists the contact points of the bodies set apart, those along `normal` first. A corner that is one of them is not listed again over the face
    /// next to it. False if there is none along the normal.
    pub(super) fn points(
        &self,
        manifolds: &[PersistentManifold],
        normal: Vec3,
        size: f64,
        found: &mut Vec<Found>,
    ) -> bool {
        found.clear();
        let same = tolerance::CONTACT_CLOSED * size;
        for (manifold, points) in manifolds.iter().enumerate() {
            let is_along = points.manifold.normal.cross(normal).length() <= tolerance::CONTACT_CLOSED;
            let number = if is_along { manifold } else { manifolds.len() };
            for point in points.manifold.points() {
                let along = if is_along { Some(*point) } else { self.along(point, normal, size) };
                let new = along.filter(|point| !found.iter().any(|known| is_same(&known.point, point, same)));
                found.extend(new.map(|point| Found { manifold: number, normal, point }));
            }
        }
        let along = found.len();
        for (manifold, points) in manifolds.iter().enumerate() {
            for point in points.manifold.points() {
                if !found[..along].iter().any(|known| is_same(&known.point, point, same)) {
                    found.push(Found { manifold, normal: points.manifold.normal, point: *point });
                }
            }
        }
        along > 0
    }

    /// A point over a face with `normal` as its normal, if its corner is on the supporting plane along it and the other body is opposite.
    fn along(&self, point: &ContactPoint, normal: Vec3, size: f64) -> Option<ContactPoint> {
        let slack = tolerance::CONTACT_CLOSED * size;
        let gap = self.gap(self.seen, normal)?;
        let frames = [0, 1].map(|side| self.bodies.bodies[self.slot(side)].frame(self.seen[side]));
        let [anchor_a, anchor_b] = [point.anchor_a, point.anchor_b];
        let (on_a, on_b) = (frames[0].point_to_parent(anchor_a), frames[1].point_to_parent(anchor_b));
        let opposite_of_b = frames[0].point_to_local(on_b - normal * gap);
        let opposite_of_a = frames[1].point_to_local(on_a + normal * gap);
        let is_on = |side: usize, place: Vec3| self.shapes[side].signed_distance(place).abs() <= slack;
        let (anchor_a, anchor_b) = if is_on(0, opposite_of_b) {
            (opposite_of_b, anchor_b)
        } else if is_on(1, opposite_of_a) {
            (anchor_a, opposite_of_a)
        } else {
            return None;
        };
        let (on_a, on_b) = (frames[0].point_to_parent(anchor_a), frames[1].point_to_parent(anchor_b));
        Some(ContactPoint { on_a, on_b, anchor_a, anchor_b, distance: gap, ..*point })
    }

    fn slot(&self, side: usize) -> usize {
        if side == 0 { self.slots.0 } else { self.slots.1 }
    }

    /// How far all of B is beyond all of A along a direction, m.
    fn gap(&self, states: [&InertialState; 2], normal: Vec3) -> Option<f64> {
        let farthest = |side: usize, direction: Vec3| {
            let turned = states[side].orientation.conjugate() * direction;
            let arm =
                self.shapes[side].support(turned)? - self.bodies.bodies[self.slot(side)].center_of_mass_local;
            Some(turned.dot(arm))
        };
        let between = states[1].center_of_mass - states[0].center_of_mass;
        Some(normal.dot(between) - farthest(0, normal)? - farthest(1, -normal)?)
    }
}

/// True if two contact points have a place of A or of B in common.
fn is_same(one: &ContactPoint, other: &ContactPoint, near: f64) -> bool {
    (one.anchor_a - other.anchor_a).length() <= near || (one.anchor_b - other.anchor_b).length() <= near
}
