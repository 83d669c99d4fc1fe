//! Recordings of runs that are stopped or killed, and files that cannot be written: surviving frames and messages.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod support;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use msd_recording::{Recording, RecordingError};
use support::recordings::{DROP, code, record};
use support::{Folder, text};

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
        // Frames that a reader saw one second before the kill must be there after it.
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

/// Also before its first frame is written: the lock comes with the file.
#[cfg(unix)]
#[test]
fn a_recording_that_has_just_begun_is_not_replaced() {
    let folder = Folder::new();
    for _ in 0..5 {
        let mut child = endless(&folder, "run.msdr");
        let began = Instant::now();
        while std::fs::metadata(folder.path("run.msdr")).map_or(0, |file| file.len()) == 0 {
            assert!(began.elapsed() < Duration::from_secs(20), "no file after 20 s");
        }
        let forced = folder.run(&["run", "drop.toml", "--record", "run.msdr", "--force"]);
        let told = text(&forced.stderr);
        assert!(code(&forced) == 1 && told.contains("another run is recording to this file"), "{told}");
        wait_for_frames(&folder, "run.msdr");
        child.kill().unwrap();
        child.wait().unwrap();
        std::fs::remove_file(folder.path("run.msdr")).unwrap();
        let _ = std::fs::remove_file(folder.path("run.msdr-journal"));
    }
}

#[cfg(unix)]
#[test]
fn a_run_killed_at_its_very_start_leaves_nothing_damaged() {
    let mut without_frames = 0;
    for delay in (0..100).step_by(4) {
        let folder = Folder::new();
        let mut child = endless(&folder, "run.msdr");
        std::thread::sleep(Duration::from_millis(delay));
        child.kill().unwrap();
        child.wait().unwrap();
        if !folder.path("run.msdr").exists() {
            continue;
        }
        match Recording::open(folder.path("run.msdr")) {
            Ok(recording) => assert!(recording.frames() > 0),
            Err(RecordingError::NoFrames(_)) => {
                without_frames += 1;
                for command in ["info", "replay"] {
                    let told = text(&folder.run(&[command, "run.msdr"]).stderr);
                    assert!(told.contains("its run ended before its first frame"), "{command}: {told}");
                }
            }
            Err(error) => panic!("killed after {delay} ms: {error}"),
        }
        let again = folder.run(&["run", "drop.toml", "--record", "run.msdr", "--force", "--quiet"]);
        assert_eq!(code(&again), 0, "{}", text(&again.stderr));
    }
    // However fast the machine: a file that was made and no more.
    let folder = Folder::new();
    folder.write("run.msdr", "");
    let told = text(&folder.run(&["info", "run.msdr"]).stderr);
    assert!(told.contains("its run ended before its first frame"), "{told} ({without_frames} before)");
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
    let recording = Recording::open(folder.path("run.msdr")).unwrap();
    assert!(recording.frames() > 1 && recording.ending().is_none());
    let last = recording.frame(recording.frames() - 1).unwrap().summary.time;
    let kept = format!("{} frames, up to t = {last} s, are kept", recording.frames());
    assert!(told.contains(&kept), "{kept} in {told}");
    assert_eq!(recording.check().unwrap(), Vec::<String>::new());
    assert_eq!(code(&folder.run(&["replay", "run.msdr", "--verify"])), 0);
    // Where not even the beginning fits, nothing is left behind.
    let script = format!(
        "trap '' XFSZ; ulimit -f 8; exec {} run drop.toml --record none.msdr",
        env!("CARGO_BIN_EXE_msd")
    );
    let output = Command::new("sh").args(["-c", &script]).current_dir(folder.path(".")).output().unwrap();
    let told = text(&output.stderr);
    assert_eq!(code(&output), 1, "{told}");
    assert!(told.contains("none.msdr: the system refuses to write on"), "{told}");
    assert!(!folder.path("none.msdr").exists());
}
