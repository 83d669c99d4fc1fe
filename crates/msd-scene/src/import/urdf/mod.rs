//! URDF (Unified Robot Description Format): <http://wiki.ros.org/urdf/XML>.
//!
//! Lengths in metres, angles in radians, `rpy` about the fixed axes x, then y, then z. A joint's `origin` is the frame
//! of its child link in that of its parent, and its axis is given in the child's frame. The root link is held to the
//! world unless the import says otherwise; a root named `world` is the world.

mod geometry;
mod joint;
mod link;

use std::collections::BTreeMap;

use msd::math::{ReferenceFrame, Vec3, orientation};

use super::mechanism::{Assembled, Link, LinkMotion, Mechanism};
use super::xml::{Element, Problems};
use super::{Context, RobotScene, overlaps};
use crate::grammar::{near_name, one_of};
use crate::model::Coupling;

/// Links without a parent that are named in a message.
const ROOTS_SHOWN: usize = 8;

/// The scene of a `<robot>`.
pub(super) fn read(root: &Element, context: &mut Context<'_>) -> RobotScene {
    root.skip(&["name", "version"]);
    root.imported();
    for child in root.children() {
        match child.name.as_str() {
            "link" | "joint" => {}
            "transmission" => {
                child.ignored("no actuator is made of it; `[[actuator]]` of a scene drives a joint")
            }
            "material" => child.imported(),
            "gazebo" | "sensor" => child.ignored("an extension for another simulator"),
            name if name.starts_with("xacro:") => {
                let message = format!("<{name}> is a macro");
                context.problems.add(
                    &child.place,
                    message,
                    "expected plain URDF: run `xacro` on the file first",
                );
            }
            name if name.contains(':') => child.ignored("an extension for another simulator"),
            _ => child.ignored("not known"),
        }
    }
    let robot = Robot::new(root, context.problems);
    let mechanism = robot.mechanism(context);
    let mut parts = mechanism.assemble(context.problems);
    robot.couple(context, &mut parts);
    // A robot is one tree, also if its root is the world itself.
    overlaps::exclude(&mut parts, context.files, |_, _, _| true);
    RobotScene { parts, ..RobotScene::default() }
}

/// Links and joints by name, and how they hang together.
struct Robot<'e> {
    root: &'e Element,
    links: BTreeMap<&'e str, &'e Element>,
    /// In the order of the file, with the names of parent and child.
    joints: Vec<(&'e Element, &'e str, &'e str)>,
    colors: link::Colors<'e>,
}

impl<'e> Robot<'e> {
    fn new(root: &'e Element, problems: &Problems) -> Self {
        let mut links = BTreeMap::new();
        for link in root.named("link") {
            let Some(name) = link.required_text("name", problems) else { continue };
            if links.insert(name, link).is_some() {
                problems.add(
                    &link.place,
                    format!("there are two links named `{name}`"),
                    "expected another name",
                );
            }
        }
        let named = |material: &'e Element| Some((material.text("name")?, link::color(material, problems)?));
        let colors = root.named("material").filter_map(named).collect();
        let mut robot = Self { root, links, joints: Vec::new(), colors };
        for joint in root.named("joint") {
            joint.required_text("name", problems);
            let ends = ["parent", "child"].map(|end| robot.end(joint, end, problems));
            if let [Some(parent), Some(child)] = ends {
                robot.joints.push((joint, parent, child));
            }
        }
        robot
    }

    /// The link at an end of a joint.
    fn end(&self, joint: &'e Element, end: &str, problems: &Problems) -> Option<&'e str> {
        let Some(element) = joint.child(end) else {
            problems.add(
                &joint.place,
                format!("{}: <{end}> is missing", joint.subject()),
                format!("expected <{end} link=\"…\"/>"),
            );
            return None;
        };
        element.imported();
        let name = element.required_text("link", problems)?;
        if self.links.contains_key(name) {
            return Some(name);
        }
        let near = near_name(name, self.links.keys().copied());
        let expected = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None if self.links.len() <= 12 => format!("expected {}", one_of(self.links.keys().copied())),
            None => "expected the name of a link".to_owned(),
        };
        let message = format!("{}: there is no link named `{name}`", joint.subject());
        problems.add(&element.place, message, expected);
        None
    }

    /// The joint that holds each link; a link has one at most.
    fn parents(&self, problems: &Problems) -> BTreeMap<&'e str, (&'e Element, &'e str)> {
        let mut parents = BTreeMap::new();
        for (joint, parent, child) in &self.joints {
            if let Some((other, _)) = parents.insert(*child, (*joint, *parent)) {
                let message =
                    format!("link `{child}` is the child of {} and of {}", other.subject(), joint.subject());
                problems.add(&joint.place, message, "expected a tree: every link has one parent");
            }
        }
        parents
    }

    /// The one link that no joint holds.
    fn base(&self, parents: &BTreeMap<&str, (&Element, &str)>, problems: &Problems) -> Option<&'e str> {
        let roots: Vec<&str> =
            self.links.keys().copied().filter(|name| !parents.contains_key(name)).collect();
        match roots.as_slice() {
            [only] => self.links.get_key_value(only).map(|(name, _)| *name),
            [] if self.links.is_empty() => {
                problems.add(&self.root.place, "the robot has no links", "expected <link name=\"…\">");
                None
            }
            [] => {
                problems.add(
                    &self.root.place,
                    "the joints form a ring",
                    "expected a tree with one root link",
                );
                None
            }
            several => {
                let shown = several.iter().take(ROOTS_SHOWN).copied().collect::<Vec<_>>().join(", ");
                let more = if several.len() > ROOTS_SHOWN { ", …" } else { "" };
                let message = format!("{} links have no parent: {shown}{more}", several.len());
                problems.add(&self.root.place, message, "expected a tree with one root link");
                None
            }
        }
    }

    /// Links from the root outwards.
    fn mechanism(&self, context: &mut Context<'_>) -> Mechanism {
        let mut mechanism = Mechanism { massless_links: true, ..Mechanism::default() };
        let parents = self.parents(context.problems);
        let Some(base) = self.base(&parents, context.problems) else { return mechanism };
        self.check_pose(context);
        let mut children: BTreeMap<&str, Vec<(&Element, &str)>> = BTreeMap::new();
        for (joint, parent, child) in &self.joints {
            children.entry(*parent).or_default().push((joint, child));
        }
        let mut open: Vec<(&str, Option<usize>, ReferenceFrame, LinkMotion)> = Vec::new();
        let motion =
            if context.options.fixed_base || base == "world" { LinkMotion::Fixed } else { LinkMotion::Free };
        open.push((base, None, context.base(), motion));
        while let Some((name, parent, frame, motion)) = open.pop() {
            let element = self.links[name];
            let read = link::read(element, &self.colors, context);
            let is_world = name == "world" && parent.is_none() && read.parts.is_empty();
            if is_world {
                element.note("the world");
            } else {
                self.say_how_it_is_held(element, parent, &motion, &mechanism);
                mechanism.links.push(Link {
                    name: context.named(name),
                    place: element.place.clone(),
                    parent,
                    frame,
                    motion,
                    inertials: read.inertial.into_iter().collect(),
                    parts: read.parts,
                    visuals: read.visuals,
                    material: None,
                    gravity_compensation: 0.0,
                    groups: None,
                    mask: None,
                });
            }
            let own = (!is_world).then(|| mechanism.links.len() - 1);
            // Taken from the end: the first child of the file comes first.
            for (joint, child) in children.get(name).into_iter().flatten().rev() {
                let (inner, motion) = joint::read(joint, context);
                let inner = if is_world { frame.compose(&inner) } else { inner };
                open.push((child, own, inner, motion));
            }
        }
        mechanism
    }

    /// `<mimic>`: `q = multiplier q' + offset` with q' the position of another joint.
    fn couple(&self, context: &Context<'_>, parts: &mut Assembled) {
        for (joint, ..) in &self.joints {
            let Some(mimic) = joint.child("mimic") else { continue };
            mimic.imported();
            let problems = context.problems;
            let [factor, offset] = ["multiplier", "offset"].map(|what| mimic.number(what, problems));
            let Some(other) = mimic.required_text("joint", problems) else { continue };
            let joints = [joint.text("name").unwrap_or_default(), other].map(|name| context.named(name));
            if let Some(missing) = joints.iter().find(|name| parts.axis_joint(name).is_none()) {
                mimic.ignored(format!("`{missing}` is no joint that turns or slides"));
                continue;
            }
            if joints[0] == joints[1] {
                mimic.ignored("a joint with itself");
                continue;
            }
            let coupling = Coupling {
                name: format!("{} mimics {}", joints[0], joints[1]),
                joints: joints.to_vec(),
                factors: vec![1.0, -factor.unwrap_or(1.0)],
                value: Some(offset.unwrap_or(0.0)),
                ..Coupling::default()
            };
            parts.add_coupling(coupling, &mimic.place);
        }
    }

    fn say_how_it_is_held(
        &self,
        element: &Element,
        parent: Option<usize>,
        motion: &LinkMotion,
        mechanism: &Mechanism,
    ) {
        match (parent, motion) {
            (None, LinkMotion::Fixed) => element.note("held to the world"),
            (None, LinkMotion::Free) => element.note("free"),
            (Some(parent), LinkMotion::Fixed) => {
                element.note(format!("one body with `{}`", mechanism.links[parent].name));
            }
            _ => {}
        }
    }

    /// Every joint of the pose must be there and have a position.
    fn check_pose(&self, context: &Context<'_>) {
        for name in context.options.pose.keys() {
            let movable = |joint: &Element| {
                let kind = joint.text("type").unwrap_or_default();
                joint.text("name") == Some(name) && ["revolute", "continuous", "prismatic"].contains(&kind)
            };
            if !self.joints.iter().any(|(joint, ..)| movable(joint)) {
                let message =
                    format!("`pose` names the joint `{name}`, which is not a joint that turns or slides");
                context.problems.add(&self.root.place, message, "expected names of joints of this robot");
            }
        }
    }
}

/// The frame of an `<origin xyz rpy>`; the same frame if there is none.
fn origin(element: &Element, problems: &Problems) -> ReferenceFrame {
    let Some(origin) = element.child("origin") else { return ReferenceFrame::IDENTITY };
    origin.imported();
    let position = origin.vector("xyz", problems).unwrap_or(Vec3::ZERO);
    let [roll, pitch, yaw] = origin.array::<3>("rpy", problems).unwrap_or_default();
    let turn = |angle: f64, axis: Vec3| orientation::from_rotation_vector(axis * angle);
    ReferenceFrame::new(position, turn(yaw, Vec3::Z) * turn(pitch, Vec3::Y) * turn(roll, Vec3::X))
}
