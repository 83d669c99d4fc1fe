//! Joints and other constraints: `C(q, t) = 0` enforced by Lagrange multipliers.
//!
//! A [`Constraint`] defines rows; a [`ConstraintSet`] holds all of a world and enforces them; the solver sees rows only
//! and never changes for a new kind of joint. There is no stabilisation term: velocities obey the differentiated
//! constraint exactly, positions are projected, and neither touches the other.

mod constrained_acceleration;
mod constraint;
mod constraint_handle;
mod constraint_set;
pub mod contact;
mod coupled_rows;
mod derivative_check;
mod elementary_row;
mod error;
mod implicit_forces;
mod jacobian;
mod joint_rows;
mod joints;
mod levenberg_marquardt;
mod limit_impact;
mod limits;
mod locked_motors;
mod pair;
mod placed_force;
mod projection;
mod rattle;
mod rattle_fallback;
mod report;
mod rotor;
mod row_state;
mod row_work;
mod saved;
mod scratch;
mod solver;
mod step_record;
mod tree;
mod tree_step;

pub use constrained_acceleration::WrenchSums;
pub use constraint::{
    AxisMemory, Constraint, HeldPoint, IntoConstraint, JointAxis, JointFrames, JointMotion, MAX_ROWS, RowLaw,
    RowUnit,
};
pub use constraint_handle::ConstraintHandle;
pub use constraint_set::ConstraintSet;
pub use derivative_check::jacobian_error;
pub use error::ConstraintError;
pub use jacobian::JacobianRow;
pub use joint_rows::{ConstraintRow, JointPlace};
pub use joints::{
    Actuator, Armature, BallJoint, CoupledJoint, DistanceJoint, FixedJoint, HingeJoint, JointActuator,
    JointEnd, JointSpring, JointTerm, MAX_SEQUENCE, Motor, Sequence, SequenceAxis, SequenceJoint,
    SequenceNow, SequenceStep, SliderJoint, SpringJoint, UniversalJoint,
};
pub use limits::Limits;
pub(crate) use limits::check_limits;
pub use pair::Pair;
pub use rattle::DriftBodies;
pub use report::{ConstraintReport, ConstraintWork, Reaction};
pub(crate) use row_work::WorkAlong;
pub(crate) use saved::SavedConstraint;

/// The code in the guide to joints, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../../../docs/joints.md")]
struct GuideToJoints;
