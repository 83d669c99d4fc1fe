//! Spatial vectors in world axes about a common point O.
//!
//! A motion is `(ω, v_O)`: the velocity of a point x is `v_O + ω × x`. A force is `(n_O, f)`. Power is `ω·n_O + v_O·f`.

use std::ops::{Add, AddAssign, Mul};

use crate::math::{Mat3, Vec3};

/// Angular part and part at O.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Spatial {
    pub(super) angular: Vec3,
    pub(super) linear: Vec3,
}

impl Spatial {
    pub(super) const ZERO: Self = Self { angular: Vec3::ZERO, linear: Vec3::ZERO };

    pub(super) fn new(angular: Vec3, linear: Vec3) -> Self {
        Self { angular, linear }
    }

    /// Turning about a direction through a point.
    pub(super) fn rotation(axis: Vec3, point: Vec3) -> Self {
        Self { angular: axis, linear: point.cross(axis) }
    }

    pub(super) fn dot(&self, other: &Self) -> f64 {
        self.angular.dot(other.angular) + self.linear.dot(other.linear)
    }

    /// Rate of a motion that is carried along by this one.
    pub(super) fn cross_motion(&self, other: &Self) -> Self {
        Self {
            angular: self.angular.cross(other.angular),
            linear: self.angular.cross(other.linear) + self.linear.cross(other.angular),
        }
    }

    /// Rate of a force that is carried along by this motion.
    pub(super) fn cross_force(&self, other: &Self) -> Self {
        Self {
            angular: self.angular.cross(other.angular) + self.linear.cross(other.linear),
            linear: self.angular.cross(other.linear),
        }
    }
}

impl Add for Spatial {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { angular: self.angular + other.angular, linear: self.linear + other.linear }
    }
}

impl AddAssign for Spatial {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<f64> for Spatial {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self { angular: self.angular * factor, linear: self.linear * factor }
    }
}

/// Mass, first moment and inertia about O of a body or of several.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpatialInertia {
    mass: f64,
    moment: Vec3,
    about_origin: Mat3,
}

impl SpatialInertia {
    /// Of a body with its centre of mass at `center` from O and this tensor about it, world axes.
    pub(super) fn new(mass: f64, center: Vec3, tensor: Mat3) -> Self {
        let outer = Mat3::from_cols(center * center.x, center * center.y, center * center.z);
        let parallel = (Mat3::IDENTITY * center.length_squared() - outer) * mass;
        Self { mass, moment: center * mass, about_origin: tensor + parallel }
    }

    /// Momentum of a motion.
    pub(super) fn apply(&self, motion: &Spatial) -> Spatial {
        Spatial {
            angular: self.about_origin * motion.angular + self.moment.cross(motion.linear),
            linear: motion.linear * self.mass + motion.angular.cross(self.moment),
        }
    }

    pub(super) fn mass(&self) -> f64 {
        self.mass
    }

    pub(super) fn moment(&self) -> Vec3 {
        self.moment
    }
}

impl AddAssign for SpatialInertia {
    fn add_assign(&mut self, other: Self) {
        self.mass += other.mass;
        self.moment += other.moment;
        self.about_origin += other.about_origin;
    }
}
