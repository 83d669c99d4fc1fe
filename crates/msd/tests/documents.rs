//! The documents of the project say what is there: every path they name exists, and the first program prints what
//! the README shows.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_path_buf()
}

/// Everything in backticks that looks like a path of this project.
fn named_paths(text: &str) -> Vec<String> {
    let mut paths: Vec<String> = text
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|code| code.contains('/') && !code.contains([' ', '<', '*', '{', '$', ':', '"', '(']))
        .map(|code| code.trim_end_matches('/').to_owned())
        .collect();
    paths.extend(link_targets(text));
    paths
}

/// Targets of markdown links into the project.
fn link_targets(text: &str) -> Vec<String> {
    text.split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .map(|target| target.split('#').next().unwrap_or("").to_owned())
        .filter(|target| !target.is_empty() && !target.contains("://"))
        .collect()
}

#[test]
fn every_path_named_in_the_documents_exists() {
    let root = project();
    for document in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = fs::read_to_string(root.join(document)).unwrap();
        let paths = named_paths(&text);
        for path in &paths {
            assert!(root.join(path).exists(), "{document} names `{path}`, which does not exist");
        }
        if document == "ARCHITECTURE.md" {
            assert!(paths.len() > 15, "{document} should name the files it speaks of");
        }
    }
}

/// Names of all functions in the sources and tests of all crates.
fn functions(folder: &Path, names: &mut std::collections::BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            functions(&path, names);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let found = text.split("fn ").skip(1).filter_map(|rest| rest.split(['(', '<']).next());
            names.extend(found.map(str::to_owned));
        }
    }
}

#[test]
fn every_test_that_the_list_of_defects_names_exists() {
    let root = project();
    let mut names = std::collections::BTreeSet::new();
    functions(&root.join("crates"), &mut names);
    let text = fs::read_to_string(root.join("docs/regressions.md")).unwrap();
    let tests = text.split('`').skip(1).step_by(2).filter(|code| code.matches('_').count() > 2);
    let tests: Vec<_> = tests.filter(|code| !code.contains([' ', '/', '.', ':'])).collect();
    assert!(tests.len() > 80, "{}", tests.len());
    for test in tests {
        assert!(names.contains(test), "docs/regressions.md names `{test}`, which does not exist");
    }
}

#[test]
fn links_between_the_pages_lead_somewhere() {
    let docs = project().join("docs");
    for entry in fs::read_dir(&docs).unwrap() {
        let page = entry.unwrap().path();
        if page.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        for target in link_targets(&fs::read_to_string(&page).unwrap()) {
            assert!(docs.join(&target).exists(), "{}: link to {target}", page.display());
        }
    }
}

/// The text between the first pair of fences that follow `marker`.
fn fenced(text: &str, marker: &str) -> String {
    let after = text.split(marker).nth(1).unwrap_or_else(|| panic!("no {marker:?} in the README"));
    let body = after.split("```").nth(1).unwrap();
    body.split_once('\n').unwrap().1.to_owned()
}

#[test]
fn the_first_program_of_the_readme_is_the_example_and_is_short() {
    let root = project();
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let program = fenced(&readme, "<!-- first program -->");
    let example = fs::read_to_string(root.join("crates/msd/examples/first.rs")).unwrap();
    assert_eq!(program, example, "README.md and crates/msd/examples/first.rs must be the same program");
    assert!(program.lines().count() <= 20, "the first program has {} lines", program.lines().count());
}

#[test]
fn the_first_program_prints_what_the_readme_shows() {
    let root = project();
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let shown = fenced(&readme, "<!-- its output -->");
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let output = std::process::Command::new(cargo)
        .args(["run", "--quiet", "-p", "msd-sim", "--example", "first"])
        .current_dir(&root)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout), shown);
}
