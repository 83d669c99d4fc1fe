//! The joints: each file heads with its C, Ċ and J.

mod actuator;
mod armature;
mod attachment;
mod ball;
mod coupling;
mod distance;
mod fixed;
mod hinge;
mod hinge_angle;
mod joint_spring;
mod limit_motor;
mod sequence;
mod sequence_joint;
mod slider;
mod spring;
mod universal;

pub use actuator::{Actuator, JointActuator};
pub use armature::Armature;
pub use attachment::JointEnd;
pub use ball::BallJoint;
pub use coupling::{CoupledJoint, JointTerm};
pub use distance::DistanceJoint;
pub use fixed::FixedJoint;
pub use hinge::HingeJoint;
pub use joint_spring::JointSpring;
pub use limit_motor::Motor;
pub use sequence::{MAX_SEQUENCE, Sequence, SequenceNow, SequenceStep};
pub use sequence_joint::{SequenceAxis, SequenceJoint};
pub use slider::SliderJoint;
pub use spring::SpringJoint;
pub use universal::UniversalJoint;
