//! Eight manifolds in structure-of-arrays layout, as sweeps read them.
//!
//! Numbers of eight manifolds are contiguous, so that a kernel loads them at once. All vectors are in the contact
//! frame, axes (n, t₁, t₂): the lever arm of a point is (h, a, b), of which normal rows need a and b alone. Data of
//! normal rows and of friction rows are stored apart.

use super::bodies::SoftBody;
use super::manifold::{SoftManifold, SoftPoint};
use crate::math::wide_lanes::{Eight, WIDE};
use crate::math::{Mat3, Vec3};

/// Marks a lane without a manifold.
pub(super) const NONE: u32 = u32::MAX;

/// Data that eight manifolds share among their points.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Chunk {
    /// Numbers of the manifolds.
    pub(super) manifolds: [u32; WIDE],
    /// Indices of the bodies, counted from the first of the region; zero, which is nowhere, in lanes without a manifold.
    pub(super) bodies: [[u32; WIDE]; 2],
    /// Points, from `first` on: as many as the manifold with most has.
    pub(super) first: u32,
    pub(super) count: u32,
    /// n, t₁, t₂ in the world.
    pub(super) frame: [[Eight; 3]; 3],
    /// From the centre of mass of A to that of B, in the frame once prepared.
    pub(super) between: [Eight; 3],
    pub(super) inverse_mass: [Eight; 2],
    /// In the frame once prepared.
    pub(super) inverse_inertia: [[Eight; 6]; 2],
    pub(super) friction: Eight,
    /// Velocity of B's surface along its body, less that of A, along t₁ and t₂, m/s.
    pub(super) surface: [Eight; 2],
}

/// A point of each of eight manifolds.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct NormalPoint {
    /// a and b: from the centre of mass of A, across the normal, m.
    pub(super) across: [Eight; 2],
    /// One over `n·W n`, kg; zero in lanes without a point.
    pub(super) mass: Eight,
    /// At the start of the step, m.
    pub(super) gap: Eight,
    /// Velocity that the gap allows now, m/s: added to `u_n` in the law.
    pub(super) offset: Eight,
    /// λ_n of the substep, N·s.
    pub(super) impulse: Eight,
}

/// Friction at a point of each of eight manifolds.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct FrictionPoint {
    /// h: from the centre of mass of A, along the normal, m.
    pub(super) height: Eight,
    /// One over the larger eigenvalue of W across the normal, kg.
    pub(super) mass: Eight,
    /// `t·W n`, 1/kg.
    pub(super) coupling: [Eight; 2],
    /// λ_t of the substep, N·s.
    pub(super) impulse: [Eight; 2],
    /// Normal and tangential impulses of all substeps, N·s.
    pub(super) sum: [Eight; 3],
}

/// The bodies of a region, of which the first has the index `first` among all.
#[derive(Clone, Copy, Debug)]
pub(super) struct RegionBodies<'a> {
    pub(super) given: &'a [SoftBody],
    pub(super) first: usize,
}

/// Index of a point, and its lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PointLane {
    pub(super) chunk: u32,
    pub(super) point: u32,
    pub(super) lane: u32,
}

impl Chunk {
    /// No manifold.
    pub(super) const EMPTY: Self = Self {
        manifolds: [NONE; WIDE],
        bodies: [[0; WIDE]; 2],
        first: 0,
        count: 0,
        frame: [[[0.0; WIDE]; 3]; 3],
        between: [[0.0; WIDE]; 3],
        inverse_mass: [[0.0; WIDE]; 2],
        inverse_inertia: [[[0.0; WIDE]; 6]; 2],
        friction: [0.0; WIDE],
        surface: [[0.0; WIDE]; 2],
    };

    /// Lays out a group of up to eight manifolds and their points in world coordinates: [`super::prepare`] transforms
    /// them to the contact frames.
    pub(super) fn fill(
        &mut self,
        group: &[u32],
        manifolds: &[SoftManifold],
        given: &[SoftPoint],
        bodies: &RegionBodies<'_>,
        normals: &mut Vec<NormalPoint>,
        frictions: &mut Vec<FrictionPoint>,
    ) {
        self.first = normals.len() as u32;
        self.count = group.iter().fold(0, |most, number| most.max(manifolds[*number as usize].count));
        let end = normals.len() + self.count as usize;
        normals.resize(end, NormalPoint::default());
        frictions.resize(end, FrictionPoint::default());
        for (lane, &number) in group.iter().enumerate() {
            let manifold = &manifolds[number as usize];
            self.manifolds[lane] = number;
            self.set_lane(lane, manifold, bodies);
            let points = &given[manifold.first as usize..][..manifold.count as usize];
            let places = normals[self.first as usize..].iter_mut().zip(&mut frictions[self.first as usize..]);
            for (point, (normal, friction)) in points.iter().zip(places) {
                friction.height[lane] = point.arm.x;
                normal.across[0][lane] = point.arm.y;
                normal.across[1][lane] = point.arm.z;
                normal.mass[lane] = 1.0;
                normal.gap[lane] = point.gap;
                normal.impulse[lane] = point.warm_start.x;
                friction.impulse[0][lane] = point.warm_start.y;
                friction.impulse[1][lane] = point.warm_start.z;
            }
        }
    }

    fn set_lane(&mut self, lane: usize, manifold: &SoftManifold, bodies: &RegionBodies<'_>) {
        let SoftManifold { body_a, body_b, frame, between, material, surface_velocity, .. } = manifold;
        set(&mut self.frame[0], lane, frame.x_axis);
        set(&mut self.frame[1], lane, frame.y_axis);
        set(&mut self.frame[2], lane, frame.z_axis);
        set(&mut self.between, lane, *between);
        self.friction[lane] = material.friction;
        if *surface_velocity != Vec3::ZERO {
            self.surface[0][lane] = frame.y_axis.dot(*surface_velocity);
            self.surface[1][lane] = frame.z_axis.dot(*surface_velocity);
        }
        for (side, index) in [*body_a, *body_b].into_iter().enumerate() {
            let index = index as usize - bodies.first;
            let body = &bodies.given[index];
            self.bodies[side][lane] = index as u32;
            self.inverse_mass[side][lane] = body.inverse_mass;
            let entries = upper(&body.inverse_inertia);
            for (to, from) in self.inverse_inertia[side].iter_mut().zip(entries) {
                to[lane] = from;
            }
        }
    }

    /// The range of its points.
    pub(super) fn points(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    pub(super) fn normal_of(&self, lane: usize) -> Vec3 {
        get(&self.frame[0], lane)
    }

    pub(super) fn frame_of(&self, lane: usize) -> Mat3 {
        let [n, t, s] = &self.frame;
        Mat3::from_cols(get(n, lane), get(t, lane), get(s, lane))
    }

    /// Lever arms of a point from the centres of mass of A and B, world frame.
    pub(super) fn arms_of(&self, normal: &NormalPoint, friction: &FrictionPoint, lane: usize) -> [Vec3; 2] {
        let arm = Vec3::new(friction.height[lane], normal.across[0][lane], normal.across[1][lane]);
        let frame = self.frame_of(lane);
        [frame * arm, frame * (arm - get(&self.between, lane))]
    }

    /// Indices of the bodies of a lane, counted from the first of the region.
    pub(super) fn pair(&self, lane: usize) -> [usize; 2] {
        self.bodies.map(|side| side[lane] as usize)
    }
}

pub(super) fn get(components: &[Eight; 3], lane: usize) -> Vec3 {
    Vec3::new(components[0][lane], components[1][lane], components[2][lane])
}

fn set(components: &mut [Eight; 3], lane: usize, v: Vec3) {
    components[0][lane] = v.x;
    components[1][lane] = v.y;
    components[2][lane] = v.z;
}

/// xx, xy, xz, yy, yz, zz of a symmetric matrix.
fn upper(m: &Mat3) -> [f64; 6] {
    [m.x_axis.x, m.y_axis.x, m.z_axis.x, m.y_axis.y, m.z_axis.y, m.z_axis.z]
}
