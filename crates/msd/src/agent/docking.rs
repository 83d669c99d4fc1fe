//! Guidance of one craft to the docking port of another: a glideslope along the axis of the port.
//!
//! The port of the target is at `p_T` in the body frame of the target, its axis `a` (unit) points out of it. With the port of the
//! chaser at `e` from there, in axes of the target, `x = a·e` is the distance along the axis and `l = e - x a` the lateral offset. The
//! velocity wanted, relative to the port of the target and in its turning axes, is
//! ```text
//! -2·rate·l, at most max_speed,                        across the axis
//! -min(max_speed, contact_speed + rate·x)              along it, inside the corridor |l| ≤ corridor·x + capture_distance
//! 0                                                    along it, outside of the corridor but not of three times its width
//! +rate·(standoff - x), at most max_speed,             along it, farther outside
//! ```
//! so that the distance falls exponentially to the contact speed, and the offset twice as fast: a chaser in the corridor stays in it
//! (glideslope: H. B. Hablani, M. L. Tapper, D. J. Dana-Bashian, "Guidance
//! and relative navigation for autonomous rendezvous in a circular orbit", J. Guid. Control Dyn. 25, 2002), and a chaser that is beside the
//! port goes to a point in front of it first. The force is `m (gain·(v_wanted - v) + ω_T×(ω_T×r + 2v))`, limited, with the velocity v in the
//! turning axes of the target: without the second part a turning target is missed by `2 ω v/(gain·rate)`. The torque
//! `-stiffness·φ - damping·(ω - ω_T)` turns the chaser to an orientation relative to the target, limited. Nothing is commanded where
//! `x ≤ capture_distance` and the lateral offset is no more than that either: the craft drifts in, and a latch can close.
//!
//! Positions in m, speeds in m/s; world axes unless said otherwise.

use super::{Agent, AgentError, Command, at_least_zero};
use crate::environment::World;
use crate::math::{Coordinate, Quat, Vec3, orientation, scalar};
use crate::physics::integration::LoadFrame;
use crate::physics::rigid_body::BodyHandle;
use crate::tolerance;

const NAME: &str = "docking";

/// Where the ports are, each in the frame of its body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DockingPorts {
    /// Port of the chaser, m.
    pub chaser: Coordinate,
    /// Port of the target, m.
    pub target: Coordinate,
    /// Out of the port of the target; any length but zero.
    pub axis: Vec3,
    /// Orientation of the chaser in axes of the target when docked.
    pub orientation: Quat,
}

/// How the chaser approaches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Approach {
    /// Largest speed, m/s.
    pub max_speed: f64,
    /// Speed at contact, m/s.
    pub contact_speed: f64,
    /// At which distances fall, 1/s.
    pub rate: f64,
    /// Lateral offset allowed for each metre of distance.
    pub corridor: f64,
    /// Distance in front of the port to which it goes if it is outside of the corridor, m.
    pub standoff: f64,
    /// At which the thrusters are off, m.
    pub capture_distance: f64,
}

impl Default for Approach {
    fn default() -> Self {
        Self {
            max_speed: 0.5,
            contact_speed: 0.05,
            rate: 0.05,
            corridor: 0.1,
            standoff: 10.0,
            capture_distance: 0.01,
        }
    }
}

/// What the thrusters and wheels can do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DockingControl {
    /// Of the velocity, 1/s.
    pub gain: f64,
    /// N.
    pub max_force: f64,
    /// N·m/rad.
    pub stiffness: f64,
    /// N·m·s/rad.
    pub damping: f64,
    /// N·m.
    pub max_torque: f64,
}

/// Brings a chaser to the port of a target.
#[derive(Clone, Debug)]
pub struct Docking {
    chaser: BodyHandle,
    target: BodyHandle,
    ports: DockingPorts,
    approach: Approach,
    control: DockingControl,
    period: Option<f64>,
}

impl Docking {
    /// Guidance of `chaser` to `target`.
    ///
    /// # Errors
    /// If a number is negative or not finite, the axis is zero, or the orientation is no unit quaternion.
    pub fn new(
        [chaser, target]: [BodyHandle; 2],
        ports: DockingPorts,
        approach: Approach,
        control: DockingControl,
    ) -> Result<Self, AgentError> {
        let refused = |field: &'static str, expected: &'static str, value: String| AgentError {
            agent: NAME,
            field,
            expected,
            value,
        };
        let Some(axis) = ports.axis.try_normalize().filter(|_| ports.axis.is_finite()) else {
            return Err(refused("axis", "a direction that is not zero", format!("{:?}", ports.axis)));
        };
        for (field, place) in [("port", ports.chaser), ("target_port", ports.target)] {
            if !place.is_finite() {
                return Err(refused(field, "finite", format!("{place:?}")));
            }
        }
        let off_unit = (ports.orientation.length() - 1.0).abs();
        if off_unit.is_nan() || off_unit > tolerance::UNIT_QUATERNION {
            let value = format!("{:?}", orientation::to_wxyz(ports.orientation));
            return Err(refused("orientation", "a unit quaternion", value));
        }
        for (field, value) in [
            ("max_speed", approach.max_speed),
            ("contact_speed", approach.contact_speed),
            ("rate", approach.rate),
            ("corridor", approach.corridor),
            ("standoff", approach.standoff),
            ("capture_distance", approach.capture_distance),
            ("gain", control.gain),
            ("max_force", control.max_force),
            ("stiffness", control.stiffness),
            ("damping", control.damping),
            ("max_torque", control.max_torque),
        ] {
            at_least_zero(NAME, field, value)?;
        }
        if approach.contact_speed > approach.max_speed {
            let value = format!("{} with a max_speed of {}", approach.contact_speed, approach.max_speed);
            return Err(refused("contact_speed", "at most max_speed", value));
        }
        let ports = DockingPorts { axis, orientation: orientation::normalized(ports.orientation), ..ports };
        Ok(Self { chaser, target, ports, approach, control, period: None })
    }

    /// The same, called only every `period` seconds.
    ///
    /// # Errors
    /// If it is negative or not finite.
    pub fn with_period(mut self, period: f64) -> Result<Self, AgentError> {
        self.period = Some(at_least_zero(NAME, "period", period)?);
        Ok(self)
    }

    /// Another approach from now on; its numbers must be those that [`Docking::new`] accepts.
    pub fn set_approach(&mut self, approach: Approach) {
        self.approach = approach;
    }

    /// The port of the chaser from that of the target: distance along the axis and lateral offset (axes of the target), m.
    #[must_use]
    pub fn offset(&self, world: &World) -> Option<(f64, Vec3)> {
        let (chaser, target) = (world.body(self.chaser).ok()?, world.body(self.target).ok()?);
        // Differences of centres first: in orbit, places have lost the digits.
        let apart = chaser.state.center_of_mass - target.state.center_of_mass;
        let arm = |view: &crate::physics::rigid_body::BodyView<'_>, port: Vec3| {
            view.state.orientation * (port - view.body.center_of_mass_local)
        };
        let from_port = apart + arm(&chaser, self.ports.chaser) - arm(&target, self.ports.target);
        let local = target.state.orientation.conjugate() * from_port;
        let along = self.ports.axis.dot(local);
        Some((along, local - self.ports.axis * along))
    }

    /// The velocity wanted from the port of the target, in its axes; `None` where the thrusters are off.
    fn wanted(&self, along: f64, lateral: Vec3) -> Option<Vec3> {
        let Approach { max_speed, contact_speed, rate, corridor, standoff, capture_distance } = self.approach;
        let offset = lateral.length();
        if along <= capture_distance && offset <= capture_distance {
            return None;
        }
        let allowed = corridor * scalar::max(along, 0.0) + capture_distance;
        let closing = if offset <= allowed {
            scalar::min(max_speed, contact_speed + rate * scalar::max(along, 0.0))
        } else if offset <= 3.0 * allowed {
            0.0
        } else {
            scalar::clamp(rate * (along - standoff), -max_speed, max_speed)
        };
        Some(limited(lateral * (-2.0 * rate), max_speed) - self.ports.axis * closing)
    }
}

fn limited(v: Vec3, longest: f64) -> Vec3 {
    let length = v.length();
    if length > longest { v * (longest / length) } else { v }
}

impl Agent for Docking {
    fn type_name(&self) -> &'static str {
        NAME
    }

    fn period(&self) -> Option<f64> {
        self.period
    }

    fn act(&mut self, world: &World, commands: &mut Vec<Command>) {
        let (Ok(chaser), Ok(target)) = (world.body(self.chaser), world.body(self.target)) else { return };
        let Some((along, lateral)) = self.offset(world) else { return };
        let Some(wanted) = self.wanted(along, lateral) else { return };
        let (of_chaser, of_target) = (&chaser.state, &target.state);
        // The chaser as if it were fixed to the target, and the approach on top.
        let apart = of_chaser.center_of_mass - of_target.center_of_mass;
        let carried = of_target.angular_velocity.cross(apart);
        let relative = of_chaser.velocity - of_target.velocity - carried;
        let error = of_target.orientation * wanted - relative;
        // What a point at rest and one in motion need in turning axes.
        let turning = of_target.angular_velocity.cross(carried + relative * 2.0);
        let acceleration = error * self.control.gain + turning;
        let force = limited(acceleration * chaser.mass(), self.control.max_force);
        let pointing = of_target.orientation * self.ports.orientation;
        let turned = orientation::rotation_vector(of_chaser.orientation * pointing.conjugate());
        let spin = of_chaser.angular_velocity - of_target.angular_velocity;
        let torque =
            limited(-turned * self.control.stiffness - spin * self.control.damping, self.control.max_torque);
        commands.push(Command::Wrench { body: self.chaser, force, torque, frame: LoadFrame::World });
    }

    fn clone_box(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}
