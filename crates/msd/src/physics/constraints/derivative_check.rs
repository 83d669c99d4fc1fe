//! A check of the derivatives of constraints, for users who write their own.

use super::constraint::{Constraint, MAX_ROWS, Pair, RowLaw};
use super::jacobian::JacobianRow;
use crate::math::{Vec3, orientation, scalar};
use crate::physics::rigid_body::InertialState;

/// Displacement of the central differences, m or rad: balances their error (h⁴) and round-off (ε/h).
const STEP: f64 = 1e-3;

/// Largest difference between the Jacobian of a constraint and central differences of fourth order of its value, over all rows but
/// motors' (whose value is not used) and all twelve directions; about 1e-9 times the second derivatives for a Jacobian that is right.
///
/// ```
/// use msd::physics::constraints::{Pair, jacobian_error};
/// use msd::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = World::new();
/// let bob = BodyDescription::dynamic("bob", Sphere::new(0.1)?).mass(1.0).position(Vec3::X);
/// let bob = world.add_body(bob)?;
/// let rod = world.distance_joint(Ground, bob, [Vec3::ZERO, Vec3::X])?;
/// let pair = Pair { a: &InertialState::AT_REST, b: world.body(bob)?.state };
/// assert!(jacobian_error(&rod, &pair, 0.0) < 1e-8);
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn jacobian_error(constraint: &dyn Constraint, pair: &Pair<'_>, time: f64) -> f64 {
    let rows = constraint.dimension();
    let mut jacobian = [JacobianRow::ZERO; MAX_ROWS];
    constraint.jacobian(pair, time, &mut jacobian[..rows]);
    let mut worst = 0.0;
    for direction in 0..12 {
        let differences = differences(constraint, pair, time, direction);
        for row in (0..rows).filter(|row| !matches!(constraint.law(*row), RowLaw::Motor { .. })) {
            let error = (entry(&jacobian[row], direction) - differences[row]).abs();
            worst = scalar::max(worst, if error.is_nan() { f64::INFINITY } else { error });
        }
    }
    worst
}

/// A component of a row: linear and angular of A, then of B.
fn entry(row: &JacobianRow, direction: usize) -> f64 {
    let JacobianRow { linear_a, angular_a, linear_b, angular_b } = row;
    [linear_a, angular_a, linear_b, angular_b][direction / 3][direction % 3]
}

/// Derivatives of all rows along a direction.
fn differences(constraint: &dyn Constraint, pair: &Pair<'_>, time: f64, direction: usize) -> [f64; MAX_ROWS] {
    let rows = constraint.dimension();
    let at = |h: f64| {
        let (mut a, mut b) = (*pair.a, *pair.b);
        move_along(if direction < 6 { &mut a } else { &mut b }, direction % 6, h);
        let mut values = [0.0; MAX_ROWS];
        constraint.value(&Pair { a: &a, b: &b }, time, &mut values[..rows]);
        values
    };
    let (near, far) = ((at(STEP), at(-STEP)), (at(2.0 * STEP), at(-2.0 * STEP)));
    std::array::from_fn(|row| (8.0 * (near.0[row] - near.1[row]) - (far.0[row] - far.1[row])) / (12.0 * STEP))
}

fn move_along(state: &mut InertialState, direction: usize, h: f64) {
    let mut step = Vec3::ZERO;
    step[direction % 3] = h;
    if direction < 3 {
        state.center_of_mass += step;
    } else {
        state.orientation = orientation::from_rotation_vector(step) * state.orientation;
    }
}
