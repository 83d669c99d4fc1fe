//! What a step leaves with the pairs of bodies that its candidates are of: impulses, for the next step to start from, and who touches.
//!
//! Pairs share nothing, so all of them are noted at once, each from its own candidates. What the step says of all of them is summed
//! up afterwards, in the order of their slots.

use super::contact_constraint::{ContactConstraint, Origin};
use super::gap_prediction;
use super::prepare_contacts::FoundPair;
use crate::math::scalar;
use crate::physics::collision::{CollisionDetector, ContactImpulse, PairCache, PersistentManifold};
use crate::threads::{Divisible, PAIRS_A_TASK, Threads};

/// What candidates say of a pair of the detector.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CachedPair {
    /// Its candidates: the first, and how many.
    first: usize,
    count: usize,
    /// Points that transmitted something.
    pub(super) contacts: usize,
    /// The deepest overlap, m.
    pub(super) overlap: f64,
}

/// Notes what `candidates` transmitted, which are those of `found` in order, with their pairs. Gaps of the start count if the step
/// has `begun` from another.
pub(super) fn note(
    notes: &mut Vec<CachedPair>,
    detector: &mut CollisionDetector,
    (found, candidates): (&[FoundPair], &[ContactConstraint]),
    begun: bool,
    threads: &Threads,
) {
    let pairs = detector.pairs_mut();
    notes.clear();
    notes.resize(pairs.len(), CachedPair::default());
    let mut first = 0;
    for FoundPair { index, count, .. } in found {
        (notes[*index].first, notes[*index].count) = (first, *count);
        first += count;
    }
    threads.for_each_part(Noting { pairs, notes }, PAIRS_A_TASK, |part| {
        for (pair, note) in part.pairs.iter_mut().zip(part.notes).filter(|(_, note)| note.count > 0) {
            note.take(&candidates[note.first..][..note.count], pair.manifolds_mut(), begun);
        }
    });
}

impl CachedPair {
    fn take(&mut self, candidates: &[ContactConstraint], manifolds: &mut [PersistentManifold], begun: bool) {
        for points in gap_prediction::patches(candidates) {
            for candidate in points {
                self.contacts += usize::from(candidate.is_touching());
                // What the narrow phase found at the start is what the step before really left.
                let overlap =
                    scalar::max(-candidate.end_gap, if begun { -candidate.start_gap() } else { 0.0 });
                self.overlap = scalar::max(self.overlap, overlap);
            }
            if points[0].is_remembered() {
                let Origin { manifold, .. } = points[0].origin;
                let memory = &mut manifolds[manifold as usize];
                memory.rotate_impulses_to(points[0].frame.x_axis, points.len());
                for ContactConstraint { origin, persistent: impulse, .. } in points {
                    let (normal, tangent) = (impulse.x, [impulse.y, impulse.z]);
                    memory.impulses[origin.point as usize] = ContactImpulse { normal, tangent };
                }
            }
        }
    }
}

/// Pairs of the detector, and the notes of each.
struct Noting<'a> {
    pairs: &'a mut [PairCache],
    notes: &'a mut [CachedPair],
}

impl Divisible for Noting<'_> {
    fn amount(&self) -> usize {
        self.pairs.len()
    }

    fn divide(self) -> (Self, Option<Self>) {
        let half = self.pairs.len() / 2;
        let (pairs, other_pairs) = self.pairs.split_at_mut(half);
        let (notes, other_notes) = self.notes.split_at_mut(half);
        (Self { pairs, notes }, Some(Self { pairs: other_pairs, notes: other_notes }))
    }
}
