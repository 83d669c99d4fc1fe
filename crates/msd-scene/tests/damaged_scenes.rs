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

    #[test]
    fn a_damaged_robot_is_read_or_refused_with_a_place(
        robot in prop::sample::select(vec![0, 1]),
        damages in prop::collection::vec((any::<usize>(), prop::sample::select("xd<>/=\"'.,&; \n-09eé#".chars().collect::<Vec<_>>())), 1..6),
    ) {
        let text = [gallery("arm.urdf"), MODEL.to_owned()][robot].clone();
        assert_read_or_refused(&damaged(&text, &damages), Format::Robot);
    }
}

/// A little of everything that MJCF has.
const MODEL: &str = r#"<mujoco model="m">
<compiler angle="degree" eulerseq="zyx" autolimits="true"/><option timestep="0.01" gravity="0 0 -1"><flag contact="enable"/></option>
<default><geom density="100" friction="0.5 0.1 0.1" condim="6"/><default class="c"><joint axis="1 0 0" range="-90 90"/></default></default>
<asset><mesh name="t" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale="2 2 2" refpos="1 0 0"/></asset>
<worldbody><geom name="floor" type="plane" size="1 1 1"/><frame pos="0 0 1" euler="10 20 30">
<body name="a" childclass="c" pos="1 0 0"><joint name="j" frictionloss="0.1"/><joint type="slide" axis="0 1 0"/><geom type="capsule" size="0.1" fromto="0 0 0 1 0 0"/>
<body name="b" xyaxes="0 1 0 -1 0 0"><inertial pos="0 0 1" mass="2" diaginertia="1 1 1"/><joint type="ball" ref="3"/><geom type="mesh" mesh="t" contype="2" conaffinity="4"/></body></body></frame>
<body name="c" pos="9 0 0"><freejoint/><geom type="ellipsoid" size="0.1 0.2 0.3" mass="2"/></body></worldbody>
<equality><connect body1="b" body2="c" anchor="1 0 0"/><weld body1="a"/></equality><contact><exclude body1="a" body2="c"/></contact>
</mujoco>"#;
