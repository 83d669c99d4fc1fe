//! Every command on the page `docs/assets.md` runs, in order, with the output on the page.

use std::{fs, process::Command};

const PAGE: &str = include_str!("../../../docs/assets.md");

/// The contents of the fenced blocks in that language.
fn blocks(language: &str) -> impl Iterator<Item = &str> {
    PAGE.split("```")
        .skip(1)
        .step_by(2)
        .filter_map(move |block| block.strip_prefix(language)?.strip_prefix('\n'))
}

#[test]
fn the_page_shows_what_the_program_prints() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("wedge.obj"), blocks("obj").next().unwrap()).unwrap();
    let mut commands = 0;
    for session in blocks("console").flat_map(|block| block.split("$ msd ").skip(1)) {
        let (line, expected) = session.split_once('\n').unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_msd"))
            .args(line.split_whitespace())
            .current_dir(folder.path())
            .output()
            .unwrap();
        let said = [output.stderr, output.stdout].concat();
        assert_eq!(String::from_utf8(said).unwrap(), expected, "$ msd {line}");
        commands += 1;
    }
    assert_eq!(commands, 9);
}
