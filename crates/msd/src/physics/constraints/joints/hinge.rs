//! Hinge: a point and an axis are shared; B turns about the axis.
//!
//! Three point rows as in the ball joint; two dot rows `C₄ = e₁·f₃`, `C₅ = e₂·f₃` that keep the axis `f₃` of B perpendicular
//! to two vectors of A; then the rows of limits and motor along the angle of `hinge_angle`. Multipliers: force N on the
//! point rows, torque N·m on the others.

use serde::{Deserialize, Serialize};

use super::super::elementary_row::{Anchors, Triads, dot_bias, dot_row};
use super::super::{
    AxisMemory, Constraint, ConstraintError, JacobianRow, JointAxis, JointFrames, JointMotion, Limits, Pair,
    RowLaw, RowUnit, check_limits,
};
use super::attachment::{JointBodies, JointEnd, finite, finite_point, pair, unit_axis};
use super::ball::{point_bias, point_jacobian, point_values};
use super::hinge_angle::HingeAngle;
use super::limit_motor::{Motor, Travel, check_motor};
use crate::digest::parameters;
use crate::math::{Coordinate, Vec3};
use crate::physics::rigid_body::BodyHandle;

const NAME: &str = "hinge";

/// Rotation about one axis, with optional limits and motor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HingeJoint {
    ends: JointBodies,
    anchors: Anchors,
    triads: Triads,
    travel: Travel,
}

impl HingeJoint {
    /// Joins at `anchor` about `axis`, world coordinates. The angle is zero as placed.
    ///
    /// # Errors
    /// If the anchor is not finite or the axis no direction.
    pub fn new(
        a: JointEnd<'_>,
        b: JointEnd<'_>,
        anchor: Coordinate,
        axis: Vec3,
    ) -> Result<Self, ConstraintError> {
        finite_point(NAME, anchor)?;
        let (pair, axis) = (pair(a, b), unit_axis(NAME, axis)?);
        Ok(Self {
            ends: JointBodies::new(a, b),
            anchors: Anchors::new(&pair, anchor, anchor),
            triads: Triads::new(&pair, axis),
            travel: Travel::default(),
        })
    }

    /// With limits on the angle, rad. A world counts turns; a [`ConstraintSet`](super::super::ConstraintSet) alone does not, and
    /// holds limits less than a full turn apart.
    ///
    /// # Errors
    /// If the range is empty or not finite.
    pub fn with_limits(mut self, limits: Limits) -> Result<Self, ConstraintError> {
        check_limits(NAME, limits)?;
        self.travel.limits = Some(limits);
        Ok(self)
    }

    /// With another angle where the joint is made than zero, rad: angles and limits are counted from there.
    ///
    /// # Errors
    /// If it is not finite.
    pub fn placed_at(mut self, angle: f64) -> Result<Self, ConstraintError> {
        self.travel.placed_at = finite(NAME, "angle as placed (rad)", angle)?;
        Ok(self)
    }

    /// With a motor: rad/s and N·m.
    ///
    /// # Errors
    /// If a number is not finite or the torque negative.
    pub fn with_motor(mut self, motor: Motor) -> Result<Self, ConstraintError> {
        check_motor(NAME, motor)?;
        self.travel.motor = Some(motor);
        Ok(self)
    }

    /// Lets the two bodies collide with each other.
    #[must_use]
    pub fn with_collision(mut self) -> Self {
        self.ends.collide = true;
        self
    }

    /// How far B has turned from A about the axis, rad: within half a turn of the middle of the limits, or in
    /// (-π, π] without limits.
    #[must_use]
    pub fn angle(&self, pair: &Pair<'_>) -> f64 {
        self.angle_near(pair, self.travel.center())
    }

    /// The same, within half a turn of a value the caller remembers: how turns are counted.
    #[must_use]
    pub fn angle_near(&self, pair: &Pair<'_>, remembered: f64) -> f64 {
        let placed = self.travel.placed_at;
        HingeAngle::new(&self.triads, pair).near(remembered - placed) + placed
    }

    /// The axis now, world frame, as B carries it.
    #[must_use]
    pub fn axis(&self, pair: &Pair<'_>) -> Vec3 {
        self.triads.on_b(pair)[2]
    }

    /// `C` of all rows at an angle.
    fn values_at(&self, pair: &Pair<'_>, memory: Option<&AxisMemory>, out: &mut [f64]) {
        point_values(&self.anchors, pair, out);
        let ([e1, e2], axis) = self.triads.of_hinge(pair);
        (out[3], out[4]) = (e1.dot(axis), e2.dot(axis));
        if self.travel.rows() > 0 {
            let near = memory.map_or(self.travel.center(), |memory| memory.position);
            self.travel.values(self.angle_near(pair, near), memory, &mut out[5..]);
        }
    }
}

impl Constraint for HingeJoint {
    fn type_name(&self) -> &'static str {
        NAME
    }

    parameters!("hinge": ends, anchors, triads, travel);

    fn bodies(&self) -> [Option<BodyHandle>; 2] {
        self.ends.bodies
    }

    fn dimension(&self) -> usize {
        5 + self.travel.rows()
    }

    fn law(&self, row: usize) -> RowLaw {
        if row < 5 { RowLaw::Rigid } else { self.travel.law(row - 5) }
    }

    fn unit(&self, row: usize) -> RowUnit {
        if row < 3 { RowUnit::Length } else { RowUnit::Angle }
    }

    fn value(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        self.values_at(pair, None, out);
    }

    fn value_with(&self, pair: &Pair<'_>, _time: f64, memory: &AxisMemory, out: &mut [f64]) {
        self.values_at(pair, Some(memory), out);
    }

    fn axis(&self) -> Option<JointAxis> {
        let Travel { limits, placed_at, .. } = self.travel;
        Some(JointAxis { unit: RowUnit::Angle, center: self.travel.center(), placed_at, limits })
    }

    fn joint_frames(&self) -> Option<JointFrames> {
        let [on_a, on_b] = self.triads.frames(&self.anchors);
        Some(JointFrames { motion: JointMotion::Hinge, on_a, on_b, placed_at: self.travel.placed_at })
    }

    fn axis_position(&self, pair: &Pair<'_>, near: f64) -> f64 {
        self.angle_near(pair, near)
    }

    fn axis_row(&self, pair: &Pair<'_>) -> (JacobianRow, f64) {
        let angle = HingeAngle::new(&self.triads, pair);
        (angle.jacobian(), angle.bias(pair))
    }

    fn motor_travel(&self, row: usize, pair: &Pair<'_>) -> Option<f64> {
        (row >= 5 && self.travel.is_motor(row - 5)).then(|| self.angle(pair))
    }

    fn jacobian(&self, pair: &Pair<'_>, _time: f64, out: &mut [JacobianRow]) {
        point_jacobian(&self.anchors, pair, out);
        let ([e1, e2], axis) = self.triads.of_hinge(pair);
        (out[3], out[4]) = (dot_row(e1, axis), dot_row(e2, axis));
        if self.travel.rows() > 0 {
            self.travel.jacobian(HingeAngle::new(&self.triads, pair).jacobian(), &mut out[5..]);
        }
    }

    fn bias_acceleration(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        point_bias(&self.anchors, pair, out);
        let ([e1, e2], axis) = self.triads.of_hinge(pair);
        (out[3], out[4]) = (dot_bias(pair, e1, axis), dot_bias(pair, e2, axis));
        if self.travel.rows() > 0 {
            self.travel.bias(HingeAngle::new(&self.triads, pair).bias(pair), &mut out[5..]);
        }
    }

    fn anchor(&self, pair: &Pair<'_>) -> Coordinate {
        self.anchors.on_b(pair)
    }

    fn collide(&self) -> bool {
        self.ends.collide
    }
}
