//! Actuators, joint positions and keyframes of scenes and of MJCF models.

#![allow(clippy::unwrap_used, reason = "a test ends where a promise is broken")]

use msd_scene::model::ActuatorKind;
use msd_scene::source::Format;
use msd_scene::{Scene, Simulation};

fn scene(text: &str) -> Scene {
    Scene::parse_str("s.toml", text, Format::Toml).unwrap_or_else(|errors| panic!("{errors}"))
}

fn model(inner: &str) -> Scene {
    let text = format!("<mujoco>{inner}</mujoco>");
    Scene::parse_str("m.xml", &text, Format::Robot).unwrap_or_else(|errors| panic!("{errors}"))
}

const ARM: &str = r#"format = 1
[world]
gravity = [0, 0, 0]
duration = 2
[[body]]
name = "link"
mass = 2
inertia = [[0.5, 0, 0], [0, 0.5, 0], [0, 0, 0.5]]
[[joint]]
name = "elbow"
type = "hinge"
a = "world"
b = "link"
axis = [0, 0, 1]
position = 0.5
limits = [-10, 10]
"#;

#[test]
fn an_actuator_of_a_scene_turns_its_joint_and_a_schedule_commands_it() {
    let servo = "[[actuator]]\nname = \"servo\"\njoint = \"elbow\"\ntype = \"position\"\nkp = 200\nkv = 20\n";
    let schedule =
        "[[agent]]\ntype = \"control-schedule\"\nactuator = \"servo\"\ntimes = [0, 1]\ncontrols = [0.5, 8]\n";
    let built = scene(&format!("{ARM}{servo}{schedule}")).build().unwrap();
    let elbow = built.engine.world().find_joint("elbow").unwrap();
    assert_eq!(built.engine.world().joint_position(elbow).unwrap(), 0.5);
    let (outcome, engine) = Simulation::new(built).run_watched(|_, _, _, _| true);
    assert_eq!(outcome.ending, msd_scene::Ending::Done);
    // More than a turn, critically damped: 1 s after the end of the ramp nothing is left of it.
    assert!((engine.world().joint_position(elbow).unwrap() - 8.0).abs() < 1e-5);
    assert!(outcome.report.energy.max_error < 1e-2 && outcome.report.energy.work_in > 0.0);
}

#[test]
fn what_is_wrong_with_an_actuator_is_said_with_its_place() {
    let problem = |actuator: &str| {
        let text = format!("{ARM}[[actuator]]\nname = \"m\"\n{actuator}\n");
        Scene::parse_str("s.toml", &text, Format::Toml).unwrap_err().to_string()
    };
    assert!(problem("joint = \"elbw\"").contains("did you mean `elbow`?"));
    assert!(problem("joint = \"elbow\"\nkp = 3").contains("`kp` says nothing about a motor actuator"));
    assert!(problem("joint = \"elbow\"\nforce_range = [2, 1]").contains("force_range"));
    let text = format!("{ARM}[keyframe.bent]\njoint = {{ knee = 1 }}\n")
        .replace("duration = 2", "duration = 2\nkeyframe = \"bent\"");
    let refused = Scene::parse_str("s.toml", &text, Format::Toml).unwrap_err().to_string();
    assert!(refused.contains("no hinge or slider named `knee`"), "{refused}");
}

#[test]
fn a_scene_starts_from_its_keyframe_and_goes_back_to_it() {
    let keyframes =
        "[keyframe.bent]\njoint = { elbow = 7.5 }\njoint_velocity = { elbow = -1 }\n[keyframe.home]\n";
    let text = format!("{ARM}{keyframes}").replace("duration = 2", "duration = 2\nkeyframe = \"bent\"");
    let mut built = scene(&text).build().unwrap();
    let elbow = built.engine.world().find_joint("elbow").unwrap();
    let at = |built: &msd_scene::Built| {
        let world = built.engine.world();
        (world.joint_position(elbow).unwrap(), world.joint_velocity(elbow).unwrap())
    };
    assert!((at(&built).0 - 7.5).abs() < 1e-12 && (at(&built).1 + 1.0).abs() < 1e-12);
    built.engine.run(1.0, |_, _| true).unwrap();
    assert!((at(&built).0 - 6.5).abs() < 1e-9);
    built.reset_to_keyframe("bent").unwrap();
    assert!((at(&built).0 - 7.5).abs() < 1e-12 && built.engine.world().time() == 0.0);
    assert_eq!(built.keyframes().collect::<Vec<_>>(), ["bent", "home"]);
    assert!(built.set_keyframe("hom").unwrap_err().contains("did you mean `home`?"));
}

const MODEL: &str = r#"<compiler angle="radian"/><option gravity="0 0 0"/>
<default><position kp="30"/><default class="strong"><general forcerange="-5 5"/></default></default>
<worldbody><body name="base" pos="0 0 1"><freejoint/><geom size="0.1" mass="1"/>
<body name="arm" pos="0.5 0 0"><joint name="shoulder" axis="0 0 1" range="-1 7" ref="0.2" actuatorfrcrange="-4 3"/>
<geom size="0.1" pos="0.3 0 0" mass="1"/></body></body></worldbody>
<actuator><position name="s" joint="shoulder" class="strong" gear="2" kv="3" ctrlrange="-1 1"/>
<general joint="shoulder" gainprm="4" biastype="affine" biasprm="1 -2 -3" dyntype="filter" dynprm="0.1"/>
<muscle joint="shoulder"/></actuator>
<keyframe><key name="home" qpos="1 2 3 0 0 0 1 0.7" qvel="0 0 0 0 0 2 0.5" ctrl="0.25 -1 0"/></keyframe>"#;

#[test]
fn actuators_and_keyframes_of_a_model_mean_what_they_mean_in_mujoco() {
    let mut scene = model(MODEL);
    let [servo, general] = scene.actuator.as_slice() else { panic!("{:?}", scene.actuator) };
    assert_eq!(
        (servo.kind, servo.kp, servo.kv, servo.gear),
        (ActuatorKind::Position, Some(30.0), Some(3.0), 2.0)
    );
    assert_eq!((servo.control_range, servo.force_range), (Some([-1.0, 1.0]), Some([-5.0, 5.0])));
    assert_eq!((general.name.as_str(), general.gain), ("shoulder", Some(4.0)));
    assert_eq!((general.bias, general.time_constant), (Some([1.0, -2.0, -3.0]), 0.1));
    scene.world.keyframe = Some("home".to_owned());
    let built = scene.build().unwrap();
    let world = built.engine.world();
    let tree = world.articulation();
    let near = |found: &[f64], expected: &[f64]| {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
    };
    near(&world.q(&tree), &[1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0, 0.7]);
    near(&world.v(&tree), &[0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.5]);
    assert_eq!(world.control(world.find_actuator("s").unwrap()).unwrap(), 0.25);
    assert_eq!(world.control(world.find_actuator("shoulder").unwrap()).unwrap(), -1.0);
}

/// A driven arm of two hinges and a slider in random directions; positions by MuJoCo 4.0.0 (RK4, 1e-5 s, `mj_step`) after 0.5 s.
#[test]
fn a_driven_arm_moves_as_in_mujoco() {
    let arm = include_str!("robots/driven_arm.xml");
    let mut scene = Scene::parse_str("m.xml", arm, Format::Robot).unwrap_or_else(|errors| panic!("{errors}"));
    scene.world.keyframe = Some("start".to_owned());
    scene.world.integrator = msd_scene::model::IntegratorName::Rk4;
    scene.world.dt = 5e-4;
    scene.world.duration = 0.5;
    let (_, engine) = Simulation::new(scene.build().unwrap()).run_watched(|_, _, _, _| true);
    let (world, tree) = (engine.world(), engine.world().articulation());
    let expected = [-0.470302914211, 2.536614357634, 0.415790422026];
    for (found, expected) in world.q(&tree).iter().zip(expected) {
        assert!((found - expected).abs() < 1e-7, "{found} for {expected}");
    }
}
