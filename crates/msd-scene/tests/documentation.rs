//! The documentation of scenes: the example in the manual runs, every key is in it, the gallery fits the schema.

#![expect(clippy::unwrap_used, reason = "a test ends where a promise is broken")]

#[path = "../examples/debris_cloud.rs"]
mod debris_cloud;

use std::path::{Path, PathBuf};

use msd_scene::source::Format;
use msd_scene::{Scene, Simulation, json_schema};
use serde_json::Value;

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn manual() -> String {
    std::fs::read_to_string(project("docs/scenes.md")).unwrap()
}

#[test]
fn the_example_of_the_manual_runs() {
    let manual = manual();
    let example = manual.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let scene = Scene::parse_str("manual.toml", example, Format::Toml).unwrap();
    let outcome = Simulation::new(scene.build().unwrap()).run(|_, _| true);
    assert_eq!((outcome.report.time, outcome.report.bodies.len()), (2.0, 2));
}

#[test]
fn the_manual_names_every_key() {
    fn keys(schema: &Value, found: &mut Vec<String>) {
        match schema {
            Value::Object(object) => {
                if let Some(Value::Object(properties)) = object.get("properties") {
                    found.extend(properties.keys().filter(|_| object.contains_key("type")).cloned());
                }
                object.values().for_each(|value| keys(value, found));
            }
            Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
            _ => {}
        }
    }
    let (manual, mut found) = (manual(), Vec::new());
    keys(&json_schema(), &mut found);
    assert!(found.len() > 100);
    for key in found {
        let named = manual.match_indices(key.as_str()).next().is_some();
        assert!(named, "`{key}` is not in docs/scenes.md");
    }
}

#[test]
fn a_scene_written_by_a_program_is_read_back_the_same() {
    for entry in std::fs::read_dir(project("scenes")).unwrap() {
        let path = entry.unwrap().path();
        let scene = Scene::load(&path).unwrap();
        let written = toml::to_string(&scene).unwrap();
        let mut read = Scene::parse_str("written.toml", &written, Format::Toml).unwrap();
        (read.name, read.files) = (scene.name.clone(), scene.files.clone());
        assert_eq!(read, scene, "{}", path.display());
        let hash = |scene: &Scene| scene.build().unwrap().engine.world().state_hash();
        assert_eq!(hash(&read), hash(&scene));
    }
}

#[test]
fn the_debris_cloud_is_what_its_generator_writes() {
    let file = std::fs::read_to_string(project("scenes/debris-cloud.toml")).unwrap();
    assert!(
        file == debris_cloud::scene(),
        "run `cargo run -p msd-scene --example debris_cloud > scenes/debris-cloud.toml`"
    );
}
