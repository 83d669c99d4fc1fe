//! Impulses stored with the pairs of bodies for the next warm start, and touching pairs.
//!
//! Pairs are independent, so all are written in parallel, each from its own contact constraints. Sums over all of
//! them are formed afterwards, in the order of their slots.

use super::contact_constraint::{ContactConstraint, Origin};
use super::gap_prediction;
use super::prepare_contacts::FoundPair;
use crate::math::scalar;
use crate::physics::collision::{CollisionDetector, ContactImpulse, PairCache, PersistentManifold};
use crate::threads::{Divisible, PAIRS_A_TASK, Threads};

/// Results of the contact constraints of a pair of the detector.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CachedPair {
    /// Its contact constraints: the first, and their number.
    first: usize,
    count: usize,
    /// Points with an impulse.
    pub(super) contacts: usize,
    /// The deepest overlap, m.
    pub(super) overlap: f64,
}

/// Stores the impulses of `candidates`, which are those of `found` in order, with their pairs. Gaps at the start
/// count if a step before this one left them.
pub(super) fn note(
    notes: &mut Vec<CachedPair>,
    detector: &mut CollisionDetector,
    found: &[FoundPair],
    candidates: &[ContactConstraint],
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
                // The gap at the start is the one that the step before has left.
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

/// Pairs of the detector, and the results of each.
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
