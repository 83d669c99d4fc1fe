//! The three elementary rows all joints are made of, with their Jacobians and biases.
//!
//! Notation: `r_A`, `r_B` lever arms from the centres of mass to the anchors (world frame), `p = x + r` the anchors,
//! `d = p_B - p_A`, `ḋ = v_B + ω_B × r_B - v_A - ω_A × r_A`, `c = ω × (ω × r)` the centripetal acceleration of an
//! anchor.
//!
//! *Point*: `C = n·d` with n fixed in the world. `J = [-n, -(r_A × n), n, r_B × n]`, bias `n·(c_B - c_A)`.
//!
//! *Slide*: `C = u·d` with u fixed in A. `Ċ = u·ḋ + (ω_A × u)·d`, so
//! `J = [-u, -((r_A + d) × u), u, r_B × u]`; bias `u·(c_B - c_A) + 2 (ω_A × u)·ḋ + (ω_A × (ω_A × u))·d`.
//!
//! *Dot*: `C = u·w` with u fixed in A and w in B. `Ċ = (ω_B - ω_A)·(w × u)`;
//! bias `(ω_B - ω_A)·((ω_B × w) × u + w × (ω_A × u))`.

use serde::{Deserialize, Serialize};

use super::pair::{local_direction, local_point};
use super::{JacobianRow, Pair};
use crate::digest::{Fingerprint, parameters};
use crate::math::{Coordinate, Mat3, Quat, ReferenceFrame, Vec3, orientation};
use crate::physics::rigid_body::InertialState;

/// Which vectors of the two triads stay perpendicular: no relative rotation is left.
pub(super) const LOCKED: [(usize, usize); 3] = [(1, 2), (2, 0), (0, 1)];

/// Two material points that a joint brings together, each from its body's centre of mass in body axes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Anchors {
    pub(super) a_body: Vec3,
    pub(super) b_body: Vec3,
}

impl Fingerprint for Anchors {
    parameters!("anchors": a_body, b_body);
}

/// The anchors at one instant, world frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnchorsNow {
    /// Lever arm on A.
    pub(super) arm_a: Vec3,
    /// Lever arm on B.
    pub(super) arm_b: Vec3,
    /// From the anchor on A to the anchor on B.
    pub(super) gap: Vec3,
}

impl Anchors {
    /// From the world position of the anchor on each body.
    pub(super) fn new(pair: &Pair<'_>, on_a: Coordinate, on_b: Coordinate) -> Self {
        Self { a_body: local_point(pair.a, on_a), b_body: local_point(pair.b, on_b) }
    }

    pub(super) fn now(&self, pair: &Pair<'_>) -> AnchorsNow {
        let arm_a = pair.a.orientation * self.a_body;
        let arm_b = pair.b.orientation * self.b_body;
        // Centres first: their difference is exact where they are close, far from the origin too.
        let gap = (pair.b.center_of_mass - pair.a.center_of_mass) + (arm_b - arm_a);
        AnchorsNow { arm_a, arm_b, gap }
    }

    /// World position of the anchor on B.
    pub(super) fn on_b(&self, pair: &Pair<'_>) -> Coordinate {
        pair.b.center_of_mass + pair.b.orientation * self.b_body
    }
}

impl AnchorsNow {
    /// `ḋ`.
    pub(super) fn speculative_bias(&self, pair: &Pair<'_>) -> Vec3 {
        pair.b.velocity + pair.b.angular_velocity.cross(self.arm_b)
            - pair.a.velocity
            - pair.a.angular_velocity.cross(self.arm_a)
    }

    /// `c_B - c_A`.
    pub(super) fn centripetal(&self, pair: &Pair<'_>) -> Vec3 {
        centripetal(pair.b, self.arm_b) - centripetal(pair.a, self.arm_a)
    }

    /// Jacobian of the point row along `n`.
    pub(super) fn point_row(&self, n: Vec3) -> JacobianRow {
        JacobianRow {
            linear_a: -n,
            angular_a: -self.arm_a.cross(n),
            linear_b: n,
            angular_b: self.arm_b.cross(n),
        }
    }

    /// Jacobian of the slide row along `u`, which is fixed in A.
    pub(super) fn slide_row(&self, u: Vec3) -> JacobianRow {
        JacobianRow { angular_a: -(self.arm_a + self.gap).cross(u), ..self.point_row(u) }
    }

    /// Bias of the slide row.
    pub(super) fn slide_bias(&self, pair: &Pair<'_>, u: Vec3) -> f64 {
        let turning = pair.a.angular_velocity.cross(u);
        u.dot(self.centripetal(pair))
            + 2.0 * turning.dot(self.speculative_bias(pair))
            + pair.a.angular_velocity.cross(turning).dot(self.gap)
    }
}

fn centripetal(state: &InertialState, arm: Vec3) -> Vec3 {
    state.angular_velocity.cross(state.angular_velocity.cross(arm))
}

/// Jacobian of the dot row of `u` (fixed in A) and `w` (fixed in B).
pub(super) fn dot_row(u: Vec3, w: Vec3) -> JacobianRow {
    JacobianRow::relative_rotation(w.cross(u))
}

/// Bias of the dot row.
pub(super) fn dot_bias(pair: &Pair<'_>, u: Vec3, w: Vec3) -> f64 {
    let (spin_a, spin_b) = (pair.a.angular_velocity, pair.b.angular_velocity);
    (spin_b - spin_a).dot(spin_b.cross(w).cross(u) + w.cross(spin_a.cross(u)))
}

/// Two right-handed orthonormal triads that coincide when the joint is assembled, one in each body's axes.
///
/// The third vector is the joint's axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Triads {
    a_body: [Vec3; 3],
    b_body: [Vec3; 3],
}

impl Fingerprint for Triads {
    parameters!("triads": a_body, b_body);
}

impl Triads {
    /// From the unit axis in the world.
    pub(super) fn new(pair: &Pair<'_>, axis: Vec3) -> Self {
        let first = axis.any_orthonormal_vector();
        Self::from_axes(pair, [first, axis.cross(first), axis])
    }

    /// From three world directions.
    pub(super) fn from_axes(pair: &Pair<'_>, axes: [Vec3; 3]) -> Self {
        Self {
            a_body: axes.map(|axis| local_direction(pair.a, axis)),
            b_body: axes.map(|axis| local_direction(pair.b, axis)),
        }
    }

    /// Frames with these axes at two points, each in the axes of its body.
    pub(super) fn frames(&self, anchors: &Anchors) -> [ReferenceFrame; 2] {
        let frame = |point: Vec3, [x, y, z]: [Vec3; 3]| {
            let turn = Quat::from_mat3(&Mat3::from_cols(x, y, z));
            ReferenceFrame::new(point, orientation::normalized(turn))
        };
        [frame(anchors.a_body, self.a_body), frame(anchors.b_body, self.b_body)]
    }

    /// The directions that a hinge keeps perpendicular to each other: two on A, and the axis on B.
    pub(super) fn of_hinge(&self, pair: &Pair<'_>) -> ([Vec3; 2], Vec3) {
        let ([x, y, _], [.., axis]) = (self.a_body, self.b_body);
        ([pair.a.orientation * x, pair.a.orientation * y], pair.b.orientation * axis)
    }

    /// The first two directions on A, and the first on B: those that the angle of a hinge is between.
    pub(super) fn of_angle(&self, pair: &Pair<'_>) -> ([Vec3; 2], Vec3) {
        let ([x, y, _], [first, ..]) = (self.a_body, self.b_body);
        ([pair.a.orientation * x, pair.a.orientation * y], pair.b.orientation * first)
    }

    /// The triad on A, world frame.
    pub(super) fn on_a(&self, pair: &Pair<'_>) -> [Vec3; 3] {
        let (turn, [x, y, z]) = (pair.a.orientation, self.a_body);
        [turn * x, turn * y, turn * z]
    }

    /// The triad on B, world frame.
    pub(super) fn on_b(&self, pair: &Pair<'_>) -> [Vec3; 3] {
        let (turn, [x, y, z]) = (pair.b.orientation, self.b_body);
        [turn * x, turn * y, turn * z]
    }
}
