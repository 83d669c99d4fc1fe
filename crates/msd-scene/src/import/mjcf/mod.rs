//! MJCF, the model format of MuJoCo: <https://mujoco.readthedocs.io/en/stable/XMLreference.html>.
//!
//! Lengths in metres and half sizes, angles in degrees unless the compiler says `radian`, quaternions (w, x, y, z).
//! Frames are local: a body's in that of its parent, a geom's or joint's in that of its body.

mod assets;
mod bodies;
mod collision_filter;
mod compiler;
mod defaults;
mod equality;
mod exclude;
mod geom;
mod include;
mod inertia;
mod joint;
mod orientation;

use msd::math::ReferenceFrame;
use toml::Value as Plain;

use super::mechanism::{Assembled, Mechanism};
use super::xml::Element;
use super::{Context, RobotScene, overlaps};
use assets::Assets;
use bodies::Tree;
use compiler::Compiler;
use defaults::Defaults;

/// Step of a model that says none, s.
const DEFAULT_TIMESTEP: f64 = 0.002;

/// Context for reading the model.
struct Model<'m, 'c> {
    compiler: Compiler,
    defaults: Defaults<'m>,
    assets: Assets<'m>,
    context: &'m Context<'c>,
}

/// The scene of a `<mujoco>`, and the document with what it includes.
pub(super) fn read(mut root: Element, context: &mut Context<'_>) -> Option<(Element, RobotScene)> {
    include::expand(&mut root, context);
    let scene = scene(&root, context);
    Some((root, scene))
}

fn scene(root: &Element, context: &Context<'_>) -> RobotScene {
    root.skip(&["model"]);
    root.imported();
    let compiler = Compiler::read(root, context.problems);
    let defaults = Defaults::read(root, context.problems);
    let assets = Assets::read(root, &compiler, &defaults, context);
    let model = Model { compiler, defaults, assets, context };
    let mut scene = RobotScene::default();
    let contacts = options(root, &model, &mut scene);
    sections_without_effect(root);
    let mut tree = Tree::new(&model);
    for worldbody in root.named("worldbody") {
        tree.world(worldbody, context.base());
    }
    tree.check_pose(&root.place);
    tree.finish(contacts);
    let mechanism = Mechanism { links: tree.links, touches_base: true, massless_links: false };
    scene.parts = mechanism.assemble(context.problems);
    let placed = mechanism.placed();
    equality::add(root, &model, &mechanism, &placed, &mut scene.parts);
    exclude::add(root, &model, &mechanism, &placed, &mut scene.parts);
    let one_tree = |parts: &Assembled, a: usize, b: usize| parts.trees[a] == parts.trees[b];
    overlaps::exclude(&mut scene.parts, context.files, one_tree);
    scene
}

/// `<option>`: step and gravity; false if it switches contacts off.
fn options(root: &Element, model: &Model<'_, '_>, scene: &mut RobotScene) -> bool {
    let problems = model.context.problems;
    let (mut timestep, mut gravity, mut contacts) = (None, None, true);
    let mut weightless = None;
    for option in root.named("option") {
        if !model.context.alone {
            option.ignored("the scene says step and gravity");
            continue;
        }
        option.imported();
        timestep = option.number("timestep", problems).map(|dt| (dt, option.place.clone())).or(timestep);
        gravity = option.array::<3>("gravity", problems).map(|g| (g, option.place.clone())).or(gravity);
        for flag in option.named("flag") {
            flag.imported();
            contacts &= flag.text("contact") != Some("disable");
            if flag.text("gravity") == Some("disable") {
                weightless = Some(([0.0; 3], flag.place.clone()));
            }
        }
    }
    if model.context.alone {
        let (dt, place) = timestep.unwrap_or((DEFAULT_TIMESTEP, root.place.clone()));
        scene.world.push(("dt", Plain::Float(dt), place));
        if let Some((gravity, place)) = weightless.or(gravity) {
            scene.world.push(("gravity", Plain::Array(gravity.map(Plain::Float).to_vec()), place));
        }
    }
    contacts
}

/// Sections of a model that say nothing about how bodies move, or nothing that is simulated.
fn sections_without_effect(root: &Element) {
    for section in root.children() {
        match section.name.as_str() {
            "visual" | "statistic" => section.ignored("looks are not simulated"),
            "actuator" => section.ignored("there are no actuators; a motor of a scene drives a joint"),
            "sensor" => section.ignored("a recording has every quantity"),
            "tendon" => section.ignored("tendons are not simulated"),
            "deformable" => section.ignored("bodies are rigid"),
            "keyframe" => section.ignored("the model starts as placed; `pose` of an import says otherwise"),
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
