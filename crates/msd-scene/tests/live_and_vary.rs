//! Scenes that a program changes: parts added to a running engine, values set by path.
#![allow(clippy::unwrap_used)]

use msd::engine::Engine;
use msd_scene::Scene;
use msd_scene::model::{Agent, Body, Field, Joint};
use msd_scene::source::Format;
use serde_json::{Value, json};

const TEXT: &str = r#"
format = 1
[world]
gravity = [0, 0, 0]
[material.alu]
friction = 0.3
[[body]]
name = "base"
kind = "static"
shape = { box = { size = [1, 1, 1] } }
[[body]]
name = "arm.left"
shape = { box = { size = [0.1, 0.1, 1] } }
mass = 2.0
position = [0, 0, 1]
material = "alu"
[[joint]]
type = "hinge"
name = "shoulder"
a = "base"
b = "arm.left"
anchor = [0, 0, 0.5]
axis = [1, 0, 0]
motor = { velocity = 0.5, max_force = 10 }
[[field]]
type = "uniform-gravity"
acceleration = [0, 0, -1]
[[agent]]
type = "constant-wrench"
body = "arm.left"
torque = [0, 0.1, 0]
"#;

fn part<T: serde::de::DeserializeOwned>(keys: Value) -> T {
    serde_json::from_value(keys).unwrap()
}

#[test]
fn a_world_built_part_by_part_is_that_of_the_file() {
    let scene = Scene::parse_str("whole.toml", TEXT, Format::Toml).unwrap();
    let whole = scene.build().unwrap().engine;
    let mut live = Scene { world: scene.world.clone(), material: scene.material.clone(), ..Scene::default() };
    let mut engine: Engine = live.build().unwrap().engine;
    for body in &scene.body {
        live.add_body(&mut engine, body.clone()).unwrap();
    }
    live.add_field(&mut engine, scene.field[0].clone()).unwrap();
    live.add_joint(&mut engine, scene.joint[0].clone()).unwrap();
    live.add_agent(&mut engine, scene.agent[0].clone()).unwrap();
    assert_eq!(engine.world().model_hash(), whole.world().model_hash());
    let (mut engine, mut whole) = (engine, whole);
    engine.run(0.5, |_, _| true).unwrap();
    whole.run(0.5, |_, _| true).unwrap();
    assert_eq!(engine.world().state_hash(), whole.world().state_hash());
    assert_eq!((&live.body, &live.joint, &live.agent), (&scene.body, &scene.joint, &scene.agent));
}

#[test]
fn a_part_that_is_refused_changes_nothing() {
    let mut scene = Scene::parse_str("whole.toml", TEXT, Format::Toml).unwrap();
    let mut engine = scene.build().unwrap().engine;
    let (before, model) = (scene.clone(), engine.world().model_hash());
    let ball = json!({ "sphere": { "radius": 0.1 } });
    let bodies = [
        (json!({ "name": "base", "shape": ball, "mass": 1 }), "base"),
        (json!({ "name": "ball", "shape": ball }), "mass"),
        (json!({ "name": "ball", "shape": ball, "mass": 1, "material": "al" }), "did you mean `alu`"),
        (json!({ "name": "ball", "shape": ball, "mass": 1, "friction": -1 }), "friction"),
    ];
    for (keys, said) in bodies {
        let problem = scene.add_body(&mut engine, part::<Body>(keys)).unwrap_err().to_string();
        assert!(problem.contains(said), "{problem}");
    }
    let joint = json!({ "type": "ball", "name": "neck", "a": "base", "b": "arm.leff" });
    let problem = scene.add_joint(&mut engine, part::<Joint>(joint)).unwrap_err().to_string();
    assert!(problem.contains("did you mean `arm.left`"), "{problem}");
    let field = json!({ "type": "point-gravity", "mu": 1.0, "bodies": ["moon"] });
    let problem = scene.add_field(&mut engine, part::<Field>(field)).unwrap_err().to_string();
    assert!(problem.contains("moon"), "{problem}");
    let agent = json!({ "type": "pd-attitude", "body": "base", "stiffness": 1.0 });
    let problem = scene.add_agent(&mut engine, part::<Agent>(agent)).unwrap_err().to_string();
    assert!(problem.contains("no force moves the body `base`"), "{problem}");
    assert_eq!((scene, engine.world().model_hash()), (before, model));
}

#[test]
fn paths_set_what_the_file_would_say() {
    let mut scene = Scene::parse_str("whole.toml", TEXT, Format::Toml).unwrap();
    let values: [(&str, &[f64]); 10] = [
        ("world.dt", &[0.002]),
        ("world.threads", &[2.0]),
        ("material.alu.friction", &[0.7]),
        ("body.arm.left.mass", &[3.0]),
        ("body.arm.left.velocity.y", &[0.25]),
        ("body.arm.left.angular_velocity", &[1.0, 2.0, 3.0]),
        ("body.arm.left.shape.box.size.z", &[1.5]),
        ("joint.shoulder.motor.velocity", &[0.75]),
        ("field.0.acceleration.2", &[-2.0]),
        ("agent.0.torque.x", &[0.5]),
    ];
    for (path, value) in values {
        scene.set(path, value).unwrap_or_else(|problem| panic!("{problem}"));
    }
    let text = TEXT
        .replace("gravity = [0, 0, 0]", "gravity = [0, 0, 0]\ndt = 0.002\nthreads = 2")
        .replace("friction = 0.3", "friction = 0.7")
        .replace("mass = 2.0", "mass = 3.0\nvelocity = [0, 0.25, 0]\nangular_velocity = [1, 2, 3]")
        .replace("[0.1, 0.1, 1]", "[0.1, 0.1, 1.5]")
        .replace("velocity = 0.5,", "velocity = 0.75,")
        .replace("[0, 0, -1]", "[0, 0, -2]")
        .replace("torque = [0, 0.1, 0]", "torque = [0.5, 0.1, 0]");
    let expected = Scene::parse_str("whole.toml", &text, Format::Toml).unwrap();
    assert_eq!(scene, expected);
}

#[test]
fn paths_that_lead_nowhere_are_named_and_change_nothing() {
    let mut scene = Scene::parse_str("whole.toml", TEXT, Format::Toml).unwrap();
    let before = scene.clone();
    let cases: [(&str, &[f64], &str); 13] = [
        ("bodi.arm.left.mass", &[1.0], "begins with"),
        ("body.arm.left", &[1.0], "arm"),
        ("body.amr.mass", &[1.0], "amr"),
        ("body.arm.left.mas", &[1.0], "mas"),
        ("body.arm.left.mass.x", &[1.0], "single value"),
        ("body.arm.left.position.w", &[1.0], "`w` is no component"),
        ("body.arm.left.position", &[1.0], ""),
        ("body.arm.left.position", &[1.0, 2.0], ""),
        ("body.arm.left.mass", &[f64::NAN], "finite"),
        ("material.steel.friction", &[1.0], "alu"),
        ("field.1.mu", &[1.0], "below 1"),
        ("world", &[1.0], "which key"),
        ("world.threads", &[1.5], ""),
    ];
    for (path, value, said) in cases {
        let problem = scene.set(path, value).unwrap_err().to_string();
        assert!(problem.starts_with(&format!("`{path}`")) && problem.contains(said), "{problem}");
        assert_eq!(scene, before, "{path}");
    }
}
