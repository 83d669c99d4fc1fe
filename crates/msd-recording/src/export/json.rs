//! JSON: everything in one document, frame by frame.

use std::io::Write;

use serde_json::{Value, json};

use crate::model::kind_name;
use crate::{Frame, Recording, RecordingError};

pub(super) fn write(recording: &Recording, out: &mut dyn Write) -> Result<(), RecordingError> {
    let output = RecordingError::Output;
    let put = |out: &mut dyn Write, value: &Value| {
        serde_json::to_writer(out, value).map_err(|error| RecordingError::Output(error.into()))
    };
    let settings: serde_json::Map<String, Value> =
        recording.properties().map(|(name, value)| (name.to_owned(), value.clone())).collect();
    out.write_all(b"{\"format\":1,\"kind\":\"recording\",\n\"settings\":").map_err(output)?;
    put(out, &Value::Object(settings))?;
    out.write_all(b",\n\"bodies\":").map_err(output)?;
    put(out, &bodies(recording))?;
    out.write_all(b",\n\"joints\":").map_err(output)?;
    put(out, &joints(recording))?;
    out.write_all(b",\n\"events\":").map_err(output)?;
    put(out, &events(recording)?)?;
    out.write_all(b",\n\"frames\":[").map_err(output)?;
    let mut first = true;
    recording.for_each_frame(|frame| {
        out.write_all(if first { b"\n" } else { b",\n" }).map_err(output)?;
        first = false;
        put(out, &self::frame(recording, frame))?;
        Ok(true)
    })?;
    out.write_all(b"\n]}\n").map_err(output)
}

fn name(recording: &Recording, body: usize) -> &str {
    &recording.bodies()[body].name
}

fn bodies(recording: &Recording) -> Value {
    let body = |body: &crate::RecordedBody| {
        json!({
            "name": body.name,
            "kind": kind_name(body.kind),
            "mass": body.mass,
            "friction": body.friction,
            "restitution": body.restitution,
            "center_of_mass_local": body.center_of_mass_local.to_array(),
            "inertia_xx_yy_zz_xy_xz_yz": body.inertia_body,
        })
    };
    recording.bodies().iter().map(body).collect()
}

fn joints(recording: &Recording) -> Value {
    let end = |body: Option<usize>| body.map_or("world", |body| name(recording, body));
    let joint = |joint: &crate::RecordedJoint| json!({ "name": joint.name, "type": joint.kind, "a": end(joint.a), "b": end(joint.b) });
    recording.joints().iter().map(joint).collect()
}

fn events(recording: &Recording) -> Result<Value, RecordingError> {
    let event = |event: crate::Event| {
        let bodies = event.bodies.map(|(a, b)| [name(recording, a), name(recording, b)]);
        json!({ "step": event.step, "time": event.time, "event": event.kind.name(), "bodies": bodies })
    };
    Ok(recording.events()?.into_iter().map(event).collect())
}

fn frame(recording: &Recording, frame: &Frame) -> Value {
    let s = &frame.summary;
    let states = recording.bodies().iter().zip(&frame.states).map(|(body, state)| {
        let pose = body.frame(state);
        let q = pose.orientation;
        let value = json!({
            "position": pose.position.to_array(),
            "quat_wxyz": [q.w, q.x, q.y, q.z],
            "velocity": state.velocity.to_array(),
            "angular_velocity": state.angular_velocity.to_array(),
        });
        (body.name.clone(), value)
    });
    let contacts = frame.contacts.iter().map(|contact| {
        json!({
            "a": name(recording, contact.a),
            "b": name(recording, contact.b),
            "position": contact.position.to_array(),
            "normal": contact.normal.to_array(),
            "gap": contact.gap,
            "normal_force": contact.normal_force,
            "friction_force": contact.friction_force.to_array(),
        })
    });
    let reactions = recording.joints().iter().zip(&frame.reactions).map(|(joint, reaction)| {
        let value = json!({ "force": reaction.force.to_array(), "torque": reaction.torque.to_array() });
        (joint.name.clone(), value)
    });
    json!({
        "frame": frame.index,
        "step": s.step,
        "time": s.time,
        "energy": {
            "kinetic": s.kinetic,
            "potential": s.potential,
            "work_in": s.work_in,
            "dissipated": s.dissipated,
            "correction": s.correction,
            "error": s.error,
            "max_gain": s.gain,
        },
        "solver": {
            "max_penetration": s.penetration,
            "max_residual": s.residual,
            "max_iterations": s.iterations,
            "unconverged_steps": s.unconverged,
            "joint_position_error": s.joint_position_error,
            "joint_angle_error": s.joint_angle_error,
        },
        "bodies": states.collect::<serde_json::Map<String, Value>>(),
        "contacts": contacts.collect::<Vec<_>>(),
        "joints": reactions.collect::<serde_json::Map<String, Value>>(),
    })
}
