//! Inertial forces of a rotating frame: centrifugal, Coriolis and Euler, on extended bodies.
//!
//! World coordinates are those of a frame that rotates with Ω about an axis through a fixed centre. A mass
//! element at `ρ` from the centre with velocity `u` in the frame feels, per kilogram,
//! `-Ω × (Ω × ρ) - 2 Ω × u - Ω̇ × ρ`. For a rigid body `ρ = r + s` and `u = v + ω × s`, with `s` from the centre
//! of mass and v, ω as seen in the frame. Integrated over the body, with the inertia tensor I about the centre of
//! mass in world axes and `J = ∫ s sᵀ dm = ½ tr(I) 1 - I`:
//!
//! | | force | torque | energy ledger |
//! |---|---|---|---|
//! | centrifugal | `-m Ω × (Ω × r)` | `-Ω × I Ω` | potential `V = -½ m (Ω × r)² - ½ Ω·IΩ` |
//! | Coriolis | `-2 m Ω × v` | `-2 JΩ × ω` | nothing: `F·v + τ·ω = 0` |
//! | Euler | `-m Ω̇ × r` | `-I Ω̇` | external work |
//!
//! (`s × (Ω × (ω × s)) = (Ω·s) (s × ω)` gives the Coriolis torque; `∫ s × (Ω × (Ω × s)) dm = Ω × IΩ` the
//! centrifugal one.) Three fields, because their energy is counted in three ways. Kinetic energy in the frame
//! plus the centrifugal and other potentials is Jacobi's integral, constant for constant Ω. With
//! `Ω = Ω₀ + Ω̇ t` the centrifugal potential depends on time, `∂V/∂t = -m (Ω × r)·(Ω̇ × r) - Ω·IΩ̇`, and the
//! Euler force, which has no potential, does the rest of the work.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::field_error::Check;
use super::{ActsOn, Field, FieldClass, FieldError, Targets};
use crate::digest::{Fingerprint, Hasher, parameters};
use crate::math::{Coordinate, Vec3};
use crate::physics::rigid_body::{Bodies, BodyHandle, BodyView, Wrench};

const NAME: &str = "rotating-frame";

/// A rotating frame in which the world is simulated; creates its inertial forces.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RotatingFrame {
    center: Coordinate,
    angular_velocity: Vec3,
    angular_acceleration: Vec3,
    targets: Targets,
}

impl Fingerprint for RotatingFrame {
    parameters!("rotating frame": center, angular_velocity, angular_acceleration, targets);
}

impl RotatingFrame {
    /// Rotating at constant `angular_velocity` (rad/s) about an axis through `center` (m), relative to
    /// inertial space.
    ///
    /// # Errors
    /// If anything is not finite.
    pub fn new(center: Coordinate, angular_velocity: Vec3) -> Result<Self, FieldError> {
        let check = Check(NAME);
        Ok(Self {
            center: check.finite_vector("center", center)?,
            angular_velocity: check.finite_vector("angular velocity", angular_velocity)?,
            angular_acceleration: Vec3::ZERO,
            targets: Targets::Everything,
        })
    }

    /// With constant angular acceleration: `Ω = Ω₀ + Ω̇ t`, with Ω̇ in rad/s² and Ω₀ the velocity at time
    /// zero.
    ///
    /// # Errors
    /// If it is not finite.
    pub fn with_angular_acceleration(mut self, acceleration: Vec3) -> Result<Self, FieldError> {
        self.angular_acceleration = Check(NAME).finite_vector("angular acceleration", acceleration)?;
        Ok(self)
    }

    /// Felt by these bodies only.
    #[must_use]
    pub fn acting_on(mut self, bodies: &[BodyHandle]) -> Self {
        self.targets = Targets::bodies(bodies);
        self
    }

    /// All fields of the frame; add every one of them.
    #[must_use]
    pub fn fields(&self) -> Vec<Arc<dyn Field>> {
        let mut fields: Vec<Arc<dyn Field>> =
            vec![Arc::new(Centrifugal(self.clone())), Arc::new(Coriolis(self.clone()))];
        if self.is_accelerating() {
            fields.push(Arc::new(EulerForce(self.clone())));
        }
        fields
    }

    fn is_accelerating(&self) -> bool {
        self.angular_acceleration != Vec3::ZERO
    }

    /// Ω at `time`.
    fn angular_velocity_at(&self, time: f64) -> Vec3 {
        self.angular_velocity + self.angular_acceleration * time
    }
}

/// `I v`, world frame.
fn inertia_times(body: &BodyView<'_>, v: Vec3) -> Vec3 {
    let orientation = body.state.orientation;
    orientation * (body.inertia.tensor_body() * (orientation.conjugate() * v))
}

/// `J v = ½ tr(I) v - I v`, world frame.
fn second_moment_times(body: &BodyView<'_>, v: Vec3) -> Vec3 {
    let moments = body.inertia.principal_moments();
    v * (0.5 * (moments.x + moments.y + moments.z)) - inertia_times(body, v)
}

/// Outwards from the axis. Type name `centrifugal`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Centrifugal(RotatingFrame);

impl Field for Centrifugal {
    fn type_name(&self) -> &'static str {
        "centrifugal"
    }

    fn fingerprint(&self, hasher: &mut Hasher) {
        self.0.fingerprint(hasher);
    }

    fn class(&self) -> FieldClass {
        if self.0.is_accelerating() { FieldClass::TimeDependent } else { FieldClass::Conservative }
    }

    fn acts_on(&self) -> ActsOn<'_> {
        self.0.targets.acts_on()
    }

    fn couples_bodies(&self) -> bool {
        false
    }

    fn wrench(&self, body: &BodyView<'_>, _bodies: &Bodies<'_>, time: f64) -> Wrench {
        let omega = self.0.angular_velocity_at(time);
        let r = body.state.center_of_mass - self.0.center;
        Wrench::new(omega.cross(omega.cross(r)) * -body.mass(), -omega.cross(inertia_times(body, omega)))
    }

    fn energy(&self, body: &BodyView<'_>, _bodies: &Bodies<'_>, time: f64) -> Option<f64> {
        let omega = self.0.angular_velocity_at(time);
        let r = body.state.center_of_mass - self.0.center;
        let orbital = body.mass() * omega.cross(r).length_squared();
        Some(-0.5 * (orbital + omega.dot(inertia_times(body, omega))))
    }

    fn power(&self, body: &BodyView<'_>, _bodies: &Bodies<'_>, time: f64) -> f64 {
        let (omega, acceleration) = (self.0.angular_velocity_at(time), self.0.angular_acceleration);
        let r = body.state.center_of_mass - self.0.center;
        let orbital = body.mass() * omega.cross(r).dot(acceleration.cross(r));
        -orbital - omega.dot(inertia_times(body, acceleration))
    }

    fn is_proportional_to_mass(&self) -> bool {
        true
    }
}

/// Across the velocity. Type name `coriolis`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coriolis(RotatingFrame);

impl Field for Coriolis {
    fn type_name(&self) -> &'static str {
        "coriolis"
    }

    fn fingerprint(&self, hasher: &mut Hasher) {
        self.0.fingerprint(hasher);
    }

    fn class(&self) -> FieldClass {
        FieldClass::Gyroscopic
    }

    fn acts_on(&self) -> ActsOn<'_> {
        self.0.targets.acts_on()
    }

    fn couples_bodies(&self) -> bool {
        false
    }

    fn wrench(&self, body: &BodyView<'_>, _bodies: &Bodies<'_>, time: f64) -> Wrench {
        let omega = self.0.angular_velocity_at(time);
        Wrench::new(
            omega.cross(body.state.velocity) * (-2.0 * body.mass()),
            second_moment_times(body, omega).cross(body.state.angular_velocity) * -2.0,
        )
    }

    fn energy(&self, _body: &BodyView<'_>, _bodies: &Bodies<'_>, _time: f64) -> Option<f64> {
        None
    }

    fn is_proportional_to_mass(&self) -> bool {
        true
    }
}

/// Against the angular acceleration of the frame. Type name `euler-force`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EulerForce(RotatingFrame);

impl Field for EulerForce {
    fn type_name(&self) -> &'static str {
        "euler-force"
    }

    fn fingerprint(&self, hasher: &mut Hasher) {
        self.0.fingerprint(hasher);
    }

    fn class(&self) -> FieldClass {
        FieldClass::External
    }

    fn acts_on(&self) -> ActsOn<'_> {
        self.0.targets.acts_on()
    }

    fn couples_bodies(&self) -> bool {
        false
    }

    fn wrench(&self, body: &BodyView<'_>, _bodies: &Bodies<'_>, _time: f64) -> Wrench {
        let acceleration = self.0.angular_acceleration;
        let r = body.state.center_of_mass - self.0.center;
        Wrench::new(acceleration.cross(r) * -body.mass(), -inertia_times(body, acceleration))
    }

    fn energy(&self, _body: &BodyView<'_>, _bodies: &Bodies<'_>, _time: f64) -> Option<f64> {
        None
    }

    fn is_proportional_to_mass(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::gradient_check::{Sample, assert_wrench_is_minus_gradient, derivative, sample, vector};
    use super::*;
    use crate::math::{Mat3, outer_product};
    use crate::physics::rigid_body::angular_acceleration;
    use crate::physics::rigid_body::{Inertia, InertialState};
    use proptest::prelude::*;

    fn total(frame: &RotatingFrame, sample: &Sample, time: f64) -> Wrench {
        frame.fields().iter().fold(Wrench::ZERO, |sum, field| sum + sample.wrench(field.as_ref(), 0, time))
    }

    /// Masses at points given relative to their centre of mass, in world axes at the given state.
    fn of_points(points: &[(f64, Vec3)], state: InertialState) -> Sample {
        let mass = points.iter().map(|(m, _)| m).sum();
        let to_body = state.orientation.conjugate();
        let tensor = points.iter().fold(Mat3::ZERO, |sum, (m, s)| {
            let s = to_body * *s;
            sum + (Mat3::IDENTITY * s.length_squared() - outer_product(s, s)) * *m
        });
        Sample::of(Inertia::new(mass, tensor).unwrap(), state)
    }

    proptest! {
        #[test]
        fn the_wrench_on_a_body_is_the_sum_over_its_points(
            points in proptest::collection::vec((0.1..3.0_f64, vector(1.0)), 5),
            sample in sample(1, 10.0), omega in vector(2.0), acceleration in vector(2.0), time in -3.0..3.0_f64
        ) {
            let state = sample.states[0];
            let mass: f64 = points.iter().map(|(m, _)| m).sum();
            let center = points.iter().map(|(m, s)| *s * *m).sum::<Vec3>() / mass;
            let points: Vec<_> = points.iter().map(|(m, s)| (*m, *s - center)).collect();
            let frame = RotatingFrame::new(Vec3::Y, omega).unwrap().with_angular_acceleration(acceleration).unwrap();
            let omega = omega + acceleration * time;
            let mut expected = Wrench::ZERO;
            for (m, s) in &points {
                let rho = state.center_of_mass + *s - Vec3::Y;
                let u = state.velocity + state.angular_velocity.cross(*s);
                let felt = omega.cross(omega.cross(rho)) + omega.cross(u) * 2.0 + acceleration.cross(rho);
                expected += Wrench::from_force_at(felt * -m, *s, Vec3::ZERO);
            }
            let wrench = total(&frame, &of_points(&points, state), time);
            prop_assert!((wrench.force - expected.force).length() < 1e-12 * (1.0 + expected.force.length()));
            prop_assert!((wrench.torque - expected.torque).length() < 1e-12 * (10.0 + expected.torque.length()));
        }

        #[test]
        fn a_body_at_rest_in_inertial_space_turns_backwards_steadily(sample in sample(1, 10.0), omega in vector(2.0)) {
            let mut sample = sample;
            let r = sample.states[0].center_of_mass;
            sample.states[0].velocity = -omega.cross(r);
            sample.states[0].angular_velocity = -omega;
            let wrench = total(&RotatingFrame::new(Vec3::ZERO, omega).unwrap(), &sample, 0.0);
            let inward = omega.cross(omega.cross(r));
            let mass = sample.inertias[0].mass();
            prop_assert!((wrench.force / mass - inward).length() < 1e-13 * (1.0 + inward.length()));
            let spin_up = angular_acceleration(&sample.inertias[0], &sample.states[0], wrench.torque);
            prop_assert!(spin_up.length() < 1e-13 * (1.0 + omega.length_squared()));
        }

        #[test]
        fn the_centrifugal_wrench_is_minus_the_gradient_of_its_energy(
            sample in sample(2, 10.0), omega in vector(2.0), acceleration in vector(2.0), time in -3.0..3.0_f64
        ) {
            let steady = Centrifugal(RotatingFrame::new(Vec3::X, omega).unwrap());
            assert_wrench_is_minus_gradient(&steady, &sample, time, 3.0)?;
            let faster = Centrifugal(steady.0.with_angular_acceleration(acceleration).unwrap());
            assert_wrench_is_minus_gradient(&faster, &sample, time, 3.0)?;
            let rate = derivative(0.05, |h| sample.energy(&faster, time + h));
            prop_assert!((rate - sample.power(&faster, time)).abs() < 1e-9 * (1.0 + rate.abs()));
        }

        #[test]
        fn the_coriolis_wrench_does_no_work(sample in sample(1, 10.0), omega in vector(2.0)) {
            let coriolis = Coriolis(RotatingFrame::new(Vec3::X, omega).unwrap());
            let wrench = sample.wrench(&coriolis, 0, 0.0);
            let state = sample.states[0];
            let scale = wrench.force.length() * state.speed() + wrench.torque.length() * state.angular_velocity.length();
            prop_assert!(sample.mechanical_power(&coriolis, 0.0).abs() < 1e-14 * scale);
            prop_assert!(coriolis.depends_on_velocity());
        }
    }
}
