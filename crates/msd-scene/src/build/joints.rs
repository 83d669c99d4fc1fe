//! Joints of a scene as joints of the engine.
//!
//! A hinge or slider with `stiffness` or `damping` is two constraints: the joint, and a spring named after it.

use std::collections::BTreeMap;
use std::sync::Arc;

use msd::environment::{BreakLoad, World, WorldError};
use msd::math::Vec3;
use msd::physics::constraints::{
    BallJoint, Constraint, ConstraintError, ConstraintHandle, DistanceJoint, FixedJoint, HingeJoint,
    JointEnd, Limits, Motor, SliderJoint, SpringJoint, UniversalJoint,
};
use msd::physics::rigid_body::BodyHandle;

use crate::error::Finding;
use crate::model::{self, Joint};
use crate::source::Path;

type Bodies = BTreeMap<String, BodyHandle>;
type Made = Result<Arc<dyn Constraint>, ConstraintError>;

/// Adds a joint.
pub(crate) fn add(given: &Joint, at: &Path, world: &mut World, bodies: &Bodies) -> Result<(), Finding> {
    let refused = |problem: String| Finding::at(at, format!("joint `{}`: {problem}", given.name()), "");
    let handles = given.ends().map(|name| bodies.get(name).copied());
    if let (Joint::Latch(latch), [Some(a), Some(b)]) = (given, handles) {
        let handle = world.add_latch(&latch.name, a, b).map_err(|error| refused(error.to_string()))?;
        return set_break(given, handle, world).map_err(|error| refused(error.to_string()));
    }
    let [a, b] = handles.map(|handle| handle.and_then(|handle| world.joint_end(handle).ok()));
    let made = make(given, a.unwrap_or(JointEnd::WORLD), b.unwrap_or(JointEnd::WORLD));
    let made = made.map_err(|error| refused(error.to_string()))?;
    let handle = world.add_joint(given.name(), made).map_err(|error| refused(error.to_string()))?;
    set_break(given, handle, world).map_err(|error| refused(error.to_string()))?;
    if let Joint::Hinge(joint) | Joint::Slider(joint) = given
        && (joint.stiffness != 0.0 || joint.damping != 0.0)
    {
        let name = format!("{} spring", given.name());
        let spring = [joint.stiffness, joint.damping, joint.rest];
        world.add_joint_spring(&name, handle, spring).map_err(|error| refused(error.to_string()))?;
    }
    Ok(())
}

/// Lets a joint break at the load that it is given, if any.
fn set_break(given: &Joint, handle: ConstraintHandle, world: &mut World) -> Result<(), WorldError> {
    let load = given.break_load();
    if load == [None; 2] {
        return Ok(());
    }
    let [force, torque] = load.map(|limit| limit.unwrap_or(f64::INFINITY));
    world.set_joint_break(handle, Some(BreakLoad { force, torque }))
}

fn make(given: &Joint, a: JointEnd<'_>, b: JointEnd<'_>) -> Made {
    // Every joint can let its bodies collide, and there is no trait for it.
    macro_rules! shared {
        ($joint:expr) => {{
            let joint = $joint;
            if given.collide() { Ok(Arc::new(joint.with_collision())) } else { Ok(Arc::new(joint)) }
        }};
    }
    match given {
        Joint::Fixed(joint) => shared!(FixedJoint::new(a, b, joint.anchor.into())?),
        Joint::Ball(joint) => shared!(BallJoint::new(a, b, joint.anchor.into())?),
        Joint::Hinge(joint) => shared!(hinge(joint, a, b)?),
        Joint::Slider(joint) => shared!(slider(joint, a, b)?),
        Joint::Universal(joint) => {
            let axis = Vec3::from(joint.axis);
            let second = joint.axis_b.map_or_else(|| axis.any_orthogonal_vector(), Vec3::from);
            shared!(UniversalJoint::new(a, b, joint.anchor.into(), axis, second)?)
        }
        Joint::Distance(joint) => shared!(rod(joint, a, b)?),
        Joint::Rope(joint) => shared!(rod(joint, a, b)?.as_rope()),
        // Latches are between two bodies, which the check has seen to.
        Joint::Latch(_) => shared!(FixedJoint::new(a, b, Vec3::ZERO)?),
        Joint::Spring(joint) => {
            let [from, to] = ends(joint.anchor, [joint.anchor_a, joint.anchor_b]);
            let spring = SpringJoint::new(a, b, from, to, joint.stiffness, joint.damping)?;
            shared!(match joint.length {
                Some(length) => spring.with_length(length)?,
                None => spring,
            })
        }
    }
}

fn rod(
    given: &model::DistanceJoint,
    a: JointEnd<'_>,
    b: JointEnd<'_>,
) -> Result<DistanceJoint, ConstraintError> {
    let rod = DistanceJoint::new(a, b, given.anchor_a.into(), given.anchor_b.into())?;
    match given.length {
        Some(length) => rod.with_length(length),
        None => Ok(rod),
    }
}

fn hinge(given: &model::AxisJoint, a: JointEnd<'_>, b: JointEnd<'_>) -> Result<HingeJoint, ConstraintError> {
    let mut joint =
        HingeJoint::new(a, b, given.anchor.into(), given.axis.into())?.placed_at(given.position)?;
    if let Some([min, max]) = given.limits {
        joint = joint.with_limits(Limits { min, max })?;
    }
    match given.motor {
        Some(motor) => joint.with_motor(Motor { velocity: motor.velocity, max_force: motor.max_force }),
        None => Ok(joint),
    }
}

fn slider(
    given: &model::AxisJoint,
    a: JointEnd<'_>,
    b: JointEnd<'_>,
) -> Result<SliderJoint, ConstraintError> {
    let mut joint =
        SliderJoint::new(a, b, given.anchor.into(), given.axis.into())?.placed_at(given.position)?;
    if let Some([min, max]) = given.limits {
        joint = joint.with_limits(Limits { min, max })?;
    }
    match given.motor {
        Some(motor) => joint.with_motor(Motor { velocity: motor.velocity, max_force: motor.max_force }),
        None => Ok(joint),
    }
}

/// The two anchors: one for each end, or the same for both.
fn ends(both: Option<[f64; 3]>, each: [Option<[f64; 3]>; 2]) -> [Vec3; 2] {
    each.map(|end| Vec3::from(end.or(both).unwrap_or_default()))
}
