//! Torque-free rotation in closed form, for any time and any body.
//!
//! Let `m` be the angular momentum in principal axes, constant in length. Name the axes 1, 2, 3 so that 2 is the
//! intermediate one and 3 the extreme one about which m circulates: `L² > 2T I₂` if it is the axis of the largest moment,
//! `L² < 2T I₂` if of the smallest. Then
//!
//! ```text
//! m₁ = m̂₁ cn u,  m₂ = ± m̂₁ √(1+n) sn u,  m₃ = m̂₃ dn u,  u = λt + u₀
//! m̂₁² = m₁² + m₂²/(1+n),                 n = I₃(I₂-I₁)/(I₁(I₃-I₂)),   λ = |m̂₃|/I₃ √((I₃-I₁)(I₃-I₂)/(I₁I₂))
//! m̂₃² = m₃² + m₂² I₃(I₂-I₁)/(I₂(I₃-I₁)),  1-k² = (m₃² - n m₁²)/m̂₃²
//! ```
//!
//! all from sums of positive terms except `1-k²`, whose one difference is the physical distance from the separatrix.
//!
//! Attitude: let P(m) be the shortest rotation that takes m to the nearer end z of axis 3. Then `R = R_L exp(α z) P(m)` with
//! constant R_L, and from `α̇ = (2T + L |m₃|/I₃)/(L + |m₃|)` follows
//!
//! ```text
//! α(t) - α(0) = L t/I₃ + (1/I₁ - 1/I₃) (L/λ) [Π(u) - Π(u₀)] - sgn(I₃-I₁) [χ(u) - χ(u₀)]
//! Π(u) = ∫₀ᵘ du/(1 + n sn² u),   tan χ = √(1+n) tan am u
//! ```
//!
//! Unlike Euler angles this is regular when m passes through axis 3, because m₃ never changes sign. Whole half turns of u are
//! counted and added exactly, so long arcs lose only the round-off of `λt` itself.
//!
//! Degenerate cases need no special formula: for a symmetric body n or 1/n vanishes and sn, cn become sin, cos; spin about
//! axis 1 or 3 has k = 0; λ = 0 (spherical body, or spin in the plane of two equal moments) and spin exactly about the
//! intermediate axis are steady turns. On the separatrix, k = 1, the functions are hyperbolic.
//!
//! Jacobi, J. reine angew. Math. 39 (1849); Celledoni, Fassò, Säfström & Zanna, SIAM J. Sci. Comput. 30 (2008), whose choice
//! of axes and of the section P this follows.

use std::f64::consts::PI;

use super::free_rotor::{angular_velocity_of, body_orientation, momentum_of, principal_orientation};
use crate::math::elliptic::Modulus;
use crate::math::{Quat, Vec3, orientation, scalar};
use crate::physics::rigid_body::{Inertia, InertialState};

/// Rotates `state` as a torque-free body, exactly, for `dt` seconds; position and velocity are unchanged. A
/// body that forces do not move keeps its angular velocity.
pub fn rotate_torque_free_exact(inertia: &Inertia, state: &mut InertialState, dt: f64) {
    let omega = state.angular_velocity;
    if omega == Vec3::ZERO || dt == 0.0 {
        return;
    }
    let steady = orientation::from_rotation_vector(omega * dt);
    if !inertia.is_movable() {
        state.orientation = orientation::renormalized(steady * state.orientation);
        return;
    }
    let start = principal_orientation(inertia, state.orientation);
    let momentum_world = momentum_of(inertia, start, omega);
    let momentum = start.conjugate() * momentum_world;
    let end = match Circulation::new(inertia.principal_moments(), momentum) {
        Some(motion) => start * motion.turn(momentum, dt),
        None => steady * start,
    };
    let end = orientation::renormalized(end);
    state.orientation = body_orientation(inertia, end);
    state.angular_velocity = angular_velocity_of(inertia, end, momentum_world);
}

/// Constants of the motion of m in principal axes.
#[derive(Clone, Copy, Debug)]
struct Circulation {
    /// Axes 1, 2, 3 as indices.
    axes: [usize; 3],
    /// ±1, the end of axis 3 nearest to m.
    end: f64,
    /// ±1, the sign of m₂ when sn > 0.
    sense: f64,
    /// `|m|`.
    length: f64,
    /// Largest m₁.
    first: f64,
    /// Largest |m₃|.
    third: f64,
    /// n.
    characteristic: f64,
    /// λ, 1/s.
    rate: f64,
    /// `1/I₃`.
    inverse_third: f64,
    /// `(1/I₁ - 1/I₃) L/λ`.
    precession: f64,
    /// `sgn(I₃ - I₁)`.
    order: f64,
    modulus: Modulus,
}

/// An argument u split into half periods and a rest, with what the attitude needs there.
#[derive(Clone, Copy)]
struct Phase {
    sn: f64,
    cn: f64,
    dn: f64,
    half_turns: f64,
    /// `Π(u) - u` and χ of the rest.
    excess: f64,
    chi: f64,
}

impl Circulation {
    /// `None` if m stands still in the body.
    fn new(moments: Vec3, momentum: Vec3) -> Option<Self> {
        let axes = circulation_axes(moments, momentum);
        let [i1, i2, i3] = axes.map(|axis| moments[axis]);
        let [m1, m2, m3] = axes.map(|axis| momentum[axis]);
        let (d12, d23, d13) = ((i2 - i1).abs(), (i3 - i2).abs(), (i3 - i1).abs());
        if d23 == 0.0 || d13 == 0.0 {
            return None;
        }
        let characteristic = i3 * d12 / (i1 * d23);
        let third = (m3 * m3 + m2 * m2 * i3 * d12 / (i2 * d13)).sqrt();
        let first = (m1 * m1 + m2 * m2 / (1.0 + characteristic)).sqrt();
        let rate = third / i3 * (d13 * d23 / (i1 * i2)).sqrt();
        if rate == 0.0 {
            return None;
        }
        let distance = m3 * m3 - characteristic * m1 * m1;
        let complement = scalar::clamp(distance / (third * third), 0.0, 1.0);
        if complement == 0.0 && m1 == 0.0 {
            // Exactly about the intermediate axis: an equilibrium, unstable but for ever.
            return None;
        }
        let end = if m3 < 0.0 { -1.0 } else { 1.0 };
        let order = if i3 > i1 { 1.0 } else { -1.0 };
        let is_even = (axes[0] + 1) % 3 == axes[1];
        let sense = end * order * if is_even { 1.0 } else { -1.0 };
        let length = momentum.length();
        Some(Self {
            axes,
            end,
            sense,
            length,
            first,
            third,
            characteristic,
            rate,
            inverse_third: 1.0 / i3,
            precession: (i3 - i1) / (i1 * i3) * length / rate,
            order,
            modulus: Modulus::from_complement(complement),
        })
    }

    /// The body-frame rotation of the body during `dt`.
    fn turn(&self, momentum: Vec3, dt: f64) -> Quat {
        let (rest, before) = self.phase_of(momentum);
        let after = self.phase_at(rest, before.half_turns, self.rate * dt);
        let half_turns = after.half_turns - before.half_turns;
        // Π is counted as its rest, plus whole half periods, plus u itself, which grows by λ dt exactly.
        let per_half_turn = if half_turns == 0.0 {
            0.0
        } else {
            2.0 * self.modulus.third_kind_excess(self.characteristic, 1.0, 0.0)
        };
        let third_kind = self.rate * dt + half_turns * per_half_turn + (after.excess - before.excess);
        let chi = half_turns * PI + (after.chi - before.chi);
        let alpha = self.length * self.inverse_third * dt + self.precession * third_kind - self.order * chi;

        let mut z = Vec3::ZERO;
        z[self.axes[2]] = self.end;
        let section = |m: Vec3| orientation::between_directions(m / m.length(), z);
        let about_z = orientation::from_rotation_vector(z * alpha);
        section(momentum).conjugate() * about_z * section(self.momentum(&after))
    }

    /// Where on its curve m is now.
    fn phase_of(&self, momentum: Vec3) -> (f64, Phase) {
        let [m1, m2, _] = self.axes.map(|axis| momentum[axis]);
        let ratio = (1.0 + self.characteristic).sqrt();
        let (x, y) = (m1, self.sense * m2 / ratio);
        let size = scalar::hypot(x, y);
        let (mut cn, mut sn) = if size > 0.0 { (x / size, y / size) } else { (1.0, 0.0) };
        // F and Π are evaluated in the right half plane; the left one is half a turn further.
        let half_turns = if cn < 0.0 {
            (cn, sn) = (-cn, -sn);
            1.0
        } else {
            0.0
        };
        let rest = self.modulus.first_kind(sn, cn);
        let dn = (cn * cn + self.modulus.complement() * sn * sn).sqrt();
        (rest, self.complete(half_turns, sn, cn, dn))
    }

    /// The phase `ahead` of the one with this rest and count of half turns.
    fn phase_at(&self, rest: f64, half_turns: f64, ahead: f64) -> Phase {
        let half_period = 2.0 * self.modulus.quarter_period();
        if half_period == f64::INFINITY {
            return self.complete_at(half_turns, rest + ahead);
        }
        let more = ((rest + ahead) / half_period).round();
        self.complete_at(half_turns + more, (ahead - more * half_period) + rest)
    }

    /// Near the separatrix cn is small and known to 1e-16 absolutely only, while u depends on its logarithm: what the rounded
    /// amplitude is off in u is put right in Π to first order.
    fn complete_at(&self, half_turns: f64, u: f64) -> Phase {
        let j = self.modulus.jacobi(u);
        let mut phase = self.complete(half_turns, j.sn, j.cn, j.dn);
        if j.cn != 0.0 || self.modulus.complement() > 0.0 {
            let denominator = 1.0 + self.characteristic * j.sn * j.sn;
            phase.excess += (self.modulus.first_kind(j.sn, j.cn) - u) * (1.0 - 1.0 / denominator);
        }
        phase
    }

    fn complete(&self, half_turns: f64, sn: f64, cn: f64, dn: f64) -> Phase {
        let excess = self.modulus.third_kind_excess(self.characteristic, sn, cn);
        let chi = scalar::atan2((1.0 + self.characteristic).sqrt() * sn, cn);
        Phase { sn, cn, dn, half_turns, excess, chi }
    }

    /// m at a phase.
    fn momentum(&self, phase: &Phase) -> Vec3 {
        let flip = if phase.half_turns % 2.0 == 0.0 { 1.0 } else { -1.0 };
        let mut m = Vec3::ZERO;
        m[self.axes[0]] = flip * self.first * phase.cn;
        m[self.axes[1]] = flip * self.sense * self.first * (1.0 + self.characteristic).sqrt() * phase.sn;
        m[self.axes[2]] = self.end * self.third * phase.dn;
        m
    }
}

/// The axes 1, 2, 3 of the motion.
fn circulation_axes(moments: Vec3, momentum: Vec3) -> [usize; 3] {
    let mut axes = [0, 1, 2];
    axes.sort_by(|&i, &j| moments[i].total_cmp(&moments[j]));
    let [small, middle, large] = axes;
    let (i_small, i_middle, i_large) = (moments[small], moments[middle], moments[large]);
    let about_small = scalar::square(momentum[small]) * i_large * (i_middle - i_small);
    let about_large = scalar::square(momentum[large]) * i_small * (i_large - i_middle);
    if about_small < about_large { [small, middle, large] } else { [large, middle, small] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Mat3;
    use crate::math::orientation::{angle_between, from_wxyz};

    fn inertia(moments: [f64; 3]) -> Inertia {
        Inertia::new(1.0, Mat3::from_diagonal(Vec3::from_array(moments))).unwrap()
    }

    fn spinning(omega: [f64; 3]) -> InertialState {
        InertialState { angular_velocity: Vec3::from_array(omega), ..InertialState::AT_REST }
    }

    #[test]
    fn the_reference_body_is_met_to_round_off_after_any_time() {
        let inertia = inertia([500.0, 200.0, 300.0]);
        for (t, q) in [
            (10.0, [0.6911001119760511, 0.6308383209491752, -0.004051274058774254, 0.3527140984242274]),
            (100.0, [0.5974753088802199, -0.6926074650118645, -0.4032542245479642, -0.02653648568564936]),
        ] {
            let mut state = spinning([0.5, -0.4, 0.7]);
            rotate_torque_free_exact(&inertia, &mut state, t);
            let error = angle_between(state.orientation, from_wxyz(q));
            assert!(error < 1e-13, "t = {t}: {error:e}");
        }
    }

    #[test]
    fn principal_spin_is_a_steady_turn_about_each_axis() {
        let inertia = inertia([1.0, 2.0, 2.5]);
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let mut state = spinning((axis * -3.0).to_array());
            rotate_torque_free_exact(&inertia, &mut state, 50.0);
            let expected = orientation::from_rotation_vector(axis * -150.0);
            assert!(angle_between(state.orientation, expected) < 1e-13);
            assert!((state.angular_velocity + axis * 3.0).length() < 1e-14);
        }
    }

    #[test]
    fn symmetric_and_spherical_bodies_precess_regularly() {
        for (moments, axis) in
            [([2.0, 2.0, 1.0], 2), ([2.0, 2.0, 3.0], 2), ([1.0, 1.5, 1.5], 0), ([2.0; 3], 1)]
        {
            let inertia = inertia(moments);
            let start = spinning([0.3, -1.1, 5.0]);
            let (across, along) = (moments[(axis + 1) % 3], moments[axis]);
            let mut spin = Vec3::ZERO;
            spin[axis] = (1.0 - along / across) * start.angular_velocity[axis];
            let t = 40.0;
            let momentum = start.spin_angular_momentum(&inertia);
            let expected = orientation::from_rotation_vector(momentum * (t / across))
                * orientation::from_rotation_vector(spin * t);
            let mut state = start;
            rotate_torque_free_exact(&inertia, &mut state, t);
            let error = angle_between(state.orientation, expected);
            assert!(error < 2e-13, "{moments:?}: {error:e}");
        }
    }
}
