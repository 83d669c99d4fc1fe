//! The positions of a span: a sequence of contact problems on mean velocities, until the true gaps of the end poses are those that the last
//! problem promised. The laws are those of `midpoint_span`, the rows those of `midpoint_geometry`.

use std::ops::Range;

use super::contact_constraint::ContactConstraint;
use super::gap_prediction;
use super::impacts::{self, ContactWork};
use super::island_problem::StepBodies;
use super::midpoint_geometry::{MeanGeometry, Side, kept_gap, mean_geometry, relative};
use super::midpoint_motion::{Impulse, MidpointMotion};
use super::midpoint_span::{MOST_TURN, MidpointSpan, Positions, Solved, Span, SpanIsland};
use super::report::ContactReport;
use crate::math::{Mat3, Quat, Vec3, frame_of_normal, orientation, scalar};
use crate::physics::collision::CONTACT_MARGIN;
use crate::physics::collision::local_bounds;
use crate::physics::constraints::contact::{BodyVelocity, Contact, ContactBody, ContactProblemError};
use crate::physics::rigid_body::InertialState;
use crate::tolerance;

/// Limit of position problems of a span. tuned: two or three suffice, fast spins need up to 14.
const MOST_ITERATIONS: usize = 16;

/// How far a gap may be from the one that the position problem promised, relative to the distance of the point from the centre of mass.
const GAP_RESOLVED: f64 = 1e-10;

/// Overlap, relative to the same, that is accepted where [`EXACT_ITERATIONS`] have not reached that: half of that which the
/// certificate allows.
const GAP_ACCEPTED: f64 = 5e-7;

/// Position problems of a span whose gaps must meet [`GAP_RESOLVED`] in a heap.
/// tuned: boxes in a turning drum take sixteen and more.
const EXACT_ITERATIONS: usize = 4;

/// Residual of the first position problems of a span of a heap, relative to the fastest contact: an inexact Newton method, since
/// the geometry they are posed with is as inexact. tuned: poured boxes.
const INEXACT: [f64; 2] = [1e-4, 1e-7];

/// Residual of the last ones, relative to the same. In other islands nothing is missed, since it adds up from step to step.
/// tuned: poured boxes.
const EXACT: f64 = 1e-9;

/// Contacts of an island of several bodies from which it is a heap, whose points change from one position problem to the next.
/// tuned: the same.
const HEAP: usize = 64;

/// Position problems of a step times their contacts, beyond which spans are taken as they are: neither settled further nor divided.
/// tuned: boxes in a turning drum.
const EFFORT: usize = 16_384;

/// The same relative to the way that contacts go in the span, where that is less: what rests is to be exact.
const WAY_RESOLVED: f64 = 1e-6;

/// Round-off of a gap, relative to the distance of the point from the centre of mass.
const GAP_ROUND_OFF: f64 = 8.0 * f64::EPSILON;

/// Motion of a pair over which its contact points stay what they are and its gaps change linearly, relative to the distance of a point from
/// the centre of mass: its square is round-off of a gap ([`GAP_ROUND_OFF`]).
const UNMOVED: f64 = 4e-8;

/// The same where a point rolls over a surface: the tilt of its normal follows the motion.
const UNMOVED_ROLLING: f64 = 1e-11;

/// Overlap of bodies that meet, in parts of the gap up to which a contact is closed, up to which the time of their impact is found.
const MET: f64 = 10.0;

impl MidpointSpan {
    /// End positions of the bodies.
    pub(super) fn find_positions(
        &mut self,
        island: &mut SpanIsland<'_, '_>,
        span: &Span,
        may_divide: bool,
        verdict: &mut ContactReport,
    ) -> Result<Positions, ContactProblemError> {
        let mut exact = false;
        self.stands = true;
        for iteration in 0..MOST_ITERATIONS {
            if iteration > 1 && self.effort > EFFORT {
                break;
            }
            // The last problem counts, and the work of all.
            (verdict.residual, verdict.unconverged) = (0.0, 0);
            self.pose_positions(island, span, iteration == 0)?;
            let within = self.inexact(if exact { INEXACT.len() } else { iteration });
            self.solve(island.problem, 0.5, within, verdict);
            // The start of later problems is the solution of the ones before them.
            self.stands &= verdict.iterations == 0;
            if iteration == 0
                && self.rows.is_empty()
                && self.is_free(island, span)
                && (!self.may_meet(island, span) || self.flies_clear(island, span))
            {
                return Ok(Positions::Flown);
            }
            if may_divide && self.turn > MOST_TURN {
                return Ok(Positions::TooLong);
            }
            self.take_impulses(island);
            self.move_bodies(island, span.length());
            self.update_joints(island, span);
            let settled = self.detect(island, span) && self.joints_are_closed();
            self.effort += island.problem.len();
            if settled && within <= self.inexact(INEXACT.len()) {
                return Ok(Positions::Found);
            }
            if self.is_heap() && iteration >= EXACT_ITERATIONS && self.overlap(island) <= GAP_ACCEPTED {
                break;
            }
            exact |= settled;
        }
        Ok(Positions::Approximate)
    }

    /// Residual to which the position problem of an iteration is solved, m/s; zero for the accuracy of the settings.
    fn inexact(&self, iteration: usize) -> f64 {
        if !self.is_heap() || self.fastest <= tolerance::IMPACT_SPEED {
            return 0.0;
        }
        INEXACT.get(iteration).unwrap_or(&EXACT) * self.fastest
    }

    fn is_heap(&self) -> bool {
        self.solved.len() > HEAP && self.several
    }

    /// True if the step has no budget left for dividing a span.
    pub(super) fn is_spent(&self) -> bool {
        self.effort > EFFORT
    }

    /// Marks pairs that contact would stop within the span although they meet as an impact, which their predicted gaps have missed: they
    /// are to meet at its end. True if there are such pairs.
    pub(super) fn note_unpredicted(&mut self, island: &SpanIsland<'_, '_>, span: &Span) -> bool {
        let mut first = 0;
        let mut any = false;
        for points in island.candidates.chunk_by(|p, q| (p.a, p.b) == (q.a, q.b)) {
            let range = first..first + points.len();
            first = range.end;
            let stopped = self.solved[range.clone()].iter().any(|solved| solved.impulse != Vec3::ZERO);
            if stopped
                && !self.arrives[range.start]
                && self.strikes(island.candidates, &range, span, island.bodies)
            {
                self.unpredicted[range].fill(true);
                any = true;
            }
        }
        any
    }

    /// True if some point of a pair approaches at the start of the span as fast as impacts that bounce.
    pub(super) fn strikes(
        &self,
        candidates: &[ContactConstraint],
        range: &Range<usize>,
        span: &Span,
        bodies: &StepBodies<'_>,
    ) -> bool {
        self.at_start(candidates)[range.clone()].iter().any(|point| {
            let velocity = point.velocity_at(span.start).x;
            !point.is_vacant() && velocity < 0.0 && impacts::bounces(point, velocity, bodies)
        })
    }

    /// The same of a pair without points at the start of the span, by those that were detected at its end.
    pub(super) fn strikes_unseen(
        &self,
        candidates: &[ContactConstraint],
        range: &Range<usize>,
        bodies: &StepBodies<'_>,
    ) -> bool {
        let unseen = self.at_start(candidates)[range.clone()].iter().all(ContactConstraint::is_vacant);
        unseen
            && range.clone().filter(|index| self.detected[*index] && !candidates[*index].is_vacant()).any(
                |index| {
                    let (point, mean) = (&candidates[index], &self.mean[index]);
                    let [a, b] = [point.a, point.b].map(|slot| BodyVelocity::from(self.start[slot]));
                    let velocity = mean.normal.dot(relative(a, b, mean.arms));
                    velocity < 0.0 && impacts::bounces(point, velocity, bodies)
                },
            )
    }

    /// Time at which some point met that was to meet at the end of the span, if it was earlier: where a straight line to its overlap is zero.
    pub(super) fn met_early(&self, island: &SpanIsland<'_, '_>, span: &Span) -> Option<f64> {
        let points = island.candidates.iter().enumerate();
        let there =
            points.filter(|(index, point)| self.detected[*index] && self.meets[*index] && !point.is_vacant());
        let share = there.fold(1.0, |least, (index, point)| {
            let before = self.mean[index].before;
            if point.gap < -MET * point.closed() {
                scalar::min(least, before / (before - point.gap))
            } else {
                least
            }
        });
        (share < 1.0).then(|| span.start + span.length() * share)
    }

    /// Solves the position problem for the present rows alone, until bodies move as it says: what is done where the points of contact do not
    /// settle. It gains no energy, and may leave overlap.
    pub(super) fn hold(
        &mut self,
        island: &mut SpanIsland<'_, '_>,
        span: &Span,
        report: &mut ContactReport,
    ) -> Result<ContactWork, ContactProblemError> {
        self.pose_positions(island, span, false)?;
        let contacts =
            island.problem.impulses().map(|(index, _)| index).zip(island.problem.contacts().iter().copied());
        let rows: Vec<(usize, Contact)> = contacts.collect();
        let mut work = ContactWork::default();
        for _ in 0..MOST_ITERATIONS {
            island.problem.clear();
            for &(index, contact) in &rows {
                let start = contact.frame.transpose() * self.solved[index].impulse;
                let bodies = &*island.bodies;
                island.problem.choose(index, &island.candidates[index], contact, start, |slot| {
                    self.mean_body(bodies, slot)
                })?;
            }
            *report = ContactReport::default();
            self.pose_joint_positions(island, span)?;
            self.solve(island.problem, 0.5, 0.0, report);
            self.take_impulses(island);
            self.move_bodies(island, span.length());
            self.update_joints(island, span);
            work = self.work_of_positions(island);
            if work.dissipated >= -self.round_off(island, report) {
                break;
            }
        }
        self.detect(island, span);
        Ok(work)
    }

    /// The deepest overlap that the span has made, relative to the distance of the point from the centre of mass.
    pub(super) fn overlap(&self, island: &SpanIsland<'_, '_>) -> f64 {
        let points = island.candidates.iter().enumerate();
        let there = points
            .filter(|(index, point)| self.detected[*index] && !self.meets[*index] && !point.is_vacant());
        there.fold(0.0, |most, (index, point)| {
            scalar::max(most, (self.mean[index].allowed - point.gap) / point.size)
        })
    }

    /// Poses the contact problem on mean velocities, linearised about the present end poses; the `first` one about the start.
    pub(super) fn pose_positions(
        &mut self,
        island: &mut SpanIsland<'_, '_>,
        span: &Span,
        first: bool,
    ) -> Result<(), ContactProblemError> {
        let SpanIsland { problem, candidates, bodies, .. } = island;
        let h = span.length();
        problem.clear();
        let mut first_of_patch = 0;
        for points in gap_prediction::patches(candidates) {
            for (index, candidate) in (first_of_patch..).zip(points) {
                if candidate.is_vacant() || self.meets[index] {
                    continue;
                }
                let (contact, start) = if self.detected[index] {
                    self.contact_at_end(index, candidate, h)
                } else {
                    self.contact_at_start(index, candidate, span, bodies.dt, first)
                };
                let body = |slot| self.mean_body(bodies, slot);
                if self.detected[index] {
                    problem.choose(index, candidate, contact, start, body)?;
                } else {
                    problem.stage(index, candidate, contact, start, body)?;
                }
            }
            problem.take_in_staged()?;
            first_of_patch += points.len();
        }
        self.pose_joint_positions(island, span)
    }

    /// The contact of a point where the span begins, and the impulse that it starts from: that of the step before for the `first` problem.
    pub(super) fn contact_at_start(
        &self,
        index: usize,
        candidate: &ContactConstraint,
        span: &Span,
        dt: f64,
        first: bool,
    ) -> (Contact, Vec3) {
        let (begin, h) = (span.start, span.length());
        let gap = candidate.gap_at(begin);
        let kept = kept_gap(gap, candidate.closed(), scalar::min(candidate.start_gap(), 0.0));
        let contact =
            Contact { speculative_bias: scalar::max(gap - kept, 0.0) / h, ..candidate.contact(begin) };
        let start = if first {
            candidate.warm_start * (h / dt)
        } else {
            candidate.frame.transpose() * self.solved[index].impulse
        };
        (contact, start)
    }

    /// The contact of a point that was detected at the end poses, and the impulse that it starts from, which turns with the normal.
    pub(super) fn contact_at_end(
        &self,
        index: usize,
        candidate: &ContactConstraint,
        h: f64,
    ) -> (Contact, Vec3) {
        let contact = self.mean_contact(index, candidate, h);
        let turn = orientation::between_directions(candidate.frame.x_axis, contact.frame.x_axis);
        let start = contact.frame.transpose() * (turn * self.solved[index].impulse);
        (contact, start)
    }

    /// True if contact acts nowhere and nothing is about to overlap: bodies fly on as they do.
    pub(super) fn is_free(&self, island: &SpanIsland<'_, '_>, span: &Span) -> bool {
        let unloaded = island.problem.impulses().all(|(_, impulse)| impulse == Vec3::ZERO);
        unloaded
            && island.candidates.iter().zip(&self.meets).all(|(candidate, meets)| {
                *meets
                    || candidate.is_vacant()
                    || candidate.gap_at(span.end) >= scalar::min(candidate.gap_at(span.start), 0.0)
            })
    }

    /// True if some point that is predicted to stay open may have closed: its gap at the end is less than the error of a prediction of second
    /// order, the square of how far the point and its surroundings move, over their size.
    fn may_meet(&self, island: &SpanIsland<'_, '_>, span: &Span) -> bool {
        if impacts::is_bouncing(island.candidates) {
            // Contact would stop what is to bounce; what meets unpredicted meets at the start of the next step.
            return false;
        }
        let turn = |slot: usize| self.start[slot].angular_velocity.length();
        island.candidates.iter().zip(&self.meets).any(|(point, meets)| {
            if *meets || point.is_vacant() {
                return false;
            }
            let speed = point.velocity_at(span.start).length() + (turn(point.a) + turn(point.b)) * point.size;
            point.gap_at(span.end) < scalar::square(speed * span.length()) / point.size
        })
    }

    /// True if no bodies overlap where free flight leads; contact points are then those of the start again.
    fn flies_clear(&mut self, island: &mut SpanIsland<'_, '_>, span: &Span) -> bool {
        self.take_impulses(island);
        for &slot in island.members.slots {
            let flown = island.bodies.path(slot).at(span.end);
            self.motion[slot] = MidpointMotion::given(&self.start[slot], &flown, span.length());
        }
        let clear = self.detect(island, span);
        if clear {
            self.restore(island.candidates);
            self.detected.fill(false);
        } else {
            self.move_bodies(island, span.length());
        }
        clear
    }

    /// A body as the position problem sees it: what mean velocities are without contact, and what impulses make of them.
    pub(super) fn mean_body(&self, bodies: &StepBodies<'_>, slot: usize) -> ContactBody {
        let mean = self.motion[slot].mean;
        let inertia = &bodies.inertias[slot];
        if !inertia.is_movable() {
            return ContactBody::immovable(mean);
        }
        let middle = between(self.start[slot].orientation, self.motion[slot].end.orientation);
        let inverse_mass = 0.5 * inertia.inverse_mass();
        let inverse_inertia = inertia.inverse_tensor_world(&Mat3::from_quat(middle)) * 0.5;
        let given = &self.impulse[slot];
        let free = BodyVelocity {
            linear: mean.linear - given.linear * inverse_mass,
            angular: mean.angular - inverse_inertia * given.angular,
        };
        ContactBody { inverse_mass, inverse_inertia, free }
    }

    /// The contact of a point that was detected at the end poses: normal and arms of mid-span, the gap of the end.
    pub(super) fn mean_contact(&self, index: usize, candidate: &ContactConstraint, h: f64) -> Contact {
        let mean = &self.mean[index];
        let frame = frame_of_normal(mean.normal);
        Contact {
            frame,
            // A contact never pushes its bodies apart faster than they may keep their gap: what that leaves is overlap, not energy.
            speculative_bias: scalar::max(0.0, (candidate.gap - mean.allowed) / (h * mean.scale) - mean.rate),
            drift: candidate.surface_drift(&frame),
            ..candidate.contact_with(mean.arms)
        }
    }

    /// Mean geometry of a point that was detected at the end poses.
    pub(super) fn mean_of(
        &self,
        index: usize,
        candidate: &ContactConstraint,
        bodies: &StepBodies<'_>,
        h: f64,
    ) -> MeanGeometry {
        let sides = [candidate.a, candidate.b].map(|slot| Side {
            body: &bodies.bodies[slot],
            start: &self.start[slot],
            end: &self.motion[slot].end,
            mean: self.motion[slot].mean,
        });
        mean_geometry(candidate, self.points_at_start(index), &sides, h)
    }

    /// The points of the pair of a candidate that were detected where the span begins; none if they were detected elsewhere.
    pub(super) fn points_at_start(&self, index: usize) -> &[ContactConstraint] {
        let kept = self.at_start(&[]);
        let pair = (kept[index].a, kept[index].b);
        let is_of = |point: &&ContactConstraint| (point.a, point.b) == pair;
        let before = kept[..index].iter().rev().take_while(is_of).count();
        let after = kept[index..].iter().take_while(is_of).count();
        let points = &kept[index - before..index + after];
        let there = points.iter().all(|point| point.is_vacant() || point.detected.time == self.begins);
        if there { points } else { &[] }
    }

    /// Impulses of the solution, by candidate and by body.
    pub(super) fn take_impulses(&mut self, island: &SpanIsland<'_, '_>) {
        for slot in island.members.slots {
            self.impulse[*slot] = Impulse::default();
        }
        self.solved.iter_mut().for_each(|solved| *solved = Solved::default());
        let problem = &island.problem;
        for (nth, (index, impulse)) in problem.impulses().enumerate() {
            let contact = &problem.contacts()[nth];
            let candidate = &island.candidates[index];
            let (impulse, couple) = (contact.frame * impulse, problem.moment(nth));
            self.solved[index] = Solved { impulse, acted: impulse, couple, normal: contact.frame.x_axis };
            self.impulse[candidate.a].add(contact.arm_a, -impulse, -couple);
            self.impulse[candidate.b].add(contact.arm_b, impulse, couple);
        }
        self.take_joint_impulses(island);
    }

    /// Moves the bodies as their impulses say.
    pub(super) fn move_bodies(&mut self, island: &SpanIsland<'_, '_>, h: f64) {
        for &slot in island.members.slots {
            let (smooth, given) = (&self.smooth[slot], &self.impulse[slot]);
            let sum =
                Impulse { linear: smooth.linear + given.linear, angular: smooth.angular + given.angular };
            let inertia = &island.bodies.inertias[slot];
            self.motion[slot] = MidpointMotion::new(&self.start[slot], inertia, &sum, h);
        }
    }

    /// Detects the contact points of every pair that has moved at its end poses; true if no gap calls for another round.
    pub(super) fn detect(&mut self, island: &mut SpanIsland<'_, '_>, span: &Span) -> bool {
        let mut settled = true;
        let mut first = 0;
        while first < island.candidates.len() {
            let pair = (island.candidates[first].a, island.candidates[first].b);
            let count = island.candidates[first..].iter().take_while(|p| (p.a, p.b) == pair).count();
            let range = first..first + count;
            first += count;
            if self.is_to_be_detected(island, &range, span) {
                self.keep(island.candidates);
                settled &= self.detect_pair(island, range, span);
            } else if self.detected[range.start] {
                settled &= self.continue_pair(&mut island.candidates[range.clone()], range, span);
            }
        }
        settled
    }

    /// Continues the gaps of a pair, whose points were detected at almost these poses; true if they are those that the position problem
    /// promised.
    fn continue_pair(&mut self, points: &mut [ContactConstraint], range: Range<usize>, span: &Span) -> bool {
        let mut settled = true;
        for (index, point) in range.zip(points).filter(|(_, point)| !point.is_vacant()) {
            let ends = [point.a, point.b].map(|slot| self.motion[slot].mean);
            let mean = &mut self.mean[index];
            let rate = mean.normal.dot(relative(ends[0], ends[1], mean.arms));
            point.gap += (rate - mean.rate) * (mean.scale * span.length());
            mean.rate = rate;
            let short = mean.allowed - point.gap;
            settled &= self.meets[index] || self.misses(index, short) <= GAP_RESOLVED * point.size;
        }
        settled
    }

    /// How far a gap is from where its impulse is to keep it, m, if it is `short` of that: without an impulse it may be more.
    fn misses(&self, index: usize, short: f64) -> f64 {
        if self.solved[index].impulse == Vec3::ZERO { short } else { short.abs() }
    }

    /// True if the bodies of a pair are elsewhere than where its points were detected.
    pub(super) fn is_to_be_detected(
        &self,
        island: &SpanIsland<'_, '_>,
        range: &Range<usize>,
        span: &Span,
    ) -> bool {
        let points = &island.candidates[range.clone()];
        let (a, b) = (points[0].a, points[0].b);
        let loaded = [a, b].into_iter().any(|slot| self.impulse[slot] != Impulse::default());
        if self.arrives[range.start] && !loaded {
            // They fly to where they meet; their points are those of that instant.
            return false;
        }
        let at_end = self.detected[range.start];
        if span.end < island.bodies.dt && !at_end {
            return true;
        }
        let (orientations, apart) = if at_end {
            (points[0].detected.orientations, points[0].detected.apart)
        } else {
            let [a, b] = [&self.start[a], &self.start[b]];
            ([a.orientation, b.orientation], b.center_of_mass - a.center_of_mass)
        };
        let [end_a, end_b] = [&self.motion[a].end, &self.motion[b].end];
        let turned = orientation::angle_between(orientations[0], end_a.orientation)
            + orientation::angle_between(orientations[1], end_b.orientation);
        let size = least_size(points);
        let moved = (end_b.center_of_mass - end_a.center_of_mass - apart).length() + turned * size;
        // Places without a point have no size: any motion may give them one.
        let rolls = points.iter().any(|point| !point.is_vacant() && point.grip.rolls());
        let unmoved = if rolls { UNMOVED_ROLLING } else { UNMOVED };
        if size.is_finite() { moved > unmoved * size } else { true }
    }

    /// Detects the contact points of one pair at its end poses; true if their gaps call for no other round.
    pub(super) fn detect_pair(
        &mut self,
        island: &mut SpanIsland<'_, '_>,
        range: Range<usize>,
        span: &Span,
    ) -> bool {
        let SpanIsland { geometry, candidates, bodies, .. } = island;
        let h = span.length();
        let points = &mut candidates[range.clone()];
        let (a, b) = (points[0].a, points[0].b);
        let size = least_size(points);
        // Impulses go with the points they act at.
        for (point, solved) in points.iter_mut().zip(&self.solved[range.clone()]) {
            let turn = orientation::between_directions(solved.normal, point.frame.x_axis);
            let impulse = if solved.impulse == Vec3::ZERO { Vec3::ZERO } else { turn * solved.impulse };
            point.warm_start = point.frame.transpose() * impulse;
        }
        let transmitted: f64 = self.solved[range.clone()].iter().map(|solved| solved.impulse.length()).sum();
        let couple = self.solved[range.clone()].iter().map(|solved| solved.couple).sum::<Vec3>();
        let speed = relative_speed(&self.start, &self.motion, (a, b), bodies);
        // The points are those of the spans that follow as well.
        let ahead = scalar::max(h, bodies.dt - span.end);
        let margin = if size.is_finite() { CONTACT_MARGIN * size } else { 0.0 } + speed * ahead;
        geometry.redetect(points, bodies, [&self.motion[a].end, &self.motion[b].end], span.end, margin);
        for (index, point) in range.clone().zip(points.iter()).filter(|(_, point)| !point.is_vacant()) {
            self.mean[index] = self.mean_of(index, point, bodies, h);
            self.opens[index] = self.mean[index].before > point.closed();
            self.meets[index] = self.arrives[index] && self.opens[index];
        }
        let mut settled = true;
        for (index, point) in range.clone().zip(points.iter_mut()) {
            self.detected[index] = true;
            let impulse = if point.is_vacant() { Vec3::ZERO } else { point.frame * point.warm_start };
            point.warm_start *= bodies.dt / h;
            let Solved { acted, .. } = self.solved[index];
            self.solved[index] = Solved { impulse, acted, couple: Vec3::ZERO, normal: point.frame.x_axis };
            if !point.is_vacant() {
                let off = self.misses(index, self.mean[index].allowed - point.gap);
                let resolved = scalar::min(GAP_RESOLVED * point.size, WAY_RESOLVED * self.fastest * h);
                settled &= self.meets[index] || off <= scalar::max(resolved, GAP_ROUND_OFF * point.size);
            }
        }
        self.solved[range.start].couple = couple;
        // An impulse whose point is gone has moved the bodies all the same.
        let kept: f64 = self.solved[range].iter().map(|solved| solved.impulse.length()).sum();
        settled && (transmitted - kept).abs() <= f64::EPSILON * 16.0 * transmitted
    }

    /// What contacts have done to the energy over the span.
    pub(super) fn work_of_positions(&self, island: &SpanIsland<'_, '_>) -> ContactWork {
        let mut work = self.work_of_joint_positions(island.bodies);
        let problem = &island.problem;
        for (nth, (index, impulse)) in problem.impulses().enumerate() {
            if impulse == Vec3::ZERO {
                continue;
            }
            let contact = &problem.contacts()[nth];
            let candidate = &island.candidates[index];
            let [mean_a, mean_b] = [self.motion[candidate.a].mean, self.motion[candidate.b].mean];
            let velocity = relative(mean_a, mean_b, [contact.arm_a, contact.arm_b]);
            let couple = problem.moment(nth);
            let belt = -impulse.dot(contact.drift);
            work.dissipated += belt
                - ((contact.frame * impulse).dot(velocity) + couple.dot(mean_b.angular - mean_a.angular));
            work.work_in += belt + problem.driven_work(contact, impulse);
        }
        work
    }
}

/// Distance of the nearest point of a pair from a centre of mass, m.
fn least_size(points: &[ContactConstraint]) -> f64 {
    let there = points.iter().filter(|point| !point.is_vacant());
    there.fold(f64::INFINITY, |least, point| scalar::min(least, point.size))
}

/// How fast points of two bodies may approach each other, m/s.
fn relative_speed(
    start: &[InertialState],
    motion: &[MidpointMotion],
    (a, b): (usize, usize),
    bodies: &StepBodies<'_>,
) -> f64 {
    let turning = |slot: usize| {
        let reach = bodies.bodies[slot]
            .shape
            .as_ref()
            .filter(|shape| shape.is_bounded())
            .map_or(0.0, |shape| local_bounds(shape).size().length());
        reach * scalar::max(start[slot].angular_velocity.length(), motion[slot].mean.angular.length())
    };
    let (was, is) = (start[b].velocity - start[a].velocity, motion[b].mean.linear - motion[a].mean.linear);
    scalar::max(was.length(), is.length()) + turning(a) + turning(b)
}

/// The orientation halfway between two.
fn between(from: Quat, to: Quat) -> Quat {
    let to = if from.dot(to) < 0.0 { -to } else { to };
    orientation::normalized(from + to)
}
