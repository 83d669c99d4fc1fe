//! A spring between two points: on two bodies, or on a body and the world.
//!
//! With `d` from end A to end B and `L = |d|`:
//!
//! `V = ½ k (L - L₀)²`, force on B `-k (L - L₀) d/L`, on A the opposite, each with the torque of its arm.
//!
//! Each of two dynamic bodies carries half of the energy; a body whose other end is not moved by forces
//! carries it all. The spring is conservative and has no damping: [`Spring::with_damper`] makes the pair, so
//! that stored and dissipated energy are counted separately.
//!
//! With rest length zero the force is `-k d`, smooth everywhere. With a positive rest length the direction is
//! undefined where the ends coincide; the force there is zero (the spring is compressed and does not know
//! which way to push).
//!
//! An end on a kinematic body is moved from outside, and the work of that motion enters through the spring:
//! use [`Spring::driven`] to count it.

use serde::{Deserialize, Serialize};

use super::attachment::{AttachmentPoint, joined_bodies};
use super::field_error::Check;
use super::{ActsOn, Attachment, Damper, Field, FieldClass, FieldError};
use crate::digest::parameters;
use crate::math::Vec3;
use crate::physics::rigid_body::{Bodies, BodyHandle, BodyView, Wrench};

const NAME: &str = "spring";

/// A linear spring, pulling and pushing. Scene type `spring`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spring {
    a: Attachment,
    b: Attachment,
    stiffness: f64,
    rest_length: f64,
    is_driven: bool,
    bodies: Vec<BodyHandle>,
}

impl Spring {
    /// From its ends, stiffness (N/m) and rest length (m).
    ///
    /// # Errors
    /// If the ends are on the same body or both in the world, the stiffness is not positive, the rest length is
    /// negative, or anything is not finite.
    pub fn new(a: Attachment, b: Attachment, stiffness: f64, rest_length: f64) -> Result<Self, FieldError> {
        let bodies = joined_bodies(NAME, &a, &b)?;
        let stiffness = Check(NAME).positive("stiffness", stiffness)?;
        let rest_length = Check(NAME).not_negative("rest length", rest_length)?;
        Ok(Self { a, b, stiffness, rest_length, is_driven: false, bodies })
    }

    /// A spring and a parallel damper (N·s/m), two fields.
    ///
    /// # Errors
    /// As [`Spring::new`] and [`Damper::new`].
    pub fn with_damper(
        a: Attachment,
        b: Attachment,
        stiffness: f64,
        damping: f64,
        rest_length: f64,
    ) -> Result<(Spring, Damper), FieldError> {
        Ok((Spring::new(a, b, stiffness, rest_length)?, Damper::new(a, b, damping)?))
    }

    /// The same spring with an end on a moving kinematic body: its energy then depends on time, and the work
    /// of the moving end counts as external work.
    #[must_use]
    pub fn driven(mut self) -> Self {
        self.is_driven = true;
        self
    }

    /// Length now less the rest length, m; positive where it pulls.
    #[must_use]
    pub fn extension(&self, bodies: &Bodies<'_>) -> f64 {
        (self.b.at(bodies).position - self.a.at(bodies).position).length() - self.rest_length
    }

    /// The force on end B.
    fn force_on_b(&self, a: &AttachmentPoint, b: &AttachmentPoint) -> Vec3 {
        let d = b.position - a.position;
        if self.rest_length == 0.0 {
            return d * -self.stiffness;
        }
        let length = d.length();
        if length == 0.0 { Vec3::ZERO } else { d / length * (-self.stiffness * (length - self.rest_length)) }
    }
}

impl Spring {
    /// False if it lists other bodies than those of its ends, as no constructor does.
    pub(super) fn is_sound(&self) -> bool {
        joined_bodies(NAME, &self.a, &self.b).is_ok_and(|bodies| bodies == self.bodies)
    }
}

impl Field for Spring {
    fn type_name(&self) -> &'static str {
        NAME
    }

    parameters!("spring": a, b, stiffness, rest_length, is_driven; bodies);

    fn class(&self) -> FieldClass {
        if self.is_driven { FieldClass::TimeDependent } else { FieldClass::Conservative }
    }

    fn acts_on(&self) -> ActsOn<'_> {
        ActsOn::Bodies(&self.bodies)
    }

    fn wrench(&self, body: &BodyView<'_>, bodies: &Bodies<'_>, _time: f64) -> Wrench {
        let (a, b) = (self.a.at(bodies), self.b.at(bodies));
        let force = self.force_on_b(&a, &b);
        if self.b.is_on(body.slot) {
            Wrench::new(force, b.arm.cross(force))
        } else {
            Wrench::new(-force, -a.arm.cross(force))
        }
    }

    fn energy(&self, _body: &BodyView<'_>, bodies: &Bodies<'_>, _time: f64) -> Option<f64> {
        let extension = self.extension(bodies);
        let both_dynamic = self.a.at(bodies).is_dynamic && self.b.at(bodies).is_dynamic;
        let share = if both_dynamic { 0.5 } else { 1.0 };
        Some(share * 0.5 * self.stiffness * extension * extension)
    }

    /// Work of an end that forces do not move: minus the force on it times its velocity.
    fn power(&self, _body: &BodyView<'_>, bodies: &Bodies<'_>, _time: f64) -> f64 {
        let (a, b) = (self.a.at(bodies), self.b.at(bodies));
        let force = self.force_on_b(&a, &b);
        match (a.is_dynamic, b.is_dynamic) {
            (true, false) => -force.dot(b.velocity),
            (false, true) => force.dot(a.velocity),
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::gradient_check::{assert_wrench_is_minus_gradient, derivative, handle, sample, vector};
    use super::*;
    use crate::math::orientation;
    use crate::physics::rigid_body::BodyKind;
    use proptest::prelude::*;

    fn between(a: Vec3, b: Vec3, rest_length: f64) -> Spring {
        Spring::new(Attachment::Body(handle(0), a), Attachment::Body(handle(1), b), 30.0, rest_length)
            .unwrap()
    }

    #[test]
    fn ends_that_cannot_move_apart_are_refused() {
        let world = Attachment::World(Vec3::X);
        let body = |point| Attachment::Body(handle(3), point);
        assert!(matches!(Spring::new(world, world, 1.0, 0.0), Err(FieldError::Conflict { .. })));
        assert!(matches!(
            Spring::new(body(Vec3::X), body(Vec3::Y), 1.0, 0.0),
            Err(FieldError::Conflict { .. })
        ));
        assert!(Spring::new(world, body(Vec3::X), 1.0, -0.1).is_err());
        assert!(Spring::new(world, body(Vec3::NAN), 1.0, 0.1).is_err());
        assert!(Spring::new(world, body(Vec3::X), 0.0, 0.1).is_err());
    }

    proptest! {
        #[test]
        fn the_wrench_is_minus_the_gradient_of_the_energy(
            sample in sample(2, 10.0), a in vector(1.0), b in vector(1.0), rest in 0.0..5.0_f64
        ) {
            let spring = between(a, b, rest);
            let length = spring.extension(&sample.bodies()) + rest;
            prop_assume!(length > 0.5);
            assert_wrench_is_minus_gradient(&spring, &sample, 0.0, length)?;
            let anchored = Spring::new(Attachment::World(b), Attachment::Body(handle(1), a), 30.0, rest).unwrap();
            let length = anchored.extension(&sample.bodies()) + rest;
            prop_assume!(length > 0.5);
            assert_wrench_is_minus_gradient(&anchored, &sample, 0.0, length)?;
        }

        #[test]
        fn action_and_reaction_cancel(sample in sample(2, 10.0), a in vector(1.0), b in vector(1.0)) {
            let spring = between(a, b, 1.0);
            let (on_a, on_b) = (sample.wrench(&spring, 0, 0.0), sample.wrench(&spring, 1, 0.0));
            prop_assert_eq!(on_a.force + on_b.force, Vec3::ZERO);
            let about_origin = |w: Wrench, slot: usize| w.torque + sample.states[slot].center_of_mass.cross(w.force);
            let total = about_origin(on_a, 0) + about_origin(on_b, 1);
            prop_assert!(total.length() < 1e-13 * on_a.force.length() * 20.0);
        }

        #[test]
        fn a_moving_anchor_puts_in_the_change_of_energy_it_causes(sample in sample(2, 10.0), a in vector(1.0)) {
            let mut sample = sample;
            sample.rigid[0].kind = BodyKind::Kinematic;
            let spring = between(a, -a, 1.0).driven();
            let rate = derivative(1e-3, |h| {
                let mut sample = sample.clone();
                let state = &mut sample.states[0];
                state.center_of_mass += state.velocity * h;
                state.orientation = orientation::from_rotation_vector(state.angular_velocity * h) * state.orientation;
                sample.energy(&spring, 0.0)
            });
            let power = sample.power(&spring, 0.0);
            prop_assert!((power - rate).abs() < 1e-8 * rate.abs() + 1e-9 * sample.energy(&spring, 0.0));
        }
    }
}
