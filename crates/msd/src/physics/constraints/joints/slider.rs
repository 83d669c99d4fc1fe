//! Slider: B moves along one axis of A and does not turn.
//!
//! With `d = p_B - p_A` and a triad `e` on A whose third vector is the axis: `C₁ = e₁·d`, `C₂ = e₂·d`,
//! `J = [-e, -((r_A + d) × e), e, r_B × e]`; three dot rows as in the fixed joint stop rotation. Travel `s = e₃·d` (m) has
//! the same Jacobian along `e₃` and carries the rows of limits and motor.

use serde::{Deserialize, Serialize};

use super::super::elementary_row::{Anchors, LOCKED, Triads, dot_bias, dot_row};
use super::super::{
    AxisMemory, Constraint, ConstraintError, JacobianRow, JointAxis, JointFrames, JointMotion, Limits, Pair,
    RowLaw, RowUnit, check_limits,
};
use super::attachment::{JointBodies, JointEnd, finite, finite_point, pair, unit_axis};
use super::limit_motor::{Motor, Travel, check_motor};
use crate::digest::parameters;
use crate::math::{Coordinate, Vec3};
use crate::physics::rigid_body::BodyHandle;

const NAME: &str = "slider";

/// Translation along one axis, with optional limits and motor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SliderJoint {
    ends: JointBodies,
    anchors: Anchors,
    triads: Triads,
    travel: Travel,
}

impl SliderJoint {
    /// Lets `b` slide along `axis` of `a`; `anchor` is where reactions are reported. World coordinates; the travel is
    /// zero as placed.
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

    /// With limits on the travel, m.
    ///
    /// # Errors
    /// If the range is empty or not finite.
    pub fn with_limits(mut self, limits: Limits) -> Result<Self, ConstraintError> {
        check_limits(NAME, limits)?;
        self.travel.limits = Some(limits);
        Ok(self)
    }

    /// With another travel where the joint is made than zero, m: travel and limits are counted from there.
    ///
    /// # Errors
    /// If it is not finite.
    pub fn placed_at(mut self, travel: f64) -> Result<Self, ConstraintError> {
        self.travel.placed_at = finite(NAME, "travel as placed (m)", travel)?;
        Ok(self)
    }

    /// With a motor: m/s and N.
    ///
    /// # Errors
    /// If a number is not finite or the force negative.
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

    /// How far B has moved along the axis of A, m.
    #[must_use]
    pub fn travel(&self, pair: &Pair<'_>) -> f64 {
        self.axis(pair).dot(self.anchors.now(pair).gap) + self.travel.placed_at
    }

    /// The axis now, world frame, as A carries it.
    #[must_use]
    pub fn axis(&self, pair: &Pair<'_>) -> Vec3 {
        self.triads.on_a(pair)[2]
    }

    /// `C` of all rows.
    fn values_at(&self, pair: &Pair<'_>, memory: Option<&AxisMemory>, out: &mut [f64]) {
        let (e, f) = (self.triads.on_a(pair), self.triads.on_b(pair));
        let gap = self.anchors.now(pair).gap;
        (out[0], out[1]) = (e[0].dot(gap), e[1].dot(gap));
        for (row, (i, j)) in LOCKED.into_iter().enumerate() {
            out[2 + row] = e[i].dot(f[j]);
        }
        self.travel.values(e[2].dot(gap) + self.travel.placed_at, memory, &mut out[5..]);
    }
}

impl Constraint for SliderJoint {
    fn type_name(&self) -> &'static str {
        NAME
    }

    parameters!("slider": ends, anchors, triads, travel);

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
        if (2..5).contains(&row) { RowUnit::Angle } else { RowUnit::Length }
    }

    fn value(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        self.values_at(pair, None, out);
    }

    fn value_with(&self, pair: &Pair<'_>, _time: f64, memory: &AxisMemory, out: &mut [f64]) {
        self.values_at(pair, Some(memory), out);
    }

    fn axis(&self) -> Option<JointAxis> {
        let Travel { limits, placed_at, .. } = self.travel;
        Some(JointAxis { unit: RowUnit::Length, center: self.travel.center(), placed_at, limits })
    }

    fn joint_frames(&self) -> Option<JointFrames> {
        let [on_a, on_b] = self.triads.frames(&self.anchors);
        Some(JointFrames { motion: JointMotion::Slider, on_a, on_b, placed_at: self.travel.placed_at })
    }

    fn axis_position(&self, pair: &Pair<'_>, _near: f64) -> f64 {
        self.travel(pair)
    }

    fn axis_row(&self, pair: &Pair<'_>) -> (JacobianRow, f64) {
        let (now, axis) = (self.anchors.now(pair), SliderJoint::axis(self, pair));
        (now.slide_row(axis), now.slide_bias(pair, axis))
    }

    fn motor_travel(&self, row: usize, pair: &Pair<'_>) -> Option<f64> {
        (row >= 5 && self.travel.is_motor(row - 5)).then(|| self.travel(pair))
    }

    fn jacobian(&self, pair: &Pair<'_>, _time: f64, out: &mut [JacobianRow]) {
        let (e, f) = (self.triads.on_a(pair), self.triads.on_b(pair));
        let now = self.anchors.now(pair);
        (out[0], out[1]) = (now.slide_row(e[0]), now.slide_row(e[1]));
        for (row, (i, j)) in LOCKED.into_iter().enumerate() {
            out[2 + row] = dot_row(e[i], f[j]);
        }
        self.travel.jacobian(now.slide_row(e[2]), &mut out[5..]);
    }

    fn bias_acceleration(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        let (e, f) = (self.triads.on_a(pair), self.triads.on_b(pair));
        let now = self.anchors.now(pair);
        (out[0], out[1]) = (now.slide_bias(pair, e[0]), now.slide_bias(pair, e[1]));
        for (row, (i, j)) in LOCKED.into_iter().enumerate() {
            out[2 + row] = dot_bias(pair, e[i], f[j]);
        }
        self.travel.bias(now.slide_bias(pair, e[2]), &mut out[5..]);
    }

    fn anchor(&self, pair: &Pair<'_>) -> Coordinate {
        self.anchors.on_b(pair)
    }

    fn collide(&self) -> bool {
        self.ends.collide
    }
}
