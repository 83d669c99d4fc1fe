//! Encoding of the inputs of a run: step length and commands of agents, written only when they change.
//!
//! An entry is the step it was first given before (u64, from 1), the length of that step (f64, s), the number of
//! commands (u32), then each command: one
//! byte for its kind (1 wrench, 2 force at a point, 3 kinematic target, 4 motor velocity, 5 kinematic velocity,
//! 6 control of an actuator, 7 limits of a joint, 8 change of a body, 9 joint enabled), the number of its body or joint (u32), and its numbers
//! (f64). Orientations are w, x, y, z. A change of a body is a length (u32) and as many bytes of JSON.

use msd::agent::Command;
use msd::math::{Quat, ReferenceFrame, Vec3};
use msd::physics::constraints::{ConstraintHandle, Limits};
use msd::physics::integration::LoadFrame;
use msd::physics::rigid_body::BodyHandle;

use super::envelope::EnvelopeError;

/// Step length and commands from a step on, until the next entry.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CommandEntry {
    /// First step they were given before, from 1.
    pub(crate) step: u64,
    /// Length of the steps, s.
    pub(crate) dt: f64,
    /// In the order they were applied.
    pub(crate) commands: Vec<Command>,
}

/// Which handle has which number, and back.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbering {
    pub(crate) bodies: Vec<BodyHandle>,
    pub(crate) joints: Vec<ConstraintHandle>,
}

impl Numbering {
    pub(crate) fn body(&self, handle: BodyHandle) -> Option<u32> {
        self.bodies.iter().position(|known| *known == handle).map(|i| i as u32)
    }

    fn joint(&self, handle: ConstraintHandle) -> Option<u32> {
        self.joints.iter().position(|known| *known == handle).map(|i| i as u32)
    }
}

const WRENCH_WORLD: u8 = 0;
const WRENCH_BODY: u8 = 1;

/// Appends an entry. A command on a body or joint that is not recorded was refused by the world and is left out.
pub(crate) fn encode(entry: &CommandEntry, numbering: &Numbering, bytes: &mut Vec<u8>) {
    bytes.extend(entry.step.to_le_bytes());
    bytes.extend(entry.dt.to_le_bytes());
    let count_at = bytes.len();
    bytes.extend([0; 4]);
    let mut count = 0_u32;
    for command in &entry.commands {
        let mut put = |kind: u8, number: Option<u32>, vectors: &[f64]| {
            let Some(number) = number else { return };
            bytes.push(kind);
            bytes.extend(number.to_le_bytes());
            bytes.extend(vectors.iter().flat_map(|value| value.to_le_bytes()));
            count += 1;
        };
        match command.clone() {
            Command::Wrench { body, force: f, torque: t, frame } => {
                let kind = 1 | (if frame == LoadFrame::Body { WRENCH_BODY } else { WRENCH_WORLD }) << 4;
                put(kind, numbering.body(body), &[f.x, f.y, f.z, t.x, t.y, t.z]);
            }
            Command::ForceAt { body, force_body: f, point_local: p } => {
                put(2, numbering.body(body), &[f.x, f.y, f.z, p.x, p.y, p.z]);
            }
            Command::KinematicTarget { body, frame } => {
                let (p, q) = (frame.position, frame.orientation);
                put(3, numbering.body(body), &[p.x, p.y, p.z, q.w, q.x, q.y, q.z]);
            }
            Command::MotorVelocity { joint, velocity } => put(4, numbering.joint(joint), &[velocity]),
            Command::Control { actuator, control } => put(6, numbering.joint(actuator), &[control]),
            Command::ChangeBody { body, change } => {
                let Some(number) = numbering.body(body) else { continue };
                // Changes are made of numbers and names, which can always be written.
                let text = serde_json::to_vec(&*change).expect("numbers and names");
                bytes.push(8);
                bytes.extend(number.to_le_bytes());
                bytes.extend((text.len() as u32).to_le_bytes());
                bytes.extend(text);
                count += 1;
            }
            Command::JointEnabled { joint, enabled } => {
                put(9, numbering.joint(joint), &[f64::from(u8::from(enabled))]);
            }
            Command::JointLimits { joint, limits } => {
                put(7, numbering.joint(joint), &[limits.min, limits.max]);
            }
            Command::KinematicVelocity { body, velocity: v, angular_velocity: w } => {
                put(5, numbering.body(body), &[v.x, v.y, v.z, w.x, w.y, w.z]);
            }
        }
    }
    bytes[count_at..count_at + 4].copy_from_slice(&count.to_le_bytes());
}

/// All entries of a payload.
pub(crate) fn decode(mut bytes: &[u8], numbering: &Numbering) -> Result<Vec<CommandEntry>, EnvelopeError> {
    let mut entries = Vec::new();
    while !bytes.is_empty() {
        let step = u64::from_le_bytes(take(&mut bytes)?);
        let dt = real(&mut bytes)?;
        let count = u32::from_le_bytes(take(&mut bytes)?);
        let mut commands = Vec::new();
        for _ in 0..count {
            commands.push(decode_one(&mut bytes, numbering)?);
        }
        entries.push(CommandEntry { step, dt, commands });
    }
    Ok(entries)
}

fn decode_one(bytes: &mut &[u8], numbering: &Numbering) -> Result<Command, EnvelopeError> {
    let [kind] = take::<1>(bytes)?;
    let number = u32::from_le_bytes(take(bytes)?) as usize;
    let body = || {
        let known = numbering.bodies.get(number).copied();
        known.ok_or_else(|| EnvelopeError::Value(format!("a command to body {number}, which is not there")))
    };
    let joint = || {
        let known = numbering.joints.get(number).copied();
        known.ok_or_else(|| EnvelopeError::Value(format!("a command to joint {number}, which is not there")))
    };
    let mut vector = || Ok(Vec3::new(real(bytes)?, real(bytes)?, real(bytes)?));
    Ok(match kind {
        0x01 | 0x11 => {
            let frame = if kind >> 4 == WRENCH_BODY { LoadFrame::Body } else { LoadFrame::World };
            Command::Wrench { body: body()?, force: vector()?, torque: vector()?, frame }
        }
        2 => Command::ForceAt { body: body()?, force_body: vector()?, point_local: vector()? },
        3 => {
            let position = vector()?;
            let [w, x, y, z] = [real(bytes)?, real(bytes)?, real(bytes)?, real(bytes)?];
            let frame = ReferenceFrame { position, orientation: Quat::from_xyzw(x, y, z, w) };
            Command::KinematicTarget { body: body()?, frame }
        }
        4 => Command::MotorVelocity { joint: joint()?, velocity: real(bytes)? },
        6 => Command::Control { actuator: joint()?, control: real(bytes)? },
        8 => {
            let body = body()?;
            let length = u32::from_le_bytes(take(bytes)?) as usize;
            let Some((text, rest)) = bytes.split_at_checked(length) else {
                return Err(EnvelopeError::Value("the commands end in the middle of one".to_owned()));
            };
            *bytes = rest;
            let change = serde_json::from_slice(text)
                .map_err(|error| EnvelopeError::Value(format!("a change to a body: {error}")))?;
            Command::ChangeBody { body, change: Box::new(change) }
        }
        9 => Command::JointEnabled { joint: joint()?, enabled: real(bytes)? != 0.0 },
        7 => {
            let limits = Limits { min: real(bytes)?, max: real(bytes)? };
            Command::JointLimits { joint: joint()?, limits }
        }
        5 => Command::KinematicVelocity { body: body()?, velocity: vector()?, angular_velocity: vector()? },
        other => return Err(EnvelopeError::Value(format!("a command of unknown kind {other}"))),
    })
}

fn real(bytes: &mut &[u8]) -> Result<f64, EnvelopeError> {
    Ok(f64::from_le_bytes(take(bytes)?))
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], EnvelopeError> {
    let Some((first, rest)) = bytes.split_first_chunk::<N>() else {
        return Err(EnvelopeError::Value("the commands end in the middle of one".to_owned()));
    };
    *bytes = rest;
    Ok(*first)
}

#[cfg(test)]
mod tests {
    use msd::environment::BodyChange;

    use super::*;

    #[test]
    fn every_kind_of_command_comes_back() {
        let body = BodyHandle::new(1, 0, 0);
        let numbering = Numbering { bodies: vec![BodyHandle::new(1, 4, 0), body], joints: Vec::new() };
        let commands = vec![
            Command::Wrench { body, force: Vec3::X, torque: Vec3::Y, frame: LoadFrame::Body },
            Command::Wrench { body, force: Vec3::Z, torque: Vec3::ZERO, frame: LoadFrame::World },
            Command::ForceAt { body, force_body: Vec3::Z, point_local: Vec3::X },
            Command::KinematicTarget { body, frame: ReferenceFrame::IDENTITY },
            Command::KinematicVelocity { body, velocity: Vec3::X, angular_velocity: Vec3::Y },
            Command::ChangeBody { body, change: Box::new(BodyChange::Mass(0.1 + 0.2)) },
        ];
        let entries = [
            CommandEntry { step: 1, dt: 0.5, commands },
            CommandEntry { step: 9, dt: 0.1, commands: Vec::new() },
        ];
        let mut bytes = Vec::new();
        entries.iter().for_each(|entry| encode(entry, &numbering, &mut bytes));
        assert_eq!(decode(&bytes, &numbering).unwrap(), entries);
        for length in 1..bytes.len() {
            let cut = decode(&bytes[..length], &numbering);
            assert!(cut.is_err() || cut.is_ok_and(|read| read.len() < 2), "cut to {length}");
        }
    }
}
