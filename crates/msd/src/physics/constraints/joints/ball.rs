//! Ball joint: a point of A stays on a point of B; rotation is free.
//!
//! `C = p_B - p_A` (3 rows, world axes), `Ċ = v_B + ω_B × r_B - v_A - ω_A × r_A`,
//! `J_i = [-e_i, -(r_A × e_i), e_i, r_B × e_i]`, bias `ω_B × (ω_B × r_B) - ω_A × (ω_A × r_A)`.
//! λ is the force on B, N.

use super::super::elementary_row::Anchors;
use super::super::{Constraint, ConstraintError, JacobianRow, Pair};
use super::ends::{Ends, JointEnd, finite_point, pair};
use crate::math::{Coordinate, Vec3};
use crate::physics::rigid_body::BodyHandle;

const NAME: &str = "ball";

/// Holds one point of two bodies together.
#[derive(Clone, Debug, PartialEq)]
pub struct BallJoint {
    ends: Ends,
    anchors: Anchors,
}

impl BallJoint {
    /// Joins `a` and `b` at `anchor`, world coordinates, m.
    ///
    /// # Errors
    /// If the anchor is not finite.
    pub fn new(a: JointEnd<'_>, b: JointEnd<'_>, anchor: Coordinate) -> Result<Self, ConstraintError> {
        finite_point(NAME, anchor)?;
        Ok(Self { ends: Ends::new(a, b), anchors: Anchors::new(&pair(a, b), anchor, anchor) })
    }

    /// Lets the two bodies collide with each other.
    #[must_use]
    pub fn with_collision(mut self) -> Self {
        self.ends.collide = true;
        self
    }
}

/// The three point rows of a joint that holds two anchors together.
pub(super) fn point_values(anchors: &Anchors, pair: &Pair<'_>, out: &mut [f64]) {
    out[..3].copy_from_slice(&anchors.now(pair).gap.to_array());
}

pub(super) fn point_jacobian(anchors: &Anchors, pair: &Pair<'_>, out: &mut [JacobianRow]) {
    let now = anchors.now(pair);
    for (row, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
        out[row] = now.point_row(axis);
    }
}

pub(super) fn point_bias(anchors: &Anchors, pair: &Pair<'_>, out: &mut [f64]) {
    out[..3].copy_from_slice(&anchors.now(pair).centripetal(pair).to_array());
}

impl Constraint for BallJoint {
    fn type_name(&self) -> &'static str {
        NAME
    }

    fn bodies(&self) -> [Option<BodyHandle>; 2] {
        self.ends.bodies
    }

    fn dimension(&self) -> usize {
        3
    }

    fn value(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        point_values(&self.anchors, pair, out);
    }

    fn jacobian(&self, pair: &Pair<'_>, _time: f64, out: &mut [JacobianRow]) {
        point_jacobian(&self.anchors, pair, out);
    }

    fn bias_acceleration(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        point_bias(&self.anchors, pair, out);
    }

    fn anchor(&self, pair: &Pair<'_>) -> Coordinate {
        self.anchors.on_b(pair)
    }

    fn collide(&self) -> bool {
        self.ends.collide
    }
}
