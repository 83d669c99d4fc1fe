//! Wrenches and accelerations.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use super::InertialState;
use crate::math::{Coordinate, Vec3, orientation};

/// A force through the centre of mass (N) and a torque (N·m), both in the world frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrench {
    /// Force, N, world frame.
    pub force: Vec3,
    /// Torque about the centre of mass, N·m, world frame.
    pub torque: Vec3,
}

impl Wrench {
    /// Nothing.
    pub const ZERO: Self = Self { force: Vec3::ZERO, torque: Vec3::ZERO };

    /// From force and torque.
    #[must_use]
    pub const fn new(force: Vec3, torque: Vec3) -> Self {
        Self { force, torque }
    }

    /// A force alone, through the centre of mass.
    #[must_use]
    pub const fn from_force(force: Vec3) -> Self {
        Self { force, torque: Vec3::ZERO }
    }

    /// A torque alone.
    #[must_use]
    pub const fn from_torque(torque: Vec3) -> Self {
        Self { force: Vec3::ZERO, torque }
    }

    /// A force that acts at `point`, seen from `center_of_mass`: `τ = (point - center_of_mass) × F`.
    #[must_use]
    pub fn from_force_at(force: Vec3, point: Coordinate, center_of_mass: Coordinate) -> Self {
        Self { force, torque: (point - center_of_mass).cross(force) }
    }

    /// `F·v + τ·ω`, W.
    #[must_use]
    pub fn power(&self, velocity: Vec3, angular_velocity: Vec3) -> f64 {
        self.force.dot(velocity) + self.torque.dot(angular_velocity)
    }

    /// Work of a constant wrench on a body moved from one pose to another nearby, J.
    #[must_use]
    pub fn work_between(&self, from: &InertialState, to: &InertialState) -> f64 {
        let turned = orientation::rotation_vector(to.orientation * from.orientation.conjugate());
        self.power(to.center_of_mass - from.center_of_mass, turned)
    }

    /// True if every number is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.force.is_finite() && self.torque.is_finite()
    }
}

impl Add for Wrench {
    type Output = Wrench;
    fn add(self, other: Wrench) -> Wrench {
        Wrench { force: self.force + other.force, torque: self.torque + other.torque }
    }
}

impl Sub for Wrench {
    type Output = Wrench;
    fn sub(self, other: Wrench) -> Wrench {
        Wrench { force: self.force - other.force, torque: self.torque - other.torque }
    }
}

impl AddAssign for Wrench {
    fn add_assign(&mut self, other: Wrench) {
        self.force += other.force;
        self.torque += other.torque;
    }
}

impl Neg for Wrench {
    type Output = Wrench;
    fn neg(self) -> Wrench {
        Wrench { force: -self.force, torque: -self.torque }
    }
}

impl Mul<f64> for Wrench {
    type Output = Wrench;
    fn mul(self, factor: f64) -> Wrench {
        Wrench { force: self.force * factor, torque: self.torque * factor }
    }
}

/// Rates of change of velocity (m/s²) and angular velocity (rad/s²), both in the world frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Acceleration {
    /// Acceleration of the centre of mass, m/s².
    pub linear: Vec3,
    /// `dω/dt` in the world frame, rad/s².
    pub angular: Vec3,
}

impl Acceleration {
    /// None.
    pub const ZERO: Self = Self { linear: Vec3::ZERO, angular: Vec3::ZERO };
}
