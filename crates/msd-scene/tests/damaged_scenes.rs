//! Damaged scenes: whatever happens to a file, it is read, or refused with a place inside it.

#![expect(clippy::unwrap_used, reason = "a test ends where a promise is broken")]

use std::path::Path;

use msd_scene::Scene;
use msd_scene::source::Format;
use proptest::prelude::*;

fn gallery(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// The text with some characters replaced, dropped or doubled.
fn damaged(text: &str, damages: &[(usize, char)]) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for (at, to) in damages {
        let at = at % characters.len();
        match to {
            'x' => drop(characters.remove(at)),
            'd' => characters.insert(at, characters[at]),
            other => characters[at] = *other,
        }
    }
    characters.into_iter().collect()
}

fn assert_read_or_refused(text: &str, format: Format) {
    if let Err(errors) = Scene::parse_str("damaged", text, format) {
        assert!(!errors.problems.is_empty());
        let lines = text.matches('\n').count() + 1;
        for problem in &errors.problems {
            let (line, column) = problem.place.unwrap();
            assert!(line <= lines && column >= 1, "{}", problem.one_line());
            assert!(!problem.message.is_empty());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_scene_is_read_or_refused_with_a_place(
        scene in prop::sample::select(vec!["satellite.toml", "gyroscope.toml", "spring-mass.toml", "rocket.toml", "motor.toml"]),
        damages in prop::collection::vec((any::<usize>(), prop::sample::select("xd[]{}=.,\"\n-09eé#".chars().collect::<Vec<_>>())), 1..6),
    ) {
        let text = gallery(scene);
        assert_read_or_refused(&damaged(&text, &damages), Format::Toml);
        let table: toml::Table = text.parse().unwrap();
        let json = serde_json::to_string_pretty(&table).unwrap();
        assert_read_or_refused(&damaged(&json, &damages), Format::Json);
    }
}
