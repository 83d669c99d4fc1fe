//! Joint rows of a contact problem.
//!
//! Jacobians are known at the current positions and at those that the velocities alone would reach at the end of the
//! step, and interpolated linearly in between (joints held by contact have no error, others one of third order).
//! Impulses act along J at their time, the middle of a span; rates are required at the end of the span, where J is
//! another: `J_end v⁺ = -∂C/∂t` is `J v⁺ = -∂C/∂t - (J_end - J) v*` up to the change of v by contact. Free flight has
//! held the joints already: limits and motors may undo their impulses from it.

use super::island_problem::StepBodies;
use crate::math::{Vec3, orientation};
use crate::physics::constraints::contact::{BodyVelocity, Row};
use crate::physics::constraints::{ConstraintRow, HeldPoint, JacobianRow, JointPlace, RowLaw};
use crate::physics::rigid_body::InertialState;
use crate::tolerance;

/// Unknowns of a problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RowTime {
    /// Impulses at one time, s.
    Instant(f64),
    /// Impulses of forces from one time to another, s.
    Lasting(f64, f64),
    /// Displacements at the end of the step.
    Displacement,
}

impl RowTime {
    /// When impulses act and when rates are required, s, and how long forces act, in a step of `dt` seconds.
    fn times(self, dt: f64) -> [f64; 3] {
        match self {
            Self::Instant(time) => [time, time, 0.0],
            Self::Lasting(from, to) => [0.5 * (from + to), to, to - from],
            Self::Displacement => [dt, dt, 0.0],
        }
    }
}

/// What rows over several joints sum up over them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Coupled {
    /// `J v` in free flight where impulses act, and its change until rates are required.
    rate: f64,
    turned: f64,
    /// `C` at the end and at the start of the step, and `∂C/∂t`.
    value: f64,
    value_before: f64,
    time_derivative: f64,
}

/// The active joints of a step, and their rows during it.
#[derive(Clone, Debug, Default)]
pub(super) struct JointRows {
    /// By number.
    pub(super) places: Vec<JointPlace>,
    /// At the time `since`.
    pub(super) start: Vec<ConstraintRow>,
    pub(super) since: f64,
    /// At the end of the step.
    pub(super) end: Vec<ConstraintRow>,
    /// Force of each row in the last span, N or N·m, by number; the midpoint scheme starts from it.
    pub(super) forces: Vec<f64>,
    /// Bodies at the end of the step if their velocities stayed constant.
    pub(super) coasting: Vec<InertialState>,
}

impl JointRows {
    /// No joints.
    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.start.clear();
        self.end.clear();
        self.forces.clear();
    }

    /// Sets all joints with their rows at the start of the step, where bodies are `before`, and at its end. Rows of
    /// joints that hold a point are left out unless wanted: the fast tier solves the point as a block.
    pub(super) fn take(&mut self, bodies: &StepBodies<'_>, before: &[InertialState], with_points: bool) {
        self.places.clear();
        self.places.extend(bodies.joints.places());
        self.coasting.clear();
        self.coasting.extend((0..bodies.after.len()).map(|slot| coasted(bodies, slot, bodies.dt)));
        let start = bodies.end - bodies.dt;
        if with_points {
            bodies.joints.rows_into(before, start, &mut self.start);
            bodies.joints.rows_into(&self.coasting, bodies.end, &mut self.end);
        } else {
            bodies.joints.rows_but_of_points_into(before, start, &mut self.start);
            bodies.joints.rows_but_of_points_into(&self.coasting, bodies.end, &mut self.end);
        }
    }

    /// Number of rows of all joints.
    pub(super) fn count(&self) -> usize {
        self.places.last().map_or(0, |place| (place.first + place.rows) as usize)
    }

    /// Sets the rows of an island: all rows of some joints, in order.
    pub(super) fn predict(&mut self, numbers: &[usize], bodies: &StepBodies<'_>, rest: f64) {
        self.coasting.resize(bodies.after.len(), InertialState::AT_REST);
        for slot in numbers.iter().flat_map(|number| self.end[*number].slots).flatten() {
            self.coasting[slot] = coasted(bodies, slot, rest);
        }
        bodies.joints.update_rows(numbers, &self.coasting, bodies.end, &mut self.end);
    }

    /// Reserves memory for rows.
    pub(super) fn resize(&mut self, rows: usize) {
        self.start.resize(rows, ConstraintRow::IDLE);
        self.forces.resize(rows, 0.0);
        self.end.resize(rows, ConstraintRow::IDLE);
    }

    /// J of a row at a time within a step of `dt` seconds.
    pub(super) fn jacobian(&self, number: usize, time: f64, dt: f64) -> JacobianRow {
        let (start, end) = (&self.start[number].jacobian, &self.end[number].jacobian);
        let share = if dt > self.since { (time - self.since) / (dt - self.since) } else { 1.0 };
        *start * (1.0 - share) + *end * share
    }

    /// Makes `time` the start of the rest of the step, for these rows.
    pub(super) fn start_from(&mut self, numbers: &[usize], time: f64, dt: f64) {
        for &number in numbers {
            self.start[number].jacobian = self.jacobian(number, time, dt);
        }
        self.since = time;
    }

    /// Adds a part of a row to those before it; returns its Jacobian.
    pub(super) fn add_part(
        &self,
        number: usize,
        free: [BodyVelocity; 2],
        span: RowTime,
        dt: f64,
        parts: &mut Coupled,
    ) -> JacobianRow {
        let [acts, holds, _] = span.times(dt);
        let jacobian = self.jacobian(number, acts, dt);
        parts.rate += rate(&jacobian, free);
        parts.turned += rate(&self.jacobian(number, holds, dt), free) - rate(&jacobian, free);
        parts.value += self.end[number].value;
        parts.value_before += self.start[number].value;
        parts.time_derivative += self.end[number].time_derivative;
        jacobian
    }

    /// A row of a problem, from the velocities of its bodies in free flight and what its parts add; `None` if inactive. The caller
    /// sets the bodies.
    pub(super) fn row(
        &self,
        number: usize,
        free: [BodyVelocity; 2],
        parts: Coupled,
        span: RowTime,
        dt: f64,
    ) -> Option<Row> {
        let mut sum = parts;
        let jacobian = self.add_part(number, free, span, dt, &mut sum);
        let ConstraintRow { law, multiplier, .. } = self.end[number];
        let Coupled { value, time_derivative, turned, .. } = sum;
        let touched = value <= tolerance::LIMIT_TOUCH;
        let [_, _, h] = span.times(dt);
        let held = Row::rigid(0, 0, jacobian, -time_derivative - turned);
        let given = multiplier * h;
        match (law, span) {
            (RowLaw::Rigid, RowTime::Displacement) => Some(Row { target: -value, ..held }),
            (RowLaw::Rigid, _) => Some(held),
            // Free flight has taken the rotor along: it resists what contact changes.
            (RowLaw::Rotor { .. }, RowTime::Displacement) => None,
            (RowLaw::Rotor { inertia }, _) => {
                Some(Row { target: sum.rate, regularisation: 1.0 / inertia, ..held })
            }
            (RowLaw::Unilateral, RowTime::Displacement) if touched => {
                Some(Row { target: -value, lower: 0.0, ..held })
            }
            (RowLaw::Unilateral, _) if touched => Some(Row { lower: -given, ..held }),
            (RowLaw::Motor { velocity, max_force }, RowTime::Lasting(..)) => {
                let (lower, upper) = (-max_force * h - given, max_force * h - given);
                Some(Row { target: velocity - turned, lower, upper, ..held })
            }
            (law @ (RowLaw::Drive { .. } | RowLaw::Soft { .. }), RowTime::Lasting(..))
                if self.end[number].held && h > 0.0 =>
            {
                let row = Row { target: sum.rate, ..held };
                Some(self.stiff_row(number, law, row, sum.value_before, h, dt))
            }
            _ => None,
        }
    }

    /// An actuator or spring that free flight has integrated implicitly, over `h` seconds of a step of `dt`. For a
    /// further impulse p, the law `λ = f - k (C + h u) - d u` at the end rate u is `u + p/(h (d + h k)) = u_free`,
    /// where free flight obeys it; where its force range was reached there, `u_free` differs by the excess of the
    /// law.
    fn stiff_row(&self, number: usize, law: RowLaw, row: Row, before: f64, h: f64, dt: f64) -> Row {
        let (force, stiffness, damping, lower, upper) = match law {
            RowLaw::Drive { force, stiffness, damping, lower, upper } => {
                (force, stiffness, damping, lower, upper)
            }
            RowLaw::Soft { stiffness, damping } => {
                (0.0, stiffness, damping, f64::NEG_INFINITY, f64::INFINITY)
            }
            _ => return row,
        };
        let given = self.end[number].multiplier;
        let stiff = damping + h * stiffness;
        let asked = force - stiffness * (before + dt * row.target) - damping * row.target;
        let beyond = if given > lower && given < upper { 0.0 } else { (asked - given) / stiff };
        Row {
            target: row.target + beyond,
            lower: (lower - given) * h,
            upper: (upper - given) * h,
            regularisation: 1.0 / (h * stiff),
            ..row
        }
    }
}

/// A row over the whole step, as the fast tier solves it.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastingRow {
    /// J in the middle of the step.
    pub(super) jacobian: JacobianRow,
    /// Target of `J v`: minus `turning` at the start of the step, plus `turning` at its end.
    pub(super) target: f64,
    pub(super) turning: f64,
    /// Bounds of the impulse.
    pub(super) lower: f64,
    pub(super) upper: f64,
}

impl JointRows {
    /// A row over the whole step, from the velocities of its bodies in free flight; `None` if inactive. A limit that
    /// free flight has left to contact is active whether it is touched or not.
    pub(super) fn lasting(&self, number: usize, free: [BodyVelocity; 2], dt: f64) -> Option<LastingRow> {
        let (start, end) = (&self.start[number], &self.end[number]);
        let given = end.multiplier * dt;
        let held = -end.time_derivative;
        let (target, lower, upper) = match end.law {
            RowLaw::Rigid => (held, f64::NEG_INFINITY, f64::INFINITY),
            RowLaw::Unilateral if end.multiplier == 0.0 || end.value <= tolerance::LIMIT_TOUCH => {
                (held, -given, f64::INFINITY)
            }
            RowLaw::Motor { velocity, max_force } => {
                (velocity, -max_force * dt - given, max_force * dt - given)
            }
            RowLaw::Rotor { .. } => (0.0, f64::NEG_INFINITY, f64::INFINITY),
            RowLaw::Unilateral | RowLaw::Soft { .. } | RowLaw::Drive { .. } | RowLaw::Part => return None,
        };
        let jacobian = start.jacobian * 0.5 + end.jacobian * 0.5;
        // The target falls by the change of J.
        let turning = rate(&jacobian, free) - rate(&end.jacobian, free);
        Some(LastingRow { jacobian, target, turning, lower, upper })
    }
}

/// Arms of a held point at mid-step, and their change in its second half, m/s, from the point at the start and at the
/// end and the velocities of its bodies in free flight: a ball joint needs these instead of three rows.
pub(super) fn lasting_point(
    start: &HeldPoint,
    end: &HeldPoint,
    free: [BodyVelocity; 2],
) -> ([Vec3; 2], Vec3) {
    let arms = [0, 1].map(|body| start.arms[body] * 0.5 + end.arms[body] * 0.5);
    let free = free.map(|body| (body.linear, body.angular));
    (arms, HeldPoint::rate(arms, free) - HeldPoint::rate(end.arms, free))
}

/// A body moved by its velocity alone to the end of the step.
fn coasted(bodies: &StepBodies<'_>, slot: usize, rest: f64) -> InertialState {
    let (after, free_acceleration, fallen) =
        (&bodies.after[slot], &bodies.free_acceleration[slot], 0.5 * rest * rest);
    InertialState {
        center_of_mass: after.center_of_mass - free_acceleration.linear * fallen,
        orientation: orientation::advanced(after.orientation, free_acceleration.angular, -fallen),
        ..*after
    }
}

/// `J v`.
pub(super) fn rate(jacobian: &JacobianRow, [a, b]: [BodyVelocity; 2]) -> f64 {
    jacobian.on_a().power(a.linear, a.angular) + jacobian.on_b().power(b.linear, b.angular)
}
