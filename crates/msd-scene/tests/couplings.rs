//! Couplings of joints: `[[coupling]]` of scenes, `equality/joint` and `tendon/fixed` of MJCF, `mimic` of URDF.

#![allow(clippy::unwrap_used, reason = "a test ends where a promise is broken")]

use msd_scene::Scene;
use msd_scene::model::IntegratorName;
use msd_scene::source::Format;

fn robot(text: &str) -> Scene {
    Scene::parse_str("m.xml", text, Format::Robot).unwrap_or_else(|errors| panic!("{errors}"))
}

fn assert_close(found: &[f64], wanted: &[f64], most: f64) {
    let close = found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() <= most);
    assert!(found.len() == wanted.len() && close, "{found:?} for {wanted:?}");
}

/// Positions of joints after `time`, and their velocities.
fn moved(mut scene: Scene, keyframe: Option<&str>, time: f64, joints: &[&str]) -> Vec<f64> {
    scene.world.integrator = IntegratorName::Rk4;
    scene.world.dt = 5e-4;
    scene.world.keyframe = keyframe.map(str::to_owned);
    let mut built = scene.build().unwrap_or_else(|errors| panic!("{errors}"));
    let world = built.engine.world_mut();
    world.run(time).unwrap();
    let handles: Vec<_> = joints.iter().map(|name| world.find_joint(name).unwrap()).collect();
    let positions = handles.iter().map(|joint| world.joint_position(*joint).unwrap());
    positions.chain(handles.iter().map(|joint| world.joint_velocity(*joint).unwrap())).collect()
}

const TENDON: &str = r#"<mujoco><option gravity="0 0 -9.81"><flag contact="disable"/></option>
<default><tendon stiffness="120" damping="1.5"/></default>
<worldbody>
<body name="a"><joint name="j1" axis="0 1 0"/><inertial pos="0.25 0 0" mass="2" diaginertia="0.01 0.05 0.06"/>
 <body name="b" pos="0.5 0 0"><joint name="j2" axis="0 1 0"/><inertial pos="0.2 0 0" mass="1.5" diaginertia="0.008 0.03 0.035"/>
  <body name="c" pos="0.4 0 0"><joint name="j3" type="slide" axis="0 0 1"/><inertial pos="0 0 0" mass="0.7" diaginertia="0.004 0.005 0.006"/></body>
 </body></body>
</worldbody>
<tendon><fixed name="t" springlength="0.2"><joint joint="j1" coef="1"/><joint joint="j2" coef="-0.5"/><joint joint="j3" coef="2"/></fixed></tendon>
<actuator><position name="p" tendon="t" kp="30" kv="0.8" gear="1.5"/><motor name="m" tendon="t" gear="0.5"/></actuator>
<keyframe><key name="k" qpos="0.3 -0.4 0.1" qvel="0.5 1 -0.2" ctrl="0.6 4"/></keyframe>
</mujoco>"#;

#[test]
fn a_fixed_tendon_with_spring_and_actuators_moves_as_in_mujoco() {
    // MuJoCo 4.0.0, RK4 at 1e-5 s.
    let wanted = [
        1.999293646166595,
        -1.6677825219804618,
        -1.296758144198108,
        6.418520791167832,
        -6.46116691178372,
        -4.9511040597842255,
    ];
    assert_close(&moved(robot(TENDON), Some("k"), 0.5, &["j1", "j2", "j3"]), &wanted, 1e-7);
}

#[test]
fn an_equality_of_joints_counts_from_their_references_in_radians() {
    let polynomial = |x: f64| 0.1 + 0.5 * x + 0.3 * x * x - 0.2 * x * x * x;
    let text = r#"<mujoco><worldbody>
<body name="a"><joint name="x" axis="0 1 0" ref="20"/><inertial pos="0.3 0 0" mass="1" diaginertia="0.01 0.02 0.02"/></body>
<body name="b" pos="0 1 0"><joint name="y" axis="0 1 0" ref="-10"/><inertial pos="0.2 0 0" mass="1" diaginertia="0.01 0.02 0.02"/></body>
</worldbody><equality><joint joint1="y" joint2="x" polycoef="0.1 0.5 0.3 -0.2 0" solref="0.01 1"/></equality></mujoco>"#;
    let (x0, y0) = (20_f64.to_radians(), -(10_f64.to_radians()));
    let found = moved(robot(text), None, 0.3, &["x", "y"]);
    assert!((found[0] - x0).abs() > 0.1, "it has swung: {found:?}");
    assert!((found[1] - y0 - polynomial(found[0] - x0)).abs() < 1e-12, "{found:?}");
}

#[test]
fn the_limits_and_friction_of_a_tendon_are_those_of_the_sum() {
    let text = r#"<mujoco><option gravity="0 0 0"/><worldbody>
<body name="a"><joint name="x" axis="0 1 0"/><inertial pos="0 0 0" mass="1" diaginertia="0.2 0.2 0.2"/></body>
<body name="b" pos="0 1 0"><joint name="y" axis="0 1 0"/><inertial pos="0 0 0" mass="1" diaginertia="0.2 0.2 0.2"/></body>
</worldbody><tendon><fixed range="-1 0.5" limited="true" frictionloss="0.1"><joint joint="x" coef="1"/><joint joint="y" coef="1"/></fixed></tendon>
<keyframe><key name="k" qpos="0 0" qvel="3 1"/></keyframe></mujoco>"#;
    let found = moved(robot(text), Some("k"), 1.0, &["x", "y"]);
    assert!((found[0] + found[1] - 0.5).abs() < 5e-3, "{found:?}");
    assert!((found[2] - 1.0).abs() < 1e-9 && (found[3] + 1.0).abs() < 1e-9, "{found:?}");
}

#[test]
fn a_mimic_joint_follows_with_multiplier_and_offset() {
    let link = |name: &str| {
        format!(
            "<link name=\"{name}\"><inertial><origin xyz=\"0.2 0 0\"/><mass value=\"1\"/><inertia ixx=\"0.01\" iyy=\"0.02\" \
             izz=\"0.02\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>"
        )
    };
    let joint = |name: &str, child: &str, inner: &str| {
        format!(
            "<joint name=\"{name}\" type=\"continuous\"><parent link=\"base\"/><child link=\"{child}\"/><axis xyz=\"0 1 0\"/>\
             {inner}</joint>"
        )
    };
    let text = [
        "<robot name=\"r\"><link name=\"base\"/>".to_owned(),
        link("a"),
        link("b"),
        joint("x", "a", ""),
        joint("y", "b", "<mimic joint=\"x\" multiplier=\"-0.5\" offset=\"0.2\"/>"),
        "</robot>".to_owned(),
    ]
    .concat();
    let scene = Scene::parse_str("r.urdf", &text, Format::Robot).unwrap_or_else(|errors| panic!("{errors}"));
    let found = moved(scene, None, 0.3, &["x", "y"]);
    assert!(found[0].abs() > 0.1, "{found:?}");
    assert!((found[1] + 0.5 * found[0] - 0.2).abs() < 1e-12, "{found:?}");
}

const GEAR: &str = r#"format = 1
[world]
gravity = [0, 0, 0]
[[body]]
name = "first"
mass = 1
inertia = [[0.5, 0, 0], [0, 0.5, 0], [0, 0, 0.5]]
[[body]]
name = "second"
mass = 1
position = [1, 0, 0]
inertia = [[0.08, 0, 0], [0, 0.08, 0], [0, 0, 0.08]]
[[joint]]
name = "one"
type = "hinge"
a = "world"
b = "first"
axis = [0, 0, 1]
[[joint]]
name = "two"
type = "hinge"
a = "world"
b = "second"
anchor = [1, 0, 0]
axis = [0, 0, 1]
"#;

#[test]
fn a_gear_of_a_scene_turns_both_wheels_and_carries_an_actuator() {
    let gear = "[[coupling]]\nname = \"gear\"\njoints = [\"one\", \"two\"]\nfactors = [2.5, 1]\nvalue = 0\n";
    let sum = "[[coupling]]\nname = \"sum\"\njoints = [\"one\", \"two\"]\nfactors = [1, 0.5]\n";
    let motor = "[[actuator]]\nname = \"motor\"\ncoupling = \"sum\"\ncontrol = 0.8\n";
    let text = format!("{GEAR}{gear}{sum}{motor}");
    let scene = Scene::parse_str("s.toml", &text, Format::Toml).unwrap_or_else(|errors| panic!("{errors}"));
    // θ₂ = -2.5 θ₁: generalised force 0.8 (1 - 1.25) on an inertia of 0.5 + 6.25 · 0.08.
    let rate = 0.8 * (1.0 - 1.25) / (0.5 + 6.25 * 0.08);
    let found = moved(scene, None, 1.0, &["one", "two"]);
    assert_close(&found, &[0.5 * rate, -1.25 * rate, rate, -2.5 * rate], 1e-9);
}

#[test]
fn what_is_wrong_with_a_coupling_is_said_with_its_place() {
    let problem = |coupling: &str| {
        let text = format!("{GEAR}[[coupling]]\nname = \"c\"\n{coupling}\n");
        Scene::parse_str("s.toml", &text, Format::Toml).unwrap_err().to_string()
    };
    assert!(problem("joints = [\"one\", \"too\"]\nfactors = [1, 1]").contains("did you mean `two`?"));
    assert!(problem("joints = [\"one\", \"one\"]\nfactors = [1, 1]").contains("twice"));
    assert!(problem("joints = [\"one\", \"two\"]\nfactors = [1]").contains("one for each joint"));
    assert!(problem("joints = [\"one\"]\nfactors = [1]\nlimits = [1, 0]").contains("limits"));
    assert!(problem("joints = []").contains("no joints"));
    let both = format!("{GEAR}[[actuator]]\nname = \"m\"\njoint = \"one\"\ncoupling = \"c\"\n");
    let both = Scene::parse_str("s.toml", &both, Format::Toml).unwrap_err().to_string();
    assert!(both.contains("both `joint` and `coupling`"), "{both}");
}

#[test]
fn an_equality_of_tendons_holds_the_sums_in_proportion() {
    let body = |name: &str, joint: &str, y: f64| {
        format!(
            "<body name=\"{name}\" pos=\"0 {y} 0\"><joint name=\"{joint}\" axis=\"0 1 0\"/><inertial pos=\"0.3 0 0\" mass=\"1\" \
             diaginertia=\"0.01 0.02 0.02\"/></body>"
        )
    };
    let text = [
        "<mujoco><worldbody>".to_owned(),
        body("a", "x", 0.0),
        body("b", "y", 1.0),
        body("c", "z", 2.0),
        "</worldbody><tendon><fixed name=\"s\"><joint joint=\"x\" coef=\"1\"/><joint joint=\"y\" coef=\"-1\"/></fixed>\
         <fixed name=\"t\"><joint joint=\"y\" coef=\"0.5\"/><joint joint=\"z\" coef=\"1\"/></fixed></tendon>\
         <equality><tendon tendon1=\"s\" tendon2=\"t\" polycoef=\"0.05 -0.5 0 0 0\"/></equality></mujoco>"
            .to_owned(),
    ]
    .concat();
    let found = moved(robot(&text), None, 0.2, &["x", "y", "z"]);
    let [s, t] = [found[0] - found[1], 0.5 * found[1] + found[2]];
    assert!(t.abs() > 0.1, "{found:?}");
    assert!((s - 0.05 + 0.5 * t).abs() < 1e-12, "{found:?}");
}
