//! The path of one island through a step: impacts at their own times, and lasting contact in between.

use super::contact_constraint::ContactConstraint;
use super::impact_geometry::ImpactGeometry;
use super::impacts::{self, ContactWork, NextImpact};
use super::island_problem::{IslandProblem, Members, StepBodies};
use super::midpoint_span::{MidpointSpan, Span, SpanIsland};
use super::moreau_jean::{self, Weights};
use super::report::ContactReport;
use crate::physics::constraints::contact::ContactProblemError;

/// Impacts at one instant of an island that are resolved in sequence before all contacts take part in one.
/// tuned: more than a Newton's cradle needs.
const IMPACT_SEQUENCE: usize = 64;

/// Impacts of an island in a step that are resolved at their own times: this number divided by its contacts,
/// within the next two limits. Later ones are resolved at the end of the step. tuned: poured piles.
const IMPACT_EFFORT: usize = 512;

/// Least number of such impacts. tuned.
const IMPACTS_LEAST: usize = 1;

/// Largest number of such impacts. tuned.
const IMPACTS_MOST: usize = 256;

/// How often a span is halved whose positions are not found.
const HALVINGS: usize = 4;

/// Takes an island through the step by the midpoint scheme.
pub(super) fn resolve_by_midpoint(
    mut island: SpanIsland<'_, '_>,
    spans: &mut MidpointSpan,
    report: &mut ContactReport,
) -> Result<ContactWork, ContactProblemError> {
    let end = island.bodies.dt;
    let (mut now, mut at_once) = (0.0, 0);
    spans.effort = 0;
    let mut work = ContactWork::default();
    for taken in 0..IMPACTS_MOST {
        let arriving = impacts::pairs_arriving(island.candidates, now, island.bodies);
        let bouncing = impacts::is_bouncing(island.candidates);
        let most = if bouncing || is_one_pair(island.candidates) {
            impacts_allowed(island.candidates.len())
        } else {
            0
        };
        if taken + arriving > most {
            break;
        }
        island.geometry.refine(island.candidates, island.bodies, now);
        let next = impacts::next_impact(island.candidates, now, island.bodies);
        let mut time = next.map_or(end, |next| next.time);
        let mut met = false;
        if time > now {
            // What is pressed until then may change when, or whether, the impact happens.
            let mut span = Span { start: now, end: time, meets: next.is_some(), may_end: true };
            work += resolve_span(&mut island, spans, &mut span, HALVINGS, report)?;
            island.changed = true;
            (time, met) = (span.end, spans.has_met());
        }
        if next.is_none() && !met {
            return Ok(work);
        }
        at_once = if time > now { 0 } else { at_once + 1 };
        now = time;
        if !impacts::is_any_struck(island.candidates, now) {
            continue;
        }
        let together = at_once >= IMPACT_SEQUENCE;
        let SpanIsland { problem, geometry, candidates, members, bodies, .. } = &mut island;
        problem.place_joints(members, bodies, now);
        work += impacts::collide(problem, candidates, members, bodies, now, together, report)?;
        geometry.follow(candidates, problem, bodies, now);
        island.changed = true;
    }
    if now < end {
        let mut span = Span { start: now, end, meets: false, may_end: false };
        work += resolve_span(&mut island, spans, &mut span, HALVINGS, report)?;
    }
    Ok(work)
}

/// Takes an island through a span, in halves as long as its positions are not found; it ends where bodies meet that meet before its end.
fn resolve_span(
    island: &mut SpanIsland<'_, '_>,
    spans: &mut MidpointSpan,
    span: &mut Span,
    halvings: usize,
    report: &mut ContactReport,
) -> Result<ContactWork, ContactProblemError> {
    if let Some(work) = spans.resolve(island, span, halvings > 0 && !spans.is_spent(), report)? {
        return Ok(work);
    }
    let mut work = ContactWork::default();
    for mut half in span.halves() {
        let end = half.end;
        work += resolve_span(island, spans, &mut half, halvings - 1, report)?;
        span.end = half.end;
        island.changed = true;
        if half.end < end {
            break;
        }
    }
    Ok(work)
}

/// Takes an island through the step.
pub(super) fn resolve(
    problem: &mut IslandProblem,
    weights: &mut Weights,
    geometry: &mut ImpactGeometry,
    candidates: &mut [ContactConstraint],
    members: &Members<'_>,
    bodies: &mut StepBodies<'_>,
    report: &mut ContactReport,
) -> Result<ContactWork, ContactProblemError> {
    let end = bodies.dt;
    let (mut now, mut at_once) = (0.0, 0);
    let mut work = ContactWork::default();
    for taken in 0..IMPACTS_MOST {
        if taken + impacts::pairs_arriving(candidates, now, bodies) > impacts_allowed(candidates.len()) {
            break;
        }
        geometry.refine(candidates, bodies, now);
        let Some(NextImpact { time, .. }) = impacts::next_impact(candidates, now, bodies) else {
            return Ok(
                work + moreau_jean::resolve(problem, weights, candidates, members, bodies, now..end, report)?
            );
        };
        if time > now {
            // What is pressed until then may change when, or whether, the impact happens.
            work += moreau_jean::resolve(problem, weights, candidates, members, bodies, now..time, report)?;
        }
        at_once = if time > now { 0 } else { at_once + 1 };
        now = time;
        if !impacts::is_any_struck(candidates, now) {
            continue;
        }
        let together = at_once >= IMPACT_SEQUENCE;
        work += impacts::collide(problem, candidates, members, bodies, now, together, report)?;
        geometry.follow(candidates, problem, bodies, now);
    }
    if now < end {
        work += impacts::inelastic_fallback(problem, candidates, members, bodies, now, report)?;
        work += moreau_jean::resolve(problem, weights, candidates, members, bodies, now..end, report)?;
    }
    Ok(work)
}

/// True if two bodies alone are in contact. Without restitution their impact has its own time; among several such pairs all
/// are resolved together at the end of the span.
fn is_one_pair(candidates: &[ContactConstraint]) -> bool {
    candidates.iter().all(|point| (point.a, point.b) == (candidates[0].a, candidates[0].b))
}

/// Impacts that are taken at their own times; fewer in large islands, where each costs as much as the step.
fn impacts_allowed(contacts: usize) -> usize {
    (IMPACT_EFFORT / contacts.max(1)).clamp(IMPACTS_LEAST, IMPACTS_MOST)
}
