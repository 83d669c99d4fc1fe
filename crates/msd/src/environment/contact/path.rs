//! The path of a body through a step: where it is at any time of it.
//!
//! Paths are known by where they end. With the mean accelerations a, α of free flight and `s = dt - t` seconds left,
//! ```text
//! x(t) = x' - v' s + ½ a s²,   v(t) = v' - a s,   ω(t) = ω_free(t) - α s
//! ```
//! and the orientation is turned back as the body's own inertia turns it with the mean angular velocity of that span. An impulse at time τ that
//! changes the velocity by Δv ends the path `(dt - τ) Δv` farther, with all of it up to τ unchanged, so that the same formula holds
//! from the last impulse on.

use crate::math::Vec3;
use crate::physics::integration::rotate_torque_free;
use crate::physics::rigid_body::{Acceleration, Inertia, InertialState};

/// One body through one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path<'a> {
    /// At its end, as far as it is known.
    pub(super) end: &'a InertialState,
    /// Mean acceleration of free flight without gyroscopic terms.
    pub(super) free_acceleration: Acceleration,
    pub(super) inertia: &'a Inertia,
    /// Length of the step, s.
    pub(super) dt: f64,
}

impl<'a> Path<'a> {
    /// Free flight from one state to another in `dt` seconds.
    pub(super) fn of_flight(
        start: &InertialState,
        end: &'a InertialState,
        inertia: &'a Inertia,
        dt: f64,
    ) -> Self {
        let mut turned = *start;
        if !inertia.is_spherical() {
            rotate_torque_free(inertia, &mut turned, dt);
        }
        let free_acceleration = Acceleration {
            linear: (end.velocity - start.velocity) / dt,
            angular: (end.angular_velocity - turned.angular_velocity) / dt,
        };
        Self { end, free_acceleration, inertia, dt }
    }

    /// The body at `time` seconds from the start of the step.
    pub(super) fn at(&self, time: f64) -> InertialState {
        let rest = self.dt - time;
        let mut state = *self.end;
        if rest <= 0.0 {
            return state;
        }
        state.center_of_mass -= (state.velocity - self.free_acceleration.linear * (0.5 * rest)) * rest;
        state.velocity -= self.free_acceleration.linear * rest;
        state.angular_velocity -= self.free_acceleration.angular * (0.5 * rest);
        rotate_torque_free(self.inertia, &mut state, -rest);
        state.angular_velocity -= self.free_acceleration.angular * (0.5 * rest);
        state
    }
}

/// From the centre of mass of A to that of B at `time`, m. Differences first: far from the origin they keep the digits that positions
/// have lost.
pub(super) fn apart(a: &Path<'_>, b: &Path<'_>, time: f64) -> Vec3 {
    let rest = a.dt - time;
    let velocity = b.end.velocity - a.end.velocity;
    let acceleration = b.free_acceleration.linear - a.free_acceleration.linear;
    (b.end.center_of_mass - a.end.center_of_mass) - (velocity - acceleration * (0.5 * rest)) * rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Mat3, Quat, orientation};

    #[test]
    fn a_body_on_a_parabola_that_tumbles_is_found_where_it_was() {
        let inertia = Inertia::new(2.0, Mat3::from_diagonal(Vec3::new(0.1, 0.1, 0.15))).expect("an inertia");
        let (dt, gravity) = (0.1, Vec3::new(0.0, 1.0, -9.81));
        let start = InertialState {
            center_of_mass: Vec3::new(1.0, 2.0, 3.0),
            orientation: Quat::from_scaled_axis(Vec3::new(0.3, -0.2, 0.9)),
            velocity: Vec3::new(3.0, -1.0, 0.5),
            angular_velocity: Vec3::new(2.0, 5.0, -1.0),
        };
        let flown = |time: f64| {
            let mut state = start;
            rotate_torque_free(&inertia, &mut state, time);
            state.center_of_mass += start.velocity * time + gravity * (0.5 * time * time);
            state.velocity += gravity * time;
            state
        };
        let end = flown(dt);
        let path = Path::of_flight(&start, &end, &inertia, dt);
        for time in [0.0, 0.03, 0.08, dt] {
            let (found, expected) = (path.at(time), flown(time));
            let turn =
                orientation::rotation_vector(found.orientation * expected.orientation.conjugate()).length();
            assert!((found.center_of_mass - expected.center_of_mass).length() < 1e-14, "{time}");
            assert!((found.velocity - expected.velocity).length() < 1e-13 && turn < 1e-12, "{time}: {turn}");
            assert!((found.angular_velocity - expected.angular_velocity).length() < 1e-11, "{time}");
        }
    }
}
