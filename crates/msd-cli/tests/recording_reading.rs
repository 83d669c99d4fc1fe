//! `info`, `replay`, `export` and `plot` on the real program.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod support;

use serde_json::Value;
use support::recordings::{DROP, code, record};
use support::{Folder, text};

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
fn plots_show_any_quantity_paths_and_a_formula_to_compare_with() {
    let folder = Folder::new();
    record(&folder, DROP, &[]);
    let plot = |arguments: &[&str]| {
        let output = folder.run(&[&["plot", "run.msdr"], arguments].concat());
        assert_eq!(code(&output), 0, "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout).to_owned()
    };
    let compared = plot(&["height", "ball", "--formula", "1 - 0.5*9.81*t^2", "--out", "-"]);
    assert!(compared.contains("height (m)") && compared.contains(">1 - 0.5*9.81*t^2<"), "{compared}");
    assert!(compared.contains("stroke-dasharray=\"6 4\""), "a reference is told apart");
    let both = plot(&["height", "ball", "post"]);
    assert!(both.contains(">ball<") && both.contains(">post<"));
    let any = plot(&["of", "kinetic", "residual", "ball.vz", "ball.spin"]);
    for label in ["energy (J)", "contact residual", "velocity z (m/s)", "angular speed (rad/s)"] {
        assert!(any.contains(label), "{label}");
    }
    assert!(plot(&["trajectory", "ball", "--plane", "yz"]).contains("y (m)"));
    let phase = plot(&["phase", "ball.z"]);
    assert!(phase.contains(">z (m)<") && phase.contains("velocity z (m/s)"), "{phase}");
    assert!(
        plot(&["of", "ball.z", "--against", "ball.x", "--formula", "x^2"]).contains("ball.z against ball.x")
    );
    for (arguments, expected) in [
        (&["of", "ball.q"][..], "there is no quantity named `ball.q`"),
        (&["of", "ball.z", "--formula", "2 *"], "cannot be read at its end"),
        (&["trajectory", "ball", "--plane", "xx"], "`xx` is no plane"),
        (&["energy", "--formula", "t"], "takes no --formula"),
        (&["joint"], "has no hinge and no slider"),
        (&["of"], "needs quantities"),
    ] {
        let output = folder.run(&[&["plot", "run.msdr"], arguments].concat());
        assert_eq!(code(&output), 2, "{arguments:?}");
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
