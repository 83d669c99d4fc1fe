//! Gravity gradient: the force and torque of a point mass on an extended body, to second order.
//!
//! Expanding `-mu ∫ dm / |r + s|` to second order in `s` (MacCullagh) adds to `-mu m / r` the potential
//!
//! `V = -mu / (2 r³) · (tr I - 3 r̂·I r̂)`,
//!
//! with `r` from the attracting centre to the centre of mass and `I` the inertia tensor about the centre of
//! mass in world axes. Rotating the body by δφ changes `r̂·I r̂` by `2 δφ·(I r̂ × r̂)`, and moving it gives
//! the force:
//!
//! `τ = 3 mu / r³ · r̂ × I r̂`, `F = -3 mu / (2 r⁴) · [(tr I - 5 r̂·I r̂) r̂ + 2 I r̂]`.
//!
//! The torque without the force would let a librating satellite gain energy from nothing: their sum satisfies
//! `r × F + τ = 0`, so that angular momentum about the centre and energy are conserved.
//!
//! The truncation error is of relative order (size/r)³. The potential is singular at the centre.

use serde::{Deserialize, Serialize};

use super::field_error::Check;
use super::{ActsOn, Field, FieldClass, FieldError, Targets};
use crate::digest::parameters;
use crate::math::{Coordinate, Mat3, Vec3};
use crate::physics::rigid_body::{Bodies, BodyHandle, BodyView, Wrench};

const NAME: &str = "gravity-gradient";

/// `-mu / (2 r³) · (tr I - 3 r̂·I r̂)`, J, for `r` from the attracting centre and the inertia tensor in world axes.
#[must_use]
pub fn potential(mu: f64, r: Vec3, inertia_world: &Mat3) -> f64 {
    let inverse = 1.0 / r.length();
    let up = r * inverse;
    let along = up.dot(*inertia_world * up);
    -0.5 * mu * inverse * inverse * inverse * (trace(inertia_world) - 3.0 * along)
}

/// Force and torque of [`potential`], world frame.
#[must_use]
pub fn wrench(mu: f64, r: Vec3, inertia_world: &Mat3) -> Wrench {
    let inverse = 1.0 / r.length();
    let up = r * inverse;
    let spread = *inertia_world * up;
    let per_metre_cubed = mu * inverse * inverse * inverse;
    let bracket = up * (trace(inertia_world) - 5.0 * up.dot(spread)) + spread * 2.0;
    Wrench {
        force: bracket * (-1.5 * per_metre_cubed * inverse),
        torque: up.cross(spread) * (3.0 * per_metre_cubed),
    }
}

fn trace(m: &Mat3) -> f64 {
    m.x_axis.x + m.y_axis.y + m.z_axis.z
}

/// The second-order part alone, to be added to a field that attracts the centre of mass (a geopotential, say); a
/// [`super::PointGravity`] has it as an option. Type name `gravity-gradient`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GravityGradient {
    mu: f64,
    center: Coordinate,
    targets: Targets,
}

impl GravityGradient {
    /// From the gravitational parameter (m³/s²) and the attracting centre (world frame, m).
    ///
    /// # Errors
    /// If `mu` is not positive or anything is not finite.
    pub fn new(mu: f64, center: Coordinate) -> Result<Self, FieldError> {
        let check = Check(NAME);
        Ok(Self {
            mu: check.positive("mu", mu)?,
            center: check.finite_vector("center", center)?,
            targets: Targets::Everything,
        })
    }

    /// Acts on these bodies only.
    #[must_use]
    pub fn acting_on(mut self, bodies: &[BodyHandle]) -> Self {
        self.targets = Targets::bodies(bodies);
        self
    }
}

impl Field for GravityGradient {
    fn type_name(&self) -> &'static str {
        NAME
    }

    parameters!("gravity gradient": mu, center, targets);

    fn class(&self) -> FieldClass {
        FieldClass::Conservative
    }

    fn acts_on(&self) -> ActsOn<'_> {
        self.targets.acts_on()
    }

    fn couples_bodies(&self) -> bool {
        false
    }

    fn wrench(&self, body: &BodyView<'_>, _bodies: &Bodies<'_>, _time: f64) -> Wrench {
        let inertia = body.inertia.tensor_world(&body.rotation());
        wrench(self.mu, body.state.center_of_mass - self.center, &inertia)
    }

    fn energy(&self, body: &BodyView<'_>, _bodies: &Bodies<'_>, _time: f64) -> Option<f64> {
        let inertia = body.inertia.tensor_world(&body.rotation());
        Some(potential(self.mu, body.state.center_of_mass - self.center, &inertia))
    }

    fn is_proportional_to_mass(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::gradient_check::{Sample, assert_wrench_is_minus_gradient, sample, vector};
    use super::*;
    use crate::math::scalar;
    use proptest::prelude::*;

    #[test]
    fn a_long_satellite_is_stable_pointing_down() {
        // Long axis z (smallest moment): tilted from the radial by a small angle, the torque turns it back.
        let rod = Mat3::from_diagonal(Vec3::new(10.0, 10.0, 1.0));
        let torque = wrench(8.0, Vec3::new(0.02, 0.0, 2.0), &rod).torque;
        // r̂ leans towards +x, so the rod must turn about +y to follow it: 3 mu/r³ · 9 · 0.01.
        assert!((torque.y - 3.0 * 9.0 * 0.01).abs() < 1e-4 && torque.x == 0.0 && torque.z == 0.0);
    }

    proptest! {
        #[test]
        fn the_wrench_is_minus_the_gradient_of_the_energy(sample in sample(2, 10.0), center in vector(1.0)) {
            let nearest = |s: &Sample| {
                s.states.iter().map(|s| (s.center_of_mass - center).length()).fold(f64::INFINITY, scalar::min)
            };
            prop_assume!(nearest(&sample) > 1.0);
            let field = GravityGradient::new(50.0, center).unwrap();
            assert_wrench_is_minus_gradient(&field, &sample, 0.0, nearest(&sample))?;
        }

        #[test]
        fn angular_momentum_about_the_centre_is_kept(sample in sample(1, 1e7)) {
            let field = GravityGradient::new(3.986e14, Vec3::ZERO).unwrap();
            let r = sample.states[0].center_of_mass;
            let wrench = sample.wrench(&field, 0, 0.0);
            // The force can vanish where the torque does not: rounding is that of the tensor times 3 mu/r³.
            let moments = sample.inertias[0].principal_moments();
            let scale = 3.0 * 3.986e14 / (r.length_squared() * r.length()) * (moments.x + moments.y + moments.z);
            prop_assert!((r.cross(wrench.force) + wrench.torque).length() <= 1e-14 * scale);
        }
    }
}
