//! Ball joint: a point of A stays on a point of B; rotation is free.
//!
//! `C = p_B - p_A` (3 rows, world axes), `Ċ = v_B + ω_B × r_B - v_A - ω_A × r_A`,
//! `J_i = [-e_i, -(r_A × e_i), e_i, r_B × e_i]`, bias `ω_B × (ω_B × r_B) - ω_A × (ω_A × r_A)`.
//! λ is the force on B, N.

use serde::{Deserialize, Serialize};

use super::super::elementary_row::{Anchors, AnchorsNow};
use super::super::{Constraint, ConstraintError, HeldPoint, JacobianRow, JointFrames, JointMotion, Pair};
use super::attachment::{JointBodies, JointEnd, finite_point, pair};
use crate::digest::parameters;
use crate::math::{Coordinate, Quat, ReferenceFrame, Vec3, orientation};
use crate::physics::rigid_body::BodyHandle;

const NAME: &str = "ball";

/// Holds one point of two bodies together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BallJoint {
    ends: JointBodies,
    anchors: Anchors,
    /// Orientation of B from A when the joint was made; only coordinates count from it.
    turned: Quat,
}

impl BallJoint {
    /// Joins `a` and `b` at `anchor`, world coordinates, m.
    ///
    /// # Errors
    /// If the anchor is not finite.
    pub fn new(a: JointEnd<'_>, b: JointEnd<'_>, anchor: Coordinate) -> Result<Self, ConstraintError> {
        finite_point(NAME, anchor)?;
        let pair = pair(a, b);
        let turned = pair.a.orientation.conjugate() * pair.b.orientation;
        Ok(Self { ends: JointBodies::new(a, b), anchors: Anchors::new(&pair, anchor, anchor), turned })
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

    parameters!("ball": ends, anchors; turned);

    fn joint_frames(&self) -> Option<JointFrames> {
        let on_a = ReferenceFrame::new(self.anchors.a_body, orientation::normalized(self.turned));
        let on_b = ReferenceFrame::from_position(self.anchors.b_body);
        Some(JointFrames { motion: JointMotion::Ball, on_a, on_b, placed_at: 0.0 })
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

    fn held_point(&self, pair: &Pair<'_>) -> Option<HeldPoint> {
        let AnchorsNow { arm_a, arm_b, gap } = self.anchors.now(pair);
        Some(HeldPoint { arms: [arm_a, arm_b], gap })
    }

    fn collide(&self) -> bool {
        self.ends.collide
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::physics::rigid_body::InertialState;

    #[test]
    fn the_point_it_holds_says_what_its_rows_say() {
        let at = |place: Vec3, turn: Vec3| InertialState {
            center_of_mass: place,
            orientation: orientation::from_rotation_vector(turn),
            velocity: Vec3::new(0.3, -1.0, 2.0) + place,
            angular_velocity: turn * 2.0 + Vec3::Z,
        };
        let (a, b) = (at(Vec3::X, Vec3::new(0.3, 1.0, -0.5)), at(Vec3::Y * 2.0, Vec3::new(-1.0, 0.2, 0.4)));
        let joint =
            BallJoint::new(JointEnd::WORLD, JointEnd::WORLD, Vec3::new(0.2, 0.7, -0.4)).expect("finite");
        let pair = Pair { a: &a, b: &b };
        let point = joint.held_point(&pair).expect("a ball joint");
        let (mut values, mut rows) = ([0.0; 3], [JacobianRow::ZERO; 3]);
        joint.value(&pair, 0.0, &mut values);
        joint.jacobian(&pair, 0.0, &mut rows);
        assert_eq!(point.gap.to_array(), values);
        let velocities = [&a, &b].map(|state| (state.velocity, state.angular_velocity));
        let rate = HeldPoint::rate(point.arms, velocities);
        for nth in 0..3 {
            assert!((rate[nth] - rows[nth].velocity(&a, &b)).abs() < 1e-14);
        }
    }
}
