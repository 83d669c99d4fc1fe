//! Pitch, roll and yaw: orientation and its rates as people state them.
//!
//! Intrinsic Z-Y-X: yaw about Z, then pitch about the new Y, then roll about the new X, so
//! `q = q_z(yaw) ⊗ q_y(pitch) ⊗ q_x(roll)`, body to world. It is an interface only; the simulated orientation is
//! always the unit quaternion. At pitch = ±90° (gimbal lock) yaw and roll turn about the same axis: only their
//! difference (or sum) is defined, and the conversion puts all of it into yaw with roll = 0.

use serde::{Deserialize, Serialize};
use std::f64::consts::{FRAC_PI_2, PI};

use super::{Angle, Quat, Vec3, scalar};
use crate::tolerance;

/// Pitch, roll and yaw in radians.
///
/// A component is brought back to (-π, π] only once it passes [`tolerance::ANGLE_WRAP_LIMIT`] (100π): a
/// manoeuvre of several turns stays continuous, and a component that only grows never loses precision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AngularCoordinate {
    pitch: f64,
    roll: f64,
    yaw: f64,
}

fn wrap_when_large(radians: f64) -> f64 {
    if radians.abs() > tolerance::ANGLE_WRAP_LIMIT {
        Angle::from_radians(radians).normalized().radians()
    } else {
        radians
    }
}

impl AngularCoordinate {
    /// From pitch (about Y), roll (about X) and yaw (about Z).
    #[must_use]
    pub fn new(pitch: Angle, roll: Angle, yaw: Angle) -> Self {
        Self {
            pitch: wrap_when_large(pitch.radians()),
            roll: wrap_when_large(roll.radians()),
            yaw: wrap_when_large(yaw.radians()),
        }
    }

    /// Rotation about the body's Y axis.
    #[must_use]
    pub fn pitch(self) -> Angle {
        Angle::from_radians(self.pitch)
    }

    /// Rotation about the body's X axis.
    #[must_use]
    pub fn roll(self) -> Angle {
        Angle::from_radians(self.roll)
    }

    /// Rotation about the Z axis.
    #[must_use]
    pub fn yaw(self) -> Angle {
        Angle::from_radians(self.yaw)
    }

    /// All three components brought into (-π, π].
    #[must_use]
    pub fn normalized(self) -> Self {
        Self::new(self.pitch().normalized(), self.roll().normalized(), self.yaw().normalized())
    }

    /// These angles after `dt` seconds at constant component rates. For drawing dials, not for dynamics.
    #[must_use]
    pub fn advanced(self, rate: AngularRate, dt: f64) -> Self {
        Self {
            pitch: wrap_when_large(self.pitch + rate.pitch * dt),
            roll: wrap_when_large(self.roll + rate.roll * dt),
            yaw: wrap_when_large(self.yaw + rate.yaw * dt),
        }
    }

    /// The unit quaternion, body to world.
    #[must_use]
    pub fn to_quaternion(self) -> Quat {
        let (sy, cy) = scalar::sin_cos(self.yaw * 0.5);
        let (sp, cp) = scalar::sin_cos(self.pitch * 0.5);
        let (sr, cr) = scalar::sin_cos(self.roll * 0.5);
        Quat::from_xyzw(
            cy * cp * sr - sy * sp * cr,
            cy * sp * cr + sy * cp * sr,
            sy * cp * cr - cy * sp * sr,
            cy * cp * cr + sy * sp * sr,
        )
    }

    /// The angles of a unit quaternion: pitch in [-π/2, π/2], roll and yaw in (-π, π].
    ///
    /// Within about 1e-8 rad of gimbal lock roll is returned as zero and yaw takes the whole remaining turn; the
    /// orientation they describe is still the one given.
    #[must_use]
    pub fn from_quaternion(q: Quat) -> Self {
        let (w, x, y, z) = (q.w, q.x, q.y, q.z);
        // Entries of the rotation matrix R = R_z(yaw) R_y(pitch) R_x(roll).
        let r31 = 2.0 * (x * z - w * y);
        let r11 = 1.0 - 2.0 * (y * y + z * z);
        let r21 = 2.0 * (x * y + w * z);
        let cos_pitch = scalar::hypot(r11, r21);
        let pitch = scalar::atan2(-r31, cos_pitch);
        if cos_pitch < tolerance::GIMBAL_LOCK {
            // R collapses to a rotation by yaw ∓ roll about Z; with roll = 0 it is 2 atan2(z, w) when pitch is
            // ±π/2 (q = q_z q_y: z = sin(yaw/2) cos(pitch/2), w = cos(yaw/2) cos(pitch/2) up to the roll part).
            let yaw = 2.0 * scalar::atan2(z - scalar::sin(pitch) * x, w + scalar::sin(pitch) * y);
            let yaw = Angle::from_radians(yaw).normalized().radians();
            return Self { pitch: if r31 < 0.0 { FRAC_PI_2 } else { -FRAC_PI_2 }, roll: 0.0, yaw };
        }
        let r32 = 2.0 * (y * z + w * x);
        let r33 = 1.0 - 2.0 * (x * x + y * y);
        Self { pitch, roll: scalar::atan2(r32, r33), yaw: scalar::atan2(r21, r11) }
    }

    /// True if every component is finite.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.pitch.is_finite() && self.roll.is_finite() && self.yaw.is_finite()
    }
}

/// Rates of pitch, roll and yaw in rad/s. Never normalised: 100 turns a second are not none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AngularRate {
    /// Rate of pitch, rad/s.
    pub pitch: f64,
    /// Rate of roll, rad/s.
    pub roll: f64,
    /// Rate of yaw, rad/s.
    pub yaw: f64,
}

impl AngularRate {
    /// From the three rates in rad/s.
    #[must_use]
    pub const fn new(pitch: f64, roll: f64, yaw: f64) -> Self {
        Self { pitch, roll, yaw }
    }

    /// The world-frame angular velocity of a body at `angles` whose angles change at these rates:
    /// `ω = yaw' ẑ + pitch' R_z ŷ + roll' R_z R_y x̂`.
    #[must_use]
    pub fn to_angular_velocity(self, angles: AngularCoordinate) -> Vec3 {
        let (sy, cy) = angles.yaw().sin_cos();
        let (sp, cp) = angles.pitch().sin_cos();
        Vec3::new(-sy, cy, 0.0) * self.pitch
            + Vec3::new(cy * cp, sy * cp, -sp) * self.roll
            + Vec3::new(0.0, 0.0, self.yaw)
    }

    /// The rates of the angles of a body at `angles` turning at the world-frame `angular_velocity`; `None` at
    /// gimbal lock, where they are not defined.
    #[must_use]
    pub fn from_angular_velocity(angular_velocity: Vec3, angles: AngularCoordinate) -> Option<Self> {
        let (sy, cy) = angles.yaw().sin_cos();
        let (sp, cp) = angles.pitch().sin_cos();
        if cp.abs() < tolerance::GIMBAL_LOCK {
            return None;
        }
        let along_heading = cy * angular_velocity.x + sy * angular_velocity.y;
        let roll = along_heading / cp;
        Some(Self {
            pitch: cy * angular_velocity.y - sy * angular_velocity.x,
            roll,
            yaw: angular_velocity.z + roll * sp,
        })
    }
}

const _: () = assert!(tolerance::ANGLE_WRAP_LIMIT > 99.0 * PI);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::orientation::angle_between;
    use proptest::prelude::*;

    fn angles(pitch: f64, roll: f64, yaw: f64) -> AngularCoordinate {
        AngularCoordinate::new(
            Angle::from_radians(pitch),
            Angle::from_radians(roll),
            Angle::from_radians(yaw),
        )
    }

    #[test]
    fn each_angle_turns_about_its_own_axis() {
        let x_after_yaw = angles(0.0, 0.0, FRAC_PI_2).to_quaternion() * Vec3::X;
        let x_after_pitch = angles(FRAC_PI_2, 0.0, 0.0).to_quaternion() * Vec3::X;
        let y_after_roll = angles(0.0, FRAC_PI_2, 0.0).to_quaternion() * Vec3::Y;
        assert!((x_after_yaw - Vec3::Y).length() < 1e-15);
        assert!((x_after_pitch + Vec3::Z).length() < 1e-15, "pitch up is about +Y: the nose goes to -Z");
        assert!((y_after_roll - Vec3::Z).length() < 1e-15);
    }

    #[test]
    fn components_wrap_only_past_a_hundred_half_turns() {
        let large = angles(0.0, 0.0, 99.0 * PI);
        assert_eq!(large.yaw().radians(), 99.0 * PI);
        let wrapped = angles(0.0, 0.0, 101.5 * PI);
        assert!((wrapped.yaw().radians() + 0.5 * PI).abs() < 1e-12);
    }

    #[test]
    fn gimbal_lock_keeps_the_orientation_and_puts_the_turn_into_yaw() {
        for pitch in [FRAC_PI_2, -FRAC_PI_2] {
            for (roll, yaw) in [(0.0, 0.3), (0.4, -1.1), (-2.0, 3.0), (3.0, 3.0)] {
                let q = angles(pitch, roll, yaw).to_quaternion();
                let back = AngularCoordinate::from_quaternion(q);
                assert_eq!(back.roll().radians(), 0.0);
                assert!(angle_between(q, back.to_quaternion()) < 1e-7, "pitch {pitch} roll {roll} yaw {yaw}");
            }
        }
    }

    proptest! {
        #[test]
        fn angles_round_trip_away_from_gimbal_lock(
            pitch in -1.5..1.5_f64, roll in -3.1..3.1_f64, yaw in -3.1..3.1_f64
        ) {
            let back = AngularCoordinate::from_quaternion(angles(pitch, roll, yaw).to_quaternion());
            prop_assert!((back.pitch().radians() - pitch).abs() < 1e-12);
            prop_assert!((back.roll().radians() - roll).abs() < 1e-12);
            prop_assert!((back.yaw().radians() - yaw).abs() < 1e-12);
        }

        #[test]
        fn orientation_survives_the_angles_everywhere(
            pitch in -1.6..1.6_f64, roll in -3.2..3.2_f64, yaw in -3.2..3.2_f64
        ) {
            let q = angles(pitch, roll, yaw).to_quaternion();
            let back = AngularCoordinate::from_quaternion(q).to_quaternion();
            prop_assert!(angle_between(q, back) < 1e-7);
        }

        #[test]
        fn rates_and_angular_velocity_are_inverse(
            pitch in -1.5..1.5_f64, roll in -3.0..3.0_f64, yaw in -3.0..3.0_f64,
            p in -10.0..10.0_f64, r in -10.0..10.0_f64, y in -10.0..10.0_f64
        ) {
            let at = angles(pitch, roll, yaw);
            let rate = AngularRate::new(p, r, y);
            let omega = rate.to_angular_velocity(at);
            let back = AngularRate::from_angular_velocity(omega, at).unwrap();
            prop_assert!((back.pitch - p).abs() < 1e-11);
            prop_assert!((back.roll - r).abs() < 1e-10 && (back.yaw - y).abs() < 1e-10);
            // The same ω from the change of orientation over a short time.
            let h = 1e-6;
            let after = at.advanced(rate, h).to_quaternion();
            let before = at.advanced(rate, -h).to_quaternion();
            let measured = crate::math::orientation::rotation_vector(after * before.inverse()) / (2.0 * h);
            prop_assert!((measured - omega).length() < 1e-4 * (1.0 + omega.length()));
        }
    }
}
