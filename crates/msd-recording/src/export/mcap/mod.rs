//! MCAP for Foxglove: `/tf` with the pose of every body, `/scene` with their geometry, `/energy`, `/contacts`.
//!
//! Messages are JSON; poses and geometry follow the schemas `foxglove.FrameTransforms` and `foxglove.SceneUpdate`, so
//! that a 3D panel shows them without any setting. Time is simulated time, nanoseconds from 0.

mod container;
mod scene;
mod schemas;

use std::io::Write;

use msd::physics::rigid_body::InertialState;
use serde_json::{Value, json};

use crate::{Frame, RecordedBody, Recording, RecordingError};
use container::Container;

pub(super) fn write(recording: &Recording, out: &mut dyn Write) -> Result<(), RecordingError> {
    let mut file = Container::begin(out)?;
    let tf = file.channel("/tf", "foxglove.FrameTransforms", schemas::FRAME_TRANSFORMS)?;
    let scene = file.channel("/scene", "foxglove.SceneUpdate", schemas::SCENE_UPDATE)?;
    let energy = file.channel("/energy", "msd.Energy", schemas::ENERGY)?;
    let contacts = file.channel("/contacts", "msd.Contacts", schemas::CONTACTS)?;
    let start = nanoseconds(recording.span().0);
    file.message(scene, start, &scene::update(recording, timestamp(start))?)?;
    recording.for_each_frame(|frame| {
        let time = nanoseconds(frame.summary.time);
        file.message(tf, time, &transforms(recording, frame, timestamp(time)))?;
        file.message(energy, time, &self::energy(frame))?;
        if !recording.joints().is_empty() || !frame.contacts.is_empty() {
            file.message(contacts, time, &self::contacts(recording, frame))?;
        }
        Ok(true)
    })?;
    file.end()
}

fn nanoseconds(seconds: f64) -> u64 {
    (seconds * 1e9).round() as u64
}

fn timestamp(nanoseconds: u64) -> Value {
    json!({ "sec": nanoseconds / 1_000_000_000, "nsec": nanoseconds % 1_000_000_000 })
}

fn vector(v: msd::math::Vec3) -> Value {
    json!({ "x": v.x, "y": v.y, "z": v.z })
}

fn transforms(recording: &Recording, frame: &Frame, time: Value) -> Value {
    let transform = |(body, state): (&RecordedBody, &InertialState)| {
        let pose = body.frame(state);
        let q = pose.orientation;
        json!({
            "timestamp": time,
            "parent_frame_id": "world",
            "child_frame_id": body.name,
            "translation": vector(pose.position),
            "rotation": { "x": q.x, "y": q.y, "z": q.z, "w": q.w },
        })
    };
    let all: Vec<Value> = recording.bodies().iter().zip(&frame.states).map(transform).collect();
    json!({ "transforms": all })
}

fn energy(frame: &Frame) -> Value {
    let s = &frame.summary;
    json!({
        "kinetic": s.kinetic,
        "potential": s.potential,
        "total": s.total(),
        "work_in": s.work_in,
        "dissipated": s.dissipated,
        "correction": s.correction,
        "error": s.error,
        "max_gain": s.gain,
        "max_penetration": s.penetration,
        "max_residual": s.residual,
        "unconverged_steps": s.unconverged,
    })
}

fn contacts(recording: &Recording, frame: &Frame) -> Value {
    let name = |body: usize| recording.bodies()[body].name.as_str();
    let contacts = frame.contacts.iter().map(|contact| {
        json!({
            "a": name(contact.a),
            "b": name(contact.b),
            "position": vector(contact.position),
            "normal": vector(contact.normal),
            "gap": contact.gap,
            "normal_force": contact.normal_force,
            "friction_force": vector(contact.friction_force),
        })
    });
    let joints = recording.joints().iter().zip(&frame.reactions).map(|(joint, reaction)| {
        json!({
            "joint": joint.name,
            "force": vector(reaction.force),
            "torque": vector(reaction.torque),
        })
    });
    json!({ "contacts": contacts.collect::<Vec<_>>(), "joints": joints.collect::<Vec<_>>() })
}
