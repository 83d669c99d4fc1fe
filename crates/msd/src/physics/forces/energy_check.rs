//! A check that a field's wrench is minus the gradient of its energy, for users who write their own.

use super::{ActsOn, Field};
use crate::math::{Vec3, orientation, scalar};
use crate::physics::rigid_body::{Bodies, BodyKind, InertialState};

/// Angle of the differences, rad.
const ANGLE: f64 = 0.01;

/// Largest difference between the wrench of a field on any of the bodies and minus the gradient of its energy, relative to the larger of
/// both wrenches; about 1e-9 for a field that is right, `None` for one without a potential. `length` (m) is the distance over which the
/// potential changes by its own size: the radius of an orbit, the length of a spring.
///
/// ```
/// use msd::physics::forces::gradient_error;
/// use msd::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = World::new();
/// world.add_body(BodyDescription::dynamic("probe", Sphere::new(1.0)?).mass(5.0).position(Vec3::new(7.0e6, 1.0e6, 0.0)))?;
/// let earth = PointGravity::new(3.986e14, Vec3::ZERO)?;
/// assert!(gradient_error(&earth, &world.all_bodies(), 0.0, 7.0e6).expect("a potential") < 1e-8);
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn gradient_error(field: &dyn Field, bodies: &Bodies<'_>, time: f64, length: f64) -> Option<f64> {
    let dynamic = |slot: &usize| bodies.bodies[*slot].kind == BodyKind::Dynamic;
    let slots: Vec<usize> = match field.acts_on() {
        ActsOn::Everything => (0..bodies.bodies.len()).filter(dynamic).collect(),
        ActsOn::Bodies(handles) => handles.iter().map(|handle| handle.slot()).filter(dynamic).collect(),
    };
    let energy = |states: &[InertialState]| -> Option<f64> {
        let moved = Bodies { states, ..*bodies };
        slots.iter().map(|slot| field.energy(&moved.view(*slot), &moved, time)).sum()
    };
    energy(bodies.states)?;
    let mut worst = 0.0;
    for &slot in &slots {
        let wrench = field.wrench(&bodies.view(slot), bodies, time);
        let along = |h: f64, change: &dyn Fn(&mut InertialState, f64)| {
            let at = |h: f64| {
                let mut states = bodies.states.to_vec();
                change(&mut states[slot], h);
                energy(&states).unwrap_or(f64::NAN)
            };
            -(8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h)
        };
        let force = Vec3::from(
            [Vec3::X, Vec3::Y, Vec3::Z]
                .map(|axis| along(1e-3 * length, &|state, h| state.center_of_mass += axis * h)),
        );
        let torque = Vec3::from([Vec3::X, Vec3::Y, Vec3::Z].map(|axis| {
            along(ANGLE, &|state, h| {
                state.orientation = orientation::from_rotation_vector(axis * h) * state.orientation;
            })
        }));
        for (given, found, arm) in [(wrench.force, force, length), (wrench.torque, torque, 1.0)] {
            // Differences of an energy E cannot resolve less than its round-off over their step.
            let floor = energy(bodies.states).map_or(0.0, f64::abs) * 1e-6 / arm;
            let size = scalar::max(scalar::max(given.length(), found.length()), floor);
            let error = if size > 0.0 { (given - found).length() / size } else { 0.0 };
            worst = scalar::max(worst, if error.is_nan() { f64::INFINITY } else { error });
        }
    }
    Some(worst)
}
