//! `run --record`, `replay`, `info`, `export` and `plot` on the real program: what is recorded, what survives, and
//! what is refused.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod support;

use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use msd_recording::Recording;
use serde_json::Value;
use support::{Folder, gallery, text};

/// A ball that falls for half a second: 501 frames.
const DROP: &str = r#"
format = 1
[world]
duration = 0.5
[[body]]
name = "ball"
shape = { sphere = { radius = 0.1 } }
mass = 1
position = [0, 0, 10]
[[body]]
name = "post"
kind = "static"
shape = { box = { size = [1, 1, 1] } }
position = [5, 0, 0]
"#;

/// Where the pages of a recording end and its seal begins.
fn pages_end(file: &[u8]) -> usize {
    4096 * u32::from_be_bytes([file[28], file[29], file[30], file[31]]) as usize
}

/// Takes the seal away, as a database tool that makes a copy does.
fn unseal(folder: &Folder, name: &str) {
    let bytes = std::fs::read(folder.path(name)).unwrap();
    std::fs::write(folder.path(name), &bytes[..pages_end(&bytes)]).unwrap();
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

/// Runs `drop.toml` with these arguments and expects success.
fn record(folder: &Folder, scene: &str, more: &[&str]) -> Output {
    folder.write("drop.toml", scene);
    let mut arguments = vec!["run", "drop.toml", "--record", "run.msdr"];
    arguments.extend(more);
    let output = folder.run(&arguments);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    output
}

#[test]
fn a_run_is_recorded_and_verified_bit_for_bit() {
    let folder = Folder::new();
    let output = record(&folder, DROP, &["--report", "-"]);
    assert!(text(&output.stderr).contains("recording  run.msdr, 501 frames, "), "{}", text(&output.stderr));
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
    // One file, and nothing beside it.
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

/// Starts a run that would last for ever.
fn endless(folder: &Folder, name: &str) -> std::process::Child {
    folder.write("drop.toml", DROP);
    Command::new(env!("CARGO_BIN_EXE_msd"))
        .args(["run", "drop.toml", "--until", "1e6", "--record", name, "--quiet"])
        .current_dir(folder.path("."))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn wait_for_frames(folder: &Folder, name: &str) {
    let began = Instant::now();
    while !Recording::open(folder.path(name)).is_ok_and(|recording| recording.frames() > 1) {
        assert!(began.elapsed() < Duration::from_secs(20), "no frames after 20 s");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_was_recorded() {
    let folder = Folder::new();
    let child = endless(&folder, "run.msdr");
    wait_for_frames(&folder, "run.msdr");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 130, "{}", text(&output.stderr));
    let recording = Recording::open(folder.path("run.msdr")).unwrap();
    assert_eq!(recording.ending().unwrap().how, "stopped");
    assert!(recording.is_sealed() && recording.check().unwrap().is_empty());
}

#[cfg(unix)]
#[test]
fn killed_at_any_moment_the_file_opens_and_lacks_at_most_a_second() {
    for (i, delay) in [0_u64, 35, 110, 260, 420, 700].into_iter().enumerate() {
        let folder = Folder::new();
        let name = format!("run{i}.msdr");
        let mut child = endless(&folder, &name);
        wait_for_frames(&folder, &name);
        std::thread::sleep(Duration::from_millis(delay));
        // What a reader saw one second before the kill must be there after it.
        let before = Recording::open(folder.path(&name)).unwrap().frames();
        child.kill().unwrap();
        child.wait().unwrap();
        let recording = Recording::open(folder.path(&name)).unwrap();
        assert!(recording.frames() >= before, "{} of {before}", recording.frames());
        assert!(recording.ending().is_none() && !recording.is_sealed());
        assert_eq!(recording.check().unwrap(), Vec::<String>::new());
        let last = recording.frame(recording.frames() - 1).unwrap();
        let fallen = 0.5 * 9.81 * last.summary.time * last.summary.time;
        let error = (last.states[0].center_of_mass.z - (10.0 - fallen)).abs();
        assert!(error <= 1e-9 * fallen.max(1.0), "{error:e}");
    }
}

#[cfg(unix)]
#[test]
fn a_killed_run_loses_no_more_than_a_second_of_frames() {
    let folder = Folder::new();
    // Every frame 50 ms or so of wall-clock time is hard to arrange; the flush is by the clock, so that any run will do:
    // frames seen by a reader now were pushed at most a second ago.
    let mut child = endless(&folder, "run.msdr");
    wait_for_frames(&folder, "run.msdr");
    let mut growth = Vec::new();
    for _ in 0..3 {
        let began = Instant::now();
        let first = Recording::open(folder.path("run.msdr")).unwrap().frames();
        while Recording::open(folder.path("run.msdr")).unwrap().frames() == first {
            std::thread::sleep(Duration::from_millis(10));
            assert!(began.elapsed() < Duration::from_secs(20), "the file does not grow");
        }
        growth.push(began.elapsed());
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let quickest = growth.iter().min().unwrap();
    assert!(*quickest < Duration::from_secs(1), "frames reach the file every {growth:?}");
}

#[cfg(unix)]
#[test]
fn two_runs_do_not_record_to_the_same_file() {
    let folder = Folder::new();
    let mut child = endless(&folder, "run.msdr");
    wait_for_frames(&folder, "run.msdr");
    let second = folder.run(&["run", "drop.toml", "--record", "run.msdr"]);
    assert_eq!(code(&second), 2);
    assert!(text(&second.stderr).contains("exists already"), "{}", text(&second.stderr));
    let forced = folder.run(&["run", "drop.toml", "--record", "run.msdr", "--force"]);
    assert_eq!(code(&forced), 1, "{}", text(&forced.stderr));
    assert!(
        text(&forced.stderr).contains("another run is recording to this file"),
        "{}",
        text(&forced.stderr)
    );
    child.kill().unwrap();
    child.wait().unwrap();
    let forced = folder.run(&["run", "drop.toml", "--record", "run.msdr", "--force", "--quiet"]);
    assert_eq!(code(&forced), 0, "{}", text(&forced.stderr));
    assert_eq!(Recording::open(folder.path("run.msdr")).unwrap().frames(), 501);
}

#[test]
fn an_existing_file_is_replaced_only_if_it_is_a_recording_and_that_was_asked_for() {
    let folder = Folder::new();
    record(&folder, DROP, &["--until", "0.1"]);
    let again = folder.run(&["run", "drop.toml", "--record", "run.msdr"]);
    assert_eq!((code(&again), Recording::open(folder.path("run.msdr")).unwrap().frames()), (2, 101));
    record(&folder, DROP, &["--force"]);
    assert_eq!(Recording::open(folder.path("run.msdr")).unwrap().frames(), 501);
    folder.write("letter.txt", "dear all");
    let refused = folder.run(&["run", "drop.toml", "--record", "letter.txt", "--force"]);
    assert_eq!(code(&refused), 2);
    assert!(
        text(&refused.stderr).contains("is not a recording, so it is not replaced"),
        "{}",
        text(&refused.stderr)
    );
    assert_eq!(std::fs::read_to_string(folder.path("letter.txt")).unwrap(), "dear all");
}

#[test]
fn places_that_cannot_be_written_are_named() {
    let folder = Folder::new();
    folder.write("drop.toml", DROP);
    let nowhere = folder.run(&["run", "drop.toml", "--record", "no/such/run.msdr"]);
    assert_eq!(code(&nowhere), 2);
    assert!(
        text(&nowhere.stderr).contains("no/such/run.msdr: its folder does not exist"),
        "{}",
        text(&nowhere.stderr)
    );
    #[cfg(target_os = "linux")]
    {
        // The one folder that even the superuser cannot write to.
        let read_only = folder.run(&["run", "drop.toml", "--record", "/proc/run.msdr"]);
        assert_ne!(code(&read_only), 0);
        assert!(
            text(&read_only.stderr).starts_with("error: /proc/run.msdr: "),
            "{}",
            text(&read_only.stderr)
        );
    }
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_refused_for_writing_and_good_enough_for_reading() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    record(&folder, DROP, &[]);
    let set = |mode: u32| {
        std::fs::set_permissions(folder.path("."), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    set(0o555);
    let superuser = std::fs::write(folder.path("probe"), "").is_ok();
    let (read, written) = (
        folder.run(&["replay", "run.msdr", "--verify"]),
        folder.run(&["run", "drop.toml", "--record", "other.msdr"]),
    );
    set(0o755);
    assert_eq!(code(&read), 0, "{}", text(&read.stderr));
    if !superuser {
        assert_eq!(code(&written), 1);
        assert!(
            text(&written.stderr).contains("the file or its folder is read-only"),
            "{}",
            text(&written.stderr)
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_takes_no_more_ends_the_run_and_keeps_the_frames_before() {
    let folder = Folder::new();
    folder.write("drop.toml", DROP);
    // A limit on the size of files stands for a disk that is full: a write beyond 64 MiB fails.
    let script = format!(
        "trap '' XFSZ; ulimit -f 131072; exec {} run drop.toml --until 1e6 --record run.msdr",
        env!("CARGO_BIN_EXE_msd")
    );
    let output = Command::new("sh").args(["-c", &script]).current_dir(folder.path(".")).output().unwrap();
    let told = text(&output.stderr);
    assert_eq!(code(&output), 1, "{told}");
    assert!(told.contains("error: recording stopped at t = "), "{told}");
    assert!(told.contains("what was recorded before is kept"), "{told}");
    let recording = Recording::open(folder.path("run.msdr")).unwrap();
    assert!(recording.frames() > 1 && recording.ending().is_none());
    assert_eq!(recording.check().unwrap(), Vec::<String>::new());
    assert_eq!(code(&folder.run(&["replay", "run.msdr", "--verify"])), 0);
}

/// Exit codes and what is said of a file by every command that reads recordings.
fn refusals(folder: &Folder, file: &str) -> Vec<(i32, String)> {
    let commands: [&[&str]; 4] = [
        &["info", file],
        &["replay", file, "--verify"],
        &["export", file, "--to", "csv"],
        &["plot", file, "energy"],
    ];
    commands.iter().map(|arguments| folder.run(arguments)).map(|o| (code(&o), text(&o.stderr))).collect()
}

#[test]
fn what_is_not_a_whole_recording_is_refused_by_every_command() {
    let folder = Folder::new();
    record(&folder, DROP, &[]);
    let good = std::fs::read(folder.path("run.msdr")).unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path(name), bytes).unwrap();
    write("cut.msdr", &good[..good.len() / 2]);
    let mut newer = good.clone();
    newer[60..64].copy_from_slice(&99_u32.to_be_bytes());
    write("newer.msdr", &newer);
    write("longer.msdr", &[&good[..], b"more"].concat());
    for (file, expected) in [
        ("cut.msdr", "truncated: its header promises"),
        ("newer.msdr", "bytes 0 to 65536 were changed"),
        ("longer.msdr", "what stands behind its pages is not its seal"),
    ] {
        for (code, told) in refusals(&folder, file) {
            assert!(code == 1 || code == 2, "{file}: {code}");
            assert!(told.contains(expected), "{file}: {told}");
        }
    }
    // Without its seal a newer version is seen as such.
    write("newer.msdr", &newer[..pages_end(&good)]);
    for (_, told) in refusals(&folder, "newer.msdr") {
        assert!(told.contains("recording of version 99, this program knows versions up to 1"), "{told}");
    }
    folder.run(&["assets", "parts.db", "generate", "box", "crate", "--size", "1,1,1"]);
    let foreign = folder.run(&["replay", "parts.db"]);
    assert_eq!(code(&foreign), 2);
    assert!(
        text(&foreign.stderr).contains("an SQLite database, but not a recording"),
        "{}",
        text(&foreign.stderr)
    );
    write("empty.msdr", b"");
    write("text.msdr", b"not a database at all, however long this text may be made to be");
    for file in ["empty.msdr", "text.msdr", "missing.msdr", "."] {
        let refused = folder.run(&["replay", file]);
        assert_eq!(code(&refused), 2, "{file}: {}", text(&refused.stderr));
        assert!(text(&refused.stderr).starts_with(&format!("error: {file}: ")), "{}", text(&refused.stderr));
    }
}

#[test]
fn a_database_dressed_up_as_a_recording_is_refused() {
    let folder = Folder::new();
    record(&folder, DROP, &["--until", "0.01"]);
    unseal(&folder, "run.msdr");
    let dress = |name: &str, sql: &str| {
        std::fs::copy(folder.path("run.msdr"), folder.path(name)).unwrap();
        let connection = rusqlite::Connection::open(folder.path(name)).unwrap();
        connection.execute_batch(sql).unwrap();
    };
    for (sql, expected) in [
        ("CREATE TRIGGER t AFTER INSERT ON body BEGIN SELECT 1; END", "its trigger \"t\" is not one"),
        (
            "DROP TABLE event_block; CREATE VIEW event_block AS SELECT 1 AS id, x'00' AS data",
            "\"event_block\" is not one",
        ),
        ("ALTER TABLE body ADD COLUMN extra TEXT", "its table \"body\" is not one"),
        ("DROP TABLE joint", "its table \"joint\" is missing"),
        ("UPDATE body SET mass = 2 WHERE name = 'ball'", "table body, row 0: its checksum does not match"),
        ("DELETE FROM body WHERE id = 1", "a shape of a body that is not there"),
        ("DELETE FROM chunk", "when the run ended"),
        ("UPDATE property SET value = '\"9.9.9\"' WHERE name = 'version'", "table property, row \"version\""),
        ("DELETE FROM state_block", "table state_block: row 0 is missing"),
        ("PRAGMA user_version = 0", "its version is 0"),
    ] {
        dress("bad.msdr", sql);
        for (code, told) in refusals(&folder, "bad.msdr").into_iter().take(3) {
            assert!(code == 1 || code == 2, "{sql}: {code}");
            assert!(told.contains(expected), "{sql}: {told}");
        }
        std::fs::remove_file(folder.path("bad.msdr")).unwrap();
    }
}

#[test]
fn a_changed_scene_or_state_with_right_checksums_is_found_by_running_it_again() {
    // Whoever can write checksums can lie; only the engine itself can say whether a recording is true.
    let folder = Folder::new();
    record(&folder, DROP, &["--until", "0.1"]);
    folder.write("other.toml", &DROP.replace("position = [0, 0, 10]", "position = [0, 0, 11]"));
    let output = folder.run(&["run", "other.toml", "--until", "0.1", "--record", "other.msdr", "--quiet"]);
    assert_eq!(code(&output), 0);
    unseal(&folder, "run.msdr");
    let connection = rusqlite::Connection::open(folder.path("run.msdr")).unwrap();
    connection.execute("ATTACH ?1 AS other", [folder.path("other.msdr").to_str().unwrap()]).unwrap();
    connection
        .execute_batch(
            "DELETE FROM state_block; INSERT INTO state_block SELECT * FROM other.state_block;
             DELETE FROM frame_block; INSERT INTO frame_block SELECT * FROM other.frame_block;",
        )
        .unwrap();
    drop(connection);
    let verified = folder.run(&["replay", "run.msdr", "--verify"]);
    assert_eq!(code(&verified), 1);
    let told = text(&verified.stderr);
    assert!(
        told.contains("NOT what this engine computes: frame 0 (t = 0 s): body `ball`: center_of_mass.z 11 recorded, 10 computed"),
        "{told}"
    );
}

#[test]
fn a_flipped_bit_anywhere_is_found_and_never_read_as_data() {
    let folder = Folder::new();
    record(&folder, DROP, &["--dt", "0.01"]);
    let good = std::fs::read(folder.path("run.msdr")).unwrap();
    let path = folder.path("bad.msdr");
    // Every bit of the first bytes of the file and of the seal, and many places between, spread by a prime.
    let seal = pages_end(&good);
    let ends = (0..100).chain(seal..good.len());
    let between = (0..400).map(|i| (i * 7919 + 100) % seal);
    let mut found = 0;
    for (i, at) in ends.chain(between).enumerate() {
        let mut bad = good.clone();
        bad[at] ^= 1 << (i % 8);
        std::fs::write(&path, &bad).unwrap();
        let said = match Recording::open(&path) {
            Err(error) => Some(error.to_string()),
            Ok(recording) => recording.check_seal().unwrap().into_iter().next(),
        };
        assert!(said.is_some(), "bit {} of byte {at} of {}", i % 8, good.len());
        found += 1;
    }
    assert!(found > 500);
    // The program says so too, and which part of the file it is.
    let mut bad = good.clone();
    bad[seal / 2] ^= 1;
    std::fs::write(&path, &bad).unwrap();
    for (code, told) in refusals(&folder, "bad.msdr") {
        assert_eq!(code, 1, "{told}");
        assert!(told.contains("damaged") && told.contains("bytes "), "{told}");
    }
}

#[test]
fn without_a_seal_no_flipped_bit_is_read_as_data() {
    let folder = Folder::new();
    record(&folder, DROP, &[]);
    unseal(&folder, "run.msdr");
    let good = &std::fs::read(folder.path("run.msdr")).unwrap();
    let path = folder.path("bad.msdr");
    std::fs::write(&path, good).unwrap();
    let read = |recording: &Recording| {
        let mut all = Vec::new();
        recording.for_each_frame(|frame| {
            all.push(frame.clone());
            Ok(true)
        })?;
        let names: Vec<String> = recording.bodies().iter().map(|body| body.name.clone()).collect();
        Ok::<_, msd_recording::RecordingError>((all, names, recording.scene_text()?))
    };
    let truth = read(&Recording::open(&path).unwrap()).unwrap();
    let (mut noticed, mut harmless) = (0, 0);
    for i in 0..400_usize {
        let at = (i * 7919 + 13) % good.len();
        let mut bad = good.to_vec();
        bad[at] ^= 1 << (i % 8);
        std::fs::write(&path, &bad).unwrap();
        match Recording::open(&path).and_then(|recording| read(&recording)) {
            Err(_) => noticed += 1,
            Ok(data) => {
                assert!(data == truth, "bit {} of byte {at} was read as data", i % 8);
                harmless += 1;
            }
        }
    }
    assert!(noticed > 100 && harmless > 0, "{noticed} noticed, {harmless} in bytes that hold nothing");
}

#[test]
fn info_says_what_a_recording_holds() {
    let folder = Folder::new();
    record(&folder, DROP, &[]);
    let info = text(&folder.run(&["info", "run.msdr"]).stdout);
    for line in [
        "kind       recording, version 1, by msd ",
        "scene      drop.toml\n",
        "time       0 s to 0.5 s, 500 steps of 0.001 s, velocity-verlet\n",
        "frames     501, 1 of them keyframes\n",
        "bodies     2, 1 of them move\n",
        "ending     done at t = 0.5 s\n",
        "check      sound, sealed\n",
    ] {
        assert!(info.contains(line), "{line}\n{info}");
    }
    let json: Value = serde_json::from_slice(&folder.run(&["info", "run.msdr", "--json"]).stdout).unwrap();
    assert_eq!((&json["frames"], &json["ending"]["how"]), (&501.into(), &"done".into()));
}

#[test]
fn replay_shows_the_run_and_one_moment() {
    let folder = Folder::new();
    record(&folder, DROP, &[]);
    let run = text(&folder.run(&["replay", "run.msdr"]).stdout);
    assert!(run.starts_with("frame  time s  kinetic J"), "{run}");
    assert!((20..=23).contains(&run.lines().count()), "{run}");
    let moment = text(&folder.run(&["replay", "run.msdr", "--at", "0.1"]).stdout);
    assert!(moment.starts_with("frame 100 at t = 0.1 s, step 100\n"), "{moment}");
    assert!(moment.contains("ball") && moment.contains("9.95095") && moment.contains("post"), "{moment}");
}

#[test]
fn exports_hold_the_run_with_the_order_of_quaternions_in_their_names() {
    let folder = Folder::new();
    record(&folder, DROP, &["--dt", "0.1"]);
    let csv = text(&folder.run(&["export", "run.msdr", "--to", "csv"]).stdout);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "frame,time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz");
    assert_eq!((lines.len(), lines[1]), (1 + 6 * 2, "0,0,ball,0,0,10,1,0,0,0,0,0,0,0,0,0"));
    assert!(lines[2].starts_with("0,0,post,5,0,0,1,"));
    let frames = text(&folder.run(&["export", "run.msdr", "--to", "csv", "--table", "frames"]).stdout);
    assert!(frames.starts_with("frame,step,time,dt,kinetic,potential,total,"), "{frames}");
    let json: Value =
        serde_json::from_slice(&folder.run(&["export", "run.msdr", "--to", "json"]).stdout).unwrap();
    assert_eq!(json["frames"].as_array().unwrap().len(), 6);
    assert_eq!(json["frames"][5]["bodies"]["ball"]["quat_wxyz"][0], 1.0);
    for (format, start, end) in
        [("mcap", &b"\x89MCAP0\r\n"[..], &b"\x89MCAP0\r\n"[..]), ("parquet", b"PAR1", b"PAR1")]
    {
        let output = folder.run(&["export", "run.msdr", "--to", format, "--out", "out.bin"]);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        let bytes = std::fs::read(folder.path("out.bin")).unwrap();
        assert!(bytes.starts_with(start) && bytes.ends_with(end), "{format}");
    }
    assert_eq!(code(&folder.run(&["export", "run.msdr", "--to", "xml"])), 2);
}

#[test]
fn plots_are_pictures_with_units() {
    let folder = Folder::new();
    record(&folder, DROP, &[]);
    let output = folder.run(&["plot", "run.msdr", "height", "ball", "--out", "height.svg"]);
    assert_eq!((code(&output), output.stdout.len()), (0, 0), "{}", text(&output.stderr));
    let svg = std::fs::read_to_string(folder.path("height.svg")).unwrap();
    assert!(svg.contains("height (m)") && svg.contains("time (s)") && svg.ends_with("</svg>\n"));
    for what in [&["energy"][..], &["contacts"], &["speed", "ball"], &["spin", "ball"]] {
        let output = folder.run(&[&["plot", "run.msdr"], what].concat());
        assert!(text(&output.stdout).starts_with("<svg "), "{what:?}: {}", text(&output.stderr));
    }
    for (arguments, expected) in [
        (
            &["plot", "run.msdr", "height", "bal"][..],
            "there is no body named `bal`; the recording has `ball`, `post`",
        ),
        (&["plot", "run.msdr", "height"], "a plot of height needs a body: ball, post"),
        (&["plot", "run.msdr", "energy", "ball"], "is of the whole world"),
        (&["plot", "run.msdr", "joints"], "has no joints"),
    ] {
        let output = folder.run(arguments);
        assert_eq!(code(&output), 2);
        assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
    }
}

#[test]
fn every_command_explains_itself_with_examples() {
    let folder = Folder::new();
    for command in ["replay", "export", "plot", "info"] {
        let output = folder.run(&[command, "--help"]);
        assert_eq!(code(&output), 0);
        assert!(text(&output.stdout).contains("Examples:"), "{command}");
    }
}
