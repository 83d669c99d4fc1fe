//! Import of robots: URDF and MJCF files as scenes.
//!
//! A file is parsed as XML ([`xml`]), converted to links and joints ([`mechanism`]), assembled to bodies and
//! joints of a scene, and returned as the tree of an equivalent scene file ([`tree`]), every value with its
//! position in the XML. From there on a robot is validated and run like any scene. A [`Listing`] says how
//! every element was handled, unknown elements and attributes included.

mod effective_inertia;
mod folder;
mod inertial;
mod joints;
mod listing;
mod mechanism;
mod mjcf;
mod numbers;
mod overlaps;
mod splice;
mod tree;
mod urdf;
mod xml;

use msd::math::ReferenceFrame;
use toml::Value as Plain;

use crate::build::{engine_visuals, quaternion};
use crate::files::FileAccess;
use crate::model::{Import, Orientation, Shape, Visual};
use crate::source::{LineCursor, Node, Path, SourceText, Sources};
use folder::Folder;
use mechanism::Assembled;
use tree::Places;
use xml::Element;

pub use listing::{ListedElement, Listing, Verdict};
pub(crate) use splice::splice;
pub(crate) use xml::Problems;

/// A robot file being read.
struct Context<'c> {
    /// How it is placed.
    options: &'c Import,
    folder: Folder,
    /// Files of the scene.
    files: &'c FileAccess,
    sources: &'c mut Sources,
    problems: &'c Problems,
    /// False for a part of a scene, which has world settings of its own.
    alone: bool,
}

impl Context<'_> {
    /// Where the robot stands.
    fn base(&self) -> ReferenceFrame {
        ReferenceFrame::new(self.options.position.into(), quaternion(&self.options.orientation))
    }

    /// A visual, unless its file cannot be read: what a robot looks like is no reason not to simulate it.
    fn drawable(&self, shape: Shape, element: &Element) -> Option<Shape> {
        let visual = Visual { shape, position: [0.0; 3], orientation: Orientation::default(), color: None };
        match engine_visuals(&visual, self.files) {
            Ok(_) => Some(visual.shape),
            Err(problem) => {
                element.ignored(format!("not drawn: {problem}"));
                None
            }
        }
    }

    fn named(&self, name: &str) -> String {
        format!("{}{name}", self.options.prefix)
    }

    /// Where the joint of that name starts, if the pose says so.
    fn start(&self, joint: &str) -> Option<f64> {
        self.options.pose.get(joint).copied()
    }
}

/// The robot in a text as the tree of a scene, and the listing of its elements; `None` if problems leave
/// nothing to check. `files` is the folder of the scene, and `options.file` the path of the robot from there.
pub(crate) fn robot(
    source: SourceText,
    options: &Import,
    files: &FileAccess,
    alone: bool,
    sources: &mut Sources,
    problems: &Problems,
) -> Option<(Node, Listing)> {
    let text = source.text.clone();
    let start = sources.add(source);
    let root = xml::parse(&text, start, problems)?;
    let mut context =
        Context { options, folder: Folder::of(files, &options.file), files, sources, problems, alone };
    let (root, scene) = match root.name.as_str() {
        "robot" => {
            let scene = urdf::read(&root, &mut context);
            (root, scene)
        }
        "mujoco" => mjcf::read(root, &mut context)?,
        other => {
            let message = format!("the root element is <{other}>");
            problems.add(&root.place, message, "expected <robot> (URDF) or <mujoco> (MJCF)");
            return None;
        }
    };
    let node = scene.into_tree(&root);
    let mut listing = Listing::default();
    let mut cursor = LineCursor::START;
    root.list(sources, &mut cursor, &mut listing);
    Some((node, listing))
}

/// A scene made of a robot.
#[derive(Debug, Default)]
struct RobotScene {
    parts: Assembled,
    /// Keys of `[world]` with their places.
    world: Vec<(&'static str, Plain, crate::source::Span)>,
}

impl RobotScene {
    /// The tree of the scene; what is only approximated is noted at its element.
    fn into_tree(self, root: &Element) -> Node {
        let Self { parts, world } = self;
        for (place, note) in &parts.approximations {
            if let Some(element) = root.find(place) {
                element.approximated(note);
            }
        }
        let mut places = parts.places;
        let mut settings = toml::Table::new();
        for (key, value, place) in world {
            places.push((Path::root().key("world").key(key), place));
            settings.insert(key.to_owned(), value);
        }
        let list = |items: Vec<Plain>| Plain::Array(items);
        let mut scene = toml::Table::new();
        scene.insert("format".to_owned(), Plain::Integer(1));
        scene.insert("world".to_owned(), Plain::Table(settings));
        scene.insert("material".to_owned(), plain(&parts.materials));
        scene.insert("body".to_owned(), list(parts.bodies.iter().map(plain).collect()));
        scene.insert("joint".to_owned(), list(parts.joints.iter().map(plain).collect()));
        if !parts.couplings.is_empty() {
            scene.insert("coupling".to_owned(), list(parts.couplings.iter().map(plain).collect()));
        }
        if !parts.actuators.is_empty() {
            scene.insert("actuator".to_owned(), list(parts.actuators.iter().map(plain).collect()));
        }
        if !parts.fields.is_empty() {
            scene.insert("field".to_owned(), list(parts.fields.iter().map(plain).collect()));
        }
        if !parts.keyframes.is_empty() {
            scene.insert("keyframe".to_owned(), plain(&parts.keyframes));
        }
        Places::new(places).tree(&Plain::Table(scene), &Path::root(), &root.place)
    }
}

/// A part of the model as a plain value. The model has only types that TOML has too.
fn plain(part: &impl serde::Serialize) -> Plain {
    Plain::try_from(part).unwrap_or(Plain::Table(toml::Table::new()))
}
