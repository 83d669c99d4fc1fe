//! The course of one island through a step: impacts at their own times, and lasting contact in between.

use super::candidate::Candidate;
use super::impact_geometry::ImpactGeometry;
use super::impacts::{self, ContactWork, NextImpact};
use super::island_problem::{IslandProblem, Members, StepBodies};
use super::persistent::{self, Weights};
use super::report::ContactReport;
use crate::physics::constraints::contact::ContactProblemError;
use crate::tolerance;

/// Takes an island through the step.
pub(super) fn resolve(
    problem: &mut IslandProblem,
    weights: &mut Weights,
    geometry: &mut ImpactGeometry,
    candidates: &mut [Candidate],
    members: &Members<'_>,
    bodies: &mut StepBodies<'_>,
    report: &mut ContactReport,
) -> Result<ContactWork, ContactProblemError> {
    let end = bodies.dt;
    let (mut now, mut at_once) = (0.0, 0);
    let mut work = ContactWork::default();
    for taken in 0..tolerance::IMPACTS_MOST {
        if taken + impacts::pairs_arriving(candidates, now, bodies) > impacts_allowed(candidates.len()) {
            break;
        }
        geometry.refine(candidates, bodies, now);
        let Some(NextImpact { time, .. }) = impacts::next_impact(candidates, now, bodies) else {
            return Ok(
                work + persistent::resolve(problem, weights, candidates, members, bodies, now..end, report)?
            );
        };
        if time > now {
            // What is pressed until then may change when, or whether, the impact happens.
            work += persistent::resolve(problem, weights, candidates, members, bodies, now..time, report)?;
        }
        at_once = if time > now { 0 } else { at_once + 1 };
        now = time;
        if !impacts::is_any_struck(candidates, now) {
            continue;
        }
        let together = at_once >= tolerance::IMPACT_SEQUENCE;
        work += impacts::collide(problem, candidates, members, bodies, now, together, report)?;
        geometry.follow(candidates, problem, bodies, now);
    }
    if now < end {
        work += impacts::hold_back(problem, candidates, members, bodies, now, report)?;
        work += persistent::resolve(problem, weights, candidates, members, bodies, now..end, report)?;
    }
    Ok(work)
}

/// Impacts that are taken at their own times; fewer in large islands, where each costs as much as the step.
fn impacts_allowed(contacts: usize) -> usize {
    (tolerance::IMPACT_EFFORT / contacts.max(1)).clamp(tolerance::IMPACTS_LEAST, tolerance::IMPACTS_MOST)
}
