//! `msd sweep` as a user runs it: the same bytes on any threads, in shards and resumed; rows, verdicts, replays and messages.

#![cfg(feature = "sweep")]
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod support;

use std::fs::{self, File};

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use support::{Folder, gallery, text};

const SCENE: &str = "format = 1\n[world]\nduration = 0.5\ndt = 0.01\n[[body]]\nname = \"ball\"\nmass = 1\nshape = { sphere = { radius = 0.1 } }\nposition = [0, 0, 1]\n[[body]]\nname = \"floor\"\nkind = \"static\"\nshape = { plane = { normal = [0, 0, 1] } }\n";

const SWEEP: &str = r#"
scene   = "drop.toml"
samples = 130
seed    = 5
[vary]
"body.ball.velocity.x" = { normal = { mean = 0.5, sigma = 0.1 } }
"body.ball.position.z" = { uniform = [0.5, 2.0] }
[keep]
columns = ["body.ball.position", "contacts.max_force", "energy.max_error", "certified"]
[judge]
landed = "contacts.steps > 0"
near   = "distance(ball, floor) < 1.5 and body.ball.speed < 10"
"#;

fn folder(sweep: &str) -> Folder {
    let folder = Folder::new();
    folder.write("drop.toml", SCENE);
    folder.write("sweep.toml", sweep);
    folder
}

fn sweep(folder: &Folder, arguments: &[&str]) -> String {
    let output = folder.run(&[&["sweep"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stderr)
}

fn refused(folder: &Folder, arguments: &[&str]) -> String {
    let output = folder.run(&[&["sweep"], arguments].concat());
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    text(&output.stderr)
}

/// The rows of a table by column.
fn column(folder: &Folder, path: &str, name: &str) -> Vec<Field> {
    let reader = SerializedFileReader::new(File::open(folder.path(path)).unwrap()).unwrap();
    let cell = |row: parquet::record::Row| {
        row.get_column_iter().find(|(known, _)| *known == name).map(|(_, field)| field.clone()).unwrap()
    };
    reader.get_row_iter(None).unwrap().map(|row| cell(row.unwrap())).collect()
}

fn numbers(folder: &Folder, path: &str, name: &str) -> Vec<f64> {
    let number = |field: &Field| match field {
        Field::Double(number) => *number,
        other => panic!("{name}: {other}"),
    };
    column(folder, path, name).iter().map(number).collect()
}

#[test]
fn threads_shards_and_resuming_give_the_same_bytes() {
    let folder = folder(SWEEP);
    let told = sweep(&folder, &["sweep.toml", "--out", "one", "--threads", "1"]);
    assert!(told.contains("130 runs, 0 ended by an error") && told.contains("| landed |"), "{told}");
    let expected = fs::read(folder.path("one/runs.parquet")).unwrap();
    sweep(&folder, &["sweep.toml", "--out", "four", "--threads", "4", "--quiet"]);
    assert_eq!(fs::read(folder.path("four/runs.parquet")).unwrap(), expected);
    let planned = folder.run(&["sweep", "sweep.toml", "--plan"]);
    let planned: serde_json::Value = serde_json::from_slice(&planned.stdout).unwrap();
    let manifest = fs::read(folder.path("four/manifest.json")).unwrap();
    assert_eq!(planned, serde_json::from_slice::<serde_json::Value>(&manifest).unwrap());
    assert_eq!(planned["runs"], 130);
    // Stopped half-way: some parts are missing, one was being written.
    for part in ["part-00003", "part-00011"] {
        fs::remove_file(folder.path("four/parts").join(format!("{part}.parquet"))).unwrap();
    }
    fs::write(folder.path("four/parts/part-00003.tmp"), "cut off").unwrap();
    fs::remove_file(folder.path("four/runs.parquet")).unwrap();
    let kept = fs::metadata(folder.path("four/parts/part-00000.parquet")).unwrap().modified().unwrap();
    sweep(&folder, &["sweep.toml", "--out", "four", "--quiet"]);
    assert_eq!(fs::read(folder.path("four/runs.parquet")).unwrap(), expected);
    let now = fs::metadata(folder.path("four/parts/part-00000.parquet")).unwrap().modified().unwrap();
    assert_eq!(now, kept, "a part that was there is not computed again");
    let told = sweep(&folder, &["sweep.toml", "--shard", "1/3", "--out", "a"]);
    assert!(told.contains("msd sweep merge"), "{told}");
    sweep(&folder, &["sweep.toml", "--shard", "3/3", "--out", "c"]);
    let output = folder.run(&["sweep", "merge", "sweep.toml", "a", "c", "--out", "all"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("parts are missing"), "{}", text(&output.stderr));
    sweep(&folder, &["sweep.toml", "--shard", "2/3", "--out", "b"]);
    sweep(&folder, &["merge", "sweep.toml", "a", "b", "c", "--out", "all"]);
    assert_eq!(fs::read(folder.path("all/runs.parquet")).unwrap(), expected);
    assert_eq!(
        fs::read(folder.path("all/summary.json")).unwrap(),
        fs::read(folder.path("one/summary.json")).unwrap()
    );
}

#[test]
fn rows_hold_what_the_runs_did() {
    let folder = folder(SWEEP);
    sweep(&folder, &["sweep.toml", "--out", "out"]);
    let column = |name: &str| numbers(&folder, "out/runs.parquet", name);
    let (speed, height) = (column("vary.body.ball.velocity.x"), column("vary.body.ball.position.z"));
    let (x, z, force) =
        (column("body.ball.position.x"), column("body.ball.position.z"), column("contacts.max_force"));
    let mean = speed.iter().sum::<f64>() / 130.0;
    assert!((mean - 0.5).abs() < 5.0 * 0.1 / 130.0_f64.sqrt(), "{mean}");
    assert!(height.iter().all(|z| (0.5..2.0).contains(z)));
    for run in 0..130 {
        let fallen = height[run] - 0.5 * 9.81 * 0.25;
        if fallen > 0.1 {
            assert!((z[run] - fallen).abs() < 1e-9 && force[run] == 0.0, "run {run}");
            assert!((x[run] - 0.5 * speed[run]).abs() < 1e-9, "run {run}");
        } else if fallen < 0.09 {
            assert!(force[run] > 0.0, "run {run} touches the floor");
        }
    }
    assert!(force.contains(&0.0) && force.iter().any(|force| *force > 0.0));
    assert!(folder.path("out/plots/contacts.max_force.svg").exists());
    assert!(folder.path("out/plots/body.ball.position.x-by-vary.body.ball.velocity.x.svg").exists());
}

#[test]
fn a_run_can_be_looked_at_alone_and_verified() {
    let folder = folder(SWEEP);
    sweep(&folder, &["sweep.toml", "--out", "out", "--quiet"]);
    let output = folder.run(&["sweep", "sweep.toml", "--run", "17", "--record", "run-17.msdr"]);
    let told = text(&output.stdout);
    let Field::Str(hash) = &column(&folder, "out/runs.parquet", "state_hash")[17] else { panic!("no text") };
    assert!(told.contains(&format!("state_hash = {hash}")), "{told}");
    assert!(told.contains("judge.near = true"), "{told}");
    let output = folder.run(&["replay", "run-17.msdr", "--verify"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn grids_choices_files_and_hypercubes() {
    let folder = folder(
        "scene = \"drop.toml\"\nsamples = 10\nsampling = \"latin-hypercube\"\nuntil = 0.05\n[vary]\n\
         \"body.ball.position.z\" = { grid = { from = 1.0, to = 2.0, count = 3 } }\n\
         \"body.ball.mass\" = { grid = [1, 4] }\n\
         \"body.ball.velocity.x\" = { uniform = [0, 1] }\n\
         \"body.ball.velocity.y\" = { choice = [3, 5] }\n\
         \"body.ball.velocity.z\" = { csv = { file = \"z.csv\", column = \"vz\" } }\n",
    );
    let rows: String = (0..10).map(|row| format!("{row},{}\n", 0.5 * f64::from(row))).collect();
    folder.write("z.csv", &format!("row, vz\n{rows}"));
    sweep(&folder, &["sweep.toml", "--out", "out", "--quiet"]);
    let column = |name: &str| numbers(&folder, "out/runs.parquet", &format!("vary.body.ball.{name}"));
    let (z, mass, u) = (column("position.z"), column("mass"), column("velocity.x"));
    assert_eq!(z.len(), 60);
    let mut points: Vec<(u64, u64)> = z.iter().zip(&mass).map(|(z, m)| (z.to_bits(), m.to_bits())).collect();
    points.dedup();
    assert_eq!(points.len(), 6, "every point of the grid, one after the other");
    // Each tenth of the distribution is drawn from once at every point of the grid.
    let mut tenths: Vec<u32> = u[..10].iter().map(|u| (u * 10.0) as u32).collect();
    tenths.sort_unstable();
    assert_eq!(tenths, (0..10).collect::<Vec<u32>>());
    assert!(column("velocity.y").iter().all(|y| *y == 3.0 || *y == 5.0));
    assert_eq!(column("velocity.z")[13], 1.5);
}

#[test]
fn values_come_from_a_parquet_file() {
    // The table of one sweep is the input of another: its 130 rows, among them values of every kind that Parquet has here.
    let folder = folder(SWEEP);
    sweep(&folder, &["sweep.toml", "--out", "one", "--quiet"]);
    let input = |column: &str| {
        format!(
            "scene = \"drop.toml\"\nuntil = 0.05\n[vary]\n\"body.ball.position.z\" = {{ parquet = {{ file = \"one/runs.parquet\", \
             column = \"{column}\" }} }}\n[keep]\ncolumns = [\"time\"]\n"
        )
    };
    folder.write("again.toml", &input("vary.body.ball.position.z"));
    sweep(&folder, &["again.toml", "--out", "two", "--quiet"]);
    let of = |path: &str| numbers(&folder, path, "vary.body.ball.position.z");
    assert_eq!(of("two/runs.parquet"), of("one/runs.parquet"));
    folder.write("whole.toml", &input("run"));
    sweep(&folder, &["whole.toml", "--out", "three", "--quiet"]);
    assert_eq!(of("three/runs.parquet"), (0..130).map(f64::from).collect::<Vec<f64>>());
    folder.write("wrong.toml", &input("height"));
    assert!(refused(&folder, &["wrong.toml"]).contains("has no column `height`; it has run, vary.body"));
    folder.write("text.toml", &input("state_hash"));
    assert!(refused(&folder, &["text.toml"]).contains("row 0: expected a number in column `state_hash`"));
    folder.write("text.toml", &input("run").replace("one/runs.parquet", "sweep.toml"));
    assert!(refused(&folder, &["text.toml"]).contains("sweep.toml cannot be read"));
}

#[test]
fn several_scenes_are_swept_one_after_the_other() {
    let folder = folder(&SWEEP.replace("\"drop.toml\"", "[\"drop.toml\", \"moon.toml\"]"));
    folder.write("moon.toml", &SCENE.replace("dt = 0.01", "dt = 0.01\ngravity = [0, 0, -1.62]"));
    let told = sweep(&folder, &["sweep.toml", "--out", "out"]);
    assert!(told.contains("260 runs") && told.contains("| landed in moon.toml |"), "{told}");
    let scenes = column(&folder, "out/runs.parquet", "scene");
    let is = |name: &str| Field::Str(name.to_owned());
    assert!(scenes[..130].iter().all(|scene| *scene == is("drop.toml")));
    assert!(scenes[130..].iter().all(|scene| *scene == is("moon.toml")));
    let (from, z) = (
        numbers(&folder, "out/runs.parquet", "vary.body.ball.position.z"),
        numbers(&folder, "out/runs.parquet", "body.ball.position.z"),
    );
    for run in 130..260 {
        let fallen = from[run] - 0.5 * 1.62 * 0.25;
        assert!(fallen < 0.1 || (z[run] - fallen).abs() < 1e-9, "run {run} falls as on the moon");
    }
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.path("out/summary.json")).unwrap()).unwrap();
    let landed = |scene: &str| summary["verdicts_by_scene"][scene]["landed"]["holds"].as_u64().unwrap();
    assert!(landed("drop.toml") > landed("moon.toml"), "{summary:#}");
    assert_eq!(
        landed("drop.toml") + landed("moon.toml"),
        summary["verdicts"]["landed"]["holds"].as_u64().unwrap()
    );
    // Shards and one run of the second scene.
    for shard in ["1/2", "2/2"] {
        sweep(&folder, &["sweep.toml", "--shard", shard, "--out", "shards", "--quiet"]);
    }
    let bytes = |path: &str| fs::read(folder.path(path)).unwrap();
    assert_eq!(bytes("shards/runs.parquet"), bytes("out/runs.parquet"));
    let output = folder.run(&["sweep", "sweep.toml", "--run", "200"]);
    let Field::Str(hash) = &column(&folder, "out/runs.parquet", "state_hash")[200] else { panic!("no text") };
    assert!(text(&output.stdout).contains(hash.as_str()));
    folder.write("other.toml", &SCENE.replace("\"floor\"", "\"ground\""));
    folder.write("wrong.toml", &SWEEP.replace("\"drop.toml\"", "[\"drop.toml\", \"other.toml\"]"));
    let told = refused(&folder, &["wrong.toml"]);
    assert!(told.contains("(in other.toml)") && told.contains("floor"), "{told}");
}

#[test]
fn a_cluster_is_ray_or_refused() {
    let folder = folder(SWEEP);
    assert!(
        refused(&folder, &["sweep.toml", "--on", "dask://head:1"])
            .contains("expected ray or ray://HOST:PORT")
    );
    assert!(
        refused(&folder, &["sweep.toml", "--on", "ray", "--shard", "1/2"]).contains("cannot be used with")
    );
}

#[test]
fn a_run_that_cannot_be_is_a_row_with_its_error() {
    let folder = folder(
        "scene = \"drop.toml\"\n[vary]\n\"body.ball.mass\" = { grid = [1, -1, 2] }\n[keep]\ncolumns = [\"time\"]\nrecord = \"failed\"\n\
         [judge]\nlight = \"body.ball.position.z < 0.5 and time > 1\"\n",
    );
    let told = sweep(&folder, &["sweep.toml", "--out", "out"]);
    assert!(told.contains("3 runs, 1 ended by an error"), "{told}");
    let errors = column(&folder, "out/runs.parquet", "error");
    let Field::Str(error) = &errors[1] else { panic!("no text") };
    assert!(error.contains("mass") && error.contains("-1"), "{error}");
    assert_eq!(errors[0], Field::Str(String::new()));
    // Runs 0 and 2 fail their judge and are recorded; run 1 never began.
    assert!(folder.path("out/recordings/run-000000.msdr").exists());
    assert!(!folder.path("out/recordings/run-000001.msdr").exists());
    assert!(folder.path("out/recordings/run-000002.msdr").exists());
}

#[test]
fn what_makes_no_sense_is_named() {
    let folder = folder(SWEEP);
    let cases: [(&str, &str, &str); 9] = [
        ("body.ball.velocity.x", "body.bal.velocity.x", "did you mean `ball`"),
        ("body.ball.velocity.x", "body.ball.velocit.x", "velocit"),
        ("sigma = 0.1", "sigma = -0.1", "sigma"),
        ("[0.5, 2.0]", "[2.0, 0.5]", "low below high"),
        ("samples = 130", "sample = 130", "sample"),
        ("samples = 130", "samples = 0", "at least 1"),
        ("contacts.max_force", "contacts.max_forces", "there is no result"),
        ("distance(ball, floor)", "distance(ball, flor)", "flor"),
        ("drop.toml", "dorp.toml", "dorp.toml"),
    ];
    for (right, wrong, said) in cases {
        folder.write("wrong.toml", &SWEEP.replacen(right, wrong, 1));
        let told = refused(&folder, &["wrong.toml"]);
        assert!(told.contains(said), "{wrong}: {told}");
    }
    sweep(&folder, &["sweep.toml", "--out", "out", "--quiet"]);
    folder.write("other.toml", &SWEEP.replace("seed    = 5", "seed = 6"));
    let told = refused(&folder, &["other.toml", "--out", "out"]);
    assert!(told.contains("another sweep"), "{told}");
    assert!(refused(&folder, &["sweep.toml", "--shard", "4/3"]).contains("I from 1 to N"));
    assert!(refused(&folder, &["sweep.toml", "--run", "130"]).contains("0 to 129"));
}

#[test]
fn the_docking_monte_carlo_is_one_command() {
    let folder = Folder::new();
    let file = gallery().join("../sweeps/docking.toml");
    let told = sweep(&folder, &[file.to_str().unwrap(), "--out", "out"]);
    assert!(told.contains("1000 runs, 0 ended by an error"), "{told}");
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.path("out/summary.json")).unwrap()).unwrap();
    let share = |name: &str| summary["verdicts"][name]["share"].as_f64().unwrap();
    assert!(share("touched") > 0.99 && (0.9..1.0).contains(&share("soft")), "{told}");
    assert_eq!(summary["worst"].as_array().unwrap().len(), 10);
    let failed =
        (0..1000).filter(|run| folder.path(&format!("out/recordings/run-{run:06}.msdr")).exists()).count();
    assert!(failed > 0, "runs that fail are recorded");
}

/// The example scripts of clusters, with the variables that Slurm and Kubernetes set.
#[cfg(unix)]
#[test]
fn the_scripts_of_clusters_compute_their_shards() {
    use std::process::Command;
    let folder = folder(SWEEP);
    sweep(&folder, &["sweep.toml", "--out", "one", "--quiet"]);
    let expected = fs::read(folder.path("one/runs.parquet")).unwrap();
    let msd = std::path::Path::new(env!("CARGO_BIN_EXE_msd"));
    let sweeps = gallery().join("../sweeps");
    for task in ["2", "1", "3"] {
        let mut command = Command::new("sh");
        command.arg(sweeps.join("slurm.sh")).args(["sweep.toml", "slurm"]).current_dir(folder.path(""));
        command.env("MSD", msd).env("SLURM_ARRAY_TASK_ID", task).env("SLURM_ARRAY_TASK_COUNT", "3");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    assert_eq!(fs::read(folder.path("slurm/runs.parquet")).unwrap(), expected);
    let job = fs::read_to_string(sweeps.join("kubernetes.yaml")).unwrap();
    let line =
        job.lines().find_map(|line| line.trim().strip_prefix("- exec ")).expect("the command of the job");
    let pods = line.rsplit_once("/40").map(|_| 40).expect("as many shards as completions");
    assert!(job.contains(&format!("completions: {pods}")));
    // In this folder instead of the volumes.
    let line = line.replace("/sweep/sweep.toml", "sweep.toml").replace("--out /results", "--out pods");
    let path = format!("{}:{}", msd.parent().unwrap().display(), std::env::var("PATH").unwrap());
    for index in 0..pods {
        let mut command = Command::new("sh");
        command.args(["-c", &line]).current_dir(folder.path("")).env("PATH", &path);
        let output = command.env("JOB_COMPLETION_INDEX", index.to_string()).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    assert_eq!(fs::read(folder.path("pods/runs.parquet")).unwrap(), expected);
}
