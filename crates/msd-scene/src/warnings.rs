//! Warnings: valid scenes that are almost certainly mistakes.

use std::collections::BTreeMap;

use msd::environment::World;
use msd::math::{ReferenceFrame, scalar};
use msd::physics::rigid_body::shape::Geometry;
use msd::physics::rigid_body::{BodyHandle, BodyKind, CollisionGroups, CombineRule, RigidBody, SurfaceRules};

use crate::model::Scene;
use crate::start_warnings;

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
        let restitution = cancelled(&bodies, "restitution", |body| {
            let SurfaceRules { states_restitution, restitution_rule, .. } = body.surface;
            (body.material.restitution, states_restitution, restitution_rule)
        });
        let friction = cancelled(&bodies, "friction", |body| {
            let SurfaceRules { states_friction, friction_rule, .. } = body.surface;
            (body.material.friction, states_friction, friction_rule)
        });
        let mut lines: Vec<String> = [
            self.too_many_steps(),
            self.less_than_a_step(),
            falls_through_itself(&bodies, world.gravity().length(), self.step()),
            turns_over(world, self.step()),
            restitution,
            friction,
        ]
        .into_iter()
        .flatten()
        .collect();
        lines.extend(start_warnings::overlaps(world));
        lines.extend(start_warnings::joints(world));
        lines
    }

    /// The longest step of the run, s.
    fn step(&self) -> f64 {
        scalar::min(self.world.dt, self.world.duration)
    }

    fn less_than_a_step(&self) -> Option<String> {
        let (duration, dt) = (self.world.duration, self.world.dt);
        (duration > 0.0 && duration < dt).then(|| {
            format!("`duration` {duration} s is less than one step of `dt` {dt} s: the run is one step of {duration} s")
        })
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

/// In the first step of a body at rest it falls by more than the largest body is long: contact is seen once in several lengths.
fn falls_through_itself(bodies: &[&RigidBody], gravity: f64, dt: f64) -> Option<String> {
    let mut largest: Option<(f64, &str)> = None;
    for body in bodies.iter().filter(|body| body.kind == BodyKind::Dynamic) {
        let Some(shape) = &body.shape else { continue };
        let extent = shape.bounding_box(&ReferenceFrame::IDENTITY).size().max_element();
        if largest.is_none_or(|(most, _)| extent > most) {
            largest = Some((extent, &body.name));
        }
    }
    let (largest, name) = largest?;
    let fall = 0.5 * gravity * dt * dt;
    (fall > largest).then(|| {
        format!("in one step of `dt` {dt} s a body falls by {fall:.3} m from rest, more than `{name}`, the largest, is long ({largest:.3} m): take a shorter `dt`")
    })
}

/// A body that turns by more than half a turn a step at the start.
fn turns_over(world: &World, dt: f64) -> Option<String> {
    let turn = |handle: BodyHandle| {
        let view = world.body(handle).ok()?;
        let angle = view.state.angular_velocity.length() * dt;
        (view.body.shape.is_some() && angle > std::f64::consts::PI).then(|| (view.body.name.clone(), angle))
    };
    let (name, angle) = world.handles().find_map(turn)?;
    let turns = angle / std::f64::consts::TAU;
    Some(format!(
        "`{name}` turns by {turns:.2} turns in one step of `dt` {dt} s: take a shorter `dt`, or check its `angular_velocity` (rad/s)"
    ))
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

/// A value that is lost because the other body of a pair states 0 and neither asks for the mean or the larger of both. `of` is the value
/// of a body, whether it states it, and its rule.
fn cancelled(
    bodies: &[&RigidBody],
    name: &str,
    of: impl Fn(&RigidBody) -> (f64, bool, CombineRule),
) -> Option<String> {
    let multiplies = |body: &RigidBody| !matches!(of(body).2, CombineRule::Mean | CombineRule::Max);
    let solid = || bodies.iter().filter(|body| body.shape.is_some() && body.kind != BodyKind::Graphical);
    // The first body without the value on each side, and how many there are.
    let mut without: BTreeMap<CollisionSide, (&str, usize)> = BTreeMap::new();
    for body in solid().filter(|body| matches!(of(body), (0.0, true, _)) && multiplies(body)) {
        without.entry(CollisionSide::of(body)).or_insert((&body.name, 0)).1 += 1;
    }
    let mut lost = solid().filter_map(|body| {
        let (own, stated, _) = of(body);
        let mut others =
            without.iter().filter(|(side, _)| CollisionSide::of(body).may_touch(**side)).map(|(_, of)| of);
        let chosen = own > 0.0 && stated && multiplies(body);
        let (first, count) = chosen.then(|| others.next()).flatten()?;
        Some((body.name.as_str(), own, *first, count + others.map(|(_, count)| count).sum::<usize>()))
    });
    let (body, own, other, others) = lost.next()?;
    let bodies = and_others(body, 1 + lost.count());
    let others = and_others(other, others);
    Some(format!(
        "{name} {own} of {bodies} has no effect against {others}, where it is 0: a pair takes the geometric mean of two values that are stated; give it another {name}, or none"
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
    fn a_step_that_is_too_long_for_the_bodies_is_named() {
        let found = warnings("dt = 0.25\nduration = 1", "", "");
        assert_eq!(
            found,
            [
                "in one step of `dt` 0.25 s a body falls by 0.307 m from rest, more than `ball`, the largest, is long (0.200 m): take a \
              shorter `dt`"
            ]
        );
        let found = warnings("dt = 0.1\nduration = 1", "", "angular_velocity = [0, 0, 62.83185307179586]");
        assert_eq!(
            found,
            [
                "`ball` turns by 1.00 turns in one step of `dt` 0.1 s: take a shorter `dt`, or check its `angular_velocity` (rad/s)"
            ]
        );
        assert!(warnings("dt = 0.02\nduration = 1", "", "angular_velocity = [0, 0, 62.8]").is_empty());
    }

    #[test]
    fn values_that_cancel_are_named() {
        let found = warnings("", "restitution = 0", "restitution = 0.8");
        assert_eq!(
            found,
            [
                "restitution 0.8 of `ball` has no effect against `floor`, where it is 0: a pair takes the geometric mean of two \
                 values that are stated; give it another restitution, or none"
            ]
        );
        assert!(warnings("", "friction = 0", "friction = 0.3")[0].starts_with("friction 0.3 of `ball`"));
    }

    #[test]
    fn overlaps_at_the_start_are_named() {
        let found = warnings(
            "",
            "",
            "[[body]]\nname = \"in\"\nmass = 1\nshape = { box = { size = [1, 1, 1] } }\nposition = [5, 0, 0.3]",
        );
        assert_eq!(
            found,
            [
                "`in` and `floor` overlap by 0.200 m at the start: the first step parts them, which adds energy"
            ]
        );
        let own = "groups = [\"a\"]\nmask = [\"a\"]";
        let apart = format!(
            "[[body]]\nname = \"in\"\nmass = 1\nshape = {{ box = {{ size = [1, 1, 1] }} }}\nposition = [5, 0, 0.3]\n{own}"
        );
        assert!(warnings("", "", &apart).is_empty());
    }

    #[test]
    fn joints_that_do_not_fit_are_named() {
        let joint = "[[joint]]\nname = \"rod\"\ntype = \"distance\"\na = \"world\"\nb = \"ball\"\nanchor_a = [0, 0, 3]\n\
                     anchor_b = [0, 0, 1]\nlength = 2.5\n";
        let found = warnings("", "", joint);
        assert!(found.len() == 1 && found[0].starts_with("joint `rod` is open by 0.5"), "{found:?}");
        assert!(warnings("", "", &joint.replace("2.5", "2.0")).is_empty());
    }

    #[test]
    fn a_duration_below_a_step_is_named() {
        let found = warnings("dt = 0.5\nduration = 0.1", "", "");
        assert!(found.len() == 1 && found[0].contains("less than one step"), "{found:?}");
    }

    #[test]
    fn what_was_meant_is_not_warned_about() {
        assert!(warnings("", "", "").is_empty());
        assert!(warnings("", "", "restitution = 0.8").is_empty(), "the floor states none");
        assert!(warnings("", "friction = 0", "").is_empty());
        assert!(warnings("", "restitution = 0.5", "restitution = 0.8").is_empty());
        assert!(warnings("", "groups = [\"a\"]", "restitution = 0.8\nmask = [\"b\"]").is_empty());
    }

    #[test]
    fn a_number_of_steps_out_of_all_proportion_is_named() {
        for world in ["duration = 1e18", "dt = 1e-308"] {
            let found = warnings(world, "", "");
            assert!(found.len() == 1 && found[0].contains("check `duration` and `dt`"), "{found:?}");
        }
    }
}
