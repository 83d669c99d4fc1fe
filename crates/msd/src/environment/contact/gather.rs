//! The candidates of a step: every point of every manifold found at its start, with its course in free flight.

use super::candidate::{Candidate, Ends, FoundPoint, Grip, Origin, Sides, is_round};
use super::contacts::FreeFlight;
use super::course;
use super::settings::ContactSettings;
use super::sweep::{self, Meeting};
use crate::math::lanes::LANES;
use crate::math::{Vec3, frame_of_normal, real};
use crate::physics::collision::{CollisionDetector, ContactPair, Poses};
use crate::physics::rigid_body::{Bodies, Material};
use crate::threads::CONTACTS_A_TASK;

/// Candidates that are charted together on one thread, while they are still in its cache. Several threads chart all at once: what they
/// find is the same, each candidate by itself.
const BLOCK: usize = 1024;

/// Fills `candidates` from what the detector found; impulses in memory are times `scale` those of this step.
pub(super) fn gather(
    candidates: &mut Vec<Candidate>,
    detector: &CollisionDetector,
    settings: &ContactSettings,
    flight: &FreeFlight<'_>,
    scale: f64,
) {
    let bodies = Bodies { bodies: flight.bodies, inertias: flight.inertias, states: flight.before };
    let movable = |slot: usize| bodies.inertias[slot].is_movable();
    let block = if flight.threads.count() > 1 { usize::MAX } else { BLOCK };
    let mut charted = 0;
    for pair in detector.contacts().filter(|pair| movable(pair.a) || movable(pair.b)) {
        let thin = real::min(detector.thickness(pair.a), detector.thickness(pair.b));
        take_pair(candidates, &pair, detector.poses(&pair), &bodies, settings, (thin, scale, flight.dt));
        if candidates.len() - charted >= block {
            chart(&mut candidates[charted..], flight);
            charted = candidates.len();
        }
    }
    chart(&mut candidates[charted..], flight);
}

/// Takes the contacts of a pair, the thinner body of which has the extent `thin`, m.
fn take_pair(
    candidates: &mut Vec<Candidate>,
    pair: &ContactPair<'_>,
    (poses, kept): (Poses, bool),
    bodies: &Bodies<'_>,
    settings: &ContactSettings,
    (thin, scale, dt): (f64, f64, f64),
) {
    let (a, b) = (bodies.view(pair.a), bodies.view(pair.b));
    let material = settings.materials.combine(a.body, b.body);
    let fast = sweep::is_fast(&a, &b, thin, dt);
    let sides = Sides::new(bodies.bodies, bodies.inertias, bodies.states, (pair.a, pair.b));
    for (number, manifold) in pair.manifolds.iter().enumerate() {
        let seen = manifold.seen(&poses, kept);
        let shapes = [a.body.shape.as_ref(), b.body.shape.as_ref()];
        let round = [is_round(shapes[0], manifold.part_a), is_round(shapes[1], manifold.part_b)];
        let (index, number) = (pair.index as u32, number as u32);
        for (part, points) in manifold.manifold.points().chunks(LANES).enumerate() {
            let places = sides.surfaces(points).into_iter().zip(seen.gaps(points));
            for (k, (point, (surfaces, distance))) in points.iter().zip(places).enumerate() {
                let place = LANES * part + k;
                let found = FoundPoint {
                    origin: Origin { pair: index, manifold: number, point: place as u32 },
                    surfaces,
                    distance,
                    grip: Grip::of(point, round),
                    warm: seen.impulse(place) * scale,
                };
                let candidate = Candidate::new(found, seen.frame, &sides, material);
                // Of a fast pair only what touches already is known where it will be.
                if !fast || distance <= candidate.closed() {
                    candidates.push(candidate);
                }
            }
        }
    }
    if fast && let Some(meeting) = sweep::first_meeting(&a, &b, dt) {
        candidates.extend(met(&meeting, &sides, material));
    }
}

/// Charts the courses of some of them in free flight.
fn chart(candidates: &mut [Candidate], flight: &FreeFlight<'_>) {
    let (start, end, dt) = (flight.before, &*flight.after, flight.dt);
    flight.threads.for_each_chunk(candidates, CONTACTS_A_TASK, |_, candidates| {
        let (mut before, mut after) = (Ends::default(), Ends::default());
        for points in course::patches_mut(candidates) {
            let at_start = before.of(&points[0], |slot| start[slot].into());
            let at_end = after.of(&points[0], |slot| end[slot].into());
            course::chart(points, (0.0, dt), at_start, at_end);
        }
    });
}

/// The contact points of a fast pair where and when it meets.
fn met<'a>(
    meeting: &'a Meeting,
    sides: &Sides<'a>,
    material: Material,
) -> impl Iterator<Item = Candidate> + use<'a> {
    let frame = frame_of_normal(meeting.manifold.normal);
    let then = Sides { a: &meeting.a, b: &meeting.b, ..*sides };
    meeting.manifold.points().iter().map(move |point| {
        let [surfaces, ..] = then.surfaces(std::slice::from_ref(point));
        let (origin, distance) = (Origin::nowhere(0), point.distance);
        let found = FoundPoint { origin, surfaces, distance, grip: Grip::Both, warm: Vec3::ZERO };
        Candidate::new(found, frame, &then, material).met_at(meeting.time)
    })
}
