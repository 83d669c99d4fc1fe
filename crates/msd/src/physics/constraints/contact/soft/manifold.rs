//! Input of the soft solver: contact points between two bodies with one normal.

use crate::math::{Mat3, Vec3};
use crate::physics::rigid_body::Material;

/// Where a manifold comes from, so that its impulses can be written back. The solver does not read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A manifold of the collision detector.
    Detector {
        /// Index of its pair.
        pair: u32,
        /// Its number in the pair.
        manifold: u32,
    },
    /// Consecutive points of a list.
    Candidates {
        /// The first of them.
        first: u32,
    },
    /// Detected within the step; without a cache entry.
    Uncached {
        /// Index of its pair.
        pair: u32,
    },
}

/// Contact points of two bodies that share a frame.
#[derive(Clone, Copy, Debug)]
pub struct SoftManifold {
    /// Where it comes from.
    pub source: Source,
    /// Index of body A.
    pub body_a: u32,
    /// Index of body B.
    pub body_b: u32,
    /// Columns n, t₁, t₂: unit, right-handed, n from A to B.
    pub frame: Mat3,
    /// From the centre of mass of A to that of B, m.
    pub between: Vec3,
    /// Combined material of both surfaces.
    pub material: Material,
    /// Velocity of B's surface along its body, less that of A, world frame, m/s (belts).
    pub surface_velocity: Vec3,
    /// First of its points, and how many there are.
    pub first: u32,
    /// At most eight.
    pub count: u32,
}

/// One contact point.
#[derive(Clone, Copy, Debug)]
pub struct SoftPoint {
    /// From the centre of mass of A, world frame, m.
    pub arm: Vec3,
    /// Gap at the start of the step, m; negative is overlap.
    pub gap: f64,
    /// Impulse of a substep that warm-starts it, N·s, in the frame.
    pub warm_start: Vec3,
}
