//! `msd assets` and `msd info` as a user runs them: the real program, its output, its exit codes.

#![expect(clippy::unwrap_used, reason = "a test ends where a promise is broken")]

use std::{
    f64::consts::PI,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::Duration,
};

use serde_json::Value;
use tempfile::TempDir;

struct Workplace {
    folder: TempDir,
}

impl Workplace {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_msd"));
        command.args(line.split_whitespace()).current_dir(self.folder.path());
        command
    }

    fn run(&self, line: &str) -> Output {
        self.command(line).output().unwrap()
    }

    /// Standard output of a command that must succeed.
    fn ok(&self, line: &str) -> String {
        let output = self.run(line);
        assert_eq!(output.status.code(), Some(0), "{line}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    fn json(&self, line: &str) -> Value {
        serde_json::from_str(&self.ok(line)).unwrap()
    }

    /// Standard error of a command that must end with `code` and print nothing.
    fn fails(&self, code: i32, line: &str) -> String {
        let output = self.run(line);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{line}: {stderr}");
        assert_eq!(text(&output.stdout), "", "{line}: nothing on standard output");
        assert!(!stderr.contains("panicked"), "{line}: {stderr}");
        stderr
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

const TETRAHEDRON: &str = "v 0 0 0\nv 1000 0 0\nv 0 1000 0\nv 0 0 1000\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

/// A binary STL of a wavy square with `2 n²` triangles.
fn wavy_stl(n: usize) -> Vec<u8> {
    let corner = |i: usize, j: usize| [i as f32, j as f32, ((i * 7 + j * 3) % 5) as f32];
    let mut bytes = vec![0; 80];
    bytes.extend((2 * n as u32 * n as u32).to_le_bytes());
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
        let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
        for triangle in [[a, b, c], [a, c, d]] {
            bytes.extend([0; 12]);
            bytes.extend(triangle.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
            bytes.extend([0; 2]);
        }
    }
    bytes
}

#[test]
fn a_database_grows_is_listed_shown_and_shrinks() {
    let work = Workplace::new();
    work.write("part.obj", TETRAHEDRON);
    assert_eq!(work.ok("assets parts.db generate cube crate --size 0.5 --density 600 --color #aa7744"), "");
    assert_eq!(work.ok("assets parts.db generate sphere ball --radius 0.1 --mass 2 --restitution 0.7"), "");
    assert_eq!(work.ok("assets parts.db add part part.obj --scale 0.001 --mass 0.35 --friction 0.2"), "");
    let expected = "\
id  name   triangles  collision       mass  friction  restitution
 2  ball        1280  sphere          2 kg       0.5          0.7
 1  crate         12  box        600 kg/m³       0.5            0
 3  part           4  hull of 4    0.35 kg       0.2            0
";
    assert_eq!(work.ok("assets parts.db list"), expected);
    let list = work.json("assets parts.db list --json");
    assert_eq!(list[0]["name"], "ball");
    assert_eq!(list[2]["collision"]["vertices"], 4);
    assert_eq!((&list[1]["density"], &list[1]["mass"]), (&Value::from(600.0), &Value::Null));

    let shown = work.ok("assets parts.db show crate");
    for line in [
        "visual              8 vertices, 12 triangles, closed",
        "  size              0.5 × 0.5 × 0.5 m",
        "collision           box, 0.5 × 0.5 × 0.5 m",
        "  volume            0.125 m³",
        "mass                75 kg at 600 kg/m³",
        "colour              #aa7744",
    ] {
        assert!(shown.lines().any(|shown| shown == line), "{line:?} in\n{shown}");
    }
    let part = work.json("assets parts.db show part --json");
    assert!((part["collision"]["volume"].as_f64().unwrap() - 1.0 / 6.0).abs() < 1e-12);
    assert!((part["visual"]["volume"].as_f64().unwrap() - 1.0 / 6.0).abs() < 1e-12);
    assert_eq!(part["visual"]["bounding_box"]["max"], serde_json::json!([1.0, 1.0, 1.0]));
    assert_eq!(part["material"]["friction"], 0.2);

    assert_eq!(work.ok("assets parts.db remove ball"), "");
    assert_eq!(work.json("assets parts.db list --json").as_array().unwrap().len(), 2);
    assert!(work.fails(2, "assets parts.db show ball").contains("no asset named \"ball\""));
}

#[test]
fn every_kind_is_generated_with_its_defaults() {
    let work = Workplace::new();
    let kinds = [
        ("cube", Some(1.0)),
        ("box", Some(1.0)),
        ("sphere", Some(PI / 6.0)),
        ("cylinder", Some(PI / 4.0)),
        ("cone", Some(PI / 12.0)),
        ("capsule", Some(PI / 4.0 + PI / 6.0)),
        ("tetrahedron", Some(0.117_851_130_197_757_93)),
        ("octahedron", Some(0.471_404_520_791_031_7)),
        ("icosahedron", Some(2.181_694_990_624_912_4)),
        ("plane", None),
    ];
    for (kind, volume) in kinds {
        work.ok(&format!("assets parts.db generate {kind} my-{kind}"));
        let shown = work.json(&format!("assets parts.db show my-{kind} --json"));
        match (shown["collision"]["volume"].as_f64(), volume) {
            (Some(found), Some(volume)) => assert!((found / volume - 1.0).abs() < 1e-12, "{kind}: {found}"),
            (found, volume) => assert_eq!(found, volume, "{kind}"),
        }
    }
    work.ok("assets parts.db generate torus ring --segments 12");
    assert_eq!(work.json("assets parts.db show ring --json")["visual"]["triangles"], 288);
    work.ok("assets parts.db generate box plank --size 2,0.2,0.05");
    let size = &work.json("assets parts.db show plank --json")["collision"]["size"];
    assert_eq!(*size, serde_json::json!([2.0, 0.2, 0.05]));
}

#[test]
fn bad_usage_and_bad_input_end_with_2_and_say_what_to_do() {
    let work = Workplace::new();
    work.ok("assets parts.db generate cube crate");
    work.write("part.obj", TETRAHEDRON);
    work.write("bomb.stl", [vec![b' '; 80], 4_000_000_000_u32.to_le_bytes().to_vec()].concat());
    work.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    work.write("notes.txt", "just text, and no more than that");
    let cases = [
        ("", "Usage"),
        ("frobnicate", "unrecognized subcommand"),
        ("assets", "Usage"),
        ("assets parts.db", "Usage"),
        ("assets parts.db generate blob x", "possible values: cube, box, sphere"),
        ("assets parts.db generate cube crate", "already an asset named \"crate\""),
        ("assets parts.db generate cube x --size -1", "size x must be positive and finite, got -1 m"),
        ("assets parts.db generate cube x --size 1,2", "cube takes one --size, got 2"),
        ("assets parts.db generate cube x --radius 1", "cube has no --radius: it takes --size"),
        ("assets parts.db generate cube x --mass 1 --density 2", "cannot be used with"),
        ("assets parts.db generate cube x --mass 0", "mass must be positive and finite, got 0 kg"),
        ("assets parts.db generate cube x --mass NaN", "mass must be positive and finite, got NaN kg"),
        ("assets parts.db generate cube x --restitution 1.5", "restitution must be in [0, 1], got 1.5"),
        ("assets parts.db generate cube x --friction -0.5", "friction must be from 0 to 1e4, got -0.5"),
        ("assets parts.db generate cube x --color red", "a colour is written #rrggbb"),
        ("assets parts.db generate sphere x --segments 100000", "segments must be 3 to 512"),
        ("assets parts.db show crat", "did you mean \"crate\"?"),
        ("assets parts.db remove unlike", "`msd assets parts.db list` shows its 1 assets"),
        ("assets parts.db add x missing.stl", "missing.stl: No such file"),
        ("assets parts.db add x notes.txt", "expected an ending of .stl, .obj, .gltf, .glb or .msh"),
        ("assets parts.db add x bomb.stl", "4000000000 triangles: 200000000084 bytes declared, 84 there"),
        ("assets parts.db add x flat.obj", "a flat mesh can only collide as a mesh"),
        ("assets parts.db add x part.obj --scale 0", "scale must be positive and finite, got 0"),
        ("assets parts.db add x part.obj --max-size 0", "more than the limit of 0"),
        ("assets absent.db list", "absent.db: no such file"),
        ("assets notes.txt list", "notes.txt: not an asset database"),
        ("assets notes.txt generate cube x", "notes.txt: not an asset database"),
        ("assets no/folder/x.db generate cube x", "x.db: its folder does not exist: make it first"),
        ("assets parts.db --wait -1 list", "--wait"),
        ("info notes.txt", "notes.txt: not recognised: expected"),
        ("info part.obj", "`msd assets DB add NAME part.obj` makes an asset of it"),
        ("info absent.db", "absent.db: cannot read"),
    ];
    for (line, expected) in cases {
        let message = work.fails(2, line);
        assert!(message.contains(expected), "{line}: {message}");
    }
    assert!(!work.path("absent.db").exists(), "a command that only reads makes no file");
    assert_eq!(work.json("assets parts.db list --json").as_array().unwrap().len(), 1, "nothing was added");
    work.ok("assets parts.db add flat flat.obj --collision mesh");
    assert!(work.fails(2, "assets fresh.db add x bomb.stl").contains("declared"));
    assert!(!work.path("fresh.db").exists(), "a failed import leaves no database behind");
}

#[test]
fn help_shows_examples_and_a_closed_pipe_is_no_error() {
    let work = Workplace::new();
    for line in
        ["assets --help", "assets parts.db add --help", "assets parts.db generate --help", "info --help"]
    {
        assert!(work.ok(line).contains("Example"), "{line}");
    }
    assert!(work.ok("--version").starts_with("msd "));
    work.ok("assets parts.db generate cube crate");
    let mut child =
        work.command("assets parts.db list").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
}

#[test]
fn info_knows_a_database_and_its_state() {
    let work = Workplace::new();
    work.ok("assets parts.db generate cube crate");
    work.ok("assets parts.db generate sphere ball");
    let info = work.ok("info parts.db");
    assert!(info.contains("asset database, version 2") && info.contains("2 (ball, crate)"), "{info}");
    assert!(info.ends_with("check      sound\n"), "{info}");
    assert_eq!(work.json("info parts.db --json")["assets"], serde_json::json!(["ball", "crate"]));

    let mut bytes = fs::read(work.path("parts.db")).unwrap();
    let mark = bytes.windows(8).position(|window| window == b"MSDGEOM\x1a").unwrap();
    bytes[mark + 40] ^= 1;
    work.write("bent.db", &bytes);
    let output = work.run("info bent.db --json");
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["problems"][0].as_str().unwrap().contains("checksum"), "{report}");
    work.write("cut.db", &bytes[..bytes.len() - 5000]);
    assert!(work.fails(2, "info cut.db").contains("truncated"));
}

#[test]
fn a_locked_database_ends_with_1_and_the_remedy_while_readers_go_on() {
    let work = Workplace::new();
    work.ok("assets parts.db generate cube crate");
    let holder = rusqlite::Connection::open(work.path("parts.db")).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(work.json("assets parts.db list --json").as_array().unwrap().len(), 1);
    let message = work.fails(1, "assets parts.db --wait 0.1 generate cube other");
    assert!(message.contains("parts.db: database is locked by another writer"), "{message}");
    assert!(message.contains("close it or wait"), "{message}");
}

#[test]
fn writers_at_the_same_time_all_succeed() {
    let work = Workplace::new();
    let children: Vec<_> = (0..4)
        .map(|i| work.command(&format!("assets parts.db generate cube c{i}")).spawn().unwrap())
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(work.json("assets parts.db list --json").as_array().unwrap().len(), 4);
}

/// Kills `add` of a large mesh at ten moments from its start to its end.
#[test]
fn a_killed_writer_leaves_what_was_committed_and_nothing_half_done() {
    let work = Workplace::new();
    work.write("big.stl", wavy_stl(60));
    work.ok("assets parts.db generate cube first");
    for moment in 0..10_u64 {
        let mut child = work
            .command(&format!("assets parts.db add big{moment} big.stl --collision mesh"))
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(4 * moment));
        child.kill().unwrap();
        let finished = child.wait().unwrap().success();
        let names = asset_names(&work);
        assert!(names.contains(&"first".to_string()));
        assert!(!finished || names.contains(&format!("big{moment}")), "reported done, so it is there");
        assert!(work.ok("info parts.db").ends_with("check      sound\n"), "killed after {} ms", 4 * moment);
    }
    work.ok("assets parts.db generate cube last");
    assert!(asset_names(&work).contains(&"last".to_string()));
}

fn asset_names(work: &Workplace) -> Vec<String> {
    let list = work.json("assets parts.db list --json");
    list.as_array().unwrap().iter().map(|asset| asset["name"].as_str().unwrap().to_string()).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_ends_with_1() {
    let work = Workplace::new();
    assert!(Path::new("/proc/sys").is_dir());
    let message = work.fails(1, "assets /proc/sys/parts.db generate cube crate");
    assert!(message.contains("cannot write"), "{message}");
}
