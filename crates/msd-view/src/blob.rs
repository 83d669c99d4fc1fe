//! A run in few bytes: poses as whole numbers of a small step, second differences, deflated.
//!
//! Before deflating, little endian: `u32` magic, `u32` version, `u32` frames n, `u32` bodies m, `f64` step of positions (m),
//! `f64` step of quaternion components; n rows of figures; n origins of 3 `f64`; then for every body and each of its seven
//! numbers (position relative to the origin of the frame, quaternion x y z w) n second differences in time as zigzag
//! variable-length integers. A body that rests or moves steadily costs a byte a number, which deflate takes away.
//!
//! Then contacts and joints: for every frame `u32` contacts and `u32` joints; then the 32-bit words of all contacts of
//! all frames and of all joints of all frames ([`crate::frame`] has their layouts), word by word and byte by byte: the
//! lowest bytes of the first word of all contacts, their second bytes, and so on. Positions are relative to the origins
//! above. Numbers keep [`POSITION_BITS`] and [`FORCE_BITS`] bits of their mantissas, so that the rest deflates away.

use msd::math::Vec3;

use crate::figures::FigureRow;
use crate::frame::{CONTACT_BYTES, DETAILS_HEAD, JOINT_BYTES, Pose};

/// "MSDV".
const MAGIC: u32 = 0x5644_534d;
const VERSION: u32 = 2;
/// Quaternion components are multiples of this: turns are kept to 0.01°.
const QUAT_STEP: f64 = 1.0 / 16_384.0;

/// Bits of the mantissa that positions of contacts and joints keep: 8e-6 of them.
const POSITION_BITS: u32 = 16;
/// Bits of the mantissa that normals, gaps, forces and torques keep: 2e-4 of them.
const FORCE_BITS: u32 = 11;
/// Words of a contact: two bodies, then numbers.
const CONTACT_WORDS: usize = CONTACT_BYTES / 4;
/// Words of a joint.
const JOINT_WORDS: usize = JOINT_BYTES / 4;

/// A packed run.
#[derive(Clone, Debug, PartialEq)]
pub struct Blob {
    /// Deflated.
    pub bytes: Vec<u8>,
    /// Largest distance between a position and the one on the page, m.
    pub position_error: f64,
    /// Largest angle between an orientation and the one on the page, rad.
    pub angle_error: f64,
}

/// One frame to be packed.
#[derive(Clone, Debug, PartialEq)]
pub struct BlobFrame {
    /// Its figures; the first is the time.
    pub figures: FigureRow,
    /// All bodies that move, the same in every frame.
    pub poses: Vec<Pose>,
    /// Contacts and joints as [`crate::frame`] encodes them, with positions relative to `details_origin`; or empty.
    pub details: Vec<u8>,
    /// World, m.
    pub details_origin: Vec3,
}

/// Packs frames with positions in multiples of `step` metres.
#[must_use]
pub fn pack(frames: &[BlobFrame], step: f64) -> Blob {
    let bodies = frames.first().map_or(0, |frame| frame.poses.len());
    let origins: Vec<Vec3> = frames.iter().map(|frame| mean(&frame.poses)).collect();
    let mut raw = Vec::new();
    for number in [MAGIC, VERSION, frames.len() as u32, bodies as u32] {
        raw.extend(number.to_le_bytes());
    }
    let origin_numbers = origins.iter().flat_map(|origin| origin.to_array());
    let figures = frames.iter().flat_map(|frame| frame.figures);
    for number in [step, QUAT_STEP].into_iter().chain(figures).chain(origin_numbers) {
        raw.extend(number.to_le_bytes());
    }
    let (mut position_error, mut angle_error) = (0.0_f64, 0.0_f64);
    for body in 0..bodies {
        let mut columns: [Vec<i64>; 7] = Default::default();
        let mut previous = [0.0; 4];
        for (frame, origin) in frames.iter().zip(&origins) {
            let pose = &frame.poses[body];
            let relative = pose.frame.position - *origin;
            let q = pose.frame.orientation;
            let mut quat = [q.x, q.y, q.z, q.w];
            // q and -q are the same; the one nearer to the frame before has small differences.
            if quat.iter().zip(previous).map(|(a, b)| a * b).sum::<f64>() < 0.0 {
                quat = quat.map(|component| -component);
            }
            previous = quat;
            let place = relative.to_array().map(|x| (x / step).round());
            let turn = quat.map(|component| (component / QUAT_STEP).round());
            let shown = Vec3::from(place.map(|whole| whole * step));
            position_error = position_error.max(shown.distance(relative));
            let length = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
            let chord = turn.iter().zip(quat).map(|(a, b)| (a / length - b).powi(2)).sum::<f64>().sqrt();
            angle_error = angle_error.max(2.0 * chord);
            let all = place.into_iter().chain(turn);
            columns.iter_mut().zip(all).for_each(|(column, whole)| column.push(whole as i64));
        }
        columns.iter().for_each(|column| second_differences(column, &mut raw));
    }
    pack_details(frames, &origins, &mut raw);
    Blob { bytes: miniz_oxide::deflate::compress_to_vec(&raw, 9), position_error, angle_error }
}

/// Appends the contacts and joints of all frames.
fn pack_details(frames: &[BlobFrame], origins: &[Vec3], raw: &mut Vec<u8>) {
    let (mut contacts, mut joints): (Vec<[u32; CONTACT_WORDS]>, Vec<[u32; JOINT_WORDS]>) = Default::default();
    for (frame, origin) in frames.iter().zip(origins) {
        let shift = (frame.details_origin - *origin).to_array();
        let words: Vec<u32> =
            frame.details.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        let count = |word: usize| words.get(word).copied().unwrap_or(0);
        let (contact_count, joint_count) = (count(3), count(4));
        raw.extend(contact_count.to_le_bytes());
        raw.extend(joint_count.to_le_bytes());
        let body = words.get(DETAILS_HEAD / 4..).unwrap_or_default();
        let (of_contacts, of_joints) = body.split_at(contact_count as usize * CONTACT_WORDS);
        for words in of_contacts.as_chunks::<CONTACT_WORDS>().0 {
            contacts.push(std::array::from_fn(|word| match word {
                0 | 1 => words[word],
                2..5 => shortened(words[word], shift[word - 2], POSITION_BITS),
                _ => shortened(words[word], 0.0, FORCE_BITS),
            }));
        }
        for words in of_joints.as_chunks::<JOINT_WORDS>().0 {
            joints.push(std::array::from_fn(|word| match word {
                0..3 => shortened(words[word], shift[word], POSITION_BITS),
                9 => shortened(words[word], 0.0, POSITION_BITS),
                _ => shortened(words[word], 0.0, FORCE_BITS),
            }));
        }
    }
    planes(&contacts, raw);
    planes(&joints, raw);
}

/// An `f32` moved by `shift`, with the highest `bits` of its mantissa, rounded to nearest.
fn shortened(word: u32, shift: f64, bits: u32) -> u32 {
    let moved = (f64::from(f32::from_bits(word)) + shift) as f32;
    if !moved.is_finite() {
        return moved.to_bits();
    }
    let dropped = 23 - bits;
    let rounded = moved.to_bits().saturating_add(1 << (dropped - 1));
    rounded >> dropped << dropped
}

/// The words of all records, transposed to planes of bytes.
fn planes<const N: usize>(records: &[[u32; N]], raw: &mut Vec<u8>) {
    for word in 0..N {
        for byte in 0..4 {
            raw.extend(records.iter().map(|record| (record[word] >> (8 * byte)) as u8));
        }
    }
}

fn mean(poses: &[Pose]) -> Vec3 {
    let sum = poses.iter().fold(Vec3::ZERO, |sum, pose| sum + pose.frame.position);
    if poses.is_empty() { Vec3::ZERO } else { sum / poses.len() as f64 }
}

fn second_differences(column: &[i64], out: &mut Vec<u8>) {
    let (mut last, mut slope) = (0_i64, 0_i64);
    for (i, number) in column.iter().enumerate() {
        let difference = number.wrapping_sub(last);
        // The second number has no slope before it that would foretell anything.
        variable_length(if i < 2 { difference } else { difference.wrapping_sub(slope) }, out);
        (last, slope) = (*number, difference);
    }
}

/// Seven bits a byte, the sign in the lowest bit.
fn variable_length(number: i64, out: &mut Vec<u8>) {
    let mut left = ((number << 1) ^ (number >> 63)) as u64;
    while left >= 0x80 {
        out.push(left as u8 | 0x80);
        left >>= 7;
    }
    out.push(left as u8);
}

#[cfg(test)]
mod tests {
    use msd::math::{Quat, ReferenceFrame};
    use proptest::prelude::*;

    use super::*;
    use crate::frame::{ContactPoint, FrameBytes, JointLoad};

    /// The page's decoder, in short.
    fn unpack(blob: &Blob) -> Vec<Vec<([f64; 3], [f64; 4])>> {
        let raw = miniz_oxide::inflate::decompress_to_vec(&blob.bytes).unwrap();
        let u32_at = |at: usize| u32::from_le_bytes(raw[at..at + 4].try_into().unwrap()) as usize;
        let f64_at = |at: usize| f64::from_le_bytes(raw[at..at + 8].try_into().unwrap());
        let (frames, bodies, step, quat_step) = (u32_at(8), u32_at(12), f64_at(16), f64_at(24));
        let origins = 32 + frames * 14 * 8;
        let mut at = origins + frames * 24;
        let mut out = vec![vec![([0.0; 3], [0.0; 4]); bodies]; frames];
        for body in 0..bodies {
            for column in 0..7 {
                let (mut last, mut slope) = (0_i64, 0_i64);
                for (i, frame) in out.iter_mut().enumerate() {
                    let (mut bits, mut shift) = (0_u64, 0);
                    loop {
                        let byte = raw[at];
                        at += 1;
                        bits |= u64::from(byte & 0x7f) << shift;
                        shift += 7;
                        if byte < 0x80 {
                            break;
                        }
                    }
                    let number = (bits >> 1) as i64 ^ -((bits & 1) as i64);
                    let difference = if i < 2 { number } else { slope + number };
                    (last, slope) = (last + difference, difference);
                    if column < 3 {
                        frame[body].0[column] = f64_at(origins + i * 24 + column * 8) + last as f64 * step;
                    } else {
                        frame[body].1[column - 3] = last as f64 * quat_step;
                    }
                }
            }
        }
        // No contacts and no joints: two counts a frame.
        assert_eq!(at + 8 * frames, raw.len(), "every byte is read");
        out
    }

    fn still(position: Vec3, orientation: Quat) -> Pose {
        let frame = ReferenceFrame { position, orientation };
        Pose { frame, velocity: Vec3::ZERO, angular_velocity: Vec3::ZERO, asleep: false }
    }

    proptest! {
        /// The page has the precision that the file declares, on the ground and in orbit.
        #[test]
        fn the_error_is_what_it_says(
            path in prop::collection::vec((prop::array::uniform3(-50.0..50.0), prop::array::uniform4(-1.0..1.0)), 1..30),
            center in prop::array::uniform3(-7e6..7e6),
            step in 1e-6..1e-2,
        ) {
            let frames: Vec<BlobFrame> = path
                .iter()
                .map(|(offset, q)| {
                    let position = Vec3::from(center) + Vec3::from(*offset);
                    let quat = Quat::from_xyzw(q[0], q[1], q[2], q[3] + 2.0).normalize();
                    let poses = vec![still(position, quat), still(position - Vec3::splat(3.0), Quat::IDENTITY)];
                    BlobFrame { figures: [0.0; 14], poses, details: Vec::new(), details_origin: Vec3::ZERO }
                })
                .collect();
            let blob = pack(&frames, step);
            // Half a step in each direction, and the resolution of f64 at 7 000 km.
            prop_assert!(blob.position_error <= 0.5 * step * 3.0_f64.sqrt() + 1e-8);
            prop_assert!(blob.angle_error < 2e-4);
            for (frame, shown) in frames.iter().zip(unpack(&blob)) {
                for (pose, (position, quat)) in frame.poses.iter().zip(shown) {
                    let distance = pose.frame.position.distance(Vec3::from(position));
                    prop_assert!(distance <= blob.position_error + 4e-9, "{distance:e} > {:e}", blob.position_error);
                    let shown = Quat::from_xyzw(quat[0], quat[1], quat[2], quat[3]).normalize();
                    prop_assert!(shown.dot(pose.frame.orientation).abs() > 1.0 - 1e-8);
                }
            }
        }
    }

    #[test]
    fn contacts_and_joints_are_kept_to_their_bits_and_moved_to_the_origin_of_poses() {
        let contact = ContactPoint {
            a: 3,
            b: 400,
            position: Vec3::new(7e6 + 0.25, 1.0, -2.0),
            normal: Vec3::Z,
            gap: -1e-9,
            normal_force: 9.81,
            friction_force: Vec3::new(0.1, 0.0, -0.3),
        };
        let load = JointLoad {
            anchor: Vec3::new(7e6, 0.0, 0.0),
            force: Vec3::new(1.0, 2.0, 3.0),
            torque: Vec3::ZERO,
            axis: [1.25, f64::NAN, -7.0],
        };
        let poses = vec![still(Vec3::new(7e6 + 1.0, 0.0, 0.0), Quat::IDENTITY)];
        let bytes = FrameBytes::encode(0.0, &poses, &[contact, contact], &[load]);
        let frame = BlobFrame {
            figures: [0.0; 14],
            poses,
            details: bytes.details,
            details_origin: Vec3::new(7e6 + 1.0, 0.0, 0.0),
        };
        let blob = pack(&[frame], 1e-4);
        let raw = miniz_oxide::inflate::decompress_to_vec(&blob.bytes).unwrap();
        let at = raw.len() - 8 - 2 * CONTACT_BYTES - JOINT_BYTES;
        assert_eq!(raw[at..at + 8], [2, 0, 0, 0, 1, 0, 0, 0]);
        let word = |start: usize, records: usize, word: usize, record: usize| {
            let byte = |k: usize| raw[start + (4 * word + k) * records + record];
            u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)])
        };
        let (contacts, joints) = (at + 8, at + 8 + 2 * CONTACT_BYTES);
        assert_eq!((word(contacts, 2, 0, 1), word(contacts, 2, 1, 1)), (3, 400));
        let close = |bits: u32, expected: f64, share: f64| {
            let got = f64::from(f32::from_bits(bits));
            assert!((got - expected).abs() <= share * expected.abs() + 1e-30, "{got} {expected}");
        };
        // x relative to the body at 7 000 km + 1 m.
        for (k, x) in [-0.75, 1.0, -2.0].into_iter().enumerate() {
            close(word(contacts, 2, 2 + k, 0), x, 8e-6);
        }
        close(word(contacts, 2, 9, 1), 9.81, 2.5e-4);
        close(word(joints, 1, 0, 0), -1.0, 8e-6);
        close(word(joints, 1, 9, 0), 1.25, 8e-6);
        assert!(f32::from_bits(word(joints, 1, 10, 0)).is_nan(), "unknown stays unknown");
    }

    #[test]
    fn bodies_at_rest_cost_nothing() {
        let frame = |i: usize| {
            let mut figures = [0.0; 14];
            figures[0] = i as f64;
            let body = |j: usize| still(Vec3::new(j as f64, 0.1, 0.2), Quat::IDENTITY);
            let poses = (0..100).map(body).collect();
            BlobFrame { figures, poses, details: Vec::new(), details_origin: Vec3::ZERO }
        };
        let frames: Vec<BlobFrame> = (0..600).map(frame).collect();
        let per_body_and_frame = pack(&frames, 1e-5).bytes.len() as f64 / 60_000.0;
        assert!(per_body_and_frame < 0.1, "{per_body_and_frame} bytes");
    }
}
