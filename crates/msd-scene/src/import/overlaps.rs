//! Links that overlap where a robot starts do not touch each other.
//!
//! URDF has no word for it, but a robot of real parts needs it: the hulls of a hip and of the thigh after next overlap
//! in every pose, and rigid contact would push them apart for ever.

use msd::math::ReferenceFrame;
use msd::physics::collision::distance;
use msd::physics::rigid_body::shape::{Aabb, Geometry, Shape};

use super::mechanism::Assembled;
use crate::build::{engine_shape, quaternion};
use crate::files::FileAccess;

/// Overlap that counts, m: bodies that merely touch in the numbers of a file do not.
const OVERLAP: f64 = 1e-6;

/// A body that can be touched.
struct Solid {
    number: usize,
    shape: Shape,
    frame: ReferenceFrame,
    bounds: Aabb,
}

/// Lets every two bodies that overlap at t = 0 ignore each other.
pub(super) fn exclude(parts: &mut Assembled, files: &FileAccess) {
    let mut solids: Vec<Solid> = (0..parts.bodies.len()).filter_map(|i| solid(i, parts, files)).collect();
    solids.sort_by(|a, b| a.bounds.min.x.total_cmp(&b.bounds.min.x));
    let mut found = Vec::new();
    for (i, a) in solids.iter().enumerate() {
        let near = solids[i + 1..].iter().take_while(|b| b.bounds.min.x <= a.bounds.max.x);
        for b in near.filter(|b| a.bounds.intersects(&b.bounds)) {
            if distance(&a.shape, &a.frame, &b.shape, &b.frame).signed < -OVERLAP {
                found.push((a.number.min(b.number), a.number.max(b.number)));
            }
        }
    }
    found.sort_unstable();
    for (first, second) in found {
        let (a, b) = (parts.bodies[first].name.clone(), parts.bodies[second].name.clone());
        if parts.joints.iter().any(|joint| joint.ends() == [a.as_str(), b.as_str()]) {
            continue;
        }
        let note = format!("overlaps `{a}` where it starts: the two do not touch each other");
        parts.approximations.extend(parts.place_of(second).map(|place| (place, note)));
        parts.bodies[second].ignores.push(a);
    }
}

fn solid(number: usize, parts: &Assembled, files: &FileAccess) -> Option<Solid> {
    let body = &parts.bodies[number];
    let given = body.shape.as_ref().filter(|_| body.collides)?;
    // A shape that cannot be read is told with the scene.
    let shape = engine_shape(given, files).ok()?;
    let frame = ReferenceFrame::new(body.position.into(), quaternion(&body.orientation));
    let bounds = shape.bounding_box(&frame);
    Some(Solid { number, shape, frame, bounds })
}
