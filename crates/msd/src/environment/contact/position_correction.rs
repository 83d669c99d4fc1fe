//! Overlap is removed by moving bodies, never by velocities.
//!
//! The smallest displacement in the metric of the masses that leaves no overlap beyond the slop,
//! `min ½‖δq‖²_M` subject to `gap + J δq ≥ -slop/2`, is a frictionless contact problem with displacements in the place
//! of velocities, and solved as one. It is repeated with the gaps it leaves, since rotations are not linear. Velocities
//! keep their bits; what it does to the energy is booked by the caller.
//!
//! A body between two that nothing moves apart cannot be freed: the problem has no solution, and what a solver then returns
//! is no displacement to follow. It is left where it is, and the overlap is measured and told.

use super::candidate::Candidate;
use super::course::{self, PairMotion};
use super::island::Island;
use super::island_problem::{IslandProblem, Members, StepBodies};
use super::joint_row::Span;
use super::report::ContactReport;
use crate::math::{Vec3, orientation, real};
use crate::physics::constraints::contact::{
    BodyVelocity, Contact, ContactBody, ContactProblemError, LadderSettings,
};
use crate::physics::constraints::{ConstraintRow, RowLaw};
use crate::physics::rigid_body::InertialState;
use crate::tolerance;

/// Measures the gaps at the end of the step; true if some overlap is beyond its slop.
pub(super) fn measure(
    candidates: &mut [Candidate],
    before: &[InertialState],
    after: &[InertialState],
) -> bool {
    let mut overlap = false;
    for points in candidates.chunk_by_mut(|p, q| (p.a, p.b) == (q.a, q.b)) {
        let Candidate { a, b, .. } = points[0];
        let motion = PairMotion::between([&before[a], &before[b]], [&after[a], &after[b]]);
        for patch in course::patches_mut(points) {
            let gaps = motion.gaps(patch);
            for (candidate, gap) in patch.iter_mut().zip(gaps) {
                candidate.end_gap = gap;
                overlap |= gap < -slop(candidate);
            }
        }
    }
    overlap
}

/// True if an island whose gaps were measured has overlap beyond its slop, or joints that may be open.
pub(super) fn is_wanted(candidates: &[Candidate], island: &Island) -> bool {
    !island.rows.is_empty() || candidates.iter().any(|candidate| candidate.end_gap < -slop(candidate))
}

/// Removes the overlap of an island whose gaps were measured, and closes its joints.
pub(super) fn resolve(
    problem: &mut IslandProblem,
    candidates: &mut [Candidate],
    members: &Members<'_>,
    bodies: &mut StepBodies<'_>,
    before: &[InertialState],
) -> Result<(), ContactProblemError> {
    for _ in 0..(tolerance::POSITION_EFFORT / candidates.len().max(1)).clamp(1, tolerance::POSITION_ROUNDS) {
        let mut done = candidates.iter().all(|c| c.end_gap >= -slop(c));
        if !members.joined.is_empty() {
            problem.follow_joints(members, bodies, bodies.dt);
            done &= members.joined.iter().all(|number| is_closed(&problem.joints.end[*number]));
        }
        if done {
            break;
        }
        if !displace(problem, candidates, members, bodies)? {
            break;
        }
        measure(candidates, before, bodies.after);
    }
    Ok(())
}

fn is_closed(row: &ConstraintRow) -> bool {
    match row.law {
        RowLaw::Rigid => row.value.abs() <= tolerance::JOINT_CLOSED,
        RowLaw::Unilateral => row.value >= -tolerance::JOINT_CLOSED,
        RowLaw::Soft { .. } | RowLaw::Motor { .. } => true,
    }
}

fn slop(candidate: &Candidate) -> f64 {
    tolerance::POSITION_SLOP * candidate.size
}

/// Moves the bodies of the island apart; false, and nothing moved, if no displacement does it.
fn displace(
    problem: &mut IslandProblem,
    candidates: &[Candidate],
    members: &Members<'_>,
    bodies: &mut StepBodies<'_>,
) -> Result<bool, ContactProblemError> {
    let mut deepest = 0.0;
    problem.clear();
    for (index, candidate) in candidates.iter().enumerate() {
        deepest = real::max(deepest, -candidate.end_gap);
        let contact = Contact {
            friction: 0.0,
            rolling_friction: 0.0,
            torsional_friction: 0.0,
            gap_rate: candidate.end_gap + 0.5 * slop(candidate),
            ..candidate.contact(bodies.dt)
        };
        problem.choose(index, candidate, contact, Vec3::ZERO, |slot| body_at_rest(bodies, slot))?;
    }
    problem.join(members, Span::Displacement, bodies.dt, |slot| body_at_rest(bodies, slot))?;
    // A displacement need not be certified, since what is left of the overlap is measured, but it must remove some.
    let mut verdict = ContactReport::default();
    let many = candidates.len() > tolerance::POSITION_EFFORT;
    let share = if many { tolerance::POSITION_SOLVED_MANY } else { tolerance::POSITION_SOLVED };
    let solved = real::max(problem.settings.target, share * deepest);
    let settings = LadderSettings { target: solved, accepted: solved, ..problem.settings };
    let settings = match (members.joined.is_empty(), many) {
        (false, _) => problem.settings,
        (true, false) => settings,
        // Once Newton's method has had its turn, sweeps remove most of what is left; the next step does the rest.
        (true, true) => {
            LadderSettings { factorisations: 0, sweeps: settings.first_sweeps, rounds: 1, ..settings }
        }
    };
    problem.solve_by(settings, settings.accepted, &mut verdict);
    let farthest = tolerance::POSITION_REACH * deepest * candidates.len() as f64;
    let near = problem.bodies().all(|(_, _, displacement)| displacement.linear.length() <= farthest);
    let open = members.joined.iter().filter(|number| !is_closed(&problem.joints.end[**number]));
    let widest = open.fold(0.0, |widest, number| real::max(widest, problem.joints.end[*number].value.abs()));
    // An open joint may move what is far from it by more than itself.
    let sound = near || widest > 0.0;
    if !sound || verdict.residual > tolerance::POSITION_GAINED * real::max(deepest, widest) {
        return Ok(false);
    }
    for (slot, body, displacement) in problem.bodies() {
        if body.is_movable() {
            let state = &mut bodies.after[slot];
            state.center_of_mass += displacement.linear;
            if displacement.angular != Vec3::ZERO {
                state.orientation = orientation::advanced(state.orientation, displacement.angular, 1.0);
            }
        }
    }
    Ok(true)
}

fn body_at_rest(bodies: &StepBodies<'_>, slot: usize) -> ContactBody {
    if bodies.inertias[slot].is_movable() {
        bodies.contact_body(slot, bodies.after[slot].orientation, BodyVelocity::default())
    } else {
        ContactBody::immovable(BodyVelocity::default())
    }
}
