//! Unit quaternions: orientation `q = (w, x, y, z)`, Hamilton product, body to world.
//!
//! `v_world = q v_body q⁻¹`, and `q̇ = ½ [0, ω] ⊗ q` with ω in the **world** frame. A finite rotation by the
//! rotation vector φ (axis × angle, world frame) is `exp(φ) ⊗ q` with
//! `exp(φ) = (cos ½|φ|, sin(½|φ|) φ/|φ|)`; it is exact for constant ω, which is why orientation advances by it and
//! never by adding `q̇ dt`.

use super::{Mat3, Quat, Vec3, scalar};
use crate::tolerance;

/// A quaternion from its components in the order this project writes them.
#[must_use]
pub fn from_wxyz([w, x, y, z]: [f64; 4]) -> Quat {
    Quat::from_xyzw(x, y, z, w)
}

/// The components in the order this project writes them.
#[must_use]
pub fn to_wxyz(q: Quat) -> [f64; 4] {
    [q.w, q.x, q.y, q.z]
}

/// The unit quaternion `exp(φ)` of a rotation vector (axis × angle, rad).
#[must_use]
pub fn from_rotation_vector(rotation: Vec3) -> Quat {
    let half_angle_squared = 0.25 * rotation.length_squared();
    let (scale, w) = if half_angle_squared < tolerance::EXP_SERIES {
        // sin(h)/h and cos(h) to the last bit for h < 1e-2: the next terms are below h¹⁰/3.6e6 < 1e-26.
        let h2 = half_angle_squared;
        (
            0.5 * (1.0 - h2 / 6.0 * (1.0 - h2 / 20.0 * (1.0 - h2 / 42.0 * (1.0 - h2 / 72.0)))),
            1.0 - h2 / 2.0 * (1.0 - h2 / 12.0 * (1.0 - h2 / 30.0 * (1.0 - h2 / 56.0))),
        )
    } else {
        let half_angle = half_angle_squared.sqrt();
        let (sine, cosine) = scalar::sin_cos(half_angle);
        (0.5 * sine / half_angle, cosine)
    };
    Quat::from_xyzw(rotation.x * scale, rotation.y * scale, rotation.z * scale, w)
}

/// The rotation vector `log(q)` of a unit quaternion, with angle in [0, π]; `q` and `-q` give the same.
#[must_use]
pub fn rotation_vector(q: Quat) -> Vec3 {
    let v = Vec3::new(q.x, q.y, q.z);
    let (v, w) = if q.w < 0.0 { (-v, -q.w) } else { (v, q.w) };
    let sine = v.length();
    if sine < tolerance::LOG_SERIES {
        // 2 atan(s/w)/s = 2/w (1 - (s/w)²/3 + …); the dropped term is below 1e-16.
        return v * (2.0 / w);
    }
    v * (2.0 * scalar::atan2(sine, w) / sine)
}

/// The angle in [0, π] between two orientations, accurate for small and large angles alike.
#[must_use]
pub fn angle_between(a: Quat, b: Quat) -> f64 {
    rotation_vector(a * b.inverse()).length()
}

/// `q` advanced by constant world-frame `angular_velocity` for `dt` seconds, exactly, and renormalised.
#[must_use]
pub fn advanced(q: Quat, angular_velocity: Vec3, dt: f64) -> Quat {
    normalized(from_rotation_vector(angular_velocity * dt) * q)
}

/// The rate `q̇ = ½ [0, ω] ⊗ q` for world-frame ω.
#[must_use]
pub fn rate(q: Quat, angular_velocity: Vec3) -> Quat {
    Quat::from_xyzw(angular_velocity.x, angular_velocity.y, angular_velocity.z, 0.0) * q * 0.5
}

/// World-frame ω of a unit quaternion changing at rate `q̇`: the vector part of `2 q̇ ⊗ q⁻¹`.
#[must_use]
pub fn angular_velocity(q: Quat, rate: Quat) -> Vec3 {
    let twice = rate * q.conjugate() * 2.0;
    Vec3::new(twice.x, twice.y, twice.z)
}

/// `q` scaled to unit length. `q` must not be zero.
#[must_use]
pub fn normalized(q: Quat) -> Quat {
    let inverse = 1.0 / q.length_squared().sqrt();
    Quat::from_xyzw(q.x * inverse, q.y * inverse, q.z * inverse, q.w * inverse)
}

/// `q`, of length one up to round-off, scaled to unit length as exactly as f64 allows.
///
/// Products of the same rotation repeat the same rounding error, and `|q|²` in plain arithmetic cannot see it
/// below 1e-16: angular momentum computed with such a quaternion drifts by that much every step, always the
/// same way. Here each component is split into 26 leading bits, whose squares add up without rounding, and a
/// rest, so `|q|² - 1` is known to 1e-24 and what remains after scaling is fresh round-off without a bias.
#[must_use]
pub fn renormalized(q: Quat) -> Quat {
    // Adding and subtracting 1.5·2²⁶ rounds to a multiple of 2⁻²⁶.
    const SPLIT: f64 = 100_663_296.0;
    let leading = |c: f64| (c + SPLIT) - SPLIT;
    let (w, x, y, z) = (leading(q.w), leading(q.x), leading(q.y), leading(q.z));
    let squares = (w * w + x * x) + (y * y + z * z);
    let rest =
        ((q.w - w) * (q.w + w) + (q.x - x) * (q.x + x)) + ((q.y - y) * (q.y + y) + (q.z - z) * (q.z + z));
    let deviation = (squares - 1.0) + rest;
    if deviation.abs() > tolerance::RENORMALISE_SERIES {
        return normalized(q);
    }
    let excess = 0.5 * deviation;
    Quat::from_xyzw(q.x - q.x * excess, q.y - q.y * excess, q.z - q.z * excess, q.w - q.w * excess)
}

/// The representative of an orientation with `w ≥ 0` (and, at `w = 0`, the first non-zero of x, y, z positive).
#[must_use]
pub fn canonical(q: Quat) -> Quat {
    let first = [q.w, q.x, q.y, q.z].into_iter().find(|c| *c != 0.0).unwrap_or(0.0);
    if first < 0.0 { -q } else { q }
}

/// The rotation matrix `R` with `v_world = R v_body`.
#[must_use]
pub fn rotation_matrix(q: Quat) -> Mat3 {
    Mat3::from_quat(q)
}

/// The rotation matrix of a quaternion of any length but zero: `1 + 2/|q|² (w [v]× + [v]×²)`. Next to unit length, where
/// products of unit quaternions are, `2/|q|²` is `2 (2 - |q|²)` to round-off, and there is nothing to wait for.
#[must_use]
#[inline]
pub fn rotation_matrix_of_any(q: Quat) -> Mat3 {
    let length_squared = q.length_squared();
    let over = length_squared - 1.0;
    let twice = if over.abs() <= tolerance::NEXT_TO_UNIT { 2.0 - 2.0 * over } else { 2.0 / length_squared };
    let (x, y, z) = (q.x * twice, q.y * twice, q.z * twice);
    let (xx, xy, xz) = (q.x * x, q.x * y, q.x * z);
    let (yy, yz, zz) = (q.y * y, q.y * z, q.z * z);
    let (wx, wy, wz) = (q.w * x, q.w * y, q.w * z);
    Mat3::from_cols(
        Vec3::new(1.0 - (yy + zz), xy + wz, xz - wy),
        Vec3::new(xy - wz, 1.0 - (xx + zz), yz + wx),
        Vec3::new(xz + wy, yz - wx, 1.0 - (xx + yy)),
    )
}

/// The shortest rotation that takes the unit vector `from` to the unit vector `to`. Opposite vectors turn by π about
/// an axis perpendicular to both.
#[must_use]
pub fn between_directions(from: Vec3, to: Vec3) -> Quat {
    let w = 1.0 + from.dot(to);
    if w < tolerance::OPPOSITE_DIRECTIONS {
        let axis = from.any_orthonormal_vector();
        return Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0);
    }
    let v = from.cross(to);
    normalized(Quat::from_xyzw(v.x, v.y, v.z, w))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    fn vector(limit: f64) -> impl Strategy<Value = Vec3> {
        (-limit..limit, -limit..limit, -limit..limit).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    #[test]
    fn a_quaternion_maps_body_to_world() {
        // +90° about Z takes body X to world Y.
        let q = from_rotation_vector(Vec3::Z * FRAC_PI_2);
        assert!((q * Vec3::X - Vec3::Y).length() < 1e-15);
    }

    #[test]
    fn a_yawed_body_turns_about_the_commanded_world_axis() {
        // The trap of mixed frames: yawed by 90°, spun about world X, a point on world X must not move.
        let yawed = from_rotation_vector(Vec3::Z * FRAC_PI_2);
        let body_point = yawed.inverse() * Vec3::X;
        let turned = advanced(yawed, Vec3::X, 1.234);
        assert!((turned * body_point - Vec3::X).length() < 1e-15);
    }

    #[test]
    fn opposite_directions_are_half_a_turn_apart() {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(1.0, 2.0, -3.0).normalize()] {
            let q = between_directions(axis, -axis);
            assert!((q * axis + axis).length() < 1e-14);
        }
    }

    #[test]
    fn the_series_and_the_closed_form_of_exp_meet() {
        for angle in [0.019_999, 0.020_001, 1e-3, 1e-9] {
            let q = from_rotation_vector(Vec3::new(0.0, angle, 0.0));
            assert!(
                (q.y - scalar::sin(0.5 * angle)).abs() < 1e-17
                    && (q.w - scalar::cos(0.5 * angle)).abs() < 2e-16
            );
        }
    }

    #[test]
    fn renormalising_leaves_round_off_without_a_bias() {
        let step = from_rotation_vector(Vec3::new(0.011, -0.007, 0.019));
        let (mut q, mut sum) = (Quat::IDENTITY, 0.0);
        for _ in 0..10_000 {
            q = renormalized(step * q);
            // A vector through q and back is scaled by |q|⁴.
            sum += (q.conjugate() * (q * Vec3::X)).x - 1.0;
        }
        assert!(sum.abs() < 3e-13, "{sum:e}");
        let far = renormalized(Quat::from_xyzw(0.6, 0.0, 0.0, 0.800_001));
        assert!((far.length_squared() - 1.0).abs() < 3e-16);
    }

    proptest! {
        #[test]
        fn the_matrix_of_a_quaternion_does_not_depend_on_its_length(
            c in prop::array::uniform4(-1.0..1.0_f64), stretch in -9.0..1.0_f64
        ) {
            let q = Quat::from_array(c);
            prop_assume!(q.length() > 0.1);
            let unit = normalized(q);
            let longer = unit * (1.0 + crate::math::scalar::pow(10.0, stretch));
            let expected = rotation_matrix(unit);
            // Five roundings of numbers up to two on either side.
            let bound = 10.0 * f64::EPSILON;
            prop_assert!((rotation_matrix_of_any(longer) - expected).abs_diff_eq(Mat3::ZERO, bound));
            prop_assert!((rotation_matrix_of_any(unit) - expected).abs_diff_eq(Mat3::ZERO, bound));
        }
    }

    proptest! {
        #[test]
        fn exp_and_log_are_inverse(phi in vector(1.8)) {
            prop_assume!(phi.length() < PI - 1e-6);
            prop_assert!((rotation_vector(from_rotation_vector(phi)) - phi).length() < 1e-13);
            prop_assert!((rotation_vector(-from_rotation_vector(phi)) - phi).length() < 1e-13);
            prop_assert!((from_rotation_vector(phi).length() - 1.0).abs() < 1e-15);
        }

        #[test]
        fn rate_and_angular_velocity_are_inverse_and_world_frame(phi in vector(3.0), omega in vector(5.0)) {
            let q = from_rotation_vector(phi);
            prop_assert!((angular_velocity(q, rate(q, omega)) - omega).length() < 1e-13);
            let h = 1e-6;
            let difference = (advanced(q, omega, h) + -advanced(q, omega, -h)) * (0.5 / h);
            prop_assert!((difference + -rate(q, omega)).length() < 1e-8);
        }

        #[test]
        fn shortest_rotation_takes_one_direction_to_the_other(a in vector(1.0), b in vector(1.0)) {
            prop_assume!(a.length() > 1e-3 && b.length() > 1e-3);
            let (a, b) = (a.normalize(), b.normalize());
            prop_assert!((between_directions(a, b) * a - b).length() < 1e-7);
        }
    }
}
