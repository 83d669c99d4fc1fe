//! A ball joint as one block: three rigid rows along the world axes that hold a point of A and one of B together.
//!
//! The rows share the lever arms r of the point, so that few numbers define them:
//! ```text
//! J v = (v_B + ω_B × r_B) - (v_A + ω_A × r_A),   K = (1/m_A + 1/m_B) 1 - [r_A]ₓ I_A⁻¹ [r_A]ₓ - [r_B]ₓ I_B⁻¹ [r_B]ₓ
//! ```
//! and a local solve is the law of [`super::row_block`] with K⁻¹ as a matrix.

use super::bodies::{SoftBodies, SoftBody, Twist, row, vector};
use super::row_block::Pass;
use crate::math::{Mat3, Vec3};

/// A ball joint as it is given.
#[derive(Clone, Copy, Debug)]
pub struct SoftBallJoint {
    /// Index of body A, and of body B.
    pub bodies: [u32; 2],
    /// From the centres of mass to the point, in the middle of the step, world frame, m.
    pub arms: [Vec3; 2],
    /// Change of the arms in the second half of the step, as for [`SoftRow::turning`](super::SoftRow::turning), m/s.
    pub turning: Vec3,
    /// From the point of A to that of B at the start of the step, m.
    pub gap: Vec3,
    /// See [`SoftRow::meshed`](super::SoftRow::in_joint_mesh).
    pub in_joint_mesh: bool,
    /// Impulse on B of a substep that warm-starts it, N·s.
    pub warm_start: Vec3,
}

/// Result of a ball joint.
#[derive(Clone, Copy, Debug)]
pub struct BallJointOutcome {
    /// Impulse on B over the whole step, N·s.
    pub sum: Vec3,
    /// In the last substep.
    pub last: Vec3,
    /// m/s, of the worst of its rows.
    pub residual: f64,
}

/// One ball joint, ready to be swept.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointBlock {
    pub(super) given: SoftBallJoint,
    inverse_masses: [f64; 2],
    inverse_inertias: [Mat3; 2],
    /// K⁻¹.
    inverse: Mat3,
    /// The diagonal of K.
    weights: Vec3,
    pub(super) impulse: Vec3,
    /// Impulses of all substeps.
    sum: Vec3,
    residual: f64,
}

/// `-[r]ₓ I⁻¹ [r]ₓ`.
fn angular_response(arm: Vec3, inverse_inertia: &Mat3) -> Mat3 {
    let turned = Vec3::AXES.map(|axis| arm.cross(axis));
    let response = turned.map(|torque| *inverse_inertia * torque);
    let of = |i: usize| Vec3::from_array(std::array::from_fn(|j| turned[i].dot(response[j])));
    Mat3::from_cols(of(0), of(1), of(2))
}

impl PointBlock {
    pub(super) fn new(given: SoftBallJoint, bodies: &[SoftBody]) -> Self {
        let ends = given.bodies.map(|index| &bodies[index as usize]);
        let of = |end: usize| {
            let SoftBody { inverse_mass, inverse_inertia, .. } = ends[end];
            (
                Mat3::from_diagonal(Vec3::splat(*inverse_mass)),
                angular_response(given.arms[end], inverse_inertia),
            )
        };
        let ((mass_a, turn_a), (mass_b, turn_b)) = (of(0), of(1));
        let k = mass_a + turn_a + mass_b + turn_b;
        let moves = ends.iter().any(|body| body.is_movable());
        Self {
            given,
            inverse_masses: ends.map(|body| body.inverse_mass),
            inverse_inertias: ends.map(|body| body.inverse_inertia),
            inverse: if moves { k.inverse() } else { Mat3::ZERO },
            weights: Vec3::new(k.x_axis.x, k.y_axis.y, k.z_axis.z),
            impulse: given.warm_start,
            sum: Vec3::ZERO,
            residual: 0.0,
        }
    }

    /// `J` times velocities or displacements.
    #[inline(always)]
    fn rate(&self, a: &Twist, b: &Twist) -> Vec3 {
        let [arm_a, arm_b] = self.given.arms;
        (vector(b[0]) + vector(b[1]).cross(arm_b)) - (vector(a[0]) + vector(a[1]).cross(arm_a))
    }

    #[inline(always)]
    pub(super) fn solve(&mut self, bodies: &mut SoftBodies, pass: &Pass) {
        let [a, b] = self.given.bodies.map(|index| index as usize);
        let mut off = self.rate(&bodies.velocity[a], &bodies.velocity[b]) - self.given.turning * pass.share;
        if pass.rate > 0.0 {
            let open = self.given.gap + self.rate(&bodies.displacement[a], &bodies.displacement[b]);
            off += open * pass.rate;
        }
        let change = -(self.inverse * off * pass.scale + self.impulse * pass.impulse_coefficient);
        self.impulse += change;
        self.act(change, bodies);
    }

    /// Changes the velocities of its bodies by an impulse on B.
    #[inline(always)]
    fn act(&self, impulse: Vec3, bodies: &mut SoftBodies) {
        for (end, force) in [(0, -impulse), (1, impulse)] {
            let twist = &mut bodies.velocity[self.given.bodies[end] as usize];
            let linear = vector(twist[0]) + force * self.inverse_masses[end];
            let angular = vector(twist[1]) + self.inverse_inertias[end] * self.given.arms[end].cross(force);
            *twist = [row(linear), row(angular)];
        }
    }

    pub(super) fn relax(&mut self, bodies: &mut SoftBodies, pass: &Pass) {
        self.solve(bodies, pass);
        self.sum += self.impulse;
    }

    /// Applies the warm start.
    pub(super) fn warm_start(&self, bodies: &mut SoftBodies) {
        self.act(self.impulse, bodies);
    }

    /// Clears the impulse sums of the substeps.
    pub(super) fn forget(&mut self) {
        self.sum = Vec3::ZERO;
    }

    /// Adds its last impulse to the velocities of the residual.
    pub(super) fn add_judged(&self, bodies: &mut SoftBodies) {
        for (end, force) in [(0, -self.impulse), (1, self.impulse)] {
            let torque = self.given.arms[end].cross(force);
            bodies.add_judged(self.given.bodies[end] as usize, [row(force), row(torque)]);
        }
    }

    /// Its residual: the error of each row, scaled to the velocity of a point of the combined effective mass.
    pub(super) fn judge(&mut self, bodies: &SoftBodies) {
        let [a, b] = self.given.bodies.map(|index| &bodies.judged[index as usize]);
        let off = (self.rate(a, b) - self.given.turning).abs();
        let mass = self.inverse_masses[0] + self.inverse_masses[1];
        self.residual = 0.0;
        for row in 0..3 {
            let own = if mass > 0.0 { off[row] * (mass / self.weights[row]).sqrt() } else { 0.0 };
            let own = if own.is_finite() { own } else { f64::INFINITY };
            self.residual = if own > self.residual { own } else { self.residual };
        }
    }

    pub(super) fn outcome(&self) -> BallJointOutcome {
        BallJointOutcome { sum: self.sum, last: self.impulse, residual: self.residual }
    }
}
