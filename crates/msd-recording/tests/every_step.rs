//! A run can be taken up from any step: every scene of the gallery is recorded with keyframes, and from each of them a world built
//! again from the recorded scene takes the snapshot and computes the next frames with the same bits.
#![expect(clippy::unwrap_used, reason = "a test ends where a promise is broken")]

use std::path::{Path, PathBuf};

use msd_recording::{RecordOptions, Recorder, Recording};
use msd_scene::Scene;

/// Frames computed from each keyframe: contacts are found, solved and warm-started again.
const FOLLOWED: usize = 4;

fn gallery() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let is_scene = |path: &PathBuf| path.extension().is_some_and(|end| end == "toml" || end == "urdf");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut scenes: Vec<PathBuf> = files.filter(is_scene).collect();
    scenes.sort();
    assert!(scenes.len() > 20, "the gallery has {} scenes", scenes.len());
    scenes
}

/// Records the scene with about `keyframes` keyframes and takes the run up from each of them.
fn resume(path: &Path, keyframes: Option<u64>) {
    let shown = path.display();
    let scene = Scene::load(path).unwrap();
    let mut built = scene.build().unwrap();
    let frames = scene.record.as_ref().and_then(|record| record.every).unwrap_or(scene.world.dt);
    let frames = (built.duration / frames).ceil() as u64;
    let apart = keyframes.map_or(1, |count| frames.div_ceil(count).max(1));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.msdr");
    let options = RecordOptions::new().scene(&scene, None).unwrap().keyframe_every(apart);
    built.engine.start_recording(Box::new(Recorder::create(&file, built.engine.world(), &options).unwrap()));
    built.engine.run(built.duration, |_, _| true).unwrap();
    built.engine.stop_recording().unwrap();
    let recording = Recording::open(&file).unwrap();
    assert!(recording.keyframes().len() as u64 >= recording.frames() / apart, "{shown}");
    for keyframe in recording.keyframes() {
        let mut left = FOLLOWED;
        let verified = recording.verify(Some(keyframe.time), |_| {
            left = left.saturating_sub(1);
            left > 0
        });
        let verified = verified.unwrap_or_else(|error| panic!("{shown}: from {} s: {error}", keyframe.time));
        assert_eq!(verified.from.to_bits(), keyframe.time.to_bits(), "{shown}");
        assert_eq!(verified.difference, None, "{shown}: from {} s", keyframe.time);
    }
}

#[test]
fn every_scene_of_the_gallery_is_taken_up_from_steps_all_along_its_run() {
    gallery().iter().for_each(|scene| resume(scene, Some(12)));
}

#[test]
#[ignore = "takes minutes"]
fn every_scene_of_the_gallery_is_taken_up_from_every_step() {
    gallery().iter().for_each(|scene| resume(scene, None));
}
