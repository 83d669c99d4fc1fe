//! Torque-free rotation of four bodies at a time, bit-identical to [`rotate_torque_free`].
//!
//! The formulas are those of [`super::free_rotor`], lane by lane. The roles of the axes differ from body to
//! body: components are selected by comparison where the scalar version has indices. Bodies that do not
//! rotate, that forces do not move or whose principal axes are not those of the body use the scalar version;
//! so do all four where one rotates too far for the series.

use super::free_rotor::{COSINE, SERIES_LIMIT, SINC, rotate_torque_free};
use crate::math::kernels::{self, Kernel};
use crate::math::lanes::{LANES, Lanes, Rotation, Vectors, each};
use crate::math::{Quat, Vec3};
use crate::physics::rigid_body::{Inertia, InertialState};
use crate::tolerance;

/// Torque-free rotation of all states for `dt` seconds, as [`rotate_torque_free`] for each of them.
pub fn rotate_all_torque_free(inertias: &[Inertia], states: &mut [InertialState], dt: f64) {
    kernels::run(RotorKernel { inertias, states, dt });
}

struct RotorKernel<'a> {
    inertias: &'a [Inertia],
    states: &'a mut [InertialState],
    dt: f64,
}

impl Kernel for RotorKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for (inertias, states) in self.inertias.chunks(LANES).zip(self.states.chunks_mut(LANES)) {
            let rotated = rotate_four::<L>(inertias, states, self.dt);
            for (nth, (inertia, state)) in inertias.iter().zip(states).enumerate() {
                if !rotated[nth] {
                    rotate_torque_free(inertia, state, self.dt);
                }
            }
        }
    }
}

fn is_plain(inertia: &Inertia, state: &InertialState) -> bool {
    inertia.is_movable()
        && inertia.body_from_principal() == Quat::IDENTITY
        && state.angular_velocity != Vec3::ZERO
}

/// Rotates up to four bodies that do not need the scalar version; returns which.
#[inline(always)]
fn rotate_four<L: Lanes>(inertias: &[Inertia], states: &mut [InertialState], dt: f64) -> [bool; LANES] {
    let is_plain = |nth: usize| nth < states.len() && is_plain(&inertias[nth], &states[nth]);
    let plain = each([0, 1, 2, 3], is_plain);
    let Some(some) = plain.iter().position(|plain| *plain) else { return plain };
    // Other lanes are filled with one that is.
    let [a, b, c, d] = each([0, 1, 2, 3], |nth| if plain[nth] { nth } else { some });
    let moments = each([a, b, c, d], |nth| inertias[nth].principal_moments());
    let start = each([a, b, c, d], |nth| states[nth].orientation);
    let spin = each([a, b, c, d], |nth| states[nth].angular_velocity);
    let Some((end, spin)) = rotated::<L>(Vectors::of(moments), Quats::of(start), Vectors::of(spin), dt)
    else {
        return [false; LANES];
    };
    let (ends, spins) = (end.each(), spin.each());
    for (nth, state) in states.iter_mut().enumerate().filter(|(nth, _)| plain[*nth]) {
        (state.orientation, state.angular_velocity) = (ends[nth], spins[nth]);
    }
    plain
}

/// Orientations and angular velocities after a torque-free rotation; `None` if an angle is too large for the
/// series.
#[inline(always)]
fn rotated<L: Lanes>(
    moments: Vectors<L>,
    start: Quats<L>,
    spin: Vectors<L>,
    dt: f64,
) -> Option<(Quats<L>, Vectors<L>)> {
    let principal = times(moments, start.conjugate().turn().times(spin));
    let momentum = start.turn().times(principal);
    let one = L::splat(1.0);
    let inverse = Vectors { x: one / moments.x, y: one / moments.y, z: one / moments.z };
    let roles = Roles::of(inverse);
    let (about_momentum, first_square) = rotation(momentum * (L::splat(dt) * roles.pick(inverse).common));
    let (turn, square) = about_axes(&roles, inverse, principal, dt);
    let end = about_momentum.times(start).times(turn);
    let (end, deviation) = end.renormalized();
    let too_far = first_square.larger(square).any_greater(L::splat(SERIES_LIMIT * (1.0 - f64::EPSILON)));
    let too_long = deviation.larger(-deviation).any_greater(L::splat(tolerance::RENORMALISE_SERIES));
    if too_far || too_long {
        return None;
    }
    let within = end.conjugate().turn().times(momentum);
    let within = Vectors { x: within.x / moments.x, y: within.y / moments.y, z: within.z / moments.z };
    Some((end, end.turn().times(within)))
}

#[inline(always)]
fn times<L: Lanes>(a: Vectors<L>, b: Vectors<L>) -> Vectors<L> {
    Vectors { x: a.x * b.x, y: a.y * b.y, z: a.z * b.z }
}

/// Four quaternions.
#[derive(Clone, Copy)]
struct Quats<L> {
    vector: Vectors<L>,
    w: L,
}

impl<L: Lanes> Quats<L> {
    #[inline(always)]
    fn of(quats: [Quat; LANES]) -> Self {
        let [x, y, z, w] = L::transposed(each(quats, |q| L::load(&[q.x, q.y, q.z, q.w])));
        Self { vector: Vectors { x, y, z }, w }
    }

    #[inline(always)]
    fn each(self) -> [Quat; LANES] {
        let Vectors { x, y, z } = self.vector;
        each(L::transposed([x, y, z, self.w]), |q| {
            let [x, y, z, w] = q.store();
            Quat::from_xyzw(x, y, z, w)
        })
    }

    #[inline(always)]
    fn conjugate(self) -> Self {
        let Vectors { x, y, z } = self.vector;
        Self { vector: Vectors { x: -x, y: -y, z: -z }, w: self.w }
    }

    #[inline(always)]
    fn turn(self) -> Rotation<L> {
        Rotation::of(self.vector, self.w)
    }

    /// The Hamilton product.
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        let (Vectors { x: x0, y: y0, z: z0 }, w0) = (self.vector, self.w);
        let (Vectors { x: x1, y: y1, z: z1 }, w1) = (other.vector, other.w);
        Self {
            vector: Vectors {
                x: w0 * x1 + x0 * w1 + y0 * z1 - z0 * y1,
                y: w0 * y1 - x0 * z1 + y0 * w1 + z0 * x1,
                z: w0 * z1 + x0 * y1 - y0 * x1 + z0 * w1,
            },
            w: w0 * w1 - x0 * x1 - y0 * y1 - z0 * z1,
        }
    }

    /// As [`orientation::renormalized`](crate::math::orientation::renormalized) where the deviation from unit
    /// length, returned with it, is small.
    #[inline(always)]
    fn renormalized(self) -> (Self, L) {
        let (Vectors { x: qx, y: qy, z: qz }, qw) = (self.vector, self.w);
        let split = L::splat(100_663_296.0);
        let leading = |c: L| (c + split) - split;
        let (w, x, y, z) = (leading(qw), leading(qx), leading(qy), leading(qz));
        let squares = (w * w + x * x) + (y * y + z * z);
        let rest = ((qw - w) * (qw + w) + (qx - x) * (qx + x)) + ((qy - y) * (qy + y) + (qz - z) * (qz + z));
        let deviation = (squares - L::splat(1.0)) + rest;
        let excess = L::splat(0.5) * deviation;
        let less = |c: L| c - c * excess;
        (Self { vector: Vectors { x: less(qx), y: less(qy), z: less(qz) }, w: less(qw) }, deviation)
    }
}

/// Components by the roles of their axes.
#[derive(Clone, Copy)]
struct ByRole<L> {
    outer: L,
    inner: L,
    common: L,
}

/// Which axis has which role: the common one is x unless `not_x > 0`, else y unless `not_y > 0`, else z. The
/// second of the two that follow it in cyclic order is the outer one if it is the stronger.
#[derive(Clone, Copy)]
struct Roles<L> {
    not_x: L,
    not_y: L,
    first: L,
    second: L,
}

impl<L: Lanes> Roles<L> {
    #[inline(always)]
    fn of(inverse: Vectors<L>) -> Self {
        let Vectors { x, y, z } = inverse;
        let (not_x, not_y) = ((x - y) * (x - z), (y - x) * (y - z));
        let begun = Self { not_x, not_y, first: x, second: x };
        let [common, first, second] = begun.cycle(inverse);
        let strength = |axis: L| (axis - common).larger(common - axis);
        Self { first: strength(first), second: strength(second), ..begun }
    }

    /// The component of the common axis, and those of the two that follow it.
    #[inline(always)]
    fn cycle(&self, Vectors { x, y, z }: Vectors<L>) -> [L; 3] {
        [self.choose(x, y, z), self.choose(y, z, x), self.choose(z, x, y)]
    }

    /// The first where x is common, the second where y is, the third where z is.
    #[inline(always)]
    fn choose(&self, x: L, y: L, z: L) -> L {
        let zero = L::splat(0.0);
        self.not_x.where_greater(zero, self.not_y.where_greater(zero, z, y), x)
    }

    /// The first of two where the second axis after the common one is the outer one.
    #[inline(always)]
    fn swapped(&self, yes: L, no: L) -> L {
        self.second.where_greater(self.first, yes, no)
    }

    #[inline(always)]
    fn pick(&self, of: Vectors<L>) -> ByRole<L> {
        let [common, first, second] = self.cycle(of);
        ByRole { outer: self.swapped(second, first), inner: self.swapped(first, second), common }
    }

    /// The inverse of `pick`.
    #[inline(always)]
    fn put(&self, ByRole { outer, inner, common }: ByRole<L>) -> Vectors<L> {
        let (first, second) = (self.swapped(inner, outer), self.swapped(outer, inner));
        Vectors {
            x: self.choose(common, second, first),
            y: self.choose(first, common, second),
            z: self.choose(second, first, common),
        }
    }
}

/// The body-frame rotation of [`super::free_rotor`], and the largest square of half an angle in it.
#[inline(always)]
fn about_axes<L: Lanes>(
    roles: &Roles<L>,
    inverse: Vectors<L>,
    momentum: Vectors<L>,
    dt: f64,
) -> (Quats<L>, L) {
    let inverse = roles.pick(inverse);
    let (alpha, beta) = (inverse.outer - inverse.common, inverse.inner - inverse.common);
    let momentum = roles.pick(momentum);
    let sense = roles.swapped(L::splat(-1.0), L::splat(1.0));
    let (half, whole) = (L::splat(0.5 * dt), L::splat(dt));

    let first = HalfAngle::of(half * alpha * momentum.outer);
    let (sine, cosine) = first.full();
    let l_inner = cosine * momentum.inner + sense * sine * momentum.common;
    let l_common = cosine * momentum.common - sense * sine * momentum.inner;

    let second = HalfAngle::of(whole * beta * l_inner);
    let (sine, cosine) = second.full();
    let l_outer = cosine * momentum.outer - sense * sine * l_common;

    let third = HalfAngle::of(half * alpha * l_outer);
    let (c1, s1, c2, s2, c3, s3) = (first.cos, first.sin, second.cos, second.sin, third.cos, third.sin);
    let vector = roles.put(ByRole {
        outer: c2 * (s1 * c3 + c1 * s3),
        inner: s2 * (c1 * c3 + s1 * s3),
        common: sense * s2 * (s1 * c3 - c1 * s3),
    });
    let square = first.square.larger(second.square).larger(third.square);
    (Quats { vector, w: c2 * (c1 * c3 - s1 * s3) }, square)
}

/// Sine and cosine of half an angle, and the square of the half.
#[derive(Clone, Copy)]
struct HalfAngle<L> {
    sin: L,
    cos: L,
    square: L,
}

impl<L: Lanes> HalfAngle<L> {
    #[inline(always)]
    fn of(angle: L) -> Self {
        let half = L::splat(0.5) * angle;
        let square = half * half;
        let (sinc, cos) = sinc_cos_series(square);
        Self { sin: half * sinc, cos, square }
    }

    /// Sine and cosine of the whole angle.
    #[inline(always)]
    fn full(self) -> (L, L) {
        (L::splat(2.0) * self.sin * self.cos, self.cos * self.cos - self.sin * self.sin)
    }
}

/// `exp(φ)` of rotation vectors, and the squares of half their lengths.
#[inline(always)]
fn rotation<L: Lanes>(vector: Vectors<L>) -> (Quats<L>, L) {
    let square = L::splat(0.25) * vector.dot(vector);
    let (sinc, cos) = sinc_cos_series(square);
    (Quats { vector: vector * (L::splat(0.5) * sinc), w: cos }, square)
}

#[inline(always)]
fn sinc_cos_series<L: Lanes>(x: L) -> (L, L) {
    let one = L::splat(1.0);
    let [s0, s1, s2, s3, s4] = SINC;
    let [c0, c1, c2, c3, c4, c5] = COSINE;
    let n = L::splat;
    let sinc = one + x * (n(s0) + x * (n(s1) + x * (n(s2) + x * (n(s3) + x * n(s4)))));
    let cos = one + x * (n(c0) + x * (n(c1) + x * (n(c2) + x * (n(c3) + x * (n(c4) + x * n(c5))))));
    (sinc, cos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Mat3, orientation};
    use proptest::prelude::*;

    /// Bodies of all kinds: different moments, two equal, all equal, axes of their own, immovable.
    fn inertia(kind: usize, m: [f64; 3]) -> Inertia {
        let [a, b, c] = m;
        let moments = match kind % 6 {
            0 | 4 => Vec3::new(a, b, c),
            1 => Vec3::new(a, a, b),
            2 => Vec3::new(a, b, a),
            3 => Vec3::splat(a),
            _ => return Inertia::IMMOVABLE,
        };
        let turn = Mat3::from_quat(orientation::from_rotation_vector(Vec3::new(0.4, -1.0, 0.3)));
        let tensor = Mat3::from_diagonal(moments);
        let tensor = if kind % 6 == 4 { turn * tensor * turn.transpose() } else { tensor };
        Inertia::new(1.0, tensor).expect("moments of a body")
    }

    fn bits(state: &InertialState) -> [u64; 7] {
        let (q, w) = (state.orientation, state.angular_velocity);
        [q.x, q.y, q.z, q.w, w.x, w.y, w.z].map(f64::to_bits)
    }

    proptest! {
        #[test]
        fn bodies_side_by_side_turn_as_each_alone_does(
            kinds in prop::array::uniform8(0..24_usize),
            moments in prop::array::uniform8(prop::array::uniform3(1.0..1.9_f64)),
            spins in prop::array::uniform8(prop::array::uniform3(-9.0..9.0_f64)),
            turns in prop::array::uniform8(prop::array::uniform3(-2.0..2.0_f64)),
            dt in 1e-3..0.1_f64,
            still in 0..9_usize,
        ) {
            // Kinds above 5 are as plain as the first four, so that whole groups of four often are.
            let inertias: [Inertia; 8] =
                std::array::from_fn(|k| inertia(if kinds[k] > 5 { kinds[k] % 4 } else { kinds[k] }, moments[k]));
            let mut states: [InertialState; 8] = std::array::from_fn(|k| InertialState {
                orientation: orientation::from_rotation_vector(Vec3::from(turns[k])),
                angular_velocity: if k == still { Vec3::ZERO } else { Vec3::from(spins[k]) },
                ..InertialState::AT_REST
            });
            let mut alone = states;
            for (inertia, state) in inertias.iter().zip(&mut alone) {
                rotate_torque_free(inertia, state, dt);
            }
            rotate_all_torque_free(&inertias[..7], &mut states[..7], dt);
            rotate_torque_free(&inertias[7], &mut states[7], dt);
            for (wide, alone) in states.iter().zip(&alone) {
                prop_assert_eq!(bits(wide), bits(alone));
            }
        }
    }

    #[test]
    fn plain_bodies_go_the_wide_way() {
        let inertias = [
            inertia(0, [1.0, 1.3, 1.7]),
            inertia(1, [1.0, 1.5, 1.0]),
            inertia(3, [1.2; 3]),
            inertia(2, [1.8, 1.1, 1.0]),
        ];
        let mut states =
            [InertialState { angular_velocity: Vec3::new(1.0, -2.0, 0.5), ..InertialState::AT_REST }; 4];
        assert_eq!(rotate_four::<wide::f64x4>(&inertias, &mut states, 0.016), [true; 4]);
        states[1].angular_velocity = Vec3::ZERO;
        assert_eq!(
            rotate_four::<wide::f64x4>(&inertias[..3], &mut states[..3], 0.016),
            [true, false, true, false]
        );
        assert_eq!(
            rotate_four::<wide::f64x4>(&inertias, &mut states, 1.0),
            [false; 4],
            "2 rad: too far for the series"
        );
    }
}
