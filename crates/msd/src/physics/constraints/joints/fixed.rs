//! Fixed joint: two bodies move as one.
//!
//! Three point rows as in the ball joint, and three dot rows. With triads `e` on A and `f` on B that coincide when the
//! joint is made: `C₄ = e₂·f₃`, `C₅ = e₃·f₁`, `C₆ = e₁·f₂`, each with `J_ω = ∓(f × e)`: at assembly the three gradients are
//! the axes `-e₁, -e₂, -e₃`, so the rows never depend on each other there. Multipliers of the dot rows are torques, N·m.

use serde::{Deserialize, Serialize};

use super::super::elementary_row::{Anchors, LOCKED, Triads, dot_bias, dot_row};
use super::super::{Constraint, ConstraintError, JacobianRow, JointFrames, JointMotion, Pair, RowUnit};
use super::attachment::{JointBodies, JointEnd, finite_point, pair};
use super::ball::{point_bias, point_jacobian, point_values};
use crate::digest::parameters;
use crate::math::{Coordinate, Vec3};
use crate::physics::rigid_body::BodyHandle;

const NAME: &str = "fixed";

/// Welds two bodies together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FixedJoint {
    ends: JointBodies,
    anchors: Anchors,
    triads: Triads,
}

impl FixedJoint {
    /// Holds `a` and `b` in the relative pose they have; reactions are reported at `anchor`, world coordinates.
    ///
    /// # Errors
    /// If the anchor is not finite.
    pub fn new(a: JointEnd<'_>, b: JointEnd<'_>, anchor: Coordinate) -> Result<Self, ConstraintError> {
        finite_point(NAME, anchor)?;
        let pair = pair(a, b);
        Ok(Self {
            ends: JointBodies::new(a, b),
            anchors: Anchors::new(&pair, anchor, anchor),
            triads: Triads::from_axes(&pair, [Vec3::X, Vec3::Y, Vec3::Z]),
        })
    }

    /// Lets the two bodies collide with each other.
    #[must_use]
    pub fn with_collision(mut self) -> Self {
        self.ends.collide = true;
        self
    }
}

impl Constraint for FixedJoint {
    fn type_name(&self) -> &'static str {
        NAME
    }

    parameters!("fixed": ends, anchors, triads);

    fn joint_frames(&self) -> Option<JointFrames> {
        let [on_a, on_b] = self.triads.frames(&self.anchors);
        Some(JointFrames { motion: JointMotion::Fixed, on_a, on_b, placed_at: 0.0 })
    }

    fn bodies(&self) -> [Option<BodyHandle>; 2] {
        self.ends.bodies
    }

    fn dimension(&self) -> usize {
        6
    }

    fn unit(&self, row: usize) -> RowUnit {
        if row < 3 { RowUnit::Length } else { RowUnit::Angle }
    }

    fn value(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        point_values(&self.anchors, pair, out);
        let (e, f) = (self.triads.on_a(pair), self.triads.on_b(pair));
        for (row, (i, j)) in LOCKED.into_iter().enumerate() {
            out[3 + row] = e[i].dot(f[j]);
        }
    }

    fn jacobian(&self, pair: &Pair<'_>, _time: f64, out: &mut [JacobianRow]) {
        point_jacobian(&self.anchors, pair, out);
        let (e, f) = (self.triads.on_a(pair), self.triads.on_b(pair));
        for (row, (i, j)) in LOCKED.into_iter().enumerate() {
            out[3 + row] = dot_row(e[i], f[j]);
        }
    }

    fn bias_acceleration(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        point_bias(&self.anchors, pair, out);
        let (e, f) = (self.triads.on_a(pair), self.triads.on_b(pair));
        for (row, (i, j)) in LOCKED.into_iter().enumerate() {
            out[3 + row] = dot_bias(pair, e[i], f[j]);
        }
    }

    fn anchor(&self, pair: &Pair<'_>) -> Coordinate {
        self.anchors.on_b(pair)
    }

    fn collide(&self) -> bool {
        self.ends.collide
    }
}
