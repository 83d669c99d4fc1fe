//! Armature: the inertia of a motor's rotor, as the axis of its joint feels it.
//!
//! One row `C = q` with q the position of the joint (rad or m) and the law [`RowLaw::Rotor`]: `λ = -I q̈`, a torque in N·m or a
//! force in N about or along the axis, equal and opposite on A. Behind a gear of ratio n a rotor of inertia `I_r` counts as
//! `I = n² I_r`. It adds I to the diagonal of the mass matrix of the articulation, as `armature` does in MuJoCo.

use std::sync::Arc;

use super::super::{
    AxisMemory, Constraint, ConstraintError, ConstraintHandle, JacobianRow, JointAxis, Pair, RowLaw, RowUnit,
};
use crate::digest::Hasher;
use crate::math::Coordinate;
use crate::physics::rigid_body::BodyHandle;

const NAME: &str = "armature";

/// The inertia of a rotor on the axis of a joint.
#[derive(Clone, Debug)]
pub struct Armature {
    joint: ConstraintHandle,
    axis: JointAxis,
    owner: Arc<dyn Constraint>,
    inertia: f64,
}

impl Armature {
    /// A rotor of `inertia` (kg·m² on a hinge, kg on a slider, gear included) on the joint of that handle.
    ///
    /// # Errors
    /// If the inertia is not positive, or the joint has no axis.
    pub fn new(
        joint: ConstraintHandle,
        owner: Arc<dyn Constraint>,
        inertia: f64,
    ) -> Result<Self, ConstraintError> {
        if !(inertia > 0.0 && inertia.is_finite() && (1.0 / inertia).is_finite()) {
            let wanted = "positive and finite; leave it out for none";
            return Err(ConstraintError::Parameter { joint: NAME, what: "inertia", wanted, got: inertia });
        }
        let (what, wanted) = ("axes of the joint", "one: a hinge or a slider");
        let axis = owner.axis().ok_or(ConstraintError::Parameter { joint: NAME, what, wanted, got: 0.0 })?;
        Ok(Self { joint, axis, owner, inertia })
    }

    /// kg·m², or kg.
    pub(in super::super) fn inertia(&self) -> f64 {
        self.inertia
    }
}

impl Constraint for Armature {
    fn type_name(&self) -> &'static str {
        NAME
    }

    fn fingerprint(&self, hasher: &mut Hasher) {
        hasher.text(NAME);
        hasher.integer(self.joint.slot() as u64);
        hasher.numbers(&[self.inertia]);
    }

    fn bodies(&self) -> [Option<BodyHandle>; 2] {
        self.owner.bodies()
    }

    fn dimension(&self) -> usize {
        1
    }

    fn law(&self, _row: usize) -> RowLaw {
        RowLaw::Rotor { inertia: self.inertia }
    }

    fn unit(&self, _row: usize) -> RowUnit {
        self.axis.unit
    }

    fn value(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        out[0] = self.owner.axis_position(pair, self.axis.center);
    }

    fn value_with(&self, pair: &Pair<'_>, _time: f64, memory: &AxisMemory, out: &mut [f64]) {
        out[0] = self.owner.axis_position(pair, memory.position);
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
