//! A run in few bytes: poses as whole numbers of a small step, second differences, deflated.
//!
//! Before deflating, little endian: `u32` magic, `u32` version, `u32` frames n, `u32` bodies m, `f64` step of positions (m),
//! `f64` step of quaternion components; n rows of figures; n origins of 3 `f64`; then for every body and each of its seven
//! numbers (position relative to the origin of the frame, quaternion x y z w) n second differences in time as zigzag
//! variable-length integers. A body that rests or moves steadily costs a byte a number, which deflate takes away.

use msd::math::Vec3;

use crate::figures::FigureRow;
use crate::frame::Pose;

/// "MSDV".
const MAGIC: u32 = 0x5644_534d;
const VERSION: u32 = 1;
/// Quaternion components are multiples of this: turns are kept to 0.01°.
const QUAT_STEP: f64 = 1.0 / 16_384.0;

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
    Blob { bytes: miniz_oxide::deflate::compress_to_vec(&raw, 9), position_error, angle_error }
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
        assert_eq!(at, raw.len(), "every byte is read");
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
                    BlobFrame { figures: [0.0; 14], poses }
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
    fn bodies_at_rest_cost_nothing() {
        let frame = |i: usize| {
            let mut figures = [0.0; 14];
            figures[0] = i as f64;
            let body = |j: usize| still(Vec3::new(j as f64, 0.1, 0.2), Quat::IDENTITY);
            BlobFrame { figures, poses: (0..100).map(body).collect() }
        };
        let frames: Vec<BlobFrame> = (0..600).map(frame).collect();
        let per_body_and_frame = pack(&frames, 1e-5).bytes.len() as f64 / 60_000.0;
        assert!(per_body_and_frame < 0.1, "{per_body_and_frame} bytes");
    }
}
