//! What a step leaves with the pairs of bodies that its candidates are of: impulses, for the next step to start from, and who touches.
//!
//! Pairs share nothing, so all of them are noted at once, each from its own candidates. What the step says of all of them is summed
//! up afterwards, in the order of their slots.

use super::candidate::{Candidate, Origin};
use super::course;
use super::gather::FoundPair;
use crate::math::scalar;
use crate::physics::collision::{CollisionDetector, ContactImpulse, PairCache, PersistentManifold};
use crate::threads::{Divisible, PAIRS_A_TASK, Threads};

/// What candidates say of a pair of the detector.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PairNote {
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
    notes: &mut Vec<PairNote>,
    detector: &mut CollisionDetector,
    (found, candidates): (&[FoundPair], &[Candidate]),
    begun: bool,
    threads: &Threads,
) {
    let pairs = detector.pairs_mut();
    notes.clear();
    notes.resize(pairs.len(), PairNote::default());
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

impl PairNote {
    fn take(&mut self, candidates: &[Candidate], manifolds: &mut [PersistentManifold], begun: bool) {
        for points in course::patches(candidates) {
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
                for Candidate { origin, persistent: impulse, .. } in points {
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
    notes: &'a mut [PairNote],
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
