//! Joints: `C(q, t)` and `Ċ = J v + ∂C/∂t` of every rigid row and every limit, evaluated at the end state.

use super::energy;
use super::evidence::Evidence;
use super::momentum::MomentumJudge;
use super::step_certificate::StepCertificate;
use crate::math::scalar;
use crate::physics::constraints::{AxisMemory, Constraint, JacobianRow, MAX_ROWS, Pair, RowLaw};
use crate::physics::rigid_body::InertialState;
use crate::tolerance;

fn slots(joint: &dyn Constraint) -> [Option<usize>; 2] {
    joint.bodies().map(|body| body.map(|handle| handle.slot()))
}

fn state(states: &[InertialState], slot: Option<usize>) -> InertialState {
    slot.map_or_else(InertialState::default, |slot| states[slot])
}

/// A constraint, with the state of its axis.
pub(super) type JudgedConstraint<'a> = (&'a dyn Constraint, Option<AxisMemory>);

/// A joint, and the parts of its row over further bodies.
#[derive(Clone, Debug)]
pub struct JudgedJoint<'a> {
    /// Itself.
    pub joint: JudgedConstraint<'a>,
    /// Constraints whose C and J are added to those of its only row.
    pub parts: Vec<JudgedConstraint<'a>>,
}

impl<'a> From<&'a dyn Constraint> for JudgedJoint<'a> {
    /// A joint without parts, with angles counted from the middle of its limits.
    fn from(joint: &'a dyn Constraint) -> Self {
        Self { joint: (joint, None), parts: Vec::new() }
    }
}

/// Rows of one constraint, and what they are compared with.
#[derive(Clone, Copy, Debug, Default)]
struct Rows {
    values: [f64; MAX_ROWS],
    rates: [f64; MAX_ROWS],
    /// Largest coordinate of a body, m, and largest speed, m/s.
    far: f64,
    speed: f64,
}

fn rows_of(
    (joint, memory): JudgedConstraint<'_>,
    states: &[InertialState],
    time: f64,
    with_rates: bool,
) -> Rows {
    let rows = joint.dimension();
    let [a, b] = slots(joint).map(|slot| state(states, slot));
    let pair = Pair { a: &a, b: &b };
    let mut found = Rows {
        // Positions far from the origin are no better than the numbers they are written in.
        far: scalar::max(a.center_of_mass.abs().max_element(), b.center_of_mass.abs().max_element()),
        speed: scalar::max(1.0, scalar::max(a.speed(), b.speed())),
        ..Rows::default()
    };
    match memory {
        Some(memory) => joint.value_with(&pair, time, &memory, &mut found.values[..rows]),
        None => joint.value(&pair, time, &mut found.values[..rows]),
    }
    if with_rates {
        let mut jacobian = [JacobianRow::ZERO; MAX_ROWS];
        joint.jacobian(&pair, time, &mut jacobian[..rows]);
        joint.time_derivative(&pair, time, &mut found.rates[..rows]);
        for (rate, row) in found.rates.iter_mut().zip(&jacobian[..rows]) {
            *rate += row.velocity(&a, &b);
        }
    }
    found
}

/// Errors of one joint: position, and rate if required.
fn errors(judged: &JudgedJoint<'_>, states: &[InertialState], time: f64, with_rates: bool) -> (f64, f64) {
    let joint = judged.joint.0;
    let rows = joint.dimension();
    let Rows { mut values, mut rates, mut far, mut speed } = rows_of(judged.joint, states, time, with_rates);
    for part in &judged.parts {
        let part = rows_of(*part, states, time, with_rates);
        values[0] += part.values[0];
        rates[0] += part.rates[0];
        (far, speed) = (scalar::max(far, part.far), scalar::max(speed, part.speed));
    }
    let round_off = 16.0 * f64::EPSILON * far;
    let (mut position, mut velocity): (f64, f64) = (0.0, 0.0);
    for row in 0..rows {
        let (error, rate) = match joint.law(row) {
            RowLaw::Rigid => (values[row].abs(), rates[row].abs()),
            RowLaw::Unilateral if values[row] < 0.0 => (-values[row], scalar::max(0.0, -rates[row])),
            RowLaw::Unilateral
            | RowLaw::Soft { .. }
            | RowLaw::Drive { .. }
            | RowLaw::Motor { .. }
            | RowLaw::Rotor { .. }
            | RowLaw::Part => continue,
        };
        let error = error - round_off;
        position = if error > position || error.is_nan() { error } else { position };
        let rate = rate / speed;
        velocity = if rate > velocity || rate.is_nan() { rate } else { velocity };
    }
    (position, velocity)
}

/// Checks joints at the end of a step; also at its start, if its state did not come from a step. Returns the largest
/// rate of violation at the start, m/s or rad/s, relative above 1 m/s; zero if free flight left no energy unexplained.
/// Tells the balance of momentum which bodies are connected.
pub(super) fn judge<'a>(
    step: &Evidence<'_>,
    joints: impl Iterator<Item = JudgedJoint<'a>>,
    touched: bool,
    momentum: &mut MomentumJudge,
    found: &mut StepCertificate,
) -> f64 {
    // Only where free flight lost or gained energy does it matter how fast joints opened before it.
    let in_flight = energy::flight_error(step) > tolerance::ENERGY_CERTIFIED;
    let mut opening: f64 = 0.0;
    for joint in joints {
        let slots = slots(joint.joint.0);
        momentum.connect(slots, |slot| step.inertias[slot].is_movable());
        if in_flight {
            let (_, rate) = errors(&joint, step.start, step.time - step.dt, true);
            opening = if rate > opening || rate.is_nan() { rate } else { opening };
        }
        let (position, velocity) = errors(&joint, step.end, step.time, true);
        found.joint_position.worsen(position, slots);
        found.joint_velocity.worsen(velocity, slots);
        if touched {
            let (before, _) = errors(&joint, step.start, step.time - step.dt, false);
            found.joint_before.worsen(before, slots);
        }
    }
    opening
}
