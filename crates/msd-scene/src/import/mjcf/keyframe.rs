//! `<keyframe>`: states to start from, `qpos`, `qvel` and `ctrl` in the order of the file.

use std::collections::BTreeMap;

use msd::math::{Quat, ReferenceFrame, Vec3, orientation};

use super::Model;
use crate::import::mechanism::{Assembled, Freedom, LinkMotion, Mechanism, orientation_of};
use crate::import::xml::Element;
use crate::model::{BodyPose, Keyframe};

/// Which number of `qpos` and `qvel` is what.
enum Coordinate {
    Free(String),
    Joint(String),
    Ball,
}

pub(super) fn add(root: &Element, model: &Model<'_, '_>, mechanism: &Mechanism, assembled: &mut Assembled) {
    let coordinates = coordinates(mechanism);
    let sizes = coordinates.iter().fold([0, 0], |[q, v], coordinate| match coordinate {
        Coordinate::Free(_) => [q + 7, v + 6],
        Coordinate::Joint(_) => [q + 1, v + 1],
        Coordinate::Ball => [q + 4, v + 3],
    });
    for section in root.named("keyframe") {
        section.imported();
        for (i, key) in section.named("key").enumerate() {
            key.imported();
            key.skip(&["time", "act"]);
            let problems = model.context.problems;
            let name = key.text("name").map_or_else(|| format!("key {}", i + 1), str::to_owned);
            let list =
                |what: &str| key.attribute(what).and_then(|given| given.list(problems)).unwrap_or_default();
            let (q, v, control) = (list("qpos"), list("qvel"), list("ctrl"));
            let fits = |given: &[f64], size: usize| given.is_empty() || given.len() == size;
            if !fits(&q, sizes[0]) || !fits(&v, sizes[1]) {
                let found = format!("{} positions and {} velocities", q.len(), v.len());
                key.ignored(format!("{found} where the model has {} and {}", sizes[0], sizes[1]));
                continue;
            }
            if coordinates.iter().any(|coordinate| matches!(coordinate, Coordinate::Ball)) {
                key.approximated("ball joints stay as placed");
            }
            if ["mpos", "mquat"].iter().any(|name| key.attribute(name).is_some()) {
                key.approximated("mocap bodies stay where they are");
            }
            let mut keyframe = read(&coordinates, &q, &v, &model.context.base());
            if control.len() == assembled.actuator_order.len() {
                let named = assembled.actuator_order.iter().zip(control);
                keyframe.control =
                    named.filter_map(|(name, control)| Some((name.clone()?, control))).collect();
            } else if !control.is_empty() {
                key.approximated("`ctrl` has another number of numbers than there are actuators");
            }
            assembled.keyframes.insert(model.context.named(&name), keyframe);
        }
    }
}

fn coordinates(mechanism: &Mechanism) -> Vec<Coordinate> {
    let mut found = Vec::new();
    for link in &mechanism.links {
        match &link.motion {
            LinkMotion::Fixed => {}
            LinkMotion::Free => found.push(Coordinate::Free(link.name.clone())),
            LinkMotion::Joints(joints) => found.extend(joints.iter().map(|joint| match joint.freedom {
                Freedom::Ball => Coordinate::Ball,
                Freedom::Hinge | Freedom::Slider => Coordinate::Joint(joint.name.clone()),
            })),
        }
    }
    found
}

fn read(coordinates: &[Coordinate], q: &[f64], v: &[f64], base: &ReferenceFrame) -> Keyframe {
    let mut keyframe = Keyframe::default();
    let (mut at_q, mut at_v) = (0, 0);
    for coordinate in coordinates {
        match coordinate {
            Coordinate::Joint(name) => {
                keyframe.joint.extend(q.get(at_q).map(|q| (name.clone(), *q)));
                keyframe
                    .joint_velocity
                    .extend(v.get(at_v).filter(|v| **v != 0.0).map(|v| (name.clone(), *v)));
                (at_q, at_v) = (at_q + 1, at_v + 1);
            }
            Coordinate::Ball => (at_q, at_v) = (at_q + 4, at_v + 3),
            Coordinate::Free(name) => {
                if let Some(q) = q.get(at_q..at_q + 7) {
                    let turn = orientation::from_wxyz([q[3], q[4], q[5], q[6]]);
                    // As in MuJoCo, zeros are no rotation.
                    let turn =
                        if turn.length() > 0.0 { orientation::normalized(turn) } else { Quat::IDENTITY };
                    let pose = base.compose(&ReferenceFrame::new(Vec3::new(q[0], q[1], q[2]), turn));
                    let part = |from: usize| v.get(from..from + 3).map_or(Vec3::ZERO, Vec3::from_slice);
                    let pose = BodyPose {
                        position: pose.position.to_array(),
                        orientation: orientation_of(pose.orientation),
                        velocity: base.direction_to_parent(part(at_v)).to_array(),
                        angular_velocity: (pose.orientation * part(at_v + 3)).to_array(),
                    };
                    keyframe.body.insert(name.clone(), pose);
                }
                (at_q, at_v) = (at_q + 7, at_v + 6);
            }
        }
    }
    keyframe
}

/// Keyframes of a model, by name.
pub(in crate::import) type Keyframes = BTreeMap<String, Keyframe>;
