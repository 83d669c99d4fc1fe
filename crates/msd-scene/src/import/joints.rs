//! The joints between a link and its parent as joints of a scene.
//!
//! One joint is one joint. Two hinges at a right angle through one point are a universal joint, three through one point
//! a ball joint: exactly, as long as they have neither limits nor friction nor springs. Several others whose axes are independent are a
//! sequence. What is left is a chain: between two joints there is a carrier, a body without a shape that weighs [`CARRIER`] of what it carries ([`RUBBING_CARRIER`] if
//! a joint of the chain has friction), because every body of the engine has a mass.

use msd::math::{ReferenceFrame, Vec3, orientation};
use msd::physics::constraints::MAX_SEQUENCE;

use super::inertial::Inertial;
use super::mechanism::{Assembled, Freedom, LinkJoint, Spring};
use crate::model::{AxisJoint, Body, Joint, Motor, PointJoint, UniversalJoint};

/// Mass of a carrier over that of the link it carries, and its moments over the largest of the link.
pub(super) const CARRIER: f64 = 1e-6;

/// The same where a joint of the chain has friction: what holds a joint acts on the carrier, and the lighter that is,
/// the more it creeps.
pub(super) const RUBBING_CARRIER: f64 = 1e-3;

/// Cosine or sine below which directions count as perpendicular or parallel, and distance (m) below which points
/// coincide: what is left of numbers in a file written with nine digits.
const ALIGNED: f64 = 1e-9;

/// Sine of the least angle between axes of a sequence.
const APART: f64 = 0.01;

/// A frame after joints have moved it to where they start.
pub(super) fn displaced(frame: ReferenceFrame, joints: &[LinkJoint]) -> ReferenceFrame {
    joints.iter().fold(frame, |frame, joint| frame.compose(&joint.displacement()))
}

impl LinkJoint {
    /// Displacement of the link's frame at the initial joint position, in that frame.
    fn displacement(&self) -> ReferenceFrame {
        let axis = self.axis.normalize_or_zero();
        match self.freedom {
            Freedom::Slider => ReferenceFrame::from_position(axis * self.position),
            Freedom::Hinge => {
                let turn = orientation::from_rotation_vector(axis * self.position);
                ReferenceFrame::new(self.anchor - turn * self.anchor, turn)
            }
            Freedom::Ball => ReferenceFrame::IDENTITY,
        }
    }
}

/// A joint with anchor and axis in the world at t = 0.
struct WorldJoint<'j> {
    given: &'j LinkJoint,
    anchor: Vec3,
    axis: Vec3,
}

/// Joins body number `child` to the body named `parent`, or to the world; `frame` is where the child would be with all
/// joints at position zero.
pub(super) fn join(
    parent: Option<&str>,
    child: usize,
    frame: ReferenceFrame,
    joints: &[LinkJoint],
    inertial: &Inertial,
    assembled: &mut Assembled,
) {
    let joints = in_world(frame, joints);
    let mut before = parent.unwrap_or("world").to_owned();
    let name = assembled.bodies[child].name.clone();
    let together: Vec<String> = joints.iter().map(|joint| joint.given.name.clone()).collect();
    if let Some((joint, word)) = as_one(&joints, &before, &name) {
        let note = format!("simulated as one {word} joint `{}`", together[0]);
        joints
            .iter()
            .for_each(|joint| assembled.approximations.push((joint.given.place.clone(), note.clone())));
        assembled.add_joint(joint, &joints[0].given.place);
        return;
    }
    if is_sequence(&joints) {
        let mut after: Option<String> = None;
        for joint in &joints {
            if let Some(range) = joint.given.actuator_range {
                assembled.actuator_ranges.push((joint.given.name.clone(), range));
            }
            let mut scene_joint = joint.scene_joint(&before, &name);
            if let Joint::Hinge(axis) | Joint::Slider(axis) = &mut scene_joint {
                axis.after = after.replace(axis.name.clone());
            }
            assembled.add_joint(scene_joint, &joint.given.place);
        }
        return;
    }
    let rubs = joints.iter().any(|joint| joint.given.friction > 0.0 || joint.given.spring.acts());
    let share = if rubs { RUBBING_CARRIER } else { CARRIER };
    for (i, joint) in joints.iter().enumerate() {
        let is_last = i + 1 == joints.len();
        let next = if is_last { name.clone() } else { format!("{name} on {}", joint.given.name) };
        if !is_last {
            let carrier = carrier(&next, joint.anchor, share, inertial);
            assembled.add_body(carrier, assembled.trees[child], &joint.given.place);
            let creeps = if rubs { "; friction that holds may creep" } else { "" };
            let note = format!("carried by `{next}`, which weighs {share:e} of `{name}`{creeps}");
            assembled.approximations.push((joint.given.place.clone(), note));
        }
        if let Some(range) = joint.given.actuator_range {
            assembled.actuator_ranges.push((joint.given.name.clone(), range));
        }
        assembled.add_joint(joint.scene_joint(&before, &next), &joint.given.place);
        before = next;
    }
    // A chain does not exclude its ends from touching, as a joint does.
    if let (Some(parent), true) = (parent, joints.len() > 1) {
        assembled.bodies[child].ignores.push(parent.to_owned());
    }
}

fn in_world(frame: ReferenceFrame, joints: &[LinkJoint]) -> Vec<WorldJoint<'_>> {
    let mut frame = frame;
    let mut placed = Vec::new();
    for given in joints {
        let (anchor, axis) = (frame.point_to_parent(given.anchor), frame.direction_to_parent(given.axis));
        placed.push(WorldJoint { given, anchor, axis });
        frame = frame.compose(&given.displacement());
    }
    placed
}

/// Several hinges that are one joint, and what that is called.
fn as_one(joints: &[WorldJoint<'_>], parent: &str, child: &str) -> Option<(Joint, &'static str)> {
    let [first, others @ ..] = joints else { return None };
    let free = |joint: &WorldJoint<'_>| {
        let given = joint.given;
        given.freedom == Freedom::Hinge
            && given.limits.is_none()
            && given.friction == 0.0
            && given.armature == 0.0
            && !given.spring.acts()
            && !given.named
    };
    let at_one_point = others.iter().all(|joint| (joint.anchor - first.anchor).length() < ALIGNED);
    if !joints.iter().all(free) || !at_one_point {
        return None;
    }
    let axes: Vec<Vec3> = joints.iter().map(|joint| joint.axis.normalize_or_zero()).collect();
    let (name, anchor) = (first.given.name.clone(), first.anchor.to_array());
    let (a, b) = (parent.to_owned(), child.to_owned());
    match axes.as_slice() {
        [u, w] if u.dot(*w).abs() < ALIGNED => {
            let (axis, axis_b) = (u.to_array(), Some(w.to_array()));
            Some((
                Joint::Universal(UniversalJoint {
                    name,
                    a,
                    b,
                    anchor,
                    axis,
                    axis_b,
                    collide: false,
                    break_force: None,
                    break_torque: None,
                }),
                "universal",
            ))
        }
        [u, v, w] if u.cross(*v).dot(*w).abs() > ALIGNED => Some((
            Joint::Ball(PointJoint {
                name,
                a,
                b,
                anchor,
                collide: false,
                break_force: None,
                break_torque: None,
            }),
            "ball",
        )),
        _ => None,
    }
}

/// True for up to five joints, at most three hinges and three sliders, whose axes are independent.
fn is_sequence(joints: &[WorldJoint<'_>]) -> bool {
    let axes = |freedom: Freedom| -> Vec<Vec3> {
        let of = joints.iter().filter(|joint| joint.given.freedom == freedom);
        of.map(|joint| joint.axis.normalize_or_zero()).collect()
    };
    let (hinges, sliders) = (axes(Freedom::Hinge), axes(Freedom::Slider));
    let apart = |axes: &[Vec3]| axes.windows(2).all(|pair| pair[0].cross(pair[1]).length() > APART);
    let spans = match sliders[..] {
        [a, b, c] => a.dot(b.cross(c)).abs() > APART,
        _ => apart(&sliders),
    };
    let count = joints.len();
    (2..=MAX_SEQUENCE).contains(&count)
        && hinges.len() + sliders.len() == count
        && hinges.len() <= 3
        && sliders.len() <= 3
        && apart(&hinges)
        && spans
}

fn carrier(name: &str, at: Vec3, share: f64, inertial: &Inertial) -> Body {
    let weight = inertial.share(share, &inertial.place);
    let mut body = Body::new(name);
    body.mass = Some(weight.mass);
    body.inertia = Some(weight.tensor.to_cols_array_2d());
    body.center_of_mass = Some([0.0; 3]);
    body.position = at.to_array();
    body.collides = false;
    body
}

impl WorldJoint<'_> {
    fn scene_joint(&self, parent: &str, child: &str) -> Joint {
        let given = self.given;
        let (name, a, b) = (given.name.clone(), parent.to_owned(), child.to_owned());
        let (anchor, axis) = (self.anchor.to_array(), self.axis.to_array());
        let position = given.position + given.reference;
        let limits = given.limits.map(|limits| limits.map(|limit| limit + given.reference));
        let motor = (given.friction > 0.0).then_some(Motor { velocity: 0.0, max_force: given.friction });
        let Spring { stiffness, damping, rest } = given.spring;
        let rest = if stiffness > 0.0 { rest + given.reference } else { 0.0 };
        let collide = false;
        let joint = AxisJoint {
            name,
            a,
            b,
            anchor,
            axis,
            position,
            limits,
            motor,
            stiffness,
            damping,
            rest,
            armature: given.armature,
            after: None,
            collide,
            break_force: None,
            break_torque: None,
        };
        match given.freedom {
            Freedom::Hinge => Joint::Hinge(joint),
            Freedom::Slider => Joint::Slider(joint),
            Freedom::Ball => {
                let AxisJoint { name, a, b, anchor, collide, .. } = joint;
                Joint::Ball(PointJoint { name, a, b, anchor, collide, break_force: None, break_torque: None })
            }
        }
    }
}
