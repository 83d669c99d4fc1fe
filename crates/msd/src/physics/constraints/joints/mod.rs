//! The joints: each file heads with its C, Ċ and J.

mod actuator;
mod ball;
mod distance;
mod ends;
mod fixed;
mod hinge;
mod hinge_angle;
mod joint_spring;
mod slider;
mod spring;
mod travel;
mod universal;

pub use actuator::{Actuator, JointActuator};
pub use ball::BallJoint;
pub use distance::DistanceJoint;
pub use ends::JointEnd;
pub use fixed::FixedJoint;
pub use hinge::HingeJoint;
pub use joint_spring::JointSpring;
pub use slider::SliderJoint;
pub use spring::SpringJoint;
pub(crate) use travel::check_limits;
pub use travel::{Limits, Motor};
pub use universal::UniversalJoint;
