//! Universal (Cardan) joint: a point is shared and two axes, one in each body, stay perpendicular.
//!
//! Three point rows as in the ball joint and the dot row `C₄ = u_A·w_B`, `J_ω = ∓(w × u)`. Two rotations are left, one about
//! each axis; the torque λ₄ acts about their common normal `w × u`.

use serde::{Deserialize, Serialize};

use super::super::elementary_row::{Anchors, dot_bias, dot_row};
use super::super::pair::local_direction;
use super::super::{Constraint, ConstraintError, JacobianRow, Pair, RowUnit};
use super::attachment::{JointBodies, JointEnd, finite_point, pair, unit_axis};
use super::ball::{point_bias, point_jacobian, point_values};
use crate::digest::parameters;
use crate::math::{Coordinate, Vec3};
use crate::physics::rigid_body::BodyHandle;
use crate::tolerance;

const NAME: &str = "universal";

/// Two crossed axes through one point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UniversalJoint {
    ends: JointBodies,
    anchors: Anchors,
    axis_a_body: Vec3,
    axis_b_body: Vec3,
}

impl UniversalJoint {
    /// Joins at `anchor`, with `axis_a` fixed in A and `axis_b` fixed in B, world coordinates. The axes must be
    /// perpendicular.
    ///
    /// # Errors
    /// If the anchor is not finite or the axes are not perpendicular directions.
    pub fn new(
        a: JointEnd<'_>,
        b: JointEnd<'_>,
        anchor: Coordinate,
        axis_a: Vec3,
        axis_b: Vec3,
    ) -> Result<Self, ConstraintError> {
        finite_point(NAME, anchor)?;
        let (axis_a, axis_b) = (unit_axis(NAME, axis_a)?, unit_axis(NAME, axis_b)?);
        let cosine = axis_a.dot(axis_b);
        if cosine.abs() > tolerance::UNIT_VECTOR {
            let what = "cosine of the angle between the axes";
            return Err(ConstraintError::Parameter { joint: NAME, what, wanted: "zero", got: cosine });
        }
        // Within the tolerance the second axis gives way, so that C₄ starts at zero.
        let axis_b = (axis_b - axis_a * cosine).normalize();
        let pair = pair(a, b);
        Ok(Self {
            ends: JointBodies::new(a, b),
            anchors: Anchors::new(&pair, anchor, anchor),
            axis_a_body: local_direction(pair.a, axis_a),
            axis_b_body: local_direction(pair.b, axis_b),
        })
    }

    /// Lets the two bodies collide with each other.
    #[must_use]
    pub fn with_collision(mut self) -> Self {
        self.ends.collide = true;
        self
    }

    fn axes(&self, pair: &Pair<'_>) -> (Vec3, Vec3) {
        (pair.a.orientation * self.axis_a_body, pair.b.orientation * self.axis_b_body)
    }
}

impl Constraint for UniversalJoint {
    fn type_name(&self) -> &'static str {
        NAME
    }

    parameters!("universal": ends, anchors, axis_a_body, axis_b_body);

    fn bodies(&self) -> [Option<BodyHandle>; 2] {
        self.ends.bodies
    }

    fn dimension(&self) -> usize {
        4
    }

    fn unit(&self, row: usize) -> RowUnit {
        if row < 3 { RowUnit::Length } else { RowUnit::Angle }
    }

    fn value(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        point_values(&self.anchors, pair, out);
        let (u, w) = self.axes(pair);
        out[3] = u.dot(w);
    }

    fn jacobian(&self, pair: &Pair<'_>, _time: f64, out: &mut [JacobianRow]) {
        point_jacobian(&self.anchors, pair, out);
        let (u, w) = self.axes(pair);
        out[3] = dot_row(u, w);
    }

    fn bias_acceleration(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        point_bias(&self.anchors, pair, out);
        let (u, w) = self.axes(pair);
        out[3] = dot_bias(pair, u, w);
    }

    fn anchor(&self, pair: &Pair<'_>) -> Coordinate {
        self.anchors.on_b(pair)
    }

    fn collide(&self) -> bool {
        self.ends.collide
    }
}
