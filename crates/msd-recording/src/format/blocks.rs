//! The numbers of a chunk of frames as bytes, and back.
//!
//! States are stored in blocks of bodies ([`Layout`]), each block body by body and each body frame by frame. Within a
//! state the order is centre of mass x y z, orientation w x y z, velocity x y z, angular velocity x y z.
//!
//! Encoders write into memory that is used again for the next BLOB.

use msd::math::Vec3;
use msd::physics::rigid_body::InertialState;

use super::envelope::{self, BlockPosition, EnvelopeError, Kind};
use super::layout::Layout;
use crate::frame::{Contact, Event, EventKind, FrameSummary, JointReaction, STATE_NUMBERS, state_to_numbers};

/// Bytes of one state.
pub(crate) const STATE_BYTES: usize = 8 * STATE_NUMBERS;
/// Bytes of one [`FrameSummary`].
pub(crate) const FRAME_BYTES: usize = 8 * 18;
/// Bytes of one contact: frame in the chunk, body A, body B, 0 (u32 each), then 11 numbers.
pub(crate) const CONTACT_BYTES: usize = 4 * 4 + 8 * 11;
/// Bytes of one event: step (u64), time (f64), kind, body A, body B, 0 (u32 each).
pub(crate) const EVENT_BYTES: usize = 32;
/// Numbers of one joint reaction: force x y z, torque x y z.
pub(crate) const REACTION_NUMBERS: usize = 6;
/// Stands for "no body" in an event.
const NOBODY: u32 = u32::MAX;

/// A contact on its way to a block, as small as it is there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactEntry {
    /// Frame index in the chunk.
    pub(crate) frame: u32,
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) position: Vec3,
    pub(crate) normal: Vec3,
    pub(crate) gap: f64,
    pub(crate) normal_force: f64,
    pub(crate) friction_force: Vec3,
}

/// CRC-32 of the states of one frame.
pub(crate) fn frame_checksum(states: &[InertialState]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    let mut bytes = [0_u8; 16 * STATE_BYTES];
    for part in states.chunks(16) {
        for (out, state) in bytes.chunks_exact_mut(STATE_BYTES).zip(part) {
            put_numbers(out, &state_to_numbers(state));
        }
        crc.update(&bytes[..STATE_BYTES * part.len()]);
    }
    crc.finalize()
}

pub(crate) fn encode_frames(frames: &[FrameSummary], place: BlockPosition, bytes: &mut Vec<u8>) {
    let records = envelope::begin(bytes, frames.len() * FRAME_BYTES).chunks_exact_mut(FRAME_BYTES);
    for (f, record) in frames.iter().zip(records) {
        let words = [
            f.step,
            f.time.to_bits(),
            f.dt.to_bits(),
            f.kinetic.to_bits(),
            f.potential.to_bits(),
            f.work_in.to_bits(),
            f.dissipated.to_bits(),
            f.correction.to_bits(),
            f.error.to_bits(),
            f.gain.to_bits(),
            f.contacts,
            f.penetration.to_bits(),
            f.residual.to_bits(),
            f.iterations,
            f.unconverged,
            f.joint_position_error.to_bits(),
            f.joint_angle_error.to_bits(),
            u64::from(f.checksum),
        ];
        for (out, word) in record.chunks_exact_mut(8).zip(words) {
            out.copy_from_slice(&word.to_le_bytes());
        }
    }
    envelope::close(bytes, Kind::Frames, place);
}

pub(crate) fn decode_frames(bytes: &[u8], place: BlockPosition) -> Result<Vec<FrameSummary>, EnvelopeError> {
    let payload = envelope::open(bytes, Kind::Frames, place)?;
    let count = place.frames.1 as usize;
    if payload.len() != count * FRAME_BYTES {
        return Err(EnvelopeError::Value(format!("{} bytes for {count} frames", payload.len())));
    }
    let frame = |record: &[u8]| {
        let whole = |i: usize| u64_at(record, 8 * i);
        let real = |i: usize| f64::from_bits(whole(i));
        FrameSummary {
            step: whole(0),
            time: real(1),
            dt: real(2),
            kinetic: real(3),
            potential: real(4),
            work_in: real(5),
            dissipated: real(6),
            correction: real(7),
            error: real(8),
            gain: real(9),
            contacts: whole(10),
            penetration: real(11),
            residual: real(12),
            iterations: whole(13),
            unconverged: whole(14),
            joint_position_error: real(15),
            joint_angle_error: real(16),
            checksum: whole(17) as u32,
        }
    };
    Ok(payload.chunks_exact(FRAME_BYTES).map(frame).collect())
}

/// Numbers, little-endian; on most machines a plain copy.
fn put_numbers(out: &mut [u8], numbers: &[f64]) {
    for (out, number) in out.chunks_exact_mut(8).zip(numbers) {
        out.copy_from_slice(&number.to_le_bytes());
    }
}

/// One block of states. `states` are those of the whole chunk, frame by frame.
pub(crate) fn encode_states(
    states: &[InertialState],
    layout: Layout,
    block: usize,
    place: BlockPosition,
    bytes: &mut Vec<u8>,
) {
    let frames = place.frames.1 as usize;
    let bodies = layout.bodies(block);
    let payload = envelope::begin(bytes, bodies.len() * frames * STATE_BYTES);
    for (body, history) in bodies.zip(payload.chunks_exact_mut(frames * STATE_BYTES)) {
        for (frame, state) in history.chunks_exact_mut(STATE_BYTES).enumerate() {
            put_numbers(state, &state_to_numbers(&states[frame * layout.moving + body]));
        }
    }
    envelope::close(bytes, Kind::States, place);
}

/// The payload of a block of states that has a state for each of its bodies and frames.
pub(crate) fn open_states(
    bytes: &[u8],
    layout: Layout,
    block: usize,
    place: BlockPosition,
) -> Result<&[u8], EnvelopeError> {
    let payload = envelope::open(bytes, Kind::States, place)?;
    let expected = layout.bodies(block).len() * place.frames.1 as usize * STATE_BYTES;
    if payload.len() != expected {
        return Err(EnvelopeError::Value(format!("{} bytes of states, expected {expected}", payload.len())));
    }
    Ok(payload)
}

/// One state of an opened block: of its `body`-th body at the `frame`-th of its `frames`.
pub(crate) fn state_at(payload: &[u8], body: usize, frame: usize, frames: usize) -> [f64; STATE_NUMBERS] {
    let at = (body * frames + frame) * STATE_BYTES;
    std::array::from_fn(|i| f64_at(payload, at + 8 * i))
}

/// Reactions of all joints, joint by joint and each frame by frame; `numbers` are frame by frame.
pub(crate) fn encode_reactions(numbers: &[f64], joints: usize, place: BlockPosition, bytes: &mut Vec<u8>) {
    let frames = place.frames.1 as usize;
    let payload = envelope::begin(bytes, 8 * numbers.len());
    for (i, reaction) in payload.chunks_exact_mut(8 * REACTION_NUMBERS).enumerate() {
        let (joint, frame) = (i / frames, i % frames);
        let at = (frame * joints + joint) * REACTION_NUMBERS;
        put_numbers(reaction, &numbers[at..at + REACTION_NUMBERS]);
    }
    envelope::close(bytes, Kind::Reactions, place);
}

/// For each joint, its reactions frame by frame.
pub(crate) fn decode_reactions(
    bytes: &[u8],
    joints: usize,
    place: BlockPosition,
) -> Result<Vec<Vec<JointReaction>>, EnvelopeError> {
    let payload = envelope::open(bytes, Kind::Reactions, place)?;
    let frames = place.frames.1 as usize;
    let size = 8 * REACTION_NUMBERS;
    if payload.len() != joints * frames * size {
        return Err(EnvelopeError::Value(format!("{} bytes for {joints} joints", payload.len())));
    }
    let reaction =
        |at: usize| JointReaction { force: vec3_at(payload, at), torque: vec3_at(payload, at + 24) };
    Ok((0..joints).map(|j| (0..frames).map(|f| reaction((j * frames + f) * size)).collect()).collect())
}

pub(crate) fn encode_contacts(contacts: &[ContactEntry], place: BlockPosition, bytes: &mut Vec<u8>) {
    let records = envelope::begin(bytes, contacts.len() * CONTACT_BYTES).chunks_exact_mut(CONTACT_BYTES);
    for (c, record) in contacts.iter().zip(records) {
        let (ids, numbers) = record.split_at_mut(16);
        for (out, id) in ids.chunks_exact_mut(4).zip([c.frame, c.a, c.b, 0]) {
            out.copy_from_slice(&id.to_le_bytes());
        }
        let (p, n, f) = (c.position, c.normal, c.friction_force);
        put_numbers(numbers, &[p.x, p.y, p.z, n.x, n.y, n.z, c.gap, c.normal_force, f.x, f.y, f.z]);
    }
    envelope::close(bytes, Kind::Contacts, place);
}

/// Contacts with the number of their frame within the chunk.
pub(crate) fn decode_contacts(
    bytes: &[u8],
    bodies: usize,
    place: BlockPosition,
) -> Result<Vec<(u32, Contact)>, EnvelopeError> {
    let payload = envelope::open(bytes, Kind::Contacts, place)?;
    let contact = |record: &[u8]| {
        let (frame, a, b) = (u32_at(record, 0), u32_at(record, 4) as usize, u32_at(record, 8) as usize);
        if frame >= place.frames.1 || a >= bodies || b >= bodies {
            return Err(EnvelopeError::Value(format!("a contact of bodies {a} and {b} in frame {frame}")));
        }
        let contact = Contact {
            a,
            b,
            position: vec3_at(record, 16),
            normal: vec3_at(record, 40),
            gap: f64_at(record, 64),
            normal_force: f64_at(record, 72),
            friction_force: vec3_at(record, 80),
        };
        Ok((frame, contact))
    };
    payload.chunks_exact(CONTACT_BYTES).map(contact).collect()
}

pub(crate) fn encode_events(events: &[Event], place: BlockPosition, bytes: &mut Vec<u8>) {
    let records = envelope::begin(bytes, events.len() * EVENT_BYTES).chunks_exact_mut(EVENT_BYTES);
    for (event, record) in events.iter().zip(records) {
        let (a, b) = event.bodies.map_or((NOBODY, NOBODY), |(a, b)| (a as u32, b as u32));
        record[..8].copy_from_slice(&event.step.to_le_bytes());
        record[8..16].copy_from_slice(&event.time.to_le_bytes());
        for (out, id) in record[16..].chunks_exact_mut(4).zip([event.kind as u32, a, b, 0]) {
            out.copy_from_slice(&id.to_le_bytes());
        }
    }
    envelope::close(bytes, Kind::Events, place);
}

pub(crate) fn decode_events(
    bytes: &[u8],
    bodies: usize,
    place: BlockPosition,
) -> Result<Vec<Event>, EnvelopeError> {
    let payload = envelope::open(bytes, Kind::Events, place)?;
    let event = |record: &[u8]| {
        let (kind, a, b) = (u32_at(record, 16), u32_at(record, 20), u32_at(record, 24));
        let kind = EventKind::from_number(kind)
            .ok_or_else(|| EnvelopeError::Value(format!("event of unknown kind {kind}")))?;
        let known = |body: u32| (body as usize) < bodies;
        let bodies = match (a, b) {
            (NOBODY, NOBODY) => None,
            (a, b) if known(a) && known(b) => Some((a as usize, b as usize)),
            _ => return Err(EnvelopeError::Value(format!("an event of bodies {a} and {b}"))),
        };
        Ok(Event { step: u64_at(record, 0), time: f64_at(record, 8), kind, bodies })
    };
    payload.chunks_exact(EVENT_BYTES).map(event).collect()
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let mut eight = [0; 8];
    eight.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(eight)
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn f64_at(bytes: &[u8], at: usize) -> f64 {
    f64::from_bits(u64_at(bytes, at))
}

fn vec3_at(bytes: &[u8], at: usize) -> Vec3 {
    Vec3::new(f64_at(bytes, at), f64_at(bytes, at + 8), f64_at(bytes, at + 16))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::frame::state_from_numbers;

    fn any_f64() -> impl Strategy<Value = f64> {
        any::<u64>().prop_map(f64::from_bits)
    }

    proptest! {
        #[test]
        fn states_come_back_bit_for_bit(moving in 1_usize..40, frames in 1_usize..20, seed in any::<u64>()) {
            let number = |i: usize| f64::from_bits(seed.wrapping_mul(i as u64 + 1));
            let state = |i: usize| state_from_numbers(&std::array::from_fn(|k| number(STATE_NUMBERS * i + k)));
            let states: Vec<InertialState> = (0..moving * frames).map(state).collect();
            let layout = Layout::of(moving);
            let mut bytes = vec![7; 3];
            for block in 0..layout.blocks() {
                let place = BlockPosition { key: block as u64, frames: (5, frames as u32) };
                encode_states(&states, layout, block, place, &mut bytes);
                let payload = open_states(&bytes, layout, block, place).unwrap();
                for body in layout.bodies(block) {
                    for frame in 0..frames {
                        let found = state_at(payload, layout.place(body).1, frame, frames);
                        let expected = state_to_numbers(&states[frame * moving + body]);
                        prop_assert!(found.iter().zip(expected).all(|(a, b)| a.to_bits() == b.to_bits()));
                    }
                }
            }
        }

        #[test]
        fn figures_come_back(step in any::<u64>(), time in -1e9..1e9_f64, gain in any_f64(), n in any::<u64>()) {
            let frames = [FrameSummary { step, time, gain, contacts: n, checksum: 7, ..FrameSummary::default() }];
            let place = BlockPosition { key: 1, frames: (9, 1) };
            let mut bytes = Vec::new();
            encode_frames(&frames, place, &mut bytes);
            let read = decode_frames(&bytes, place).unwrap();
            prop_assert_eq!((read[0].step, read[0].time, read[0].contacts), (step, time, n));
            prop_assert_eq!(read[0].gain.to_bits(), gain.to_bits());
        }
    }

    #[test]
    fn contacts_events_and_reactions_come_back() {
        let place = BlockPosition { key: 3, frames: (10, 2) };
        let (position, normal) = (Vec3::new(1.0, 2.0, 3.0), Vec3::Z);
        let (gap, normal_force, friction_force) = (-1e-9, 9.81, Vec3::X);
        let entry =
            ContactEntry { frame: 0, a: 0, b: 1, position, normal, gap, normal_force, friction_force };
        let contact = Contact { a: 0, b: 1, position, normal, gap, normal_force, friction_force };
        let mut bytes = Vec::new();
        encode_contacts(&[entry, ContactEntry { frame: 1, gap: 0.5, ..entry }], place, &mut bytes);
        let expected = [(0, contact), (1, Contact { gap: 0.5, ..contact })];
        assert_eq!(decode_contacts(&bytes, 2, place).unwrap(), expected);
        assert!(decode_contacts(&bytes, 1, place).is_err(), "body 1 of 1");
        let event = Event { step: 4, time: 0.5, kind: EventKind::ContactBegan, bodies: Some((0, 1)) };
        let events = [event, Event { kind: EventKind::Unconverged, bodies: None, ..event }];
        encode_events(&events, place, &mut bytes);
        assert_eq!(decode_events(&bytes, 2, place).unwrap(), events);
        let numbers: Vec<f64> = (0..2 * 3 * 6).map(f64::from).collect();
        encode_reactions(&numbers, 3, place, &mut bytes);
        let read = decode_reactions(&bytes, 3, place).unwrap();
        assert_eq!(read[2][1].torque, Vec3::new(33.0, 34.0, 35.0));
        assert_eq!(read[0][0].force, Vec3::new(0.0, 1.0, 2.0));
    }
}
