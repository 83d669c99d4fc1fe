//! One frame as bytes: poses in one message, contacts and joints in a second one.
//!
//! Little endian. Poses: `u8` kind 1, `u8` version, `u16` 0, `u32` epoch, `u32` index, `u32` n; `f64` time, 3 × `f64`
//! origin; n × 13 `f32` (position of the body frame relative to the origin, quaternion x y z w, velocity of the centre of
//! mass, angular velocity); n × `u8` flags (1: asleep). Details: kind 2, the same 16 bytes with n contacts, `u32` joints,
//! `u32` 0; per contact `u32` a, `u32` b, `f32` position, normal, gap, normal force, friction force on B; per joint `f32`
//! anchor, force, torque, then position, velocity and force along its axis (not finite for a joint without one).

use msd::math::{Coordinate, ReferenceFrame, Vec3};

/// Version of the binary messages.
pub const VERSION: u8 = 2;
/// First byte of poses.
pub const KIND_POSES: u8 = 1;
/// First byte of contacts and joints.
pub const KIND_DETAILS: u8 = 2;
/// First byte of figures.
pub const KIND_FIGURES: u8 = 3;
/// Bytes before the poses.
pub const POSES_HEAD: usize = 48;
/// Bytes of one pose.
pub const POSE_BYTES: usize = 13 * 4;
/// Bytes before the contacts.
pub const DETAILS_HEAD: usize = 24;
/// Bytes of one contact.
pub const CONTACT_BYTES: usize = 8 + 11 * 4;
/// Bytes of one joint.
pub const JOINT_BYTES: usize = 12 * 4;
/// Contacts beyond these are left out of a frame, m and count: nobody can tell them apart.
pub const MAX_CONTACTS: usize = 20_000;
/// Bodies farther than this from the world's origin are sent relative to their mean, m.
const NEAR_ORIGIN: f64 = 1e4;

/// A body that moves, in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Of the body frame, world.
    pub frame: ReferenceFrame,
    /// Of the centre of mass, world, m/s.
    pub velocity: Vec3,
    /// World, rad/s.
    pub angular_velocity: Vec3,
    /// Set aside until something touches it.
    pub asleep: bool,
}

/// A contact of a frame; bodies by their number in the header.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// First body.
    pub a: u32,
    /// Second body.
    pub b: u32,
    /// World, m.
    pub position: Coordinate,
    /// Unit, from A to B.
    pub normal: Vec3,
    /// m; negative is overlap.
    pub gap: f64,
    /// N.
    pub normal_force: f64,
    /// On B, N.
    pub friction_force: Vec3,
}

/// A joint in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointLoad {
    /// World, m; not finite if unknown.
    pub anchor: Coordinate,
    /// On B, N.
    pub force: Vec3,
    /// On B about the anchor, N·m.
    pub torque: Vec3,
    /// Position (rad or m), velocity and force (N·m or N) along its axis; not finite without one, or if unknown.
    pub axis: [f64; 3],
}

/// A frame ready to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameBytes {
    /// Poses.
    pub poses: Vec<u8>,
    /// Contacts and joints.
    pub details: Vec<u8>,
}

impl FrameBytes {
    /// Encodes a frame. Epoch and index are filled in when it is sent ([`FrameBytes::numbered`]).
    #[must_use]
    pub fn encode(time: f64, poses: &[Pose], contacts: &[ContactPoint], joints: &[JointLoad]) -> Self {
        let origin = origin_of(poses);
        let contacts = &contacts[..contacts.len().min(MAX_CONTACTS)];
        let mut out = Writer::new(KIND_POSES, poses.len(), POSES_HEAD + poses.len() * (POSE_BYTES + 1));
        out.f64s(&[time]);
        out.f64s(&origin.to_array());
        for pose in poses {
            let q = pose.frame.orientation;
            out.vec(pose.frame.position - origin);
            out.f32s(&[q.x, q.y, q.z, q.w]);
            out.vec(pose.velocity);
            out.vec(pose.angular_velocity);
        }
        out.0.extend(poses.iter().map(|pose| u8::from(pose.asleep)));
        let poses = out.0;
        let size = DETAILS_HEAD + contacts.len() * CONTACT_BYTES + joints.len() * JOINT_BYTES;
        let mut out = Writer::new(KIND_DETAILS, contacts.len(), size);
        out.u32s(&[joints.len() as u32, 0]);
        for contact in contacts {
            out.u32s(&[contact.a, contact.b]);
            out.vec(contact.position - origin);
            out.vec(contact.normal);
            out.f32s(&[contact.gap, contact.normal_force]);
            out.vec(contact.friction_force);
        }
        for joint in joints {
            out.vec(joint.anchor - origin);
            out.vec(joint.force);
            out.vec(joint.torque);
            out.f32s(&joint.axis);
        }
        Self { poses, details: out.0 }
    }

    /// Copies of both messages with the number of the frame in them.
    #[must_use]
    pub fn numbered(&self, epoch: u32, index: u32) -> [Vec<u8>; 2] {
        [&self.poses, &self.details].map(|message| {
            let mut message = message.clone();
            message[4..8].copy_from_slice(&epoch.to_le_bytes());
            message[8..12].copy_from_slice(&index.to_le_bytes());
            message
        })
    }

    /// Bytes in memory.
    #[must_use]
    pub fn size(&self) -> usize {
        self.poses.len() + self.details.len()
    }

    /// World position that the positions in it are relative to, m.
    #[must_use]
    pub fn origin(&self) -> Coordinate {
        let number = |at: usize| {
            let bytes = self.poses.get(at..at + 8).and_then(|bytes| bytes.try_into().ok());
            bytes.map_or(0.0, f64::from_le_bytes)
        };
        Vec3::new(number(24), number(32), number(40))
    }

    /// Reads the poses back: time and poses to the precision they were sent with.
    #[must_use]
    pub fn decode_poses(&self) -> Option<(f64, Vec<Pose>)> {
        let bytes = &self.poses;
        let f64_at = |at: usize| Some(f64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
        let f32_at = |at: usize| Some(f64::from(f32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?)));
        let vec_at = |at: usize| Some(Vec3::new(f32_at(at)?, f32_at(at + 4)?, f32_at(at + 8)?));
        if bytes.first() != Some(&KIND_POSES) || bytes.get(1) != Some(&VERSION) {
            return None;
        }
        let count = u32::from_le_bytes(bytes.get(12..16)?.try_into().ok()?) as usize;
        let origin = Vec3::new(f64_at(24)?, f64_at(32)?, f64_at(40)?);
        let flags = bytes.get(POSES_HEAD + count.checked_mul(POSE_BYTES)?..)?;
        if flags.len() != count {
            return None;
        }
        let pose = |i: usize| {
            let at = POSES_HEAD + i * POSE_BYTES;
            let q = [f32_at(at + 12)?, f32_at(at + 16)?, f32_at(at + 20)?, f32_at(at + 24)?];
            Some(Pose {
                frame: ReferenceFrame {
                    position: origin + vec_at(at)?,
                    orientation: msd::math::Quat::from_xyzw(q[0], q[1], q[2], q[3]),
                },
                velocity: vec_at(at + 28)?,
                angular_velocity: vec_at(at + 40)?,
                asleep: flags[i] == 1,
            })
        };
        Some((f64_at(16)?, (0..count).map(pose).collect::<Option<_>>()?))
    }
}

/// The world's origin for a scene near it, otherwise the mean of all bodies.
fn origin_of(poses: &[Pose]) -> Coordinate {
    let far = |pose: &Pose| pose.frame.position.abs().max_element() > NEAR_ORIGIN;
    if !poses.iter().any(far) {
        return Coordinate::ZERO;
    }
    let sum = poses.iter().fold(Vec3::ZERO, |sum, pose| sum + pose.frame.position);
    sum / poses.len() as f64
}

struct Writer(Vec<u8>);

impl Writer {
    fn new(kind: u8, count: usize, size: usize) -> Self {
        let mut bytes = Vec::with_capacity(size);
        bytes.extend([kind, VERSION, 0, 0]);
        let mut writer = Self(bytes);
        writer.u32s(&[0, 0, count as u32]);
        writer
    }

    fn u32s(&mut self, numbers: &[u32]) {
        numbers.iter().for_each(|number| self.0.extend(number.to_le_bytes()));
    }

    fn f64s(&mut self, numbers: &[f64]) {
        numbers.iter().for_each(|number| self.0.extend(number.to_le_bytes()));
    }

    fn f32s(&mut self, numbers: &[f64]) {
        numbers.iter().for_each(|number| self.0.extend((*number as f32).to_le_bytes()));
    }

    fn vec(&mut self, vector: Vec3) {
        self.f32s(&vector.to_array());
    }
}

#[cfg(test)]
mod tests {
    use msd::math::Quat;
    use proptest::prelude::*;

    use super::*;

    fn pose(position: [f64; 3], asleep: bool) -> Pose {
        Pose {
            frame: ReferenceFrame {
                position: position.into(),
                orientation: Quat::from_xyzw(0.5, -0.5, 0.5, 0.5),
            },
            velocity: Vec3::new(7546.0, 0.25, -1.0),
            angular_velocity: Vec3::new(0.0, 2.0, 0.0),
            asleep,
        }
    }

    proptest! {
        /// f32 relative to the origin keeps a cloud of 4 km at 7 000 km to a millimetre, where f32 alone has half a metre.
        #[test]
        fn poses_in_orbit_are_kept_to_a_millimetre(
            offsets in prop::collection::vec(prop::array::uniform3(-2e3..2e3), 1..20),
            center in prop::array::uniform3(-7e6..7e6),
            time in 0.0..1e9,
        ) {
            let poses: Vec<Pose> = offsets
                .iter()
                .map(|offset| pose(std::array::from_fn(|i| center[i] + offset[i]), false))
                .collect();
            let (read_time, read) = FrameBytes::encode(time, &poses, &[], &[]).decode_poses().unwrap();
            prop_assert_eq!(read_time, time);
            for (sent, got) in poses.iter().zip(&read) {
                prop_assert!(sent.frame.position.distance(got.frame.position) < 1e-3);
                prop_assert!(sent.velocity.distance(got.velocity) < 1e-3);
            }
        }

        #[test]
        fn any_bytes_are_read_or_refused_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            let _ = FrameBytes { poses: bytes, details: Vec::new() }.decode_poses();
        }
    }

    #[test]
    fn near_the_origin_nothing_is_moved_and_flags_are_kept() {
        let poses = [pose([1.0, 2.0, 3.0], true), pose([0.0, -5.0, 0.5], false)];
        let bytes = FrameBytes::encode(0.5, &poses, &[], &[]);
        assert_eq!(bytes.decode_poses().unwrap(), (0.5, poses.to_vec()));
        assert_eq!(&bytes.poses[24..48], &[0_u8; 24], "the origin is the world's");
    }

    #[test]
    fn sizes_are_as_documented_and_numbers_are_filled_in() {
        let contact = ContactPoint {
            a: 3,
            b: 4,
            position: Vec3::X,
            normal: Vec3::Z,
            gap: -1e-9,
            normal_force: 9.81,
            friction_force: Vec3::Y,
        };
        let load =
            JointLoad { anchor: Vec3::ZERO, force: Vec3::X, torque: Vec3::Y, axis: [0.5, 0.0, f64::NAN] };
        let bytes = FrameBytes::encode(0.0, &[pose([0.0; 3], false)], &[contact; 2], &[load]);
        assert_eq!(bytes.poses.len(), POSES_HEAD + POSE_BYTES + 1);
        assert_eq!(bytes.details.len(), DETAILS_HEAD + 2 * CONTACT_BYTES + JOINT_BYTES);
        let [poses, details] = bytes.numbered(7, 258);
        assert_eq!((&poses[4..12], details[0]), (&[7, 0, 0, 0, 2, 1, 0, 0][..], KIND_DETAILS));
        assert_eq!(details[4..12], poses[4..12]);
    }
}
