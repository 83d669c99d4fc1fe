//! The commands of the README work as printed.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod support;

use std::path::Path;

use support::{Folder, gallery, text};

/// The code after a mark in the README.
fn block(mark: &str) -> String {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(readme).unwrap();
    let (_, after) = readme.split_once(&format!("<!-- {mark} -->\n```")).unwrap();
    let (_, code) = after.split_once('\n').unwrap();
    code.split_once("\n```").unwrap().0.to_owned()
}

#[test]
fn its_commands_run_in_their_order() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("scenes")).unwrap();
    for scene in ["tumbling-t-handle.toml", "pendulum.toml", "arm.urdf"] {
        std::fs::copy(gallery().join(scene), folder.path("scenes").join(scene)).unwrap();
    }
    std::fs::create_dir(folder.path("sweeps")).unwrap();
    for (from, to) in
        [("../sweeps/docking.toml", "sweeps/docking.toml"), ("docking.toml", "scenes/docking.toml")]
    {
        std::fs::copy(gallery().join(from), folder.path(to)).unwrap();
    }
    for line in block("commands").lines() {
        let command = line.split('#').next().unwrap();
        let arguments: Vec<&str> = command.split_whitespace().skip(1).collect();
        if arguments[0] == "view" {
            // It runs until Ctrl-C; its first line is the address.
            let address = folder.view(&arguments);
            assert!(address.starts_with("http://127.0.0.1:"), "{command}: {address}");
            continue;
        }
        let output = folder.run(&arguments);
        assert_eq!(output.status.code(), Some(0), "{command}: {}", text(&output.stderr));
    }
    let made = [
        "pendulum.msdr",
        "energy.svg",
        "pendulum.html",
        "pendulum.csv",
        "arm.json",
        "docking-results/runs.parquet",
    ];
    for made in made {
        assert!(folder.path(made).metadata().unwrap().len() > 100, "{made}");
    }
}

#[test]
fn its_scene_falls_as_a_ball_does() {
    let folder = Folder::new();
    folder.write("ball.toml", &block("scene"));
    let output = folder.run(&["run", "ball.toml", "--quiet", "--report", "-"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    // 2 m - g/2 (1 s)².
    let height = report["bodies"]["ball"]["position"][2].as_f64().unwrap();
    assert!((height - (2.0 - 0.5 * 9.81)).abs() < 1e-12, "{height}");
}
