//! Collision filtering by named groups.
//!
//! Every name that a scene mentions becomes one bit of the engine's filter; `default` is the group of bodies
//! that name none. A body without a mask can touch all groups.

use msd::physics::rigid_body;

use super::bodies::meets_others;
use crate::error::Finding;
use crate::model::{Body, Scene};
use crate::source::Path;

/// Bits of the engine's masks.
const MOST_GROUPS: usize = 32;

/// The group of bodies that name none.
const DEFAULT: &str = "default";

/// The names of a scene's groups; the place of a name is its bit.
pub(super) struct CollisionGroups<'s>(Vec<&'s str>);

impl<'s> CollisionGroups<'s> {
    pub(super) fn of(scene: &'s Scene) -> Result<Self, Finding> {
        let mut names = vec![DEFAULT];
        for (i, body) in scene.body.iter().enumerate() {
            for (key, list) in [("groups", &body.groups), ("mask", &body.mask)] {
                for name in list.iter().flatten() {
                    if !names.contains(&name.as_str()) {
                        names.push(name);
                    }
                }
                if names.len() > MOST_GROUPS {
                    let at = Path::root().key("body").index(i).key(key);
                    let message = format!(
                        "body `{}`: more than {} groups besides `{DEFAULT}`",
                        body.name,
                        MOST_GROUPS - 1
                    );
                    return Err(Finding::at(&at, message, "expected fewer different names of groups"));
                }
            }
        }
        Ok(Self(names))
    }

    pub(super) fn of_body(&self, body: &Body) -> rigid_body::CollisionGroups {
        if !meets_others(body) {
            return rigid_body::CollisionGroups::NONE;
        }
        rigid_body::CollisionGroups {
            groups: body.groups.as_ref().map_or(1, |names| self.bits(names)),
            mask: body.mask.as_ref().map_or(u32::MAX, |names| self.bits(names)),
        }
    }

    fn bits(&self, names: &[String]) -> u32 {
        names
            .iter()
            .filter_map(|name| self.0.iter().position(|known| known == name))
            .fold(0, |bits, bit| bits | 1 << bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Format;
    use msd::physics::collision::broad_phase::{Filter, PairFilter};

    fn ball(name: &str, more: &str) -> String {
        format!("[[body]]\nname = \"{name}\"\nmass = 1\nshape = {{ sphere = {{ radius = 0.1 }} }}\n{more}\n")
    }

    #[test]
    fn bodies_touch_if_each_can_touch_the_other() {
        let text = [
            "format = 1".to_owned(),
            ball("a", ""),
            ball("b", "groups = [\"ghosts\"]\nmask = [\"floor\"]"),
            ball("c", "groups = [\"floor\"]"),
            ball("d", "mask = [\"default\"]"),
            ball("e", "collides = false"),
        ]
        .join("\n");
        let built = Scene::parse_str("t.toml", &text, Format::Toml).unwrap().build().unwrap();
        let filter = |body: usize| {
            let groups = built.engine.world().body(built.bodies[body].1).unwrap().body.collision;
            Filter { groups: groups.groups, mask: groups.mask, moves: true }
        };
        let touch = |a: usize, b: usize| PairFilter::default().collides(0, &filter(a), 1, &filter(b));
        let pairs: Vec<String> = (0..5)
            .flat_map(|a| (a + 1..5).map(move |b| (a, b)))
            .filter(|(a, b)| touch(*a, *b))
            .map(|(a, b)| format!("{a}{b}"))
            .collect();
        // a-c: c is in `floor` and a touches all; b touches only the floor; d touches only `default`, which is a.
        assert_eq!(pairs, ["02", "03", "12"]);
    }

    #[test]
    fn a_trigger_of_a_scene_reports_who_is_inside_and_touches_nothing() {
        let gate = "[[body]]\nname = \"gate\"\nkind = \"static\"\ntrigger = true\nshape = { box = { size = [1, 1, 0.2] } }\n";
        let text = format!("format = 1\n{gate}{}", ball("ball", "position = [0, 0, 0.5]"));
        let mut built = Scene::parse_str("t.toml", &text, Format::Toml).unwrap().build().unwrap();
        let mut kinds = Vec::new();
        for _ in 0..500 {
            built.engine.step(1e-3).unwrap();
            kinds.extend(built.engine.world().trigger_events().iter().map(|event| event.kind));
        }
        use msd::environment::TriggerEventKind::{Enter, Leave};
        assert_eq!(kinds, [Enter, Leave]);
        // Free fall, z = z₀ + v t - g t²/2 exactly: nothing was touched.
        let ball = built.engine.world().find("ball").unwrap();
        let height = built.engine.world().frame(ball).unwrap().position.z;
        assert!((height - (0.5 - 0.5 * 9.81 * 0.25)).abs() < 1e-9, "{height}");
    }

    #[test]
    fn there_are_at_most_31_groups_of_ones_own() {
        let many = |count: usize| {
            let names: Vec<String> = (0..count).map(|i| format!("\"g{i}\"")).collect();
            format!("format = 1\n{}", ball("a", &format!("groups = [{}]", names.join(", "))))
        };
        assert!(Scene::parse_str("t.toml", &many(31), Format::Toml).is_ok());
        let message = Scene::parse_str("t.toml", &many(32), Format::Toml).unwrap_err().to_string();
        assert!(
            message.starts_with("t.toml:6:10: body `a`: more than 31 groups besides `default`"),
            "{message}"
        );
    }
}
