//! Joints of a scene as joints of the engine.
//!
//! A hinge or slider with `stiffness` or `damping` is two constraints: the joint, and a spring named after it; so it is with
//! `armature`. Hinges and sliders that follow each other by `after` are a sequence: a constraint of its own that holds the bodies, and
//! one for each of its joints.

use std::collections::BTreeMap;
use std::sync::Arc;

use msd::environment::{BreakLoad, World};
use msd::math::Vec3;
use msd::physics::constraints::{
    BallJoint, Constraint, ConstraintError, ConstraintHandle, DistanceJoint, FixedJoint, HingeJoint,
    JointEnd, Limits, MAX_SEQUENCE, Motor, SequenceAxis, SequenceJoint, SequenceStep, SliderJoint,
    SpringJoint, UniversalJoint,
};
use msd::physics::rigid_body::BodyHandle;

use crate::error::Finding;
use crate::model::{self, Joint};
use crate::source::Path;

type Bodies = BTreeMap<String, BodyHandle>;
type Made = Result<Arc<dyn Constraint>, ConstraintError>;

/// Adds all joints of a scene, in their order; sequences where their first joint is.
pub(crate) fn add_all(given: &[Joint], root: &Path, world: &mut World, bodies: &Bodies) -> Vec<Finding> {
    let mut found = Vec::new();
    for (i, joint) in given.iter().enumerate() {
        let at = root.index(i);
        let after = |name: &str| {
            let follows =
                |joint: &&Joint| joint.as_axis().is_some_and(|(axis, _)| axis.after.as_deref() == Some(name));
            given.iter().find(follows)
        };
        let added = match joint.as_axis() {
            Some((axis, _)) if axis.after.is_some() => continue,
            Some(_) => {
                let mut sequence = vec![joint];
                while let Some(next) = after(sequence[sequence.len() - 1].name())
                    && sequence.len() <= MAX_SEQUENCE
                {
                    sequence.push(next);
                }
                if sequence.len() > 1 {
                    add_sequence(&sequence, &at, world, bodies)
                } else {
                    add(joint, &at, world, bodies)
                }
            }
            None => add(joint, &at, world, bodies),
        };
        found.extend(added.err());
    }
    found
}

/// The ends of a joint as the bodies are.
fn ends_in<'w>(given: &Joint, world: &'w World, bodies: &Bodies) -> [JointEnd<'w>; 2] {
    given.ends().map(|name| {
        let handle = bodies.get(name).copied();
        handle.and_then(|handle| world.joint_end(handle).ok()).unwrap_or(JointEnd::WORLD)
    })
}

/// Adds a joint that is not part of a sequence.
pub(crate) fn add(given: &Joint, at: &Path, world: &mut World, bodies: &Bodies) -> Result<(), Finding> {
    let handles = given.ends().map(|name| bodies.get(name).copied());
    if let (Joint::Latch(latch), [Some(a), Some(b)]) = (given, handles) {
        let handle = world.add_latch(&latch.name, a, b).map_err(|error| refused(given, at, &error))?;
        return set_break(given, handle, at, world);
    }
    let [a, b] = ends_in(given, world, bodies);
    let made = make(given, a, b).map_err(|error| refused(given, at, &error))?;
    let handle = world.add_joint(given.name(), made).map_err(|error| refused(given, at, &error))?;
    set_break(given, handle, at, world)?;
    dress(given, handle, at, world)
}

fn refused(given: &Joint, at: &Path, problem: &dyn std::fmt::Display) -> Finding {
    Finding::at(at, format!("joint `{}`: {problem}", given.name()), "")
}

/// Adds spring and rotor of a hinge or slider.
fn dress(given: &Joint, handle: ConstraintHandle, at: &Path, world: &mut World) -> Result<(), Finding> {
    let Some((joint, _)) = given.as_axis() else { return Ok(()) };
    if joint.stiffness != 0.0 || joint.damping != 0.0 {
        let name = format!("{} spring", given.name());
        let spring = [joint.stiffness, joint.damping, joint.rest];
        world.add_joint_spring(&name, handle, spring).map_err(|error| refused(given, at, &error))?;
    }
    if joint.armature != 0.0 {
        let name = format!("{} armature", given.name());
        world
            .add_joint_armature(&name, handle, joint.armature)
            .map_err(|error| refused(given, at, &error))?;
    }
    Ok(())
}

/// Adds joints between two bodies of which each carries the next.
fn add_sequence(given: &[&Joint], at: &Path, world: &mut World, bodies: &Bodies) -> Result<(), Finding> {
    let first = given[0];
    let steps: Vec<SequenceStep> = given
        .iter()
        .filter_map(|joint| joint.as_axis())
        .map(|(joint, slides)| SequenceStep {
            slides,
            anchor: joint.anchor.into(),
            axis: joint.axis.into(),
            placed_at: joint.position,
            center: joint.limits.map_or(joint.position, |[low, high]| 0.5 * (low + high)),
        })
        .collect();
    let [a, b] = ends_in(first, world, bodies);
    let mut sequence = SequenceJoint::new(a, b, &steps).map_err(|error| refused(first, at, &error))?;
    if first.collide() {
        sequence = sequence.with_collision();
    }
    let axes: Result<Vec<_>, _> = given
        .iter()
        .enumerate()
        .map(|(k, joint)| sequence_axis(&sequence, k, joint).map_err(|error| refused(joint, at, &error)))
        .collect();
    let name = format!("{} sequence", first.name());
    world.add_joint(&name, Arc::new(sequence)).map_err(|error| refused(first, at, &error))?;
    for (joint, axis) in given.iter().zip(axes?) {
        let handle =
            world.add_joint(joint.name(), Arc::new(axis)).map_err(|error| refused(joint, at, &error))?;
        dress(joint, handle, at, world)?;
    }
    Ok(())
}

fn sequence_axis(sequence: &SequenceJoint, k: usize, given: &Joint) -> Result<SequenceAxis, ConstraintError> {
    let mut axis = sequence.axis(k)?;
    let Some((given, _)) = given.as_axis() else { return Ok(axis) };
    if let Some([min, max]) = given.limits {
        axis = axis.with_limits(Limits { min, max })?;
    }
    match given.motor {
        Some(motor) => axis.with_motor(Motor { velocity: motor.velocity, max_force: motor.max_force }),
        None => Ok(axis),
    }
}

/// Lets a joint break at the load that it is given, if any.
fn set_break(given: &Joint, handle: ConstraintHandle, at: &Path, world: &mut World) -> Result<(), Finding> {
    let load = given.break_load();
    if load == [None; 2] {
        return Ok(());
    }
    let [force, torque] = load.map(|limit| limit.unwrap_or(f64::INFINITY));
    world
        .set_joint_break(handle, Some(BreakLoad { force, torque }))
        .map_err(|error| refused(given, at, &error))
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
