//! Warnings: valid scenes that are almost certainly mistakes.

use std::collections::BTreeMap;

use msd::environment::World;
use msd::physics::rigid_body::{BodyKind, CollisionGroups, Material, RigidBody};

use crate::model::Scene;

/// Steps beyond which a run cannot have been meant: ten billion take hours at a million steps a second.
const MANY_STEPS: f64 = 1e10;
/// Seconds in a year.
const YEAR: f64 = 31_557_600.0;

impl Scene {
    /// One line for each thing that is legal and almost certainly not meant; `world` is the world built from this scene.
    #[must_use]
    pub fn warnings(&self, world: &World) -> Vec<String> {
        let bodies: Vec<&RigidBody> =
            world.handles().filter_map(|h| Some(world.body(h).ok()?.body)).collect();
        let default = Material::default();
        let restitution = cancelled(&bodies, "restitution", |material| material.restitution, 0.0);
        let friction = cancelled(&bodies, "friction", |material| material.friction, default.friction);
        [self.too_many_steps(), restitution, friction].into_iter().flatten().collect()
    }

    fn too_many_steps(&self) -> Option<String> {
        let (duration, dt) = (self.world.duration, self.world.dt);
        let steps = duration / dt;
        (steps > MANY_STEPS).then(|| {
            let years = steps / 1e6 / YEAR;
            format!(
                "{duration:e} s in steps of {dt:e} s are {steps:.1e} steps, {years:.1e} years at a million steps a second: check \
                 `duration` and `dt`"
            )
        })
    }
}

/// Collision properties of a body for the warnings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct CollisionSide {
    groups: u32,
    mask: u32,
    dynamic: bool,
}

impl CollisionSide {
    fn of(body: &RigidBody) -> Self {
        let CollisionGroups { groups, mask } = body.collision;
        Self { groups, mask, dynamic: body.kind == BodyKind::Dynamic }
    }

    fn may_touch(self, other: Self) -> bool {
        self.groups & other.mask != 0 && other.groups & self.mask != 0 && (self.dynamic || other.dynamic)
    }
}

/// A value that is lost because the other body of a pair has none: pairs take the geometric mean. Values that are `usual` were
/// hardly chosen.
fn cancelled(
    bodies: &[&RigidBody],
    name: &str,
    value: impl Fn(&Material) -> f64,
    usual: f64,
) -> Option<String> {
    let solid = || bodies.iter().filter(|body| body.shape.is_some() && body.kind != BodyKind::Graphical);
    // The first body without the value on each side, and how many there are.
    let mut without: BTreeMap<CollisionSide, (&str, usize)> = BTreeMap::new();
    for body in solid().filter(|body| value(&body.material) == 0.0) {
        without.entry(CollisionSide::of(body)).or_insert((&body.name, 0)).1 += 1;
    }
    let mut lost = solid().filter_map(|body| {
        let own = value(&body.material);
        let mut others =
            without.iter().filter(|(side, _)| CollisionSide::of(body).may_touch(**side)).map(|(_, of)| of);
        let chosen = own > 0.0 && own != usual;
        let (first, count) = chosen.then(|| others.next()).flatten()?;
        Some((body.name.as_str(), own, *first, count + others.map(|(_, count)| count).sum::<usize>()))
    });
    let (body, own, other, others) = lost.next()?;
    let bodies = and_others(body, 1 + lost.count());
    let others = and_others(other, others);
    Some(format!(
        "{name} {own} of {bodies} has no effect against {others}, where it is 0: a pair takes the geometric mean; give both a {name}"
    ))
}

fn and_others(first: &str, count: usize) -> String {
    match count {
        0 | 1 => format!("`{first}`"),
        2 => format!("`{first}` and 1 other body"),
        _ => format!("`{first}` and {} other bodies", count - 1),
    }
}

#[cfg(test)]
mod tests {
    use crate::Scene;
    use crate::source::Format;

    fn warnings(world: &str, floor: &str, ball: &str) -> Vec<String> {
        let text = format!(
            "format = 1\n[world]\n{world}\n[[body]]\nname = \"floor\"\nkind = \"static\"\nshape = {{ plane = {{ normal = [0, 0, 1] }} }}\n\
             {floor}\n[[body]]\nname = \"ball\"\nmass = 1\nshape = {{ sphere = {{ radius = 0.1 }} }}\nposition = [0, 0, 1]\n{ball}\n"
        );
        let scene = Scene::parse_str("t.toml", &text, Format::Toml).unwrap();
        let built = scene.build().unwrap();
        scene.warnings(built.engine.world())
    }

    #[test]
    fn values_that_cancel_are_named() {
        let told = warnings("", "", "restitution = 0.8");
        assert_eq!(
            told,
            [
                "restitution 0.8 of `ball` has no effect against `floor`, where it is 0: a pair takes the geometric mean; \
              give both a restitution"
            ]
        );
        assert!(warnings("", "friction = 0", "friction = 0.3")[0].starts_with("friction 0.3 of `ball`"));
    }

    #[test]
    fn what_was_meant_is_not_warned_about() {
        assert!(warnings("", "", "").is_empty());
        assert!(warnings("", "friction = 0", "").is_empty());
        assert!(warnings("", "restitution = 0.5", "restitution = 0.8").is_empty());
        assert!(warnings("", "groups = [\"a\"]", "restitution = 0.8\nmask = [\"b\"]").is_empty());
    }

    #[test]
    fn a_number_of_steps_out_of_all_proportion_is_named() {
        for world in ["duration = 1e18", "dt = 1e-308"] {
            let told = warnings(world, "", "");
            assert!(told.len() == 1 && told[0].contains("check `duration` and `dt`"), "{told:?}");
        }
    }
}
