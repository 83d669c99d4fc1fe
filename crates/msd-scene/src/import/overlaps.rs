//! Links of a robot that overlap where it starts do not touch each other.
//!
//! A robot of real parts needs it: the hulls of a hip and of the thigh after next overlap in every pose, and rigid
//! contact would push them apart for ever. Only bodies that hang together count. A foot that has sunk into the floor
//! by a little still stands on it. A link that is joined to its base counts as soon as it touches it: what the contact
//! holds the joint holds too, and the two would share a load that nothing determines.

use msd::math::ReferenceFrame;
use msd::physics::collision::distance;
use msd::physics::rigid_body::shape::{Aabb, Geometry, Shape};

use super::mechanism::Assembled;
use crate::build::{engine_shape, quaternion};
use crate::files::FileAccess;
use crate::model::{Body, BodyKind, Joint};

/// Rounding of the distances in a file, m: bodies overlap if by more, and touch if apart by less.
const SLACK: f64 = 1e-6;

/// A body that can be touched.
struct PlacedSolid {
    number: usize,
    shape: Shape,
    frame: ReferenceFrame,
    bounds: Aabb,
}

/// Lets every two bodies that overlap at t = 0 ignore each other, if they are `related` (by number) and would touch.
pub(super) fn exclude(
    parts: &mut Assembled,
    files: &FileAccess,
    related: impl Fn(&Assembled, usize, usize) -> bool,
) {
    let mut solids: Vec<PlacedSolid> =
        (0..parts.bodies.len()).filter_map(|i| solid(i, parts, files)).collect();
    solids.sort_by(|a, b| a.bounds.min.x.total_cmp(&b.bounds.min.x));
    let mut found = Vec::new();
    for (i, a) in solids.iter().enumerate() {
        let near = solids[i + 1..].iter().take_while(|b| b.bounds.min.x <= a.bounds.max.x);
        for b in near.filter(|b| a.bounds.intersects(&b.bounds)) {
            if related(parts, a.number, b.number) && would_touch(parts, a.number, b.number) {
                let gap = distance(&a.shape, &a.frame, &b.shape, &b.frame).signed;
                let touches = gap < SLACK && is_base_of(parts, a.number, b.number);
                if gap < -SLACK || touches {
                    found.push((a.number.min(b.number), a.number.max(b.number), gap < -SLACK));
                }
            }
        }
    }
    found.sort_unstable();
    for (first, second, overlap) in found {
        let a = parts.bodies[first].name.clone();
        let meets = if overlap { "overlaps" } else { "touches" };
        let note = format!("{meets} `{a}` where it starts: the two do not touch each other");
        parts.approximations.extend(parts.place_of(second).map(|place| (place, note)));
        parts.bodies[second].ignores.push(a);
    }
}

/// True if one of the two stands in the world and the other is joined to it, which is to the world.
fn is_base_of(parts: &Assembled, a: usize, b: usize) -> bool {
    let joined = |body: &Body| {
        let ends =
            |joint: &Joint| joint.ends().contains(&"world") && joint.ends().contains(&body.name.as_str());
        parts.joints.iter().any(ends)
    };
    let (a, b) = (&parts.bodies[a], &parts.bodies[b]);
    (a.kind == BodyKind::Static && joined(b)) || (b.kind == BodyKind::Static && joined(a))
}

/// False if a joint, their groups, or one of them says otherwise.
fn would_touch(parts: &Assembled, a: usize, b: usize) -> bool {
    let (a, b) = (&parts.bodies[a], &parts.bodies[b]);
    let joined = |joint: &Joint| {
        let ends = joint.ends();
        ends == [a.name.as_str(), b.name.as_str()] || ends == [b.name.as_str(), a.name.as_str()]
    };
    let sees = |a: &Body, b: &Body| {
        let groups = b.groups.as_deref();
        let meets = |mask: &Vec<String>| match groups {
            Some(groups) => groups.iter().any(|group| mask.contains(group)),
            None => mask.iter().any(|group| group == "default"),
        };
        a.mask.as_ref().is_none_or(meets) && !a.ignores.contains(&b.name)
    };
    sees(a, b) && sees(b, a) && !parts.joints.iter().any(joined)
}

fn solid(number: usize, parts: &Assembled, files: &FileAccess) -> Option<PlacedSolid> {
    let body = &parts.bodies[number];
    let given = body.shape.as_ref().filter(|_| body.collides)?;
    // A shape that cannot be read is reported with the scene.
    let shape = engine_shape(given, files).ok()?;
    let frame = ReferenceFrame::new(body.position.into(), quaternion(&body.orientation));
    let bounds = shape.bounding_box(&frame).expanded(SLACK);
    Some(PlacedSolid { number, shape, frame, bounds })
}
