//! The free rigid rotor: one step of torque-free rotation by four exact rotations.
//!
//! In principal axes the energy of rotation is `H = Σ L_k²/(2 I_k)`. The part `|L|²/(2 I_b)` commutes with
//! everything: it rotates the body about the fixed world vector L by the angle `h |L|/I_b`. The rest,
//! `½ α L_a² + ½ β L_c²` with `α = 1/I_a - 1/I_b` and `β = 1/I_c - 1/I_b`, is split symmetrically into
//! `a(h/2) c(h) a(h/2)`, where the flow of `½ α L_a²` rotates the body about its own axis a by the angle
//! `h α L_a`. Every factor is a rotation, so L in the world is kept to round-off; the composition is
//! symmetric and symplectic, hence second order with an energy error that stays bounded.
//!
//! This is the splitting of Dullweber, Leimkuhler & McLachlan (J. Chem. Phys. 107, 1997) with the commuting
//! part integrated exactly (Touma & Wisdom, Astron. J. 107, 1994; Fassò, J. Comput. Phys. 189, 2003), which
//! leaves four rotations instead of five and makes symmetric and spherical bodies exact. The error of the
//! splitting is `h³ αβ (α/24 + β/12)` up to momenta: it is least with b the intermediate axis and with the
//! smaller of |α| and |β| in the middle.
//!
//! Only ratios of moments enter, so a body whose tensor scales with its mass needs no special care.

use crate::math::{Quat, Vec3, orientation, scalar};
use crate::physics::rigid_body::{Inertia, InertialState};

/// Torque-free rotation of `state` for `dt` seconds; its position and velocity are unchanged. A body that
/// forces do not move keeps its angular velocity.
pub fn rotate_torque_free(inertia: &Inertia, state: &mut InertialState, dt: f64) {
    if state.angular_velocity == Vec3::ZERO {
        return;
    }
    if !inertia.is_movable() {
        state.orientation = orientation::advanced(state.orientation, state.angular_velocity, dt);
        return;
    }
    let start = principal_orientation(inertia, state.orientation);
    let (end, angular_velocity) = rotate_principal(inertia, start, state.angular_velocity, dt);
    state.orientation = body_orientation(inertia, end);
    state.angular_velocity = angular_velocity;
}

/// The rotation that takes principal-axis components to the world, of a body whose frame is turned by `orientation`.
pub(super) fn principal_orientation(inertia: &Inertia, orientation: Quat) -> Quat {
    let to_body = inertia.body_from_principal();
    if to_body == Quat::IDENTITY { orientation } else { orientation::renormalized(orientation * to_body) }
}

/// The inverse of [`principal_orientation`].
pub(super) fn body_orientation(inertia: &Inertia, principal: Quat) -> Quat {
    let to_body = inertia.body_from_principal();
    if to_body == Quat::IDENTITY {
        principal
    } else {
        orientation::renormalized(principal * to_body.conjugate())
    }
}

/// `R I Rᵀ ω`, with the same rounding as its inverse [`angular_velocity_of`]: going back and forth does not drift.
pub(super) fn momentum_of(inertia: &Inertia, principal: Quat, angular_velocity: Vec3) -> Vec3 {
    principal * (inertia.principal_moments() * (principal.conjugate() * angular_velocity))
}

/// `R I⁻¹ Rᵀ L`. Divides: the error of rounded inverses would be the same in every step and add up.
pub(super) fn angular_velocity_of(inertia: &Inertia, principal: Quat, momentum: Vec3) -> Vec3 {
    principal * ((principal.conjugate() * momentum) / inertia.principal_moments())
}

/// The same with orientation and result in principal axes.
fn rotate_principal(inertia: &Inertia, start: Quat, angular_velocity: Vec3, dt: f64) -> (Quat, Vec3) {
    let moments = inertia.principal_moments();
    let momentum_principal = moments * (start.conjugate() * angular_velocity);
    let momentum_world = start * momentum_principal;
    let inverse = Vec3::ONE / moments;
    let order = AxisOrder::of(inverse);
    let about_momentum = rotation(momentum_world * (dt * inverse[order.common]));
    let turn = about_axes(order, inverse, momentum_principal, dt);
    let end = orientation::renormalized(about_momentum * start * turn);
    (end, angular_velocity_of(inertia, end, momentum_world))
}

/// Roles of the three principal axes in the splitting.
#[derive(Clone, Copy)]
struct AxisOrder {
    outer: usize,
    inner: usize,
    common: usize,
}

impl AxisOrder {
    fn of(inverse: Vec3) -> Self {
        let [x, y, z] = inverse.to_array();
        // Intermediate value of the three; ties fall to the lower index.
        let common = if (x - y) * (x - z) <= 0.0 {
            0
        } else if (y - x) * (y - z) <= 0.0 {
            1
        } else {
            2
        };
        let (first, second) = [(1, 2), (2, 0), (0, 1)][common];
        let strength = |axis: usize| (inverse[axis] - inverse[common]).abs();
        if strength(first) < strength(second) {
            Self { outer: second, inner: first, common }
        } else {
            Self { outer: first, inner: second, common }
        }
    }
}

/// The body-frame rotation `exp(outer h/2) exp(inner h) exp(outer h/2)`.
fn about_axes(order: AxisOrder, inverse: Vec3, momentum: Vec3, dt: f64) -> Quat {
    let AxisOrder { outer, inner, common } = order;
    let alpha = inverse[outer] - inverse[common];
    let beta = inverse[inner] - inverse[common];
    // (outer, inner, common) is an even permutation of the axes or an odd one: the sense of the planar rotations.
    let sense = if (outer + 1) % 3 == inner { 1.0 } else { -1.0 };

    let first = half_angle(0.5 * dt * alpha * momentum[outer]);
    // Components in a frame that has turned by +θ about `outer` are turned by -θ in the plane (inner, common).
    let (sine, cosine) = first.full();
    let l_inner = cosine * momentum[inner] + sense * sine * momentum[common];
    let l_common = cosine * momentum[common] - sense * sine * momentum[inner];

    let second = half_angle(dt * beta * l_inner);
    let (sine, cosine) = second.full();
    let l_outer = cosine * momentum[outer] - sense * sine * l_common;

    let third = half_angle(0.5 * dt * alpha * l_outer);
    product_of_axis_rotations(order, sense, first, second, third)
}

/// `(c₁ + s₁ o)(c₂ + s₂ i)(c₃ + s₃ o)` with `o i = sense·k`, `o` outer, `i` inner and `k` the common axis.
fn product_of_axis_rotations(
    order: AxisOrder,
    sense: f64,
    first: HalfAngle,
    second: HalfAngle,
    third: HalfAngle,
) -> Quat {
    let (c1, s1, c2, s2, c3, s3) = (first.cos, first.sin, second.cos, second.sin, third.cos, third.sin);
    let mut vector = Vec3::ZERO;
    vector[order.outer] = c2 * (s1 * c3 + c1 * s3);
    vector[order.inner] = s2 * (c1 * c3 + s1 * s3);
    vector[order.common] = sense * s2 * (s1 * c3 - c1 * s3);
    Quat::from_xyzw(vector.x, vector.y, vector.z, c2 * (c1 * c3 - s1 * s3))
}

/// Sine and cosine of half an angle.
#[derive(Clone, Copy)]
struct HalfAngle {
    sin: f64,
    cos: f64,
}

impl HalfAngle {
    /// Sine and cosine of the whole angle.
    fn full(self) -> (f64, f64) {
        (2.0 * self.sin * self.cos, self.cos * self.cos - self.sin * self.sin)
    }
}

fn half_angle(angle: f64) -> HalfAngle {
    let half = 0.5 * angle;
    let square = half * half;
    if square < SERIES_LIMIT {
        let (sinc, cos) = sinc_cos_series(square);
        HalfAngle { sin: half * sinc, cos }
    } else {
        let (sin, cos) = scalar::sin_cos(half);
        HalfAngle { sin, cos }
    }
}

/// `exp(φ)` of a rotation vector.
fn rotation(vector: Vec3) -> Quat {
    let square = 0.25 * vector.length_squared();
    if square < SERIES_LIMIT {
        let (sinc, cos) = sinc_cos_series(square);
        let scaled = vector * (0.5 * sinc);
        Quat::from_xyzw(scaled.x, scaled.y, scaled.z, cos)
    } else {
        orientation::from_rotation_vector(vector)
    }
}

/// Square of the half angle below which the series replace the library functions: the first dropped terms,
/// `x¹²/13!` and `x¹⁴/14!`, are then below 1e-17.
pub(super) const SERIES_LIMIT: f64 = 0.0625;

/// Coefficients of `sin(x)/x` and `cos(x)` in `x²`, after the one.
pub(super) const SINC: [f64; 5] =
    [-1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362_880.0, -1.0 / 39_916_800.0];
pub(super) const COSINE: [f64; 6] =
    [-0.5, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40_320.0, -1.0 / 3_628_800.0, 1.0 / 479_001_600.0];

/// `sin(x)/x` and `cos(x)` from `x²`, to the last bit for `x² < SERIES_LIMIT`.
fn sinc_cos_series(square: f64) -> (f64, f64) {
    let ([s0, s1, s2, s3, s4], [c0, c1, c2, c3, c4, c5]) = (SINC, COSINE);
    let x = square;
    let sinc = 1.0 + x * (s0 + x * (s1 + x * (s2 + x * (s3 + x * s4))));
    let cos = 1.0 + x * (c0 + x * (c1 + x * (c2 + x * (c3 + x * (c4 + x * c5)))));
    (sinc, cos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Mat3;
    use proptest::prelude::*;

    fn spinning(q: Vec3, omega: Vec3) -> InertialState {
        InertialState {
            orientation: orientation::from_rotation_vector(q),
            angular_velocity: omega,
            ..InertialState::AT_REST
        }
    }

    fn rotated(inertia: &Inertia, mut state: InertialState, dt: f64, steps: usize) -> InertialState {
        for _ in 0..steps {
            rotate_torque_free(inertia, &mut state, dt);
        }
        state
    }

    #[test]
    fn symmetric_bodies_are_exact_at_any_step() {
        // Regular precession in closed form: exp(L t/I_t) ⊗ q ⊗ exp(e (1 - I_a/I_t) ω_a t).
        for axis in 0..3 {
            let mut moments = Vec3::splat(2.0);
            moments[axis] = 1.0;
            let inertia = Inertia::new(1.0, Mat3::from_diagonal(moments)).unwrap();
            let start = spinning(Vec3::new(0.3, -1.0, 0.2), Vec3::new(3.0, 1.0, -4.0));
            let momentum = start.spin_angular_momentum(&inertia);
            let mut spin = Vec3::ZERO;
            spin[axis] = 0.5 * start.angular_velocity_body()[axis];
            let t = 7.0;
            let expected = orientation::from_rotation_vector(momentum * (t / 2.0))
                * start.orientation
                * orientation::from_rotation_vector(spin * t);
            for steps in [1, 7] {
                let end = rotated(&inertia, start, t / steps as f64, steps);
                let error = orientation::angle_between(end.orientation, expected);
                // 36 rad, a few units in the last place each step.
                assert!(error < 2e-14 * steps as f64, "axis {axis}, {steps} steps: {error:e}");
            }
        }
    }

    #[test]
    fn series_and_library_functions_meet() {
        for angle in [0.499_999_f64, -0.3, 1e-3, 1e-200] {
            let (series, half) = (half_angle(angle), 0.5 * angle);
            assert!((series.sin - scalar::sin(half)).abs() <= 1.2e-16 * half.abs());
            assert!((series.cos - scalar::cos(half)).abs() <= 1.2e-16);
        }
    }

    #[test]
    fn a_body_that_forces_do_not_move_keeps_its_angular_velocity() {
        let start = spinning(Vec3::X, Vec3::new(0.1, 2.0, 0.0));
        let end = rotated(&Inertia::IMMOVABLE, start, 0.5, 1);
        assert_eq!(end.angular_velocity, start.angular_velocity);
        let expected = orientation::from_rotation_vector(start.angular_velocity * 0.5) * start.orientation;
        assert!(orientation::angle_between(end.orientation, expected) < 1e-15);
    }

    proptest! {
        #[test]
        fn momentum_is_kept_and_the_step_is_reversible(
            a in 0.5..2.0_f64, b in 0.5..2.0_f64, tilt in -3.0..3.0_f64,
            x in -5.0..5.0_f64, y in -5.0..5.0_f64, z in -5.0..5.0_f64, dt in 1e-4..0.1_f64
        ) {
            let r = Mat3::from_quat(orientation::from_rotation_vector(Vec3::new(tilt, 1.0, -0.4)));
            let c = (a - b).abs() + 0.9 * (a + b - (a - b).abs());
            let inertia = Inertia::new(1.0, r * Mat3::from_diagonal(Vec3::new(a, b, c)) * r.transpose()).unwrap();
            let start = spinning(Vec3::new(0.2, tilt, 1.0), Vec3::new(x, y, z));
            let before = start.spin_angular_momentum(&inertia);
            let end = rotated(&inertia, start, dt, 10);
            let drift = end.spin_angular_momentum(&inertia) - before;
            prop_assert!(drift.length() <= 3e-14 * before.length());
            prop_assert!((end.orientation.length_squared() - 1.0).abs() < 1e-15);
            let back = rotated(&inertia, end, -dt, 10);
            prop_assert!(orientation::angle_between(back.orientation, start.orientation) < 1e-11);
        }
    }
}
