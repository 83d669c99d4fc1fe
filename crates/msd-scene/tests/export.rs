//! Scenes written from worlds: the world that is read back has the same model and the same states to the last bit, and goes on.

#![allow(clippy::unwrap_used, reason = "a test that cannot build its scene has failed")]

use std::path::Path;

use msd_scene::Scene;
use msd_scene::source::Format;

fn gallery() -> Vec<std::path::PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut scenes: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    scenes
        .retain(|path| path.extension().is_some_and(|extension| extension == "toml" || extension == "urdf"));
    scenes.sort();
    assert!(scenes.len() > 25);
    scenes
}

#[test]
fn every_scene_of_the_gallery_is_read_back_as_it_stood() {
    for path in gallery() {
        let scene = Scene::load(&path).unwrap();
        let mut built = scene.build().unwrap();
        for _ in 0..40 {
            built.engine.step(scene.world.dt).unwrap();
        }
        let world = built.engine.world();
        let saved =
            scene.with_state_of(world, "later").unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for format in [Format::Toml, Format::Json] {
            let text = saved.to_text(format).unwrap();
            let read = Scene::parse_with("saved", &text, format, scene.files.clone())
                .unwrap_or_else(|error| panic!("{}: {error:?}", path.display()));
            assert_eq!(read.world.keyframe.as_deref(), Some("later"));
            let again = read.build().unwrap();
            let again = again.engine.world();
            assert_eq!(again.model_hash(), world.model_hash(), "{}", path.display());
            for (_, view) in world.bodies() {
                let body = again.find(&view.body.name).unwrap();
                assert_eq!(
                    again.body(body).unwrap().state,
                    view.state,
                    "{}: {}",
                    path.display(),
                    view.body.name
                );
            }
            for (joint, name, _) in world.joints() {
                if let Ok(position) = world.joint_position(joint) {
                    let same = again.joint_position(again.find_joint(name).unwrap()).unwrap();
                    assert!((same - position).abs() < 1e-12, "{}: {name} {same} {position}", path.display());
                }
            }
        }
    }
}

#[test]
fn a_world_that_a_program_has_changed_is_not_written_as_its_scene() {
    let text = r#"format = 1
[[body]]
name = "ball"
shape = { sphere = { radius = 0.1 } }
mass = 1.0
"#;
    let scene = Scene::parse_str("one ball", text, Format::Toml).unwrap();
    let mut built = scene.build().unwrap();
    let world = built.engine.world_mut();
    let ball = world.find("ball").unwrap();
    world.set_mass(ball, 2.0).unwrap();
    let refused = scene.with_state_of(world, "now").unwrap_err().to_string();
    assert!(refused.starts_with("the world is no longer the one that its scene makes: "), "{refused}");
    world.set_mass(ball, 1.0).unwrap();
    assert!(scene.with_state_of(world, "now").is_ok());
    world.remove_body(ball).unwrap();
    let refused = scene.with_state_of(world, "now").unwrap_err().to_string();
    assert!(refused.contains("body `ball` is gone"), "{refused}");
}
