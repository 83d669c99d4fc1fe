//! Scene files: no text makes the reader panic or hang, as TOML, as JSON or as a robot in XML; a scene that is read is built
//! or refused with reasons.

use msd_scene::Scene;
use msd_scene::source::Format;

pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for format in [Format::Toml, Format::Json, Format::Robot] {
        match Scene::parse_str("fuzz", &text, format) {
            Ok(scene) => drop(scene.build()),
            Err(errors) => drop(errors.to_string()),
        }
    }
}

/// The scenes of the gallery.
pub fn seeds() -> Vec<Vec<u8>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenes");
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    files.into_iter().filter_map(|file| std::fs::read(file).ok()).collect()
}
