//! True geometry: overlap from scratch, bodies that passed through each other, forces between bodies that are apart.
//!
//! What has not moved since it was last looked at cannot have made overlap: the signed distance of two bodies changes by no more
//! than `|Δx| + reach·|Δφ|` of each. So a body is looked at again only when that bound passes [`SLACK`] of its size, and a
//! world at rest costs one comparison a body. Pairs near each other are listed by sweep and prune along the axis on which the
//! bodies are spread widest, with a leash for each body; the list holds until somebody has left its leash.
//!
//! A pair that moved by more than half of what is thin about it may have passed through: the judge follows the straight line
//! between the poses at start and end, and where the bodies overlap on it by more than a quarter of their thicknesses, they have.

use super::evidence::{DeclaredPoint, Evidence};
use super::overlap::{Placed, Query, gap_of_convex, signed_distance};
use super::step_certificate::StepCertificate;
use crate::math::{Quat, ReferenceFrame, Vec3, orientation, scalar};
use crate::physics::rigid_body::shape::{Geometry, Shape};
use crate::physics::rigid_body::{BodyKind, InertialState, RigidBody};
use crate::tolerance;

/// Motion since a body was last looked at that is not looked at again, relative to its size: a quarter of what a pair may overlap.
const SLACK: f64 = 0.25 * tolerance::OVERLAP_CERTIFIED;
/// Steps that a list of pairs is made for.
const STEPS_AHEAD: f64 = 8.0;
/// Places looked at on the way of a pair that may have crossed. Each is half a threshold of depth from the next, and a
/// crossing takes eight.
const PLACES: usize = 256;

/// What is kept of a body between steps.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// Pose when its pairs were last looked at.
    center_of_mass: Vec3,
    orientation: Quat,
    /// Where it was when the pairs near each other were last listed, and how far it may go from there, m.
    listed: Vec3,
    leash: f64,
    /// Farthest point from the centre of mass, largest and smallest extent, m. A surface has no smallest extent, a half-space all.
    reach: f64,
    size: f64,
    thin: f64,
    solid: bool,
    bounded: bool,
    /// False until it was looked at for the first time.
    known: bool,
    moved: bool,
}

/// Motion from one pose to another: no point within `reach` of the centre of mass went farther.
fn motion(from: (Vec3, Quat), to: (Vec3, Quat), reach: f64) -> f64 {
    let turn = if from.1.dot(to.1) < 0.0 { from.1 + to.1 } else { from.1 - to.1 };
    // The chord of a rotation by φ is 2 sin(φ/2), and |q - q'| = 2 sin(φ/4).
    (to.0 - from.0).length() + 2.0 * turn.length() * reach
}

fn pose(state: &InertialState) -> (Vec3, Quat) {
    (state.center_of_mass, state.orientation)
}

impl Seen {
    /// Measures a shape.
    fn measure(&mut self, body: &RigidBody, shape: &Shape) {
        let local = shape.bounding_box(&ReferenceFrame::default());
        let center = body.center_of_mass_local;
        let farthest = (local.min - center).abs().max((local.max - center).abs());
        let extent = local.size();
        self.bounded = shape.is_bounded();
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
        self.solid =
            body.kind != BodyKind::Graphical && body.collision.groups != 0 && body.collision.mask != 0;
    }
}

/// The judge of geometry, with the memory it works in.
#[derive(Clone, Debug, Default)]
pub(super) struct GeometryJudge {
    seen: Vec<Seen>,
    /// Pairs of slots whose bounding spheres, each as long as its leash, meet; the smaller slot first.
    near: Vec<(u32, u32)>,
    /// Mean velocity of the bodies when pairs were listed, m/s, and the time since, s: leashes move along.
    drift: Vec3,
    elapsed: f64,
    /// Slots sorted along the axis on which the bodies are spread widest.
    order: Vec<u32>,
    /// Contact points by pair.
    points: Vec<DeclaredPoint>,
    any_moved: bool,
    judged: bool,
    /// True if pairs are to be listed anew whoever moved.
    relist: bool,
    /// Deepest overlap of marked bodies at the start of the step, by slot.
    before: Vec<f64>,
}

impl GeometryJudge {
    /// Forgets everything: the bodies are others.
    pub(super) fn forget(&mut self) {
        self.seen.clear();
        self.near.clear();
    }

    /// The step that was judged last is the state now: its poses have been looked at.
    pub(super) fn accept(&mut self, end: &[InertialState]) {
        if !self.any_moved || !self.judged {
            return;
        }
        for (seen, state) in self.seen.iter_mut().zip(end) {
            if seen.moved {
                (seen.center_of_mass, seen.orientation) = pose(state);
                seen.known = true;
            }
        }
    }

    /// The step that was judged last has been refused: it never was.
    pub(super) fn retract(&mut self) {
        self.relist = true;
    }

    /// Largest extent of the body in a slot, m.
    pub(super) fn size(&self, slot: usize) -> f64 {
        self.seen[slot].size
    }

    /// Finds who moved since it was looked at, and lists pairs anew if somebody has left its leash.
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
        self.elapsed += step.dt;
        let carried = self.drift * self.elapsed;
        let mut left = fresh || self.relist;
        self.judged = false;
        self.any_moved = fresh;
        for (slot, seen) in self.seen.iter_mut().enumerate() {
            if !seen.solid {
                continue;
            }
            let (start, end) = (&step.start[slot], &step.end[slot]);
            let since = motion((seen.center_of_mass, seen.orientation), pose(end), seen.reach);
            seen.moved = !seen.known || since > SLACK * seen.size || since.is_nan();
            self.any_moved |= seen.moved;
            let ends = [end.center_of_mass - carried, start.center_of_mass - carried + self.drift * step.dt];
            let inside = ends.map(|at| (at - seen.listed).length_squared() <= seen.leash * seen.leash);
            left |= seen.bounded && inside != [true, true];
        }
        if left && (self.any_moved || self.relist) {
            self.list(step);
        }
    }

    /// Lists the pairs that may meet before somebody leaves its leash.
    fn list(&mut self, step: &Evidence<'_>) {
        let (mut sum, mut count) = (Vec3::ZERO, 0.0);
        for (state, inertia) in step.end.iter().zip(step.inertias) {
            if inertia.is_movable() {
                (sum, count) = (sum + state.velocity, count + 1.0);
            }
        }
        self.drift = if count > 0.0 { sum / count } else { Vec3::ZERO };
        self.elapsed = 0.0;
        self.relist = false;
        for (slot, seen) in self.seen.iter_mut().enumerate() {
            let (start, end) = (&step.start[slot], &step.end[slot]);
            seen.listed = end.center_of_mass;
            let back = (end.center_of_mass - start.center_of_mass - self.drift * step.dt).length();
            let ahead = (end.velocity - self.drift).length() * step.dt * STEPS_AHEAD;
            seen.leash = 0.05 * seen.size + scalar::max(back, ahead);
        }
        self.near.clear();
        self.order.clear();
        let (seen, near) = (&self.seen, &mut self.near);
        let solid = |slot: &usize| seen[*slot].solid;
        self.order
            .extend((0..seen.len()).filter(solid).filter(|slot| seen[*slot].bounded).map(|slot| slot as u32));
        let axis = widest_axis(self.order.iter().map(|slot| seen[*slot as usize].listed));
        let extent = |slot: u32| {
            let seen = &seen[slot as usize];
            (seen.listed, seen.reach + seen.leash)
        };
        let low = |slot: &u32| extent(*slot).0[axis] - extent(*slot).1;
        self.order.sort_unstable_by(|a, b| low(a).total_cmp(&low(b)).then(a.cmp(b)));
        for (place, &slot) in self.order.iter().enumerate() {
            let (at, radius) = extent(slot);
            for &other in &self.order[place + 1..] {
                let (beside, other_radius) = extent(other);
                if beside[axis] - other_radius > at[axis] + radius {
                    break;
                }
                if (beside - at).length_squared() <= scalar::square(radius + other_radius) {
                    near.push((slot.min(other), slot.max(other)));
                }
            }
        }
        for plane in (0..seen.len()).filter(|slot| seen[*slot].solid && !seen[*slot].bounded) {
            near.extend(self.order.iter().map(|slot| ((*slot).min(plane as u32), (*slot).max(plane as u32))));
        }
    }

    /// Judges the pairs of a step that was looked at.
    pub(super) fn judge(&mut self, step: &Evidence<'_>, found: &mut StepCertificate) {
        found.geometry_checked = true;
        self.judged = true;
        if !self.any_moved {
            return;
        }
        self.points.clear();
        self.points.extend_from_slice(step.points);
        self.points.sort_unstable_by_key(|point| (point.a, point.b));
        for &(a, b) in &self.near {
            let (a, b) = (a as usize, b as usize);
            if (self.seen[a].moved || self.seen[b].moved) && self.may_meet(step, a, b) {
                self.judge_pair(step, a, b, found);
            }
        }
    }

    /// True if the bounding spheres of two bodies meet on the way from the start of the step to its end.
    fn may_meet(&self, step: &Evidence<'_>, a: usize, b: usize) -> bool {
        let (one, other) = (&self.seen[a], &self.seen[b]);
        if !(one.bounded && other.bounded) {
            return true;
        }
        let (start, end) = (
            step.start[b].center_of_mass - step.start[a].center_of_mass,
            step.end[b].center_of_mass - step.end[a].center_of_mass,
        );
        let way = end - start;
        let part = if way == Vec3::ZERO {
            0.0
        } else {
            scalar::clamp(-start.dot(way) / way.length_squared(), 0.0, 1.0)
        };
        (start + way * part).length_squared() <= scalar::square(1.01 * (one.reach + other.reach))
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
        if !step.may_collide(a, b) {
            return;
        }
        let slots = [Some(a), Some(b)];
        let (seen_a, seen_b) = (&self.seen[a], &self.seen[b]);
        let size = scalar::min(seen_a.size, seen_b.size);
        let allowed = tolerance::OVERLAP_CERTIFIED * size;
        let at = |states: &[InertialState], slot: usize| (pose(&states[slot]), slot);
        let moved = {
            let ((xa0, qa0), _) = at(step.start, a);
            let ((xa1, qa1), _) = at(step.end, a);
            let ((xb0, qb0), _) = at(step.start, b);
            let ((xb1, qb1), _) = at(step.end, b);
            let together = (xb1 - xa1) - (xb0 - xa0);
            together.length()
                + motion((Vec3::ZERO, qa0), (Vec3::ZERO, qa1), seen_a.reach)
                + motion((Vec3::ZERO, qb0), (Vec3::ZERO, qb1), seen_b.reach)
        };
        // Bodies that met and parted within the step have been nearer than their poses at its ends tell.
        let travel = moved + self.way(step, a, b);
        let points = self.points_of(a, b);
        let transmits = points.iter().any(|point| point.impulse > 0.0);
        let hint =
            points.first().map_or(step.end[b].center_of_mass - step.end[a].center_of_mass, |p| p.normal);
        let enough = if transmits { f64::INFINITY } else { -0.5 * allowed };
        let query = Query { hint, enough, size };
        let place = |states: &'_ [InertialState]| -> f64 {
            let placed_a = Placed { body: &step.bodies[a], state: &states[a] };
            let placed_b = Placed { body: &step.bodies[b], state: &states[b] };
            signed_distance(placed_a, placed_b, query).gap
        };
        let gap = place(step.end);
        let depth = -gap;
        if depth > allowed || gap.is_nan() {
            found.overlap.worsen(depth, slots);
            let before = scalar::max(0.0, -place(step.start));
            found.overlap_made.worsen((depth - before) / size, slots);
        }
        if transmits {
            if gap > travel + allowed {
                found.force_apart.worsen(gap, slots);
            }
            let placed_a = Placed { body: &step.bodies[a], state: &step.end[a] };
            let placed_b = Placed { body: &step.bodies[b], state: &step.end[b] };
            for point in points.iter().filter(|point| point.impulse > 0.0) {
                let Some(along) = gap_of_convex(placed_a, placed_b, point.normal) else { break };
                let explained = scalar::max(0.0, depth) + travel + allowed;
                if -along > explained {
                    found.tilted_normal.worsen(-along, slots);
                }
            }
        }
        if moved > 0.5 * (scalar::min(seen_a.thin, seen_b.size) + scalar::min(seen_b.thin, seen_a.size)) {
            self.judge_crossing(step, [a, b], moved, points, found);
        }
    }

    /// How far two bodies may have come towards each other and gone again by their velocities, m.
    fn way(&self, step: &Evidence<'_>, a: usize, b: usize) -> f64 {
        let fastest = [step.start, step.flown, step.end].into_iter().fold(0.0, |most, states| {
            let (one, other) = (&states[a], &states[b]);
            let turning = one.angular_velocity.length() * self.seen[a].reach
                + other.angular_velocity.length() * self.seen[b].reach;
            scalar::max(most, (other.velocity - one.velocity).length() + turning)
        });
        fastest * step.dt
    }

    /// Whether two bodies passed through each other.
    fn judge_crossing(
        &self,
        step: &Evidence<'_>,
        [a, b]: [usize; 2],
        moved: f64,
        points: &[DeclaredPoint],
        found: &mut StepCertificate,
    ) {
        let (seen_a, seen_b) = (&self.seen[a], &self.seen[b]);
        let size = scalar::min(seen_a.size, seen_b.size);
        let thickness = scalar::min(seen_a.thin, seen_b.size) + scalar::min(seen_b.thin, seen_a.size);
        // The true way is no straight line: gravity bends it by an eighth of the change of velocity times dt.
        let bend =
            |slot: usize| (step.end[slot].velocity - step.start[slot].velocity).length() * step.dt / 8.0;
        let deep = 0.25 * thickness + bend(a) + bend(b);
        // Bodies that met have turned back; they have crossed if one is behind the other along the normal at which they met.
        if let Some(met) = points.iter().find(|point| point.impulse > 0.0) {
            let ended = (step.end[b].center_of_mass - step.end[a].center_of_mass).dot(met.normal);
            let began = (step.start[b].center_of_mass - step.start[a].center_of_mass).dot(met.normal);
            if ended * began > 0.0 || ended.abs() < deep {
                return;
            }
        }
        let mut hint = step.start[b].center_of_mass - step.start[a].center_of_mass;
        let mut part = 0.0;
        for _ in 0..PLACES {
            let [state_a, state_b] = [a, b].map(|slot| between(&step.start[slot], &step.end[slot], part));
            let query = Query { hint, enough: f64::INFINITY, size };
            let placed_a = Placed { body: &step.bodies[a], state: &state_a };
            let placed_b = Placed { body: &step.bodies[b], state: &state_b };
            let nearest = signed_distance(placed_a, placed_b, query);
            hint = nearest.normal;
            if nearest.gap < -deep {
                found.crossings += 1;
                found.crossed = [Some(a), Some(b)];
                return;
            }
            if part >= 1.0 || nearest.gap == f64::INFINITY {
                return;
            }
            part = scalar::min(1.0, part + scalar::max(nearest.gap, 0.5 * deep) / moved);
        }
    }
}

/// The axis along which points are spread widest.
fn widest_axis(points: impl Iterator<Item = Vec3> + Clone) -> usize {
    let Some(origin) = points.clone().next() else { return 0 };
    let (mut sum, mut squares, mut count) = (Vec3::ZERO, Vec3::ZERO, 0.0);
    for at in points.map(|point| point - origin) {
        (sum, squares, count) = (sum + at, squares + at * at, count + 1.0);
    }
    let spread = squares - sum * sum / count;
    if spread.x >= spread.y && spread.x >= spread.z {
        0
    } else if spread.y >= spread.z {
        1
    } else {
        2
    }
}

/// A pose on the straight way between two.
fn between(start: &InertialState, end: &InertialState, part: f64) -> InertialState {
    let turn = orientation::rotation_vector(end.orientation * start.orientation.conjugate());
    InertialState {
        center_of_mass: start.center_of_mass + (end.center_of_mass - start.center_of_mass) * part,
        orientation: orientation::advanced(start.orientation, turn * part, 1.0),
        ..*start
    }
}
