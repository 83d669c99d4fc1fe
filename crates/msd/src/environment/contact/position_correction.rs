//! Overlap is removed by moving bodies, never by velocities.
//!
//! The displacement of a body is bounded by its cause ([`Bound`]): the overlap at the start of the step, pushed out
//! at a bounded speed, and the overlap made within the step as far as the impulses of its own contacts could have
//! prevented it by acting earlier. Velocities keep their bits; the caller enters the change of energy. Remaining
//! overlap is measured and reported.
//!
//! The smallest displacement in the mass metric that closes the joints and leaves no overlap beyond the slop, `min
//! ½‖δq‖²_M` subject to `gap + J δq ≥ -slop/2`, is a frictionless contact problem with displacements in the place of
//! velocities, and solved as one. It is repeated with the remaining gaps, since rotations are not linear. It is
//! applied only if it moves every body within its bounds. Otherwise `push_out` pushes bodies apart within them; in an
//! island with joints, these are closed and overlaps stay as they are.

use super::contact_constraint::ContactConstraint;
use super::displacement::Displacement;
use super::gap_prediction;
use super::island::Island;
use super::island_problem::{IslandProblem, Members, StepBodies};
use super::joint_row::RowTime;
use super::push_out::{Bounds, PushOut};
use super::report::ContactReport;
use crate::math::{Vec3, orientation, scalar};
use crate::physics::constraints::contact::{
    BodyVelocity, Contact, ContactBody, ContactProblemError, ExactSolverSettings,
};
use crate::physics::constraints::{ConstraintRow, ConstraintSet, RowLaw};
use crate::physics::rigid_body::InertialState;
use crate::tolerance;

/// Residual (m), relative to the deepest overlap, up to which a displacement is applied. tuned: in a press,
/// where nothing can move, the residual is half the overlap.
const POSITION_GAINED: f64 = 0.25;

/// Displacement allowed for an open joint, relative to its error: leverage. tuned: a press.
const POSITION_REACH: f64 = 10.0;

/// Limit of rounds of position correction in a step; each is a linearised problem. tuned.
pub(super) const POSITION_ROUNDS: usize = 8;

/// Budget of the rounds after the first: rounds times contacts. The next step corrects the rest. tuned:
/// poured piles.
pub(super) const POSITION_EFFORT: usize = 1000;

/// Residual of a displacement, relative to the deepest overlap; the second for islands with more contacts
/// than [`POSITION_EFFORT`]. tuned: stacks, and piles of thousands of contacts.
const POSITION_SOLVED: f64 = 1e-4;

/// See [`POSITION_SOLVED`].
const POSITION_SOLVED_MANY: f64 = 1e-2;

/// Measures the gaps at the end of the step; true if some overlap is beyond its slop.
pub(super) fn measure(
    candidates: &mut [ContactConstraint],
    before: &[InertialState],
    after: &[InertialState],
) -> bool {
    let mut overlap = false;
    for points in candidates.chunk_by_mut(|p, q| (p.a, p.b) == (q.a, q.b)) {
        let ContactConstraint { a, b, .. } = points[0];
        for patch in gap_prediction::patches_mut(points) {
            let gaps = gap_prediction::end_gaps(patch, [&before[a], &before[b]], [&after[a], &after[b]]);
            for (candidate, gap) in patch.iter_mut().zip(gaps) {
                candidate.end_gap = gap;
                overlap |= gap < -slop(candidate);
            }
        }
    }
    overlap
}

/// True if an island whose gaps were measured has overlap beyond its slop, or joints that may be open.
pub(super) fn is_wanted(candidates: &[ContactConstraint], island: &Island) -> bool {
    (!island.rows.is_empty() && !island.joined)
        || candidates.iter().any(|candidate| candidate.end_gap < -slop(candidate))
}

/// Bound of the displacement of a body in a step, m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Bound {
    /// Its overlap at the start of the step, as far as it is pushed out in one step.
    pub(super) pushed: f64,
    /// Its overlap made within the step, as far as its impulses can prevent it.
    pub(super) prevented: f64,
}

impl Bound {
    pub(super) fn sum(&self) -> f64 {
        self.pushed + self.prevented
    }

    /// The part of a displacement that is due to impulses which act earlier; the rest is pushed.
    pub(super) fn explained(&self, displaced: &Displacement, reach: f64) -> Displacement {
        let share = |length: f64| if length > self.prevented { self.prevented / length } else { 1.0 };
        Displacement {
            linear: displaced.linear * share(displaced.linear.length()),
            angular: displaced.angular * share(displaced.angular.length() * reach),
        }
    }
}

/// Removes the overlap of an island whose gaps were measured, and closes its joints.
pub(super) fn resolve(
    problem: &mut IslandProblem,
    push_out: &mut PushOut,
    candidates: &mut [ContactConstraint],
    members: &Members<'_>,
    bodies: &mut StepBodies<'_>,
    before: &[InertialState],
    bounds: &Bounds<'_>,
) -> Result<(), ContactProblemError> {
    let mut keeps = false;
    for _ in 0..(POSITION_EFFORT / candidates.len().max(1)).clamp(1, POSITION_ROUNDS) {
        let mut done = keeps || candidates.iter().all(|c| c.end_gap >= -slop(c));
        if !members.joined.is_empty() {
            problem.follow_joints(members, bodies, bodies.dt);
            let rows = &problem.joints.end;
            let mut whole = members.joined.iter().map(|number| whole_row(rows, bodies.joints, *number));
            done &= whole.all(|row| is_closed(&row));
        }
        if done {
            break;
        }
        if !displace(problem, candidates, members, bodies, keeps, bounds)? {
            if members.joined.is_empty() {
                push_out.resolve(candidates, members, bodies, before, bounds);
                break;
            }
            if keeps {
                break;
            }
            keeps = true;
        }
        measure(candidates, before, bodies.after);
    }
    Ok(())
}

fn is_closed(row: &ConstraintRow) -> bool {
    match row.law {
        RowLaw::Rigid => row.value.abs() <= tolerance::JOINT_CLOSED,
        RowLaw::Unilateral => row.value >= -tolerance::JOINT_CLOSED,
        RowLaw::Soft { .. }
        | RowLaw::Drive { .. }
        | RowLaw::Motor { .. }
        | RowLaw::Rotor { .. }
        | RowLaw::Part => true,
    }
}

/// A row with the values of its parts.
fn whole_row(rows: &[ConstraintRow], joints: &ConstraintSet, number: usize) -> ConstraintRow {
    let parts = joints.parts_of_row(number).map(|part| rows[part].value);
    ConstraintRow { value: parts.fold(rows[number].value, |sum, value| sum + value), ..rows[number] }
}

/// Overlap that is tolerated, m.
pub(super) fn slop(candidate: &ContactConstraint) -> f64 {
    tolerance::POSITION_SLOP * candidate.size
}

/// Moves the bodies of the island apart within their bounds and the reach of open joints, or restores their overlaps;
/// returns false, without any motion, if that fails.
fn displace(
    problem: &mut IslandProblem,
    candidates: &[ContactConstraint],
    members: &Members<'_>,
    bodies: &mut StepBodies<'_>,
    keeps: bool,
    bounds: &Bounds<'_>,
) -> Result<bool, ContactProblemError> {
    let mut deepest = 0.0;
    problem.clear();
    for (index, candidate) in candidates.iter().enumerate().filter(|(_, candidate)| !candidate.is_vacant()) {
        let gap = candidate.end_gap + 0.5 * slop(candidate);
        let speculative_bias = if keeps { scalar::max(gap, 0.0) } else { gap };
        deepest = scalar::max(deepest, -speculative_bias);
        let contact = Contact {
            friction: 0.0,
            rolling_friction: 0.0,
            torsional_friction: 0.0,
            speculative_bias,
            ..candidate.contact(bodies.dt)
        };
        problem.choose(index, candidate, contact, Vec3::ZERO, |slot| body_at_rest(bodies, slot))?;
    }
    problem
        .join(members, bodies.joints, RowTime::Displacement, bodies.dt, |slot| body_at_rest(bodies, slot))?;
    // A displacement need not be certified, since the remaining overlap is measured, but it must remove some.
    let mut verdict = ContactReport::default();
    let many = candidates.len() > POSITION_EFFORT;
    let share = if many { POSITION_SOLVED_MANY } else { POSITION_SOLVED };
    let solved = scalar::max(problem.settings.target, share * deepest);
    let settings = ExactSolverSettings { target: solved, accepted: solved, ..problem.settings };
    let settings = match (members.joined.is_empty(), many) {
        (false, _) => problem.settings,
        (true, false) => settings,
        // After Newton's method, sweeps remove most of the rest; the next step does more.
        (true, true) => {
            ExactSolverSettings { factorisations: 0, sweeps: settings.first_sweeps, rounds: 1, ..settings }
        }
    };
    problem.solve_by(settings, settings.accepted, &mut verdict);
    let rows = members.joined.iter().map(|number| whole_row(&problem.joints.end, bodies.joints, *number));
    let open = rows.filter(|row| !is_closed(row));
    let widest = open.fold(0.0, |widest, row| scalar::max(widest, row.value.abs()));
    // Joints also move bodies without overlap, and an open one moves far bodies by more than its error.
    let group = members.slots.iter().fold(0.0, |most, slot| scalar::max(most, bounds.most[*slot]));
    let farthest = group + POSITION_REACH * widest;
    let near = problem.bodies().filter(|(_, body, _)| body.is_movable()).all(|(slot, _, displacement)| {
        let most = if members.joined.is_empty() { bounds.most[slot] } else { farthest };
        let was = &bodies.displaced[slot];
        (was.linear + displacement.linear).length() <= most
            && (was.angular + displacement.angular).length() * bounds.reach[slot] <= most
    });
    let sound = near || (keeps && widest > 0.0);
    if !sound || verdict.residual > POSITION_GAINED * scalar::max(deepest, widest) {
        return Ok(false);
    }
    for (slot, body, displacement) in problem.bodies() {
        if body.is_movable() {
            let state = &mut bodies.after[slot];
            state.center_of_mass += displacement.linear;
            if displacement.angular != Vec3::ZERO {
                state.orientation = orientation::advanced(state.orientation, displacement.angular, 1.0);
            }
            let BodyVelocity { linear, angular } = displacement;
            bodies.displaced[slot] += Displacement { linear, angular };
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
