//! The path of a body through a step, reconstructed from its velocities. Poses at the ends are not enough: between
//! them a body that rotates by 18 rad seems hardly to have moved.
//!
//! From the state at the start the body flies with the mean acceleration of free flight and turns as Euler's equations of a body
//! without torque turn it, with the angular momentum `L` kept:
//! ```text
//! x(t) = x + v t + ½ a t²,   ω(t) = R I⁻¹ Rᵀ L,   q̇ = ½ ω q
//! ```
//! At every declared impact it continues with the velocities declared after it. Its end differs from the true end by
//! δx and δφ, due to forces and torques that act all the time; a constant force makes `δx s²` of it at the fraction s
//! of the step, and so does the path here. The velocities at the end differ by Δv and Δω, so that the true path is
//! within
//! ```text
//! ¼ (max(|δx|, |Δv| dt) + reach max(|δφ|, |Δω| dt))
//! ```
//! of this one. If Δω dt or δφ is above [`LOST`], the number of turns is not known and the path is lost.

use super::evidence::{DeclaredImpact, Evidence, Motion};
use crate::math::{Mat3, Quat, Vec3, orientation, scalar};
use crate::physics::rigid_body::InertialState;
use crate::physics::rigid_body::shape::{RoundedCore, Shape};

/// Difference of the reconstructed rotation from the true one, rad, above which the path is unknown.
const LOST: f64 = 1.0;
/// Rotation in one step of the midpoint rule for the orientation, rad. Its error over 20 rad is 1 % of a radian.
const TURN: f64 = 0.1;

/// Rotations under which a shape is symmetric.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Symmetry {
    #[default]
    None,
    /// A solid of revolution about its own z axis, which goes through the centre of mass.
    AboutAxis,
    /// A ball about its centre of mass.
    Ball,
}

impl Symmetry {
    pub(super) fn of(shape: &Shape, center_of_mass: Vec3) -> Self {
        let on_axis = center_of_mass.x == 0.0 && center_of_mass.y == 0.0;
        match shape {
            Shape::Sphere(_) if center_of_mass == Vec3::ZERO => Self::Ball,
            Shape::Rounded(body) if on_axis && matches!(body.core(), RoundedCore::Cylinder(_)) => {
                Self::AboutAxis
            }
            Shape::Ellipsoid(body) if on_axis && body.radii().x == body.radii().y => Self::AboutAxis,
            Shape::Sphere(_)
            | Shape::Capsule(_)
            | Shape::Cylinder(_)
            | Shape::Cone(_)
            | Shape::TaperedCapsule(_)
                if on_axis =>
            {
                Self::AboutAxis
            }
            _ => Self::None,
        }
    }

    /// Length of the part of a rotation vector (or angular velocity) that moves the shape.
    pub(super) fn sweeping(self, rotation: Vec3, orientation: Quat) -> f64 {
        match self {
            Self::None => rotation.length(),
            Self::AboutAxis => (orientation * Vec3::Z).cross(rotation).length(),
            Self::Ball => 0.0,
        }
    }
}

/// A body on its path.
#[derive(Clone, Copy, Debug)]
struct Flyer {
    time: f64,
    center_of_mass: Vec3,
    orientation: Quat,
    velocity: Vec3,
    angular_velocity: Vec3,
    /// Number of impacts it has had.
    impacts: usize,
}

/// The path of one body.
#[derive(Clone, Copy)]
pub(super) struct FlightPath<'a> {
    step: &'a Evidence<'a>,
    slot: usize,
    symmetry: Symmetry,
    acceleration: Vec3,
    now: Flyer,
    /// Difference from the true pose at the end of the step.
    offset: Vec3,
    twist: Vec3,
    /// Largest distance of the true path from this one, m; infinite if it is unknown.
    pub(super) uncertainty: f64,
    /// Largest speed of a point of the body due to `offset` and `twist`, m/s.
    pub(super) correction_speed: f64,
}

impl<'a> FlightPath<'a> {
    /// The path of the body in a slot, whose farthest point is `reach` metres from its centre of mass.
    pub(super) fn new(step: &'a Evidence<'a>, slot: usize, symmetry: Symmetry, reach: f64) -> Self {
        let (start, flown, end) = (&step.start[slot], &step.flown[slot], &step.end[slot]);
        let begin = Flyer {
            time: 0.0,
            center_of_mass: start.center_of_mass,
            orientation: start.orientation,
            velocity: start.velocity,
            angular_velocity: start.angular_velocity,
            impacts: 0,
        };
        let mut path = Self {
            step,
            slot,
            symmetry,
            acceleration: (flown.velocity - start.velocity) / step.dt,
            now: begin,
            offset: Vec3::ZERO,
            twist: Vec3::ZERO,
            uncertainty: 0.0,
            correction_speed: 0.0,
        };
        path.advance(step.dt);
        let last = path.now;
        path.offset = end.center_of_mass - last.center_of_mass;
        let missing = orientation::rotation_vector(end.orientation * last.orientation.conjugate());
        let sweeping = |rotation: Vec3| symmetry.sweeping(rotation, end.orientation);
        path.twist = missing;
        let shift = scalar::max(path.offset.length(), (end.velocity - last.velocity).length() * step.dt);
        let turn = sweeping((end.angular_velocity - last.angular_velocity) * step.dt);
        let turn = scalar::max(sweeping(missing), turn);
        path.correction_speed = 2.0 * (path.offset.length() + reach * sweeping(missing)) / step.dt;
        path.uncertainty = if turn > LOST { f64::INFINITY } else { 0.25 * (shift + reach * turn) };
        path.now = begin;
        path
    }

    /// The declared impacts of the body from a number on: their place, time, and the velocities after.
    fn impact(&self, number: usize) -> Option<(f64, Motion)> {
        let slot = self.slot;
        let of_body = |impact: &&DeclaredImpact| impact.a == slot || impact.b == slot;
        let impact = self.step.impacts.iter().filter(of_body).nth(number)?;
        Some((impact.time, impact.after[usize::from(impact.a != slot)]))
    }

    /// Flies on until `time`, which does not go back.
    fn advance(&mut self, time: f64) {
        while let Some((at, after)) = self.impact(self.now.impacts).filter(|(at, _)| *at <= time) {
            self.fly(scalar::max(at, self.now.time));
            (self.now.velocity, self.now.angular_velocity) = (after.linear, after.angular);
            self.now.impacts += 1;
        }
        self.fly(time);
    }

    /// Flies freely until `time`.
    fn fly(&mut self, time: f64) {
        let span = time - self.now.time;
        if span <= 0.0 {
            return;
        }
        let turns = self.now.angular_velocity.length() * span / TURN;
        let parts = scalar::clamp(turns.ceil(), 1.0, 1e4);
        let h = span / parts;
        let inertia = &self.step.inertias[self.slot];
        if self.symmetry != Symmetry::Ball && turns > 0.0 {
            let free = inertia.is_movable() && !inertia.is_spherical();
            let momentum = |q: Quat, w: Vec3| inertia.tensor_world(&Mat3::from_quat(q)) * w;
            let kept = momentum(self.now.orientation, self.now.angular_velocity);
            let spin = |q: Quat| inertia.inverse_tensor_world(&Mat3::from_quat(q)) * kept;
            for _ in 0..parts as usize {
                if free {
                    let middle =
                        orientation::advanced(self.now.orientation, self.now.angular_velocity, 0.5 * h);
                    self.now.orientation = orientation::advanced(self.now.orientation, spin(middle), h);
                    self.now.angular_velocity = spin(self.now.orientation);
                } else {
                    self.now.orientation =
                        orientation::advanced(self.now.orientation, self.now.angular_velocity, h);
                }
            }
        }
        self.now.center_of_mass += (self.now.velocity + self.acceleration * (0.5 * span)) * span;
        self.now.velocity += self.acceleration * span;
        self.now.time = time;
    }

    /// The pose at a time of the step, which does not go back.
    pub(super) fn at(&mut self, time: f64) -> InertialState {
        self.advance(time);
        let part = scalar::square(time / self.step.dt);
        InertialState {
            center_of_mass: self.now.center_of_mass + self.offset * part,
            orientation: orientation::advanced(self.now.orientation, self.twist * part, 1.0),
            velocity: self.now.velocity,
            angular_velocity: self.now.angular_velocity,
        }
    }
}
