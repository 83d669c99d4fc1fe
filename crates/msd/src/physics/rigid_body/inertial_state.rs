//! `InertialState`: the state of a moving body.
//!
//! `(x, q, v, ω)`: position of the centre of mass, orientation, velocity of the centre of mass and angular
//! velocity, all in the world frame. The rate `q̇` is derived, never stored: a stored rate and a normalised
//! quaternion drift apart.

use serde::{Deserialize, Serialize};

use super::Inertia;
use crate::math::{AngularCoordinate, Coordinate, Quat, Vec3, orientation};

/// Position, orientation and their rates for one body; SI, world frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct InertialState {
    /// Position of the centre of mass (not of the body's frame), m.
    pub center_of_mass: Coordinate,
    /// Unit quaternion, body to world.
    pub orientation: Quat,
    /// Velocity of the centre of mass, m/s.
    pub velocity: Vec3,
    /// Angular velocity in the **world** frame, rad/s.
    pub angular_velocity: Vec3,
}

/// Speeds below which a body counts as at rest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RestThresholds {
    /// m/s.
    pub linear: f64,
    /// rad/s.
    pub angular: f64,
}

impl Default for RestThresholds {
    /// A millionth of a metre and of a radian a second.
    fn default() -> Self {
        Self { linear: 1e-6, angular: 1e-6 }
    }
}

impl Default for InertialState {
    fn default() -> Self {
        Self::AT_REST
    }
}

impl InertialState {
    /// At the origin, with identity orientation, at rest.
    pub const AT_REST: Self = Self {
        center_of_mass: Vec3::ZERO,
        orientation: Quat::IDENTITY,
        velocity: Vec3::ZERO,
        angular_velocity: Vec3::ZERO,
    };

    /// Angular velocity in body axes, rad/s.
    #[must_use]
    pub fn angular_velocity_body(&self) -> Vec3 {
        self.orientation.conjugate() * self.angular_velocity
    }

    /// The rate `q̇ = ½ [0, ω] ⊗ q` of the orientation.
    #[must_use]
    pub fn orientation_rate(&self) -> Quat {
        orientation::rate(self.orientation, self.angular_velocity)
    }

    /// Pitch, roll and yaw.
    #[must_use]
    pub fn angular_coordinate(&self) -> AngularCoordinate {
        AngularCoordinate::from_quaternion(self.orientation)
    }

    /// `|v|`, m/s.
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.velocity.length()
    }

    /// World velocity of the material point that is at `point` (world) now: `v + ω × (point - x)`.
    #[must_use]
    pub fn velocity_at(&self, point: Coordinate) -> Vec3 {
        self.velocity + self.angular_velocity.cross(point - self.center_of_mass)
    }

    /// `½ m v²`, J; zero for an immovable body.
    #[must_use]
    pub fn linear_kinetic_energy(&self, inertia: &Inertia) -> f64 {
        if inertia.is_movable() { 0.5 * inertia.mass() * self.velocity.length_squared() } else { 0.0 }
    }

    /// `½ ω·Iω`, J; zero for an immovable body.
    #[must_use]
    pub fn rotational_kinetic_energy(&self, inertia: &Inertia) -> f64 {
        let omega_body = self.angular_velocity_body();
        0.5 * omega_body.dot(inertia.tensor_body() * omega_body)
    }

    /// Linear and rotational kinetic energy, J.
    #[must_use]
    pub fn kinetic_energy(&self, inertia: &Inertia) -> f64 {
        self.linear_kinetic_energy(inertia) + self.rotational_kinetic_energy(inertia)
    }

    /// `m v`, kg·m/s; zero for an immovable body.
    #[must_use]
    pub fn linear_momentum(&self, inertia: &Inertia) -> Vec3 {
        if inertia.is_movable() { self.velocity * inertia.mass() } else { Vec3::ZERO }
    }

    /// `R I Rᵀ ω`, about the centre of mass, world frame, kg·m²/s.
    #[must_use]
    pub fn spin_angular_momentum(&self, inertia: &Inertia) -> Vec3 {
        self.orientation * (inertia.tensor_body() * self.angular_velocity_body())
    }

    /// Angular momentum about a world point: spin plus `(x - point) × m v`, kg·m²/s.
    #[must_use]
    pub fn angular_momentum_about(&self, point: Coordinate, inertia: &Inertia) -> Vec3 {
        self.spin_angular_momentum(inertia)
            + (self.center_of_mass - point).cross(self.linear_momentum(inertia))
    }

    /// True if both speeds are below their thresholds.
    #[must_use]
    pub fn is_at_rest(&self, thresholds: RestThresholds) -> bool {
        self.velocity.length() < thresholds.linear && self.angular_velocity.length() < thresholds.angular
    }

    /// Stops the body where it is.
    pub fn reset_motion(&mut self) {
        self.velocity = Vec3::ZERO;
        self.angular_velocity = Vec3::ZERO;
    }

    /// True if every number is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.center_of_mass.is_finite()
            && self.orientation.is_finite()
            && self.velocity.is_finite()
            && self.angular_velocity.is_finite()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Mat3;

    #[test]
    fn energy_and_momentum_follow_their_definitions_in_the_world_frame() {
        let inertia = Inertia::new(2.0, Mat3::from_diagonal(Vec3::new(1.0, 2.0, 2.5))).unwrap();
        // Yawed by 90°: the body's x axis is world y, so ω about world y meets the moment 1.
        let state = InertialState {
            center_of_mass: Vec3::new(0.0, 0.0, 3.0),
            orientation: orientation::from_rotation_vector(Vec3::Z * std::f64::consts::FRAC_PI_2),
            velocity: Vec3::new(4.0, 0.0, 0.0),
            angular_velocity: Vec3::new(0.0, 5.0, 0.0),
        };
        assert_eq!(state.linear_kinetic_energy(&inertia), 16.0);
        assert!((state.rotational_kinetic_energy(&inertia) - 12.5).abs() < 1e-13);
        assert!((state.spin_angular_momentum(&inertia) - Vec3::new(0.0, 5.0, 0.0)).length() < 1e-14);
        let about_origin = state.angular_momentum_about(Vec3::ZERO, &inertia);
        assert!((about_origin - Vec3::new(0.0, 5.0 + 24.0, 0.0)).length() < 1e-13);
        assert_eq!(state.velocity_at(Vec3::new(1.0, 0.0, 3.0)), Vec3::new(4.0, 0.0, -5.0));
    }

    #[test]
    fn rest_needs_both_speeds_below_their_thresholds() {
        let mut state = InertialState { velocity: Vec3::X * 1e-4, ..InertialState::AT_REST };
        let thresholds = RestThresholds { linear: 1e-3, angular: 1e-3 };
        assert!(state.is_at_rest(thresholds));
        state.angular_velocity = Vec3::Y;
        assert!(!state.is_at_rest(thresholds));
        state.reset_motion();
        assert!(state.is_at_rest(thresholds));
    }
}
