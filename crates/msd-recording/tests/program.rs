//! Recordings that a program makes: its own agents, step lengths and bodies, without a scene.
#![expect(clippy::unwrap_used, reason = "a test ends where a promise is broken")]

use msd::agent::{Agent, Command};
use msd::engine::Engine;
use msd::environment::{BodyDescription, World};
use msd::math::Vec3;
use msd::physics::integration::LoadFrame;
use msd::physics::rigid_body::BodyHandle;
use msd::physics::rigid_body::shape::{Cuboid, Shape};
use msd_recording::{RecordOptions, Recorder, Recording, RecordingError};
use tempfile::TempDir;

/// Pushes with a force that depends on how often it was asked: nothing outside the program could repeat it.
#[derive(Clone, Debug)]
struct Moody {
    body: BodyHandle,
    turns: u32,
}

impl Agent for Moody {
    fn type_name(&self) -> &'static str {
        "moody"
    }

    fn period(&self) -> Option<f64> {
        Some(0.007)
    }

    fn act(&mut self, _world: &World, commands: &mut Vec<Command>) {
        self.turns += 1;
        let force = Vec3::new(f64::from(self.turns * 7919 % 13), 1.0, 0.0);
        let (body, torque) = (self.body, Vec3::new(0.0, 0.1, 0.0));
        commands.push(Command::Wrench { body, force, torque, frame: LoadFrame::Body });
    }

    fn clone_box(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

fn two_boxes() -> World {
    let mut world = World::new();
    for (i, name) in ["left", "right"].into_iter().enumerate() {
        let shape = Shape::Box(Cuboid::new(Vec3::new(0.1, 0.2, 0.3)).unwrap());
        let body = BodyDescription::dynamic(name, shape)
            .mass(2.0)
            .position(Vec3::new(5.0 * i as f64, 0.0, 0.0))
            .angular_velocity(Vec3::new(1.0, 2.0, 3.0));
        world.add_body(body).unwrap();
    }
    world
}

/// 3 000 steps of 1 ms, then one of 0.25 ms, driven by an agent that only this program knows.
fn recorded(every: Option<f64>) -> (TempDir, Recording) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.msdr");
    let mut engine = Engine::new(two_boxes());
    let body = engine.world().find("left").unwrap();
    engine.add_agent(Moody { body, turns: 0 });
    let options = every.map_or_else(RecordOptions::new, |every| RecordOptions::new().every(every));
    engine.start_recording(Box::new(Recorder::create(&path, engine.world(), &options).unwrap()));
    engine.run(3.00025, |_, _| true).unwrap();
    engine.stop_recording().unwrap();
    let recording = Recording::open(&path).unwrap();
    (folder, recording)
}

#[test]
fn an_engine_records_itself_and_the_run_can_be_taken_up_from_any_keyframe() {
    for every in [None, Some(0.004)] {
        let (_folder, recording) = recorded(every);
        let frames = if every.is_some() { 752 } else { 3002 };
        assert_eq!((recording.frames(), recording.ending().unwrap().time), (frames, 3.00025));
        for keyframe in recording.keyframes() {
            let result = recording.verify_in(&mut two_boxes(), keyframe.time, |_| true).unwrap();
            assert_eq!(result.difference, None);
            assert_eq!((result.from, result.frames), (keyframe.time, frames - keyframe.frame));
        }
        assert!(recording.keyframes().len() > 1);
        assert_eq!(recording.check().unwrap(), Vec::<String>::new());
        let refused = recording.verify(None, |_| true).unwrap_err();
        assert!(matches!(refused, RecordingError::NoScene { .. }), "{refused}");
    }
}

#[test]
fn another_world_is_not_taken_for_the_recorded_one() {
    let (_folder, recording) = recorded(None);
    let mut other = two_boxes();
    other.set_gravity(Vec3::ZERO).unwrap();
    let refused = recording.verify_in(&mut other, 0.0, |_| true).unwrap_err();
    assert!(refused.to_string().contains("another model"), "{refused}");
}

#[test]
fn bodies_that_come_or_go_end_the_recording() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = two_boxes();
    let mut recorder =
        Recorder::create(folder.path().join("run.msdr"), &world, &RecordOptions::new()).unwrap();
    world.remove_body(world.find("left").unwrap()).unwrap();
    let step = world.step(0.001).unwrap();
    let refused = recorder.observe(&world, &step, [].iter()).unwrap_err();
    assert!(refused.to_string().starts_with("bodies were added or removed"), "{refused}");
}

#[test]
fn histories_frames_and_figures_agree_with_each_other() {
    let (_folder, recording) = recorded(None);
    let body = recording.body("right").unwrap();
    let (history, summaries) = (recording.history(body).unwrap(), recording.summaries().unwrap());
    assert_eq!(history.len() as u64, recording.frames());
    for index in [0, 1, 23, 24, 255, 256, 2048, 3001] {
        let frame = recording.frame(index).unwrap();
        assert_eq!(frame.states[body], history[index as usize].1);
        assert_eq!(
            (frame.summary, frame.summary.time),
            (summaries[index as usize], history[index as usize].0)
        );
        assert_eq!(recording.frame_at(frame.summary.time).unwrap(), index);
    }
    assert_eq!((recording.frame_at(-1.0).unwrap(), recording.frame_at(99.0).unwrap()), (0, 3001));
    assert!(matches!(recording.frame(3002), Err(RecordingError::NoSuchFrame { wanted: 3002, frames: 3002 })));
    // The worst of the run is the worst of its frames, and no step gained energy beyond round-off.
    let gain = recording.anomalies().unwrap().gain.unwrap();
    assert_eq!(gain.value, summaries.iter().fold(0.0, |worst: f64, frame| worst.max(frame.gain)));
    let overview = recording.overview().unwrap();
    assert_eq!((overview.steps, overview.bodies), (3001, (2, 2)));
}

#[test]
fn a_recorder_that_is_dropped_keeps_its_frames() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.msdr");
    let mut world = two_boxes();
    let mut recorder = Recorder::create(&path, &world, &RecordOptions::new()).unwrap();
    for _ in 0..100 {
        let step = world.step(0.001).unwrap();
        recorder.observe(&world, &step, [].iter()).unwrap();
    }
    drop(recorder);
    let recording = Recording::open(&path).unwrap();
    assert_eq!((recording.frames(), recording.ending()), (101, None));
}

#[test]
fn a_recording_is_read_while_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.msdr");
    let mut world = two_boxes();
    let mut recorder = Recorder::create(&path, &world, &RecordOptions::new()).unwrap();
    let mut seen = 0;
    let began = std::time::Instant::now();
    while seen < 3 && began.elapsed().as_secs() < 20 {
        for _ in 0..50 {
            let step = world.step(0.001).unwrap();
            recorder.observe(&world, &step, [].iter()).unwrap();
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
        let recording = Recording::open(&path).unwrap();
        let frames = recording.frames();
        if frames > 1 {
            assert_eq!(recording.frame(frames - 1).unwrap().index, frames - 1);
            seen += 1;
        }
    }
    assert_eq!(seen, 3);
}
