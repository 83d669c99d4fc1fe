//! `msd run`, `check`, `schema`, `completions` as a user runs them: output, messages, exit codes.

#![expect(clippy::unwrap_used, reason = "a test ends where a promise is broken")]

mod support;

use serde_json::Value;
use support::{Folder, Report, gallery, text};

const DROP: &str = "format = 1\n[world]\nduration = 0.25\ndt = 0.1\n[[body]]\nname = \"ball\"\nmass = 1\nshape = { sphere = { radius = 0.1 } }\nposition = [0, 0, 10]\n";

fn report(folder: &Folder, arguments: &[&str]) -> Report {
    let output = folder.run(&[&["run"], arguments, &["--report", "-"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    Report(serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn without_a_scene_it_runs_a_demonstration_and_says_what_it_thinks_of_it() {
    let output = Folder::new().run(&["run"]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), String::new()));
    let told = text(&output.stderr);
    assert!(!told.contains("warning"), "{told}");
    for line in [
        "Two boxes of 1 kg carry one of 1000 kg",
        "scene       default scene, 6 bodies",
        "time        6 s in 3000 steps of 0.002 s, velocity-verlet",
        "0 unconverged steps",
        "verdict     done, every step certified; the energy ledger closes to ",
        "\n  msd view  ",
    ] {
        assert!(told.contains(line), "{told}");
    }
    let output = Folder::new().run(&["run", "--report", "-", "--quiet"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let place = |name: &str, axis: usize| report["bodies"][name]["position"][axis].as_f64().unwrap();
    // The block has slid v²/(2 μ g), the tower stands, the ball lies on the floor.
    assert!((place("block", 0) - 9.0 / (2.0 * 0.5 * 9.81)).abs() < 1e-5, "{}", place("block", 0));
    assert!((place("heavy", 2) - 1.25).abs() < 1e-8 && (place("ball", 2) - 0.1).abs() < 1e-6);
}

#[test]
fn the_report_has_every_promised_key_and_standard_output_nothing_else() {
    let folder = Folder::new();
    folder.write("drop.toml", DROP);
    let output = folder.run(&["run", "drop.toml", "--report", "-", "--quiet"]);
    assert_eq!(text(&output.stderr), "");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(
        keys(&report),
        "format scene version time steps state_hash bodies energy momentum contacts joints solver certificate timing"
    );
    assert_eq!(
        keys(&report["bodies"]["ball"]),
        "position quat_wxyz velocity angular_velocity center_of_mass asleep"
    );
    assert_eq!(
        keys(&report["energy"]),
        "initial final kinetic potential dissipated work_in correction max_error max_gain"
    );
    assert_eq!(keys(&report["momentum"]), "linear_initial linear_final angular_initial angular_final");
    assert_eq!(keys(&report["contacts"]), "final max max_penetration");
    assert_eq!(keys(&report["joints"]), "max_position_error max_angle_error");
    assert_eq!(keys(&report["solver"]), "max_residual max_iterations unconverged_steps certified");
    assert_eq!(keys(&report["timing"]), "total_s steps_per_second realtime_factor phases_s");
    assert_eq!((&report["format"], &report["scene"]), (&1.into(), &"drop.toml".into()));
    assert_eq!(report["state_hash"].as_str().unwrap().len(), 64);
}

#[test]
fn a_saved_scene_starts_where_the_run_ended_and_replaces_no_file() {
    let folder = Folder::new();
    folder.write("drop.toml", DROP);
    let height = |report: &Report| report.0["bodies"]["ball"]["position"][2].as_f64().unwrap();
    let ended = report(&folder, &["drop.toml", "--save-scene", "later.toml"]);
    let later = report(&folder, &["later.toml", "--until", "1e-9"]);
    assert!((height(&ended) - height(&later)).abs() < 1e-8);
    for (path, expected) in
        [("later.toml", "exists already"), ("nowhere/later.toml", "folder does not exist")]
    {
        let output = folder.run(&["run", "drop.toml", "--save-scene", path]);
        let told = text(&output.stderr);
        assert!(output.status.code() == Some(2) && told.contains(expected), "{told}");
        assert!(!told.contains("verdict"), "refused before the run: {told}");
    }
}

#[test]
fn the_last_step_is_shortened_to_meet_the_time() {
    let folder = Folder::new();
    folder.write("drop.toml", DROP);
    let whole = report(&folder, &["drop.toml"]);
    assert_eq!((whole.number("/time"), whole.number("/steps")), (0.25, 3.0));
    let height = whole.of::<3>("ball", "position")[2];
    assert!((height - (10.0 - 0.5 * 9.81 * 0.0625)).abs() < 1e-14, "{height}");
    let other = report(&folder, &["drop.toml", "--until", "1", "--dt", "0.125"]);
    assert_eq!((other.number("/time"), other.number("/steps")), (1.0, 8.0));
}

#[test]
fn integrator_and_solver_can_be_chosen_and_threads_change_nothing() {
    let folder = Folder::new();
    folder.write("drop.toml", DROP);
    let one = report(&folder, &["drop.toml", "--threads", "1", "--solver", "exact"]);
    let four = report(&folder, &["drop.toml", "--threads", "4", "--solver", "fast"]);
    assert_eq!(one.hash(), four.hash());
    let euler = report(&folder, &["drop.toml", "--integrator", "semi-implicit-euler"]);
    assert_ne!(one.hash(), euler.hash());
}

#[test]
fn a_scene_in_json_is_the_same_scene() {
    let folder = Folder::new();
    let toml_text = std::fs::read_to_string(gallery().join("satellite.toml")).unwrap();
    let table: toml::Table = toml_text.parse().unwrap();
    folder.write("satellite.toml", &toml_text);
    folder.write("satellite.json", &serde_json::to_string(&table).unwrap());
    let arguments = |file| [file, "--until", "60"];
    let (a, b) =
        (report(&folder, &arguments("satellite.toml")), report(&folder, &arguments("satellite.json")));
    assert_eq!(a.hash(), b.hash());
}

#[test]
fn a_ball_that_falls_on_the_floor_rests_there() {
    let folder = Folder::new();
    let floor = "[[body]]\nname = \"floor\"\nkind = \"static\"\nshape = { plane = { normal = [0, 0, 1] } }\n";
    folder.write("drop.toml", &format!("{DROP}{floor}"));
    let Report(rested) = report(&folder, &["drop.toml", "--until", "3"]);
    let height = rested["bodies"]["ball"]["position"][2].as_f64().unwrap();
    assert!((height - 0.1).abs() < 1e-6, "{height}");
    assert_eq!((&rested["contacts"]["final"], &rested["solver"]["certified"]), (&1.into(), &true.into()));
    // m g h, all of it lost in the impact.
    assert!((rested["energy"]["dissipated"].as_f64().unwrap() - 9.81 * 9.9).abs() < 1e-6);
    // Bodies that say so do not collide.
    folder.write("ghost.toml", &format!("{DROP}{floor}collides = false\n"));
    let Report(fallen) = report(&folder, &["ghost.toml", "--until", "2"]);
    let height = fallen["bodies"]["ball"]["position"][2].as_f64().unwrap();
    assert!((height - (10.0 - 0.5 * 9.81 * 4.0)).abs() < 1e-12, "{height}");
}

#[test]
fn a_simulation_that_blows_up_fails_with_time_body_and_reason() {
    let folder = Folder::new();
    let push = "[[agent]]\ntype = \"constant-wrench\"\nbody = \"ball\"\nforce = [1e308, 0, 0]\nfrom = 0.2\n";
    folder.write("push.toml", &format!("{DROP}{push}").replace("mass = 1\n", "mass = 1e-3\n"));
    let output = folder.run(&["run", "push.toml", "--report", "out.json"]);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("verdict     failed after t = 0.2 s\n"), "{told}");
    assert!(
        told.contains(
            "error: push.toml: step 3 from t = 0.2 s failed: body `ball`: the forces on it ([1e308, 0.0, "
        ),
        "{told}"
    );
    // Steps before the failure are reported.
    let report: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path("out.json")).unwrap()).unwrap();
    assert_eq!(report["time"], 0.2);
}

#[test]
fn bad_usage_ends_with_code_2_and_a_remedy() {
    let folder = Folder::new();
    folder.write("drop.toml", DROP);
    let cases: [(&[&str], &str); 8] = [
        (&["run", "drop.toml", "--dt", "-1"], "expected a number of seconds above 0, got -1"),
        (&["run", "drop.toml", "--until", "inf"], "expected a number of seconds above 0, got inf"),
        (&["run", "drop.toml", "--integrator", "rk"], "a similar value exists: 'rk4'"),
        (&["run", "drop.toml", "--threads", "0"], "0 is not in 1..=1024"),
        (
            &["run", "drop.toml", "--record", "drop.toml"],
            "error: drop.toml: exists already: choose another name, or --force to replace a recording\n",
        ),
        (&["run", "nothing.toml"], "nothing.toml: cannot be opened: No such file or directory"),
        (
            &["run", "drop.toml", "--report", "no/such/folder.json"],
            "no/such/folder.json: cannot be written: No such file",
        ),
        (&["runn"], "a similar subcommand exists: 'run'"),
    ];
    for (arguments, expected) in cases {
        let output = folder.run(arguments);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}");
        assert!(text(&output.stderr).contains(expected), "{arguments:?}: {}", text(&output.stderr));
    }
}

#[test]
fn a_broken_scene_is_shown_with_its_lines_and_all_its_problems() {
    let folder = Folder::new();
    folder.write(
        "bad.toml",
        "format = 1\n[[body]]\nname = \"ball\"\nshape = { sphere = { radious = 0.1 } }\nrestitution = 2\nmass = 1\n",
    );
    let shown = "  × body `ball`: unknown key `radious`
   ╭─[bad.toml:4:22]
 3 │ name = \"ball\"
 4 │ shape = { sphere = { radious = 0.1 } }
   ·                      ───┬───
   ·                         ╰── did you mean `radius`?
 5 │ restitution = 2
   ╰────
  help: keys here: radius

  × body `ball`: `restitution` is 2
   ╭─[bad.toml:5:15]
 4 │ shape = { sphere = { radious = 0.1 } }
 5 │ restitution = 2
   ·               ┬
   ·               ╰── expected a number from 0 to 1
 6 │ mass = 1
   ╰────
  help: Coefficient of restitution; instead of the material's.

error: bad.toml: 2 problems
";
    for command in ["run", "check"] {
        let output = folder.run(&[command, "bad.toml"]);
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(2), shown));
        assert_eq!(output.stdout, b"");
    }
}

#[test]
fn ten_ways_to_break_a_scene_are_each_answered_with_place_and_remedy() {
    let body = "[[body]]\nname = \"b\"\nmass = 1\nshape = { sphere = { radius = 1 } }\n";
    let cases = [
        (format!("format = 1\n[wrold]\ndt = 1\n{body}"), "bad.toml:2:2", "did you mean `world`?"),
        (format!("format = 1\n[world]\ndt = \"fast\"\n{body}"), "bad.toml:3:6", "expected a number above 0"),
        (format!("format = 1\n{body}density = 2\n"), "bad.toml:6:1", "expected exactly one of them"),
        (
            format!("format = 1\n{body}material = \"rubber\"\n"),
            "bad.toml:6:12",
            "the scene has no material with a name",
        ),
        (
            format!("format = 1\n{body}orientation = [1, 0, 0, 0]\n"),
            "bad.toml:6:15",
            "expected { axis, angle_deg } or",
        ),
        (format!("format = 1\n{body}kind = \"Dynamic\"\n"), "bad.toml:6:8", "did you mean `dynamic`?"),
        (format!("format = 1\n{body}{body}"), "bad.toml:7:8", "expected another name"),
        (body.to_owned(), "bad.toml:1:1", "expected `format`: a whole number equal to 1"),
        (format!("format = 1\n{body}position = [0, 0\n"), "bad.toml:6:", "syntax"),
        (
            format!("format = 1\n{body}[[agent]]\ntype = \"constant-wrench\"\nbody = \"c\"\n"),
            "bad.toml:8:8",
            "expected `b`",
        ),
    ];
    for (scene, place, remedy) in cases {
        let folder = Folder::new();
        folder.write("bad.toml", &scene);
        let output = folder.run(&["check", "bad.toml"]);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{scene}");
        assert!(told.contains(place) && told.contains(remedy), "{scene}\n{told}");
    }
}

#[test]
fn a_problem_in_a_line_without_end_is_told_without_showing_the_line() {
    let folder = Folder::new();
    let bodies: Vec<String> = (0..3000)
        .map(|i| format!("{{\"name\":\"b{i}\",\"mass\":1,\"shape\":{{\"sphere\":{{\"radius\":1}}}}}}"))
        .collect();
    let scene = format!("{{\"format\":1,\"body\":[{}]}}", bodies.join(",").replace("\"b2999\"", "\"b1\""));
    folder.write("long.json", &scene);
    let told = text(&folder.run(&["check", "long.json"]).stderr);
    let column = scene.rfind("\"b1\"").unwrap() + 1;
    let expected = format!(
        "long.json:1:{column}: body 3000: the name `b1` is already used by body 2; expected another name\nerror: long.json: 1 problem\n"
    );
    assert_eq!(told, expected);
}

#[test]
fn hostile_scenes_are_refused() {
    let folder = Folder::new();
    folder.write("deep.json", &"[".repeat(1_000_000));
    folder.write("deep.toml", &format!("a = {}", "[".repeat(100_000)));
    folder.write("binary.toml", "format = 1\u{0}");
    for file in ["deep.json", "deep.toml", "binary.toml"] {
        let output = folder.run(&["check", file]);
        assert_eq!(output.status.code(), Some(2), "{file}");
    }
}

/// Opening a pipe without a writer would wait for ever, reading a device would not end.
#[cfg(unix)]
#[test]
fn a_scene_that_is_no_file_is_refused_at_once() {
    let folder = Folder::new();
    let made = std::process::Command::new("mkfifo").arg(folder.path("pipe.toml")).status().unwrap();
    assert!(made.success());
    for file in ["pipe.toml", "/dev/zero"] {
        for command in ["check", "run"] {
            let output = folder.run(&[command, file]);
            let told = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{command} {file}: {told}");
            assert!(
                told.contains("is not a file but a pipe, a socket or a device"),
                "{command} {file}: {told}"
            );
        }
    }
}

#[test]
fn of_thousands_of_problems_the_first_fifty_are_shown() {
    let folder = Folder::new();
    let body = "[[body]]\nname = \"same\"\nmass = 1\nshape = { sphere = { radius = 1 } }\n";
    folder.write("many.toml", &format!("format = 1\n{}", body.repeat(4_000)));
    let output = folder.run(&["check", "many.toml"]);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(told.contains("3999 problems, the first 50 are shown"), "{}", &told[told.len() - 200..]);
    assert_eq!(told.matches("the name `same` is already used").count(), 50);
}

#[test]
fn meshes_come_from_the_folder_of_the_scene_unless_others_are_allowed() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("inner")).unwrap();
    let tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    folder.write("part.obj", tetrahedron);
    folder.write("inner/part.obj", tetrahedron);
    let scene = |file| {
        format!(
            "format = 1\n[[body]]\nname = \"part\"\ndensity = 6\nshape = {{ mesh = {{ file = \"{file}\" }} }}\n"
        )
    };
    folder.write("inner/good.toml", &scene("part.obj"));
    folder.write("inner/climbs.toml", &scene("../part.obj"));
    let good = report(&folder, &["inner/good.toml"]);
    assert!((good.of::<3>("part", "center_of_mass")[0] - 0.25).abs() < 1e-12);
    assert_eq!(folder.run(&["check", "inner/climbs.toml"]).status.code(), Some(2));
    assert_eq!(folder.run(&["check", "inner/climbs.toml", "--allow-outside-files"]).status.code(), Some(0));
}

#[test]
fn the_schema_is_json_and_completions_and_version_are_there() {
    let folder = Folder::new();
    let schema: Value = serde_json::from_slice(&folder.run(&["schema"]).stdout).unwrap();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert!(text(&folder.run(&["completions", "bash"]).stdout).contains("complete -F _msd"));
    let version = text(&folder.run(&["--version"]).stdout);
    assert!(version.starts_with(concat!("msd ", env!("CARGO_PKG_VERSION"), " (")), "{version}");
    for help in [&["--help"][..], &["run", "--help"], &["check", "--help"]] {
        assert_eq!(folder.run(help).status.code(), Some(0));
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_cleanly_with_a_summary_and_a_report() {
    use std::process::{Command, Stdio};
    let folder = Folder::new();
    folder.write("drop.toml", DROP);
    let child = Command::new(env!("CARGO_BIN_EXE_msd"))
        .args(["run", "drop.toml", "--until", "1e6", "--dt", "1e-6", "--report", "-"])
        .current_dir(folder.path("."))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(700));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{told}");
    assert!(told.contains("verdict     stopped at t = "), "{told}");
    assert!(serde_json::from_slice::<Value>(&output.stdout).unwrap()["steps"].as_u64().unwrap() > 0);
}

#[test]
fn info_says_what_a_scene_holds() {
    let path = gallery().join("satellite.toml");
    let output = Folder::new().run(&["info", path.to_str().unwrap()]);
    assert_eq!(
        text(&output.stdout),
        "kind       scene, format 1\n\
         time       3582.42 s in steps of 1 s, rk4\n\
         gravity    [0, 0, 0] m/s²\n\
         bodies     1 (satellite)\n\
         joints     0 (none)\n\
         fields     2 (point-gravity, magnetic-dipole)\n\
         agents     0 (none)\n"
    );
    let output = Folder::new().run(&["info", path.to_str().unwrap(), "--json"]);
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["fields"][0], "point-gravity");
}

#[test]
fn every_kind_of_field_and_agent_can_be_written_in_a_scene() {
    let folder = Folder::new();
    let others = r#"
[world]
gravity = [0, 0, 0]
duration = 0.01
[[body]]
name = "a"
mass = 1
shape = { sphere = { radius = 0.1 } }
position = [7e6, 0, 0]
[[body]]
name = "b"
mass = 1
shape = { sphere = { radius = 0.1 } }
position = [7e6, 5, 0]
[[field]]
type = "uniform-gravity"
acceleration = [0, 0, -1]
bodies = ["a"]
[[field]]
type = "geopotential"
mu = 3.986004418e14
radius = 6378137.0
harmonics = [{ degree = 2, order = 0, c = -1.08263e-3 }, { degree = 2, order = 2, c = 1.57e-6, s = -9.0e-7 }]
turn_rate = 7.292115e-5
[[field]]
type = "gravity-gradient"
mu = 3.986004418e14
[[field]]
type = "solar-pressure"
sun = [1.5e11, 0, 0]
area = 1.0
coefficient = 1.3
shadow = { radius = 6378137.0, sun_radius = 6.957e8 }
[[field]]
type = "rotating-frame"
angular_velocity = [0, 0, 1e-3]
bodies = ["b"]
[[field]]
type = "third-body"
mu = 4.9e12
position = [3.84e8, 0, 0]
angular_velocity = [0, 0, 2.66e-6]
[[field]]
type = "tidal"
mu = 1.327e20
position = [0, 1.5e11, 0]
[[field]]
type = "damper"
a = "a"
b = "b"
anchor_a = [7e6, 0, 0]
anchor_b = [7e6, 5, 0]
damping = 1.0
[[field]]
type = "spring"
a = "a"
b = "b"
anchor_a = [7e6, 0, 0]
anchor_b = [7e6, 5, 0]
stiffness = 3.0
[[field]]
type = "thruster"
body = "a"
direction = [1, 0, 0]
thrust = 1.0
[[agent]]
type = "velocity-command"
body = "b"
gain = 1.0
max_force = 10.0
max_torque = 1.0
"#;
    folder.write("all.toml", &format!("format = 1\n{others}"));
    let all = report(&folder, &["all.toml"]);
    assert_eq!(all.number("/time"), 0.01);
}

/// `script` gives a program a terminal; where there is none of it, there is nothing to look at.
#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_a_bar_shows_speed_and_time_left_and_is_wiped_off() {
    use std::process::Command;
    let folder = Folder::new();
    folder.write("drop.toml", DROP);
    let program = env!("CARGO_BIN_EXE_msd");
    let command = format!("{program} run drop.toml --until 1e6 --dt 1e-3 & sleep 1.5; kill -INT $!; wait $!");
    let run =
        Command::new("script").args(["-qec", &command, "/dev/null"]).current_dir(folder.path(".")).output();
    let Ok(output) = run else { return };
    let shown = text(&output.stdout);
    let bar: Vec<&str> = shown.split('\r').filter(|line| line.contains(" %  t = ")).collect();
    assert!((3..30).contains(&bar.len()), "{shown:?}");
    assert!(bar.iter().all(|line| line.contains(" × real time, ") && line.contains(" left")), "{bar:?}");
    assert!(shown.contains("\u{1b}[2Kscene       drop.toml"), "{shown:?}");
    assert!(shown.contains("verdict     stopped at t = "), "{shown:?}");
}
