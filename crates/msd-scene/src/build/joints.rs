//! Joints of a scene as joints of the engine.

use std::collections::BTreeMap;

use msd::environment::World;
use msd::physics::rigid_body::BodyHandle;

use super::fields::Ends;
use crate::error::Finding;
use crate::model::{Joint, SpringJoint};
use crate::source::Path;

type Bodies = BTreeMap<String, BodyHandle>;

/// Adds a joint, and the pair it holds to `joined` unless the two may touch each other.
pub(super) fn add(
    given: &Joint,
    at: &Path,
    world: &mut World,
    bodies: &Bodies,
    joined: &mut Vec<(BodyHandle, BodyHandle)>,
) -> Result<(), Finding> {
    match given {
        Joint::Spring(joint) => spring(joint, at, world, bodies)?,
        _ => {
            let message = format!("joint `{}`: this kind of joint is not simulated yet", given.name());
            return Err(Finding::at(&at.key("type"), message, "only `spring` is"));
        }
    }
    let [a, b] = given.ends().map(|name| bodies.get(name).copied());
    if let (Some(a), Some(b), false) = (a, b, given.collide()) {
        joined.push((a.min(b), a.max(b)));
    }
    Ok(())
}

/// A spring is a field: it stores energy and holds nothing rigidly.
fn spring(joint: &SpringJoint, at: &Path, world: &mut World, bodies: &Bodies) -> Result<(), Finding> {
    let refused = |problem: String| Finding::at(at, format!("joint `{}`: {problem}", joint.name), "");
    let both = joint.anchor.unwrap_or_default();
    let anchors = [joint.anchor_a.unwrap_or(both), joint.anchor_b.unwrap_or(both)];
    let ends = Ends::new(world, bodies, [&joint.a, &joint.b], anchors);
    let fields = ends
        .spring(joint.stiffness, joint.damping, joint.length)
        .map_err(|error| refused(error.to_string()))?;
    for field in fields {
        world.add_field(field).map_err(|error| refused(error.to_string()))?;
    }
    Ok(())
}
