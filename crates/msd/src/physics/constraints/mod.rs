//! What joins bodies: constraints `C(q, t) = 0` enforced by Lagrange multipliers.
//!
//! A [`Constraint`] defines rows; a [`ConstraintSet`] holds all of a world and enforces them; the solver sees rows only
//! and never changes for a new kind of joint. There is no stabilisation term: velocities obey the differentiated
//! constraint exactly, positions are projected, and neither touches the other.

mod beside_contacts;
mod constraint;
pub mod contact;
mod damped_drift;
mod drift;
mod elementary_row;
mod error;
mod jacobian;
mod joints;
mod locked_motors;
mod projection;
mod redundant;
mod report;
mod row_work;
mod set;
mod solver;
mod spare;
mod stage;
mod step;
mod struck_limits;

pub use beside_contacts::{ConstraintRow, JointPlace};
pub use constraint::{
    AxisMemory, Constraint, HeldPoint, JointAxis, JointFrames, JointMotion, MAX_ROWS, Pair, RowLaw, RowUnit,
};
pub use drift::DriftBodies;
pub use error::ConstraintError;
pub use jacobian::JacobianRow;
pub(crate) use joints::check_limits;
pub use joints::{
    Actuator, BallJoint, DistanceJoint, FixedJoint, HingeJoint, JointActuator, JointEnd, JointSpring, Limits,
    Motor, SliderJoint, SpringJoint, UniversalJoint,
};
pub use report::{ConstraintReport, ConstraintWork, Reaction};
pub(crate) use row_work::WorkAlong;
pub use set::{ConstraintHandle, ConstraintSet};
pub use stage::WrenchSums;

/// The code in the guide to joints, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../../../docs/joints.md")]
struct GuideToJoints;
