//! Controls that a page can set: the control of an actuator, the velocity of a motor.
//!
//! A value set from a page is commanded before every step in which the world holds another one, so that it also wins
//! over a schedule of the scene. Commands of agents are recorded: a replay has the same values at the same steps.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use msd::agent::Command;
use msd::environment::World;
use msd::physics::constraints::{Constraint, ConstraintHandle, RowLaw, RowUnit};
use serde::Serialize;

/// Range of a servo on a hinge without any limit, rad.
const TURN: f64 = std::f64::consts::PI;
/// Least half range of a motor's velocity, rad/s or m/s.
const MOTOR_RANGE: f64 = 10.0;

/// Something with a value that a page may set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ViewedDrive {
    /// Of the actuator, or of the joint whose motor it is.
    pub name: String,
    /// `actuator` or `motor`.
    pub kind: &'static str,
    /// Number of the joint in the header.
    pub joint: Option<usize>,
    /// Least and greatest value that a page offers.
    pub range: [f64; 2],
    /// At the start.
    pub value: f64,
}

/// A drive and its handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DriveHandle {
    Actuator(ConstraintHandle),
    Motor(ConstraintHandle),
}

/// Values that pages have set.
pub(crate) type SharedDrives = Arc<Mutex<BTreeMap<DriveHandle, f64>>>;

/// Everything that can be driven in a world: actuators, then motors whose scene gives them a velocity. A motor of
/// velocity zero is how dry friction is modelled.
pub(crate) fn drives_of(world: &World) -> Vec<(DriveHandle, ViewedDrive)> {
    let joints: Vec<(ConstraintHandle, &str, &Arc<dyn Constraint>)> = world.joints().collect();
    let number = |handle| joints.iter().position(|(known, ..)| *known == handle);
    let mut drives = Vec::new();
    for (handle, name, actuator) in world.actuators() {
        let owner = number(handle).and_then(|actuator| joints[actuator].2.along());
        let joint = owner.and_then(number);
        let range = actuator.control_range();
        let range = if range.iter().all(|end| end.is_finite()) {
            range
        } else {
            let limits = owner.and_then(|owner| world.joint_limits(owner).ok().flatten());
            let reach = limits.map_or([-TURN, TURN], |limits| [limits.min, limits.max]);
            let ends = reach.map(|end| end * actuator.gear());
            [ends[0].min(ends[1]), ends[0].max(ends[1])]
        };
        let value = world.control(handle).unwrap_or(0.0);
        let viewed = ViewedDrive { name: name.to_owned(), kind: "actuator", joint, range, value };
        drives.push((DriveHandle::Actuator(handle), viewed));
    }
    for (number, (handle, name, joint)) in joints.iter().enumerate() {
        let motor = (0..joint.dimension()).find_map(|row| match joint.law(row) {
            RowLaw::Motor { velocity, .. } if velocity != 0.0 => Some(velocity),
            _ => None,
        });
        let Some(value) = motor else { continue };
        let reach = MOTOR_RANGE.max(2.0 * value.abs());
        drives.push((
            DriveHandle::Motor(*handle),
            ViewedDrive {
                name: (*name).to_owned(),
                kind: "motor",
                joint: Some(number),
                range: [-reach, reach],
                value,
            },
        ));
    }
    drives
}

/// Commands for values that the world does not hold yet.
pub(crate) fn command(
    set: &BTreeMap<DriveHandle, f64>,
    sent: &mut BTreeMap<DriveHandle, f64>,
    world: &World,
    out: &mut Vec<Command>,
) {
    for (drive, value) in set {
        match *drive {
            DriveHandle::Actuator(actuator) => {
                if world.control(actuator) != Ok(*value) {
                    out.push(Command::Control { actuator, control: *value });
                }
            }
            DriveHandle::Motor(joint) => {
                if sent.insert(*drive, *value) != Some(*value) {
                    out.push(Command::MotorVelocity { joint, velocity: *value });
                }
            }
        }
    }
}

/// Unit of positions of a joint: `rad`, `m`, or `None` for a joint without an axis.
pub(crate) fn unit_of(joint: &dyn Constraint) -> Option<&'static str> {
    joint.axis().map(|axis| match axis.unit {
        RowUnit::Length => "m",
        RowUnit::Angle => "rad",
    })
}
