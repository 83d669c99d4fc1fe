//! Lie-group chart: the equations of motion as one first-order system in a vector space, for
//! Runge-Kutta-Munthe-Kaas (RKMK) methods of any order.
//!
//! Orientations are not a vector space, so a step works in coordinates around its starting point
//! (Munthe-Kaas, BIT 38, 1998). The bulk of a free rotation is a steady rotation about the angular momentum
//! at the rate `Ω = L (ω·L)/L²`; it is split off first, so that `q = exp(Ω t) exp(θ) q₀` with a rotation
//! vector θ in the world frame that obeys
//!
//! ```text
//! θ̇ = dexp⁻¹(θ) u = u - ½ θ×u + (1 - ½|θ| cot ½|θ|)/|θ|² θ×(θ×u),    u = exp(Ω t)⁻¹ (ω - Ω)
//! ```
//!
//! Spin about a principal axis has u = 0 and is exact; otherwise u is the nutation, and stays perpendicular
//! to L. The quaternion then has length one by construction, and a method keeps its full order in attitude.
//! Rotation is driven by the angular momentum, `L̇ = τ` in the world frame and `ω = R I⁻¹ Rᵀ L`: a free body
//! keeps L to the last bit, and no gyroscopic term needs to be evaluated. Where mass flows, L is per unit of
//! relative mass, `ℓ = L m₀/m`, so that `ω = R I₀⁻¹ Rᵀ ℓ` and `ℓ̇ = τ m₀/m`: the mass that leaves carries its
//! own momentum away.
//!
//! The vector of a system holds, for each body, the changes since the start of the step of `(x, θ, v, ℓ)`,
//! then the work put in and the energy dissipated, whose derivatives are the powers. Changes are small
//! against the values, so sums of stages lose fewer digits.

use super::free_rotor::{angular_velocity_of, body_orientation, momentum_of, principal_orientation};
use super::{Loads, StepWork, System};
use crate::math::{Quat, Vec3, orientation, scalar};
use crate::physics::rigid_body::{Inertia, InertialState};

/// Numbers per body: x, θ, v, ℓ.
pub(super) const PER_BODY: usize = 12;
/// Numbers after the bodies: work put in, energy dissipated.
pub(super) const WORK: usize = 2;

/// Coordinates around the start of a step, with workspace; keeps its allocations.
#[derive(Clone, Debug, Default)]
pub(super) struct LieChart {
    start: f64,
    origin: Vec<ChartOrigin>,
    turned_since: f64,
    rotated: Vec<Quat>,
    stage: Vec<InertialState>,
    loads: Loads,
}

/// A body at the start of the step.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChartOrigin {
    state: InertialState,
    inertia: Inertia,
    principal: Quat,
    momentum: Vec3,
    steady: Vec3,
}

impl LieChart {
    /// Length of the vector for that many bodies.
    pub(super) fn dimension(bodies: usize) -> usize {
        bodies * PER_BODY + WORK
    }

    /// Puts the origin at `states` and `time`.
    pub(super) fn begin(&mut self, system: &mut System<'_>, time: f64, states: &[InertialState]) {
        system.set_time(time);
        self.start = time;
        self.origin.clear();
        self.origin.extend(
            states.iter().zip(system.inertias()).map(|(state, inertia)| ChartOrigin::new(state, inertia)),
        );
        self.turned_since = 0.0;
        self.rotated.clear();
        self.rotated.resize(states.len(), Quat::IDENTITY);
        self.stage.clear();
        self.stage.extend_from_slice(states);
    }

    /// The derivative of `y`, `elapsed` seconds after the origin (a difference of times would have lost digits).
    pub(super) fn derivative(&mut self, system: &mut System<'_>, elapsed: f64, y: &[f64], dy: &mut [f64]) {
        let time = self.start + elapsed;
        self.rotate_to(elapsed);
        place(&self.origin, &self.rotated, y, &mut self.stage);
        system.constrained_loads(time, &self.stage, &mut self.loads);
        for (slot, (y, dy)) in y.chunks_exact(PER_BODY).zip(dy.chunks_exact_mut(PER_BODY)).enumerate() {
            let (state, origin, wrench) = (&self.stage[slot], &self.origin[slot], &self.loads.total[slot]);
            let inverse_mass = system.inertias()[slot].inverse_mass();
            let unsteady = self.rotated[slot].conjugate() * (state.angular_velocity - origin.steady);
            write(dy, 0, state.velocity);
            write(dy, 3, dexp_inverse(read(y, 3), unsteady));
            write(dy, 6, wrench.force * inverse_mass);
            let is_movable = inverse_mass > 0.0;
            let share = if is_movable { origin.inertia.mass() * inverse_mass } else { 0.0 };
            write(dy, 9, wrench.torque * share);
        }
        let power = system.power(time, &self.stage, &self.loads);
        let work = self.stage.len() * PER_BODY;
        dy[work] = power.work_in;
        dy[work + 1] = power.dissipated;
    }

    /// The states at `y`, `elapsed` seconds after the origin.
    pub(super) fn write_states(&mut self, elapsed: f64, y: &[f64], states: &mut [InertialState]) {
        self.rotate_to(elapsed);
        place(&self.origin, &self.rotated, y, states);
    }

    /// The bodies at the origin of the chart.
    pub(super) fn origins(&self) -> &[ChartOrigin] {
        &self.origin
    }

    /// Advances the steady rotations to `elapsed` seconds after the start.
    fn rotate_to(&mut self, elapsed: f64) {
        if elapsed != self.turned_since {
            self.turned_since = elapsed;
            for (rotated, origin) in self.rotated.iter_mut().zip(&self.origin) {
                *rotated = orientation::from_rotation_vector(origin.steady * elapsed);
            }
        }
    }

    /// The work at `y`.
    pub(super) fn work(y: &[f64]) -> StepWork {
        let at = y.len() - WORK;
        StepWork { work_in: y[at], dissipated: y[at + 1], correction: 0.0 }
    }
}

fn place(origin: &[ChartOrigin], rotated: &[Quat], y: &[f64], states: &mut [InertialState]) {
    for (((state, origin), rotated), y) in
        states.iter_mut().zip(origin).zip(rotated).zip(y.chunks_exact(PER_BODY))
    {
        *state = origin.state_at(*rotated, y);
    }
}

impl ChartOrigin {
    fn new(state: &InertialState, inertia: &Inertia) -> Self {
        let omega = state.angular_velocity;
        let principal = principal_orientation(inertia, state.orientation);
        let momentum = momentum_of(inertia, principal, omega);
        let square = momentum.length_squared();
        let steady = if !inertia.is_movable() {
            omega
        } else if square > 0.0 {
            momentum * (momentum.dot(omega) / square)
        } else {
            Vec3::ZERO
        };
        Self { state: *state, inertia: *inertia, principal, momentum, steady }
    }

    /// Angular momentum, world frame.
    pub(super) fn momentum(&self) -> Vec3 {
        self.momentum
    }

    /// The state at coordinates `y`, `elapsed` seconds after the origin.
    pub(super) fn state_after(&self, elapsed: f64, y: &[f64]) -> InertialState {
        self.state_at(orientation::from_rotation_vector(self.steady * elapsed), y)
    }

    fn state_at(&self, rotated: Quat, y: &[f64]) -> InertialState {
        let principal = self.principal_at(rotated, read(y, 3));
        let (orientation, angular_velocity) = if self.inertia.is_movable() {
            let momentum = self.momentum + read(y, 9);
            (
                body_orientation(&self.inertia, principal),
                angular_velocity_of(&self.inertia, principal, momentum),
            )
        } else {
            (principal, self.state.angular_velocity)
        };
        InertialState {
            center_of_mass: self.state.center_of_mass + read(y, 0),
            orientation,
            velocity: self.state.velocity + read(y, 6),
            angular_velocity,
        }
    }

    /// A body that does not rotate keeps its bits.
    fn principal_at(&self, rotated: Quat, rotation: Vec3) -> Quat {
        if rotation == Vec3::ZERO && self.steady == Vec3::ZERO {
            return self.principal;
        }
        let rotated = rotated * orientation::from_rotation_vector(rotation);
        orientation::renormalized(rotated * self.principal)
    }
}

fn read(y: &[f64], at: usize) -> Vec3 {
    Vec3::new(y[at], y[at + 1], y[at + 2])
}

fn write(y: &mut [f64], at: usize, value: Vec3) {
    y[at] = value.x;
    y[at + 1] = value.y;
    y[at + 2] = value.z;
}

/// Rate of the rotation vector θ of `exp(θ) ⊗ q₀` when the body turns with world-frame `omega`; |θ| below 2π.
pub(super) fn dexp_inverse(theta: Vec3, omega: Vec3) -> Vec3 {
    let once = theta.cross(omega);
    omega - once * 0.5 + theta.cross(once) * second_coefficient(theta.length_squared())
}

/// `(1 - ½t cot ½t)/t²` from `t²`; its series has the coefficients `|B_2k|/(2k)!` of the Bernoulli numbers.
fn second_coefficient(square: f64) -> f64 {
    const B: [f64; 7] = [
        1.0 / 12.0,
        1.0 / 720.0,
        1.0 / 30_240.0,
        1.0 / 1_209_600.0,
        1.0 / 47_900_160.0,
        691.0 / 1_307_674_368_000.0,
        1.0 / 74_724_249_600.0,
    ];
    if square < 0.25 {
        // Terms fall by t²/4π² < 1/157: the first dropped one is below 1e-16 of the sum.
        return B.iter().rev().fold(0.0, |sum, b| sum * square + b);
    }
    let half = 0.5 * square.sqrt();
    let (sine, cosine) = scalar::sin_cos(half);
    (1.0 - half * cosine / sine) / square
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_of_the_rotation_vector_matches_a_finite_difference() {
        let omega = Vec3::new(0.3, -1.1, 0.7);
        for theta in [Vec3::new(0.1, 0.2, -0.3), Vec3::new(1.5, -0.4, 0.9), Vec3::new(1e-4, 0.0, 0.0)] {
            let h = 1e-5;
            let log = |t: f64| {
                let rotated =
                    orientation::from_rotation_vector(omega * t) * orientation::from_rotation_vector(theta);
                orientation::rotation_vector(rotated)
            };
            let difference = (log(h) - log(-h)) / (2.0 * h);
            assert!((dexp_inverse(theta, omega) - difference).length() < 1e-9, "θ = {theta}");
        }
    }

    #[test]
    fn series_and_closed_form_of_the_second_coefficient_meet() {
        let (below, above) = (second_coefficient(0.25 - 1e-15), second_coefficient(0.25));
        assert!((below - above).abs() < 1e-15);
    }
}
