//! The candidates of a step: every point of every manifold found at its start, with its path in free flight.
//!
//! First the pairs are listed, with how many candidates each gives ([`ContactPreparation::list`]), and put into the order of their islands; then candidates are
//! made and charted in their places, pair by pair, on all threads ([`ContactPreparation::fill`]). Of fast pairs it is not known how many
//! points will take part before these have been looked at: theirs are made when they are listed.

use super::ccd::{self, Meeting, Moving};
use super::contact_constraint::{ContactConstraint, FoundPoint, Origin, PairGeometry, PointMotion, is_round};
use super::contact_hook::{PairSurface, Responses};
use super::free_flight::FreeFlight;
use super::gap_prediction;
use super::path::Path;
use super::settings::{ContactScheme, ContactSettings};
use crate::math::lanes::LANES;
use crate::math::{Mat3, Vec3, frame_of_normal, scalar};
use crate::physics::collision::{CollisionDetector, ContactPair};
use crate::physics::rigid_body::shape::Shape;
use crate::physics::rigid_body::{Bodies, InertialState};
use crate::threads::{CONTACTS_A_TASK, Divisible, Threads};

/// Points that keep a face from turning into another.
const FACE_POINTS: usize = 4;

/// A pair of bodies that gives candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FoundPair {
    /// Slots, in the canonical order.
    pub(super) a: usize,
    pub(super) b: usize,
    /// Place among the pairs that the detector remembers.
    pub(super) index: usize,
    /// How many candidates it gives; not none.
    pub(super) count: usize,
    /// Those made already, if it is fast.
    pub(super) made: Option<MadePoints>,
}

/// Candidates that are made when their pair is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MadePoints {
    first: usize,
    count: usize,
}

/// Inputs of contact constraints.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactPreparation<'a> {
    pub(super) detector: &'a CollisionDetector,
    pub(super) responses: &'a Responses,
    pub(super) settings: &'a ContactSettings,
    pub(super) bodies: Bodies<'a>,
    /// At the end of free flight, by slot.
    pub(super) after: &'a [InertialState],
    /// Length of the step, s.
    pub(super) dt: f64,
    /// Factor from cached impulses to those of this step.
    pub(super) scale: f64,
}

impl<'a> ContactPreparation<'a> {
    pub(super) fn new(
        detector: &'a CollisionDetector,
        responses: &'a Responses,
        settings: &'a ContactSettings,
        flight: &'a FreeFlight<'_>,
        scale: f64,
    ) -> Self {
        let bodies = Bodies { bodies: flight.bodies, inertias: flight.inertias, states: flight.before };
        Self { detector, responses, settings, bodies, after: flight.after, dt: flight.dt, scale }
    }

    /// Lists the pairs that give candidates, in the order of their slots, and makes those of fast pairs.
    pub(super) fn list(&self, pairs: &mut Vec<FoundPair>, made: &mut Vec<ContactConstraint>) {
        pairs.clear();
        made.clear();
        let movable = |slot: usize| self.bodies.inertias[slot].is_movable();
        for pair in self.detector.contacts().filter(|pair| movable(pair.a) || movable(pair.b)) {
            let ContactPair { index, a, b, manifolds } = pair;
            let thin = scalar::min(self.detector.thickness(a), self.detector.thickness(b));
            let (start, end) = ([a, b].map(|s| &self.bodies.states[s]), [a, b].map(|s| &self.after[s]));
            let first = made.len();
            let (found, made) = if ccd::is_fast(start, end, thin, self.dt) {
                self.meet(&pair, made);
                (made.len() - first, Some(MadePoints { first, count: made.len() - first }))
            } else {
                (manifolds.iter().map(|manifold| manifold.manifold.points().len()).sum(), None)
            };
            if found > 0 {
                pairs.push(FoundPair { a, b, index, count: self.places(a, b, found), made });
            }
        }
    }

    /// Makes and charts the candidates of these pairs in their places.
    pub(super) fn fill(
        &self,
        threads: &Threads,
        pairs: &[FoundPair],
        made: &[ContactConstraint],
        places: &mut [ContactConstraint],
    ) {
        threads.for_each_part(Places { pairs, places }, CONTACTS_A_TASK, |mut part| {
            for pair in part.pairs {
                let places = part.next(pair.count);
                let filled = match pair.made {
                    Some(MadePoints { first, count }) => {
                        places[..count].copy_from_slice(&made[first..first + count]);
                        count
                    }
                    None => self.take_pair(pair, places),
                };
                self.reserve(pair, &mut places[filled..]);
                self.chart(pair, places);
            }
        });
    }

    /// Places of a pair of which `found` points are known at the start of the step: for as many points as it may come to touch at within the
    /// step, if it lands on a face, or on another part.
    fn places(&self, a: usize, b: usize, found: usize) -> usize {
        if self.settings.scheme != ContactScheme::Midpoint {
            return found;
        }
        let shape = |slot: usize| self.bodies.bodies[slot].shape.as_ref();
        let is_ball = |slot: usize| matches!(shape(slot), Some(Shape::Sphere(_)));
        let has_parts = |slot: usize| matches!(shape(slot), Some(Shape::Compound(_) | Shape::Mesh(_)));
        let face = if is_ball(a) || is_ball(b) { 1 } else { FACE_POINTS };
        if has_parts(a) || has_parts(b) { found + face } else { found.max(face) }
    }

    /// Empties the places of a pair that have no point at the start.
    fn reserve(&self, pair: &FoundPair, places: &mut [ContactConstraint]) {
        for place in places {
            place.reserve(&self.sides(pair.a, pair.b), &self.surface(pair.a, pair.b));
        }
    }

    /// The contacts of a pair that is not fast; returns how many there are.
    fn take_pair(&self, pair: &FoundPair, places: &mut [ContactConstraint]) -> usize {
        let mut filled = 0;
        self.each_point(&self.detector.pair(pair.index), |point, frame, sides, surface| {
            if let Some(place) = places.get_mut(filled) {
                place.found(point, frame, sides, surface);
                filled += 1;
            }
        });
        filled
    }

    /// The contacts of a fast pair: only what touches already is known where it will be, and what it meets within the step.
    fn meet(&self, pair: &ContactPair<'_>, made: &mut Vec<ContactConstraint>) {
        let [Some(a), Some(b)] = [pair.a, pair.b].map(|slot| self.moving(slot)) else { return };
        // Points as near as this touch for continuous detection, which does not follow them.
        let touching = ccd::resolved(&a, &b);
        self.each_point(pair, |point, frame, sides, surface| {
            let candidate = ContactConstraint::new(point, frame, sides, surface);
            if candidate.gap <= scalar::max(candidate.closed(), touching) {
                made.push(candidate);
            }
        });
        if let Some(meeting) = ccd::first_meeting(&a, &b) {
            made.extend(met(&meeting, &self.sides(pair.a, pair.b), &self.surface(pair.a, pair.b)));
        }
    }

    /// A body with a shape in free flight.
    fn moving(&self, slot: usize) -> Option<Moving<'a>> {
        let states = [&self.bodies.states[slot], &self.after[slot]];
        Moving::new(&self.bodies.bodies[slot], &self.bodies.inertias[slot], states, self.dt)
    }

    /// Every point of every manifold of a pair.
    #[inline(always)]
    fn each_point(
        &self,
        pair: &ContactPair<'_>,
        mut take: impl FnMut(FoundPoint, &Mat3, &PairGeometry<'_>, &PairSurface),
    ) {
        let (poses, kept) = self.detector.poses(pair);
        let (sides, surface) = (self.sides(pair.a, pair.b), self.surface(pair.a, pair.b));
        let shapes = [pair.a, pair.b].map(|slot| self.bodies.bodies[slot].shape.as_ref());
        for (number, manifold) in pair.manifolds.iter().enumerate() {
            let seen = manifold.at_poses(&poses, kept);
            let rolls = self.settings.scheme == ContactScheme::Midpoint;
            let mask = if rolls { manifold.manifold.fixed_next_to_lowest() } else { 0 };
            let parts = [manifold.part_a, manifold.part_b];
            let round = [is_round(shapes[0], parts[0]), is_round(shapes[1], parts[1])];
            for (part, points) in manifold.manifold.points().chunks(LANES).enumerate() {
                let places = sides.surfaces(points).into_iter().zip(seen.gaps(points));
                for (k, (point, (surfaces, distance))) in points.iter().zip(places).enumerate() {
                    let place = LANES * part + k;
                    if mask & (1 << place) != 0 {
                        continue;
                    }
                    let (pair, manifold, point_number) = (pair.index as u32, number as u32, place as u32);
                    let found = FoundPoint {
                        origin: Origin { pair, manifold, point: point_number },
                        parts,
                        surfaces,
                        distance,
                        grip: PointMotion::of(point, round),
                        warm_start: seen.impulse(place) * self.scale,
                    };
                    take(found, &seen.frame, &sides, &surface);
                }
            }
        }
    }

    /// Charts the paths of the candidates of a pair in free flight.
    fn chart(&self, pair: &FoundPair, candidates: &mut [ContactConstraint]) {
        let slots = [pair.a, pair.b];
        let at_start = slots.map(|slot| self.bodies.states[slot].into());
        let at_end = slots.map(|slot| self.after[slot].into());
        for points in gap_prediction::patches_mut(candidates) {
            let from = points[0].detected.time;
            if from > 0.0 {
                let then = slots.map(|slot| self.path(slot).at(from).into());
                gap_prediction::chart(points, (from, self.dt), &then, &at_end);
            } else {
                gap_prediction::chart(points, (0.0, self.dt), &at_start, &at_end);
            }
        }
    }

    fn path(&self, slot: usize) -> Path<'a> {
        let Bodies { inertias, states, .. } = self.bodies;
        Path::of_flight(&states[slot], &self.after[slot], &inertias[slot], self.dt)
    }

    fn sides(&self, a: usize, b: usize) -> PairGeometry<'a> {
        PairGeometry::new(self.bodies.bodies, self.bodies.inertias, self.bodies.states, (a, b))
    }

    fn surface(&self, a: usize, b: usize) -> PairSurface {
        self.responses.surface(self.settings, self.bodies.bodies, a, b)
    }
}

/// Pairs, and the places of their candidates.
struct Places<'a> {
    pairs: &'a [FoundPair],
    places: &'a mut [ContactConstraint],
}

impl<'a> Places<'a> {
    /// The first `count` places.
    fn next(&mut self, count: usize) -> &'a mut [ContactConstraint] {
        let (first, rest) = std::mem::take(&mut self.places).split_at_mut(count);
        self.places = rest;
        first
    }
}

impl Divisible for Places<'_> {
    fn amount(&self) -> usize {
        self.places.len()
    }

    /// In two of as many pairs.
    fn divide(mut self) -> (Self, Option<Self>) {
        if self.pairs.len() < 2 {
            return (self, None);
        }
        let (low, high) = self.pairs.split_at(self.pairs.len() / 2);
        let places = self.next(low.iter().map(|pair| pair.count).sum());
        self.pairs = high;
        (Places { pairs: low, places }, Some(self))
    }
}

/// The contact points of a fast pair where and when it meets.
fn met<'a>(
    meeting: &'a Meeting,
    sides: &PairGeometry<'a>,
    surface: &'a PairSurface,
) -> impl Iterator<Item = ContactConstraint> + use<'a> {
    let frame = frame_of_normal(meeting.manifold.normal);
    let then = PairGeometry { a: &meeting.a, b: &meeting.b, ..*sides };
    meeting.manifold.points().iter().map(move |point| {
        let [surfaces, ..] = then.surfaces(std::slice::from_ref(point));
        let (origin, distance) = (Origin::nowhere(0), point.distance);
        let found = FoundPoint {
            origin,
            parts: [0; 2],
            surfaces,
            distance,
            grip: PointMotion::Both,
            warm_start: Vec3::ZERO,
        };
        let mut candidate = ContactConstraint::new(found, &frame, &then, surface);
        candidate.detected_at(meeting.time, &then);
        candidate
    })
}
