//! MJCF, the model format of MuJoCo: <https://mujoco.readthedocs.io/en/stable/XMLreference.html>.
//!
//! Lengths in metres and half sizes, angles in degrees unless the compiler says `radian`, quaternions (w, x, y, z).
//! Frames are local: a body's in that of its parent, a geom's or joint's in that of its body.

mod actuator;
mod assets;
mod bodies;
mod collision_filter;
mod compiler;
mod coupling;
mod defaults;
mod equality;
mod exclude;
mod geom;
mod include;
mod inertia;
mod joint;
mod keyframe;
mod mesh_mass;
mod orientation;
mod replicate;

use std::collections::BTreeSet;

use msd::math::ReferenceFrame;
use toml::Value as Plain;

use super::mechanism::{Assembled, Link, Mechanism, PlacedLink};
use super::xml::Element;
use super::{Context, RobotScene, overlaps};
use crate::model::{Field, UniformGravity};
use crate::source::Span;
use assets::Assets;
use bodies::Tree;
use compiler::Compiler;
use defaults::Defaults;
pub(super) use keyframe::Keyframes;

/// Gravity of a model that says none, m/s².
const DEFAULT_GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];

/// Step of a model that says none, s.
const DEFAULT_TIMESTEP: f64 = 0.002;

/// Attributes of `<option>` that choose among methods of MuJoCo, or set how exactly they solve.
const NUMERICS: &[&str] = &[
    "integrator",
    "cone",
    "jacobian",
    "solver",
    "iterations",
    "tolerance",
    "ls_iterations",
    "ls_tolerance",
    "noslip_iterations",
    "noslip_tolerance",
    "ccd_iterations",
    "ccd_tolerance",
    "mpr_iterations",
    "mpr_tolerance",
    "sdf_iterations",
    "sdf_initpoints",
    "impratio",
    "sleep_tolerance",
];

/// The same among flags.
const NUMERICAL_FLAGS: &[&str] = &[
    "eulerdamp",
    "warmstart",
    "multiccd",
    "nativeccd",
    "island",
    "midphase",
    "refsafe",
    "energy",
    "fwdinv",
    "invdiscrete",
    "sensor",
    "autoreset",
    "sleep",
];

/// Flags that switch a part of the physics off.
const PHYSICAL_FLAGS: [&str; 11] = [
    "constraint",
    "equality",
    "frictionloss",
    "limit",
    "contact",
    "passive",
    "gravity",
    "clampctrl",
    "filterparent",
    "actuation",
    "spring",
];

/// Context for reading the model.
struct Model<'m, 'c> {
    compiler: Compiler,
    defaults: Defaults<'m>,
    assets: Assets<'m>,
    context: &'m Context<'c>,
    /// Names in the file of joints that something refers to.
    named_joints: BTreeSet<String>,
}

/// The scene of a `<mujoco>`, and the document with what it includes.
pub(super) fn read(mut root: Element, context: &mut Context<'_>) -> Option<(Element, RobotScene)> {
    include::expand(&mut root, context);
    replicate::expand(&mut root, context.problems);
    let scene = scene(&root, context);
    Some((root, scene))
}

fn scene(root: &Element, context: &Context<'_>) -> RobotScene {
    root.skip(&["model"]);
    root.imported();
    let compiler = Compiler::read(root, context.problems);
    let defaults = Defaults::read(root, context.problems);
    let assets = Assets::read(root, &compiler, &defaults, context);
    let named_joints = actuator::named_joints(root);
    let model = Model { compiler, defaults, assets, context, named_joints };
    let mut scene = RobotScene::default();
    let (contacts, gravity) = options(root, &model, &mut scene);
    sections_without_effect(root);
    let mut tree = Tree::new(&model);
    for worldbody in root.named("worldbody") {
        tree.world(worldbody, context.base());
    }
    tree.check_pose(&root.place);
    tree.finish(contacts);
    let sites = tree.sites;
    let mut mechanism = Mechanism { links: tree.links, touches_base: true, massless_links: false };
    mechanism.set_timed_springs();
    scene.parts = mechanism.assemble(context.problems);
    let placed = mechanism.placed();
    scene.parts.fields = compensation(&mechanism, &placed, gravity, &mut scene.parts.approximations);
    equality::add(
        root,
        &model,
        &equality::Found { mechanism: &mechanism, placed: &placed, sites: &sites },
        &mut scene.parts,
    );
    coupling::add(root, &model, &mechanism, &mut scene.parts);
    actuator::add(root, &model, &mechanism, &mut scene.parts);
    keyframe::add(root, &model, &mechanism, &mut scene.parts);
    exclude::add(root, &model, &mechanism, &placed, &mut scene.parts);
    let one_tree = |parts: &Assembled, a: usize, b: usize| parts.trees[a] == parts.trees[b];
    overlaps::exclude(&mut scene.parts, context.files, one_tree);
    scene
}

/// `<option>`: step and gravity. Whether there are contacts, and gravity.
fn options(root: &Element, model: &Model<'_, '_>, scene: &mut RobotScene) -> (bool, [f64; 3]) {
    let problems = model.context.problems;
    let (mut timestep, mut gravity, mut contacts) = (None, None, true);
    let mut weightless = None;
    for option in root.named("option") {
        if !model.context.alone {
            option.ignored("the scene says step and gravity");
            continue;
        }
        option.imported();
        option.without_counterpart(NUMERICS, "of MuJoCo's solver");
        option.skip_where(&[("density", "0"), ("viscosity", "0"), ("wind", "0 0 0")]);
        option.skip(&["magnetic", "apirate", "o_margin", "o_solref", "o_solimp", "o_friction"]);
        timestep = option.number("timestep", problems).map(|dt| (dt, option.place.clone())).or(timestep);
        gravity = option.array::<3>("gravity", problems).map(|g| (g, option.place.clone())).or(gravity);
        for flag in option.named("flag") {
            flag.imported();
            flag.without_counterpart(NUMERICAL_FLAGS, "of MuJoCo's solver");
            flag.skip_where(&PHYSICAL_FLAGS.map(|name| (name, "enable")));
            flag.skip_where(&[("override", "disable")]);
            contacts &= flag.text("contact") != Some("disable");
            if flag.text("gravity") == Some("disable") {
                weightless = Some(([0.0; 3], flag.place.clone()));
            }
        }
    }
    let gravity = weightless.or(gravity);
    let own = gravity.as_ref().map_or(DEFAULT_GRAVITY, |(gravity, _)| *gravity);
    if model.context.alone {
        let (dt, place) = timestep.unwrap_or((DEFAULT_TIMESTEP, root.place.clone()));
        scene.world.push(("dt", Plain::Float(dt), place));
        if let Some((gravity, place)) = gravity {
            scene.world.push(("gravity", Plain::Array(gravity.map(Plain::Float).to_vec()), place));
        }
    }
    (contacts, own)
}

/// `gravcomp`: a gravity of its own for each body some of whose weight is carried.
fn compensation(
    mechanism: &Mechanism,
    placed: &[PlacedLink],
    gravity: [f64; 3],
    approximations: &mut Vec<(Span, String)>,
) -> Vec<Field> {
    let mut fields = Vec::new();
    for (top, link) in mechanism.links.iter().enumerate().filter(|(i, _)| placed[*i].owner == *i) {
        let Some(name) = mechanism.body_name(placed, top) else { continue };
        let members = || mechanism.links.iter().zip(placed).filter(|(_, place)| place.owner == top);
        let weight = |link: &Link| link.inertials.iter().map(|part| part.mass).sum::<f64>();
        let mass: f64 = members().map(|(link, _)| weight(link)).sum();
        let carried: f64 = members().map(|(link, _)| link.gravity_compensation * weight(link)).sum();
        if carried == 0.0 || mass == 0.0 {
            continue;
        }
        let share = carried / mass;
        let differs = |link: &Link| (link.gravity_compensation - share).abs() > 1e-9 && weight(link) > 0.0;
        if members().any(|(link, _)| differs(link)) {
            let note = "links that are one body with others have another `gravcomp`: the mean, at the centre of mass";
            approximations.push((link.place.clone(), note.to_owned()));
        }
        let acceleration = gravity.map(|g| -share * g);
        fields.push(Field::UniformGravity(UniformGravity {
            acceleration,
            bodies: Some(vec![name.to_owned()]),
        }));
    }
    fields
}

/// Sections of a model that say nothing about how bodies move, or nothing that is simulated.
fn sections_without_effect(root: &Element) {
    for section in root.children() {
        match section.name.as_str() {
            "visual" | "statistic" => section.ignored("looks are not simulated"),
            "sensor" => section.ignored("a recording has every quantity"),
            "deformable" => section.ignored("bodies are rigid"),
            "custom" | "size" | "extension" => section.ignored("for another simulator"),
            _ => {}
        }
    }
    for include in root.inner.iter().filter(|child| child.name == "include") {
        include.imported();
    }
}

impl Model<'_, '_> {
    /// The frame of an element in the one around it.
    fn frame(&self, styled: &defaults::Styled<'_>) -> ReferenceFrame {
        let problems = self.context.problems;
        let position = styled.vector("pos", problems).unwrap_or_default();
        ReferenceFrame::new(position, orientation::read(styled, &self.compiler, problems))
    }
}
