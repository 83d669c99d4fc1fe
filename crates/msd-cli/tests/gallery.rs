//! The gallery: every scene satisfies the closed form in its comment.

#![expect(clippy::unwrap_used, reason = "a test ends where a promise is broken")]

mod support;

use support::{Report, cross, distance, gallery, report_of, to_body};

const G: f64 = 9.81;

/// Nothing went unexplained: the energy error against the largest energy there was.
fn assert_books_close(report: &Report, share: f64) {
    let amounts = ["initial", "kinetic", "potential", "work_in", "dissipated"];
    let scale = amounts.iter().map(|key| report.number(&format!("/energy/{key}")).abs()).fold(0.0, f64::max);
    let error = report.number("/energy/max_error");
    assert!(error <= share * scale, "energy is off by {error} J of {scale} J");
    assert_eq!(report.0["solver"]["certified"], true);
}

#[test]
fn a_ball_falls_half_g_t_squared() {
    let report = report_of("falling-ball.toml", &[]);
    assert!((report.of::<3>("ball", "position")[2] - (20.0 - 0.5 * G * 4.0)).abs() < 1e-11);
    assert!((report.of::<3>("ball", "velocity")[2] / (-2.0 * G) - 1.0).abs() < 1e-12);
    assert!((report.number("/energy/initial") / 196.2 - 1.0).abs() < 1e-14);
    assert_books_close(&report, 1e-12);
}

#[test]
fn a_tumbling_box_flies_the_parabola_of_a_stone() {
    let (p, v, g, t) = ([1.0, 0.0, 1.5], [2.0, -1.0, 8.0], [0.0, 0.0, -G], 1.7);
    let report = report_of("thrown-box.toml", &[]);
    let expected = [0, 1, 2].map(|i| p[i] + v[i] * t + 0.5 * g[i] * t * t);
    assert!(distance(report.of("box", "center_of_mass"), expected) < 1e-12);
    let moment = cross([0, 1, 2].map(|i| 3.6 * (p[i] * t + 0.5 * v[i] * t * t)), g);
    let before: [f64; 3] = report.vector("/momentum/angular_initial");
    let expected = [0, 1, 2].map(|i| before[i] + moment[i]);
    assert!(distance(report.vector("/momentum/angular_final"), expected) < 1e-11);
    assert_books_close(&report, 1e-6);
}

#[test]
fn the_t_handle_has_turned_over_after_half_a_period() {
    let report = report_of("tumbling-t-handle.toml", &[]);
    let omega = to_body(report.of("t-handle", "quat_wxyz"), report.of("t-handle", "angular_velocity"));
    assert!(distance(omega, [-0.01, -5.0, 0.01]) < 1e-6, "{omega:?}");
    let (before, after): ([f64; 3], [f64; 3]) =
        (report.vector("/momentum/angular_initial"), report.vector("/momentum/angular_final"));
    assert!(distance(before, after) < 1e-14);
    assert_books_close(&report, 1e-11);
}

#[test]
fn a_satellite_is_back_at_perigee_after_keplers_period() {
    let report = report_of("kepler-orbit.toml", &[]);
    assert!(distance(report.of("satellite", "position"), [7.2e6, 0.0, 0.0]) < 1e-3);
    assert!(distance(report.of("satellite", "velocity"), [0.0, 7803.671553790846, 0.0]) < 1e-6);
    assert_eq!(report.number("/steps"), 7122.0);
    assert_eq!(report.number("/time"), 7121.081577578024);
    assert_books_close(&report, 1e-12);
}

#[test]
fn the_gravity_gradient_swings_a_satellite_about_the_vertical() {
    let report = report_of("satellite.toml", &[]);
    let [x, y, _] = report.of::<3>("satellite", "center_of_mass");
    let [w, _, _, z] = report.of::<4>("satellite", "quat_wxyz");
    let off_vertical = 2.0 * z.atan2(w) - y.atan2(x);
    let turns = (off_vertical / std::f64::consts::TAU).round() * std::f64::consts::TAU;
    assert!((off_vertical - turns - 2.0_f64.to_radians()).abs() < 1e-5, "{}", off_vertical - turns);
    // A quarter of the swing before, it stood upright.
    let report = report_of("satellite.toml", &["--until", "2686.813"]);
    let [x, y, _] = report.of::<3>("satellite", "center_of_mass");
    let [w, _, _, z] = report.of::<4>("satellite", "quat_wxyz");
    let upright = (2.0 * z.atan2(w) - y.atan2(x)).sin().abs();
    assert!(upright < 1e-4, "{upright}");
    assert_books_close(&report, 1e-12);
}

#[test]
fn a_compass_needle_swings_to_the_other_side() {
    let report = report_of("compass-needle.toml", &[]);
    let [w, _, _, z] = report.of::<4>("needle", "quat_wxyz");
    assert!((2.0 * z.atan2(w) + 30.0_f64.to_radians()).abs() < 1e-9);
    assert!(report.of::<3>("needle", "angular_velocity")[2].abs() < 1e-9);
    assert_books_close(&report, 1e-11);
}

#[test]
fn a_skydiver_reaches_terminal_velocity() {
    let report = report_of("skydiver.toml", &[]);
    let terminal = (2.0 * 80.0 * G / (1.225 * 0.5)).sqrt();
    let rate = G * 20.0 / terminal;
    assert!((report.of::<3>("skydiver", "velocity")[2] + terminal * rate.tanh()).abs() < 1e-5);
    let fallen = terminal * terminal / G * rate.cosh().ln();
    assert!((report.of::<3>("skydiver", "center_of_mass")[2] - (4000.0 - fallen)).abs() < 1e-3);
    assert_books_close(&report, 1e-6);
}

#[test]
fn a_mass_on_a_spring_keeps_time() {
    let report = report_of("spring-mass.toml", &[]);
    assert!(distance(report.of("mass", "position"), [0.8, 0.0, 0.0]) < 1e-9);
    assert!(distance(report.of("mass", "velocity"), [0.0; 3]) < 1e-8);
    assert_books_close(&report, 1e-9);
}

#[test]
fn a_rocket_gains_what_tsiolkovsky_says() {
    let report = report_of("rocket.toml", &[]);
    let gained = 3000.0 * 2.0_f64.ln();
    assert!((report.of::<3>("rocket", "velocity")[2] - gained).abs() < 1e-8);
    // Half the mass is left: its momentum says so.
    assert!((report.vector::<3>("/momentum/linear_final")[2] / (500.0 * gained) - 1.0).abs() < 1e-12);
}

#[test]
fn a_critically_damped_controller_leaves_the_angle_of_the_closed_form() {
    let report = report_of("attitude-control.toml", &[]);
    let [w, _, _, z] = report.of::<4>("satellite", "quat_wxyz");
    let expected = 40.0_f64.to_radians() * 6.0 * (-5.0_f64).exp();
    assert!((2.0 * z.atan2(w) / expected - 1.0).abs() < 5e-3, "{} {expected}", 2.0 * z.atan2(w));
}

#[test]
fn a_cloud_of_debris_keeps_energy_and_angular_momentum() {
    let report = report_of("debris-cloud.toml", &[]);
    assert_eq!(report.0["bodies"].as_object().unwrap().len(), 1000);
    let (before, after): ([f64; 3], [f64; 3]) =
        (report.vector("/momentum/angular_initial"), report.vector("/momentum/angular_final"));
    assert!(distance(before, after) <= 1e-12 * before[2]);
    assert_books_close(&report, 1e-12);
}

#[test]
fn every_scene_of_the_gallery_is_good_and_begins_with_what_it_shows() {
    let mut scenes = 0;
    for entry in std::fs::read_dir(gallery()).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let is_robot = text.starts_with("<?xml");
        let begins = if is_robot { "<?xml version=\"1.0\"?>\n<!-- " } else { "# " };
        assert!(text.starts_with(begins), "{} does not say what it shows", path.display());
        let output = support::Folder::new().run(&["check", path.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(0), "{}", support::text(&output.stderr));
        let lists = is_robot || text.contains("[[import]]");
        assert!(output.stdout.is_empty() != lists && output.stderr.is_empty());
        scenes += 1;
    }
    assert!(scenes >= 11);
}

#[test]
fn a_pendulum_stands_on_the_other_side_after_half_a_period() {
    let report = report_of("pendulum.toml", &[]);
    assert!(distance(report.of("bob", "position"), [-0.75_f64.sqrt(), 0.0, -0.5]) < 1e-9);
    assert!(distance(report.of("bob", "velocity"), [0.0; 3]) < 1e-8);
    assert!(report.number("/joints/max_position_error") < 1e-12);
    assert_books_close(&report, 1e-9);
}

#[test]
fn a_gyroscope_precesses_level() {
    let report = report_of("gyroscope.toml", &[]);
    assert!(distance(report.of("disc", "position"), [0.0, 0.1, 0.0]) < 1e-8, "{:?}", report.0["bodies"]);
    assert!(report.number("/joints/max_position_error") < 1e-12);
    assert_books_close(&report, 1e-9);
}

#[test]
fn a_motor_brings_a_flywheel_up_to_speed_with_the_work_it_takes() {
    let report = report_of("motor.toml", &[]);
    let [w, _, _, z] = report.of::<4>("flywheel", "quat_wxyz");
    let turned = 2.0 * z.atan2(w);
    assert!(((turned - 4.0) / std::f64::consts::TAU).fract().abs() < 1e-9, "{turned}");
    assert!(distance(report.of("flywheel", "angular_velocity"), [0.0, 0.0, 2.0]) < 1e-12);
    assert!((report.number("/energy/work_in") - 1.0).abs() < 1e-9);
    assert_books_close(&report, 1e-9);
}

#[test]
fn a_chain_whips_without_gaining_energy_or_opening() {
    let report = report_of("chain.toml", &[]);
    assert!(report.number("/joints/max_position_error") < 1e-10);
    assert_books_close(&report, 1e-6);
}

/// Angles of the two links of a double pendulum below the level after `t` seconds, let go level and at rest: Lagrange's
/// equations, integrated here by the classical method of Runge and Kutta in steps of 0.1 ms.
fn double_pendulum(t: f64) -> [f64; 2] {
    // Upper arm: 2 kg, 0.25 m to the centre of mass, 0.5 m to the elbow. Forearm and hand: 1.5 kg, 0.25 m, and the
    // reduced mass 1.2 · 0.3 / 1.5 kg at the 0.25 m between their centres.
    let (m1, c1, l1, i1) = (2.0, 0.25, 0.5, 0.0424);
    let (m2, c2, i2) = (1.5, 0.25, 0.0164 + 0.0003 + 0.24 * 0.25 * 0.25);
    let rate = |[a, b, u, v]: [f64; 4]| {
        let (d, e) = (m2 * l1 * c2 * (a - b).cos(), m2 * l1 * c2 * (a - b).sin());
        let (p, q) = (i1 + m1 * c1 * c1 + m2 * l1 * l1, i2 + m2 * c2 * c2);
        let x = (m1 * c1 + m2 * l1) * G * a.cos() - e * v * v;
        let y = m2 * c2 * G * b.cos() + e * u * u;
        let det = p * q - d * d;
        [u, v, (q * x - d * y) / det, (p * y - d * x) / det]
    };
    let steps = (t / 1e-4).round() as usize;
    let h = t / steps as f64;
    let mut s = [0.0; 4];
    for _ in 0..steps {
        let moved = |k: [f64; 4], h: f64| [0, 1, 2, 3].map(|i| s[i] + h * k[i]);
        let k1 = rate(s);
        let k2 = rate(moved(k1, 0.5 * h));
        let k3 = rate(moved(k2, 0.5 * h));
        let k4 = rate(moved(k3, h));
        s = [0, 1, 2, 3].map(|i| s[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    [s[0], s[1]]
}

#[test]
fn a_robot_arm_swings_as_lagrange_says() {
    let report = report_of("arm.urdf", &["--integrator", "rk4", "--until", "0.8"]);
    for (link, expected) in ["upper_arm", "forearm"].iter().zip(double_pendulum(0.8)) {
        let [w, _, y, _] = report.of::<4>(link, "quat_wxyz");
        let off = (2.0 * y.atan2(w) - expected) / std::f64::consts::TAU;
        assert!((off - off.round()).abs() < 1e-9, "{link}: {off} turns off {expected}");
    }
    assert!(report.number("/joints/max_position_error") < 1e-12);
    assert_books_close(&report, 1e-8);
    // After release, the whole robot falls.
    let report = report_of("arm.urdf", &["--free-base"]);
    let momentum: [f64; 3] = report.vector("/momentum/linear_final");
    assert!(distance(momentum, [0.0, 0.0, -11.5 * G]) < 1e-9, "{momentum:?}");
}

#[test]
fn a_ball_bounces_to_the_fourth_power_of_restitution_after_two_impacts() {
    let report = report_of("bouncing-ball.toml", &[]);
    assert!((report.of::<3>("ball", "position")[2] - 0.1 - 0.8_f64.powi(4)).abs() < 1e-9);
    assert!(report.of::<3>("ball", "velocity")[2].abs() < 1e-9);
    assert_books_close(&report, 1e-12);
}

#[test]
fn a_block_stops_where_friction_says() {
    let report = report_of("sliding-block.toml", &[]);
    let [x, y, _] = report.of::<3>("block", "position");
    assert!((x / (9.0 / (2.0 * 0.5 * G)) - 1.0).abs() < 1e-3 && y.abs() < 1e-9, "{x}");
    assert!((report.number("/energy/dissipated") - 22.5).abs() < 1e-6);
    assert_books_close(&report, 1e-12);
}

#[test]
fn a_belt_carries_a_box_as_far_behind_it_as_friction_says() {
    let report = report_of("conveyor.toml", &[]);
    let lag = 1.0 / (2.0 * 0.5 * G);
    let [x, y, z] = report.of::<3>("box", "position");
    assert!(
        (x - (-1.5 + 2.0 - lag)).abs() < 1e-3 * lag && y.abs() < 1e-9 && (z - 0.15).abs() < 1e-8,
        "{x} {z}"
    );
    assert!(distance(report.of("box", "velocity"), [1.0, 0.0, 0.0]) < 1e-9);
    assert!((report.number("/energy/work_in") - 4.0).abs() < 4e-3, "the work of the belt");
    // Half of that is heat, and so is all that the ball had above its place on the platform.
    let fallen = 12.5 - G * (1.02 + 0.09 - 0.3);
    assert!((report.number("/energy/dissipated") - 2.0 - fallen).abs() < 4e-3);
    assert!((report.of::<3>("ball", "position")[2] - 1.11).abs() < 1e-8, "it lies on the platform");
    assert_books_close(&report, 1e-9);
}

#[test]
fn newtons_cradle_hands_the_whole_velocity_on() {
    let report = report_of("newtons-cradle.toml", &[]);
    for i in 0..5 {
        let expected = [if i == 4 { 1.0 } else { 0.0 }, 0.0, 0.0];
        assert!(distance(report.of(&format!("ball {i}"), "velocity"), expected) < 1e-12);
    }
    assert_books_close(&report, 1e-12);
}

#[test]
fn no_domino_stands_in_the_end() {
    let report = report_of("dominoes.toml", &[]);
    for i in 0..8 {
        let [_, _, z] = report.of::<3>(&format!("domino {i}"), "position");
        assert!(z < 0.02, "domino {i} at {z} m");
    }
    assert!((report.of::<3>("domino 7", "position")[2] - 0.004).abs() < 1e-6);
    assert!(report.number("/energy/kinetic") < 1e-12);
}

#[test]
fn heavy_cubes_stand_on_light_ones() {
    let report = report_of("tower.toml", &[]);
    for i in 0..6 {
        let at = [0.0, 0.0, 0.5 + f64::from(i)];
        assert!(distance(report.of(&format!("cube {i}"), "position"), at) < 1e-9);
    }
    assert_books_close(&report, 1e-12);
}

#[test]
fn a_pyramid_and_an_arch_stand() {
    let report = report_of("pyramid.toml", &[]);
    assert!(distance(report.of("brick 5-0", "position"), [1.25, 0.0, 1.375]) < 1e-6);
    assert!((report.number("/energy/final") - report.number("/energy/initial")).abs() < 1e-6);
    assert_books_close(&report, 1e-12);
    let report = report_of("arch.toml", &[]);
    for i in 0..7 {
        assert!(distance(report.of(&format!("stone {i}"), "position"), [0.0; 3]) < 1e-6);
    }
    assert_books_close(&report, 1e-12);
}

#[test]
fn a_sliding_ball_comes_to_roll_at_five_sevenths() {
    let report = report_of("rolling-ball.toml", &[]);
    assert!((report.of::<3>("ball", "velocity")[0] - 10.0 / 7.0).abs() < 1e-9);
    let turning = report.of::<3>("ball", "angular_velocity");
    assert!(distance(turning, [0.0, 10.0 / 7.0 / 0.03, 0.0]) < 1e-6, "{turning:?}");
    assert!((report.number("/energy/dissipated") / (0.34 * 2.0 / 7.0) - 1.0).abs() < 1e-9);
    assert_books_close(&report, 1e-12);
}

#[test]
fn a_guided_chaser_is_latched_at_the_port_of_a_turning_station() {
    let report = report_of("rendezvous.toml", &[]);
    let (station, chaser): ([f64; 3], [f64; 3]) =
        (report.of("station", "center_of_mass"), report.of("chaser", "center_of_mass"));
    let quaternion = report.of("station", "quat_wxyz");
    let apart = to_body(quaternion, [0, 1, 2].map(|i| chaser[i] - station[i]));
    assert!(distance(apart, [0.0, -2.0, 0.0]) < 0.01, "{apart:?}");
    let (of_station, of_chaser): ([f64; 3], [f64; 3]) =
        (report.of("station", "angular_velocity"), report.of("chaser", "angular_velocity"));
    assert!(distance(of_station, of_chaser) < 1e-9, "{of_station:?} {of_chaser:?}");
    assert_eq!(report.0["solver"]["certified"], true);
}

#[test]
fn docking_in_orbit_is_an_impact_like_any_other() {
    let report = report_of("docking.toml", &[]);
    let (chaser, station): ([f64; 3], [f64; 3]) =
        (report.of("chaser", "velocity"), report.of("station", "velocity"));
    assert!((chaser[0] - station[0] + 0.025).abs() < 1e-5, "{}", chaser[0] - station[0]);
    // ½ m (1 - e²) v² of the reduced mass of 1800 kg; positions are known to 1e-9 m there.
    assert!((report.number("/energy/dissipated") / (0.5 * 1800.0 * 0.75 * 0.05 * 0.05) - 1.0).abs() < 1e-3);
    assert_eq!(report.0["solver"]["certified"], true);
}

#[test]
fn poured_stones_end_at_rest_inside_the_box() {
    let report = report_of("pouring.toml", &[]);
    for i in 0..8 {
        let [x, y, z] = report.of::<3>(&format!("stone {i}"), "center_of_mass");
        assert!(x.abs() < 0.4 && y.abs() < 0.4 && z > 0.02 && z < 0.6, "stone {i}: {x} {y} {z}");
    }
    assert!(report.number("/energy/kinetic") < 1e-6);
    assert!(report.number("/energy/final") < report.number("/energy/initial"));
}
