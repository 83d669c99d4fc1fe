//! The velocities at the end of a span: one contact problem at the end poses, from the velocities that the positions lead to. The laws are
//! those of `midpoint_span`.

use std::ops::Range;

use super::contact_constraint::ContactConstraint;
use super::impacts::ContactWork;
use super::island_problem::StepBodies;
use super::midpoint_geometry::relative;
use super::midpoint_joints::JOINTS_AT_REST;
use super::midpoint_motion::Impulse;
use super::midpoint_span::{End, MidpointSpan, Span, SpanIsland};
use super::report::ContactReport;
use crate::math::{Mat3, Vec3};
use crate::physics::constraints::contact::{ContactBody, ContactProblemError};
use crate::tolerance;

/// Normal velocity with which a contact leaves that has arrived within the span, in parts of what its impulse makes of its velocity: one half
/// without others, none if it was closed all the time.
const ARRIVED: f64 = 0.05;

/// Share of the limit of friction up to which a contact sticks.
const STICKS: f64 = 1.0 - 1e-6;

/// Share of the residual at which a start is taken as it is, where the impulses of the span are new.
const STOPPED: f64 = 0.02;

impl MidpointSpan {
    /// Velocities at the end poses.
    pub(super) fn resolve_velocities(
        &mut self,
        island: &mut SpanIsland<'_, '_>,
        span: &Span,
        report: &mut ContactReport,
    ) -> Result<ContactWork, ContactProblemError> {
        self.choose_ends(island, span);
        let rests = self.stands && self.fastest <= tolerance::IMPACT_SPEED;
        if rests && !self.closes() && self.joint_rate() <= 2.0 * JOINTS_AT_REST {
            // What rests goes on resting: velocities change by what the impulses miss.
            return Ok(ContactWork::default());
        }
        report.inelastic_impacts += std::mem::take(&mut self.inelastic);
        let mut verdict = ContactReport::default();
        let mut work = self.solve_velocities(island, span.length(), &mut verdict)?;
        if work.dissipated < -self.round_off(island, &verdict) {
            // Impulses that are only added never gain energy.
            self.ends.iter_mut().for_each(|end| (end.slides, end.revised) = (false, Vec3::ZERO));
            verdict = ContactReport::default();
            work = self.solve_velocities(island, span.length(), &mut verdict)?;
        }
        report.take_in(&verdict);
        island.problem.store_rows(true);
        let SpanIsland { problem, candidates, .. } = island;
        for (index, impulse) in problem.impulses() {
            // It acts at the end of the span, as an impact does.
            candidates[index].impact += impulse - self.ends[index].revised;
        }
        for (slot, _, velocity) in problem.bodies().filter(|(_, body, _)| body.is_movable()) {
            let end = &mut self.motion[slot].end;
            (end.velocity, end.angular_velocity) = (velocity.linear, velocity.angular);
        }
        Ok(work)
    }

    /// True if some contact has closed within the span.
    pub(super) fn closes(&self) -> bool {
        self.ends.iter().zip(&self.opens).any(|(end, opens)| end.takes_part && *opens)
    }

    /// Which contacts take part at the end, and what each may revise. Their impulses over the span are left with them.
    pub(super) fn choose_ends(&mut self, island: &mut SpanIsland<'_, '_>, span: &Span) {
        let SpanIsland { candidates, bodies, .. } = island;
        let mut first = 0;
        while first < candidates.len() {
            let pair = (candidates[first].a, candidates[first].b);
            let count = candidates[first..].iter().take_while(|p| (p.a, p.b) == pair).count();
            let range = first..first + count;
            first += count;
            // A pair that touches and is not loaded has just arrived, or leaves.
            let loaded =
                self.short || self.solved[range.clone()].iter().any(|solved| solved.impulse != Vec3::ZERO);
            let strikes = self.strikes(candidates, &range, span, bodies)
                || self.strikes_unseen(candidates, &range, bodies);
            let expected = self.arrives[range.start] && !self.unpredicted[range.start];
            self.inelastic += usize::from(loaded && !expected && strikes);
            self.store_difference(candidates, &range);
            for index in range {
                self.ends[index] = End::default();
                let candidate = &mut candidates[index];
                if !loaded || candidate.is_vacant() || self.meets[index] {
                    continue;
                }
                let own = candidate.frame.transpose() * self.solved[index].impulse;
                candidate.persistent += own;
                if span.start > 0.0 || span.end < bodies.dt {
                    candidate.timed += own.length();
                }
                let candidate = &candidates[index];
                let closed = self.end_gap(candidate, index, span) <= candidate.closed();
                if self.opens[index]
                    && candidate.material.restitution > 0.0
                    && self.end_velocity(candidate).x < 0.0
                {
                    // It meets at the very end, as an impact of the next step.
                    continue;
                }
                let slides = self.slides_on(candidate, own, bodies);
                let revised = if slides { Vec3::new(own.x, 0.0, 0.0) } else { own };
                self.ends[index] = End { takes_part: closed || own != Vec3::ZERO, slides, revised };
            }
        }
    }

    /// Leaves with the first loaded point of a pair the impulse that moved its bodies beyond those that its points take part with.
    fn store_difference(&self, candidates: &mut [ContactConstraint], range: &Range<usize>) {
        let solved = &self.solved[range.clone()];
        let stored = |index: usize| !candidates[index].is_vacant() && !self.meets[index];
        let of_points = range.clone().filter(|index| stored(*index)).map(|index| self.solved[index].impulse);
        let difference = solved.iter().map(|solved| solved.acted).sum::<Vec3>() - of_points.sum::<Vec3>();
        if difference != Vec3::ZERO {
            let loaded = solved.iter().position(|solved| solved.impulse != Vec3::ZERO).unwrap_or(0);
            let candidate = &mut candidates[range.start + loaded];
            candidate.persistent += candidate.frame.transpose() * difference;
        }
    }

    /// Solves for the velocities at the end poses; returns what that does to the energy.
    pub(super) fn solve_velocities(
        &mut self,
        island: &mut SpanIsland<'_, '_>,
        h: f64,
        report: &mut ContactReport,
    ) -> Result<ContactWork, ContactProblemError> {
        let SpanIsland { problem, candidates, members, bodies, .. } = &mut *island;
        for slot in members.slots {
            self.impulse[*slot] = Impulse::default();
        }
        // Contacts start without the impulses that they may revise.
        for ((candidate, end), solved) in candidates.iter().zip(&self.ends).zip(&self.solved) {
            if end.revised != Vec3::ZERO {
                let [arm_a, arm_b] = end_arms(candidate);
                let (impulse, couple) =
                    (candidate.frame * end.revised, if end.slides { Vec3::ZERO } else { solved.couple });
                self.impulse[candidate.a].add(arm_a, -impulse, -couple);
                self.impulse[candidate.b].add(arm_b, impulse, couple);
            }
        }
        problem.clear();
        for (index, candidate) in
            candidates.iter().enumerate().filter(|(index, _)| self.ends[*index].takes_part)
        {
            let End { slides, revised, .. } = self.ends[index];
            let mut contact = candidate.contact_with(end_arms(candidate));
            if slides {
                (contact.friction, contact.rolling_friction, contact.torsional_friction) = (0.0, 0.0, 0.0);
            }
            problem.choose(index, candidate, contact, revised, |slot| self.end_body(bodies, slot))?;
        }
        self.pose_joint_velocities(island, h)?;
        let SpanIsland { problem, candidates, .. } = &mut *island;
        if problem.is_empty() {
            return Ok(ContactWork::default());
        }
        // Impulses of the positions that are new do not leave bodies at rest: they stop in one span what they hold in the next.
        self.solve(problem, if self.stands { 1.0 } else { STOPPED }, 0.0, report);
        let mut work = ContactWork::default();
        for (nth, (index, impulse)) in problem.impulses().enumerate() {
            let contact = &problem.contacts()[nth];
            let candidate = &candidates[index];
            let added = impulse - self.ends[index].revised;
            let ends = [candidate.a, candidate.b].map(|slot| self.motion[slot].end.into());
            let before = relative(ends[0], ends[1], [contact.arm_a, contact.arm_b]);
            let (_, after) = problem.velocities(nth);
            let mean = 0.5 * (contact.frame.transpose() * before + after);
            let belt = -added.dot(contact.drift);
            work.dissipated += belt - added.dot(mean);
            work.work_in += belt + problem.driven_work(contact, added);
        }
        work += self.work_of_joint_velocities(island);
        Ok(work)
    }

    /// A body as the velocity problem sees it.
    pub(super) fn end_body(&self, bodies: &StepBodies<'_>, slot: usize) -> ContactBody {
        let (end, inertia) = (&self.motion[slot].end, &bodies.inertias[slot]);
        if !inertia.is_movable() {
            return ContactBody::immovable((*end).into());
        }
        let mut body = bodies.contact_body(slot, end.orientation, (*end).into());
        let given = &self.impulse[slot];
        body.free.linear -= given.linear * body.inverse_mass;
        body.free.angular -= body.inverse_inertia * given.angular;
        body
    }

    /// True if a contact was closed all the time, slid, and slides on: friction has done its part over the span. `own` is its impulse over
    /// the span in its frame, N·s.
    pub(super) fn slides_on(
        &self,
        candidate: &ContactConstraint,
        own: Vec3,
        bodies: &StepBodies<'_>,
    ) -> bool {
        let most = candidate.material.friction * own.x;
        let across = own.y * own.y + own.z * own.z;
        if own.x <= 0.0 || across <= STICKS * most * most {
            return false;
        }
        let [arm_a, arm_b] = end_arms(candidate);
        let velocity = self.end_velocity(candidate) + candidate.surface_drift(&candidate.frame);
        let normal = candidate.frame.x_axis;
        let response = |slot: usize, arm: Vec3| {
            let inertia = &bodies.inertias[slot];
            if !inertia.is_movable() {
                return 0.0;
            }
            let turned = arm.cross(normal);
            let tensor = inertia.inverse_tensor_world(&Mat3::from_quat(self.motion[slot].end.orientation));
            inertia.inverse_mass() + turned.dot(tensor * turned)
        };
        let weight = response(candidate.a, arm_a) + response(candidate.b, arm_b);
        // One that has arrived in the span leaves by about half of what its impulse makes of its velocity.
        let lasted = velocity.x.abs() <= ARRIVED * weight * own.x;
        lasted && own.y * velocity.y + own.z * velocity.z < 0.0
    }

    /// Relative velocity of a contact at the end, before impulses that act there; in its frame, m/s.
    pub(super) fn end_velocity(&self, candidate: &ContactConstraint) -> Vec3 {
        let ends = [candidate.a, candidate.b].map(|slot| self.motion[slot].end.into());
        candidate.frame.transpose() * relative(ends[0], ends[1], end_arms(candidate))
    }

    /// Gap of a point at the end of the span, m.
    pub(super) fn end_gap(&self, candidate: &ContactConstraint, index: usize, span: &Span) -> f64 {
        if self.detected[index] {
            return candidate.gap;
        }
        let [mean_a, mean_b] = [candidate.a, candidate.b].map(|slot| self.motion[slot].mean);
        let rate = candidate.frame.x_axis.dot(relative(mean_a, mean_b, candidate.arms_at(span.start)));
        candidate.gap_at(span.start) + rate * span.length()
    }
}

/// Lever arms of a point where it was detected, m.
fn end_arms(candidate: &ContactConstraint) -> [Vec3; 2] {
    candidate.arms
}
