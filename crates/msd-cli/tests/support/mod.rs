//! The real program, run in a folder of its own.

#![allow(dead_code, reason = "each test file uses a part of this")]

pub(crate) mod recordings;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder for one test.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: &str) {
        fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_msd")).args(arguments).current_dir(self.0.path()).output().unwrap()
    }

    /// Starts the viewer, and ends it when it has said where it is: the address.
    pub(crate) fn view(&self, arguments: &[&str]) -> String {
        let mut child = Command::new(env!("CARGO_BIN_EXE_msd"))
            .args(arguments)
            .arg("--no-open")
            .current_dir(self.0.path())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address =
            lines.map_while(Result::ok).find_map(|line| Some(line.strip_prefix("view")?.trim().to_owned()));
        child.kill().unwrap();
        child.wait().unwrap();
        address.unwrap_or_default()
    }
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The folder of the gallery.
pub(crate) fn gallery() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes")
}

/// The report of a scene of the gallery, run with more arguments.
pub(crate) fn report_of(scene: &str, more: &[&str]) -> Report {
    let path = gallery().join(scene);
    let mut arguments = vec!["run", path.to_str().unwrap(), "--report", "-"];
    arguments.extend(more);
    let output = Folder::new().run(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    Report(serde_json::from_slice(&output.stdout).unwrap())
}

/// A report, read as a program would.
pub(crate) struct Report(pub(crate) Value);

impl Report {
    pub(crate) fn number(&self, pointer: &str) -> f64 {
        self.0.pointer(pointer).and_then(Value::as_f64).unwrap_or_else(|| panic!("no number at {pointer}"))
    }

    pub(crate) fn vector<const N: usize>(&self, pointer: &str) -> [f64; N] {
        let values: Vec<f64> = self
            .0
            .pointer(pointer)
            .unwrap()
            .as_array()
            .unwrap()
            .iter()
            .map(|x| x.as_f64().unwrap())
            .collect();
        values.try_into().unwrap()
    }

    pub(crate) fn of<const N: usize>(&self, body: &str, what: &str) -> [f64; N] {
        self.vector(&format!("/bodies/{body}/{what}"))
    }

    pub(crate) fn hash(&self) -> &str {
        self.0["state_hash"].as_str().unwrap()
    }
}

pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Largest difference of two vectors.
pub(crate) fn distance<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// A world vector in the axes of a body: `q⁻¹ v q`.
pub(crate) fn to_body([w, x, y, z]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let u = [-x, -y, -z];
    let t = cross(u, v).map(|c| 2.0 * c);
    let s = cross(u, t);
    [v[0] + w * t[0] + s[0], v[1] + w * t[1] + s[1], v[2] + w * t[2] + s[2]]
}
