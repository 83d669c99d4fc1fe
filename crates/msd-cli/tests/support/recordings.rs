//! Recordings for tests, and damage to them.

use std::process::Output;

use super::{Folder, text};

/// A ball that falls for half a second: 501 frames.
pub(crate) const DROP: &str = r#"
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
pub(crate) fn pages_end(file: &[u8]) -> usize {
    4096 * u32::from_be_bytes([file[28], file[29], file[30], file[31]]) as usize
}

/// Takes the seal away, as a database tool that makes a copy does.
pub(crate) fn unseal(folder: &Folder, name: &str) {
    let bytes = std::fs::read(folder.path(name)).unwrap();
    std::fs::write(folder.path(name), &bytes[..pages_end(&bytes)]).unwrap();
}

pub(crate) fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

/// Runs `drop.toml` with these arguments and expects success.
pub(crate) fn record(folder: &Folder, scene: &str, more: &[&str]) -> Output {
    folder.write("drop.toml", scene);
    let mut arguments = vec!["run", "drop.toml", "--record", "run.msdr"];
    arguments.extend(more);
    let output = folder.run(&arguments);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    output
}
