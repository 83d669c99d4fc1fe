//! Euler's equation of rotation.
//!
//! `I ω̇ + ω × I ω = τ`: in body axes, where the tensor is constant, and the same in the world frame. The gyroscopic term
//! `ω × I ω` is what makes a free asymmetric body tumble.

use super::{Inertia, InertialState};
use crate::math::Vec3;

/// `ω̇ = I⁻¹ (τ - ω × I ω)`, world frame, computed in body axes where the tensor is constant.
#[must_use]
pub fn angular_acceleration(inertia: &Inertia, state: &InertialState, torque: Vec3) -> Vec3 {
    let omega = state.angular_velocity_body();
    let torque_body = state.orientation.conjugate() * torque;
    let spin = inertia.tensor_body() * omega;
    state.orientation * (inertia.inverse_tensor_body() * (torque_body - omega.cross(spin)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Mat3, orientation};

    #[test]
    fn a_free_asymmetric_body_accelerates_by_the_gyroscopic_term_alone() {
        // I = diag(1, 2, 3), ω = (1, 1, 1): ω̇ = ((I₂-I₃) ω₂ω₃/I₁, (I₃-I₁) ω₃ω₁/I₂, (I₁-I₂) ω₁ω₂/I₃) = (-1, 1, -1/3).
        let inertia = Inertia::new(1.0, Mat3::from_diagonal(Vec3::new(1.0, 2.0, 3.0))).unwrap();
        let state = InertialState { angular_velocity: Vec3::ONE, ..InertialState::AT_REST };
        let expected = Vec3::new(-1.0, 1.0, -1.0 / 3.0);
        assert!((angular_acceleration(&inertia, &state, Vec3::ZERO) - expected).length() < 1e-15);
        // The same body turned: the answer turns with it.
        let q = orientation::from_rotation_vector(Vec3::new(0.3, -1.0, 2.0));
        let turned = InertialState { orientation: q, angular_velocity: q * Vec3::ONE, ..state };
        assert!((angular_acceleration(&inertia, &turned, Vec3::ZERO) - q * expected).length() < 1e-14);
    }
}
