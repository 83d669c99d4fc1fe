//! Warnings about the start of a scene: bodies that overlap, joints that do not fit.

use msd::environment::{QueryFilter, World};
use msd::math::scalar;
use msd::physics::collision::penetration;
use msd::physics::constraints::{Constraint, MAX_ROWS, Pair, RowLaw, RowUnit};
use msd::physics::rigid_body::shape::{Geometry, Shape};
use msd::physics::rigid_body::{BodyHandle, BodyKind, InertialState};

/// Overlap that is meant or round-off, in sizes of the smaller body.
const OVERLAP: f64 = 1e-3;
/// Errors of joints that are round-off or rounded input, m or rad.
const JOINT_ERROR: f64 = 1e-4;
/// Lines for each kind of warning before the rest is counted.
const LINES: usize = 5;

/// Pairs of bodies that overlap at the start, one of them dynamic, unless they may not collide.
pub(crate) fn overlaps(world: &World) -> Vec<String> {
    let mut lines = Vec::new();
    let moving = |body: BodyHandle| world.body(body).is_ok_and(|view| view.body.kind == BodyKind::Dynamic);
    for a in world.handles().filter(|body| moving(*body)) {
        let (Ok(view), Ok(frame)) = (world.body(a), world.frame(a)) else { continue };
        let Some(shape) = &view.body.shape else { continue };
        let groups = view.body.contact_groups();
        if groups.is_none() {
            continue;
        }
        for b in world.overlapping(shape, &frame, &QueryFilter::new().groups(groups).excluding(&[a])) {
            let twice = moving(b) && b.slot() < a.slot();
            let (Ok(other), Ok(placed)) = (world.body(b), world.frame(b)) else { continue };
            let Some(against) = &other.body.shape else { continue };
            if twice || other.body.trigger || !world.may_collide(a, b) {
                continue;
            }
            let depth =
                penetration(shape, &frame, against, &placed).map_or(0.0, |found| found.penetration_depth);
            if depth > OVERLAP * scalar::min(size(shape), size(against)) {
                lines.push(format!(
                    "`{}` and `{}` overlap by {depth:.3} m at the start: the first step parts them, which adds energy",
                    view.body.name, other.body.name
                ));
            }
        }
    }
    shortened(lines, "pairs of bodies overlap at the start")
}

fn size(shape: &Shape) -> f64 {
    let bounds = shape.bounding_box(&msd::math::ReferenceFrame::IDENTITY);
    if shape.is_bounded() { bounds.size().min_element() } else { f64::INFINITY }
}

/// Joints that are open, or beyond their limits, at the start.
pub(crate) fn joints(world: &World) -> Vec<String> {
    let mut lines = Vec::new();
    for (handle, name, joint) in world.joints() {
        if !world.is_joint_enabled(handle).unwrap_or(false) {
            continue;
        }
        if joint.along().is_some() {
            let rigid = joint.law(0) == RowLaw::Rigid;
            let off = world.coupling_position(handle).ok().filter(|off| rigid && off.abs() > JOINT_ERROR);
            lines.extend(off.map(|off| {
                format!("coupling `{name}` is off by {off:.3} at the start: the first step closes it, which adds energy")
            }));
            continue;
        }
        let state = |body: Option<BodyHandle>| match body {
            Some(body) => world.body(body).map_or(&InertialState::AT_REST, |view| view.state),
            None => &InertialState::AT_REST,
        };
        let [a, b] = joint.bodies();
        if let Some(problem) = misfit(joint.as_ref(), &Pair { a: state(a), b: state(b) }) {
            lines.push(format!(
                "joint `{name}` {problem} at the start: the first step closes it, which adds energy"
            ));
        }
    }
    shortened(lines, "joints do not fit at the start")
}

fn misfit(joint: &dyn Constraint, pair: &Pair<'_>) -> Option<String> {
    let rows = joint.dimension();
    let mut values = [0.0; MAX_ROWS];
    joint.value(pair, 0.0, &mut values[..rows]);
    let unit = |row| if joint.unit(row) == RowUnit::Length { "m" } else { "rad" };
    (0..rows).find_map(|row| match joint.law(row) {
        RowLaw::Rigid if values[row].abs() > JOINT_ERROR => {
            Some(format!("is open by {:.3} {}", values[row].abs(), unit(row)))
        }
        RowLaw::Unilateral if values[row] < -JOINT_ERROR => {
            Some(format!("is beyond a limit by {:.3} {}", -values[row], unit(row)))
        }
        _ => None,
    })
}

fn shortened(mut lines: Vec<String>, what: &str) -> Vec<String> {
    if lines.len() > LINES {
        let left = lines.len() - LINES;
        lines.truncate(LINES);
        lines.push(format!("{left} more {what}"));
    }
    lines
}
