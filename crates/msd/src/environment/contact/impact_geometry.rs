//! Contact geometry at the instant of an impact.
//!
//! Contact points of the start of a step tell about when a pair meets; by then normals and lever arms are others: a ball that is
//! grazed turns its normal by the way it goes over its radius. So before an impact is taken, the contact points of its pair are detected again
//! with both bodies where their paths have them at that time. The new points give a better time, and so on:
//! ```text
//! t ← t - gap(t) / rate(t)
//! ```
//! is Newton's method on the true gap. Without rotation the gap along a fixed normal is never more than the true one, so that times
//! approach the impact from before. It ends when the time moves by no more than the points are resolved.
//!
//! A point that was there at the start of the step as well keeps its place in the memory of its manifold, so that the next step starts from
//! its impulse; others are remembered by no manifold until the next step detects them.

use super::ccd::{self, Moving};
use super::contact_constraint::{ContactConstraint, FoundPoint, Origin, PairGeometry, PointMotion, is_round};
use super::edge_impact::{Meeting, SeparatedPair};
use super::gap_prediction;
use super::impacts;
use super::island_problem::{IslandProblem, StepBodies};
use super::path::apart;
use crate::math::{Mat3, Vec3, frame_of_normal, orientation, scalar};
use crate::physics::collision::CONTACT_MARGIN;
use crate::physics::collision::{ContactManifold, ContactPoint, ManifoldCache, distance, local_bounds};
use crate::physics::constraints::contact::BodyVelocity;
use crate::physics::rigid_body::InertialState;
use crate::physics::rigid_body::shape::Shape;
use crate::tolerance;

/// Limit of contact detections for one impact. tuned: Newton's method ends after three to five; grazing pairs
/// need more.
const IMPACT_LOOKS: usize = 32;

/// Gap at which the normal of an impact is compared with the one at the impact, relative to the distance of
/// the point from the centre of mass, and the sine by which it may differ. tuned: a round surface turns its
/// normal by about as much as it approaches, a thousand times less.
const EARLY_LOOK: f64 = 1e-6;

/// See [`EARLY_LOOK`].
const NORMAL_JUMP: f64 = 1e-3;

/// Displacement of a contact point over its bodies since the start of the step (relative to its distance from
/// the centre of mass) and sine of the rotation of its normal up to which it is the same contact. tuned:
/// rolling and tipping bodies.
const SAME_WITHIN_STEP: f64 = 0.1;

/// How far apart bodies are set to find the normal of edges that meet along each other, relative to the
/// distance of the point from the centre of mass: the first that gives a normal of the impact. tuned: an error
/// of positions rotates the normal by its ratio to this distance.
const SEPARATED_LOOKS: [f64; 3] = [0.1, 0.01, 1e-3];

/// A detected point, its normal, and the number of its manifold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) manifold: usize,
    pub(super) normal: Vec3,
    pub(super) point: ContactPoint,
}

/// Impulses that the points of a pair have transmitted, world frame, N·s.
#[derive(Clone, Copy, Debug, Default)]
struct Transmitted {
    impact: Vec3,
    persistent: Vec3,
    timed: f64,
}

/// Where the bodies are at which contact points are detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spot {
    /// On their paths.
    OnPath,
    /// A moment before they meet: points are moved along the normal so that the nearest touch.
    Early,
    /// Set apart: points are moved back by as much.
    Separated,
    /// Where the caller says; impulses go with their points.
    Exact,
}

/// Normals of two faces that are parallel to within 0.02 rad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Normals {
    /// Those of least overlap, as the law of impact asks.
    OfInstant,
    /// One of a face for all points, as bodies that come to rest on each other have it.
    OfFaces,
}

/// Where two bodies were when their contact points were detected, and where they are at the time of the points.
#[derive(Clone, Copy)]
struct Detection<'a> {
    seen: [&'a InertialState; 2],
    states: [&'a InertialState; 2],
    time: f64,
    spot: Spot,
}

/// A point of the start of the step: where its impulse is remembered, and where it was.
#[derive(Clone, Copy, Debug)]
struct Remembered {
    origin: Origin,
    /// In its frame, N·s.
    warm_start: Vec3,
    frame: Mat3,
    /// From the centre of mass of A, m, and the normal.
    surface: Vec3,
    normal: Vec3,
}

impl Remembered {
    /// m.
    fn distance_to(&self, surface: Vec3) -> f64 {
        (self.surface - surface).length()
    }

    /// True if a point detected later is the same contact, as far as bodies move within a step.
    fn is_at(&self, surface: Vec3, normal: Vec3, size: f64) -> bool {
        let near = self.distance_to(surface) <= SAME_WITHIN_STEP * size;
        near && self.normal.cross(normal).length() <= SAME_WITHIN_STEP
    }
}

/// Detects contact points within a step. Memory is kept from one island to the next, and nothing else.
#[derive(Clone, Debug, Default)]
pub(super) struct ImpactGeometry {
    cache: ManifoldCache,
    /// Manifolds by their gap.
    nearest: Vec<usize>,
    found: Vec<Found>,
    remembered: Vec<Remembered>,
    /// Detected manifolds, and those of the start of the step that some of their points were remembered with.
    claims: Vec<(usize, u32)>,
}

impl ImpactGeometry {
    /// Gives every pair that meets between `now` and the end of the step the contact points of its first impact. All of them, so that
    /// pairs that meet at one instant are known to.
    pub(super) fn refine(&mut self, candidates: &mut [ContactConstraint], bodies: &StepBodies<'_>, now: f64) {
        for points in candidates.chunk_by_mut(|p, q| (p.a, p.b) == (q.a, q.b)) {
            for _ in 0..IMPACT_LOOKS {
                let Some(next) = impacts::next_impact(points, now, bodies) else { break };
                let struck = &points[next.candidate];
                // Contacts that are closed already keep their points, and the impulses remembered with them.
                let touches = next.time <= now && struck.detected.time <= now;
                if touches || is_of(struck, next.time) {
                    break;
                }
                let early = early(&points[next.candidate], next.time, now);
                let approach = struck.frame * struck.velocity_at(next.time);
                let meeting = Meeting {
                    time: next.time,
                    approach,
                    size: struck.size,
                    missed: missed(struck, next.time),
                };
                if !self.detect(points, bodies, next.time, 0.0) {
                    break;
                }
                // Where two edges lie along each other, or corners meet, any direction between their faces is a normal at the instant itself.
                if early > 0.0
                    && normal_jumps(points, bodies, next.time, early)
                    && !self.detect_separated(points, bodies, &meeting)
                {
                    self.detect(points, bodies, next.time, early);
                }
            }
        }
    }

    /// After an impact at `now`: pairs of struck bodies that go so far in what is left of the step that the points they have say nothing about them are
    /// followed by continuous collision detection to where they meet next.
    pub(super) fn follow(
        &mut self,
        candidates: &mut [ContactConstraint],
        problem: &IslandProblem,
        bodies: &StepBodies<'_>,
        now: f64,
    ) {
        let is_changed = |slot: usize| problem.change_of(slot) != BodyVelocity::default();
        for points in candidates.chunk_by_mut(|p, q| (p.a, p.b) == (q.a, q.b)) {
            let slots = [points[0].a, points[0].b];
            if !slots.into_iter().any(is_changed) || points.iter().any(|point| stays_closed(point, now)) {
                continue;
            }
            let states = slots.map(|slot| bodies.path(slot).at(now));
            let moving = |k: usize| {
                let slot = slots[k];
                Moving::on(&bodies.bodies[slot], bodies.path(slot), &states[k])
            };
            let (Some(a), Some(b)) = (moving(0), moving(1)) else { continue };
            if !ccd::is_still_fast(&a, &b, now) {
                continue;
            }
            match ccd::next_contact_after(&a, &b, now) {
                Some(time) => {
                    self.detect(points, bodies, time, 0.0);
                }
                None => points.iter_mut().for_each(ContactConstraint::vacate),
            }
        }
    }

    /// Replaces the contact points of one pair by those at `time`, as many as there are places for; with the features of a moment `early`
    /// seconds before, moved along the normal so that the nearest touch. False, and nothing changed, if a pair that forces press together
    /// would lose points for which there is no place: it may come to rest on them.
    fn detect(
        &mut self,
        points: &mut [ContactConstraint],
        bodies: &StepBodies<'_>,
        time: f64,
        early: f64,
    ) -> bool {
        let (a, b) = (points[0].a, points[0].b);
        let [state_a, state_b] = placed(bodies, (a, b), time - early);
        let (Some(shape_a), Some(shape_b)) = (&bodies.bodies[a].shape, &bodies.bodies[b].shape) else {
            return false;
        };
        let margin = margin([(shape_a, &state_a), (shape_b, &state_b)], bodies.dt - time);
        let pressed = points.iter().any(|point| point.free_acceleration != Vec3::ZERO);
        // Of nearly parallel faces, where there are no places for the points along the normals of the instant, those along one.
        let fits = [Normals::OfInstant, Normals::OfFaces].into_iter().any(|normals| {
            let count = self.update(bodies, (a, b), [&state_a, &state_b], margin, normals);
            count <= points.len() || !pressed
        });
        if !fits {
            return false;
        }
        let spot = if early > 0.0 { Spot::Early } else { Spot::OnPath };
        let states = [&state_a, &state_b];
        self.replace(points, bodies, Detection { seen: states, states, time, spot });
        self.predict(points, bodies, states, time);
        true
    }

    /// Replaces the contact points of a pair that meets edge along edge or corner to corner by those of the same bodies set apart against the
    /// direction of approach, moved back so that the nearest touch.
    ///
    /// Every direction between the faces is a normal at the instant. Of bodies set apart by d it is the direction between the nearest
    /// points, which an error ε of their positions turns by ε/d. So d is the largest share of the size for which that direction still separates the
    /// bodies at the instant itself: then it is one of the normals there. False, and nothing changed, if it is for none, or if places are missing.
    fn detect_separated(
        &mut self,
        points: &mut [ContactConstraint],
        bodies: &StepBodies<'_>,
        meeting: &Meeting,
    ) -> bool {
        let slots = (points[0].a, points[0].b);
        let (Some(shape_a), Some(shape_b)) = (&bodies.bodies[slots.0].shape, &bodies.bodies[slots.1].shape)
        else {
            return false;
        };
        let Some(towards) = meeting.approach.try_normalize() else { return false };
        let [state_a, state_b] = placed(bodies, slots, meeting.time);
        let states = [&state_a, &state_b];
        let least = margin([(shape_a, &state_a), (shape_b, &state_b)], bodies.dt - meeting.time);
        for share in SEPARATED_LOOKS {
            let mut apart = state_b;
            apart.center_of_mass -= towards * (share * meeting.size);
            let pair =
                SeparatedPair { bodies, slots, shapes: [shape_a, shape_b], seen: [&state_a, &apart], states };
            let Some(normal) = pair.normal(meeting) else { continue };
            self.update(bodies, slots, pair.seen, least + share * meeting.size, Normals::OfInstant);
            if !pair.points(self.cache.manifolds(), normal, meeting.size, &mut self.found) {
                continue;
            }
            let pressed = points.iter().any(|point| point.free_acceleration != Vec3::ZERO);
            if self.found.len() > points.len() && pressed {
                return false;
            }
            self.found.truncate(points.len());
            let seen = pair.seen;
            self.place(points, bodies, Detection { seen, states, time: meeting.time, spot: Spot::Separated });
            self.predict(points, bodies, states, meeting.time);
            return true;
        }
        false
    }

    /// Predicts the gaps of detected points from `time` to the end of the step.
    fn predict(
        &self,
        points: &mut [ContactConstraint],
        bodies: &StepBodies<'_>,
        states: [&InertialState; 2],
        time: f64,
    ) {
        let motion =
            |state: &InertialState| BodyVelocity { linear: state.velocity, angular: state.angular_velocity };
        let slots = [points[0].a, points[0].b];
        let (then, end) = (states.map(motion), slots.map(|slot| bodies.after[slot].into()));
        let detected = self.found.len();
        for patch in gap_prediction::patches_mut(&mut points[..detected]) {
            gap_prediction::chart(patch, (time, bodies.dt), &then, &end);
        }
    }

    /// Replaces the contact points of one pair by those of its bodies in `states` at `time`, up to gaps of `margin`, as many as there are
    /// places for. Points that were there keep the impulse they start from.
    pub(super) fn redetect(
        &mut self,
        points: &mut [ContactConstraint],
        bodies: &StepBodies<'_>,
        states: [&InertialState; 2],
        time: f64,
        margin: f64,
    ) {
        self.update(bodies, (points[0].a, points[0].b), states, margin, Normals::OfFaces);
        self.replace(points, bodies, Detection { seen: states, states, time, spot: Spot::Exact });
    }

    /// Detects the contact points of a pair; returns how many there are.
    fn update(
        &mut self,
        bodies: &StepBodies<'_>,
        (a, b): (usize, usize),
        [state_a, state_b]: [&InertialState; 2],
        margin: f64,
        normals: Normals,
    ) -> usize {
        let [body_a, body_b] = [&bodies.bodies[a], &bodies.bodies[b]];
        self.cache.clear();
        let (Some(shape_a), Some(shape_b)) = (&body_a.shape, &body_b.shape) else { return 0 };
        let (frame_a, frame_b) = (body_a.frame(state_a), body_b.frame(state_b));
        match normals {
            Normals::OfInstant => {
                self.cache.at_instant([shape_a, shape_b], [&frame_a, &frame_b], margin);
            }
            Normals::OfFaces => {
                self.cache.update(shape_a, &frame_a, shape_b, &frame_b, margin);
            }
        }
        self.cache.manifolds().iter().map(|found| found.manifold.points().len()).sum()
    }

    /// Puts what was detected in the places of a pair, as far as there are.
    fn replace(
        &mut self,
        points: &mut [ContactConstraint],
        bodies: &StepBodies<'_>,
        detection: Detection<'_>,
    ) {
        self.choose(points.len(), detection.spot == Spot::Exact);
        self.place(points, bodies, detection);
    }

    /// Puts the chosen points in the places of a pair.
    fn place(
        &mut self,
        points: &mut [ContactConstraint],
        bodies: &StepBodies<'_>,
        Detection { seen, states, time, spot }: Detection<'_>,
    ) {
        let (a, b) = (points[0].a, points[0].b);
        let [shape_a, shape_b] = [a, b].map(|slot| bodies.bodies[slot].shape.as_ref());
        let (sides, seen) =
            (PairGeometry::at(bodies, (a, b), states), PairGeometry::at(bodies, (a, b), seen));
        let surface = points[0].surface();
        let infeasible = points.iter().any(|point| point.infeasible);
        let overlap = points.iter().fold(0.0, |most, point| scalar::max(most, -point.start_gap()));
        self.remember(points, spot == Spot::Exact);
        let transmitted = take_transmitted(points);
        let least =
            self.found.iter().fold(f64::INFINITY, |least, found| scalar::min(least, found.point.distance));
        let set_apart = seen.between() - sides.between();
        let (places, vacant) = points.split_at_mut(self.found.len());
        for (place, found) in places.iter_mut().zip(&self.found) {
            // The points of a normal of their own come after those of all manifolds.
            let manifold = self.cache.manifolds().get(found.manifold).unwrap_or(&self.cache.manifolds()[0]);
            let (point, normal) = (&found.point, found.normal);
            let [surfaces, ..] = seen.surfaces(std::slice::from_ref(point));
            let parts = [manifold.part_a, manifold.part_b];
            let round = [is_round(shape_a, parts[0]), is_round(shape_b, parts[1])];
            let moved = match spot {
                Spot::Early => least,
                Spot::Separated => normal.dot(set_apart),
                Spot::OnPath | Spot::Exact => 0.0,
            };
            let size = scalar::max(surfaces[0].length(), surfaces[1].length());
            // All points that are remembered with one manifold have one normal.
            let is_claimed = |old: &Remembered| {
                old.origin.pair != u32::MAX
                    && self.claims.iter().any(|(by, of)| *of == old.origin.manifold && *by != found.manifold)
            };
            let there = self.remembered.iter().enumerate();
            let same = there
                .filter(|(_, old)| old.is_at(surfaces[0], normal, size) && !is_claimed(old))
                .min_by(|(_, p), (_, q)| p.distance_to(surfaces[0]).total_cmp(&q.distance_to(surfaces[0])))
                .map(|(nth, _)| nth);
            let memory = same.map(|old| self.remembered.swap_remove(old));
            let origin = memory.map(|old| old.origin).filter(|origin| origin.pair != u32::MAX);
            self.claims.extend(origin.map(|origin| (found.manifold, origin.manifold)));
            let detected = FoundPoint {
                origin: origin.unwrap_or(Origin::nowhere(found.manifold as u32)),
                parts,
                surfaces,
                distance: point.distance - moved,
                grip: PointMotion::of(point, round),
                warm_start: memory.map_or(Vec3::ZERO, |old| match spot {
                    // It turns with the normal: within the cone of friction it stays there.
                    Spot::Exact => {
                        let turned = orientation::between_directions(old.normal, normal)
                            * (old.frame * old.warm_start);
                        frame_of_normal(normal).transpose() * turned
                    }
                    _ => old.warm_start,
                }),
            };
            place.found(detected, &frame_of_normal(normal), &sides, &surface);
            place.detected_at(time, &sides);
            (place.infeasible, place.overlap_before) = (infeasible, overlap);
        }
        vacant.iter_mut().for_each(ContactConstraint::vacate);
        return_transmitted(points, transmitted);
    }

    /// Keeps where the impulses of points are remembered; of `all`, or of those that a manifold remembers.
    fn remember(&mut self, points: &[ContactConstraint], all: bool) {
        self.remembered.clear();
        self.claims.clear();
        let there = points.iter().filter(|point| !point.is_vacant() && (all || point.is_remembered()));
        self.remembered.extend(there.map(|point| Remembered {
            origin: point.origin,
            warm_start: point.warm_start,
            frame: point.frame,
            surface: point.surface_a,
            normal: point.frame.x_axis,
        }));
    }

    /// Lists the detected points, no more than `most`, by manifold: of the nearest manifold first, and of one that has more points than
    /// there are places left those that are spread widest. Manifolds on the faces beside an edge have its points again. Where a rim
    /// `rolls`, its lowest point stands for those next to it.
    fn choose(&mut self, most: usize, rolls: bool) {
        self.found.clear();
        self.nearest.clear();
        let manifolds = self.cache.manifolds();
        self.nearest.extend(0..manifolds.len());
        let gap = |number: usize| manifolds[number].manifold.deepest();
        self.nearest.sort_unstable_by(|p, q| gap(*p).total_cmp(&gap(*q)).then(p.cmp(q)));
        for &number in &self.nearest {
            let (manifold, left) = (&manifolds[number].manifold, most - self.found.len());
            let manifold = if rolls { near_points(manifold, left) } else { *manifold };
            let kept = if manifold.points().len() > left { manifold.reduced_to(left) } else { manifold };
            let found = kept.points().iter().map(|point| Found {
                manifold: number,
                normal: kept.normal,
                point: *point,
            });
            self.found.extend(found);
        }
        self.found.sort_by_key(|found| found.manifold);
    }
}

/// The points of a manifold without those that a rolling rim moves past, and without those far off if there are more than `most`.
fn near_points(manifold: &ContactManifold, most: usize) -> ContactManifold {
    let mask = manifold.fixed_next_to_lowest();
    let mut near = ContactManifold::with_normal(manifold.normal);
    let there = manifold.points().iter().enumerate().filter(|(nth, _)| mask & (1 << nth) == 0);
    let count = there.clone().count();
    let first = manifold.points().first().map_or(Vec3::ZERO, |point| point.on_a);
    let extent = there.clone().fold(0.0, |most, (_, point)| scalar::max(most, point.on_a.distance(first)));
    let far = manifold.deepest() + CONTACT_MARGIN * extent;
    for (_, point) in there.filter(|(_, point)| count <= most || point.distance <= far) {
        near.push(*point);
    }
    near
}

/// Two bodies at a time, with the way between them as exact as it is.
fn placed(bodies: &StepBodies<'_>, (a, b): (usize, usize), time: f64) -> [InertialState; 2] {
    let (path_a, path_b) = (bodies.path(a), bodies.path(b));
    let (state_a, mut state_b) = (path_a.at(time), path_b.at(time));
    state_b.center_of_mass = state_a.center_of_mass + apart(&path_a, &path_b, time);
    [state_a, state_b]
}

/// How long before an impact its bodies are still apart by a small part of their size, s; none if that is before `now`.
fn early(struck: &ContactConstraint, time: f64, now: f64) -> f64 {
    let early = EARLY_LOOK * struck.size / -struck.velocity_at(time).x;
    if early < time - now { early } else { 0.0 }
}

/// True if the normal at `time` is another than `early` seconds before, by more than bodies of this size can have turned it.
fn normal_jumps(points: &[ContactConstraint], bodies: &StepBodies<'_>, time: f64, early: f64) -> bool {
    let nearest = points.iter().filter(|point| !point.is_vacant()).min_by(|p, q| p.gap.total_cmp(&q.gap));
    let Some(nearest) = nearest else { return false };
    let slots = (nearest.a, nearest.b);
    let [state_a, state_b] = placed(bodies, slots, time - early);
    let [body_a, body_b] = [&bodies.bodies[slots.0], &bodies.bodies[slots.1]];
    let (Some(shape_a), Some(shape_b)) = (&body_a.shape, &body_b.shape) else { return false };
    let before = distance(shape_a, &body_a.frame(&state_a), shape_b, &body_b.frame(&state_b));
    before.normal.cross(nearest.frame.x_axis).length() > NORMAL_JUMP
}

/// True if a contact is closed and its bodies do not part.
fn stays_closed(point: &ContactConstraint, now: f64) -> bool {
    point.gap_at(now) <= point.closed() && point.velocity_at(now).x <= tolerance::IMPACT_SPEED
}

/// True if a contact point is that of an instant, as well as points are resolved.
fn is_of(point: &ContactConstraint, time: f64) -> bool {
    let moved = (time - point.detected.time).abs() * point.velocity_at(time).length();
    time == point.detected.time || moved <= tolerance::IMPACT_RESOLVED * point.size
}

/// How far bodies may overlap at a time that a contact point has predicted, m: the way from where it was detected, within bounds.
fn missed(point: &ContactConstraint, time: f64) -> f64 {
    let moved = (time - point.detected.time).abs() * point.velocity_at(time).length();
    scalar::clamp(moved, tolerance::CONTACT_CLOSED * point.size, EARLY_LOOK * point.size)
}

/// Gap up to which points may still close in the `rest` of the step, m.
fn margin(sides: [(&Shape, &InertialState); 2], rest: f64) -> f64 {
    let [(shape_a, a), (shape_b, b)] = sides;
    let size = |shape: &Shape| {
        if shape.is_bounded() { local_bounds(shape).size().max_element() } else { f64::INFINITY }
    };
    let (size_a, size_b) = (size(shape_a), size(shape_b));
    let turning = |size: f64, state: &InertialState| {
        if size.is_finite() { size * state.angular_velocity.length() } else { 0.0 }
    };
    let closing = (b.velocity - a.velocity).length() + turning(size_a, a) + turning(size_b, b);
    CONTACT_MARGIN * scalar::min(size_a, size_b) + closing * rest
}

/// Takes out what points have transmitted so far in the step.
fn take_transmitted(points: &mut [ContactConstraint]) -> Transmitted {
    let mut sum = Transmitted::default();
    for point in points {
        sum.impact += point.frame * std::mem::take(&mut point.impact);
        sum.persistent += point.frame * std::mem::take(&mut point.persistent);
        sum.timed += std::mem::take(&mut point.timed);
    }
    sum
}

/// Gives it to the nearest of the points that are there now.
fn return_transmitted(points: &mut [ContactConstraint], sum: Transmitted) {
    let nearest = points.iter_mut().reduce(|best, point| if point.gap < best.gap { point } else { best });
    if let Some(point) = nearest {
        let to_frame = point.frame.transpose();
        point.impact += to_frame * sum.impact;
        point.persistent += to_frame * sum.persistent;
        point.timed += sum.timed;
    }
}
