//! The constraints of a [`Sequence`]: one that holds what its joints leave, and one for each of its joints.
//!
//! [`SequenceJoint`] has the 6 - d rigid rows. A [`SequenceAxis`] is a joint with an axis of its own, as a hinge or slider is, but holds
//! nothing: it carries the rows of limits and motor, and actuators, springs and armature act along it.

use std::any::Any;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::super::{
    AxisMemory, Constraint, ConstraintError, JacobianRow, JointAxis, Limits, MAX_ROWS, Pair, RowLaw, RowUnit,
    check_limits,
};
use super::attachment::{JointBodies, JointEnd, pair};
use super::limit_motor::{Motor, Travel, check_motor};
use super::sequence::{RowWrench, Sequence, SequenceStep};
use crate::digest::{Fingerprint, Hasher, parameters};
use crate::math::Coordinate;
use crate::physics::rigid_body::BodyHandle;

const NAME: &str = "sequence";

/// Asks for nothing: a constraint has one row at least.
const NO_ROW: RowLaw = RowLaw::Soft { stiffness: 0.0, damping: 0.0 };

/// What holds the bodies of a sequence.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SequenceJoint {
    ends: JointBodies,
    sequence: Arc<Sequence>,
}

impl SequenceJoint {
    /// Joins `b` to `a` by these joints, in their order from `a` to `b`.
    ///
    /// # Errors
    /// If there are fewer than two joints or more than five, more than three hinges or sliders, an axis is no direction, or the axes of
    /// hinges, or of sliders, are not independent.
    pub fn new(a: JointEnd<'_>, b: JointEnd<'_>, steps: &[SequenceStep]) -> Result<Self, ConstraintError> {
        Ok(Self { ends: JointBodies::new(a, b), sequence: Arc::new(Sequence::new(&pair(a, b), steps)?) })
    }

    /// Lets the two bodies collide with each other.
    #[must_use]
    pub fn with_collision(mut self) -> Self {
        self.ends.collide = true;
        self
    }

    /// Joint number `k` of it, to be added to the same world.
    ///
    /// # Errors
    /// If there are not so many.
    pub fn axis(&self, k: usize) -> Result<SequenceAxis, ConstraintError> {
        let Some(step) = self.sequence.steps().get(k) else {
            let wanted = "less than the number of joints of the sequence";
            return Err(ConstraintError::Parameter { joint: NAME, what: "number", wanted, got: k as f64 });
        };
        let travel = Travel { placed_at: step.placed_at, ..Travel::default() };
        Ok(SequenceAxis { ends: self.ends, sequence: Arc::clone(&self.sequence), k, travel })
    }

    /// False for indices out of range, which no constructor makes.
    pub(in super::super) fn is_sound(&self) -> bool {
        self.sequence.is_sound()
    }

    fn wrenches(&self, pair: &Pair<'_>) -> [RowWrench; MAX_ROWS] {
        let (now, rotations) = (self.sequence.at(pair), self.sequence.rotation_rows());
        let mut wrenches = [RowWrench::default(); MAX_ROWS];
        for (row, wrench) in wrenches.iter_mut().enumerate().take(self.sequence.rows()) {
            *wrench = now.held_wrench(row, rotations);
        }
        wrenches
    }
}

impl Constraint for SequenceJoint {
    fn type_name(&self) -> &'static str {
        NAME
    }

    fn fingerprint(&self, hasher: &mut Hasher) {
        hasher.text(NAME);
        self.ends.fingerprint(hasher);
        self.sequence.fingerprint(hasher);
    }

    fn bodies(&self) -> [Option<BodyHandle>; 2] {
        self.ends.bodies
    }

    fn dimension(&self) -> usize {
        self.sequence.rows()
    }

    fn unit(&self, row: usize) -> RowUnit {
        if row < self.sequence.rotation_rows() { RowUnit::Angle } else { RowUnit::Length }
    }

    fn value(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        let now = self.sequence.at(pair);
        out.iter_mut().enumerate().for_each(|(row, value)| *value = now.value(row));
    }

    fn jacobian(&self, pair: &Pair<'_>, _time: f64, out: &mut [JacobianRow]) {
        let (now, rotations) = (self.sequence.at(pair), self.sequence.rotation_rows());
        for (row, j) in out.iter_mut().enumerate() {
            *j = now.row(&now.held_wrench(row, rotations), pair);
        }
    }

    fn bias_acceleration(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        self.sequence.at(pair).biases(pair, &self.wrenches(pair)[..self.sequence.rows()], out);
    }

    fn anchor(&self, pair: &Pair<'_>) -> Coordinate {
        pair.b.center_of_mass + pair.b.orientation * self.sequence.frames()[1].position
    }

    fn joint_sequence(&self) -> Option<&dyn Any> {
        Some(&self.sequence)
    }

    fn collide(&self) -> bool {
        self.ends.collide
    }
}

/// One joint of a sequence.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SequenceAxis {
    ends: JointBodies,
    sequence: Arc<Sequence>,
    k: usize,
    travel: Travel,
}

impl SequenceAxis {
    /// With limits on the position, rad or m.
    ///
    /// # Errors
    /// If the range is empty or not finite.
    pub fn with_limits(mut self, limits: Limits) -> Result<Self, ConstraintError> {
        check_limits(NAME, limits)?;
        self.travel.limits = Some(limits);
        Ok(self)
    }

    /// With a motor: rad/s and N·m, or m/s and N.
    ///
    /// # Errors
    /// If a number is not finite or the force negative.
    pub fn with_motor(mut self, motor: Motor) -> Result<Self, ConstraintError> {
        check_motor(NAME, motor)?;
        self.travel.motor = Some(motor);
        Ok(self)
    }

    /// The same on the sequence of the joint that holds its bodies; `None` without one.
    pub(in super::super) fn on_one_of(mut self, joints: &[SequenceJoint]) -> Option<Self> {
        let own =
            |joint: &&SequenceJoint| joint.ends.bodies == self.ends.bodies && joint.sequence == self.sequence;
        let owner = joints.iter().find(own)?;
        self.sequence = Arc::clone(&owner.sequence);
        (self.k < self.sequence.steps().len()).then_some(self)
    }

    fn values_at(&self, pair: &Pair<'_>, memory: Option<&AxisMemory>, out: &mut [f64]) {
        out[0] = 0.0;
        if self.travel.rows() > 0 {
            let near = memory.map_or(self.travel.center(), |memory| memory.position);
            self.travel.values(self.axis_position(pair, near), memory, out);
        }
    }
}

impl Fingerprint for SequenceAxis {
    parameters!("sequence-axis": ends, sequence, k, travel);
}

impl Constraint for SequenceAxis {
    fn type_name(&self) -> &'static str {
        if self.sequence.steps()[self.k].slides { "slider" } else { "hinge" }
    }

    fn fingerprint(&self, hasher: &mut Hasher) {
        Fingerprint::fingerprint(self, hasher);
    }

    fn bodies(&self) -> [Option<BodyHandle>; 2] {
        self.ends.bodies
    }

    fn dimension(&self) -> usize {
        self.travel.rows().max(1)
    }

    fn law(&self, row: usize) -> RowLaw {
        if self.travel.rows() == 0 { NO_ROW } else { self.travel.law(row) }
    }

    fn unit(&self, _row: usize) -> RowUnit {
        if self.sequence.steps()[self.k].slides { RowUnit::Length } else { RowUnit::Angle }
    }

    fn value(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        self.values_at(pair, None, out);
    }

    fn value_with(&self, pair: &Pair<'_>, _time: f64, memory: &AxisMemory, out: &mut [f64]) {
        self.values_at(pair, Some(memory), out);
    }

    fn jacobian(&self, pair: &Pair<'_>, _time: f64, out: &mut [JacobianRow]) {
        out[0] = JacobianRow::ZERO;
        if self.travel.rows() > 0 {
            self.travel.jacobian(self.axis_row(pair).0, out);
        }
    }

    fn bias_acceleration(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        out[0] = 0.0;
        if self.travel.rows() > 0 {
            self.travel.bias(self.axis_row(pair).1, out);
        }
    }

    fn axis(&self) -> Option<JointAxis> {
        let Travel { limits, placed_at, .. } = self.travel;
        Some(JointAxis { unit: self.unit(0), center: self.travel.center(), placed_at, limits })
    }

    fn axis_position(&self, pair: &Pair<'_>, near: f64) -> f64 {
        self.sequence.at(pair).position(&self.sequence, self.k, near)
    }

    fn axis_row(&self, pair: &Pair<'_>) -> (JacobianRow, f64) {
        let now = self.sequence.at(pair);
        let (wrench, mut bias) = (now.axis_wrench(self.k), [0.0]);
        now.biases(pair, &[wrench], &mut bias);
        (now.row(&wrench, pair), bias[0])
    }

    fn motor_travel(&self, row: usize, pair: &Pair<'_>) -> Option<f64> {
        self.travel.is_motor(row).then(|| self.axis_position(pair, self.travel.center()))
    }

    fn anchor(&self, pair: &Pair<'_>) -> Coordinate {
        pair.b.center_of_mass + pair.b.orientation * self.sequence.frames()[1].position
    }

    fn sequence_axis(&self) -> Option<(&dyn Any, usize)> {
        Some((&self.sequence, self.k))
    }

    fn collide(&self) -> bool {
        self.ends.collide
    }
}
