//! The modules of the engine form layers: each imports only from those below it, and no files inside a layer import
//! each other in a cycle.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// From the ground up. `lib.rs`, `prelude.rs` and `physics/mod.rs` only name their modules.
const LAYERS: [&str; 14] = [
    "tolerance",
    "digest",
    "threads",
    "math",
    "physics::rigid_body",
    "physics::collision",
    "physics::forces",
    "physics::constraints",
    "physics::articulation",
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

/// Folders whose files still form import cycles. Empty it, never extend it.
const CYCLIC_FOLDERS: [&str; 2] = ["environment::contact", "physics::constraints::contact"];

/// Folders inside them without cycles.
const ACYCLIC_FOLDERS: [&str; 2] = ["environment::contact::fast", "physics::constraints::contact::soft"];

/// Data types that contain each other: a compound has shapes, and a shape may be a compound.
const RECURSIVE_TYPES: [&str; 2] =
    ["physics::rigid_body::shape::compound", "physics::rigid_body::shape::shape"];

/// The `use` declarations and other paths of one file.
struct Imports {
    /// True for `pub use`, in whatever visibility.
    is_reexport: bool,
    path: String,
}

/// Splits `a::{b, c::{d, e}}` into `a::b`, `a::c::d` and `a::c::e`.
fn expand(tree: &str, paths: &mut Vec<String>) {
    let Some((prefix, rest)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap().trim();
        if !path.is_empty() {
            paths.push(path.to_owned());
        }
        return;
    };
    let (mut depth, mut item) = (0, String::new());
    for c in rest.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth < 0 || (c == ',' && depth == 0) {
            expand(&format!("{}{}", prefix.trim(), item.trim()), paths);
            item.clear();
            if depth < 0 {
                return;
            }
        } else {
            item.push(c);
        }
    }
}

/// Paths that a file imports or names, without comments and tests.
fn imports(text: &str) -> Vec<Imports> {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let (mut found, mut others) = (Vec::new(), String::new());
    for statement in code.join("\n").split_inclusive(';') {
        let start = statement.rfind("use ").filter(|at| {
            let line = statement[..*at].rsplit('\n').next().unwrap().trim();
            line.is_empty() || line.starts_with("pub")
        });
        let Some(start) = start else {
            others.push_str(statement);
            continue;
        };
        let is_reexport = statement[..start].rsplit('\n').next().unwrap().trim().starts_with("pub");
        let mut paths = Vec::new();
        expand(statement[start + "use ".len()..].trim_end_matches(';'), &mut paths);
        found.extend(paths.into_iter().map(|path| Imports { is_reexport, path }));
        others.push_str(&statement[..start]);
    }
    for root in ["crate::", "super::"] {
        for (at, _) in others.match_indices(root) {
            if !others[..at].ends_with([':', '(']) || others[..at].ends_with("::(") {
                let path = others[at..].split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').next();
                found.push(Imports { is_reexport: false, path: path.unwrap().to_owned() });
            }
        }
    }
    found
}

/// Every module of the engine with its imports.
struct Modules(BTreeMap<String, Vec<Imports>>);

impl Modules {
    fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut files = Vec::new();
        sources(&root, &mut files);
        let module = |file: &PathBuf| {
            let relative = file.strip_prefix(&root).unwrap().with_extension("");
            let name = relative.to_string_lossy().replace(['/', '\\'], "::");
            let name = name.strip_suffix("::mod").unwrap_or(&name).to_owned();
            (name, imports(&fs::read_to_string(file).unwrap()))
        };
        Self(files.iter().map(module).collect())
    }

    /// The module in which a path that `module` names is defined, following re-exports.
    fn definition(&self, module: &str, path: &str) -> Option<String> {
        let mut names: Vec<&str> = module.split("::").collect();
        let mut parts: Vec<&str> = path.split("::").collect();
        match parts[0] {
            "crate" => names.clear(),
            "self" => {}
            "super" => {
                while parts.first() == Some(&"super") {
                    names.pop();
                    parts.remove(0);
                }
                parts.insert(0, "");
            }
            child if self.0.contains_key(&format!("{module}::{child}")) => parts.insert(0, ""),
            _ => return None,
        }
        names.extend(&parts[1..]);
        let length = (1..=names.len()).rev().find(|n| self.0.contains_key(&names[..*n].join("::")))?;
        let owner = names[..length].join("::");
        let reexport = names.get(length).and_then(|name| {
            let named =
                |import: &&Imports| import.is_reexport && import.path.rsplit("::").next() == Some(name);
            self.0[&owner].iter().find(named)
        });
        reexport.and_then(|import| self.definition(&owner, &import.path)).or(Some(owner))
    }

    /// The modules that each imports from: not its own parents, and not children that it only re-exports.
    fn graph(&self) -> BTreeMap<&str, Vec<String>> {
        let edges = |(module, imports): (&'_ String, &Vec<Imports>)| {
            let mut targets: Vec<String> = imports
                .iter()
                .filter_map(|import| Some((import, self.definition(module, &import.path)?)))
                .filter(|(import, target)| {
                    let is_parent = module.starts_with(&format!("{target}::"));
                    let is_child = target.starts_with(&format!("{module}::"));
                    target != module && !is_parent && !(import.is_reexport && is_child)
                })
                .map(|(_, target)| target)
                .collect();
            targets.sort();
            targets.dedup();
            targets
        };
        self.0.iter().map(|entry| (entry.0.as_str(), edges(entry))).collect()
    }
}

/// Modules that can be reached from `start`, `start` itself only by a cycle.
fn reachable<'a>(graph: &'a BTreeMap<&str, Vec<String>>, start: &str) -> BTreeSet<&'a str> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![start.to_owned()]);
    while let Some(module) = open.pop() {
        for target in &graph[module.as_str()] {
            if reached.insert(target.as_str()) {
                open.push(target.clone());
            }
        }
    }
    reached
}

/// Modules in a cycle, apart from the known ones, with their imports that close it.
fn cycles(graph: &BTreeMap<&str, Vec<String>>) -> Vec<String> {
    let is_known = |module: &str| {
        let is_in = |folders: &[&str]| folders.iter().any(|folder| module.starts_with(folder));
        RECURSIVE_TYPES.contains(&module) || (is_in(&CYCLIC_FOLDERS) && !is_in(&ACYCLIC_FOLDERS))
    };
    let is_cyclic = |module: &&&str| !is_known(module) && reachable(graph, module).contains(**module);
    let shown = |module: &&str| {
        let back = |target: &&String| reachable(graph, target).contains(module);
        format!("{module} -> {:?}", graph[module].iter().filter(back).collect::<Vec<_>>())
    };
    graph.keys().filter(is_cyclic).map(shown).collect()
}

#[test]
fn files_do_not_import_each_other_in_a_circle() {
    let modules = Modules::read();
    let graph = modules.graph();
    assert!(graph.values().map(Vec::len).sum::<usize>() > 500, "the imports were not found");
    let cyclic = cycles(&graph);
    assert!(cyclic.is_empty(), "import cycles:\n{}", cyclic.join("\n"));
}

#[test]
fn a_cycle_over_a_reexport_and_three_files_is_detected() {
    let sources = [
        ("m", "pub use a::A;\npub use b::B;\n"),
        ("m::a", "use super::B;\n"),
        ("m::b", "use super::c::C;\n"),
        ("m::c", "fn f() { crate::m::A::new(); }\n"),
        ("m::d", "use super::A;\n"),
    ];
    let modules = Modules(sources.map(|(name, text)| (name.to_owned(), imports(text))).into());
    let expected = ["m::a -> [\"m::b\"]", "m::b -> [\"m::c\"]", "m::c -> [\"m::a\"]"];
    assert_eq!(cycles(&modules.graph()), expected);
}

#[test]
fn imports_are_read_from_nested_braces_and_inline_paths() {
    let text = "use super::{a::B, c::{D, E as F}};\npub use child::G;\n// use crate::h;\nlet x = super::i::j();\n\
                #[cfg(test)]\nmod tests {\n    use crate::k;\n}\n";
    let found: Vec<(bool, String)> = imports(text).into_iter().map(|i| (i.is_reexport, i.path)).collect();
    let expected =
        [(false, "super::a::B"), (false, "super::c::D"), (false, "super::c::E"), (true, "child::G")];
    for (is_reexport, path) in expected {
        assert!(found.contains(&(is_reexport, path.to_owned())), "{path}: {found:?}");
    }
    assert!(found.contains(&(false, "super::i::j".to_owned())), "{found:?}");
    assert_eq!(found.len(), 5, "{found:?}");
}
