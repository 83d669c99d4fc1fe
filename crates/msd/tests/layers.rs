//! The modules of the engine form layers: each imports only from those below it.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

/// From the ground up. `lib.rs`, `prelude.rs` and `physics/mod.rs` only name their modules.
const LAYERS: [&str; 13] = [
    "tolerance",
    "digest",
    "threads",
    "math",
    "physics::rigid_body",
    "physics::collision",
    "physics::potential_energy",
    "physics::constraints",
    "physics::integration",
    "certificate",
    "environment",
    "agent",
    "engine",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Rank of the layer whose name begins the module path, and `None` for paths that name no layer.
fn rank(module_path: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| {
        module_path
            .strip_prefix(layer)
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    })
}

#[test]
fn a_module_imports_only_from_the_layers_below_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 20, "the sources were not found");
    let mut upward = Vec::new();
    for file in files {
        let relative = file.strip_prefix(&root).unwrap().to_string_lossy().replace(['/', '\\'], "::");
        let Some(own) = rank(&relative) else { continue };
        let text = fs::read_to_string(&file).unwrap();
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for (at, _) in line.match_indices("crate::") {
                let path = &line[at + "crate::".len()..];
                assert!(
                    !path.starts_with('{') && !path.starts_with("physics::{"),
                    "{relative}: write one `use crate::…` a layer, so that this test can read it: {line}"
                );
                if rank(path).is_some_and(|imported| imported > own) {
                    upward.push(format!("{relative}: {}", line.trim()));
                }
            }
        }
    }
    assert!(upward.is_empty(), "imports from a layer above:\n{}", upward.join("\n"));
}

#[test]
fn the_ranks_follow_whole_module_names() {
    assert_eq!(rank("math::Vec3"), Some(3));
    assert_eq!(rank("physics::rigid_body::shape"), Some(4));
    assert_eq!(rank("mathematics"), None);
    assert!(rank("engine") > rank("environment::World"));
}

#[test]
fn the_certificate_imports_no_solver_no_narrow_phase_and_no_world() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/certificate"), &mut files);
    assert!(files.len() > 5, "the sources were not found");
    let mut imports = 0;
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let Some((_, path)) = line.split_once("crate::") else { continue };
            imports += 1;
            for foreign in ["collision", "contact", "solver", "integrat", "environment", "world", "engine"] {
                assert!(!path.contains(foreign), "{}: {line}", file.display());
            }
        }
    }
    assert!(imports > 10, "the imports were not read");
}
