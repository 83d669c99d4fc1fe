//! A ball joint in sweeps: three rigid rows along the axes of the world that hold a point of A and one of B together.
//!
//! What the rows have in common makes them few numbers: with the arms r of the point,
//! ```text
//! J v = (v_B + ω_B × r_B) - (v_A + ω_A × r_A),   K = (1/m_A + 1/m_B) 1 - [r_A]ₓ I_A⁻¹ [r_A]ₓ - [r_B]ₓ I_B⁻¹ [r_B]ₓ
//! ```
//! and a local solve is the law of [`super::row_block`] with K⁻¹ as a matrix.

use super::bodies::{SoftBodies, Twist, row, vector};
use super::row_block::Pass;
use super::rows::{RowState, dot};
use crate::math::{Mat3, Vec3};

/// One ball joint, ready to be swept.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointBlock {
    bodies: [u32; 2],
    arms: [Vec3; 2],
    inverse_masses: [f64; 2],
    inverse_inertias: [Mat3; 2],
    /// K⁻¹.
    inverse: Mat3,
    target: Vec3,
    turning: Vec3,
    /// C at the start of the step, m.
    value: Vec3,
    impulse: Vec3,
    /// Impulses of all substeps.
    sum: Vec3,
}

impl PointBlock {
    /// From the rigid rows of a joint; `None` if they hold more or less than a point.
    pub(super) fn new(rows: &[RowState], bodies: &SoftBodies) -> Option<Self> {
        let [x, y, z] = rows else { return None };
        let three = [&x.row, &y.row, &z.row];
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        let of = |j: [Vec3; 3]| Vec3::new(j[1].z, j[2].x, j[0].y);
        let arms =
            [of(three.map(|row| -row.jacobian.angular_a)), of(three.map(|row| row.jacobian.angular_b))];
        let holds_a_point = three.iter().zip(axes).all(|(row, axis)| {
            let j = &row.jacobian;
            (j.linear_a, j.linear_b) == (-axis, axis)
                && (j.angular_a, j.angular_b) == (-arms[0].cross(axis), arms[1].cross(axis))
        });
        let ends = [x.row.body_a, x.row.body_b];
        let given = ends.map(|index| &bodies.given[index as usize]);
        if !holds_a_point || !given.iter().any(|body| body.is_movable()) {
            return None;
        }
        let k = |i: usize| {
            Vec3::from_array(std::array::from_fn(|j| dot(&rows[i].row.jacobian, &rows[j].response)))
        };
        let of = |number: fn(&RowState) -> f64| Vec3::new(number(x), number(y), number(z));
        Some(Self {
            bodies: ends,
            arms,
            inverse_masses: given.map(|body| body.inverse_mass),
            inverse_inertias: given.map(|body| body.inverse_inertia),
            inverse: Mat3::from_cols(k(0), k(1), k(2)).inverse(),
            target: of(|state| state.row.target),
            turning: of(|state| state.row.turning),
            value: of(|state| state.row.value.unwrap_or(0.0)),
            impulse: of(|state| state.impulse),
            sum: Vec3::ZERO,
        })
    }

    /// `J` times velocities or displacements.
    #[inline(always)]
    fn rate(&self, a: &Twist, b: &Twist) -> Vec3 {
        let [arm_a, arm_b] = self.arms;
        (vector(b[0]) + vector(b[1]).cross(arm_b)) - (vector(a[0]) + vector(a[1]).cross(arm_a))
    }

    pub(super) fn solve(&mut self, bodies: &mut SoftBodies, pass: &Pass) {
        let [a, b] = self.bodies.map(|index| index as usize);
        let (mut on_a, mut on_b) = (bodies.velocity[a], bodies.velocity[b]);
        let mut off = self.rate(&on_a, &on_b) - (self.target + self.turning * pass.share);
        if pass.rate > 0.0 {
            let open = self.value + self.rate(&bodies.displacement[a], &bodies.displacement[b]);
            off += open * pass.rate;
        }
        let change = -(self.inverse * off * pass.scale + self.impulse * pass.leak);
        self.impulse += change;
        for (twist, end, force) in [(&mut on_a, 0, -change), (&mut on_b, 1, change)] {
            let linear = vector(twist[0]) + force * self.inverse_masses[end];
            let angular = vector(twist[1]) + self.inverse_inertias[end] * self.arms[end].cross(force);
            *twist = [row(linear), row(angular)];
        }
        bodies.velocity[a] = on_a;
        bodies.velocity[b] = on_b;
    }

    pub(super) fn relax(&mut self, bodies: &mut SoftBodies, pass: &Pass) {
        self.solve(bodies, pass);
        self.sum += self.impulse;
    }

    /// Forgets the impulses of substeps so far.
    pub(super) fn forget(&mut self) {
        self.sum = Vec3::ZERO;
    }

    /// Leaves impulses with the rows.
    pub(super) fn leave(&self, rows: &mut [RowState]) {
        let (impulse, sum) = (self.impulse.to_array(), self.sum.to_array());
        for (nth, row) in rows.iter_mut().enumerate() {
            (row.impulse, row.sum) = (impulse[nth], sum[nth]);
        }
    }
}
