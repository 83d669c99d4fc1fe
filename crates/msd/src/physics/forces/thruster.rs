//! A thruster fixed to a body.
//!
//! While it fires it pushes with `T = ṁ u` along its direction (where the body is pushed, opposite to the
//! jet), at its place on the body: `F = T d̂`, `τ = (p - x) × F`, both rotating with the body. The propellant
//! leaves with the velocity of the body plus `-u d̂`, so the body loses mass at the rate ṁ and obeys
//! `m v̇ = F`; the inertia tensor shrinks in proportion.
//!
//! It fires for `from ≤ t < until`. Steps should end at these times: a step that straddles one sees the
//! thrust at whatever instants the integrator evaluates, and burns propellant as at its start.

use serde::{Deserialize, Serialize};

use super::field_error::Check;
use super::{ActsOn, Field, FieldClass, FieldError};
use crate::digest::parameters;
use crate::math::{Coordinate, Vec3};
use crate::physics::rigid_body::{Bodies, BodyHandle, BodyView, Wrench};

const NAME: &str = "thruster";

/// Constant thrust from a place on a body, for a time. Type name `thruster`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Thruster {
    body: [BodyHandle; 1],
    position: Coordinate,
    direction: Vec3,
    thrust: f64,
    mass_flow: f64,
    from: f64,
    until: f64,
}

impl Thruster {
    /// Thrust (N) with no loss of mass worth counting, at `position` (m) along the unit vector `direction`, both in
    /// the frame of the body. Fires at all times unless [`Thruster::firing`] says otherwise.
    ///
    /// # Errors
    /// If the thrust is negative, the direction is not a unit vector, or anything is not finite.
    pub fn new(
        body: BodyHandle,
        position: Coordinate,
        direction: Vec3,
        thrust: f64,
    ) -> Result<Self, FieldError> {
        let check = Check(NAME);
        Ok(Self {
            body: [body],
            position: check.finite_vector("position", position)?,
            direction: check.direction("direction", direction)?,
            thrust: check.not_negative("thrust", thrust)?,
            mass_flow: 0.0,
            from: f64::NEG_INFINITY,
            until: f64::INFINITY,
        })
    }

    /// A rocket that burns `mass_flow` (kg/s ≥ 0) and throws it out at `exhaust_velocity` (m/s): thrust is their
    /// product.
    ///
    /// # Errors
    /// As [`Thruster::new`], and if the mass flow or the exhaust velocity is negative.
    pub fn rocket(
        body: BodyHandle,
        position: Coordinate,
        direction: Vec3,
        mass_flow: f64,
        exhaust_velocity: f64,
    ) -> Result<Self, FieldError> {
        let mass_flow = Check(NAME).not_negative("mass flow", mass_flow)?;
        let exhaust_velocity = Check(NAME).not_negative("exhaust velocity", exhaust_velocity)?;
        Ok(Self { mass_flow, ..Self::new(body, position, direction, mass_flow * exhaust_velocity)? })
    }

    /// Fires for `from ≤ t < until` only, s.
    ///
    /// # Errors
    /// If `until` is before `from`, or either is NaN.
    pub fn firing(mut self, from: f64, until: f64) -> Result<Self, FieldError> {
        if from.is_nan() || until.is_nan() || until < from {
            let limit = "at or after the time it fires from";
            return Err(FieldError::Number { field: NAME, parameter: "until", value: until, limit });
        }
        (self.from, self.until) = (from, until);
        Ok(self)
    }

    /// True while it fires.
    #[must_use]
    pub fn is_firing(&self, time: f64) -> bool {
        self.from <= time && time < self.until
    }
}

impl Field for Thruster {
    fn type_name(&self) -> &'static str {
        NAME
    }

    parameters!("thruster": body, position, direction, thrust, mass_flow, from, until);

    fn class(&self) -> FieldClass {
        FieldClass::External
    }

    fn acts_on(&self) -> ActsOn<'_> {
        ActsOn::Bodies(&self.body)
    }

    fn wrench(&self, body: &BodyView<'_>, _bodies: &Bodies<'_>, time: f64) -> Wrench {
        if !self.is_firing(time) {
            return Wrench::ZERO;
        }
        let force = body.direction_to_world(self.direction) * self.thrust;
        let arm = body.direction_to_world(self.position - body.body.center_of_mass_local);
        Wrench::new(force, arm.cross(force))
    }

    fn energy(&self, _body: &BodyView<'_>, _bodies: &Bodies<'_>, _time: f64) -> Option<f64> {
        None
    }

    fn mass_flow(&self, _body: &BodyView<'_>, time: f64) -> f64 {
        if self.is_firing(time) { -self.mass_flow } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::gradient_check::{direction, handle, sample, vector};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn it_fires_from_the_first_instant_until_just_before_the_last() {
        let sample = super::super::gradient_check::Sample::of_mass(1000.0);
        let rocket = Thruster::rocket(handle(0), Vec3::ZERO, Vec3::X, 2.0, 3000.0).unwrap();
        let rocket = rocket.firing(10.0, 20.0).unwrap();
        let at = |time| {
            (sample.wrench(&rocket, 0, time).force.x, rocket.mass_flow(&sample.bodies().view(0), time))
        };
        assert_eq!(
            [at(9.99), at(10.0), at(19.99), at(20.0)],
            [(0.0, 0.0), (6000.0, -2.0), (6000.0, -2.0), (0.0, 0.0)]
        );
    }

    #[test]
    fn a_burn_that_ends_before_it_starts_is_refused() {
        let thruster = Thruster::new(handle(0), Vec3::ZERO, Vec3::X, 1.0).unwrap();
        let refusal = thruster.clone().firing(5.0, 4.0).unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "field `thruster`: until must be at or after the time it fires from, got 4"
        );
        assert!(thruster.firing(f64::NAN, 1.0).is_err());
        assert!(Thruster::new(handle(0), Vec3::ZERO, Vec3::X * 2.0, 1.0).is_err());
        assert!(Thruster::rocket(handle(0), Vec3::ZERO, Vec3::X, -1.0, -3.0).is_err());
    }

    proptest! {
        #[test]
        fn its_power_is_thrust_times_the_velocity_of_the_place_it_pushes(
            sample in sample(1, 10.0), position in vector(2.0), direction in direction()
        ) {
            let thruster = Thruster::new(handle(0), position, direction, 7.0).unwrap();
            let (body, state) = (sample.bodies().view(0), sample.states[0]);
            let place = body.body.frame(&state).point_to_parent(position);
            let expected = 7.0 * body.direction_to_world(direction).dot(state.velocity_at(place));
            prop_assert!((sample.power(&thruster, 0.0) - expected).abs() < 1e-12 * 7.0 * 30.0);
        }
    }
}
