//! Motion of one body over a span under a constant impulse: the implicit midpoint rule.
//!
//! With mass m, body inertia J, orientation R₀, velocity v₀, body angular momentum `Π₀ = J R₀ᵀω₀`, a span of h seconds, and over it the
//! impulse f and the angular impulse T about the centre of mass (world frame, smooth forces included), τ = R₀ᵀT:
//! ```text
//! v̄ = v₀ + f/2m        x₁ = x₀ + h v̄               v₁ = 2v̄ - v₀
//! 2JΩ̄ + hΩ̄×JΩ̄ + (h/2) Ω̄×τ = 2Π₀ + τ             (Newton's method, 3×3)
//! R₁ = R₀ cay(hΩ̄)      Π₁ = 2JΩ̄ - Π₀              ω̄ = R₀Ω̄
//! ```
//! Angular momentum changes by T and kinetic energy by `f·v̄ + T·ω̄`, both exactly and for every h; an arm a fixed in the body
//! satisfies `a₁ - a₀ = h ω̄ × ½(a₀ + a₁)`. (Simo and Wong 1991; Austin, Krishnaprasad and Wang 1993.)

use crate::math::{Mat3, Quat, Vec3, cross_matrix, orientation};
use crate::physics::constraints::contact::BodyVelocity;
use crate::physics::rigid_body::{Inertia, InertialState};

/// Newton steps for the mean angular velocity: it converges quadratically from the torque-free guess.
const NEWTON_STEPS: usize = 8;

/// An impulse and an angular impulse about the centre of mass, world frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Impulse {
    /// N·s.
    pub(super) linear: Vec3,
    /// N·m·s.
    pub(super) angular: Vec3,
}

impl Impulse {
    /// Adds an impulse that acts at `arm` from the centre of mass, and a couple.
    pub(super) fn add(&mut self, arm: Vec3, impulse: Vec3, couple: Vec3) {
        self.linear += impulse;
        self.angular += arm.cross(impulse) + couple;
    }
}

/// One body over one span.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MidpointMotion {
    /// Mean velocities: those the displacement is made by.
    pub(super) mean: BodyVelocity,
    /// State at the end of the span, before impulses that act there.
    pub(super) end: InertialState,
}

impl MidpointMotion {
    /// From `start` over h seconds.
    pub(super) fn new(start: &InertialState, inertia: &Inertia, impulse: &Impulse, h: f64) -> Self {
        let linear = start.velocity + impulse.linear * (0.5 * inertia.inverse_mass());
        let tensor = inertia.tensor_body();
        let to_body = start.orientation.conjugate();
        let momentum = tensor * (to_body * start.angular_velocity);
        let torque = to_body * impulse.angular;
        let spin = mean_spin(inertia, &tensor, momentum, torque, h);
        let end = InertialState {
            center_of_mass: start.center_of_mass + linear * h,
            orientation: orientation::renormalized(start.orientation * cayley(spin * h)),
            velocity: 2.0 * linear - start.velocity,
            angular_velocity: Vec3::ZERO,
        };
        let after = inertia.inverse_tensor_body() * (2.0 * (tensor * spin) - momentum);
        Self {
            mean: BodyVelocity { linear, angular: start.orientation * spin },
            end: InertialState { angular_velocity: end.orientation * after, ..end },
        }
    }

    /// A body that nothing moves, from one state to another in h seconds.
    pub(super) fn given(start: &InertialState, end: &InertialState, h: f64) -> Self {
        // Cayley's parameter of the rotation, so that arms move by the mean velocity exactly.
        let turn = orientation::canonical(end.orientation * start.orientation.conjugate());
        let mean = BodyVelocity {
            linear: (end.center_of_mass - start.center_of_mass) / h,
            angular: Vec3::new(turn.x, turn.y, turn.z) * (2.0 / (turn.w * h)),
        };
        Self { mean, end: *end }
    }
}

/// Ω̄, body frame, rad/s.
fn mean_spin(inertia: &Inertia, tensor: &Mat3, momentum: Vec3, torque: Vec3, h: f64) -> Vec3 {
    let wanted = 2.0 * momentum + torque;
    let mut spin = inertia.inverse_tensor_body() * (0.5 * wanted);
    let twist = cross_matrix(torque) * (-0.5 * h);
    for _ in 0..NEWTON_STEPS {
        let carried = *tensor * spin;
        let residual = 2.0 * carried + spin.cross(carried) * h + spin.cross(torque) * (0.5 * h) - wanted;
        if residual.length_squared() <= f64::EPSILON * f64::EPSILON * wanted.length_squared() {
            break;
        }
        let slope = *tensor * 2.0 + (cross_matrix(spin) * *tensor - cross_matrix(carried)) * h + twist;
        let step = slope.inverse() * residual;
        if !step.is_finite() {
            break;
        }
        spin -= step;
        if step.length_squared() <= f64::EPSILON * f64::EPSILON * spin.length_squared() {
            break;
        }
    }
    spin
}

/// `cay(w)`: the rotation about w by `2 atan(‖w‖/2)`.
fn cayley(w: Vec3) -> Quat {
    let q = Quat::from_xyzw(0.5 * w.x, 0.5 * w.y, 0.5 * w.z, 1.0);
    orientation::normalized(q)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Momentum and energy change by what the impulse says, for steps of any length.
    #[test]
    fn momentum_and_energy_balance_exactly() {
        let tensor = Mat3::from_cols(
            Vec3::new(0.3, 0.02, -0.01),
            Vec3::new(0.02, 0.2, 0.03),
            Vec3::new(-0.01, 0.03, 0.4),
        );
        let inertia = Inertia::new(2.5, tensor).expect("an inertia");
        let start = InertialState {
            center_of_mass: Vec3::new(1.0, -2.0, 0.5),
            orientation: orientation::from_rotation_vector(Vec3::new(0.4, 1.0, -0.7)),
            velocity: Vec3::new(0.3, -1.0, 2.0),
            angular_velocity: Vec3::new(3.0, -2.0, 5.0),
        };
        for h in [1e-3, 1e-2, 0.1] {
            let impulse = Impulse { linear: Vec3::new(0.7, 0.1, -0.4), angular: Vec3::new(0.05, -0.3, 0.2) };
            let motion = MidpointMotion::new(&start, &inertia, &impulse, h);
            let gained = motion.end.spin_angular_momentum(&inertia) - start.spin_angular_momentum(&inertia);
            assert!((gained - impulse.angular).length() < 1e-13, "{h}: {gained}");
            let work = impulse.linear.dot(motion.mean.linear) + impulse.angular.dot(motion.mean.angular);
            let rise = motion.end.kinetic_energy(&inertia) - start.kinetic_energy(&inertia);
            assert!((rise - work).abs() < 1e-12, "{h}: {rise} {work}");
            let arm = Vec3::new(0.2, 0.3, -0.1);
            let (a0, a1) = (start.orientation * arm, motion.end.orientation * arm);
            let carried = motion.mean.angular.cross(0.5 * (a0 + a1)) * h;
            assert!((a1 - a0 - carried).length() < 1e-14);
            let moved = MidpointMotion::given(&start, &motion.end, h);
            assert!(
                (moved.mean.angular - motion.mean.angular).length() < 1e-9 * motion.mean.angular.length()
            );
        }
    }
}
