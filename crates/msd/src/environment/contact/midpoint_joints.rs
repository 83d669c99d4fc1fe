//! Joints over a span, in the two problems of `midpoint_span`.
//!
//! **Positions.** A row with the value C and the Jacobian J acts along the mean `J̄ = ½ (J₀ + J₁)` of both ends of the span, and ū = J̄ v̄ is its
//! mean rate. Rows of points that are held together have `h ū = C₁ - C₀` exactly; rows of angles are corrected along the relative
//! rotation until they have it. With the impulse p over the span of h seconds:
//! ```text
//! rigid           C₁ = 0
//! limit           0 ≤ p ⊥ C₁ ≥ 0
//! motor, brake    |p| ≤ F h,  ū = u  in between
//! spring, drive   p = h (f - k (C₀ + ½ h ū) - d ū), bounded for a drive
//! rotor           p = -2 I (ū - u₀)
//! ```
//! A rigid row does no work, a spring does that of its energy, a damper, a brake and a limit only lose.
//!
//! **Velocities.** At the end poses rigid rows and closed limits have `J₁ v = -∂C/∂t`; motors and limits may revise their impulse of the
//! span within their bounds; rotors take part with their inertia. A spring or damper that stops its bodies within a span would reverse
//! its rate from span to span: it brakes the rate at the end as well, with the coefficient `d + ½ h k`.

use super::impacts::ContactWork;
use super::island_problem::StepBodies;
use super::joint_row::rate;
use super::midpoint_motion::MidpointMotion;
use super::midpoint_span::{MidpointSpan, Span, SpanIsland};
use crate::math::{Vec3, scalar};
use crate::physics::constraints::contact::{BodyVelocity, ContactBody, ContactProblemError, Row};
use crate::physics::constraints::{JacobianRow, RowLaw};
use crate::physics::rigid_body::InertialState;
use crate::tolerance;

/// How far a rigid row may be from closed at the end of a span, m or rad: what its force does on the way from there is counted.
const CLOSED: f64 = 1e-13;

/// The same in round-off of the positions of its bodies.
const CLOSED_ROUND_OFF: f64 = 8.0 * f64::EPSILON;

/// The same, where the position problems of a span do not reach it.
pub(super) const NEARLY_CLOSED: f64 = 1e-10;

/// Rate with which joints at rest may open, m/s: rows of small bodies turn a hundred times faster in rad/s, and the work of loaded springs is
/// counted.
pub(super) const JOINTS_AT_REST: f64 = 1e-12;

/// Residual that problems with joints are solved to at least, m/s: rows of small bodies turn a hundred times faster in rad/s.
pub(super) const JOINTS_SOLVED: f64 = 1e-11;

/// Change of C over a span, m or rad, that is not told from round-off.
const ROUND_OFF: f64 = 1e-14;

/// A row of a joint over a span.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpanRow {
    number: usize,
    slots: [Option<usize>; 2],
    law: RowLaw,
    /// At the start: C, J and J v.
    value_before: f64,
    jacobian_before: JacobianRow,
    rate_before: f64,
    /// At the end: C, J and ∂C/∂t.
    value: f64,
    jacobian: JacobianRow,
    time_derivative: f64,
    /// J̄ and J̄ v̄.
    mean: JacobianRow,
    mean_rate: f64,
    /// The Jacobian that the impulse acts along, and how far C is from where it leads, m or rad.
    acts_along: JacobianRow,
    missed: f64,
    /// With its parts over further joints.
    whole: WholeRow,
    /// Of the last position problem, N·s or N·m·s.
    impulse: f64,
}

/// What a row and its parts sum up to.
#[derive(Clone, Copy, Debug, Default)]
struct WholeRow {
    value_before: f64,
    rate_before: f64,
    value: f64,
    time_derivative: f64,
    mean_rate: f64,
    missed: f64,
}

impl SpanRow {
    /// Least C at the end of a limit: an overrun that was there stays.
    fn least(&self) -> f64 {
        scalar::min(self.whole.value_before, 0.0)
    }

    /// Coefficient of ū in the law of a spring or drive, N·s/m or N·m·s/rad.
    fn stiffness_of_rate(&self, h: f64) -> Option<(f64, f64, f64)> {
        match self.law {
            RowLaw::Soft { stiffness, damping } => Some((0.0, stiffness, damping + 0.5 * h * stiffness)),
            RowLaw::Drive { force, stiffness, damping, .. } => {
                Some((force, stiffness, damping + 0.5 * h * stiffness))
            }
            _ => None,
        }
    }

    /// Bounds of the impulse, N·s or N·m·s.
    fn bounds(&self, h: f64) -> [f64; 2] {
        match self.law {
            RowLaw::Unilateral => [0.0, f64::INFINITY],
            RowLaw::Motor { max_force, .. } => [-max_force * h, max_force * h],
            RowLaw::Drive { lower, upper, .. } => [lower * h, upper * h],
            RowLaw::Rigid | RowLaw::Soft { .. } | RowLaw::Rotor { .. } | RowLaw::Part => {
                [f64::NEG_INFINITY, f64::INFINITY]
            }
        }
    }

    /// The row of the position problem; `None` if it cannot act.
    fn of_positions(&self, h: f64) -> Option<Row> {
        let [lower, upper] = self.bounds(h);
        let (row, whole) = (Row { lower, upper, ..Row::rigid(0, 0, self.mean, 0.0) }, &self.whole);
        Some(match self.law {
            RowLaw::Part => return None,
            RowLaw::Rigid => Row { target: whole.mean_rate - whole.value / h, ..row },
            RowLaw::Unilateral => {
                let open = scalar::min(whole.value, whole.value_before) > tolerance::LIMIT_TOUCH;
                if open && self.impulse == 0.0 {
                    return None;
                }
                Row { target: whole.mean_rate - (whole.value - self.least()) / h, ..row }
            }
            RowLaw::Motor { velocity, .. } => Row { target: velocity, ..row },
            RowLaw::Rotor { inertia } => {
                Row { target: whole.rate_before, regularisation: 0.5 / inertia, ..row }
            }
            RowLaw::Soft { .. } | RowLaw::Drive { .. } => {
                let (force, stiffness, of_rate) = self.stiffness_of_rate(h)?;
                let still = force - stiffness * whole.value_before;
                if of_rate > 0.0 {
                    Row { target: still / of_rate, regularisation: 1.0 / (h * of_rate), ..row }
                } else {
                    let given = scalar::max(lower, scalar::min(upper, still * h));
                    Row { lower: given, upper: given, ..row }
                }
            }
        })
    }

    /// The row of the velocity problem; `weight` is `J M⁻¹ Jᵀ`.
    fn of_velocities(&self, h: f64, weight: f64) -> Option<Row> {
        let [lower, upper] = self.bounds(h).map(|bound| bound - self.impulse);
        let (row, whole) = (Row::rigid(0, 0, self.jacobian, -self.whole.time_derivative), &self.whole);
        match self.law {
            RowLaw::Part => None,
            RowLaw::Rigid => Some(row),
            RowLaw::Unilateral => {
                let closed = whole.value <= tolerance::LIMIT_TOUCH || self.impulse > 0.0;
                closed.then_some(Row { lower, ..row })
            }
            RowLaw::Motor { velocity, .. } => Some(Row { target: velocity, lower, upper, ..row }),
            RowLaw::Rotor { inertia } => {
                let target = 2.0 * whole.mean_rate - whole.rate_before;
                Some(Row { target, regularisation: 1.0 / inertia, ..row })
            }
            RowLaw::Soft { .. } | RowLaw::Drive { .. } => {
                let (force, stiffness, of_rate) = self.stiffness_of_rate(h)?;
                if h * of_rate * weight <= 1.0 {
                    return None;
                }
                let target = if stiffness > 0.0 { 0.0 } else { force / of_rate };
                Some(Row { target, lower, upper, regularisation: 1.0 / (h * of_rate), ..row })
            }
        }
    }

    /// True if its law is one of positions: over a short span the velocity that it asks for is round-off.
    fn is_geometric(&self) -> bool {
        matches!(self.law, RowLaw::Rigid | RowLaw::Unilateral)
    }

    /// True if its work is put in from outside.
    fn is_driven(&self) -> bool {
        match self.law {
            RowLaw::Motor { velocity, .. } => velocity != 0.0,
            RowLaw::Drive { .. } => true,
            RowLaw::Rigid => self.whole.time_derivative != 0.0,
            RowLaw::Unilateral | RowLaw::Soft { .. } | RowLaw::Rotor { .. } | RowLaw::Part => false,
        }
    }

    /// Books the work of an impulse p over a change of rate from `before` to `after`, to which bodies that nothing moves contribute
    /// `driven`. What is put in is counted at the rate after it, for which the law holds; the rest is lost in the impact.
    fn book(&self, work: &mut ContactWork, p: f64, [before, after]: [f64; 2], driven: f64) {
        work.work_in -= p * driven;
        work.dissipated -= 0.5 * p * (before + after);
        if self.is_driven() {
            work.work_in += p * after;
            work.dissipated += p * after;
        }
    }
}

impl MidpointSpan {
    /// Rows at the start of the span, and at the end of its first motion.
    pub(super) fn begin_joints(&mut self, island: &mut SpanIsland<'_, '_>, span: &Span) {
        self.rows.clear();
        let (numbers, bodies) = (island.members.joined, &*island.bodies);
        if numbers.is_empty() {
            return;
        }
        let rows = &mut island.problem.joints;
        let before = |slot: usize| {
            if island.changed { bodies.path(slot).at(span.start) } else { island.before[slot] }
        };
        for slot in numbers.iter().flat_map(|number| rows.end[*number].slots).flatten() {
            if !bodies.inertias[slot].is_movable() {
                self.start[slot] = before(slot);
                let end =
                    if span.end < bodies.dt { bodies.path(slot).at(span.end) } else { bodies.after[slot] };
                self.motion[slot] = MidpointMotion::given(&self.start[slot], &end, span.length());
            }
        }
        let start = bodies.end - bodies.dt + span.start;
        bodies.joints.update_rows(numbers, &self.start, start, &mut rows.start);
        for &number in numbers {
            let row = &rows.start[number];
            let velocities = row.slots.map(|slot| slot.map_or(STILL, |slot| self.start[slot].into()));
            self.rows.push(SpanRow {
                number,
                slots: row.slots,
                law: row.law,
                value_before: row.value,
                jacobian_before: row.jacobian,
                rate_before: rate(&row.jacobian, velocities),
                value: row.value,
                jacobian: row.jacobian,
                time_derivative: row.time_derivative,
                mean: row.jacobian,
                mean_rate: 0.0,
                acts_along: row.jacobian,
                missed: 0.0,
                whole: WholeRow::default(),
                impulse: rows.forces[number] * span.length(),
            });
        }
        self.find_parts(bodies);
        self.update_joints(island, span);
    }

    /// Rows at the end of the present motion, and their means.
    pub(super) fn update_joints(&mut self, island: &mut SpanIsland<'_, '_>, span: &Span) {
        if self.rows.is_empty() {
            return;
        }
        let (numbers, bodies, h) = (island.members.joined, &*island.bodies, span.length());
        self.end_states.resize(self.start.len(), InertialState::AT_REST);
        for slot in self.rows.iter().flat_map(|row| row.slots).flatten() {
            self.end_states[slot] = self.motion[slot].end;
        }
        let rows = &mut island.problem.joints.end;
        bodies.joints.update_rows(numbers, &self.end_states, bodies.end - bodies.dt + span.end, rows);
        for row in &mut self.rows {
            let end = &rows[row.number];
            (row.value, row.jacobian, row.time_derivative) = (end.value, end.jacobian, end.time_derivative);
            row.mean = row.jacobian_before * 0.5 + row.jacobian * 0.5;
            let mean = row.slots.map(|slot| slot.map_or(STILL, |slot| self.motion[slot].mean));
            row.mean_rate = rate(&row.mean, mean);
            row.missed = row.value - row.value_before - rate(&row.acts_along, mean) * h;
            if matches!(row.law, RowLaw::Motor { .. } | RowLaw::Rotor { .. }) {
                continue;
            }
            let missed = row.value - row.value_before - row.mean_rate * h;
            let turning = mean[1].angular - mean[0].angular;
            let is_angle = row.mean.linear_a == Vec3::ZERO;
            if is_angle && missed.abs() > ROUND_OFF && turning.length_squared() > 0.0 {
                let more = turning * (missed / (h * turning.length_squared()));
                row.mean.angular_b += more;
                row.mean.angular_a -= more;
                row.mean_rate = rate(&row.mean, mean);
            }
        }
        self.sum_parts();
    }

    /// Finds the parts of rows over several joints.
    fn find_parts(&mut self, bodies: &StepBodies<'_>) {
        self.parts.clear();
        if !bodies.joints.has_coupled_rows() {
            return;
        }
        for (part, row) in self.rows.iter().enumerate() {
            let leader = bodies.joints.row_of_part(row.number);
            if leader != row.number {
                let leader = self.rows.iter().position(|row| row.number == leader);
                self.parts.extend(leader.map(|leader| (leader, part)));
            }
        }
        self.parts.sort_unstable();
    }

    /// Indices of the parts of a row.
    fn parts_of(&self, index: usize) -> impl Iterator<Item = usize> + Clone + use<'_> {
        let first = self.parts.partition_point(|(leader, _)| *leader < index);
        self.parts[first..].iter().take_while(move |(leader, _)| *leader == index).map(|(_, part)| *part)
    }

    /// Sums up rows over several joints.
    fn sum_parts(&mut self) {
        for row in &mut self.rows {
            row.whole = WholeRow {
                value_before: row.value_before,
                rate_before: row.rate_before,
                value: row.value,
                time_derivative: row.time_derivative,
                mean_rate: row.mean_rate,
                missed: row.missed,
            };
        }
        for &(leader, part) in &self.parts {
            let part = self.rows[part].whole;
            let whole = &mut self.rows[leader].whole;
            whole.value_before += part.value_before;
            whole.rate_before += part.rate_before;
            whole.value += part.value;
            whole.time_derivative += part.time_derivative;
            whole.mean_rate += part.mean_rate;
            whole.missed += part.missed;
        }
    }

    /// `J v` of a row and its parts, along these Jacobians and with these velocities, and what of it bodies contribute that nothing
    /// moves.
    fn rate_of(
        &self,
        index: usize,
        bodies: &StepBodies<'_>,
        of: impl Fn(&SpanRow) -> (JacobianRow, [BodyVelocity; 2]),
    ) -> (f64, f64) {
        std::iter::once(index).chain(self.parts_of(index)).fold((0.0, 0.0), |(sum, given), index| {
            let row = &self.rows[index];
            let (jacobian, velocities) = of(row);
            (sum + rate(&jacobian, velocities), given + driven(&jacobian, row.slots, velocities, bodies))
        })
    }

    /// Adds the rows to the position problem.
    pub(super) fn pose_joint_positions(
        &mut self,
        island: &mut SpanIsland<'_, '_>,
        span: &Span,
    ) -> Result<(), ContactProblemError> {
        self.rows.iter_mut().for_each(|row| row.acts_along = row.mean);
        let (rows, h) = (std::mem::take(&mut self.rows), span.length());
        self.posed.clear();
        for (index, row) in rows.iter().enumerate() {
            if self.short && row.is_geometric() {
                continue;
            }
            if let Some(posed) = row.of_positions(h) {
                let (problem, bodies) = (&mut *island.problem, &*island.bodies);
                let parts = self.parts_of(index).map(|part| (rows[part].slots, rows[part].mean));
                problem.push_joint(row.number, row.slots, posed, parts, row.impulse, |slot| {
                    self.mean_body(bodies, slot)
                })?;
                self.posed.push(index);
            }
        }
        self.rows = rows;
        Ok(())
    }

    /// Impulses of the rows, added to those of their bodies.
    pub(super) fn take_joint_impulses(&mut self, island: &SpanIsland<'_, '_>) {
        self.rows.iter_mut().for_each(|row| row.impulse = 0.0);
        for (index, (_, posed, impulse)) in self.posed.iter().zip(island.problem.row_impulses()) {
            self.rows[*index].impulse = impulse;
            for (body, wrench) in posed.ends() {
                let slot = island.problem.slot(body);
                if let Some(slot) = slot.filter(|slot| island.bodies.inertias[*slot].is_movable()) {
                    self.impulse[slot].linear += wrench.force * impulse;
                    self.impulse[slot].angular += wrench.torque * impulse;
                }
            }
        }
    }

    /// Largest error of the rigid rows, limits and springs at the end of the span, m or rad.
    pub(super) fn joint_error(&self) -> f64 {
        self.rows.iter().fold(0.0, |most, row| {
            let error = match row.law {
                RowLaw::Rigid => row.whole.value.abs(),
                RowLaw::Unilateral if row.impulse > 0.0 => (row.whole.value - row.least()).abs(),
                RowLaw::Unilateral => row.least() - row.whole.value,
                // A spring stores what its force does on the way that it is taken along.
                RowLaw::Soft { .. } => row.whole.missed.abs(),
                _ => 0.0,
            };
            scalar::max(most, error)
        })
    }

    /// True if the rigid rows are closed, limits kept, and springs where their force led.
    pub(super) fn joints_are_closed(&self) -> bool {
        if self.rows.is_empty() {
            return true;
        }
        let slots = self.rows.iter().flat_map(|row| row.slots).flatten();
        let far = slots
            .fold(0.0, |far, slot| scalar::max(far, self.start[slot].center_of_mass.abs().max_element()));
        self.joint_error() <= scalar::max(CLOSED, CLOSED_ROUND_OFF * far)
    }

    /// Largest rate of the rigid rows at the end of the span, before impulses that act there, m/s or rad/s.
    pub(super) fn joint_rate(&self) -> f64 {
        let rigid = self.rows.iter().enumerate().filter(|(_, row)| row.law == RowLaw::Rigid);
        rigid.fold(0.0, |most, (index, row)| {
            let rows = std::iter::once(index).chain(self.parts_of(index));
            let rate: f64 = rows
                .map(|index| {
                    let row = &self.rows[index];
                    rate(&row.jacobian, self.end_velocities(row))
                })
                .sum();
            scalar::max(most, (rate + row.whole.time_derivative).abs())
        })
    }

    /// Velocities of the bodies of a row at the end of the span.
    fn end_velocities(&self, row: &SpanRow) -> [BodyVelocity; 2] {
        row.slots.map(|slot| slot.map_or(STILL, |slot| self.motion[slot].end.into()))
    }

    /// Work of the rows over the span.
    pub(super) fn work_of_joint_positions(&self, bodies: &StepBodies<'_>) -> ContactWork {
        let mut work = ContactWork::default();
        for (index, row) in self.rows.iter().enumerate().filter(|(_, row)| row.impulse != 0.0) {
            let (u, driven) = self.rate_of(index, bodies, |row| {
                let mean = row.slots.map(|slot| slot.map_or(STILL, |slot| self.motion[slot].mean));
                (row.acts_along, mean)
            });
            row.book(&mut work, row.impulse, [u; 2], driven);
            if let RowLaw::Rotor { inertia } = row.law {
                let before = row.whole.rate_before;
                work.dissipated -= 2.0 * inertia * u * (u - before);
            }
        }
        for row in &self.rows {
            if let RowLaw::Soft { stiffness, .. } = row.law {
                let (from, to) = (row.whole.value_before, row.whole.value);
                work.dissipated -= 0.5 * stiffness * (to - from) * (to + from);
            }
        }
        work
    }

    /// Adds the rows to the velocity problem.
    pub(super) fn pose_joint_velocities(
        &mut self,
        island: &mut SpanIsland<'_, '_>,
        h: f64,
    ) -> Result<(), ContactProblemError> {
        let rows = std::mem::take(&mut self.rows);
        self.posed.clear();
        for (index, row) in rows.iter().enumerate() {
            let (problem, bodies) = (&mut *island.problem, &*island.bodies);
            let coupled = std::iter::once(index).chain(self.parts_of(index));
            let weight =
                coupled.map(|index| weight(&rows[index], |slot| self.end_body(bodies, slot))).sum::<f64>();
            if let Some(posed) = row.of_velocities(h, weight) {
                let parts = self.parts_of(index).map(|part| (rows[part].slots, rows[part].jacobian));
                problem.push_joint(row.number, row.slots, posed, parts, 0.0, |slot| {
                    self.end_body(bodies, slot)
                })?;
                self.posed.push(index);
            }
        }
        self.rows = rows;
        Ok(())
    }

    /// Work of the impulses of rows at the end of the span.
    pub(super) fn work_of_joint_velocities(&self, island: &SpanIsland<'_, '_>) -> ContactWork {
        let mut work = ContactWork::default();
        for (index, (_, posed, impulse)) in self.posed.iter().zip(island.problem.row_impulses()) {
            let row = &self.rows[*index];
            let (before, driven) =
                self.rate_of(*index, island.bodies, |row| (row.jacobian, self.end_velocities(row)));
            let (_, after) = island.problem.row_rates(&posed);
            row.book(&mut work, impulse, [before, after], driven);
            if let RowLaw::Rotor { inertia } = row.law {
                let turned = 2.0 * row.whole.mean_rate - row.whole.rate_before;
                work.dissipated -= 0.5 * inertia * (after - turned) * (after + turned);
            }
        }
        work
    }

    /// Stores the impulses of the span and of its end: their sum for the report, the force for the next span.
    pub(super) fn store_joint_impulses(&mut self, island: &mut SpanIsland<'_, '_>, span: &Span) {
        let divided = span.start > 0.0 || span.end < island.bodies.dt;
        for row in &self.rows {
            let [sum, timed] = &mut island.problem.row_sums[row.number];
            *sum += row.impulse;
            *timed += if divided { row.impulse.abs() } else { 0.0 };
            island.problem.joints.forces[row.number] = row.impulse / span.length();
        }
    }
}

const STILL: BodyVelocity =
    BodyVelocity { linear: crate::math::Vec3::ZERO, angular: crate::math::Vec3::ZERO };

/// Part of `J v` of the bodies that nothing moves.
fn driven(
    jacobian: &JacobianRow,
    slots: [Option<usize>; 2],
    velocities: [BodyVelocity; 2],
    bodies: &StepBodies<'_>,
) -> f64 {
    let given = [0, 1].map(|end| match slots[end] {
        Some(slot) if !bodies.inertias[slot].is_movable() => velocities[end],
        _ => STILL,
    });
    rate(jacobian, given)
}

/// `J M⁻¹ Jᵀ` of a row at the end.
fn weight(row: &SpanRow, body: impl Fn(usize) -> ContactBody) -> f64 {
    let ends = [row.jacobian.on_a(), row.jacobian.on_b()];
    row.slots.into_iter().zip(ends).fold(0.0, |sum, (slot, wrench)| match slot {
        Some(slot) => {
            let body = body(slot);
            sum + body.inverse_mass * wrench.force.length_squared()
                + wrench.torque.dot(body.inverse_inertia * wrench.torque)
        }
        None => sum,
    })
}
