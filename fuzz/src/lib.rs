//! What the fuzz targets check, as plain functions of bytes: libFuzzer drives them through `fuzz_targets/`, and the
//! `replay` binary drives the same functions on a stable compiler.
//!
//! A check panics when a promise of the engine is broken, and returns otherwise. Each module states its promises.

pub mod api_sequence;
pub mod bytes;
pub mod distance;
pub mod hull;
pub mod manifold;
pub mod mass;
pub mod mesh_files;
pub mod random_world;
pub mod scene;
pub mod shapes;
pub mod snapshot;
pub mod world_bytes;

/// A check by name, with inputs to mutate for those that read a format.
pub struct Target {
    pub name: &'static str,
    pub check: fn(&[u8]),
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// Every target, in the order of the alphabet.
pub const TARGETS: [Target; 10] = [
    Target { name: "api_sequence", check: api_sequence::check, seeds: Vec::new },
    Target { name: "distance", check: distance::check, seeds: Vec::new },
    Target { name: "hull", check: hull::check, seeds: Vec::new },
    Target { name: "manifold", check: manifold::check, seeds: Vec::new },
    Target { name: "mass", check: mass::check, seeds: Vec::new },
    Target { name: "mesh_files", check: mesh_files::check, seeds: mesh_files::seeds },
    Target { name: "random_world", check: random_world::check, seeds: Vec::new },
    Target { name: "scene", check: scene::check, seeds: scene::seeds },
    Target { name: "snapshot", check: snapshot::check, seeds: Vec::new },
    Target { name: "world_bytes", check: world_bytes::check, seeds: Vec::new },
];
