//! Spring with damper between two points: a soft distance.
//!
//! Row `C = |d| - L` of the distance joint with `λ = -k C - c Ċ`: N along the line of the points, positive apart. While the
//! step resolves the oscillation the spring is an ordinary force; a stiffer one is taken implicitly (backward Euler
//! on the row), which is stable for any dt and approaches the rigid rod, at the cost of damping what the step cannot
//! resolve.

use serde::{Deserialize, Serialize};

use super::super::elementary_row::Anchors;
use super::super::{Constraint, ConstraintError, JacobianRow, Pair, RowLaw};
use super::attachment::{JointBodies, JointEnd, finite_point, not_negative, pair};
use super::distance::{direction, distance_bias};
use crate::digest::parameters;
use crate::math::Coordinate;
use crate::physics::rigid_body::BodyHandle;

const NAME: &str = "spring";

/// A massless spring and damper between two points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpringJoint {
    ends: JointBodies,
    anchors: Anchors,
    length: f64,
    stiffness: f64,
    damping: f64,
}

impl SpringJoint {
    /// A spring from `anchor_a` on A to `anchor_b` on B (world coordinates), unstressed at the distance they have,
    /// with `stiffness` in N/m and `damping` in N·s/m.
    ///
    /// # Errors
    /// If an anchor is not finite, or stiffness or damping is negative or not finite.
    pub fn new(
        a: JointEnd<'_>,
        b: JointEnd<'_>,
        anchor_a: Coordinate,
        anchor_b: Coordinate,
        stiffness: f64,
        damping: f64,
    ) -> Result<Self, ConstraintError> {
        finite_point(NAME, anchor_a)?;
        finite_point(NAME, anchor_b)?;
        not_negative(NAME, "stiffness (N/m)", stiffness)?;
        not_negative(NAME, "damping (N·s/m)", damping)?;
        let anchors = Anchors::new(&pair(a, b), anchor_a, anchor_b);
        Ok(Self {
            ends: JointBodies::new(a, b),
            anchors,
            length: (anchor_b - anchor_a).length(),
            stiffness,
            damping,
        })
    }

    /// With another unstressed length, m.
    ///
    /// # Errors
    /// If the length is negative or not finite.
    pub fn with_length(mut self, length: f64) -> Result<Self, ConstraintError> {
        not_negative(NAME, "length", length)?;
        self.length = length;
        Ok(self)
    }

    /// Lets the two bodies collide with each other.
    #[must_use]
    pub fn with_collision(mut self) -> Self {
        self.ends.collide = true;
        self
    }
}

impl Constraint for SpringJoint {
    fn type_name(&self) -> &'static str {
        NAME
    }

    parameters!("spring": ends, anchors, length, stiffness, damping);

    fn bodies(&self) -> [Option<BodyHandle>; 2] {
        self.ends.bodies
    }

    fn dimension(&self) -> usize {
        1
    }

    fn law(&self, _row: usize) -> RowLaw {
        RowLaw::Soft { stiffness: self.stiffness, damping: self.damping }
    }

    fn value(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        out[0] = self.anchors.now(pair).gap.length() - self.length;
    }

    fn jacobian(&self, pair: &Pair<'_>, _time: f64, out: &mut [JacobianRow]) {
        let now = self.anchors.now(pair);
        out[0] = now.point_row(direction(&now).1);
    }

    fn bias_acceleration(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        out[0] = distance_bias(&self.anchors.now(pair), pair);
    }

    fn anchor(&self, pair: &Pair<'_>) -> Coordinate {
        self.anchors.on_b(pair)
    }

    fn collide(&self) -> bool {
        self.ends.collide
    }
}
