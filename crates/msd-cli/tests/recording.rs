//! `run --record` and `replay --verify` of the program: contents of a recording, and agreement with the engine.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod support;

use msd_recording::Recording;
use serde_json::Value;
use support::recordings::{DROP, code, record};
use support::{Folder, gallery, text};

#[test]
fn a_run_is_recorded_and_verified_bit_for_bit() {
    let folder = Folder::new();
    let output = record(&folder, DROP, &["--report", "-"]);
    assert!(text(&output.stderr).contains("recording   run.msdr, 501 frames, "), "{}", text(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let recording = Recording::open(folder.path("run.msdr")).unwrap();
    let ending = recording.ending().unwrap();
    assert_eq!(
        (ending.how.as_str(), ending.state_hash.as_str()),
        ("done", report["state_hash"].as_str().unwrap())
    );
    let ball = recording.body("ball").unwrap();
    let (time, state) = *recording.history(ball).unwrap().last().unwrap();
    assert_eq!(time, 0.5);
    assert!((state.center_of_mass.z - (10.0 - 0.5 * 9.81 * 0.25)).abs() < 1e-12);
    // The static body is in every frame, though it is stored once.
    let post = recording.body("post").unwrap();
    assert_eq!(recording.frame(250).unwrap().states[post].center_of_mass.x, 5.0);
    let verified = folder.run(&["replay", "run.msdr", "--verify"]);
    assert_eq!(code(&verified), 0, "{}", text(&verified.stderr));
    assert_eq!(
        text(&verified.stdout),
        "verified   501 frames from t = 0 s to 0.5 s have the same bits, 2 state hashes agree\n"
    );
    // One file, without companions.
    let names: Vec<String> = std::fs::read_dir(folder.path("."))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names.iter().filter(|name| name.starts_with("run")).count(), 1, "{names:?}");
}

#[test]
fn every_scene_of_the_gallery_that_is_quick_is_what_its_recording_says() {
    for scene in ["chain", "motor", "attitude-control", "rocket", "gyroscope", "spring-mass"] {
        let folder = Folder::new();
        let path = gallery().join(format!("{scene}.toml"));
        let run =
            folder.run(&["run", path.to_str().unwrap(), "--record", "run.msdr", "--quiet", "--until", "0.7"]);
        assert_eq!(code(&run), 0, "{scene}: {}", text(&run.stderr));
        let verified = folder.run(&["replay", "run.msdr", "--verify"]);
        assert_eq!(code(&verified), 0, "{scene}: {}", text(&verified.stderr));
    }
}

#[test]
fn a_run_is_taken_up_from_a_keyframe_with_the_recorded_commands() {
    let folder = Folder::new();
    let path = gallery().join("attitude-control.toml");
    let run = folder.run(&["run", path.to_str().unwrap(), "--record", "run.msdr", "--quiet"]);
    assert_eq!(code(&run), 0, "{}", text(&run.stderr));
    let keyframes = Recording::open(folder.path("run.msdr")).unwrap().keyframes().len();
    assert!(keyframes > 1, "{keyframes}");
    let verified = folder.run(&["replay", "run.msdr", "--verify", "--from", "4.5"]);
    assert_eq!(code(&verified), 0, "{}", text(&verified.stderr));
    assert!(text(&verified.stdout).contains("frames from t = 4.096 s to 5 s"), "{}", text(&verified.stdout));
}

/// A box that falls onto a floor and comes to rest.
const REST: &str = r#"
format = 1
[world]
duration = 3.0
[[body]]
name = "floor"
kind = "static"
shape = { plane = { normal = [0, 0, 1] } }
[[body]]
name = "box"
shape = { box = { size = [0.4, 0.4, 0.2] } }
mass = 2
position = [0, 0, 0.15]
"#;

#[test]
fn contacts_are_recorded_with_the_forces_that_carry_the_weight() {
    let folder = Folder::new();
    record(&folder, REST, &[]);
    let recording = Recording::open(folder.path("run.msdr")).unwrap();
    let (floor, fallen) = (recording.body("floor").unwrap(), recording.body("box").unwrap());
    let last = recording.frame(recording.frames() - 1).unwrap();
    let weight: f64 = last.contacts.iter().map(|contact| contact.normal_force).sum();
    assert!((weight - 2.0 * 9.81).abs() < 1e-6, "{weight} N carry 19.62 N");
    assert_eq!(last.summary.contacts, last.contacts.len() as u64);
    let between = recording.contacts_between(fallen, floor).unwrap();
    assert!(between.len() > 1000 && between.iter().all(|(_, contact)| contact.normal_force >= 0.0));
    assert!(between[0].0 > 90, "0.05 m are fallen in 0.101 s, not in {} ms", between[0].0);
    let began: Vec<_> = recording.events().unwrap();
    assert_eq!(began[0].kind.name(), "contact-began");
    assert!((0.099..0.104).contains(&began[0].time), "{}", began[0].time);
    assert!(recording.overview().unwrap().max_contacts >= 4);
    for from in ["0", "2.5"] {
        let verified = folder.run(&["replay", "run.msdr", "--verify", "--from", from]);
        assert_eq!(code(&verified), 0, "{}", text(&verified.stderr));
    }
    let csv = text(&folder.run(&["export", "run.msdr", "--to", "csv", "--table", "contacts"]).stdout);
    assert_eq!(csv.lines().count(), between.len() + 1);
    assert!(csv.starts_with("frame,time,body_a,body_b,x,y,z,nx,ny,nz,gap,normal_force,"));
    let events = text(&folder.run(&["export", "run.msdr", "--to", "csv", "--table", "events"]).stdout);
    assert!(events.lines().nth(1).unwrap().ends_with(",contact-began,floor,box"), "{events}");
}

#[test]
fn a_recording_replays_alone_without_the_files_of_its_scene() {
    let folder = Folder::new();
    let tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    folder.write("part.obj", tetrahedron);
    let part = "[[body]]\nname = \"part\"\ndensity = 6\nshape = { mesh = { file = \"part.obj\", scale = [1, 2, 1] } }\n\
                angular_velocity = [1, 2, 3]\n\
                [[body]]\nname = \"rock\"\nkind = \"static\"\nposition = [0, 0, -50]\n\
                shape = { mesh = { file = \"part.obj\", convex = false } }\n";
    assert_eq!(
        code(&folder.run(&["assets", "parts.db", "generate", "icosahedron", "gem", "--edge", "0.5"])),
        0
    );
    let gem = "[[body]]\nname = \"gem\"\nmass = 2\nposition = [9, 0, 0]\nshape = { asset = { name = \"gem\", database = \"parts.db\" } }\n\
               angular_velocity = [1, 2, 3]\n";
    record(&folder, &format!("{DROP}{part}{gem}"), &["--dt", "0.01"]);
    std::fs::remove_file(folder.path("part.obj")).unwrap();
    std::fs::remove_file(folder.path("parts.db")).unwrap();
    std::fs::remove_file(folder.path("drop.toml")).unwrap();
    let verified = folder.run(&["replay", "run.msdr", "--verify"]);
    assert_eq!(code(&verified), 0, "{}", text(&verified.stderr));
    let recording = Recording::open(folder.path("run.msdr")).unwrap();
    assert!(recording.scene_text().unwrap().unwrap().contains("part.obj"));
    let shape = |name: &str| recording.bodies()[recording.body(name).unwrap()].shapes[0].1;
    assert_eq!(recording.geometry(shape("part")).unwrap().kind(), "hull");
    assert_eq!(recording.geometry(shape("rock")).unwrap().kind(), "mesh");
    assert_eq!(recording.geometry(shape("gem")).unwrap().kind(), "hull");
}

#[test]
fn frames_are_as_far_apart_as_the_scene_says_and_the_last_state_is_always_one() {
    let folder = Folder::new();
    record(&folder, &format!("{DROP}[record]\nevery = 0.03\n"), &[]);
    let recording = Recording::open(folder.path("run.msdr")).unwrap();
    let times: Vec<f64> = recording.summaries().unwrap().iter().map(|frame| frame.time).collect();
    assert_eq!(times.len(), 18, "0, 0.03 … 0.48 and the end: {times:?}");
    assert!(times.iter().take(17).enumerate().all(|(i, t)| (t - 0.03 * i as f64).abs() < 1e-9), "{times:?}");
    assert_eq!(times[17], 0.5);
    assert_eq!(code(&folder.run(&["replay", "run.msdr", "--verify"])), 0);
}

#[test]
fn what_the_command_line_changed_is_part_of_the_recording() {
    let folder = Folder::new();
    record(&folder, DROP, &["--dt", "0.002", "--integrator", "rk4", "--until", "0.25"]);
    let verified = folder.run(&["replay", "run.msdr", "--verify"]);
    assert_eq!(code(&verified), 0, "{}", text(&verified.stderr));
    assert!(text(&verified.stdout).starts_with("verified   126 frames"), "{}", text(&verified.stdout));
}

#[test]
fn a_run_that_fails_keeps_what_came_before() {
    let folder = Folder::new();
    let push = "[[agent]]\ntype = \"constant-wrench\"\nbody = \"ball\"\nforce = [1e308, 0, 0]\nfrom = 0.2\n";
    folder.write("push.toml", &format!("{DROP}{push}").replace("mass = 1\n", "mass = 1e-3\n"));
    let output = folder.run(&["run", "push.toml", "--record", "run.msdr", "--quiet"]);
    assert_eq!(code(&output), 1);
    let recording = Recording::open(folder.path("run.msdr")).unwrap();
    let ending = recording.ending().unwrap();
    assert_eq!((ending.how.as_str(), ending.time, recording.frames()), ("failed", 0.2, 201));
    let message = ending.message.as_ref().unwrap();
    assert!(message.contains("body `ball`"), "{message}");
    assert_eq!(code(&folder.run(&["replay", "run.msdr", "--verify"])), 0);
    assert!(text(&folder.run(&["info", "run.msdr"]).stdout).contains("ending     failed at t = 0.2 s: "));
}
