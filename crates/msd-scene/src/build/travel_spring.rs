//! Spring and damper about the axis of a hinge, or along that of a slider.
//!
//! One row `C = s - s₀` with s the travel of the joint (rad or m, zero as placed) and s₀ where the spring is
//! unstressed: `λ = -k C - c Ċ`, a torque in N·m or a force in N on B about or along the axis. Its energy is
//! `½ k C²`. The Jacobian is that of the travel, which is the row of the joint's motor.
//!
//! The angle of a hinge is unwrapped to within half a turn of the middle of the limits, or of s₀ where there
//! are none.

use msd::math::Coordinate;
use msd::physics::constraints::{
    Constraint, ConstraintError, HingeJoint, JacobianRow, JointEnd, Motor, Pair, RowLaw, RowUnit, SliderJoint,
};
use msd::physics::rigid_body::BodyHandle;

use crate::model::{AxisJoint, Joint};

/// Where a hinge or slider has the row of its travel: after the five that hold it.
const TRAVEL: usize = 5;

/// A motor without force, for its row.
const NO_MOTOR: Motor = Motor { velocity: 0.0, max_force: 0.0 };

/// The joint that measures the travel.
#[derive(Clone, Debug)]
enum Travel {
    /// With the angle near which its own is unwrapped.
    Hinge(HingeJoint, f64),
    Slider(SliderJoint),
}

/// A spring with a damper along the free motion of a joint.
#[derive(Clone, Debug)]
pub(super) struct TravelSpring {
    travel: Travel,
    stiffness: f64,
    damping: f64,
    rest: f64,
    collide: bool,
}

impl TravelSpring {
    /// That of a joint of a scene, if it has one.
    pub(super) fn of(
        given: &Joint,
        a: JointEnd<'_>,
        b: JointEnd<'_>,
    ) -> Result<Option<Self>, ConstraintError> {
        let (Joint::Hinge(joint) | Joint::Slider(joint)) = given else { return Ok(None) };
        let &AxisJoint { stiffness, damping, rest, collide, .. } = joint;
        if stiffness == 0.0 && damping == 0.0 {
            return Ok(None);
        }
        let (anchor, axis) = (joint.anchor.into(), joint.axis.into());
        let travel = if matches!(given, Joint::Hinge(_)) {
            let middle = joint.limits.map_or(rest, |[low, high]| 0.5 * (low + high));
            Travel::Hinge(HingeJoint::new(a, b, anchor, axis)?.with_motor(NO_MOTOR)?, middle)
        } else {
            Travel::Slider(SliderJoint::new(a, b, anchor, axis)?.with_motor(NO_MOTOR)?)
        };
        Ok(Some(Self { travel, stiffness, damping, rest, collide }))
    }

    fn joint(&self) -> &dyn Constraint {
        match &self.travel {
            Travel::Hinge(joint, _) => joint,
            Travel::Slider(joint) => joint,
        }
    }
}

impl Constraint for TravelSpring {
    fn type_name(&self) -> &'static str {
        match self.travel {
            Travel::Hinge(..) => "hinge-spring",
            Travel::Slider(_) => "slider-spring",
        }
    }

    fn bodies(&self) -> [Option<BodyHandle>; 2] {
        self.joint().bodies()
    }

    fn dimension(&self) -> usize {
        1
    }

    fn law(&self, _row: usize) -> RowLaw {
        RowLaw::Soft { stiffness: self.stiffness, damping: self.damping }
    }

    fn unit(&self, _row: usize) -> RowUnit {
        self.joint().unit(TRAVEL)
    }

    fn value(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        let travel = match &self.travel {
            Travel::Hinge(joint, middle) => joint.angle_near(pair, *middle),
            Travel::Slider(joint) => joint.travel(pair),
        };
        out[0] = travel - self.rest;
    }

    fn jacobian(&self, pair: &Pair<'_>, time: f64, out: &mut [JacobianRow]) {
        let mut rows = [JacobianRow::ZERO; TRAVEL + 1];
        self.joint().jacobian(pair, time, &mut rows);
        out[0] = rows[TRAVEL];
    }

    fn bias_acceleration(&self, pair: &Pair<'_>, time: f64, out: &mut [f64]) {
        let mut rows = [0.0; TRAVEL + 1];
        self.joint().bias_acceleration(pair, time, &mut rows);
        out[0] = rows[TRAVEL];
    }

    fn anchor(&self, pair: &Pair<'_>) -> Coordinate {
        self.joint().anchor(pair)
    }

    fn collide(&self) -> bool {
        self.collide
    }
}
