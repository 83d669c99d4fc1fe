//! Spring and damper about the axis of a hinge, or along that of a slider.
//!
//! One row `C = q - q₀` with q the position of the joint (rad or m) and q₀ where the spring is unstressed:
//! `λ = -k C - c Ċ`, a torque in N·m or a force in N on B about or along the axis. Its energy is `½ k C²`.

use std::sync::Arc;

use super::super::{
    AxisMemory, Constraint, ConstraintError, ConstraintHandle, JacobianRow, JointAxis, Pair, RowLaw, RowUnit,
};
use super::attachment::{finite, not_negative};
use crate::digest::Hasher;
use crate::math::Coordinate;
use crate::physics::rigid_body::BodyHandle;

const NAME: &str = "joint-spring";

/// A spring with a damper along the axis of a joint.
#[derive(Clone, Debug)]
pub struct JointSpring {
    joint: ConstraintHandle,
    axis: JointAxis,
    owner: Arc<dyn Constraint>,
    stiffness: f64,
    damping: f64,
    rest: f64,
}

impl JointSpring {
    /// A spring on the joint of that handle, of `stiffness` (N·m/rad or N/m) and `damping` (N·m·s/rad or N·s/m), unstressed at
    /// the position `rest` (rad or m).
    ///
    /// # Errors
    /// If a number is out of range, or the joint has no axis.
    pub fn new(
        joint: ConstraintHandle,
        owner: Arc<dyn Constraint>,
        stiffness: f64,
        damping: f64,
        rest: f64,
    ) -> Result<Self, ConstraintError> {
        not_negative(NAME, "stiffness", stiffness)?;
        not_negative(NAME, "damping", damping)?;
        finite(NAME, "rest", rest)?;
        let (what, wanted) = ("axes of the joint", "one: a hinge or a slider");
        let axis = owner.axis().ok_or(ConstraintError::Parameter { joint: NAME, what, wanted, got: 0.0 })?;
        Ok(Self { joint, axis, owner, stiffness, damping, rest })
    }

    /// Stiffness, damping and rest.
    pub(in super::super) fn parameters(&self) -> [f64; 3] {
        [self.stiffness, self.damping, self.rest]
    }

    fn stretched(&self, pair: &Pair<'_>, near: f64) -> f64 {
        self.owner.axis_position(pair, near) - self.rest
    }
}

impl Constraint for JointSpring {
    fn type_name(&self) -> &'static str {
        NAME
    }

    fn fingerprint(&self, hasher: &mut Hasher) {
        hasher.text(NAME);
        hasher.integer(self.joint.slot() as u64);
        hasher.numbers(&[self.stiffness, self.damping, self.rest]);
    }

    fn bodies(&self) -> [Option<BodyHandle>; 2] {
        self.owner.bodies()
    }

    fn dimension(&self) -> usize {
        1
    }

    fn law(&self, _row: usize) -> RowLaw {
        RowLaw::Soft { stiffness: self.stiffness, damping: self.damping }
    }

    fn unit(&self, _row: usize) -> RowUnit {
        self.axis.unit
    }

    fn value(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        out[0] = self.stretched(pair, self.axis.center);
    }

    fn value_with(&self, pair: &Pair<'_>, _time: f64, memory: &AxisMemory, out: &mut [f64]) {
        out[0] = self.stretched(pair, memory.position);
    }

    fn jacobian(&self, pair: &Pair<'_>, _time: f64, out: &mut [JacobianRow]) {
        out[0] = self.owner.axis_row(pair).0;
    }

    fn bias_acceleration(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        out[0] = self.owner.axis_row(pair).1;
    }

    fn anchor(&self, pair: &Pair<'_>) -> Coordinate {
        self.owner.anchor(pair)
    }

    fn along(&self) -> Option<ConstraintHandle> {
        Some(self.joint)
    }

    fn on_joint(&self, joint: &Arc<dyn Constraint>) -> Option<Arc<dyn Constraint>> {
        Some(Arc::new(Self { axis: joint.axis()?, owner: Arc::clone(joint), ..self.clone() }))
    }

    fn collide(&self) -> bool {
        self.owner.collide()
    }
}
