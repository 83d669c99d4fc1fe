//! Springs and dampers about the axes of hinges and along those of sliders, against closed forms.

#![expect(clippy::unwrap_used, reason = "a test ends where a promise is broken")]

use msd_scene::model::Joint;
use msd_scene::report::Report;
use msd_scene::source::Format;
use msd_scene::{Ending, Outcome, Scene, Simulation};

/// 2 kg with 0.5 kg·m² about every axis, joined to the world along z; gravity is off.
fn joined(kind: &str, integrator: &str, body: &str, joint: &str, dt: f64, duration: f64) -> Outcome {
    let text = format!(
        r#"format = 1
[world]
gravity = [0, 0, 0]
dt = {dt}
duration = {duration}
integrator = "{integrator}"
[[body]]
name = "part"
mass = 2
inertia = [[0.5, 0, 0], [0, 0.5, 0], [0, 0, 0.5]]
{body}
[[joint]]
name = "j"
type = "{kind}"
a = "world"
b = "part"
axis = [0, 0, 1]
{joint}
"#
    );
    let scene = Scene::parse_str("s.toml", &text, Format::Toml).unwrap_or_else(|errors| panic!("{errors}"));
    Simulation::new(scene.build().unwrap()).run(|_, _| true)
}

fn report(outcome: Outcome) -> Report {
    assert_eq!(outcome.ending, Ending::Done);
    outcome.report
}

/// How far it has turned about z, rad.
fn angle(report: &Report) -> f64 {
    let [w, _, _, z] = report.bodies[0].1.quat_wxyz;
    2.0 * z.atan2(w)
}

/// `s(t)` of `m s̈ + c ṡ + k (s - r) = 0` from rest at zero, below critical damping, and its rate.
fn swing(m: f64, c: f64, k: f64, r: f64, t: f64) -> (f64, f64) {
    let decay = 0.5 * c / m;
    let omega = (k / m - decay * decay).sqrt();
    let (s, cos) = (omega * t).sin_cos();
    let envelope = r * (-decay * t).exp();
    (r - envelope * (cos + decay / omega * s), envelope * k / (m * omega) * s)
}

#[test]
fn a_damped_torsion_pendulum_decays_as_its_equation_says() {
    // k/I = 4 s⁻², so ω₀ = 2 rad/s; δ = c/2I = 0.1 s⁻¹; 6 s are two swings.
    let joint = "stiffness = 2.0\ndamping = 0.1\nrest = 0.8";
    let (angle_then, rate_then) = swing(0.5, 0.1, 2.0, 0.8, 6.0);
    let initial = 0.5 * 2.0 * 0.8 * 0.8;
    let left = 0.5 * 0.5 * rate_then * rate_then + 0.5 * 2.0 * (angle_then - 0.8).powi(2);
    for (integrator, most) in [("velocity-verlet", 2e-6), ("rk4", 1e-11), ("adaptive", 1e-8)] {
        let end = report(joined("hinge", integrator, "", joint, 0.001, 6.0));
        assert!((angle(&end) - angle_then).abs() < most, "{integrator}: {} {angle_then}", angle(&end));
        let rate = end.bodies[0].1.angular_velocity[2];
        assert!((rate - rate_then).abs() < 4.0 * most, "{integrator}: {rate} {rate_then}");
        // The spring's energy is potential energy, the damper's loss is dissipated, and the books close.
        assert!((end.energy.initial - initial).abs() < 1e-15);
        assert!((end.energy.potential - 0.5 * 2.0 * (angle_then - 0.8).powi(2)).abs() < 4.0 * most);
        assert!((end.energy.dissipated - (initial - left)).abs() < 4.0 * most, "{integrator}: {end:?}");
        assert!(end.energy.max_error < most, "{integrator}: {}", end.energy.max_error);
    }
}

#[test]
fn a_slider_on_a_spring_swings_with_its_period() {
    // ω = √(k/m) = 5 rad/s: after one period 2π/5 s it is where it was, after half of it at twice the rest length.
    let half = std::f64::consts::PI / 5.0;
    let joint = "stiffness = 50.0\nrest = 0.1";
    for (duration, height) in [(half, 0.2), (2.0 * half, 0.0)] {
        let end = report(joined("slider", "rk4", "", joint, 0.001, duration));
        assert!((end.bodies[0].1.position[2] - height).abs() < 1e-11, "{:?}", end.bodies[0].1.position);
        assert!(end.energy.dissipated == 0.0 && end.energy.max_error < 1e-11);
    }
}

#[test]
fn a_damper_alone_slows_down_exponentially() {
    // v = v₀ exp(-c t/m) with c/m = 1.5 s⁻¹: of 16 J are lost 16 (1 - e⁻³) after 1 s.
    let end = report(joined("slider", "rk4", "velocity = [0, 0, 4]", "damping = 3.0", 0.001, 1.0));
    let speed = 4.0 * (-1.5_f64).exp();
    assert!((end.bodies[0].1.velocity[2] - speed).abs() < 1e-11);
    assert!((end.bodies[0].1.position[2] - (4.0 - speed) / 1.5).abs() < 1e-11);
    assert!((end.energy.dissipated - 16.0 * (1.0 - (-3.0_f64).exp())).abs() < 1e-10);
}

#[test]
fn a_damper_stiffer_than_the_step_stops_the_joint_without_turning_it_back() {
    // dt c/I = 20: backward Euler leaves 1/21 of the speed each step.
    let end = report(joined(
        "hinge",
        "velocity-verlet",
        "angular_velocity = [0, 0, 3]",
        "damping = 100.0",
        0.1,
        0.3,
    ));
    let rate = end.bodies[0].1.angular_velocity[2];
    assert!((rate - 3.0 / 21.0_f64.powi(3)).abs() < 1e-12, "{rate}");
    let lost = 0.25 * (9.0 - rate * rate);
    assert!((end.energy.dissipated - lost).abs() < 1e-12, "{} {lost}", end.energy.dissipated);
    assert!(end.energy.max_error < 1e-12);
}

#[test]
fn a_spring_within_limits_pulls_from_beyond_half_a_turn() {
    // Limits from 0 to 6 rad, at rest at 5 rad: the spring turns it on, past half a turn, and not back.
    let joint = "limits = [-0.1, 6.0]\nstiffness = 0.5\ndamping = 5.0\nrest = 5.0";
    let end = report(joined("hinge", "velocity-verlet", "", joint, 0.001, 100.0));
    let turned = angle(&end).rem_euclid(std::f64::consts::TAU);
    assert!((turned - 5.0).abs() < 1e-3, "{turned}");
}

#[test]
fn friction_limits_spring_and_damper_act_in_one_joint() {
    // Friction of 0.3 N·m holds a spring of 2 N·m/rad that is stressed by 0.1 rad, and not one stressed by 0.2 rad.
    let joint = |rest: f64| {
        format!(
            "limits = [-1, 1]\nmotor = {{ velocity = 0, max_force = 0.3 }}\nstiffness = 2\ndamping = 1\nrest = {rest}"
        )
    };
    let held = report(joined("hinge", "velocity-verlet", "", &joint(0.1), 0.001, 1.0));
    assert!(angle(&held).abs() < 1e-12, "{}", angle(&held));
    // 2 (0.2 - θ) = 0.3 at θ = 0.05: friction stops it there or later.
    let moved = report(joined("hinge", "velocity-verlet", "", &joint(0.2), 0.001, 5.0));
    assert!(angle(&moved) > 0.0499 && angle(&moved) < 0.2, "{}", angle(&moved));
}

#[test]
fn a_robot_file_says_the_same_as_a_scene() {
    let model = r#"<mujoco><compiler angle="degree"/><option gravity="0 0 0"/><worldbody><body name="b">
        <joint name="j" axis="0 0 1" stiffness="2" damping="0.1" springref="45" ref="10"/>
        <inertial pos="0 0 0" mass="2" diaginertia="0.5 0.5 0.5"/></body></worldbody></mujoco>"#;
    let scene = Scene::parse_str("m.xml", model, Format::Robot).unwrap_or_else(|errors| panic!("{errors}"));
    let [Joint::Hinge(hinge)] = scene.joint.as_slice() else { panic!("{:?}", scene.joint) };
    assert_eq!((hinge.stiffness, hinge.damping), (2.0, 0.1));
    assert!((hinge.position - 10.0_f64.to_radians()).abs() < 1e-15, "{}", hinge.position);
    assert!((hinge.rest - 45.0_f64.to_radians()).abs() < 1e-15, "{}", hinge.rest);
    let end = report(Simulation::new(scene.build().unwrap()).run(|_, _| true));
    let (expected, _) = swing(0.5, 0.1, 2.0, 35.0_f64.to_radians(), 1.0);
    assert!((angle(&end) - expected).abs() < 2e-6, "{} {expected}", angle(&end));
    let robot = r#"<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="1"/>
        <inertia ixx="1" iyy="1" izz="1"/></inertial></link><joint name="j" type="prismatic"><parent link="base"/>
        <child link="arm"/><axis xyz="0 0 1"/><limit lower="-9" upper="9"/><dynamics damping="3" friction="1"/>
        </joint></robot>"#;
    let scene = Scene::parse_str("r.urdf", robot, Format::Robot).unwrap_or_else(|errors| panic!("{errors}"));
    let [Joint::Slider(slider)] = scene.joint.as_slice() else { panic!("{:?}", scene.joint) };
    assert_eq!((slider.stiffness, slider.damping, slider.rest), (0.0, 3.0, 0.0));
    assert_eq!(slider.motor.unwrap().max_force, 1.0);
    // Falls with m v̇ = m g - F - c v: 9.81 - 1 - 3 v.
    let end = report(Simulation::new(scene.build().unwrap()).run(|_, _| true));
    let speed = 8.81 / 3.0 * (1.0 - (-3.0_f64).exp());
    assert!((end.bodies[0].1.velocity[2] + speed).abs() < 1e-5, "{:?} {speed}", end.bodies[0].1.velocity);
}

#[test]
fn what_no_spring_has_is_refused_with_its_place() {
    let text = r#"format = 1
[[body]]
name = "part"
mass = 1
inertia = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
[[joint]]
name = "j"
type = "hinge"
a = "world"
b = "part"
axis = [0, 0, 1]
stiffness = -1
damping = -2
rest = nan
stifness = 3
"#;
    let told = Scene::parse_str("s.toml", text, Format::Toml).unwrap_err().to_string();
    for wanted in
        ["12:13", "13:11", "14:8", "15:1", "stiffness", "damping", "rest", "did you mean `stiffness`"]
    {
        assert!(told.contains(wanted), "{wanted} in {told}");
    }
}
