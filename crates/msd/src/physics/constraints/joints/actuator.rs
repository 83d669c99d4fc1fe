//! Actuators: forces along the axis of a joint that follow a control.
//!
//! With q the position of the joint (rad or m), the transmission has the length `l = g q` (gear g), and the actuator pulls along
//! it with `f = clamp(k u + b₀ + b₁ l + b₂ l̇, f_min, f_max)`: gain k, bias `b₀, b₁, b₂`, control u, held in its own range. The joint
//! feels `g f` (N·m or N). This is MuJoCo's model of actuation (general, and motor, position and velocity as special cases).
//!
//! As a row: `C = g q` with the law [`RowLaw::Drive`], `force = k u + b₀`, `stiffness = -b₁`, `damping = -b₂`. While the step
//! resolves it the force is evaluated wherever the integrator asks; a stiffer one (`dt √(kA) > 0.5` or `dt d A > 0.5`) is taken
//! implicitly, by backward Euler on the row, stable for any gain.
//!
//! A filter of first order, `ȧ = (u - a)/T`, may stand between control and force; a is then used instead of u. It is advanced
//! exactly, and the force of a step is that of the mean of a over it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::super::{
    AxisMemory, Constraint, ConstraintError, ConstraintHandle, JacobianRow, JointAxis, Pair, RowLaw, RowUnit,
};
use super::attachment::{finite, not_negative};
use crate::digest::{Fingerprint, Hasher, parameters};
use crate::math::{Coordinate, scalar};
use crate::physics::rigid_body::BodyHandle;

const NAME: &str = "actuator";

/// Quantity that the control sets.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Actuator {
    gain: f64,
    bias: [f64; 3],
    gear: f64,
    control_range: [f64; 2],
    force_range: [f64; 2],
    time_constant: f64,
}

impl Fingerprint for Actuator {
    parameters!("actuator": gain, bias, gear, control_range, force_range, time_constant);
}

impl Actuator {
    /// The control is the force, N·m or N.
    #[must_use]
    pub const fn motor() -> Self {
        Self::affine(1.0, [0.0; 3])
    }

    /// A servo: the control is the position wanted, rad or m. `stiffness` (kp) in N·m/rad or N/m, `damping` (kv) in N·m·s/rad
    /// or N·s/m.
    ///
    /// # Errors
    /// If a number is negative or not finite.
    pub fn position(stiffness: f64, damping: f64) -> Result<Self, ConstraintError> {
        not_negative(NAME, "stiffness (kp)", stiffness)?;
        not_negative(NAME, "damping (kv)", damping)?;
        Ok(Self::affine(stiffness, [0.0, -stiffness, -damping]))
    }

    /// The control is the velocity wanted, rad/s or m/s; `damping` (kv) in N·m·s/rad or N·s/m.
    ///
    /// # Errors
    /// If the number is negative or not finite.
    pub fn velocity(damping: f64) -> Result<Self, ConstraintError> {
        not_negative(NAME, "damping (kv)", damping)?;
        Ok(Self::affine(damping, [0.0, 0.0, -damping]))
    }

    /// Any gain k and bias `b₀, b₁, b₂`.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn general(gain: f64, bias: [f64; 3]) -> Result<Self, ConstraintError> {
        finite(NAME, "gain", gain)?;
        bias.into_iter().try_for_each(|b| finite(NAME, "bias", b).map(drop))?;
        Ok(Self::affine(gain, bias))
    }

    const fn affine(gain: f64, bias: [f64; 3]) -> Self {
        let unbounded = [f64::NEG_INFINITY, f64::INFINITY];
        Self { gain, bias, gear: 1.0, control_range: unbounded, force_range: unbounded, time_constant: 0.0 }
    }

    /// With a gear: length of the transmission over position of the joint.
    ///
    /// # Errors
    /// If it is not finite.
    pub fn with_gear(mut self, gear: f64) -> Result<Self, ConstraintError> {
        self.gear = finite(NAME, "gear", gear)?;
        Ok(self)
    }

    /// Controls are held between these; either may be infinite.
    ///
    /// # Errors
    /// If the range is empty or not a number.
    pub fn with_control_range(mut self, range: [f64; 2]) -> Result<Self, ConstraintError> {
        self.control_range = ordered("control range", range)?;
        Ok(self)
    }

    /// Forces, before the gear, are held between these, N or N·m; either may be infinite.
    ///
    /// # Errors
    /// If the range is empty or not a number.
    pub fn with_force_range(mut self, range: [f64; 2]) -> Result<Self, ConstraintError> {
        self.force_range = ordered("force range", range)?;
        Ok(self)
    }

    /// With a filter of first order before the force; `time_constant` in s, zero for none.
    ///
    /// # Errors
    /// If it is negative or not finite.
    pub fn with_filter(mut self, time_constant: f64) -> Result<Self, ConstraintError> {
        not_negative(NAME, "time constant (s)", time_constant)?;
        self.time_constant = time_constant;
        Ok(self)
    }

    /// Length of the transmission over position of the joint.
    #[must_use]
    pub fn gear(&self) -> f64 {
        self.gear
    }

    /// Least and greatest control.
    #[must_use]
    pub fn control_range(&self) -> [f64; 2] {
        self.control_range
    }

    /// Least and greatest force before the gear, N or N·m.
    #[must_use]
    pub fn force_range(&self) -> [f64; 2] {
        self.force_range
    }

    /// True if a filter stands before the force.
    #[must_use]
    pub fn is_filtered(&self) -> bool {
        self.time_constant > 0.0
    }

    /// The control, clamped to its range.
    #[must_use]
    pub fn held(&self, control: f64) -> f64 {
        scalar::clamp(control, self.control_range[0], self.control_range[1])
    }

    /// The law of its row, with the control at zero.
    #[must_use]
    pub(crate) fn law(&self) -> RowLaw {
        let Self { bias: [_, b1, b2], force_range: [lower, upper], .. } = *self;
        RowLaw::Drive { force: self.drive(0.0), stiffness: -b1, damping: -b2, lower, upper }
    }

    /// Force at length and speed zero, N or N·m, for a control or activation.
    #[must_use]
    pub(crate) fn drive(&self, input: f64) -> f64 {
        self.gain * input + self.bias[0]
    }

    /// Activation after `dt` seconds, and its mean over them, under a constant control.
    #[must_use]
    pub(crate) fn filtered(&self, activation: f64, control: f64, dt: f64) -> (f64, f64) {
        let (control, x) = (self.held(control), dt / self.time_constant);
        let passed = -scalar::exp_m1(-x);
        let end = activation + (control - activation) * passed;
        (end, control + (activation - control) * passed / x)
    }
}

/// A range must have its ends in order.
fn ordered(what: &'static str, range: [f64; 2]) -> Result<[f64; 2], ConstraintError> {
    let [min, max] = range;
    if min <= max && min < f64::INFINITY && max > f64::NEG_INFINITY {
        return Ok(range);
    }
    let wanted = "a range with its lower end first";
    Err(ConstraintError::Parameter { joint: NAME, what, wanted, got: max - min })
}

/// An actuator on a joint, as a constraint of one row.
#[derive(Clone, Debug)]
pub struct JointActuator {
    joint: ConstraintHandle,
    axis: JointAxis,
    owner: Arc<dyn Constraint>,
    actuator: Actuator,
}

impl JointActuator {
    /// An actuator on the joint of that handle; `None` if the joint has no axis.
    #[must_use]
    pub fn new(joint: ConstraintHandle, owner: Arc<dyn Constraint>, actuator: Actuator) -> Option<Self> {
        Some(Self { joint, axis: owner.axis()?, owner, actuator })
    }

    /// What it does.
    pub(in super::super) fn actuator(&self) -> &Actuator {
        &self.actuator
    }

    fn length(&self, pair: &Pair<'_>, near: f64) -> f64 {
        self.actuator.gear * self.owner.axis_position(pair, near)
    }
}

impl Constraint for JointActuator {
    fn type_name(&self) -> &'static str {
        NAME
    }

    fn fingerprint(&self, hasher: &mut Hasher) {
        hasher.text(NAME);
        hasher.integer(self.joint.slot() as u64);
        self.actuator.fingerprint(hasher);
    }

    fn bodies(&self) -> [Option<BodyHandle>; 2] {
        self.owner.bodies()
    }

    fn dimension(&self) -> usize {
        1
    }

    fn law(&self, _row: usize) -> RowLaw {
        self.actuator.law()
    }

    fn unit(&self, _row: usize) -> RowUnit {
        self.axis.unit
    }

    fn value(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        out[0] = self.length(pair, self.axis.center);
    }

    fn value_with(&self, pair: &Pair<'_>, _time: f64, memory: &AxisMemory, out: &mut [f64]) {
        out[0] = self.length(pair, memory.position);
    }

    fn jacobian(&self, pair: &Pair<'_>, _time: f64, out: &mut [JacobianRow]) {
        out[0] = self.owner.axis_row(pair).0 * self.actuator.gear;
    }

    fn bias_acceleration(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        out[0] = self.owner.axis_row(pair).1 * self.actuator.gear;
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
