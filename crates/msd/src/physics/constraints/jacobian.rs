//! One row of a constraint's Jacobian over the velocities of two bodies.
//!
//! `Ċ = J·[v_A, ω_A, v_B, ω_B] + ∂C/∂t`, everything in the world frame, velocities of the centres of mass. The same row
//! carries a multiplier λ back as generalised force: body A feels the force `λ J_vA` and the torque `λ J_ωA` about its
//! centre of mass, body B likewise. For a row that measures a distance along the unit vector n from A to B this is
//! `[-n, -(r_A × n), n, r_B × n]`, the sign convention contacts use.

use std::ops::{Add, Mul, Neg};

use crate::math::Vec3;
use crate::physics::rigid_body::{InertialState, Wrench};

/// One row over `[v_A, ω_A, v_B, ω_B]`; also the generalised force a unit multiplier exerts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JacobianRow {
    /// Factor of `v_A`.
    pub linear_a: Vec3,
    /// Factor of `ω_A`.
    pub angular_a: Vec3,
    /// Factor of `v_B`.
    pub linear_b: Vec3,
    /// Factor of `ω_B`.
    pub angular_b: Vec3,
}

impl JacobianRow {
    /// No motion counts.
    pub const ZERO: Self =
        Self { linear_a: Vec3::ZERO, angular_a: Vec3::ZERO, linear_b: Vec3::ZERO, angular_b: Vec3::ZERO };

    /// A row that sees rotation only, and only relative rotation: `g·(ω_B - ω_A)`.
    #[must_use]
    pub fn relative_rotation(gradient: Vec3) -> Self {
        Self { angular_a: -gradient, angular_b: gradient, ..Self::ZERO }
    }

    /// `J v` for the velocities of two states.
    #[must_use]
    pub fn velocity(&self, a: &InertialState, b: &InertialState) -> f64 {
        self.linear_a.dot(a.velocity)
            + self.angular_a.dot(a.angular_velocity)
            + self.linear_b.dot(b.velocity)
            + self.angular_b.dot(b.angular_velocity)
    }

    /// The part of the row on A, as the wrench of a unit multiplier.
    #[must_use]
    pub fn on_a(&self) -> Wrench {
        Wrench::new(self.linear_a, self.angular_a)
    }

    /// The part of the row on B, as the wrench of a unit multiplier.
    #[must_use]
    pub fn on_b(&self) -> Wrench {
        Wrench::new(self.linear_b, self.angular_b)
    }

    /// True if every number is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.on_a().is_finite() && self.on_b().is_finite()
    }
}

impl Neg for JacobianRow {
    type Output = Self;
    fn neg(self) -> Self {
        self * -1.0
    }
}

impl Add for JacobianRow {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            linear_a: self.linear_a + other.linear_a,
            angular_a: self.angular_a + other.angular_a,
            linear_b: self.linear_b + other.linear_b,
            angular_b: self.angular_b + other.angular_b,
        }
    }
}

impl Mul<f64> for JacobianRow {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self {
            linear_a: self.linear_a * factor,
            angular_a: self.angular_a * factor,
            linear_b: self.linear_b * factor,
            angular_b: self.angular_b * factor,
        }
    }
}
