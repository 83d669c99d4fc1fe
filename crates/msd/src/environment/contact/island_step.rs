//! The course of one island through a step: impacts at their own times, and lasting contact in between.

use std::ops::Range;

use super::contact_constraint::ContactConstraint;
use super::impact_geometry::ImpactGeometry;
use super::impacts::{self, ContactWork, NextImpact};
use super::island_problem::{IslandProblem, Members, StepBodies};
use super::midpoint_span::{MidpointSpan, SpanIsland};
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

/// Takes an island without joints through the step.
pub(super) fn resolve_unjointed(
    mut island: SpanIsland<'_, '_>,
    spans: &mut MidpointSpan,
    weights: &mut Weights,
    report: &mut ContactReport,
) -> Result<ContactWork, ContactProblemError> {
    let end = island.bodies.dt;
    let (mut now, mut at_once) = (0.0, 0);
    let mut work = ContactWork::default();
    for taken in 0..IMPACTS_MOST {
        let arriving = impacts::pairs_arriving(island.candidates, now, island.bodies);
        let most = impacts_allowed(island.candidates.len());
        if taken + arriving
            > if impacts::is_bouncing(island.candidates) { most } else { most.min(INELASTIC_IMPACTS) }
        {
            break;
        }
        island.geometry.refine(island.candidates, island.bodies, now);
        let Some(NextImpact { time, .. }) = impacts::next_impact(island.candidates, now, island.bodies)
        else {
            break;
        };
        if time > now {
            // What is pressed until then may change when, or whether, the impact happens.
            work += resolve_span(&mut island, spans, weights, now..time, report)?;
            island.changed = true;
        }
        at_once = if time > now { 0 } else { at_once + 1 };
        now = time;
        if !impacts::is_any_struck(island.candidates, now) {
            continue;
        }
        let together = at_once >= IMPACT_SEQUENCE;
        let SpanIsland { problem, geometry, candidates, members, bodies, .. } = &mut island;
        work += impacts::collide(problem, candidates, members, bodies, now, together, report)?;
        geometry.follow(candidates, problem, bodies, now);
        island.changed = true;
    }
    if now < end {
        work += resolve_span(&mut island, spans, weights, now..end, report)?;
    }
    Ok(work)
}

/// Takes an island through a span, by Moreau-Jean time stepping if its positions have no solution.
fn resolve_span(
    island: &mut SpanIsland<'_, '_>,
    spans: &mut MidpointSpan,
    weights: &mut Weights,
    span: Range<f64>,
    report: &mut ContactReport,
) -> Result<ContactWork, ContactProblemError> {
    if let Some(work) = spans.resolve(island, span.clone(), report)? {
        return Ok(work);
    }
    let SpanIsland { problem, candidates, members, bodies, .. } = island;
    let mut work = ContactWork::default();
    if span.end >= bodies.dt {
        work += impacts::inelastic_fallback(problem, candidates, members, bodies, span.start, report)?;
    }
    Ok(work + moreau_jean::resolve(problem, weights, candidates, members, bodies, span, report)?)
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

/// Impacts without restitution of an island that are resolved at their own times; the others are resolved at the
/// end of the span. tuned: pairs that collide alone do so exactly, and a heap of 60 cubes needs one span a step.
const INELASTIC_IMPACTS: usize = 4;

/// Impacts that are taken at their own times; fewer in large islands, where each costs as much as the step.
fn impacts_allowed(contacts: usize) -> usize {
    (IMPACT_EFFORT / contacts.max(1)).clamp(IMPACTS_LEAST, IMPACTS_MOST)
}
