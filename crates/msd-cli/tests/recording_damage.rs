//! Files that are damaged, foreign or forged: refused by every command, never read as data.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod support;

use msd_recording::Recording;
use support::recordings::{DROP, code, pages_end, record, unseal};
use support::{Folder, text};

/// Exit codes and messages of every command that reads recordings.
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
