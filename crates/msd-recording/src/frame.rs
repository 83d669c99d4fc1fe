//! Contents of a frame for readers. SI units, world frame.

use msd::math::{Coordinate, Quat, Vec3};
use msd::physics::rigid_body::InertialState;

/// Figures of one frame. Those "since the previous frame" cover every step between, recorded or not.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameSummary {
    /// Number of steps since the start of the run.
    pub step: u64,
    /// s.
    pub time: f64,
    /// Length of the step that ended here, s; 0 for the start.
    pub dt: f64,
    /// Kinetic energy, J.
    pub kinetic: f64,
    /// Potential energy, J.
    pub potential: f64,
    /// Work put in since the start, J.
    pub work_in: f64,
    /// Dissipated since the start, J.
    pub dissipated: f64,
    /// Added by position correction since the start, J.
    pub correction: f64,
    /// Energy of the state minus expected energy of the ledger, J.
    pub error: f64,
    /// Largest unexplained rise of energy in one step since the previous frame, J.
    pub gain: f64,
    /// Contacts at this instant.
    pub contacts: u64,
    /// Deepest overlap since the previous frame, m.
    pub penetration: f64,
    /// Worst contact residual since the previous frame.
    pub residual: f64,
    /// Most iterations of the contact solver since the previous frame.
    pub iterations: u64,
    /// Steps since the previous frame whose contacts were not solved to tolerance.
    pub unconverged: u64,
    /// Worst position error of a joint since the previous frame, m.
    pub joint_position_error: f64,
    /// Worst angle error of a joint since the previous frame, rad.
    pub joint_angle_error: f64,
    /// CRC-32 of the states of all bodies that move, in order.
    pub(crate) checksum: u32,
}

impl FrameSummary {
    /// Kinetic plus potential energy, J.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// Numbers in the recorded state of a body: centre of mass (3), orientation w, x, y, z (4), velocity (3), angular
/// velocity (3).
pub(crate) const STATE_NUMBERS: usize = 13;

pub(crate) fn state_to_numbers(state: &InertialState) -> [f64; STATE_NUMBERS] {
    let (p, q, v, w) = (state.center_of_mass, state.orientation, state.velocity, state.angular_velocity);
    [p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z]
}

pub(crate) fn state_from_numbers(n: &[f64; STATE_NUMBERS]) -> InertialState {
    InertialState {
        center_of_mass: Vec3::new(n[0], n[1], n[2]),
        orientation: Quat::from_xyzw(n[4], n[5], n[6], n[3]),
        velocity: Vec3::new(n[7], n[8], n[9]),
        angular_velocity: Vec3::new(n[10], n[11], n[12]),
    }
}

/// A contact of a frame. Bodies are numbered as in [`crate::Recording::bodies`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// First body.
    pub a: usize,
    /// Second body.
    pub b: usize,
    /// Where, m.
    pub position: Coordinate,
    /// Unit, from A to B.
    pub normal: Vec3,
    /// Distance of the surfaces, negative for overlap, m.
    pub gap: f64,
    /// N, at least 0.
    pub normal_force: f64,
    /// On B, N.
    pub friction_force: Vec3,
}

/// Force and torque of a joint on its body B in the step that ended at the frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointReaction {
    /// N.
    pub force: Vec3,
    /// About the joint's anchor, N·m.
    pub torque: Vec3,
}

/// Kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum EventKind {
    /// Two bodies began to touch.
    ContactBegan = 1,
    /// Two bodies no longer touch.
    ContactEnded = 2,
    /// The contacts of a step were not solved to tolerance.
    Unconverged = 3,
}

impl EventKind {
    /// The word for it in exports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ContactBegan => "contact-began",
            Self::ContactEnded => "contact-ended",
            Self::Unconverged => "unconverged-step",
        }
    }

    pub(crate) fn from_number(number: u32) -> Option<Self> {
        [Self::ContactBegan, Self::ContactEnded, Self::Unconverged]
            .into_iter()
            .find(|kind| *kind as u32 == number)
    }
}

/// Something that happened in a step, recorded whether or not the step is a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// Number of the step, from 1.
    pub step: u64,
    /// Time at its end, s.
    pub time: f64,
    /// Kind of the element.
    pub kind: EventKind,
    /// The bodies it is about, as numbered in [`crate::Recording::bodies`].
    pub bodies: Option<(usize, usize)>,
}

/// One frame, whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Its number, from 0.
    pub index: u64,
    /// Its figures.
    pub summary: FrameSummary,
    /// State of every body, static ones too, in the order of [`crate::Recording::bodies`].
    pub states: Vec<InertialState>,
    /// Contacts.
    pub contacts: Vec<Contact>,
    /// Joint reactions in the order of [`crate::Recording::joints`].
    pub reactions: Vec<JointReaction>,
}
