//! Impulses that the contacts of a batch store for the next step, and the list of touching pairs.
//!
//! The thread that solved a batch collects them while its memory is in the cache; they are written once the step
//! succeeds.

use super::super::report::ContactReport;
use crate::math::{Vec3, scalar};
use crate::physics::collision::{CollisionDetector, ContactImpulse};
use crate::physics::constraints::contact::soft::{SoftRegion, Source};

/// Manifolds between a prefetch and its use. tuned.
const AHEAD: usize = 8;

/// Stored results of the contacts of a batch.
#[derive(Clone, Debug, Default)]
pub(super) struct SoftImpulseCache {
    manifolds: Vec<CachedManifold>,
    /// Of the points of all manifolds in order, N·s.
    impulses: Vec<ContactImpulse>,
    /// Pairs with an impulse.
    touching: Vec<u32>,
    /// Number of points with an impulse.
    contacts: usize,
    /// Deepest overlap, m.
    max_penetration: f64,
    substeps: f64,
    begun: bool,
}

/// A manifold of the detector.
#[derive(Clone, Copy, Debug)]
struct CachedManifold {
    pair: u32,
    manifold: u32,
    points: u32,
    /// Normal of the impulses.
    normal: Vec3,
}

impl SoftImpulseCache {
    /// Clears it, keeping its memory. The last of `substeps` impulses represents the step; the overlap at its start
    /// counts if a step before it left that overlap.
    pub(super) fn clear(&mut self, substeps: usize, begun: bool) {
        self.manifolds.clear();
        self.impulses.clear();
        self.touching.clear();
        (self.contacts, self.max_penetration) = (0, 0.0);
        (self.substeps, self.begun) = (substeps as f64, begun);
    }

    /// Stores the results of a manifold, except those written back to contact constraints.
    pub(super) fn take(&mut self, region: &SoftRegion, number: usize) {
        let (manifold, verdict) = (&region.manifolds()[number], region.verdict(number));
        let impulses = region.impulses(number);
        let mut nearest = verdict.end_gap;
        let pair = match manifold.source {
            Source::Candidates { .. } => return,
            Source::Uncached { pair } => pair,
            Source::Detector { pair, manifold: nth } => {
                let (points, normal) = (impulses.len() as u32, manifold.frame.x_axis);
                self.manifolds.push(CachedManifold { pair, manifold: nth, points, normal });
                self.impulses.extend(impulses.iter().map(|[_, last]| {
                    let last = *last * self.substeps;
                    ContactImpulse { normal: last.x, tangent: [last.y, last.z] }
                }));
                if self.begun {
                    nearest = scalar::min(nearest, verdict.start_gap);
                }
                pair
            }
        };
        self.max_penetration = scalar::max(self.max_penetration, -nearest);
        let contacts = impulses.iter().filter(|[sum, _]| sum.x > 0.0).count();
        self.contacts += contacts;
        if contacts > 0 {
            self.touching.push(pair);
        }
    }

    /// Writes impulses to the contact cache, and marks the pairs that touch.
    pub(super) fn write_impulses(
        &self,
        detector: &mut CollisionDetector,
        touching: &mut [bool],
        report: &mut ContactReport,
    ) {
        let mut rest = self.impulses.as_slice();
        for (nth, kept) in self.manifolds.iter().enumerate() {
            if let Some(later) = self.manifolds.get(nth + 2 * AHEAD) {
                detector.prefetch_pair(later.pair as usize);
            }
            if let Some(soon) = self.manifolds.get(nth + AHEAD) {
                detector.prefetch_impulses(soon.pair as usize);
            }
            let (own, after) = rest.split_at(kept.points as usize);
            rest = after;
            let memory = &mut detector.manifolds_mut(kept.pair as usize)[kept.manifold as usize];
            memory.store_impulses(kept.normal, own);
        }
        self.touching.iter().for_each(|pair| touching[*pair as usize] = true);
        report.contacts += self.contacts;
        report.max_penetration = scalar::max(report.max_penetration, self.max_penetration);
    }
}
