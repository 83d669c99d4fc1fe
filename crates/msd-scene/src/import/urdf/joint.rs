//! `<joint>`: how a link moves against its parent.

use msd::math::{ReferenceFrame, Vec3};

use super::origin;
use crate::import::Context;
use crate::import::joints;
use crate::import::mechanism::{Freedom, LinkJoint, LinkMotion, Spring};
use crate::import::xml::Element;

/// The frame of the child at position zero, in that of the parent, and how it moves.
pub(super) fn read(joint: &Element, context: &Context<'_>) -> (ReferenceFrame, LinkMotion) {
    let problems = context.problems;
    joint.imported();
    let frame = origin(joint, problems);
    for child in joint.children() {
        match child.name.as_str() {
            "origin" | "parent" | "child" | "axis" | "limit" | "dynamics" | "mimic" => {}
            "safety_controller" | "calibration" => child.ignored("for the controller of the real robot"),
            _ => child.ignored("not known"),
        }
    }
    let kind = joint.required_text("type", problems).unwrap_or("fixed");
    let motion = match kind {
        "fixed" => LinkMotion::Fixed,
        "floating" => LinkMotion::Free,
        "revolute" => return limited(joint, frame, Freedom::Hinge, context),
        "prismatic" => return limited(joint, frame, Freedom::Slider, context),
        "continuous" => {
            limits(joint, false, context);
            LinkMotion::Joints(vec![one(joint, Freedom::Hinge, None, context)])
        }
        "planar" => planar(joint, context),
        "spherical" => {
            joint.note("not a type of URDF: a ball joint");
            limits(joint, false, context);
            LinkMotion::Joints(vec![one(joint, Freedom::Ball, None, context)])
        }
        other => {
            let message = format!("{}: `{other}` is no type of joint", joint.subject());
            let expected = "expected `revolute`, `continuous`, `prismatic`, `fixed`, `floating` or `planar`";
            problems.add(&joint.place, message, expected);
            LinkMotion::Fixed
        }
    };
    (frame, motion)
}

/// Unit vector in the child's frame; x unless given.
fn axis(joint: &Element, context: &Context<'_>) -> Vec3 {
    let Some(axis) = joint.child("axis") else { return Vec3::X };
    axis.imported();
    let given = axis.vector("xyz", context.problems).unwrap_or(Vec3::X);
    if given == Vec3::ZERO {
        context.problems.add(
            &axis.place,
            format!("{}: its axis has no direction", joint.subject()),
            "expected a vector that is not zero",
        );
        return Vec3::X;
    }
    given
}

/// Lowest and highest position; types that have none may still say `effort` and `velocity`.
fn limits(joint: &Element, required: bool, context: &Context<'_>) -> Option<[f64; 2]> {
    let problems = context.problems;
    let Some(limit) = joint.child("limit") else {
        if required {
            let message = format!("{}: a joint of this type has limits", joint.subject());
            let expected = "expected <limit lower=\"…\" upper=\"…\"/>, or type=\"continuous\"";
            problems.add(&joint.place, message, expected);
        }
        return None;
    };
    limit.imported();
    limit.skip(&["effort", "velocity"]);
    limit.note("`effort` and `velocity` limit motors, and there is none");
    if !required {
        limit.skip(&["lower", "upper"]);
        return None;
    }
    let given = ["lower", "upper"].map(|name| limit.number(name, problems));
    if given == [None, None] {
        joint.approximated("not limited: it says neither `lower` nor `upper`");
        return None;
    }
    let limits = given.map(|limit| limit.unwrap_or(0.0));
    if limits[0] > limits[1] {
        let message = format!(
            "{}: the lower limit {} is above the upper limit {}",
            joint.subject(),
            limits[0],
            limits[1]
        );
        problems.add(&limit.place, message, "expected lower ≤ upper");
        return None;
    }
    Some(limits)
}

/// `<dynamics>`: friction (N·m or N) and damping. A torque of constant size against the motion is a motor that wants
/// it to stop.
fn dynamics(joint: &Element, context: &Context<'_>) -> (f64, Spring) {
    let Some(dynamics) = joint.child("dynamics") else { return (0.0, Spring::default()) };
    dynamics.imported();
    let [friction, damping] = ["friction", "damping"].map(|what| {
        let given = dynamics.number(what, context.problems).unwrap_or(0.0);
        if given < 0.0 {
            let message = format!("{}: its {what} is {given}", joint.subject());
            context.problems.add(&dynamics.place, message, "expected at least 0");
        }
        given
    });
    (friction, Spring { damping, ..Spring::default() })
}

/// A joint with limits. One whose limits leave it a single position does not move, and links it holds together are one
/// body.
fn limited(
    joint: &Element,
    frame: ReferenceFrame,
    freedom: Freedom,
    context: &Context<'_>,
) -> (ReferenceFrame, LinkMotion) {
    let held = limits(joint, true, context);
    let read = one(joint, freedom, held, context);
    match held {
        Some([low, high]) if low == high => {
            joint.note(format!("its limits hold it at {low}"));
            (joints::displaced(frame, &[read]), LinkMotion::Fixed)
        }
        _ => (frame, LinkMotion::Joints(vec![read])),
    }
}

fn one(joint: &Element, freedom: Freedom, limits: Option<[f64; 2]>, context: &Context<'_>) -> LinkJoint {
    let name = joint.text("name").unwrap_or_default();
    let position = start(joint, name, limits, context);
    let (friction, spring) = dynamics(joint, context);
    LinkJoint {
        name: context.named(name),
        freedom,
        anchor: Vec3::ZERO,
        axis: axis(joint, context),
        limits,
        friction,
        spring,
        armature: 0.0,
        timed_spring: None,
        position,
        reference: 0.0,
        named: false,
        actuator_range: None,
        place: joint.place.clone(),
    }
}

/// Where the joint starts: as the pose says, else at zero, or where its limits let it be nearest to that.
fn start(joint: &Element, name: &str, limits: Option<[f64; 2]>, context: &Context<'_>) -> f64 {
    let [low, high] = limits.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
    match context.start(name) {
        Some(position) if position < low || position > high => {
            let message = format!("{}: it cannot start at {position}, outside its limits", joint.subject());
            context.problems.add(&joint.place, message, format!("expected a `pose` from {low} to {high}"));
            position
        }
        Some(position) => position,
        None if low > 0.0 || high < 0.0 => {
            let nearest = if low > 0.0 { low } else { high };
            joint.approximated(format!("starts at its limit {nearest}, since 0 is outside"));
            nearest
        }
        None => 0.0,
    }
}

/// Two slides across the axis and a turn about it.
fn planar(joint: &Element, context: &Context<'_>) -> LinkMotion {
    let name = joint.text("name").unwrap_or_default();
    let normal = axis(joint, context).normalize_or_zero();
    let (u, v) = normal.any_orthonormal_pair();
    let (friction, spring) = dynamics(joint, context);
    limits(joint, false, context);
    let part = |suffix: &str, freedom: Freedom, axis: Vec3| LinkJoint {
        name: context.named(&format!("{name} {suffix}")),
        freedom,
        anchor: Vec3::ZERO,
        axis,
        limits: None,
        friction,
        spring,
        armature: 0.0,
        timed_spring: None,
        position: 0.0,
        reference: 0.0,
        named: false,
        actuator_range: None,
        place: joint.place.clone(),
    };
    LinkMotion::Joints(vec![
        part("x", Freedom::Slider, u),
        part("y", Freedom::Slider, v),
        part("turn", Freedom::Hinge, normal),
    ])
}
