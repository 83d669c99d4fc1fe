//! From text to scene: parse, check against the grammar, check the physics; all problems in one go.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path as FilePath;

use serde::de::DeserializeOwned;

use crate::check::{self, Context};
use crate::error::{Finding, SceneErrors};
use crate::files::FileAccess;
use crate::grammar::{STAND_IN, Walk};
use crate::import::{self, Listing, Problems};
use crate::model::{BodyKind, Import, Material, Record, Scene};
use crate::source::{self, Format, Node, Path, SourceText, Sources, Value};

/// Largest scene file that is read, bytes.
pub const MAX_BYTES: u64 = 64 << 20;

/// How a file is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// Let the scene name files anywhere, not only in its folder.
    pub files_outside: bool,
    /// Let the base of a URDF move, instead of holding it to the world.
    pub free_base: bool,
}

/// A scene, and how each element of its robots was imported.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The scene, robots already among its bodies.
    pub scene: Scene,
    /// Every element of every URDF and MJCF file; empty if there is none.
    pub listing: Listing,
}

impl Scene {
    /// Reads a scene file: JSON if its name ends in `.json`, a robot if it ends in `.urdf`, `.xml` or `.mjcf`, else
    /// TOML. Files it names must be in its folder.
    ///
    /// # Errors
    /// Every problem of the file.
    pub fn load(path: impl AsRef<FilePath>) -> Result<Scene, SceneErrors> {
        Self::load_listed(path, &LoadOptions::default()).map(|loaded| loaded.scene)
    }

    /// As [`Scene::load`], with options, and with the import of each element of imported files.
    ///
    /// # Errors
    /// Every problem of the file.
    pub fn load_listed(path: impl AsRef<FilePath>, options: &LoadOptions) -> Result<Loaded, SceneErrors> {
        let path = path.as_ref();
        let shown = path.display().to_string();
        let text = read_text(path).map_err(|problem| SceneErrors::unreadable(&shown, problem))?;
        let folder = path.parent().map(FilePath::to_owned).unwrap_or_default();
        let files = FileAccess { folder, outside: options.files_outside, texts: None };
        let name = path.file_name().map_or_else(|| shown.clone(), |name| name.to_string_lossy().into_owned());
        let format = Format::of_name(&shown);
        let mut loaded = parse(SourceText { name: shown, text }, format, files, options, &name)?;
        loaded.scene.name = name;
        Ok(loaded)
    }

    /// Reads a scene from a text; `name` stands for the file in messages, and files it names must be in the current
    /// folder.
    ///
    /// # Errors
    /// Every problem of the text.
    pub fn parse_str(name: &str, text: &str, format: Format) -> Result<Scene, SceneErrors> {
        Self::parse_with(name, text, format, FileAccess::default())
    }

    /// As [`Scene::parse_str`], with files of your choice: those of a folder, or [`FileAccess::in_memory`].
    ///
    /// # Errors
    /// Every problem of the text.
    pub fn parse_with(
        name: &str,
        text: &str,
        format: Format,
        files: FileAccess,
    ) -> Result<Scene, SceneErrors> {
        let source = SourceText { name: name.to_owned(), text: text.to_owned() };
        let loaded = parse(source, format, files, &LoadOptions::default(), name)?;
        Ok(Scene { name: name.to_owned(), ..loaded.scene })
    }

    /// The scene with the robots it imports among its bodies and joints. Scenes that were read from a file have been
    /// through this.
    ///
    /// # Errors
    /// Every problem of the files it imports.
    pub fn with_imports(&self) -> Result<Scene, SceneErrors> {
        let mut whole = Scene { import: Vec::new(), ..self.clone() };
        for import in &self.import {
            let failed = |problem| SceneErrors::unreadable(&import.file, problem);
            let path = self.files.resolve(&import.file).map_err(failed)?;
            let text = self.files.text(&path).map_err(failed)?;
            let (mut sources, problems) = (Sources::default(), Problems::default());
            let source = SourceText { name: path.display().to_string(), text };
            let robot = import::robot(source, import, &self.files, false, &mut sources, &problems);
            let part = match robot {
                Some((tree, listing)) => {
                    finish(&tree, &sources, self.files.clone(), &problems, listing)?.scene
                }
                None => return Err(SceneErrors::in_text(&sources, problems.take())),
            };
            whole.body.extend(part.body);
            whole.joint.extend(part.joint);
            whole.coupling.extend(part.coupling);
            whole.actuator.extend(part.actuator);
            whole.keyframe.extend(part.keyframe);
            whole.material.extend(part.material);
        }
        Ok(whole)
    }
}

/// The text of a file of at most [`MAX_BYTES`].
pub(crate) fn read_text(path: &FilePath) -> Result<String, String> {
    let opened = |error| format!("cannot be opened: {error}");
    // Opening a pipe without a writer would block for ever.
    let kind = path.metadata().map_err(opened)?.file_type();
    if !kind.is_file() && !kind.is_dir() {
        return Err("is not a file but a pipe, a socket or a device: give the path of a file".to_owned());
    }
    let file = File::open(path).map_err(opened)?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| format!("cannot be read: {error}"))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("is larger than {} MiB, which no scene is", MAX_BYTES >> 20));
    }
    String::from_utf8(bytes)
        .map_err(|error| format!("is not a text: byte {} is not UTF-8", error.utf8_error().valid_up_to()))
}

fn parse(
    source: SourceText,
    format: Format,
    files: FileAccess,
    options: &LoadOptions,
    file: &str,
) -> Result<Loaded, SceneErrors> {
    let (mut sources, problems) = (Sources::default(), Problems::default());
    if format == Format::Robot {
        let import = Import { fixed_base: !options.free_base, ..Import::of_file(file) };
        return match import::robot(source, &import, &files, true, &mut sources, &problems) {
            Some((tree, listing)) => finish(&tree, &sources, files, &problems, listing),
            None => Err(SceneErrors::in_text(&sources, problems.take())),
        };
    }
    let parsed = source::parse(&source.text, format);
    sources.add(source);
    let mut tree = parsed.map_err(|errors| {
        let found = errors
            .into_iter()
            .map(|error| (error.span, Finding::at(&Path::root(), format!("syntax: {}", error.message), "")));
        SceneErrors::in_text(&sources, found.collect())
    })?;
    let listing = import::splice(&mut tree, &files, &mut sources, &problems);
    finish(&tree, &sources, files, &problems, listing)
}

/// Checks a tree and makes a scene of it.
fn finish(
    tree: &Node,
    sources: &Sources,
    files: FileAccess,
    problems: &Problems,
    listing: Listing,
) -> Result<Loaded, SceneErrors> {
    let mut reader = Reader::new(tree, files);
    let scene = reader.scene();
    let mut findings = reader.walk.findings;
    let others = problems.take();
    if findings.is_empty() && others.is_empty() {
        match scene.assemble() {
            Ok(_) => return Ok(Loaded { scene, listing }),
            Err(found) => findings = found,
        }
    }
    Err(SceneErrors::in_tree(sources, tree, findings, others))
}

/// Keys of a body whose checks depend on another key, by that key: whether it needs a mass or may have a velocity
/// depends on what moves it, whether it needs a shape on mass and tensor.
const DEPENDENT: [(&str, &[&str]); 3] = [
    ("kind", &["mass", "shape", "velocity", "angular_velocity"]),
    ("mass", &["shape"]),
    ("inertia", &["shape"]),
];

/// Reads the tree part by part, so that a broken part does not hide the problems of the others.
struct Reader<'t> {
    tree: &'t Node,
    walk: Walk<'t>,
    context: Context,
}

impl<'t> Reader<'t> {
    fn new(tree: &'t Node, files: FileAccess) -> Self {
        let items = |key: &str| tree.get(key).and_then(Node::as_list).unwrap_or_default();
        let name = |node: &Node| node.get("name").and_then(Node::as_text).map(str::to_owned);
        let bodies = items("body").iter().filter_map(|body| Some((name(body)?, kind(body)))).collect();
        let materials = match tree.get("material").map(|node| &node.value) {
            Some(Value::Table(entries)) => entries.iter().map(|entry| entry.key.clone()).collect(),
            _ => Vec::new(),
        };
        let axis = |joint: &Node| {
            joint.get("type").and_then(Node::as_text).is_some_and(|kind| ["hinge", "slider"].contains(&kind))
        };
        let joints = items("joint").iter().filter_map(|joint| Some((name(joint)?, axis(joint)))).collect();
        let couplings = items("coupling").iter().filter_map(name).collect();
        let actuators = items("actuator").iter().filter_map(name).collect();
        let text = |joint: &Node, key: &str| joint.get(key).and_then(Node::as_text).map(str::to_owned);
        let with_axis = items("joint").iter().filter(|joint| axis(joint));
        let axes = with_axis
            .filter_map(|joint| {
                Some((name(joint)?, [text(joint, "a")?, text(joint, "b")?], text(joint, "after")))
            })
            .collect();
        let context =
            Context { bodies, materials, joints, axes, couplings, actuators, files, partial: false };
        Self { tree, walk: Walk::new(tree), context }
    }

    fn scene(&mut self) -> Scene {
        let mut scene = Scene { files: self.context.files.clone(), ..Scene::default() };
        let Value::Table(entries) = &self.tree.value else {
            let message = format!("a scene is a table, not {}", self.tree.value);
            self.walk.findings.push(Finding::at(&Path::root(), message, "expected `{`"));
            return scene;
        };
        let keys = self.walk.root_keys();
        self.walk.root_required();
        for entry in entries {
            let at = Path::root().key(&entry.key);
            match entry.key.as_str() {
                "world" => scene.world = self.part(&entry.value, "world", &at).unwrap_or_default(),
                "record" => scene.record = self.part::<Record>(&entry.value, "record", &at),
                "format" => {
                    self.walk.check(&entry.value, self.walk.section("format"), &at);
                }
                "material" => scene.material = self.materials(&entry.value, &at),
                // Imports are among the bodies and joints by now.
                "import" => drop(self.list(&entry.value, "import", &at, check::import)),
                "body" => scene.body = self.list(&entry.value, "body", &at, check::body),
                "joint" => scene.joint = self.list(&entry.value, "joint", &at, check::joint),
                "coupling" => {
                    scene.coupling = self.list(&entry.value, "coupling", &at, check::coupling);
                }
                "actuator" => {
                    scene.actuator = self.list(&entry.value, "actuator", &at, check::actuator);
                }
                "keyframe" => scene.keyframe = self.part(&entry.value, "keyframe", &at).unwrap_or_default(),
                "field" => scene.field = self.list(&entry.value, "field", &at, check::field),
                "agent" => scene.agent = self.list(&entry.value, "agent", &at, check::agent),
                unknown => self.walk.unknown_key(unknown, keys.clone(), &at),
            }
        }
        self.unique_names("body");
        self.unique_names("joint");
        self.unique_names("coupling");
        self.unique_names("actuator");
        scene
    }

    /// One table of the scene as its model.
    fn part<T: DeserializeOwned>(&mut self, node: &Node, section: &str, at: &Path) -> Option<T> {
        let schema = self.walk.section(section);
        let plain = self.walk.check(node, schema, at)?;
        self.model(plain, at)
    }

    fn model<T: DeserializeOwned>(&mut self, plain: toml::Value, at: &Path) -> Option<T> {
        match plain.try_into() {
            Ok(model) => Some(model),
            Err(error) => {
                let message = format!("{}: {}", self.walk.subject(at), error.message());
                self.walk.findings.push(Finding::at(at, message, ""));
                None
            }
        }
    }

    fn list<T: DeserializeOwned>(
        &mut self,
        node: &Node,
        section: &str,
        at: &Path,
        check: impl Fn(&T, &Path, &Context, &mut Vec<Finding>),
    ) -> Vec<T> {
        let schema = self.walk.section(section);
        let Some(items) = node.as_list() else {
            self.walk.check(node, schema, at);
            return Vec::new();
        };
        let mut models = Vec::new();
        for (i, item) in items.iter().enumerate() {
            let at = at.index(i);
            let before = self.walk.findings.len();
            let Some(plain) = self.walk.check(item, &schema["items"], &at) else { continue };
            // Placeholder for the entry in messages where its name or type is missing.
            let mut unsaid = vec![STAND_IN.to_owned()];
            if self.walk.is_unread(&at.key("type")) {
                unsaid.extend(plain.get("type").and_then(|kind| kind.as_str()).map(str::to_owned));
            }
            let Some(model) = self.model(plain, &at) else { continue };
            self.context.partial = self.walk.findings.len() > before;
            let mut found = Vec::new();
            check(&model, &at, &self.context, &mut found);
            // Items missing from a partially read part may be the unreadable ones.
            found.retain(|finding| !self.context.partial || finding.path != at);
            found.retain(|finding| !self.walk.is_unread(&finding.path));
            for (unread, dependent) in DEPENDENT {
                if self.walk.is_unread(&at.key(unread)) {
                    let depends = |path: &Path| dependent.iter().any(|key| path.starts_with(&at.key(key)));
                    found.retain(|finding| !depends(&finding.path));
                }
            }
            for finding in &mut found {
                for unsaid in &unsaid {
                    let nameless = format!("{section} `{unsaid}`");
                    finding.message = finding.message.replace(&nameless, &self.walk.subject(&at));
                }
            }
            self.walk.findings.extend(found);
            models.push(model);
        }
        models
    }

    fn materials(&mut self, node: &Node, at: &Path) -> BTreeMap<String, Material> {
        self.part(node, "material", at).unwrap_or_default()
    }

    fn unique_names(&mut self, section: &str) {
        let items = self.tree.get(section).and_then(Node::as_list).unwrap_or_default();
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for (i, item) in items.iter().enumerate() {
            let Some(name) = item.get("name").and_then(Node::as_text) else { continue };
            match seen.get(name) {
                Some(first) => {
                    let at = Path::root().key(section).index(i).key("name");
                    let message = format!(
                        "{section} {}: the name `{name}` is already used by {section} {}",
                        i + 1,
                        first + 1
                    );
                    self.walk.findings.push(Finding::at(&at, message, "expected another name"));
                }
                None => {
                    seen.insert(name, i);
                }
            }
        }
    }
}

/// The kind a body says it has, for checks of those that refer to it.
fn kind(body: &Node) -> BodyKind {
    match body.get("kind").and_then(Node::as_text) {
        Some("static") => BodyKind::Static,
        Some("kinematic") => BodyKind::Kinematic,
        Some("graphical") => BodyKind::Graphical,
        _ => BodyKind::Dynamic,
    }
}
