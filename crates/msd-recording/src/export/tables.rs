//! A recording as flat tables.

use crate::{Recording, RecordingError};

/// A table of a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportTable {
    /// One row a frame and body: pose of the body frame, velocities.
    #[default]
    States,
    /// One row a frame: energies, contacts, solver figures.
    Frames,
    /// One row a contact.
    Contacts,
    /// One row a frame and joint: force and torque.
    Joints,
    /// One row an event.
    Events,
}

/// Type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnType {
    Integer,
    Real,
    Text,
}

/// One value of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cell<'a> {
    Integer(u64),
    Real(f64),
    Text(&'a str),
}

use ColumnType::{Integer, Real, Text};

const STATES: &[(&str, ColumnType)] = &[
    ("frame", Integer),
    ("time", Real),
    ("body", Text),
    ("x", Real),
    ("y", Real),
    ("z", Real),
    ("qw", Real),
    ("qx", Real),
    ("qy", Real),
    ("qz", Real),
    ("vx", Real),
    ("vy", Real),
    ("vz", Real),
    ("wx", Real),
    ("wy", Real),
    ("wz", Real),
];

const FRAMES: &[(&str, ColumnType)] = &[
    ("frame", Integer),
    ("step", Integer),
    ("time", Real),
    ("dt", Real),
    ("kinetic", Real),
    ("potential", Real),
    ("total", Real),
    ("work_in", Real),
    ("dissipated", Real),
    ("correction", Real),
    ("energy_error", Real),
    ("max_gain", Real),
    ("contacts", Integer),
    ("max_penetration", Real),
    ("max_residual", Real),
    ("max_iterations", Integer),
    ("unconverged_steps", Integer),
    ("joint_position_error", Real),
    ("joint_angle_error", Real),
];

const CONTACTS: &[(&str, ColumnType)] = &[
    ("frame", Integer),
    ("time", Real),
    ("body_a", Text),
    ("body_b", Text),
    ("x", Real),
    ("y", Real),
    ("z", Real),
    ("nx", Real),
    ("ny", Real),
    ("nz", Real),
    ("gap", Real),
    ("normal_force", Real),
    ("friction_x", Real),
    ("friction_y", Real),
    ("friction_z", Real),
];

const JOINTS: &[(&str, ColumnType)] = &[
    ("frame", Integer),
    ("time", Real),
    ("joint", Text),
    ("force_x", Real),
    ("force_y", Real),
    ("force_z", Real),
    ("torque_x", Real),
    ("torque_y", Real),
    ("torque_z", Real),
];

const EVENTS: &[(&str, ColumnType)] =
    &[("step", Integer), ("time", Real), ("event", Text), ("body_a", Text), ("body_b", Text)];

type Visit<'v> = &'v mut dyn FnMut(&[Cell<'_>]) -> Result<(), RecordingError>;

impl ExportTable {
    /// All tables with their names.
    pub const ALL: [(&'static str, Self); 5] = [
        ("states", Self::States),
        ("frames", Self::Frames),
        ("contacts", Self::Contacts),
        ("joints", Self::Joints),
        ("events", Self::Events),
    ];

    pub(super) fn columns(self) -> &'static [(&'static str, ColumnType)] {
        match self {
            Self::States => STATES,
            Self::Frames => FRAMES,
            Self::Contacts => CONTACTS,
            Self::Joints => JOINTS,
            Self::Events => EVENTS,
        }
    }

    /// Every row in order.
    pub(super) fn for_each_row(self, recording: &Recording, visit: Visit<'_>) -> Result<(), RecordingError> {
        match self {
            Self::States => states(recording, visit),
            Self::Frames => frames(recording, visit),
            Self::Contacts => contacts(recording, visit),
            Self::Joints => joints(recording, visit),
            Self::Events => events(recording, visit),
        }
    }
}

fn states(recording: &Recording, visit: Visit<'_>) -> Result<(), RecordingError> {
    recording.for_each_frame(|frame| {
        for (body, state) in recording.bodies().iter().zip(&frame.states) {
            let pose = body.frame(state);
            let (p, q) = (pose.position, pose.orientation);
            let (v, w) = (state.velocity, state.angular_velocity);
            let numbers = [p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z];
            let mut row =
                vec![Cell::Integer(frame.index), Cell::Real(frame.summary.time), Cell::Text(&body.name)];
            row.extend(numbers.map(Cell::Real));
            visit(&row)?;
        }
        Ok(true)
    })
}

fn frames(recording: &Recording, visit: Visit<'_>) -> Result<(), RecordingError> {
    for (index, f) in (0..).zip(recording.summaries()?) {
        visit(&[
            Cell::Integer(index),
            Cell::Integer(f.step),
            Cell::Real(f.time),
            Cell::Real(f.dt),
            Cell::Real(f.kinetic),
            Cell::Real(f.potential),
            Cell::Real(f.total()),
            Cell::Real(f.work_in),
            Cell::Real(f.dissipated),
            Cell::Real(f.correction),
            Cell::Real(f.error),
            Cell::Real(f.gain),
            Cell::Integer(f.contacts),
            Cell::Real(f.penetration),
            Cell::Real(f.residual),
            Cell::Integer(f.iterations),
            Cell::Integer(f.unconverged),
            Cell::Real(f.joint_position_error),
            Cell::Real(f.joint_angle_error),
        ])?;
    }
    Ok(())
}

fn contacts(recording: &Recording, visit: Visit<'_>) -> Result<(), RecordingError> {
    let name = |body: usize| Cell::Text(&recording.bodies()[body].name);
    recording.for_each_frame(|frame| {
        for contact in &frame.contacts {
            let (p, n, f) = (contact.position, contact.normal, contact.friction_force);
            let numbers = [p.x, p.y, p.z, n.x, n.y, n.z, contact.gap, contact.normal_force, f.x, f.y, f.z];
            let mut row = vec![
                Cell::Integer(frame.index),
                Cell::Real(frame.summary.time),
                name(contact.a),
                name(contact.b),
            ];
            row.extend(numbers.map(Cell::Real));
            visit(&row)?;
        }
        Ok(true)
    })
}

fn joints(recording: &Recording, visit: Visit<'_>) -> Result<(), RecordingError> {
    recording.for_each_frame(|frame| {
        for (joint, reaction) in recording.joints().iter().zip(&frame.reactions) {
            let (f, t) = (reaction.force, reaction.torque);
            let mut row =
                vec![Cell::Integer(frame.index), Cell::Real(frame.summary.time), Cell::Text(&joint.name)];
            row.extend([f.x, f.y, f.z, t.x, t.y, t.z].map(Cell::Real));
            visit(&row)?;
        }
        Ok(true)
    })
}

fn events(recording: &Recording, visit: Visit<'_>) -> Result<(), RecordingError> {
    for event in recording.events()? {
        let name = |body: Option<usize>| Cell::Text(body.map_or("", |body| &recording.bodies()[body].name));
        let (a, b) = event.bodies.map_or((None, None), |(a, b)| (Some(a), Some(b)));
        visit(&[
            Cell::Integer(event.step),
            Cell::Real(event.time),
            Cell::Text(event.kind.name()),
            name(a),
            name(b),
        ])?;
    }
    Ok(())
}
