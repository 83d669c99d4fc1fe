//! `PersistentManifold`: a contact manifold with its cached impulses.

use serde::{Deserialize, Serialize};

use super::contact_impulse::ContactImpulse;
use super::manifold::{ContactManifold, MAX_POINTS, Poses};
use crate::math::Vec3;

/// The manifold of two convex parts with the cached impulses of its points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[repr(C)]
pub struct PersistentManifold {
    /// Part of a compound A, triangle of a mesh A, otherwise 0.
    pub part_a: u32,
    /// The same of B.
    pub part_b: u32,
    /// Stored next to the world normal: both are read together.
    pub(super) normal_in_a: Vec3,
    /// The current manifold.
    pub manifold: ContactManifold,
    /// One for each point of the manifold; zero for new points.
    pub impulses: [ContactImpulse; MAX_POINTS],
}

impl PersistentManifold {
    pub(super) const EMPTY: Self = Self {
        part_a: 0,
        part_b: 0,
        manifold: ContactManifold::EMPTY,
        impulses: [ContactImpulse { normal: 0.0, tangent: [0.0; 2] }; MAX_POINTS],
        normal_in_a: Vec3::ZERO,
    };

    /// Removes all points.
    pub(super) fn clear(&mut self) {
        // Impulses beyond the points are zero already.
        self.impulses[..self.manifold.points().len()].fill(ContactImpulse::default());
        self.manifold.clear();
    }

    /// True if the world normal changes with the shapes in these poses.
    pub(super) fn turns_with(&self, poses: &Poses) -> bool {
        poses.rotation_a * self.normal_in_a != self.manifold.normal
    }
}
