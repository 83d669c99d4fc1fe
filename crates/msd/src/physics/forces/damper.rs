//! A damper between two points: on two bodies, or on a body and the world.
//!
//! With `d̂` the direction from end A to end B and `v` the velocity of B relative to A (both of the attached
//! points, rotation included), the force on B is `-c (v·d̂) d̂` and on A the opposite. Together they
//! dissipate `c (v·d̂)²` watts. Motion across the line is not resisted. Where the ends coincide the line has
//! no direction and the force is zero.

use serde::{Deserialize, Serialize};

use super::attachment::joined_bodies;
use super::field_error::Check;
use super::{ActsOn, Attachment, Field, FieldClass, FieldError};
use crate::digest::parameters;
use crate::math::Vec3;
use crate::physics::rigid_body::{Bodies, BodyHandle, BodyView, Wrench};

const NAME: &str = "damper";

/// A linear damper along the line between two points. Type name `damper`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Damper {
    a: Attachment,
    b: Attachment,
    damping: f64,
    bodies: Vec<BodyHandle>,
}

impl Damper {
    /// From its ends and its damping coefficient, N·s/m.
    ///
    /// # Errors
    /// If the ends are on the same body or both in the world, the coefficient is negative, or anything is not finite.
    pub fn new(a: Attachment, b: Attachment, damping: f64) -> Result<Self, FieldError> {
        let bodies = joined_bodies(NAME, &a, &b)?;
        Ok(Self { a, b, damping: Check(NAME).not_negative("damping", damping)?, bodies })
    }
}

impl Damper {
    /// False if it lists other bodies than those of its ends, as no constructor does.
    pub(super) fn is_sound(&self) -> bool {
        joined_bodies(NAME, &self.a, &self.b).is_ok_and(|bodies| bodies == self.bodies)
    }
}

impl Field for Damper {
    fn type_name(&self) -> &'static str {
        NAME
    }

    parameters!("damper": a, b, damping; bodies);

    fn class(&self) -> FieldClass {
        FieldClass::Dissipative
    }

    fn acts_on(&self) -> ActsOn<'_> {
        ActsOn::Bodies(&self.bodies)
    }

    fn wrench(&self, body: &BodyView<'_>, bodies: &Bodies<'_>, _time: f64) -> Wrench {
        let (a, b) = (self.a.at(bodies), self.b.at(bodies));
        let line = (b.position - a.position).try_normalize().unwrap_or(Vec3::ZERO);
        let force = line * (-self.damping * (b.velocity - a.velocity).dot(line));
        if self.b.is_on(body.slot) {
            Wrench::new(force, b.arm.cross(force))
        } else {
            Wrench::new(-force, -a.arm.cross(force))
        }
    }

    fn energy(&self, _body: &BodyView<'_>, _bodies: &Bodies<'_>, _time: f64) -> Option<f64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::gradient_check::{handle, sample, vector};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn power_is_minus_damping_times_the_rate_of_length_squared(
            sample in sample(2, 10.0), a in vector(1.0), b in vector(1.0)
        ) {
            let (a, b) = (Attachment::Body(handle(0), a), Attachment::Body(handle(1), b));
            let damper = Damper::new(a, b, 3.0).unwrap();
            let (p, q) = (a.at(&sample.bodies()), b.at(&sample.bodies()));
            let d = q.position - p.position;
            let rate = d.dot(q.velocity - p.velocity) / d.length();
            let power = sample.power(&damper, 0.0);
            prop_assert!(power <= 1e-12 * rate.abs());
            prop_assert!((power + 3.0 * rate * rate).abs() < 1e-10 * (1.0 + rate * rate));
            prop_assert_eq!(power, sample.mechanical_power(&damper, 0.0));
            let total = sample.wrench(&damper, 0, 0.0).force + sample.wrench(&damper, 1, 0.0).force;
            prop_assert_eq!(total, Vec3::ZERO);
        }
    }
}
