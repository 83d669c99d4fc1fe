//! Distance joint: two points keep their distance (a massless rod), or at most that distance (a rope).
//!
//! With `d = p_B - p_A`, `n = d/|d|`: `C = |d| - L`, `Ċ = n·ḋ`, `J = [-n, -(r_A × n), n, r_B × n]`, and since n turns with
//! the rod the bias is `n·(c_B - c_A) + (|ḋ|² - (n·ḋ)²)/|d|`: the centripetal part without which a pendulum stretches.
//! λ > 0 pushes the ends apart; a rod in tension has λ < 0. The rope is the row `L - |d| ≥ 0`, so its tension is λ ≥ 0.

use serde::{Deserialize, Serialize};

use super::super::elementary_row::{Anchors, AnchorsNow};
use super::super::{Constraint, ConstraintError, JacobianRow, Pair, RowLaw};
use super::attachment::{JointBodies, JointEnd, finite_point, pair};
use crate::digest::parameters;
use crate::math::{Coordinate, Vec3};
use crate::physics::rigid_body::BodyHandle;

const NAME: &str = "distance";

/// A massless rod, or a rope, between two points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DistanceJoint {
    ends: JointBodies,
    anchors: Anchors,
    length: f64,
    rope: bool,
}

impl DistanceJoint {
    /// A rod from `anchor_a` on A to `anchor_b` on B, world coordinates, of the length it has there.
    ///
    /// # Errors
    /// If an anchor is not finite or they coincide (a ball joint holds coinciding points).
    pub fn new(
        a: JointEnd<'_>,
        b: JointEnd<'_>,
        anchor_a: Coordinate,
        anchor_b: Coordinate,
    ) -> Result<Self, ConstraintError> {
        finite_point(NAME, anchor_a)?;
        finite_point(NAME, anchor_b)?;
        let anchors = Anchors::new(&pair(a, b), anchor_a, anchor_b);
        let joint = Self { ends: JointBodies::new(a, b), anchors, length: 1.0, rope: false };
        joint.with_length((anchor_b - anchor_a).length())
    }

    /// With another length, m. Bodies that are not at that distance are moved there in the first step.
    ///
    /// # Errors
    /// If the length is not positive and finite.
    pub fn with_length(mut self, length: f64) -> Result<Self, ConstraintError> {
        if !(length > 0.0 && length.is_finite()) {
            let wanted = "positive and finite (use a ball joint for points that coincide)";
            return Err(ConstraintError::Parameter { joint: NAME, what: "length", wanted, got: length });
        }
        self.length = length;
        Ok(self)
    }

    /// Holds the points to at most the length: a rope that goes slack.
    #[must_use]
    pub fn as_rope(mut self) -> Self {
        self.rope = true;
        self
    }

    /// Lets the two bodies collide with each other.
    #[must_use]
    pub fn with_collision(mut self) -> Self {
        self.ends.collide = true;
        self
    }

    /// The length kept, m.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.length
    }

    fn sign(&self) -> f64 {
        if self.rope { -1.0 } else { 1.0 }
    }
}

/// `|d|` and n; along x where the points coincide and no direction is distinguished.
pub(super) fn direction(now: &AnchorsNow) -> (f64, Vec3) {
    let distance = now.gap.length();
    if distance > 0.0 { (distance, now.gap / distance) } else { (0.0, Vec3::X) }
}

/// Bias of the row `|d|`.
pub(super) fn distance_bias(now: &AnchorsNow, pair: &Pair<'_>) -> f64 {
    let (distance, n) = direction(now);
    let rate = now.speculative_bias(pair);
    let across = rate - n * n.dot(rate);
    let turning = if distance > 0.0 { across.length_squared() / distance } else { 0.0 };
    n.dot(now.centripetal(pair)) + turning
}

impl Constraint for DistanceJoint {
    fn type_name(&self) -> &'static str {
        NAME
    }

    parameters!("distance": ends, anchors, length, rope);

    fn bodies(&self) -> [Option<BodyHandle>; 2] {
        self.ends.bodies
    }

    fn dimension(&self) -> usize {
        1
    }

    fn law(&self, _row: usize) -> RowLaw {
        if self.rope { RowLaw::Unilateral } else { RowLaw::Rigid }
    }

    fn value(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        out[0] = self.sign() * (self.anchors.now(pair).gap.length() - self.length);
    }

    fn jacobian(&self, pair: &Pair<'_>, _time: f64, out: &mut [JacobianRow]) {
        let now = self.anchors.now(pair);
        out[0] = now.point_row(direction(&now).1) * self.sign();
    }

    fn bias_acceleration(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        out[0] = self.sign() * distance_bias(&self.anchors.now(pair), pair);
    }

    fn anchor(&self, pair: &Pair<'_>) -> Coordinate {
        self.anchors.on_b(pair)
    }

    fn collide(&self) -> bool {
        self.ends.collide
    }
}
