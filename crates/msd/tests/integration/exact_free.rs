//! Closed forms of free flight against an independent method, in every degenerate case.
#![allow(clippy::unwrap_used)]

use crate::common;

use common::{Lab, diagonal};
use msd::math::{Mat3, Vec3, orientation, scalar};
use msd::physics::forces::{PointGravity, UniformGravity};
use msd::physics::integration::{AppliedLoad, LoadFrame, kepler_arc, rotate_torque_free_exact};
use msd::physics::rigid_body::{Inertia, InertialState};
use proptest::prelude::*;

const MU: f64 = 3.986_004_418e14;

fn spinning(omega: Vec3) -> InertialState {
    InertialState { angular_velocity: omega, ..InertialState::AT_REST }
}

/// Angle between the closed form and DOP853 at 1e-14 after `time`.
fn difference(inertia: Inertia, state: InertialState, time: f64) -> f64 {
    let mut exact = state;
    rotate_torque_free_exact(&inertia, &mut exact, time);
    let mut lab = Lab::with_tolerance("adaptive", 1e-14).body(inertia, state);
    lab.run(time, 1);
    orientation::angle_between(exact.orientation, lab.states[0].orientation)
}

#[test]
fn the_closed_form_holds_ever_nearer_to_the_separatrix() {
    // About the intermediate axis of (1, 2, 3), disturbed by 10^-k: 1 - k² falls like 10^-2k.
    let inertia = diagonal(1.0, [1.0, 2.0, 3.0]);
    for k in 1..16 {
        let off = scalar::pow(10.0, -f64::from(k));
        for sides in
            [Vec3::new(1.0, 0.0, 0.3), Vec3::new(0.3, 0.0, 1.0), Vec3::new(-1.0, 0.0, 0.577_350_269_189_6)]
        {
            let state = spinning(Vec3::Y + sides * off);
            let time = 12.0;
            let error = difference(inertia, state, time);
            // Disturbances grow like exp(t/√3), a thousandfold, from a few units of round-off.
            assert!(error < 5e-12, "k = {k}, {sides}: {error:e} rad");
        }
    }
}

#[test]
fn the_separatrix_itself_is_a_single_flip() {
    // I₁ω₁²(I₂-I₁) = I₃ω₃²(I₃-I₂): exactly on it for (1, 2, 3) if ω₁ = √3 ω₃.
    let inertia = diagonal(1.0, [1.0, 2.0, 3.0]);
    for time in [-8.0, -1.0, 0.5, 3.0, 8.0] {
        let state = spinning(Vec3::new(3.0_f64.sqrt() * 0.5, 1.0, 0.5));
        let error = difference(inertia, state, time);
        assert!(error < 1e-11, "t = {time}: {error:e} rad");
    }
}

#[test]
fn nearly_symmetric_and_nearly_spherical_bodies_are_no_special_case() {
    for k in 1..17 {
        let off = scalar::pow(10.0, -f64::from(k));
        for moments in [
            [1.0, 1.0 + off, 1.7],
            [1.0, 1.7 - off, 1.7],
            [1.0, 1.0 + off, 1.0 + 2.0 * off],
            [2.0 + off, 2.0, 1.0],
        ] {
            let state = spinning(Vec3::new(0.7, -1.1, 0.4));
            let error = difference(diagonal(1.0, moments), state, 30.0);
            assert!(error < 1e-12, "{moments:?}: {error:e} rad");
        }
    }
}

#[test]
fn slight_wobbles_about_a_principal_axis_are_followed() {
    for k in 1..17 {
        let off = scalar::pow(10.0, -f64::from(k));
        for axis in 0..3 {
            let mut omega = Vec3::new(0.7, -1.0, 0.4) * off;
            omega[axis] += if axis == 1 { 0.3 } else { 2.0 };
            let error = difference(diagonal(1.0, [1.0, 2.0, 2.5]), spinning(omega), 20.0);
            assert!(error < 1e-12, "axis {axis}, {off:e}: {error:e} rad");
        }
    }
}

#[test]
fn a_long_arc_is_the_sum_of_short_ones() {
    let inertia = diagonal(1.0, [1.0, 2.0, 2.5]);
    let start = spinning(Vec3::new(0.3, 1.0, -0.8));
    let (mut long, mut short) = (start, start);
    rotate_torque_free_exact(&inertia, &mut long, 1e4);
    for _ in 0..1000 {
        rotate_torque_free_exact(&inertia, &mut short, 10.0);
    }
    let error = orientation::angle_between(long.orientation, short.orientation);
    assert!(error < 1e-10, "{error:e} rad after 14 000 rad");
    rotate_torque_free_exact(&inertia, &mut long, -1e4);
    let back = orientation::angle_between(long.orientation, start.orientation);
    assert!(back < 1e-10, "{back:e} rad after going back");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_body_turns_like_the_numerical_solution(
        a in 0.3..2.0_f64, b in 0.3..2.0_f64, part in 0.01..0.99_f64, tilt in -3.0..3.0_f64,
        x in -3.0..3.0_f64, y in -3.0..3.0_f64, z in -3.0..3.0_f64, time in -10.0..10.0_f64
    ) {
        let c = (a - b).abs() + part * (a + b - (a - b).abs());
        let r = Mat3::from_quat(orientation::from_rotation_vector(Vec3::new(tilt, 0.5, -1.0)));
        let tensor = r * Mat3::from_diagonal(Vec3::new(a, b, c)) * r.transpose();
        let error = difference(Inertia::new(1.0, tensor).unwrap(), spinning(Vec3::new(x, y, z)), time);
        // Near the separatrix round-off grows exponentially.
        prop_assert!(error < 1e-9, "{error:e} rad");
    }

    #[test]
    fn kepler_arcs_keep_energy_and_momentum_and_run_backwards(
        x in -1.0..1.0_f64, y in -1.0..1.0_f64, z in -1.0..1.0_f64,
        u in -1.0..1.0_f64, v in -1.0..1.0_f64, w in -1.0..1.0_f64, speed in 0.01..3.0_f64, t in -1e5..1e5_f64
    ) {
        let position = Vec3::new(x, y, z) * 1e7;
        prop_assume!(position.length() > 1e5);
        let velocity = Vec3::new(u, v, w) * (speed * (MU / position.length()).sqrt());
        let (r, vr) = kepler_arc(MU, position, velocity, t).unwrap();
        let energy = |r: Vec3, v: Vec3| 0.5 * v.length_squared() - MU / r.length();
        let scale = MU / scalar::min(r.length(), position.length());
        prop_assert!((energy(r, vr) - energy(position, velocity)).abs() < 1e-12 * scale);
        let turn = r.cross(vr) - position.cross(velocity);
        prop_assert!(turn.length() < 1e-12 * (r.length() * vr.length() + position.length() * velocity.length()));
        let (back, _) = kepler_arc(MU, r, vr, -t).unwrap();
        // Along the orbit, by the relative round-off of the period.
        let slack = 1e-13 * t.abs() * scalar::max(velocity.length(), vr.length()) + 1e-12 * r.length();
        let amplified = slack * (1.0 + position.length() / r.length()) * (1.0 + velocity.length() / vr.length());
        prop_assert!((back - position).length() < 1e3 * amplified, "{:e}", (back - position).length());
    }
}

/// The closed form against DOP853, relative to the distance.
fn arc_difference(position: Vec3, velocity: Vec3, time: f64) -> f64 {
    let (exact, _) = kepler_arc(MU, position, velocity, time).unwrap();
    let state = InertialState { center_of_mass: position, velocity, ..InertialState::AT_REST };
    let mut lab = Lab::with_tolerance("adaptive", 1e-14)
        .body(diagonal(1.0, [1.0; 3]), state)
        .field(PointGravity::new(MU, Vec3::ZERO).unwrap());
    lab.run(time, 1);
    (exact - lab.states[0].center_of_mass).length() / exact.length()
}

#[test]
fn every_conic_is_met() {
    let r = Vec3::new(7e6, 1e6, -2e6);
    let across = Vec3::new(1.0, -3.0, 2.0).normalize();
    let escape = (2.0 * MU / r.length()).sqrt();
    // Circle-like, ellipse, parabola and its neighbours, hyperbolas.
    for factor in [0.3, 0.707, 0.9, 1.0 - 1e-9, 1.0, 1.0 + 1e-9, 1.1, 2.0, 10.0] {
        for time in [10.0, 3000.0, -2e4] {
            let error = arc_difference(r, across * (escape * factor), time);
            assert!(error < 1e-11, "{factor} of escape speed, {time} s: {error:e}");
        }
    }
}

#[test]
fn a_radial_arc_rises_and_falls() {
    let start = Vec3::X * 7e6;
    for (speed, time) in [(3000.0, 200.0), (0.0, 900.0), (-1000.0, 600.0), (12_000.0, 5000.0)] {
        let error = arc_difference(start, Vec3::X * speed, time);
        assert!(error < 1e-11, "{speed} m/s: {error:e}");
    }
    // Thrown straight up from r, it passes r again with the opposite velocity.
    let (r, v) = (7e6, 4000.0);
    let beta: f64 = 2.0 * MU / r - v * v;
    let a = MU / beta;
    let anomaly = scalar::acos(1.0 - r / a);
    let flight = 2.0 * (a * a * a / MU).sqrt() * (std::f64::consts::PI - anomaly + scalar::sin(anomaly));
    let (position, velocity) = kepler_arc(MU, Vec3::X * r, Vec3::X * v, flight).unwrap();
    assert!((position.x - r).abs() < 1e-6 && (velocity.x + v).abs() < 1e-9, "{position} {velocity}");
}

#[test]
fn ten_thousand_revolutions_lose_only_the_rounding_of_the_period() {
    let (r, v) = (Vec3::X * 7e6, Vec3::Y * 8000.0);
    let beta: f64 = 2.0 * MU / 7e6 - 8000.0 * 8000.0;
    let period = 2.0 * std::f64::consts::PI * MU / (beta * beta.sqrt());
    for sign in [1.0, -1.0] {
        let (position, velocity) = kepler_arc(MU, r, v, sign * 1e4 * period).unwrap();
        // 4.9e11 m travelled.
        assert!(
            (position - r).length() < 1e-3 && (velocity - v).length() < 1e-6,
            "{:e}",
            (position - r).length()
        );
        let (quarter, _) = kepler_arc(MU, r, v, sign * (1e4 + 0.25) * period).unwrap();
        let (expected, _) = kepler_arc(MU, r, v, sign * 0.25 * period).unwrap();
        assert!((quarter - expected).length() < 2e-3, "{:e}", (quarter - expected).length());
    }
}

#[test]
fn what_starts_in_the_centre_is_refused() {
    assert_eq!(kepler_arc(MU, Vec3::ZERO, Vec3::X, 1.0), None);
}

#[test]
fn free_bodies_are_exact_beside_one_that_is_pushed() {
    let gravity = UniformGravity::new(Vec3::Z * -9.81).unwrap();
    let body = diagonal(2.0, [1.0, 2.0, 2.5]);
    let state = InertialState { velocity: Vec3::new(3.0, 0.0, 20.0), ..spinning(Vec3::new(0.3, 1.0, -0.8)) };
    let mut alone = Lab::new("exact-free").body(body, state).field(gravity.clone());
    let mut beside = Lab::new("exact-free").body(body, state).body(body, state).field(gravity);
    let push = AppliedLoad {
        slot: 1,
        force: Vec3::X * 4.0,
        torque: Vec3::ZERO,
        frame: LoadFrame::World,
        point_body: Vec3::ZERO,
    };
    beside.applied.push(push);
    alone.run(10.0, 1);
    beside.run(10.0, 1);
    assert_eq!(alone.states[0], beside.states[0]);
    assert!((alone.states[0].center_of_mass - Vec3::new(30.0, 0.0, 200.0 - 490.5)).length() < 1e-12);
    // ½ (F/m) t² further along x, and as much work as that force does on the way.
    let pushed = beside.states[1].center_of_mass - alone.states[0].center_of_mass;
    assert!((pushed - Vec3::X * 100.0).length() < 1e-9, "{pushed}");
    assert!((beside.work.work_in - 4.0 * 130.0).abs() < 1e-8, "{}", beside.work.work_in);
}
