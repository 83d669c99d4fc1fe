//! What contacts leave to the next step: impulses for the detector's memory, and who touches.
//!
//! They are noted by the thread that solved a part, while its memory is at hand, and left once the step is sure.

use super::super::report::ContactReport;
use crate::math::{Vec3, scalar};
use crate::physics::collision::{CollisionDetector, ContactImpulse};
use crate::physics::constraints::contact::soft::{SoftRegion, Source};

/// Manifolds between a prefetch and its use. tuned.
const AHEAD: usize = 8;

/// What the contacts of a part leave.
#[derive(Clone, Debug, Default)]
pub(super) struct SoftImpulseCache {
    manifolds: Vec<CachedManifold>,
    /// Of the points of one manifold after the other, N·s.
    impulses: Vec<ContactImpulse>,
    /// Pairs that transmitted something.
    touching: Vec<u32>,
    /// Points that did.
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
    /// That impulses are along.
    normal: Vec3,
}

impl SoftImpulseCache {
    /// Nothing, with its memory kept. Impulses of the last of so many substeps will stand for the step; the overlap that was found at
    /// its start counts if there was a step before that left it.
    pub(super) fn clear(&mut self, substeps: usize, begun: bool) {
        self.manifolds.clear();
        self.impulses.clear();
        self.touching.clear();
        (self.contacts, self.max_penetration) = (0, 0.0);
        (self.substeps, self.begun) = (substeps as f64, begun);
    }

    /// Takes what a manifold leaves; one that came as candidates leaves it there.
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

    /// Leaves impulses in the detector's memory, and marks the pairs that touch.
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
