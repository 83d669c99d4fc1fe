//! Rows of joints, limits and motors among soft contacts, swept one by one after them.
//!
//! Free flight has held the joints already, so a row's impulse p is what contact asks of it in addition. Pushing closes what is
//! open, `C = C₀ + J q`, as a contact's spring does; relaxing asks for `J v = target` within the bounds.

use super::bodies::{SoftBodies, Twist, vector};
use super::settings::Softness;
use crate::math::{Vec3, real};
use crate::physics::constraints::JacobianRow;

/// One row.
#[derive(Clone, Copy, Debug)]
pub struct SoftRow {
    /// Index of body A.
    pub body_a: u32,
    /// Index of body B.
    pub body_b: u32,
    /// Over `[v_A, ω_A, v_B, ω_B]`, world frame.
    pub jacobian: JacobianRow,
    /// `J v` where the row holds.
    pub target: f64,
    /// Bounds of p in a substep, as of [`super::super::Row`].
    pub lower: f64,
    /// See `lower`.
    pub upper: f64,
    /// C at the start of the step, m or rad; `None` for what drives and does not hold.
    pub value: Option<f64>,
}

/// A row with what a solve knows of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowState {
    pub(super) row: SoftRow,
    /// `M⁻¹ Jᵀ`: what a unit of p does to the velocities.
    response: JacobianRow,
    /// `J M⁻¹ Jᵀ`.
    pub(super) weight: f64,
    pub(super) impulse: f64,
    /// Of all substeps.
    pub(super) sum: f64,
}

impl RowState {
    pub(super) fn new(row: SoftRow, bodies: &SoftBodies) -> Self {
        let (a, b) = (&bodies.given[row.body_a as usize], &bodies.given[row.body_b as usize]);
        let j = &row.jacobian;
        let response = JacobianRow {
            linear_a: j.linear_a * a.inverse_mass,
            angular_a: a.inverse_inertia * j.angular_a,
            linear_b: j.linear_b * b.inverse_mass,
            angular_b: b.inverse_inertia * j.angular_b,
        };
        let weight = j.linear_a.dot(response.linear_a)
            + j.angular_a.dot(response.angular_a)
            + j.linear_b.dot(response.linear_b)
            + j.angular_b.dot(response.angular_b);
        Self { row, response, weight, impulse: real::clamp(0.0, row.lower, row.upper), sum: 0.0 }
    }

    /// `J` times velocities or displacements.
    pub(super) fn rate(&self, of: &[Twist]) -> f64 {
        let (a, b) = (&of[self.row.body_a as usize], &of[self.row.body_b as usize]);
        let j = &self.row.jacobian;
        j.linear_a.dot(vector(a[0]))
            + j.angular_a.dot(vector(a[1]))
            + j.linear_b.dot(vector(b[0]))
            + j.angular_b.dot(vector(b[1]))
    }

    pub(super) fn push(&mut self, bodies: &mut SoftBodies, softness: &Softness, per_second: f64) {
        let (Some(value), true) = (self.row.value, self.weight > 0.0) else { return };
        let open = value + self.rate(&bodies.displacement);
        // A limit that is not reached may be approached.
        let free = self.row.lower > f64::NEG_INFINITY && open > 0.0;
        let bias = open * if free { per_second } else { softness.rate };
        let off = self.rate(&bodies.velocity) - self.row.target + bias;
        let (scale, leak) = if free { (1.0, 0.0) } else { (softness.scale, softness.leak) };
        self.apply(self.impulse - scale * off / self.weight - leak * self.impulse, bodies);
    }

    pub(super) fn relax(&mut self, bodies: &mut SoftBodies) {
        if self.weight > 0.0 {
            let off = self.rate(&bodies.velocity) - self.row.target;
            self.apply(self.impulse - off / self.weight, bodies);
        }
        self.sum += self.impulse;
    }

    fn apply(&mut self, wanted: f64, bodies: &mut SoftBodies) {
        let allowed = real::clamp(wanted, self.row.lower, self.row.upper);
        let change = allowed - self.impulse;
        self.impulse = allowed;
        let SoftRow { body_a, body_b, .. } = self.row;
        let JacobianRow { linear_a, angular_a, linear_b, angular_b } = self.response;
        for (index, linear, angular) in [(body_a, linear_a, angular_a), (body_b, linear_b, angular_b)] {
            let velocity = &mut bodies.velocity[index as usize];
            add(&mut velocity[0], linear * change);
            add(&mut velocity[1], angular * change);
        }
    }
}

fn add(row: &mut [f64; 4], v: Vec3) {
    row[0] += v.x;
    row[1] += v.y;
    row[2] += v.z;
}
