//! Geometry: overlap, bodies that passed through each other, forces between separated bodies; computed without data
//! of the narrow phase.
//!
//! A pair at rest makes no new overlap: in a step the signed distance of two bodies changes by at most `|Δx| +
//! reach·|Δφ|` of each. A pair is therefore examined if that bound exceeds [`SLACK`] of the smaller body, and a world
//! at rest costs one comparison a body; all pairs are examined at a fixed interval of steps
//! ([`CertificateSettings::still_interval`](super::CertificateSettings::still_interval)). Every figure depends on
//! this step alone: cached lists change none.
//!
//! Near pairs are listed by sweep and prune along the axis of largest spread, with a margin for each body; the list
//! holds until a body may have left its margin. It is cached, but only saves time.
//!
//! A pair whose motion exceeds half of its thickness may have passed through: both bodies are followed along their
//! paths ([`FlightPath`]), and an overlap of more than half of the thickness on the way is a crossing. A near pair
//! with an unknown path is unverified.

use super::ascent::Separation;
use super::evidence::{DeclaredPoint, Evidence};
use super::flight_path::{FlightPath, Symmetry};
use super::near_pairs::{MeanMotion, Sphere, Sweep};
use super::overlap::{NOTHING_NEAR, Placed, Query, gap_of_convex, shared_point, signed_distance, tilt};
use super::step_certificate::StepCertificate;
use crate::math::{ReferenceFrame, Vec3, scalar};
use crate::physics::rigid_body::shape::{Geometry, Shape};
use crate::physics::rigid_body::{BodyKind, InertialState, RigidBody};
use crate::tolerance;

/// Motion of a pair in a step below which it is not examined, relative to the smaller body: it cannot have made more
/// overlap than it moved, and this is nine tenths of the certified overlap.
const SLACK: f64 = 0.9 * tolerance::OVERLAP_CERTIFIED;
/// Steps for which a list of pairs is valid.
const STEPS_AHEAD: f64 = 16.0;
/// Limit of positions examined along the path of a pair that may have crossed. Each is a quarter of the thickness of
/// the pair, or its gap, from the next.
const PLACES: usize = 2048;

/// Increase of an overlap, relative to the thickness of the bodies, that is no crossing.
const NO_DEEPER: f64 = 0.1;

/// Cached data of a body, and its motion in the last step.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// Position when near pairs were last listed, and its margin, m.
    listed: Vec3,
    leash: f64,
    /// Farthest point from the centre of mass, largest and smallest extent, m. A surface has no smallest extent, a half-space all.
    reach: f64,
    size: f64,
    thin: f64,
    symmetry: Symmetry,
    solid: bool,
    bounded: bool,
    /// True if a pair of it is listed.
    near: bool,
    /// Bounds, m: `moved` of the displacement of a point, `turned` of its distance from the straight path of the
    /// centre of mass.
    moved: f64,
    turned: f64,
    /// Increase of its speed by impacts within the step over that at both ends, m/s.
    thrown: f64,
}

impl Seen {
    /// Measures a shape.
    fn measure(&mut self, body: &RigidBody, shape: &Shape) {
        let local = shape.bounding_box(&ReferenceFrame::default());
        let center = body.center_of_mass_local;
        let farthest = (local.min - center).abs().max((local.max - center).abs());
        let extent = local.size();
        self.bounded = shape.is_bounded();
        self.symmetry = Symmetry::of(shape, center);
        self.reach = if self.bounded { farthest.length() } else { 0.0 };
        self.size = if self.bounded { extent.max_element() } else { f64::INFINITY };
        self.thin = match shape {
            Shape::Mesh(_) => 0.0,
            Shape::Compound(compound) => compound
                .part_bounds()
                .iter()
                .map(|part| part.size().min_element())
                .fold(self.size, scalar::min),
            _ if self.bounded => extent.min_element(),
            _ => f64::INFINITY,
        };
        self.solid = body.kind != BodyKind::Graphical && !body.contact_groups().is_none();
    }
}

/// The geometry check, with its workspace.
#[derive(Clone, Debug, Default)]
pub(super) struct GeometryJudge {
    seen: Vec<Seen>,
    /// Pairs of slots whose bounding spheres with margins intersect; the smaller slot first, sorted.
    near: Vec<(u32, u32)>,
    /// Mean motion of the bodies when pairs were listed, and the time since, s: the margins move with it.
    mean: MeanMotion,
    elapsed: f64,
    sweep: Sweep,
    /// Contact points by pair.
    points: Vec<DeclaredPoint>,
    any_moved: bool,
    /// True if an impact changed the velocity of a body.
    any_thrown: bool,
    /// Deepest overlap of marked bodies at the start of the step, by slot.
    before: Vec<f64>,
}

/// Pairs of a step that are examined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PairSelection {
    /// All.
    All,
    /// Pairs that moved.
    Moved,
    /// Pairs that moved far enough to have crossed; only the crossing is examined.
    Crossings,
}

impl GeometryJudge {
    /// Clears the cache for another set of bodies.
    pub(super) fn forget(&mut self) {
        self.seen.clear();
        self.near.clear();
    }

    /// Largest extent of the body in a slot, m.
    pub(super) fn size(&self, slot: usize) -> f64 {
        self.seen[slot].size
    }

    /// Measures the motion of every body, and lists pairs again if a body may have left its margin.
    pub(super) fn look(&mut self, step: &Evidence<'_>) {
        let fresh = self.seen.len() != step.bodies.len();
        if fresh {
            self.forget();
            self.seen.resize(step.bodies.len(), Seen::default());
            for (seen, body) in self.seen.iter_mut().zip(step.bodies) {
                if let Some(shape) = &body.shape {
                    seen.measure(body, shape);
                }
            }
        }
        let (mean, dt, since) = (self.mean, step.dt, self.elapsed);
        self.elapsed += dt;
        let carried = mean.way(since);
        let (further, [drift, drift_end]) =
            (mean.way(since + dt) - carried, [since, since + dt].map(|time| mean.velocity(time)));
        let mut left = fresh;
        self.any_moved = fresh;
        if std::mem::take(&mut self.any_thrown) {
            self.seen.iter_mut().for_each(|seen| seen.thrown = 0.0);
        }
        self.any_thrown = !step.impacts.is_empty();
        for impact in step.impacts {
            for (side, slot) in [impact.a, impact.b].into_iter().enumerate() {
                let (start, after) = (&step.start[slot], &impact.after[side]);
                let seen = &mut self.seen[slot];
                seen.thrown = scalar::max(seen.thrown, (after.linear - start.velocity).length());
            }
        }
        // Without contact, free flight ended where the step ends.
        let contact = !step.points.is_empty();
        let ends = step.start.iter().zip(step.end);
        for (slot, (seen, (start, end))) in self.seen.iter_mut().zip(ends).enumerate() {
            if !(seen.solid && seen.bounded) {
                continue;
            }
            // A path of that length is nowhere farther than half of it from the midpoint of its ends.
            let fast = |state: &InertialState| (state.velocity - drift_end).length_squared();
            let flown = if contact { fast(&step.flown[slot]) } else { 0.0 };
            let speed = scalar::max((start.velocity - drift).length_squared(), scalar::max(fast(end), flown));
            let way = end.center_of_mass - start.center_of_mass - further;
            let length = scalar::max(speed * (dt * dt), way.length_squared()).sqrt();
            let free = seen.leash - 0.5 * (length + seen.thrown * dt);
            let middle = start.center_of_mass + 0.5 * way - carried;
            left |= !(free >= 0.0 && (middle - seen.listed).length_squared() <= free * free);
        }
        if left {
            self.list(step);
        }
        self.measure_motion(step, contact);
    }

    /// Measures the motion of bodies in listed pairs.
    fn measure_motion(&mut self, step: &Evidence<'_>, contact: bool) {
        let dt = step.dt;
        for (slot, seen) in self.seen.iter_mut().enumerate().filter(|(_, seen)| seen.near) {
            let (start, end) = (&step.start[slot], &step.end[slot]);
            let mut spin =
                scalar::max(start.angular_velocity.length_squared(), end.angular_velocity.length_squared());
            if contact {
                spin = scalar::max(spin, step.flown[slot].angular_velocity.length_squared());
            }
            let (p, q) = (start.orientation, end.orientation);
            let turn = if p.dot(q) < 0.0 { p + q } else { p - q };
            // The chord of a rotation by φ is 2 sin(φ/2), and |q - q'| = 2 sin(φ/4).
            let turned = scalar::max(4.0 * turn.length_squared(), spin * (dt * dt)).sqrt();
            let turned = if seen.symmetry == Symmetry::Ball { 0.0 } else { turned * seen.reach };
            seen.turned = turned + seen.thrown * dt;
            seen.moved = (end.center_of_mass - start.center_of_mass).length() + seen.turned;
            // NaN is not at rest.
            let still = seen.moved <= SLACK * seen.size;
            self.any_moved |= !still;
        }
    }

    /// Lists the pairs that may meet before a body leaves its margin.
    fn list(&mut self, step: &Evidence<'_>) {
        self.mean = MeanMotion::of(step);
        self.elapsed = 0.0;
        let (mean, dt) = (self.mean, step.dt);
        for (slot, seen) in self.seen.iter_mut().enumerate() {
            let (start, end) = (&step.start[slot], &step.end[slot]);
            seen.listed = end.center_of_mass;
            let back = (end.center_of_mass - start.center_of_mass + mean.way(-dt)).length();
            let fastest = scalar::max(
                (start.velocity - mean.velocity(-dt)).length(),
                scalar::max(
                    (end.velocity - mean.velocity(0.0)).length(),
                    (step.flown[slot].velocity - mean.velocity(0.0)).length(),
                ),
            );
            let length = scalar::max((fastest + seen.thrown) * dt, back);
            seen.leash = 0.05 * seen.size + scalar::max(0.5 * (back + length), length * STEPS_AHEAD);
        }
        self.near.clear();
        let (seen, near) = (&self.seen, &mut self.near);
        let bounded = (0..seen.len()).filter(|slot| seen[*slot].solid && seen[*slot].bounded);
        let spheres = bounded.map(|slot| {
            let Seen { listed, reach, leash, .. } = seen[slot];
            Sphere { slot: slot as u32, center: listed, radius: reach + leash }
        });
        self.sweep.pairs(spheres, near);
        for plane in (0..seen.len()).filter(|slot| seen[*slot].solid && !seen[*slot].bounded) {
            let slots = self.sweep.slots();
            near.extend(slots.map(|slot| (slot.min(plane as u32), slot.max(plane as u32))));
        }
        for seen in &mut self.seen {
            seen.near = false;
        }
        for &(a, b) in &*near {
            (self.seen[a as usize].near, self.seen[b as usize].near) = (true, true);
        }
        // Which of two equal figures is named first must not depend on when pairs were listed.
        near.sort_unstable();
    }

    /// Checks the pairs of a step that was measured by [`GeometryJudge::look`].
    pub(super) fn judge(
        &mut self,
        step: &Evidence<'_>,
        selection: PairSelection,
        found: &mut StepCertificate,
    ) {
        found.geometry_checked = selection != PairSelection::Crossings;
        if !self.any_moved && selection != PairSelection::All {
            return;
        }
        let mut sorted = false;
        for k in 0..self.near.len() {
            let (a, b) = (self.near[k].0 as usize, self.near[k].1 as usize);
            let (one, other) = (&self.seen[a], &self.seen[b]);
            let allowed = match selection {
                PairSelection::All => -1.0,
                PairSelection::Moved => SLACK * scalar::min(one.size, other.size),
                PairSelection::Crossings => 0.5 * thickness(one, other),
            };
            if one.moved + other.moved <= allowed || self.moved_as_one(step, a, b) <= allowed {
                continue;
            }
            if self.may_meet(step, a, b) && step.may_collide(a, b) {
                if selection != PairSelection::Crossings {
                    if !sorted {
                        self.sort(step.points);
                        sorted = true;
                    }
                    self.judge_pair(step, a, b, found);
                }
                self.judge_crossing(step, [a, b], found);
            }
        }
    }

    /// Relative motion of two bodies, m.
    fn moved_as_one(&self, step: &Evidence<'_>, a: usize, b: usize) -> f64 {
        let (start, end) = (step.start, step.end);
        let together = (end[b].center_of_mass - end[a].center_of_mass)
            - (start[b].center_of_mass - start[a].center_of_mass);
        together.length() + self.seen[a].turned + self.seen[b].turned
    }

    /// Sorts contact points by pair.
    fn sort(&mut self, points: &[DeclaredPoint]) {
        let pair = |point: &DeclaredPoint| (point.a, point.b);
        self.points.clear();
        self.points.extend_from_slice(points);
        if !points.is_sorted_by_key(pair) {
            self.points.sort_unstable_by_key(pair);
        }
    }

    /// True if the bounding spheres of two bodies meet within the step: on a path of that length they are nowhere
    /// farther than half of it from the midpoint of its ends.
    fn may_meet(&self, step: &Evidence<'_>, a: usize, b: usize) -> bool {
        let (one, other) = (&self.seen[a], &self.seen[b]);
        if !(one.bounded && other.bounded) {
            return true;
        }
        let (start, end) = (
            step.start[b].center_of_mass - step.start[a].center_of_mass,
            step.end[b].center_of_mass - step.end[a].center_of_mass,
        );
        let way = scalar::max(self.way(step, a, b), (end - start).length());
        (0.5 * (start + end)).length_squared()
            <= scalar::square(0.5 * way + 1.001 * (one.reach + other.reach))
    }

    /// Deepest overlap of a marked body with any other at the start of the step, m.
    pub(super) fn overlap_before(&self, slot: usize) -> f64 {
        self.before[slot]
    }

    /// Measures it for each marked body, by slot.
    pub(super) fn measure_overlaps_before(&mut self, step: &Evidence<'_>, marked: &[bool]) {
        self.before.clear();
        self.before.resize(step.bodies.len(), 0.0);
        for &(a, b) in &self.near {
            let (a, b) = (a as usize, b as usize);
            if !(marked[a] || marked[b]) || !step.may_collide(a, b) || !self.may_meet(step, a, b) {
                continue;
            }
            let size = scalar::min(self.seen[a].size, self.seen[b].size);
            let hint = step.start[b].center_of_mass - step.start[a].center_of_mass;
            let place = |slot: usize| Placed { body: &step.bodies[slot], state: &step.start[slot] };
            let depth = -signed_distance(place(a), place(b), Query { hint, enough: 0.0, size }).gap;
            self.before[a] = scalar::max(self.before[a], depth);
            self.before[b] = scalar::max(self.before[b], depth);
        }
    }

    /// The contact points of a pair.
    fn points_of(&self, a: usize, b: usize) -> &[DeclaredPoint] {
        let first = self.points.partition_point(|point| (point.a, point.b) < (a, b));
        let count = self.points[first..].partition_point(|point| (point.a, point.b) == (a, b));
        &self.points[first..first + count]
    }

    fn judge_pair(&self, step: &Evidence<'_>, a: usize, b: usize, found: &mut StepCertificate) {
        let slots = [Some(a), Some(b)];
        let (seen_a, seen_b) = (&self.seen[a], &self.seen[b]);
        let size = scalar::min(seen_a.size, seen_b.size);
        let allowed = tolerance::OVERLAP_CERTIFIED * size;
        // Bodies that met and separated within the step were nearer than their poses at its ends show.
        let travel = seen_a.moved + seen_b.moved + self.way(step, a, b);
        let points = self.points_of(a, b);
        let transmitting = points.iter().filter(|point| point.impulse > 0.0);
        let hint =
            points.first().map_or(step.end[b].center_of_mass - step.end[a].center_of_mass, |p| p.normal);
        let query = Query { hint, enough: -0.5 * allowed, size };
        let at = |states: &'_ [InertialState], query: Query| -> f64 {
            let placed_a = Placed { body: &step.bodies[a], state: &states[a] };
            let placed_b = Placed { body: &step.bodies[b], state: &states[b] };
            signed_distance(placed_a, placed_b, query).gap
        };
        let gap = at(step.end, query);
        let depth = -gap;
        if depth > allowed || gap.is_nan() {
            found.overlap.worsen(depth, slots);
            let before = scalar::max(0.0, -at(step.start, query));
            found.overlap_made.worsen((depth - before) / size, slots);
        }
        let Some(first) = transmitting.clone().next() else { return };
        let placed_a = Placed { body: &step.bodies[a], state: &step.end[a] };
        let placed_b = Placed { body: &step.bodies[b], state: &step.end[b] };
        let explained = travel + allowed;
        let touches = shared_point(placed_a, placed_b, first.arms) <= explained;
        if !touches {
            let gap = at(step.end, Query { enough: f64::INFINITY, ..query });
            if gap > explained {
                found.force_apart.worsen(gap, slots);
            }
        }
        let mut last = None;
        for point in transmitting {
            if last == Some(point.normal) {
                continue;
            }
            last = Some(point.normal);
            let Some(along) = gap_of_convex(placed_a, placed_b, point.normal) else { break };
            let along = Separation { gap: along, normal: point.normal };
            // The least depth may be along another feature of the bodies than the one in contact.
            let beyond = -along.gap > scalar::max(0.0, depth) + explained;
            if beyond && tilt(placed_a, placed_b, along, size) > explained {
                found.tilted_normal.worsen(-along.gap, slots);
            }
        }
    }

    /// Largest approach and return of two centres of mass within the step by their velocities, m.
    fn way(&self, step: &Evidence<'_>, a: usize, b: usize) -> f64 {
        let fastest = [step.start, step.flown, step.end].into_iter().fold(0.0, |most, states| {
            scalar::max(most, (states[b].velocity - states[a].velocity).length_squared())
        });
        (fastest.sqrt() + self.seen[a].thrown + self.seen[b].thrown) * step.dt
    }

    /// Largest displacement of a point of the body by rotation, m.
    fn turning(&self, step: &Evidence<'_>, slot: usize) -> f64 {
        let seen = &self.seen[slot];
        let sweeping = |spin: Vec3, state: &InertialState| seen.symmetry.sweeping(spin, state.orientation);
        let states = [step.start, step.flown, step.end].map(|states| &states[slot]);
        let ends =
            states.iter().fold(0.0, |most, state| scalar::max(most, sweeping(state.angular_velocity, state)));
        let thrown = step.impacts.iter().fold(ends, |most, impact| {
            let after = [(impact.a, impact.after[0]), (impact.b, impact.after[1])];
            after
                .into_iter()
                .filter(|(of, _)| *of == slot)
                .fold(most, |most, (_, after)| scalar::max(most, after.angular.length()))
        });
        thrown * seen.reach * step.dt
    }

    /// Whether two bodies passed through each other.
    fn judge_crossing(&self, step: &Evidence<'_>, [a, b]: [usize; 2], found: &mut StepCertificate) {
        let (seen_a, seen_b) = (&self.seen[a], &self.seen[b]);
        let (size, thickness) = (scalar::min(seen_a.size, seen_b.size), thickness(seen_a, seen_b));
        let turning = self.turning(step, a) + self.turning(step, b);
        let together = (step.end[b].center_of_mass - step.end[a].center_of_mass)
            - (step.start[b].center_of_mass - step.start[a].center_of_mass);
        let travel = scalar::max(self.way(step, a, b), together.length()) + turning;
        if travel <= 0.5 * thickness {
            return;
        }
        let mut path_a = FlightPath::new(step, a, seen_a.symmetry, seen_a.reach);
        let mut path_b = FlightPath::new(step, b, seen_b.symmetry, seen_b.reach);
        let unsure = path_a.uncertainty + path_b.uncertainty;
        let known = unsure <= 0.5 * thickness;
        let speed = travel / step.dt + path_a.correction_speed + path_b.correction_speed;
        let mut hint = step.start[b].center_of_mass - step.start[a].center_of_mass;
        let (mut time, mut before) = (0.0, 0.0);
        for _ in 0..PLACES {
            if !unsure.is_finite() {
                break;
            }
            let (state_a, state_b) = (path_a.at(time), path_b.at(time));
            let placed_a = Placed { body: &step.bodies[a], state: &state_a };
            let placed_b = Placed { body: &step.bodies[b], state: &state_b };
            let mut nearest =
                signed_distance(placed_a, placed_b, Query { hint, enough: f64::INFINITY, size });
            hint = nearest.normal;
            if nearest.gap == f64::INFINITY {
                // No part of a compound or mesh is near.
                let apart = (state_b.center_of_mass - state_a.center_of_mass).length();
                nearest.gap = scalar::max(apart - seen_a.reach - seen_b.reach, NOTHING_NEAR * size);
            }
            if time == 0.0 {
                before = scalar::max(0.0, -nearest.gap);
            }
            let clear = if known { nearest.gap } else { nearest.gap - unsure };
            let deep = scalar::max(0.5 * thickness, before + NO_DEEPER * thickness) + unsure;
            if known && nearest.gap < -deep {
                found.cross([a, b]);
                return;
            }
            if !known && clear < 0.0 {
                break;
            }
            if time >= step.dt {
                return;
            }
            time = scalar::min(step.dt, time + scalar::max(clear, 0.25 * thickness) / speed);
        }
        found.lose([a, b]);
    }
}

/// Thickness of a pair, m: a body that is deeper in another than half of it may leave on the other side. A surface
/// without thickness counts as half as thick as the other body.
fn thickness(one: &Seen, other: &Seen) -> f64 {
    let (thin, thick) = (
        scalar::min(one.thin, other.thin),
        scalar::min(scalar::max(one.thin, other.thin), scalar::min(one.size, other.size)),
    );
    if thin > 0.0 { scalar::min(thin, thick) } else { 0.5 * thick }
}
